"""Tests of `visviva derive`: the JSON's expressions, evaluated here, agree with closed forms written by hand."""

import itertools
import json
import math
import random
import re
import unittest

from program import EXAMPLES, FUNCTIONS, Folder, python_of, visviva

METHODS = ("kane", "lagrange", "hamilton", "newton-euler")
ROUNDING = 1e-11  # of a few dozen operations on numbers of order 1 to 1000

FIELDS = {"coordinates", "speeds", "independent_speeds", "dependent_speeds", "degrees_of_freedom", "kinematics",
          "mass_matrix", "forcing", "mass_matrix_unconstrained", "forcing_unconstrained", "constraint_rows",
          "generalized_active_forces", "generalized_inertia_forces", "generalized_active_forces_unconstrained",
          "generalized_inertia_forces_unconstrained", "partial_velocities", "partial_angular_velocities",
          "noncontributing", "intermediates", "operations"}

ROLLING_DISC = """
model rolling_disc "A thin disc on a rough plane"
parameter  m = 1.3 kg, r = 0.4 m, g = 9.81 m/s^2
coordinate x, y, q1, q2 = 0.3 rad, q3
speed      u1 = dot(angular_velocity(R), F.x), u2 = dot(angular_velocity(R), F.y), u3 = dot(angular_velocity(R), F.z)
dependent  x', y'
frame      Y = rotate(N, z, q1)
frame      F = rotate(Y, x, q2)
frame      R = rotate(F, y, q3)
body       R at No + x*N.x + y*N.y + r*F.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       R on N at Rcm - r*F.z
gravity    -g*N.z
"""


class Document:
    """A derivation as JSON; its expressions are evaluated at a state {name: value}."""

    def __init__(self, found):
        self.found = found

    def __getitem__(self, field):
        return self.found[field]

    def at(self, state):
        names = dict(FUNCTIONS)
        names |= {python_of(name): value for name, value in state.items()}
        for z in self.found["intermediates"]:
            names[z["name"]] = eval(python_of(z["expression"]), {}, names)  # pylint: disable=eval-used
        return lambda e: eval(python_of(e), {}, names)  # pylint: disable=eval-used


class Derivation(Folder):
    def derive(self, model, *arguments):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva("derive", path, "--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return Document(json.loads(result.stdout))

    def assert_near(self, found, expected, scale=1.0):
        self.assertEqual(len(found), len(expected))
        for f, e in zip(found, expected):
            if isinstance(e, (list, tuple)):
                self.assert_near(f, e, scale)
            else:
                self.assertAlmostEqual(f, e, delta=ROUNDING * max(scale, abs(e)))

    def assert_equations(self, document, state, mass, forcing):
        """The embedded equations have these values at the state."""
        value = document.at(state)
        self.assert_near([[value(e) for e in row] for row in document["mass_matrix"]], mass, 10.0)
        self.assert_near([value(e) for e in document["forcing"]], forcing, 100.0)


def random_state(seed, names, **given):
    generator = random.Random(seed)
    return {name: generator.uniform(0.3, 1.4) for name in names} | given


class ClosedForms(Derivation):
    """States are random with the seed that stands there; parameters too, so that each is seen."""

    def test_pendulum_by_every_method(self):
        visviva("new", "pendulum", cwd=self.folder)
        for method in METHODS:
            with self.subTest(method):
                d = self.derive(self.folder / "pendulum.viva", "--method", method)
                s = random_state(1, ["m", "L", "g", "theta", "theta'"])
                m, L, g, theta = s["m"], s["L"], s["g"], s["theta"]
                self.assert_equations(d, s, [[m * L**2 / 3]], [-m * g * L / 2 * math.sin(theta)])
                self.assertEqual(d["kinematics"], {"theta'": "theta'"})
                self.assertEqual(d["method"], method)

    def test_double_pendulum_by_every_method(self):
        for method in METHODS:
            with self.subTest(method):
                d = self.derive("double_pendulum", "--method", method)
                s = random_state(2, ["m1", "m2", "L", "g", "q1", "q2", "q1'", "q2'"])
                m1, m2, L, g, q1, q2 = (s[k] for k in ("m1", "m2", "L", "g", "q1", "q2"))
                c, sn = math.cos(q1 - q2), math.sin(q1 - q2)
                self.assert_equations(
                    d, s, [[(m1 + m2) * L**2, m2 * L**2 * c], [m2 * L**2 * c, m2 * L**2]],
                    [-m2 * L**2 * sn * s["q2'"]**2 - (m1 + m2) * g * L * math.sin(q1),
                     m2 * L**2 * sn * s["q1'"]**2 - m2 * g * L * math.sin(q2)])

    def test_strings_of_the_double_pendulum_do_no_work(self):
        d = self.derive("double_pendulum")
        self.assertEqual([n["name"] for n in d["noncontributing"]], ["string1", "string2"])
        self.assertTrue(all(n["reason"] for n in d["noncontributing"]))
        self.assertNotRegex(json.dumps([d["forcing"], d["generalized_active_forces"]]), r"\bT[12]\b")

    def test_the_hoist_adds_nothing_to_the_equation_for_theta(self):
        d = self.derive("hoist")
        s = random_state(3, ["mQ", "mB", "L", "g", "I", "theta", "theta'", "x", "x'", "x''", "t"])
        self.assert_equations(d, s, [[s["mB"] * s["L"]**2 + s["I"]]],
                              [-s["mB"] * s["g"] * s["L"] * math.sin(s["theta"])])
        self.assertNotIn("x", re.findall(r"\w+", d["forcing"][0] + d["mass_matrix"][0][0]))
        value = d.at(s)
        self.assert_near([value(e) for e in d["partial_velocities"]["Q"]["t"]["components"]], [s["x'"], 0, 0])
        self.assertEqual(d["partial_velocities"]["Q"]["t"]["frame"], "N")

    def test_cart_and_pendulum_with_rayleigh_dissipation(self):
        d = self.derive("cart_and_pendulum")
        s = random_state(4, ["M", "m", "L", "k", "c", "g", "x", "theta", "x'", "theta'"])
        M, m, L, th = s["M"], s["m"], s["L"], s["theta"]
        self.assert_equations(
            d, s, [[M + m, m * L / 2 * math.cos(th)], [m * L / 2 * math.cos(th), m * L**2 / 3]],
            [m * L / 2 * s["theta'"]**2 * math.sin(th) - s["k"] * s["x"] - s["c"] * s["x'"],
             -m * s["g"] * L / 2 * math.sin(th)])

    def test_positioning_device_at_any_state(self):
        d = self.derive("positioning_device")
        self.assertEqual(d["independent_speeds"], ["ds", "wy"])
        self.assertEqual(d["dependent_speeds"], ["wx", "wz"])
        s = random_state(5, ["m", "r", "L", "k", "b", "s", "ds", "wy", "Omega", "Omega'", "t"])
        m, r, b, reach, Omega = s["m"], s["r"], s["b"], s["L"] + s["s"], s["Omega"]
        self.assert_equations(
            d, s, [[7 / 5 * m, 0], [0, 2 / 5 * m * r**2]],
            [7 / 5 * m * reach * Omega**2 - s["k"] * s["s"] - b * s["ds"] / r**2, -b * (s["wy"] - Omega)])
        value = d.at(s)
        self.assert_near([value(d["dependent_speed_equations"][w]) for w in ("wx", "wz")],
                         [-reach * Omega / r, -s["ds"] / r])

    def test_rotating_rod_with_the_speeds_of_the_textbook(self):
        d = self.derive("rotating_rod")
        s = random_state(6, ["omega", "L", "m1", "m2", "g", "q1", "q2", "q3", "u1", "u2", "u3", "t"])
        w, L, m1, m2, g, q1, u1, u2, u3 = (s[k] for k in ("omega", "L", "m1", "m2", "g", "q1", "u1", "u2", "u3"))
        c, sn = math.cos(s["q3"]), math.sin(s["q3"])
        a1 = [-u3 * u2 - w**2 * q1 * c, u3 * u1 + w**2 * q1 * sn]
        a2 = [-u3 * (u2 + L * u3) - w**2 * (q1 + L * c) * c, u3 * u1 + w**2 * (q1 + L * c) * sn]
        f2 = -m2 * (a2[1] + g * c)
        self.assert_equations(d, s, [[m1 + m2, 0, 0], [0, m1 + m2, m2 * L], [0, m2 * L, m2 * L**2]],
                              [-m1 * (a1[0] + g * sn) - m2 * (a2[0] + g * sn), -m1 * (a1[1] + g * c) + f2, L * f2])
        value = d.at(s)
        self.assert_near([value(d["kinematics"][q]) for q in ("q1'", "q2'", "q3'")],
                         [u1 * c - u2 * sn, u1 * sn + u2 * c, u3])
        # v_P2 = u1 E.x + (u2 + L u3) E.y - omega (q1 + L cos q3) B.z; B.z is E.z.
        partial = d["partial_velocities"]["P2"]
        for speed, frame, expected in (("u1", "E", [1, 0, 0]), ("u2", "E", [0, 1, 0]), ("u3", "E", [0, L, 0])):
            self.assertEqual(partial[speed]["frame"], frame)
            self.assert_near([value(e) for e in partial[speed]["components"]], expected)
        self.assertIn(partial["t"]["frame"], ("B", "E"))
        self.assert_near([value(e) for e in partial["t"]["components"]], [0, 0, -w * (q1 + L * c)])

    def test_rolling_disc_in_the_speeds_of_the_leaning_frame(self):
        """Accelerations as in the documentation of SymPy's mechanics package, "A rolling disc"."""
        d = self.derive(self.write(ROLLING_DISC))
        self.assertEqual(d["independent_speeds"], ["u1", "u2", "u3"])
        s = random_state(7, ["m", "r", "g", "x", "y", "q1", "q2", "q3", "u1", "u2", "u3"])
        r, q2, u1, u2, u3 = (s[k] for k in ("r", "q2", "u1", "u2", "u3"))
        udot = [(4 * s["g"] * math.sin(q2) + 6 * r * u2 * u3 - r * u3**2 * math.tan(q2)) / (5 * r),
                -2 / 3 * u1 * u3, (-2 * u2 + u3 * math.tan(q2)) * u1]
        value = d.at(s)
        left = [sum(value(m) * a for m, a in zip(row, udot)) for row in d["mass_matrix"]]
        self.assert_near(left, [value(f) for f in d["forcing"]], 10.0)
        self.assertGreater(min(value(d["mass_matrix"][i][i]) for i in range(3)), 0.0)

    def test_two_free_bodies_have_a_diagonal_mass_matrix(self):
        d = self.derive("two_bodies_ball_joint")
        value = d.at(Consistency.state_of(d))
        self.assertEqual(len(d["speeds"]), 12)
        self.assertEqual(d["degrees_of_freedom"], 9)
        self.assertEqual(len(d["mass_matrix"]), 9)
        diagonal = {"x1'": value("m1"), "y1'": value("m1"), "z1'": value("m1"), "x2'": value("m2"), "y2'": value("m2"),
                    "z2'": value("m2"), "A_wx": 0.02, "A_wy": 0.03, "A_wz": 0.04, "B_wx": 0.01, "B_wy": 0.015, "B_wz": 0.02}
        for i, u in enumerate(d["speeds"]):
            for j, entry in enumerate(d["mass_matrix_unconstrained"][i]):
                self.assertAlmostEqual(value(entry), diagonal[u] if i == j else 0.0, delta=ROUNDING)


class Consistency(Derivation):
    """What different fields say about the same thing."""

    @staticmethod
    def state_of(document):
        """A random number for every name in the document; quaternions of length 1."""
        words = set(re.findall(r"[^\W\d]\w*'*", json.dumps({k: document[k] for k in FIELDS}, ensure_ascii=False)))
        words -= {z["name"] for z in document["intermediates"]}
        state = random_state(9, sorted(words - set(FUNCTIONS)), L=3.0)  # a rod longer than its crank
        for letter in "ab":
            length = math.hypot(*(state.get(letter + i, 0.0) for i in "0123"))
            state |= {letter + i: state[letter + i] / length for i in "0123" if letter + i in state}
        return state

    def test_every_field_of_the_contract_is_there(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            with self.subTest(path.stem):
                d = self.derive(path.stem)
                self.assertEqual(FIELDS - set(d.found), set())
                n, free = len(d["speeds"]), d["degrees_of_freedom"]
                self.assertEqual(len(d["independent_speeds"]), free)
                self.assertEqual(sorted(d["independent_speeds"] + d["dependent_speeds"]), sorted(d["speeds"]))
                self.assertEqual([len(row) for row in d["mass_matrix"]], [free] * free)
                self.assertEqual([len(row) for row in d["mass_matrix_unconstrained"]], [n] * n)
                self.assertEqual(len(d["constraint_rows"]["A"]), len(d["constraint_rows"]["b"]))
                self.assertIsInstance(d["operations"], int)
                for motions in (d["partial_velocities"], d["partial_angular_velocities"]):
                    for name, motion in motions.items():
                        self.assertEqual(set(motion), set(d["speeds"]) | {"t"}, name)
                        self.assertTrue(all(len(v["components"]) == 3 for v in motion.values()))

    def test_active_and_inertia_forces_are_the_equations(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            for tail, matrix, speeds in (("", "mass_matrix", "independent_speeds"),
                                         ("_unconstrained", "mass_matrix_unconstrained", "speeds")):
                with self.subTest(path.stem + tail):
                    d = self.derive(path.stem)
                    value = d.at(self.state_of(d))
                    for i, u in enumerate(d[speeds]):
                        balance = value(d["generalized_active_forces" + tail][u])
                        balance += value(d["generalized_inertia_forces" + tail][u])
                        left = sum(value(m) * value(w + "'") for m, w in zip(d[matrix][i], d[speeds]))
                        self.assertAlmostEqual(balance, value(d["forcing" + tail][i]) - left,
                                               delta=1e3 * ROUNDING * max(1.0, abs(left)))

    def test_intermediates_use_only_those_before_them(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            with self.subTest(path.stem):
                d = self.derive(path.stem)
                later = {z["name"] for z in d["intermediates"]}
                self.assertEqual(later & set(d["coordinates"]), set())
                for z in d["intermediates"]:
                    self.assertEqual(later & set(re.findall(r"\w+", z["expression"])), set())
                    later.remove(z["name"])

    def test_independent_equations_are_free_of_dependent_speeds(self):
        for model in ("positioning_device", "two_bodies_ball_joint"):
            with self.subTest(model):
                d = self.derive(model)
                self.assertTrue(d["dependent_speeds"])
                definitions = {z["name"]: z["expression"] for z in d["intermediates"]}
                shown = [json.dumps([d["mass_matrix"], d["forcing"], list(d["generalized_active_forces"].values())])]
                seen = set()
                while shown:
                    for word in set(re.findall(r"[^\W\d]\w*'*", shown.pop())) - seen:
                        seen.add(word)
                        if word in definitions:
                            shown.append(definitions[word])
                self.assertEqual(seen & set(d["dependent_speeds"]), set())

    def test_hamilton_gives_momenta_and_their_rates(self):
        d = self.derive("double_pendulum", "--method", "hamilton")
        s = random_state(10, ["m1", "m2", "L", "g", "q1", "q2", "q1'", "q2'"])
        value = d.at(s)
        m2L2 = s["m2"] * s["L"]**2
        c, sn = math.cos(s["q1"] - s["q2"]), math.sin(s["q1"] - s["q2"])
        # p = dK/dq', p' = dK/dq - dU/dq
        self.assert_near([value(d["momenta"][u]) for u in ("q1'", "q2'")],
                         [(s["m1"] + s["m2"]) * s["L"]**2 * s["q1'"] + m2L2 * c * s["q2'"],
                          m2L2 * (s["q2'"] + c * s["q1'"])])
        gL, product = s["g"] * s["L"], m2L2 * sn * s["q1'"] * s["q2'"]
        self.assert_near([value(d["momentum_rates"][u]) for u in ("q1'", "q2'")],
                         [-product - (s["m1"] + s["m2"]) * gL * math.sin(s["q1"]),
                          product - s["m2"] * gL * math.sin(s["q2"])], 10.0)

    def assert_energy_in_momenta(self, d, s, energy):
        """K(q, p) is `energy` of q and the speeds that belong to these p: those of K(q, u) when u = I^-1 (p - c)."""
        value = d.at(s)
        p = {d["momentum_symbols"][u]: value(d["momenta"][u]) for u in d["independent_speeds"]}
        with_p = d.at(s | p)
        self.assert_near([with_p(d["kinetic_energy_in_momenta"])], [energy])
        self.assertEqual(set(d["speeds_in_momenta"]), set(d["independent_speeds"]))
        self.assert_near([with_p(e) for e in d["speeds_in_momenta"].values()], [s[u] for u in d["speeds_in_momenta"]])
        # Speeds are not among what these depend on.
        shown = [d["kinetic_energy_in_momenta"], *d["speeds_in_momenta"].values()]
        definitions = {z["name"]: z["expression"] for z in d["intermediates"]}
        while shown:
            words = set(re.findall(r"[^\W\d]\w*'*", shown.pop()))
            self.assertEqual(words & set(d["speeds"]), set())
            shown += [definitions[w] for w in words if w in definitions]

    def test_kinetic_energy_of_the_double_pendulum_in_momenta(self):
        d = self.derive("double_pendulum", "--method", "hamilton")
        s = random_state(12, ["m1", "m2", "L", "g", "q1", "q2", "q1'", "q2'"])
        v1, v2 = s["L"] * s["q1'"], s["L"] * s["q2'"]
        self.assert_energy_in_momenta(d, s, s["m1"] / 2 * v1**2 + s["m2"] / 2 * (
            v1**2 + v2**2 + 2 * v1 * v2 * math.cos(s["q1"] - s["q2"])))

    def test_kinetic_energy_in_momenta_keeps_what_does_not_depend_on_speeds(self):
        d = self.derive("rotating_rod", "--method", "hamilton")
        s = random_state(13, ["omega", "L", "m1", "m2", "g", "q1", "q2", "q3", "u1", "u2", "u3", "t"])
        # v_P2 = u1 E.x + (u2 + L u3) E.y - omega (q1 + L cos q3) E.z
        v1 = [s["u1"], s["u2"], -s["omega"] * s["q1"]]
        v2 = [s["u1"], s["u2"] + s["L"] * s["u3"], -s["omega"] * (s["q1"] + s["L"] * math.cos(s["q3"]))]
        self.assert_energy_in_momenta(d, s, s["m1"] / 2 * sum(v**2 for v in v1) + s["m2"] / 2 * sum(v**2 for v in v2))

    def test_kinetic_energy_in_momenta_with_an_offset_of_the_momenta(self):
        """A bead on an arm that a motor drives along x at a given rate: p = m (q' + x' cos a)."""
        d = self.derive(self.write("model bead\nparameter m, a\nspecified x(t)\ncoordinate q\n"
                                   "frame A = rotate(N, z, a)\nparticle P at No + x*N.x + q*A.x, mass m\n"),
                        "--method", "hamilton")
        s = random_state(14, ["m", "a", "x", "x'", "x''", "q", "q'", "t"])
        self.assertNotAlmostEqual(d.at(s | {"q'": 0.0})(d["momenta"]["q'"]), 0.0)
        v = [s["x'"] + s["q'"] * math.cos(s["a"]), s["q'"] * math.sin(s["a"])]
        self.assert_energy_in_momenta(d, s, s["m"] / 2 * (v[0]**2 + v[1]**2))

    def test_kinetic_energy_in_momenta_with_constraints_embedded(self):
        d = self.derive("positioning_device", "--method", "hamilton")
        s = random_state(15, ["m", "r", "L", "k", "b", "s", "ds", "wy", "Omega", "Omega'", "t"])
        m, r, reach = s["m"], s["r"], (s["L"] + s["s"]) * s["Omega"]
        wx, wz = -reach / r, -s["ds"] / r
        self.assert_energy_in_momenta(d, s, m / 2 * (s["ds"]**2 + reach**2)
                                      + m * r**2 / 5 * (wx**2 + s["wy"]**2 + wz**2))

    def test_intermediates_can_be_evaluated_before_the_rates_are_solved_for(self):
        d = self.derive("two_bodies_ball_joint")
        self.assertTrue(d["intermediates"])
        for z in d["intermediates"]:
            self.assertNotIn("''", z["expression"])
            self.assertNotRegex(z["expression"], r"_w[xyz]'")

    def test_many_momenta_are_not_inverted(self):
        d = self.derive("two_bodies_ball_joint", "--method", "hamilton")
        self.assertIsNone(d["kinetic_energy_in_momenta"])
        self.assertIsNone(d["speeds_in_momenta"])

    def test_momenta_of_a_rolling_disc_change_at_their_rates(self):
        """The central difference of the momenta along the motion is what momentum_rates say."""
        d = self.derive(self.write(ROLLING_DISC), "--method", "hamilton")
        s = random_state(11, ["m", "r", "g", "x", "y", "q1", "q2", "q3", "u1", "u2", "u3"])
        value = d.at(s)
        self.assertLess(max(abs(value(d["mass_matrix"][i][j])) for i in range(3) for j in range(3) if i != j), ROUNDING)
        speeds = d["independent_speeds"]
        udot = {u: value(d["forcing"][i]) / value(d["mass_matrix"][i][i]) for i, u in enumerate(speeds)}
        rates = udot | {q: value(d["kinematics"][q + "'"]) for q in ("q1", "q2", "q3")}
        h = 1e-5  # truncation of order h^2, rounding 1e-16/h
        ahead, behind = (d.at(s | {k: s[k] + step * rates[k] for k in rates}) for step in (h, -h))
        for u in speeds:
            difference = (ahead(d["momenta"][u]) - behind(d["momenta"][u])) / (2 * h)
            self.assertAlmostEqual(value(d["momentum_rates"][u]), difference, delta=1e-8)


class FreeBodies(Derivation):
    """Newton's and Euler's equations of each body, of which the frames are N and B = rotate(N, z, theta)."""

    @staticmethod
    def in_N(value, theta, framed):
        c = [value(e) for e in framed["components"]]
        if framed["frame"] == "N":
            return c
        assert framed["frame"] == "B", framed["frame"]
        cs, sn = math.cos(theta), math.sin(theta)
        return [cs * c[0] - sn * c[1], sn * c[0] + cs * c[1], c[2]]

    def reaction(self, value, theta, balance):
        """What is left for joints and constraints: left side less loads."""
        rest = self.in_N(value, theta, balance["left"])
        for load in balance["loads"]:
            rest = [a - b for a, b in zip(rest, self.in_N(value, theta, load))]
        return rest

    def test_dotted_with_partial_velocities_they_are_the_equations_of_motion(self):
        d = self.derive("cart_and_pendulum", "--method", "newton-euler")
        s = random_state(16, ["M", "m", "L", "k", "c", "g", "x", "theta", "x'", "theta'", "x''", "theta''"])
        M, m, L, th = s["M"], s["m"], s["L"], s["theta"]
        value = d.at(s)
        found = dict.fromkeys(d["speeds"], 0.0)
        for body in d["bodies"]:
            for balance, partials in ((body["newton"], d["partial_velocities"][body["mass_center"]]),
                                      (body["euler"], d["partial_angular_velocities"].get(body["name"]))):
                for u in d["speeds"] if balance else ():
                    found[u] += sum(a * b for a, b in zip(self.reaction(value, th, balance),
                                                          self.in_N(value, th, partials[u])))
        c, sn = m * L / 2 * math.cos(th), m * L / 2 * math.sin(th)
        self.assert_near([found["x'"], found["theta'"]],
                         [(M + m) * s["x''"] + c * s["theta''"] - sn * s["theta'"]**2 + s["k"] * s["x"] + s["c"] * s["x'"],
                          c * s["x''"] + m * L**2 / 3 * s["theta''"] + s["g"] * sn])

    def test_reactions_of_all_bodies_are_the_reaction_of_the_ground(self):
        d = self.derive("cart_and_pendulum", "--method", "newton-euler")
        settings = [w for name, v in (("x'", 0.7), ("theta'", -1.9)) for w in ("--set", f"{name}={v}")]
        found = json.loads(visviva("evaluate", EXAMPLES / "cart_and_pendulum.viva", "--json", *settings).stdout)
        s = {"M": 2.0, "m": 1.0, "L": 0.8, "k": 30.0, "c": 0.5, "g": 9.81} | found["state"]
        s |= {q: found["accelerations"][q] for q in ("x''", "theta''")}
        value = d.at(s)
        forces = [self.reaction(value, s["theta"], body["newton"]) for body in d["bodies"]]
        self.assert_near([sum(f) for f in zip(*forces)], found["reactions"]["No"]["force"], 100.0)
        self.assertGreater(abs(forces[0][0]), 1.0)  # what the pin does to the cart has cancelled

    def test_a_force_off_the_mass_center_has_a_moment(self):
        model = self.write("model pushed\nparameter m, J, F, tau, L\ncoordinate x, y, theta\nframe B = rotate(N, z, theta)\n"
                           "frame Tool = rotate(B, z, 30 deg)\nbody B at No + x*N.x + y*N.y, mass m, inertia J, J, J\n"
                           "point Tip = Bcm + L*B.x\nforce push on Tip = F*N.y\ntorque drive on Tool = tau*Tool.z\n")
        d = self.derive(model, "--method", "newton-euler")
        s = random_state(17, ["m", "J", "F", "tau", "L", "x", "y", "theta", "x''", "y''", "theta''"])
        value, body = d.at(s), d["bodies"][0]
        self.assertEqual([load["name"] for load in body["newton"]["loads"]], ["push"])
        self.assert_near(self.reaction(value, s["theta"], body["newton"]),
                         [s["m"] * s["x''"], s["m"] * s["y''"] - s["F"], 0.0])
        self.assert_near(self.reaction(value, s["theta"], body["euler"]),
                         [0.0, 0.0, s["J"] * s["theta''"] - s["tau"] - s["L"] * s["F"] * math.cos(s["theta"])])
        self.assertEqual(d["loads_elsewhere"], [])

    def test_a_spinning_body_is_written_where_its_hidden_orientation_cancels(self):
        d = self.derive("positioning_device", "--method", "newton-euler")
        s = random_state(18, ["m", "r", "L", "k", "b", "s", "ds", "ds'", "wx", "wy", "wz", "wx'", "wy'", "wz'", "Omega", "Omega'"])
        value, euler = d.at(s), d["bodies"][0]["euler"]
        self.assertEqual((euler["left"]["frame"], euler["loads"][0]["frame"]), ("A", "A"))
        i, w = 2 / 5 * s["m"] * s["r"]**2, s["Omega"]
        self.assert_near([value(e) for e in euler["left"]["components"]],
                         [i * (s["wx'"] + w * s["wz"]), i * s["wy'"], i * (s["wz'"] - w * s["wx"])])
        self.assert_near([value(e) for e in euler["loads"][0]["components"]],
                         [-s["b"] * s["wx"], s["b"] * (w - s["wy"]), -s["b"] * s["wz"]])
        self.assertEqual(d["loads_elsewhere"], [{"name": "fluid", "on": "A"}])

    def test_nothing_holds_a_free_particle(self):
        d = self.derive(self.write("model free\nparameter m\ncoordinate x, y, z\nparticle P at No + x*N.x + y*N.y + z*N.z, mass m\n"),
                        "--method", "newton-euler")
        self.assertIsNone(d["bodies"][0]["newton"]["reaction"])
        self.assertEqual(self.derive("hoist", "--method", "newton-euler")["bodies"][0]["newton"]["reaction"], "R_Q")

    def test_people_read_them_in_one_line(self):
        text = visviva("derive", EXAMPLES / "hoist.viva", "--method", "newton-euler").stdout
        self.assertIn("\n  Q: mQ*x''*N.x = -mQ*g*N.y + R_Q    (gravity on Q)\n", text)
        self.assertIn("\n  B: I*theta''*B.x = T_B\n", text)


class Words(Derivation):
    def test_the_pendulum_is_one_line(self):
        visviva("new", "pendulum", cwd=self.folder)
        result = visviva("derive", self.folder / "pendulum.viva")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        equations = lines[lines.index("Equations of motion") + 1:]
        self.assertRegex(equations[0], r"^  \S.*theta'' = -.*sin\(theta\)$")
        self.assertEqual(equations[1], "")
        self.assertRegex(result.stdout, r"gravity on B +line 8 ")

    def test_constraints_show_dependent_speeds(self):
        result = visviva("derive", EXAMPLES / "positioning_device.viva")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"wz += -ds/r")
        self.assertIn("Dependent speeds: wx, wz", result.stdout)

    def test_latex_has_balanced_braces_and_environments(self):
        for path, method in itertools.product(sorted(EXAMPLES.glob("*.viva")), ("kane", "hamilton", "newton-euler")):
            with self.subTest(path.stem + " " + method):
                text = visviva("derive", path, "--format", "latex", "--method", method).stdout
                self.assertIn("\\begin{align*}", text)
                bare = re.sub(r"\\[{}\\_#$%&]", "", text)
                depth = 0
                for c in bare:
                    depth += (c == "{") - (c == "}")
                    self.assertGreaterEqual(depth, 0)
                self.assertEqual(depth, 0)
                self.assertEqual(text.count("\\begin{align*}"), text.count("\\end{align*}"))
                self.assertEqual(text.count("\\left"), text.count("\\right"))
                self.assertIsNone(re.search(r"(?<![\\{a-z}])_(?!\{)", re.sub(r"\\\w+|_\{", "", bare)))

    def test_format_json_is_json(self):
        model = EXAMPLES / "hoist.viva"
        self.assertEqual(visviva("derive", model, "--format", "json").stdout, visviva("derive", model, "--json").stdout)

    def test_unknown_method_and_format_are_wrong_commands(self):
        model = EXAMPLES / "hoist.viva"
        for option, word, meant in (("--method", "lagrang", "lagrange"), ("--format", "latx", "latex")):
            result = visviva("derive", model, option, word)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"did you mean '{meant}'?", result.stderr)

    def test_a_wrong_model_is_told_as_by_check(self):
        model = self.write("model wrong\ncoordinate q = 1 rad\nframe B = rotate(N, z, p)\n")
        found = [json.loads(visviva(c, model, "--json").stdout)["errors"] for c in ("check", "derive", "evaluate", "prove")]
        self.assertEqual(found[0][0]["code"], "E-name-unknown")
        self.assertTrue(all(f == found[0] for f in found))
        self.assertEqual(visviva("derive", model).returncode, 1)

    def test_values_may_be_missing(self):
        model = self.write("model free\nparameter m, k\ncoordinate x\nparticle P at No + x*N.x, mass m\n"
                           "spring S on x, stiffness k\n")
        d = self.derive(model)
        self.assertEqual((d["mass_matrix"], d["forcing"]), ([["m"]], ["-k*x"]))

    def test_everything_prescribed_has_no_equations(self):
        model = self.write("model driven\nparameter m = 1 kg\nspecified x(t) = 1 m/s*t\nparticle P at No + x*N.x, mass m\n")
        d = self.derive(model)
        self.assertEqual((d["degrees_of_freedom"], d["mass_matrix"], d["forcing"]), (0, [], []))


if __name__ == "__main__":
    unittest.main()
