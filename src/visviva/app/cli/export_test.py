"""Tests of `visviva export`: the files compile without a warning and give the numbers of closed forms, of SymPy and of
`visviva evaluate`; E_Z stays constant along motions they compute; nothing in a model becomes code."""

import ctypes
import importlib.util
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import unittest

from program import EXAMPLES, ROOT, Folder, visviva

try:
    import numpy
except ImportError:
    numpy = None
try:
    import sympy
except ImportError:
    sympy = None

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
OCTAVE = shutil.which("octave-cli")
NO_OCTAVE = "Octave is not here to run MATLAB files (Debian: octave)"
GOLDEN = ROOT / "src/visviva/codegen/export/golden"
ROUNDING = 1e-9  # of a linear solve with numbers of order 1 to 1000
SUFFIX = {"c": "c", "python": "py", "matlab": "m"}

PUSHED = """
model pushed "An input, a function of time, kinks and every function"
parameter  m = 2 kg, k = 3 N/m, c = 0.7 m, T = 2 s
parameter  half = m/2
specified  y(t) = 0.4 m*sin(2 rad/s*t) + 0.1 m*exp(-t/T)
input      F = 0.3 N
coordinate x = 0.2 m, x' = 0.5 m/s, z = 0.3 m, z' = -0.4 m/s
particle   Q at No + x*N.x + y*N.y + z*N.z, mass half + half
force      push on Q = (F*step(x/c - 0.5) - k*max(x, z)*min(1, tanh(x/c))*sign(z))*N.x
force      pull on Q = -k*c*(atan2(z, c + x) + abs(z/c)^1.5 + acos(x/c/4) - asin(z/c/4) + atan(x/c) + log(2 + x/c)
             + cosh(x/c) - sinh(z/c) + sqrt(2 + x/c) + tan(x/c/4) + exp(-x/c))*N.z
"""


def pushed_accelerations(t, x, z, F):
    """x'' and z'' of PUSHED, by its text."""
    m, k, c = 2, 3, 0.7
    del t
    along_x = F * (1 if x / c - 0.5 >= 0 else 0) - k * max(x, z) * min(1, math.tanh(x / c)) * (z > 0) + \
        k * max(x, z) * min(1, math.tanh(x / c)) * (z < 0)
    along_z = -k * c * (math.atan2(z, c + x) + abs(z / c)**1.5 + math.acos(x / c / 4) - math.asin(z / c / 4)
                        + math.atan(x / c) + math.log(2 + x / c) + math.cosh(x / c) - math.sinh(z / c)
                        + math.sqrt(2 + x / c) + math.tan(x / c / 4) + math.exp(-x / c))
    return along_x / m, along_z / m


class Library:
    """An exported C file, compiled and loaded."""

    def __init__(self, source, compiler):
        library = source.with_suffix(f".{compiler}.so")
        done = subprocess.run([compiler, *STRICT, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{compiler} refuses {source}:\n{done.stderr}")
        self.code = ctypes.CDLL(str(library))
        text = source.read_text(encoding="utf-8")
        self.name = re.search(r"^int (\w+)_rates\(", text, re.MULTILINE)[1]
        self.sizes = {k: int(v) for k, v in re.findall(rf"^    {self.name}_(\w+) = (\d+)", text, re.MULTILINE)}
        self.start = self.constants("start_state", self.sizes["state_count"])
        self.inputs = self.constants("default_inputs", self.sizes["input_count"])
        self.parameters = self.constants("default_parameters", self.sizes["parameter_count"])
        self.states = self.strings("state_names", self.sizes["state_count"])
        self.has_energies = f"int {self.name}_energies(" in text

    def constants(self, name, count):
        return list((ctypes.c_double * max(count, 1)).in_dll(self.code, f"{self.name}_{name}"))[:count]

    def strings(self, name, count):
        found = (ctypes.c_char_p * max(count, 1)).in_dll(self.code, f"{self.name}_{name}")
        return [found[i].decode("utf-8") for i in range(count)]

    def call(self, function, t, state, *counts, inputs=None, parameters=None):
        """The status, and one list for each array of results."""
        def array(values):
            return (ctypes.c_double * max(len(values), 1))(*values)
        results = [array([0.0] * n) for n in counts]
        status = getattr(self.code, f"{self.name}_{function}")(
            ctypes.c_double(t), array(state), array(self.inputs if inputs is None else inputs),
            array(self.parameters if parameters is None else parameters), *results)
        return (status, *(list(r)[:n] for r, n in zip(results, counts)))

    def rates(self, t, state, **given):
        status, rates = self.call("rates", t, state, len(state), **given)
        if status < 0:
            raise AssertionError(f"status {status}")
        return rates

    def energies(self, t, state, **given):
        status, values = self.call("energies", t, state, 7, **given)
        if status != 0:
            raise AssertionError(f"status {status}")
        return dict(zip(("K0", "K1", "K2", "U", "sigma_R", "P_nonconservative", "Z_rate"), values))


class Octave:
    """An exported MATLAB file in a running Octave."""

    def __init__(self, file):
        name = re.match(r"function model = (\w+)\(\)", file.read_text(encoding="utf-8"))[1]
        file.rename(file.with_name(f"{name}.m"))
        self.process = subprocess.Popen([OCTAVE, "--no-init-file", "--no-history", "--quiet"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=file.parent)
        self.ask(f"numel(fieldnames(m = {name}()))")

    def ask(self, numbers):
        """The numbers of a list of expressions."""
        self.process.stdin.write(f"printf('%.17g ', {numbers}), printf('\\n'), fflush(stdout);\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:  # Octave ends with the first error
            raise AssertionError(f"Octave refuses {numbers}:\n{self.process.stderr.read()}")
        return [float(x) for x in line.split()]

    def arguments(self, t, state, inputs=None, parameters=None):
        def column(values, otherwise):
            return f"m.{otherwise}" if values is None else "[" + "; ".join(repr(float(x)) for x in values) + "]"
        return (f"{float(t)!r}, {column(state, 'start_state')}, {column(inputs, 'default_inputs')}, "
                f"{column(parameters, 'default_parameters')}")

    def rates(self, t, state, **given):
        return self.ask(f"m.rates({self.arguments(t, state, **given)})")

    def energies(self, t, state, **given):
        names = ("K0", "K1", "K2", "U", "sigma_R", "P_nonconservative", "Z_rate")
        return dict(zip(names, self.ask(f"struct2cell(m.energies({self.arguments(t, state, **given)})){{:}}")))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class Export(Folder):
    def path_of(self, model):
        return EXAMPLES / f"{model}.viva" if isinstance(model, str) else model

    def export(self, model, language, *arguments):
        """The file that is written."""
        file = self.folder / f"out_{len(list(self.folder.iterdir()))}.{SUFFIX[language]}"
        result = visviva("export", self.path_of(model), "--as", language, "--out", file, *arguments)
        self.assertEqual((result.returncode, result.stdout), (0, f"wrote {file}\n"), result.stderr)
        return file

    def libraries(self, model, *arguments):
        """One for each compiler."""
        if not COMPILERS:
            self.skipTest("neither gcc nor clang is here (Debian: gcc, clang)")
        source = self.export(model, "c", *arguments)
        return [Library(source, compiler) for compiler in COMPILERS]

    def module(self, model, *arguments):
        if numpy is None:
            self.skipTest("NumPy is not here (Debian: python3-numpy)")
        file = self.export(model, "python", *arguments)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def octave(self, model, *arguments):
        if OCTAVE is None:
            self.skipTest(NO_OCTAVE)
        octave = Octave(self.export(model, "matlab", *arguments))
        self.addCleanup(octave.close)
        return octave

    def evaluate(self, model, *arguments):
        result = visviva("evaluate", self.path_of(model), "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def assert_near(self, found, expected, tolerance=ROUNDING):
        self.assertEqual(len(found), len(expected))
        for f, e in zip(found, expected):
            self.assertLessEqual(abs(f - e), tolerance * max(1.0, abs(e)), (found, expected))


class ClosedForms(Export):
    """Random states and times; answers from outside."""

    def everywhere(self, model, *arguments):
        """rates(t, state, ...) of the C file, by each compiler, and of the others where what runs them is here."""
        found = [library.rates for library in self.libraries(model, *arguments)]
        if numpy is not None:
            found.append(self.module(model, *arguments).rates)
        if OCTAVE is not None:
            found.append(self.octave(model, *arguments).rates)
        return found

    def test_hoist(self):
        random.seed(1)
        for rates in self.everywhere("hoist"):
            for _ in range(20):
                t, theta, w = random.uniform(0, 5), random.uniform(-3, 3), random.uniform(-4, 4)
                m_Q, m, L, g = (random.uniform(0.5, 3) for _ in range(4))
                # theta'' = -m g L sin(theta)/(m L^2 + I), I = m L^2/12: it follows m and L
                self.assert_near(rates(t, [theta, w], parameters=[m_Q, m, L, g]),
                                 [w, -g * math.sin(theta) / (L * 13 / 12)])

    def test_energies_of_the_hoist(self):
        random.seed(2)
        for library in self.libraries("hoist"):
            for _ in range(20):
                t, theta, w = random.uniform(0, 5), random.uniform(-3, 3), random.uniform(-4, 4)
                m_Q, m, L, g = (random.uniform(0.5, 3) for _ in range(4))
                e = library.energies(t, [theta, w], parameters=[m_Q, m, L, g])
                # x = 3 cos t is along the axis of the swing: nothing couples
                expected = {"K0": (m_Q + m) * (3 * math.sin(t))**2 / 2, "K1": 0, "K2": m * (L * w)**2 * 13 / 24,
                            "U": -m * g * L * math.cos(theta), "sigma_R": 0, "P_nonconservative": 0, "Z_rate": 0}
                self.assert_near([e[k] for k in expected], list(expected.values()))

    def test_double_pendulum_by_sympy(self):
        if sympy is None:
            self.skipTest("SymPy is not here (Debian: python3-sympy)")
        t = sympy.Symbol("t")
        m1, m2, L, g, a, b, da, db = sympy.symbols("m1 m2 L g a b da db")
        q = [sympy.Function("q1")(t), sympy.Function("q2")(t)]
        x1, y1 = L * sympy.sin(q[0]), -L * sympy.cos(q[0])
        x2, y2 = x1 + L * sympy.sin(q[1]), y1 - L * sympy.cos(q[1])
        kinetic = sum(m * (x.diff(t)**2 + y.diff(t)**2) / 2 for m, x, y in ((m1, x1, y1), (m2, x2, y2)))
        lagrangian = kinetic - g * (m1 * y1 + m2 * y2)
        equations = [lagrangian.diff(c.diff(t)).diff(t) - lagrangian.diff(c) for c in q]
        solved = sympy.solve(equations, [c.diff(t, 2) for c in q])
        plain = {q[0].diff(t): da, q[1].diff(t): db}
        values = [solved[c.diff(t, 2)].subs(plain).subs({q[0]: a, q[1]: b}) for c in q]
        expected = sympy.lambdify((a, b, da, db, m1, m2, L, g), values, "math")
        random.seed(3)
        for rates in self.everywhere("double_pendulum"):
            for _ in range(20):
                state = [random.uniform(-3, 3) for _ in range(4)]
                parameters = [random.uniform(0.5, 3) for _ in range(4)]
                self.assert_near(rates(0.0, state, parameters=parameters), state[2:] + expected(*state, *parameters))

    def test_a_rolling_sphere_with_a_motor(self):
        # The contact does not slide: ds = -r wz and Omega (L + s) = -r wx, always, and so do their rates.
        random.seed(4)
        for library in self.libraries("positioning_device"):
            m, r, L, k, b = library.parameters
            for _ in range(10):
                t, s, ds, wy = (random.uniform(0.1, 2) for _ in range(4))
                Omega, dOmega = 0.5 * t, 0.5
                state = [s, ds, -Omega * (L + s) / r, wy, -ds / r]
                rates = library.rates(t, state)
                self.assert_near([rates[0], -r * rates[4], -r * rates[2]],
                                 [ds, rates[1], dOmega * (L + s) + Omega * ds])
                status, _, velocity, A, _ = library.call("constraints", t, state, 1, 2, 8, 2)
                self.assertEqual(status, 0)
                self.assert_near(velocity, [0, 0])
                self.assertEqual(len(A), 8)
                # vertical axis: 2/5 m r^2 wy' = -b (wy - Omega), friction has no moment about it
                self.assert_near([rates[3]], [-b * (wy - Omega) / (0.4 * m * r * r)])

    def test_every_function_and_an_input(self):
        random.seed(5)
        model = self.write(PUSHED)
        for rates in self.everywhere(model):
            for _ in range(40):
                t, x, z, F = random.uniform(0, 3), random.uniform(-0.9, 0.9), random.uniform(-1, 1), random.uniform(-1, 1)
                found = rates(t, [x, z, 0.5, -0.4], inputs=[F])
                self.assert_near(found, [0.5, -0.4, *pushed_accelerations(t, x, z, F)])

    def test_a_table_is_followed(self):
        # The cubic t^3 - 2 t^2 + 3 is its own spline.
        rows = "".join(f"{t},{t**3 - 2 * t**2 + 3}\n" for t in (0, 0.5, 1.25, 2, 2.5, 3))
        (self.folder / "force.csv").write_text("t,F\n" + rows, encoding="utf-8")
        model = self.write("model tabled\nparameter m = 2 kg\nspecified F(t) = table(\"force.csv\", column 2, unit N)\n"
                           "coordinate x = 0 m\nparticle Q at No + x*N.x, mass m\nforce P on Q = F*N.x\n")
        for rates in self.everywhere(model):
            for t in (0.0, 0.3, 1.25, 1.9, 3.0):
                self.assert_near(rates(t, [0, 0.2]), [0.2, (t**3 - 2 * t**2 + 3) / 2])
        for library in self.libraries(model):
            self.assertEqual(library.call("rates", 3.1, [0, 0], 2)[0], -3)
            self.assertEqual(library.call("rates", -0.1, [0, 0], 2)[0], -3)
        said = "the table of F goes from t = 0 s to 3 s and has no value at t = 3.1 s"
        module = self.module(model)
        for times, states in ((3.1, [0, 0.2]), (numpy.array([1, 3.1, 2]), numpy.zeros((2, 3)))):
            with self.assertRaisesRegex(ValueError, said):
                module.rates(times, states)
        for language in SUFFIX:
            self.assertIn("F  from t = 0 s to 3 s; no value, an error", self.export(model, language).read_text(encoding="utf-8"))
        if OCTAVE is not None:
            with self.assertRaisesRegex(AssertionError, said):
                self.octave(model).rates(3.1, [0, 0.2])

    def test_a_table_goes_on_as_the_model_says(self):
        w = 2 * math.pi
        rows = "".join(f"{t},{math.sin(w * t)}\n" for t in (i / 64 for i in range(65)))
        (self.folder / "force.csv").write_text(rows, encoding="utf-8")
        text = ("model tabled\nparameter m = 2 kg\ncoordinate x = 0 m\n"
                "specified F(t) = table(\"force.csv\", unit N, {0}), G(t) = table(\"force.csv\", unit m, {0})\n"
                "particle Q at No + x*N.x + G*N.y, mass m\nforce P on Q = (F + dot(velocity(Q), N.y)*1 N*s/m)*N.x\n")
        bound = (5 / 384 / 64**4 + 1 / 24 / 64**3) * w**4 / 2  # of the spline and of its slope, over the mass
        for rates in self.everywhere(self.write(text.format("periodic"))):
            for t in (-3.7, 0.0, 0.4, 1.0, 1.3, 17.9):
                self.assertAlmostEqual(rates(t, [0, 0])[1], (math.sin(w * t) + w * math.cos(w * t)) / 2, delta=bound)
        for rates in self.everywhere(self.write(text.format("hold"))):
            for t in (-3.7, 1.3, 17.9):
                self.assertAlmostEqual(rates(t, [0, 0])[1], 0, delta=1e-12)

    def test_a_function_without_a_definition_is_an_input(self):
        model = self.write("model driven\nparameter m, k\nspecified h(t)\ncoordinate x = 1 m\n"
                           "particle Q at No + (x + h)*N.x, mass m\nspring S on x, stiffness k, rest 0 m\n")
        for library in self.libraries(model):
            self.assertTrue(all(map(math.isnan, library.parameters + library.start)))
            names = library.strings("input_names", library.sizes["input_count"])
            inputs = [{"h": 0.3, "h'": 0.7, "h''": 1.9}[name] for name in names]
            self.assertIn("h''", names)
            # m (x'' + h'') = -k x
            self.assert_near(library.rates(0, [0.4, 0.2], inputs=inputs, parameters=[2, 5]), [0.2, -1.9 - 5 * 0.4 / 2])


class Constraints(Export):
    PENDULUM = """
model pin
parameter  m = 2 kg, L = 1 m, g = 9.8 m/s^2
coordinate x = 0.6 m, y = -0.8 m
start      x' = 0.8 m/s, y' = 0.6 m/s
particle   Q at No + x*N.x + y*N.y, mass m
gravity    -g*N.y
constraint bar: dot(Q - No, Q - No) = L^2
"""

    def test_a_pendulum_in_cartesian_coordinates(self):
        for library in self.libraries(self.write(self.PENDULUM)):
            m, L, g = library.parameters
            for angle in (0.3, 1.2, math.pi / 2, 2.8, math.pi):  # through configurations where a fixed pivot would vanish
                w = 1.5
                state = [L * math.sin(angle), -L * math.cos(angle), L * w * math.cos(angle), L * w * math.sin(angle)]
                alpha = -g / L * math.sin(angle)
                self.assert_near(library.rates(0, state)[2:],
                                 [L * (alpha * math.cos(angle) - w * w * math.sin(angle)),
                                  L * (alpha * math.sin(angle) + w * w * math.cos(angle))])
                status, rates, multipliers = library.call("accelerations", 0, state, 2, 1, 1)[:3]
                self.assertEqual(status, 0)
                # +lambda times the gradient of Q·Q, 2 Q, is the force of the bar: -(m g cos + m L w^2) Q/L
                self.assert_near(multipliers, [-(m * g * math.cos(angle) + m * L * w * w) / (2 * L)])
                self.assert_near(rates, library.rates(0, state)[2:])

    def test_redundant_constraints_are_told_and_do_no_harm(self):
        twice = self.PENDULUM.replace("model pin", "model twice") + "constraint again: 3*dot(Q - No, Q - No) = 3*L^2\n"
        one, two = self.libraries(self.write(self.PENDULUM))[0], self.libraries(self.write(twice, "twice.viva"))[0]
        state = [0.6, -0.8, 0.8, 0.6]
        status, rates = two.call("rates", 0, state, 4)
        self.assertEqual(status, 1)
        self.assert_near(rates, one.rates(0, state))

    def test_contradictions_and_open_directions_have_their_status(self):
        clash = self.PENDULUM.replace("model pin", "model clash") + "constraint rail: y + 0.8 m = 0\nconstraint wall: x - 0.6 m = 0\n"
        clash = clash.replace("start      x' = 0.8 m/s, y' = 0.6 m/s\n", "")
        library = self.libraries(self.write(clash))[0]
        self.assertEqual(library.call("rates", 0, [0.6, -0.8, 0.8, 0.6], 4)[0], -2)
        library = self.libraries(self.write(self.PENDULUM, "p.viva"))[0]
        self.assertEqual(library.call("rates", 0, [math.nan, 0, 0, 0], 4)[0], -3)
        self.assertEqual(library.call("rates", 0, [0.6, -0.8, 0, 0], 4, parameters=[0, 1, 9.8])[0], -1)
        library = self.libraries("hoist")[0]
        self.assertEqual(library.call("rates", 0, [0.1, 0.2], 2, parameters=[1, 0, 1, 9.8])[0], -1)

    def test_python_and_c_agree_on_them(self):
        twice = self.write(self.PENDULUM + "constraint again: 3*dot(Q - No, Q - No) = 3*L^2\n")
        module, library = self.module(twice), self.libraries(twice)[0]
        state = [0.6, -0.8, 0.8, 0.6]
        self.assert_near(module.rates(0, state), library.rates(0, state))
        self.assertTrue(numpy.isnan(module.rates(0, state, parameters=[0, 1, 9.8])[2:]).all())
        hoist = self.module("hoist")
        masses = numpy.array([[1, 1], [0, 2], [1, 1], [9.8, 9.8]])  # the first hoist has a body without mass
        found = hoist.rates(0, [0.3, 0.5], parameters=masses)
        self.assertTrue(numpy.isnan(found[1, 0]))
        self.assert_near(found[:, 1], [0.5, -9.8 * math.sin(0.3) * 12 / 13])
        self.assertTrue(numpy.isnan(hoist.rates(0, [0.3, 0.5], parameters=masses[:, 0])[1]))

    def test_matlab_and_c_agree_on_them(self):
        twice = self.write(self.PENDULUM + "constraint again: 3*dot(Q - No, Q - No) = 3*L^2\n")
        octave, library = self.octave(twice), self.libraries(twice)[0]
        state = [0.6, -0.8, 0.8, 0.6]
        self.assert_near(octave.rates(0, state), library.rates(0, state))
        self.assertTrue(all(map(math.isnan, octave.rates(0, state, parameters=[0, 1, 9.8])[2:])))
        position, velocity, A, b = (octave.ask(f"nthargout({i}, m.constraints, {octave.arguments(0, state)})'") for i in (1, 2, 3, 4))
        found = library.call("constraints", 0, state, 2, 2, 4, 2)
        self.assert_near(position + velocity + b, found[1] + found[2] + found[4])
        self.assert_near(sorted(A), sorted(found[3]))
        hoist = self.octave("hoist")
        self.assertTrue(math.isnan(hoist.rates(0, [0.3, 0.5], parameters=[1, 0, 1, 9.8])[1]))
        self.assertTrue(math.isnan(hoist.rates(0, [math.nan, 0.5])[1]))

    def test_an_unknown_force_is_solved_for(self):
        model = self.write("model held\nparameter m = 2 kg, g = 9.8 m/s^2, L = 1 m\nunknown T\ncoordinate q = 30 deg, q' = 0.7 rad/s\n"
                           "frame B = rotate(N, z, q)\nauxiliary ua along B.y at Q\nparticle Q at No - L*B.y, mass m\n"
                           "gravity -g*N.y\nforce F on Q from No = T*unit(No - Q)\n")
        for library in self.libraries(model):
            status, rates, _, tension = library.call("accelerations", 0, [0.4, 0.7], 1, 0, 1)
            self.assertEqual(status, 0)
            self.assert_near(rates + tension, [-9.8 * math.sin(0.4), 2 * (9.8 * math.cos(0.4) + 0.7**2)])
            self.assert_near(library.rates(0, [0.4, 0.7]), [0.7, -9.8 * math.sin(0.4)])
        if numpy is not None:
            rates, _, tension = self.module(model).accelerations(0, [0.4, 0.7])
            self.assert_near([*rates, *tension], [-9.8 * math.sin(0.4), 2 * (9.8 * math.cos(0.4) + 0.7**2)])
        if OCTAVE is not None:
            octave = self.octave(model)
            given = octave.arguments(0, [0.4, 0.7])
            found = octave.ask(f"nthargout(1, m.accelerations, {given}), nthargout(3, m.accelerations, {given})")
            self.assert_near(found, [-9.8 * math.sin(0.4), 2 * (9.8 * math.cos(0.4) + 0.7**2)])


class Everything(Export):
    """All examples and cases, in all languages."""

    MODELS = [(path.stem, ()) for path in sorted(EXAMPLES.glob("*.viva"))] + [
        ("positioning_device", ("--case", case)) for case in ("constant_damped", "ramp_rigid_damped", "constant_rigid_undamped")]

    def accelerations(self, found, states):
        return [found["accelerations"][name] for name in states]

    def test_they_agree_with_evaluate_at_the_start(self):
        for model, arguments in self.MODELS:
            with self.subTest(model=model, arguments=arguments):
                found = self.evaluate(model, *arguments)
                for library in self.libraries(model, *arguments):
                    rates = library.rates(0.0, library.start)
                    n = library.sizes["configuration_count"]
                    for name, value in zip(library.states, library.start):
                        if name in found["state"]:
                            self.assert_near([value], [found["state"][name]])
                    self.assert_near(rates[n:], self.accelerations(found, library.states[n:]), 1e-8)
                    self.assertTrue(library.has_energies)
                    e = library.energies(0.0, library.start)
                    for name in ("K0", "K1", "K2", "U", "sigma_R", "P_nonconservative"):
                        self.assert_near([e[name]], [found["energies"][name]])
                    self.assert_near([e["Z_rate"]], [e["sigma_R"] - e["P_nonconservative"]])

    def test_every_method_gives_the_same_rates(self):
        for model in ("double_pendulum", "cart_and_pendulum", "rotating_rod", "positioning_device"):
            reference = self.libraries(model)[0]
            state = [x + 0.1 * (i + 1) for i, x in enumerate(reference.start)]
            if model == "positioning_device":  # speeds must satisfy the constraints at t = 1
                state = [0.2, 0.3, -0.5 * 1.2 / 0.1, 0.4, -0.3 / 0.1]
            for method in ("lagrange", "hamilton", "newton-euler"):
                library = self.libraries(model, "--method", method)[0]
                self.assertEqual(library.states, reference.states)
                self.assert_near(library.rates(1.0, state), reference.rates(1.0, state), 1e-8)

    def test_python_agrees_with_c_and_takes_many_states(self):
        for model, arguments in self.MODELS:
            with self.subTest(model=model, arguments=arguments):
                module, library = self.module(model, *arguments), self.libraries(model, *arguments)[0]
                rng = numpy.random.default_rng(6)
                start = numpy.array(library.start)
                self.assert_near(module.rates(0.0, start), library.rates(0.0, library.start), 1e-8)
                self.assertEqual(list(module.STATE_NAMES), library.states)
                free = library.sizes.get("row_count", 0) == 0
                many = start[:, None] + (rng.uniform(-0.3, 0.3, (len(start), 5)) if free else numpy.zeros((1, 5)))
                together = module.rates(0.4, many)
                self.assertEqual(together.shape, many.shape)
                for k in range(5):
                    self.assert_near(together[:, k], library.rates(0.4, list(many[:, k])), 1e-8)
                    self.assert_near([v[k] for v in numpy.broadcast_arrays(*module.energies(0.4, many).values())],
                                     list(library.energies(0.4, list(many[:, k])).values()), 1e-8)
                n = library.sizes["speed_count"]
                self.assert_near(module.mass_matrix(0.4, many[:, 0]).ravel(),
                                 library.call("mass_matrix", 0.4, list(many[:, 0]), n * n)[1])
                self.assert_near(module.forcing(0.4, many[:, 0]), library.call("forcing", 0.4, list(many[:, 0]), n)[1])

    def test_matlab_agrees_with_c(self):
        for model, arguments in self.MODELS:
            with self.subTest(model=model, arguments=arguments):
                octave, library = self.octave(model, *arguments), self.libraries(model, *arguments)[0]
                t, state, n = 0.4, library.start, library.sizes["speed_count"]
                self.assert_near(octave.ask("m.start_state"), state)
                self.assert_near(octave.rates(t, state), library.rates(t, state), 1e-8)
                self.assert_near(octave.energies(t, state).values(), library.energies(t, state).values(), 1e-8)
                given = octave.arguments(t, state)
                self.assert_near(octave.ask(f"m.mass_matrix({given})'"), library.call("mass_matrix", t, state, n * n)[1])
                self.assert_near(octave.ask(f"m.forcing({given})"), library.call("forcing", t, state, n)[1])


class Certificate(Export):
    """E_Z = K2 + U + Z is constant along any motion: rates, energies and Z' must belong together for that."""

    def drift(self, model, *arguments, until=1.0, steps=400):
        library = self.libraries(model, *arguments)[0]

        def slope(t, state):
            x = state[:-1]
            return library.rates(t, x) + [library.energies(t, x)["Z_rate"]]

        state, h = library.start + [0.0], until / steps
        integral = []
        for i in range(steps + 1):
            e = library.energies(i * h, state[:-1])
            integral.append(e["K2"] + e["U"] + state[-1])
            k1 = slope(i * h, state)
            k2 = slope((i + 0.5) * h, [x + h / 2 * k for x, k in zip(state, k1)])
            k3 = slope((i + 0.5) * h, [x + h / 2 * k for x, k in zip(state, k2)])
            k4 = slope((i + 1) * h, [x + h * k for x, k in zip(state, k3)])
            state = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
        self.assertGreater(max(abs(a - b) for a, b in zip(state[:-1], library.start)), 1e-3)  # it moved
        return max(abs(x - integral[0]) for x in integral)

    # The bounds are errors of Runge and Kutta's fourth-order steps.
    def test_driven_damped_rolling_spinning(self):
        for model, arguments, bound in (("hoist", (), 1e-7), ("cart_and_pendulum", (), 1e-7), ("rotating_rod", (), 1e-7),
                                        ("double_pendulum", (), 1e-5),
                                        ("positioning_device", ("--set", "b=0.01"), 1e-5),
                                        ("two_bodies_ball_joint", (), 1e-5)):
            with self.subTest(model=model):
                self.assertLess(self.drift(model, *arguments), bound)


class Injection(Export):
    """Whatever a model is called or says, it stays a name or a text."""

    NASTY = ['*/ int injected = 1; /*', 'ends in a backslash \\\\', '??/', '*??/', "''') import os #", "coding: utf-7",
             "%} injected = 1;", "... continued", "{braces} {0} NAME_rates %s %n", "🙂 ünïcode ☃", "// comment",
             "#define M_PI 3", "a\\u002a/b"]
    WORDS = ["int", "double", "sin", "t", "state", "lambda", "NAN", "M_PI", "v1", "v2", "out", "np", "end", "function", "inputs",
             "linux", "_x", "__y", "NAME_x", "theta", "θ", "Ωß", "x2", "HUGE_VAL", "parameters", "work", "shape", "local_x", "None",
             "struct", "fabs", "nasty_step", "Infinity", "I", "e", "exp_", "exp__2", "M", "f", "A", "b", "energies", "rates", "i", "n"]

    def model(self):
        text = 'model nasty "' + self.NASTY[0] + '"\n'
        names = [w for w in self.WORDS if w not in ("t",)]
        accepted = []
        for i, word in enumerate(names):
            line = f'parameter {word} = {i + 1} kg "{self.NASTY[i % len(self.NASTY)]}"\n'
            probe = self.write("model probe\n" + line, "probe.viva")
            if visviva("check", probe).returncode == 0:
                accepted.append(word)
                text += line
        self.assertGreater(len(accepted), 25)
        total = " + ".join(accepted)
        text += 'coordinate x = 1 m "*/"\nspecified y(t) = 1 m*sin(1 rad/s*t) "??/"\ninput F = 2 N "\'"\n'
        text += f"particle Q at No + x*N.x + y*N.y, mass {total}\nforce push on Q = F*step(x/(1 m))*N.x\n"
        return self.write(text), sum(names.index(word) + 1 for word in accepted)

    def test_all_languages(self):
        model, mass = self.model()
        for library in self.libraries(model):
            self.assert_near(library.rates(0.3, [1.0, 0.5]), [0.5, 2 / mass])
            self.assertFalse(hasattr(library.code, "injected"))
        matlab = self.export(model, "matlab").read_text(encoding="utf-8")
        for line in matlab.splitlines():
            if "injected" in line:
                self.assertTrue(line.startswith("%"), line)
        if OCTAVE is not None:
            self.assert_near(self.octave(model).rates(0.3, [1.0, 0.5]), [0.5, 2 / mass])
        module = self.module(model)
        self.assertFalse(hasattr(module, "injected") or hasattr(module, "os"))
        self.assert_near(module.rates(0.3, [1.0, 0.5]), [0.5, 2 / mass])

    def test_the_c_file_is_also_good_with_trigraphs_and_as_c_plus_plus(self):
        model, _ = self.model()
        source = self.export(model, "c")
        for command in (["gcc", "-std=c99", "-trigraphs", "-Wcomment", "-Wtrigraphs"], ["gcc", "-std=gnu11"], ["g++", "-x", "c++"]):
            if shutil.which(command[0]) is None:
                continue
            done = subprocess.run([*command, "-Werror", "-c", source, "-o", "/dev/null"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_names_of_models(self):
        for name in ("int", "rates", "größe", "_low", "x__y", "numpy", "chol", "diag", "size", "isfinite", "endif", "True"):
            model = self.write(f"model {name}\ncoordinate q = 1 m\nparticle Q at No + q*N.x, mass 2 kg\n")
            if visviva("check", model).returncode != 0:
                continue
            for library in self.libraries(model):
                self.assert_near(library.rates(0, [1, 2]), [2, 0])
            if OCTAVE is not None:
                self.assert_near(self.octave(model).rates(0, [1, 2]), [2, 0])
            if numpy is not None:
                visviva("export", model, "--as", "python", cwd=self.folder)
                file = next(self.folder.glob("[!o]*.py"))
                script = f"import {file.stem} as m; print(*m.rates(0, [1, 2]))"
                done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=False, cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout), (0, "2.0 0.0\n"), done.stderr)
                file.unlink()


class Golden(Export):
    """The text itself. VISVIVA_REGENERATE=1 writes it anew, to be looked at before it is committed."""

    def test_small_models_are_readable(self):
        for model in ("hoist", "double_pendulum"):
            for language, suffix in SUFFIX.items():
                found = visviva("export", EXAMPLES / f"{model}.viva", "--as", language, "--out", "-").stdout
                file = GOLDEN / f"{model}.{suffix}"
                if os.environ.get("VISVIVA_REGENERATE"):
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(found, encoding="utf-8")
                self.assertEqual(found, file.read_text(encoding="utf-8"), file)

    def test_the_header_tells_the_cost(self):
        text = visviva("export", EXAMPLES / "hoist.viva", "--as", "c", "--out", "-").stdout
        self.assertRegex(text, r"(\d+) operations, 1 of them functions; \d+ temporaries")
        self.assertIn("const double mB = parameters[1];", text)

    def test_the_header_names_parameters_that_follow_from_others(self):
        for language in SUFFIX:
            text = visviva("export", EXAMPLES / "hoist.viva", "--as", language, "--out", "-").stdout
            self.assertRegex(text, r"Parameters that follow from these:\n.*  I = \S")
            own = visviva("export", EXAMPLES / "hoist.viva", "--as", language, "--out", "-", "--set", "I=1 kg*m^2").stdout
            self.assertNotIn("follow from these", own)


class CommandLine(Export):
    def test_the_file_is_named_after_the_model(self):
        for language, suffix in SUFFIX.items():
            result = visviva("export", EXAMPLES / "hoist.viva", "--as", language, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"wrote hoist.{suffix}\n", ""))
            self.assertTrue((self.folder / f"hoist.{suffix}").is_file())

    def test_json_tells_what_is_where(self):
        file = self.folder / "a.c"
        result = visviva("export", EXAMPLES / "hoist.viva", "--as", "c", "--out", file, "--json")
        found = json.loads(result.stdout)
        self.assertEqual((found["file"], found["states"], found["inputs"], found["parameters"]),
                         (str(file), ["theta", "theta'"], [], ["mQ", "mB", "L", "g"]))

    def test_wrong_commands(self):
        hoist = EXAMPLES / "hoist.viva"
        missing = self.folder / "none" / "a.c"
        for arguments, words in ((["--as", "c", "--out", missing], "there is no folder"),
                                 (["--as", "c", "--out", self.folder], "is a folder"),
                                 (["--as", "fortran"], "none of c, python, matlab"),
                                 (["--as", "pythn"], "did you mean"),
                                 ([], "--as"), (["--as", "c", "--method", "euler"], "none of kane")):
            result = visviva("export", hoist, *arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(words, result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_model_is_never_overwritten(self):
        model = self.write("model small\ncoordinate q = 1 m\nparticle Q at No + q*N.x, mass 2 kg\n")
        before = model.read_text(encoding="utf-8")
        result = visviva("export", model, "--as", "c", "--out", model)
        self.assertEqual((result.returncode, model.read_text(encoding="utf-8")), (2, before))

    def test_wrong_models(self):
        result = visviva("export", self.write("model wrong\nframe B = rotate(N, z, p)\n"), "--as", "c", cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        unknown = self.write("model pushed\nparameter m = 1 kg\nunknown T\ncoordinate x\nparticle Q at No + x*N.x, mass m\n"
                             "force F on Q = T*N.x\n")
        result = visviva("export", unknown, "--as", "c", "--json", cwd=self.folder)
        self.assertEqual([e["code"] for e in json.loads(result.stdout)["errors"]], ["E-unknown-remains"])
        self.assertEqual(list(self.folder.glob("*.c")), [])

    def test_settings_go_into_the_file(self):
        library = self.libraries("hoist", "--set", "theta=0.25", "--set", "L=2 m", "--set", "I=1 kg*m^2")[0]
        self.assert_near(library.start, [0.25, 0])
        # I is a number of its own now
        self.assertEqual(library.strings("parameter_names", 5), ["mQ", "mB", "L", "g", "I"])
        self.assert_near(library.rates(0, library.start), [0, -2 * 9.8 * 2 * math.sin(0.25) / (2 * 4 + 1)])

    def test_everything_driven_is_a_legal_model(self):
        model = self.write("model driven\nspecified x(t) = 1 m*sin(1 rad/s*t)\nparticle Q at No + x*N.x, mass 2 kg\n")
        for library in self.libraries(model):
            self.assertEqual(library.rates(0.5, []), [])
            self.assert_near([library.energies(0.5, [])["K0"]], [math.cos(0.5)**2])


class Guide(Export):
    """What docs/guide/export.md shows is what the program writes, and its programs run."""

    def test_every_block_is_real(self):
        guide = (ROOT / "docs/guide/export.md").read_text(encoding="utf-8")
        written = "".join(self.export("hoist", language).read_text(encoding="utf-8") for language in SUFFIX)
        fenced = re.findall(r"^```(\w*)\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
        blocks = [text for language, text in fenced if not language]
        self.assertGreater(len(blocks), 1)
        for piece in (piece for block in blocks for piece in block.split("...\n")):
            self.assertIn(piece, written)

    def test_its_programs_run(self):
        guide = (ROOT / "docs/guide/export.md").read_text(encoding="utf-8")
        self.export("hoist", "c").rename(self.folder / "hoist.c")
        self.export("hoist", "python").rename(self.folder / "hoist.py")
        (self.folder / "swing.c").write_text(re.search(r"```c\n(.*?)```", guide, re.DOTALL)[1], encoding="utf-8")
        for compiler in COMPILERS:
            subprocess.run([compiler, *STRICT, "swing.c", "-o", "swing", "-lm"], check=True, cwd=self.folder)
            shown = subprocess.run(["./swing"], capture_output=True, text=True, check=True, cwd=self.folder).stdout
            theta, change = map(float, re.fullmatch(r"theta = (\S+) rad, E_Z changed by (\S+) J\n", shown).groups())
            self.assertLess(abs(theta), math.radians(30) + 1e-6)
            self.assertLess(abs(change), 1e-6)
        if numpy is not None:
            script = re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1]
            done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (0, "(2, 1000)\n"), done.stderr)
        if OCTAVE is not None and COMPILERS:
            self.export("hoist", "matlab").rename(self.folder / "hoist.m")
            script = re.search(r"```matlab\n(.*?)```", guide, re.DOTALL)[1]
            done = subprocess.run([OCTAVE, "--no-init-file", "--quiet", "--eval", script], capture_output=True, text=True,
                                  check=True, cwd=self.folder)
            self.assertAlmostEqual(float(re.fullmatch(r"theta = (\S+) rad\n", done.stdout)[1]), theta, delta=1e-4)


class LongPrograms(Export):
    """They are cut into functions of bounded size, in every language."""

    LINKS = 30  # with two angles each

    def chain(self):
        text = "model chain\nparameter m = 1 kg, L = 0.3 m, g = 9.8 m/s^2\n"
        point = "No"
        for i in range(1, self.LINKS + 1):
            text += f"coordinate a{i} = {0.1 * i} rad, b{i} = {0.2 + 0.05 * i} rad\nframe A{i} = rotate(N, x, a{i})\nframe B{i} = rotate(A{i}, z, b{i})\n"
            text += f"particle P{i} at {point} - L*B{i}.y, mass m\n"
            point = f"P{i}"
        return self.write(text + "gravity -g*N.y\n")

    def expected(self, model, states):
        found = self.evaluate(model)
        return [found["accelerations"][name] for name in states[2 * self.LINKS:]]

    def test_c(self):
        model = self.chain()
        self.assertIn("chain_equations_2(", self.export(model, "c").read_text(encoding="utf-8"))
        for library in self.libraries(model):
            self.assert_near(library.rates(0, library.start)[2 * self.LINKS:], self.expected(model, library.states), 1e-7)

    def test_python(self):
        model = self.chain()
        text = self.export(model, "python").read_text(encoding="utf-8")
        self.assertIn("def _equations_2(", text)
        for function in re.split(r"^def ", text, flags=re.MULTILINE)[1:]:
            self.assertLess(len(re.findall(r" [-+] |[*/]|np\.", function)), 6000, function.splitlines()[0])
        module = self.module(model)
        expected = self.expected(model, module.STATE_NAMES)
        self.assert_near(module.rates(0, module.START_STATE)[2 * self.LINKS:], expected, 1e-7)
        many = numpy.repeat(module.START_STATE[:, None], 3, axis=1)
        for k in range(3):
            self.assert_near(module.rates(0, many)[2 * self.LINKS:, k], expected, 1e-7)

    def test_matlab(self):
        model = self.chain()
        self.assertIn(" = local_equations_2(", self.export(model, "matlab").read_text(encoding="utf-8"))
        octave, states = self.octave(model), self.libraries(model)[0].states
        self.assert_near(octave.ask("m.rates(0, m.start_state, m.default_inputs, m.default_parameters)")[2 * self.LINKS:],
                         self.expected(model, states), 1e-7)


if __name__ == "__main__":
    for tool, package, is_here in (("gcc", "gcc", "gcc" in COMPILERS), ("clang", "clang", "clang" in COMPILERS),
                                   ("NumPy", "python3-numpy", numpy), ("SymPy", "python3-sympy", sympy), ("Octave", "octave", OCTAVE)):
        if not is_here:
            print(f"skipped: what needs {tool}, which is not here (Debian: {package})", file=sys.stderr)
    sys.exit(unittest.main())
