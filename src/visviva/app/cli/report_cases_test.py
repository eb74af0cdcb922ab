"""Tests of `visviva report --cases`: a panel for each case, with the run that `simulate --case` makes."""

import json
import re
import unittest

from program import EXAMPLES, Folder, visviva

DEVICE = EXAMPLES / "positioning_device.viva"
# What stays constant in the eight panels of Figure 34.1, by what Mitiguy, chapter 34, says beside it: E without damping where the
# tube is rigid, H without damping where Omega is constant. There C is constant too where both hold, which the text overlooks.
CONSTANT = {
    "constant_undamped": {"E_Z", "H"},
    "constant_damped": {"E_Z"},
    "constant_rigid_undamped": {"E_Z", "E", "H", "C"},
    "constant_rigid_damped": {"E_Z"},
    "ramp_undamped": {"E_Z"},
    "ramp_damped": {"E_Z"},
    "ramp_rigid_undamped": {"E_Z", "E"},
    "ramp_rigid_damped": {"E_Z"},
}
LEAST_CHANGE = 1e-6  # J; what is constant changes by rounding and tolerance, 1e-9, the rest by 1e-2 and more


class Cases(Folder):
    def panels(self, *arguments):
        """Name -> text of the panel."""
        page = self.folder / "page.html"
        result = visviva("report", DEVICE, "--out", page, "--force", "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        text = page.read_text(encoding="utf-8")
        parts = re.split(r'<h3 id="case-\d+">', text)[1:]
        return {p[:p.index("<")]: p for p in parts}, json.loads(result.stdout)

    def test_the_eight_panels_of_figure_34_1(self):
        panels, answer = self.panels("--cases", "all")
        self.assertEqual(list(panels), list(CONSTANT))
        self.assertEqual([c["name"] for c in answer["cases"]], list(CONSTANT))
        for name, text in panels.items():
            changes = re.search(r"Largest change from the start: ([^<]*)\.<", text)[1]
            found = {c.split()[0] for c in changes.split(", ") if float(c.split()[1]) < LEAST_CHANGE}
            self.assertEqual(found, CONSTANT[name], (name, changes))
            self.assertEqual(text.count('class="plot-picture"'), 1, name)

    def test_some_cases_by_name(self):
        panels, _ = self.panels("--cases", "ramp_damped, constant_damped")
        self.assertEqual(list(panels), ["ramp_damped", "constant_damped"])
        self.assertEqual(self.panels()[0], {})

    def test_unknown_cases_are_wrong_commands(self):
        for cases, model in (("ramp_damp", DEVICE), ("all", EXAMPLES / "simple_pendulum.viva")):
            result = visviva("report", model, "--cases", cases, cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("--cases", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_claims_are_proved_for_each_case(self):
        model = self.write("""
model claimed
parameter k = 0 N/m
coordinate x = 1 m, x' = 1 m/s
particle P at No + x*N.x, mass 1 kg
spring S from No to P, stiffness k
claim constant p_x for these values
study until 1 s, every 0.1 s
case stiff: k = 1 N/m
""")
        page = self.folder / "page.html"
        self.assertEqual(visviva("report", model, "--out", page, "--force").returncode, 0)
        answer = visviva("report", model, "--out", page, "--force", "--cases", "all")
        self.assertEqual(answer.returncode, 3, answer.stderr)
        self.assertIn("p_x", answer.stderr)

    def test_a_case_without_a_run_says_why(self):
        model = self.write("parameter m = 1 kg, k\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass m\n"
                           "spring S on x, stiffness k\nstudy until 1 s\ncase soft: k = 1 N/m\ncase heavy: m = 2 kg\n")
        result = visviva("report", model, "--cases", "all", "--out", self.folder / "page.html")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("case heavy: No run: a value is missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
