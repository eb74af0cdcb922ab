"""Tests of the program's exit statuses and of which stream it answers on."""

import os
import pty
import subprocess
import unittest

from program import Folder, visviva


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


class Terminal(Folder):
    def test_a_refusal_is_said_once(self):
        path = self.write("coordinate q\nframe B = rotate(N, y, q)\n"
                          "body B at No, mass 1 kg, inertia 1 kg*m^2, 0, 1 kg*m^2\nstudy until 1 s\n")
        command = [os.environ["VISVIVA_PROGRAM"], "simulate", str(path), "--out", str(self.folder / "run")]
        outside, inside = pty.openpty()
        with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside) as process:
            os.close(inside)
            said = b""
            while True:
                try:
                    more = os.read(outside, 4096)
                except OSError:
                    break
                said += more
                if not more:
                    break
        os.close(outside)
        self.assertIn(process.returncode, (1, 3), said)
        self.assertEqual(said.count(b"refused"), 1, said)
        # What is sent to a file still says it.
        result = visviva(*command[1:])
        self.assertIn("refused", result.stderr)


if __name__ == "__main__":
    unittest.main()
