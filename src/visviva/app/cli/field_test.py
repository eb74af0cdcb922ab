"""Tests of continuous bodies: field equations against textbooks, elements against exact deflections and frequencies."""

import json
import math
import re
import unittest

import numpy as np
import sympy

from program import EXAMPLES, Folder, visviva

BEAM = """
model beam
parameter L = 2 m, EI = 3 N*m^2, rhoA = 0.7 kg/m, p = 0.4 N/m, m = 0.5 kg, k = 5 N/m, J = 0.03 kg*m^2
field w(x) from 0 m to L
line Beam at No + x*N.x + w*N.y, mass rhoA
potential bending over x = 1/2*EI*d(w, x, x)^2
"""
CLAMPED = "fix w at 0 m = 0 m, d(w, x) at 0 m = 0\n"
CUT = "discretize w, elements {}\n"

BAR = """
model bar
parameter L = 2 m, EA = 3 N, rho = 0.7 kg/m, m = 0.5 kg, k = 4 N/m
field u(x) from 0 m to L
line Bar at No + (x + u)*N.x, mass rho
potential stretch over x = 1/2*EA*d(u, x)^2
"""
STRING = """
model string
parameter L = 2 m, T = 3 N, rho = 0.7 kg/m, v = 0.4 m/s
field w(x) from 0 m to L
line String at No + x*N.x + w*N.y, mass rho{}
potential stretch over x = 1/2*T*d(w, x)^2
fix w at 0 m = 0 m, w at L = 0 m
"""
SHAFT = """
model shaft
parameter L = 2 m, GIp = 3 N*m^2, J = 0.7 kg*m, I = 0.2 kg*m^2
field phi(x) from 0 m to L
line Shaft at No + x*N.x, mass 0 kg/m, rotary J about N.x by phi
potential twist over x = 1/2*GIp*d(phi, x)^2
fix phi at 0 m = 0
"""
TIMOSHENKO = """
model timoshenko
parameter L = 2 m, EI = 3 N*m^2, kGA = 50 N, rho = 0.7 kg/m, J = 0.02 kg*m
field w(x), psi(x) from 0 m to L
line Beam at No + x*N.x + w*N.y, mass rho, rotary J about N.z by psi
potential bending over x = 1/2*EI*d(psi, x)^2
potential shear over x = 1/2*kGA*(d(w, x) - psi)^2
fix w at 0 m = 0 m, psi at 0 m = 0
"""

VALUE = re.compile(r"d\((\w+'*)((?:, x)+)\)|\b([a-z]+'+)|\b(w|u|psi|phi)\b(?!\()")


def to_sympy(text):
    """An expression of the language; values of fields become symbols such as w_xx_tt_at_L."""
    def rename(found):
        base = found.group(1) or found.group(3) or found.group(4)
        slopes = "x" * (found.group(2) or "").count("x")
        return base.rstrip("'") + ("_" + slopes if slopes else "") + "_t" * base.count("'")
    text = VALUE.sub(rename, text)
    text = re.sub(r"\(?(\b[a-z]+(?:_[a-z]+)*) (at|before|behind) (\w+(?:/\d+)?)\)?",
                  lambda m: m[1] + "_" + m[2] + "_" + m[3].replace("/", "_by_"), text)
    names = set(re.findall(r"[A-Za-z]\w*", text)) - {"sqrt", "sin", "cos"}
    return sympy.sympify(text.replace("^", "**"), {name: sympy.Symbol(name) for name in names})


def vanishing(equation):
    left, right = equation.split(" = ")
    return to_sympy(left) - to_sympy(right)


class Fields(Folder):
    def answer(self, command, text, *options):
        answer = visviva(command, self.write(text), "--json", *options)
        return json.loads(answer.stdout) if answer.stdout else {"stderr": answer.stderr}

    def equations(self, text):
        return self.answer("derive", text)["field_equations"]

    def same(self, found, wanted):
        """Equal up to a factor that is a number."""
        ratio = sympy.simplify(vanishing(found) / vanishing(wanted))
        self.assertTrue(ratio.is_number and ratio != 0, f"{found}   is not   {wanted}")

    def conditions(self, equation, kind):
        return [(b["at"], b["equation"]) for b in equation["boundary"] if b["kind"] == kind]


class Derived(Fields):
    def check(self, text, field, equation, natural, geometric=()):
        found = self.equations(text)[field]
        self.same(found["equation"], equation)
        for kind, wanted in (("natural", natural), ("geometric", geometric)):
            conditions = self.conditions(found, kind)
            self.assertEqual([at for at, _ in conditions], [at for at, _ in wanted], conditions)
            for (_, e), (_, w) in zip(conditions, wanted):
                self.same(e, w)

    def test_string(self):
        self.check(STRING.format(""), "w", "rho*w'' = T*d(w, x, x)", [], [("0", "w at 0 = 0"), ("L", "w at L = 0")])

    def test_free_string_and_spring(self):
        text = STRING.format("").replace(", w at L = 0 m", "") + "parameter k = 2 N/m\nspring S on w at L, stiffness k\n"
        self.check(text, "w", "rho*w'' = T*d(w, x, x)", [("L", "T*d(w, x) at L + k*w at L = 0")], [("0", "w at 0 = 0")])

    def test_bar_with_a_mass_at_its_tip_as_it_is_written(self):
        text = BAR + "particle Tip at Bar(L), mass m\nfix u at 0 m = 0 m\n"
        found = self.equations(text)["u"]
        self.assertEqual(found["equation"], "rho*u'' = EA*d(u, x, x)")
        self.assertEqual(self.conditions(found, "natural"), [("L", "EA*d(u, x) at L + m*u'' at L = 0")])

    def test_springs_at_both_ends_of_a_bar(self):
        text = BAR + "potential a = 1/2*k*(u at 0 m)^2\npotential b = 1/2*k*(u at L)^2\n"
        self.check(text, "u", "rho*u'' = EA*d(u, x, x)",
                   [("0", "EA*d(u, x) at 0 - k*u at 0 = 0"), ("L", "EA*d(u, x) at L + k*u at L = 0")])

    def test_euler_bernoulli_with_both_natural_conditions(self):
        self.check(BEAM + CLAMPED, "w", "rhoA*w'' = -EI*d(w, x, x, x, x)",
                   [("L", "EI*d(w, x, x, x) at L = 0"), ("L", "EI*d(w, x, x) at L = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_masses_springs_and_moments_at_the_end_of_a_beam(self):
        text = BEAM + CLAMPED + """parameter M = 0.3 N*m, kt = 2 N*m
frame T = rotate(N, z, d(w, x) at L)
body T at Beam(L), mass m, inertia J/2, J/2, J
torque couple on T = M*N.z
spring turn on d(w, x) at L, stiffness kt
force push on Beam(L) = k*(1 m)*N.y
"""
        self.check(text, "w", "rhoA*w'' = -EI*d(w, x, x, x, x)",
                   [("L", "-EI*d(w, x, x, x) at L + m*w'' at L - k = 0"),
                    ("L", "EI*d(w, x, x) at L + J*d(w'', x) at L + kt*d(w, x) at L - M = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_stiffness_that_varies_along_the_beam(self):
        text = BEAM.replace("EI*d(w, x, x)^2", "EI*(1 + x/L)*d(w, x, x)^2") + CLAMPED
        self.check(text, "w", "rhoA*w'' = -EI*(1 + x/L)*d(w, x, x, x, x) - 2*EI/L*d(w, x, x, x)",
                   [("L", "2*EI*d(w, x, x, x) at L + EI/L*d(w, x, x) at L = 0"), ("L", "EI*d(w, x, x) at L = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_axial_load_and_foundation(self):
        text = BEAM + CLAMPED + """parameter P = 2 N, c = 3 N/m^2, b = 0.1 N*s/m^2
potential axial over x = -1/2*P*d(w, x)^2
potential ground over x = 1/2*c*w^2
dissipation loss over x = 1/2*b*w'^2
force load over x on Beam = -p*N.y
"""
        self.check(text, "w", "rhoA*w'' = -EI*d(w, x, x, x, x) - P*d(w, x, x) - c*w - b*w' - p",
                   [("L", "EI*d(w, x, x, x) at L + P*d(w, x) at L = 0"), ("L", "EI*d(w, x, x) at L = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_rayleigh(self):
        text = BEAM.replace("mass rhoA", "mass rhoA, rotary 0.01 kg*m about N.z by d(w, x)") + CLAMPED
        self.check(text, "w", "rhoA*w'' - d(w'', x, x)/100 = -EI*d(w, x, x, x, x)",
                   [("L", "EI*d(w, x, x, x) at L - 1/100*(d(w'', x) at L) = 0"), ("L", "EI*d(w, x, x) at L = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_timoshenko(self):
        fixed = [("0", "w at 0 = 0")]
        self.check(TIMOSHENKO, "w", "rho*w'' = kGA*d(w, x, x) - kGA*d(psi, x)",
                   [("L", "kGA*d(w, x) at L - kGA*psi at L = 0")], fixed)
        self.check(TIMOSHENKO, "psi", "J*psi'' = EI*d(psi, x, x) + kGA*d(w, x) - kGA*psi",
                   [("L", "EI*d(psi, x) at L = 0")], [("0", "psi at 0 = 0")])

    def test_shaft_with_a_disc(self):
        text = SHAFT + "frame D = rotate(N, x, phi at L)\nbody D at Shaft(L), mass 1 kg, inertia I, I/2, I/2\n"
        self.check(text, "phi", "J*phi'' = GIp*d(phi, x, x)", [("L", "GIp*d(phi, x) at L + I*phi'' at L = 0")],
                   [("0", "phi at 0 = 0")])

    def test_travelling_string(self):
        self.check(STRING.format(", moving v"), "w", "rho*w'' + 2*rho*v*d(w', x) + rho*v^2*d(w, x, x) = T*d(w, x, x)", [],
                   [("0", "w at 0 = 0"), ("L", "w at L = 0")])

    def test_rotating_beam(self):
        text = BEAM.replace("N.x + w*N.y", "A.x + w*A.y") + CLAMPED + """specified theta(t)
frame A = rotate(N, z, theta)
"""
        self.check(text, "w", "rhoA*w'' - rhoA*theta'^2*w + rhoA*x*theta'' = -EI*d(w, x, x, x, x)",
                   [("L", "EI*d(w, x, x, x) at L = 0"), ("L", "EI*d(w, x, x) at L = 0")],
                   [("0", "w at 0 = 0"), ("0", "d(w, x) at 0 = 0")])

    def test_stretched_string_is_not_linear(self):
        text = """
model large
parameter L = 2 m, EA = 3 N, rho = 0.7 kg/m
field u(x), w(x) from 0 m to L
line String at No + (x + u)*N.x + w*N.y, mass rho
potential stretch over x = 1/2*EA*(d(u, x) + 1/2*d(w, x)^2)^2
fix u at 0 m = 0 m, w at 0 m = 0 m
"""
        found = self.equations(text)
        self.same(found["w"]["equation"],
                  "rho*w'' = EA*((d(u, x, x) + d(w, x)*d(w, x, x))*d(w, x) + (d(u, x) + d(w, x)^2/2)*d(w, x, x))")
        self.same(self.conditions(found["w"], "natural")[0][1],
                  "EA*((d(u, x) at L) + (d(w, x) at L)^2/2)*(d(w, x) at L) = 0")

    def test_beam_on_a_hub_that_turns_freely(self):
        text = BEAM.replace("N.x + w*N.y", "A.x + w*A.y") + CLAMPED + """coordinate theta = 0
frame A = rotate(N, z, theta)
"""
        answer = self.answer("derive", text)
        inside = answer["integral_equations"]["theta'"]
        self.assertTrue(inside.startswith("integral("), inside)
        self.assertTrue(inside.endswith(", x, 0, L) = 0"), inside)
        density = vanishing(inside[len("integral("):-len(", x, 0, L) = 0")] + " = 0")
        wanted = vanishing("rhoA*((x^2 + w^2)*theta'' + 2*w*w'*theta' + x*w'') = 0")
        self.assertEqual(sympy.simplify(density + wanted), 0)

    def test_an_interior_spring_makes_a_jump(self):
        text = BAR + "fix u at 0 m = 0 m\npotential mid = 1/2*k*(u at L/2)^2\n"
        found = self.conditions(self.equations(text)["u"], "natural")
        self.assertEqual(found[0][0], "L/2")
        self.same(found[0][1], "-EA*d(u, x) before L/2 + EA*d(u, x) behind L/2 - k*u at L/2 = 0")

    def test_elements_leave_the_field_equations(self):
        answer = self.answer("derive", BEAM + CLAMPED + CUT.format(2))
        self.assertEqual(answer["field_equations"], self.equations(BEAM + CLAMPED))
        self.assertEqual(answer["degrees_of_freedom"], 4)
        self.assertEqual(answer["mass_matrix"][0][0], "13/35*L*rhoA")

    def test_a_moment_on_a_string_is_refused(self):
        text = STRING.format("") + "spring S on d(w, x) at L, stiffness 1 N*m\n"
        self.assertEqual(self.answer("derive", text)["errors"][0]["code"], "E-field-order")

    def test_latex(self):
        text = visviva("derive", self.write(BEAM + CLAMPED), "--format", "latex").stdout
        self.assertIn("w_{xxxx}", text)


class Refused(Fields):
    def test_commands_that_need_coordinates(self):
        for command in ("simulate", "evaluate", "energy", "prove", "report", "export", "interactions"):
            options = ("--as", "c") if command == "export" else ()
            answer = visviva(command, self.write(BEAM + CLAMPED), *options)
            self.assertEqual(answer.returncode, 1, command)
            self.assertIn("discretize w, elements 20", answer.stderr, command)

    def test_check_is_good(self):
        self.assertEqual(self.answer("check", BEAM + CLAMPED)["fields"][0]["name"], "w")


class Elements(Fields):
    def static(self, text):
        answer = self.answer("evaluate", text, "--equilibrium")
        return answer["outputs"]

    def test_uniform_load_is_exact_at_nodes(self):
        text = BEAM + CLAMPED + CUT.format(3) + "force load over x on Beam = -p*N.y\noutput a = w at L, b = w at 2*L/3, c = d(w, x) at L/3\n"
        L, EI, p = 2.0, 3.0, 0.4
        w = lambda x: -p * x**2 * (6 * L**2 - 4 * L * x + x**2) / (24 * EI)
        slope = lambda x: -p * x * (3 * L**2 - 3 * L * x + x**2) / (6 * EI)
        found = self.static(text)
        self.assertAlmostEqual(found["a"], w(L), delta=1e-13)
        self.assertAlmostEqual(found["b"], w(2 * L / 3), delta=1e-13)
        self.assertAlmostEqual(found["c"], slope(L / 3), delta=1e-13)

    def test_gravity_on_a_pinned_beam_and_a_point_load(self):
        text = BEAM + "fix w at 0 m = 0 m, w at L = 0 m\n" + CUT.format(2) + "gravity -9 m/s^2*N.y\nforce f on Beam(L/2) = -p*(1 m)*N.y\noutput mid = w at L/2\n"
        L, EI, q, P = 2.0, 3.0, 0.7 * 9, 0.4
        self.assertAlmostEqual(self.static(text)["mid"], -5 * q * L**4 / (384 * EI) - P * L**3 / (48 * EI), delta=1e-12)

    def test_hanging_bar(self):
        text = BAR.replace("N.x", "N.y") + "gravity 9 m/s^2*N.y\nfix u at 0 m = 0 m\ndiscretize u, elements 3{}\noutput tip = u at L\n"
        for how in ("", ", linear"):
            self.assertAlmostEqual(self.static(text.format(how))["tip"], 0.7 * 9 * 4 / (2 * 3), delta=1e-12)

    def test_clamping_force_and_moment(self):
        text = BEAM + CLAMPED + CUT.format(4) + "force load over x on Beam = -p*N.y\noutput reaction(No)\n"
        reactions = self.answer("evaluate", text, "--equilibrium")["reactions"]["No"]
        self.assertAlmostEqual(reactions["force"][1], 0.4 * 2, delta=1e-9)
        self.assertAlmostEqual(reactions["moment"][2], 0.4 * 2 * 1, delta=1e-9)

    def test_power_of_a_load_per_length(self):
        text = BEAM + CLAMPED + CUT.format(2) + "force load over x on Beam = -p*N.y\nstart w_2' = 1 m/s\noutput P = power(load)\n"
        # w' = 3 xi^2 - 2 xi^3 over the second half: its integral is L/4.
        self.assertAlmostEqual(self.answer("evaluate", text)["outputs"]["P"], -0.4 * 2 / 4, delta=1e-12)

    def test_methods_agree(self):
        texts = {"beam": BEAM + CLAMPED + CUT.format(2),
                 "rayleigh": BEAM.replace("mass rhoA", "mass rhoA, rotary 0.01 kg*m about N.z by d(w, x)") + CLAMPED + CUT.format(2),
                 "timoshenko": TIMOSHENKO + "discretize w, elements 2\ndiscretize psi, elements 2\n",
                 "shaft": SHAFT + "discretize phi, elements 2\n",
                 "hub": BEAM.replace("N.x + w*N.y", "A.x + w*A.y") + CLAMPED + CUT.format(2) + "coordinate theta = 0, theta' = 1 rad/s\nframe A = rotate(N, z, theta)\nparticle Tip at Beam(L), mass m\n"}
        for name, text in texts.items():
            self.assertEqual(self.answer("prove", text)["verdict"], "equal", name)

    def test_energy_is_kept_in_a_run(self):
        text = BEAM + CLAMPED + CUT.format(3) + "start w_3' = 1 m/s\nstudy until 2 s, every 0.1 s, energy 1e-9 J\n"
        answer = self.answer("simulate", text, "--out", str(self.folder / "run"))
        self.assertTrue(answer["certificate"]["holds"])


class Frequencies(Fields):
    def frequencies(self, text, *options):
        answer = self.answer("linearize", text, *options)
        return [2 * math.pi * f for f in answer["frequencies_hz"]], answer

    def check(self, text, wanted):
        found, answer = self.frequencies(text)
        self.assertEqual(answer["source"], "closed form")
        for f, w in zip(found, wanted):
            self.assertAlmostEqual(f / w, 1, delta=3e-10)
        self.assertGreaterEqual(len(found), len(wanted))

    def roots(self, f, count, step=1e-3):
        """The first roots of a function of beta*L, by bisection."""
        found, a = [], step
        while len(found) < count:
            if f(a) * f(a + step) < 0:
                low, high = a, a + step
                for _ in range(80):
                    mid = 0.5 * (low + high)
                    low, high = (mid, high) if f(low) * f(mid) > 0 else (low, mid)
                found.append(0.5 * (low + high))
            a += step
        return found

    SCALE = math.sqrt(3 / 0.7) / 4  # sqrt(EI/rhoA)/L^2

    def test_clamped_free(self):
        wanted = self.roots(lambda b: 1 / math.cosh(b) + math.cos(b), 8)
        for found, known in zip(wanted, (1.87510407, 4.69409113, 7.85475744)):
            self.assertAlmostEqual(found, known, delta=1e-8)
        self.check(BEAM + CLAMPED, [b**2 * self.SCALE for b in wanted])

    def test_clamped_clamped_and_pinned_and_free(self):
        ends = "fix w at L = 0 m, d(w, x) at L = 0\n"
        both = [b**2 * self.SCALE for b in self.roots(lambda b: math.cos(b) - 1 / math.cosh(b), 6)]
        self.check(BEAM + CLAMPED + ends, both)
        self.check(BEAM, both)
        self.check(BEAM + "fix w at 0 m = 0 m, w at L = 0 m\n", [(n * math.pi) ** 2 * self.SCALE for n in range(1, 9)])
        self.check(BEAM + CLAMPED + "fix w at L = 0 m\n",
                   [b**2 * self.SCALE for b in self.roots(lambda b: math.sin(b) - math.cos(b) * math.tanh(b), 6)])

    def test_tip_mass(self):
        a = 0.5 / (0.7 * 2)
        f = lambda b: 1 / math.cosh(b) + math.cos(b) - a * b * (math.sin(b) - math.cos(b) * math.tanh(b))
        self.check(BEAM + CLAMPED + "particle Tip at Beam(L), mass m\n", [b**2 * self.SCALE for b in self.roots(f, 6)])

    def test_string_bar_and_shaft(self):
        c = math.sqrt(3 / 0.7) / 2
        self.check(STRING.format(""), [n * math.pi * c for n in range(1, 9)])
        self.check(BAR + "fix u at 0 m = 0 m\n", [(n - 0.5) * math.pi * c for n in range(1, 9)])
        self.check(SHAFT, [(n - 0.5) * math.pi * c for n in range(1, 9)])

    def test_bar_with_a_tip_mass(self):
        a = 0.5 / (0.7 * 2)
        wanted = self.roots(lambda b: math.cos(b) - a * b * math.sin(b), 6)
        self.check(BAR + "particle Tip at Bar(L), mass m\nfix u at 0 m = 0 m\n", [b * math.sqrt(3 / 0.7) / 2 for b in wanted])

    def test_pinned_timoshenko(self):
        text = TIMOSHENKO.replace("fix w at 0 m = 0 m, psi at 0 m = 0", "fix w at 0 m = 0 m, w at L = 0 m")
        EI, G, rho, J, L = 3.0, 50.0, 0.7, 0.02, 2.0
        wanted = [math.sqrt(G / J)]  # sections turn alike, nothing is deflected
        for n in range(1, 20):
            k = n * math.pi / L
            # (G k^2 - rho w^2)(EI k^2 + G - J w^2) - G^2 k^2 = 0
            b, c = rho * (EI * k**2 + G) + J * G * k**2, G * k**2 * EI * k**2
            for sign in (-1, 1):
                wanted.append(math.sqrt((b + sign * math.sqrt(b * b - 4 * rho * J * c)) / (2 * rho * J)))
        self.check(text, sorted(wanted)[:7])

    def test_two_deflections_have_the_same_frequencies_twice(self):
        text = BEAM.replace("field w(x)", "field w(x), u(x)").replace("w*N.y,", "w*N.y + u*N.z,") + CLAMPED
        text += "potential other over x = 1/2*EI*d(u, x, x)^2\nfix u at 0 m = 0 m, d(u, x) at 0 m = 0\n"
        found, _ = self.frequencies(text)
        self.assertAlmostEqual(found[0] / found[1], 1, delta=1e-12)
        self.assertAlmostEqual(found[0], 1.8751040687119611**2 * self.SCALE, delta=1e-9)

    def test_shapes_are_those_of_a_string(self):
        _, answer = self.frequencies(STRING.format(""))
        shape = answer["modes"][1]["shape"]["w"]
        for i, value in enumerate(shape):
            self.assertAlmostEqual(abs(value), abs(math.sin(2 * math.pi * i / (len(shape) - 1))), delta=1e-9)

    def test_elements_converge_in_their_order(self):
        exact = 1.8751040687119611**2 * self.SCALE
        errors = [self.frequencies(BEAM + CLAMPED + CUT.format(n))[0][0] / exact - 1 for n in (2, 4)]
        self.assertAlmostEqual(math.log2(errors[0] / errors[1]), 4, delta=0.15)
        c = math.sqrt(3 / 0.7) / 2
        for how, order in ((", linear", 2), ("", 4)):
            text = BAR + "fix u at 0 m = 0 m\ndiscretize u, elements {}" + how + "\n"
            errors = [self.frequencies(text.format(n))[0][0] / (0.5 * math.pi * c) - 1 for n in (2, 4)]
            self.assertAlmostEqual(math.log2(errors[0] / errors[1]), order, delta=0.15, msg=how)

    def test_digits_are_those_that_are_right(self):
        exact = [b**2 * self.SCALE for b in self.roots(lambda b: 1 / math.cosh(b) + math.cos(b), 4)]
        found, answer = self.frequencies(BEAM + CLAMPED + CUT.format(6))
        self.assertEqual(answer["source"], "discretized")
        for f, e, d in zip(found, exact, answer["digits"]):
            self.assertLess(abs(f / e - 1), 3 * 10.0 ** -d)
            self.assertGreater(abs(f / e - 1), 0.02 * 10.0 ** -d)

    def test_no_closed_form_is_told(self):
        text = BEAM.replace("EI*d(w, x, x)^2", "EI*(1 + x/L)*d(w, x, x)^2") + CLAMPED
        answer = self.answer("linearize", text)
        self.assertEqual(answer["errors"][0]["code"], "E-field-discretize")
        self.assertIn("depends on the place", answer["errors"][0]["message"])


class SpinUp(Fields):
    """The manoeuvre of Kane, Ryan and Banerjee against elements assembled and integrated here."""

    L, EI, RHO, W, TS, N = 10.0, 1.4e4, 1.2, 6.0, 15.0, 4

    def matrices(self):
        """Mass, bending, centrifugal stiffening and inertia of the hub's turn, by ten Gauss points an element."""
        n, h = self.N, self.L / self.N
        size = 2 * n + 2
        M, K, G, f = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
        points, weights = np.polynomial.legendre.leggauss(10)
        for e in range(n):
            place = slice(2 * e, 2 * e + 4)
            for s, weight in zip((points + 1) / 2, weights * h / 2):
                x = (e + s) * h
                N = np.array([1 - 3*s**2 + 2*s**3, h*(s - 2*s**2 + s**3), 3*s**2 - 2*s**3, h*(s**3 - s**2)])
                D = np.array([6*s**2 - 6*s, h*(1 - 4*s + 3*s**2), 6*s - 6*s**2, h*(3*s**2 - 2*s)]) / h
                C = np.array([12*s - 6, h*(6*s - 4), 6 - 12*s, h*(6*s - 2)]) / h**2
                M[place, place] += weight * self.RHO * np.outer(N, N)
                K[place, place] += weight * self.EI * np.outer(C, C)
                G[place, place] += weight * self.RHO / 2 * (self.L**2 - x**2) * np.outer(D, D)
                f[place] += weight * self.RHO * x * N
        return [m[2:, 2:] for m in (M, K, G)] + [f[2:]]

    def rate(self, t):
        a = 2 * math.pi / self.TS
        if t >= self.TS:
            return self.W, 0.0
        return self.W * (t / self.TS - math.sin(a * t) / (2 * math.pi)), self.W / self.TS * (1 - math.cos(a * t))

    def tips(self, stiffening=1.0, until=20.0, step=5e-3):
        """Tip deflections every 0.05 s, by the trapezoidal rule with Richardson's extrapolation."""
        M, K, G, f = self.matrices()
        force = lambda w, t: -(K @ w + self.rate(t)[0] ** 2 * (stiffening * (G @ w) - M @ w)) - self.rate(t)[1] * f
        def run(h):
            w, v, tips = np.zeros(len(f)), np.zeros(len(f)), [0.0]
            every = round(0.05 / h)
            for i in range(round(until / h)):
                t = i * h
                W2 = self.rate(t + h)[0] ** 2
                S = K + W2 * (stiffening * G - M)
                a = np.linalg.solve(M, force(w, t)) if i == 0 else a_next
                left = M + h * h / 4 * S
                a_next = np.linalg.solve(left, -S @ (w + h * v + h * h / 4 * a) - self.rate(t + h)[1] * f)
                w = w + h * v + h * h / 4 * (a + a_next)
                v = v + h / 2 * (a + a_next)
                if (i + 1) % every == 0:
                    tips.append(w[-2])
            return np.array(tips)
        return (4 * run(step / 2) - run(step)) / 3

    def visviva_tips(self, text):
        folder = self.folder / "run"
        visviva("simulate", self.write(text), "--out", str(folder), "--force")
        with open(folder / "trajectory.csv", encoding="utf-8") as file:
            rows = [line.strip().split(",") for line in file if not line.startswith("#")]
        return np.array([float(row[rows[0].index("tip")]) for row in rows[1:]])

    def test_the_tip_follows_the_same_curve(self):
        text = (EXAMPLES / "spin_up.viva").read_text(encoding="utf-8")
        found, wanted = self.visviva_tips(text), self.tips()
        self.assertEqual(len(found), len(wanted))
        self.assertLess(np.abs(found - wanted).max(), 2e-5)
        self.assertAlmostEqual(wanted.min(), -0.57, delta=0.02)  # the paper's curve

    def test_a_beam_that_may_lengthen_runs_away(self):
        text = (EXAMPLES / "spin_up.viva").read_text(encoding="utf-8")
        text = "\n".join(line for line in text.splitlines() if not line.startswith("potential stiffening"))
        self.assertGreater(abs(self.visviva_tips(text)).max(), 100)


if __name__ == "__main__":
    unittest.main()
