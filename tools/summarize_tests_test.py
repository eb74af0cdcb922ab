"""Tests of summarize_tests on what ctest writes of skipped tests of both kinds."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.sax.saxutils

SCRIPT = pathlib.Path(__file__).resolve().parent / "summarize_tests"

GTEST = """[ RUN      ] Sundials.Steps
/src/sundials_runner_test.cpp:45: Skipped
built without SUNDIALS

[  SKIPPED ] Sundials.Steps (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Sundials.Steps
"""
UNREADABLE = GTEST.replace("built without SUNDIALS", "this user may read everything")

SCRIPT_OUTPUT = """test_c (__main__.Export.test_c) ... ok
test_octave (__main__.Export.test_octave) ... skipped "Octave isn't here"
test_numpy (__main__.Export.test_numpy)
A line that says more. ... noise
skipped 'NumPy is not here'
test_parts (__main__.Export.test_parts) ...
  test_parts (__main__.Export.test_parts) (method='kane') ... skipped 'NumPy is not here'

----------------------------------------------------------------------
Ran 4 tests in 0.001s

OK (skipped=3)
"""


def case(name, output="", status="run"):
    output = xml.sax.saxutils.escape(output)
    return f'<testcase name="{name}" status="{status}"><system-out>{output}</system-out></testcase>'


class SummarizeTests(unittest.TestCase):
    def summarize(self, *cases, ci=""):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tests.xml"
            file.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
            return subprocess.run([sys.executable, "-B", SCRIPT, file], capture_output=True, text=True, check=False,
                                  env={**os.environ, "CI": ci})

    def test_nothing_skipped(self):
        result = self.summarize(case("base.A.B"), case("base.A.C"), ci="true")
        self.assertEqual((result.returncode, result.stdout), (0, "skipped: 0 of 2 tests\n"))

    def test_compiled_tests_are_named_with_their_reasons(self):
        result = self.summarize(case("base.A.B"), case("simulation.Sundials.Steps", GTEST, "notrun"))
        self.assertEqual((result.returncode, result.stdout), (
            0, "skipped, built without SUNDIALS: simulation.Sundials.Steps\nskipped: 1 of 2 tests\n"))

    def test_tests_within_scripts_count_one_by_one(self):
        result = self.summarize(case("export_test", SCRIPT_OUTPUT), case("base.A.B"))
        self.assertEqual(result.stdout.splitlines(), [
            "skipped, NumPy is not here: export_test Export.test_numpy, export_test Export.test_parts",
            "skipped, Octave isn't here: export_test Export.test_octave",
            "skipped: 3 of 5 tests"])

    def test_a_failed_script_tells_its_skips_too(self):
        output = SCRIPT_OUTPUT.replace("OK (skipped=3)", "FAILED (failures=1, skipped=3)")
        self.assertIn("skipped: 3 of 4 tests\n", self.summarize(case("export_test", output, "fail")).stdout)

    def test_a_skip_whose_line_was_torn_is_counted(self):
        output = SCRIPT_OUTPUT.replace("skipped 'NumPy is not here'\ntest_parts", "skip\ntest_parts")
        result = self.summarize(case("export_test", output))
        self.assertIn("skipped, reason not found in the output: export_test\n", result.stdout)
        self.assertIn("skipped: 3 of 4 tests\n", result.stdout)

    def test_in_continuous_integration_a_skip_is_a_failure(self):
        for skipped in (case("simulation.Sundials.Steps", GTEST, "notrun"), case("export_test", SCRIPT_OUTPUT)):
            self.assertEqual(self.summarize(skipped, ci="true").returncode, 1)

    def test_in_continuous_integration_what_no_package_helps_may_be_skipped(self):
        result = self.summarize(case("text.Csv.Unreadable", UNREADABLE, "notrun"), ci="true")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
