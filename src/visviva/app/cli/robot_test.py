"""Tests of robot files as models: `convert`, `import`, --floating; mass matrix, jacobians and inverse dynamics."""

import json
import math
import unittest

from program import ROOT, Folder, visviva

GADGET = ROOT / "validation/pinocchio/gadget.urdf"
MACHINE = ROOT / "validation/mujoco/machine.xml"

# A rod of mass m, its center l below the pin, with the moment I about it.
M, L, I, G = 2.0, 0.75, 0.5, 9.81
PENDULUM = f"""<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 {-L}"/><mass value="{M}"/>
    <inertia ixx="{I}" iyy="{I}" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="q" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def answer_of(*arguments):
    return json.loads(visviva(*arguments, "--json").stdout)


class RobotTest(Folder):
    def test_a_pendulum_has_the_numbers_of_textbooks(self):
        model = self.write(PENDULUM, "pendulum.urdf")
        q, w, a = 0.3, 0.7, 1.1
        answer = answer_of("evaluate", model, "--set", f"q={q}", "--set", f"q'={w}", "--inverse", f"q''={a} rad/s^2")
        inertia, weight = I + M * L * L, M * G * L * math.sin(q)
        self.assertAlmostEqual(answer["mass_matrix"][0][0], inertia, places=13)
        self.assertAlmostEqual(answer["accelerations"]["q''"], -weight / inertia, places=13)
        self.assertAlmostEqual(answer["generalized_forces"]["q'"], inertia * a + weight, places=12)
        jacobian = [row[0] for row in answer["jacobians"]["rodcm"]]
        for found, expected in zip(jacobian, [-L * math.cos(q), 0, L * math.sin(q)]):
            self.assertAlmostEqual(found, expected, places=14)

    def test_sdf_places_links_in_the_model_and_joints_in_their_child(self):
        # The same rod: its link's frame is 0.25 m above the pin, turned about z, its axis given in the model's frame.
        model = self.write(f"""<sdf version="1.9"><model name="m"><pose>0 0 5 0 0 0</pose>
            <link name="rod"><pose>1 2 3 0 0 0.7</pose>
              <inertial><pose>0 0 {-L - 0.25} 0 0 0</pose><mass>{M}</mass>
                <inertia><ixx>{I}</ixx><iyy>{I}</iyy><izz>0.1</izz></inertia></inertial></link>
            <joint name="q" type="revolute"><parent>world</parent><child>rod</child><pose>0 0 -0.25 0 0 0</pose>
              <axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint></model></sdf>""", "rod.sdf")
        answer = answer_of("evaluate", model, "--set", "q=0.3", "--inverse", "q''=0")
        self.assertAlmostEqual(answer["mass_matrix"][0][0], I + M * L * L, places=13)
        self.assertAlmostEqual(answer["generalized_forces"]["q'"], M * G * L * math.sin(0.3), places=12)
        self.assertAlmostEqual(answer["jacobians"]["rodcm"][0][0], -L * math.cos(0.3), places=13)

    def test_inverse_dynamics_of_the_accelerations_asks_for_no_force(self):
        accelerations = answer_of("evaluate", GADGET)["accelerations"]
        given = ", ".join(f"{name}={value!r}" for name, value in accelerations.items() if name.endswith("''"))
        forces = answer_of("evaluate", GADGET, "--inverse", given)["generalized_forces"]
        self.assertLess(max(map(abs, forces.values())), 1e-12)

    def test_inverse_dynamics_with_a_gear_acts_on_the_independent_speed(self):
        model = self.write("coordinate a = 0, b = 0\nframe A = rotate(N, z, a), B = rotate(N, z, b)\n"
                           "body A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 2 kg*m^2\n"
                           "body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 2 kg*m^2\ngear G on b, a, ratio 3\n")
        answer = answer_of("evaluate", model, "--inverse", "a''=2")
        self.assertEqual(answer["independent_speeds"], ["a'"])
        self.assertAlmostEqual(answer["mass_matrix"][0][0], 2 + 9 * 2)
        self.assertAlmostEqual(answer["generalized_forces"]["a'"], 40)

    def test_wrong_accelerations_are_wrong_commands(self):
        model = self.write(PENDULUM, "pendulum.urdf")
        for given, problem in (("p''=1", "'p''' is not the rate"), ("q''", "expected NAME''=VALUE"),
                               ("q''=1 kg", "expected"), ("q''=1, q''=2", "given twice")):
            run = visviva("evaluate", model, "--inverse", given)
            self.assertEqual(run.returncode, 2, given)
            self.assertIn(problem, run.stderr)

    def test_a_converted_robot_is_the_same_model(self):
        for robot in (GADGET, MACHINE):
            model = self.folder / (robot.stem + ".viva")
            run = visviva("convert", robot, "--out", model)
            self.assertEqual((run.returncode, run.stdout), (0, f"wrote {model}\n"))
            direct, converted = answer_of("evaluate", robot), answer_of("evaluate", model)
            self.assertEqual(direct["accelerations"], converted["accelerations"])
            self.assertEqual(visviva("convert", robot, "--out", model).returncode, 0)  # its own file

    def test_convert_keeps_what_others_wrote(self):
        mine = self.write("model mine\n", "mine.viva")
        self.assertEqual(visviva("convert", GADGET, "--out", mine).returncode, 2)
        self.assertEqual(mine.read_text(), "model mine\n")
        self.assertEqual(visviva("convert", GADGET, "--out", mine, "--force").returncode, 0)
        self.assertIn("written by visviva convert", mine.read_text())

    def test_convert_without_out_is_the_text(self):
        text = visviva("convert", GADGET).stdout
        self.assertTrue(text.startswith('model gadget "From gadget.urdf"'))
        self.assertEqual(answer_of("convert", GADGET)["text"], text)

    def test_a_floating_base_has_the_names_of_the_reference(self):
        answer = answer_of("check", GADGET, "--floating")
        self.assertEqual(answer["coordinates"][:7], ["base_x", "base_y", "base_z"] + [f"base_e{i}" for i in range(4)])
        for speed in ("base_vx", "base_vy", "base_vz", "base_wx", "base_wy", "base_wz", "shoulder'"):
            self.assertIn(speed, answer["speeds"])
        self.assertEqual(answer["degrees_of_freedom"], 6 + 3)

    def test_floating_is_for_robots(self):
        run = visviva("check", self.write("coordinate q\nparticle P at No + q*N.x, mass 1 kg\n"), "--floating")
        self.assertEqual(run.returncode, 1)
        self.assertIn("E-robot-file", run.stderr)

    def test_an_imported_robot_moves_with_what_it_stands_on(self):
        self.write(PENDULUM, "pendulum.urdf")
        text = ("parameter g = 9.81 m/s^2\nspecified x(t) = 0.5*3 m/s^2*t^2\npoint P = No + x*N.x\n"
                "import \"pendulum.urdf\" as R at P\ngravity -g*N.z\n")
        answer = answer_of("evaluate", self.write(text))
        # The pivot accelerates by 3 m/s^2 along x: the rod, its center below, turns by +m l a / (I + m l^2) about y.
        self.assertAlmostEqual(answer["accelerations"]["R_q''"], 3 * M * L / (I + M * L * L), places=13)

    def test_the_base_of_an_imported_robot_has_its_mass(self):
        self.write(PENDULUM.replace('<link name="base"/>', '<link name="base"><inertial><mass value="6"/></inertial></link>'),
                   "pendulum.urdf")
        text = "coordinate x = 0 m\npoint P = No + x*N.x\nimport \"pendulum.urdf\" as R at P\n"
        answer = answer_of("evaluate", self.write(text))
        place = answer["independent_speeds"].index("x'")
        self.assertAlmostEqual(answer["mass_matrix"][place][place], 6 + M, places=13)

    def test_reports_show_imported_robots_written_out(self):
        self.write(PENDULUM, "pendulum.urdf")
        model = self.write("import \"pendulum.urdf\" as R\nparameter g = 9.81 m/s^2\ngravity -g*N.z\n")
        page = self.folder / "page.html"
        run = visviva("report", model, "--out", page, "--until", "0.1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("R_rod_o", page.read_text())


if __name__ == "__main__":
    unittest.main()
