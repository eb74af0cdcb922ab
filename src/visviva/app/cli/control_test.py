"""Models with states and samples where a command cannot take them, and tables that are asked outside of their samples."""

import json
import unittest

from program import Folder, visviva

ARM = """model arm
parameter J = 2 kg*m^2, k = 3 N*m
input tau = 0 N*m
coordinate q = 0.1 rad
frame B = rotate(N, z, q)
body B at No, mass 1 kg, inertia J, J, J
torque T on B = tau*B.z
"""


class Refusals(Folder):
    def errors_of(self, command, text, *options):
        result = visviva(command, self.write(text), "--json", *options, cwd=self.folder)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        return json.loads(result.stdout)["errors"]

    def test_an_exported_file_has_no_clock(self):
        found = self.errors_of("export", ARM + "sample every 2 ms: tau = -k*q\n", "--as", "c", "--out", "arm.c")
        self.assertEqual([e["code"] for e in found], ["E-export-samples"])

    def test_an_equilibrium_of_states_is_not_looked_for(self):
        found = self.errors_of("evaluate", ARM + "state ei = 0 s, ei' = -q\n", "--equilibrium")
        self.assertEqual([e["code"] for e in found], ["E-equilibrium-state"])
        self.assertIn("'ei'", found[0]["message"])


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
