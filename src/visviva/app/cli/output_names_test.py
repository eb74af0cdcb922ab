"""Tests of results in events, and of outputs that are named elsewhere."""

import json
import math
import unittest

from program import Folder, visviva

# Two particles on a line, pulled together: the distance is 0.8 m*cos(w t), w^2 = 2 k/m = 6/s^2.
PAIR = """
model pair
parameter m = 1 kg, k = 3 N/m
coordinate x = 1 m, y = 0 m, z = 0.2 m
particle P at No + x*N.x + y*N.y, mass m
particle Q at No + z*N.x, mass m
potential V = 1/2*k*dot(P - Q, P - Q)
constraint rail: dot(P - No, N.y) = 0
study until 1 s, every 0.1 s
"""
W = math.sqrt(6)


class OutputNames(Folder):
    def events_of(self, text):
        answer = visviva("simulate", self.write(PAIR + text), "--json", "--out", self.folder / "run", "--force")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        found = {}
        for e in json.loads(answer.stdout)["events"]:
            found.setdefault(e["name"], e["time"])
        return found

    def errors_of(self, text):
        answer = visviva("check", self.write(PAIR + text), "--json")
        return [e["code"] for e in json.loads(answer.stdout).get("errors", [])]

    def test_forces_moments_and_powers_stand_in_events(self):
        """The force on P is -k d with d = 0.8 m*cos(wt), and P moves by d/2; the work is k (d0^2 - d^2)/2."""
        found = self.events_of("event a when dot(force(V, P), N.x) = -1 N\nevent b when power(V, P) = 1 W\n"
                               "event c when work(V) = 0.3 J\nevent d when magnitude(force(V, Q)) = 2 N\n"
                               "event e when motor_free = 0 N\noutput motor_free = magnitude(reaction(rail)) - 1 N\n")
        self.assertAlmostEqual(found["a"], math.acos(1 / 2.4) / W, places=8)
        # k d * 0.4 m*w*sin(wt)
        self.assertAlmostEqual(found["b"], math.asin(1 / (2.4 * 0.4 * W / 2)) / (2 * W), places=8)
        self.assertAlmostEqual(found["c"], math.acos(math.sqrt(1 - 0.6 / (3 * 0.64))) / W, places=8)
        self.assertAlmostEqual(found["d"], math.acos(2 / 2.4) / W, places=8)
        self.assertNotIn("e", found)

    def test_names_of_outputs_stand_in_plots_and_events_and_outputs_in_any_order(self):
        text = ("event a when fx = -1 N\nevent b when pull.x = -1 N\nevent c when half = -0.5 N\nplot fx, pull.y, shown = 2*fx\n"
                "event d when shown = -2 N\noutput half = fx/2, fx = dot(pull, N.x), pull = force(V, P)\n")
        found = self.events_of(text)
        for name in "abcd":
            self.assertAlmostEqual(found[name], math.acos(1 / 2.4) / W, places=8)
        header = (self.folder / "run" / "trajectory.csv").read_text(encoding="utf-8").splitlines()[1].split(",")
        for column in ("half", "fx", "pull.x", "pull.y", "shown"):
            self.assertEqual(header.count(column), 1, header)
        page = self.folder / "page.html"
        self.assertEqual(visviva("report", self.write(PAIR + text), "--out", page).returncode, 0)

    def test_claims_may_name_outputs_in_expressions(self):
        sums = "output one = momentum(P), other = dot(momentum(Q), N.x)\n"
        self.assertEqual(self.errors_of(sums + "claim constant one.x + other\n"), [])
        self.assertEqual(self.errors_of(sums + "claim constant one.x - other\n"), ["E-claim-false"])

    def test_wrong_names_are_told(self):
        self.assertEqual(self.errors_of("output a = b, b = 2*a\n"), ["E-definition-cycle"] * 2)
        self.assertEqual(self.errors_of("output a = x\nevent e when b = 0 m\n"), ["E-name-unknown"])
        self.assertEqual(self.errors_of("output a = x\nplot a = 2*x\n"), ["E-name-twice"])
        self.assertEqual(self.errors_of("output a = x\nevent e when a.x = 0 m\n"), ["E-vector-expected"])
        self.assertEqual(self.errors_of("output a = x\nforce F on P = k*a*N.x\n"), ["E-name-unknown"])


class Components(Folder):
    """A component along N of any vector, wherever an expression is taken."""

    def test_components_in_every_place(self):
        model = PAIR.replace("potential V", "let r = P - Q\npotential V").replace("dot(P - Q, P - Q)", "(r.x^2 + (P - Q).y^2)") + (
            "output fx = force(V, P).x, twice = 2*force(V, Q).x, v = velocity(P).x, sum = (force(V, P) + force(V, Q)).x\n"
            "plot force(V, P).x\nevent slack when force(V, P).x = 0 N\n")
        model = model.replace("dot(P - No, N.y) = 0", "(P - No).y = 0")
        answer = visviva("simulate", self.write(model), "--json", "--out", self.folder / "run", "--force")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        events = json.loads(answer.stdout)["events"]
        self.assertAlmostEqual(events[0]["time"], math.pi / 2 / math.sqrt(6), places=7)
        found = json.loads(visviva("evaluate", self.write(model), "--json").stdout)["outputs"]
        self.assertAlmostEqual(found["fx"], -3 * 0.8, places=12)
        self.assertAlmostEqual(found["twice"], 2 * 3 * 0.8, places=12)
        self.assertEqual((found["v"], found["sum"]), (0, 0))

    def test_a_component_of_a_scalar_is_refused(self):
        for value in ("(x + z).x", "dot(P - Q, N.x).y", "(P).x"):
            with self.subTest(value):
                answer = visviva("check", self.write(PAIR + f"output w = {value}\n"))
                self.assertEqual(answer.returncode, 1)
                self.assertIn("E-vector-expected", answer.stderr)
                self.assertIn("has no component", answer.stderr)


if __name__ == "__main__":
    unittest.main()
