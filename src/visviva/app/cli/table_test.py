"""Tables: which files may be read, what is said about the others, and what a table is outside of its rows."""

import json
import math
import os
import unittest

from program import Folder, visviva

MODEL = """model driven
parameter m = 1 kg
specified F(t) = {}
coordinate x = 0 m
particle Q at No + x*N.x, mass m
force P on Q = F*N.x
study until 3 s, every 0.5 s, tolerance 1e-12
"""
MOVED = """model moved
parameter m = 1 kg, k = 100 N/m
specified s(t) = {}
coordinate x = 0 m
particle Q at No + (s + x)*N.x, mass m
spring S on x, stiffness k, rest 0 m
study until 2 s, tolerance 1e-10
"""


def rows(function, first, last, count):
    times = [first + (last - first) * i / count for i in range(count + 1)]
    return "".join(f"{t!r},{function(t)!r}\n" for t in times)


class Tables(Folder):
    def table(self, text, name="force.csv"):
        (self.folder / name).write_text(text, encoding="utf-8")

    def run_model(self, table, *arguments, model=MODEL, command="simulate", status=0):
        file = self.write(model.format(table))
        out = ["--out", self.folder / "run", "--force"] if command == "simulate" else []
        result = visviva(command, file, "--json", *out, *arguments, cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return json.loads(result.stdout)


class Range(Tables):
    """F = 2 N/s t until 1 s: v = t^2, x = t^3/3 there."""

    def setUp(self):
        super().setUp()
        self.table(rows(lambda t: 2 * t, 0, 1, 10))

    def test_hold_keeps_the_last_value(self):
        final = self.run_model('table("force.csv", unit N, hold)')["final"]
        self.assertAlmostEqual(final["x'"], 1 + 2 * 2, delta=1e-9)
        self.assertAlmostEqual(final["x"], 1 / 3 + 2 + 2 * 2**2 / 2, delta=1e-9)

    def test_hold_keeps_the_first_value(self):
        self.table("2,5\n2.5,5\n3,5\n4,5\n")
        self.assertAlmostEqual(self.run_model('table("force.csv", unit N, hold)', "--until", "1")["final"]["x'"], 5, delta=1e-9)
        found = self.run_model('table("force.csv", unit N, hold)', command="evaluate")
        self.assertAlmostEqual(found["accelerations"]["x''"], 5, delta=1e-12)

    def test_periodic_goes_on(self):
        # sin(2 pi t) N: x(3) = 3/(2 pi) m. The curve is off by less than 5/384 h^4 (2 pi)^4.
        self.table(rows(lambda t: math.sin(2 * math.pi * t), 0, 1, 100))
        for sampled in ('table("force.csv", unit N, periodic)', 'table("late.csv", unit N, periodic)'):
            self.table(rows(lambda t: math.sin(2 * math.pi * t), 7.25, 8.25, 100), "late.csv")
            final = self.run_model(sampled)["final"]
            bound = 5 / 384 * 1e-8 * (2 * math.pi)**4
            self.assertAlmostEqual(final["x"], 3 / (2 * math.pi), delta=bound * 4.5)
            self.assertAlmostEqual(final["x'"], 0, delta=bound * 3)

    def test_a_motion_may_be_periodic(self):
        # m x'' = -k x - m s'' with s = A cos(w t), from rest: x = B (cos w t - cos w0 t), B = A w^2/(w0^2 - w^2).
        A, w, w0 = 0.1, 2 * math.pi, 10.0
        self.table(rows(lambda t: A * math.cos(w * t), 0, 1, 400))
        final = self.run_model('table("force.csv", unit m, periodic)', model=MOVED)["final"]
        B = A * w**2 / (w0**2 - w**2)
        self.assertAlmostEqual(final["x"], B * (1 - math.cos(2 * w0)), delta=1e-5)

    def test_without_a_rule_the_run_ends_with_the_table(self):
        for table in 'table("force.csv", unit N)', 'table("force.csv", unit N, error)':
            for method in "auto", "radau5", "dopri5", "variational":
                found = self.run_model(table, "--method", method, status=3)
                self.assertEqual((found["status"], found["t_end"]), ("refused", 1.0), method)
                self.assertIn("the table of F goes from t = 0 s to 1 s and has no value at t = 3 s", found["reason"])
                self.assertAlmostEqual(found["final"]["x"], 1 / 3, delta=1e-4 if method == "variational" else 1e-9)
        self.assertEqual(self.run_model('table("force.csv", unit N)', "--until", "1")["status"], "done")

    def test_a_table_that_ends_at_the_start_is_asked_later(self):
        self.table("-1,2\n-0.5,3\n0,5\n")
        self.assertIn("goes from t = -1 s to 0 s and has no value at t = 3 s", self.run_model('table("force.csv", unit N)', status=3)["reason"])

    def test_a_table_that_does_not_reach_the_start(self):
        self.table("1,2\n2,3\n3,5\n")
        for command in "check", "evaluate", "linearize", "simulate", "energy":
            found = self.run_model('table("force.csv", unit N)', command=command, status=1)
            self.assertEqual([e["code"] for e in found["errors"]], ["E-table-range"])
            self.assertIn("the table of 'F' goes from t = 1 s to 3 s and has no value at the start, t = 0", found["errors"][0]["message"])

    def test_ends_of_a_periodic_table_agree(self):
        found = self.run_model('table("force.csv", unit N, periodic)', command="check", status=1)
        self.assertEqual(found["errors"][0]["code"], "E-table-values")

    def test_a_motion_that_stops_at_once_does_so_by_an_impulse(self):
        # s' falls from 2 m/s to 0 and x' rises by as much, without a change of x: x = 0.2 m sin(w0 (t - 1 s)).
        self.table(rows(lambda t: 2 * t, 0, 1, 10), "motion.csv")
        found = self.run_model('table("motion.csv", unit m, hold)', model=MOVED)
        self.assertEqual([round(i["time"], 12) for i in found["impulses"]], [1.0])
        self.assertAlmostEqual(found["final"]["x"], 0.2 * math.sin(10.0), delta=1e-8)
        # One that starts at once, at 1 s, and goes on.
        self.table(rows(lambda t: 2 * (t - 1), 1, 3, 10), "motion.csv")
        found = self.run_model('table("motion.csv", unit m, hold)', model=MOVED)
        self.assertEqual([round(i["time"], 12) for i in found["impulses"]], [1.0])
        self.assertAlmostEqual(found["final"]["x"], -0.2 * math.sin(10.0), delta=1e-8)

    def test_a_table_that_nothing_asks_ends_no_run(self):
        idle = MOVED.replace("specified", 'specified r(t) = table("force.csv", unit m)\nspecified', 1)
        self.table(rows(lambda t: 2 * t, 0, 2, 10), "motion.csv")
        found = self.run_model('table("motion.csv", unit m)', model=idle)
        self.assertEqual(found["status"], "done")
        # One that ends at rest goes on: s = (1 - cos(pi t))/2 m until 1 s, then 1 m; afterwards x swings freely.
        self.table(rows(lambda t: (1 - math.cos(math.pi * t)) / 2, 0, 1, 400), "motion.csv")
        final = self.run_model('table("motion.csv", unit m, hold)', model=MOVED)["final"]
        w, w0 = math.pi, 10.0
        B = -w**2 / 2 / (w0**2 - w**2)
        x, v = B * (-1 - math.cos(w0)), B * w0 * math.sin(w0)
        self.assertAlmostEqual(final["x"], x * math.cos(w0) + v / w0 * math.sin(w0), delta=1e-5)

    def test_two_rules_are_one_too_many(self):
        found = self.run_model('table("force.csv", unit N, hold, periodic)', command="check", status=1)
        self.assertIn("E-table-option", [e["code"] for e in found["errors"]])


class Paths(Tables):
    SECRET = "root:$6$abcdefgh:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\nbin:*:1:0:99999:7:::\n"

    def setUp(self):
        super().setUp()
        self.top = self.folder
        self.folder = self.top / "model"
        self.folder.mkdir()
        (self.top / "outside.csv").write_text("0,1\n1,2\n9,3\n", encoding="utf-8")

    def errors(self, path, *arguments):
        return self.run_model(f'table("{path}", unit N)', *arguments, command="check", status=1)["errors"]

    def test_only_files_below_the_models_folder_are_read(self):
        (self.folder / "link.csv").symlink_to(self.top / "outside.csv")
        (self.folder / "data").mkdir()
        self.table("0,1\n1,2\n9,3\n", "data/inside.csv")
        for path in "../outside.csv", self.top / "outside.csv", "link.csv", "/etc/shadow", "/etc/nothing", "data/../../outside.csv":
            found = self.errors(path)
            self.assertEqual([e["code"] for e in found], ["E-table-file"])
            self.assertIn("is not in the model's folder or below it", found[0]["message"])
            self.assertIn("--tables FOLDER", found[0]["help"])
        for path in "data/inside.csv", "./data/../data/inside.csv", self.folder / "data/inside.csv":
            self.run_model(f'table("{path}", unit N)', command="check")

    def test_a_file_that_is_not_there_is_called_missing(self):
        for cwd, path in ((self.folder, "model.viva"), (self.top, "model/model.viva")):
            self.errors("nothing.csv")  # writes the model
            found = json.loads(visviva("check", path, "--json", cwd=cwd).stdout)["errors"]
            self.assertEqual([e["code"] for e in found], ["E-table-file"])
            self.assertIn("nothing.csv", found[0]["message"])
            self.assertNotIn("folder", found[0]["message"])

    def test_an_option_widens_it(self):
        for path in "../outside.csv", self.top / "outside.csv":
            self.run_model(f'table("{path}", unit N)', "--tables", self.top, command="check")
        self.run_model('table("../outside.csv", unit N)', "--tables", self.folder, "--tables", "..", command="check")
        self.errors("/etc/shadow", "--tables", self.top)

    def test_what_is_no_table_is_not_quoted(self):
        for text in (self.SECRET, "secret token\n", "user,password\nalice,hunter2\nbob,hunter3\n", "a b c\n" * 2000 + "1 2 3\n"):
            self.table(text, "secret.csv")
            for options in "", ", column 2", ', column "password"', ", column 9":
                found = self.run_model('table("secret.csv"' + options + ", unit N)", command="check", status=1)
                words = json.dumps(found)
                for word in "root", "abcdef", "secret token", "hunter", "alice", "a b":
                    self.assertNotIn(word, words)
                self.assertRegex(words, "is not a table|a table needs at least 2 rows")

    def test_a_table_with_a_bad_cell_is_quoted(self):
        self.table("t,F\n0,1\n1,two\n2,3\n", "bad.csv")
        self.assertIn('"two" is not a number', self.errors("bad.csv")[0]["message"])

    def test_fifos_and_devices_are_refused(self):
        os.mkfifo(self.folder / "pipe.csv")
        self.assertIn("not an ordinary file", self.errors("pipe.csv")[0]["message"])
        self.errors("/dev/zero", "--tables", "/dev")
        self.errors("/dev/stdin", "--tables", "/")


class Changes(Tables):
    """Tables in cases and in --set."""

    def test_a_table_that_is_not_there_is_told_wherever_it_stands(self):
        for case in 'F = table("nowhere.csv", unit N)', 'm = table("nowhere.csv", unit kg)', 'x = table("nowhere.csv", unit m)':
            model = MODEL + f"case other: {case}\n"
            for options in [], ["--case", "other"]:
                self.run_model("1 N", *options, model=model, command="check", status=1)
        self.table("0,1\n1,2\n9,3\n")
        found = self.run_model("1 N", model=MODEL + 'case other: F = table("force.csv", unit m)\n', command="check", status=1)
        self.assertEqual(found["errors"][0]["code"], "E-dimension-table")

    def test_set_takes_tables_for_functions_of_time_only(self):
        self.table("0,3\n1,4\n9,5\n")
        found = self.run_model("1 N", "--set", 'F=table("force.csv", unit N)', command="evaluate")
        self.assertAlmostEqual(found["accelerations"]["x''"], 3, delta=1e-12)
        for setting in ('m=table("force.csv")', 'x=table("force.csv")', "x'=table(\"force.csv\")", 'm=1 kg + table("force.csv")',
                        'F=1 N + table("force.csv")', 'F=table("nowhere.csv")', "F=table(column 2)", 'F=table("force.csv", column 0)',
                        'm=reaction(Q)', 'm=rotate(N, z, 1)'):
            found = self.run_model("1 N", "--set", setting, command="evaluate", status=1)
            self.assertNotEqual(found["errors"], [], setting)
            self.assertIn("--set", found["errors"][0]["message"])


class Angles(Folder):
    def warnings(self, text, *arguments):
        result = visviva("check", self.write(text), "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return [w["message"] for w in json.loads(result.stdout)["warnings"] if w["code"] == "W-angle-large"]

    def test_a_bare_number_beyond_a_full_turn_is_told(self):
        rod = ("model a\ncoordinate {}\nparameter k = 40\nframe B = rotate(N, z, th)\n"
               "body B at No - 1 m*B.y, mass k*1 kg, rod length 1 m along y\n")
        for value in "th = 45", "th = -90", "th = 6.4":
            self.assertEqual(len(self.warnings(rod.format(value))), 1, value)
        for value in "th = 45 deg", "th = 45 rad", "th = 6.2", "th = 1, th' = 45 rad/s", "th = 20*pi":
            self.assertEqual(self.warnings(rod.format(value)), [], value)
        self.assertEqual(len(self.warnings(rod.format("th = 1"), "--set", "th=45")), 1)
        self.assertEqual(self.warnings(rod.format("th = 1"), "--set", "th=45 deg"), [])

    def test_angles_are_those_that_turn_something(self):
        text = ("model b\ncoordinate q = 90\nparameter {}\nparticle P at No + 1 m*sin(2*q + a)*N.x + {}*N.y, mass 1 kg\n")
        self.assertEqual(len(self.warnings(text.format("a = 0.1, n = 50", "n*1 m"))), 1)
        self.assertEqual(len(self.warnings(text.format("a = 30, n = 50", "1 m*cos(n*a)"))), 2)

    # What an angle is equal to is an angle: a parameter that it starts from, the other terms of a sum, the other side of an equation.
    def test_what_an_angle_has_its_value_from_is_one(self):
        text = ("model c\n{}\nframe B = rotate(N, z, th)\nframe E = rotate(B, z, ps)\n"
                "body E at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2\n{}\n")
        start = "coordinate th = 0.1, ps"
        for declared, more in (("parameter a = 45\ncoordinate th = a, ps", ""), ("parameter a = 90/2, b = a\ncoordinate th = -b, ps", ""),
                               ("parameter a = 45\ncoordinate th = about a, ps", ""), (start, "constraint th + ps = 45"),
                               (start, "constraint 2*th - ps - 45 = 0"), (start, "potential V = 1 J*(th - 45)^2"),
                               (start, "parameter r = 45\nspring S on ps, stiffness 1 N*m, rest r"),
                               (start, "event e when th - ps = 45"),
                               ("coordinate ps\nspecified th(t) = 45*sin(1 rad/s*t)", ""),
                               ("coordinate ps\nspecified th(t) = 0.1 + 45*cos(1 rad/s*t)", "")):
            with self.subTest((declared, more)):
                self.assertEqual(len(self.warnings(text.format(declared, more))), 1)
                for unit in " deg", " rad":
                    with_unit = text.format(declared, more).replace("45", "45" + unit).replace("90/2", f"90{unit}/2")
                    self.assertEqual(self.warnings(with_unit), [])
        for declared, more in (("parameter a = 45\ncoordinate th = a*1 deg, ps", ""), (start, "potential V = 45 J*th^2"),
                               (start, "potential V = 1 J*(th/(10*pi) - 45)^2"), (start, "constraint th - 10*ps = 0"),
                               (start, "event e when sin(th) = 45"), ("coordinate ps, x = 45\nparameter th = 1", "potential V = 1 J*(x + 45)^2")):
            self.assertEqual(self.warnings(text.format(declared, more)), [], (declared, more))


if __name__ == "__main__":
    unittest.main()
