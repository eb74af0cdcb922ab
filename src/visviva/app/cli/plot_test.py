"""Tests of `visviva simulate --plot`: a figure a file, as SVG, PDF and PNG, whose curves read back to the run's own numbers; and files of
the run that are the same with and without it."""

import csv
import json
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

from program import EXAMPLES, Folder, visviva

SVG = "{http://www.w3.org/2000/svg}"
ROUNDING = 2e-2  # of a unit of the figure: ticks stand at two digits behind the point
ORDER_OF_SUMS = 1e-13  # a hundred roundings of numbers of order 1

ENERGIES = """model pendulum
parameter  L = 1 m, g = 9.81 m/s^2
coordinate theta = 60 deg
particle   Q at No + L*(sin(theta)*N.x - cos(theta)*N.y), mass 1 kg
gravity    -g*N.y
study      until 2 s, every 0.01 s, energy 1e-6 J
"""

# x = 2 m cos(3 t), from rest: a closed form for every curve.
OSCILLATOR = """model oscillator
parameter  m = 1 kg, k = 9 N/m
coordinate x = 2 m
particle   P at No + x*N.x, mass m
spring     S on x, stiffness k
plot       x' over x
plot       F = -k*x over stretch = x - 0.5 m
plot       x, 2*x
study      until 2 s, every 0.01 s, tolerance 1e-11
"""

ARM = """model arm
parameter  L = 2 m
coordinate theta = 0 rad, theta' = 1 rad/s
particle   Q at No + L*(cos(theta)*N.x + sin(theta)*N.y), mass 1 kg
plot       theta' over theta
plot       y = dot(Q - No, N.y) over x = dot(Q - No, N.x)
case       fast: theta' = 2 rad/s
case       slow: theta' = 0.5 rad/s
study      until 3 s, every 0.01 s
"""


class Figure:
    """A file read as a person would: by the labels of its ticks."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        assert root.tag == f"{SVG}svg"
        self.title = root.find(f"{SVG}title").text
        self.words = root.find(f"{SVG}desc").text
        self.texts = [text.text for text in root.iterfind(f"{SVG}text")]
        self.names = [text.text for text in root.iterfind(f"{SVG}text") if text.get("class") == "plot-name"]
        self.areas = root.findall(f"{SVG}svg")
        area = self.areas[0]
        self.x0, self.y0, self.width, self.height = (float(area.get(key)) for key in ("x", "y", "width", "height"))
        labels = [t for t in root.iterfind(f"{SVG}text") if re.fullmatch(r"-?[\d.]+(e-?\d+)?", t.text or "")]
        self.value_of_y = self.scale([(float(t.get("y")) - 4, float(t.text)) for t in labels if t.get("text-anchor") == "end"])
        self.value_of_x = self.scale([(float(t.get("x")), float(t.text)) for t in labels if t.get("text-anchor") == "middle"])
        # The first series is drawn last.
        self.curves = [self.read(path) for path in reversed(area.findall(f"{SVG}path"))]

    @staticmethod
    def scale(ticks):
        (a, v), (b, w) = ticks[0], ticks[-1]
        return lambda place: v + (place - a) * (w - v) / (b - a)

    def read(self, path):
        points = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d"))
        return [(self.value_of_x(self.x0 + float(x)), self.value_of_y(self.y0 + float(y))) for x, y in points]

    @property
    def unit_x(self):
        """Of a unit of the figure."""
        return abs(self.value_of_x(1) - self.value_of_x(0))

    @property
    def unit_y(self):
        return abs(self.value_of_y(1) - self.value_of_y(0))


def read_png(data):
    """(width, height, rows of bytes), with every check of the format."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            size = struct.unpack(">IIBBBBB", body)
            assert size[2:] == (8, 2, 0, 0, 0)
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height = size[:2]
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        assert line[0] == 2
        above = bytes((a + b) & 255 for a, b in zip(line[1:], above))
        rows.append(above)
    return width, height, rows


def read_pdf_page(data):
    """The page's operations, by the table of objects."""
    start = int(re.search(rb"startxref\n(\d+)", data).group(1))
    places = [int(x) for x in re.findall(rb"(\d{10}) 00000 n ", data[start:])]
    for number, place in enumerate(places, 1):
        assert data[place:].startswith(b"%d 0 obj" % number), number
    content = data[places[3]:]
    length = int(re.search(rb"/Length (\d+)", content).group(1))
    begin = content.index(b"stream\n") + 7
    return zlib.decompress(content[begin:begin + length]).decode()


class PlotTest(Folder):
    def plot(self, model, *arguments, status=0, to="run.svg"):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        result = visviva("simulate", path, "--json", "--out", self.folder / "run", "--plot", self.folder / to, *arguments,
                         cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def figure(self, name="run.svg"):
        return Figure(self.folder / name)

    def read_columns(self, folder="run"):
        head, *rows = self.read_table(folder)
        return {name: [float(row[i]) for row in rows] for i, name in enumerate(head)}

    # ---- What is drawn

    def test_figure_34_1_of_the_seed_shows_e_z_flat_and_e_h_c_moving(self):
        # The state at 4 s by another program (simulate_test.py), and the seed's own energies with m = 1, L = 1, r = 0.1, k = 200, at
        # Omega = 2 rad/s: K0 = 0.7 (L + s)^2 Omega^2, K2 = 0.7 s'^2 + 0.2 r^2 wy^2, U = 100 s^2, K = K0 + K2.
        s, ds, wy = 0.017630149948, 0.0108375176069, 1.999
        k0, k2, u = 0.7 * (1 + s)**2 * 2**2, 0.7 * ds**2 + 0.2 * 0.01 * wy**2, 100 * s**2
        self.plot("positioning_device", "--case", "ramp_damped")
        figure = self.figure()
        self.assertTrue(figure.title.startswith("Energy integrals: E_Z, E, H, C"), figure.title)
        self.assertEqual(len(figure.curves), 4)
        for curve, end in zip(figure.curves, [0.0, k2 + u, k2 - k0 + u, k0 + k2 + u]):
            self.assertEqual(len(curve), 401)
            self.assertAlmostEqual(curve[0][1], 0, delta=ROUNDING * figure.unit_y)
            self.assertAlmostEqual(curve[-1][1], end, delta=ROUNDING * figure.unit_y + 1e-9)
        self.assertIn("E_Z constant at 0 J", figure.words)

    def test_each_statement_is_a_file_and_holds_its_curves(self):
        found = self.plot(self.write(OSCILLATOR))
        self.assertEqual(found["files"][2:], [str(self.folder / name) for name in ("run.svg", "run_2.svg", "run_3.svg")])
        run = self.read_columns()
        for name, curves in (("run.svg", [("x", "x'")]), ("run_2.svg", [("stretch", "F")]), ("run_3.svg", [("t", "x"), ("t", "2*x")])):
            figure = self.figure(name)
            self.assertEqual(len(figure.areas), 1)
            self.assertEqual(len(figure.curves), len(curves), name)
            for curve, (across, up) in zip(figure.curves, curves):
                samples = list(zip(run[across], run[up]))
                # Every corner of the curve is a sample, in their order, and both ends are there.
                at = 0
                for x, y in curve:
                    while not (abs(samples[at][0] - x) <= ROUNDING * figure.unit_x and abs(samples[at][1] - y) <= ROUNDING * figure.unit_y):
                        at += 1
                        self.assertLess(at, len(samples), (name, x, y))
                self.assertAlmostEqual(curve[-1][0], samples[-1][0], delta=ROUNDING * figure.unit_x)
                # Nothing is lost: each sample lies within half a unit of the figure of the polyline.
                for x, y in samples[::7]:
                    near = min(self.distance(x / figure.unit_x, y / figure.unit_y, *(v / figure.unit_x for v in (a[0], b[0])),
                                             *(v / figure.unit_y for v in (a[1], b[1]))) for a, b in zip(curve, curve[1:]))
                    self.assertLess(near, 0.5, (name, x, y))

    @staticmethod
    def distance(px, py, ax, bx, ay, by):
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        s = min(1, max(0, ((px - ax) * dx + (py - ay) * dy) / square)) if square else 0
        return ((px - ax - s * dx)**2 + (py - ay - s * dy)**2)**0.5

    def test_a_phase_portrait_is_the_ellipse_of_the_closed_form(self):
        self.plot(self.write(OSCILLATOR))
        figure = self.figure()
        self.assertGreater(len(figure.curves[0]), 30)
        for x, v in figure.curves[0]:
            self.assertAlmostEqual((x / 2)**2 + (v / 6)**2, 1, delta=0.01)

    def test_axes_are_labelled_with_names_and_units(self):
        self.plot(self.write(OSCILLATOR))
        for name, labels in (("run.svg", ["x (m)", "x' (m/s)"]), ("run_2.svg", ["stretch (m)", "F (N)"]), ("run_3.svg", ["t (s)", "x, 2*x (m)"])):
            texts = self.figure(name).texts
            for label in labels:
                self.assertIn(label, texts, name)
        self.plot(self.write(ARM), "--force")
        self.assertIn("theta (rad)", self.figure().texts)
        self.assertIn("theta' (rad/s)", self.figure().texts)

    def test_a_path_is_drawn_with_one_unit_on_both_axes(self):
        self.plot(self.write(ARM))
        figure = self.figure("run_2.svg")
        self.assertAlmostEqual(figure.unit_x / figure.unit_y, 1, delta=1e-2)
        for x, y in figure.curves[0]:
            self.assertAlmostEqual((x**2 + y**2)**0.5, 2, delta=ROUNDING * 4 * figure.unit_x)

    def test_over_time_may_be_said(self):
        self.plot(self.write(OSCILLATOR.replace("x' over x", "x' over t")))
        self.assertIn("t (s)", self.figure().texts)

    def test_what_is_wrong_with_over_is_told_with_its_place(self):
        for statement, code in (("plot x' over x, x", "E-syntax-expected"), ("plot x' over P - No", "E-scalar-expected"),
                                ("plot x' over", "E-syntax-expected"), ("plot x' over nothing", "E-name-unknown"),
                                ("plot x' over x over t", "E-syntax-expected")):
            with self.subTest(statement):
                model = self.write(OSCILLATOR.replace("plot       x' over x", statement))
                found = json.loads(visviva("check", model, "--json").stdout)
                self.assertEqual([(e["code"], e["line"]) for e in found["errors"]], [(code, 6)])

    def test_the_tolerance_is_a_labelled_line_of_the_deviation(self):
        found = self.plot(self.write(ENERGIES))
        figures = [Figure(path) for path in found["files"][2:]]
        figure = next(f for f in figures if f.title.startswith("Deviation of E_Z"))
        self.assertIn("Level: tolerance 1e-6 J", figure.words)

    # ---- Several runs

    def test_cases_share_their_figures(self):
        model = self.write(ARM)
        found = self.plot(model, "--cases", "all")
        self.assertEqual(list(found["cases"]), ["fast", "slow"])
        self.assertEqual(found["cases"]["fast"]["status"], "done")
        self.assertEqual(found["files"], [str(self.folder / "run.svg"), str(self.folder / "run_2.svg")])
        figure = self.figure()
        self.assertEqual(figure.names[1:3], ["fast", "slow"])
        for curve, rate, name in zip(figure.curves, (2.0, 0.5), ("fast", "slow")):
            end = self.read_columns(f"run/{name}")["theta"][-1]
            self.assertAlmostEqual(curve[0][1], rate, delta=ROUNDING * figure.unit_y)
            self.assertAlmostEqual(curve[-1][0], end, delta=ROUNDING * figure.unit_x)
            self.assertAlmostEqual(end, 3 * rate, delta=1e-6)

    def test_cases_that_are_none_and_two_ways_to_choose_are_refused(self):
        model = self.write(ARM)
        for arguments, words in ((("--cases", "fats"), "did you mean 'fast'"), (("--cases", "all", "--case", "fast"), "two ways to choose")):
            found = visviva("simulate", model, *arguments, "--out", self.folder / "run")
            self.assertEqual(found.returncode, 2)
            self.assertIn(words, found.stderr)
            self.assertFalse((self.folder / "run").exists())

    # ---- Formats

    def test_a_pdf_has_the_curve_of_the_run(self):
        self.plot(self.write(OSCILLATOR), to="run.pdf")
        data = (self.folder / "run.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF-1.5\n"))
        page = read_pdf_page(data)
        # The curve is what is drawn behind the clip, in points.
        area, curve = re.search(r"q (\S+) (\S+) (\S+) (\S+) re W n\n(.*?)Q\n", page, re.S).groups()[0:4], page[page.index("re W n"):]
        left, bottom, width, height = map(float, area)
        points = [(float(x), float(y)) for x, y, _ in re.findall(r"(-?[\d.]+) (-?[\d.]+) ([ml])\n", curve[:curve.index("Q\n")])]
        self.assertGreater(len(points), 30)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.assertGreaterEqual(min(xs), left - 1e-3)
        self.assertLessEqual(max(xs), left + width + 1e-3)
        # The ellipse x^2/4 + v^2/36 = 1: between its extremes in both directions.
        a, b = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
        cx, cy = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        for x, y in points:
            self.assertAlmostEqual(((x - cx) / a)**2 + ((y - cy) / b)**2, 1, delta=0.02)
        self.assertIn(b"/FontFile2", data)

    def test_a_png_shows_the_curve_at_its_place(self):
        self.plot(self.write(OSCILLATOR), to="run.svg")
        figure = self.figure()
        self.plot(self.write(OSCILLATOR), to="run.png")
        width, height, rows = read_png((self.folder / "run.png").read_bytes())
        self.assertEqual(width, 1440)
        def is_blue(x, y):
            red, _, blue = rows[int(2 * y)][3 * int(2 * x):3 * int(2 * x) + 3]
            return blue > red + 50
        place_x = lambda value: (value - figure.value_of_x(0)) / (figure.value_of_x(1) - figure.value_of_x(0))
        place_y = lambda value: (value - figure.value_of_y(0)) / (figure.value_of_y(1) - figure.value_of_y(0))
        for x, v in figure.curves[0][2::5]:
            self.assertTrue(is_blue(place_x(x), place_y(v)), (x, v))
        self.assertFalse(is_blue(place_x(0.0), place_y(0.0)))

    def test_another_suffix_is_refused_before_the_run(self):
        result = visviva("simulate", self.write(OSCILLATOR), "--out", self.folder / "run", "--plot", self.folder / "run.eps")
        self.assertEqual(result.returncode, 2)
        self.assertIn("figures are .svg, .pdf or .png", result.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_figures_of_ours_may_be_replaced_and_other_files_not(self):
        model = self.write(OSCILLATOR)
        for name in ("run.svg", "run.pdf", "run.png"):
            self.plot(model, to=name)
            self.plot(model, to=name)
        (self.folder / "run_2.png").write_bytes(b"somebody's")
        found = self.plot(model, to="run.png", status=3)
        self.assertIn("run_2.png", found["plot_problem"])
        self.assertEqual((self.folder / "run_2.png").read_bytes(), b"somebody's")

    # ---- Files of the run

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
                self.assertEqual(with_plot["files"][2], str(self.folder / "run.svg"))

    def test_names_of_any_script_and_primes_are_text(self):
        model = self.write("""
model primes
coordinate θ = 1 rad, 角 = 2 rad
particle   P at No + 1 m*(sin(θ)*N.x - cos(θ)*N.y), mass 1 kg
particle   Q at No + 1 m*(sin(角)*N.x - cos(角)*N.y), mass 1 kg
gravity    -9.81 m/s^2*N.y
plot       θ, 角
study      until 1 s
""")
        for to in ("run.svg", "run.pdf", "run.png"):
            self.plot(model, to=to)
        self.assertEqual(self.figure().names[1:3], ["θ", "角"])

    def test_markup_in_texts_stays_text(self):
        for to in ("run.svg", "run.pdf"):
            self.plot(self.write(OSCILLATOR.replace("model oscillator", 'model oscillator "</title><script>alert(1)</script> (a) \\\\ )"')), to=to)
        self.assertNotIn("<script", (self.folder / "run.svg").read_text(encoding="utf-8"))

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
