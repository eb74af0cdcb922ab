"""Every example checks without a warning, is proved, and runs with a certificate that holds, in each of its cases; and each does what
theory or a book says it does."""

import cmath
import csv
import json
import math
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("VISVIVA_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(ROOT / "src/visviva/app/cli"))

from program import EXAMPLES, Folder, visviva  # noqa: E402

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.viva"))

# Start velocities that the model leaves to its constraints, to show that this is said.
SAID = {"two_bodies_ball_joint": {"W-start-changed"}, "positioning_device": {"W-start-changed"}}

# Runs keep E_Z within 1e-8 J or better of some joules; states are about as good relatively.
CLOSE = 1e-7


class ExampleTest(Folder):
    def ask(self, command, name, *arguments):
        out = ["--out", self.folder / "run"] if command == "simulate" else []
        result = visviva(command, EXAMPLES / f"{name}.viva", "--json", *out, *arguments)
        self.assertEqual(result.returncode, 0, f"{command} {name} {arguments}\n{result.stdout[-3000:]}{result.stderr}")
        return json.loads(result.stdout)

    def run_of(self, name, *arguments):
        """The columns of a run that ended well."""
        found = self.ask("simulate", name, *arguments)
        self.assertIs(found["certificate"]["holds"], True, f"{name} {arguments}")
        with open(self.folder / "run/trajectory.csv", encoding="utf-8", newline="") as file:
            file.readline()
            rows = list(csv.reader(file))
        return {column: [float(row[i]) for row in rows[1:]] for i, column in enumerate(rows[0])}

    def parameters(self, name, *arguments):
        """Values of plain parameters as the model's text has them, in SI units; angles in degrees stay as they are written."""
        text = (EXAMPLES / f"{name}.viva").read_text(encoding="utf-8")
        return [float(re.search(rf"^parameter\b.*\b{p} = ([-+.\deE]+)", text, re.MULTILINE)[1]) for p in arguments]

    def assert_all_near(self, found, expected, delta):
        self.assertGreater(len(found), 0)
        worst = max(abs(a - b) for a, b in zip(found, expected, strict=True))
        self.assertLessEqual(worst, delta)


class All(ExampleTest):
    def cases(self, name):
        return [()] + [("--case", case) for case in self.ask("check", name)["cases"]]

    def test_there_are_examples(self):
        self.assertGreaterEqual(len(NAMES), 18)

    def test_nothing_is_suspicious(self):
        for name in NAMES:
            for case in self.cases(name):
                with self.subTest(name=name, case=case):
                    warnings = {w["code"] for w in self.ask("check", name, *case)["warnings"]}
                    self.assertLessEqual(warnings, SAID.get(name, set()))

    def test_methods_agree(self):
        for name in NAMES:
            with self.subTest(name):
                self.assertEqual(self.ask("prove", name)["verdict"], "equal")

    def test_equations_and_integrals_come_out(self):
        for name in NAMES:
            with self.subTest(name):
                self.assertGreater(self.ask("derive", name)["degrees_of_freedom"], 0)
                integrals = {i["name"]: i["constant"] for i in self.ask("energy", name)["integrals"]}
                self.assertIs(integrals["E_Z"], True)

    def test_certificates_hold(self):
        for name in NAMES:
            for case in self.cases(name):
                with self.subTest(name=name, case=case):
                    text = (EXAMPLES / f"{name}.viva").read_text(encoding="utf-8")
                    given = () if re.search(r"^study .*energy", text, re.MULTILINE) else ("--energy", "1e-7")
                    self.assertGreater(len(self.run_of(name, *case, *given)["t"]), 100)

    def test_the_readme_shows_each_and_nothing_else(self):
        text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.findall(r"\(\.\./docs/images/examples/(\w+)\.png\)", text)), NAMES)
        self.assertEqual(sorted(set(re.findall(r"\]\((\w+)\.viva\)", text))), NAMES)
        commands = re.findall(r"`build/visviva (\w+) examples/(\w+)\.viva([^`]*)`", text)
        self.assertEqual(sorted(model for _, model, _ in commands), NAMES)
        for _, model, options in commands:
            for case in re.findall(r"--case (\w+)", options):
                self.assertIn(case, self.ask("check", model)["cases"])


class Continuous(ExampleTest):
    def test_a_beam_swings_about_its_static_deflection(self):
        L, EI, rhoA, m, g = self.parameters("cantilever", "L", "EI", "rhoA", "m", "g")
        run = self.run_of("cantilever")
        still = -g * (rhoA * L**4 / 8 + m * L**3 / 3) / EI
        # Let go from rest: the middle of the swing is the static deflection, but for higher modes.
        self.assertAlmostEqual(min(run["tip"]) / (2 * still), 1, delta=0.02)

    def test_the_field_equations_of_an_elastic_pendulum_are_derived(self):
        fields = self.ask("derive", "elastic_pendulum")["field_equations"]
        self.assertEqual(sorted(fields), ["u", "v"])
        self.assertEqual([b["kind"] for b in fields["u"]["boundary"]], ["geometric", "natural"])


def complete_elliptic_integral(k_squared):
    """K(k), by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k_squared)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


class Pendulums(ExampleTest):
    def test_the_simple_pendulum_returns_after_jacobis_period(self):
        period = 4 * complete_elliptic_integral(math.sin(math.pi / 4) ** 2) * math.sqrt(1 / 9.81)
        run = self.run_of("simple_pendulum", "--until", period)
        self.assertAlmostEqual(run["x"][-1], 1, delta=CLOSE)
        self.assertAlmostEqual(run["y"][-1], 0, delta=CLOSE)

    def test_the_string_of_the_simple_pendulum_pulls_with_three_times_its_share_of_the_weight(self):
        run = self.run_of("simple_pendulum")
        self.assert_all_near(run["T"], [-3 * 9.81 * y for y in run["y"]], 1e-6)
        self.assertAlmostEqual(max(run["T"]), 3 * 9.81, delta=0.01)

    def test_kapitzas_pendulum_swings_as_mathieus_equation_says(self):
        # theta'' = (g - a*w^2*cos(w*t))/L*theta: over one period of the pivot a linear map M, det M = 1, so that samples taken
        # once a period obey theta[k+1] + theta[k-1] = tr(M)*theta[k].
        a, w, L, g = self.parameters("kapitza_pendulum", "a", "w", "L", "g")
        period, steps = 2 * math.pi / w, 400
        h = period / steps

        def slope(t, s):
            return (s[1], (g - a * w**2 * math.cos(w * t)) / L * s[0])

        trace = 0.0
        for i, state in enumerate([(1.0, 0.0), (0.0, 1.0)]):
            for n in range(steps):
                state = runge_kutta_step(slope, n * h, state, h)
            trace += state[i]
        run = self.run_of("kapitza_pendulum", "--set", "theta=1e-4", "--every", period, "--until", 40 * period,
                          "--tolerance", "1e-13", "--energy", "1e-12")
        theta = run["theta"]
        for k in range(1, 40):
            self.assertAlmostEqual(theta[k + 1] + theta[k - 1], trace * theta[k], delta=1e-11)
        slow = math.acos(trace / 2) / period
        self.assertAlmostEqual(slow, math.sqrt(a**2 * w**2 / (2 * L**2) - g / L), delta=0.02 * slow)

    def test_kapitzas_pendulum_stands_when_shaken_fast_and_falls_when_not(self):
        self.assertLess(max(map(abs, self.run_of("kapitza_pendulum")["theta"])), math.radians(20))
        self.assertGreater(max(map(abs, self.run_of("kapitza_pendulum", "--case", "too_slow")["theta"])), math.radians(90))

    def test_foucaults_plane_turns_with_the_sine_of_the_latitude(self):
        # Small swings, z = x + i*y: z'' + 2*i*W*z' + w^2*z = 0 with W = Omega*sin(latitude).
        A, L, g, Omega = 0.02, 20.0, 9.81, 7.292115e-5
        W = Omega * math.sin(math.radians(48.846))
        w = math.sqrt(g / L + W**2)
        run = self.run_of("foucault_pendulum", "--case", "earth", "--set", f"a={math.asin(A / L)!r}", "--until", 600,
                          "--every", 0.5)
        expected = [A * cmath.exp(-1j * W * t) * (math.cos(w * t) + 1j * W / w * math.sin(w * t)) for t in run["t"]]
        self.assertGreater(max(abs(z.imag) for z in expected), 0.02 * A)  # the plane has turned by 1.9 degrees
        # The pendulum's period depends on its amplitude, by A^2/(16 L^2): 3e-5 of a radian in these 67 swings.
        self.assert_all_near(run["x"], [z.real for z in expected], 1e-4 * A)
        self.assert_all_near(run["y"], [z.imag for z in expected], 1e-4 * A)

    def test_a_swinging_atwood_machine_has_a_second_integral_for_one_ratio_of_masses(self):
        J = self.run_of("swinging_atwood")["J"]
        self.assert_all_near(J, [J[0]] * len(J), 1e-6)
        self.assertGreater(max(map(abs, J)), 1)
        J = self.run_of("swinging_atwood", "--case", "chaotic")["J"]
        self.assertGreater(max(J) - min(J), 0.1)

    def test_a_cart_and_its_pendulum_have_the_frequencies_of_their_characteristic_equation(self):
        M, m, L, k, g = self.parameters("cart_and_pendulum", "M", "m", "L", "k", "g")
        found = self.ask("linearize", "cart_and_pendulum", "--equilibrium", "--set", "c=0")["eigenvalues"]
        # ((M+m) s + k)(m L^2/3 s + m g L/2) - (m L/2 s)^2 = 0 in s = -w^2.
        A = (M + m) * m * L**2 / 3 - (m * L / 2) ** 2
        B = (M + m) * m * g * L / 2 + k * m * L**2 / 3
        C = k * m * g * L / 2
        root = math.sqrt(B**2 - 4 * A * C)
        expected = sorted(math.sqrt((B + s * root) / (2 * A)) for s in (-1, 1))
        self.assert_all_near(sorted(im for _, im in found if im > 0), expected, 1e-9)


class Mechanisms(ExampleTest):
    def test_a_flywheel_gives_the_slider_what_it_takes(self):
        r, L, R, M, m = self.parameters("slider_crank", "r", "L", "R", "M", "m")
        run = self.run_of("slider_crank")
        slopes = [-r * math.sin(q) - r**2 * math.sin(q) * math.cos(q) / math.sqrt(L**2 - (r * math.sin(q)) ** 2) for q in run["theta"]]
        rates = [20 * math.sqrt(M * R**2 / 2 / (M * R**2 / 2 + m * J**2)) for J in slopes]
        self.assert_all_near(run["theta'"], rates, CLOSE)
        self.assert_all_near(run["J"], slopes, CLOSE)
        self.assertGreater(max(run["eta"]) - min(run["eta"]), 0.1)  # without a torque

    def test_a_four_bar_linkage_obeys_freudensteins_equation(self):
        a, b, c, d = self.parameters("four_bar", "a", "b", "c", "d")
        run = self.run_of("four_bar")
        k = (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
        left = [d / a * math.cos(q) - d / c * math.cos(p) + k for p, q in zip(run["q1"], run["q3"])]
        self.assert_all_near(left, [math.cos(p - q) for p, q in zip(run["q1"], run["q3"])], CLOSE)
        # The rocker turns back where crank and coupler are in line: the law of cosines, with its angle from -N.x.
        ends = [math.pi - math.acos((c**2 + d**2 - (b + s * a) ** 2) / (2 * c * d)) for s in (1, -1)]
        self.assertAlmostEqual(min(run["q3"]), ends[0], delta=1e-3)  # sampled
        self.assertAlmostEqual(max(run["q3"]), ends[1], delta=1e-3)
        self.assertGreater(run["q1"][-1], 4 * math.pi)  # while the crank goes round

    def test_a_compass_needle_follows_the_magnet_as_two_dipoles_do(self):
        """Dipoles along A.x and B.x at a distance d: W = k (cos(a - q) - 3 cos a cos q)/d^3; J q'' = -dW/dq - c q', by Runge and Kutta."""
        k, d, J, c, w, q, rate, h = 8e-6, 0.2, 2e-6, 2e-5, 6, math.radians(20), 0.0, 2e-4

        def slope(t, q, rate):
            return rate, (-k * (math.sin(w * t - q) + 3 * math.cos(w * t) * math.sin(q)) / d ** 3 - c * rate) / J
        for i in range(15000):
            t = i * h
            k1 = slope(t, q, rate)
            k2 = slope(t + h / 2, q + h / 2 * k1[0], rate + h / 2 * k1[1])
            k3 = slope(t + h / 2, q + h / 2 * k2[0], rate + h / 2 * k2[1])
            k4 = slope(t + h, q + h * k3[0], rate + h * k3[1])
            q += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            rate += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        run = self.run_of("compass")
        self.assertAlmostEqual(run["q"][-1], q, delta=1e-6)
        # The third law with its arm: what the moments on both leave, the pull across the distance makes up.
        for needle, magnet, across in zip(run["on_needle"], run["on_magnet"], run["pull.y"]):
            self.assertAlmostEqual(needle + magnet + d * across, 0, delta=1e-15)

    def test_a_governor_stands_and_swings_as_its_formulas_say(self):
        m, M, L, g = self.parameters("governor", "m", "M", "L", "g")
        w = 14.0
        found = self.ask("linearize", "governor", "--case", "steady", "--equilibrium")
        theta = math.acos((m + M) * g / (m * w**2 * L))
        self.assertAlmostEqual(found["equilibrium"]["coordinates"]["theta"], theta, delta=1e-9)
        frequency = w * math.sin(theta) * math.sqrt(m / (m + 2 * M * math.sin(theta) ** 2))
        self.assert_all_near(sorted(im for _, im in found["eigenvalues"]), [-frequency, frequency], 1e-9)

    def test_a_governor_keeps_H_at_a_constant_rate_and_not_K_plus_U(self):
        integrals = {i["name"]: i["constant"] for i in self.ask("energy", "governor", "--case", "steady")["integrals"]}
        self.assertEqual((integrals["H"], integrals["C"]), (True, False))
        run = self.run_of("governor", "--case", "steady")
        self.assert_all_near(run["H"], [run["H"][0]] * len(run["H"]), 1e-7)
        self.assertGreater(max(run["C"]) - min(run["C"]), 0.1)


class Rotation(ExampleTest):
    def test_a_satellite_turns_over_after_half_of_jacobis_period(self):
        # Landau and Lifshitz, Mechanics, section 37, for M^2 < 2 E I2: there with 1 and 3 exchanged.
        I, w = (2.0, 4.0, 5.0), (0.01, 2.0, 0.0)
        energy = sum(i * x**2 for i, x in zip(I, w))  # twice E
        momentum = sum((i * x) ** 2 for i, x in zip(I, w))
        self.assertLess(momentum, energy * I[1])
        rate = math.sqrt((I[1] - I[0]) * (energy * I[2] - momentum) / (I[0] * I[1] * I[2]))
        k_squared = (I[2] - I[1]) * (momentum - energy * I[0]) / ((I[1] - I[0]) * (energy * I[2] - momentum))
        period = 4 * complete_elliptic_integral(k_squared) / rate
        self.assertLess(period, 30)  # so that the example shows it
        half = self.run_of("satellite", "--until", period / 2)
        self.assertAlmostEqual(half["B_wy"][-1], -2, delta=CLOSE)
        whole = self.run_of("satellite", "--until", period)
        for name, value in zip(("B_wx", "B_wy", "B_wz"), w):
            self.assertAlmostEqual(whole[name][-1], value, delta=1e-6, msg=name)

    def test_a_satellite_keeps_its_angular_momentum(self):
        run = self.run_of("satellite")
        for axis, value in zip("xyz", (0.02, 8, 0)):
            H = run[f"angular_momentum(B, No).{axis}"]
            self.assert_all_near(H, [value] * len(H), CLOSE)

    TOP = {"m": 0.5, "l": 0.08, "g": 9.81, "R": 0.06}

    def test_a_top_falls_as_far_as_its_cubic_lets_it(self):
        m, l, g, R = self.TOP.values()
        self.assertEqual(self.parameters("heavy_top", *self.TOP), [m, l, g, R])
        I1, I3 = m * R**2 / 4 + m * l**2, m * R**2 / 2
        a, b, u0 = I3 * 110 / I1, 2 * m * g * l / I1, math.cos(math.radians(35))
        u = (a**2 - math.sqrt(a**4 - 4 * b * (a**2 * u0 - b))) / (2 * b)
        theta = self.run_of("heavy_top", "--every", 0.0005)["theta"]
        self.assertAlmostEqual(max(theta), math.acos(u), delta=1e-5)  # sampled
        self.assertAlmostEqual(min(theta), math.radians(35), delta=CLOSE)

    def test_a_top_precesses_evenly_where_the_torque_of_its_weight_is_what_that_takes(self):
        m, l, g, R = self.TOP.values()
        I1, I3, W, c = m * R**2 / 4 + m * l**2, m * R**2 / 2, 5.0, math.cos(math.radians(35))
        run = self.run_of("heavy_top", "--case", "steady")
        spin = run["w3"][0]
        self.assertAlmostEqual(I1 * c * W**2 - I3 * spin * W + m * g * l, 0, delta=1e-12)
        self.assert_all_near(run["theta"], [math.radians(35)] * len(run["theta"]), CLOSE)
        self.assert_all_near(run["phi"], [W * t for t in run["t"]], CLOSE)

    def test_a_tops_momenta_are_found(self):
        names = {i["name"] for i in self.ask("energy", "heavy_top")["integrals"] if i["constant"] is True}
        self.assertLessEqual({"p_phi", "p_psi"}, names)


class Rolling(ExampleTest):
    def test_a_disc_goes_round_a_circle_in_steady_motion(self):
        m, r, g = self.parameters("rolling_disc", "m", "r", "g")
        run = self.run_of("rolling_disc", "--case", "steady")
        W, p, lean = run["yaw'"][0], run["roll'"][0], math.radians(20)
        Ia, It, s = m * r**2 / 2, m * r**2 / 4, p + W * math.sin(lean)
        self.assertAlmostEqual((Ia + m * r**2) * s * W, It * W**2 * math.sin(lean) - m * g * r * math.tan(lean), delta=1e-12)
        self.assert_all_near(run["lean"], [lean] * len(run["lean"]), CLOSE)
        radius = r * p / abs(W)
        self.assert_all_near([math.hypot(x, y + radius) for x, y in zip(run["x"], run["y"])], [radius] * len(run["x"]), CLOSE)

    def test_a_sleigh_follows_chaplygins_solution(self):
        m, I, l, w0 = self.parameters("chaplygin_sleigh", "m", "I", "l", "w0")
        run = self.run_of("chaplygin_sleigh")
        V = w0 * math.sqrt((I + m * l**2) / m)
        k = m * l * V / (I + m * l**2)
        self.assert_all_near(run["v"], [V * math.tanh(k * t) for t in run["t"]], CLOSE)
        self.assert_all_near(run["q'"], [w0 / math.cosh(k * t) for t in run["t"]], CLOSE)
        self.assert_all_near(run["q"], [2 * w0 / k * math.atan(math.tanh(k * t / 2)) for t in run["t"]], CLOSE)

    def test_a_rattleback_turns_round_one_way_only_and_only_if_it_is_skew(self):
        spin = self.run_of("rattleback")["wz"]
        self.assertLess(spin[0], -4.9)
        self.assertGreater(max(spin), 4.9)
        self.assertGreater(min(self.run_of("rattleback", "--case", "willing")["wz"]), 4.5)
        self.assertLess(max(self.run_of("rattleback", "--set", "Ixy=0")["wz"]), -4.8)

    def test_a_rattleback_moves_as_newton_and_euler_say(self):
        names = ("a", "b", "c", "h", "m", "g", "Ixx", "Iyy", "Izz", "Ixy")
        stone = Stone(*self.parameters("rattleback", *names))
        run = self.run_of("rattleback", "--until", 1)
        h, state = 2.5e-4, (0.0, 0.0, 1.0, 0.0, 0.5, -5.0)
        for _ in range(4000):
            state = runge_kutta_step(stone.rates, 0.0, state, h)
        n, w = state[:3], state[3:]
        self.assertAlmostEqual(run["wz"][-1], dot(n, w), delta=1e-5)
        self.assertAlmostEqual(run["pitch"][-1], -math.asin(n[0]), delta=1e-6)
        self.assertAlmostEqual(run["roll"][-1], math.atan2(n[1], n[2]), delta=1e-5)


def runge_kutta_step(slope, t, y, h):
    """The classical step of order 4."""
    def ahead(k, s):
        return tuple(a + s * b for a, b in zip(y, k))
    k1 = slope(t, y)
    k2 = slope(t + h / 2, ahead(k1, h / 2))
    k3 = slope(t + h / 2, ahead(k2, h / 2))
    k4 = slope(t + h, ahead(k3, h))
    return tuple(a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Stone:
    """An ellipsoid rolling on a plane, all in its own axes: n is the upward normal, w the angular velocity, r the contact from the mass
    center, F the contact's force.  v = -w x r;  n' = n x w;  m (v' + w x v) = F - m g n;  I w' + w x I w = r x F."""

    def __init__(self, a, b, c, h, m, g, ixx, iyy, izz, ixy):
        self.squares, self.h, self.m, self.g = (a**2, b**2, c**2), h, m, g
        self.inertia = ((ixx, ixy, 0.0), (ixy, iyy, 0.0), (0.0, 0.0, izz))

    def rates(self, _, state):
        n, w, m = state[:3], state[3:], self.m
        dn = cross(n, w)
        s, ds = [tuple(q * x for q, x in zip(self.squares, v)) for v in (n, dn)]
        e = math.sqrt(dot(n, s))
        slope = dot(dn, s) / e**3
        r = (-s[0] / e, -s[1] / e, -s[2] / e + self.h)
        dr = tuple(-d / e + x * slope for d, x in zip(ds, s))
        # All of F but -m w' x r.
        known = tuple(m * (self.g * x - y - z) for x, y, z in zip(n, cross(w, dr), cross(w, cross(w, r))))
        Iw = tuple(dot(row, w) for row in self.inertia)
        right = tuple(x - y for x, y in zip(cross(r, known), cross(w, Iw)))
        rr = dot(r, r)  # r x (w' x r) = (rr - r r') w'
        matrix = [[self.inertia[i][j] + m * (rr * (i == j) - r[i] * r[j]) for j in range(3)] for i in range(3)]
        return (*dn, *solve(matrix, right))


def solve(A, b):
    """Cramer's rule for a symmetric matrix of three rows."""
    minors = [cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])]
    determinant = dot(A[0], minors[0])
    return tuple(dot(b, (minors[0][i], minors[1][i], minors[2][i])) / determinant for i in range(3))


if __name__ == "__main__":
    unittest.main()
