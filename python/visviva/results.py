"""Results: answers whose entries are attributes and items alike, under the names that the program's JSON has."""

from __future__ import annotations

import html
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .errors import UsageError
from .expression import Expression
from .words import Settings, ask, in_python, run_command, value_text


def _dress(value: Any, name: str, formulas: Sequence[str]) -> Any:
    """Mappings become results, texts under the names of formulas become expressions."""
    if isinstance(value, Mapping):
        return Result({k: _dress(v, name if name in formulas else k, formulas)
                       for k, v in value.items()})
    if isinstance(value, list):
        return [_dress(v, name, formulas) for v in value]
    if isinstance(value, str) and name in formulas:
        return Expression(value)
    return value


class Result(Mapping[str, Any]):
    """Named values: result.K and result["K"] are the same."""

    _formulas: Sequence[str] = ()

    def __init__(self, entries: Mapping[str, Any], remarks: str = "") -> None:
        self._entries: Dict[str, Any] = {
            k: _dress(v, k, self._formulas) for k, v in entries.items()}
        self.remarks = remarks

    def __getitem__(self, name: str) -> Any:
        try:
            return self._entries[name]
        except KeyError:
            raise KeyError(f"{name!r}; there are {', '.join(map(str, self._entries))}") from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_entries":
            raise AttributeError(name)
        if name in self._entries:
            return self._entries[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; "
                             f"it has {', '.join(map(str, self._entries))}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *(n for n in self._entries if n.isidentifier())]

    def to_dict(self) -> Dict[str, Any]:
        """Plain dictionaries, lists, numbers and texts."""

        def plain(value: Any) -> Any:
            if isinstance(value, Mapping):
                return {k: plain(v) for k, v in value.items()}
            if isinstance(value, list):
                return [plain(v) for v in value]
            if isinstance(value, str):
                return str(value)
            return value.tolist() if hasattr(value, "tolist") else value

        entries: Dict[str, Any] = plain(self._entries)
        return entries

    def __repr__(self) -> str:
        lines = [f"{k}: {_short(v)}" for k, v in self._entries.items()]
        return f"<visviva.{type(self).__name__}>\n  " + "\n  ".join(lines)

    def _repr_html_(self) -> str:
        from .notebook import result_html
        return result_html(self)


def _short(value: Any, most: int = 72) -> str:
    text = " ".join((f"{{{', '.join(map(str, value))}}}" if isinstance(value, Mapping)
                     else repr(str(value)) if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= most else text[:most - 3] + "..."


def _array(value: Any) -> Any:
    import numpy
    return numpy.array(value, dtype=float)


def _complex_array(pairs: Any) -> Any:
    import numpy
    return numpy.array([complex(*pair) for pair in pairs], dtype=complex)


class Summary(Result):
    """What a model is."""


class Equations(Result):
    """Equations of motion, M u' = f; expressions are in the syntax of the model language."""

    _formulas = ("kinematics", "mass_matrix", "forcing", "mass_matrix_unconstrained",
                 "forcing_unconstrained", "constraint_rows", "generalized_active_forces",
                 "generalized_inertia_forces", "generalized_active_forces_unconstrained",
                 "generalized_inertia_forces_unconstrained", "components", "expression", "momenta",
                 "momentum_rates", "validity", "dependent_speed_equations")

    def _equation_latex(self) -> List[str]:
        from .expression import Expression as E
        from .expression import factor_latex, name_latex
        lines = []
        for row, forcing in zip(self.mass_matrix, self.forcing):
            terms = []
            for entry, speed in zip(row, self.independent_speeds):
                if entry == "0":
                    continue
                factor = "" if entry == "1" else factor_latex(E(entry)) + " \\, "
                terms.append(factor + name_latex(speed + "'"))
            lines.append(f"{' + '.join(terms) or '0'} &= {E(forcing).latex()}")
        return lines

    def latex(self) -> str:
        """The equations in LaTeX, aligned; intermediates first."""
        from .expression import name_latex
        lines = [f"{name_latex(z.name)} &= {z.expression.latex()}" for z in self.intermediates]
        lines += self._equation_latex()
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$$\n{self.latex()}\n$$"

    _repr_html_ = None  # type: ignore[assignment]

    def with_intermediates(self, expression: Union[str, Expression]) -> Any:
        """The expression in SymPy, with the intermediates put in."""
        values: Dict[str, Any] = {}
        for z in self.intermediates:
            values[z.name] = z.expression.to_sympy(values)
        return Expression(expression).to_sympy(values)


class Energies(Result):
    """Energies and powers, as expressions."""

    _formulas = ("K", "K0", "K1", "K2", "U", "sigma", "sigma_R", "P", "P_nonconservative", "Z_rate",
                 "expression", "validity", "dependent_speed_equations")


class Integrals(Result):
    """Integrals of the motion by name: which are constant, and why."""

    def __init__(self, entries: Mapping[str, Any], remarks: str = "") -> None:
        listed = {i["name"]: i for i in entries.get("integrals", [])}
        self._formulas = ("expression",)
        super().__init__(listed, remarks)

    def constant(self) -> List[str]:
        """The names of those that are constant."""
        return [n for n, i in self.items() if i.constant is True]


class Proof(Result):
    """The methods compared with each other."""

    def __bool__(self) -> bool:
        return bool(self._entries.get("equal", True))


class Interactions(Result):
    """Who acts on whom, by name."""

    def __init__(self, entries: Any, remarks: str = "") -> None:
        listed = entries if isinstance(entries, list) else entries.get("interactions", [])
        super().__init__({i["name"]: i for i in listed}, remarks)


class Evaluation(Result):
    """The numbers of one state; vectors and matrices are NumPy arrays, what is not determined is NaN."""

    def __init__(self, entries: Mapping[str, Any], remarks: str = "") -> None:
        super().__init__(entries, remarks)
        if self._entries.get("mass_matrix") is not None:
            self._entries["mass_matrix"] = _array(self._entries["mass_matrix"])
        for name, rows in self._entries.get("jacobians", {}).items():
            self._entries["jacobians"]._entries[name] = _array(rows)
        for reaction in self._entries.get("reactions", {}).values():
            for part in ("force", "moment"):
                reaction._entries[part] = _array(reaction[part])


class Linearization(Result):
    """Small motions: x' = A x + B u, y = C x + D u."""

    def __init__(self, entries: Mapping[str, Any], remarks: str = "") -> None:
        super().__init__(entries, remarks)
        states, inputs = len(self.states), len(self.inputs)
        for name, shape in (("A", (states, states)), ("B", (states, inputs)),
                            ("C", (-1, states)), ("D", (-1, inputs))):
            if self._entries.get(name) is not None:
                rows = _array(self._entries[name])
                count = len(self._entries[name]) if shape[0] == -1 else shape[0]
                self._entries[name] = rows.reshape(count, shape[1])
        for name in ("eigenvalues", "floquet_multipliers"):
            if name in self._entries:
                self._entries[name] = _complex_array(self._entries[name])
        for mode in self._entries.get("modes", []):
            if isinstance(mode, Result) and "eigenvalue" in mode:
                mode._entries["eigenvalue"] = complex(*mode["eigenvalue"])
                mode._entries["shape"] = Result({n: complex(*c) for n, c in mode["shape"].items()})


class Export(str):
    """Source text of the equations."""

    language: str

    @staticmethod
    def of_model(text: str, file: str, settings: Settings, language: str, path: Any, method: str,
                 force: bool) -> "Export":
        """The text, written into a file too where a path is given."""
        options = ["--as", language, "--method", method]
        _, source, err = _good(run_command("export", text, file, settings, [*options, "--out", "-"]),
                               text, file, settings, "export", options)
        if path is not None:
            forced = ["--force"] if force else []
            _good(run_command("export", text, file, settings,
                              [*options, "--out", os.fspath(path), *forced]),
                  text, file, settings, "export", options)
        made = Export(source)
        made.language = language
        return made


def _good(answer: Any, text: str, file: str, settings: Settings, command: str,
          options: Sequence[str]) -> Any:
    status, out, err = answer
    if status == 1:
        ask(command, text, file, settings, [*options, "--out", os.devnull])  # raises ModelError
    if status != 0:
        raise UsageError(in_python(err))
    return answer


class Report:
    """A page about a model and a run; `html` is all of it."""

    def __init__(self, page: str, answer: Result, path: Optional[str]) -> None:
        self.html, self.answer, self.path = page, answer, path

    @staticmethod
    def of_model(text: str, file: str, settings: Settings, path: Any,
                 cases: Union[str, Sequence[str]], force: bool, run: Mapping[str, Any]) -> "Report":
        """The page of a model, written into a file too where a path is given."""
        import tempfile
        options = _run_options(run)
        if cases:
            options += ["--cases", cases if isinstance(cases, str) else ",".join(cases)]
        if path is not None:
            place = os.fspath(path)
            answer, err = ask("report", text, file, settings,
                              [*options, "--out", place] + (["--force"] if force else []))
            with open(place, encoding="utf-8") as page:
                return Report(page.read(), Result(answer, err), place)
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "report.html")
            answer, err = ask("report", text, file, settings, [*options, "--out", place])
            with open(place, encoding="utf-8") as page:
                return Report(page.read(), Result(answer, err), None)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html, quote=True)}" '
                'style="width:100%;height:800px;border:0"></iframe>')

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        return f"<visviva.Report{where}, {len(self.html) // 1000} kB>"


_UNITS = {"until": "s", "every": "s", "tolerance": "", "energy": "J", "max_step": "s"}


def _run_options(run: Mapping[str, Any]) -> List[str]:
    options = []
    for name, value in run.items():
        if value is None:
            continue
        if name in _UNITS:
            options += ["--" + name.replace("_", "-"), value_text(value, _UNITS[name])]
        elif name in ("method", "certify"):
            options += ["--" + name, str(value)]
        else:
            raise UsageError(f"no option of a run is called {name!r}: "
                             f"{', '.join([*_UNITS, 'method', 'certify'])}")
    return options
