"""Velocities and accelerations of mechanisms, by SymPy: the outside answer of sympy_kinematics_test.cpp.

usage: sympy_kinematics.py INPUT OUTPUT    both JSON

INPUT is a list of mechanisms with the values of their state: coordinates, speeds u and u', known
functions with two rates. OUTPUT is, for each, a flat map from names such as "v P1" or "pv P1 u2" to
components in N. SymPy gives angular velocities, velocities and accelerations in terms of q, q', q'';
speeds enter only through numbers: u = Y q' + Z is solved for q', and likewise for q''. So do the
arguments of orientations: to SymPy each is a symbol g, whose g, g' and g'' are put in at the end.
"""

import json
import sys
import warnings

from sympy import Matrix, cos, lambdify, sin, sqrt, symbols
from sympy.physics.vector import Point, ReferenceFrame, dynamicsymbols

TIME = dynamicsymbols._t  # pylint: disable=protected-access


def solve(matrix, right):
    """Solves a small linear system by elimination with pivots."""
    n = len(matrix)
    rows = [list(row) + [r] for row, r in zip(matrix, right)]
    for k in range(n):
        best = max(range(k, n), key=lambda i, k=k: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(n):
            if i != k:
                f = rows[i][k] / rows[k][k]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[k])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


class Mechanism:
    """One mechanism in SymPy's words."""

    def __init__(self, data):
        self.data = data
        self.values = data["values"]
        self.coordinates = data["coordinates"]
        self.moving = self.coordinates + data["known"]
        self.names = {name: dynamicsymbols(name) for name in self.moving}
        self.scope = {"sin": sin, "cos": cos, "t": TIME, "L": self.values["L"]}
        for name, symbol in self.names.items():
            self.scope[name] = symbol
            self.scope[name + "_dot"] = symbol.diff(TIME)
        self.frames = {"N": ReferenceFrame("N")}
        self.parents = {}
        self.arguments = {}  # symbols of orientations -> what they are
        self.points = {"No": Point("No")}
        self.points["No"].set_vel(self.frames["N"], 0)
        for frame in data["frames"]:
            self.add_frame(frame)
        for point in data["points"]:
            self.add_point(point)

    def read(self, text):
        """A scalar from its Python text."""
        return eval(text, {}, self.scope)  # pylint: disable=eval-used

    def add_frame(self, recipe):
        """Orients a frame by the method of SymPy that has its name."""
        frame, parent = ReferenceFrame(recipe["name"]), self.frames[recipe["parent"]]
        kind, axes = recipe["kind"], recipe["axes"]
        given = [self.read(a) for a in recipe["arguments"]]
        if kind == "rodrigues":  # Euler parameters of a Gibbs vector: (1, g)/sqrt(1 + g g)
            norm = sqrt(1 + sum(g * g for g in given))
            given = [1 / norm] + [g / norm for g in given]
        arguments = []
        for i, value in enumerate(given):
            arguments.append(dynamicsymbols(f"{recipe['name']}_g{i}"))
            self.arguments[arguments[-1]] = value
        if kind == "axis":
            x, y, z = (int(a) for a in axes.split(","))
            frame.orient_axis(parent, x * parent.x + y * parent.y + z * parent.z, arguments[0])
        elif kind == "body":
            frame.orient_body_fixed(parent, arguments, axes.upper())
        elif kind == "space":
            frame.orient_space_fixed(parent, arguments, axes.upper())
        elif kind in ("quaternion", "rodrigues"):
            frame.orient_quaternion(parent, arguments)
        else:
            raise ValueError(f"unknown kind of orientation: {kind}")
        self.frames[recipe["name"]] = frame
        self.parents[recipe["name"]] = parent

    def add_point(self, recipe):
        """Places a point at a sum of vectors from its parent."""
        offset = 0
        for name, parts in recipe["parts"]:
            f = self.frames[name]
            x, y, z = (self.read(p) for p in parts)
            offset += x * f.x + y * f.y + z * f.z
        point = self.points[recipe["parent"]].locatenew(recipe["name"], offset)
        self.points[recipe["name"]] = point

    def definition(self, speed):
        """What a speed is in terms of rates."""
        if "python" in speed:
            return self.read(speed["python"])
        along = self.frames[speed["along"]]
        axis = (along.x, along.y, along.z)[speed["axis"]]
        return self.frames[speed["of"]].ang_vel_in(self.frames[speed["in"]]).dot(axis)

    def make_function(self, scalars, moving):
        """A numerical function of t and of the second rates, rates and values of `moving`."""
        plain, replace = [TIME], {}
        for order in (2, 1, 0):
            for i, symbol in enumerate(moving):
                plain.append(symbols(f"m{i}_{order}"))
                replace[symbol.diff(TIME, order) if order else symbol] = plain[-1]
        ready = [s.xreplace(replace) if hasattr(s, "xreplace") else s for s in scalars]
        return lambdify(plain, ready, modules="math", cse=True)

    def evaluate(self):
        """All answers, as a flat map from names to columns of numbers."""
        N = self.frames["N"]
        speeds = self.data["speeds"]
        definitions = [self.definition(s) for s in speeds]
        for e in self.data["quaternions"]:  # the norm does not change
            definitions.append(sum(self.names[n] * self.names[n].diff(TIME) for n in e))
        vectors, seconds = {}, {}
        for name, frame in self.frames.items():
            if name != "N":
                vectors["w " + name] = frame.ang_vel_in(N)
                seconds["alpha " + name] = frame.ang_vel_in(N).dt(N)
        for name, point in self.points.items():
            if name != "No":
                vectors["v " + name] = point.vel(N)
                seconds["a " + name] = point.acc(N)

        # Everything that is to become a number, in one list.
        scalars, places = list(definitions), {}
        scalars += [d.diff(TIME) for d in definitions]
        for name, vector in {**vectors, **seconds}.items():
            places[name] = [(len(scalars) + 3 * i, part[1].name)
                            for i, part in enumerate(vector.args)]
            for part in vector.args:
                scalars += list(part[0])
        turns = {}
        for name, parent in self.parents.items():
            turns[name] = (len(scalars), parent.name)
            scalars += list(parent.dcm(self.frames[name]))
        moving = list(self.names.values())
        inner = [a.diff(TIME, k) for k in (2, 1, 0) for a in self.arguments.values()]
        inner = self.make_function(inner, moving)
        outer = self.make_function(scalars, moving + list(self.arguments))

        values, n, count = self.values, len(self.coordinates), len(self.arguments)

        def numbers(rates, second_rates):
            known = self.data["known"]
            state = [[*second_rates, *(values[k + "''"] for k in known)],
                     [*rates, *(values[k + "'"] for k in known)],
                     [values[k] for k in self.moving]]
            g = inner(values["t"], *state[0], *state[1], *state[2])
            for k in range(3):
                state[k] += g[k * count:(k + 1) * count]
            return outer(values["t"], *state[0], *state[1], *state[2])

        def column(result, name):
            total = Matrix([0, 0, 0])
            for start, frame in places[name]:
                part = Matrix(result[start:start + 3])
                while frame != "N":
                    first, parent = turns[frame]
                    part = Matrix(3, 3, result[first:first + 9]) * part
                    frame = parent
                total += part
            return [float(x) for x in total]

        # Y and Z, and q' and q'' from them.
        zero = [0.0] * n
        units = [[float(i == j) for j in range(n)] for i in range(n)]
        at_zero, at_units = numbers(zero, zero), [numbers(u, zero) for u in units]
        Y = [[at_units[j][i] - at_zero[i] for j in range(n)] for i in range(n)]
        u = [values[s["name"]] for s in speeds] + [0.0] * len(self.data["quaternions"])
        udot = [values[s["name"] + "'"] for s in speeds] + [0.0] * len(self.data["quaternions"])
        rates = solve(Y, [u[i] - at_zero[i] for i in range(n)])
        now = numbers(rates, zero)
        now = numbers(rates, solve(Y, [udot[i] - now[n + i] for i in range(n)]))

        answers = {name: column(now, name) for name in {**vectors, **seconds}}
        for name in vectors:
            base = column(at_zero, name)
            slopes = [[a - b for a, b in zip(column(x, name), base)] for x in at_units]
            # One unit of u_r moves q' by a column of the inverse of Y.
            for r, speed in enumerate(speeds):
                q = solve(Y, [float(i == r) for i in range(n)])
                answers[f"partial {name} {speed['name']}"] = [
                    sum(q[j] * slopes[j][i] for j in range(n)) for i in range(3)]
            q = solve(Y, [-at_zero[i] for i in range(n)])
            answers[f"remainder {name}"] = [
                base[i] + sum(q[j] * slopes[j][i] for j in range(n)) for i in range(3)]
        return answers


def main():
    """Answers every mechanism of the input."""
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as file:
        mechanisms = json.load(file)
    answers = [Mechanism(m).evaluate() for m in mechanisms]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main()
