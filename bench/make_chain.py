#!/usr/bin/env python3
"""Writes a mechanism of n rods as a model: a planar chain by relative or absolute
angles, a chain in space or of particles, a tree of planar rods, or a chain that a pin closes to a loop.

    bench/make_chain.py planar 100 > chain.viva
"""

import math
import sys

HEAD = "parameter  g = 9.81 m/s^2, m = 1 kg, L = 0.3 m"
TAIL = "gravity -g*N.y\nstudy until 1 s, every 0.01 s"


def write_planar(count, parent_of):
    """Rods in the plane; each angle is relative to the rod that carries it. parent_of(i) is 0 for the ground."""
    coordinates, rods = [], []
    for i in range(1, count + 1):
        parent = parent_of(i)
        frame, pin = (f"B{parent}", f"P{parent}") if parent else ("N", "No")
        coordinates.append(f"coordinate q{i} = {0.1 + 0.4 / i:.6g} rad")
        rods += [f"frame B{i} = rotate({frame}, z, q{i})",
                 f"point P{i} = {pin} - L*B{i}.y",
                 f"body  B{i} at {pin} - L/2*B{i}.y, mass m, rod length L along y"]
    return coordinates + rods


def write_spatial(count):
    """Rods in space, each on a universal joint."""
    coordinates, rods = [], []
    frame, pin = "N", "No"
    for i in range(1, count + 1):
        coordinates.append(f"coordinate a{i} = {0.1 + 0.4 / i:.6g} rad, b{i} = {0.2 + 0.1 / i:.6g} rad")
        rods += [f"frame A{i} = rotate({frame}, z, a{i})",
                 f"frame B{i} = rotate(A{i}, x, b{i})",
                 f"point P{i} = {pin} - L*B{i}.y",
                 f"body  B{i} at {pin} - L/2*B{i}.y, mass m, rod length L along y"]
        frame, pin = f"B{i}", f"P{i}"
    return coordinates + rods


def write_absolute(count):
    """Rods in the plane; each angle is against the ground."""
    coordinates, rods = [], []
    pin = "No"
    for i in range(1, count + 1):
        coordinates.append(f"coordinate q{i} = {0.1 + 0.4 / i:.6g} rad")
        rods += [f"frame B{i} = rotate(N, z, q{i})",
                 f"point P{i} = {pin} - L*B{i}.y",
                 f"body  B{i} at {pin} - L/2*B{i}.y, mass m, rod length L along y"]
        pin = f"P{i}"
    return coordinates + rods


def write_points(count):
    """Particles on massless rods."""
    coordinates, points = [], []
    pin = "No"
    for i in range(1, count + 1):
        coordinates.append(f"coordinate q{i} = {0.1 + 0.4 / i:.6g} rad")
        points += [f"frame A{i} = rotate(N, z, q{i})", f"particle P{i} at {pin} - L*A{i}.y, mass m"]
        pin = f"P{i}"
    return coordinates + points


def write_loop(count):
    """An arc of rods in the plane by absolute angles, its last end pinned to the ground."""
    angles = [math.pi / 2 + 0.8 * (1 - 2 * (i + 0.5) / count) for i in range(count)]
    length = sum(0.3 * math.sin(angle) for angle in angles)
    coordinates, rods = [], []
    pin = "No"
    for i, angle in enumerate(angles, 1):
        coordinates.append(f"coordinate q{i} = {angle:.12g} rad")
        rods += [f"frame B{i} = rotate(N, z, q{i})",
                 f"point P{i} = {pin} - L*B{i}.y",
                 f"body  B{i} at {pin} - L/2*B{i}.y, mass m, rod length L along y"]
        pin = f"P{i}"
    return coordinates + rods + [f"parameter D = {length:.12g} m", "point R = No + D*N.x", f"constraint pin: P{count} - R = 0"]


KINDS = {
    "planar": lambda count: write_planar(count, lambda i: i - 1),
    "absolute": write_absolute,
    "points": write_points,
    "tree": lambda count: write_planar(count, lambda i: i // 2),
    "spatial": write_spatial,
    "loop": write_loop,
}


def make_chain(kind, count):
    """The text of a model of count rods."""
    return "\n".join([f'model {kind}_{count} "{count} rods"', HEAD, *KINDS[kind](count), TAIL]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS or not sys.argv[2].isdigit():
        sys.exit(f"usage: make_chain.py {'|'.join(KINDS)} COUNT")
    sys.stdout.write(make_chain(sys.argv[1], int(sys.argv[2])))
