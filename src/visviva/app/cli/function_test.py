"""Tests of `function`: with a definition it is put in, without one equations have it and numbers refuse it."""

import json
import math
import unittest

from program import Folder, visviva

CAM = """
parameter  m = 1 kg
input      tau = 0.2 N*m
coordinate theta = 0.3 rad, theta' = 1.5 rad/s
frame      A = rotate(N, z, theta)
torque     T on A = tau*N.z
"""
ABSTRACT = CAM + "function   X(theta)\nparticle   Q at No + X(theta)*N.x, mass m\n"
DEFINED = CAM + "function   X(a) = 0.1 m*a + 0.02 m*sin(2*a)\nparticle   Q at No + X(theta)*N.x, mass m\n"


class Function(Folder):
    def ask(self, verb, model, *arguments, status=0):
        result = visviva(verb, self.write(model), "--json", *arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def test_the_equation_of_abstract_geometry(self):
        """Hogan, inertial mechanics: m X_a^2 theta'' + m X_a X_aa theta'^2 = tau."""
        result = visviva("derive", self.write(ABSTRACT))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("m*d(X, theta)^2*theta'' = tau - m*d(X, theta)*d(X, theta, theta)*theta'^2", result.stdout)
        found = self.ask("derive", ABSTRACT)
        self.assertEqual(found["mass_matrix"], [["m*d(X, theta)^2"]])
        latex = visviva("derive", self.write(ABSTRACT), "--format", "latex").stdout
        self.assertIn(r"\left(\frac{d X}{d \theta}\right)^{2}", latex)
        self.assertIn(r"\frac{d^{2} X}{d \theta^{2}}", latex)

    def test_what_is_printed_can_be_read_back(self):
        """The forcing, written into a model as a torque in the other direction, leaves nothing."""
        forcing = self.ask("derive", ABSTRACT)["forcing"][0]
        model = ABSTRACT + f"torque     S on A = -({forcing})*N.z\n"
        self.assertEqual(self.ask("derive", model)["forcing"], ["0"])
        inner = ABSTRACT.replace("X(theta)*N.x", "X(2*theta)*N.x")
        self.assertEqual(self.ask("derive", inner)["mass_matrix"], [["4*m*d(X, theta)(2*theta)^2"]])

    def test_methods_agree_and_energy_is_examined(self):
        several = CAM + ("coordinate s = 0 m\nfunction f(x, y)\n"
                         "particle Q at No + f(theta, s)*N.x + s*N.y, mass m\nparticle P at No + s*A.x, mass 2 kg\n")
        for model in (ABSTRACT, ABSTRACT.replace("X(theta)*N.x", "X(2*theta + 1)*N.x"), several):
            self.assertEqual(self.ask("prove", model)["verdict"], "equal")
            self.assertEqual(visviva("check", self.write(model)).returncode, 0)
        integrals = {i["name"]: i for i in self.ask("energy", ABSTRACT)["integrals"]}
        self.assertIs(integrals["E_Z"]["constant"], True)

    def test_mixed_derivatives_are_one_function(self):
        model = CAM + ("coordinate s = 0.1 m\nfunction f(x, y)\nparticle Q at No + s*N.x, mass m\n"
                       "potential V = 1 N*m*(d(f, x, y)(s, theta) - d(f, y, x)(s, theta))\n"
                       "particle P at No + f(s, theta)*N.y, mass m\n")
        self.assertEqual(self.ask("energy", model)["U"], "0")

    def test_constraints_by_functions_and_start_values(self):
        """Nothing is solved, and nothing said to move, by values that merely stand in for a function."""
        curve = ("parameter m = 1 kg\ncoordinate x = 1 m, y\nfunction f(x)\nparticle P at No + x*N.x + y*N.y, mass m\n"
                 "constraint curve: {}\ngravity -9.81 m/s^2*N.y\n")
        for condition in ("y = f(x)", "f(y) = f(x)^2/1 m", "f(y)*f(x) = 2 m^2"):
            model = curve.format(condition)
            answer = self.ask("check", model)
            self.assertEqual((answer["warnings"], answer["start_changes"]), ([], []), condition)
            self.assertEqual(self.ask("prove", model)["verdict"], "equal", condition)
        missing = "parameter m = 1 kg, L\ncoordinate x = 1 m, y\nparticle P at No + x*N.x + y*N.y, mass m\nconstraint y = 2*L\n"
        self.assertEqual(self.ask("check", missing)["start_changes"], [])

    def test_numbers_refuse_it_and_say_what_to_write(self):
        for arguments in (("simulate", "--until", "1", "--out", self.folder / "run"), ("evaluate",), ("linearize",),
                          ("export", "--as", "c", "--out", "-")):
            answer = visviva(arguments[0], self.write(ABSTRACT), *arguments[1:])
            self.assertEqual(answer.returncode, 1, arguments)
            self.assertIn("E-function-undefined", answer.stderr)
            self.assertIn("function X(theta) = ...", answer.stderr)
        page = visviva("report", self.write(ABSTRACT), "--out", self.folder / "page.html")
        self.assertEqual(page.returncode, 0, page.stderr)

    def test_a_definition_is_put_in(self):
        """theta'' = (tau - m X_a X_aa theta'^2)/(m X_a^2) with X_a = 0.1 + 0.04 cos 2a, X_aa = -0.08 sin 2a."""
        slope, bend = 0.1 + 0.04 * math.cos(0.6), -0.08 * math.sin(0.6)
        expected = (0.2 - slope * bend * 1.5**2) / slope**2
        found = self.ask("evaluate", DEFINED)["accelerations"]["theta''"]
        self.assertAlmostEqual(found, expected, delta=1e-12 * abs(expected))
        self.assertEqual(self.ask("simulate", DEFINED, "--until", "1", "--out", str(self.folder / "run"))["status"], "done")

    def test_derivatives_of_definitions(self):
        model = DEFINED + ("function g(x, y) = x^2*y + X(y)/1 m\nlet d = 3\n"
                           "output one = d(X, a)(theta), two = d(X, a, a)(2*theta), three = d(g, x, y)(2, 5), four = d*g(2, 0)\n")
        values = self.ask("evaluate", model)["outputs"]
        expected = {"one": 0.1 + 0.04 * math.cos(0.6), "two": -0.08 * math.sin(1.2), "three": 4.0, "four": 0.0}
        for name, value in expected.items():
            self.assertAlmostEqual(values[name], value, delta=1e-12)

    def test_mistakes_are_told_where_they_are(self):
        for line, code, words in (
                ("let z = X(theta, 2)", "E-function-arguments", "takes 1 argument, found 2"),
                ("let z = X", "E-function-arguments", "has no arguments"),
                ("let z = X'", "E-rate-unknown", "no prime"),
                ("let z = d(X, b)(1)", "E-function-arguments", "'b' is no argument"),
                ("let z = d(Y, theta)", "E-function-unknown", "'Y'"),
                ("function f(x) = f(x) + 1\nlet z = f(2)", "E-definition-cycle", "'f'"),
                ("function f(x) = 1 m + x^2*1 kg\nlet z = f(2)", "E-dimension-sum", "add"),
                ("function f(x) = 1 m + 1 kg", "E-dimension-sum", "add"),
                ("function f(x, x) = x", "E-name-twice", "'x'"),
                ("function sin(x) = x", "E-name-reserved", "'sin'"),
                ("function theta(x) = x", "E-name-twice", "'theta'"),
                ("function f", "E-syntax-expected", "arguments")):
            answer = self.ask("check", DEFINED + line + "\n", status=1)
            found = [(e["code"], e["message"]) for e in answer["errors"]]
            self.assertTrue(any(c == code and words in m for c, m in found), (line, found))


if __name__ == "__main__":
    unittest.main()
