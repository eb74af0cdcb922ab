"""The mechanisms of derivation_bench.cpp derived by SymPy, beside our own figures for them.

usage: sympy_derivation.py OURS VALUES [--write FILE] [--limit SECONDS] [--only MECHANISM:N,...]
       sympy_derivation.py --one MECHANISM N [VALUES]

OURS is the JSON of visviva_bench, VALUES the folder in which it left M, f and q' of every case at
one state. The second form derives one case and prints JSON; the first runs it once for each case,
in a process of its own with a limit on CPU time, compares and prints the tables.

Both sides: parameters are symbols, different ones for each link; time is CPU time from the first
declaration to M and f, the least of some repetitions. Operations are those of M, f and q' together
with everything shared: SymPy's by cse() and count_ops(), less the negations, which ours does not
count either.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from math import isfinite

# What SymPy finishes in a few minutes in all; ours goes on.
CASES = {
    "cart_absolute": [5, 10, 20],
    "cart_relative": [5, 8, 10],
    "chain_3d": [1, 2, 3],
}
TITLES = {
    "cart_absolute": "cart with n pendulums, angles from the vertical",
    "cart_relative": "the same, angles from link to link",
    "chain_3d": "chain of n bodies in space, joints of three rotations",
}
# Both sides compute in double, in different orders.
TOLERANCE = 1e-9
# SymPy's repetitions stop after this much CPU time, ours in visviva_bench.
REPETITIONS, ENOUGH = 3, 5.0


# ---- The mechanisms -----------------------------------------------------------------------------


def derive_cart(n, is_relative):
    """A cart of mass m0 pushed by F, with n massless rods in a row, a particle at each end."""
    from sympy import symbols
    from sympy.physics import mechanics as me
    q, u = me.dynamicsymbols(f"q:{n + 1}"), me.dynamicsymbols(f"u:{n + 1}")
    m, l, g = symbols(f"m:{n + 1}"), symbols(f"l1:{n + 1}"), symbols("g")
    N, origin, cart = me.ReferenceFrame("N"), me.Point("No"), me.Point("P0")
    origin.set_vel(N, 0)
    cart.set_pos(origin, q[0] * N.x)
    cart.set_vel(N, u[0] * N.x)
    points, links = [cart], [N]
    for i in range(1, n + 1):
        base = links[-1] if is_relative else N
        link = base.orientnew(f"A{i}", "Axis", [q[i], N.z])
        link.set_ang_vel(base, u[i] * N.z)
        end = points[-1].locatenew(f"P{i}", l[i - 1] * link.y)
        end.v2pt_theory(points[-1], N, link)
        links.append(link)
        points.append(end)
    particles = [me.Particle(f"B{i}", p, m[i]) for i, p in enumerate(points)]
    loads = [(p, -m[i] * g * N.y) for i, p in enumerate(points)]
    loads.append((cart, me.dynamicsymbols("F") * N.x))
    kinematics = [qi.diff() - ui for qi, ui in zip(q, u)]
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematics)
    kane.kanes_equations(particles, loads)
    return kane


def derive_chain_3d(n):
    """Bodies with mass center at c from their joint, the next joint at d; speeds are the relative
    angular velocities in body axes."""
    from sympy import symbols
    from sympy.physics import mechanics as me
    N, origin, g = me.ReferenceFrame("N"), me.Point("No"), symbols("g")
    origin.set_vel(N, 0)
    q, u = me.dynamicsymbols(f"q1:{3 * n + 1}"), me.dynamicsymbols(f"u1:{3 * n + 1}")
    frame, joint, bodies, loads, kinematics = N, origin, [], [], []
    for i in range(1, n + 1):
        m = symbols(f"m{i}")
        c, d = symbols(f"cx{i} cy{i} cz{i}"), symbols(f"dx{i} dy{i} dz{i}")
        I = symbols(f"Ixx{i} Iyy{i} Izz{i} Ixy{i} Iyz{i} Izx{i}")
        turn, spin = q[3 * i - 3:3 * i], u[3 * i - 3:3 * i]
        B = frame.orientnew(f"B{i}", "Body", turn, "123")
        w = B.ang_vel_in(frame)
        kinematics += [s - w.dot(e) for s, e in zip(spin, (B.x, B.y, B.z))]
        B.set_ang_vel(frame, spin[0] * B.x + spin[1] * B.y + spin[2] * B.z)
        center = joint.locatenew(f"C{i}", c[0] * B.x + c[1] * B.y + c[2] * B.z)
        center.v2pt_theory(joint, N, B)
        bodies.append(me.RigidBody(f"Body{i}", center, B, m, (me.inertia(B, *I), center)))
        loads.append((center, -m * g * N.z))
        after = joint.locatenew(f"J{i}", d[0] * B.x + d[1] * B.y + d[2] * B.z)
        after.v2pt_theory(joint, N, B)
        frame, joint = B, after
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematics)
    kane.kanes_equations(bodies, loads)
    return kane


DERIVE = {
    "cart_absolute": lambda n: derive_cart(n, is_relative=False),
    "cart_relative": lambda n: derive_cart(n, is_relative=True),
    "chain_3d": derive_chain_3d,
}


# ---- One case by SymPy --------------------------------------------------------------------------


def evaluate(shared, results, state):
    """Values of all entries of some matrices after cse()."""
    from sympy import pycode
    scope = {"math": __import__("math")}
    symbols = set().union(*(e.free_symbols for _, e in shared), *(r.free_symbols for r in results))
    scope.update({s.name: state[s.name] for s in symbols if s.name in state})
    for symbol, value in shared:
        scope[symbol.name] = eval(pycode(value), scope)  # pylint: disable=eval-used
    return [[eval(pycode(e), scope) for e in r] for r in results]  # pylint: disable=eval-used


def count(shared, results):
    """Operations, and the negations among them."""
    from sympy import Symbol, count_ops
    everything = [e for _, e in shared] + [e for r in results for e in r]
    total = sum(count_ops(e) for e in everything)
    negations = 0
    for e in everything:
        negations += count_ops(e, visual=True).coeff(Symbol("NEG")) if count_ops(e) else 0
    return int(total), int(negations)


def measure(mechanism, n, values):
    """Derives, counts, and compares with the values of ours."""
    import sympy
    from sympy.core.cache import clear_cache
    from sympy.physics import mechanics  # its import is no part of a derivation
    times = []
    while len(times) < REPETITIONS and sum(times) < ENOUGH:
        clear_cache()
        start = time.process_time()
        kane = DERIVE[mechanism](n)
        M, f = kane.mass_matrix_full, kane.forcing_full
        times.append(time.process_time() - start)
    # Functions of time become plain symbols of their names.
    names = {s: sympy.Symbol(s.func.__name__) for s in mechanics.find_dynamicsymbols(M.row_join(f))}
    shared, results = sympy.cse([M.xreplace(names), f.xreplace(names)],
                                symbols=sympy.numbered_symbols("shared"))
    operations, negations = count(shared, results)
    answer = {"seconds": min(times), "repetitions": len(times), "operations": operations,
              "negations": negations, "version": sympy.__version__}
    if values:
        with open(values, encoding="utf-8") as file:
            ours = json.load(file)
        M, f = evaluate(shared, results, ours["state"])
        size, k = len(ours["forcing"]), len(ours["qdot"])
        M = [M[(k + i) * (k + size) + k + j] for i in range(size) for j in range(size)]
        scale = max(abs(x) for x in M), max(abs(x) for x in f)
        pairs = [(a, b, scale[0]) for a, b in zip(M, sum(ours["mass_matrix"], []))]
        pairs += [(a, b, scale[1]) for a, b in zip(f, ours["qdot"] + ours["forcing"])]
        differences = [abs(a - b) / s for a, b, s in pairs]
        answer["difference"] = max(differences) if all(map(isfinite, differences)) else float("inf")
    return answer


def run_limited(mechanism, n, values, limit):
    """measure() in a process of its own; None when it needed more CPU time than the limit."""
    command = [sys.executable, "-B", __file__, "--one", mechanism, str(n), values]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)))
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        raise SystemExit(f"sympy_derivation: {mechanism} {n} failed")
    return json.loads(done.stdout)


# ---- Tables -------------------------------------------------------------------------------------


def read_ours(path):
    """Our figures by mechanism and n."""
    with open(path, encoding="utf-8") as file:
        benchmarks = json.load(file)["benchmarks"]
    ours = {}
    for b in benchmarks:
        mechanism, _, rest = b["name"].partition("/")
        if mechanism in CASES and "error_message" not in b:
            ours.setdefault(mechanism, {})[int(rest.split("/")[0])] = b
    return ours


def with_unit(seconds):
    """Three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def table_line(n, ours, theirs):
    """The cells of one case; theirs is None when SymPy was stopped, {} when it was not asked."""
    cells = [str(n), with_unit(ours["least_s"]), with_unit(ours["derive_s"])]
    if theirs:
        operations = theirs["operations"] - theirs["negations"]
        cells += [with_unit(theirs["seconds"]), f"{theirs['seconds'] / ours['least_s']:.0f}"]
        cells += [f"{ours['operations']:.0f}", f"{operations}",
                  f"{operations / ours['operations']:.2f}"]
        cells.append("agree" if theirs["difference"] < TOLERANCE else "DIFFER")
    else:
        cells += ["-" if theirs == {} else "stopped", "", f"{ours['operations']:.0f}", "", "", ""]
    return cells + [with_unit(ours["s/nonzero"]), f"{ours['op/nonzero']:.1f}"]


HEADINGS = [
    ("", "ours", "of it", "SymPy", "", "ours", "SymPy", "", "M, f, q'", "a non-zero of M", ""),
    ("n", "time", "derive", "time", "ratio", "operations", "operations", "ratio", "values", "time",
     "operations"),
]


def print_table(title, lines):
    """Right-aligned columns under their headings."""
    rows = HEADINGS + lines
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS[0]))]
    print(f"\n{title}")
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip())


def compare(options):
    """Runs SymPy on its cases, prints a table a mechanism; the exit status is 0 when all agree."""
    ours, results = read_ours(options.ours), []
    asked = CASES
    if options.only:
        asked = {m: [] for m in CASES}
        for case in options.only.split(","):
            mechanism, n = case.split(":")
            asked[mechanism].append(int(n))
    for mechanism, found in ours.items():
        lines = []
        for n, figures in sorted(found.items()):
            theirs = {}
            if n in asked[mechanism]:
                values = os.path.join(options.values, f"{mechanism}_{n}.json")
                theirs = run_limited(mechanism, n, values, options.limit)
            lines.append(table_line(n, figures, theirs))
            results.append({"mechanism": mechanism, "n": n, "ours": {
                key: figures[key] for key in
                ("least_s", "derive_s", "operations", "nonzeros", "nodes")}})
            if theirs != {}:
                results[-1]["sympy"] = theirs or "stopped"
        print_table(TITLES[mechanism], lines)
    print(f"\nCPU time, least of the repetitions; operations after sharing, without negations."
          f"\nSymPy is stopped after {options.limit} s; '-': not asked.")
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    answers = [r["sympy"] for r in results if isinstance(r.get("sympy"), dict)]
    return 0 if all(a["difference"] < TOLERANCE for a in answers) else 1


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ours", nargs="?", help="JSON of visviva_bench")
    parser.add_argument("values", nargs="?", help="folder with values of M, f and q'")
    parser.add_argument("--write", help="JSON with the figures of both")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds for one case of SymPy")
    parser.add_argument("--only", help="which SymPy derives: cart_relative:15,chain_3d:4")
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        mechanism, n, *values = options.one
        print(json.dumps(measure(mechanism, int(n), values[0] if values else None)))
        return 0
    return compare(options)


if __name__ == "__main__":
    sys.exit(main())
