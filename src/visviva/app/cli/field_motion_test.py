"""Continuous bodies in motion: material that moves, what elements leave out, work and energy along lines, mechanisms."""

import json
import math
import unittest

import numpy as np

from program import Folder, visviva

BEAM = """
model beam
parameter L = 2 m, EI = 3 N*m^2, rhoA = 0.7 kg/m, p = 0.4 N/m, m = 0.5 kg
field w(x) from 0 m to L
line Beam at No + x*N.x + w*N.y, mass rhoA
potential bending over x = 1/2*EI*d(w, x, x)^2
"""
CLAMPED = "fix w at 0 m = 0 m, d(w, x) at 0 m = 0\n"
STRING = """
model string
parameter L = 2 m, T = 300 N, rho = 0.5 kg/m, v = 10 m/s
field w(x) from 0 m to L
line String at No + x*N.x + w*N.y, mass rho, moving v
potential stretch over x = 1/2*T*d(w, x)^2
fix w at 0 m = 0 m, w at L = 0 m
"""


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file if not line.startswith("#")]
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


class Case(Folder):
    def answer(self, command, text, *options):
        answer = visviva(command, self.write(text), "--json", *options)
        self.assertTrue(answer.stdout, answer.stderr)
        return json.loads(answer.stdout)

    def radians(self, text):
        answer = self.answer("linearize", text)
        return [2 * math.pi * f for f in answer["frequencies_hz"]], answer

    def run_model(self, text, *options):
        folder = self.folder / "run"
        answer = self.answer("simulate", text, "--out", str(folder), "--force", *options)
        return answer, read_csv(folder / "trajectory.csv")

    def code(self, command, text):
        return [e["code"] for e in self.answer(command, text).get("errors", [])]


class WhatElementsLeaveOut(Case):
    TEXT = BEAM + CLAMPED + "start w = 0.05 m*(x/L)^2*(3 - x/L)/2\noutput tip = w at L\nstudy until 2 s, every 0.02 s, tolerance 1e-10\n"

    def test_the_estimate_is_beside_the_certificate(self):
        _, fine = self.run_model(self.TEXT + "discretize w, elements 16\n")
        answer, cut = self.run_model(self.TEXT + "discretize w, elements 4\n")
        error = answer["certificate"]["discretization"]
        self.assertEqual(error["compared_with"], ["w: 2 elements"])
        self.assertIsNone(error["reason"])
        true = np.abs(fine["tip"] - cut["tip"]).max()
        for name in ("w", "tip"):
            told = error["differences"][name]["max"]
            self.assertGreater(told, true)
            self.assertLess(told, 200 * true)
        text = visviva("simulate", self.write(self.TEXT + "discretize w, elements 4\n"), "--out", str(self.folder / "m")).stdout
        self.assertIn("What elements leave out", " ".join(text.split()))

    def test_odd_numbers_are_doubled_and_nodes_that_are_named_are_told(self):
        answer, _ = self.run_model(self.TEXT + "discretize w, elements 1\n")
        self.assertEqual(answer["certificate"]["discretization"]["compared_with"], ["w: 2 elements"])
        answer, _ = self.run_model(self.TEXT + "discretize w, elements 4\noutput w_2\n")
        self.assertIn("w_2", answer["certificate"]["discretization"]["reason"])


class Travelling(Case):
    def test_frequencies_and_the_critical_speed(self):
        """n pi (c^2 - v^2)/(c L), to the order of the elements."""
        c, L = math.sqrt(600), 2.0

        def errors(v, elements):
            found, _ = self.radians(STRING.replace("v = 10", f"v = {v}") + f"discretize w, elements {elements}\n")
            return [abs(found[n - 1] / (n * math.pi * (c * c - v * v) / (c * L)) - 1) for n in (1, 2)]
        self.assertLess(max(errors(0.0, 12)), 1e-6)
        self.assertLess(max(errors(10.0, 12)), 1e-5)
        coarse, fine = errors(20.0, 12), errors(20.0, 24)
        for a, b in zip(coarse, fine):
            self.assertLess(a, 2e-3)
            self.assertGreater(math.log2(a / b), 3)
        # Beyond the wave speed's neighbourhood it diverges: an eigenvalue with a positive real part.
        answer = self.answer("linearize", STRING.replace("v = 10 m/s", "v = 24.6 m/s") + "discretize w, elements 12\n")
        self.assertGreater(max(re for re, _ in answer["eigenvalues"]), 0.1)

    def test_methods_agree(self):
        self.assertEqual(self.answer("prove", STRING + "discretize w, elements 2\n")["verdict"], "equal")

    def test_energy_that_crosses_the_ends(self):
        """d/dt of the material's energy is what crosses the ends: v (T - rho v^2)/2 (w_x(L)^2 - w_x(0)^2)."""
        errors = [self.energy_error(n) for n in (16, 32)]
        self.assertLess(errors[1], 0.03)
        self.assertLess(errors[1], 0.5 * errors[0])

    def energy_error(self, n):
        """How far the energy of the material is from what crossed the ends, over what it changed by."""
        places = "".join(f"output r{i} = w' at {i}*L/{n}, s{i} = d(w, x) at {i}*L/{n}\n" for i in range(n + 1))
        text = STRING + f"discretize w, elements {n}\n" + places + """start w = 0.01 m*sin(pi*x/L), w' = 0.2 m/s*sin(2*pi*x/L)
study until 0.1 s, every 0.0005 s, tolerance 1e-9, energy 1e-7 J
"""
        answer, run = self.run_model(text)
        self.assertTrue(answer["certificate"]["holds"])
        L, T, rho, v, step = 2.0, 300.0, 0.5, 10.0, 0.0005
        weights = np.array([1] + [4, 2] * (n // 2 - 1) + [4, 1]) * L / n / 3  # Simpson
        rate = np.array([run[f"r{i}"] for i in range(n + 1)])
        slope = np.array([run[f"s{i}"] for i in range(n + 1)])
        energy = weights @ (rho / 2 * (rate + v * slope) ** 2 + T / 2 * slope**2)
        across = v * (T - rho * v * v) / 2 * (slope[n] ** 2 - slope[0] ** 2)
        work = np.concatenate([[0], np.cumsum((across[1:] + across[:-1]) / 2 * step)])
        change = energy.max() - energy.min()
        self.assertGreater(change, 0.1 * energy[0])
        return np.abs(energy - energy[0] - work).max() / change

    def test_a_moving_shaft_and_a_moving_beam_are_equal_in_all_methods(self):
        text = """
model moving
parameter L = 2 m, EI = 3 N*m^2, rho = 0.7 kg/m, J = 0.02 kg*m
specified v(t) = 1 m/s + 0.5 m/s*sin(2 rad/s*t)
coordinate theta = 0, theta' = 1 rad/s
frame A = rotate(N, z, theta)
field w(x) from 0 m to L
line Beam at No + x*A.x + w*A.y, mass rho, rotary J about A.z by d(w, x), moving v
potential bending over x = 1/2*EI*d(w, x, x)^2
fix w at 0 m = 0 m, w at L = 0 m
discretize w, elements 1
"""
        self.assertEqual(self.answer("prove", text)["verdict"], "equal")


class WorkAndEnergy(Case):
    def balance(self, text):
        balance = self.answer("derive", text)["power_balance"]["x"]
        self.assertTrue(balance["proved"])
        return balance

    def test_a_travelling_string(self):
        balance = self.balance(STRING)
        self.assertEqual(balance["power"], "0")
        found = {b["at"]: b["flux"] for b in balance["through"]}
        import sympy
        s, rho, v, T = sympy.symbols("s rho v T")
        for place in ("0", "L"):
            flux = sympy.sympify(found[place].replace(f"(d(w, x) at {place})", "s").replace(f"d(w, x) at {place}", "s").replace("^", "**"))
            wanted = v * (rho * v**2 - T) / 2 * s**2 + rho * v**3 / 2
            self.assertEqual(sympy.expand(flux - wanted), 0, found[place])

    def test_beams_bars_and_loads(self):
        balance = self.balance(BEAM + CLAMPED + "dissipation loss over x = 1/2*(2 N*s/m^2)*w'^2\n")
        self.assertEqual(balance["power"], "-2*w'^2")
        self.assertEqual(balance["through"][0]["flux"], "0")
        self.balance(BEAM.replace("mass rhoA", "mass rhoA, rotary 0.01 kg*m about N.z by d(w, x)") + CLAMPED)
        self.balance(BEAM.replace("EI*d(w, x, x)^2", "EI*(1 + x/L)*d(w, x, x)^2") + "gravity -9 m/s^2*N.y\n")
        self.balance(BEAM.replace("N.x + w*N.y", "A.x + w*A.y") + CLAMPED + "coordinate theta = 0\nframe A = rotate(N, z, theta)\n")
        self.balance(BEAM.replace("N.x + w*N.y", "A.x + w*A.y") + CLAMPED + "specified theta(t) = 1 rad/s*t\nframe A = rotate(N, z, theta)\n")
        self.balance("""
model large
parameter L = 2 m, EA = 3 N, rho = 0.7 kg/m
field u(x), w(x) from 0 m to L
line String at No + (x + u)*N.x + w*N.y, mass rho
potential stretch over x = 1/2*EA*(d(u, x) + 1/2*d(w, x)^2)^2
""")

    def test_a_line_that_hangs_on_another(self):
        text = BEAM + CLAMPED + """parameter b = 0.5 m
field v(y) from 0 m to b
frame C = rotate(N, z, d(w, x) at L)
line Arm at Beam(L) + y*C.x + v*C.y, mass rhoA
potential other over y = 1/2*EI*d(v, y, y)^2
fix v at 0 m = 0 m, d(v, y) at 0 m = 0
"""
        balance = self.answer("derive", text)["power_balance"]
        self.assertTrue(balance["x"]["proved"] and balance["y"]["proved"])

    def test_prove_tells(self):
        claims = [s["claim"] for s in self.answer("prove", BEAM + CLAMPED + "discretize w, elements 2\n")["evidence"]]
        self.assertIn("continuous bodies along x: de/dt + dS/dx = p", claims)


class Traced(Case):
    def test_each_term_says_where_it_comes_from(self):
        text = BEAM + CLAMPED + "potential ground over x = 1/2*(5 N/m^2)*w^2\nparticle Tip at Beam(L), mass m\nforce load over x on Beam = -p*N.y\n"
        field = self.answer("derive", text)["field_equations"]["w"]
        terms = {t["from"]: t["term"] for t in field["terms"]}
        self.assertEqual(terms, {"inertia": "-rhoA*w''", "bending": "-EI*d(w, x, x, x, x)", "ground": "-5*w", "load": "-p"})
        shear = [b for b in field["boundary"] if b["kind"] == "natural"][0]
        self.assertEqual({t["from"] for t in shear["terms"]}, {"inertia", "bending"})


class Constrained(Case):
    def test_a_support_as_a_constraint(self):
        answer = self.answer("derive", BEAM + CLAMPED + "constraint held: w at L = 0 m\n")
        found = [b["equation"] for b in answer["field_equations"]["w"]["boundary"] if b["kind"] == "natural"]
        self.assertIn(found[0], ("-EI*d(w, x, x, x) at L - lambda = 0", "EI*d(w, x, x, x) at L + lambda = 0"))

    def test_defaults_of_fields_move_last(self):
        text = """
model crank
parameter r = 0.15 m, L = 0.6 m, EI = 12 N*m^2, rho = 0.4 kg/m, m = 0.5 kg
specified q(t) = 0.3 + 20 rad/s*t
coordinate psi = about -14 deg
field w(x) from 0 m to L
frame A = rotate(N, z, q)
frame B = rotate(N, z, psi)
point J = No + r*A.x
line Rod at J + x*B.x + w*B.y, mass rho
potential bend over x = 1/2*EI*d(w, x, x)^2
fix w at 0 m = 0 m, w at L = 0 m
particle Slider at Rod(L), mass m
constraint guide: dot(Slider - No, N.y) = 0
discretize w, elements 4
output mid = w at L/2
study until 0.3 s, every 0.001 s, energy 1e-6 J
"""
        state = self.answer("evaluate", text)["state"]
        self.assertAlmostEqual(state["psi"], -math.asin(0.15 * math.sin(0.3) / 0.6), delta=1e-12)
        for name, value in state.items():
            if name.startswith("w"):
                self.assertEqual(value, 0.0, name)
        _, run = self.run_model(text)
        self.assertLess(np.abs(run["mid"]).max(), 5e-3)  # of the order of rho L^4 (q'^2 r)/(100 EI)


class Lists(Case):
    TEXT = BEAM + CLAMPED + "discretize w, elements 4\ngravity -9 m/s^2*N.y\nforce load over x on Beam = -p*N.y\noutput P = power(load), G = power(gravity)\nstart w_2' = 1 m/s\n"

    def test_a_line_is_one_row(self):
        text = visviva("check", self.write(self.TEXT)).stdout
        for name in ("gravity on Beam", "load", "bending"):
            self.assertEqual(len([l for l in text.splitlines() if l.strip().startswith(name + "  ")]), 1, text)
        self.assertNotIn("Beam_3", text)

    def test_powers_of_the_whole(self):
        outputs = self.answer("evaluate", self.TEXT)["outputs"]
        # w' = a hat of height 1 over two elements: its integral is L/4.
        self.assertAlmostEqual(outputs["P"], -0.4 * 2 / 4, delta=1e-12)
        self.assertAlmostEqual(outputs["G"], -9 * 0.7 * 2 / 4, delta=1e-12)


class Rotating(Case):
    def test_frequencies_of_a_rotating_beam_as_published(self):
        """Flapping of a uniform beam, hub radius 0 (Wright et al. 1982): frequencies over sqrt(EI/(rho L^4))."""
        text = """
model spin
parameter L = 1 m, EI = 1 N*m^2, rho = 1 kg/m, Om = {} rad/s
specified th(t) = Om*t
field w(x) from 0 m to L
frame A = rotate(N, z, th)
line Beam at No + x*A.x + w*A.z, mass rho
potential bend over x = 1/2*EI*d(w, x, x)^2
potential stiffening over x = 1/4*rho*Om^2*(L^2 - x^2)*d(w, x)^2
fix w at 0 m = 0 m, d(w, x) at 0 m = 0
discretize w, {}
"""
        published = {0: (3.5160, 22.0345), 2: (4.1373, 22.6149), 4: (5.5850, 24.2734), 8: (9.2568, 29.9954)}
        for how in ("elements 20",):
            for Om, wanted in published.items():
                found, _ = self.radians(text.format(Om, how))
                for f, w in zip(found, wanted):
                    self.assertAlmostEqual(f, w, delta=2e-4)


if __name__ == "__main__":
    unittest.main()
