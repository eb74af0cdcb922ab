"""Exceptions: what is wrong with a model, with a call, or with the library."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import List


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong with a model; `visviva explain CODE` says more about its code."""

    code: str
    file: str
    line: int
    column: int
    message: str
    help: str = ""


class ModelError(Exception):
    """A model is wrong. `diagnostics` holds everything that was found, sorted by place."""

    def __init__(self, diagnostics: List[Diagnostic], text: str = "") -> None:
        self.diagnostics = list(diagnostics)
        self.text = text or "\n".join(f"{d.code}: {d.message}" for d in self.diagnostics)
        super().__init__(self.text)

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return (ModelError, (self.diagnostics, self.text))

    def __str__(self) -> str:
        return "\n" + self.text if "\n" in self.text else self.text

    def _repr_html_(self) -> str:
        return f"<pre style='color:#b00020'>{html.escape(self.text)}</pre>"


class UsageError(ValueError):
    """A function was called with something that it cannot take."""


class InternalError(RuntimeError):
    """Something that cannot happen did; please report it."""


def make_model_error(diagnostics: str, text: str) -> ModelError:
    """The exception for diagnostics in JSON and in words."""
    fields = ("code", "file", "line", "column", "message", "help")
    found = [Diagnostic(**{k: d[k] for k in fields if k in d}) for d in json.loads(diagnostics)]
    return ModelError(found, text.rstrip("\n"))
