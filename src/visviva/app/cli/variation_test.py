"""Tests of `visviva prove --variation`: actions and their slopes against closed forms and integrals computed here."""

import json
import math
import unittest

from program import Folder, visviva

FALL = """
parameter  m = 1 kg, g = 9.81 m/s^2
coordinate y = 0 m
particle   P at No + y*N.y, mass m
gravity    -g*N.y
study      until 1 s
"""
OSCILLATOR = """
parameter  m = 2 kg, k = 18 N/m
coordinate x = 0.3 m, x' = 0.5 m/s
particle   P at No + x*N.x, mass m
spring     S on x, stiffness k
"""
ANGLE = """
parameter  m = 2 kg, L = 0.5 m, g = 9.81 m/s^2
coordinate q = 0.7 rad, q' = 1.1 rad/s
frame      A = rotate(N, z, q)
particle   P at No - L*A.y, mass m
gravity    -g*N.y
"""
# The same pendulum by two coordinates and a constraint: x = L*sin(q), y = -L*cos(q).
CARTESIAN = """
parameter  m = 2 kg, L = 0.5 m, g = 9.81 m/s^2
coordinate x = 0.322108843618846 m, y = -0.382421093642244 m
coordinate x' = 0.420663203006469 m/s, y' = 0.354319727980730 m/s
particle   P at No + x*N.x + y*N.y, mass m
constraint rod: x^2 + y^2 = L^2
gravity    -g*N.y
"""
PARABOLA = "1 m/s^2*t*(1 s - t)"
NEAR = 1e-9  # of integrals that are good to 1e-11, of motions that are good to 1e-12


def integrate(f, until, n=4000):
    """Simpson's rule."""
    h = until / n
    return h / 3 * sum(f(i) * (1 if i in (0, n) else 4 if i % 2 else 2) for i in range(n + 1))


def swing(q, w, until, n=4000, g=9.81, length=0.5):
    """Angles and rates of a pendulum by the classical Runge-Kutta rule, at n + 1 times."""
    h, rows = until / n, [(q, w)]

    def rate(a, b):
        return b, -g / length * math.sin(a)

    for _ in range(n):
        k1 = rate(q, w)
        k2 = rate(q + h / 2 * k1[0], w + h / 2 * k1[1])
        k3 = rate(q + h / 2 * k2[0], w + h / 2 * k2[1])
        k4 = rate(q + h * k3[0], w + h * k3[1])
        q += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        w += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        rows.append((q, w))
    return rows


class Variation(Folder):
    def vary(self, model, variation, *arguments):
        result = visviva("prove", self.write(model), "--variation", variation, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def refuse(self, model, variation, *arguments):
        result = visviva("prove", self.write(model), "--variation", variation, "--json", *arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        return json.loads(result.stdout)["errors"][0]

    def assert_slopes(self, found, action, first, second):
        self.assertAlmostEqual(found["action"], action, delta=NEAR * max(1, abs(action)))
        self.assertAlmostEqual(found["first_variation"], first, delta=NEAR)
        self.assertAlmostEqual(found["second_variation"], second, delta=NEAR * max(1, abs(second)))

    def test_free_fall(self):
        found = self.vary(FALL, f"y: {PARABOLA}")
        self.assert_slopes(found, 9.81**2 / 3, 0, 1 / 3)
        self.assertEqual((found["varied"], found["trial_paths"], found["without_potential"]), (["y"], [], []))

    def test_text_says_the_three_numbers(self):
        result = visviva("prove", self.write(FALL), "--variation", f"y: {PARABOLA}")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("32.0787", "0.333333", "stationary"):
            self.assertIn(words, result.stdout)

    def test_trial_path(self):
        """y = -4 t^2: S = integral of 32 t^2 + 4 g t^2, dS/de = integral of -8 t eta' - g eta."""
        trial = FALL.replace("coordinate y = 0 m", "specified y(t) = -4 m/s^2*t^2")
        found = self.vary(trial, f"y: {PARABOLA}")
        self.assert_slopes(found, (32 + 4 * 9.81) / 3, -181 / 600, 1 / 3)
        self.assertEqual(found["trial_paths"], ["y"])
        true = FALL.replace("coordinate y = 0 m", "specified y(t) = -9.81/2*1 m/s^2*t^2")
        self.assert_slopes(self.vary(true, f"y: {PARABOLA}"), 9.81**2 / 3, 0, 1 / 3)

    def test_oscillator_before_and_after_half_a_period(self):
        """With eta = sin(pi t/T) the second variation is (m T/2) (pi^2/T^2 - w^2), w = 3: half a period is 1.0472 s."""
        for until in (0.7, 1.0, 1.1, 2.5):
            found = self.vary(OSCILLATOR, f"x: 1 m*sin(pi*t/{until} s)", "--until", str(until))
            w, a, b = 3.0, 0.3, 0.5 / 3

            # x = a cos + b sin: K - U = m w^2/2 ((b^2 - a^2) cos 2wt - 2 a b sin 2wt)
            action = w * w * ((b * b - a * a) * math.sin(2 * w * until) / (2 * w)
                              + 2 * a * b * (math.cos(2 * w * until) - 1) / (2 * w))
            second = 2 * until / 2 * (math.pi**2 / until**2 - w * w)
            self.assert_slopes(found, action, 0, second)
            self.assertEqual(second > 0, until < math.pi / 3)

    def test_pendulum_by_angle_and_by_two_coordinates(self):
        until, n = 0.9, 4000
        rows = swing(0.7, 1.1, until)
        m, length, g = 2, 0.5, 9.81

        def eta(i):
            t = until * i / n
            return t * (until - t), until - 2 * t

        def lagrangian(i):
            q, w = rows[i]
            return m * length**2 * w * w / 2 + m * g * length * math.cos(q)

        def second(i):
            q, (e, d) = rows[i][0], eta(i)
            return m * length**2 * d * d - m * g * length * math.cos(q) * e * e

        expected = integrate(lagrangian, until), 0, integrate(second, until)
        factor = "t*(0.9 s - t)/1 s^2"
        self.assert_slopes(self.vary(ANGLE, f"q: {factor}", "--until", "0.9 s"), *expected)
        found = self.vary(CARTESIAN, f"x: -y*{factor}, y: x*{factor}", "--until", "0.9 s")
        self.assert_slopes(found, *expected)
        self.assertEqual(found["constraints"], ["rod"])

    def test_corners_are_integrated_exactly(self):
        """eta a tent of height h between a and b with its top at c: d2S/de2 = m h^2 (1/(c - a) + 1/(b - c)), dS/de = 0."""
        for a, c, b in ((0.0, 0.5, 1.0), (0.0, 0.3, 1.0), (0.1, 0.37, 0.6), (0.3, 0.3001, 0.3003)):
            eta = f"max(0, min((t - {a} s)/{c - a!r} s, ({b} s - t)/{b - c!r} s))"
            found = self.vary(FALL, f"y: 1 m*{eta}")
            steepest = max(1, 1 / (c - a))  # m = 1 kg
            self.assertAlmostEqual(found["first_variation"], 0, delta=NEAR * steepest)
            self.assertAlmostEqual(found["second_variation"], 1 / (c - a) + 1 / (b - c), delta=NEAR * steepest**2)
            self.assertLess(found["error"], NEAR * steepest**2)

    def test_jumps_are_refused_where_they_are(self):
        for eta, time in (("(1 + sign(t - 0.3 s))*(1 - t/(1 s))", 0.3),
                          ("(t/(1 s) - max(0, sign(t - 0.37 s)))", 0.37),
                          ("max(0, sign(t - 0.3 s))*max(0, sign(0.3001 s - t))", 0.3),
                          ("(t - 0.4 s)/abs(t - 0.4 s)*sin(pi*t/(1 s))", 0.4),
                          ("atan(1 s/(t - 0.61 s))*sin(pi*t/(1 s))", 0.61),
                          ("sign(t*(1 s - t))", 0), ("sign(t)*(1 - t/(1 s))", 0), ("sign(1 s - t)*t/(1 s)", 1)):
            with self.subTest(eta):
                error = self.refuse(FALL, f"y: 1 m*{eta}")
                self.assertEqual(error["code"], "E-variation-jump")
                self.assertIn(f"at t = {time:g} s", error["message"])

    def test_a_root_is_no_jump(self):
        """eta = sqrt(t (1 s - t)), or a root from the middle on: continuous, though the rate is infinite there."""
        for eta in ("sqrt(t*(1 s - t))/(1 s)", "sqrt(max(0, t - 0.5 s)/(1 s))*(1 - t/(1 s))", "sqrt(abs(t - 0.3 s)/(1 s))*t*(1 s - t)/(1 s^2)"):
            with self.subTest(eta):
                self.vary(FALL, f"y: 1 m*{eta}")

    def test_generalized_speeds_change_nothing(self):
        factor = "t*(0.9 s - t)/1 s^2"
        plain = self.vary(ANGLE, f"q: {factor}", "--until", "0.9 s")
        other = ANGLE.replace("q' = 1.1 rad/s", "q' = 1.1 rad/s\nspeed u = q'*(2 + sin(q))")
        found = self.vary(other, f"q: {factor}", "--until", "0.9 s")
        self.assert_slopes(found, plain["action"], 0, plain["second_variation"])

    def test_loads_without_a_potential_are_named_and_their_work_is_apart(self):
        """A mass that air slows down: m v' = -c v; dS/de = -W = c integral of v eta."""
        model = """
parameter  m = 1 kg, c = 0.5 N*s/m
coordinate x = 0 m, x' = 2 m/s
particle   P at No + x*N.x, mass m
force      air on P = -c*velocity(P)
"""
        found = self.vary(model, f"x: {PARABOLA}", "--until", "1")
        work = -0.5 * integrate(lambda i: 2 * math.exp(-0.5 * i / 4000) * i / 4000 * (1 - i / 4000), 1)
        self.assertAlmostEqual(found["virtual_work"], work, delta=NEAR)
        self.assertAlmostEqual(found["first_variation"], -work, delta=NEAR)
        self.assertAlmostEqual(found["first_variation_with_work"], 0, delta=NEAR)
        self.assertEqual(found["without_potential"], ["air"])

    def test_what_is_not_zero_at_an_end_is_named_with_its_boundary_term(self):
        """p = m y' = -9.81 kg m/s at 1 s, eta = 1 m."""
        error = self.refuse(FALL, "y: 1 m/s*t")
        self.assertEqual(error["code"], "E-variation-ends")
        self.assertIn("-9.81 J s", error["message"])

    def test_a_variation_that_jumps_is_not_called_stationary(self):
        model = self.write("""
model fall
coordinate y = 0 m
particle P at No + y*N.y, mass 1 kg
gravity -9.81 m/s^2*N.y
""")
        jumping = visviva("prove", model, "--until", "1", "--variation", "y: 1 m*step(t - 0.3 s)*step(0.7 s - t)")
        self.assertNotIn("stationary", jumping.stdout)
        smooth = visviva("prove", model, "--until", "1", "--variation", "y: 1 m/s^2*t*(1 s - t)")
        self.assertIn("stationary", smooth.stdout)

    def test_refusals_name_what_is_in_the_way(self):
        blade = """
parameter  m = 1 kg
coordinate x, y, q
start      x' = 1 m/s
frame      A = rotate(N, z, q)
body       A at No + x*N.x + y*N.y, mass m, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
constraint blade: dot(velocity(Acm), A.y) = 0
"""
        for model, variation, code, words in (
                (CARTESIAN, f"x: {PARABOLA}", "E-variation-constraint", "'rod'"),
                (blade, f"x: {PARABOLA}", "E-variation-constraint", "'blade'"),
                (FALL, "m: 1 kg", "E-variation-name", "coordinate or a specified"),
                (FALL, "z: 1 m", "E-name-unknown", "'z'"),
                (FALL, "y: 1 kg*t", "E-dimension-definition", "'y'"),
                (FALL, f"y = {PARABOLA}", "E-variation-form", "cannot be read"),
                (FALL + "event hit when y = -1 m, stop\n", f"y: {PARABOLA}", "E-variation-run", "0.45")):
            error = self.refuse(model, variation, "--until", "1")
            self.assertEqual((error["code"], words in error["message"]), (code, True), error)

    def test_a_length_without_a_variation_is_a_wrong_command(self):
        self.assertEqual(visviva("prove", self.write(FALL), "--until", "1").returncode, 2)


if __name__ == "__main__":
    unittest.main()
