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


# Two particles, the first of them perhaps on a surface.
PAIR = """model m
coordinate x = 0.6 m, y = {y} m, z = 0.8 m, w = 0.3 m, u = 0.2 m, v = 0.1 m
particle P at No + x*N.x + y*N.y + z*N.z, mass 1 kg
particle Q at No + w*N.x + u*N.y + v*N.z, mass 1 kg
"""
SPHERE = "constraint s: x^2 + y^2 + z^2 = 1 m^2\n"
KNIFE = """model knife
coordinate a = 0.7 rad, b = 0.2 rad, q = 0.3 rad
frame A = rotate(N, z, b)
frame C = rotate(A, y, a)
frame B = rotate(C, z, q)
body B at No + 1 m*C.z, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
constraint m: dot(velocity(Bcm), B.y) = 0
"""
DISC = """model disc
parameter r = 0.3 m
coordinate x = 0 m, y = 0 m, z = 0.3 m, a = 0.1 rad, b = 0 rad, c = 0 rad
frame A = rotate(N, z, a)
frame C = rotate(A, x, b)
frame B = rotate(C, y, c)
body B at No + x*N.x + y*N.y + z*N.z, mass 2 kg, inertia 1 kg*m^2, 2 kg*m^2, 1 kg*m^2
constraint s: z = r*cos(b)
constraint m: x' - r*c'*cos(a) - r*a'*sin(b)*cos(a) - r*b'*cos(b)*sin(a) = 0 m/s
constraint k: y' - r*c'*sin(a) - r*a'*sin(b)*sin(a) + r*b'*cos(b)*cos(a) = 0 m/s
"""
TRIG = """model m
coordinate a = 0.3 rad, b = 1.2707963267948966 rad, c = 0.2 m, d = 0.4 m, e = 0.1 m
particle P at No + cos(a)*1 m*N.x + b*1 m*N.y, mass 1 kg
particle Q at No + c*N.x + d*N.y + e*N.z, mass 1 kg
constraint s: sin(a) = cos(b)
constraint m: c' - (cos(b) - sin(a))*d*e'/(1 m) = 0 m/s
"""


class Surfaces(Folder):
    """Motion constraints beside configuration constraints: what counts are the motions on the surface."""

    def test_closed_examples(self):
        flat, three = PAIR.format(y=0), "constraint m: y*x' - z*y' + x*z' = 0 m^2/s\n"
        vanishing = "constraint m: w' - (x^2 + y^2 + z^2 - 1 m^2)*u*v'/(1 m^3) = 0 m/s\n"
        scaled = "constraint m: w' - (x^2 + y^2 + z^2)*u'/(1 m^2) = 0 m/s\n"
        examples = {
            # Three differentials in space are not integrable; two on a sphere always are.
            "space": (flat + three, False, 6),
            "sphere": (flat + SPHERE + three, True, 4),
            # What hinders integration vanishes where r = 1.
            "off the sphere": (flat + vanishing, False, 6),
            "on the sphere": (flat + SPHERE + vanishing, True, 4),
            "r^2 u'": (flat + scaled, False, 6),
            "u' on the sphere": (flat + SPHERE + scaled, True, 4),
            "x u' on the sphere": (flat + SPHERE + "constraint m: w' - x*u'/(1 m) = 0 m/s\n", False, 5),
            "cylinder": (flat + "constraint s: x^2 + y^2 = 0.36 m^2\nconstraint m: z' - (x*y' - y*x')/(1 m) = 0 m/s\n", True, 4),
            "hyperbola": (PAIR.format(y=0.5) + "constraint s: x*y = 0.3 m^2\n"
                          "constraint m: w' - (x*y - 0.3 m^2)*u*v'/(1 m^3) = 0 m/s\n", True, 4),
            "sines": (TRIG, True, 3),
            "blade on a sphere": (KNIFE, False, 3),
            "rolling disc": (DISC, False, 5),
        }
        for name, (text, is_holonomic, dimension) in examples.items():
            with self.subTest(name):
                answer = visviva("interactions", self.write(text), "--json")
                found = {i["name"]: i for i in json.loads(answer.stdout)["interactions"]}
                self.assertIs(found["m"]["holonomic"], is_holonomic)
                checked = json.loads(visviva("check", self.write(text), "--json").stdout)
                self.assertEqual(checked["accessible_dimension"], dimension)


if __name__ == "__main__":
    unittest.main()
