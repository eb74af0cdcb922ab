"""Tests of reactions, moments, multipliers and motors as columns of a run, and of what a run says about outputs without a value."""

import csv
import json
import math
import unittest

from program import Folder, visviva

# A torque of 1 N m on A alone; I and 3 I: three quarters of it pass to B.
SHAFTS = """
model shafts
parameter I = 0.1 kg*m^2
coordinate qA = 0.3 rad, qB = 0.3 rad
frame A = rotate(N, z, qA)
frame B = rotate(N, z, qB)
body A at No, mass 1 kg, inertia I, I, I
body B at No + 1 m*N.x, mass 1 kg, inertia 3*I, 3*I, 3*I
torque T on A = 1 N*m*N.z
constraint belt: qA = qB
output reaction(belt), multiplier(belt), half = dot(moment(belt), N.z)/2
study until 1 s, every 0.25 s
"""

ARM = """
model arm
specified q(t) = 0.4 rad + 0.5 rad/s*t + 0.9 rad/s^2*t^2
frame A = rotate(N, z, q)
body A at No + 0.6 m*A.x, mass 3 kg, inertia 0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2
gravity -9.81 m/s^2*N.y
output motor(q), power(q)
study until 1 s, every 0.25 s
"""

# A rod that slides and swings, pulled by a spring whose other end is driven.
PULLED = """
model pulled
parameter k = 40 N/m, L0 = 0.3 m
specified h(t) = 0.2 m*sin(3 rad/s*t)
coordinate x = 0.2 m, x' = 0.3 m/s, q = 0.4 rad, q' = 1 rad/s
point A = No + h*N.y + 0.5 m*N.x
frame B = rotate(N, z, q)
point J = No + x*N.x
body B at J - 0.4 m*B.y, mass 2 kg, inertia 0.1 kg*m^2, 0 kg*m^2, 0.1 kg*m^2
point E = J - 0.7 m*B.y
particle H at A, mass 1 kg
gravity -9.81 m/s^2*N.y
SPRING
output reaction(J), power(V), reaction(A), motor(h)
"""

WINCH = """
model winch
specified x(t) = 0.2 m/s^2*t^2
particle P at No + x*N.y, mass 3 kg
gravity -9.81 m/s^2*N.y
output motor(x), ratio = power(x)/x'
study until 1 s, every 0.25 s
"""

ROD = """
model rod
parameter L = 0.8 m, m = 2 kg
coordinate x = 0.48 m, y = -0.64 m
particle P at No + x*N.x + y*N.y, mass m
gravity -9.81 m/s^2*N.y
constraint rod: x^2 + y^2 = L^2
output multiplier(rod), reaction(rod)
study until 1 s, every 0.5 s
"""


class ForceOutputs(Folder):
    def run_model(self, text, *options):
        out = self.folder / "run"
        run = visviva("simulate", self.write(text), "--out", out, *options)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        with open(out / "trajectory.csv", encoding="utf-8", newline="") as file:
            file.readline()
            rows = list(csv.reader(file))
        return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}, run

    def test_a_reaction_is_force_and_moment(self):
        columns, _ = self.run_model(SHAFTS)
        for value in columns["reaction(belt).moment.z"]:
            self.assertAlmostEqual(value, -0.75, places=9)
        for value in columns["half"]:
            self.assertAlmostEqual(value, -0.375, places=9)
        self.assertEqual(set(columns["reaction(belt).x"]), {0.0})
        self.assertEqual(len(set(columns["multiplier(belt)"])), 1)
        self.assertAlmostEqual(abs(columns["multiplier(belt)"][0]), 0.75, places=9)

    def test_a_motor_has_a_torque_and_a_force_over_time(self):
        columns, _ = self.run_model(ARM)
        for t, torque, power in zip(columns["t"], columns["motor(q)"], columns["power(q)"]):
            q, rate = 0.4 + 0.5 * t + 0.9 * t * t, 0.5 + 1.8 * t
            expected = (0.25 + 3 * 0.36) * 1.8 + 3 * 9.81 * 0.6 * math.cos(q)
            self.assertAlmostEqual(torque, expected, places=9)
            self.assertAlmostEqual(power, expected * rate, places=9)

    def test_an_output_without_a_value_is_told(self):
        columns, run = self.run_model(WINCH)
        for force in columns["motor(x)"]:
            self.assertAlmostEqual(force, 3 * (9.81 + 0.4), places=9)
        self.assertTrue(math.isnan(columns["ratio"][0]))
        self.assertAlmostEqual(columns["ratio"][-1], 3 * (9.81 + 0.4), places=9)
        text = " ".join(run.stdout.split())
        self.assertIn("'ratio' has no finite value in 1 of 5 rows, first at t = 0 s", text)
        answer = json.loads(visviva("simulate", self.write(WINCH), "--json", "--out", self.folder / "again").stdout)
        self.assertEqual(answer["without_value"], [{"name": "ratio", "rows": 1, "of": 5, "first": 0.0}])

    def test_a_multiplier_is_half_the_tension_over_the_length(self):
        columns, _ = self.run_model(ROD)
        tension = 2 * 9.81 * 0.8  # m g cos(angle) at rest
        self.assertAlmostEqual(columns["multiplier(rod)"][0], -tension / (2 * 0.8), places=9)
        self.assertAlmostEqual(columns["reaction(rod).y"][0], tension * 0.8, places=9)

    def test_evaluate_tells_the_same(self):
        outputs = json.loads(visviva("evaluate", self.write(SHAFTS), "--json").stdout)["outputs"]
        self.assertAlmostEqual(outputs["reaction(belt).moment"][2], -0.75, places=9)
        self.assertAlmostEqual(abs(outputs["multiplier(belt)"]), 0.75, places=9)

    def test_a_known_contact_force_is_listed_and_an_unknown_one_accepted(self):
        disc = """
model disc
parameter m = 2 kg, r = 0.3 m
coordinate x = 0 m, q = 0 rad
frame C = rotate(N, z, -q)
body C at No + x*N.x + r*N.y, mass m, disc radius r along z
gravity -9.81 m/s^2*N.y
roll contact: C on N at Ccm - r*N.y
force push on C at Ccm = 1 N*N.x
force friction on C at Ccm - r*N.y = {force}*N.x
output reaction(contact)
"""
        answer = json.loads(visviva("derive", self.write(disc.format(force="3 N")), "--json").stdout)
        self.assertIn("friction", [n["name"] for n in answer["noncontributing"]])
        model = self.write(disc.format(force="F") + "unknown F\n")
        for command in ("derive", "energy", "prove", "simulate"):
            options = ["--out", self.folder / "run", "--until", "1 s"] if command == "simulate" else []
            run = visviva(command, model, *options)
            self.assertEqual(run.returncode, 0, command + run.stderr + run.stdout)
        state = json.loads(visviva("evaluate", model, "--json").stdout)
        self.assertAlmostEqual(state["accelerations"]["x''"], 1 / 3, places=12)
        self.assertAlmostEqual(state["outputs"]["reaction(contact)"][0], 2 / 3 - 1, places=12)

    def test_an_unknown_normal_force_leaves_friction_known(self):
        text = """
model ball
unknown F
coordinate x = 0 m, q = 0 rad
frame B = rotate(N, z, -q)
body B at No + x*N.x + 0.3 m*N.y, mass 2 kg, sphere radius 0.3 m
gravity -9.81 m/s^2*N.y
roll contact: B on N at Bcm - 0.3 m*N.y
force push on Bcm = 5 N*N.x
force normal on B at Bcm - 0.3 m*N.y = F*N.y
output reaction(contact)
study until 0.1 s, every 0.1 s
"""
        friction = 2 * 5 / 1.4 / 2 - 5  # m x'' = 5 N + friction, 7/5 m x'' = 5 N
        state = json.loads(visviva("evaluate", self.write(text), "--json").stdout)
        for force in (state["outputs"]["reaction(contact)"], state["reactions"]["contact"]["force"]):
            self.assertAlmostEqual(force[0], friction, places=12)
            self.assertEqual(force[1:], [None, 0.0])
        self.assertAlmostEqual(self.run_model(text)[0]["reaction(contact).x"][0], friction, places=12)


class Units(Folder):
    def test_energies_are_in_joules_and_moments_are_not(self):
        path = self.write("""coordinate x = 1 m
particle Q at No + x*N.x, mass 2 kg
force F on Q = 3 N*N.x
spring S on x, stiffness 5 N/m
output work(F), W = 2*work(F), K, half = (K + U)/2, action(), M = 3 N*x, power(F)
study until 1 s, every 0.5 s
""")
        shown = visviva("evaluate", path).stdout.split("Outputs")[1]
        units = {line.split()[0]: line.split()[-1] for line in shown.splitlines() if line}
        self.assertEqual(units, {"work(F)": "J", "W": "J", "K": "J", "half": "J", "action()": "J*s", "M": "N*m", "power(F)": "W"})
        answer = json.loads(visviva("simulate", path, "--out", self.folder / "run", "--json").stdout)
        for name, unit in units.items():
            self.assertEqual(answer["columns"][name], unit)


class Potentials(Folder):
    def test_a_spring_written_as_a_potential_has_the_springs_forces_power_and_reactions(self):
        answers = []
        for law in ("spring V from A to E, stiffness k, rest L0", "potential V = 1/2*k*(magnitude(A - E) - L0)^2"):
            result = visviva("evaluate", self.write(PULLED.replace("SPRING", law)), "--json")
            self.assertEqual(result.returncode, 0, result.stdout)
            answers.append(json.loads(result.stdout))
        # By hand: the stretch of the line from A to E, and F . (v_A - v_E) for the tension F along it.
        line = (0.2 + 0.7 * math.sin(0.4) - 0.5, -0.7 * math.cos(0.4))
        length = math.hypot(*line)
        tension = 40 * (length - 0.3)
        relative = (0.3 + 0.7 * math.cos(0.4), 0.7 * math.sin(0.4) - 0.6)
        power = -tension * (line[0] * relative[0] + line[1] * relative[1]) / length
        for answer in answers:
            self.assertAlmostEqual(answer["outputs"]["power(V)"], power, 12)
        for name, reaction in answers[0]["reactions"].items():
            for part in ("force", "moment"):
                for a, b in zip(reaction[part], answers[1]["reactions"][name][part], strict=True):
                    self.assertAlmostEqual(a, b, 12, f"{part} at {name}")
        self.assertAlmostEqual(answers[0]["outputs"]["motor(h)"], answers[1]["outputs"]["motor(h)"], 12)

    def test_an_unknown_force_that_drops_out_is_a_column_without_values(self):
        # On the body the bearing's force is found; on the ground point beneath it moves nothing, and has no value.
        text = ("model pin\ncoordinate q = 40 deg, q' = 3 rad/s\nframe B = rotate(N, z, q)\npoint J = No + 0.1 m*N.x\n"
                "body B at J - 0.5 m*B.y, mass 2 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.02 kg*m^2\ngravity -9.81 m/s^2*N.y\n"
                "unknown Ry\nauxiliary ay along N.y at J\nforce R on {} = Ry*N.y\noutput Ry, twice = 2*Ry\nstudy until 0.1 s, every 0.1 s\n")
        q, rate = math.radians(40), 3.0
        acceleration = -2 * 9.81 * 0.5 * math.sin(q) / (0.02 + 2 * 0.25)
        force = 2 * 9.81 + 2 * 0.5 * (math.sin(q) * acceleration + math.cos(q) * rate**2)
        for place, expected in ("B at J", force), ("J", None):
            out = self.folder / place.replace(" ", "_")
            result = visviva("simulate", self.write(text.format(place)), "--out", out)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(out / "trajectory.csv", encoding="utf-8") as file:
                row = next(csv.DictReader(line for line in file if not line.startswith("#")))
            if expected is None:
                self.assertEqual([row["Ry"], row["twice"]], ["nan", "nan"])
                self.assertIn("'Ry' has no finite value", result.stdout)
            else:
                self.assertAlmostEqual(float(row["Ry"]), expected, 10)
                self.assertAlmostEqual(float(row["twice"]), 2 * expected, 10)


if __name__ == "__main__":
    unittest.main()
