"""Events that touch zero, starts at saddles of constraints and starts on corners, against closed forms."""
import json
import math
import os
import subprocess
import tempfile
import unittest

METHODS = ("verner98", "dop853", "dopri5", "radau5", "cvode", "ida")

OSCILLATOR = """model oscillator
coordinate x = 1 m
particle P at No + x*N.x, mass 1 kg
spring S on x, stiffness 1 N/m, rest 0 m
event e when {event} = 0
study until 32 s, every 1 s
"""


def simulate(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.viva")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([os.environ["VISVIVA_PROGRAM"], "simulate", path, "--json", "--out", os.path.join(folder, "out"), *options],
                             capture_output=True, text=True, check=False)
        csv = os.path.join(folder, "out", "trajectory.csv")
        rows = []
        if os.path.exists(csv):
            with open(csv, encoding="utf-8") as file:
                rows = [line.split(",") for line in file.read().splitlines() if not line.startswith("#")]
        return json.loads(run.stdout), rows


class Touches(unittest.TestCase):
    def test_every_method_finds_every_touch_of_a_long_run(self):
        """x = cos t: abs(x) and its like vanish at pi/2 + k*pi, max(x, 0) begins to at pi/2 + 2k*pi."""
        every, second = [[math.pi / 2 + k * step * math.pi for k in range(n)] for step, n in ((1, 10), (2, 5))]
        place = 1e-6  # a flat touch is known to the square root of rounding, times a run's error
        for event, times in (("abs(x)", every), ("x^2", every), ("1 - cos(x/(1 m))", every), ("sqrt(abs(x/(1 m)))", every), ("max(x, 0 m)", second)):
            for method in METHODS:
                with self.subTest(event=event, method=method):
                    answer, _ = simulate(OSCILLATOR.format(event=event), "--method", method, "--tolerance", "1e-9")
                    if "SUNDIALS" in answer.get("reason", ""):
                        continue
                    found = [e["time"] for e in answer["events"]]
                    self.assertEqual(len(found), len(times))
                    for a, b in zip(found, times):
                        self.assertAlmostEqual(a, b, delta=place)

    def test_two_roots_nearer_than_errors_of_the_run_are_told(self):
        """(x - 1)(x - 1 - d) with x = t: two roots, d apart, between which it is -d^2/4."""
        text = """model pass
coordinate x = 0 m, x' = 1 m/s
particle P at No + x*N.x, mass 1 kg
event e when (x - 1 m)*(x - 1 m - {} m) = 0
study until 2 s, every 1 s
"""
        for gap in 1e-3, 5e-5, 1e-6, 1e-7:
            for method in "verner98", "dop853", "radau5":
                for more in [], ["--max-step", "0.01"]:
                    with self.subTest(gap=gap, method=method, more=more):
                        answer, _ = simulate(text.format(gap), "--method", method, *more)
                        found = [e["time"] for e in answer["events"]]
                        if len(found) == 2:
                            self.assertAlmostEqual(found[0], 1.0, delta=1e-8)
                            self.assertAlmostEqual(found[1], 1.0 + gap, delta=1e-8)
                            continue
                        (doubt,) = answer["event_doubts"]
                        self.assertEqual(doubt["shallow"], 1)
                        self.assertAlmostEqual(doubt["first_shallow"], 1 + gap / 2, delta=1e-8)
                        self.assertAlmostEqual(doubt["shallow_value"], -gap * gap / 4, delta=1e-3 * gap * gap + 1e-16)
        answer, _ = simulate(text.format(1e-6), "--tolerance", "1e-9")
        self.assertEqual([e["touches"] for e in answer["events"]], [True])


class Starts(unittest.TestCase):
    def test_a_start_between_two_branches_goes_to_the_nearest_place(self):
        """Of x*y = 1 to (1, -1): with d = x - y, s = x + y least (d - 2)^2 + 4 + d^2, so d = 1, s = +-sqrt(5)."""
        for about in ("about ", ""):
            answer, rows = simulate(f"""model branches
coordinate x = {about}1 m, y = {about}-1 m
particle P at No + x*N.x + y*N.y, mass 1 kg
constraint x*y = 1 m^2
study until 0.1 s, every 0.1 s
""")
            self.assertEqual(answer["status"], "done")
            x, y = float(rows[1][1]), float(rows[1][2])
            self.assertAlmostEqual(x - y, 1, places=7)
            self.assertAlmostEqual(abs(x + y), math.sqrt(5), places=7)

    def test_the_first_row_of_a_run_that_starts_on_a_corner_is_the_start(self):
        _, rows = simulate("""model corner
coordinate x = 0 m, x' = 1 m/s
particle P at No + x*N.x, mass 1 kg
force F on P = -1 N*sign(x)*N.x
study until 1 s, every 0.5 s
""")
        self.assertEqual([float(v) for v in rows[1][:3]], [0.0, 0.0, 1.0])


if __name__ == "__main__":
    unittest.main()
