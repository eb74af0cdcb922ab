"""Tests of `evaluate` and `prove` on models that look harmless: closed forms derived by hand beside each."""

import json
import math
import unittest

from program import Folder, visviva


class Sceptic(Folder):
    def ask(self, command, text, *arguments, status=0):
        result = visviva(command, self.write(text), "--json", *arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def near(self, found, expected, digits=1e-9):
        self.assertAlmostEqual(found, expected, delta=digits * max(1.0, abs(expected)))

    def test_an_elastic_pendulum_is_proved_though_its_length_is_an_absolute_value(self):
        text = ("parameter m = 1 kg, k = 40 N/m, L = 0.8 m\ncoordinate r = 0.9 m, th = 0.2\n"
                "frame B = rotate(N, z, th)\nparticle Q at No - r*B.y, mass m\n"
                "spring S from No to Q, stiffness k, rest L\n")
        self.assertTrue(self.ask("prove", text)["equal"])

    # A bar between two parallel cranks: each end of the bar C carries m (a + g)/2.
    def test_a_point_that_a_constraint_only_describes_carries_its_force(self):
        text = ("parameter m = 1 kg, L = 1 m, g = 9.81 m/s^2\n"
                "coordinate a = 60 deg, b = 60 deg, c = 0 deg, a' = 1 rad/s\n"
                "frame A = rotate(N, z, a)\nframe B = rotate(N, z, b)\nframe C = rotate(N, z, c)\n"
                "point P = No + L*A.x\npoint Q = No + 2 m*N.x + L*B.x\n"
                "body A at No + L/2*A.x, mass m, rod length L along x\n"
                "body B at No + 2 m*N.x + L/2*B.x, mass m, rod length L along x\n"
                "body C at P + 1 m*C.x, mass m, rod length 2 m along x\n"
                "constraint loop: {}\ngravity -g*N.y\n")
        described = self.ask("evaluate", text.format("P + 2 m*C.x - Q = 0"))
        named = self.ask("evaluate", text.format("R - Q = 0") + "point R = P + 2 m*C.x\n")
        rate = described["accelerations"]["a''"]
        # The bar translates with the crank's end: a = L (a'' e_t - a'^2 e_r).
        angle = math.pi / 3
        a = (-rate * math.sin(angle) - math.cos(angle), rate * math.cos(angle) - math.sin(angle))
        for answer in (described, named):
            loop = answer["reactions"]["loop"]
            self.assertEqual(loop["on"], "C")
            self.near(loop["force"][0], a[0] / 2)
            self.near(loop["force"][1], (a[1] + 9.81) / 2)

    def test_normal_forces_that_wheels_share_are_not_invented(self):
        text = ("parameter R = 0.1 m\ncoordinate x = 0 m, psi = 0.3, p = 0, q = 0\n"
                "frame A = rotate(N, z, psi)\nframe W = rotate(A, y, p)\nframe V = rotate(A, y, q)\n"
                "coordinate y = 0 m\npoint O = No + x*N.x + y*N.y + R*N.z\n"
                "body A at O, mass 10 kg, box 0.5 m, 0.5 m, 0.1 m\n"
                "body W at O + 0.3 m*A.y, mass 1 kg, disc radius R along y\n"
                "body V at O - 0.3 m*A.y, mass 1 kg, disc radius R along y\n"
                "roll left: W on N at Wcm - R*N.z\nroll right: V on N at Vcm - R*N.z\n"
                "gravity -9.81 m/s^2*N.z\n")
        answer = self.ask("evaluate", text)
        self.assertIsNone(answer["reactions"]["left"]["force"][2])

    def test_what_a_driven_arm_may_carry_is_not_put_on_the_contact(self):
        text = ("parameter r = 0.1 m\n{}coordinate y = 0 m, e0 = 1, e1 = 0, e2 = 0, e3 = 0\n"
                "frame B = quaternion(N, e0, e1, e2, e3)\n"
                "body B at No + s*N.x + y*N.y + r*N.z, mass 2 kg, sphere radius r\n"
                "roll c: B on N at Bcm - r*N.z\ngravity -9.81 m/s^2*N.z\n")
        driven = self.ask("evaluate", text.format("specified s(t) = 0.2 m/s*t\n"))
        self.assertIsNone(driven["reactions"]["c"]["force"][2])
        free = self.ask("evaluate", text.format("coordinate s = 0 m\n"))
        self.near(free["reactions"]["c"]["force"][2], 2 * 9.81)

    def test_default_quaternion_speeds_can_be_started_and_set(self):
        text = ("coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe D = quaternion(N, e0, e1, e2, e3)\n"
                "body D at No, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2\n"
                "start D_wx = 0.5 rad/s, D_wy = 1 rad/s\n")
        # I3 w3' = (I1 - I2) w1 w2
        self.near(self.ask("evaluate", text)["accelerations"]["D_wz"], -0.5 / 2.5)
        self.near(self.ask("evaluate", text, "--set", "D_wx=5")["accelerations"]["D_wz"], -5 / 2.5)

    def test_a_rate_that_is_set_wins_over_the_start_of_its_speed(self):
        text = ("coordinate th = 30 deg\nspeed w = 2*th'\nstart w = 2 rad/s\nframe B = rotate(N, z, th)\n"
                "particle Q at No - 0.5 m*B.y, mass 1 kg\ncase fast: th' = 4 rad/s\n")
        self.near(self.ask("evaluate", text)["state"]["w"], 2)
        self.near(self.ask("evaluate", text, "--set", "th'=3")["state"]["w"], 6)
        self.near(self.ask("evaluate", text, "--case", "fast")["state"]["w"], 8)

    # m x'' = λ with x = s(t): the motor's force is m s'', its power m s'' s'.
    def test_a_motor_may_act_through_a_constraint(self):
        text = ("coordinate x = 0.1 m, y = 1 m\nspecified s(t) = 0.3 m*sin(2 rad/s*t + 1)\n"
                "particle P at No + x*N.x + y*N.y, mass 2 kg\nconstraint k: dot(P - No, N.x) = s\n"
                "output power(s)\n")
        force = -2 * 0.3 * 4 * math.sin(1)
        answer = self.ask("evaluate", text)
        self.near(answer["motors"]["s"]["force"], force)
        self.near(answer["outputs"]["power(s)"], force * 0.6 * math.cos(1))

    # The torque is the rate of angular momentum, less the spring's, whatever the speeds are called.
    def test_a_motor_does_not_depend_on_the_choice_of_speeds(self):
        text = ("specified Om(t) = 2 rad/s\ncoordinate x = 1 m, y = 0.5 m\nframe A = spin(N, Om*N.z)\n{}"
                "particle P at No + x*A.x + y*A.y, mass 2 kg\nspring S on x, stiffness 5 N/m\n")
        for speeds in ("", "speed u1 = x' - Om*y, u2 = y' + Om*x\nstart x' = 0 m/s, y' = 0 m/s\n"):
            motor = self.ask("evaluate", text.format(speeds))["motors"]["Om"]
            self.near(motor["force"], 2.5)  # the spring's -5 N along A.x at y = 0.5 m must be balanced
            self.near(motor["power"], 5)

    def test_an_unknown_force_may_drop_out(self):
        text = ("coordinate th = 0.3\nframe B = rotate(N, z, th)\nparticle Q at No - 1 m*B.y, mass 1 kg\n"
                "gravity -9.81 m/s^2*N.y\nunknown T\nforce rod on Q = T*B.y\n")
        self.near(self.ask("evaluate", text)["accelerations"]["th'"], -9.81 * math.sin(0.3))

    def test_an_auxiliary_speed_without_an_unknown_force_leaves_the_motion_alone(self):
        text = ("coordinate th = 0.3\nframe B = rotate(N, z, th)\npoint O = No\n"
                "particle Q at O - 1 m*B.y, mass 1 kg\ngravity -9.81 m/s^2*N.y\nauxiliary ua along N.y at O\n")
        answer = self.ask("evaluate", text)
        self.near(answer["accelerations"]["th'"], -9.81 * math.sin(0.3))
        self.near(answer["reactions"]["O"]["force"][1], 9.81 - 9.81 * math.sin(0.3) ** 2)

    def test_a_spring_of_no_length_is_an_error_of_the_model(self):
        text = ("coordinate y = 0 m\nparticle R at No + y*N.x, mass 1 kg\n"
                "spring S from No to R, stiffness 3 N/m, rest 1 m\n")
        self.assertEqual(self.ask("evaluate", text, status=1)["errors"][0]["code"], "E-state-not-finite")

    def test_masses_may_differ_by_ten_orders(self):
        text = ("coordinate x = 1 m, y = 0 m\nparticle A at No + x*N.x, mass 1e-10 kg\n"
                "particle B at A + y*N.x, mass 1 kg\nspring S on x, stiffness 1 N/m\n")
        self.near(self.ask("evaluate", text)["accelerations"]["x'"], -1e10, 1e-5)

    def test_a_spring_may_hang_on_a_driven_point(self):
        text = ("specified y(t) = 0.1 m*sin(3 rad/s*t)\ncoordinate r = 0.9 m\npoint H = No + y*N.y\n"
                "particle Q at H - r*N.y, mass 1 kg\nspring S from H to Q, stiffness 40 N/m\n")
        self.near(self.ask("evaluate", text)["accelerations"]["r'"], -36)


if __name__ == "__main__":
    unittest.main()
