"""Model: a mechanism as its user describes it, and all that can be asked of it.

A model is a text of the model language. It is loaded, parsed, or written here statement by statement;
every verb reads the text anew, so that an answer depends on nothing but the text and the values given.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from .errors import UsageError
from .language import (Frame, Line, Orientation, Point, Position, Scalar, ScalarLike, Solid, Vector,
                       check_name, quoted, scalar, text_of, vector)
from .results import (Energies, Equations, Evaluation, Export, Integrals, Interactions,
                      Linearization, Proof, Report, Result, Summary)
from .run import Progress, Run, run_system
from .system import System
from .words import Settings, ask, value_text

Value = Union[Scalar, Vector, Position]


class Model:
    """A mechanism. `str(model)` is its text in the model language."""

    newtonian = Frame("N")
    time = Scalar("t")

    def __init__(self, name: str = "model", doc: str = "") -> None:
        self._statements = [_with_doc(f"model {check_name(name)}", doc)]
        self._file = f"{name}.viva"
        self._settings = Settings()

    # ---- Text, values

    @property
    def text(self) -> str:
        """The model in the model language."""
        return "\n".join(self._statements) + "\n"

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self.check().model)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<visviva.Model from {self._file}, {self.text.count(chr(10))} lines>"

    def _repr_html_(self) -> str:
        from .notebook import text_html
        return text_html(self.text)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Model) and self.text == other.text
                and self._file == other._file and self._settings == other._settings)

    def __hash__(self) -> int:
        return hash((self.text, self._file))

    def copy(self) -> "Model":
        """A model that can be changed without this one."""
        made = Model.__new__(Model)
        made._statements = list(self._statements)
        made._file, made._settings = self._file, self._settings
        return made

    def with_(self, values: Optional[Mapping[str, Any]] = None, *, case: Optional[str] = None,
              tables: Sequence[str] = (), integrate_constraints: Optional[bool] = None,
              **named: Any) -> "Model":
        """The model with other values of parameters, start values, inputs and specified functions, or
        with one of its cases.

            model.with_(L="0.7 m", theta=0.3)
            model.with_({"theta'": "2 rad/s"}, case="rigid")
        """
        made = self.copy()
        made._settings = self._settings.changed(
            {**(values or {}), **named}, case, tables, integrate_constraints)
        return made

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the text into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def statement(self, text: str) -> "Model":
        """Adds a statement as the language has it, for what has no method here."""
        if not isinstance(text, str) or not text.strip():
            raise UsageError("a statement is a text")
        self._statements.append(text.rstrip("\n"))
        return self

    def _add(self, text: str, doc: str = "") -> None:
        if "\n" in text or "\r" in text:
            raise UsageError(f"a line break within a statement: {text!r}")
        self._statements.append(_with_doc(text, doc))

    # ---- Scalars

    def _scalar(self, keyword: str, name: str, value: Any, doc: str) -> Scalar:
        self._add(f"{keyword} {check_name(name)}" + ("" if value is None else f" = {text_of(value)}"),
                  doc)
        return Scalar.name(name)

    def parameter(self, name: str, value: Optional[ScalarLike] = None, doc: str = "") -> Scalar:
        """A constant: model.parameter("L", "0.5 m")."""
        return self._scalar("parameter", name, value, doc)

    def specified(self, name: str, definition: Optional[ScalarLike] = None, doc: str = "") -> Scalar:
        """A known function of time."""
        text = "" if definition is None else f" = {text_of(definition)}"
        self._add(f"specified {check_name(name)}(t){text}", doc)
        return Scalar.name(name)

    def input(self, name: str, value: Optional[ScalarLike] = None, doc: str = "") -> Scalar:
        """A quantity from outside, such as a motor's torque; constant in a run."""
        return self._scalar("input", name, value, doc)

    def coordinate(self, name: str, start: Optional[ScalarLike] = None,
                   start_rate: Optional[ScalarLike] = None, guess: bool = False,
                   doc: str = "") -> Scalar:
        """A coordinate with its start value, which moves first where it is a guess."""
        text = f"coordinate {check_name(name)}"
        if start is not None:
            text += f" = {'about ' if guess else ''}{text_of(start)}"
        elif guess:
            raise UsageError("a guess needs a start value")
        if start_rate is not None:
            text += f", {name}' = {text_of(start_rate)}"
        self._add(text, doc)
        return Scalar.name(name)

    def speed(self, name: str, definition: Optional[ScalarLike] = None, doc: str = "") -> Scalar:
        """A generalized speed, linear in the rates; without a definition a free one, for a spin."""
        return self._scalar("speed", name, definition, doc)

    def state(self, name: str, start: ScalarLike = 0, law: Optional[ScalarLike] = None,
              doc: str = "") -> Scalar:
        """A first-order state with its law; without one it is held, and changed by samples."""
        text = f"state {check_name(name)} = {text_of(start)}"
        self._add(text + (" held" if law is None else f", {name}' = {text_of(law)}"), doc)
        return Scalar.name(name)

    def sample(self, every: ScalarLike, changes: Mapping[str, ScalarLike]) -> None:
        """Gives inputs and held states new values at equal times."""
        listed = ", ".join(f"{text_of(n)} = {text_of(v)}" for n, v in changes.items())
        self._add(f"sample every {text_of(every)}: {listed}")

    def unknown(self, name: str, doc: str = "") -> Scalar:
        """A force that nobody gave: it must drop out or be solved for."""
        return self._scalar("unknown", name, None, doc)

    def start(self, quantity: Any, value: Any) -> None:
        """The start value of a speed, or of a quantity of motion."""
        self._add(f"start {text_of(quantity)} = {text_of(value)}")

    def dependent(self, *speeds: Any) -> None:
        """The speeds that constraints determine."""
        self._add("dependent " + ", ".join(text_of(s) for s in speeds))

    def let(self, name: str, value: Value, doc: str = "") -> Any:
        """A name for a scalar, vector or point; what it returns is one."""
        self._add(f"let {check_name(name)} = {text_of(value)}", doc)
        if isinstance(value, Position):
            return Point(name)
        return Vector(name) if isinstance(value, Vector) else Scalar(name)

    def function(self, name: str, arguments: Sequence[str],
                 definition: Optional[ScalarLike] = None) -> Callable[..., Scalar]:
        """A function of one's own, to be called with scalars; without a definition for derivations."""
        listed = ", ".join(check_name(a) for a in arguments)
        self._add(f"function {check_name(name)}({listed})"
                  + ("" if definition is None else f" = {text_of(definition)}"))
        return lambda *values: Scalar.call(name, *values)

    # ---- Geometry

    def frame(self, name: str, orientation: Orientation, doc: str = "") -> Frame:
        """A frame: model.frame("A", rotate(N, "z", theta))."""
        if not isinstance(orientation, Orientation):
            raise UsageError(f"expected rotate(...) or its like, found {orientation!r}")
        self._add(f"frame {check_name(name)} = {orientation.text}", doc)
        return Frame(name)

    def point(self, name: str, at: Position, doc: str = "") -> Point:
        """A point."""
        self._add(f"point {check_name(name)} = {_place(at)}", doc)
        return Point(name)

    def particle(self, name: str, at: Position, mass: ScalarLike, doc: str = "") -> Point:
        """A particle, which is a point too."""
        self._add(f"particle {check_name(name)} at {_place(at)}, mass {text_of(mass)}", doc)
        return Point(name)

    def body(self, frame: Union[Frame, str], at: Position, mass: ScalarLike,
             inertia: Optional[Sequence[ScalarLike]] = None, solid: Optional[Solid] = None,
             shape: Optional[Solid] = None, doc: str = "") -> Point:
        """A body that moves with a frame and has its name. `inertia`: Ixx, Iyy, Izz[, Ixy, Iyz, Izx]
        about the mass center, or a solid gives it; `shape` is for the picture only. Returns the mass
        center."""
        name = frame.text if isinstance(frame, Frame) else check_name(frame)
        if (inertia is None) == (solid is None):
            raise UsageError(f"body {name}: give either inertia or a solid")
        text = f"body {name} at {_place(at)}, mass {text_of(mass)}, "
        if solid is not None:
            text += solid.text
        else:
            text += "inertia " + ", ".join(text_of(i) for i in inertia or ())
        if shape is not None:
            text += f", shape {shape.text}"
        self._add(text, doc)
        return Point(f"{name}cm")

    # ---- Fields and lines

    def field(self, name: str, over: str, from_: ScalarLike, to: ScalarLike, doc: str = "") -> Scalar:
        """A coordinate for every place: model.field("w", "x", "0 m", L); its variable is Scalar("x")."""
        self._add(f"field {check_name(name)}({check_name(over)}) from {text_of(from_)} to {text_of(to)}", doc)
        return Scalar(name)

    def line(self, name: str, at: Position, mass: ScalarLike, doc: str = "", *clauses: str) -> Line:
        """A material line, mass per length; `clauses` are as in the language: "rotary J about A.z by d(w, x)",
        "moving v". Called with a place it is the point there."""
        text = ", ".join([f"line {check_name(name)} at {_place(at)}", f"mass {text_of(mass)}", *clauses])
        self._add(text, doc)
        return Line(name)

    def fix(self, field: Scalar, at: ScalarLike, value: ScalarLike) -> None:
        """Holds a field, or its slope, at a place."""
        self._add(f"fix {text_of(field)} at {text_of(at)} = {text_of(value)}")

    def discretize(self, field: Scalar, how: str) -> None:
        """How a field becomes coordinates: "elements 20", "elements 3, linear", "modes 6"."""
        self._add(f"discretize {text_of(field)}, {how}")

    # ---- Forces

    def gravity(self, acceleration: Vector) -> None:
        """Uniform gravity on every particle and body."""
        self._add(f"gravity {vector(acceleration).text}")

    def force(self, name: str, on: Position, value: Vector, from_: Optional[Position] = None,
              body: Optional[Frame] = None, doc: str = "") -> None:
        """A force on a point, from another where there is an opposite one; `body` names whose material
        point it is."""
        where = _place(on) if body is None else f"{body.text} at {_place(on)}"
        source = "" if from_ is None else f" from {_place(from_)}"
        self._add(f"force {check_name(name)} on {where}{source} = {vector(value).text}", doc)

    def torque(self, name: str, on: Frame, value: Vector, from_: Optional[Frame] = None,
               doc: str = "") -> None:
        """A torque on a body or frame, from another where there is an opposite one."""
        source = "" if from_ is None else f" from {from_.text}"
        self._add(f"torque {check_name(name)} on {on.text}{source} = {vector(value).text}", doc)

    def _between(self, on: Any, from_: Any, to: Any) -> str:
        if on is not None and from_ is None and to is None:
            return f"on {text_of(on)}"
        if on is None and from_ is not None and to is not None:
            return f"from {_place(from_)} to {_place(to)}"
        raise UsageError("give either `on`, or `from_` and `to`")

    def spring(self, name: str, stiffness: ScalarLike, rest: ScalarLike = 0,
               on: Optional[ScalarLike] = None, from_: Optional[Position] = None,
               to: Optional[Position] = None, doc: str = "") -> None:
        """A spring between two points, or on a coordinate."""
        self._add(f"spring {check_name(name)} {self._between(on, from_, to)}, "
                  f"stiffness {text_of(stiffness)}, rest {text_of(rest)}", doc)

    def damper(self, name: str, rate: ScalarLike, on: Optional[ScalarLike] = None,
               from_: Optional[Position] = None, to: Optional[Position] = None,
               doc: str = "") -> None:
        """A damper between two points, or on a coordinate."""
        self._add(f"damper {check_name(name)} {self._between(on, from_, to)}, rate {text_of(rate)}",
                  doc)

    def potential(self, name: str, value: ScalarLike, over: str = "", doc: str = "") -> None:
        """A potential energy; with `over`, per length of a line."""
        along = f" over {check_name(over)}" if over else ""
        self._add(f"potential {check_name(name)}{along} = {text_of(value)}", doc)

    def dissipation(self, name: str, value: ScalarLike, doc: str = "") -> None:
        """A dissipation function of the rates."""
        self._add(f"dissipation {check_name(name)} = {text_of(value)}", doc)

    # ---- Constraints

    def constraint(self, name: str, vanishing: Union[Scalar, Vector], doc: str = "") -> None:
        """A scalar or vector that vanishes."""
        label = f"{check_name(name)}: " if name else ""
        self._add(f"constraint {label}{text_of(vanishing)} = 0", doc)

    def roll(self, name: str, body: Frame, on: Frame, at: Position, doc: str = "") -> None:
        """Rolling: the material points of both bodies at that place have equal velocities."""
        self._add(f"roll {check_name(name)}: {body.text} on {on.text} at {_place(at)}", doc)

    def lock(self, coordinate: Scalar) -> None:
        """A coordinate keeps its start value."""
        self._add(f"lock {text_of(coordinate)}")

    def auxiliary(self, name: str, along: Vector, at: Position) -> Scalar:
        """An auxiliary speed, which brings a constraint force into evidence."""
        self._add(f"auxiliary {check_name(name)} along {vector(along).text} at {_place(at)}")
        return Scalar.name(name)

    # ---- Results, runs

    def output(self, name: str, value: Any = None, doc: str = "") -> Any:
        """A column of runs: a result by name, or a formula with a name of its own."""
        self._add(f"output {name}" if value is None
                  else f"output {check_name(name)} = {text_of(value)}", doc)
        return Vector(name) if isinstance(value, Vector) else Scalar(name)

    def plot(self, *values: Any, over: Any = None) -> None:
        """What the page plots; against time, or over something else."""
        listed = ", ".join(text_of(v) for v in values)
        self._add(f"plot {listed}" + ("" if over is None else f" over {text_of(over)}"))

    def event(self, name: str, vanishing: ScalarLike, stop: bool = False) -> None:
        """An event where a scalar passes zero."""
        self._add(f"event {check_name(name)} when {text_of(vanishing)} = 0"
                  + (", stop" if stop else ""))

    def claim(self, text: str) -> None:
        """Something that the model's author says is true: model.claim("constant H")."""
        self._add(f"claim {text}")

    def study(self, until: Optional[ScalarLike] = None, every: Optional[ScalarLike] = None,
              tolerance: Optional[ScalarLike] = None, energy: Optional[ScalarLike] = None) -> None:
        """How to run the model."""
        words = {"until": until, "every": every, "tolerance": tolerance, "energy": energy}
        units = {"until": "s", "every": "s", "tolerance": "", "energy": "J"}
        self._add("study " + ", ".join(f"{word} {value_text(value, units[word])}"
                                       for word, value in words.items() if value is not None))

    def case(self, name: str, changes: Optional[Mapping[str, Any]] = None,
             lock: Iterable[Any] = (), doc: str = "") -> None:
        """A case: other values, and coordinates that are locked."""
        parts = [f"lock {text_of(c)}" for c in lock]
        parts += [f"{n} = {text_of(v)}" for n, v in (changes or {}).items()]
        self._add(f"case {check_name(name)} {quoted(doc) if doc else ''}: {', '.join(parts)}")

    # ---- Answers

    def _ask(self, command: str, *options: str) -> Tuple[Dict[str, Any], str]:
        return ask(command, self.text, self._file, self._settings, options)

    def check(self, strict: bool = False) -> Summary:
        """What the model is: coordinates, degrees of freedom, loads, warnings. ModelError when it is
        wrong; with `strict`, when a claim cannot be decided too."""
        return Summary(*self._ask("check", *(["--strict"] if strict else [])))

    def equations(self, method: str = "kane") -> Equations:
        """The equations of motion by "kane", "lagrange", "hamilton" or "newton-euler"."""
        return Equations(*self._ask("derive", "--method", method))

    def prove(self, variation: Union[str, Sequence[str]] = (), until: Any = None) -> Proof:
        """The methods compared with each other; with variations, the action along the motion."""
        given = [variation] if isinstance(variation, str) else list(variation)
        options = [word for v in given for word in ("--variation", v)]
        if until is not None:
            options += ["--until", value_text(until, "s")]
        return Proof(*self._ask("prove", *options))

    def energies(self) -> Energies:
        """K, K0, K1, K2, U, sigma, sigma_R, P_nonconservative."""
        return Energies(*self._ask("energy"))

    def integrals(self) -> Integrals:
        """Which integrals of the motion are constant, and why."""
        return Integrals(*self._ask("energy"))

    def interactions(self) -> Interactions:
        """Who acts on whom, with which force and moment; invariance and the third law."""
        return Interactions(*self._ask("interactions"))

    def evaluate(self, inverse: Optional[Mapping[str, Any]] = None,
                 equilibrium: bool = False) -> Evaluation:
        """Accelerations, multipliers, reactions, energies and outputs at the start state. `inverse`:
        accelerations by the names of their speeds with a prime, whose forces are asked for."""
        options = ["--equilibrium"] if equilibrium else []
        if inverse:
            options += ["--inverse", ", ".join(f"{n}={value_text(v, '')}" for n, v in inverse.items())]
        return Evaluation(*self._ask("evaluate", *options))

    def equilibrium(self) -> Evaluation:
        """The state of rest near the start state, and all that evaluate() says of it."""
        return self.evaluate(equilibrium=True)

    def linearize(self, equilibrium: bool = False, period: Any = None) -> Linearization:
        """Small motions: A, B, eigenvalues, modes; `period` of a motion, for Floquet multipliers."""
        options = ["--equilibrium"] if equilibrium else []
        if period is not None:
            options += ["--period", value_text(period, "s")]
        return Linearization(*self._ask("linearize", *options))

    def compile(self, jacobian: bool = False, inverse: bool = False, method: str = "auto") -> System:
        """The equations as machine code, to be called with numbers; with `jacobian` its derivatives, with
        `inverse` inverse dynamics too."""
        return System.of_model(self.text, self._file, self._settings, jacobian, method, inverse)

    def simulate(self, until: Any = None, every: Any = None, tolerance: Any = None,
                 energy: Any = None, method: str = "auto", max_step: Any = None,
                 certify: Optional[str] = None, progress: Optional[Progress] = None,
                 inputs: Optional[Mapping[str, Callable[[float, Any], float]]] = None) -> Run:
        """A run with its certificate; what is not given comes from the model's study.

            run = model.simulate(until="10 s", energy="1e-9 J")
            run["theta"], run.certificate.holds
        `progress` is called with t, until, steps and the deviation of E_Z; True shows a bar. Ctrl-C
        ends the run, whose status is "stopped" then, and what was computed is kept. `inputs` gives inputs
        of the model by functions of t and the states, called at every stage of every step: slow, but the
        certificate counts their power and holds as well.
        """
        return run_system(self.compile(method=method), until, every, tolerance, energy, method,
                          max_step, certify, progress, None, inputs)

    def report(self, path: Union[str, os.PathLike[str], None] = None, cases: Union[str, Sequence[str]] = (),
               force: bool = False, **run: Any) -> Report:
        """One self-contained page: model, equations, energies, a run with its certificate, animation.
        It is shown in a notebook, and written where a path is given."""
        return Report.of_model(self.text, self._file, self._settings, path, cases, force, run)

    def export(self, language: str, path: Union[str, os.PathLike[str], None] = None,
               method: str = "kane", force: bool = False) -> Export:
        """The equations as source text in "c", "python" or "matlab"; written where a path is given."""
        return Export.of_model(self.text, self._file, self._settings, language, path, method, force)


def _with_doc(text: str, doc: str) -> str:
    return f"{text} {quoted(doc)}" if doc else text


def _place(at: Any) -> str:
    if isinstance(at, Position):
        return at.text
    raise UsageError(f"expected a point, or a point plus a vector, found {at!r}")


def parse(text: str, file: str = "model.viva") -> Model:
    """A model from its text. `file` is what messages call it; tables are looked for beside it."""
    model = Model.__new__(Model)
    model._statements, model._file, model._settings = [text.rstrip("\n")], file, Settings()
    model.check()
    return model


def load(path: Union[str, os.PathLike[str]], floating: bool = False) -> Model:
    """A model from its file, or from a robot's (.urdf, .sdf, MJCF .xml), whose base may be floating."""
    name = os.fspath(path)
    return parse(_core.read_model_text(name, floating), name)


