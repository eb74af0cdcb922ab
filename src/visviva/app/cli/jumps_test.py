"""Tests of what `visviva simulate` does where motions have corners and jumps, of rows and events between steps, and of tolerances
that say little: against closed forms, and against plain Runge-Kutta steps of equations written here."""

import csv
import json
import math
import unittest

from program import Folder, visviva

CLOSE = 2e-7  # errors of a run at the usual tolerance, 1e-9 a step, over a few seconds

# The pivot of a pendulum turns back at 1 s: the bob, which hangs straight down, keeps its velocity.
MOVED_PIVOT = """
model pivot
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2
specified  x(t) = 1 m/s*abs(t - 1 s)
coordinate q
particle   P at No + x*N.x + L*(sin(q)*N.x - cos(q)*N.y), mass m
gravity    -g*N.y
study      until 2 s, every 0.01 s
"""
# The same with a cart that a moving constraint leads.
LED_CART = """
model cart
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2
coordinate x = 1 m, x' = -1 m/s
coordinate q
particle   C at No + x*N.x, mass 3 kg
particle   P at No + x*N.x + L*(sin(q)*N.x - cos(q)*N.y), mass m
gravity    -g*N.y
constraint x = 1 m/s*abs(t - 1 s)
study      until 2 s, every 0.01 s
"""
# The same with nothing at the pivot: the mass matrix alone is singular.
LED_POINT = LED_CART.replace("particle   C at No + x*N.x, mass 3 kg\n", "")
# A slot that begins to turn: m*(x' - w*b) stays as it was, then x'' = w^2*x.
TURNED_SLOT = """
model slot
specified  w(t) = 1 rad/s*step(t - 1 s)
coordinate x
frame      W = spin(N, w*N.z)
particle   P at No + x*W.x + 1 m*W.y, mass 2 kg
study      until 2 s, every 0.01 s
"""
# The end of a spring begins to move at 1 s.
PULLED_SPRING = """
model spring
parameter  v = 0.5 m/s, k = 8 N/m
coordinate s
particle   P at No + (s + v*max(0 s, t - 1 s))*N.x, mass 2 kg
force      F on P = -k*s*N.x
study      until 3 s, every 0.01 s
"""
# A driven arm begins to turn, with a body hinged to its end.
HINGED_ARM = """
model arm
specified  phi(t) = 2 rad/s*max(0 s, t - 1 s)
coordinate q
frame      A = rotate(N, z, phi)
frame      B = rotate(A, z, q)
body       A at No, mass 3 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body       B at No + 1 m*A.x + 0.5 m*B.x, mass 2 kg, inertia 0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2
study      until 1.00000001 s, energy 1e-8 J
"""
# One of two discs runs, and at 1 s they are coupled.
CLUTCH = """
model clutch
coordinate a, a' = 3 rad/s
coordinate b
frame      A = rotate(N, z, a)
frame      B = rotate(N, z, b)
body       A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body       B at No, mass 1 kg, inertia 2 kg*m^2, 2 kg*m^2, 2 kg*m^2
constraint step(t - 1 s)*(a' - b') = 0 rad/s
study      until 2 s, energy 1e-8 J
"""
PLACE = """
model place
specified  x(t) = 1 m*step(t - 1 s)
coordinate q = 0.1 rad
particle   P at No + x*N.x + 1 m*(sin(q)*N.x - cos(q)*N.y), mass 1 kg
gravity    -9.81 m/s^2*N.y
study      until 2 s
"""
TRACK = """
model track
coordinate x = -1 m, y = 0.5 m
start      x' = 4 m/s, y' = -2 m/s
particle   P at No + x*N.x + y*N.y, mass 1 kg
constraint y = 0.5*abs(x)
study      until 1 s
"""
BRANCH = """
model branch
coordinate x = 1 m, y = 0 m
start      x' = -10 m/s
particle   P at No + x*N.x + y*N.y, mass 1 kg
constraint atan2(y, x) = 0 rad
study      until 1.2 s
"""
LEDGE = """
model ledge
coordinate x = -1 m, x' = 2 m/s
particle   P at No + x*N.x, mass 1 kg
potential  V = 1 J*step(x/(1 m))
study      until 2 s
"""
EVENTS = """
model events
coordinate x = 0 m, x' = 1 m/s
particle   P at No + x*N.x, mass 1 kg
event      pole when 1 m^2/(x - 1 m) = 0
event      flip when sign(x - 0.5 m) = 0
event      branch when atan2(sin(2 rad/s*t), cos(2 rad/s*t)) = 0
event      sine when sin(100 rad/s*t) = 0
event      wave when x*sin(300 rad/s*t) - 0.3 m = 0
study      until 2 s
"""
WHEEL = """
model wheel
parameter  k = 5e-7 N*m, J = 1e-9 kg*m^2
coordinate q = 1.24 rad
frame      B = rotate(N, z, q)
body       B at No, mass 0.0001 kg, inertia J, J, J
torque     T on B = -k*q*N.z
study      until 10 s
"""
# Both cranks turn alike, and the rod between them stays level through the flat position.
PARALLELOGRAM = """
model parallelogram
parameter  L = 1 m, D = 2 m
coordinate q1 = 60 deg, q2 = 0 deg, q3 = 60 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
frame      C = rotate(N, z, q3)
start      q1' = -3 rad/s, q2' = 0 rad/s, q3' = -3 rad/s
particle   P at No + L*A.x, mass 1 kg
particle   Q at No + D*N.x + L*C.x, mass 1 kg
body       B at No + L*A.x + D/2*B.x, mass 2 kg, inertia 0.1 kg*m^2, 0.5 kg*m^2, 0.5 kg*m^2
constraint L*cos(q1) + D*cos(q2) - L*cos(q3) - D = 0
constraint L*sin(q1) + D*sin(q2) - L*sin(q3) = 0
gravity    -9.81 m/s^2*N.y
study      until 5 s
"""


def follow(f, y, until, steps=20000):
    """y' = f(y) by the classical method of Runge and Kutta."""
    h = until / steps
    add = lambda a, s, b: [p + s * q for p, q in zip(a, b)]
    for _ in range(steps):
        k1 = f(y)
        k2 = f(add(y, h / 2, k1))
        k3 = f(add(y, h / 2, k2))
        k4 = f(add(y, h, k3))
        y = [p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(y, k1, k2, k3, k4)]
    return y


class Jumps(Folder):
    def simulate(self, text, *options, exit_status=0):
        done = visviva("simulate", self.write(text), "--json", "--out", self.folder / "out", *options)
        self.assertEqual(done.returncode, exit_status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def columns(self):
        with open(self.folder / "out" / "trajectory.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def assert_impulse(self, run, time, energy):
        self.assertEqual(len(run["impulses"]), 1, run["impulses"])
        self.assertAlmostEqual(run["impulses"][0]["time"], time, delta=1e-9)
        self.assertAlmostEqual(run["impulses"][0]["energy"], energy, delta=1e-9)


class TestVelocitiesThatJump(Jumps):
    def test_a_pivot_that_turns_back_leaves_the_bob_its_velocity(self):
        q, u = follow(lambda y: [y[1], -9.81 * math.sin(y[0])], [0.0, -2.0], 1.0)
        self.assertAlmostEqual(q, -0.060256, delta=1e-6)  # the published pair
        self.assertAlmostEqual(u, 1.99108, delta=1e-5)
        for text in (MOVED_PIVOT, LED_CART, LED_POINT):
            for options in ([], ["--energy", "1e-7"], ["--method", "radau5"], ["--tolerance", "1e-12"]):
                with self.subTest(text=text.split()[1], options=options):
                    run = self.simulate(text, *options)
                    self.assertEqual(run["status"], "done")
                    self.assertAlmostEqual(run["final"]["q"], q, delta=CLOSE)
                    self.assertAlmostEqual(run["final"]["q'"], u, delta=CLOSE)
        # The cart's own 3 kg are thrown from -1 to 1 m/s: 6 N s, and no energy.
        run = self.simulate(LED_CART)
        self.assert_impulse(run, 1.0, 0.0)
        self.assertAlmostEqual(run["impulses"][0]["impulse"][0], 6.0, delta=1e-8)

        # The bob keeps its velocity, and nothing else has a mass.
        self.assert_impulse(self.simulate(LED_POINT), 1.0, 0.0)

    def test_a_pivot_that_begins_to_move_gently_gives_no_impulse(self):
        # x = (t - 1)^k from 1 s on: at rest before, and q'' = -(x'' cos q + g sin q) from then.
        for text, k in (("max(0 s, t - 1 s)^3*1 m/s^3", 3), ("max(0 s, t - 1 s)^2*1 m/s^2", 2),
                        ("(t - 1 s)^4*step(t - 1 s)*1 m/s^4", 4)):
            with self.subTest(text):
                run = self.simulate(MOVED_PIVOT.replace("1 m/s*abs(t - 1 s)", text), "--energy", "1e-8")
                self.assertEqual(run["status"], "done")
                self.assertEqual(run["impulses"], [])
                q, u, _ = follow(lambda y, k=k: [y[1], -9.81 * math.sin(y[0]) - k*(k - 1)*y[2]**(k - 2)*math.cos(y[0]), 1.0],
                                 [0.0, 0.0, 0.0], 1.0)
                self.assertAlmostEqual(run["final"]["q"], q, delta=CLOSE)
                self.assertAlmostEqual(run["final"]["q'"], u, delta=CLOSE)

    def test_a_slot_that_begins_to_turn_throws_its_particle(self):
        run = self.simulate(TURNED_SLOT, "--energy", "1e-8")
        self.assertAlmostEqual(run["final"]["x"], math.sinh(1.0), delta=CLOSE)
        self.assertAlmostEqual(run["final"]["x'"], math.cosh(1.0), delta=CLOSE)
        self.assert_impulse(run, 1.0, 0.0)

    def test_a_spring_whose_end_begins_to_move(self):
        run = self.simulate(PULLED_SPRING, "--energy", "1e-8")
        self.assertAlmostEqual(run["final"]["s"], -0.25 * math.sin(4.0), delta=CLOSE)
        self.assertAlmostEqual(run["final"]["s'"], -0.5 * math.cos(4.0), delta=CLOSE)
        x = self.columns()
        for t, s in zip(x["t"], x["s"]):
            self.assertAlmostEqual(s, -0.25 * math.sin(2 * (t - 1)) if t > 1 else 0.0, delta=CLOSE)

    def test_a_body_hinged_to_an_arm_that_begins_to_turn(self):
        # The hinge gets 2 m/s: J/m + J*d^2/I = 2 m/s gives J = 2/3 N s, and -J*d/I = -10/3 rad/s for B.
        run = self.simulate(HINGED_ARM)
        self.assertAlmostEqual(run["final"]["q'"], -10 / 3 - 2, delta=CLOSE)
        self.assert_impulse(run, 1.0, 0.5 * 4 + 0.5 * 2 / 9 + 0.5 * 0.1 * 100 / 9)
        self.assertAlmostEqual(run["impulses"][0]["impulse"][1], 2 / 3, delta=1e-9)
        self.assertAlmostEqual(run["impulses"][0]["moment"][2], 2 + 2 / 3, delta=1e-9)  # the arm's own 2 N m s, and J at 1 m

    def test_discs_that_are_coupled_keep_their_angular_momentum(self):
        run = self.simulate(CLUTCH)
        self.assertAlmostEqual(run["final"]["a'"], 1.0, delta=1e-9)
        self.assertAlmostEqual(run["final"]["b'"], 1.0, delta=1e-9)
        self.assert_impulse(run, 1.0, -3.0)

    def test_the_text_tells_time_impulse_and_energy(self):
        done = visviva("simulate", self.write(LED_CART), "--out", self.folder / "out")
        self.assertIn("Impulse at t = 1 s", " ".join(done.stdout.split()))
        self.assertIn("(6, 0, 0) N*s", " ".join(done.stdout.split()))


class TestWhatIsRefused(Jumps):
    def refuse(self, text, *words, options=()):
        for given in ([], ["--energy", "1e-6"]):
            run = self.simulate(text, *options, *given, exit_status=3)
            self.assertEqual(run["status"], "refused", run["reason"])
            for word in words:
                self.assertIn(word, run["reason"])
        return run

    def test_places_that_jump(self):
        run = self.refuse(PLACE, "P jumps, by 1")
        self.assertAlmostEqual(run["t_end"], 1.0, delta=1e-9)

    # Derivatives of asin(sin(t)) divide by zero at its corners.
    def test_a_corner_that_inverse_functions_hide(self):
        run = self.refuse(MOVED_PIVOT.replace("abs(t - 1 s)", "asin(sin(2 rad/s*t))*1 s"), "no value", "abs, min, max or sign")
        self.assertAlmostEqual(run["t_end"], math.pi / 4, delta=1e-6)

    def test_a_corner_in_a_track(self):
        run = self.refuse(TRACK, "corner", "x = 0")
        self.assertAlmostEqual(run["t_end"], 0.25, delta=1e-6)

    # On the corner a velocity leads along neither side: y' = 0 where x' = 3 m/s wants 1.5 m/s.
    def test_a_start_on_the_corner_of_a_constraint(self):
        for row in ("y = 0.5*abs(x)", "y = max(0 m, 0.5*x)", "y = -0.2*abs(x - 0 m)"):
            with self.subTest(row):
                run = self.refuse(TRACK.replace("x = -1 m, y = 0.5 m", "x = 0 m, y = 0 m")
                                  .replace("x' = 4 m/s, y' = -2 m/s", "x' = 3 m/s")
                                  .replace("y = 0.5*abs(x)", row), "corner", "x")
                self.assertEqual(run["t_end"], 0)

    # x*abs(x) has none.
    def test_a_start_where_a_constraint_is_smooth(self):
        run = self.simulate(TRACK.replace("x = -1 m, y = 0.5 m", "x = 0 m, y = 0 m")
                            .replace("x' = 4 m/s, y' = -2 m/s", "x' = 3 m/s")
                            .replace("y = 0.5*abs(x)", "y = 0.5*x*abs(x)/(1 m)"))
        self.assertEqual(run["status"], "done")

    def test_another_branch_of_a_constraint(self):
        run = self.refuse(BRANCH)
        self.assertLessEqual(run["t_end"], 0.1001)

    def test_a_potential_energy_that_jumps(self):
        answer = self.simulate(LEDGE, exit_status=1)
        self.assertEqual([e["code"] for e in answer["errors"]], ["E-potential-jump"])
        self.assertEqual(answer["errors"][0]["line"], LEDGE.split("potential")[0].count("\n") + 1)


class TestEvents(Jumps):
    def test_roots_only_and_all_of_them(self):
        run = self.simulate(EVENTS)
        times = {}
        for event in run["events"]:
            times.setdefault(event["name"], []).append(event["time"])
        self.assertNotIn("pole", times)
        self.assertNotIn("flip", times)
        self.assertEqual(len(times["sine"]), 63)
        for k, t in enumerate(times["sine"]):
            self.assertAlmostEqual(t, (k + 1) * math.pi / 100, delta=1e-12)
        self.assertEqual(len(times.get("branch", [])), 0)
        # Twice a period from t = 0.3 s on, where the amplitude is large enough: counted on a fine grid.
        f = lambda t: t * math.sin(300 * t) - 0.3
        grid = [2.0 * k / 200000 for k in range(200001)]
        changes = sum(f(a) * f(b) < 0 for a, b in zip(grid, grid[1:]))
        self.assertEqual(len(times["wave"]), changes)
        for t in times["wave"]:
            self.assertAlmostEqual(f(t), 0.0, delta=1e-9)
        doubts = {d["name"]: d["jumps"] for d in run["event_doubts"]}
        self.assertEqual(doubts, {"pole": 1, "flip": 1, "branch": 1})

    def test_the_same_by_a_method_with_steps_of_its_own(self):
        run = self.simulate(EVENTS, "--method", "variational", "--max-step", "0.1")
        self.assertEqual(sum(e["name"] == "sine" for e in run["events"]), 63)
        self.assertFalse(any(e["name"] == "pole" for e in run["events"]))

    def test_a_pole_does_not_stop_a_run(self):
        text = EVENTS.replace("- 1 m) = 0", "- 1 m) = 0, stop")
        run = self.simulate(text)
        self.assertEqual(run["t_end"], 2.0)
        self.assertIn("jump or a pole", " ".join(visviva("simulate", self.write(text), "--out", self.folder / "o").stdout.split()))


class TestRowsAndTolerances(Jumps):
    def test_a_large_tolerance_in_joules_makes_no_run_worse_and_is_told(self):
        run = self.simulate(WHEEL, "--energy", "1e-6")
        w = math.sqrt(500.0)
        self.assertAlmostEqual(run["final"]["q'"], -1.24 * w * math.sin(10 * w), delta=1e-6)
        self.assertLessEqual(max(run["tolerances"]), 1e-9)
        self.assertTrue(run["certificate"]["says_little"])
        energy = 0.5 * 5e-7 * 1.24 ** 2  # all of it moves, between the spring and the wheel
        run = self.simulate(WHEEL, "--energy", str(energy / 900))
        self.assertAlmostEqual(run["certificate"]["moving"], energy, delta=1e-3 * energy)
        self.assertTrue(run["certificate"]["says_little"])
        self.assertFalse(self.simulate(WHEEL, "--energy", str(energy / 1100))["certificate"]["says_little"])
        self.assertFalse(self.simulate(WHEEL, "--energy", "1e-12")["certificate"]["says_little"])
        loose = self.simulate(WHEEL, "--energy", "1e-6", "--tolerance", "1e-4")
        self.assertLessEqual(max(loose["tolerances"]), 1e-4)
        done = visviva("simulate", self.write(WHEEL), "--energy", "1e-6", "--out", self.folder / "o")
        self.assertIn("It says little", done.stdout)

    def test_every_row_is_as_good_as_the_certificate_says(self):
        for every in ("0.003", "0.01", "0.0217"):
            with self.subTest(every=every):
                run = self.simulate(PARALLELOGRAM, "--energy", "1e-7", "--every", every)
                self.assertTrue(run["certificate"]["holds"])
                x = self.columns()
                self.assertLess(max(abs(v) for v in x["q2"]), 1e-6)
                self.assertLess(max(abs(e - x["E_Z"][0]) for e in x["E_Z"]), 1e-7)
                largest = max(abs(math.sin(a) + 2 * math.sin(b) - math.sin(c)) for a, b, c in zip(x["q1"], x["q2"], x["q3"]))
                self.assertLess(largest, 1e-8)

    def test_what_a_refused_run_says_of_its_companion_does_not_depend_on_threads(self):
        answers = {json.dumps(self.simulate(PLACE, "--certify", "state", exit_status=3)["certificate"]) for _ in range(5)}
        self.assertEqual(len(answers), 1)
        self.assertIn("did not reach its end", answers.pop())


class TestStartValues(Jumps):
    def test_a_function_defined_by_another_s_second_derivative(self):
        text = """
model derived
specified  x(t) = 1 m*cos(2 rad/s*t)
specified  a(t) = x''
specified  b(t) = a'
coordinate q
particle   P at No + q*N.x, mass 1 kg
output     a'', b', b''
"""
        done = visviva("evaluate", self.write(text), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        outputs = json.loads(done.stdout)["outputs"]
        self.assertAlmostEqual(outputs["a''"], 16.0, delta=1e-12)
        self.assertAlmostEqual(outputs["b'"], 16.0, delta=1e-12)
        self.assertAlmostEqual(outputs["b''"], 0.0, delta=1e-12)


class Rows(Folder):
    """A row that falls on a corner of a prescribed motion."""

    def rows_of(self, text):
        answer = visviva("simulate", self.write(text), "--out", self.folder / "run", "--json")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        lines = [line.split(",") for line in (self.folder / "run/trajectory.csv").read_text().splitlines()
                 if not line.startswith("#")]
        return [dict(zip(lines[0], map(float, line))) for line in lines[1:]]

    def test_it_shows_what_holds_behind_the_corner(self):
        """Nothing acts along x, so the particle moves on evenly, however its support turns back: v = -1, K = 1, p_y = -2."""
        rows = self.rows_of("""
model even
specified x(t) = 1 m/s*abs(t - 1 s)
coordinate y = 0 m
particle P at No + (x + y)*N.x, mass 2 kg
output K, v = dot(velocity(P), N.x), p_y
study until 2 s, every 0.5 s
""")
        self.assertEqual([row["t"] for row in rows], [0, 0.5, 1, 1.5, 2])
        for row in rows:
            self.assertAlmostEqual(row["v"], -1, delta=1e-9)
            self.assertAlmostEqual(row["K"], 1, delta=1e-9)
            self.assertAlmostEqual(row["p_y"], -2, delta=1e-9)

    def test_the_first_row_too(self):
        rows = self.rows_of("""
model sudden
specified x(t) = 3 m/s*max(0 s, t)
coordinate y = 0 m
particle P at No + x*N.x + y*N.y, mass 2 kg
output K, v = dot(velocity(P), N.x)
study until 1 s, every 0.5 s
""")
        self.assertEqual([(row["K"], row["v"]) for row in rows], [(9, 3)] * 3)


class TestDrivenMechanisms(Folder):
    def run_of(self, text, *arguments):
        return visviva("simulate", self.write(text), "--out", self.folder / "run", "--json", *arguments)

    def test_the_smallest_tolerance_that_is_named_can_be_held(self):
        """All is driven, and E_Z is rounding: some 1e-14 of the 36 J that move."""
        text = """
model driven
coordinate x = 0 m
particle   P at No + x*N.x, mass 2 kg
constraint x = 3 m*sin(2 rad/s*t)
study      until 1 s, every 0.1 s
"""
        refused = self.run_of(text, "--energy", "1e-30")
        self.assertEqual(refused.returncode, 3)
        named = float(json.loads(refused.stdout)["reason"].split(" is ")[-1].split(" J")[0])
        self.assertGreater(named, 36 * 2.2e-16)
        held = self.run_of(text, "--energy", str(1.1 * named))
        self.assertEqual(held.returncode, 0, held.stdout)
        self.assertNotIn("Ask for", visviva("simulate", self.write(text), "--energy", "1e-9", "--out", self.folder / "run").stdout)

    def test_a_prescribed_motion_that_ends_ends_the_run(self):
        """sqrt(0.5 - t) has no value behind t = 0.5, though the square of its rate is a number: less than nothing."""
        answer = self.run_of("""
model root
specified x(t) = 1 m*sqrt(0.5 - 1 rad/s*t)
particle  P at No + x*N.x, mass 2 kg
study     until 1 s, every 0.1 s
""")
        self.assertEqual(answer.returncode, 3, answer.stdout)
        found = json.loads(answer.stdout)
        self.assertEqual(found["status"], "refused")
        self.assertAlmostEqual(found["t_end"], 0.5, delta=1e-3)


class TestTouches(Folder):
    """A smooth function that turns at zero, within the errors of the run, touches it once: it neither passes it nor jumps there."""

    def events_of(self, text, *arguments):
        answer = visviva("simulate", self.write(text), "--out", self.folder / "run", "--json", *arguments)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        found = json.loads(answer.stdout)
        self.assertEqual([doubt["jumps"] for doubt in found["event_doubts"]], [0] * len(found["event_doubts"]))
        return found["events"]

    def test_the_top_of_a_throw(self):
        """At t = v/g, to the root of the error of its height."""
        for v in (3.3, 4.9, 5.0, 10.0):
            for arguments in ((), ("--tolerance", "1e-6"), ("--tolerance", "1e-3"), ("--method", "dopri5"), ("--method", "radau5")):
                with self.subTest(v=v, arguments=arguments):
                    events = self.events_of(f"""
model throw
parameter  g = 9.81 m/s^2, v = {v} m/s, h = v^2/(2*g)
coordinate y = 0 m, y' = {v} m/s, x = 0 m, x' = 1 m/s
particle   P at No + x*N.x + y*N.y, mass 1 kg
gravity    -g*N.y
event      top when y - h = 0
study      until 2 s, every 0.1 s
""", *arguments)
                    self.assertEqual([event["touches"] for event in events], [True])
                    self.assertAlmostEqual(events[0]["time"], v / 9.81, delta=1e-6)

    def test_corners_that_reach_zero(self):
        """|cos(2 pi t)| at every odd quarter of a second."""
        events = self.events_of("""
model swing
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
spring     S on x, stiffness 39.478417604357432 N/m, rest 0 m
event      middle when abs(x) = 0
study      until 5.2 s, every 0.1 s
""")
        self.assertEqual([event["touches"] for event in events], [True] * 10)
        for k, event in enumerate(events):
            self.assertAlmostEqual(event["time"], 0.25 + 0.5 * k, delta=1e-7)


class TestCorrectedStarts(Folder):
    """Start values that contradict a constraint move to the nearest place at which it holds, or are refused."""

    def correct(self, constraint, start, places):
        return visviva("evaluate", self.write(f"""
model corrected
coordinate {start}
{places}
constraint {constraint}
"""), "--json")

    def test_the_nearest_of_many_angles(self):
        turned = "frame A = rotate(N, z, q)\nparticle P at No + 1 m*A.x, mass 1 kg"
        for word in ("", "about "):
            for constraint, start, expected in (("cos(q) = 0.5", 170, 60), ("cos(q) = 0.5", 1, 60), ("sin(3*q) = 0", 29.9, 0),
                                                ("sin(3*q) = 0", 30.05, 60), ("sin(10*q) = 0", 8.9, 0)):
                with self.subTest(constraint=constraint, start=start, word=word):
                    answer = self.correct(constraint, f"q = {word}{start} deg", turned)
                    self.assertEqual(answer.returncode, 0, answer.stderr)
                    self.assertAlmostEqual(json.loads(answer.stdout)["state"]["q"], math.radians(expected), delta=1e-9)

    def test_the_nearest_of_a_line_of_places(self):
        """The foot of a circle's radius; places on the ray at 1 rad that are no farther than twice its foot."""
        plane = "particle P at No + x*N.x + y*N.y, mass 1 kg"
        state = json.loads(self.correct("x^2 + y^2 = 1 m^2", "x = 10 m, y = 3 m", plane).stdout)["state"]
        self.assertAlmostEqual(state["x"], 10 / math.hypot(10, 3), delta=1e-9)
        state = json.loads(self.correct("atan2(y, x) = 1 rad", "x = 1 m, y = 0.2 m", plane).stdout)["state"]
        foot = math.cos(1) + 0.2 * math.sin(1)
        nearest = math.hypot(1 - foot * math.cos(1), 0.2 - foot * math.sin(1))
        self.assertLess(math.hypot(state["x"] - 1, state["y"] - 0.2), 1.2 * nearest)

    def test_what_has_no_nearest_place_is_refused(self):
        """The ray y = 0, x > 0 comes no nearer to (-1, 0.2) than its end, which is none of its places."""
        plane = "particle P at No + x*N.x + y*N.y, mass 1 kg"
        answer = self.correct("atan2(y, x) = 0 rad", "x = -1 m, y = 0.2 m", plane)
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertIn("E-constraint-contradictory", answer.stdout)
        self.assertIn("near the start values", answer.stdout)


class TestCornersAtTheStart(Folder):
    """Time meets a corner at t = 0: every command says what holds just behind it, and the run begins with that."""

    def answer_of(self, command, text):
        answer = visviva(command, self.write(text), "--json")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return json.loads(answer.stdout)

    def test_a_prescribed_motion_that_begins(self):
        """2 kg at 3 m/s have 9 J, whatever says so."""
        for law in ("3 m/s*abs(t)", "3 m/s*max(0 s, t)", "1 m*abs(sin(3 rad/s*t))", "-3 m/s*min(0 s, -t)"):
            text = f"""
model sudden
specified x(t) = {law}
coordinate y = 0 m
particle P at No + x*N.x + y*N.y, mass 2 kg
output v = dot(velocity(P), N.x), x
study until 0.1 s
"""
            with self.subTest(law=law):
                found = self.answer_of("evaluate", text)
                self.assertEqual(found["energies"]["K"], 9)
                self.assertEqual(found["outputs"]["v"], 3)
                self.assertEqual(found["outputs"]["x"], 0)
                self.assertEqual(found["state"]["t"], 0)
                self.assertAlmostEqual(self.answer_of("simulate", text)["energies"]["K"]["start"], 9, delta=1e-12)

    def test_a_force_that_begins(self):
        """F/m = 3/2 from the start on, as A, multipliers and rows of the run have it."""
        found = self.answer_of("evaluate", """
model push
coordinate x = 0 m
particle P at No + x*N.x, mass 2 kg
force F on P = 3 N*step(t)*N.x
""")
        self.assertAlmostEqual(found["accelerations"]["x''"], 1.5, delta=1e-12)

    def test_a_constraint_that_begins_to_move(self):
        text = """
model led
coordinate x = 0 m, x' = 0 m/s
particle P at No + x*N.x, mass 2 kg
constraint x = 3 m/s*max(0 s, t)
study until 0.1 s
"""
        for command in ("evaluate", "simulate"):
            answer = visviva(command, self.write(text))
            self.assertIn("the start value of 'x'' was changed from 0 to 3", answer.stderr)
        self.assertAlmostEqual(self.answer_of("evaluate", text)["energies"]["K"], 9, delta=1e-12)

    def test_what_has_no_value_at_the_start_has_none_behind_it(self):
        answer = visviva("evaluate", self.write("""
model pole
coordinate x = 0 m
particle P at No + x*N.x, mass 2 kg
force F on P = 3 N*s/t*step(t)*N.x
"""))
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertIn("not finite", answer.stderr)


class PolesOfTime(Folder):
    """A prescribed motion that goes to infinity is refused there, however long the steps; one that a quotient leaves finite goes on."""

    def run_of(self, law):
        answer = visviva("simulate", self.write(f"""
model pole
specified x(t) = {law}
coordinate y = 0 m
particle P at No + x*N.x + y*N.y, mass 2 kg
study until 2 s
"""), "--json", cwd=self.folder)
        return answer.returncode, json.loads(answer.stdout)

    def test_they_are_met(self):
        for law, time in (("0.1 m*tan(3 rad/s*t)", math.pi / 6), ("0.1 m*s/(t - 0.55 s)", 0.55), ("0.1 m*s^2/(t - 0.55 s)^2", 0.55),
                          ("0.1 m/sin(3 rad/s*t + 1 rad)^2", (math.pi - 1) / 3), ("0.1 m*s/(2*t - 1 s)*exp(-t/(1 s))", 0.5)):
            with self.subTest(law=law):
                status, answer = self.run_of(law)
                self.assertEqual((status, answer["status"]), (3, "refused"))
                self.assertIn("takes P to infinity", answer["reason"])
                self.assertAlmostEqual(answer["t_end"], time, delta=1e-9)

    def test_quotients_that_stay_finite_go_on(self):
        """x = 0.1 sin(u)/u with u = 3 (t - 0.55): K = x'^2 for 2 kg."""
        status, answer = self.run_of("0.1 m*sin(3 rad/s*(t - 0.55 s))/((3 rad/s)*(t - 0.55 s))")
        self.assertEqual((status, answer["status"]), (0, "done"))
        u = 3 * (2 - 0.55)
        rate = 0.3 * (u * math.cos(u) - math.sin(u)) / u**2
        self.assertAlmostEqual(answer["energies"]["K"]["end"], rate**2, delta=1e-12)
        self.assertEqual(self.run_of("0.1 m/s^2*(t - 0.55 s)^3/(t - 0.55 s)")[0], 0)


if __name__ == "__main__":
    unittest.main()
