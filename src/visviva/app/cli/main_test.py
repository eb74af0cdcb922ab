"""Tests of the program's exit statuses and of which stream it answers on."""

import unittest

from program import visviva


class CommandLine(unittest.TestCase):
    def assert_wrong_command(self, result, message):
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(message, result.stderr)
        self.assertIn("visviva --help", result.stderr)

    def test_help_goes_to_standard_output(self):
        result = visviva("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("Usage: visviva", result.stdout)

    def test_version_is_one_line(self):
        result = visviva("--version")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"\Avisviva \d+\.\d+\.\d+\n\Z")

    def test_unknown_command_is_named(self):
        self.assert_wrong_command(visviva("sweep", "model.viva"), "unknown command 'sweep'")

    def test_unknown_option_is_named(self):
        self.assert_wrong_command(visviva("--verbose"), "unknown option '--verbose'")

    def test_no_command_is_a_wrong_command(self):
        self.assert_wrong_command(visviva(), "no command given")


if __name__ == "__main__":
    unittest.main()
