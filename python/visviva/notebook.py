"""What notebooks show: texts, results and runs as HTML. Names and texts are always escaped."""

from __future__ import annotations

import html
from typing import Any, List, Mapping

from .expression import Expression

_STYLE = "style='text-align:left;font-family:monospace;white-space:pre-wrap'"


def text_html(text: str) -> str:
    """A text as it is."""
    return f"<pre>{html.escape(text)}</pre>"


def _cell(value: Any) -> str:
    if isinstance(value, Expression):
        return html.escape(value)
    if isinstance(value, Mapping):
        return "<br>".join(f"{html.escape(str(k))}: {_cell(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "<br>".join(_cell(v) for v in value)
    return html.escape(str(value))


def result_html(result: Mapping[str, Any]) -> str:
    """A table of names and values."""
    rows = "".join(f"<tr><th {_STYLE}>{html.escape(str(k))}</th><td {_STYLE}>{_cell(v)}</td></tr>"
                   for k, v in result.items())
    return f"<table>{rows}</table>"


def _sparkline(times: Any, values: Any) -> str:
    width, height, most = 240, 40, 400
    count = len(times)
    if count < 2:
        return ""
    step = max(1, count // most)
    xs, ys = times[::step], values[::step]
    finite = [y for y in ys if y == y and abs(y) != float("inf")]
    if not finite:
        return ""
    low, high = min(finite), max(finite)
    span, long = (high - low) or 1.0, (xs[-1] - xs[0]) or 1.0
    points: List[str] = [f"{(x - xs[0]) / long * width:.1f},{height - (y - low) / span * height:.1f}"
                         for x, y in zip(xs, ys) if y == y and abs(y) != float("inf")]
    return (f"<svg width='{width}' height='{height + 2}' viewBox='0 -1 {width} {height + 2}'>"
            f"<polyline points='{' '.join(points)}' fill='none' stroke='#1f6feb' stroke-width='1.2'/>"
            "</svg>")


def run_html(run: Any) -> str:
    """Status, certificate and a small picture of each column."""
    most = 24
    rows = "".join(
        f"<tr><th {_STYLE}>{html.escape(name)}</th><td {_STYLE}>"
        f"{html.escape(run.units[name])}</td><td>{_sparkline(run.t, run[name])}</td></tr>"
        for name in run.columns[1:most])
    reason = getattr(run, "reason", "")
    head = f"{run.status}, t = {float(run.t_end):.6g} s, {len(run.t)} samples {reason}"
    return (f"<p>{html.escape(head)}</p>{text_html(run.certificate_text)}<table>{rows}</table>")
