"""Tests of `visviva check`, `new` and `explain`: what they print where, and how they exit."""

import json
import unittest

from program import EXAMPLES, Folder, visviva


# Bodies and particles, and degrees of freedom, counted by hand.
EXPECTED = {
    "compass": (["A", "B"], 1),
    "hoist": (["Q", "B"], 1),
    "positioning_device": (["C"], 2),
    "rotating_rod": (["P1", "P2"], 3),
    "cart_and_pendulum": (["Cart", "B"], 2),
    "double_pendulum": (["P1", "P2"], 2),
    "two_bodies_ball_joint": (["A", "B"], 9),
    "cantilever": (["Beam", "Tip"], 12),  # six elements, two slopes or places a node
    "elastic_pendulum": (["String", "Bob"], 6),
    "spin_up": (["Beam"], 8),
    "chaplygin_sleigh": (["A"], 2),
    "foucault_pendulum": (["Q"], 2),
    "four_bar": (["A", "B", "C"], 1),
    "governor": (["P", "Q", "C"], 1),
    "heavy_top": (["B"], 3),
    "kapitza_pendulum": (["Q"], 1),
    "rattleback": (["B"], 3),
    "rolling_disc": (["D"], 3),
    "satellite": (["B"], 3),
    "simple_pendulum": (["Q"], 1),
    "slider_crank": (["C", "S"], 1),
    "swinging_atwood": (["Q", "W"], 2),
}


# What motions reach: more than the degrees of freedom where rolling or a blade is nonholonomic. The sphere of the positioning device has a
# stretch and any orientation; its housing is driven.
ACCESSIBLE = {"chaplygin_sleigh": 3, "positioning_device": 4, "rattleback": 5, "rolling_disc": 5}


def example(name):
    return EXAMPLES / f"{name}.viva"


class Check(Folder):
    def check_json(self, *arguments, status=0):
        result = visviva("check", *arguments, "--json")
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        return json.loads(result.stdout)

    def test_every_example_is_here(self):
        self.assertEqual(sorted(EXPECTED), sorted(p.stem for p in EXAMPLES.glob("*.viva")))

    def test_examples_are_good(self):
        for name, (bodies, freedom) in EXPECTED.items():
            with self.subTest(name):
                result = visviva("check", example(name))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotIn("error[", result.stderr)
                lines = result.stdout.splitlines()
                self.assertIn(name, lines[0])
                shown = next(line for line in lines if line.strip().startswith("bodies"))
                for body in bodies:
                    self.assertIn(body, shown)
                self.assertRegex(result.stdout, rf"degrees of freedom +{freedom}\n")

    def test_json_is_one_object_and_nothing_else(self):
        for name, (bodies, freedom) in EXPECTED.items():
            with self.subTest(name):
                found = self.check_json(example(name))
                self.assertEqual(found["model"], name)
                self.assertEqual(found["degrees_of_freedom"], freedom)
                self.assertEqual(found["accessible_dimension"], ACCESSIBLE.get(name, freedom))
                self.assertEqual(len(found["bodies"]), len(bodies))

    def test_a_wrong_model_lists_all_its_errors(self):
        model = self.write("model wrong\nparameter L = 2 m\ncoordinate q = 1 rad\n"
                           "frame B = rotate(N, z, p)\npoint P = No + 2 kg*N.x\n")
        errors = self.check_json(model, status=1)["errors"]
        self.assertEqual([(e["line"], e["file"]) for e in errors], [(4, str(model)), (5, str(model))])
        for error in errors:
            self.assertLessEqual({"code", "file", "line", "column", "message", "help"}, set(error))
            self.assertRegex(error["code"], r"\AE-[a-z-]+\Z")
            self.assertGreater(error["column"], 0)

    def test_a_wrong_model_shows_line_and_carets_and_prints_nothing_else(self):
        model = self.write("model wrong\nframe B = rotate(N, z, theta)\n")
        result = visviva("check", model)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("frame B = rotate(N, z, theta)", result.stderr)
        self.assertIn("^^^^^", result.stderr)
        self.assertIn("E-name-unknown", result.stderr)
        self.assertIn(f"{model}:2:24", result.stderr)

    def test_a_missing_file_is_a_wrong_model(self):
        errors = self.check_json(self.folder / "none.viva", status=1)["errors"]
        self.assertEqual([e["code"] for e in errors], ["E-file-missing"])
        self.assertEqual(visviva("check", self.folder / "none.viva").returncode, 1)
        self.assertEqual(visviva("check", self.folder).returncode, 1)

    def test_set_changes_a_value(self):
        for setting in ("L=0.7 m", "L = 0.7 m", "L=70 cm", "L=0.7"):
            constant = self.check_json(example("hoist"), "--set", setting)["constant"]
            self.assertTrue(any(c in ("L = 7/10 m", "L = 0.7 m") for c in constant), constant)

    def test_set_is_repeatable(self):
        constant = self.check_json(example("hoist"), "--set", "L=2", "--set", "mB=3")["constant"]
        self.assertIn("L = 2 m", constant)
        self.assertIn("mB = 3 kg", constant)

    def test_what_cannot_be_set_is_an_error(self):
        for setting, code in (("Q=1", "E-set-unknown"), ("L=1 kg", "E-dimension-definition"),
                              ("L=*", "E-set-form")):
            errors = self.check_json(example("hoist"), "--set", setting, status=1)["errors"]
            self.assertEqual([e["code"] for e in errors], [code], setting)

    def test_a_case_changes_the_degrees_of_freedom(self):
        device = example("positioning_device")
        for case, freedom in (("constant_damped", 2), ("constant_rigid_damped", 1),
                              ("ramp_rigid_undamped", 1), ("ramp_undamped", 2)):
            found = self.check_json(device, "--case", case)
            self.assertEqual(found["degrees_of_freedom"], freedom, case)

    def test_an_unknown_case_is_an_error_with_help(self):
        errors = self.check_json(example("positioning_device"), "--case", "constant_dampd",
                                 status=1)["errors"]
        self.assertEqual([e["code"] for e in errors], ["E-case-unknown"])
        self.assertIn("constant_damped", errors[0]["help"])


class WrongCommands(Folder):
    def test_exit_with_status_two(self):
        for arguments in (["check"], ["check", "a.viva", "b.viva"], ["check", "a.viva", "--jsn"],
                          ["check", example("hoist"), "--set", "L"],
                          ["check", example("hoist"), "--set", "=2"],
                          ["check", example("hoist"), "--set"], ["check", "--case"], ["explain"],
                          ["new"], ["chek", "a.viva"], ["serve"], ["sweep"], ["--jsn"]):
            with self.subTest(arguments):
                result = visviva(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertIn("visviva", result.stderr)

    def test_help_is_everywhere(self):
        for arguments in ([], ["check"], ["new"], ["explain"]):
            result = visviva(*arguments, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            self.assertIn("Usage", result.stdout)


class NewAndExplain(Folder):
    def test_a_new_model_is_good(self):
        result = visviva("new", "swing", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        checked = visviva("check", self.folder / "swing.viva")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        self.assertRegex(checked.stdout, r"degrees of freedom +1\n")

    def test_new_keeps_what_exists(self):
        model = self.write("mine", "swing.viva")
        self.assertEqual(visviva("new", "swing", cwd=self.folder).returncode, 2)
        self.assertEqual(model.read_text(encoding="utf-8"), "mine")

    def test_new_refuses_what_is_no_name(self):
        for name in ("2swing", "a b", "a-b", ""):
            self.assertEqual(visviva("new", name, cwd=self.folder).returncode, 2, name)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_explain_tells_what_a_code_means(self):
        result = visviva("explain", "E-name-unknown")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("E-name-unknown", result.stdout)

    def test_explain_refuses_an_unknown_code(self):
        result = visviva("explain", "E-name-unknwn")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("E-name-unknown", result.stderr)


if __name__ == "__main__":
    unittest.main()
