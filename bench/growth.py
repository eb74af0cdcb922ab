#!/usr/bin/env python3
"""How time and memory of each command grow with the number of rods: a table with exponents between neighbours.

    bench/growth.py build/visviva [--kinds planar,tree,spatial,loop] [--counts 10,30,100,300,1000] [--limit CPU_SECONDS] [--json FILE]

Measures, and never fails for being slow: what takes longer than the limit is a dash, and so are larger counts of that command.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import subprocess
import tempfile

from make_chain import KINDS, make_chain

COMMANDS = ["check", "derive", "derive --json", "energy", "evaluate", "simulate --out {out}", "linearize", "prove", "export --as c --out {out}",
            "report --out {out}"]


def measure(program, command, model, limit):
    """CPU seconds, largest memory in MB and bytes printed of one run, or nothing where it was stopped or refused."""
    verb, *options = command.format(out=model.with_suffix(f".{command.split()[0]}")).split()
    printed = model.with_suffix(".printed")
    with open(printed, "wb") as out:
        run = subprocess.Popen([program, verb, model, *options], stdout=out, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode not in (0, 3):
        return None
    return {"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024, "printed": printed.stat().st_size}


def measure_growth(program, kind, counts, limit):
    """What runs took, by command, one for each count."""
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMANDS:
            row = []
            for count in counts:
                model = pathlib.Path(folder) / f"{kind}_{count}.viva"
                model.write_text(make_chain(kind, count))
                is_hopeless = bool(row) and row[-1] is None
                row.append(None if is_hopeless else measure(program, command, model, limit))
            runs[command.split(" --out")[0]] = row
    return runs


def write_table(kind, counts, runs):
    """A line for each command: seconds, and between two of them the exponent of growth; then memory and text of the largest."""
    print(f"{kind}: CPU seconds for so many rods, and the exponent of their growth; memory and text of the most rods")
    print(f"{'':15}" + "".join(f"{count:>9}" + ("" if count == counts[-1] else " " * 7) for count in counts) + "       MB       kB")
    for command, row in runs.items():
        line = f"{command:15}"
        seconds = [run and run["seconds"] for run in row]
        for i, value in enumerate(seconds):
            line += f"{value:9.2f}" if value is not None else f"{'-':>9}"
            if i + 1 == len(row):
                break
            following = seconds[i + 1]
            has_both = value is not None and following is not None and min(value, following) > 0.02
            exponent = math.log(following / value) / math.log(counts[i + 1] / counts[i]) if has_both else None
            line += f" {exponent:5.1f} " if exponent is not None else " " * 7
        last = [run for run in row if run][-1:]
        line += "".join(f"{run['megabytes']:9.0f}{run['printed'] / 1000:9.0f}" for run in last)
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--counts", default="10,30,100,300,1000")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--json")
    given = parser.parse_args()
    counts = [int(count) for count in given.counts.split(",")]
    answers = []
    for kind in given.kinds.split(","):
        if kind not in KINDS:
            parser.error(f"no kind {kind}; there are {', '.join(KINDS)}")
        runs = measure_growth(given.program, kind, counts, given.limit)
        write_table(kind, counts, runs)
        answers.append({"kind": kind, "rods": counts, "runs": runs})
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
