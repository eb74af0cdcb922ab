"""Tests of `visviva evaluate --along` and `--until`: inverse dynamics over time against closed forms, the files that a motion may come from,
what the constraints make of it, and what is refused. Splines through cubic polynomials are exact, so that closed forms need no spline."""

import csv
import json
import math
import pathlib
import unittest

from program import Folder, visviva

EXACT = 1e-9  # positions are solved to rounding; a spline's second derivative loses a few digits to the distance of its samples

ARM = """
model arm "Two rods in the plane"
parameter  m1 = 2 kg, m2 = 1.5 kg, L1 = 0.6 m, L2 = 0.4 m, g = 9.81 m/s^2
coordinate q1, q2
frame      A = rotate(N, z, q1)
frame      B = rotate(A, z, q2)
body       A at No + L1/2*A.x, mass m1, rod length L1 along x
point      P = No + L1*A.x
body       B at P + L2/2*B.x, mass m2, rod length L2 along x
gravity    -g*N.y
output     tip = dot(P + L2*B.x - No, N.x)
"""


def q1(t):
    return 0.3 + 0.9 * t - 0.7 * t**2 + 0.5 * t**3, 0.9 - 1.4 * t + 1.5 * t**2, -1.4 + 3 * t


def q2(t):
    return -0.5 + 0.2 * t + 1.1 * t**2 - 0.8 * t**3, 0.2 + 2.2 * t - 2.4 * t**2, 2.2 - 4.8 * t


def arm_torques(t):
    """The torques of both joints, and the force on B at P: Newton's and Euler's laws for two rods."""
    m1, m2, L1, L2, g = 2, 1.5, 0.6, 0.4, 9.81
    (a, da, dda), (b, db, ddb) = q1(t), q2(t)
    s = a + b
    ds, dds = da + db, dda + ddb
    # Accelerations of the middles.
    ax1 = -L1 / 2 * (math.sin(a) * dda + math.cos(a) * da**2)
    ay1 = L1 / 2 * (math.cos(a) * dda - math.sin(a) * da**2)
    ax2 = 2 * ax1 - L2 / 2 * (math.sin(s) * dds + math.cos(s) * ds**2)
    ay2 = 2 * ay1 + L2 / 2 * (math.cos(s) * dds - math.sin(s) * ds**2)
    force = m2 * ax2, m2 * (ay2 + g)
    torque2 = m2 * L2**2 / 12 * dds + L2 / 2 * (math.cos(s) * force[1] - math.sin(s) * force[0])
    base = m1 * ax1 + force[0], m1 * (ay1 + g) + force[1]
    torque1 = (m1 * L1**2 / 12 * dda + torque2 + L1 / 2 * (math.cos(a) * base[1] - math.sin(a) * base[0])
               + L1 / 2 * (math.cos(a) * force[1] - math.sin(a) * force[0]))
    return torque1, torque2, force


class Along(Folder):
    def write_motion(self, columns, times, name="motion.csv", above="", separator=","):
        rows = [separator.join(repr(x) for x in [t, *(f(t) for f in columns.values())]) for t in times]
        return self.write(above + separator.join(["t", *columns]) + "\n" + "\n".join(rows) + "\n", name)

    def write_arm_motion(self, **how):
        return self.write_motion({"q1": lambda t: q1(t)[0], "q2": lambda t: q2(t)[0]}, [0.05 * k for k in range(21)], **how)

    def evaluate(self, model, *options):
        result = visviva("evaluate", model, *options, "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stdout[:3000] + result.stderr)
        return json.loads(result.stdout)

    def refuse(self, model, *options, status=1):
        result = visviva("evaluate", model, *options, "--json", cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stdout[:2000] + result.stderr)
        return json.loads(result.stdout)["errors"]

    def assert_near(self, found, expected, delta=EXACT):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta * max(1, abs(b)))

    # ---- Against closed forms

    def test_an_arm_has_the_torques_of_newton_and_euler(self):
        found = self.evaluate(self.write(ARM), "--along", self.write_arm_motion())
        v = found["values"]
        self.assertEqual(len(v["t"]), 21)
        exact = [arm_torques(t) for t in v["t"]]
        self.assert_near(found["motors"]["q1"]["force"], [e[0] for e in exact])
        self.assert_near(found["motors"]["q2"]["force"], [e[1] for e in exact])
        self.assert_near(v["power(q2)"], [e[1] * q2(t)[1] for t, e in zip(v["t"], exact)])
        self.assert_near(v["q1''"], [q1(t)[2] for t in v["t"]])
        self.assert_near([f[0] for f in found["reactions"]["P"]["force"]], [e[2][0] for e in exact])
        self.assert_near([f[1] for f in found["reactions"]["P"]["force"]], [e[2][1] for e in exact])
        # What acts at P on the second rod is the bearing's force and the motor's torque.
        self.assert_near([m[2] for m in found["reactions"]["P"]["moment"]], [e[1] for e in exact])
        self.assert_near(v["tip"], [0.6 * math.cos(q1(t)[0]) + 0.4 * math.cos(q1(t)[0] + q2(t)[0]) for t in v["t"]])
        self.assertEqual(found["motors"]["q1"]["unit"], "N*m")
        # The work is what kinetic and potential energy gain.
        gain = found["energies"]["K"]["end"] - found["energies"]["K"]["start"]
        height = [2 * 0.3 * math.sin(q1(t)[0]) + 1.5 * (0.6 * math.sin(q1(t)[0]) + 0.2 * math.sin(q1(t)[0] + q2(t)[0])) for t in (0, 1)]
        work = sum(found["motors"][q]["work"][-1] for q in ("q1", "q2"))
        self.assertAlmostEqual(work, gain + 9.81 * (height[1] - height[0]), delta=1e-8)

    def test_a_motion_from_a_file_and_a_specified_one_ask_for_the_same(self):
        specified = ARM.replace("coordinate q1, q2", """
specified  q1(t) = 0.3 + 0.9*t/(1 s) - 0.7*t^2/(1 s^2) + 0.5*t^3/(1 s^3), q2(t) = -0.5 + 0.2*t/(1 s) + 1.1*t^2/(1 s^2) - 0.8*t^3/(1 s^3)""")
        followed = self.evaluate(self.write(ARM), "--along", self.write_arm_motion())["values"]
        own = self.evaluate(self.write(specified, "own.viva"), "--until", "1", "--every", "0.05")["values"]
        shared = [name for name in own if name in followed and name != "E_Z" and name != "Z"]
        for name in ("motor(q1)", "power(q2)", "work(q1)", "reaction(P).x", "moment(P).z", "reaction(No).y", "moment(Bcm).z", "tip"):
            self.assertIn(name, shared)
        for name in shared:
            self.assert_near(followed[name], own[name], 1e-8)

    def test_a_slider_crank_follows_its_crank(self):
        model = self.write("""
model slider "A crank, a rod and a piston"
parameter  r = 0.1 m, L = 0.35 m, m = 0.8 kg
coordinate th = 1 rad, be = about 0.2 rad, x = about 0.4 m
frame      A = rotate(N, z, th)
frame      B = rotate(N, z, -be)
particle   S at No + x*N.x, mass m
constraint rod: No + r*A.x + L*B.x - S = 0
output     multiplier(rod)
""")
        motion = self.write_motion({"th [deg]": lambda t: math.degrees(1 + 2 * t - t**2)}, [0.02 * k for k in range(51)],
                                   above="# a comment of the bench\n")
        found = self.evaluate(model, "--along", motion)
        self.assertEqual(found["along"]["follows"], ["th"])
        self.assertEqual(found["along"]["free"], 0)
        for t, torque, x in zip(found["values"]["t"], found["motors"]["th"]["force"], found["values"]["x"]):
            th, w, dw = 1 + 2 * t - t**2, 2 - 2 * t, -2
            s, c = math.sin(th), math.cos(th)
            along = math.sqrt(0.35**2 - (0.1 * s)**2)
            x1 = -0.1 * s - 0.01 * s * c / along
            x2 = -0.1 * c - 0.01 * (c * c - s * s) / along - (0.01 * s * c)**2 / along**3
            self.assertAlmostEqual(x, 0.1 * c + along, delta=1e-10)
            self.assertAlmostEqual(torque, 0.8 * (x1 * dw + x2 * w * w) * x1, delta=1e-9)

    def test_what_is_not_in_the_file_moves_by_itself(self):
        free = """
model cart
parameter  m = 1 kg, M = 3 kg, l = 0.7 m, g = 9.81 m/s^2
coordinate x = 0 m, a = 0.4 rad
frame      A = rotate(N, z, a)
particle   C at No + x*N.x, mass M
particle   Q at C - l*A.y, mass m
gravity    -g*N.y
study      until 1 s, every 0.1 s, tolerance 1e-11
"""
        driven = free.replace("coordinate x = 0 m, a", "specified  x(t) = 0.8 m/s^2*t^2 - 0.3 m/s^3*t^3\ncoordinate a")
        motion = self.write_motion({"x": lambda t: 0.8 * t**2 - 0.3 * t**3}, [0.1 * k for k in range(11)])
        followed = self.evaluate(self.write(free), "--along", motion)
        own = self.evaluate(self.write(driven, "own.viva"), "--until", "1")
        self.assertEqual(followed["along"]["free"], 1)
        for name in ("a", "motor(x)", "power(x)"):
            self.assert_near(followed["values"][name], own["values"][name], 1e-7)

    def test_a_free_motion_asks_for_nothing(self):
        model, largest = self.write(ARM + "study until 0.5 s, tolerance 1e-12\n"), {}
        for every in (0.004, 0.002, 0.001):
            run = visviva("simulate", model, "--out", "run", "--every", every, "--set", "q1=1", "--set", "q2=-0.4", cwd=self.folder)
            self.assertEqual(run.returncode, 0)
            found = self.evaluate(model, "--along", self.folder / "run/trajectory.csv")
            self.assertEqual(found["along"]["follows"], ["q1", "q2"])
            inside = slice(round(0.05 / every), -round(0.05 / every))
            largest[every] = max(abs(x) for q in ("q1", "q2") for x in found["motors"][q]["force"][inside])
        # Inside of the ends the second derivative of a spline errs by the square of the distance of samples.
        self.assertLess(largest[0.001], 3e-5 * 9.81 * (2 * 0.3 + 1.5 * 0.8))
        for every in (0.004, 0.002):
            self.assertAlmostEqual(largest[every] / largest[every / 2], 4, delta=0.2)

    def test_states_and_springs_go_on(self):
        model = self.write("""
model m
parameter J = 0.5 kg*m^2, k = 3 N*m
coordinate q = 0 rad
state     e = 0.2 s, e' = q - e/(2 s)
frame     A = rotate(N, z, q)
body      A at No, mass 1 kg, inertia J, J, J
spring    S on q, stiffness k, rest 0 rad
output    e
""")
        motion = self.write_motion({"q": lambda t: 0.3 * t**2}, [0.1 * k for k in range(11)])
        found = self.evaluate(model, "--along", motion)
        self.assert_near(found["motors"]["q"]["force"], [0.5 * 0.6 + 3 * 0.3 * t**2 for t in found["values"]["t"]])
        # e' + e/2 = 0.3 t^2 has 0.6 t^2 - 2.4 t + 4.8 and a decaying part.
        self.assert_near(found["values"]["e"], [0.6 * t**2 - 2.4 * t + 4.8 + (0.2 - 4.8) * math.exp(-t / 2) for t in found["values"]["t"]], 1e-7)

    # ---- Files

    def test_units_and_separators_are_those_of_tables(self):
        model = self.write(ARM)
        exact = self.evaluate(model, "--along", self.write_arm_motion())["motors"]["q1"]["force"]
        degrees = {"q1": lambda t: math.degrees(q1(t / 1000)[0]), "q2": lambda t: math.degrees(q2(t / 1000)[0])}
        ms = [50.0 * k for k in range(21)]
        for how in ({"above": "# ms,deg,deg\n"}, {"above": "\ufeff# ms;deg;deg\n", "separator": ";"}):
            found = self.evaluate(model, "--along", self.write_motion(degrees, ms, name="other.csv", **how))
            self.assert_near(found["motors"]["q1"]["force"], exact, 1e-8)
            self.assertAlmostEqual(found["values"]["t"][-1], 1.0)

    def test_a_motion_may_begin_at_another_time(self):
        model = self.write(ARM)
        late = {"q1": lambda t: q1(t - 12.5)[0], "q2": lambda t: q2(t - 12.5)[0]}
        found = self.evaluate(model, "--along", self.write_motion(late, [12.5 + 0.05 * k for k in range(21)]))
        self.assertEqual(found["values"]["t"][0], 12.5)
        self.assert_near(found["motors"]["q2"]["force"], [arm_torques(t - 12.5)[1] for t in found["values"]["t"]], 1e-8)
        own_time = self.write(ARM + "force F on P = 1 N*sin(1 rad/s*t)*N.x\n", "own.viva")
        self.assertEqual([e["code"] for e in self.refuse(own_time, "--along", self.folder / "motion.csv")], ["E-along-time"])

    def test_rows_are_written_and_can_be_read_back(self):
        model, motion = self.write(ARM), self.write_arm_motion()
        found = self.evaluate(model, "--along", motion, "--out", "rows.csv")
        self.assertEqual(found["files"], ["rows.csv"])
        with open(self.folder / "rows.csv", encoding="utf-8", newline="") as file:
            units, names, *rows = list(csv.reader(file))
        self.assertEqual(units[0], "# s")
        column = names.index("motor(q1)")
        self.assertEqual(units[column], "N*m")
        self.assertEqual([float(row[column]) for row in rows], found["motors"]["q1"]["force"])
        again = self.evaluate(model, "--along", self.folder / "rows.csv")
        self.assert_near(again["motors"]["q1"]["force"], found["motors"]["q1"]["force"], 1e-7)
        self.assertEqual(visviva("evaluate", model, "--along", motion, "--out", "motion.csv", cwd=self.folder).returncode, 2)

    def test_columns_that_follow_from_others_are_compared(self):
        model = self.write(ARM + "constraint q1 + q2 = 1 rad\n")
        motion = self.write_motion({"q1": lambda t: 0.3 + t, "q2": lambda t: 0.7 - t + 0.01 * t**2}, [0.1 * k for k in range(11)])
        found = self.evaluate(model, "--along", motion)
        self.assertEqual(found["along"]["follows"], ["q1"])
        [other] = found["along"]["determined"]
        self.assertEqual(other["name"], "q2")
        self.assertAlmostEqual(other["deviation"], 0.01, delta=1e-9)
        text = visviva("evaluate", model, "--along", motion, cwd=self.folder).stdout
        self.assertIn("q2 follows from the constraints; the file's is at most 0.01 away", text)

    def test_rows_at_other_times_are_asked_for(self):
        model, motion = self.write(ARM), self.write_arm_motion()
        found = self.evaluate(model, "--along", motion, "--every", "0.25", "--until", "0.5")
        self.assertEqual(found["values"]["t"], [0, 0.25, 0.5])
        self.assert_near(found["motors"]["q1"]["force"], [arm_torques(t)[0] for t in (0, 0.25, 0.5)])

    # ---- What is refused

    def test_files_that_are_no_motion_are_refused(self):
        model = self.write(ARM)
        for text, code in (("q1,q2\n0,0\n1,1\n", "E-table-column"), ("t,x\n0,0\n1,1\n", "E-table-column"), ("0,0\n1,1\n", "E-table-column"),
                           ("t,q1\n0,0\n0,1\n", "E-table-time"), ("t,q1\n0,0\n1,nan\n", "E-table-number"), ("t,q1\n0,0\n", "E-table-rows"),
                           ("t,q1 [m]\n0,0\n1,1\n", "E-dimension-table"), ("t [m],q1\n0,0\n1,1\n", "E-dimension-table")):
            errors = self.refuse(model, "--along", self.write(text, "bad.csv"))
            self.assertEqual([e["code"] for e in errors], [code], text)
            self.assertIn("bad.csv", errors[0]["message"])
        self.assertEqual([e["code"] for e in self.refuse(model, "--along", "none.csv")], ["E-table-file"])

    def test_what_is_kept_already_cannot_follow(self):
        model = self.write(ARM + "lock q1\nlock q2\n")
        self.assertEqual([e["code"] for e in self.refuse(model, "--along", self.write_arm_motion())], ["E-along-nothing"])
        for option in (["--equilibrium"], ["--inverse", "q1''=1"]):
            result = visviva("evaluate", model, "--along", "motion.csv", *option, cwd=self.folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn("of one state", result.stderr)

    def test_the_page_has_the_motors(self):
        model, motion = self.write(ARM), self.write_arm_motion()
        result = visviva("report", model, "--along", motion, "--out", "page.html", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertIn("motor(q1)", page)
        self.assertIn("power(q2)", page)


if __name__ == "__main__":
    unittest.main()
