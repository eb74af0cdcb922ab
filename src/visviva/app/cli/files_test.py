"""Files that commands read and write: nothing of anybody's is lost, and nothing is written to nobody."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from program import EXAMPLES, Folder, visviva

try:
    import h5py
except ImportError:
    h5py = None

PENDULUM = """model pendulum
parameter m = 1 kg, L = 0.5 m, g = 9.81 m/s^2
coordinate th = 30 deg
frame B = rotate(N, z, th)
particle Q at No - L*B.y, mass m
gravity -g*N.y
study until 1 s, every 0.01 s
case heavy: m = 2 kg
case long: L = 1 m
"""
COMMANDS = (["check"], ["derive"], ["energy"], ["prove"], ["evaluate"], ["linearize"], ["simulate", "--out", "run"],
            ["report"], ["export", "--as", "c"], ["export", "--as", "c", "--out", "-"])


class Runs(Folder):
    def start(self, *arguments):
        return subprocess.Popen([os.environ["VISVIVA_PROGRAM"], "simulate", *map(str, arguments)], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_a_file_that_is_being_written_is_not_judged_by_what_it_looks_like(self):
        """As the HDF5 file of a run may look while it is written out."""
        model = self.write(PENDULUM)
        (self.folder / "run").mkdir()
        with open(self.folder / "run/trajectory.h5", "w", encoding="utf-8") as file:
            file.write("half a file")
            file.flush()
            fcntl.flock(file, fcntl.LOCK_EX)
            result = visviva("simulate", model, "--out", "run", cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("another run is writing it", result.stderr)
        self.assertEqual((self.folder / "run/trajectory.h5").read_text(encoding="utf-8"), "half a file")

    def wait_for(self, what):
        for _ in range(600):
            if what():
                return
            time.sleep(0.1)
        self.fail("nothing happened")

    def test_a_second_run_into_a_folder_leaves_the_first_one_alone(self):
        model = self.write(PENDULUM)
        csv = self.folder / "run/trajectory.csv"
        with self.start(model, "--until", "1e5", "--every", "1 ms", "--tolerance", "1e-9", "--out", "run", "--json") as first:
            self.wait_for(lambda: csv.exists() and csv.stat().st_size > 100_000)
            before = csv.read_bytes()
            for force in ([], ["--force"]):
                second = visviva("simulate", model, "--out", "run", *force, cwd=self.folder)
                self.assertEqual(second.returncode, 2, second.stderr)
                self.assertIn("another run is writing it", second.stderr)
            self.assertEqual(csv.read_bytes()[:len(before)], before)
            first.send_signal(signal.SIGINT)
            found = json.loads(first.communicate(timeout=60)[0])
        lines = csv.read_bytes().splitlines()
        self.assertNotIn(b"\0", csv.read_bytes())
        self.assertEqual(len(lines), found["samples"] + 2)
        if h5py is not None:
            with h5py.File(self.folder / "run/trajectory.h5") as file:
                self.assertEqual(len(file["t"]), found["samples"])

    @unittest.skipIf(h5py is None, "no h5py")
    def test_a_file_that_somebody_reads_is_left_alone(self):
        model = self.write(PENDULUM)
        self.assertEqual(visviva("simulate", model, "--out", "run", cwd=self.folder).returncode, 0)
        before = [(self.folder / "run" / name).read_bytes() for name in ("trajectory.csv", "trajectory.h5")]
        with h5py.File(self.folder / "run/trajectory.h5"):
            result = visviva("simulate", model, "--out", "run", "--until", "2", cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("another program has it open", result.stderr)
        self.assertEqual(before, [(self.folder / "run" / name).read_bytes() for name in ("trajectory.csv", "trajectory.h5")])

    def test_a_run_that_is_killed_leaves_its_rows(self):
        csv, h5 = self.folder / "run/trajectory.csv", self.folder / "run/trajectory.h5"
        # Samples are rare: by their number neither file would be written before the end.
        with self.start(self.write(PENDULUM), "--until", "1e7", "--every", "1e3", "--tolerance", "1e-9", "--out", "run") as process:
            self.wait_for(lambda: csv.exists() and csv.stat().st_size > 200)
            time.sleep(2)
            process.kill()
            process.communicate(timeout=60)
        rows = csv.read_text(encoding="utf-8").splitlines()[2:]
        self.assertGreater(len(rows), 1)
        self.assertTrue(all(len(row.split(",")) == len(rows[0].split(",")) for row in rows[:-1]))
        if h5py is not None:
            with h5py.File(h5) as file:
                times = list(file["t"])
            self.assertGreater(len(times), 1)
            self.assertEqual(times, [1e3 * i for i in range(len(times))])

    def test_cases_have_folders_and_pages_of_their_own(self):
        model = self.write(PENDULUM)
        for case, stem in ([], "pendulum"), (["--case", "heavy"], "pendulum-heavy"), (["--case", "long"], "pendulum-long"):
            self.assertEqual(visviva("simulate", model, *case, cwd=self.folder).returncode, 0)
            self.assertTrue((self.folder / f"{stem}_run/trajectory.h5").exists())
        self.assertEqual(visviva("report", model, "--case", "heavy", cwd=self.folder).returncode, 0)
        self.assertTrue((self.folder / "pendulum-heavy.html").exists())

    def test_no_two_cases_share_a_folder_or_a_page(self):
        # No name holds a '-', so that the model a_b with the case c is another than a with b_c, or a_b_c.
        text = "model {}\ncoordinate x = 0 m, x' = 1 m/s\nparticle Q at No + x*N.x, mass 1 kg\nstudy until 1 s\ncase {}: x = 2 m\n"
        models = ("a_b", "c"), ("a", "b_c"), ("a_b_c", "d"), ("a", "b")
        for k, (name, case) in enumerate(models):
            model = self.write(text.format(name, case), f"model{k}.viva")
            for options in [], ["--case", case]:
                self.assertEqual(visviva("simulate", model, *options, cwd=self.folder).returncode, 0)
                self.assertEqual(visviva("report", model, *options, cwd=self.folder).returncode, 0)
        names = {"a_b", "a", "a_b_c", "a_b-c", "a-b_c", "a_b_c-d", "a-b"}
        self.assertEqual({p.name for p in self.folder.glob("*_run")}, {f"{n}_run" for n in names})
        self.assertEqual({p.name for p in self.folder.glob("*.html")}, {f"{n}.html" for n in names})


class Overwriting(Folder):
    def assert_kept(self, name, *arguments):
        """A file of somebody else stays, until --force says otherwise; our own is replaced."""
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("1,2\n3,4\n", encoding="utf-8")
        result = visviva(*arguments, cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--force replaces it", result.stderr)
        self.assertEqual(file.read_text(encoding="utf-8"), "1,2\n3,4\n")
        for force in (["--force"], []):
            self.assertEqual(visviva(*arguments, *force, cwd=self.folder).returncode, 0)
            self.assertNotEqual(file.read_bytes(), b"1,2\n3,4\n")

    def test_what_was_not_written_by_us_is_kept(self):
        model = self.write(PENDULUM)
        for command in (["simulate", model, "--out", "run"], ["report", model], ["export", model, "--as", "c"],
                        ["export", model, "--as", "python"], ["export", model, "--as", "matlab"]):
            with self.subTest(command[0]):
                name = {"simulate": "run/trajectory.csv", "report": "pendulum.html"}.get(command[0])
                self.assert_kept(name or "pendulum." + {"c": "c", "python": "py", "matlab": "m"}[command[-1]], *command)
        self.assert_kept("other/trajectory.h5", "simulate", model, "--out", "other")
        self.assert_kept("run.svg", "simulate", model, "--out", "third", "--plot", "run.svg")

    def test_a_plot_never_replaces_a_trajectory(self):
        model = self.write(PENDULUM)
        fresh = visviva("simulate", model, "--out", "run", "--plot", "run/../run/trajectory.csv", "--force", cwd=self.folder)
        self.assertEqual(fresh.returncode, 2, fresh.stderr)
        self.assertEqual(visviva("simulate", model, "--out", "run", cwd=self.folder).returncode, 0)
        before = (self.folder / "run/trajectory.csv").read_bytes()
        for name in "trajectory.csv", "trajectory.h5":
            result = visviva("simulate", model, "--out", "new", "--plot", f"run/{name}", cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual((self.folder / "run/trajectory.csv").read_bytes(), before)
        self.assertFalse((self.folder / "new").exists())


class FullDisk(Folder):
    """A limit of the size of files stands for a disk that is full."""

    def run_limited(self, *arguments, size=1000):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return subprocess.run([os.environ["VISVIVA_PROGRAM"], *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=60, preexec_fn=limit)

    def test_what_cannot_be_written_whole_leaves_what_was_there(self):
        model = self.write(PENDULUM)
        for name, command in (("page.html", ["report", model, "--out", "page.html"]),
                              ("code.c", ["export", model, "--as", "c", "--out", "code.c"]),
                              ("code.py", ["export", model, "--as", "python", "--out", "code.py"])):
            for is_there in False, True:
                with self.subTest(name, is_there=is_there):
                    if is_there:
                        self.assertEqual(visviva(*command, cwd=self.folder).returncode, 0)
                    before = {f.name: f.read_bytes() for f in self.folder.iterdir() if f.is_file()}
                    result = self.run_limited(*command)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("File too large", result.stderr)
                    after = {f.name: f.read_bytes() for f in self.folder.iterdir() if f.is_file()}
                    self.assertEqual(before.keys(), after.keys())
                    self.assertEqual(before, after)

    def test_a_run_that_could_not_begin_is_not_in_the_way(self):
        model = self.write(PENDULUM)
        result = self.run_limited("simulate", model, "--out", "run")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("File too large", result.stderr)
        self.assertEqual(visviva("simulate", model, "--out", "run", cwd=self.folder).returncode, 0)

    def test_a_model_that_cannot_be_written_is_not_begun(self):
        result = self.run_limited("new", "fresh", size=10)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertFalse((self.folder / "fresh.viva").exists())


class Options(Folder):
    def test_an_empty_value_is_none(self):
        model = self.write(PENDULUM)
        for command, option in (("simulate", "--out"), ("simulate", "--plot"), ("simulate", "--case"), ("simulate", "--until"),
                                ("simulate", "--tables"), ("report", "--cases"), ("report", "--out"), ("evaluate", "--inverse"),
                                ("evaluate", "--set"), ("prove", "--variation"), ("derive", "--express"), ("linearize", "--period")):
            for value in "", "  ":
                with self.subTest(option, command=command):
                    result = visviva(command, model, option, value, cwd=self.folder)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn(f"{option}: a value is missing", result.stderr)
        result = visviva("export", model, "--as", "c", "--out", "", cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["model.viva"])

    def test_a_value_is_finite(self):
        model = self.write(PENDULUM)
        for command, option in (("simulate", "--until"), ("simulate", "--every"), ("simulate", "--max-step"), ("simulate", "--tolerance"),
                                ("simulate", "--energy"), ("report", "--until"), ("linearize", "--period")):
            result = visviva(command, model, option, "exp(1000)", cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(f"{option}: 'exp(1000)' is not finite", result.stderr)

    def test_of_two_values_none_is_dropped(self):
        model = self.write(PENDULUM)
        result = visviva("evaluate", model, "--set", "m=1 kg", "--set", "m = 2 kg")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("'m' is given twice", result.stderr)
        self.assertEqual(visviva("evaluate", model, "--set", "m=1 kg", "--set", "L=2 m").returncode, 0)


class StandardOutput(Folder):
    def shell(self, command):
        return subprocess.run(["sh", "-c", command, os.environ["VISVIVA_PROGRAM"]], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=120)

    def test_a_full_or_closed_one_is_an_error_everywhere(self):
        self.write(PENDULUM)
        words = [" ".join([c[0], "model.viva", *c[1:]]) for c in COMMANDS]
        words += [w + " --json" for w in words if "--out -" not in w]
        words += ["--help", "--version", "explain E-name-unknown", "new fresh", "manual", "completions bash"]
        for command in words:
            for where in ">&-", ">/dev/full":
                with self.subTest(command=command, where=where):
                    (self.folder / "fresh.viva").unlink(missing_ok=True)
                    result = self.shell(f'"$0" {command} {where}')
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("cannot write to standard output", result.stderr)

    def test_what_was_meant_for_it_goes_into_no_file(self):
        self.write(PENDULUM)
        self.shell('"$0" simulate model.viva --out run <&- >&- 2>&-')
        text = (self.folder / "run/trajectory.csv").read_text(encoding="utf-8")
        self.assertEqual(len(text.splitlines()), 103)
        self.assertNotIn("Certificate", text)

    def test_errors_need_none(self):
        result = self.shell('"$0" check nowhere.viva >/dev/full')
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertNotIn("standard output", result.stderr)


class OddFiles(Folder):
    def test_fifos_and_devices_are_no_models(self):
        os.mkfifo(self.folder / "pipe")
        for path in "/dev/zero", "/dev/null", self.folder / "pipe":
            for command in COMMANDS:
                result = subprocess.run([os.environ["VISVIVA_PROGRAM"], command[0], str(path), *command[1:]], cwd=self.folder,
                                        capture_output=True, text=True, check=False, timeout=20)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("is not a regular file", result.stderr)

    def test_a_fifo_is_not_written_to(self):
        model = self.write(PENDULUM)
        (self.folder / "run").mkdir()
        os.mkfifo(self.folder / "run/trajectory.csv")
        os.mkfifo(self.folder / "pipe")
        for command in (["simulate", "--out", "run"], ["simulate", "--out", "other", "--plot", "pipe"], ["report", "--out", "pipe"],
                        ["export", "--as", "c", "--out", "pipe"]):
            result = subprocess.run([os.environ["VISVIVA_PROGRAM"], command[0], str(model), *command[1:]], cwd=self.folder,
                                    capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("is not a regular file", result.stderr)

    def test_bytes_that_are_no_text_do_not_break_json(self):
        for text in (b"model a\nparameter \xff\xfe = 1 kg\n", b"model a\nparameter m = 1 kg \"\xc3\"\n", b"model a\xe9\ncoordinate q\xe9 = 1 m\n"):
            file = self.folder / "bytes.viva"
            file.write_bytes(text)
            for command in COMMANDS[:-1]:
                result = subprocess.run([os.environ["VISVIVA_PROGRAM"], command[0], str(file), *command[1:], "--json"], cwd=self.folder,
                                        capture_output=True, check=False)
                self.assertLess(result.returncode, 4, result.stderr)
                json.loads(result.stdout.decode("utf-8"))
        for argument in ([b"--set", b"\xff=1"], [b"--case", b"\xff"], [b"--set", b"m=\xff"]):
            model = self.write(PENDULUM)
            result = subprocess.run([os.environ["VISVIVA_PROGRAM"].encode(), b"check", str(model).encode(), b"--json", *argument],
                                    capture_output=True, check=False)
            self.assertEqual(result.returncode, 1, result.stderr)
            json.loads(result.stdout.decode("utf-8"))
        result = subprocess.run([os.environ["VISVIVA_PROGRAM"].encode(), b"check", b"no\xff.viva", b"--json"], capture_output=True, check=False)
        self.assertEqual(result.returncode, 1)
        json.loads(result.stdout.decode("utf-8"))

    def test_names_that_are_too_long_for_a_file(self):
        result = visviva("new", "a" * 300, cwd=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("File name too long", result.stderr)
        model = self.write(PENDULUM.replace("model pendulum", "model " + "a" * 254))
        for command in "simulate", "report":
            result = visviva(command, model, cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("File name too long", result.stderr)


class Numbers(Folder):
    """What does not fit double precision is an error of the model, and no bug."""

    def assert_refused(self, text, code, *commands, status=1):
        model = self.write(text)
        for command in commands or COMMANDS:
            result = visviva(command[0], model, *command[1:], cwd=self.folder)
            self.assertIn(result.returncode, (0, 1, 3), (command, result.stderr))
            if commands:
                self.assertEqual(result.returncode, status, (command, result.stdout, result.stderr))
                self.assertIn(code, result.stderr)

    def test_zero_to_a_power_that_moves(self):
        for power in "0^(x/(1 m))", "(2 - 2)^(x/(1 m))", "0^k":
            self.assert_refused(f"model a\nparameter m = 1 kg, k = 2\ncoordinate x = 1 m\nparticle Q at No + x*N.x, mass m\n"
                                f"potential V = 1 J*{power}\nstudy until 1 s\n", "E-value-domain", *COMMANDS)

    def test_numbers_that_overflow_in_the_equations(self):
        text = ("model b\nparameter m = 1 kg, r = 1 m\nspecified Omega(t) = 1e154 rad/s^2*t\ncoordinate q = 1 rad\n"
                "frame A = spin(N, Omega*N.y)\nframe B = rotate(A, z, q)\nparticle Q at No + r*B.x, mass m\nstudy until 1 s\n")
        self.assert_refused(text, "")
        self.assert_refused(text, "E-number-range", ["simulate"])

    def test_constants_that_overflow(self):
        # The sum of the masses is 2e308 kg: no method has equations.
        text = ("model e\ncoordinate x = 1 m\nparticle P at No + x*N.x, mass 1e308 kg\n"
                "particle Q at No + x*N.x + 1 m*N.y, mass 1e308 kg\nstudy until 1 s\n")
        self.assert_refused(text, "E-number-range", ["derive"], ["energy"], ["prove"], ["evaluate"], ["linearize"], ["simulate"])

    def test_numbers_that_overflow_on_the_way_are_no_bug(self):
        particle = "coordinate x = 1 m, y = 1 m\nparticle Q at {}, mass 1 kg\n{}study until 1 s\n"
        huge = "(1e154*t/(1 s))^2"
        for place, more in (("No + x*N.x", f"gravity {huge}*1 m/s^2*N.x\n"), (f"No + x*N.x + {huge}*1 m*N.y", "gravity -9.81 m/s^2*N.y\n"),
                            ("No + x*N.x", f"function f(a) = {huge}*a\nforce F on Q = f(x)*1 N/m*N.x\n"),
                            ("No + x*N.x + y*N.y", "constraint k: y = 1e-320*x\n"),
                            ("No + x*N.x + y*N.y", "constraint k: y = 1e-200*1e-200*x^3/(1 m^2)\n")):
            text = "model h\n" + particle.format(place, more)
            methods = [["derive", "--method", m] for m in ("lagrange", "hamilton", "newton-euler")]
            self.assert_refused(text, "")
            for command in methods:
                result = visviva(command[0], self.write(text), *command[1:])
                self.assertIn(result.returncode, (0, 1), result.stderr)

    def test_powers_that_have_no_value_are_not_written_as_numbers(self):
        for motion in "1 m/(t/(1 s))", "1 m*sqrt(t/(1 s) - 1)", "1 m*log(t/(1 s))":
            model = self.write(f"model i\nspecified s(t) = {motion}\ncoordinate x = 1 m\nparticle Q at No + x*N.x + s*N.y, mass 1 kg\n"
                               "specified r(t) = 2*s\nparticle R at No + r*N.z + x*N.x, mass 1 kg\nstudy until 1 s\n")
            for command in "energy", "check", "evaluate", "interactions":
                for result in visviva(command, model), visviva(command, model, "--json"):
                    self.assertNotRegex(result.stdout, r"(?i)(?<![\w.])-?(nan|inf)\b", (motion, command))

    def test_a_start_that_is_no_number_is_the_models_mistake(self):
        for factor in "cosh(1000*x/(1 m))", "sqrt(x/(1 m) - 2)", "1/(t/(1 s))":
            self.assert_refused(f"model j\ncoordinate x = 1 m, y = 1 m\nparticle Q at No + x*N.x + y*N.y, mass 1 kg\n"
                                f"speed u = (2 + {factor})*x', w = y'\nstudy until 1 s\n", "", ["simulate"], ["report"])

    def test_energies_that_overflow(self):
        # K0 = m x'^2/2 = 5e311 J, beyond 1.8e308.
        text = ("model c\nparameter m = 1e308 kg\nspecified x(t) = 1 m/s^2*t^2 + 100 m/s*t\ncoordinate y = 1 m\n"
                "particle Q at No + x*N.x + y*N.y, mass m\nstudy until 1 s\n")
        self.assert_refused(text, "K is beyond the range of numbers", ["evaluate"])
        self.assert_refused(text, "is beyond the range of numbers", ["simulate"], status=3)

    def test_a_small_mass_beside_a_large_one_is_a_mass(self):
        text = ("model d\nparameter mE = 5.972e24 kg, ms = 1000 kg, G = 6.674e-11 m^3/kg/s^2\n"
                "coordinate x = 0 m, y = 0 m, xs = 7e6 m, ys = 0 m, ys' = 7500 m/s\n"
                "particle E at No + x*N.x + y*N.y, mass mE\nparticle S at No + xs*N.x + ys*N.y, mass ms\n"
                "potential V = -G*mE*ms/magnitude(S - E)\n")
        result = visviva("evaluate", self.write(text), "--json")
        found = json.loads(result.stdout)
        self.assertEqual(found["warnings"], [])
        self.assertAlmostEqual(found["accelerations"]["xs''"], -6.674e-11 * 5.972e24 / 7e6**2, delta=1e-12)
        # Relative coordinates couple both masses.
        relative = text.replace("No + xs*N.x + ys*N.y", "E + xs*N.x + ys*N.y")
        self.assertEqual(json.loads(visviva("check", self.write(relative), "--json").stdout)["warnings"], [])

    def test_what_has_no_inertia_is_still_told(self):
        pole = ("model e\nparameter m = 1 kg, L = 1 m\ncoordinate th = 180 deg, ph = 0 rad\n"
                "particle Q at No + L*(sin(th)*(cos(ph)*N.x + sin(ph)*N.y) - cos(th)*N.z), mass m\n")
        light = "model f\nparameter m = 1 kg\ncoordinate x = 0 m, q = 0 rad\nframe B = rotate(N, z, q)\nparticle Q at No + x*N.x, mass m\n"
        for text, name, way_out in (pole, "ph'", "start beside it, or choose others"), (light, "q'", "give what moves there a mass or an inertia"):
            warnings = json.loads(visviva("check", self.write(text), "--json").stdout)["warnings"]
            told = [w for w in warnings if w["code"] == "W-massless-direction"]
            self.assertEqual([name in w["message"] for w in told], [True], warnings)
            self.assertIn(way_out, told[0]["help"])

    def test_a_moment_of_inertia_alone_is_refused_with_what_to_write(self):
        text = ("model g\nparameter J = 2 kg*m^2\ncoordinate q = 0 rad\nframe B = rotate(N, z, q)\n"
                "body B at No, mass 1 kg, inertia {}\ntorque T on B = 3 N*m*N.z\n")
        result = visviva("check", self.write(text.format("0, 0, J")), "--json")
        self.assertIn("J/2, J/2, J", json.loads(result.stdout)["errors"][0]["help"])
        found = json.loads(visviva("evaluate", self.write(text.format("J/2, J/2, J")), "--json").stdout)
        self.assertAlmostEqual(found["accelerations"]["q''"], 1.5, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
