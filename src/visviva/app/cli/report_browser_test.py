"""Tests of the report in a real browser: it loads cleanly, moves, answers to pointer and keyboard, and lets nothing in that a model smuggles.

Needs Debian's chromium and chromium-driver (`make check` installs them); skipped with a line that says so where they are missing. Pictures of the pages are
left in build/screenshots, so that somebody can look at them."""

import contextlib
import os
import pathlib
import tempfile
import time
import unittest

from browser import Browser, Key, find_programs
from program import EXAMPLES, ROOT, visviva
from report_test import HOSTILE

MISSING = "no browser to test the report in (Debian: chromium, chromium-driver; `make check` installs them)"
SCREENSHOTS = pathlib.Path(os.environ.get("VISVIVA_PROGRAM", ROOT / "build/visviva")).parent / "screenshots"

# A driven and damped mechanism in space, with constraint, spring, damper, torque and reaction.
MIXED = """model mixed "A driven arm on a spring, with one of everything"
parameter  mass = 1 kg, L = 0.6 m, g = 9.81 m/s^2, k = 40 N/m, c = 0.3 N*s/m
specified  x(t) = 0.1 m*sin(3 rad/s*t)
coordinate a = 40 deg, b = 10 deg, p = 0.5 m, h = 0.3 m
frame    A = rotate(N, z, a)
frame    B = rotate(A, x, b)
point    E = No + x*N.x
body     A at E - L/2*A.y, mass mass, rod length L along y
body     B at E - L*A.y - L/2*B.y, mass mass, box 0.1 m, 0.6 m, 0.05 m
particle Q at No + p*N.x + h*N.y, mass mass
gravity  -g*N.y
spring   S from Q to Acm, stiffness k, rest 0.4 m
damper   D from Q to Acm, rate c
torque   T on B from A = -c*L^2*(angular_velocity(B) - angular_velocity(A))
constraint guide: dot(Q - No, N.x) = 0.5 m
plot     a, b
output   reaction(E), power(x)
study    until 4 s, every 0.01 s, energy 1e-7 J
"""


# From 0.3 m to 5.2 m: an axis that ends between two ticks.
DRIFT = """model drift
coordinate x = 0.3 m, x' = 1 m/s
particle P at No + x*N.x, mass 1 kg
plot     x
study    until 4.9 s, every 0.05 s
"""

# Its plane is seen along N.x.
SIDEWAYS = """model sideways
parameter  L = 1 m, g = 9.81 m/s^2
coordinate q = 40 deg
frame    A = rotate(N, x, q)
particle P at No - L*A.y, mass 1 kg
gravity  -g*N.y
study    until 2 s, every 0.02 s
"""


# A crank, a rod that keeps its length, a slider; a spring beside a damper; a wheel on an axle; a road that passes below.
PLANE = """model plane "A slider-crank on a road"
parameter  r = 0.3 m, L = 0.8 m, k = 40 N/m, c = 2 N*s/m
specified  s(t) = 1 m + 2 m/s*t
coordinate theta = 0.6 rad, theta' = 3 rad/s, z = 0.05 m, phi = 0 rad, phi' = 1 rad/s
function   road(x) = table("road.csv", over x, hold)
frame      C = rotate(N, z, theta)
frame      W = rotate(N, z, phi)
point      A = No + r*C.x
body       C at No + r/2*C.x, mass 1 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2
particle   S at No + (r*cos(theta) + sqrt(L^2 - r^2*sin(theta)^2))*N.x, mass 0.5 kg
point      O2 = No + 2 m*N.x
spring     K from S to O2, stiffness k, rest 0.9 m
damper     D from S to O2, rate c
point      O3 = No - 1 m*N.x + 0.5 m*N.y
body       W at O3, mass 1 kg, inertia 0.02 kg*m^2, 0.02 kg*m^2, 0.02 kg*m^2
particle   H at No - 1 m*N.x + (z - 0.4 m)*N.y, mass 1 kg
spring     T on z - road(s), stiffness 900 N/m
plot       theta' over theta
plot       ys = z - 0.4 m over xs = 0.1*(s - 1 m)
study      until 3 s, every 0.01 s, energy 1e-4 J
"""
ROAD = "x [m],h [m]\n" + "".join(f"{0.25 * i},{0.02 * ((i * 7) % 5)}\n" for i in range(40))


def luminance(colour):
    """Relative luminance of #rrggbb, as WCAG 2.1 defines it."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def chain(count):
    """So many bodies in a plane."""
    lines = ["model chain", "parameter L = 0.1 m, g = 9.81 m/s^2"]
    at = "No"
    for i in range(1, count + 1):
        lines += [f"coordinate q{i} = {20 + 7 * (i % 5)} deg", f"frame A{i} = rotate(N, z, q{i})",
                  f"body A{i} at {at} - L/2*A{i}.y, mass 0.1 kg, rod length L along y", f"point P{i} = {at} - L*A{i}.y"]
        at = f"P{i}"
    return "\n".join(lines + ["gravity -g*N.y", "study until 10 s, every 0.001 s, tolerance 1e-8, energy 1e-4 J", ""])


@unittest.skipUnless(find_programs(), MISSING)
class ReportInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        browser = contextlib.ExitStack()
        cls.addClassCleanup(browser.close)
        cls.browser = browser.enter_context(Browser())
        cls.pages = {}

    def page(self, name, text=None, options=()):
        """The page of a model; made once."""
        if name not in self.pages:
            model = EXAMPLES / (name + ".viva")
            if text is not None:
                model = self.folder / (name + ".viva")
                model.write_text(text, encoding="utf-8")
            out = self.folder / (name + ".html")
            run = visviva("report", model, "--out", out, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.pages[name] = out
        return self.pages[name]

    def open(self, file, fragment="", width=1400, height=900, dark=False):
        b = self.browser
        b.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        b.command("Emulation.setEmulatedMedia", media="", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        b.open("/dev/null")
        b.console(), b.requests()
        b.open(file, fragment)
        self.wait("document.readyState === 'complete'")

    def wait(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not self.browser.run(f"return Boolean({condition})"):
            self.assertLess(time.monotonic(), end, f"never true: {condition}")
            time.sleep(0.05)

    def problems(self):
        """Messages of the console, but for the driver's own remarks about reading pictures back."""
        return [m for m in self.browser.console() if "GL Driver Message" not in m[1]]

    def pause(self):
        self.browser.run("visviva.viewer.pause()")

    def box(self, selector):
        return self.browser.run("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                                "return [r.x, r.y, r.width, r.height]", selector)

    def middle(self, selector):
        self.browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        x, y, width, height = self.box(selector)
        return x + width / 2, y + height / 2

    # ---- Loading

    def test_pages_load_without_messages_and_without_the_network(self):
        for name, text in (("double_pendulum", None), ("rolling_disc", None), ("mixed", MIXED)):
            file = self.page(name, text)
            self.open(file)
            self.browser.run("window.scrollTo(0, document.body.scrollHeight)")
            time.sleep(0.3)
            self.assertEqual(self.problems(), [], name)
            # The font of formulas is a part of the page.
            asked = [url for url in self.browser.requests() if not url.startswith("data:font/woff2;")]
            self.assertEqual(asked, [file.resolve().as_uri()], name)

    def test_nothing_is_wider_than_the_window_on_any_screen(self):
        for name, text in (("double_pendulum", None), ("mixed", MIXED)):
            for width in (360, 800, 1400):
                self.open(self.page(name, text), width=width)
                self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width, (name, width))
                self.browser.screenshot(SCREENSHOTS / f"{name}_{width}.png")

    def test_dark_is_dark_and_the_button_changes_it(self):
        brightness = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)"
        self.open(self.page("mixed", MIXED), dark=True)
        self.assertLess(self.browser.run(brightness), 200)
        self.browser.screenshot(SCREENSHOTS / "mixed_dark.png")
        self.browser.click("#theme")
        self.assertGreater(self.browser.run(brightness), 600)

    def test_every_colour_of_text_has_the_contrast_that_wcag_asks_for(self):
        self.assertAlmostEqual(contrast("#000000", "#ffffff"), 21, delta=1e-9)
        self.assertAlmostEqual(contrast("#767676", "#ffffff"), 4.54, delta=0.005)  # WebAIM's lightest grey on white
        inks = ["ink", "muted", "accent", "good", "bad", *(f"c{i}" for i in range(10))]
        for dark in (False, True):
            self.open(self.page("mixed", MIXED), dark=dark)
            for chosen in ("", "light", "dark"):
                colours = self.browser.run("""document.documentElement.dataset.theme = arguments[0];
                    const style = getComputedStyle(document.documentElement);
                    return Object.fromEntries(arguments[1].map((name) => [name, style.getPropertyValue('--' + name).trim()]))""",
                                           chosen, [*inks, "paper", "panel", "lit"])
                for ink in inks:
                    for paper in ("paper", "panel", "lit"):
                        self.assertGreaterEqual(contrast(colours[ink], colours[paper]), 4.5, (dark, chosen, ink, paper))

    def test_equations_are_laid_out_as_mathematics(self):
        self.open(self.page("double_pendulum"))
        # A fraction is higher than a line of text; what MathML does not lay out is not.
        counts = self.browser.run("""
            const maths = [...document.querySelectorAll('#derivation math')].filter((m) => m.getClientRects().length > 0);
            const sup = document.querySelector('#derivation msup');
            const [base, power] = [...sup.children].map((c) => c.getBoundingClientRect());
            return {count: maths.length, flat: maths.filter((m) => m.textContent.length > 1 && m.getBoundingClientRect().height < 8).length,
                    raised: power.bottom < base.bottom && power.height < base.height, beside: power.left >= base.right - 1}""")
        self.assertGreater(counts["count"], 5)
        self.assertEqual(counts["flat"], 0)
        self.assertTrue(counts["raised"] and counts["beside"], counts)

    def test_a_large_page_opens_within_a_second(self):
        file = self.page("chain", chain(20))
        self.assertLess(file.stat().st_size, 5e6)
        timings = []
        for _ in range(3):  # others may be at work on this machine
            self.open(file)
            timings.append(self.browser.run("const n = performance.getEntriesByType('navigation')[0]; return n.loadEventEnd - n.startTime"))
        self.assertLess(min(timings), 1000)
        self.assertEqual(self.browser.run("return visviva.data.causes.filter((c) => c.kind === 'body').length"), 20)
        self.assertEqual(self.problems(), [])
        self.browser.screenshot(SCREENSHOTS / "chain.png")

    # ---- Motion

    def test_the_animation_advances_and_stops(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.run("visviva.setTime(0)")
        first = self.browser.run("return visviva.viewer.image()")
        self.browser.run("visviva.viewer.play()")
        self.wait("visviva.time > 0.3")
        self.pause()
        stopped = self.browser.run("return visviva.viewer.frame()")
        self.assertNotEqual(self.browser.run("return visviva.viewer.image()"), first)
        time.sleep(0.3)
        self.assertEqual(self.browser.run("return visviva.viewer.frame()"), stopped)

    def test_the_slider_scrubs(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        slider = "#motion input[aria-label=Time]"
        self.browser.run("const s = document.querySelector(arguments[0]); s.value = s.max / 2; s.dispatchEvent(new Event('input', {bubbles: true}))", slider)
        self.assertAlmostEqual(self.browser.run("return visviva.time"), 2.0, delta=0.02)
        x, y, width, height = self.box(slider)
        self.browser.point(x + 5, y + height / 2, (x + 0.75 * width, y + height / 2))
        self.assertAlmostEqual(self.browser.run("return visviva.time"), 3.0, delta=0.15)

    def test_keys_play_step_and_jump(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.run("visviva.setTime(1); document.querySelector('.viewer-stage').focus()")
        frame = self.browser.run("return visviva.viewer.frame()")
        self.browser.press(".")
        self.assertGreater(self.browser.run("return visviva.viewer.frame()"), frame)
        self.browser.press(",")
        self.assertAlmostEqual(self.browser.run("return visviva.viewer.frame()"), frame, delta=0.51)
        self.browser.press(Key.END)
        self.assertAlmostEqual(self.browser.run("return visviva.time"), 4.0, delta=1e-6)
        self.browser.press(Key.HOME)
        self.assertAlmostEqual(self.browser.run("return visviva.time"), 0.0, delta=1e-6)
        self.browser.press(Key.SPACE)
        self.wait("visviva.viewer.playing && visviva.time > 0.05")
        self.browser.press(Key.SPACE)
        self.assertFalse(self.browser.run("return visviva.viewer.playing"))

    def test_without_webgl_the_same_motion_is_drawn_on_a_canvas(self):
        file = self.page("mixed", MIXED)
        self.open(file)
        self.pause()
        self.assertEqual(self.browser.run("return visviva.viewer.renderer"), "webgl")
        where = "visviva.setTime(1.5); visviva.viewer.setCamera('isometric'); return visviva.data.scene.points.map((p, i) => visviva.viewer.project(i))"
        solid = self.browser.run(where)
        self.browser.screenshot(SCREENSHOTS / "mixed_webgl.png")
        self.browser.command("Page.enable")
        script = self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const get = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
              return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); };""")
        try:
            self.open(file)
            self.pause()
            self.assertEqual(self.browser.run("return visviva.viewer.renderer"), "canvas")
            flat = self.browser.run(where)
            first = self.browser.run("return visviva.viewer.image()")
            self.assertNotEqual(self.browser.run("visviva.setTime(3); return visviva.viewer.image()"), first)
            self.assertEqual(self.problems(), [])
            self.browser.screenshot(SCREENSHOTS / "mixed_canvas.png")
        finally:
            self.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        for a, b in zip(solid, flat):
            self.assertAlmostEqual(a[0], b[0], delta=1)
            self.assertAlmostEqual(a[1], b[1], delta=1)

    def test_turns_of_more_than_half_a_turn_between_frames_are_played_as_they_are(self):
        self.open(self.page("mixed", MIXED))
        # The x axis of a frame that turns from 0.3 rad about z, a part s of the way: (cos, sin) of 0.3 + s*turn.
        worst = self.browser.run("""
            const {slerp, axesOf} = visviva.viewing.math;
            const q = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
            let worst = 0;
            for (const turn of [0, 1e-6, 0.01, 1, 3, 4, 5, 6, -4, -1]) {
              for (let s = 0; s <= 1; s += 0.125) {
                const x = axesOf(slerp(q(0.3), q(0.3 + turn), s))[0];
                worst = Math.max(worst, Math.hypot(x[0] - Math.cos(0.3 + s * turn), x[1] - Math.sin(0.3 + s * turn)));
              }
            }
            return worst""")
        self.assertLess(worst, 1e-12)

    def test_dragging_turns_the_camera(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        before = self.browser.run("return visviva.viewer.image()")
        x, y = self.middle(".viewer-stage")
        self.browser.point(x, y, (x + 80, y + 40))
        self.assertNotEqual(self.browser.run("return visviva.viewer.image()"), before)

    def test_the_right_button_does_not_turn_the_camera(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        x, y = self.middle(".viewer-stage")
        # On the same place before and after: what lies under the pointer lights up.
        picture = "document.querySelector('.viewer-stage').dispatchEvent(new PointerEvent('pointerleave')); return visviva.viewer.image()"
        before = self.browser.run(picture)
        def mouse(kind, dx, dy, **more):
            self.browser.command("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y + dy, **more)
        mouse("mousePressed", 0, 0, button="right", buttons=2, clickCount=1)
        mouse("mouseMoved", 80, 40, button="right", buttons=2)
        mouse("mouseReleased", 80, 40, button="right", buttons=0, clickCount=1)
        mouse("mouseMoved", 120, 60)
        self.assertEqual(self.browser.run(picture), before)

    def test_a_drag_ends_when_its_button_was_released_elsewhere(self):
        self.open(self.page("mixed", MIXED))
        held = self.browser.run("""const stage = document.querySelector('.viewer-stage');
            stage.setPointerCapture = () => {};
            const tell = (kind, buttons) => {
              stage.dispatchEvent(new PointerEvent(kind, {pointerId: 7, button: 0, buttons, clientX: 300, clientY: 300}));
              return stage.classList.contains('viewer-held'); };
            return [tell('pointerdown', 1), tell('pointermove', 1), tell('pointermove', 0), tell('pointerdown', 1), tell('lostpointercapture', 0)]""")
        self.assertEqual(held, [True, True, False, True, False])

    def test_changing_the_renderer_often_leaves_the_live_one_alone(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.run("visviva.setTime(1)")
        before = self.browser.run("return visviva.viewer.image()")
        self.browser.run("""window.contexts = new Set();
            const get = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
              const context = get.call(this, kind, ...rest);
              if (kind === 'webgl2') window.contexts.add(context);
              return context; };""")
        for _ in range(5):
            self.browser.run("const flat = document.querySelector('.viewer-flat'); flat.click(); flat.click();")
        time.sleep(0.3)
        self.assertEqual(self.browser.run("return [window.contexts.size, [...window.contexts].filter((c) => !c.isContextLost()).length]"), [5, 1])
        self.assertEqual(self.browser.run("return visviva.viewer.renderer"), "webgl")
        self.assertEqual(self.browser.run("return visviva.viewer.image()"), before)
        self.assertEqual(self.problems(), [])
        # A context that is lost for good is replaced.
        self.browser.run("document.querySelector('.viewer-canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
        self.wait("visviva.viewer.renderer === 'canvas'")

    def test_the_lamp_stands_before_the_wall(self):
        for name, text in (("sideways", SIDEWAYS), ("double_pendulum", None)):
            self.open(self.page(name, text))
            before = self.browser.run("""const scene = visviva.viewing.readScene(visviva.data.scene);
                const [n, lamp] = [scene.ground.normal, visviva.viewing.lampOf(scene)];
                return {kind: scene.ground.kind, part: n[0] * lamp[0] + n[1] * lamp[1] + n[2] * lamp[2]}""")
            self.assertEqual(before["kind"], "wall")
            self.assertGreater(before["part"], 0.3, name)

    def open_plane(self, **more):
        (self.folder / "road.csv").write_text(ROAD, encoding="utf-8")
        self.open(self.page("plane", PLANE), **more)

    def test_a_plane_mechanism_is_a_diagram_that_stands_at_a_moment(self):
        self.open_plane()
        self.assertEqual(self.browser.run("return [visviva.viewer.renderer, visviva.viewer.playing]"), ["diagram", False])
        self.assertGreater(self.browser.run("return visviva.time"), 0)
        roles = self.browser.run("""const scene = visviva.viewing.readScene(visviva.data.scene);
            const canvas = document.createElement('canvas');
            const drawn = new visviva.viewing.DiagramRenderer(canvas);
            visviva.viewer.draw();
            return {plane: scene.turnsInPlane, profiles: scene.profiles.length, bars: scene.items.filter((i) => i.bar).map((i) => i.bar),
                    wheel: scene.items.filter((i) => i.name === 'W').map((i) => [i.kind, i.standin])}""")
        self.assertEqual(roles["plane"], True)
        self.assertEqual(roles["profiles"], 1)
        self.assertEqual(set(roles["bars"]), {"C"})
        self.assertEqual(roles["wheel"], [["disc", True]])
        self.assertEqual(self.problems(), [])
        self.browser.screenshot(SCREENSHOTS / "plane.png")
        # In space and back.
        self.browser.click(".viewer-flat")
        self.assertEqual(self.browser.run("return visviva.viewer.renderer"), "webgl")
        self.browser.screenshot(SCREENSHOTS / "plane_space.png")
        self.browser.click(".viewer-flat")
        self.browser.run("visviva.viewer.setCamera('isometric')")
        self.assertEqual(self.browser.run("return visviva.viewer.renderer"), "webgl")

    def test_the_road_is_where_the_table_says(self):
        self.open_plane()
        # By linear pieces between the rows of the table, which the spline meets: at t = 1 s the road has come 2 m, so that the place
        # under H (x = -1 m) is at 3 m of the table, and a row of it.
        found = self.browser.run("""const scene = visviva.viewing.readScene(visviva.data.scene);
            const pose = visviva.viewing.poseAt(scene, visviva.viewing.frameAt(scene, 1));
            const [profile] = visviva.viewing.profilesAt(scene, pose);
            return profile.points.map((p) => [p[0], p[1]])""")
        rows = {0.25 * i: 0.02 * ((i * 7) % 5) for i in range(40)}
        near = min(found, key=lambda p: abs(p[0] + 1))
        self.assertAlmostEqual(near[0], -1, delta=0.02)
        self.assertAlmostEqual(near[1], rows[3.0] - 0.4, delta=0.01)

    def test_space_plays_and_pauses_wherever_nothing_has_the_focus(self):
        self.open_plane()
        self.assertFalse(self.browser.run("return visviva.viewer.playing"))
        self.browser.press(Key.SPACE)
        self.wait("visviva.viewer.playing")
        self.browser.press(Key.SPACE)
        self.assertFalse(self.browser.run("return visviva.viewer.playing"))
        self.assertEqual(self.browser.run("return window.scrollY"), 0)

    def test_the_motion_loops(self):
        self.open_plane()
        self.browser.run("visviva.setTime(visviva.span.until - 0.02); visviva.viewer.play()")
        self.wait("visviva.viewer.playing && visviva.time < 2")
        self.pause()

    # ---- Plots over another quantity

    def test_a_curve_over_another_quantity_follows_the_time(self):
        self.open_plane()
        self.browser.run("document.querySelector('#plots').scrollIntoView()")
        self.wait("visviva.curves.length >= 2 && visviva.curves[0].shown")
        for t in (0.5, 1.37, 2.9):
            self.browser.run("visviva.setTime(arguments[0])", t)
            found = self.browser.run("""const plot = visviva.curves[1];
                const dot = plot.dots[0];
                return plot.valueAt(Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy')))""")
            self.assertAlmostEqual(found[0], 0.2 * t, delta=2e-3)
        # A click near the curve moves the animation there.
        place = self.browser.run("""const plot = visviva.curves[1];
            plot.frame.scrollIntoView({block: 'center'});
            const {x, y, t} = plot.series[0].read(plot.from);
            const i = Math.floor(x.length / 2);
            const box = plot.picture.getBoundingClientRect();
            return [box.left + plot.left + plot.x(x[i]), box.top + plot.top + plot.y(y[i]), t[i]]""")
        self.browser.point(place[0], place[1], (place[0], place[1]))
        self.assertAlmostEqual(self.browser.run("return visviva.time"), place[2], delta=0.05)
        self.assertEqual(self.problems(), [])

    def test_a_curve_names_its_axes_and_zooms(self):
        self.open_plane()
        self.browser.run("document.querySelector('#plots').scrollIntoView()")
        self.wait("visviva.curves[0].shown")
        self.assertIn("theta (rad)", self.browser.run("return [...visviva.curves[0].axes.querySelectorAll('text')].map((t) => t.textContent)"))
        wide = self.browser.run("const plot = visviva.curves[0]; plot.zoom(0.5, [1, 3]); return plot.shown.x[1] - plot.shown.x[0]")
        whole = self.browser.run("const plot = visviva.curves[0]; plot.showWhole(); return plot.shown.x[1] - plot.shown.x[0]")
        self.assertAlmostEqual(wide, whole / 2, delta=1e-9 * whole)

    # ---- Formulas

    def test_digits_letters_and_signs_of_formulas_come_from_one_font(self):
        self.open(self.page("double_pendulum"))
        self.wait("document.fonts.status === 'loaded'")
        self.browser.command("DOM.enable")
        self.browser.command("CSS.enable")
        root = self.browser.command("DOM.getDocument", depth=0)["root"]["nodeId"]
        for selector in ("#derivation mn", "#derivation mi", "#derivation mo", "#integrals math"):
            self.browser.run("document.querySelector(arguments[0]).scrollIntoView()", selector)
            node = self.browser.command("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
            fonts = {f["familyName"] for f in self.browser.command("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]}
            self.assertLessEqual(fonts, {"Visviva Math"}, selector)

    def test_reasons_are_set_as_formulas(self):
        self.open(self.page("double_pendulum"))
        cells = self.browser.run("return [...document.querySelectorAll('#integrals td:last-child')].map((c) => [c.textContent, c.querySelectorAll('math').length])")
        naming = [(text, count) for text, count in cells if "sigma" in text or "P" in text]
        self.assertFalse([text for text, _ in cells if "P_nonconservative" in text])
        self.assertTrue(any(count for _, count in cells), cells)
        del naming

    def test_what_goes_on_beyond_an_edge_is_marked(self):
        self.open(self.page("mixed", MIXED), width=360)
        style = self.browser.run("return getComputedStyle(document.querySelector('.eq')).backgroundImage")
        self.assertEqual(style.count("linear-gradient"), 4)

    def test_a_factored_term_is_shown_multiplied_out(self):
        self.open(self.page("mixed", MIXED))
        text = self.browser.run("""const term = [...document.querySelectorAll('#derivation math[data-expanded]')].find((t) => t.dataset.cause);
            if (!term) return null;
            term.scrollIntoView({block: 'center'});
            const r = term.getBoundingClientRect();
            window.wanted = term.dataset.expanded;
            return [r.x + r.width / 2, r.y + r.height / 2]""")
        self.assertIsNotNone(text)
        self.browser.point(*text)
        self.wait("document.querySelector('.card-expanded')")
        self.assertEqual(self.browser.run("return document.querySelector('.card-expanded').textContent === '= ' + window.wanted"), True)

    # ---- Light

    def test_pointing_at_a_term_lights_its_statement_and_its_force_and_back(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.run("""window.lit = []; visviva.onLight((causes) => { window.lit = [...causes]; });
            window.cause = visviva.data.causes.findIndex((c) => c.name === 'gravity on B')""")
        quiet = self.browser.run("return visviva.viewer.image()")
        term = self.browser.run("""
            const terms = [...document.querySelectorAll('#derivation .term[data-cause]')].filter((t) => t.getClientRects().length > 0);
            const found = terms.find((t) => t.dataset.cause === String(window.cause));
            found.scrollIntoView({block: 'center'});
            const r = found.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]""")
        self.browser.point(*term)
        self.wait("window.lit.includes(window.cause)")
        lines = self.browser.run("return [...document.querySelectorAll('.model .line.lit')].map((l) => l.textContent.trim())")
        self.assertEqual(lines, ["gravity  -g*N.y"])
        self.assertNotEqual(self.browser.run("return visviva.viewer.image()"), quiet)
        self.browser.screenshot(SCREENSHOTS / "light_term.png")
        # From the statement to its terms.
        line = self.browser.run("""const l = [...document.querySelectorAll('.model .line')].find((l) => l.textContent.startsWith('spring'));
            l.scrollIntoView({block: 'center'}); const r = l.getBoundingClientRect(); return [r.x + 120, r.y + r.height / 2]""")
        self.browser.point(*line)
        self.wait("window.lit.some((c) => visviva.data.causes[c].name === 'S')")
        self.assertGreater(self.browser.run("return document.querySelectorAll('#derivation .term.lit').length"), 0)
        self.browser.screenshot(SCREENSHOTS / "light_statement.png")

    def test_pointing_at_a_body_lights_its_statement(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.run("""visviva.setTime(0); window.lit = []; visviva.onLight((causes) => { window.lit = [...causes]; });
            document.querySelector('.viewer-stage').scrollIntoView({block: 'center'})""")
        x, y, _, _ = self.box(".viewer-stage")
        place = self.browser.run("return visviva.viewer.project(visviva.data.scene.points.findIndex((p) => p.name === 'Bcm'))")
        self.browser.point(x + place[0], y + place[1])
        self.wait("window.lit.some((c) => visviva.data.causes[c].name === 'B')")
        lines = self.browser.run("return [...document.querySelectorAll('.model .line.lit')].map((l) => l.textContent.trim())")
        self.assertTrue(any(line.startswith("body     B") for line in lines), lines)

    # ---- Plots

    def test_plots_show_values_zoom_and_hide_series(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        frame = "#plots figure .plot-frame"
        x, y = self.middle(frame)
        self.browser.point(x, y)
        self.wait("[...document.querySelectorAll('#plots figure:first-of-type .plot-value')].some((v) => v.textContent !== '')")
        values = self.browser.run("return [...document.querySelectorAll('#plots figure:first-of-type .plot-value')].map((v) => v.textContent)")
        self.assertTrue(all(any(c.isdigit() for c in v) for v in values), values)
        ticks = ("return [...document.querySelectorAll('#plots figure:first-of-type svg.plot-picture text:not(.plot-when)')]"
                 ".map((t) => t.textContent).join()")
        whole = self.browser.run(ticks)
        self.browser.point(x - 60, y, (x + 60, y))
        self.assertNotEqual(self.browser.run(ticks), whole)
        self.browser.screenshot(SCREENSHOTS / "plot_zoomed.png")
        self.browser.press(Key.ESCAPE)
        self.assertEqual(self.browser.run(ticks), whole)
        self.browser.click("#plots figure .plot-legend button")
        self.assertEqual(self.browser.run("return document.querySelector('#plots figure .plot-legend button').getAttribute('aria-pressed')"), "false")
        self.assertNotEqual(self.browser.run(ticks), whole)

    def test_a_plots_cursor_moves_with_keys_and_tells_the_true_value(self):
        self.open(self.page("double_pendulum"))
        self.pause()
        # The first plot of this model shows E_Z; the coordinates start at 120 degrees.
        told = self.browser.run("""
            const figure = [...document.querySelectorAll('#plots figure')].find((f) => /q1/.test(f.querySelector('.plot-legend').textContent));
            figure.scrollIntoView({block: 'center'});
            figure.querySelector('.plot-frame').focus(); figure.id = figure.id || 'found'; return figure.id""")
        self.browser.press(Key.HOME)
        value = self.browser.run("return document.querySelector('#' + arguments[0] + ' .plot-value').textContent", told)
        self.assertAlmostEqual(float(value.split()[0].replace("\u2212", "-")), 2.0944, delta=1e-3)

    def test_no_tick_lies_outside_the_axes(self):
        self.open(self.page("drift", DRIFT))
        outside = """return visviva.plots.flatMap((p) => p.axis.ticks.filter((t) => t.at < p.axis.from - 1e-9 || t.at > p.axis.until + 1e-9))"""
        self.assertEqual(self.browser.run(outside), [])
        axis = self.browser.run("return visviva.plots.map((p) => p.axis).find((axis) => axis.until === 5.5)")
        self.assertEqual([tick["label"] for tick in axis["ticks"]], ["0", "2", "4"])
        self.browser.run("for (const p of visviva.plots) p.setView(1, 2)")
        self.assertEqual(self.browser.run(outside), [])

    def test_what_is_always_zero_has_an_axis_from_minus_one_to_one(self):
        self.open(self.page("drift", DRIFT))
        axis = self.browser.run("return visviva.plotting.makeLinearAxis(0, 0, 0)")
        self.assertEqual((axis["from"], axis["until"]), (-1, 1))
        self.assertIn("0", [tick["label"] for tick in axis["ticks"]])

    def test_a_cursor_reads_the_drawn_line_and_nothing_in_gaps(self):
        self.open(self.page("drift", DRIFT))
        # Lines from (10, 0) over (20, 10) to (30, 10) and from (50, 10) to (60, 20).
        heights = self.browser.run("""
            const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
            path.setAttribute('d', 'M10 0l10 10 10 0m20 0l10 10');
            Object.assign(path.dataset, {low: 0, unit: 1, step: 1});
            const series = new visviva.plotting.Series(path, document.createElement('button'), {whole: {from: 0, until: 70}, unit: ''});
            return [5, 10, 15, 18, 25, 30, 40, 50, 55, 60, 65].map((t) => { const y = series.heightAt(t); return isNaN(y) ? 'none' : y; })""")
        self.assertEqual(heights, ["none", 0, 5, 8, 10, 10, "none", 10, 15, 20, "none"])

    def test_plot_and_animation_share_their_time(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        x, y = self.middle("#plots figure .plot-frame")
        before = self.browser.run("return visviva.viewer.frame()")
        self.browser.point(x, y, (x, y))
        self.assertAlmostEqual(self.browser.run("return visviva.time"), 2.0, delta=0.4)
        self.assertNotEqual(self.browser.run("return visviva.viewer.frame()"), before)

    # ---- Keyboard, copying, printing

    def test_everything_can_be_reached_with_the_tab_key(self):
        self.open(self.page("double_pendulum"))
        self.pause()
        reached = set()
        for _ in range(400):
            self.browser.press(Key.TAB)
            here = self.browser.run("const a = document.activeElement; return a === document.body ? '' : a.tagName + ' ' + (a.closest('section')?.id || 'top')")
            if not here:
                break
            reached.add(here)
        for wanted in ("A top", "BUTTON top", "BUTTON motion", "INPUT motion", "SELECT motion", "A notation", "A derivation",
                       "BUTTON derivation", "BUTTON plots", "BUTTON reproduce"):
            self.assertIn(wanted, reached)

    def test_copying_gives_latex_and_c(self):
        self.open(self.page("double_pendulum"))
        for kind, mark in (("latex", "\\"), ("c", ";")):
            button = f"#derivation button[data-copy={kind}]"
            # The button says so for a moment only, which a slow machine may miss: all that it says is kept.
            self.browser.run("""const said = visviva.said = [];
                const button = document.querySelector(arguments[0]);
                new MutationObserver(() => said.push(button.textContent)).observe(button, {childList: true})""", button)
            self.browser.click(button)
            self.wait("visviva.copied !== undefined && visviva.said.length > 0")
            self.assertEqual(self.browser.run("return visviva.said[0]"), "Copied")
            self.assertTrue(self.browser.run("return document.activeElement === document.querySelector(arguments[0])", button))
            self.assertIn(mark, self.browser.run("const t = visviva.copied; delete visviva.copied; return t"))

    def test_what_could_not_be_copied_is_not_called_copied(self):
        self.open(self.page("double_pendulum"))
        self.browser.run("""document.execCommand = () => false;
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error('no'))}})""")
        self.browser.click("#derivation button[data-copy=latex]")
        self.wait("document.querySelector('#derivation button[data-copy=latex]').textContent === 'Not copied'")
        self.assertTrue(self.browser.run("return visviva.copied === undefined && document.activeElement.matches('button[data-copy=latex]')"))

    def test_names_tell_a_listener_what_things_are(self):
        self.open(self.page("double_pendulum"))
        def named(selector):
            return self.browser.run("return [...document.querySelectorAll(arguments[0])].map((e) => [e.getAttribute('role'), e.getAttribute('aria-label')])", selector)
        copies = [label for _, label in named("#derivation button[data-copy]")]
        self.assertIn("Copy LaTeX: Equations of motion", copies)
        self.assertEqual(len(copies), len(set(copies)))
        [[stage, words]] = named(".viewer-stage")
        self.assertEqual(stage, "application")
        self.assertEqual(named(".viewer-stage .viewer-canvas"), [["img", words]])
        self.assertEqual(named("pre.model"), [["region", "The model's text"]])

    def test_paper_shows_what_is_folded_and_hides_the_controls(self):
        self.open(self.page("mixed", MIXED))
        self.pause()
        self.browser.command("Emulation.setEmulatedMedia", media="print")
        shown = self.browser.run("""window.dispatchEvent(new Event('beforeprint'));
            return {folded: document.querySelectorAll('details:not([open]):not([data-print="no"])').length,
                    controls: document.querySelector('.viewer-controls').getClientRects().length,
                    top: document.querySelector('.top').getClientRects().length}""")
        self.assertEqual(shown, {"folded": 0, "controls": 0, "top": 0})
        import base64
        pdf = base64.b64decode(self.browser.command("Page.printToPDF", preferCSSPageSize=True)["data"])
        (SCREENSHOTS / "mixed.pdf").write_bytes(pdf)
        self.assertTrue(pdf.startswith(b"%PDF"))

    # ---- What must not get in

    def test_injected_markup_stays_text(self):
        self.browser.command("Page.enable")
        script = self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="window.alert = () => { window.alerted = true; };")
        try:
            self.open(self.page("hostile", HOSTILE, ("--case", "hasOwnProperty")))
        finally:
            self.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        found = self.browser.run("""
            const seen = document.body.innerText;
            for (const e of document.querySelectorAll('[data-cause], .viewer-list button, .plot-legend button')) {
              e.dispatchEvent(new PointerEvent('pointerover', {bubbles: true})); e.dispatchEvent(new FocusEvent('focusin', {bubbles: true})); }
            return {images: document.images.length, frames: document.querySelectorAll('iframe, object, embed').length,
                    scripts: document.scripts.length, styles: document.querySelectorAll('style').length, bold: document.querySelectorAll('b').length,
                    links: [...document.links].filter((a) => !a.getAttribute('href').startsWith('#')).length,
                    title: document.title, alerted: window.alerted === true, shown: seen.includes('<img src=x onerror=alert(1)>') && seen.includes('<b>bold</b>')}""")
        self.assertEqual({k: found[k] for k in ("alerted", "images", "frames", "scripts", "styles", "bold", "links", "shown")},
                         {"alerted": False, "images": 0, "frames": 0, "scripts": 2, "styles": 1, "bold": 0, "links": 0, "shown": True})
        self.assertEqual(self.problems(), [])
        self.browser.screenshot(SCREENSHOTS / "hostile.png")

    def test_a_script_that_got_in_would_not_run(self):
        self.open(self.page("hostile", HOSTILE, ("--case", "hasOwnProperty")))
        ran = self.browser.run("""const s = document.createElement('div'); s.innerHTML = '<img src=x onerror="window.pwned = 1">'; document.body.append(s);
            const t = document.createElement('script'); t.textContent = 'window.pwned = 2'; document.body.append(t);
            return new Promise((done) => setTimeout(() => done(window.pwned || 0), 300))""")
        self.assertEqual(ran, 0)
        self.problems()


if __name__ == "__main__":
    unittest.main()
