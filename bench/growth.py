#!/usr/bin/env python3
"""How the time of each command grows with the number of rods: a table with exponents between neighbours.

    bench/growth.py build/visviva [--kinds planar,tree,spatial,loop] [--counts 10,30,100,300,1000] [--limit SECONDS] [--json FILE]

Measures, and never fails for being slow: what takes longer than the limit is a dash, and so are larger counts of that command.
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import tempfile

from make_chain import KINDS, make_chain

COMMANDS = ["check", "derive", "derive --json", "energy", "evaluate", "linearize", "prove", "export --as c --out {out}",
            "report --out {out}"]


def measure(program, command, model, limit):
    """CPU seconds of one run, or nothing where it was stopped or refused."""
    verb, *options = command.format(out=model.with_suffix(f".{command.split()[0]}")).split()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([program, verb, model, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 3):
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_growth(program, kind, counts, limit):
    """Seconds by command, one for each count."""
    seconds = {}
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMANDS:
            row = []
            for count in counts:
                model = pathlib.Path(folder) / f"{kind}_{count}.viva"
                model.write_text(make_chain(kind, count))
                is_hopeless = bool(row) and row[-1] is None
                row.append(None if is_hopeless else measure(program, command, model, limit))
            seconds[command.split(" --out")[0]] = row
    return seconds


def write_table(kind, counts, seconds):
    """A line for each command: seconds, and between two of them the exponent of growth."""
    print(f"{kind}: CPU seconds for so many rods, and the exponent of their growth")
    print(f"{'':15}" + "".join(f"{count:>9}" + ("" if count == counts[-1] else " " * 7) for count in counts))
    for command, row in seconds.items():
        line = f"{command:15}"
        for i, value in enumerate(row):
            line += f"{value:9.2f}" if value is not None else f"{'-':>9}"
            if i + 1 == len(row):
                break
            following = row[i + 1]
            has_both = value is not None and following is not None and min(value, following) > 0.02
            exponent = math.log(following / value) / math.log(counts[i + 1] / counts[i]) if has_both else None
            line += f" {exponent:5.1f} " if exponent is not None else " " * 7
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--counts", default="10,30,100,300,1000")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--json")
    given = parser.parse_args()
    counts = [int(count) for count in given.counts.split(",")]
    answers = []
    for kind in given.kinds.split(","):
        if kind not in KINDS:
            parser.error(f"no kind {kind}; there are {', '.join(KINDS)}")
        seconds = measure_growth(given.program, kind, counts, given.limit)
        write_table(kind, counts, seconds)
        answers.append({"kind": kind, "rods": counts, "seconds": seconds})
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
