"""What Python costs: a call of the rates, a run, a chain of 100 links.

    build-python/venv/bin/python bench/python/overheads.py [PROGRAM]
PROGRAM is build/visviva. Minima of several measurements; ratios are of the same run.
"""

import subprocess
import sys
import tempfile
import time

import numpy as np
import visviva
from visviva import rotate, units


def make_chain(n):
    """A planar chain of particles."""
    model = visviva.Model("chain")
    N, at = model.newtonian, model.newtonian.origin
    model.gravity(-9.81 * units.m / units.s**2 * N.y)
    for i in range(n):
        q = model.coordinate(f"q{i}", start=(120 if n == 2 else 10) * units.deg)
        A = model.frame(f"A{i}", rotate(N, "z", q))
        at = model.particle(f"P{i}", at=at - 1 * units.m * A.y, mass=1 * units.kg)
    return model


def shortest(work, times=7):
    """Seconds of the fastest of several calls."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def double_pendulum_numpy(t, y):
    """The double pendulum with unit masses and lengths, by hand."""
    q1, q2, u1, u2 = y
    c, s = np.cos(q1 - q2), np.sin(q1 - q2)
    M = np.array([[2.0, c], [c, 1.0]])
    f = np.array([-s * u2 * u2 - 2 * 9.81 * np.sin(q1), s * u1 * u1 - 9.81 * np.sin(q2)])
    return np.concatenate([y[2:], np.linalg.solve(M, f)])


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/visviva"
    model = make_chain(2)
    system, calls = model.compile(), 20000
    y = system.start
    np.testing.assert_allclose(system.rates(0.0, y), double_pendulum_numpy(0.0, y), rtol=1e-12)
    prepared = system._prepared

    def repeat(function):
        return lambda: [function(0.0, y) for _ in range(calls)]

    own, numpy_time = shortest(repeat(system.rates)) / calls, shortest(repeat(double_pendulum_numpy), 3) / calls
    bound = shortest(repeat(prepared.rates)) / calls
    states = np.tile(y[:, None], (1, 100000))
    batch = shortest(lambda: system.rates_batch(0.0, states)) / 100000
    print("double pendulum, one call of the rates, ns")
    print(f"  machine code, many states   {1e9 * batch:8.0f}")
    print(f"  system.rates                {1e9 * own:8.0f}   (of it the binding alone {1e9 * bound:.0f})")
    print(f"  NumPy by hand               {1e9 * numpy_time:8.0f}   {numpy_time / own:.1f} times")
    try:
        import numba
        jitted = numba.njit(double_pendulum_numpy)
        jitted(0.0, y)
        numba_time = shortest(repeat(jitted)) / calls
        print(f"  Numba                       {1e9 * numba_time:8.0f}   {numba_time / own:.1f} times")
    except ImportError:
        print("  Numba is not installed")

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/double.viva"
        model.save(path)
        command = [program, "simulate", path, "--until", "100", "--energy", "1e-8", "--out", f"{folder}/run"]
        outside = shortest(lambda: subprocess.run(command, check=True, capture_output=True), 5)
        inside = shortest(lambda: visviva.load(path).simulate(until=100, energy=1e-8), 5)
        print(f"simulate 100 s, ms: program {1e3 * outside:.1f}, Python {1e3 * inside:.1f}, ratio {inside / outside:.2f}")

    chain = shortest(lambda: make_chain(100))
    print(f"a chain of 100 links, ms: built {1e3 * chain:.1f}, built and checked "
          f"{1e3 * shortest(lambda: make_chain(100).check(), 3):.0f}")


if __name__ == "__main__":
    main()
