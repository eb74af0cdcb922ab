"""Run: a trajectory with its certificate."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _core
from .errors import UsageError
from .results import Result
from .system import System
from .words import in_python, value_text

Progress = Union[bool, Callable[[float, float, int, float], Any]]


class Run:
    """Samples by name as NumPy arrays, the certificate, energies, events.

        run.t, run["theta"], run.certificate.holds, run.energies["E_Z"].max_deviation
    Arrays are read-only views of the run's own memory.
    """

    def __init__(self, answer: Mapping[str, Any], columns: Mapping[str, Any], units: Mapping[str, str],
                 certificate_text: str, core: Any = None) -> None:
        self._answer, self._columns, self._units = Result(answer), dict(columns), dict(units)
        self.certificate_text, self._core = certificate_text, core

    def __reduce__(self) -> Any:
        return Run, (self._answer.to_dict(), self._columns, self._units, self.certificate_text)

    # ---- Samples

    @property
    def t(self) -> Any:
        """The times of the samples, s."""
        return self["t"]

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def units(self) -> Dict[str, str]:
        """The SI units of the columns."""
        return dict(self._units)

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"{name!r}; there are {', '.join(self._columns)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def keys(self) -> List[str]:
        """The names of the columns."""
        return self.columns

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._answer:
            return self._answer[name]
        raise AttributeError(f"a run has no {name!r}; it has {', '.join(self._answer)}, "
                             f"and columns by run[name]")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._answer]

    def to_dict(self) -> Dict[str, Any]:
        """What the program answers with --json."""
        return self._answer.to_dict()

    def to_dataframe(self) -> Any:
        """A table of pandas with the times as its index."""
        import pandas
        columns = {n: c for n, c in self._columns.items() if n != "t"}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """A dataset of xarray with units."""
        import xarray
        variables = {n: ("t", c, {"units": self._units[n]})
                     for n, c in self._columns.items() if n != "t"}
        return xarray.Dataset(variables, coords={"t": ("t", self.t, {"units": "s"})})

    # ---- Files

    def write_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the samples as the program does."""
        self._alive().write_csv(os.fspath(path))

    def write_h5(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the samples with model and certificate as HDF5."""
        self._alive().write_h5(os.fspath(path), "visviva in Python")

    def _alive(self) -> Any:
        if self._core is None:
            raise UsageError("a run that was pickled keeps its samples, and writes no files: "
                             "run.to_dataframe().to_csv(...)")
        return self._core

    # ---- Pictures

    def plot(self, *names: str, over: str = "t", ax: Any = None, **style: Any) -> Any:
        """Columns over time, or over another column, by matplotlib; returns the axes."""
        import matplotlib.pyplot as pyplot
        ax = pyplot.gca() if ax is None else ax
        names = names or tuple(n for n in self._columns if n not in ("t", "Z", "E_Z"))
        for name in names:
            ax.plot(self[over], self[name], **{"label": name, **style})
        ax.set_xlabel(_label(over, self._units[over]))
        units = {self._units[n] for n in names}
        ax.set_ylabel(_label(", ".join(names), units.pop() if len(units) == 1 else "1"))
        if len(names) > 1:
            ax.legend()
        return ax

    def __repr__(self) -> str:
        return (f"<visviva.Run: {self.status}, t = {float(self._answer['t_end']):.6g} s, "
                f"{len(self.t)} samples of {', '.join(self.columns[:8])}"
                f"{', ...' * (len(self.columns) > 8)}>")

    def _repr_html_(self) -> str:
        from .notebook import run_html
        return run_html(self)


def _label(name: str, unit: str) -> str:
    return name if unit == "1" else f"{name} [{unit}]"


_UNITS = {"until": "s", "every": "s", "tolerance": "", "energy": "J", "max-step": "s"}


def run_system(system: System, until: Any = None, every: Any = None, tolerance: Any = None,
               energy: Any = None, method: str = "auto", max_step: Any = None,
               certify: Optional[str] = None, progress: Optional[Progress] = None,
               state: Optional[Sequence[float]] = None,
               inputs: Optional[Mapping[str, Callable[[float, Any], float]]] = None) -> Run:
    """A run of a compiled system; see Model.simulate()."""
    given = {"until": until, "every": every, "tolerance": tolerance, "energy": energy,
             "max-step": max_step}
    options = {name: value_text(value, _UNITS[name]) for name, value in given.items()
               if value is not None}
    options["method"] = method
    if certify is not None:
        options["certify"] = certify
    start = [] if state is None else [float(x) for x in state]
    prepared = system._prepared
    law, places = _law(system, inputs)
    shown = _Bar() if progress is True else progress or None
    try:
        core = _core.simulate(system._core, start, prepared.parameters, prepared.inputs, options,
                              shown, law, places)
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    finally:
        if isinstance(shown, _Bar):
            shown.close()
    return _make_run(core)


def _law(system: System, inputs: Optional[Mapping[str, Callable[[float, Any], float]]]) -> Any:
    if not inputs:
        return None, []
    known = list(system.inputs)
    for name in inputs:
        if name not in known:
            raise UsageError(f"{name!r} is no input: {', '.join(known) or 'the model has none'}")
    laws = list(inputs.values())
    return lambda t, y: [float(law(t, y)) for law in laws], [known.index(n) for n in inputs]


def _make_run(core: Any) -> Run:
    import json
    names = core.columns
    run = Run(json.loads(core.answer), {n: core.column(i) for i, n in enumerate(names)},
              dict(zip(names, core.units)), core.certificate_text, core)
    if core.claim_problems:
        import warnings
        for problem in core.claim_problems:
            warnings.warn(problem, stacklevel=4)
    return run


class _Bar:
    """A line that says how far a run has come; in a notebook and on a terminal alike."""

    def __init__(self) -> None:
        self.width = 0

    def __call__(self, t: float, until: float, steps: int, deviation: float) -> None:
        part = min(1.0, t / until) if until else 1.0
        line = (f"[{'=' * int(30 * part):<30}] {100 * part:3.0f} %  t = {t:.4g} s, {steps} steps, "
                f"E_Z off by {abs(deviation):.1e} J")
        self.width = max(self.width, len(line))
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()

    def close(self) -> None:
        """Wipes the line out."""
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
