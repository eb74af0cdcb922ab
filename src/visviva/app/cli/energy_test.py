"""Tests of `visviva energy` and of the ledger of `check`: closed forms from the Mitiguy, chapter 34 and by hand."""

import itertools
import json
import math
import random
import re
import shlex
import unittest

from program import EXAMPLES, FUNCTIONS, ROOT, Folder, python_of, visviva

ROUNDING = 1e-11  # of a few dozen operations on numbers of order 1 to 1000

FIELDS = {"K", "K0", "K1", "K2", "U", "sigma", "sigma_R", "P_nonconservative", "intermediates", "integrals",
          "potential_energy_exists", "potential_energy_reasons", "P", "Z_rate", "independent_speeds",
          "dependent_speeds", "portions", "loads", "ledger", "warnings"}
SIX = ["E_Z", "E", "H", "hamiltonian", "C", "mechanical_energy"]

UNIT_QUATERNIONS = {"a0": 0.8, "a1": 0.2, "a2": 0.4, "a3": 0.4, "b0": 0.5, "b1": 0.7, "b2": 0.1, "b3": 0.5}

# From the seed's sections 34.2 and 34.3 with its errata.
HOIST = {"K": "(mB + mQ)*x_d**2/2 + (I + mB*L**2)*theta_d**2/2", "K0": "(mB + mQ)*x_d**2/2", "K1": "0",
         "K2": "(I + mB*L**2)*theta_d**2/2", "U": "-mB*g*L*cos(theta)", "sigma": "(mB + mQ)*x_d*x_d_d",
         "sigma_R": "0", "P_nonconservative": "0"}
DEVICE = {"K": "m*(7*(L + s)**2*Omega**2/2 + 7*ds**2/2 + r**2*wy**2)/5", "K0": "7*m*(L + s)**2*Omega**2/10", "K1": "0",
          "K2": "m*(7*ds**2/2 + r**2*wy**2)/5", "U": "k*s**2/2", "sigma": "7*m*Omega*Omega_d*(L + s)**2/5",
          "sigma_R": "-7*m*Omega**2*(L + s)*ds/5",
          # b times the angular velocity of C in A, along what the independent speeds turn:
          "P_nonconservative": "-b*((wy - Omega)*wy + ds**2/r**2)"}

# A particle on a spring and a damper, lifted by a motor: everything is done by hand below.
LIFTED = """
model lifted "words with a \\\\ backslash, 'quotes', <tags> & ünïcode"
parameter   m = 1 kg, k = 3 N/m, c = 2 N*s/m, g = 9.8 m/s^2
specified   y(t) = 0.1 m*sin(3 rad/s*t)
coordinate  x = 1 m, x' = 2 m/s
particle    Q at No + x*N.x + y*N.y, mass m
gravity     -g*N.y
potential   V = 1/2*k*x^2
dissipation D = 1/2*c*x'^2
"""


class Document:
    """An answer as JSON; its expressions are evaluated at random values of the names in them."""

    def __init__(self, found):
        self.found = found

    def __getitem__(self, field):
        return self.found[field]

    def evaluator(self, seed, **given):
        names = dict(FUNCTIONS)
        names |= given
        generator = random.Random(seed)

        def value(expression):
            text = python_of(expression)
            for name in re.findall(r"[^\W\d]\w*", text):
                if name not in names:
                    names[name] = generator.uniform(0.3, 1.4)
            return eval(text, {}, names)  # pylint: disable=eval-used

        for z in self.found["intermediates"]:
            names[z["name"]] = value(z["expression"])
        return value

    def integral(self, name):
        return next(i for i in self.found["integrals"] if i["name"] == name)

    def constant(self, name):
        return self.integral(name)["constant"]

    def entry(self, source):
        return next(e for e in self.found["ledger"] if e["source"] == source)


class EnergyTest(Folder):
    def answer(self, command, model, *arguments):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva(command, path, "--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return Document(json.loads(result.stdout))

    def energy(self, model, *arguments):
        return self.answer("energy", model, *arguments)

    def assert_near(self, found, expected):
        self.assertAlmostEqual(found, expected, delta=ROUNDING * max(1.0, abs(expected)))


class TheSeed(EnergyTest):
    def assert_same(self, document, expected):
        import sympy  # pylint: disable=import-outside-toplevel
        self.assertEqual(document["intermediates"], [])
        names = {n: sympy.Symbol(n) for n in re.findall(r"[^\W\d]\w*", " ".join(expected.values())) if n != "cos"}
        for field, text in expected.items():
            with self.subTest(field):
                found = sympy.sympify(python_of(document[field]), locals=dict(names), rational=True)
                difference = sympy.simplify(found - sympy.sympify(text, locals=dict(names)))
                self.assertEqual(difference, 0, document[field])

    def test_expressions_of_the_hoist_are_those_of_the_seed(self):
        self.assert_same(self.energy("hoist"), HOIST)

    def test_expressions_of_the_positioning_device_are_those_of_the_seed(self):
        found = self.energy("positioning_device")
        self.assertEqual((found["independent_speeds"], found["dependent_speeds"]), (["ds", "wy"], ["wx", "wz"]))
        self.assert_same(found, DEVICE)

    def test_hoist_keeps_its_generalized_energy_and_nothing_else(self):
        found = self.energy("hoist")
        self.assertEqual([i["constant"] for i in found["integrals"][:6]],
                         [True, True, False, "not defined", False, "not defined"])
        self.assertEqual(found.integral("E")["scope"], "all parameters")
        self.assertEqual(found.integral("H")["scope"], "these values")
        self.assertIs(found["potential_energy_exists"], False)
        self.assertIn("motor", " ".join(found["potential_energy_reasons"]))

    def test_hoist_at_constant_speed_keeps_everything(self):
        found = self.energy("hoist", "--set", "x=2 m/s*t")
        self.assertEqual([i["constant"] for i in found["integrals"][:6]], [True] * 6)
        self.assertIs(found["potential_energy_exists"], True)
        self.assertEqual(found.integral("E")["scope"], "all parameters")
        self.assertEqual(found.integral("H")["scope"], "these values")

    def test_four_observations_on_the_positioning_device(self):
        for rate in ("constant", "ramp"):
            for tube in ("", "_rigid"):
                for damping in ("_damped", "_undamped"):
                    case = rate + tube + damping
                    with self.subTest(case):
                        found = self.energy("positioning_device", "--case", case)
                        undamped, rigid = damping == "_undamped", tube == "_rigid"
                        self.assertIs(found.constant("E_Z"), True)
                        self.assertIs(found.constant("E"), undamped and rigid)
                        self.assertIs(found.constant("H"), undamped and rate == "constant")
                        self.assertIs(found.constant("C"), case == "constant_rigid_undamped")

    def test_without_damping_the_reason_is_b(self):
        reasons = self.energy("positioning_device", "--case", "constant_undamped").integral("H")["reasons"]
        self.assertRegex(" ".join(reasons), r"vanishes for b = 0\b")


class Examples(EnergyTest):
    def test_every_field_is_there_and_expressions_can_be_evaluated(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            with self.subTest(path.stem):
                found = self.energy(path.stem)
                self.assertLessEqual(FIELDS, set(found.found))
                self.assertEqual([i["name"] for i in found["integrals"][:6]], SIX)
                value = found.evaluator(11, **UNIT_QUATERNIONS, L=3.0)  # a rod longer than its crank
                numbers = {name: value(found[name]) for name in ("K", "K0", "K1", "K2", "U", "sigma", "sigma_R", "P",
                                                                 "P_nonconservative", "Z_rate")}
                self.assert_near(numbers["K0"] + numbers["K1"] + numbers["K2"], numbers["K"])
                self.assert_near(numbers["sigma_R"] - numbers["P_nonconservative"], numbers["Z_rate"])
                for name, expected in (("E", "K2 + U"), ("H", "K2 - K0 + U"), ("C", "K + U")):
                    self.assert_near(value(found.integral(name)["expression"]), eval(expected, {}, numbers))  # pylint: disable=eval-used
                self.assert_near(value(found.integral("E_Z")["expression"]), numbers["K2"] + numbers["U"] + value("Z"))
                for load in found["loads"]:
                    for field in ("potential", "power", "generalized_power", "nonconservative_power"):
                        self.assertTrue(math.isfinite(value(load[field])))
                self.assert_near(sum(value(load["nonconservative_power"]) for load in found["loads"]),
                                 numbers["P_nonconservative"])
                self.assert_near(sum(value(load["potential"]) for load in found["loads"]), numbers["U"])
                for i in found["integrals"]:
                    self.assertIn(i["constant"], (True, False, "not defined"))
                    self.assertIn(i["scope"], ("all parameters", "these values"))
                    self.assertIn(i["extent"], ("every motion", "where the constraints hold", "from this start"))
                    self.assertTrue(i["reasons"])
                    self.assertTrue(math.isfinite(value(i["expression"])))

    def test_portions_give_the_kinetic_energies(self):
        # (14) to (16) for particles: K2 = sum of m v_R^2/2, and so on.
        for name, masses in (("rotating_rod", {"P1": "m1", "P2": "m2"}), ("double_pendulum", {"P1": "m1", "P2": "m2"})):
            with self.subTest(name):
                found = self.energy(name)
                value = found.evaluator(12)
                K0 = K2 = 0
                for point, mass in masses.items():
                    portions = found["portions"]["points"][point]
                    K2 += value(mass) / 2 * sum(value(c) ** 2 for c in portions["v_R"]["components"])
                    K0 += value(mass) / 2 * sum(value(c) ** 2 for c in portions["v_t"]["components"])
                self.assert_near(value(found["K2"]), K2)
                self.assert_near(value(found["K0"]), K0)

    def test_a_steadily_turned_rod_keeps_its_hamiltonian_alone(self):
        found = self.energy("rotating_rod")
        self.assertEqual([found.constant(n) for n in ("E", "H", "C")], [False, True, False])
        self.assertEqual(found.integral("H")["scope"], "all parameters")

    def test_the_double_pendulum_conserves_mechanical_energy(self):
        found = self.energy("double_pendulum")
        self.assertEqual([i["constant"] for i in found["integrals"][:6]], [True] * 6)
        self.assertIs(found["potential_energy_exists"], True)
        roles = {load["name"]: load["role"] for load in found["loads"]}
        self.assertEqual(roles, {"gravity on P1": "conservative", "gravity on P2": "conservative",
                                 "string1": "no power", "string2": "no power"})

    def test_damping_ends_conservation(self):
        damped, free = self.energy("cart_and_pendulum"), self.energy("cart_and_pendulum", "--set", "c=0")
        for name in ("E", "H", "C", "mechanical_energy"):
            self.assertEqual((damped.constant(name), free.constant(name)), (False, True))
            self.assertEqual(free.integral(name)["scope"], "these values")
        self.assertEqual({load["name"]: load["role"] for load in damped["loads"]}["V"], "conservative")

    def test_free_bodies_keep_their_linear_momentum(self):
        found = self.energy("two_bodies_ball_joint")
        for axis in "xyz":
            self.assertIs(found.constant("linear_momentum." + axis), True)


class Page(EnergyTest):
    def text(self, model, *arguments):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva("energy", path, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_lines_fit_a_terminal(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            for line in self.text(path.stem).splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_everything_is_named(self):
        text = self.text("positioning_device")
        for words in ("Independent speeds: ds, wy", "Dependent speeds: wx, wz", "v_R of Ccm", "w_t of C", "sigma_R", "Z'",
                      "E_Z", "Hamiltonian", "mechanical energy", "fluid", "tube", "Potential energy", "There is none"):
            self.assertIn(words, text)
        rows = {line.split()[0]: line for line in text[text.index("Energy integrals"):].splitlines() if line.split()}
        self.assertRegex(rows["E_Z"], r"K2 \+ U \+ Z +yes +all parameters")
        self.assertRegex(rows["E"], r"K2 \+ U +no +these values")
        self.assertRegex(rows["Hamiltonian"], r"K2 - K0 \+ U +not defined")

    def test_the_condition_of_embedded_constraints_is_shown(self):
        model = self.write("model bar\nparameter m = 1 kg, L = 1 m\ncoordinate x = 0.6 m, y = 0.8 m\n"
                           "particle Q at No + x*N.x + y*N.y, mass m\n"
                           "constraint dot(Q - No, Q - No) = L^2\n")
        self.assertRegex(self.text(model), r"Valid while\n +y != 0")


class Guide(EnergyTest):
    """What docs/guide/energies.md shows is what the program prints."""

    def test_every_block_is_real(self):
        guide = (ROOT / "docs/guide/energies.md").read_text(encoding="utf-8")
        lines = guide.splitlines()
        example = itertools.takewhile(lambda line: line.startswith("    "), lines[lines.index("    model lifted"):])
        model = "\n".join(line[4:] for line in example) + "\n"
        printed = visviva("check", self.write(model)).stdout
        commands = [line.split("build/visviva ")[1] for line in lines if line.startswith("    build/visviva ")]
        self.assertGreater(len(commands), 2)
        for command in commands + ["energy examples/positioning_device.viva"]:
            printed += visviva(*shlex.split(command), cwd=ROOT).stdout
        blocks = re.findall(r"\n```\n(.*?)```\n", guide, re.DOTALL)
        self.assertGreater(len(blocks), 4)
        for piece in (piece for block in blocks for piece in block.split("...\n")):
            self.assertIn(piece, printed)


class WithoutValues(EnergyTest):
    MODEL = """
model spring_without_values
parameter  m, k, b
specified  w(t)
coordinate x = 1 m
frame      B = spin(N, w*N.z)
particle   Q at No + x*B.x, mass m
spring     S on x, stiffness k, rest 0 m
damper     D on x, rate b
"""

    def test_energies_need_no_values(self):
        found = self.energy(self.write(self.MODEL))
        value = found.evaluator(13)
        m, k, b, w, w1, x, u = map(value, ("m", "k", "b", "w", "w'", "x", "x'"))
        # v_R = x' B.x and v_t = w x B.y, so that dv_t/dt = (w' x + w x') B.y - w^2 x B.x
        self.assert_near(value(found["K2"]), m * u * u / 2)
        self.assert_near(value(found["K0"]), m * w * w * x * x / 2)
        self.assert_near(value(found["U"]), k * x * x / 2)
        self.assert_near(value(found["sigma_R"]), -m * w * w * x * u)
        self.assert_near(value(found["sigma"]), m * w * w1 * x * x)
        self.assert_near(value(found["P_nonconservative"]), -b * u * u)
        for name in ("E", "H", "C"):
            self.assertEqual((found.constant(name), found.integral(name)["scope"]), (False, "all parameters"))

    def test_gravity_only_stores_where_constraints_do_not_move(self):
        # The pin of the linkage stands still, so that dU/dt is all that gravity does.
        found = self.energy("four_bar")
        self.assertEqual({e["source"]: e["effect"] for e in found["ledger"]},
                         {"gravity on A": "stores", "gravity on B": "stores", "gravity on C": "stores", "pin": "nothing"})

    def test_the_ledger_tells_what_things_do_without_numbers(self):
        found = self.answer("check", self.write(self.MODEL))
        self.assertEqual([(e["source"], e["effect"], e["power"]) for e in found["ledger"]],
                         [("S", "stores", None), ("D", "takes out", None), ("w", "brings in or takes out", None)])
        self.assertIn("values are missing", found["ledger_remark"])


class TheLedger(EnergyTest):
    def assert_powers(self, model, expected, rate):
        """The same in `check` and `energy`; the powers add up to dK/dt."""
        for command in ("check", "energy"):
            found = self.answer(command, model)
            powers = {e["source"]: e["power"] for e in found["ledger"]}
            self.assertEqual(set(powers), set(expected))
            for name, power in expected.items():
                if power is None:
                    self.assertIsNone(powers[name])
                else:
                    self.assert_near(powers[name], power)
            self.assert_near(found["kinetic_energy_rate"], rate)
            self.assert_near(sum(p for p in powers.values() if p is not None), rate)
        return found

    def test_powers_of_loads_and_motor_add_up(self):
        # y' = 0.3 m/s and y'' = 0 at the start; x'' = -k x - c x'
        found = self.assert_powers(self.write(LIFTED), {"gravity on Q": -9.8 * 0.3, "V": -3 * 2, "D": -2 * 4, "y": 9.8 * 0.3},
                                   2 * (-3 - 4))
        self.assertEqual([e["effect"] for e in found["ledger"]],
                         ["brings in or takes out", "stores", "takes out", "brings in or takes out"])

    def test_what_t_turns_does_work(self):
        # x'' = w^2 x, K = m (x'^2 + w^2 x^2)/2
        bead = self.write("model bead\nparameter m = 2 kg, w = 3 rad/s\ncoordinate x = 0.5 m, x' = 0.4 m/s\n"
                          "frame B = rotate(N, z, w*t)\nparticle Q at No + x*B.x, mass m\n")
        self.assert_powers(bead, {"t": 2 * 2 * 9 * 0.5 * 0.4}, 2 * 2 * 9 * 0.5 * 0.4)

    def test_two_motors_share_the_work(self):
        # Each drives its own particle: power m x' x''.
        twins = self.write("model twins\nparameter m = 2 kg\nspecified a(t) = 1 m/s*t + 2 m/s^2*t^2, b(t) = 3 m/s*t - 1 m/s^2*t^2\n"
                           "particle P at No + a*N.x, mass m\nparticle Q at No + b*N.y, mass m\n")
        self.assert_powers(twins, {"a": 2 * 1 * 4, "b": 2 * 3 * -2}, 8 - 12)

    def test_a_moved_constraint_works_through_its_motor(self):
        # The constraint drives y = h(t): h' = 0.5 and h'' = 4 at the start.
        lift = self.write("model lift\nparameter m = 2 kg, g = 10 m/s^2\nspecified h(t) = 0.5 m/s*t + 2 m/s^2*t^2\n"
                          "coordinate x = 0 m, x' = 1 m/s, y = 0 m\nparticle Q at No + x*N.x + y*N.y, mass m\n"
                          "gravity -g*N.y\nconstraint rail: dot(Q - No, N.y) = h\n")
        found = self.assert_powers(lift, {"gravity on Q": -2 * 10 * 0.5, "h": 2 * (4 + 10) * 0.5, "rail": None}, 2 * 4 * 0.5)
        self.assertEqual(found.entry("rail")["effect"], "counted with what moves it")

    def test_rolling_does_no_work(self):
        found = self.answer("check", "positioning_device", "--set", "wy=1 rad/s", "--set", "Omega=4 rad/s")
        roll = next(e for e in found["ledger"] if e["kind"] == "roll")
        self.assertEqual((roll["effect"], roll["power"]), ("nothing", 0))
        self.assertEqual(found.entry("fluid")["effect"], "takes out")
        # C turns in A with (wx, wy - Omega, wz), wx = -L Omega/r = -40 rad/s, wz = 0
        self.assert_near(found.entry("fluid")["power"], -2 * (40 ** 2 + 3 ** 2))
        self.assert_near(sum(e["power"] for e in found["ledger"]), found["kinetic_energy_rate"])

    def test_a_damper_with_a_negative_rate_brings_energy_in(self):
        model = self.write("model engine\nparameter m = 1 kg\ncoordinate x = 0 m, x' = 2 m/s\n"
                           "particle Q at No + x*N.x, mass m\ndamper D on x, rate -3 N*s/m\n")
        self.assertEqual(self.assert_powers(model, {"D": 12}, 12).entry("D")["effect"], "brings in")

    def test_a_model_that_has_no_ledger_checks_as_before(self):
        model = self.write("model flat\nparameter m = 1 kg, k = 3 N/m\ncoordinate x = 0 m, y = 0 m\n"
                           "particle Q at No + x*N.x + y*N.y, mass m\nspring S from No to Q, stiffness k, rest 1 m\n")
        for command in ("check", "energy"):
            self.assertIn("not finite", self.answer(command, model)["ledger_remark"])

    def test_text_has_a_line_for_each_source_and_the_sum(self):
        text = visviva("check", self.write(LIFTED)).stdout
        self.assertIn("Where energy enters and leaves", text)
        self.assertRegex(text, r"\n  D +dissipation +takes out +-8 W ")
        self.assertRegex(text, r"\n  sum +dK/dt +-14 W\n")


class Outputs(EnergyTest):
    def test_work_and_power_of_everything_that_has_them_can_be_asked_for(self):
        asked = ["power(V)", "work(V)", "power(y)", "work(y)", "power(gravity)", "work(gravity)", "power(nonconservative)",
                 "work(nonconservative)", "generalized_power(D)", "generalized_work(D)", "generalized_work(gravity)"]
        self.answer("check", self.write(LIFTED + "output " + ", ".join(asked) + "\noutput W = work(V) + generalized_work(D)\n"))

    def test_what_has_none_is_refused(self):
        for asked in ("generalized_power(y)", "generalized_work(nonconservative)", "work(m)", "power(Q)"):
            result = visviva("check", self.write(LIFTED + f"output {asked}\n"), "--json")
            self.assertEqual(result.returncode, 1, asked)
            self.assertEqual([e["code"] for e in json.loads(result.stdout)["errors"]], ["E-output-target"], asked)

    def test_work_and_power_do_not_add(self):
        result = visviva("check", self.write(LIFTED + "output W = generalized_work(D) + power(D)\n"), "--json")
        self.assertEqual(result.returncode, 1)


class Momenta(EnergyTest):
    def test_a_central_force_keeps_the_angular_momentum(self):
        model = self.write("model orbit\nparameter m = 1 kg, k = 3 N/m\ncoordinate x = 1 m, y = 0 m, y' = 2 m/s\n"
                           "particle Q at No + x*N.x + y*N.y, mass m\nspring S from No to Q, stiffness k, rest 0 m\n")
        found = self.energy(model)
        value = found.evaluator(14)
        m, x, y, u, v = map(value, ("m", "x", "y", "x'", "y'"))
        self.assert_near(value(found.integral("angular_momentum(No).z")["expression"]), m * (x * v - y * u))
        self.assertNotIn("linear_momentum.x", [i["name"] for i in found["integrals"]])

    def test_an_ignorable_coordinate_keeps_its_momentum(self):
        model = self.write("model polar\nparameter m = 1 kg, k = 3 N/m\ncoordinate r = 1 m, phi = 0 rad, phi' = 2 rad/s\n"
                           "particle Q at No + r*(cos(phi)*N.x + sin(phi)*N.y), mass m\nspring S on r, stiffness k, rest 0.5 m\n")
        found = self.energy(model)
        value = found.evaluator(15)
        m, r, w = map(value, ("m", "r", "phi'"))
        self.assert_near(value(found.integral("p_phi")["expression"]), m * r * r * w)
        self.assertEqual(found.integral("p_phi")["scope"], "all parameters")


class Mistakes(EnergyTest):
    def test_values_that_cannot_be_put_in_are_told_and_nothing_breaks(self):
        for law in ("parameter d = 0 m\nforce F on P = -1 N*x/d*N.x\n",
                    "parameter a = -1\nforce F on P = -1 N/(1 m)*sqrt(a)*x*N.x\n"):
            model = self.write("parameter m = 1 kg\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass m\n" + law)
            result = visviva("energy", model, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(any("values" in r for r in json.loads(result.stdout)["remarks"]))

    # Only the driven end of a spring moves by itself: the motor has what the others leave.
    def test_a_motor_that_moves_the_end_of_a_spring_is_in_the_ledger(self):
        model = self.write("parameter m = 1 kg, k = 3 N/m\nspecified f(t) = 0.5 m/s*t\ncoordinate x = 1 m\n"
                           "particle P at No + x*N.x, mass m\npoint W = No + f*N.x\n"
                           "spring S from W to P, stiffness k, rest 0.2 m\n")
        ledger = {e["source"]: e["power"] for e in json.loads(visviva("check", model, "--json").stdout)["ledger"]}
        # At the start the spring pulls W along N.x with k (1 m - 0.2 m); W moves at 0.5 m/s.
        self.assert_near(ledger["S"], 3 * 0.8 * 0.5)
        self.assert_near(ledger["f"], -3 * 0.8 * 0.5)

    def errors(self, *arguments):
        result = visviva("energy", *arguments, "--json")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        return [e["code"] for e in json.loads(result.stdout)["errors"]]

    def test_errors_of_the_model_are_one_object(self):
        self.assertEqual(self.errors(self.write("model wrong\nframe B = rotate(N, z, p)\n")), ["E-name-unknown"])
        self.assertEqual(self.errors(EXAMPLES / "positioning_device.viva", "--case", "none"), ["E-case-unknown"])
        self.assertEqual(self.errors(self.folder / "none.viva"), ["E-file-missing"])

    def test_an_unknown_force_must_drop_out_here_too(self):
        model = self.write("model pushed\nparameter m = 1 kg\nunknown T\ncoordinate x\nparticle Q at No + x*N.x, mass m\n"
                           "force F on Q = T*N.x\n")
        self.assertEqual(self.errors(model), ["E-unknown-remains"])

    def test_wrong_commands_exit_with_status_two(self):
        for arguments in (["energy"], ["energy", "a.viva", "--jsn"], ["energy", "a.viva", "--method", "kane"], ["enrgy", "a.viva"]):
            result = visviva(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
        self.assertIn("energy", visviva("enrgy", "a.viva").stderr)

    def test_documentation_stays_out_of_the_way(self):
        found = self.energy(self.write(LIFTED))
        self.assertEqual(found["model"], "lifted")
        self.assertIn("ünïcode", visviva("energy", self.write(LIFTED)).stdout)


if __name__ == "__main__":
    unittest.main()
