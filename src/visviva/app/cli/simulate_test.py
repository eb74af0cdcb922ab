"""Tests of `visviva simulate`: published and independently computed motions, the files it writes, its certificate, and how it
ends when it is interrupted, when the disk is full, and when the command is wrong."""

import csv
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

from program import EXAMPLES, ROOT, Folder, visviva

try:
    import h5py
except ImportError:
    h5py = None
NO_H5PY = "h5py is not here to read HDF5 files (Debian: python3-h5py)"

# The independent runs were made with DOP853 at 1e-13 and are given to 12 digits.
INDEPENDENT = 2e-10

# A point mass of 1 kg on a massless rod of 1 m, released at rest from (-1, 0): the IFToMM benchmark A01.
PENDULUM = """
model pendulum
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2
coordinate q = -90 deg
particle   P at No + L*(sin(q)*N.x - cos(q)*N.y), mass m
gravity    -g*N.y
output     x = dot(P - No, N.x), y = dot(P - No, N.y), q/2, velocity(P, N)
study      until 10 s, every 1 s, tolerance 1e-12, energy 1e-7 J
"""
PENDULUM_AT = {1: (0.9862917511318753, -0.1650108531255412), 10: (-0.2750874625761169, -0.9614192050991251)}

FALL = """
model fall
parameter  g = 10 m/s^2
coordinate h = 20 m
particle   P at No + h*N.y, mass 1 kg
gravity    -g*N.y
event      ground when h = 0, stop
study      until 10 s, every 0.5 s
"""

FIELDS = {"status", "reason", "t_end", "final", "energies", "certificate", "steps", "evaluations", "rejected", "method", "files"}
CERTIFICATE = {"energy_tolerance", "max_deviation", "holds", "constraint_drift", "state_error"}


def read_csv(path):
    """Units and columns: name -> list of numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        first = file.readline()
        rows = list(csv.reader(file))
    assert first.startswith("# "), first
    columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}
    return next(csv.reader([first[2:]])), rows[0], columns


class SimulateTest(Folder):
    def simulate(self, model, *arguments, status=0):
        path = EXAMPLES / f"{model}.viva" if isinstance(model, str) else model
        out = [] if "--out" in arguments else ["--out", self.folder / "run"]
        result = visviva("simulate", path, "--json", *out, *arguments, cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return json.loads(result.stdout)

    def assert_final(self, found, **expected):
        for name, value in expected.items():
            name = name.replace("_rate", "'")
            self.assertAlmostEqual(found["final"][name], value, delta=INDEPENDENT * max(1, abs(value)), msg=name)


class IndependentRuns(SimulateTest):
    """The seeds' own examples, integrated by another program."""

    def test_hoist_after_ten_seconds(self):
        found = self.simulate("hoist", "--tolerance", "1e-12")
        self.assert_final(found, theta=-0.2986547107168, theta_rate=1.801677426449, Z=0)
        self.assertEqual((found["status"], found["t_end"]), ("done", 10))
        self.assertAlmostEqual(found["energies"]["E"]["start"], -8.4870489570875, delta=1e-12)
        self.assertLess(found["energies"]["E"]["max_deviation"], 1e-9)
        self.assertGreater(found["energies"]["C"]["max_deviation"], 1)

    def test_positioning_device_in_all_its_cases(self):
        for case, expected in {
                "constant_undamped": {"s": 0.0655758198204, "s_rate": 1.24616076508, "wy": 0, "Z": -1.5170604712},
                "constant_damped": {"s": 0.122567983272, "s_rate": 0.00317951914895, "wy": 4, "Z": -1.53429812889},
                "ramp_undamped": {"s": 0.0287547472978, "s_rate": 0.014944669078, "wy": 0, "Z": -0.0828398894095},
                "ramp_damped": {"s": 0.017630149948, "s_rate": 0.0108375176069, "wy": 1.999, "Z": -0.0391564369704},
                "constant_rigid_damped": {"wy": 4, "Z": -0.032},
                "ramp_rigid_damped": {"wy": 1.999, "Z": -0.007992002}}.items():
            with self.subTest(case):
                found = self.simulate("positioning_device", "--case", case, "--tolerance", "1e-12", "--energy", "1e-8")
                self.assert_final(found, **expected)
                self.assertIs(found["certificate"]["holds"], True)
                if case == "constant_undamped":
                    self.assertAlmostEqual(found["energies"]["H"]["start"], -11.2, delta=1e-12)
                    self.assertLess(found["energies"]["H"]["max_deviation"], 1e-8)

    def test_rotating_rod_after_one_second(self):
        found = self.simulate("rotating_rod", "--tolerance", "1e-12")
        self.assert_final(found, q1=1.90064162307, q2=-4.89515218011, q3=0.591590407381)

    def test_cart_and_pendulum_after_ten_seconds(self):
        found = self.simulate("cart_and_pendulum", "--tolerance", "1e-12")
        self.assert_final(found, x=-0.053428547509, theta=-0.166941064647, x_rate=0.0546810356278, theta_rate=0.460466374142)

    def test_pendulum_of_the_benchmark_library(self):
        found = self.simulate(self.write(PENDULUM))
        columns = read_csv(self.folder / "run/trajectory.csv")[2]
        for t, place in PENDULUM_AT.items():
            at = columns["t"].index(t)
            for name, value in zip("xy", place):
                self.assertAlmostEqual(columns[name][at], value, delta=INDEPENDENT)
        self.assertIs(found["certificate"]["holds"], True)

    def test_every_example_runs_to_its_end(self):
        for path in sorted(EXAMPLES.glob("*.viva")):
            with self.subTest(path.stem):
                found = self.simulate(path.stem)
                self.assertEqual(found["status"], "done")
                self.assertLessEqual(FIELDS, set(found))
                self.assertLessEqual(CERTIFICATE, set(found["certificate"]))


class Answers(SimulateTest):
    def test_without_a_tolerance_of_energy_nothing_is_claimed(self):
        found = self.simulate("hoist")
        self.assertIsNone(found["certificate"]["holds"])
        self.assertIsNone(found["certificate"]["energy_tolerance"])
        self.assertIsNone(found["certificate"]["state_error"])

    def test_rates_of_coordinates_are_given_whatever_the_speeds(self):
        found = self.simulate("rotating_rod")
        final = found["final"]
        # The definitions of the speeds, in the model.
        self.assertAlmostEqual(final["q1'"] * math.cos(final["q3"]) + final["q2'"] * math.sin(final["q3"]), final["u1"], delta=1e-12)
        self.assertAlmostEqual(final["q3'"], final["u3"], delta=1e-12)

    def test_text_tells_the_same_and_claims_no_more(self):
        result = visviva("simulate", EXAMPLES / "hoist.viva", "--energy", "1e-6", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        words = " ".join(result.stdout.split())
        self.assertRegex(words, r"^hoist: done")
        self.assertIn("theta -0.29865471", words)
        self.assertIn("Certificate holds: |E_Z - start| <= 1e-06 J", words)
        self.assertIn("does not show that a force law or a parameter is right", words)
        self.assertIn("hoist_run/trajectory.csv", words)
        self.assertTrue((self.folder / "hoist_run/trajectory.h5").exists())

    def test_an_event_that_stops_ends_the_run(self):
        found = self.simulate(self.write(FALL))
        self.assertEqual(found["status"], "done")
        self.assertAlmostEqual(found["t_end"], 2, delta=1e-9)  # h = 20 - 5 t^2
        self.assertEqual([e["name"] for e in found["events"]], ["ground"])
        self.assertAlmostEqual(found["final"]["h'"], -20, delta=1e-8)

    def test_the_study_is_the_default_and_options_have_units(self):
        self.assertEqual(self.simulate("hoist")["t_end"], 10)
        self.assertEqual(self.simulate("hoist", "--until", "0.05 min", "--every", "100 ms")["t_end"], 3)
        self.assertEqual(len(read_csv(self.folder / "run/trajectory.csv")[2]["t"]), 31)
        found = self.simulate("hoist", "--until", 1, "--energy", "1e-6 J")
        self.assertEqual(found["certificate"]["energy_tolerance"], 1e-6)
        self.assertIs(self.simulate("hoist", "--until", 1, "--energy", "1e-8 relative")["certificate"]["holds"], True)

    def test_the_error_of_the_states_is_estimated_on_request(self):
        found = self.simulate("hoist", "--until", 2, "--tolerance", "1e-6", "--certify", "state")
        self.assertGreater(found["certificate"]["state_error"], 0)
        self.assertLess(found["certificate"]["state_error"], 1e-4)

    def test_a_tolerance_that_rounding_breaks_is_refused(self):
        found = self.simulate("hoist", "--energy", "1e-20", status=3)
        self.assertEqual((found["status"], found["refusal"]), ("refused", "below rounding floor"))
        self.assertTrue(found["reason"])
        self.assertIs(found["certificate"]["holds"], False)
        self.assertEqual(found["files"], [])

    # On a guide that turns at 2 pi rad/s a particle goes out as exp(2 pi t): 4e7 J after 1.4 s, where 1e-6 J are rounding. That
    # steps become short is what was asked for, not a pole.
    def test_steps_that_the_energy_shortens_are_no_pole(self):
        model = self.write("model guide\nspecified a(t) = 1 m*sin(2*pi*1 rad/s*t), b(t) = 1 m*cos(2*pi*1 rad/s*t)\n"
                           "coordinate x = 1 m, y\nparticle P at No + x*N.x + y*N.y, mass 1 kg\nconstraint x*a + y*b = 0\n"
                           "gravity -9.81 m/s^2*N.y\nstudy until 3 s, every 0.01 s\n")
        for energy in "1e-6", "1e-5", "1e-3":
            found = json.loads(visviva("simulate", model, "--json", "--energy", energy, "--out", self.folder / energy).stdout)
            self.assertEqual(found["status"], "refused")
            self.assertIn("rounding", found["reason"])
            self.assertNotIn("blows up", found["reason"])

    def test_a_run_that_comes_to_an_end_of_its_own_is_refused_there_and_kept_until_then(self):
        # x'' = -1/x from rest at 1: x = exp(-v^2/2), so it reaches 0 at the integral of exp(-v^2/2), sqrt(pi/2).
        path = self.write("model sing\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass 1 kg\n"
                          "force f on P = -1 N*m/x*N.x\nstudy until 3 s, every 0.01 s, energy 1e-6 J\n")
        found = self.simulate(path, status=3)
        self.assertEqual((found["status"], found["certificate"]["holds"]), ("refused", False))
        self.assertAlmostEqual(found["t_end"], math.sqrt(math.pi / 2), delta=1e-6)
        self.assertAlmostEqual(read_csv(self.folder / "run/trajectory.csv")[2]["t"][125], 1.25, delta=1e-12)


class Files(SimulateTest):
    def test_csv_has_units_above_names_and_every_sample(self):
        self.simulate(self.write(PENDULUM))
        units, names, columns = read_csv(self.folder / "run/trajectory.csv")
        self.assertEqual(names[:5], ["t", "q", "q'", "Z", "E_Z"])
        self.assertEqual(dict(zip(names, units)), {
            "t": "s", "q": "1", "q'": "1/s", "Z": "J", "E_Z": "J", "x": "m", "y": "m", "q/2": "1",
            "velocity(P, N).x": "m/s", "velocity(P, N).y": "m/s", "velocity(P, N).z": "m/s"})
        self.assertEqual(columns["t"], [float(i) for i in range(11)])
        for x, y, q in zip(columns["x"], columns["y"], columns["q"]):
            self.assertAlmostEqual(x, math.sin(q), delta=1e-14)
            self.assertAlmostEqual(y, -math.cos(q), delta=1e-14)

    def test_the_last_sample_is_the_final_state_to_the_last_bit(self):
        found = self.simulate(self.write(PENDULUM))
        columns = read_csv(self.folder / "run/trajectory.csv")[2]
        for name in ("q", "q'", "Z"):
            self.assertEqual(columns[name][-1], found["final"][name])

    @unittest.skipUnless(h5py, NO_H5PY)
    def test_hdf5_holds_the_same_numbers_and_where_they_come_from(self):
        path = self.write(PENDULUM)
        found = self.simulate(path)
        units, names, columns = read_csv(self.folder / "run/trajectory.csv")
        with h5py.File(self.folder / "run/trajectory.h5") as file:
            self.assertEqual(list(file.attrs["columns"]), names)
            self.assertEqual({d.attrs["name"]: d.attrs["unit"] for d in file.values()}, dict(zip(names, units)))
            self.assertEqual({d.attrs["name"]: list(d) for d in file.values()}, columns)
            self.assertEqual(list(file["q|2"]), columns["q/2"])
            self.assertEqual(file.attrs["model"], PENDULUM)
            self.assertEqual((file.attrs["model_name"], file.attrs["status"], file.attrs["reason"]), ("pendulum", "done", ""))
            self.assertTrue(file.attrs["command"].startswith("visviva simulate "))
            self.assertRegex(file.attrs["version"], r"^\d+\.\d+\.\d+$")
            certificate = json.loads(file.attrs["certificate"])
        self.assertEqual(certificate, found["certificate"])

    @unittest.skipUnless(shutil.which("h5dump"), "h5dump is not here to read HDF5 files (Debian: hdf5-tools)")
    def test_hdf5_is_read_by_its_own_tools(self):
        self.simulate(self.write(PENDULUM))
        dump = subprocess.run(["h5dump", "-d", "q", "-m", "%.17g", self.folder / "run/trajectory.h5"],
                              capture_output=True, text=True, check=True).stdout
        data = re.search(r"DATA \{(.*?)\}", dump, re.DOTALL)[1]
        numbers = [float(x) for x in re.sub(r"\(\d+\):", "", data).split(",")]
        self.assertEqual(numbers, read_csv(self.folder / "run/trajectory.csv")[2]["q"])

    def test_a_trajectory_can_be_a_table_of_another_model(self):
        self.simulate(self.write(PENDULUM))
        follower = self.write("""
model follower
specified  a(t) = table("run/trajectory.csv", column 2, unit rad)
coordinate h = 0 m
particle   P at No + h*N.x + 1 m*a*N.y, mass 1 kg
output     a
study      until 10 s, every 1 s
""", "follower.viva")
        self.simulate(follower, "--out", "followed")
        self.assertEqual(read_csv(self.folder / "followed/trajectory.csv")[2]["a"],
                         read_csv(self.folder / "run/trajectory.csv")[2]["q"])

    def test_two_runs_are_the_same_to_the_last_bit(self):
        bytes_of = []
        for place in ("first", "second"):
            (self.folder / place).mkdir()
            result = visviva("simulate", EXAMPLES / "cart_and_pendulum.viva", "--energy", "1e-7", cwd=self.folder / place)
            self.assertEqual(result.returncode, 0, result.stderr)
            run = self.folder / place / "cart_and_pendulum_run"
            bytes_of.append([(run / f"trajectory.{suffix}").read_bytes() for suffix in ("csv", "h5")])
        self.assertEqual(bytes_of[0][0], bytes_of[1][0])
        self.assertEqual(bytes_of[0][1], bytes_of[1][1])


class Ends(SimulateTest):
    """However a run ends, what was computed is there."""

    def start(self, *arguments, **options):
        return subprocess.Popen([os.environ["VISVIVA_PROGRAM"], "simulate", *map(str, arguments)], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def wait_for(self, condition, what):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.05)
        self.fail(what)

    def assert_kept(self, run, t_end):
        """Both files are whole; one that could not grow may end before the other."""
        columns = read_csv(run / "trajectory.csv")[2]
        self.assertTrue(0 < columns["t"][-1] <= t_end)
        self.assertEqual(len({len(c) for c in columns.values()}), 1)
        if h5py:
            with h5py.File(run / "trajectory.h5") as file:
                self.assertEqual({len(d) for d in file.values()}, {len(file["t"])})
                self.assertTrue(columns["t"][-1] <= file["t"][-1] <= t_end)
                if "cannot write" not in file.attrs["reason"]:
                    self.assertEqual(file["t"][-1], columns["t"][-1])
                self.assertEqual(file.attrs["status"], "stopped")

    def test_interrupted_by_a_signal(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(which.name):
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                file = self.folder / "run/trajectory.csv"
                with self.start(self.write(PENDULUM), "--until", "1e7", "--energy", "1 J", "--tolerance", "1e-9",
                                "--json", "--out", "run") as process:
                    self.wait_for(lambda: file.exists() and file.stat().st_size > 0, "the run does not begin")
                    process.send_signal(which)
                    out, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 3, err)
                found = json.loads(out)
                self.assertEqual(found["status"], "stopped")
                self.assertIn("stopped at t =", err)
                self.assert_kept(self.folder / "run", found["t_end"])

    def test_a_disk_that_is_full_for_the_csv_file(self):
        (self.folder / "run").mkdir()
        (self.folder / "run/trajectory.csv").symlink_to("/dev/full")
        for until in (1, 1000):  # at the end, and on the way
            found = self.simulate("hoist", "--until", until, status=3)
            self.assertEqual(found["status"], "stopped")
            self.assertIn("trajectory.csv': No space left on device", found["reason"])

    def test_a_disk_that_is_full(self):
        with self.start(EXAMPLES / "hoist.viva", "--until", "1000", "--every", "1 ms", "--json", "--out", "run",
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        found = json.loads(out)
        self.assertEqual(found["status"], "stopped")
        self.assertIn("File too large", found["reason"])
        self.assertIn("File too large", err)
        self.assert_kept(self.folder / "run", found["t_end"])

    def test_memory_does_not_grow_with_the_run(self):
        def peak(until):
            process = subprocess.Popen([os.environ["VISVIVA_PROGRAM"], "simulate", self.write(PENDULUM), "--until", str(until),
                                        "--every", "0.1", "--energy", "1 J", "--tolerance", "1e-6"],
                                       cwd=self.folder, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_maxrss
        short = peak(10)
        self.assertLess(peak(1e5) - short, 16_000)  # KiB; a million samples of eleven columns are 88 MB


# A body on a driven spring, by polar coordinates and Rodrigues parameters: half a turn after 0.31 s.
CRAWL = """
model crawl
coordinate z1 = 0.533 m, z1' = -0.44 m/s
coordinate h1 = 0.9503962331575184 m, h1' = -0.6929993796501506 m/s, p1 = 0.5564802018526792 rad, p1' = -0.17218985156982597 rad/s
coordinate g1_1 = -0.22033831799397055, g1_2 = -0.25795705521245327, g1_3 = 0.026601821318784247
frame B1 = rodrigues(N, g1_1, g1_2, g1_3)
start angular_velocity(B1, N) = (-0.632 rad/s*B1.x + 1.47 rad/s*B1.y + -1.323 rad/s*B1.z)
point J1 = Go + (-0.084 m*N.x + 0.168 m*N.y + 0.196 m*N.z) + h1*cos(p1)*N.x + h1*sin(p1)*N.y + z1*N.z
body B1 at J1 + (-0.191 m*B1.x + 0.354 m*B1.y + -0.379 m*B1.z), mass 1.801 kg, inertia 0.048895 kg*m^2, 0.104501 kg*m^2, 0.103242 kg*m^2, -0.002004 kg*m^2, 0.0035 kg*m^2, 0.004391 kg*m^2
specified sh(t) = 0.254 m*sin(4.769 rad/s*t)
point Go = No + sh*N.x
point E1 = B1cm + (-0.125 m*B1.x + 0.123 m*B1.y + -0.113 m*B1.z)
point A1 = No + (0.53 m*N.x + -0.61 m*N.y + -0.153 m*N.z)
spring S1 from A1 to E1, stiffness 20.851 N/m, rest 0.226 m
damper D1 from A1 to E1, rate 0.593 N*s/m
torque C1 on B1 = 0.979 N*m*cross(B1.y, N.z)
study until 0.5 s, every 0.05 s, tolerance 1e-11
"""


class Poles(SimulateTest):
    # Rounding keeps such steps good and short without end: without the refusal, millions of them. Whether the steps become
    # too short first or the mass matrix singular, rounding decides.
    def test_a_run_that_crawls_towards_a_pole_is_refused(self):
        result = visviva("simulate", self.write(CRAWL), "--out", self.folder / "run", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual(result.returncode, 3, answer["status"])
        self.assertRegex(answer["reason"], "too short to go on|the mass matrix is singular")
        self.assertIn("Rodrigues parameters are infinite after half a turn", answer["reason"])
        self.assertLess(answer["steps"], 100000)

    # Rodrigues parameters are infinite after half a turn: tan(t/2) at t = pi.
    def test_a_run_into_a_pole_of_its_coordinates_ends_with_the_place_and_the_way_out(self):
        model = self.write("model pole\ncoordinate g1 = 0, g2 = 0.2, g3 = 0\nframe B = rodrigues(N, g1, g2, g3)\n"
                           "start angular_velocity(B) = 1 rad/s*B.x + 0.3 rad/s*B.y\n"
                           "body B at No + 0.1 m*B.z, mass 1 kg, inertia 0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2\n"
                           "gravity -9.81 m/s^2*N.y\nstudy until 20 s, tolerance 1e-11\n")
        result = visviva("simulate", model, "--out", self.folder / "run", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual(result.returncode, 3, answer["status"])
        self.assertEqual(answer["status"], "refused")
        self.assertLess(answer["steps"], 100000)
        self.assertIn("quaternion", answer["reason"])


class WrongCommands(SimulateTest):
    def assert_wrong(self, message, *arguments, model=EXAMPLES / "hoist.viva"):
        result = visviva("simulate", model, *arguments, cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.is_dir()], [])

    def test_what_cannot_be_read_is_shown(self):
        self.assert_wrong("--until: '2 mn' cannot be read: 'mn' is not a unit", "--until", "2 mn")
        self.assert_wrong("--until: '3 m' is a length (m), expected a time (s)", "--until", "3 m")
        self.assert_wrong("--every: a value is missing", "--every", "")
        self.assert_wrong("--every: '(' cannot be read", "--every", "(")
        self.assert_wrong("--max-step: 'x' is no number: expected one such as `1e-3 s`", "--max-step", "x")
        self.assert_wrong("--energy: 'abc' is no number: expected one such as `1e-3 J`", "--energy", "abc")
        self.assert_wrong("--tolerance: 'abc' is no number: expected one such as `1e-3`\n", "--tolerance", "abc")
        self.assert_wrong("--tolerance: '1e-9 J' is", "--tolerance", "1e-9 J")
        self.assert_wrong("--energy: '1 m' is a length (m)", "--energy", "1 m")
        self.assert_wrong("--energy: '1 J' is", "--energy", "1 J relative")
        self.assert_wrong("--certify: expected 'state', found 'phase'", "--certify", "phase")

    def test_nonsense_is_refused_before_anything_is_written(self):
        for arguments in (["--until", "0"], ["--until=-1"], ["--until", "nan"], ["--every", "0"], ["--every=-1"],
                          ["--tolerance", "0"], ["--tolerance=-1"], ["--energy", "0"], ["--energy=-1e-3"],
                          ["--max-step", "0"], ["--method", "magic"]):
            with self.subTest(" ".join(arguments)):
                self.assert_wrong("visviva: ", *arguments)

    def test_a_run_without_an_end_is_refused(self):
        path = self.write(FALL.replace("study ", "# study "))
        self.assert_wrong("study until 10 s", model=path)

    def test_a_folder_that_cannot_be_made(self):
        self.assert_wrong("cannot make the folder '/proc/visviva'", "--out", "/proc/visviva")
        self.write("", "file")
        self.assert_wrong("cannot make the folder 'file/run': Not a directory", "--out", "file/run")

    def test_wrong_commands_in_json(self):
        result = visviva("simulate", EXAMPLES / "hoist.viva", "--until", "x", "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--until", json.loads(result.stdout)["errors"][0]["message"])

    def test_all_missing_values_are_listed_at_once(self):
        path = self.write("model m\nparameter m, k = 1 N/m\nspecified F(t)\ncoordinate x = 1 m\n"
                          "particle Q at No + x*N.x, mass m\nforce f on Q = (F - k*x)*N.x\n")
        result = visviva("simulate", path, "--until", "1", "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 1)
        message = json.loads(result.stdout)["errors"][0]["message"]
        self.assertIn("m (line 2)", message)
        self.assertIn("F (line 3)", message)
        self.simulate(path, "--until", "1", "--set", "m=1 kg", "--set", "F=0 N")


class Guide(SimulateTest):
    """What docs/guide/simulation.md shows is what the program prints, and its programs run."""

    def setUp(self):
        super().setUp()
        self.guide = (ROOT / "docs/guide/simulation.md").read_text(encoding="utf-8")
        command = re.search(r"^    build/visviva (simulate .*hoist.*)$", self.guide, re.MULTILINE)[1].split()
        command[1] = ROOT / command[1]
        self.result = visviva(*command, cwd=self.folder)

    def test_the_answer_is_real(self):
        shown = re.search(r"\n```\n(.*?)```\n", self.guide, re.DOTALL)[1]
        number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
        self.assertEqual(re.sub(number, "#", self.result.stdout).split(), re.sub(number, "#", shown).split())
        for expected, found in zip(re.findall(number, shown), re.findall(number, self.result.stdout)):
            if len(expected) > 9:  # ten digits; the others count steps and measure rounding
                self.assertAlmostEqual(float(found), float(expected), delta=1e-8)
        csv_shown = re.search(r"```csv\n(.*?)```", self.guide, re.DOTALL)[1]
        self.assertTrue((self.folder / "hoist_run/trajectory.csv").read_text(encoding="utf-8").startswith(csv_shown))

    def test_the_programs_run(self):
        for script in re.findall(r"```python\n(.*?)```", self.guide, re.DOTALL):
            if "h5py" in script and not h5py:
                continue
            result = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"1001 samples; theta ends at -0\.29865471|1/s 1\.80167742")


if __name__ == "__main__":
    unittest.main()
