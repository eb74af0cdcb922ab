"""Random small mechanisms through every command, each written in two parametrisations: both have the same accelerations, energies,
verdicts, roles of loads, modes, reactions and interactions; what exits with 0 holds no NaN; every verdict of `energy` is tried by a run. The printed
M u' = f and the exported Python give the accelerations of `evaluate`.

VISVIVA_RANDOM_MODELS says how many (100), VISVIVA_RANDOM_SEED with which seed to start (1). A failure names its seed: that seed with
one model repeats it, and VISVIVA_RANDOM_KEEP=FOLDER keeps its models there."""

import concurrent.futures
import contextlib
import csv
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    numpy = None

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src/visviva/app/cli")]

from mechanism import make_mechanism, write_model  # noqa: E402
from program import python_of, visviva, FUNCTIONS  # noqa: E402

COUNT = int(os.environ.get("VISVIVA_RANDOM_MODELS", "100"))
FIRST = int(os.environ.get("VISVIVA_RANDOM_SEED", "1"))
KEEP = os.environ.get("VISVIVA_RANDOM_KEEP")
WORKERS = int(os.environ.get("VISVIVA_RANDOM_WORKERS", "2"))
REPORT_EVERY = 20

ROUNDING = 1e-8    # of what is solved for at one state
ALONG = 1e-6       # of states after half a second, at a tolerance of 1e-11 a step
CONSTANT = 1e-7    # how far a constant may wander in a run, of the energies that move
MOVED = 1e-9       # how far what is not constant moves at least
CURVED = ("polar", "tangent", "sinh")  # coordinates whose own curvature makes A change
METHODS = ("kane", "lagrange", "hamilton", "newton-euler")
VERDICTS = ("kind", "bodies", "invariant", "breaks", "invariant_with_ground", "breaks_with_ground", "holonomic", "integrable", "one_sided")
CLASSICAL = ("E_Z", "E", "H", "hamiltonian", "C", "mechanical_energy")


def refuse_constant(text):
    raise ValueError(f"{text} in JSON")


class Wrong(Exception):
    """What a mechanism does not fulfil."""


class Model:
    """One parametrisation of a mechanism, and what the program says about it."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.evaluated = {}

    def ask(self, command, *arguments, good=(0,)):
        """The program's JSON answer and exit status; both are checked."""
        result = visviva(command, self.path, "--json", *arguments)
        words = f"{command} {' '.join(map(str, arguments))} of {self.path.name} ({self.name})"
        if result.returncode not in good:
            raise Wrong(f"{words} exits with {result.returncode}:\n{result.stdout[-1500:]}{result.stderr[-1500:]}")
        try:
            return json.loads(result.stdout, parse_constant=refuse_constant), result.returncode
        except ValueError as error:
            raise Wrong(f"{words}: {error}\n{result.stdout[-1500:]}") from error

    def say(self, command, *arguments):
        """The program's text, without NaN."""
        result = visviva(command, self.path, *arguments)
        if result.returncode != 0:
            raise Wrong(f"{command} {arguments} of {self.path.name} ({self.name}) exits with {result.returncode}:\n{result.stderr[-1500:]}")
        found = re.search(r"(?i)(?<![\w.])[-+]?(nan|inf)(?!\w)", result.stdout)
        if found:
            raise Wrong(f"{command} {arguments} of {self.path.name} ({self.name}) prints {found[0]}")
        return result.stdout


def numbers_in(value):
    """All numbers of a JSON value, in order."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [float(value)]
    return [x for part in (value.values() if isinstance(value, dict) else value) for x in numbers_in(part)]


def expect_near(what, first, second, tolerance, scale=None):
    a, b = numbers_in(first), numbers_in(second)
    if len(a) != len(b):
        raise Wrong(f"{what}: {first} and {second}")
    size = max([abs(x) for x in a + b] + [1.0]) if scale is None else scale
    worst = max([abs(x - y) for x, y in zip(a, b)], default=0.0)
    if not worst <= tolerance * size:
        raise Wrong(f"{what} differ by {worst:g}:\n{first}\n{second}")


def expect_same_spectrum(what, first, second, tolerance):
    """Pairs each eigenvalue with the nearest that is left."""
    left = [complex(*x) for x in second]
    if len(first) != len(left):
        raise Wrong(f"{what}: {len(first)} and {len(left)} eigenvalues:\n{first}\n{second}")
    size = max([abs(x) for x in left] + [1.0])
    for x in (complex(*x) for x in first):
        nearest = min(left, key=lambda y: abs(x - y))
        if not abs(x - nearest) <= tolerance * size:
            raise Wrong(f"{what}: {x} is not among\n{left}\nall of them: {first}\n{second}")
        left.remove(nearest)


class Trial:
    """One mechanism in two parametrisations, through every command."""

    def __init__(self, seed, folder):
        self.seed, self.folder = seed, pathlib.Path(folder)
        self.mechanism = make_mechanism(seed)
        self.models = []
        for stream in (1, 2):
            text, name = write_model(self.mechanism, stream)
            path = self.folder / f"model_{seed}_{stream}.viva"
            path.write_text(text, encoding="utf-8")
            self.models.append(Model(path, name))

    def both(self, command, *arguments, good=(0,)):
        return [model.ask(command, *arguments, good=good)[0] for model in self.models]

    def run(self):
        self.try_check()
        self.try_evaluate()
        self.try_derivations()
        self.try_interactions()
        self.try_runs(self.try_energy())
        self.try_linearize()
        self.try_export()
        self.try_text()
        if self.seed % REPORT_EVERY == 0:
            self.try_report()

    def one(self):
        """The model whose turn it is, where one of both is enough."""
        return self.models[self.seed // 4 % 2]

    def other(self):
        return self.models[(self.seed // 4 + 1) % 2]

    def try_check(self):
        first, second = self.both("check")
        for what in ("degrees_of_freedom", "accessible_dimension"):
            if first[what] != second[what]:
                raise Wrong(f"{what}: {first[what]} and {second[what]}")

    def try_derivations(self):
        latex = ("--format", "latex") if self.seed % 3 == 0 else ()
        self.one().say("derive", "--method", METHODS[self.seed % 4], *latex)
        for model in self.models:
            self.try_equations(model, METHODS[(self.seed + 1) % 4])
        for model in self.models:
            proof, _ = model.ask("prove")
            if proof["verdict"] != "equal":
                raise Wrong(f"prove says {proof['verdict']} of {model.name}: {proof['evidence']}")

    def try_equations(self, model, method):
        """M u' = f as it is printed, with the accelerations that `evaluate` finds. What is driven has no numbers here."""
        printed, _ = model.ask("derive", "--method", method)
        if self.mechanism.has_drive:
            return
        scope = {python_of(name): value for name, value in model.evaluated["state"].items()}
        scope |= {**FUNCTIONS, "sign": lambda x: (x > 0) - (x < 0)}
        for name, value in re.findall(r"^parameter (\w+) = (\S+)", model.path.read_text(encoding="utf-8"), re.MULTILINE):
            scope[name] = float(value)
        for z in printed["intermediates"]:
            with contextlib.suppress(NameError):  # some are of momenta, which are not in the state
                scope[python_of(z["name"])] = value_of(z["expression"], scope)
        rates = model.evaluated["accelerations"]
        for row, forcing in zip(printed["mass_matrix"], printed["forcing"]):
            terms = [value_of(m, scope) * rates[u] for m, u in zip(row, printed["independent_speeds"])]
            left, right = sum(terms), value_of(forcing, scope)
            expect_near(f"an equation of {method} for {model.name}", left, right, ROUNDING, max(map(abs, [*terms, right, 1.0])))

    def try_interactions(self):
        first, second = ({i["name"]: i for i in answer["interactions"]} for answer in self.both("interactions"))
        for model, interactions in zip(self.models, (first, second)):
            self.try_laws_of_motion(model, interactions)
        if first.keys() != second.keys():
            raise Wrong(f"interactions: {sorted(first)} and {sorted(second)}")
        for name, a in first.items():
            b = second[name]
            for what in VERDICTS:
                if a.get(what) != b.get(what):
                    raise Wrong(f"interaction {name}: {what} is {a.get(what)} and {b.get(what)}: {self.models[0].name} | {self.models[1].name}")
            if a["on"].keys() != b["on"].keys():
                raise Wrong(f"interaction {name}: on {sorted(a['on'])} and {sorted(b['on'])}")
            for body, share in a["on"].items():
                expect_near(f"{name} on {body}", share, b["on"][body], ROUNDING)
            expect_near(f"sums of {name}", a["third_law"], b["third_law"], ROUNDING)
            expect_near(f"time of {name}", a["time"], b["time"], ROUNDING)

    def try_laws_of_motion(self, model, interactions):
        """Newton's and Euler's laws of all that hangs on each joint: what acts on it and the joint's reaction give the rates of momentum
        and, about the joint, of angular momentum."""
        outputs = model.evaluated["outputs"]

        def vector(letter, k):
            return [outputs[f"{letter}{k}{axis}"] for axis in "xyz"]

        for joint in range(1, len(self.mechanism.bodies) + 1):
            reaction = model.evaluated["reactions"].get(f"J{joint}", {"force": [None] * 3, "moment": [None] * 3})
            parts = {"force": [reaction["force"]], "moment": [reaction["moment"]]}
            rates = {"force": [], "moment": []}
            for k in self.mechanism.list_hanging(joint):
                arm = [a - b for a, b in zip(vector("r", k), vector("j", joint))]
                for share in (i["on"][f"B{k}"] for i in interactions.values() if f"B{k}" in i["on"]):
                    parts["force"].append(share["force"])
                    parts["moment"] += [share["moment"], cross(arm, share["force"])]
                force, torque = find_inertia_force(self.mechanism.bodies[k - 1], k, outputs, vector)
                rates["force"].append(force)
                rates["moment"] += [torque, cross(arm, force)]
            for what, list_of in parts.items():
                for axis in range(3):
                    acting = [part[axis] for part in list_of]
                    if None in acting:
                        continue
                    moving = [part[axis] for part in rates[what]]
                    size = max(map(abs, acting + moving + [1.0]))
                    expect_near(f"{what} {axis} at J{joint} of {model.name}", sum(acting), sum(moving), ROUNDING, size)

    def try_text(self):
        """One of the commands whose JSON was read, as people see it."""
        self.one().say(("check", "evaluate", "energy", "interactions", "linearize", "prove")[self.seed % 6])

    def try_evaluate(self):
        first, second = self.both("evaluate")
        for model, answer in zip(self.models, (first, second)):
            model.evaluated = answer
        expect_near("outputs", first["outputs"], second["outputs"], ROUNDING)
        for name in set(first["reactions"]) & set(second["reactions"]):
            expect_near(f"reaction {name}", first["reactions"][name], second["reactions"][name], ROUNDING)
        expect_near("multipliers", first["multipliers"], second["multipliers"], ROUNDING)
        names = ["K"]
        if not self.mechanism.is_constrained:
            names += ["K0", "K1", "K2", "sigma", "sigma_R"]
        if not self.mechanism.has_drive:
            names.append("P_nonconservative")
        if self.mechanism.has_own_zeros:
            names += ["U", "C"]
        for name in names:
            expect_near(name, first["energies"][name], second["energies"][name], ROUNDING)

    def try_energy(self):
        first, second = self.both("energy")
        if first["potential_energy_exists"] != second["potential_energy_exists"]:
            raise Wrong(f"potential_energy_exists: {first['potential_energy_exists']}, {second['potential_energy_exists']}")
        verdicts = [{i["name"]: (i["constant"], i["scope"]) for i in answer["integrals"] if i["name"] in CLASSICAL}
                    for answer in (first, second)]
        # Of what is driven and constrained, K2 and K0 depend on the choice of independent speeds.
        chosen = self.mechanism.is_constrained and self.mechanism.has_drive
        for name in ("C", "mechanical_energy") if chosen else CLASSICAL:
            if verdicts[0].get(name) != verdicts[1].get(name):
                raise Wrong(f"{name} is {verdicts[0].get(name)} or {verdicts[1].get(name)}: {self.models[0].name} | {self.models[1].name}")
        self.try_loads("role", *({load["name"]: load["role"] for load in answer["loads"]} for answer in (first, second)))
        self.try_loads("effect", *({row["source"]: row["effect"] for row in answer["ledger"]} for answer in (first, second)))
        return first, second

    def try_loads(self, what, first, second):
        for name in first.keys() | second.keys():
            if first.get(name) != second.get(name):
                raise Wrong(f"{what} of {name}: {first.get(name)} or {second.get(name)}: {self.models[0].name} | {self.models[1].name}")

    def try_runs(self, energies):
        finals = []
        for model, energy in zip(self.models, energies):
            out = self.folder / f"run_{model.path.stem}"
            answer, status = model.ask("simulate", "--out", out, good=(0, 3))
            if status == 3:
                if not answer["reason"]:
                    raise Wrong(f"a run of {model.name} is refused without a reason")
                continue
            rows = read_rows(out / "trajectory.csv")
            self.try_verdicts(model, energy, answer, rows)
            finals.append({k: rows[-1][k] for k in rows[-1] if k[0] in "rvwo" and k[1:2].isdigit()})
        if len(finals) == 2:
            expect_near("places and velocities at the end", *finals, ALONG)

    def try_verdicts(self, model, energy, answer, rows):
        sizes = [abs(row["E_Z"]) for row in rows] + [abs(x["start"]) + x["max_deviation"] for x in answer["energies"].values()]
        size = max(sizes + [1e-3])
        for integral in energy["integrals"]:
            name = integral["name"]
            if name in answer["energies"]:
                moved = answer["energies"][name]["max_deviation"]
            elif integral["constant"] == "not defined" or integral["expression"] is None:
                continue
            else:
                values = values_along(integral["expression"], energy["intermediates"], rows)
                if values is None:
                    continue
                moved = max(abs(x - values[0]) for x in values)
            if integral["constant"] is True and not moved <= CONSTANT * size:
                raise Wrong(f"{name} of {model.name} is called constant and moves by {moved:g} of {size:g}")
            if integral["constant"] is False and not moved >= MOVED * size:
                raise Wrong(f"{name} of {model.name} is called not constant and moves by {moved:g} of {size:g} only")

    def try_linearize(self):
        first, second = self.both("linearize")
        is_told = self.mechanism.is_even or not any(word in model.name for model in self.models for word in CURVED)
        if is_told and (first["steady"] != second["steady"] or (self.mechanism.is_even and not first["steady"])):
            raise Wrong(f"steady: {first['steady']} and {second['steady']}: {self.models[0].name} | {self.models[1].name}")
        if first["steady"] and second["steady"]:
            expect_same_spectrum("modes", first["eigenvalues"], second["eigenvalues"], 1e-6)
        if self.mechanism.has_drive:
            return
        places = [model.ask("evaluate", "--equilibrium", good=(0, 3)) for model in self.models]
        if any(status for _, status in places):
            return
        first, second = ([v for k, v in answer["outputs"].items() if re.match(r"[ro]\d", k)] for answer, _ in places)
        if max(abs(a - b) for a, b in zip(first, second, strict=True)) > 1e-7:
            return  # two places of rest
        modes = [model.ask("linearize", "--equilibrium", good=(0, 3)) for model in self.models]
        if not any(status for _, status in modes):
            expect_same_spectrum("modes of rest", *(answer["eigenvalues"] for answer, _ in modes), 1e-5)

    def try_export(self):
        for k, model in enumerate(self.models):
            language, suffix = (("c", "c"), ("python", "py"), ("matlab", "m"))[(self.seed + k) % 3]
            result = visviva("export", model.path, "--as", language, "--out", model.path.with_suffix("." + suffix))
            if result.returncode != 0:
                raise Wrong(f"export --as {language} of {model.name} exits with {result.returncode}: {result.stderr[-1500:]}")
            if language == "python" and numpy is not None:
                self.try_module(model)

    def try_module(self, model):
        """The exported file gives the accelerations that `evaluate` finds."""
        module = {}
        exec(model.path.with_suffix(".py").read_text(encoding="utf-8"), module)  # pylint: disable=exec-used
        rates = dict(zip(module["STATE_NAMES"], module["rates"](0.0, module["START_STATE"])))
        names = [name for name in rates if name in model.evaluated["accelerations"]]
        if not names:
            raise Wrong(f"the exported file of {model.name} has no speeds: {list(rates)}")
        expect_near(f"rates of the exported {model.name}", [float(rates[n]) for n in names],
                    [model.evaluated["accelerations"][n] for n in names], ROUNDING)

    def try_report(self):
        for model in self.models:
            out = model.path.with_suffix(".html")
            result = visviva("report", model.path, "--out", out)
            if result.returncode not in (0, 3) or not out.exists():
                raise Wrong(f"report of {model.name} exits with {result.returncode}: {result.stderr[-1500:]}")


def is_open(name, row):
    """Whether NaN may stand there: a reaction that is not determined, or the multiplier of a condition that holds by itself, which has none.
    Across the condition's direction its reaction is zero."""
    subject = re.sub(r"^multiplier", "reaction", name)
    return name.startswith("reaction(") or (
        subject != name and any(math.isnan(row[f"{subject}.{axis}"]) for axis in "xyz"))


def read_rows(path):
    """The rows of a trajectory, by names; NaN stands only for what is_open()."""
    with open(path, encoding="utf-8", newline="") as file:
        file.readline()
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    for row in rows:
        for name, value in row.items():
            if not math.isfinite(value) and not is_open(name, row):
                raise Wrong(f"{name} is {value} in {path} at t = {row['t']}")
    return rows


def cross(a, b):
    if None in a or None in b:
        return [None] * 3
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def find_inertia_force(body, k, outputs, vector):
    """m a, and I alpha + w x I w about the mass center, in N."""
    xx, yy, zz, xy, yz, zx = body.inertia
    axes = [[outputs[f"o{k}{a}{b}"] for b in "xyz"] for a in "xyz"]  # of the body, in N

    def times_inertia(v):
        own = [sum(a * b for a, b in zip(axis, v)) for axis in axes]
        result = [sum(a * b for a, b in zip(row, own)) for row in ((xx, xy, zx), (xy, yy, yz), (zx, yz, zz))]
        return [sum(x * axis[i] for x, axis in zip(result, axes)) for i in range(3)]

    w = vector("w", k)
    torque = [a + b for a, b in zip(times_inertia(vector("e", k)), cross(w, times_inertia(w)))]
    return [body.mass * a for a in vector("a", k)], torque


def value_of(expression, scope):
    return eval(python_of(expression), {"__builtins__": {}}, scope)  # pylint: disable=eval-used


def values_along(expression, intermediates, rows):
    """An expression's values in all rows, or None where it holds what rows do not have."""
    values = []
    for row in rows:
        names = {python_of(name): value for name, value in row.items()}
        scope = {**FUNCTIONS, "sign": lambda x: (x > 0) - (x < 0), "abs": abs, **names}
        try:
            for i in intermediates:
                scope[python_of(i["name"])] = value_of(i["expression"], scope)
            values.append(value_of(expression, scope))
        except NameError:
            return None
    return values


def try_seed(seed):
    """None, or what is wrong with the mechanism of that seed."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(seed, KEEP or folder)
        try:
            trial.run()
        except Wrong as error:
            return f"seed {seed}: {error}"
        except (KeyError, TypeError, ArithmeticError) as error:
            return f"seed {seed}: {type(error).__name__}: {error}"
    return None


class RandomModels(unittest.TestCase):
    def test_every_command_says_the_same_of_both_parametrisations(self):
        print(f"{COUNT} mechanisms from seed {FIRST}", flush=True)
        seeds = range(FIRST, FIRST + COUNT)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            failures = [failure for failure in pool.map(try_seed, seeds) if failure]
        self.assertFalse(failures, "\n\n".join(failures))


if __name__ == "__main__":
    unittest.main()
