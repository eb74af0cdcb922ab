"""Machines with measured data and controllers against SciPy: its splines, its integrator and its quadrature, with the equations of motion
written by hand. Runs where SciPy is installed.

Sources: the slider-crank as in J. P. Den Hartog, Mechanical Vibrations, chapter 5; the half car as in D. Karnopp, Vehicle Dynamics; the DC
motor and the discrete system as in G. F. Franklin, J. D. Powell, M. Workman, Digital Control of Dynamic Systems.
"""

import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import numpy as np
    from scipy.integrate import quad, solve_ivp
    from scipy.interpolate import CubicSpline
    from scipy.linalg import expm
except ImportError:
    np = None

PROGRAM = os.environ.get("VISVIVA_PROGRAM", "build/visviva")
HERE = pathlib.Path(__file__).parent
# Both integrate with relative errors of 1e-10 to 1e-12 a step; over a run these grow to about this.
CLOSE = 2e-7


def read_columns(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


def read_table(name):
    """The numbers of a table, its header left out."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], np.array([[float(x) for x in row] for row in rows[1:]])


def run(path, read=lambda file: None):
    """What a run gives whose certificate holds."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([PROGRAM, "simulate", path, "--json", "--out", folder], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout[-2000:] + result.stderr
        found = json.loads(result.stdout)
        assert found["certificate"]["holds"] is True
        return read(pathlib.Path(folder) / "trajectory.csv"), found


def simulate(path):
    return run(path, read_columns)


def solve(rates, start, times, max_step=np.inf if np is not None else 0):
    found = solve_ivp(rates, (times[0], times[-1]), start, method="DOP853", t_eval=times, rtol=1e-11, atol=1e-12, max_step=max_step)
    assert found.success, found.message
    return found.y


class Models(unittest.TestCase):
    def test_all_are_proved_and_keep_their_energy(self):
        models = sorted(HERE.glob("*.viva"))
        self.assertEqual(len(models), 7)
        for model in models:
            with self.subTest(model.stem):
                checked = subprocess.run([PROGRAM, "check", model, "--json"], capture_output=True, text=True, check=True)
                self.assertEqual(json.loads(checked.stdout)["warnings"], [])
                proved = subprocess.run([PROGRAM, "prove", model, "--json"], capture_output=True, text=True, check=True)
                self.assertEqual(json.loads(proved.stdout)["verdict"], "equal")
                run(model)


@unittest.skipIf(np is None, "SciPy is not installed")
class MeasuredData(unittest.TestCase):
    def assert_close(self, found, expected, scale=1.0):
        self.assertLess(np.max(np.abs(found - expected)), CLOSE * scale)

    def test_engine_with_a_pressure_over_two_turns(self):
        run, _ = simulate(HERE / "engine.viva")
        _, table = read_table("engine_gas.csv")
        pressure = CubicSpline(np.radians(table[:, 0]), 1000 * table[:, 1], bc_type="periodic", extrapolate="periodic")
        r, L, bore, J, m, b, p0 = 0.04, 0.13, 0.076, 0.12, 0.45, 0.09, 1e5

        def rates(t, y):
            th, w = y
            s, c = math.sin(th), math.cos(th)
            along = math.sqrt(L * L - r * r * s * s)
            X1 = -r * s - r * r * s * c / along
            X2 = -r * c - r * r * (c * c - s * s) / along - (r * r * s * c) ** 2 / along**3
            force = -(pressure(th) - p0) * math.pi * bore**2 / 4
            return [w, (force * X1 - b * w - m * X1 * X2 * w * w) / (J + m * X1 * X1)]

        y = solve(rates, [0.0, 200.0], run["t"])
        self.assert_close(run["theta"], y[0], 40)
        self.assert_close(run["theta'"], y[1], 200)

    def test_half_car_on_a_road(self):
        run, _ = simulate(HERE / "half_car.viva")
        _, table = read_table("half_car_road.csv")
        spline = CubicSpline(table[:, 0], table[:, 1] / 1000, bc_type="not-a-knot")
        m, I, mu, a, b, ks, cs, kt, v, g = 1200, 1800, 45, 1.2, 1.4, 32000, 2400, 220000, 18, 9.81

        def road(x):
            return spline(min(max(x, table[0, 0]), table[-1, 0]))

        def rates(t, y):
            z, phi, zf, zr, dz, dphi, dzf, dzr = y
            s = 1 + v * t
            front = ks * (z + a * phi - zf) + cs * (dz + a * dphi - dzf)
            rear = ks * (z - b * phi - zr) + cs * (dz - b * dphi - dzr)
            return [dz, dphi, dzf, dzr, -(front + rear) / m - g, (-a * front + b * rear) / I,
                    (front - kt * (zf - road(s))) / mu - g, (rear - kt * (zr - road(s - a - b))) / mu - g]

        y = solve(rates, [-0.18, 0, -0.03, -0.03, 0, 0, 0, 0], run["t"], max_step=0.01)
        for i, name in enumerate(("z", "phi", "zf", "zr")):
            self.assert_close(run[name], y[i])

    def test_cam_by_a_periodic_table(self):
        run, _ = simulate(HERE / "cam.viva")
        _, table = read_table("cam_lift.csv")
        lift = CubicSpline(np.radians(table[:, 0]), table[:, 1] / 1000, bc_type="periodic", extrapolate="periodic")
        angle = 20 * math.pi * run["t"] + 0.4 * np.sin(3 * run["t"])
        w = 20 * math.pi + 1.2 * np.cos(3 * run["t"])
        dw = -3.6 * np.sin(3 * run["t"])
        a = lift(angle, 2) * w * w + lift(angle, 1) * dw
        self.assert_close(run["h"], lift(angle))
        self.assert_close(run["a"], a, np.max(np.abs(a)))
        # The motor moves the follower against its inertia and the spring, and the cam against its inertia.
        force = 0.3 * a + 4000 * (lift(angle) - run["w"] + 0.012)
        self.assert_close(run["motor(angle)"], force * lift(angle, 1) + 1e-3 * dw, np.max(np.abs(force)) * 0.01)

    def test_press_with_a_map_over_angle_and_speed(self):
        run, _ = simulate(HERE / "press.viva")
        header, table = read_table("press_motor.csv")
        speeds = np.array([float(x) for x in header[1:]])
        by_angle = CubicSpline(np.radians(table[:, 0]), table[:, 1:], bc_type="periodic", extrapolate="periodic")
        r, L, J, m, g = 0.1, 0.5, 6.0, 80.0, 9.81

        def rates(t, y):
            th, w = y
            torque = CubicSpline(speeds, by_angle(th), bc_type="not-a-knot")(min(max(w, speeds[0]), speeds[-1]))
            s, c = math.sin(th), math.cos(th)
            along = math.sqrt(L * L - r * r * s * s)
            X1 = -r * s - r * r * s * c / along  # of `down`
            X2 = -r * c - r * r * (c * c - s * s) / along - (r * r * s * c) ** 2 / along**3
            sheet = 2500 * max(0.0, s - 0.5)
            return [w, (torque - sheet * X1 + m * g * X1 - m * X1 * X2 * w * w) / (J + m * X1 * X1)]

        y = solve(rates, [0.0, 3.0], run["t"], max_step=0.005)
        self.assert_close(run["theta"], y[0], 100)
        self.assert_close(run["theta'"], y[1], 100)

    def test_motor_with_circuit_and_pid(self):
        run, found = simulate(HERE / "motor_pid.viva")
        m, l, J, g, R, Lm, kt, ke = 0.8, 0.3, 0.002, 9.81, 1.2, 0.004, 0.8, 0.8
        kp, ki, kd, r = 12, 30, 1.5, math.pi / 3

        def rates(t, y):
            th, ei, i, w = y
            return [w, r - th, (kp * (r - th) + ki * ei - kd * w - R * i - ke * w) / Lm, (kt * i - m * g * l * math.sin(th)) / (J + m * l * l)]

        found_y = solve_ivp(rates, (0, run["t"][-1]), [0.0, 0, 0, 0], method="Radau", t_eval=run["t"], rtol=1e-11, atol=1e-13)
        self.assert_close(run["theta"], found_y.y[0])
        self.assert_close(run["ei"], found_y.y[1])
        self.assert_close(run["i"], found_y.y[2], 10)
        # The eigenvalues are those of the matrix written by hand.
        text = subprocess.run([PROGRAM, "linearize", HERE / "motor_pid.viva", "--json", "--set", "theta=0.3"], capture_output=True, text=True, check=True)
        j = json.loads(text.stdout)
        stiff = m * g * l * math.cos(0.3) / (J + m * l * l)
        A = np.array([[0, 0, 0, 1], [-1, 0, 0, 0], [-kp / Lm, ki / Lm, -R / Lm, -(kd + ke) / Lm], [-stiff, 0, kt / (J + m * l * l), 0]])
        order = [["theta", "ei", "i", "theta'"].index(name) for name in j["states"]]
        self.assertLess(np.max(np.abs(np.array(j["A"]) - A[np.ix_(order, order)])), 1e-9 * np.max(np.abs(A)))

    def test_sampled_controller_is_its_discrete_system(self):
        run, _ = simulate(HERE / "sampled_arm.viva")
        J, T, kp, kd, ki = 0.05, 0.02, 3.0, 0.5, 4.0
        # x = (theta, e, tau, theta') just before a sample
        x = np.array([0.2, 0.0, 0.0, 0.0])
        S = np.eye(4)
        S[2] = [-kp, -ki, 0, -kd]
        S[1] = [T, 1, 0, 0]
        F = np.zeros((4, 4))
        F[0, 3], F[3, 2] = 1, 1 / J
        A = expm(F * T) @ S
        for k in range(len(run["t"])):
            if k % 2 == 0 and k > 0:
                x = A @ x
                self.assertAlmostEqual(run["t"][k], k // 2 * T, delta=1e-12)
                self.assert_close(np.array([run["theta"][k], run["theta'"][k]]), x[[0, 3]], 1e-3)
        text = subprocess.run([PROGRAM, "linearize", HERE / "sampled_arm.viva", "--json"], capture_output=True, text=True, check=True)
        j = json.loads(text.stdout)
        order = [["theta", "e", "tau", "theta'"].index(name) for name in j["states"]]
        self.assertLess(np.max(np.abs(np.array(j["A"]) - A[np.ix_(order, order)])), 1e-12)
        self.assertEqual(j["sample_period"], T)

    def test_potential_of_a_table_is_its_quadrature(self):
        _, table = read_table("cam_lift.csv")
        spline = CubicSpline(np.radians(table[:, 0]), table[:, 1], bc_type="periodic", extrapolate="periodic")
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "m.viva"
            (pathlib.Path(folder) / "t.csv").write_text((HERE / "cam_lift.csv").read_text().replace(" [mm]", ""))  # other units here
            model.write_text('model m\ncoordinate q = 1 rad\nframe A = rotate(N, z, q)\nbody A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2\n'
                             'torque T on A = table("t.csv", column 2, over q, unit N*m, periodic)*N.z\n')
            for q in (-9.0, -0.3, 0.7, 5.9, 13.0):
                text = subprocess.run([PROGRAM, "evaluate", model, "--json", "--set", f"q={q}"], capture_output=True, text=True, check=True)
                U = json.loads(text.stdout)["energies"]["U"]
                exact = -sum(quad(spline, a, b, epsabs=1e-12, epsrel=1e-12, limit=200)[0] for a, b in zip(np.linspace(0, q, 40)[:-1], np.linspace(0, q, 40)[1:]))
                self.assertAlmostEqual(U, exact, delta=1e-9 * max(1, abs(exact)))
            text = subprocess.run([PROGRAM, "energy", model, "--json"], capture_output=True, text=True, check=True)
            j = json.loads(text.stdout)
            self.assertIs(j["potential_energy_exists"], False)
            self.assertIn("not the same after a full turn of q", text.stdout)
            turn = quad(spline, 0, 2 * math.pi, epsabs=1e-12, limit=400)[0]
            self.assertIn(f"the work in a full turn of q is {turn:.6g} J", text.stdout)
            checked = subprocess.run([PROGRAM, "check", model, "--json"], capture_output=True, text=True, check=True)
            self.assertIn(f"the work in a full turn of q is {turn:.6g} J", checked.stdout)


if __name__ == "__main__":
    unittest.main()
