"""Tests of what each method of `derive` shows of its own, of momenta as outputs and of virtual displacements.

Expected values are written by hand, from textbooks and lecture notes: Lagrange's and Hamilton's forms (MEEN 617, Handout 4a (46); Hogan, Inertial
Mechanics, "A scalar example"), partial velocities (lecture notes on generalized forces), virtual displacements (Handout 4a (11) to (19)).
"""

import csv
import json
import math
import re
import unittest

from program import EXAMPLES, FUNCTIONS, Folder, python_of, visviva

ROUNDING = 1e-11  # of a few dozen operations on numbers of order 1 to 100
SEARCH = 1e-9  # of an equilibrium, which leaves 1e-10 of the forces
LONG_RUN = 1e-7  # of a run with a tolerance of 1e-10

PENDULUM = """model pendulum
parameter m = 2 kg, L = 0.5 m, g = 9.81 m/s^2, c = 0.3 N*m*s
coordinate theta = 0.4 rad, theta' = 1.5 rad/s
frame B = rotate(N, z, theta)
particle Q at No - L*B.y, mass m
gravity -g*N.y
"""

CIRCLE = """model circle
parameter m = 2 kg, g = 9.81 m/s^2, F = 7 N
coordinate x = 0.6 m, y = -0.8 m
particle Q at No + x*N.x + y*N.y, mass m
constraint rod: x^2 + y^2 = 1 m^2
"""

# x = s, y = s^2/(2 a): J = (1, s/a), and dK/ds = J dJ/ds m s'^2.
TRACK = """model track
parameter m = 2 kg, g = 9.81 m/s^2, a = 0.7 m
coordinate s = 0.3 m, s' = 0.2 m/s
particle Q at No + s*N.x + s^2/(2*a)*N.y, mass m
gravity -g*N.y
"""

PLANAR = """model planar
parameter m = 2 kg
coordinate r = 1 m, phi = 0.3 rad, r' = 0.1 m/s, phi' = 0.8 rad/s
frame A = rotate(N, z, phi)
particle Q at No + r*A.x, mass m
spring S from No to Q, stiffness 3 N/m, rest 0.2 m
"""


def value(expression, **state):
    return eval(python_of(expression), dict(FUNCTIONS), {python_of(n): v for n, v in state.items()})  # pylint: disable=eval-used


class Forms(Folder):
    def run_program(self, text, *arguments, status=0):
        path = self.write(text) if "\n" in text else EXAMPLES / f"{text}.viva"
        result = visviva(arguments[0], path, *arguments[1:])
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def derive(self, text, *arguments):
        return json.loads(self.run_program(text, "derive", "--json", *arguments).stdout)

    def words(self, text, *arguments):
        return self.run_program(text, "derive", *arguments).stdout

    def evaluate(self, text, *arguments):
        return json.loads(self.run_program(text, "evaluate", "--json", *arguments).stdout)

    def assert_near(self, found, expected, tolerance=ROUNDING):
        self.assertLessEqual(abs(found - expected), tolerance * max(1.0, abs(expected)))


class Lagrangian(Forms):
    def test_of_a_pendulum_with_a_damper(self):
        d = self.derive(PENDULUM + "damper D on theta, rate c\n", "--method", "lagrange")
        s = {"m": 2.0, "L": 0.5, "g": 9.81, "c": 0.3, "theta": 0.4, "theta'": 1.5}
        inertia, weight = 2 * 0.25, 2 * 9.81 * 0.5
        self.assert_near(value(d["kinetic_energy"], **s), inertia / 2 * 1.5**2)
        self.assert_near(value(d["potential_energy"], **s), -weight * math.cos(0.4))
        self.assert_near(value(d["lagrangian"], **s), inertia / 2 * 1.5**2 + weight * math.cos(0.4))
        slopes = d["lagrangian_slopes"]["theta"]
        self.assert_near(value(slopes["by_rate"], **s), inertia * 1.5)
        self.assert_near(value(slopes["by_coordinate"], **s), -weight * math.sin(0.4))
        self.assert_near(value(slopes["force"], **s), -0.3 * 1.5)
        self.assertNotIn("multiplier_equations", d)

    def test_with_multipliers_has_one_equation_for_each_coordinate(self):
        d = self.derive(CIRCLE + "gravity -g*N.y\n", "--method", "lagrange")
        open_form = d["multiplier_equations"]
        self.assertEqual(open_form["equations"], ["m*x'' = 2*lambda*x", "m*y'' = 2*lambda*y - m*g"])
        self.assertEqual((open_form["rates"], open_form["multipliers"]), (["x'", "y'"], ["lambda"]))
        self.assertEqual(open_form["rows"], [["2*x", "2*y"]])
        words = self.words(CIRCLE + "gravity -g*N.y\n", "--method", "lagrange")
        for line in ("  L = ", "  dL/dx' = m*x'", "  dL/dy  = -m*g", "m*x'' = 2*lambda*x\n", "lambda is the multiplier of rod."):
            self.assertIn(line, words)
        self.assertLess(words.index("m*x'' = 2*lambda*x"), words.index("\nEquations of motion\n"))
        latex = self.words(CIRCLE + "gravity -g*N.y\n", "--method", "lagrange", "--format", "latex")
        self.assertIn(r"\frac{\partial \mathcal{L}}{\partial \dot{x}}", latex)
        self.assertRegex(latex, r"m \\, \\ddot\{x\} &= 2 \\lambda x")

    def test_in_rates_whatever_speeds_are_chosen(self):
        speeds = "speed u = x'*cos(y/(1 m)) + y', v = y' - x'\n"
        d = self.derive(CIRCLE + speeds + "gravity -g*N.y\n", "--method", "lagrange")
        self.assertEqual(d["multiplier_equations"]["equations"], ["m*x'' = 2*lambda*x", "m*y'' = 2*lambda*y - m*g"])
        self.assertEqual(d["lagrangian_slopes"]["x"]["by_rate"], "m*x'")

    def test_of_a_driven_arm_on_a_spring_and_a_damper(self):
        text = """model arm
parameter m = 1.3 kg, g = 9.81 m/s^2, k = 3 N/m, b = 0.4 N*s/m, r = 0.3 m, a = 0.5 m
specified X(t)
coordinate th = 0.3, s = 0.4 m, y = 0.2 m
speed u = s' + a*th' + X', v = th'*(1 + 0.1*cos(th))
frame A = rotate(N, z, th)
particle Q at No + X*N.x + (a + s)*A.x, mass m
particle R at No + y*N.y, mass 2*m
spring S from Q to R, stiffness k, rest r
damper D from Q to R, rate b
gravity -g*N.y
constraint level: dot(Q - R, N.y) = X
"""
        d = self.derive(text, "--method", "lagrange")
        n = {"m": 1.3, "g": 9.81, "k": 3.0, "b": 0.4, "r": 0.3, "a": 0.5, "X": 0.1, "X'": 0.7, "X''": -0.2, "th": 0.3, "s": 0.4, "y": 0.2,
             "th'": 0.5, "s'": -0.3, "y'": 0.9, "u": -0.3 + 0.5 * 0.5 + 0.7, "v": 0.5 * (1 + 0.1 * math.cos(0.3))}
        for z in d["intermediates"]:
            n[z["name"]] = value(z["expression"], **n)
        # By hand: position and velocity of Q, the length from Q to R, its rate and its slopes.
        c, s, arm = math.cos(0.3), math.sin(0.3), 0.9
        v = (0.7 - 0.3 * c - arm * 0.5 * s, -0.3 * s + arm * 0.5 * c)
        p = (0.1 + arm * c, arm * s - 0.2)
        length = math.hypot(*p)
        rate = (p[0] * v[0] + p[1] * (v[1] - 0.9)) / length
        slopes = {"th": (-p[0] * arm * s + p[1] * arm * c) / length, "s": (p[0] * c + p[1] * s) / length, "y": -p[1] / length}
        weight = {"th": 1.3 * 9.81 * arm * c, "s": 1.3 * 9.81 * s, "y": 2.6 * 9.81}
        kinetic = 1.3 / 2 * (v[0]**2 + v[1]**2) + 1.3 * 0.9**2
        potential = 3 / 2 * (length - 0.3)**2 + 1.3 * 9.81 * arm * s + 2.6 * 9.81 * 0.2
        self.assert_near(value(d["kinetic_energy"], **n), kinetic)
        self.assert_near(value(d["potential_energy"], **n), potential)
        self.assert_near(value(d["lagrangian"], **n), kinetic - potential)
        momenta = {"th": 1.3 * arm * (-v[0] * s + v[1] * c), "s": 1.3 * (v[0] * c + v[1] * s), "y": 2.6 * 0.9}
        turning = {"th": 1.3 * (v[0] * (0.3 * s - arm * 0.5 * c) + v[1] * (-0.3 * c - arm * 0.5 * s)),
                   "s": 1.3 * 0.5 * (-v[0] * s + v[1] * c), "y": 0.0}  # dK/dq
        for q, found in d["lagrangian_slopes"].items():
            self.assert_near(value(found["by_rate"], **n), momenta[q])
            self.assert_near(value(found["by_coordinate"], **n), turning[q] - 3 * (length - 0.3) * slopes[q] - weight[q])
            self.assert_near(value(found["force"], **n), -0.4 * rate * slopes[q])
        self.assertEqual(d["multiplier_equations"]["rates"], ["th'", "s'", "y'"])
        for row, expected in zip(d["multiplier_equations"]["rows"][0], (arm * c, s, -1.0), strict=True):
            self.assert_near(value(row, **n), expected)

    def test_keeps_its_name_apart_from_a_length(self):
        words = self.words(PENDULUM + "parameter V = 1 m\n", "--method", "lagrange")
        for line in ("  Lag   = ", "  V_pot = -m*L*g*cos(theta)\n", "  dLag/dtheta' = m*L^2*theta'\n", "d/dt(dLag/dq') - dLag/dq = 0."):
            self.assertIn(line, words)

    def test_names_of_multipliers(self):
        d = self.derive(CIRCLE + "parameter lambda_rod = 1 kg\nconstraint along: x' = 2*y'\n", "--method", "lagrange")
        self.assertEqual(d["multiplier_equations"]["multipliers"], ["lambda_rod_", "lambda_along"])

    def test_where_a_spin_has_hidden_states_there_are_no_slopes(self):
        text = """model ball
parameter m = 1 kg, r = 0.2 m
coordinate x, y
speed wx, wy, wz
frame B = spin(N, wx*N.x + wy*N.y + wz*N.z)
body B at No + x*N.x + y*N.y + r*N.z, mass m, sphere radius r
roll B on N at Bcm - r*N.z
"""
        d = self.derive(text, "--method", "lagrange")
        self.assertEqual(d["lagrangian_slopes"], {})
        self.assertEqual(d["multiplier_equations"]["rates"], ["x'", "y'", "wx", "wy", "wz"])


class Momenta(Forms):
    def test_dependent_speeds_make_another_kinetic_energy(self):
        """A blade: K in its independent speeds depends on q, so the slope at fixed x', y' and q' is not called dK/dq."""
        model = self.write("""
parameter m = 1 kg, I = 2 kg*m^2
coordinate x = 0 m, y = 0 m, q = 0.3 rad
frame B = rotate(N, z, q)
body B at No + x*N.x + y*N.y, mass m, inertia I, I, I
constraint blade: -sin(q)*x' + cos(q)*y' = 0
dependent y'
""")
        answer = visviva("derive", model, "--method", "hamilton")
        self.assertIn("p_q'    = tau_q + s_q\n", answer.stdout)
        self.assertNotIn("dK/dq", answer.stdout)

    def test_change_by_force_and_slope_of_the_kinetic_energy(self):
        d = self.derive(TRACK, "--method", "hamilton")
        s = {"m": 2.0, "g": 9.81, "a": 0.7, "s": 0.3, "s'": 0.2}
        terms = d["momentum_rate_terms"]["s'"]
        self.assertEqual(terms["slope_of"], "s")
        self.assert_near(value(terms["force"], **s), -2 * 9.81 * 0.3 / 0.7)
        self.assert_near(value(terms["slope"], **s), 2 * 0.3 / 0.7**2 * 0.2**2)
        words = self.words(TRACK, "--method", "hamilton")
        self.assertIn("p_s'  = tau_s + dK/ds\n", words)
        self.assertIn(r"\dot{p}_{s} &= \tau_{s} + \frac{\partial K}{\partial s}",
                      self.words(TRACK, "--method", "hamilton", "--format", "latex"))

    def test_of_other_speeds_have_no_such_slope(self):
        text = PLANAR + "speed u = r', v = r*phi'\n"
        d = self.derive(text, "--method", "hamilton")
        self.assertIsNone(d["momentum_rate_terms"]["u"]["slope_of"])
        # p_v = m v, and p_v' = m (v r'/r - 2 u v/r + ...) by hand: dv_v/dt = phi' (-A.x), so that the slope is -m u phi'.
        s = {"m": 2.0, "r": 1.3, "phi": 0.3, "u": 0.4, "v": 0.7}
        self.assert_near(value(d["momentum_rate_terms"]["v"]["slope"], **s), -2 * 0.4 * 0.7 / 1.3)
        self.assert_near(value(d["momentum_rate_terms"]["u"]["slope"], **s), 2 * 0.7**2 / 1.3)
        self.assertIn("p_u'  = tau_u + s_u\n", self.words(text, "--method", "hamilton"))

    def test_that_constraints_make_have_a_name_of_their_own(self):
        d = self.derive(CIRCLE + "gravity -g*N.y\n", "--method", "hamilton")
        self.assertEqual(d["momentum_symbols"], {"x'": "p_x_R"})
        s = {"m": 2.0, "x": 0.6, "y": -0.8, "x'": 0.7}
        self.assert_near(value(d["momenta"]["x'"], **s), 2 * 0.7 * (1 + 0.6**2 / 0.8**2))

    def test_are_outputs(self):
        outputs = "output p_theta, twice = 2*p_theta, p_theta*theta'\n"
        for speeds in ("", "speed u = 3*theta' + 1 rad/s\nstart u = 5.5 rad/s\n"):
            text = PENDULUM.replace(", theta' = 1.5 rad/s", "") if speeds else PENDULUM
            found = self.evaluate(text + speeds + outputs)["outputs"]
            self.assert_near(found["p_theta"], 2 * 0.25 * 1.5)
            self.assert_near(found["twice"], 2 * 2 * 0.25 * 1.5)
            self.assert_near(found["p_theta*theta'"], 2 * 0.25 * 1.5**2)

    def test_of_a_constrained_coordinate_are_those_without_constraints(self):
        text = CIRCLE.replace("x = 0.6 m", "x = 0.6 m, x' = 0.4 m/s") + "output p_x, p_y\n"
        found = self.evaluate(text)["outputs"]
        self.assert_near(found["p_x"], 2 * 0.4)
        self.assert_near(found["p_y"], 2 * 0.4 * 0.6 / 0.8)

    def test_know_what_is_prescribed(self):
        text = """model cart
parameter m = 2 kg
specified X(t) = 3 m/s*t
coordinate q = 0.4 m, q' = 0.2 m/s
particle Q at No + (X + q)*N.x, mass m
output p_q
"""
        self.assert_near(self.evaluate(text)["outputs"]["p_q"], 2 * 3.2)

    def test_of_a_rigid_body_by_euler_angles(self):
        text = """model body
coordinate q1 = 0.3, q2 = 0.5, q3 = 0.7, q1' = 1.1 rad/s, q2' = 0.6 rad/s, q3' = -0.4 rad/s
frame B = rotate(N, zxz, q1, q2, q3)
body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 2 kg*m^2
output p_q1, p_q2, p_q3, L3 = dot(angular_momentum(B, No), N.z)
"""
        found = self.evaluate(text)["outputs"]
        # Goldstein, Classical Mechanics, (5.49) and (5.50), without gravity.
        p3 = 2 * (1.1 * math.cos(0.5) - 0.4)
        self.assert_near(found["p_q3"], p3)
        self.assert_near(found["p_q2"], 0.6)
        self.assert_near(found["p_q1"], 1.1 * math.sin(0.5)**2 + p3 * math.cos(0.5))
        self.assert_near(found["p_q1"], found["L3"])

    def test_are_columns_of_runs_and_stop_them(self):
        text = PLANAR + "output p_phi, p_r\nplot p_r\nevent turn when p_r = 0, stop\nstudy until 9 s, every 0.05 s, tolerance 1e-10\n"
        self.run_program(text, "simulate", "--out", self.folder / "run", "--plot", self.folder / "plot.svg")
        lines = (self.folder / "run" / "trajectory.csv").read_text(encoding="utf-8").splitlines()
        units, head, *rows = [next(csv.reader([line])) for line in lines]
        place = head.index("p_phi")
        self.assertIn("N*m*s", units[place])
        for row in rows:
            self.assert_near(float(row[place]), 2 * 0.8, LONG_RUN)
        self.assertLess(float(rows[-1][0]), 9.0)
        self.assertLess(abs(float(rows[-1][head.index("p_r")])), LONG_RUN)

    def test_mean_the_same_in_integrals(self):
        integrals = json.loads(self.run_program(PLANAR + "output p_phi\n", "energy", "--json").stdout)["integrals"]
        found = {i["name"]: i["expression"] for i in integrals}
        self.assert_near(value(found["p_phi"], **{"m": 2.0, "r": 1.3, "phi'": 0.6}), 2 * 1.3**2 * 0.6)
        d = self.derive(PLANAR + "output p_phi\n", "--method", "hamilton")
        self.assertEqual(d["momentum_symbols"], {"r'": "p_r", "phi'": "p_phi"})

    def test_are_refused_elsewhere(self):
        quaternion = "model q\ncoordinate e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\n" \
            "body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2\n"
        for text, code in ((PENDULUM + "force F on Q = p_theta/(1 m*s)*N.x\n", "E-name-reserved"),
                           (PENDULUM + "output p_phi\n", "E-name-unknown"), (quaternion + "output p_e1\n", "E-output-target")):
            errors = json.loads(self.run_program(text, "check", "--json", status=1).stdout)["errors"]
            self.assertEqual([e["code"] for e in errors], [code])

    def test_leave_names_of_the_model_alone(self):
        found = self.evaluate(PENDULUM + "parameter p_theta = 3 m\noutput p_theta\n")["outputs"]
        self.assert_near(found["p_theta"], 3.0)


class Expressed(Forms):
    def test_vectors_in_the_frame_asked_for(self):
        text = PENDULUM.replace("coordinate", "coordinate a = 0.2 rad,\n ") + "frame E = rotate(N, z, a)\n"
        d = self.derive(text, "--express", "velocity(Q) in E", "--express", "Q - No in N", "--express", "dot(velocity(Q), N.x)",
                        "--express", "acceleration(Q) in B", "--express", "cross(Q - No, momentum(Q)) in N", "--express", "p_theta")
        s = {"m": 2.0, "L": 0.5, "theta": 0.4, "theta'": 1.5, "theta''": -0.7, "a": 0.2, "a'": 0.6}
        turn, speed = 0.4 - 0.2, 0.5 * 1.5
        expected = (("velocity(Q)", "E", [speed * math.cos(turn), speed * math.sin(turn), 0.0]),
                    ("Q - No", "N", [0.5 * math.sin(0.4), -0.5 * math.cos(0.4), 0.0]),
                    ("dot(velocity(Q), N.x)", None, [speed * math.cos(0.4)]),
                    ("acceleration(Q)", "B", [0.5 * -0.7, 0.5 * 1.5**2, 0.0]),
                    ("cross(Q - No, momentum(Q))", "N", [0.0, 0.0, 2 * 0.25 * 1.5]), ("p_theta", None, [2 * 0.25 * 1.5]))
        self.assertEqual(len(d["expressed"]), len(expected))
        self.assertEqual(d["expressed_intermediates"], [])
        for found, (written, frame, numbers) in zip(d["expressed"], expected):
            self.assertEqual((found["expression"], found.get("frame")), (written, frame))
            for e, number in zip(found.get("components", [found.get("value")]), numbers, strict=True):
                self.assert_near(value(e, **s), number)

    def test_words_and_latex(self):
        arguments = ("--express", "velocity(Q) in B", "--express", "angular_velocity(B)")
        words = self.words(PENDULUM, *arguments)
        self.assertIn("  velocity(Q) in B         = L*theta'*B.x\n", words)
        self.assertRegex(words, r"  angular_velocity\(B\) in \w = theta'\*\w\.z\n")
        self.assertIn(r"\text{velocity(Q) in B} &= L \dot{\theta}", self.words(PENDULUM, *arguments, "--format", "latex"))

    def test_mistakes_are_told(self):
        for text, code, words in (("velocity(Q) in C", "E-name-unknown", "there is no frame or body 'C'"), ("velocity(P) in B", "E-name-unknown", "'P'"),
                                  ("velocity(Q in B", "E-express-form", "cannot be read"), ("Q in B", "E-express-form", "a point has no components"),
                                  ("theta in B", "E-express-form", "is a scalar"), ("velocity(Q) in", "E-express-form", "no frame after"),
                                  ("K", "E-name-reserved", "'K' is a result"), ("velocity(Q) + theta", "E-vector-sum", "")):
            with self.subTest(text=text):
                found = self.run_program(PENDULUM, "derive", "--json", "--express", text, status=1)
                errors = json.loads(found.stdout)["errors"]
                self.assertEqual([e["code"] for e in errors], [code])
                self.assertTrue(errors[0]["message"].startswith(f"--express {text}: "), errors[0]["message"])
                self.assertIn(words, errors[0]["message"])

    def test_is_in_the_help(self):
        self.assertIn("--express", visviva("derive", "--help").stdout)


class PartialVelocities(Forms):
    def table(self, words, title):
        lines = words[words.index(f"\n{title}\n"):].splitlines()[2:]
        lines = lines[:lines.index("")] if "" in lines else lines
        return [re.split(r"  +", line.strip()) for line in lines]

    def test_of_the_double_pendulum_are_a_table(self):
        text = """model double
parameter m1 = 1 kg, m2 = 2 kg, L1 = 0.5 m, L2 = 0.7 m
coordinate q1 = 0.3 rad, q2 = 0.5 rad
frame A = rotate(N, z, q1)
frame B = rotate(N, z, q2)
particle P1 at No - L1*A.y, mass m1
particle P2 at P1 - L2*B.y, mass m2
"""
        words = self.words(text)
        self.assertEqual(self.table(words, "Partial velocities"),
                         [["point", "q1'", "q2'"], ["P1", "L1*A.x", "0"], ["P2", "L1*A.x", "L2*B.x"]])
        self.assertEqual([row[0] for row in self.table(words, "Partial angular velocities")], ["frame", "A", "B"])
        self.assertNotIn("Partial velocities", self.words(text, "--method", "newton-euler"))
        self.assertIn(r"\vec{v}^{\mathrm{P2}}_{\dot{q}_{2}} &= L_{2}", self.words(text, "--format", "latex"))

    def test_have_remainders_where_something_is_prescribed(self):
        words = self.words(PENDULUM.replace("No - L*B.y", "No + X*N.x - L*B.y") + "specified X(t) = 1 m/s*t\n")
        self.assertEqual(self.table(words, "Partial velocities"), [["point", "theta'", "v_t"], ["Q", "L*B.x", "X'*N.x"]])

    def test_that_are_wide_have_a_line_each(self):
        for model in ("rolling_disc", "positioning_device"):
            for line in self.words(model).splitlines():
                self.assertLess(len(line), 200)


class VirtualDisplacements(Forms):
    TEXT = CIRCLE + "dependent x'\ngravity -g*N.y\nforce push on Q = F*N.x\n"

    def test_respect_the_constraints(self):
        found = self.evaluate(self.TEXT, "--equilibrium")["equilibrium"]
        work = found["virtual_work"]
        x, y = found["coordinates"]["x"], found["coordinates"]["y"]
        self.assert_near(-x / y, 7 / (2 * 9.81), SEARCH)
        self.assertTrue(work["compatible"])
        self.assertEqual(list(work["dependent"]), ["x'"])
        self.assertEqual(work["dependent"]["x'"]["y'"]["factor"], "-y/x")
        self.assert_near(work["dependent"]["x'"]["y'"]["value"], -y / x)
        self.assertEqual(list(work["displacements"]["Q"]), ["y'"])
        self.assert_near(work["work"]["gravity on Q"]["y'"]["value"], -2 * 9.81)
        self.assert_near(work["work"]["push"]["y'"]["value"], 2 * 9.81, SEARCH)
        self.assertLess(abs(work["sum"]["y'"]), SEARCH * 2 * 9.81)

    def test_in_words(self):
        words = self.run_program(self.TEXT, "evaluate", "--equilibrium").stdout
        self.assertIn("  d(x) = (-y/x)*d(y)\n", words)
        self.assertIn("  sum: 0*d(y)\n", words)

    def test_depend_on_others_where_the_first_choice_has_no_value(self):
        # At the lowest point x = 0: y must depend, whatever the model says.
        work = self.evaluate(self.TEXT, "--equilibrium", "--set", "F=0")["equilibrium"]["virtual_work"]
        self.assertEqual(list(work["dependent"]), ["y'"])
        self.assertLess(abs(work["sum"]["x'"]), SEARCH)

    def test_of_a_linkage_sum_to_nothing(self):
        text = """model bars
parameter a = 0.3 m, b = 0.8 m, c = 0.6 m, d = 0.9 m, m1 = 1 kg, m2 = 2 kg, g = 9.81 m/s^2
coordinate q1 = about 60 deg, q2 = about 20 deg, q3 = about 100 deg
frame A = rotate(N, z, q1)
frame B = rotate(N, z, q2)
frame C = rotate(N, z, q3)
point D = No + d*N.x
particle P1 at No + a*A.x, mass m1
particle P2 at D + c*C.x, mass m2
constraint loop: P1 + b*B.x - P2 = 0
gravity -g*N.y
spring S on q1, stiffness 4 N*m, rest 20 deg
"""
        found = self.evaluate(text, "--equilibrium")["equilibrium"]
        self.assertTrue(found["found"], found)
        work, q = found["virtual_work"], found["coordinates"]
        self.assertEqual(list(work["sum"]), ["q1'"])
        self.assertLess(abs(work["sum"]["q1'"]), SEARCH * 30)
        # Equal velocities along the coupler: c sin(q3 - q2) dq3 = a sin(q1 - q2) dq1.
        self.assert_near(work["dependent"]["q3'"]["q1'"]["value"],
                         0.3 * math.sin(q["q1"] - q["q2"]) / (0.6 * math.sin(q["q3"] - q["q2"])), SEARCH)


if __name__ == "__main__":
    unittest.main()
