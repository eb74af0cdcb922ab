"""Tests of `visviva report`: the page is whole, tells the truth about the run, ties terms to statements, and shows all that a model says as text."""

import base64
import hashlib
import html.parser
import json
import math
import re
import struct
import unittest

from program import EXAMPLES, Folder, visviva

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}

PENDULUM = """model pendulum "A particle on a rod"
parameter  m = 2 kg, L = 0.5 m,
           g = 9.81 m/s^2
coordinate theta = 60 deg
frame    A = rotate(N, z, theta)
particle Q at No -
  L*A.y,
  mass m
gravity  -g*N.y
output   reaction(No)
study    until 2 s, every 0.01 s, energy 1e-8 J
"""

# Every text and comment tries to leave its place. Names hold letters, digits and _ only.
HOSTILE = """model hostile "</title></script><script>alert('title')</script><img src=x onerror=alert(1)>"
# --></pre><script>alert('comment')</script> ]]> {{x}} ${x}
parameter  script = 2 kg "'><script>alert('parameter')</script>"
parameter  onerror = 1 m "</math></table><iframe src='javascript:alert(2)'>"
coordinate alert = 60 deg "<svg onload=alert(3)>"
frame    A = rotate(N, z, alert) "<style>*{display:none}</style>"
particle innerHTML at No - onerror*A.y, mass script "</script>"
gravity  -9.81 m/s^2*N.y "<b>bold</b>"
force    constructor on innerHTML = 1 N*N.x "<a href=javascript:alert(4)>click</a>"
output   __proto__ = sin(alert) "<script>"
plot     alert
event    toString when alert = 0 "<script>alert(5)</script>"
case     hasOwnProperty "</script><script>alert(6)</script>": onerror = 2 m
study    until 1 s, every 0.01 s, energy 1e-6 J
"""


class Page(html.parser.HTMLParser):
    """Elements with their attributes, text by section, and whether every element is closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.problems, self.scripts, self.text = [], [], [], [], ""
        self.feed(text)
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} closes {self.open[-3:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif not self.open or self.open[-1] != "style":
            self.text += data

    def ids(self):
        return [a["id"] for _, a in self.elements if "id" in a]

    def data(self):
        return json.loads(self.scripts[0])


def decode(text, letter):
    raw = base64.b64decode(text)
    return struct.unpack("<%d%s" % (len(raw) // struct.calcsize(letter), letter), raw)


class Report(Folder):
    def report(self, model, *options, status=0):
        out = self.folder / "page.html"
        run = visviva("report", model, "--out", out, *options)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertIn(str(out), run.stdout)
        text = out.read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids()), len(set(page.ids())), "an id occurs twice")
        return page, text

    def shows(self, page, *phrases):
        for phrase in phrases:
            self.assertTrue(phrase in page.text, f"the page does not show {phrase!r}")

    def test_a_page_has_all_its_sections_in_order_and_nothing_from_outside(self):
        page, text = self.report(self.write(PENDULUM))
        sections = [a["id"] for tag, a in page.elements if tag == "section"]
        self.assertEqual(sections, ["motion", "model", "notation", "derivation", "integrals", "interactions", "plots", "certificate",
                                    "modes", "reproduce"])
        for link in [a["href"] for tag, a in page.elements if tag == "a"]:
            self.assertTrue(link.startswith("#") and link[1:] in page.ids(), link)
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ("link", "iframe", "object", "embed", "base"))
            for name in attributes:
                self.assertFalse(name.startswith("on"), (tag, name))
                self.assertNotIn(name, ("src", "srcset", "style" if tag == "a" else "src"))
        self.assertNotRegex(re.sub(r"http://www\.w3\.org/[\w/]*", "", text), r"https?://")

    def test_only_the_pages_own_script_may_run(self):
        page, _ = self.report(self.write(PENDULUM))
        policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
        digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
        self.assertIn("default-src 'none'", policy)
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertEqual(len(page.scripts), 2)

    def test_what_a_model_says_shows_as_text(self):
        page, text = self.report(self.write(HOSTILE), "--case", "hasOwnProperty")
        self.assertEqual(len(page.scripts), 2)
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ("img", "iframe", "b"))
            self.assertFalse([n for n in attributes if n.startswith("on")], (tag, attributes))
        self.assertEqual(text.count("<style"), 1)
        self.shows(page, "<img src=x onerror=alert(1)>", "<svg onload=alert(3)>", "<b>bold</b>")
        self.assertEqual([c["name"] for c in page.data()["causes"] if c["kind"] == "body"], ["innerHTML"])

    def test_the_picture_is_the_motion_that_simulate_gives(self):
        page, _ = self.report(self.write(PENDULUM))
        scene = page.data()["scene"]
        times = decode(scene["time"], "d")
        point = next(p for p in scene["points"] if p["name"] == "Q")
        floats = decode(scene["positions"], "f")
        count = scene["count"]
        self.assertEqual(len(times), count)
        # The energy of a pendulum at rest from 60 degrees gives its speed at any height; differences of positions give it too.
        first = 3 * count * point["track"]
        place = [floats[first + 3 * i:first + 3 * i + 3] for i in range(count)]
        for x, y, z in place:
            self.assertAlmostEqual(math.hypot(x, y), 0.5, places=6)
            self.assertEqual(z, 0)
        for i in range(1, count - 1):
            dt = times[i + 1] - times[i - 1]
            speed = math.dist(place[i + 1], place[i - 1]) / dt
            height = place[i][1] + 0.5 * math.cos(math.radians(60))
            self.assertAlmostEqual(speed ** 2, -2 * 9.81 * height, delta=0.02)

    def test_terms_statements_and_objects_share_their_causes(self):
        page, _ = self.report(self.write(PENDULUM))
        causes = page.data()["causes"]
        gravity = next(i for i, c in enumerate(causes) if c["name"] == "gravity on Q")
        body = next(i for i, c in enumerate(causes) if c["kind"] == "body")
        self.assertEqual((causes[gravity]["line"], causes[body]["line"]), (9, 6))
        marked = [(tag, a) for tag, a in page.elements if "data-cause" in a]
        for cause in (gravity, body):
            tags = {tag for tag, a in marked if str(cause) in a["data-cause"].split()}
            self.assertIn("math", tags, causes[cause])
            self.assertIn("span", tags, causes[cause])
        lines = {a["id"]: a["data-cause"] for _, a in marked if a.get("id", "").startswith("line-")}
        # A statement over several lines lights up as a whole.
        self.assertEqual({k: v.split() for k, v in lines.items()},
                         {"line-6": [str(body)], "line-7": [str(body)], "line-8": [str(body)], "line-9": [str(gravity)]})
        for part in page.data()["scene"]["objects"] + page.data()["scene"]["arrows"]:
            self.assertTrue(all(0 <= c < len(causes) for c in part.get("cause", [])))

    def test_an_item_of_a_list_on_its_own_line_has_its_own_causes(self):
        page, _ = self.report(self.write("""model two
specified x(t) = 1 m*sin(1 rad/s*t),
          y(t) = 2 m*cos(1 rad/s*t)
coordinate q = 1 rad
frame    A = rotate(N, z, q)
particle P at No + x*N.x + y*N.y + 1 m*A.x, mass 1 kg
study    until 1 s
"""))
        names = {c["name"]: str(i) for i, c in enumerate(page.data()["causes"])}
        lines = {a["id"]: a["data-cause"] for _, a in page.elements if "data-cause" in a and a.get("id", "").startswith("line-")}
        self.assertEqual((lines["line-2"], lines["line-3"]), (names["x"], names["y"]))

    def test_the_certificate_is_that_of_the_run(self):
        model = self.write(PENDULUM)
        page, _ = self.report(model)
        self.shows(page, "certificate holds")
        run = visviva("report", model, "--out", self.folder / "x.html", "--json", "--energy", "1e-17")
        self.assertEqual(run.returncode, 3)
        answer = json.loads(run.stdout)
        self.assertEqual((answer["status"], answer["certificate"]["holds"]), ("refused", False))
        refused = Page((self.folder / "x.html").read_text(encoding="utf-8"))
        self.shows(refused, "run refused")
        self.shows(refused, "There is no motion to show")
        self.shows(refused, "Equations")

    def test_a_model_without_values_still_has_a_page(self):
        model = self.write("model open\nparameter k, m\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass m\n"
                           "spring S on x, stiffness k, rest 0 m\n")
        out = self.folder / "open.html"
        run = visviva("report", model, "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("no run", run.stderr)
        page = Page(out.read_text(encoding="utf-8"))
        self.assertEqual(page.problems, [])
        self.shows(page, "values are missing: k (line 2), m (line 2)")
        self.assertIsNone(page.data()["scene"])

    def test_figure_34_1_shows_e_z_flat_and_the_others_moving(self):
        run = visviva("report", EXAMPLES / "positioning_device.viva", "--case", "ramp_damped", "--json", "--energy", "1e-9",
                      "--out", self.folder / "page.html")
        self.assertEqual(run.returncode, 0, run.stderr)
        deviation = {k: v["max_deviation"] for k, v in json.loads(run.stdout)["energies"].items()}
        self.assertLess(deviation["E_Z"], 1e-9)
        # An independent run gives Z = -0.0391564369704 J at the end, so that E = E_Z - Z has moved by as much.
        self.assertAlmostEqual(deviation["E"], 0.0391564369704, delta=1e-9)
        for name in "HC":
            self.assertGreater(deviation[name], 0.01, name)
        text = (self.folder / "page.html").read_text(encoding="utf-8")
        legends = [[re.sub(r"<[^>]*>", "", name).strip() for name in re.findall(r"<button.*?</button>", legend, re.S)]
                   for legend in re.findall(r'<div class="plot-legend".*?</div>', text, re.S)]
        self.assertIn(["E_Z", "E", "H", "C"], legends)
        self.assertIn(["E_Z", "E"], legends)  # E moves too little to be seen beside H and C
        # Browsers draw nothing under a nearly singular transformation: the flat E_Z would not be there.
        scales = [float(d) for d in re.findall(r'transform="matrix\(\S+ 0 0 (\S+) ', text)]
        self.assertGreater(min(map(abs, scales)), 1e-9)

    def test_small_motions_are_those_of_the_textbook(self):
        page, _ = self.report(self.write(PENDULUM))
        frequency = math.sqrt(9.81 / 0.5) / (2 * math.pi)
        self.shows(page, "The equilibrium near the start, at rest but for what is prescribed, is stable", f"{frequency:.5g} Hz, period {1 / frequency:.5g} s")

    def test_a_mechanism_without_equilibrium_says_so(self):
        page, _ = self.report(self.write("model fall\ncoordinate h = 5 m\nparticle P at No + h*N.y, mass 1 kg\n"
                                         "gravity -9.81 m/s^2*N.y\nstudy until 1 s\n"))
        self.shows(page, "No equilibrium was found")

    def test_the_summary_tells_what_there_is_and_what_stays(self):
        page, _ = self.report(self.write(PENDULUM))
        self.shows(page, "It is made of 1 particle (Q). It has 1 degree of freedom, described by the coordinate theta. Gravity acts on it.",
                   "E, H, the Hamiltonian, C and the mechanical energy are constant.")

    def test_without_a_study_ten_seconds_are_simulated_and_the_page_says_so(self):
        model = self.write(re.sub("study.*", "", PENDULUM))
        page, _ = self.report(model)
        self.shows(page, "10 s were taken", "It was simulated for 10 s", "no tolerance was asked for")
        self.assertEqual(page.data()["span"], {"from": 0, "until": 10})

    def test_wrong_commands_and_wrong_models_say_so_and_write_nothing(self):
        model = self.write(PENDULUM)
        for options, status in ((["--until", "soon"], 2), (["--out", self.folder / "no" / "page.html"], 2), (["--set", "L=1 kg"], 1),
                                (["--out", model], 2), (["--out", self.folder], 2)):
            run = visviva("report", model, *options, cwd=self.folder)
            self.assertEqual(run.returncode, status, options)
            self.assertNotEqual(run.stderr, "")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["model.viva"])
        self.assertEqual(model.read_text(encoding="utf-8"), PENDULUM)


if __name__ == "__main__":
    unittest.main()
