"""Tests of check_layers on small trees made for the purpose."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK_LAYERS = pathlib.Path(__file__).resolve().parent / "check_layers"


def check(files):
    """Runs check_layers on a tree given as {path below src/visviva: text}."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, "src", "visviva", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", CHECK_LAYERS, "--root", root],
                              capture_output=True, text=True, check=False)


class CheckLayers(unittest.TestCase):
    def assert_rejected(self, files, *messages):
        result = check(files)
        self.assertEqual(result.returncode, 1, result.stdout)
        for message in messages:
            self.assertIn(message, result.stderr)

    def test_allowed_includes_pass_with_one_line(self):
        result = check({
            "base/error.h": "#include <string>\n",
            "symbolic/core/expr.cpp": '#include "visviva/base/error.h"\n#include "visviva/symbolic/core/expr.h"\n',
            "codegen/jit/emit.cpp": "#include <asmjit/x86.h>\n",
            "app/cli/main.cpp": '#include "visviva/text/parse.h"\n',
        })
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "layers: 4 files, every include allowed\n")
        self.assertEqual(result.stderr, "")

    def test_back_edge_is_rejected_with_place_and_choice(self):
        self.assert_rejected({"symbolic/core/expr.h": '#pragma once\n#include "visviva/model/body.h"\n'},
                             "src/visviva/symbolic/core/expr.h:2:", "symbolic must not include model",
                             "it may include: symbolic, base")

    def test_tests_obey_too(self):
        self.assert_rejected({"simulation/step_test.cpp": '# include "visviva/report/page/page.h"\n'},
                             "simulation must not include report")

    def test_what_tests_share_may_use_all_that_lies_below(self):
        below = '#include "visviva/text/load.h"\n'
        self.assertEqual(check({"kinematics/random_test.h": below, "kinematics/random_test_support.cpp": below}).returncode, 0)
        self.assert_rejected({"kinematics/random_support.cpp": below}, "kinematics must not include text")
        self.assert_rejected({"kinematics/random_test_support.cpp": '#include "visviva/equations/kane.h"\n'},
                             "kinematics must not include equations")

    def test_folders_of_a_layer_have_an_order(self):
        self.assert_rejected({"symbolic/core/a.h": '#include "visviva/symbolic/print/b.h"\n', "symbolic/print/b.h": ""},
                             "symbolic/core must not include symbolic/print", "it lies above")

    def test_files_that_include_each_other_are_named(self):
        self.assert_rejected({"base/a.h": '#include "visviva/base/b.h"\n', "base/b.h": "",
                              "base/b.cpp": '#include "visviva/base/a.h"\n'},
                             "in a circle: visviva/base/a, visviva/base/b")

    def test_report_must_not_see_text(self):
        self.assert_rejected({"report/page.cpp": '#include "visviva/text/parse.h"\n'},
                             "report must not include text")

    def test_short_quoted_include_is_rejected(self):
        self.assert_rejected({"base/error.cpp": '#include "error.h"\n'}, 'not "error.h"')

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assert_rejected({"base/error.cpp": "#include <visviva/app/app.h>\n"}, "with quotes")

    def test_dots_do_not_hide_an_include(self):
        self.assert_rejected({"base/a.cpp": '#include "visviva/base/../app/app.h"\n'}, "must not contain")

    def test_asmjit_stays_in_jit(self):
        self.assert_rejected({"codegen/c_printer.cpp": "#include <asmjit/x86.h>\n"},
                             "may be named only in codegen/jit/")

    def test_unknown_layer_is_rejected(self):
        self.assert_rejected({"helpers/a.h": ""}, "src/visviva/helpers: not a layer")
        self.assert_rejected({"base/a.h": '#include "visviva/helpers/a.h"\n'}, "no known layer")

    def test_every_problem_is_reported(self):
        self.assert_rejected({"base/a.h": '#include "visviva/app/a.h"\n#include "visviva/text/b.h"\n'},
                             "base/a.h:1:", "base/a.h:2:")


if __name__ == "__main__":
    unittest.main()
