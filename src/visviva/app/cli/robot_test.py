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

    def test_sdf_screws_move_by_their_pitch_in_a_turn(self):
        # A nut of mass m on a vertical screw: I q'' + m (p/(2 pi))^2 q'' = -m g p/(2 pi).
        for element, pitch in (("<screw_thread_pitch>0.3</screw_thread_pitch>", 0.3),
                               ("<thread_pitch>-20</thread_pitch>", 2 * math.pi / 20)):
            model = self.write(f"""<sdf version="1.10"><model name="m"><link name="nut"><inertial><mass>{M}</mass>
                <inertia><ixx>1</ixx><iyy>1</iyy><izz>{I}</izz></inertia></inertial></link>
                <joint name="q" type="screw"><parent>world</parent><child>nut</child>{element}
                  <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>""", "nut.sdf")
            answer, lead = answer_of("evaluate", model), pitch / (2 * math.pi)
            self.assertAlmostEqual(answer["mass_matrix"][0][0], I + M * lead * lead, places=13)
            self.assertAlmostEqual(answer["accelerations"]["q''"], -M * G * lead / (I + M * lead * lead), places=13)

    def test_sdf_universal_joints_turn_about_two_axes(self):
        # About x by a, then about y by b: w = a' cos b x + b' y + a' sin b z of the link.
        model = self.write("""<sdf version="1.9"><model name="m"><link name="rod"><inertial><mass>1</mass>
            <inertia><ixx>2</ixx><iyy>3</iyy><izz>5</izz></inertia></inertial></link>
            <joint name="u" type="universal"><parent>world</parent><child>rod</child>
              <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>""", "rod.sdf")
        answer = answer_of("evaluate", model, "--set", "u_2=0.4")
        self.assertEqual(answer["independent_speeds"], ["u_1'", "u_2'"])
        first = 2 * math.cos(0.4) ** 2 + 5 * math.sin(0.4) ** 2
        for found, expected in zip(sum(answer["mass_matrix"], []), [first, 0, 0, 3]):
            self.assertAlmostEqual(found, expected, places=13)

    def test_sdf_gearboxes_couple_two_hinges(self):
        # theta_2 = -ratio theta_1; the second hinge turns about -z, so that its angle is +3 times the first.
        wheel = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>2</izz></inertia></inertial>"
        model = self.write(f"""<sdf version="1.9"><model name="m"><link name="in">{wheel}</link>
            <link name="out"><pose>1 0 0 0 0 0</pose>{wheel}</link>
            <joint name="a" type="revolute"><parent>world</parent><child>in</child><axis><xyz>0 0 1</xyz></axis></joint>
            <joint name="b" type="revolute"><parent>world</parent><child>out</child><axis><xyz>0 0 -1</xyz></axis></joint>
            <joint name="box" type="gearbox"><parent>in</parent><child>out</child><gearbox_ratio>3</gearbox_ratio>
              <gearbox_reference_body>world</gearbox_reference_body>
              <axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model></sdf>""", "box.sdf")
        answer = answer_of("evaluate", model, "--set", "a'=1")
        self.assertEqual(answer["independent_speeds"], ["a'"])
        self.assertAlmostEqual(answer["state"]["b'"], 3, places=13)
        self.assertAlmostEqual(answer["mass_matrix"][0][0], 2 + 9 * 2, places=13)

    def test_sdf_models_stand_in_models(self):
        # The rod of above in a model of its own, which is placed by a frame and turned about z.
        model = self.write(f"""<sdf version="1.9"><model name="m"><frame name="place"><pose>1 2 3 0 0 0.7</pose></frame>
            <model name="arm"><pose relative_to="place">0 0 1 0 0 0</pose>
              <link name="rod"><inertial><pose>0 0 {-L} 0 0 0</pose><mass>{M}</mass>
                <inertia><ixx>{I}</ixx><iyy>{I}</iyy><izz>0.1</izz></inertia></inertial></link></model>
            <joint name="q" type="revolute"><parent>world</parent><child>arm::rod</child>
              <axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint></model></sdf>""", "nested.sdf")
        answer = answer_of("evaluate", model, "--set", "q=0.3", "--inverse", "q''=0")
        self.assertAlmostEqual(answer["mass_matrix"][0][0], I + M * L * L, places=13)
        self.assertAlmostEqual(answer["generalized_forces"]["q'"], M * G * L * math.sin(0.3), places=12)

    def test_names_of_a_file_stay_in_their_comments(self):
        text = PENDULUM.replace('name="q"', 'name="q&#10;parameter evil = 1"')
        converted = answer_of("convert", self.write(text, "evil.urdf"))["text"]
        self.assertFalse([line for line in converted.splitlines() if line.startswith("parameter evil")])

    def test_joints_that_close_a_loop_are_constraints(self):
        # A parallelogram of four pins: its coupler only moves along a circle, so that the crank is a pendulum with
        # (2 I + m L^2) q'' = -m g L cos q for massless points of cranks.
        text = ("parameter g = 9.81 m/s^2\ncoordinate q1 = 0.5, q2 = -0.5, q3 = 0.5\n"
                "joint A0 pin of A on N at No along z, angle q1\n"
                "joint B0 pin of B on A at A0 + 2 m*A.x along z, angle q2\n"
                "joint C0 pin of C on N at No + 3 m*N.x along z, angle q3\n"
                "joint loop pin of B on C at C0 + 2 m*C.x, B0 + 3 m*B.x along z\n"
                "body A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 0.5 kg*m^2\n"
                "body C at C0, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 0.5 kg*m^2\n"
                "body B at B0 + 1.5 m*B.x, mass 4 kg, inertia 4 kg*m^2, 4 kg*m^2, 7 kg*m^2\ngravity -g*N.y\n")
        model = self.write(text)
        checked = answer_of("check", model)
        self.assertEqual((checked["degrees_of_freedom"], checked["warnings"]), (1, []))
        self.assertEqual(checked["joints"][-1]["statements"][1], "constraint loop_1: dot(C.z, B.x) = 0")
        rate = -4 * G * 2 * math.cos(0.5) / (2 * 0.5 + 4 * 4)
        self.assertAlmostEqual(answer_of("evaluate", model)["accelerations"]["q1''"], rate, places=12)
        refused = visviva("check", self.write(text.replace("along z\nbody A", "along z, angle q1\nbody A")))
        self.assertIn("a pin that closes a loop has no 'angle'", refused.stderr)

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
