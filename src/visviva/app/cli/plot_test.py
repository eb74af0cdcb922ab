"""Tests of `visviva simulate --plot`: a well-formed picture whose curves read back to independent values, and files that are the same
with and without it."""

import csv
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import EXAMPLES, Folder, visviva

SVG = "{http://www.w3.org/2000/svg}"
# Curves are kept to a twentieth of a unit of the picture, of which an axis has about 186.
READING = 1 / 186
ORDER_OF_SUMS = 1e-13  # a hundred roundings of numbers of order 1


def numbers(text):
    return [float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


class Panel:
    """One plot of a file, read as a person would: by the labels of its ticks."""

    def __init__(self, group):
        self.title = group.find(f"{SVG}title").text
        self.words = group.find(f"{SVG}desc").text
        self.names = [text.text for text in group.iterfind(f"{SVG}text") if text.get("class") == "plot-name"]
        axes = next(g for g in group.iterfind(f"{SVG}g") if g.get("class") == "plot-axes")
        self.area = group.find(f"{SVG}svg")
        labels = [(float(t.get("y")) - 4, t.text) for t in axes.iterfind(f"{SVG}text") if t.get("text-anchor") == "end"]
        ticks = [(y, float(text)) for y, text in labels if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text)]
        (y1, v1), (y2, v2) = ticks[0], ticks[-1]
        self.per_unit = (v2 - v1) / (y2 - y1)
        self.value_of = lambda y: v1 + (y - y1) * self.per_unit
        self.range = float(self.area.get("height")) * abs(self.per_unit)

    def curve(self, i):
        """Values of the samples."""
        path = self.area.findall(f"{SVG}path")[::-1][i]  # the first series is drawn last
        scale = numbers(path.get("transform"))
        steps = numbers(path.get("d"))
        j, heights = 0.0, []
        for dj in steps[1::2]:
            j += dj
            heights.append(self.value_of(float(self.area.get("y")) + scale[3] * j + scale[5]))
        return heights


class PlotTest(Folder):
    def plot(self, model, *arguments, status=0):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva("simulate", path, "--json", "--out", self.folder / "run", "--plot", self.folder / "run.svg", *arguments,
                         cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def panels(self):
        root = ElementTree.parse(self.folder / "run.svg").getroot()
        self.assertEqual(root.tag, f"{SVG}svg")
        return [Panel(group) for group in root.iterfind(f"{SVG}g")]

    def test_figure_34_1_of_the_seed_shows_e_z_flat_and_e_h_c_moving(self):
        # The state at 4 s by another program (simulate_test.py), and the seed's own energies with m = 1, L = 1, r = 0.1, k = 200, at
        # Omega = 2 rad/s: K0 = 0.7 (L + s)^2 Omega^2, K2 = 0.7 s'^2 + 0.2 r^2 wy^2, U = 100 s^2, K = K0 + K2.
        s, ds, wy = 0.017630149948, 0.0108375176069, 1.999
        k0, k2, u = 0.7 * (1 + s)**2 * 2**2, 0.7 * ds**2 + 0.2 * 0.01 * wy**2, 100 * s**2
        self.plot("positioning_device", "--case", "ramp_damped")
        panel = self.panels()[0]
        self.assertEqual(panel.title, "Energy integrals: E_Z, E, H, C")
        self.assertEqual(panel.names, ["E_Z", "E", "H", "C"])
        for i, end in enumerate([0.0, k2 + u, k2 - k0 + u, k0 + k2 + u]):
            values = panel.curve(i)
            self.assertEqual(len(values), 401)
            self.assertAlmostEqual(values[0], 0, delta=READING * panel.range)
            self.assertAlmostEqual(values[-1], end, delta=READING * panel.range, msg=panel.names[i])
        flat = panel.curve(0)
        self.assertLess(max(flat) - min(flat), READING * panel.range)
        self.assertIn("E_Z constant at 0 J", panel.words)

    def test_the_tolerance_is_a_labelled_line_of_the_deviation(self):
        self.plot("double_pendulum", "--energy", "1e-6")
        panel = next(p for p in self.panels() if p.title == "Deviation of E_Z")
        self.assertIn("Level: tolerance 1e-6 J", panel.words)

    def read_table(self, folder):
        """Lines of cells; the first is that of the names."""
        lines = (self.folder / folder / "trajectory.csv").read_text(encoding="utf-8").splitlines()
        return list(csv.reader(lines[1:]))

    def assert_same_table(self, found, expected):
        """The run to the bit; outputs, which are compiled together with those of plots, but for the order of sums."""
        self.assertEqual(found[0], expected[0])
        outputs = expected[0].index("E_Z") + 1
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found[1:], expected[1:]):
            self.assertEqual(a[:outputs], b[:outputs])
            for x, y in zip(map(float, a[outputs:]), map(float, b[outputs:])):
                self.assertAlmostEqual(x, y, delta=ORDER_OF_SUMS * max(1, abs(y)))

    def test_files_and_columns_are_the_same_with_and_without_plots(self):
        for model in ["two_bodies_ball_joint", "positioning_device"]:
            with self.subTest(model):
                with_plot = self.plot(model)
                result = visviva("simulate", EXAMPLES / f"{model}.viva", "--json", "--out", self.folder / "plain")
                without = json.loads(result.stdout)
                self.assert_same_table(self.read_table("run"), self.read_table("plain"))
                for field in ["columns", "final", "steps", "certificate", "samples"]:
                    self.assertEqual(with_plot[field], without[field], field)
                self.assertEqual(with_plot["files"][2:], [str(self.folder / "run.svg")])

    def test_names_of_any_script_and_primes_are_text(self):
        self.plot(self.write("""
model primes
coordinate θ = 1 rad, 角 = 2 rad
particle   P at No + 1 m*(sin(θ)*N.x - cos(θ)*N.y), mass 1 kg
particle   Q at No + 1 m*(sin(角)*N.x - cos(角)*N.y), mass 1 kg
gravity    -9.81 m/s^2*N.y
plot       θ', θ'*角
study      until 1 s
"""))
        self.assertIn(["θ", "角"], [panel.names for panel in self.panels()])

    def test_a_run_that_is_refused_leaves_no_picture(self):
        found = self.plot("double_pendulum", "--energy", "1e-30", status=3)
        self.assertEqual(found["status"], "refused")
        self.assertFalse((self.folder / "run.svg").exists())

    def simulate_to(self, picture, *arguments):
        return visviva("simulate", EXAMPLES / "double_pendulum.viva", "--out", self.folder / "run", "--plot", picture, *arguments,
                       cwd=self.folder)

    def test_a_picture_that_cannot_be_written_is_said_before_the_run(self):
        for picture, words in [(self.folder / "nowhere" / "run.svg", "there is no folder"), (self.folder, "it is a folder; give --plot")]:
            with self.subTest(words):
                result = self.simulate_to(picture)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr)
                self.assertIn(words, result.stderr)
                self.assertFalse((self.folder / "run").exists())

    def test_a_disk_that_is_full_after_the_run_leaves_the_run_complete(self):
        result = self.simulate_to("/dev/full", "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("the run is complete, but the plot is not written: cannot write '/dev/full': No space left", result.stderr)
        self.assertNotIn("stopped", result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["status"], "done")
        self.assertEqual(found["plot_problem"], "cannot write '/dev/full': No space left on device")
        self.assertNotIn("/dev/full", found["files"])


if __name__ == "__main__":
    unittest.main()
