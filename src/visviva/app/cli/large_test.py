"""Large mechanisms: what is printed stays readable and says what it leaves out, and nothing takes long."""

import json
import pathlib
import sys
import unittest

from program import ROOT, Folder, visviva

sys.path.insert(0, str(ROOT / "bench"))
from make_chain import make_chain  # noqa: E402

READABLE = 60_000  # characters


class LargeTest(Folder):
    def run_chain(self, kind, count, *arguments):
        model = self.write(make_chain(kind, count), f"{kind}_{count}.viva")
        done = visviva(arguments[0], model, *arguments[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_derivation_of_many_links_is_short_and_says_so(self):
        for method, form in (("kane", "text"), ("kane", "latex"), ("lagrange", "text"), ("hamilton", "text"),
                             ("newton-euler", "text")):
            with self.subTest(method=method, form=form):
                text = self.run_chain("planar", 30, "derive", "--method", method, "--format", form)
                self.assertLess(len(text), READABLE)
                self.assertIn("Numbers 1, 2 and 16 of 30." if method == "kane" else "of 30.", text)
                self.assertIn("--full", text)

    def test_full_writes_every_equation(self):
        full = self.run_chain("planar", 30, "derive", "--full")
        self.assertNotIn("The first", full)
        equations = full.split("\nEquations of motion\n")[1].split("\n\n")[0]
        self.assertEqual(equations.count(" = "), 30)
        self.assertIn("Where the terms come from", full)

    def test_small_mechanisms_are_written_in_full_anyway(self):
        for method in ("kane", "newton-euler"):
            with self.subTest(method):
                self.assertEqual(self.run_chain("planar", 4, "derive", "--method", method),
                                 self.run_chain("planar", 4, "derive", "--method", method, "--full"))

    def test_json_is_always_whole(self):
        answer = json.loads(self.run_chain("planar", 30, "derive", "--json"))
        self.assertEqual(len(answer["mass_matrix"]), 30)
        self.assertEqual(len(answer["forcing"]), 30)

    def test_the_energies_of_many_links_are_readable(self):
        text = self.run_chain("planar", 30, "energy")
        self.assertLess(len(text), READABLE)
        self.assertIn("All are in visviva energy --full.", text)
        self.assertGreater(len(self.run_chain("planar", 30, "energy", "--full")), len(text))

    # Every rod of a chain by absolute angles has the same row.
    def test_a_chain_prints_its_general_row_once(self):
        text = self.run_chain("absolute", 40, "derive")
        self.assertIn("z[2*k - 1]   = L*q[k]'^2*cos(q[k]) + z[2*k - 3]", text)
        rows = " ".join(text.split("Equations of motion")[1].split())
        self.assertIn("sum(k = 1 ... 20: 19.5*m*L^2*cos(q[k] - q21)*q[k]'')", rows)
        self.assertIn("sum(k = 22 ... 40: (81/2 - k)*m*L^2*cos(q21 - q[k])*q[k]'')", rows)
        self.assertLess(len(text), 6_000)

    def test_small_motions_of_many_links_leave_matrices_out(self):
        text = self.run_chain("planar", 30, "linearize")
        self.assertLess(len(text), READABLE)
        self.assertIn("linearize --full", text)
        self.assertIn("\nA\n", self.run_chain("planar", 30, "linearize", "--full"))

    def test_the_page_of_many_links_is_no_book(self):
        model = self.write(make_chain("planar", 40), "planar_40.viva")
        page = pathlib.Path(self.folder) / "page.html"
        done = visviva("report", model, "--until", "0.05", "--out", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text()
        self.assertLess(len(text), 1_500_000)
        self.assertIn("Numbers 1, 2 and 21 of 40.", text)
        self.assertIn("linearize", text)

    # Gravity has a moment about every pin; without it the chain's momentum about No is the only one that stays.
    def test_momenta_that_stay_are_found_and_others_are_not(self):
        model = make_chain("planar", 6)
        for text, expected in ((model, []), (model.replace("gravity -g*N.y\n", ""), ["p_q1", "angular_momentum(No).z"])):
            done = visviva("energy", self.write(text), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = [i["name"] for i in json.loads(done.stdout)["integrals"]
                     if i["name"].startswith(("p_", "linear", "angular"))]
            self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
