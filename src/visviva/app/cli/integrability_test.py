"""Tests of what `check` says about integrability, with SymPy as the judge, and of `--integrate-constraints`."""

import itertools
import json
import re
import unittest
from random import Random

import sympy

from program import Folder, visviva

HEAD = """model m
coordinate x = 1, y = 2, z = 1.5, w = 0.3
particle P at No + x*1 m*N.x + y*1 m*N.y + z*1 m*N.z, mass 1 kg
particle Q at No + w*1 m*N.x, mass 1 kg
"""

# Rows with one, two, three and four differentials; integrable and not; roots, exponentials, angles.
ROWS = [
    "x' - 3*y' = 0",
    "z' - y*x' = 0",
    "z*y' + y*z' = 0",
    "y' + (y/z)*z' = 0",
    "x*y' - y*x' = 0",
    "x*y' - y*x' + z' = 0",
    "x*y' - y*x' + z*w' - w*z' = 0",
    "sin(w)*x' - cos(w)*y' = 0",
    "sin(w)*x' - cos(w)*y' + 2*w' = 0",
    "(2*x + x^2 + y^2 + z^2)*x' + 2*y*y' + 2*z*z' = 0",
    "y*z*x' + 2*x*z*y' - 3*x*y*z' = 0",
    "y*z*(y + z)*x' + x*z*(x + z)*y' + x*y*(x + y)*z' = 0",
    "(y^2 + y*z)*x' + (x*z + z^2)*y' + (y^2 - x*y)*z' = 0",
    "x'/sqrt(x^2 + y^2) + y'*y/(x*sqrt(x^2 + y^2)) = 0",
    "exp(x)*x' + exp(x)*z*y' = 0",
    "y*x' + x*log(x)*y' + z*w' = 0",
    "(y + z*w)*x' + x*y' + x*w*z' + x*z*w' = 0",
    "x^2*y*z' + cos(z)*w' = 0",
]

SYMBOLS = sympy.symbols("x y z w")
DIFFERENTIALS = sympy.symbols("dx dy dz dw")


def read(text):
    names = {str(s): s for s in SYMBOLS + DIFFERENTIALS}
    return sympy.sympify(text.replace("^", "**"), locals=names)


def coefficients(row):
    """The form of a row as the text says it, without asking the program."""
    text = re.sub(r"([xyzw])'", r"d\1", row.split("=")[0]).replace("^", "**")
    form = sympy.expand(sympy.sympify(text, locals={str(s): s for s in SYMBOLS + DIFFERENTIALS}))
    return [sympy.simplify(form.coeff(d)) for d in DIFFERENTIALS]


def wedge(form):
    """omega ^ d omega, by its components."""
    d = [[sympy.diff(form[b], SYMBOLS[a]) - sympy.diff(form[a], SYMBOLS[b]) for b in range(4)] for a in range(4)]
    return {(a, b, c): sympy.simplify(form[a]*d[b][c] - form[b]*d[a][c] + form[c]*d[a][b])
            for a, b, c in itertools.combinations(range(4), 3)}


def random_function(random, q):
    """A function of some coordinates, each by itself and in products and sines."""
    a, b, c = random.sample(q, 3)
    return random.choice([a*b + c, a + b*sympy.sin(c), a*b**2 - 2*c, sympy.exp(a) + b*c, a*b + b*c + sympy.cos(a)])


def draw_independent(random, q, count):
    while True:
        functions = [random_function(random, q) for _ in range(count)]
        if sympy.Matrix(functions).jacobian(q).rank() == count:
            return functions


def random_model(rows):
    text = "model m\ncoordinate " + ", ".join(f"q{i} = {0.3 + 0.1*i}" for i in range(1, 6)) + ", s = 0.4, v = 0.2\n"
    for i, name in enumerate(["q1", "q2", "q3", "q4", "q5", "s", "v"]):
        text += f"particle P{i} at No + {name}*1 m*N.x, mass 1 kg\n"
    for i, row in enumerate(rows):
        written = re.sub(r"Q(\d)", r"q\1'", str(row)).replace("V", "v'").replace("**", "^")
        text += f"constraint c{i}: {written} = 0\n"
    return text


class Integrability(Folder):
    def check(self, text):
        path = self.folder / "m.viva"
        path.write_text(text, encoding="utf-8")
        result = visviva("check", path, "--json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def test_verdicts_are_those_of_sympy(self):
        for row in ROWS:
            with self.subTest(row):
                answer = self.check(HEAD + f"constraint c: {row}\n")
                found = answer["integrability"]["constraints"][0]
                components = wedge(coefficients(row))
                integrable = all(value == 0 for value in components.values())
                self.assertIs(found["integrable"], integrable)
                self.assertIs(found["holonomic"], integrable)
                self.assertEqual(answer["degrees_of_freedom"], 3)
                self.assertEqual(answer["accessible_dimension"], 3 if integrable else 4)
                if not integrable:
                    witness = found["rows"][0]["witness"]
                    place = tuple(DIFFERENTIALS.index(sympy.Symbol(d)) for d in witness["directions"])
                    self.assertEqual(sympy.simplify(read(witness["value"]) - components[place]), 0)

    def test_factor_times_row_is_the_differential_of_the_integral(self):
        found = 0
        for row in ROWS:
            with self.subTest(row):
                c = self.check(HEAD + f"constraint c: {row}\n")["integrability"]["constraints"][0]
                if c["factor"] is None:
                    continue
                form = [read(c["factor"])*a for a in coefficients(row)]
                for a, b in itertools.combinations(range(4), 2):
                    self.assertEqual(sympy.simplify(sympy.diff(form[a], SYMBOLS[b]) - sympy.diff(form[b], SYMBOLS[a])), 0)
                if c["integral"] is None:
                    continue
                found += 1
                for a, s in zip(form, SYMBOLS):
                    self.assertEqual(sympy.simplify(sympy.diff(read(c["integral"]), s) - a), 0)
        self.assertGreaterEqual(found, 8)

    def test_random_sets_are_holonomic_by_construction_and_mutants_are_not(self):
        """Rows M dF are holonomic together whatever M; with F_1' + s*v' in the place of F_1' no row is, and one dimension is gained."""
        for seed in range(12):
            random, count = Random(seed), 2 + seed % 2
            q, rates = sympy.symbols("q1:6"), sympy.symbols("Q1:6")
            s, v_rate = sympy.symbols("s V")
            functions = draw_independent(random, q, count)
            differentials = [sum(sympy.diff(F, x)*r for x, r in zip(q, rates)) for F in functions]
            matrix = [[1 + k if i == k else random.choice([1, 2])*random.choice(q) for k in range(count)] for i in range(count)]
            for extra in (0, s*v_rate):
                with self.subTest(seed=seed, extra=str(extra)):
                    forms = [differentials[0] + extra, *differentials[1:]]
                    rows = [sum(m*f for m, f in zip(line, forms)) for line in matrix]
                    answer = self.check(random_model(rows))
                    found = answer["integrability"]["constraints"]
                    self.assertEqual(answer["degrees_of_freedom"], 7 - count)
                    self.assertEqual([c["holonomic"] for c in found], [extra == 0]*count)
                    self.assertEqual(answer["accessible_dimension"], 7 - count + (extra != 0))

    def test_the_text_names_integral_factor_and_partners(self):
        path = self.folder / "m.viva"
        path.write_text(HEAD + "constraint c1: z' - y*x' = 0\nconstraint c2: y' = 0\n"
                        "constraint c3: w' + (w/x)*x' = 0\n", encoding="utf-8")
        text = visviva("check", path).stdout
        self.assertIn("accessible space    1 dimension\n", text)
        self.assertIn("holonomic together with c2: z - x*y is constant; alone not: omega = -y*dx + dz, "
                      "omega ^ d omega = dx ^ dy ^ dz\n", text)
        self.assertIn("integrable: y is constant\n", text)
        self.assertIn("integrable with the factor x: x*w is constant\n", text)

    def test_integrals_are_kept_in_a_run(self):
        path = self.folder / "m.viva"
        path.write_text("""model m
coordinate y = 1 m, y' = 0.5 m/s, z = 2 m, z' = -1 m/s
particle P at No + y*N.y + z*N.z, mass 1 kg
constraint c: y' + (y/z)*z' = 0
force F on P = 3 N*sin(2 rad/s*t)*N.y
output product = y*z, multiplier(c)
study until 20 s, every 0.5 s, tolerance 1e-4
""", encoding="utf-8")
        drift, multipliers = [], []
        for options in ([], ["--integrate-constraints"]):
            out = self.folder / f"run{len(drift)}"
            result = visviva("simulate", path, "--json", "--out", out, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = [line for line in (out / "trajectory.csv").read_text().splitlines() if not line.startswith("#")]
            names = lines[0].split(",")
            rows = [[float(v) for v in line.split(",")] for line in lines[1:]]
            drift.append(max(abs(r[names.index("product")] - 2) for r in rows))
            multipliers.append(rows[0][names.index("multiplier(c)")])
        self.assertGreater(drift[0], 1e-9)
        self.assertLess(drift[1], 1e-12)
        self.assertAlmostEqual(multipliers[0], multipliers[1], delta=1e-12)


if __name__ == "__main__":
    unittest.main()
