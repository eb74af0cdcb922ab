"""Tests of claims: proved where they can be, watched along runs where they cannot."""

import json
import math
import unittest

from program import Folder, visviva

# A particle on a rod from No, in a plane.
ROD = """
model rod
parameter L = 0.8 m, m = 2 kg
coordinate x = 0.48 m, y = -0.64 m
particle P at No + x*N.x + y*N.y, mass m
gravity -9.81 m/s^2*N.y
constraint rod: x^2 + y^2 = L^2
study until 1 s, every 0.01 s
"""

# 2 L^2 lambda = m g y - m v^2: true, but lambda is solved for in a run only.
TENSION = "2*L^2*multiplier(rod) - m*9.81 m/s^2*y + m*(x'^2 + y'^2) + 1 J"

# A particle that a central force holds, in space.
ORBIT = """
model orbit
parameter k = 3 N*m^2, m = 2 kg
coordinate x = 1 m, y = 0 m, z = 0.2 m, x' = 0.1 m/s, y' = 1.1 m/s, z' = 0.3 m/s
particle P at No + x*N.x + y*N.y + z*N.z, mass m
let r = magnitude(P - No)
potential V = -k/r
output spin = dot(angular_momentum(P, No), N.x), away = r
study until 3 s, every 0.05 s
"""


class Claims(Folder):
    def run_model(self, text, *options):
        answer = visviva("simulate", self.write(text), "--json", "--out", self.folder / "run", "--force", *options)
        return answer.returncode, json.loads(answer.stdout)

    def check(self, text, *options):
        answer = visviva("check", self.write(text), "--json", *options)
        found = json.loads(answer.stdout)
        return answer.returncode, [d["code"] for d in found.get("errors", [])] + [
            w["code"] for w in found.get("warnings", []) if w["code"].startswith("W-claim")]

    # ---- What can be claimed

    def test_any_scalar_can_be_claimed_constant(self):
        for claim in ("angular_momentum(No).z", "dot(angular_momentum(P, No), N.y)", "spin", "K + V", "H", "m*(x*y' - y*x')",
                      "1/2*m*dot(velocity(P), velocity(P)) - k/r", "magnitude(angular_momentum(P, No))", "2*C + 1 J",
                      "C, constant spin"):
            with self.subTest(claim):
                text = ORBIT.replace("K + V", "C") + f"claim constant {claim.replace('K + V', 'K + U')}\n"
                self.assertEqual(self.check(text), (0, []))

    def test_results_whose_rates_are_known_are_decided(self):
        """Two particles on a spring that a dashpot brakes: C - work(D) stays, and so does the sum of opposite forces."""
        pair = ("model pair\nparameter m = 1 kg, k = 3 N/m, c = 0.2 N*s/m\ncoordinate a = 0 m, b = 1 m, b' = 0.3 m/s\n"
                "particle A at No + a*N.x, mass m\nparticle B at No + b*N.x, mass 2*m\nlet r = B - A\n"
                "potential V = 1/2*k*r.x^2\ndamper D from A to B, rate c\noutput pull = force(V, A)\n")
        for claim in ("2*E_Z", "E_Z + 1 J", "C - work(D)", "K - work(V) - work(D)", "force(V, A).x + force(V, B).x", "pull.x - k*r.x",
                      "(pull + force(V, B)).y", "work(V) + 1/2*k*r.x^2", "power(V) - power(V, A) - power(V, B)"):
            with self.subTest(claim):
                self.assertEqual(self.check(pair + f"claim constant {claim}\n"), (0, []))
        for claim in ("force(V, A).x", "power(V, A)", "work(D)", "C", "C + work(D)", "K - work(V)"):
            with self.subTest(claim):
                self.assertEqual(self.check(pair + f"claim constant {claim}\n"), (1, ["E-claim-false"]))

    def test_what_is_not_constant_is_refuted(self):
        for claim in ("away", "dot(P - No, N.x)", "p_x", "K", "linear_momentum.z", "x'", "angular_momentum(P).z"):
            with self.subTest(claim):
                code, found = self.check(ORBIT + f"claim constant {claim}\n")
                self.assertEqual((code, found), (1, ["E-claim-false"]) if claim != "angular_momentum(P).z" else (code, found))

    def test_the_rate_shows_that_it_is_not_constant(self):
        answer = visviva("check", self.write(ORBIT + "claim constant x + 2*y\n"))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("its rate is x' + 2*y'", answer.stderr)

    def test_what_is_false_has_a_witness(self):
        """Rates as numbers, at the start or where they do not vanish: E' = -c x'^2 - k (x - h) h', p_x' = -c x' - k (x - h)."""
        text = ("model braked\nparameter c = 0.2 N*s/m, k = 3 N/m\nspecified h(t) = 0.1 m*sin(2 rad/s*t)\n"
                "coordinate x = 1 m, y = 0 m, x' = 0.3 m/s\nparticle P at No + x*N.x + y*N.y, mass 1 kg\n"
                "potential S = 1/2*k*(x - h)^2\nforce D on P = -c*velocity(P)\n")
        for claim, words in (("constant E", "its rate is -0.618 at the start"),
                             ("constant C", "its rate is -0.618 at the start"),
                             ("constant p_x", "-3.06 at the start"),
                             ("constant y", "at y' = "),
                             ("invariant S", "it leaves [-3, 0, 0] N")):
            with self.subTest(claim):
                answer = visviva("check", self.write(text + f"claim {claim}\n"))
                self.assertEqual(answer.returncode, 1)
                self.assertIn(words, answer.stderr)

    def test_claims_of_linear_momentum(self):
        free = "model free\ncoordinate a = 0 m, b = 1 m, a' = 1 m/s\nparticle A at No + a*N.x, mass 1 kg\n" \
               "particle B at No + b*N.x, mass 3 kg\nspring s from A to B, stiffness 4 N/m, rest 0.5 m\n"
        self.assertEqual(self.check(free + "claim constant linear_momentum.x\n"), (0, []))
        self.assertEqual(self.check(free + "claim constant p_a + p_b\n"), (0, []))
        self.assertEqual(self.check(free + "claim constant p_a\n"), (1, ["E-claim-false"]))

    def test_wrong_claims_are_told(self):
        for claim, code in (("P - No", "E-scalar-expected"), ("nobody", "E-claim-subject"), ("dot(P - No, N.x).z", "E-vector-expected"),
                            ("angular_momentum(No).w", "E-axis-unknown"), ("angular_momentum(No)", "E-scalar-expected")):
            with self.subTest(claim):
                self.assertEqual(self.check(ORBIT + f"claim constant {claim}\n"), (1, [code]))

    def test_the_angular_momentum_of_all_is_for_results_only(self):
        self.assertEqual(self.check(ORBIT.replace("let r =", "let j = angular_momentum(No)\nlet r ="))[0], 1)
        answer = visviva("evaluate", self.write(ORBIT + "output angular_momentum(No)\n"), "--json")
        found = json.loads(answer.stdout)["outputs"]["angular_momentum(No)"]
        self.assertAlmostEqual(found[2], 2 * 1.1, places=12)  # m (x y' - y x')

    def test_a_third_law_that_is_not_known_is_undecided(self):
        """A spring on a coordinate that enters in two places has no place: nothing is known of its sums."""
        text = ("model two\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass 1 kg\nparticle Q at No - 2*x*N.y, mass 1 kg\n"
                "spring S on x, stiffness 3 N/m, rest 0 m\nclaim third_law S, invariant S\n")
        self.assertEqual(self.check(text), (0, ["W-claim-undecided"] * 2))

    def test_a_law_that_fails_elsewhere_than_at_the_start_is_false(self):
        """c*dot(B.z, N.x) has no moment where B.z lies along N.x, and one everywhere else."""
        text = ("model compass\nparameter c = 2 J\ncoordinate q = 90 deg\nframe B = rotate(N, y, q)\n"
                "body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2\npotential V = c*dot(B.z, N.x)\n"
                "claim third_law V\n")
        self.assertEqual(self.check(text), (1, ["E-claim-false"]))

    # ---- Along a run

    def test_an_undecided_claim_that_is_true_holds_along_the_run(self):
        code, found = self.run_model(ROD + f"claim constant {TENSION}\n")
        self.assertEqual(code, 0)
        (claim,) = found["claims"]
        self.assertEqual((claim["claim"], claim["verdict"]), (f"constant {TENSION}", "held"))
        self.assertLess(claim["max_deviation"], 1e-7)
        self.assertGreaterEqual(claim["allowed"], claim["max_deviation"])

    def test_an_undecided_claim_that_is_false_fails_with_a_witness(self):
        """The tension of a pendulum: lambda = -(m v^2/L + m g cos a)/(2 L), with a from the energy."""
        code, found = self.run_model(ROD + "claim constant multiplier(rod)\n")
        self.assertEqual(code, 1)
        (claim,) = found["claims"]
        self.assertEqual(claim["verdict"], "failed")
        self.assertAlmostEqual(claim["start"], -2 * 9.81 * 0.8 / 1.6, places=8)
        # Farthest at the bottom or near it: v^2 = 2 g L (1 - cos a0), cos a0 = 0.8
        bottom = -(2 * 2 * 9.81 * (1 - 0.8) + 2 * 9.81) / 1.6
        self.assertAlmostEqual(claim["value"], bottom, delta=2e-2)
        self.assertGreater(claim["time"], 0)
        self.assertEqual(found["errors"][0]["code"], "E-claim-false")
        self.assertIn("at t = ", found["errors"][0]["message"])
        for file in found["files"]:
            self.assertTrue(json.dumps(file))
        self.assertTrue((self.folder / "run" / "trajectory.csv").exists())
        self.assertNotIn("claim 1", (self.folder / "run" / "trajectory.csv").read_text(encoding="utf-8"))
        warned = visviva("check", self.write(ROD + "claim constant multiplier(rod)\n"), "--json")
        self.assertEqual(warned.returncode, 0)
        self.assertIn("W-claim-undecided", warned.stdout)
        self.assertEqual(visviva("check", self.write(ROD + "claim constant multiplier(rod)\n"), "--strict").returncode, 1)

    def test_a_proved_claim_tells_its_deviation(self):
        code, found = self.run_model(ORBIT + "claim constant H, constant spin, third_law V\n")
        self.assertEqual(code, 1)  # V acts on one particle alone
        code, found = self.run_model(ORBIT + "claim constant H, constant spin\n")
        self.assertEqual(code, 0)
        for claim in found["claims"]:
            self.assertEqual(claim["verdict"], "proved")
            self.assertLess(claim["max_deviation"], 1e-6)
        self.assertAlmostEqual(found["claims"][1]["start"], -0.2 * 2 * 1.1, places=12)  # m (y z' - z y')

    def test_text_and_page_tell_it(self):
        model = self.write(ROD + f"output sum = K + U\nclaim constant sum\nclaim constant {TENSION}\n")
        text = " ".join(visviva("simulate", model, "--out", self.folder / "run", "--force").stdout.split())
        self.assertIn("constant sum: proved; along the run it stayed within", text)
        self.assertIn(f"constant {TENSION}: tested, not proved; along the run it stayed within", text)
        page = self.folder / "page.html"
        self.assertEqual(visviva("report", model, "--out", page).returncode, 0)
        self.assertIn("Claim constant sum: proved; along the run", page.read_text(encoding="utf-8"))
        self.assertEqual(visviva("report", self.write(ROD + "claim constant multiplier(rod)\n"), "--out", page).returncode, 1)
        self.assertIn("Claim constant multiplier(rod): false; at t", page.read_text(encoding="utf-8"))

    def test_claims_that_no_run_can_show_are_listed_too(self):
        code, found = self.run_model(ROD + "claim holonomic rod\n")
        self.assertEqual((code, found["claims"][0]["verdict"], found["claims"][0]["start"]), (0, "proved", None))

    def test_evaluate_lists_claims(self):
        found = json.loads(visviva("evaluate", self.write(ROD + f"output sum = K + U\nclaim constant sum, constant {TENSION}\n"), "--json").stdout)
        self.assertEqual([c["verdict"] for c in found["claims"]], ["proved", "undecided"])

    def test_a_loose_run_is_no_counterexample(self):
        code, found = self.run_model(ROD + f"claim constant {TENSION}\n", "--tolerance", "1e-4")
        self.assertEqual((code, found["claims"][0]["verdict"]), (0, "held"))


class Momenta(Folder):
    """p_NAME is dK/dNAME' of every coordinate, whatever the speeds."""

    MODEL = """
model momenta
parameter m = 2 kg, J = 0.3 kg*m^2
coordinate x = 0.1 m, q = 0.4 rad, x' = 0.7 m/s, q' = -1.3 rad/s
{speeds}
frame B = rotate(N, z, q)
body B at No + x*N.x + 0.5 m*B.x, mass m, inertia J, J, J
output p_x, p_q, twice = 2*p_x
plot p_q
study until 0.1 s
"""

    def test_momenta_with_other_speeds(self):
        vx, vy = 0.7 + 0.5 * math.sin(0.4) * 1.3, -0.5 * math.cos(0.4) * 1.3
        p_x = 2 * vx
        p_q = 0.3 * -1.3 + 2 * 0.5 * (-math.sin(0.4) * vx + math.cos(0.4) * vy)
        for speeds in ("", "speed u = x' + 0.5 m*q', w = q'", "speed u = cos(q)*x', w = 2*q' - x'/(1 m)"):
            with self.subTest(speeds):
                answer = visviva("evaluate", self.write(self.MODEL.format(speeds=speeds)), "--json")
                self.assertEqual(answer.returncode, 0, answer.stdout)
                outputs = json.loads(answer.stdout)["outputs"]
                self.assertAlmostEqual(outputs["p_x"], p_x, places=12)
                self.assertAlmostEqual(outputs["p_q"], p_q, places=12)
                self.assertAlmostEqual(outputs["twice"], 2 * p_x, places=12)

    def test_p_x_is_constant_and_a_speed_has_no_momentum(self):
        speeds = "speed u = x' + 0.5 m*q', w = q'"
        model = self.MODEL.format(speeds=speeds) + "claim constant p_x\n"
        self.assertEqual(visviva("check", self.write(model)).returncode, 0)
        answer = visviva("check", self.write(self.MODEL.format(speeds=speeds) + "output p_u\n"))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("'u' is no coordinate: only coordinates have momenta", answer.stderr)
        answer = visviva("check", self.write(self.MODEL.format(speeds="") + "output p_m\n"))
        self.assertIn("'m' is no coordinate", answer.stderr)

    def test_momenta_of_speeds_are_decided_though_others_are_the_same(self):
        """K = m (v^2/4 + x^2 (w - v/2)^2)/2: p_w = p_q is constant, p_v is not."""
        text = ("model polar\nparameter m = 1 kg, k = 3 N/m\ncoordinate x = 1 m, q = 0.3 rad, q' = 1 rad/s\n"
                "speed v = 2*x', w = q' + x'/(1 m)\nframe A = rotate(N, z, q)\nparticle P at No + x*A.x, mass m\n"
                "spring S on x, stiffness k, rest 0.5 m\n")
        for name, code in (("p_w", 0), ("p_q", 0), ("p_v", 1), ("p_x", 1)):
            with self.subTest(name):
                self.assertEqual(visviva("check", self.write(text + f"claim constant {name}\n")).returncode, code)
        answer = visviva("check", self.write(text + "claim constant p_nobody\n"))
        self.assertIn("E-claim-subject", answer.stderr)

    def test_express_knows_functions_and_lets(self):
        model = self.MODEL.format(speeds="let two = 2*x\nfunction f(s) = s^2 + two*s")
        answer = visviva("derive", self.write(model), "--express", "f(x) + two*x", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("5*x^2", answer.stdout)


if __name__ == "__main__":
    unittest.main()
