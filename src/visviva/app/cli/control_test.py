"""Equilibria of models with states and samples, counts and cases of texts, and tables that are asked outside of their samples."""

import json
import math
import unittest

from program import Folder, visviva

class Equilibria(Folder):
    """Where forces and the rates of states vanish together, by closed forms."""

    PID = """
model pid
parameter  m = 2 kg, l = 0.4 m, g = 9.81 m/s^2, r = 0.9 rad, kp = 5 N*m, ki = {ki} N*m/s, kd = 3 N*m*s, R = 2 s^-1
coordinate th = 0.1 rad
state      ei = 0 rad*s, ei' = r - th
state      f = 0 N*m, f' = R*(kp*(r - th) + ki*ei - f)
frame      A = rotate(N, z, th)
particle   P at No - l*A.y, mass m
gravity    -g*N.y
torque     T on A = (f - kd*th')*N.z
"""

    def equilibrium(self, text, status=0):
        result = visviva("evaluate", self.write(text), "--equilibrium", "--json", cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stdout[:2000] + result.stderr)
        return json.loads(result.stdout)

    def test_an_integrator_holds_the_weight(self):
        found = self.equilibrium(self.PID.format(ki=4))["equilibrium"]
        torque = 2 * 9.81 * 0.4 * math.sin(0.9)
        self.assertAlmostEqual(found["coordinates"]["th"], 0.9, delta=1e-12)
        self.assertAlmostEqual(found["states"]["ei"], torque / 4, delta=1e-10)
        self.assertAlmostEqual(found["states"]["f"], torque, delta=1e-10)
        self.assertEqual(found["stability"], "asymptotically stable")
        # By Hurwitz: J s^4 + (J R + kd) s^3 + (k + kd R) s^2 + (k + kp) R s + ki R, J = m l^2, k = m g l cos r.
        J, k, R, kp, kd = 0.32, 2 * 9.81 * 0.4 * math.cos(0.9), 2, 5, 3
        a4, a3, a2, a1 = J, J * R + kd, k + kd * R, (k + kp) * R
        limit = a1 * (a3 * a2 - a4 * a1) / (a3 * a3) / R
        for ki, stability in ((0.99 * limit, "asymptotically stable"), (1.01 * limit, "unstable")):
            self.assertEqual(self.equilibrium(self.PID.format(ki=ki))["equilibrium"]["stability"], stability)

    def test_a_sampled_controller_rests_where_its_samples_change_nothing(self):
        text = """
model s
parameter  J = 0.05 kg*m^2, T = {T} s, g = 0.3 N*m
input      tau = 0 N*m
state      e held = 0 rad*s
coordinate th = 0.4 rad
frame      A = rotate(N, z, th)
body       A at No, mass 1 kg, inertia J, J, J
torque     drive on A = (tau - g)*N.z
sample     every T: tau = -3 N*m*th - 0.5 N*m*s*th' - 4 N*m/s*e, e = e + th*T
"""
        found = self.equilibrium(text.format(T=0.02))["equilibrium"]
        self.assertAlmostEqual(found["coordinates"]["th"], 0, delta=1e-12)
        self.assertAlmostEqual(found["states"]["e"], -0.3 / 4, delta=1e-12)
        self.assertEqual(found["stability"], "asymptotically stable")
        self.assertIn("discrete", found["stability_reason"])
        self.assertEqual(self.equilibrium(text.format(T=0.25))["equilibrium"]["stability"], "unstable")

    def test_a_state_that_cannot_rest_is_named(self):
        found = self.equilibrium("""
model m
parameter  k = 3 N/m
coordinate x = 0.2 m
state      e = 0 s, e' = 1 + exp(-e/(1 s))
particle   P at No + x*N.x, mass 1 kg
force      F on P = -k*x*N.x
""", status=3)["equilibrium"]
        self.assertIs(found["found"], False)
        self.assertIn("the law of the state e", found["reason"])


class Texts(Folder):
    def errors_of(self, text):
        result = visviva("check", self.write(text), "--json", cwd=self.folder)
        return json.loads(result.stdout).get("errors", [])

    def test_counts_of_one_file_count_in_others(self):
        loop = "for i in 1 to {}: coordinate q[i] = 0.1 rad\n"
        rest = """parameter m = 1 kg
for i in 1 to n: frame A[i] = rotate(N, z, q[i])
for i in 1 to n: particle P[i] at No + 1 m*A[i].x, mass m
"""
        self.write("count n = 3\n" + loop.format("n"), "part.viva")
        self.assertEqual(self.errors_of('model m\ninclude "part.viva"\n' + rest), [])
        self.write(loop.format("n"), "part.viva")
        self.assertEqual(self.errors_of('model m\ncount n = 3\ninclude "part.viva"\n' + rest), [])
        self.write("count k = 4\n", "part.viva")
        self.assertEqual(self.errors_of('model m\ninclude "part.viva"\ncount n = k - 1\n' + loop.format("n") + rest), [])
        self.write("count n = 4\n", "part.viva")
        self.assertEqual([e["code"] for e in self.errors_of('model m\ninclude "part.viva"\ncount n = 3\n' + loop.format("n") + rest)], ["E-name-twice"])

    def test_what_cannot_stand_in_a_case_is_told_before_it_is_chosen(self):
        self.write("x,k\n0,1\n1,2\n2,5\n", "t.csv")
        text = """model m
parameter k = 2 N/m, m = 1 kg
specified s(t) = 1 N
coordinate x = 1 m
particle P at No + x*N.x, mass m
force F on P = (s - k*x)*N.x
case one: {}
"""
        for change in ('k = table("t.csv", over x, unit N/m)', 'm = table("t.csv", unit kg)', "k = 2 N/m*x/(1 m)", "x = 1 m/s*t"):
            self.assertEqual([e["code"] for e in self.errors_of(text.format(change))], ["E-value-not-constant"], change)
        self.assertEqual([e["code"] for e in self.errors_of(text.format("s = 1 N/m*x"))], ["E-specified-depends"])
        for change in ("k = 3 N/m*(m/(1 kg))", "s = 1 N/s*t", 's = table("t.csv", unit N)', "x = about 2 m", "x' = 1 m/s"):
            self.assertEqual(self.errors_of(text.format(change)), [], change)


class Range(Folder):
    """A table over a place, whose first sample lies beyond the start."""

    MODEL = """model spring
parameter m = 1 kg
coordinate x = {} m, x' = 1 m/s
let F = table("force.csv", column "F", over x)
particle Q at No + x*N.x, mass m
force f on Q = -F*N.x
study until 1 s
"""

    def setUp(self):
        super().setUp()
        self.write("x [m],F [N]\n1,2\n2,3\n3,5\n4,4\n", "force.csv")

    def test_every_command_names_the_table_and_its_range(self):
        model = self.write(self.MODEL.format(0))
        for command in ("evaluate", "linearize", "simulate", "check", "energy"):
            with self.subTest(command):
                result = visviva(command, model, cwd=self.folder)
                told = " ".join((result.stdout + result.stderr).split())
                self.assertRegex(told, r"table '?F'? goes from x = 1 to 4 \(SI units\) and has no value at (this state, )?0")

    def test_inside_it_has_its_values(self):
        result = visviva("evaluate", self.write(self.MODEL.format(2)), "--json", cwd=self.folder)
        self.assertAlmostEqual(json.loads(result.stdout)["accelerations"]["x''"], -3, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
