#!/usr/bin/env python3
"""Draws the work-precision curves of a benchmark's JSON as one SVG, and keeps their points as JSON."""

import argparse
import json
import math
import sys
from html import escape

# Two colours that a colour-blind reader can tell apart are told apart by their marks too.
STYLES = {
    "energy": ("#d55e00", "simulate(energy = X)", "circle", 2.6),
    "verner98": ("#0072b2", "verner98", "square", 1.6),
    "dop853": ("#009e73", "dop853", "diamond", 1.6),
    "dopri5": ("#cc79a7", "dopri5", "circle", 1.6),
    "radau5": ("#8c6d1f", "radau5", "square", 1.6),
    "boost-fehlberg78": ("#56b4e9", "Boost fehlberg78", "diamond", 1.2),
    "boost-dopri5": ("#e69f00", "Boost dopri5", "square", 1.2),
    "cvode": ("#888888", "CVODE Adams", "circle", 1.2),
    "cvode-bdf": ("#aa4499", "CVODE BDF", "diamond", 1.2),
}
ERRORS = [("deviation", "largest |E_Z \u2212 E_Z(0)|, J"), ("state_error", "error of the state at the end")]
TITLES = {
    "double_pendulum": "double pendulum, 10 s",
    "chain10": "chain of 10 links, 10 s",
    "heavy_top": "heavy top, 10 s",
    "stiff_rod": "stiff rod, 10 s",
}
WIDTH, HEIGHT, LEFT, BELOW, GAP = 300, 190, 46, 40, 26
# Text and lines follow the reader's choice of a light or dark page.
CSS = """
text { font: 11px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 12px; }
.grid { stroke: #24292f; stroke-opacity: 0.13; }
.frame { fill: none; stroke: #24292f; stroke-opacity: 0.5; }
.curve { fill: none; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .grid, .frame { stroke: #e6edf3; }
}
"""


def read_points(path):
    """{system: {method: [point]}} of a benchmark's output, in order of tolerance."""
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    systems = {}
    for run in runs:
        parts = run["name"].split("/")
        if parts[0] != "work_precision" or "cpu_ms" not in run:
            continue
        point = {key: run[key] for key in
                 ("cpu_ms", "deviation", "state_error", "reference_error", "evaluations")}
        point["tolerance"] = float(parts[3])
        systems.setdefault(parts[1], {}).setdefault(parts[2], []).append(point)
    return systems


def can_show(point, error):
    """Errors below what the reference is good for show nothing."""
    if error == "state_error" and point[error] < 3 * point["reference_error"]:
        return False
    return point[error] > 0 and point["cpu_ms"] > 0


def find_decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def draw_mark(shape, x, y, size, color):
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{color}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return (f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}" '
            f'height="{2 * size:.1f}" fill="{color}"{turn}/>')


def draw_panel(curves, error, x0, y0, labels):
    """One plot: error to the right gets smaller, time upwards."""
    shown = {m: [p for p in points if can_show(p, error)] for m, points in curves.items()}
    points = [p for each in shown.values() for p in each]
    if not points:
        return []
    e_low, e_high = find_decades([p[error] for p in points])
    e_low, e_high = max(e_low, -15), min(e_high, 2)
    t_low, t_high = find_decades([p["cpu_ms"] for p in points])

    def place(point):
        e = (e_high - math.log10(point[error])) / (e_high - e_low)
        t = (math.log10(point["cpu_ms"]) - t_low) / (t_high - t_low)
        return x0 + WIDTH * min(max(e, 0), 1), y0 + HEIGHT * (1 - t)

    out = []
    for decade in range(e_low, e_high + 1):
        x = x0 + WIDTH * (e_high - decade) / (e_high - e_low)
        out.append(f'<path class="grid" d="M{x:.1f} {y0}v{HEIGHT}"/>')
        if (decade - e_low) % 3 == 0:
            out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT + 14}" text-anchor="middle">1e{decade}</text>')
    for decade in range(t_low, t_high + 1):
        y = y0 + HEIGHT * (1 - (decade - t_low) / (t_high - t_low))
        out.append(f'<path class="grid" d="M{x0} {y:.1f}h{WIDTH}"/>')
        out.append(f'<text x="{x0 - 5}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** decade:g}</text>')
    out.append(f'<rect class="frame" x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}"/>')
    out.append(f'<text class="title" x="{x0}" y="{y0 - 7}">{escape(labels[0])}</text>')
    out.append(f'<text x="{x0 + WIDTH}" y="{y0 + HEIGHT + 28}" text-anchor="end">{escape(labels[1])} \u2192</text>')
    out.append(f'<text x="{x0 + WIDTH}" y="{y0 - 7}" text-anchor="end">processor time, ms</text>')
    for method, (color, _, shape, width) in reversed(STYLES.items()):
        places = [place(p) for p in shown.get(method, [])]
        if len(places) > 1:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline class="curve" stroke="{color}" stroke-width="{width}" points="{line}"/>')
        out.extend(draw_mark(shape, x, y, 1.2 + width / 2, color) for x, y in places)
    return out


def draw(systems):
    body, y = [], 60
    for system, curves in systems.items():
        for column, (error, label) in enumerate(ERRORS):
            x = LEFT + column * (WIDTH + LEFT + GAP)
            body += draw_panel(curves, error, x, y, (TITLES.get(system, system), label))
        y += HEIGHT + BELOW + GAP
    used = [m for m in STYLES if any(m in curves for curves in systems.values())]
    step = (2 * WIDTH + LEFT + GAP) / max(len(used), 1)
    rows = 2 if step < 130 else 1
    per_row = math.ceil(len(used) / rows)
    for i, method in enumerate(used):
        color, label, shape, width = STYLES[method]
        x = LEFT + (i % per_row) * (2 * WIDTH + LEFT + GAP) / per_row
        level = 8 + 15 * (i // per_row)
        body.append(draw_mark(shape, x + 4, level, 1.6 + width / 2, color))
        body.append(f'<text x="{x + 13:.1f}" y="{level + 4}">{escape(label)}</text>')
    width = 2 * (LEFT + WIDTH) + GAP + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y - GAP + 4}" width="{width}">'
            f"<style>{CSS}</style>\n" + "\n".join(body) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", help="JSON of visviva_bench")
    parser.add_argument("--svg", required=True, help="where the picture goes")
    parser.add_argument("--json", help="where the points go")
    parser.add_argument("--only", help="systems, separated by commas")
    arguments = parser.parse_args()
    systems = read_points(arguments.results)
    if arguments.only:
        systems = {s: c for s, c in systems.items() if s in arguments.only.split(",")}
    if not systems:
        print("work_precision: no work_precision runs in", arguments.results, file=sys.stderr)
        return
    with open(arguments.svg, "w", encoding="utf-8") as file:
        file.write(draw(systems))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(systems, file, indent=1)
    print("work_precision:", arguments.svg)


if __name__ == "__main__":
    main()
