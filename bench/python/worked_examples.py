"""SymPy's and PyDy's worked examples in Visviva and in SymPy: the same numbers, lines of code and seconds in a table.

    build-python/venv/bin/python bench/python/worked_examples.py [--json FILE]
Each mechanism is written twice, from its description (SymPy's documentation of physics.mechanics: double pendulum, rolling
disc, bicycle; PyDy's example of pendulums on a cart), and both are asked for the accelerations of one state.
"""

import argparse
import inspect
import json
import time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
import visviva
from visviva import dot, rotate, units

STATES = {"double_pendulum": {"q1": 0.3, "q2": -0.8, "q1'": 1.1, "q2'": -0.4},
          "rolling_disc": {"q1": 0.2, "q2": 0.4, "q3": 1.0, "u1": 0.5, "u2": 1.2, "u3": -0.7},
          "cart": {"q0": 0.1, "q1": 0.3, "q2": -0.5, "q3": 0.8, "q0'": 0.2, "q1'": 1.0, "q2'": -0.6, "q3'": 0.4}}
g = 9.81


def ours_double_pendulum():
    model = visviva.Model("double_pendulum")
    N = model.newtonian
    q1, q2 = model.coordinate("q1", 0 * units.rad), model.coordinate("q2", 0 * units.rad)
    A, B = model.frame("A", rotate(N, "z", q1)), model.frame("B", rotate(N, "z", q2))
    P = model.particle("P", N.origin + 0.7 * units.m * A.x, 1.2 * units.kg)
    model.particle("R", P + 0.7 * units.m * B.x, 1.2 * units.kg)
    model.gravity(g * units.m / units.s**2 * N.x)
    found = model.with_(STATES["double_pendulum"]).evaluate().accelerations
    return [found["q1''"], found["q2''"]]


def theirs_double_pendulum():
    q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")
    l, m, gr = sm.symbols("l m g")
    N = me.ReferenceFrame("N")
    A, B = me.ReferenceFrame("A"), me.ReferenceFrame("B")
    A.orient_axis(N, q1, N.z)
    B.orient_axis(N, q2, N.z)
    A.set_ang_vel(N, u1 * N.z)
    B.set_ang_vel(N, u2 * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", l * A.x)
    R = P.locatenew("R", l * B.x)
    P.v2pt_theory(O, N, A)
    R.v2pt_theory(P, N, B)
    bodies = [me.Particle("PaP", P, m), me.Particle("PaR", R, m)]
    kane = me.KanesMethod(N, q_ind=[q1, q2], u_ind=[u1, u2], kd_eqs=[q1.diff() - u1, q2.diff() - u2])
    kane.kanes_equations(bodies, [(P, m * gr * N.x), (R, m * gr * N.x)])
    s = STATES["double_pendulum"]
    at = {q1: s["q1"], q2: s["q2"], u1: s["q1'"], u2: s["q2'"], l: 0.7, m: 1.2, gr: g}
    M, f = (np.array(x.subs(at), dtype=float) for x in (kane.mass_matrix, kane.forcing))
    return np.linalg.solve(M, f).ravel()


def ours_rolling_disc():
    model = visviva.Model("rolling_disc")
    N = model.newtonian
    q1, q2, q3 = (model.coordinate(f"q{i}", 0 * units.rad) for i in (1, 2, 3))
    x, y = model.coordinate("x", 0 * units.m), model.coordinate("y", 0 * units.m)
    Y = model.frame("Y", rotate(N, "z", q1))
    L = model.frame("L", rotate(Y, "x", q2))
    R = model.frame("R", rotate(L, "y", q3))
    w = visviva.angular_velocity(R)
    for name, axis in (("u1", L.x), ("u2", L.y), ("u3", L.z)):
        model.speed(name, dot(w, axis))
    C = model.point("C", N.origin + x * N.x + y * N.y)
    model.body(R, C + 0.3 * units.m * L.z, 2 * units.kg, solid=visviva.disc(0.3 * units.m, "y"))
    model.gravity(-g * units.m / units.s**2 * N.z)
    model.roll("contact", R, N, C)
    found = model.with_(STATES["rolling_disc"]).evaluate().accelerations
    return [found["u1"], found["u2"], found["u3"]]


def theirs_rolling_disc():
    q1, q2, q3, u1, u2, u3 = me.dynamicsymbols("q1 q2 q3 u1 u2 u3")
    r, m, gr = sm.symbols("r m g")
    N, Y, L, R = (me.ReferenceFrame(n) for n in "NYLR")
    Y.orient_axis(N, q1, N.z)
    L.orient_axis(Y, q2, Y.x)
    R.orient_axis(L, q3, L.y)
    w = R.ang_vel_in(N)
    kinematics = [w.dot(axis) - u for axis, u in zip((L.x, L.y, L.z), (u1, u2, u3))]
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = me.Point("C")
    C.set_vel(N, 0)
    D = C.locatenew("D", r * L.z)
    D.v2pt_theory(C, N, R)
    inertia = me.inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = me.RigidBody("disc", D, R, m, (inertia, D))
    kane = me.KanesMethod(N, q_ind=[q1, q2, q3], u_ind=[u1, u2, u3], kd_eqs=kinematics)
    kane.kanes_equations([body], [(D, -m * gr * Y.z)])
    at = {r: 0.3, m: 2, gr: g, **{s: STATES["rolling_disc"][s.func.__name__] for s in (q1, q2, q3, u1, u2, u3)}}
    M, f = (np.array(x.subs(at), dtype=float) for x in (kane.mass_matrix, kane.forcing))
    return np.linalg.solve(M, f).ravel()


def ours_three_links_on_a_cart():
    model = visviva.Model("cart")
    N = model.newtonian
    x = model.coordinate("q0", 0 * units.m)
    at = model.particle("P0", N.origin + x * N.x, 1.0 * units.kg)
    for i in (1, 2, 3):
        q = model.coordinate(f"q{i}", 0 * units.rad)
        A = model.frame(f"A{i}", rotate(N, "z", q))
        at = model.particle(f"P{i}", at + 0.4 * units.m * A.x, 0.5 * units.kg)
    model.gravity(-g * units.m / units.s**2 * N.y)
    found = model.with_(STATES["cart"]).evaluate().accelerations
    return [found[f"q{i}''"] for i in range(4)]


def theirs_three_links_on_a_cart():
    q, u = me.dynamicsymbols("q:4"), me.dynamicsymbols("u:4")
    m, l, gr = sm.symbols("m:4"), sm.symbols("l1:4"), sm.symbols("g")
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P0", q[0] * N.x)
    P.set_vel(N, u[0] * N.x)
    bodies, loads = [me.Particle("Pa0", P, m[0])], [(P, -m[0] * gr * N.y)]
    kinematics = [q[0].diff() - u[0]]
    for i in (1, 2, 3):
        A = me.ReferenceFrame(f"A{i}")
        A.orient_axis(N, q[i], N.z)
        A.set_ang_vel(N, u[i] * N.z)
        Q = P.locatenew(f"P{i}", l[i - 1] * A.x)
        Q.v2pt_theory(P, N, A)
        bodies.append(me.Particle(f"Pa{i}", Q, m[i]))
        loads.append((Q, -m[i] * gr * N.y))
        kinematics.append(q[i].diff() - u[i])
        P = Q
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematics)
    kane.kanes_equations(bodies, loads)
    s = STATES["cart"]
    at = {gr: g, m[0]: 1.0, **{mi: 0.5 for mi in m[1:]}, **{li: 0.4 for li in l},
          **{q[i]: s[f"q{i}"] for i in range(4)}, **{u[i]: s[f"q{i}'"] for i in range(4)}}
    M, f = (np.array(x.subs(at), dtype=float) for x in (kane.mass_matrix, kane.forcing))
    return np.linalg.solve(M, f).ravel()


def count_lines(function):
    """Lines of a function's body that say something."""
    return sum(bool(line.strip()) for line in inspect.getsource(function).splitlines()[1:])


def measure(function, times=3):
    """The answer, and the shortest of some times that it took."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        answer = np.array(function(), dtype=float)
        seconds.append(time.perf_counter() - began)
    return answer, min(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the table there too")
    given = parser.parse_args()
    rows = []
    print(f"{'mechanism':22} {'lines':>6} {'SymPy':>6} {'ms':>9} {'SymPy':>9} {'ratio':>7} {'largest difference':>20}")
    for name in ("double_pendulum", "rolling_disc", "three_links_on_a_cart"):
        ours, theirs = globals()[f"ours_{name}"], globals()[f"theirs_{name}"]
        (a, seconds), (b, their_seconds) = measure(ours), measure(theirs, 1)
        row = {"mechanism": name, "lines": count_lines(ours), "lines_sympy": count_lines(theirs), "seconds": seconds,
               "seconds_sympy": their_seconds, "difference": float(max(abs(a - b)))}
        rows.append(row)
        print(f"{name:22} {row['lines']:6} {row['lines_sympy']:6} {1e3 * seconds:9.2f} {1e3 * their_seconds:9.1f} "
              f"{their_seconds / seconds:7.0f} {row['difference']:20.1e}")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
