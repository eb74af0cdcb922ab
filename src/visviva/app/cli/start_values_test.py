"""Tests of start values through the program: what is given is honoured or refused, guesses close loops, and nothing is dropped."""

import json
import math
import unittest

from program import Folder, visviva

BODY = """
model body
coordinate e0 = 1, e1, e2, e3
frame D = quaternion(N, e0, e1, e2, e3)
body  D at No, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
{more}
"""

# Crank 1 m, coupler 2 m, rocker 2 m, ground 2.5 m; the crank stands at 60 deg.
FOUR_BAR = """
model four_bar
coordinate q1 = 60 deg, q2 = about {coupler} deg, q3 = about {rocker} deg
frame A = rotate(N, z, q1)
frame B = rotate(N, z, q2)
frame C = rotate(N, z, q3)
particle P at No + 1 m*A.x, mass 1 kg
particle Q at No + 2.5 m*N.x + 2 m*C.x, mass 1 kg
constraint loop: P + 2 m*B.x - Q = 0
"""


def close_four_bar(side):
    """Coupler and rocker angles from the triangle crank pin, rocker pin, ground pin; `side` +1 or -1."""
    px, py = math.cos(math.pi / 3), math.sin(math.pi / 3)
    dx, dy = 2.5 - px, -py
    d = math.hypot(dx, dy)
    turn = math.acos(d / 2 / 2)
    coupler = math.atan2(dy, dx) + side * turn
    qx, qy = px + 2 * math.cos(coupler), py + 2 * math.sin(coupler)
    return coupler, math.atan2(qy, qx - 2.5)


class StartValues(Folder):
    def state(self, text, *options):
        run = visviva("evaluate", self.write(text), "--json", *options)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        return json.loads(run.stdout)["state"]

    def errors(self, text, *options):
        run = visviva("check", self.write(text), "--json", *options)
        answer = json.loads(run.stdout)
        return [d["code"] for d in answer.get("errors", []) + answer.get("warnings", [])], run.returncode

    def test_a_rate_of_an_euler_parameter_turns_the_body(self):
        by_start = BODY.format(more="start e2' = 75 rad/s")
        by_coordinate = BODY.format(more="").replace("e3\n", "e3, e2' = 75 rad/s\n", 1)
        for text in (by_start, by_coordinate):
            state = self.state(text)
            self.assertAlmostEqual(state["D_wy"], 150, places=9)  # w = 2 (e0 e' - e0' e + ...)
            self.assertAlmostEqual(state["e2'"], 75, places=9)
        state = self.state(BODY.format(more=""), "--set", "e2'=75")
        self.assertAlmostEqual(state["D_wy"], 150, places=9)

    def test_guesses_choose_the_branch_and_exact_values_stay(self):
        for side, coupler, rocker in ((1, 40, 100), (-1, -80, -120)):
            state = self.state(FOUR_BAR.format(coupler=coupler, rocker=rocker))
            q2, q3 = close_four_bar(side)
            self.assertAlmostEqual(state["q1"], math.pi / 3, places=15)
            self.assertAlmostEqual(math.remainder(state["q2"] - q2, 2 * math.pi), 0, places=9)
            self.assertAlmostEqual(math.remainder(state["q3"] - q3, 2 * math.pi), 0, places=9)

    def test_a_guess_that_moves_is_no_warning_but_is_told(self):
        text = FOUR_BAR.format(coupler=40, rocker=100)
        self.assertEqual(self.errors(text), ([], 0))
        changes = json.loads(visviva("check", self.write(text), "--json").stdout)["start_changes"]
        self.assertEqual([c["name"] for c in changes], ["q2", "q3"])
        self.assertTrue(all(c["guess"] and not c["given"] for c in changes))

    def test_a_guess_of_a_speed_is_one_however_the_body_turns(self):
        # Two coaxial bodies: the exact rate of one stays, the guess of the other follows, without a warning.
        ways = {"qa', qb'": "coordinate qa, qb\nframe A = rotate(N, x, qa), B = rotate(N, x, qb)\n",
                "A_wx, B_wx": "coordinate a0 = 1, a1, a2, a3, b0 = 1, b1, b2, b3\nframe A = quaternion(N, a0, a1, a2, a3)\n"
                              "frame B = quaternion(N, b0, b1, b2, b3)\n",
                "angular_velocity(A), angular_velocity(B)": "coordinate a1, a2, a3, b1, b2, b3\nframe A = rodrigues(N, a1, a2, a3)\n"
                                                            "frame B = rodrigues(N, b1, b2, b3)\n"}
        for names, frames in ways.items():
            first, second = names.split(", ")
            along = "*N.x" if "angular" in names else ""
            text = (f"model coaxial\n{frames}body A at No, mass 1 kg, inertia 1 kg*m^2, 1.2 kg*m^2, 1.1 kg*m^2\n"
                    "body B at No, mass 1 kg, inertia 3 kg*m^2, 2.5 kg*m^2, 2 kg*m^2\n"
                    "constraint same: dot(angular_velocity(A) - angular_velocity(B), N.x) = 0 rad/s\n"
                    "output wa = dot(angular_velocity(A), N.x), wb = dot(angular_velocity(B), N.x)\n"
                    f"start {first} = 0.4 rad/s{along}, {second} = about 0.2 rad/s{along}\n")
            with self.subTest(names):
                self.assertEqual(self.errors(text), ([], 0))
                found = json.loads(visviva("evaluate", self.write(text), "--json").stdout)["outputs"]
                self.assertAlmostEqual(found["wa"], 0.4, places=12)
                self.assertAlmostEqual(found["wb"], 0.4, places=12)

    def test_a_guess_may_come_from_a_case_and_the_command_line(self):
        text = FOUR_BAR.format(coupler=40, rocker=100) + "case down: q2 = about -80 deg, q3 = about -120 deg\n"
        down = close_four_bar(-1)[0]
        self.assertAlmostEqual(self.state(text, "--case", "down")["q2"], down, places=9)
        state = self.state(text, "--set", "q2=about -80 deg", "--set", "q3=about -120 deg")
        self.assertAlmostEqual(state["q2"], down, places=9)

    def test_body_rates_under_a_constraint_move_by_the_least_change(self):
        text = """
model two
coordinate a0 = 1, a1, a2, a3, b0 = 1, b1, b2, b3
frame A = quaternion(N, a0, a1, a2, a3)
frame B = quaternion(N, b0, b1, b2, b3)
body A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body B at No, mass 1 kg, inertia 3 kg*m^2, 3 kg*m^2, 3 kg*m^2
constraint same: dot(angular_velocity(A), A.x) = dot(angular_velocity(B), B.x)
start A_wx = 0.4 rad/s, B_wx = 0.2 rad/s
"""
        state = self.state(text)
        self.assertAlmostEqual(state["A_wx"], (0.4 + 3 * 0.2) / 4, places=9)
        self.assertAlmostEqual(state["B_wx"], (0.4 + 3 * 0.2) / 4, places=9)
        self.assertEqual(self.errors(text), (["W-start-changed", "W-start-changed"], 0))

    def test_a_start_of_one_body_leaves_the_other_alone(self):
        text = """
model rods
coordinate a = 10 deg, b = 20 deg
frame A = rotate(N, z, a)
frame B = rotate(A, z, b)
body A at No - 0.5 m*A.y, mass 1 kg, rod length 1 m along y
body B at No - 1 m*A.y - 0.5 m*B.y, mass 1 kg, rod length 1 m along y
start {}
"""
        for start, a, b in (("angular_velocity(A) = 1 rad/s*N.z", 1, 0), ("velocity(Acm) = 1 m/s*A.x", 2, 0),
                            ("angular_velocity(B, A) = 1 rad/s*N.z", 0, 1)):
            with self.subTest(start):
                state = self.state(text.format(start))
                self.assertAlmostEqual(state["a'"], a, places=12)
                self.assertAlmostEqual(state["b'"], b, places=12)

    def test_a_value_set_later_overrules_what_it_contradicts_and_nothing_else(self):
        text = """
model chain
coordinate e0 = 1, e1, e2, e3, f0 = 1, f1, f2, f3
frame B = quaternion(N, e0, e1, e2, e3)
frame D = quaternion(B, f0, f1, f2, f3)
body B at No, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 3 kg*m^2
body D at No + 1 m*B.x, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 3 kg*m^2
start f1' = 1 rad/s{more}
"""
        for more, carrier in (("", 0), (", e1' = 2 rad/s", 4)):
            state = self.state(text.format(more=more), "--set", "D_wx=7")
            self.assertAlmostEqual(state["D_wx"], 7, places=12)
            self.assertAlmostEqual(state["f1'"], 3.5, places=12)
            self.assertAlmostEqual(state["B_wx"], carrier, places=12)

    # R of e = (1, 1, 1, 1)/2 takes N.x to B.y, N.y to B.z, N.z to B.x.
    def test_an_angular_velocity_that_is_overruled_is_told(self):
        text = BODY.format(more="start angular_velocity(D) = 1 rad/s*N.x + 2 rad/s*N.y + 3 rad/s*N.z").replace(
            "e0 = 1, e1, e2, e3", "e0 = 0.5, e1 = 0.5, e2 = 0.5, e3 = 0.5", 1)
        plain, changed = self.state(text), self.state(text, "--set", "D_wx=9")
        for name, before, after in (("D_wx", 2, 9), ("D_wy", 3, 3), ("D_wz", 1, 1)):
            self.assertAlmostEqual(plain[name], before, places=12)
            self.assertAlmostEqual(changed[name], after, places=12)
        self.assertEqual(self.errors(text), ([], 0))
        self.assertEqual(self.errors(text, "--set", "D_wx=9"), (["W-start-changed"], 0))

    def test_a_locked_euler_parameter_is_locked_where_its_quaternion_is_normalised(self):
        at = {"e0 = 1, e1 = 1, e2, e3": (math.sqrt(0.5), math.sqrt(0.5), 0, 0), "e0, e1, e2, e3": (1, 0, 0, 0),
              "e0 = 0.8, e1 = about 3, e2, e3": (0.8, 0.6, 0, 0), "e0 = 2, e1 = 1, e2 = 2, e3": (2 / 3, 1 / 3, 2 / 3, 0)}
        for start, expected in at.items():
            with self.subTest(start):
                state = self.state(BODY.format(more="lock e0").replace("e0 = 1, e1, e2, e3", start, 1))
                for name, value in zip(("e0", "e1", "e2", "e3"), expected):
                    self.assertAlmostEqual(state[name], value, places=12)

    # Given parameters that no guess can bring together with a constraint move little, not to another turn.
    def test_euler_parameters_move_by_the_least_change_beside_a_guess(self):
        text = BODY.format(more="constraint dot(D.x, N.y) = 0.1").replace(
            "e0 = 1, e1, e2, e3", "e0 = about 0.9, e1 = 0.2, e2 = 0.1, e3 = 0.1", 1)
        state = self.state(text)
        self.assertAlmostEqual(2 * (state["e1"] * state["e2"] + state["e0"] * state["e3"]), 0.1, places=12)
        for name, value in (("e0", 0.9695), ("e1", 0.2), ("e2", 0.1), ("e3", 0.1)):
            self.assertLess(abs(state[name] - value), 0.08)

    def test_values_that_contradict_each_other_are_refused(self):
        text = """
model twice
coordinate x = 0 m, x' = 1 m/s
speed u = 2*x'
particle P at No + x*N.x, mass 1 kg
"""
        self.assertEqual(self.errors(text + "start u = 3 m/s\n"), (["E-start-inconsistent"], 1))
        self.assertEqual(self.errors(text + "start u = 2 m/s\n"), ([], 0))
        self.assertAlmostEqual(self.state(text, "--set", "u=3 m/s")["u"], 3, places=15)


    # Coordinates that a joint or a robot file brings have no start values of their own: the model gives them.
    def test_joints_and_robots_start_where_the_model_says(self):
        robot = self.write(
            '<robot name="r"><link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial></link><link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>'
            '<inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            '<joint name="q" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>'
            '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>', "r.urdf")
        joint = ("model j\nbody B at J, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2\njoint J {} of B on N at No\n{}\n")
        place = "start {0}_e1 = 0.6, {0}_e2' = 2 rad/s, {0}_x = 3 m"
        for text, options, prefix in (
                (joint.format("free", place.format("J")), (), "J"),
                (joint.format("free", ""), ("--set", "J_e1=0.6", "--set", "J_e2'=2", "--set", "J_x=3 m"), "J"),
                (joint.format("free", "case c: J_e1 = 0.6, J_e2' = 2 rad/s, J_x = 3 m"), ("--case", "c"), "J"),
                ('model i\nimport "r.urdf" as R, floating\n' + place.format("R_base") + ", R_q = 30 deg\n", (), "R_base")):
            with self.subTest((text, options)):
                state = self.state(text, *options)
                for name, value in (("e0", 0.8), ("e1", 0.6), ("e2", 0), ("e2'", 2), ("x", 3)):
                    self.assertAlmostEqual(state[f"{prefix}_{name}"], value, delta=1e-12)
                self.assertEqual([c for c in self.errors(text, *options)[0] if "start" in c.lower()], [])
        run = visviva("evaluate", robot, "--json", "--floating", "--set", "base_e1=0.6", "--set", "q=30 deg")
        state = json.loads(run.stdout)["state"]
        self.assertAlmostEqual(state["base_e0"], 0.8, delta=1e-12)
        self.assertAlmostEqual(state["q"], math.pi / 6, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
