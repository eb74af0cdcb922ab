"""Tests of `visviva evaluate`, `linearize` and `prove`: numbers against closed forms, exit statuses, JSON."""

import json
import math
import unittest

from program import EXAMPLES, Folder, visviva

ROUNDING = 1e-10  # of a linear solve with numbers of order 1 to 1000

PENDULUM = """
model pendulum
parameter  m = 2 kg, L = 0.7 m, g = 9.81 m/s^2, c = 0.3 N*m*s
input      tau = 0.4 N*m
coordinate q = 50 deg, q' = 1.5 rad/s
frame      A = rotate(N, z, q)
particle   P at No - L*A.y, mass m
gravity    -g*N.y
torque     T on A = tau*N.z
damper     D on q, rate c
output     K, speed2 = magnitude(velocity(P)), velocity(P), acceleration(P)
"""


class Evaluation(Folder):
    def ask(self, command, model, *arguments, status=0):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva(command, path, "--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        return json.loads(result.stdout)

    def assert_near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for f, e in zip(found, expected):
            self.assertAlmostEqual(f, e, delta=ROUNDING * max(1.0, abs(e)))


class Evaluate(Evaluation):
    def test_pendulum_with_input_and_damper(self):
        found = self.ask("evaluate", self.write(PENDULUM))
        m, L, g, c, tau, q, w = 2, 0.7, 9.81, 0.3, 0.4, math.radians(50), 1.5
        alpha = (tau - c * w - m * g * L * math.sin(q)) / (m * L**2)
        self.assert_near([found["accelerations"][k] for k in ("q'", "q''")], [alpha, alpha])
        self.assert_near([found["state"][k] for k in ("t", "q", "q'")], [0, q, w])
        self.assert_near([found["energies"]["K"], found["outputs"]["K"], found["outputs"]["speed2"]],
                         [m * (L * w)**2 / 2] * 2 + [L * w])
        along, across = [math.cos(q), math.sin(q), 0], [-math.sin(q), math.cos(q), 0]
        self.assert_near(found["outputs"]["velocity(P)"], [L * w * x for x in along])
        self.assert_near(found["outputs"]["acceleration(P)"],
                         [L * alpha * x + L * w**2 * y for x, y in zip(along, across)])

    def test_set_moves_the_state(self):
        found = self.ask("evaluate", "hoist", "--set", "theta=90 deg", "--set", "L=1")
        # theta'' = -mB g L sin(theta)/(mB L^2 + I), I = mB L^2/12
        self.assert_near([found["accelerations"]["theta''"]], [-9.8 / (1 + 1 / 12)])

    def test_positioning_device_while_it_turns(self):
        found = self.ask("evaluate", "positioning_device", "--set", "Omega=4 rad/s", "--set", "s=0.05",
                         "--set", "ds=0.3", "--set", "wy=1")
        m, r, L, k, b, Omega, s, ds, wy = 1, 0.1, 1, 200, 2, 4, 0.05, 0.3, 1
        self.assert_near([found["state"][w] for w in ("wx", "wz", "s'")], [-(L + s) * Omega / r, -ds / r, ds])
        dds = (L + s) * Omega**2 - (k * s + b * ds / r**2) / (7 / 5 * m)
        self.assert_near([found["accelerations"][w] for w in ("ds", "s''", "wx", "wy", "wz")],
                         [dds, dds, -ds * Omega / r, -b * (wy - Omega) / (2 / 5 * m * r**2), -dds / r])
        v2, w2 = ds**2 + ((L + s) * Omega)**2, ((L + s) * Omega / r)**2 + wy**2 + (ds / r)**2
        self.assert_near([found["energies"]["K"]], [m * v2 / 2 + m * r**2 / 5 * w2])

    def test_energies_of_the_hoist_while_it_is_pulled(self):
        found = self.ask("evaluate", "hoist", "--set", "x=0.4 m + 1.5 m/s*t - 3 m/s^2*t^2", "--set", "theta'=1.2 rad/s")
        mQ, mB, L, g, theta, dtheta, dx, ddx = 1, 2, 0.5, 9.8, math.radians(30), 1.2, 1.5, -6
        K0, K2 = (mQ + mB) * dx**2 / 2, mB * L**2 * (1 + 1 / 12) * dtheta**2 / 2
        U = -mB * g * L * math.cos(theta)
        expected = {"K": K0 + K2, "K0": K0, "K1": 0, "K2": K2, "U": U, "Z": 0, "E_Z": K2 + U, "E": K2 + U,
                    "H": K2 - K0 + U, "C": K0 + K2 + U, "sigma": (mQ + mB) * dx * ddx, "sigma_R": 0,
                    "P_nonconservative": 0}
        self.assertEqual(list(found["energies"]), list(expected))
        self.assert_near(list(found["energies"].values()), list(expected.values()))
        self.assert_near([found["outputs"][name] for name in ("E", "H", "C")],
                         [expected[name] for name in ("E", "H", "C")])

    def test_powers_and_work_of_gravity_and_motors_at_the_start(self):
        text = (EXAMPLES / "hoist.viva").read_text(encoding="utf-8")
        model = self.write(text + "output power(gravity), generalized_power(gravity), power(nonconservative), power(x)\n"
                           "output work(gravity), generalized_work(gravity), work(nonconservative), work(x), action()\n")
        found = self.ask("evaluate", model, "--set", "x=1.5 m/s*t - 3 m/s^2*t^2", "--set", "theta'=1.2 rad/s")["outputs"]
        gravity = -2 * 9.8 * 0.5 * math.sin(math.radians(30)) * 1.2
        self.assert_near([found[name] for name in ("power(gravity)", "generalized_power(gravity)",
                                                   "power(nonconservative)", "power(x)")],
                         [gravity, gravity, 0, 3 * 1.5 * -6])
        self.assertEqual([found[f"{name})"] for name in ("work(gravity", "generalized_work(gravity",
                                                         "work(nonconservative", "work(x", "action(")], [0] * 5)

    def test_forces_and_motors_that_are_called_gravity_or_nonconservative(self):
        for name in ("gravity", "nonconservative"):
            model = self.write(f"""model named
coordinate q = 0 m, q' = 2 m/s
particle P at No + q*N.y, mass 2 kg
gravity -9.81 m/s^2*N.y
force {name} on P = 3 N*N.y
output power({name})
""")
            with self.subTest(force=name):
                self.assert_near([self.ask("evaluate", model)["outputs"][f"power({name})"]], [3 * 2])
            model = self.write(f"""model named
specified {name}(t) = 2 m/s*t
particle P at No + {name}*N.y, mass 2 kg
gravity -9.81 m/s^2*N.y
output power({name}), generalized_power(gravity)
""")
            with self.subTest(motor=name):  # it lifts the weight at 2 m/s
                found = self.ask("evaluate", model)["outputs"]
                self.assert_near([found[f"power({name})"], found["generalized_power(gravity)"]], [2 * 9.81 * 2, 0])

    def test_an_output_without_a_finite_value_is_told_as_in_a_run(self):
        # A driven arm at rest: power(q)/q' is 0/0, x/x' is 1/0, and sqrt(x - 2 m) has no value; the others are there.
        model = self.write("""model rest
specified q(t) = 1 rad - 1 rad*cos(2 rad/s*t)
coordinate x = 0.3 m
frame A = rotate(N, z, q)
particle P at No + x*A.x, mass 2 kg
spring S on x, stiffness 30 N/m, rest 0.3 m
output torque = power(q)/q', ratio = x/x', root = sqrt(x - 2 m), way = unit(velocity(P)), motor(q)
study until 0.1 s, every 0.1 s
""")
        open_ones = ["torque", "ratio", "root", "way"]
        answer = visviva("evaluate", model, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        found = json.loads(answer.stdout)
        self.assertEqual(found["without_value"], open_ones)
        self.assertEqual([found["outputs"][name] for name in open_ones[:3]], [None] * 3)
        self.assertEqual(found["outputs"]["way"], [None, None, 0.0])
        self.assertAlmostEqual(found["outputs"]["motor(q)"], 2 * 0.3**2 * 4, places=12)  # m x^2 q''
        spoken = visviva("evaluate", model)
        self.assertEqual(spoken.returncode, 0)
        self.assertNotRegex(spoken.stdout, r"\b(nan|inf)\b")
        run = visviva("simulate", model, "--out", self.folder / "run")
        self.assertEqual(run.returncode, 0, run.stderr)
        for name in open_ones:
            for text in spoken.stderr, run.stdout:
                self.assertIn(f"The output '{name}' has no finite value", " ".join(text.split()))
        rows = json.loads(visviva("simulate", model, "--json", "--out", self.folder / "run").stdout)["without_value"]
        self.assertEqual([gap["name"] for gap in rows], open_ones)

    def test_reactions_that_are_zero_are_zero(self):
        # No moment at hinges, none about the fixed point of a body, none at No of a particle on a track.
        models = {"J": """coordinate q1 = 0.3 rad, q2 = 0.7 rad, q1' = 1 rad/s, q2' = -2 rad/s
frame A = rotate(N, z, q1), B = rotate(A, z, q2)
point J = No + 1.1 m*A.x
body A at No + 0.5 m*A.x, mass 2 kg, inertia 0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2
body B at J + 0.5 m*B.x, mass 2 kg, inertia 0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2
gravity -9.81 m/s^2*N.y
""", "No": """coordinate e0 = 0.9, e1 = 0.3, e2 = 0.1, e3 = 0.2
frame B = quaternion(N, e0, e1, e2, e3)
body B at No + 0.3 m*B.x + 0.2 m*B.y, mass 3 kg, inertia 1 kg*m^2, 1.2 kg*m^2, 1.4 kg*m^2
start B_wx = 1 rad/s, B_wy = 2 rad/s, B_wz = -1 rad/s
gravity -9.81 m/s^2*N.z
"""}
        for point, text in models.items():
            with self.subTest(point):
                reactions = self.ask("evaluate", self.write("model hinge\n" + text))["reactions"]
                for name in {point, "No"}:
                    self.assertEqual(reactions[name]["moment"], [0.0, 0.0, 0.0])
                    self.assertGreater(max(map(abs, reactions[name]["force"])), 1.0)
        track = self.write("model track\ncoordinate x = 0.3 m, x' = 1 m/s, y = about 0 m, y' = about 0 m/s\nparticle P at No + x*N.x + y*N.y, mass 3 kg\n"
                           "gravity -9.81 m/s^2*N.y\nconstraint c: y = 0.3*x\n")
        reaction = self.ask("evaluate", track)["reactions"]["No"]
        self.assertEqual((reaction["force"], reaction["moment"]), ([0.0] * 3, [0.0] * 3))

    def test_energies_of_the_positioning_device(self):
        text = (EXAMPLES / "positioning_device.viva").read_text(encoding="utf-8")
        model = self.write(text + "output both = E_Z - E, work(fluid), work(tube), generalized_power(fluid), power(fluid)\n"
                           "output Zrate = sigma_R - P_nonconservative, K0, K1, K2, U, Z\n")
        found = self.ask("evaluate", model, "--set", "Omega=4 rad/s + 0.7 rad/s^2*t", "--set", "s=0.05",
                         "--set", "ds=0.3", "--set", "wy=1")
        m, r, L, k, b, Omega, dOmega, s, ds, wy = 1, 0.1, 1, 200, 2, 4, 0.7, 0.05, 0.3, 1
        K0, K2, U = 0.7 * m * ((L + s) * Omega)**2, 0.2 * m * (3.5 * ds**2 + (r * wy)**2), k * s**2 / 2
        sigma_R = -1.4 * m * Omega**2 * (L + s) * ds
        # The sphere turns by wx = -(L + s) Omega/r along the tube whatever the speeds: no part of v_R.
        wx, wz = -(L + s) * Omega / r, -ds / r
        P = -b * ((wy - Omega) * wy + wz**2)
        self.assert_near([found["energies"][name] for name in ("K0", "K1", "K2", "U", "E_Z", "E", "H", "C", "sigma",
                                                               "sigma_R", "P_nonconservative")],
                         [K0, 0, K2, U, K2 + U, K2 + U, K2 - K0 + U, K0 + K2 + U,
                          1.4 * m * Omega * dOmega * (L + s)**2, sigma_R, P])
        self.assert_near([found["outputs"][name] for name in ("both", "work(fluid)", "work(tube)", "generalized_power(fluid)",
                                                              "power(fluid)", "Zrate", "K0", "K1", "K2", "U", "Z")],
                         [0, 0, 0, P, -b * (wx**2 + (wy - Omega)**2 + wz**2), sigma_R - P, K0, 0, K2, U, 0])
        self.assert_near([found["powers"]["fluid"]["generalized_power"]], [P])

    def test_energies_in_words(self):
        text = visviva("evaluate", EXAMPLES / "positioning_device.viva", "--case", "constant_undamped").stdout
        # H = -0.7 m (L Omega)^2 at rest in the tube.
        self.assertRegex(text, r"\n  H +-11\.2 J\n")
        self.assertRegex(text, r"\n  P_nonconservative +0 W\n")

    def test_energies_at_a_singular_start(self):
        # Two cranks of 1 m on pins 1 m apart and a rod between them, all on one line: the loop loses a row.
        model = self.write("""model flat
parameter m = 1 kg, l = 1 m
coordinate q0 = 0 rad, q0' = 1.5 rad/s, p = 0 rad, p' = 0 rad/s, q1 = 0 rad, q1' = 1.5 rad/s
frame A = rotate(N, z, q0)
frame B = rotate(N, z, p)
frame D = rotate(N, z, q1)
point T0 = No + l*A.x
point T1 = No + l*N.x + l*D.x
body A at No + l/2*A.x, mass m, rod length l along x
body B at T0 + l/2*B.x, mass m, rod length l along x
body D at T1 - l/2*D.x, mass m, rod length l along x
constraint loop: T0 + l*B.x - T1 = 0
""")
        K = (1 / 3 + 1 + 1 / 3) * 1.5**2 / 2
        found = json.loads(visviva("evaluate", model, "--json").stdout)["energies"]
        self.assert_near([found[name] for name in ("K", "K0", "K1", "K2", "U", "H")], [K, 0, 0, K, 0, K])

    def test_a_constraint_carries_the_weight(self):
        model = self.write("model held\nparameter m = 3 kg, g = 9.81 m/s^2\ncoordinate x, y\n"
                           "particle P at No + x*N.x + y*N.y, mass m\ngravity -g*N.y\n"
                           "constraint floor: y = 0\n")
        found = self.ask("evaluate", model)
        # M u' = f + A' lambda with the row y' = 0: lambda = m g.
        self.assert_near([found["multipliers"]["floor"]], [3 * 9.81])
        self.assert_near([found["accelerations"]["y'"]], [0.0])

    def test_a_driven_arm_shows_its_hinge_and_its_motor(self):
        model = self.write("model crank\nparameter m = 1 kg, L = 0.5 m, g = 9.81 m/s^2\nspecified phi(t) = 3 rad/s * t\n"
                           "frame A = rotate(N, z, phi)\npoint H = No\nbody A at H + L*A.x, mass m, rod length L along x\n"
                           "gravity -g*N.y\noutput power(phi), reaction(H)\n")
        found = self.ask("evaluate", model)
        # Centripetal force m L w^2 towards the hinge, the weight above it, its moment m g L from the motor.
        hinge = found["reactions"]["H"]
        self.assert_near(hinge["force"], [-0.5 * 9, 9.81, 0])
        self.assert_near(hinge["moment"], [0, 0, 9.81 * 0.5])
        self.assertEqual(hinge["at"], "H")
        self.assert_near([found["motors"]["phi"]["power"], found["outputs"]["power(phi)"]], [9.81 * 0.5 * 3] * 2)
        self.assert_near(found["outputs"]["reaction(H)"], hinge["force"])
        self.assertEqual(found["accelerations"], {})

    def test_a_condition_that_holds_by_itself_shares_openly_with_the_guide(self):
        guide = ("model guide\ncoordinate s = 0.1 m\npoint J = No + s*N.z\nframe B = rotate(N, z, 0)\n"
                 "body B at J + 0.2 m*N.z, mass 1 kg, rod length 1 m along x\nforce F on Bcm = 3 N*N.x + 2 N*N.y\noutput reaction(J)\n")
        alone = self.ask("evaluate", self.write(guide))["reactions"]["J"]
        self.assert_near(alone["force"] + alone["moment"], [-3, -2, 0, 2 * 0.2, -3 * 0.2, 0])
        model = self.write(guide + "constraint hold: dot(velocity(Bcm), N.x) = 0\n")
        shared = self.ask("evaluate", model)["reactions"]["J"]
        self.assertEqual([shared["force"][0], shared["moment"][1]], [None, None])
        self.assert_near(shared["force"][1:] + [shared["moment"][0], shared["moment"][2]], [-2, 0, 2 * 0.2, 0])
        # In columns of a run, too.
        self.assertEqual(visviva("simulate", model, "--until", "1", "--out", self.folder / "run").returncode, 0)
        with open(self.folder / "run" / "trajectory.csv", encoding="utf-8") as file:
            names, first = [line.strip().split(",") for line in file.readlines()[1:3]]
        row = dict(zip(names, first))
        self.assertEqual([row["reaction(J).x"], row["reaction(J).moment.y"]], ["nan", "nan"])
        self.assert_near([float(row["reaction(J).y"]), float(row["reaction(J).moment.x"])], [-2, 2 * 0.2])

    def test_a_vector_condition_shares_openly_what_it_holds_across_the_plane(self):
        crank = ("model crank\nparameter L = 1 m\ncoordinate q1 = about 40 deg, q2 = about -80 deg\nframe A = rotate(N, z, q1)\n"
                 "frame B = rotate(A, z, q2)\npoint J = No + L*A.x, E = J + L*B.x\nparticle P at J + L/2*B.x, mass 1 kg\n"
                 "gravity -9.81 m/s^2*N.y\nconstraint loop: E - (No + 1.5 m*N.x) = 0\noutput reaction(loop), multiplier(loop), reaction(J)\n")
        # In a plane there is nothing to hold across it. The arm A has no mass: its force on the rod is along it.
        found = self.ask("evaluate", self.write(crank))
        rise = math.sqrt(1 - 0.75**2)
        along = 9.81 * 0.375 * 0.75 / (1.5 * rise)
        for name, force in ("loop", [-along, 9.81 * 3 / 4, 0]), ("J", [along, 9.81 / 4, 0]):
            self.assert_near(found["reactions"][name]["force"] + found["reactions"][name]["moment"], force + [0, 0, 0])
        self.assertEqual(found["outputs"]["multiplier(loop)"][2], 0)
        # A weight beside the plane turns about axes in it: m g h about N.x at No, where the condition has no lever.
        found = self.ask("evaluate", self.write(crank.replace("L/2*B.x,", "L/2*B.x + 0.1 m*B.z,")))
        loop, foot, joint = (found["reactions"][name] for name in ("loop", "No", "J"))
        self.assertEqual([loop["force"][2], foot["force"][2], joint["force"][2]], [None, None, None])
        self.assertEqual([found["outputs"]["multiplier(loop)"][2], found["outputs"]["reaction(loop)"][2]], [None, None])
        self.assert_near([foot["moment"][0]], [-9.81 * 0.1])
        self.assertEqual([foot["moment"][1], joint["moment"][0], joint["moment"][1]], [None, None, None])
        # So does a force across the plane; a run says the same.
        pulled = self.write(crank + "force F on P = 3 N*N.z\n")
        self.assertIsNone(self.ask("evaluate", pulled)["reactions"]["loop"]["force"][2])
        self.assertEqual(visviva("simulate", pulled, "--until", "0.1", "--out", self.folder / "pulled").returncode, 0)
        with open(self.folder / "pulled" / "trajectory.csv", encoding="utf-8") as file:
            names, first = [line.strip().split(",") for line in file.readlines()[1:3]]
        row = dict(zip(names, first))
        self.assertEqual([row[name] for name in ("reaction(loop).z", "multiplier(loop).z", "reaction(J).z")], ["nan"] * 3)
        self.assertNotEqual(row["reaction(loop).x"], "nan")

    def test_motors_have_the_unit_of_what_they_give(self):
        model = self.write("model lift\nparameter m = 2 kg, g = 9.81 m/s^2\nspecified phi(t) = 3 rad/s * t, h(t) = 1 m/s * t, w(t) = 5 rad/s\n"
                           "frame A = rotate(N, z, phi), B = spin(N, w*N.z)\nbody A at No, mass m, rod length 1 m along x\n"
                           "body B at No, mass m, rod length 1 m along x\nparticle P at No + h*N.y, mass m\ngravity -g*N.y\n")
        found = self.ask("evaluate", model)["motors"]
        self.assertEqual({name: motor["unit"] for name, motor in found.items()}, {"phi": "N*m", "h": "N", "w": "N*m"})
        self.assert_near([found["h"]["force"]], [2 * 9.81])
        printed = visviva("evaluate", model).stdout
        self.assertIn("h: force 19.62 N, power 19.62 W", printed)
        self.assertIn("phi: torque 0 N*m, power 0 W", printed)

    def test_a_constraint_without_effect_alone_is_null_in_reactions(self):
        model = self.write("model held\nparameter m = 3 kg, g = 9.81 m/s^2\ncoordinate x, y\n"
                           "particle P at No + x*N.x + y*N.y, mass m\ngravity -g*N.y\n"
                           "constraint floor: y = 0\nconstraint table: 2*y = 0\n")
        reactions = self.ask("evaluate", model)["reactions"]
        self.assertEqual([reactions[name]["force"][1] for name in ("floor", "table")], [None, None])

    def test_a_ball_joint_has_three_multipliers(self):
        self.assertEqual(len(self.ask("evaluate", "two_bodies_ball_joint")["multipliers"]["ball"]), 3)

    def test_twice_the_same_constraint_is_not_determined(self):
        model = self.write("model held\nparameter m = 3 kg, g = 9.81 m/s^2\ncoordinate x, y\n"
                           "particle P at No + x*N.x + y*N.y, mass m\ngravity -g*N.y\n"
                           "constraint floor: y = 0\nconstraint table: 2*y = 0\n")
        self.assertEqual(self.ask("evaluate", model)["multipliers"], {"floor": None, "table": None})
        self.assertRegex(visviva("evaluate", model).stdout, r"table +not determined\n")

    def test_an_auxiliary_speed_brings_the_string_into_evidence(self):
        model = self.write("model aux\nparameter m = 1 kg, L = 2 m, g = 9.81 m/s^2\n"
                           "coordinate q = 60 deg, q' = 3 rad/s\nunknown T\nframe A = rotate(N, z, q)\n"
                           "particle P at No - L*A.y, mass m\nforce string on P = T*A.y\ngravity -g*N.y\n"
                           "auxiliary ua along A.y at P\n")
        self.assert_near([self.ask("evaluate", model)["unknowns"]["T"]], [9.81 * 0.5 + 2 * 9])

    def test_an_unknown_force_that_remains_is_an_error(self):
        model = self.write("model unk\nparameter m = 1 kg\ncoordinate x\nunknown T\n"
                           "particle P at No + x*N.x, mass m\nforce F on P = T*N.x\n")
        error = self.ask("evaluate", model, status=1)["errors"][0]
        self.assertEqual((error["code"], error["line"]), ("E-unknown-remains", 4))
        self.assertEqual(visviva("derive", model).returncode, 1)

    def test_missing_values_are_listed_together(self):
        model = self.write("model free\nparameter m, k = 2 N/m\nspecified F(t)\ncoordinate x\n"
                           "particle P at No + x*N.x, mass m\nspring S on x, stiffness k\nforce G on P = F*N.x\n")
        errors = self.ask("evaluate", model, status=1)["errors"]
        self.assertEqual([e["code"] for e in errors], ["E-value-missing"])
        self.assertRegex(errors[0]["message"], r"\bm\b.*\bF\b")
        self.assertNotRegex(errors[0]["message"], r"\bk\b")
        self.assertEqual(self.ask("evaluate", model, "--set", "m=1", "--set", "F=3 N", "--set", "x=0.5")
                         ["accelerations"]["x'"], 2.0)


class Linearize(Evaluation):
    def test_pendulum_hanging_down(self):
        found = self.ask("linearize", self.write(PENDULUM), "--equilibrium", "--set", "tau=0")
        m, L, g, c = 2, 0.7, 9.81, 0.3
        self.assertEqual((found["states"], found["inputs"]), (["q", "q'"], ["tau"]))
        for row, expected in zip(found["A"], [[0, 1], [-g / L, -c / (m * L**2)]]):
            self.assert_near(row, expected)
        self.assert_near([row[0] for row in found["B"]], [0, 1 / (m * L**2)])
        self.assert_near([found["equilibrium"]["coordinates"]["q"]], [0])
        half = c / (m * L**2) / 2
        expected = [[-half, w] for w in (math.sqrt(g / L - half**2), -math.sqrt(g / L - half**2))]
        for pair, (re, im) in zip(sorted(found["eigenvalues"], key=lambda e: -e[1]), expected):
            self.assert_near(pair, [re, im])

    def test_an_input_holds_the_pendulum_aside(self):
        found = self.ask("evaluate", self.write(PENDULUM), "--equilibrium")
        self.assert_near([found["state"]["q"]], [math.asin(0.4 / (2 * 9.81 * 0.7))])
        self.assert_near([found["accelerations"]["q''"], found["state"]["q'"]], [0, 0])

    def test_no_equilibrium_ends_with_status_3(self):
        model = self.write("model falling\nparameter m = 1 kg, g = 9.81 m/s^2\ncoordinate y\n"
                           "particle P at No + y*N.y, mass m\ngravity -g*N.y\n")
        for command in ("evaluate", "linearize"):
            with self.subTest(command):
                found = self.ask(command, model, "--equilibrium", status=3)
                self.assertFalse(found["equilibrium"]["found"])
                self.assertTrue(found["equilibrium"]["reason"])


class Prove(Evaluation):
    def test_methods_agree_on_every_example(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            with self.subTest(path.stem):
                found = self.ask("prove", path.stem)
                self.assertEqual((found["verdict"], found["equal"]), ("equal", True))
                self.assertGreaterEqual(len(found["methods"]) + len(found["refusals"]), 4)
                self.assertGreaterEqual(len(found["methods"]), 2)
                self.assertTrue(all(e["claim"] and e["verdict"] == "equal" for e in found["evidence"]))
                self.assertLess(found["error_probability"], 1e-12)

    def test_words_name_the_methods(self):
        result = visviva("prove", EXAMPLES / "hoist.viva")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("hoist: equal", result.stdout)
        self.assertIn("Methods: kane, lagrange", result.stdout)


class AtRest(Folder):
    def test_without_prescribed_motion_there_is_no_work_of_its_inertia(self):
        model = self.write("model still\ncoordinate z = 0.7 m, a = 0.2 rad, b = -0.4 rad, c = -0.3 rad\nframe B = rotate(N, zxy, a, b, c)\n"
                           "body B at No + z*N.z + 0.2 m*B.x + 0.1 m*B.y, mass 1 kg, inertia 0.06 kg*m^2, 0.07 kg*m^2, 0.03 kg*m^2\n"
                           "gravity -9.81 m/s^2*N.y\n")
        result = visviva("evaluate", model, "--equilibrium")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("gravity on B", result.stdout)
        self.assertNotIn("inertia of the prescribed motion", result.stdout)


if __name__ == "__main__":
    unittest.main()
