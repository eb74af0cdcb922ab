"""Asking the library in the words of its command line."""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from .errors import Diagnostic, InternalError, ModelError, UsageError
from .language import Scalar, Unit, scalar, text_of


@dataclass(frozen=True)
class Settings:
    """Values that a model is read with, instead of those that its text gives."""

    values: Tuple[Tuple[str, str], ...] = ()
    case: str = ""
    tables: Tuple[str, ...] = ()
    integrate_constraints: bool = False

    def changed(self, values: Mapping[str, Any], case: Optional[str], tables: Sequence[str],
                integrate_constraints: Optional[bool]) -> "Settings":
        """These settings with others on top."""
        merged = dict(self.values)
        for name, value in values.items():
            merged[text_of(name)] = number_text(value)
        return replace(
            self, values=tuple(merged.items()), case=self.case if case is None else case,
            tables=self.tables + tuple(os.fspath(t) for t in tables),
            integrate_constraints=self.integrate_constraints if integrate_constraints is None
            else integrate_constraints)

    def words(self) -> List[str]:
        """The settings as options of the command line."""
        found = [word for name, value in self.values for word in ("--set", f"{name}={value}")]
        if self.case:
            found += ["--case", self.case]
        for folder in self.tables:
            found += ["--tables", folder]
        return found + (["--integrate-constraints"] if self.integrate_constraints else [])


def number_text(value: Any) -> str:
    """A value for a setting: a bare number is SI."""
    if isinstance(value, (Scalar, Unit)):
        return text_of(value)
    if isinstance(value, str):
        return scalar(value).text
    return Scalar.number(float(value)).text


def value_text(value: Any, unit: str) -> str:
    """A value for an option: a bare number is in `unit`."""
    if isinstance(value, (Scalar, Unit, str)):
        return text_of(value)
    text = Scalar.number(float(value)).text
    return f"{text} {unit}" if unit else text


def made_by(words: Sequence[str]) -> str:
    """The command that files say they were made with."""
    return " ".join(["visviva"] + [shlex.quote(w) for w in words])


def run_command(command: str, text: str, file: str, settings: Settings,
                options: Sequence[str]) -> Tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    words = [command, file, *settings.words(), *options]
    status, out, err = _core.run_command(words, text, file, made_by(words))
    if status == 4:
        raise InternalError(err)
    return status, out, _without_progress(err)


# What a terminal would show and wipe out again.
def _without_progress(text: str) -> str:
    return re.sub(r"[^\n]*\r|\x1b\[[0-9;?]*[A-Za-z]", "", text)


def in_python(message: str) -> str:
    """A message of the command line with the names that options have here."""
    message = re.sub(r"^visviva: ", "", message.strip())
    return re.sub(r"--([a-z][a-z-]*)", lambda m: "`" + m.group(1).replace("-", "_") + "`", message)


def raise_problem(status: int, answer: Dict[str, Any], err: str) -> None:
    """Raises the exception that an answer calls for; none for answers with a verdict of their own."""
    errors = answer.get("errors")
    if status == 2:
        raise UsageError(in_python(errors[0]["message"] if errors else err))
    if errors:
        fields = ("code", "file", "line", "column", "message", "help")
        raise ModelError([Diagnostic(**{k: e.get(k, "") for k in fields}) for e in errors],
                         err.strip() or _listed(errors))


def _listed(errors: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for e in errors:
        place = f"{e['file']}:{e['line']}:{e['column']}: " if e.get("line") else ""
        lines.append(f"{place}error[{e['code']}]: {e['message']}"
                     + (f"\n  help: {e['help']}" if e.get("help") else ""))
    return "\n".join(lines)


def ask(command: str, text: str, file: str, settings: Settings,
        options: Sequence[str]) -> Tuple[Dict[str, Any], str]:
    """The answer of a command in JSON, and what it said beside it."""
    status, out, err = run_command(command, text, file, settings, [*options, "--json"])
    answer: Dict[str, Any] = json.loads(out) if out.strip() else {}
    if status == 1 and answer.get("errors") and not err.strip():
        # In words once more, with the lines of the model and carets.
        err = run_command(command, text, file, settings, options)[2]
    raise_problem(status, answer, err)
    if status != 0 and not answer:
        raise UsageError(in_python(err))
    return answer, err
