"""Tests of what exported files give besides the equations: outputs, events, integrals over time, jacobians of points, inverse dynamics and
samples, in C, Python and MATLAB, against closed forms and the program's own numbers."""

import ctypes
import json
import math
import random
import unittest

from export_test import OCTAVE, Export, numpy
from program import visviva

PENDULUM = """
model driven "A pendulum on a cart that a motor moves"
parameter  m = 2 kg, l = 0.8 m, g = 9.81 m/s^2, w = 3 rad/s, c = 0.3 N*m*s
specified  x(t) = 0.2 m*sin(w*t)
input      tau = 0.4 N*m
coordinate q = 0.5 rad, q' = 0.3 rad/s
frame      A = rotate(N, z, q)
point      C = No + x*N.x
particle   P at C - l*A.y, mass m
gravity    -g*N.y
torque     push on A = (tau - c*q')*N.z
output     motor(x), power(x), reaction(C), work(push), E_Z, height = dot(P - No, N.y), jacobian(P)
event      low when height = -0.75 m, stop
event      fast when motor(x) = 1 N
"""

LOOP = """
model loop "A slider-crank"
parameter  r = 0.1 m, L = 0.35 m, m = 0.8 kg, J = 0.02 kg*m^2, k = 50 N/m
coordinate th = 0.7 rad, th' = 4 rad/s, be = about 0.2 rad, x = about 0.4 m
frame      A = rotate(N, z, th)
frame      B = rotate(N, z, -be)
body       A at No, mass 1 kg, inertia J, J, J
particle   S at No + x*N.x, mass m
constraint rod: No + r*A.x + L*B.x - S = 0
force      spring on S = -k*(x - 0.4 m)*N.x
output     multiplier(rod), vel = x', K
event      middle when x = 0.4 m
"""

SAMPLED = """
model sampled "A sampled arm with a table in its law"
parameter  J = 0.05 kg*m^2, T = 20 ms, kp = 3 N*m, kd = 0.5 N*m*s
input      tau = 0 N*m
state      e held = 0 rad*s
state      f = 0 rad, f' = (theta - f)/(50 ms)
coordinate theta = 0.2 rad
frame      A = rotate(N, z, theta)
body       A at No, mass 1 kg, inertia J, J, J
torque     drive on A = tau*N.z
sample     every T: tau = -kp*f - kd*theta' - 4 N*m/s*e, e = e + theta*T
sample     every 2*T: seen = theta
state      seen held
output     tau, e, seen
study      until 0.2 s, every 0.02 s, tolerance 1e-11
"""


class Results(Export):
    def call_c(self, library, function, arrays, counts):
        """The status, and one list for each array of results; `None` is a null pointer."""
        def array(values):
            return None if values is None else (ctypes.c_double * max(len(values), 1))(*values)
        results = [array([0.0] * n) for n in counts]
        first = [ctypes.c_double(arrays[0]), *(array(a) for a in arrays[1:])]
        status = getattr(library.code, f"{library.name}_{function}")(*first, *results)
        return (status, *(list(r)[:n] for r, n in zip(results, counts)))

    def count(self, library, name):
        text = library.source_text
        return int(text.split(f"{library.name}_{name}_count = ")[1].split(" ")[0])

    def c_names(self, library, name):
        return library.strings(f"{name}_names", self.count(library, name))

    def c_files(self, text):
        model = self.write(text)
        found = []
        for library in self.libraries(model):
            source = next(f for f in sorted(self.folder.glob("out_*.c")))
            library.source_text = source.read_text(encoding="utf-8")
            found.append(library)
        return model, found

    def outputs_everywhere(self, text, t, state, integrals, inputs=None):
        """Outputs by name, from each language."""
        model, files = self.c_files(text)
        all_found = []
        for library in files:
            names = self.c_names(library, "output")
            status, values = self.call_c(library, "outputs", (t, state, inputs or library.inputs, library.parameters, integrals), [len(names)])
            self.assertGreaterEqual(status, 0)
            all_found.append(dict(zip(names, values)))
        if numpy is not None:
            module = self.module(model)
            given = module.DEFAULT_INPUTS if inputs is None else inputs
            all_found.append({n: float(v) for n, v in module.outputs(t, state, given, module.DEFAULT_PARAMETERS, integrals).items()})
        if OCTAVE is not None:
            octave = self.octave(model)
            column = "[]" if integrals is None else "[" + "; ".join(map(repr, integrals)) + "]"
            values = octave.ask(f"m.outputs({octave.arguments(t, state, inputs=inputs)}, {column})")
            all_found.append(dict(zip(all_found[0], values)))
        return all_found

    def test_outputs_are_closed_forms_and_the_program_s(self):
        random.seed(3)
        for _ in range(3):
            t, q, u, Z, work = (random.uniform(-1, 1) for _ in range(5))
            m, l, g, w, c, tau = 2, 0.8, 9.81, 3, 0.3, 0.4
            x2 = -0.2 * w * w * math.sin(w * t)
            q2 = (tau - c * u - m * l * x2 * math.cos(q) - m * g * l * math.sin(q)) / (m * l * l)
            ax, ay = x2 + l * (math.cos(q) * q2 - math.sin(q) * u * u), l * (math.sin(q) * q2 + math.cos(q) * u * u)
            for found in self.outputs_everywhere(PENDULUM, t, [q, u], [Z, work]):
                self.assertAlmostEqual(found["motor(x)"], m * ax, delta=1e-10)
                self.assertAlmostEqual(found["power(x)"], m * ax * 0.2 * w * math.cos(w * t), delta=1e-10)
                self.assertAlmostEqual(found["reaction(C).y"], m * (ay + g), delta=1e-10)
                self.assertAlmostEqual(found["work(push)"], work, delta=1e-12)
                self.assertAlmostEqual(found["height"], -l * math.cos(q), delta=1e-12)
                self.assertAlmostEqual(found["jacobian(P).q'.x"], l * math.cos(q), delta=1e-12)
                self.assertAlmostEqual(found["jacobian(P).q'.y"], l * math.sin(q), delta=1e-12)
        # At the start the program says the same, E_Z included.
        own = self.evaluate(self.write(PENDULUM))["outputs"]
        flat = {f"{name}{axis}": value for name, values in own.items()
                for axis, value in zip(("", ) if not isinstance(values, list) else (".x", ".y", ".z"), values if isinstance(values, list) else [values])}
        for found in self.outputs_everywhere(PENDULUM, 0.0, [0.5, 0.3], None):
            self.assertEqual(set(found), set(flat))
            self.assert_near([found[n] for n in flat], list(flat.values()))

    def test_events_and_integrals(self):
        model, files = self.c_files(PENDULUM)
        state, integrals = [0.31, -0.2], [0.1, 0.2]
        expected = None
        for library in files:
            self.assertEqual(self.c_names(library, "event"), ["low", "fast"])
            self.assertEqual(list((ctypes.c_int * 2).in_dll(library.code, f"{library.name}_event_stops")), [1, 0])
            arguments = (0.2, state, library.inputs, library.parameters, integrals)
            status, events = self.call_c(library, "events", arguments, [2])
            self.assertEqual(status, 0)
            self.assertAlmostEqual(events[0], -0.8 * math.cos(0.31) + 0.75, delta=1e-12)
            names = self.c_names(library, "integral")
            self.assertEqual(set(names), {"Z", "work(push)"})
            status, rates = self.call_c(library, "integral_rates", arguments, [2])
            self.assertAlmostEqual(rates[names.index("work(push)")], (0.4 + 0.3 * 0.2) * -0.2, delta=1e-12)
            expected = events, rates
        if numpy is not None:
            module = self.module(model)
            arguments = (0.2, state, module.DEFAULT_INPUTS, module.DEFAULT_PARAMETERS, integrals)
            self.assertEqual(module.EVENT_STOPS, [True, False])
            self.assert_near(module.events(*arguments), expected[0])
            self.assert_near(module.integral_rates(*arguments), expected[1])
            many = module.events(0.2, numpy.array([[0.31, 0.4], [-0.2, 0.1]]), module.DEFAULT_INPUTS, module.DEFAULT_PARAMETERS, numpy.array(integrals))
            self.assertEqual(many.shape, (2, 2))
            self.assert_near(many[:, 0], expected[0])
        if OCTAVE is not None:
            octave = self.octave(model)
            self.assert_near(octave.ask(f"m.events({octave.arguments(0.2, state)}, {integrals})"), expected[0])
            self.assert_near(octave.ask(f"m.integral_rates({octave.arguments(0.2, state)}, {integrals})"), expected[1])
            self.assertEqual(octave.ask("m.event_stops"), [1, 0])

    def test_jacobians_and_inverse_dynamics_of_a_loop_are_the_program_s(self):
        model, files = self.c_files(LOOP)
        found = self.evaluate(model, "--inverse", "th''=2.5")
        start = found["state"]
        force, speed = found["generalized_forces"]["th'"], [2.5]
        # By virtual work at the start: J th'' + m x'' dx/dth - F dx/dth.
        th, w, dw = start["th"], start["th'"], 2.5
        s, c = math.sin(th), math.cos(th)
        along = math.sqrt(0.35**2 - (0.1 * s)**2)
        x1 = -0.1 * s - 0.01 * s * c / along
        x2 = -0.1 * c - 0.01 * (c * c - s * s) / along - (0.01 * s * c)**2 / along**3
        closed = 0.02 * dw + 0.8 * (x1 * dw + x2 * w * w) * x1 + 50 * (start["x"] - 0.4) * x1
        self.assertAlmostEqual(force, closed, delta=1e-9)
        for library in files:
            n, points = library.sizes["speed_count"], self.c_names(library, "point")
            arguments = (0.0, library.start, library.inputs, library.parameters)
            status, inverse = self.call_c(library, "inverse", (*arguments, speed), [1])
            self.assertEqual(status, 0)
            self.assertAlmostEqual(inverse[0], force, delta=1e-9)
            status, J, remainder = self.call_c(library, "jacobians", arguments, [3 * n * len(points), 3 * len(points)])
            self.assertEqual(status, 0)
            for k, point in enumerate(points):
                for i in range(3):
                    self.assert_near(J[(3 * k + i) * n:(3 * k + i + 1) * n], found["jacobians"][point][i])
            self.assertEqual(set(points) | {"No"}, set(found["jacobians"]))
        if numpy is not None:
            module = self.module(model)
            self.assert_near(module.inverse(0.0, module.START_STATE, speed), [force])
            many = module.inverse(0.0, numpy.stack([module.START_STATE] * 3, axis=-1), speed)
            self.assert_near(many[0], [force] * 3)
            for point, (J, _) in module.jacobians(0.0, module.START_STATE).items():
                self.assertLess(numpy.max(numpy.abs(J - numpy.array(found["jacobians"][point]))), 1e-12)
        if OCTAVE is not None:
            octave = self.octave(model)
            start = octave.ask("m.start_state")
            self.assert_near(octave.ask(f"m.inverse({octave.arguments(0.0, start)}, 2.5)"), [force])
            flat = [x for point in points for column in zip(*found["jacobians"][point]) for x in column]
            self.assert_near(octave.ask(f"m.jacobians({octave.arguments(0.0, start)})"), flat)

    def test_multipliers_of_a_loop_are_outputs(self):
        own = self.evaluate(self.write(LOOP))
        state = [own["state"][n] for n in ("th", "be", "x", "th'", "be'", "x'")]
        for found in self.outputs_everywhere(LOOP, 0.0, state, None):
            self.assert_near([found[f"multiplier(rod).{a}"] for a in "xyz"], own["outputs"]["multiplier(rod)"])
            self.assertAlmostEqual(found["vel"], own["state"]["x'"], delta=1e-10)
            self.assertAlmostEqual(found["K"], own["outputs"]["K"], delta=1e-10)

    def integrate(self, rates, sample, periods, state, until):
        """Runge and Kutta's steps between samples; a row just before each sample."""
        T, rows = min(periods), []
        for k in range(round(until / T) + 1):
            if k > 0:
                rows.append(list(state))
            before = list(state)
            for i, period in enumerate(periods):
                if k % round(period / T) == 0:
                    after = sample(i, k * T, before)
                    state = [a if a != b else s for a, b, s in zip(after, before, state)]
            h = T / 40
            for n in range(40):
                t = k * T + n * h
                k1 = rates(t, state)
                k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(state, k1)])
                k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(state, k2)])
                k4 = rates(t + h, [a + h * b for a, b in zip(state, k3)])
                state = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(state, k1, k2, k3, k4)]
        return rows

    def test_a_sampled_model_runs_as_in_the_program(self):
        model, files = self.c_files(SAMPLED)
        run = visviva("simulate", model, "--json", "--out", "run", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        final = json.loads(run.stdout)["final"]
        ways = []
        for library in files:
            periods = self.periods_c(library)

            def sample_c(i, t, state, library=library):
                results = (ctypes.c_double * len(state))()
                array = lambda v: (ctypes.c_double * max(len(v), 1))(*v)  # noqa: E731
                status = getattr(library.code, f"{library.name}_sample")(
                    ctypes.c_int(i), ctypes.c_double(t), array(state), array(library.inputs), array(library.parameters), results)
                self.assertEqual(status, 0)
                return list(results)
            ways.append((library.states, library.start, library.rates, sample_c, periods))
        if numpy is not None:
            module = self.module(model)
            ways.append((module.STATE_NAMES, list(module.START_STATE), lambda t, s: list(module.rates(t, s)),
                         lambda i, t, s: list(module.sample(i, t, s)), list(module.sample_periods())))
        if OCTAVE is not None:
            octave = self.octave(model)
            ways.append((ways[0][0], octave.ask("m.start_state"), None,
                         lambda i, t, s: octave.ask(f"m.sample({i + 1}, {octave.arguments(t, s)})"), octave.ask("m.sample_periods(m.default_parameters)")))
        for names, start, rates, sample, periods in ways:
            self.assert_near(periods, [0.02, 0.04])
            state = [0.3 + 0.1 * k for k in range(len(start))]
            self.assert_near(sample(0, 0.0, state), ways[0][3](0, 0.0, state))
            if rates is None:
                continue
            last = dict(zip(names, self.integrate(rates, sample, periods, start, 0.2)[-1]))
            for name, value in last.items():
                self.assertAlmostEqual(value, final[name], delta=1e-7, msg=name)

    def periods_c(self, library):
        results = (ctypes.c_double * 2)()
        parameters = (ctypes.c_double * len(library.parameters))(*library.parameters)
        status = getattr(library.code, f"{library.name}_sample_periods")(parameters, results)
        self.assertEqual(status, 0)
        return list(results)

    def test_what_the_state_does_not_tell_is_left_out_and_said(self):
        model = self.write("""
model table "Two supports of one beam share its weight: nobody knows how"
parameter m = 1 kg, L = 1 m
coordinate y = 0 m, th = 0 rad
frame A = rotate(N, z, th)
body A at No + y*N.y, mass m, inertia m*L^2, m*L^2, m*L^2
gravity -9.81 m/s^2*N.y
constraint a: y = 0 m
constraint b: y = 0 m
output y, K
""")
        text = self.export(model, "c").read_text(encoding="utf-8")
        self.assertIn("table_outputs(", text)


if __name__ == "__main__":
    unittest.main()
