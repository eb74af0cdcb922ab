"""Tests of the third law where constraints hold: rows that vanish only together, their branches, and what is not determined."""

import json
import re
import unittest

import numpy as np

from interactions_test import ARMS, AXES, PLACES, rotation, two_bodies
from program import Folder, visviva


MEETING = {"zyx": ((0.93, 0.05, 0.2), (2.21, -0.05, 0.2)), "zxz": ((0.5, 0.1, 0.43), (1.2, 0.1, 1.01)),
           "space xyz": ((0.2, 0.05, 0.93), (0.2, -0.05, 2.21))}


def arms(sequence, more):
    """Two pendulums in space from two points of the ground, each by three angles: no coordinate can be solved for. Their ends nearly meet."""
    lines = ["model arms", "parameter l = 0.5 m", "gravity -9.81 m/s^2*N.y"]
    for name, place, angles in zip("AB", (0.0, 0.6), MEETING[sequence]):
        q = [f"{name.lower()}{i}" for i in range(3)]
        lines += ["coordinate " + ", ".join(f"{n} = about {a} rad, {n}' = about {0.1 + a} rad/s" for n, a in zip(q, angles)),
                  f"frame {name} = rotate(N, {sequence}, {', '.join(q)})", f"point O{name} = No + {place} m*N.x",
                  f"body {name} at O{name} + l/2*{name}.x, mass 1 kg, inertia 0.02 kg*m^2, 0.03 kg*m^2, 0.04 kg*m^2",
                  f"point P{name} = O{name} + l*{name}.x"]
    return "\n".join(lines) + "\n" + more


FOUR_BAR = """
model four_bar
parameter a = 0.3 m, b = 0.7 m, c = 0.6 m, e = 0.8 m
coordinate q1 = 60 deg, q1' = 2 rad/s, q2 = about 20 deg, q3 = about 70 deg
frame A = rotate(N, z, q1)
frame B = rotate(N, z, q2)
frame C = rotate(N, z, q3)
point O2 = No + e*N.x
point PA = No + a*A.x
point PB = PA + b*B.x
point PC = O2 + c*C.x
body A at No + a/2*A.x, mass 1 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2
body B at PA + b/2*B.x, mass 1 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2
body C at O2 + c/2*C.x, mass 1 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2
gravity -9.81 m/s^2*N.y
"""


class ThirdLaw(Folder):
    def ask(self, text):
        answer = visviva("interactions", self.write(text), "--json")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return {i["name"]: i for i in json.loads(answer.stdout)["interactions"]}

    def centers(self, bodies):
        """Places of mass centers at the start, by `evaluate`."""
        answer = visviva("evaluate", self.folder / "model.viva", "--json")
        outputs = json.loads(answer.stdout)["outputs"]
        return {B: np.array(outputs[f"at{B}"]) for B in bodies}

    # ---- Rows that vanish together

    def assert_holds(self, found, names, evidence="constraints"):
        for name in names:
            law = found[name]["third_law"]
            self.assertEqual((name, law["holds"], law["evidence"]), (name, True, evidence))

    def test_a_ball_joint_by_three_rows_of_arms(self):
        """(PA - PB) · n_i = 0 leaves lambda_i (PA - PB) x n_i, which is zero where all three hold: by axes of the ground, of a body and mixed."""
        rows = "\n".join("constraint b{}: dot(PA - PB, {}) = 0".format(k, "{}") for k in "xyz")
        for sequence in ("zyx", "zxz", "space xyz"):
            for axes, fixed in ((("N.x", "N.y", "N.z"), "bx by bz"), (("A.x", "N.y", "B.z + N.x"), "by bz"),
                                (("2*N.x + N.y", "N.y - 3*N.z", "A.x"), "bx by")):
                with self.subTest(sequence=sequence, axes=axes):
                    found = self.ask(arms(sequence, rows.format(*axes) + "\nforce wind on PA = 3 N*N.x + 2 N*N.z\noutput atA = Acm - No, atB = Bcm - No\n"))
                    self.assert_holds(found, fixed.split())
                    # (24) by NumPy, with forces that are not zero.
                    x = self.centers("AB")
                    for i in (found[name] for name in ("bx", "by", "bz")):
                        F = {B: np.array(i["on"][B]["force"]) for B in "AB"}
                        M = {B: np.array(i["on"][B]["moment"]) for B in "AB"}
                        self.assertGreater(np.linalg.norm(F["A"]), 0.01)
                        np.testing.assert_allclose(F["B"], -F["A"], atol=1e-9)
                        np.testing.assert_allclose(M["B"] + M["A"] + np.cross(x["A"] - x["B"], F["A"]), 0, atol=1e-9)
                    for name in {"bx", "by", "bz"} - set(fixed.split()):
                        self.assertEqual(found[name]["third_law"]["evidence"], "identity")

    def together(self, kind, more):
        """Two bodies whose points P and Q are at one place."""
        x = PLACES[0] + rotation(*AXES[0]) @ ARMS[0] - rotation(*AXES[1]) @ ARMS[1]
        values = ", ".join(f"{n}B = {float(v)!r} m" for n, v in zip("xyz", x))
        return re.sub("coordinate xB.*", f"coordinate {values}", two_bodies(kind, more))

    def test_free_bodies_in_three_parametrisations(self):
        joint = """
constraint bx: dot(P - Q, A.x) = 0
constraint by: dot(P - Q, B.y) = 0
constraint bz: dot(P - Q, N.z) = 0
"""
        axes = """
constraint ax: dot(A.x - B.x, N.x) = 0
constraint ay: dot(A.x - B.x, N.y) = 0
constraint az: dot(A.x - B.x, N.z) = 0
"""
        for kind in ("quaternion", "rodrigues", "angles"):
            with self.subTest(kind):
                # Elsewhere the three rows hold where their axes lie in a plane, and P - Q does not vanish: another branch.
                self.assertIs(self.ask(two_bodies(kind, joint))["bz"]["third_law"]["holds"], False)
                self.assert_holds(self.ask(self.together(kind, joint)), ["bz"])
                # Three rows of rank two: their multipliers are not determined, the law is.
                self.assert_holds(self.ask(two_bodies(kind, axes)), ("ax", "ay", "az"))

    def test_a_loop_by_two_rows(self):
        for sides in (("dot(PB - PC, N.x)", "dot(PB - PC, N.y)"),
                      ("dot(PB - PC, N.x + 2*N.y)", "dot(PB - PC, N.x - N.y)"),
                      ("dot(PB - PC, A.x)/(2 m)", "dot(PB - PC, N.y)*b")):
            with self.subTest(sides):
                found = self.ask(FOUR_BAR + "constraint lx: {} = 0\nconstraint ly: {} = 0\n".format(*sides))
                self.assertIs(found["lx"]["third_law"]["holds"], True)
                self.assert_holds(found, ["ly"])
        # By coordinates: the turns of the rods take -lambda (a sin q1 + b sin q2 - c sin q3) = 0, and lambda e of the other row.
        found = self.ask(FOUR_BAR + "constraint lx: a*cos(q1) + b*cos(q2) - c*cos(q3) = e\n"
                         "constraint ly: a*sin(q1) + b*sin(q2) - c*sin(q3) = 0\n")
        self.assert_holds(found, ["lx"])
        self.assertIs(found["ly"]["third_law"]["holds"], False)

    def test_a_distance_between_the_points_breaks_it(self):
        """(PA - PB) · N.y = 0.1 m: the other rows leave lambda 0.1 m times an axis."""
        text = arms("zyx", "constraint bx: dot(PA - PB, N.x) = 0\nconstraint by: dot(PA - PB, N.y) = 0.1 m\n"
                    "constraint bz: dot(PA - PB, N.z) = 0\n")
        found = self.ask(text)
        self.assertEqual([found[n]["third_law"]["holds"] for n in ("bx", "by", "bz")], [False, True, False])
        law = found["bx"]["third_law"]
        np.testing.assert_allclose(law["moment"], [0, 0, -0.1 * found["bx"]["on"]["A"]["force"][0]], atol=1e-9)
        # One row left out: nothing keeps the points together along z.
        found = self.ask("\n".join(line for line in text.splitlines() if not line.startswith("constraint bz")))
        self.assertEqual([found[n]["third_law"]["holds"] for n in ("bx", "by")], [False, False])

    def test_a_couple_vanishes_where_a_joint_holds(self):
        """F on PA from PB leaves (PA - PB) x F; where PA = PB is kept it is a third law, elsewhere it is not."""
        force = "parameter T = 3 N\nforce F on PA from PB = {}\n"
        for law, evidence in (("T*N.x", "constraints"), ("T*A.y", "numeric"), ("T*exp(sin(a0))*N.z", "numeric")):
            with self.subTest(law):
                found = self.ask(arms("zyx", "constraint ball: PA - PB = 0\n" + force.format(law)))
                self.assert_holds(found, ["F"], evidence)
        self.assertIn("found by numbers, not proved", visviva("interactions", self.folder / "model.viva").stdout)
        text = (self.folder / "model.viva").read_text(encoding="utf-8")
        checked = visviva("check", self.write(text + "claim third_law F\n"))
        self.assertEqual(checked.returncode, 0)
        self.assertIn("W-claim-undecided", checked.stderr)
        found = self.ask(arms("zyx", "constraint rod: magnitude(PA - PB) = 0.3 m\n" + force.format("T*N.x")))
        self.assertIs(found["F"]["third_law"]["holds"], False)

    def test_motion_rows_of_points_apart_leave_a_moment(self):
        """(v_P - v_Q) · A.x = 0: opposite forces along A.x at P and Q, and the couple (P - Q) x lambda A.x."""
        for kind in ("quaternion", "rodrigues", "angles"):
            with self.subTest(kind):
                found = self.ask(two_bodies(kind, "constraint c: dot(velocity(P) - velocity(Q), A.x) = 0\n"))["c"]
                self.assertEqual((found["breaks"], found["third_law"]["holds"]), (["rotation"], False))
                self.assertIs(found["with_ground"]["holds"], True)

    def test_the_text_says_where_it_holds(self):
        model = self.write(FOUR_BAR + "constraint lx: dot(PB - PC, N.x) = 0\nconstraint ly: dot(PB - PC, N.y) = 0\n"
                           "claim third_law lx, third_law ly\n")
        text = visviva("interactions", model).stdout
        self.assertEqual(text.count("forces and moments add up to zero wherever the constraints hold (proved)"), 2)
        checked = visviva("check", model, "--strict")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_identity_is_written_with_what_is_left(self):
        """(24), (25): moments about mass centers, arms from there to the last body's; a particle has no moment of its own."""
        text = self.text(two_bodies("angles", "potential V = 1/2*k*dot(P - Q, P - Q)\npotential W = c*dot(A.z, B.x)\n"))
        self.assertIn("F(B) = -F(A), M(B) = -M(A) - (Acm - Bcm) x F(A); left [0, 0, 0] N and [", text)
        self.assertIn("  M(B) = -M(A); left [0, 0, 0] N and [", text)
        text = self.text("model noll\ncoordinate x = 1 m, y = 2 m\nparticle P at No + x*N.x, mass 1 kg\n"
                         "particle Q at No + y*N.y, mass 1 kg\nspring S from P to Q, stiffness 3 N/m, rest 0 m\n"
                         "spring G from Q to No, stiffness 3 N/m, rest 0 m\n")
        self.assertIn("F(Q) = -F(P), 0 = -(P - Q) x F(P); left [0, 0, 0] N and [0, 0, 0] N*m.", text)
        self.assertIn("F(N) = -F(Q)", text)

    def text(self, model):
        answer = visviva("interactions", self.write(model))
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return answer.stdout

    # ---- Power and time

    def test_constraints_have_no_power_though_their_multipliers_are_open(self):
        """(21): four legs' worth of redundant rows, and a push that a guide takes up."""
        found = self.ask("model push\nunknown T1\ncoordinate x = 0 m, x' = 0.2 m/s, y = 0.1 m\n"
                         "particle P at No + x*N.x + y*N.y, mass 2 kg\nforce g on P = T1*N.y\nconstraint c: y = 0.1 m\n")
        self.assertEqual(found["c"]["on"]["P"]["force"], [0, None, 0])
        self.assertEqual(found["c"]["power"], 0)
        found = self.ask(FOUR_BAR + "constraint l: PB - PC = 0\nconstraint again: dot(PB - PC, A.x) = 0\n")
        self.assertIn(None, found["again"]["on"]["B"]["force"])
        self.assertEqual((found["l"]["power"], found["again"]["power"]), (0, 0))
        self.assertIn("All its forces and moments together have the power 0 W.", visviva("interactions", self.folder / "model.viva").stdout)
        # What a row gives explicitly it works with: -lambda c, which is open with lambda.
        found = self.ask("model belt\nunknown T1\ncoordinate x = 0 m, x' = 0.3 m/s\nparticle P at No + x*N.x, mass 2 kg\n"
                         "force g on P = T1*N.x\nconstraint c: x' = 0.3 m/s\n")
        self.assertIsNone(found["c"]["power"])

    def test_what_is_carried_is_told_from_what_is_driven(self):
        """A turntable carries P along; Q is driven and nothing else."""
        found = self.ask("""
model table
specified w(t) = 0.4 + 0.7 rad/s*t, h(t) = 0.2 m + 0.1 m/s*t
coordinate x = 0.4 m
frame T = rotate(N, z, w)
body T at No, mass 3 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
particle P at No + x*T.x, mass 0.5 kg
particle Q at No + h*N.y, mass 0.5 kg
spring S from P to Q, stiffness 3 N/m, rest 0 m
""")["S"]["time"]
        self.assertEqual((sorted(found["bodies"]), found["carried"]), (["P", "Q"], ["P"]))
        r = 0.4 * np.array([np.cos(0.4), np.sin(0.4)]) - [0, 0.2]
        on_P, on_Q = -3 * r @ (0.4 * 0.7 * np.array([-np.sin(0.4), np.cos(0.4)])), 3 * r[1] * 0.1
        self.assertAlmostEqual(found["shares"]["P"], on_P, places=12)
        self.assertAlmostEqual(found["shares"]["Q"], on_Q, places=12)
        self.assertAlmostEqual(found["power"], on_P + on_Q, places=12)

    def test_the_classes_of_the_proposition(self):
        """(39)-(42): W(x, t) alone determines no force; with a row that moves one multiplier follows; a row that does not move changes nothing."""
        model = """
model moved
specified h(t) = 0.1 m + 0.3 m/s*t
coordinate x = 0 m, y = 0.1 m, y' = 0.3 m/s, z = 0 m
particle P at No + x*N.x + y*N.y + z*N.z, mass 1 kg
point S = No + h*N.y
potential V = 1/2*(3 N/m)*(x - 0.2 m*sin(t/(1 s)))^2
potential U1 = 1/2*(3 N/m)*x^2
"""
        for more, determined, words in (("", False, "virtual work was used"), ("constraint c: z = 0\n", False, "virtual work was used"),
                                        ("constraint c: y = h\n", True, "one multiplier of which follows from the others")):
            with self.subTest(more):
                found = self.ask(model + more)
                self.assertIs(found["V"]["determined_by_power"], determined)
                self.assertIs(found["U1"]["determined_by_power"], True)
                self.assertIn(words, self.text(model + more))


if __name__ == "__main__":
    unittest.main()
