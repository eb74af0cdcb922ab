"""Tests of `visviva linearize`: modes of steady and periodic motions against closed forms and numbers from outside."""

import cmath
import json
import math
import unittest

from program import Folder, visviva

# A top on its point: central inertia I, J, I, mass center h above the pivot, upright, 50 rad/s about z.
TOP = """model top
parameter I = 0.01 kg*m^2, J = 0.01 kg*m^2, m = 1 kg, h = 0.1 m, g = 10 m/s^2
{}
body   B at No + h*B.z, mass m, inertia I, J, I
gravity -g*N.z
"""
WAYS = {
    "Euler parameters": "coordinate e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\nstart B_wz = 50 rad/s",
    "angles with the spin last": "coordinate q1, q2, q3, q3' = 50 rad/s\nframe B = rotate(N, xyz, q1, q2, q3)",
    "angles with the spin first": "coordinate q1, q1' = 50 rad/s, q2, q3\nframe B = rotate(N, zxy, q1, q2, q3)",
    "angles about fixed axes": "coordinate q1, q2, q3, q3' = 50 rad/s\nframe B = rotate(N, space xyz, q1, q2, q3)",
    "a chain of frames": "coordinate q1, q2, q3, q3' = 50 rad/s\nframe C = rotate(N, x, q1)\n"
                         "frame D = rotate(C, y, q2)\nframe B = rotate(D, z, q3)",
    "Rodrigues parameters": "coordinate g1, g2, g3, g3' = 25 rad/s\nframe B = rodrigues(N, g1, g2, g3)",
    "an angular velocity": "speed wx, wy, wz\nstart wz = 50 rad/s\nframe B = spin(N, wx*N.x + wy*N.y + wz*N.z)",
}


def frequencies(found):
    return sorted(e[1] for e in found["eigenvalues"] if e[1] > 1e-3)


class Linearize(Folder):
    def ask(self, text, *arguments, status=0):
        result = visviva("linearize", self.write(text), "--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        return json.loads(result.stdout)

    def test_outputs_vary_with_states_and_inputs_as_by_hand(self):
        # A driven pendulum; the pin's force is m (a - g) with a = L (q'' t + q'^2 n).
        found = self.ask("""model driven
parameter L = 0.7 m, m = 1.3 kg, g = 9.81 m/s^2
input tau = 0.4 N*m
coordinate q = 0.5, q' = 1.1 rad/s
frame A = rotate(N, z, q)
particle P at No - L*A.y, mass m
gravity -g*N.y
torque motor on A = tau*N.z
output x = dot(P - No, N.x), along = dot(reaction(No), A.y), power(motor)
""")
        L, m, g, q, w, tau = 0.7, 1.3, 9.81, 0.5, 1.1, 0.4
        self.assertEqual(found["outputs"], ["x", "along", "power(motor)"])
        # The force along the rod is m (L q'^2 + g cos q).
        expected = [[L * math.cos(q), 0], [-m * g * math.sin(q), 2 * m * L * w], [0, tau]]
        for row, wanted in zip(found["C"], expected):
            self.assert_numbers(row, wanted, 1e-9)
        for row, wanted in zip(found["D"], [0, 0, w]):
            self.assert_numbers(row, [wanted], 1e-9)

    def test_outputs_of_a_model_without_any_are_none(self):
        found = self.ask("model free\ncoordinate x = 0 m\nparticle P at No + x*N.x, mass 1 kg\n")
        self.assertEqual((found["outputs"], found["C"], found["D"]), ([], [], []))

    def assert_numbers(self, found, expected, tolerance=1e-8):
        self.assertEqual(len(found), len(expected), (found, expected))
        for f, e in zip(found, expected):
            self.assertLessEqual(abs(f - e), tolerance * max(1.0, abs(e)), (found, expected))


class Rotations(Linearize):
    # A s^2 - C n s + m g h = 0 with A = I + m h^2 = 0.02, C = I, n = 50, seen from N.
    def test_a_top_has_the_same_modes_however_its_rotation_is_written(self):
        root = math.sqrt(0.5**2 - 4 * 0.02 * 1)
        for name, way in WAYS.items():
            with self.subTest(name):
                found = self.ask(TOP.format(way))
                self.assertTrue(found["steady"], found["remarks"])
                self.assertEqual(found["frames"], {"B": "N"})
                self.assertEqual(found["states"], ["B_rx", "B_ry", "B_rz", "B_rx'", "B_ry'", "B_rz'"])
                self.assert_numbers(frequencies(found), [(0.5 - root) / 0.04, (0.5 + root) / 0.04])
                self.assertLess(max(e[0] for e in found["eigenvalues"]), 1e-5)

    # Regular precession at 30 deg: 3 rad/s about the vertical, and the spin that it needs. Nutation by the effective potential
    # (a - b cos x)^2/(2 A sin(x)^2) + m g h cos x, twice differentiated with SymPy. Both angles that are cyclic drift when
    # their momenta change: zero is a fourfold eigenvalue with two modes, and the other two are said to have none.
    def test_a_precessing_top_has_the_same_modes_however_its_rotation_is_written(self):
        top = ("model top\nparameter I = 0.01 kg*m^2, m = 1 kg, h = 0.1 m, g = 10 m/s^2, A = I + m*h^2, p = 3 rad/s, x = 30 deg\n"
               "parameter n = (m*g*h + A*p^2*cos(x))/(I*p), s = n - p*cos(x)\n{}\n"
               "start angular_velocity(B) = p*N.z + s*B.z\nbody B at No + h*B.z, mass m, inertia I, I, I\ngravity -g*N.z\n")
        for way in ("coordinate q1, q2 = x, q3\nframe B = rotate(N, zxz, q1, q2, q3)",
                    "coordinate q1 = x, q2, q3\nframe B = rotate(N, xyz, q1, q2, q3)",
                    "coordinate e0 = cos(x/2), e1 = sin(x/2), e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)"):
            with self.subTest(way):
                found = self.ask(top.format(way))
                self.assertTrue(found["steady"], found["remarks"])
                self.assert_numbers(frequencies(found), [14.1483298448733])
                self.assertEqual(len(found["modes"]), 3)
                self.assertTrue(any("2 of the 6 eigenvalues have no mode" in r for r in found["remarks"]), found["remarks"])
                self.assertLess(max(abs(complex(*e)) for e in found["eigenvalues"] if abs(e[1]) < 1), 1e-5)

    # A particle on a turntable: x'' = (W^2 - k/m) x + 2 W y': frequencies |W -+ sqrt(k/m)|. U - K0 has the minimum, not U.
    def test_a_minimum_is_named_on_a_turntable_too(self):
        text = ("model turntable\nspecified p(t) = 5 rad/s*t\ncoordinate x = 0 m, y = 0 m\nframe A = rotate(N, z, p)\n"
                "particle P at No + x*A.x + y*A.y, mass 1 kg\npotential V = 15 N/m*(x^2 + y^2)\n")
        found = self.ask(text, "--equilibrium")
        self.assert_numbers(frequencies(found), [math.sqrt(30) - 5, math.sqrt(30) + 5])
        self.assertEqual(found["equilibrium"]["stability"], "stable")
        self.assertIn("U - K0 has a strict minimum", found["equilibrium"]["stability_reason"])

    # With principal inertias A, B about x, y at the pivot and C about z, in the body's frame:
    # A w1' = (B - C) n w2 + k r1, B w2' = (C - A) n w1 + k r2, r1' = w1 + n r2, r2' = w2 - n r1, k = m g h.
    def test_a_top_without_symmetry_has_the_modes_of_its_own_frame(self):
        A, B, C, n, k = 0.02, 0.025, 0.01, 50, 1
        # (A s^2 - (B - C) n^2 - k) r1 - n (A + B - C) s r2 = 0, (B s^2 - (A - C) n^2 - k) r2 + n (A + B - C) s r1 = 0
        alpha, beta = (B - C) * n**2 + k, (A - C) * n**2 + k
        p, q, r = A * B, (n * (A + B - C))**2 - A * beta - B * alpha, alpha * beta
        squares = [(-q + s * math.sqrt(q * q - 4 * p * r)) / (2 * p) for s in (1, -1)]
        expected = sorted(cmath.sqrt(s).imag for s in squares)
        self.assert_numbers(expected, [29.61, 47.78], 2e-4)
        for name, way in WAYS.items():
            with self.subTest(name):
                found = self.ask(TOP.format(way), "--set", "J=0.015")
                self.assertTrue(found["steady"], found["remarks"])
                self.assertEqual(found["frames"], {"B": "B"})
                self.assert_numbers(frequencies(found), expected)

    # Lagrange's top in steady precession W at the tilt c = cos(th): C w3 W = m g h + A W^2 c; it nutates with
    # s^2 = (A^2 W^4 - 2 A m g h W^2 c + (m g h)^2)/(A W)^2.
    def test_a_precessing_top_is_seen_from_a_frame_that_turns_with_it(self):
        A, C, k, W, c = 0.02, 0.01, 1, 5, 0.5
        w3 = (k + A * W**2 * c) / (C * W)
        expected = math.sqrt(A**2 * W**4 - 2 * A * k * W**2 * c + k**2) / (A * W)
        sine = math.sqrt(1 - c * c)
        ways = {"Euler parameters": f"coordinate e0 = {math.cos(math.pi / 6)!r}, e1 = 0.5, e2, e3\n"
                                    f"frame B = quaternion(N, e0, e1, e2, e3)\nstart B_wy = {W * sine!r} rad/s, "
                                    f"B_wz = {w3!r} rad/s",
                "angles": f"coordinate q1, q1' = {W} rad/s, q2 = {math.pi / 3!r} rad, q3, "
                          f"q3' = {w3 - W * c!r} rad/s\nframe B = rotate(N, zxz, q1, q2, q3)"}
        for name, way in ways.items():
            with self.subTest(name):
                found = self.ask(TOP.format(way))
                self.assertTrue(found["steady"], found["remarks"])
                self.assertIn("N turning at", found["frames"]["B"])
                self.assert_numbers(frequencies(found), [expected], 1e-6)

    # A free body with A = 0.02 about x and y, C = 0.01 about z: C n/A.
    def test_a_free_gyroscope_nutates_at_its_frequency(self):
        found = self.ask("model gyroscope\ncoordinate e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\nstart B_wz = 300 rad/s\n"
                         "body B at No, mass 1 kg, inertia 0.02 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2\n")
        self.assertTrue(found["steady"])
        self.assert_numbers(frequencies(found), [150])

    # A satellite with moments 3, 5, 6 kg*m^2 in the gravity gradient of an orbit whose frame A turns at n = 1 rad/s: pitch sqrt(3 (I2 - I1)/I3),
    # roll and yaw by s^4 + (1 + 3 k + j k) s^2 + 4 j k = 0 with j = (I3 - I2)/I1, k = (I3 - I1)/I2 (Hughes, Spacecraft Attitude Dynamics).
    # Told in N the equations contain time, and A of the motion does not change.
    def test_a_satellite_has_the_same_modes_whether_or_not_time_is_in_its_equations(self):
        text = ("model satellite\nspecified f(t) = 1 rad/s*t\nframe A = rotate(N, z, f)\n{}\n"
                "body B at No, mass 1 kg, inertia 3 kg*m^2, 5 kg*m^2, 6 kg*m^2\n"
                "potential V = 3/2*(3*dot(A.x, B.x)^2 + 5*dot(A.x, B.y)^2 + 6*dot(A.x, B.z)^2)*1 J\n")
        j, k = 1 / 3, 3 / 5
        b, c = 1 + 3 * k + j * k, 4 * j * k
        expected = [math.sqrt((b - math.sqrt(b * b - 4 * c)) / 2), 1.0, math.sqrt((b + math.sqrt(b * b - 4 * c)) / 2)]
        for way, frame in (("coordinate e0, e1, e2, e3\nframe B = quaternion(A, e0, e1, e2, e3)", "A"),
                           ("coordinate a, b, c\nframe B = rotate(A, xyz, a, b, c)", "A"),
                           ("coordinate e0, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\nstart B_wz = 1 rad/s", "B"),
                           ("coordinate a, a' = 1 rad/s, b, c\nframe B = rotate(N, zyx, a, b, c)", "B")):
            with self.subTest(way):
                found = self.ask(text.format(way))
                self.assertTrue(found["steady"], found["remarks"])
                self.assertEqual(found["frames"], {"B": frame})
                self.assert_numbers(frequencies(found), expected, 1e-7)

    def test_what_is_steady_in_no_frame_is_called_so(self):
        # A body of three different inertias that tumbles: w changes in every frame.
        found = self.ask("model tumbling\ncoordinate e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\n"
                         "start B_wx = 1 rad/s, B_wy = 2 rad/s, B_wz = 3 rad/s\n"
                         "body B at No, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2\n")
        self.assertFalse(found["steady"])
        self.assertTrue(any("changes along the motion" in r for r in found["remarks"]), found["remarks"])


class Redundant(Linearize):
    # A disc rolling upright: (I1 + m r^2) q'' = (m g r - (I3 + m r^2) I3/I1 w^2) q. Its height is a constraint beside the roll, which says it
    # once more: no acceleration contradicts it.
    def test_constraints_that_say_the_same_twice_hold_in_full(self):
        r, g = 0.5, 9.81
        for v in (0.5, 1, 3):
            found = self.ask(
                "model disc\nparameter r = 0.5 m\ncoordinate x, y, z = 0.5 m, e0, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\n"
                "body B at No + x*N.x + y*N.y + z*N.z, mass 2 kg, disc radius r along y\ngravity -9.81 m/s^2*N.z\n"
                "let s = unit(N.z - dot(N.z, B.y)*B.y)\nroll c: B on N at Bcm - r*s\nconstraint dot(Bcm - r*s - No, N.z) = 0\n"
                f"start B_wy = {v / r} rad/s, x' = {v} m/s\n")
            self.assertFalse(any("hold in directions" in remark for remark in found["remarks"]), found["remarks"])
            square = (g / r - 1.5 * 2 * (v / r)**2) / 1.25
            fastest = max((complex(*e) for e in found["eigenvalues"]), key=abs)
            self.assertLess(abs(abs(fastest.real if square > 0 else fastest.imag) - math.sqrt(abs(square))), 1e-7)


class Nothing(Folder):
    """Models without a state: everything is prescribed, or there is nothing."""

    def test_is_answered(self):
        models = {"empty": "model empty\n",
                  "fixed": "particle Q at No, mass 1 kg\n",
                  "driven": "specified w(t) = 0.3 m*sin(2 rad/s*t)\nparticle P at No + w*N.x, mass 1 kg\ngravity -9.81 m/s^2*N.y\n",
                  "spun": "frame B = spin(N, 2 rad/s*N.z)\nbody B at No, mass 1 kg, sphere radius 1 m\n"}
        for name, text in models.items():
            path = self.write(text, f"{name}.viva")
            for arguments in (("linearize",), ("linearize", "--equilibrium"), ("linearize", "--period", "1 s"), ("evaluate", "--equilibrium")):
                result = visviva(*arguments, path, "--json")
                self.assertEqual(result.returncode, 0, (name, arguments, result))
                answer = json.loads(result.stdout)
                if arguments[0] == "linearize":
                    self.assertEqual((answer["states"], answer["eigenvalues"]), ([], []))
                    self.assertIn("nothing is free to move", answer["remarks"][0])


class Singular(Linearize):
    TEXT = ("model spherical\nparameter L = 1 m, m = 1 kg, g = 9.81 m/s^2\ncoordinate theta = {} rad, phi\n"
            "frame A = rotate(N, z, phi)\nframe B = rotate(A, y, theta)\nparticle P at No - L*B.z, mass m\n"
            "gravity -g*N.z\n")

    def test_a_spherical_pendulum_at_its_pole_is_refused(self):
        for start in (0, 0.3):
            with self.subTest(start):
                found = self.ask(self.TEXT.format(start), "--equilibrium", status=3)
                self.assertTrue(found["equilibrium"]["found"])
                self.assertIn("phi'", found["failure"])
                self.assertEqual(found["eigenvalues"], [])

    # About horizontal axes, the truth: sqrt(g/L) twice.
    def test_the_same_pendulum_in_other_angles_swings_both_ways(self):
        text = self.TEXT.format(0.3).replace("rotate(N, z, phi)", "rotate(N, x, phi)")
        found = self.ask(text, "--equilibrium")
        self.assert_numbers(frequencies(found), [math.sqrt(9.81)] * 2)


class Verdicts(Linearize):
    def verdict(self, text, *arguments):
        found = self.ask(text, "--equilibrium", *arguments)["equilibrium"]
        return found["stability"], found["stability_reason"]

    def test_what_has_no_stiffness_is_not_decided(self):
        for start in (0.1, -0.1, 0.7):
            for potential in ("1 J/m^3*x^3", "1 J/m^4*x^4", "-2 J/m^3*x^3", "1 J/m^3*(x - 1 m)^3"):
                for damper in ("", "damper D on x, rate 1 N*s/m\n"):
                    with self.subTest((start, potential, damper)):
                        stability, reason = self.verdict(
                            f"model flat\ncoordinate x = {start} m\nparticle P at No + x*N.x, mass 1 kg\n"
                            f"potential V = {potential}\n{damper}")
                        self.assertEqual(stability, "not decided by the linear terms", reason)

    # Near a degenerate equilibrium the stiffness has a sign, which says nothing of what it is there.
    def test_what_has_no_stiffness_in_a_plane_is_not_decided(self):
        for potential in ("1 J/m^4*x^2*y^2", "1 J/m^3*x^2*y", "1 J/m^3*(x^3 - 3*x*y^2)", "-1 J/m^4*(x^2 + y^2)^2",
                          "-1 J/m^4*x^4 - 2 J/m^4*y^4", "1 J/m^2*x^2 - 1 J/m^4*y^4"):
            for start in ("x = 0 m, y = 0 m", "x = 0.2 m, y = 0.1 m", "x = -0.4 m, y = 0.3 m"):
                with self.subTest((potential, start)):
                    stability, reason = self.verdict(
                        f"model flat\ncoordinate {start}\nparticle P at No + x*N.x + y*N.y, mass 1 kg\npotential V = {potential}\n")
                    self.assertEqual(stability, "not decided by the linear terms", reason)
                    self.assertNotIn("along  ", reason)
        for potential in ("1 J/m^2*x*y", "-1 J/m^2*x^2 + 1 J/m^4*y^4", "1 J/m^2*x^2 - 1e-4 J/m^2*y^2"):
            stability, reason = self.verdict("model saddle\ncoordinate x = 0.2 m, y = 0.1 m\n"
                                             f"particle P at No + x*N.x + y*N.y, mass 1 kg\npotential V = {potential}\n")
            self.assertEqual(stability, "unstable", (potential, reason))

    def test_what_has_a_small_stiffness_is_decided(self):
        stability, reason = self.verdict("model weak\ncoordinate x = 0.1 m\nparticle P at No + x*N.x, mass 1 kg\n"
                                         "potential V = 1e-9 J/m^2*x^2 + 1 J/m^3*x^3\n")
        self.assertIn((stability, "U" in reason), (("stable", True), ("not decided by the linear terms", False)))
        stability, reason = self.verdict("model spring\ncoordinate x = 0.1 m\nparticle P at No + x*N.x, mass 1 kg\n"
                                         "potential V = 1e-3 J/m^2*x^2 + 1 J/m^3*x^3\n")
        self.assertEqual((stability, reason), ("stable", "the potential energy U has a strict minimum"))

    def test_the_function_that_has_the_minimum_is_named(self):
        hoop = ("model hoop\nparameter m = 1 kg, R = 1 m, w = 5 rad/s, g = 9.81 m/s^2\ncoordinate th = 60 deg\n"
                "frame A = rotate(N, y, w*t)\nframe B = rotate(A, z, th)\nparticle P at No - R*B.y, mass m\n"
                "gravity -g*N.y\n")
        stability, reason = self.verdict(hoop)
        self.assertEqual(stability, "stable")
        self.assertIn("U - K0 has a strict minimum", reason)
        self.assertEqual(self.verdict(hoop, "--set", "w=0"), ("stable", "the potential energy U has a strict minimum"))
        stability, reason = self.verdict(
            "model trolley\nparameter a = 0.5 m/s^2\nspecified x(t) = a*t^2/2\ncoordinate th\n"
            "frame B = rotate(N, z, th)\nparticle P at No + x*N.x - 1 m*B.y, mass 1 kg\ngravity -9.81 m/s^2*N.y\n")
        self.assertEqual(stability, "stable")
        self.assertIn("inertia forces", reason)


MATHIEU = """model mathieu
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2, a = 0.2 m, W = 5 rad/s
specified  y(t) = a*cos(W*t)
coordinate th = 0 rad
frame      B = rotate(N, z, th)
particle   P at No + y*N.y - L*B.y, mass m
gravity    -g*N.y
"""


class Periodic(Linearize):
    def multipliers(self, found):
        return sorted((complex(*m) for m in found["floquet_multipliers"]), key=lambda m: (m.real, m.imag))

    # L th'' = -(g - a W^2 cos(W t)) th, integrated with mpmath at 20 digits.
    def test_mathieus_equation_has_its_multipliers(self):
        for a, W, expected in ((0.2, 5, [-0.825665321523419 - 0.564160240387099j, -0.825665321523419 + 0.564160240387099j]),
                               (0.05, 3, [0.962281765434827 - 0.272054781085780j, 0.962281765434827 + 0.272054781085780j]),
                               (0.05, 6.3, [-1.169470727404444, -0.855087670487852])):
            for options in ((), ("--period", str(2 * math.pi / W)), ("--equilibrium",)):
                with self.subTest((a, W, options)):
                    found = self.ask(MATHIEU, "--set", f"a={a}", "--set", f"W={W}", *options)
                    self.assertFalse(found["steady"])
                    self.assert_numbers(self.multipliers(found), expected)
                    if "--equilibrium" in options:
                        self.assertEqual(found["equilibrium"]["stability"],
                                         "unstable" if W == 6.3 else "not decided by the linear terms")

    # x'' = (1 - x^2) x' - x: period, start and exp of the mean divergence with mpmath at 20 digits.
    def test_van_der_pols_orbit_attracts(self):
        model = ("model orbit\ncoordinate x = 2.0086198608748431 m\nparticle P at No + x*N.x, mass 1 kg\n"
                 "spring S on x, stiffness 1 N/m, rest 0 m\nforce F on P = 1 N*s/m*(1 - x^2/(1 m^2))*x'*N.x\n")
        found = self.ask(model, "--period", "6.66328685932313")
        self.assert_numbers(self.multipliers(found), [0.000859695063603805, 1], 1e-7)
        # Another time is no period of this motion.
        found = self.ask(model, "--period", "6.5")
        self.assertNotIn("floquet_multipliers", found)
        self.assertTrue(any("not as it was" in r for r in found["remarks"]), found["remarks"])

    def test_two_functions_share_a_period(self):
        found = self.ask(MATHIEU.replace("a*cos(W*t)", "a*cos(W*t) + a/3*sin(1.5*W*t)"))
        self.assertAlmostEqual(found["period"], 4 * math.pi / 5, delta=1e-9)
        self.assertAlmostEqual(abs(self.multipliers(found)[0] * self.multipliers(found)[1]), 1, delta=1e-8)

    # x'' = -k x with k = 16 N/m for the first half of a second and 4 N/m for the second (Meissner): a product of two matrices.
    # What jumps has no slope in time, and changes all the same.
    def test_a_stiffness_that_jumps_has_its_multipliers(self):
        expected = [-1.8101043586840, -0.5524543351340]
        for start in (0, 0.1):
            for law in ("10 N/m + 6 N/m*sign(sin(2*pi*1 Hz*t))", "4 N/m + 12 N/m*step(sin(2*pi*1 Hz*t))"):
                model = f"model meissner\nspecified k(t) = {law}\ncoordinate x = {start} m\nparticle P at No + x*N.x, mass 1 kg\n"
                for force in ("force F on P = -k*x*N.x\n", "potential V = 1/2*k*x^2\n",
                              f"force F on P = -({law})*x*N.x\n"):
                    with self.subTest((start, law, force)):
                        found = self.ask(model + force, "--equilibrium")
                        self.assertFalse(found["steady"])
                        self.assert_numbers(self.multipliers(found), expected, 1e-7)
                        self.assertEqual(found["equilibrium"]["stability"], "unstable")

    # What jumps once says nothing about before and after, and that is told: a load under a trolley that sets off with 0.5 m/s^2 for 3 s.
    def test_what_jumps_once_holds_until_then(self):
        once = ("model once\nspecified k(t) = 10 N/m + 6 N/m*step(t - 1 s)\ncoordinate x\n"
                "particle P at No + x*N.x, mass 1 kg\nforce F on P = -k*x*N.x\n")
        crane = ("model crane\nspecified x(t) = 0.5 m/s^2*min(t, 3 s)*(t - min(t, 3 s)/2)\ncoordinate th\nframe B = rotate(N, z, th)\n"
                 "particle P at No + x*N.x - 1 m*B.y, mass 1 kg\ngravity -9.81 m/s^2*N.y\n")
        for model, name, expected in ((once, "k", math.sqrt(10)), (crane, "x''", math.sqrt(math.hypot(9.81, 0.5)))):
            found = self.ask(model, "--equilibrium")
            self.assertFalse(found["steady"])
            self.assertIn(f"the equations jump once ({name}): what is said here holds until then", found["remarks"])
            self.assertEqual(found["equilibrium"]["stability"], "stable")
            self.assert_numbers(frequencies(found), [expected])

    # The values of the table are those of the Mathieu equation x'' = -(10 + 6 cos 2 pi t) x, whose multipliers are by mpmath.
    def test_a_periodic_table_has_its_period(self):
        rows = [f"{i / 100},{10 + 6 * math.cos(2 * math.pi * i / 100)}" for i in range(101)]
        self.write("t,k\n" + "\n".join(rows) + "\n", "stiffness.csv")
        model = ('model table\nspecified k(t) = table("stiffness.csv", column 2, unit N/m{})\ncoordinate x = {} m\n'
                 "particle P at No + x*N.x, mass 1 kg\nforce F on P = -k*x*N.x\n")
        for start in (0, 0.1):
            found = self.ask(model.format(", periodic", start))
            self.assertAlmostEqual(found["period"], 1, delta=1e-12)
            self.assert_numbers(self.multipliers(found), [-1.59949399988441, -0.62519771882374], 1e-6)
        found = self.ask(model.format(", hold", 0))
        self.assertNotIn("floquet_multipliers", found)

    # Where all terms are linear, small motions about any motion are the same, whether or not that comes back.
    def test_linear_equations_have_multipliers_about_every_motion(self):
        model = ("model hill\nspecified k(t) = 10 N/m + 6 N/m*cos(2*pi*1 Hz*t)\ncoordinate x = {} m\n"
                 "particle P at No + x*N.x, mass 1 kg\nforce F on P = -k*x*N.x{}\n")
        for start in (0, 0.3):
            found = self.ask(model.format(start, ""))
            self.assert_numbers(self.multipliers(found), [-1.59949399988441, -0.62519771882374], 1e-7)
        found = self.ask(model.format(0.3, " - 1 N/m^3*x^3*N.x"))
        self.assertNotIn("floquet_multipliers", found)

    def test_functions_without_a_common_period_are_said_to_have_none(self):
        found = self.ask(MATHIEU.replace("a*cos(W*t)", "a*cos(W*t) + a*sin(sqrt(2)*W*t)"))
        self.assertNotIn("floquet_multipliers", found)
        self.assertTrue(any("no common period" in r for r in found["remarks"]), found["remarks"])

    # A force that depends on time alone moves no eigenvalue.
    def test_a_forced_oscillator_is_linear_about_every_motion(self):
        found = self.ask("model forced\ncoordinate x = 0.1 m\nparticle P at No + x*N.x, mass 1 kg\n"
                         "spring S on x, stiffness 4 N/m, rest 0 m\nforce F on P = 1 N*cos(3 rad/s*t)*N.x\n")
        self.assertTrue(found["steady"], found["remarks"])
        self.assert_numbers(frequencies(found), [2])

    # At the pole of polar coordinates generalized forces vanish, whether or not something falls.
    def test_what_falls_has_no_equilibrium_at_a_pole_and_what_hangs_has(self):
        falling = ("model falling\ncoordinate h = 0.6 m, p = 0.7 rad\nparticle P at No + h*cos(p)*N.x + h*sin(p)*N.y, mass 1 kg\n"
                   "gravity -9.81 m/s^2*N.y\n")
        hanging = ("model hanging\ncoordinate theta = 0.3 rad, phi = 0.2 rad\nframe A = rotate(N, z, phi)\nframe B = rotate(A, y, theta)\n"
                   "particle P at No - 1 m*B.z, mass 1 kg\ngravity -9.81 m/s^2*N.z\n")
        result = visviva("evaluate", self.write(falling), "--equilibrium")
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("no equilibrium was found", result.stderr)
        result = visviva("evaluate", self.write(hanging), "--equilibrium", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["state"]["theta"], 0, delta=1e-9)

    def test_a_period_is_a_time_above_zero(self):
        result = visviva("linearize", self.write(MATHIEU), "--period", "-1 s")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--period", result.stderr)


class Corners(Linearize):
    """Forces that jump, or have a corner, where the state lies: there is no A, and what holds on both sides is told."""

    MODEL = """model corner
coordinate {start}
particle   P at No + x*N.x{more}, mass 1 kg
{law}
"""

    def about(self, law, start="x = 0 m", more="", status=3):
        found = self.ask(self.MODEL.format(law=law, start=start, more=more), "--equilibrium", status=status)
        return found, found["equilibrium"]

    def test_a_minimum_of_a_potential_with_a_corner_is_stable_and_not_free(self):
        """2|x| has its strict minimum at 0."""
        for law in ("potential V = 2 N*abs(x)", "force F on P = -2 N*sign(x)*N.x"):
            with self.subTest(law=law):
                found, rest = self.about(law)
                self.assertEqual((rest["coordinates"]["x"], rest["stability"], rest["free_coordinates"]), (0, "stable", []))
                self.assertIn("push back to it from both sides", found["failure"])
                self.assertNotIn("A", [key for key in found if found[key]])

    def test_a_corner_on_which_a_side_is_taken_is_told(self):
        """max(x, -x) has the slope of one side at 0, which balances nothing."""
        _, rest = self.about("potential V = 2 N*max(x, -x)")
        self.assertFalse(rest["found"])
        self.assertIn("push to it from both sides: it rests there", rest["reason"])

    def test_a_corner_away_from_the_start_is_found(self):
        found, rest = self.about("potential V = 2 N*abs(x - 0.3 m)", "x = 0.1 m")
        self.assertAlmostEqual(rest["coordinates"]["x"], 0.3, delta=1e-6)
        self.assertIn("from both sides", rest["reason"] or found["failure"])

    def test_a_maximum_is_unstable_whatever_else_holds(self):
        """2|x| - |y|"""
        _, rest = self.about("potential V = 2 N*abs(x) - 1 N*abs(y)", "x = 0 m, y = 0 m", " + y*N.y")
        self.assertEqual((rest["stability"], rest["free_coordinates"]), ("unstable", []))
        self.assertIn("lead away", rest["stability_reason"])

    def test_a_spring_on_one_side_has_no_slope(self):
        found, _ = self.about("force F on P = -3 N/m*max(0 m, x)*N.x")
        self.assertIn("no slope is that of both sides", found["failure"])

    def test_dry_friction_leaves_a_minimum_stable(self):
        found, rest = self.about("spring S on x, stiffness 4 N/m, rest 0 m\nforce F on P = -3 N*sign(x')*N.x")
        self.assertEqual(rest["stability"], "stable")
        self.assertIn("dry friction", found["failure"])

    def test_a_slope_that_is_smooth_on_a_corner_stays(self):
        """|v| v has the slope 0 at rest: 2 rad/s of 4 N/m and 1 kg."""
        found, _ = self.about("spring S on x, stiffness 4 N/m, rest 0 m\nforce F on P = -3 kg/m*abs(x')*x'*N.x", status=0)
        self.assert_numbers(frequencies(found), [2.0])

    def test_a_force_without_end_leads_nowhere_far(self):
        """2 N*max(0, x) leaves every x <= 0 in equilibrium; none of them is at 1e300 m."""
        _, rest = self.about("potential V = 2 N*max(0 m, x)", "x = 0.1 m", status=0)
        self.assertLessEqual(rest["coordinates"]["x"], 0)
        self.assertGreaterEqual(rest["coordinates"]["x"], -10)


if __name__ == "__main__":
    unittest.main()
