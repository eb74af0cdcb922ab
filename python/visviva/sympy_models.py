"""Models from SymPy's mechanics: what a KanesMethod or LagrangesMethod says of its mechanism.

SymPy keeps bodies, points and frames, but not how a frame was turned nor, often, where a point is. Turns are
recognised by their direction cosines (about an axis, three body-fixed angles, Euler parameters); what
cannot be recognised, or was never said, is a UsageError that names it.
"""

from __future__ import annotations

import itertools
import random
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import UsageError
from .language import Frame, Orientation, Point, Position, Scalar, Vector, quaternion, rotate
from .model import Model
from .sympy_bridge import from_sympy

_RESERVED = set("K K0 K1 K2 U Z E_Z E H C sigma sigma_R P_nonconservative t pi".split())


def from_sympy_model(method: Any, name: str = "model",
                     values: Optional[Mapping[Any, str]] = None) -> Model:
    """A model from SymPy's KanesMethod or LagrangesMethod. `values` gives symbols values with units."""
    return _Reading(method, name, values or {}).model


def _free(text: str, taken: Dict[Any, str]) -> str:
    text = text.replace("{", "").replace("}", "").replace("\\", "")
    while text in _RESERVED or text in taken.values():
        text += "_"
    return text


class _Reading:
    def __init__(self, method: Any, name: str, values: Mapping[Any, str]) -> None:
        import sympy
        from sympy.physics.mechanics import dynamicsymbols
        self.sympy, self.time = sympy, dynamicsymbols._t
        self.method, self.values = method, dict(values)
        self.model = Model(name, "from SymPy's mechanics")
        self.names: Dict[Any, str] = {}
        self.frames: Dict[Any, Frame] = {}
        self.points: Dict[Any, Point] = {}
        self.inertial = self._find_inertial()
        self.bodies = list(getattr(method, "bodies", None) or getattr(method, "_bodylist", None) or [])
        if not self.bodies:
            raise UsageError("the method names no bodies: what moves where is not said")
        self.frames[self.inertial] = self.model.newtonian
        self._read_scalars()
        self._read_bodies()
        self._read_loads()
        self._read_constraints()

    def _find_inertial(self) -> Any:
        for attribute in ("_inertial", "inertial"):
            if getattr(self.method, attribute, None) is not None:
                return getattr(self.method, attribute)
        raise UsageError("the method names no inertial frame")

    # ---- Scalars

    def _read_scalars(self) -> None:
        coordinates = list(self.method.q)
        speeds = [u for u in getattr(self.method, "u", []) if u.func != self.sympy.Derivative]
        for symbol in coordinates:
            self.names[symbol] = _free(symbol.func.__name__, self.names)
            self.model.coordinate(self.names[symbol], self.values.get(symbol))
        definitions = self._speed_definitions(speeds)
        for symbol in speeds:
            self.names[symbol] = _free(symbol.func.__name__, self.names)
        for symbol, definition in definitions.items():
            self._declare(definition)
        for symbol, definition in definitions.items():
            self.model.speed(self.names[symbol], self.scalar(definition))

    def _speed_definitions(self, speeds: Sequence[Any]) -> Dict[Any, Any]:
        if not speeds or not hasattr(self.method, "kindiffdict"):
            return {}
        rates = self.method.kindiffdict()
        known = [u for u in speeds if any(r.has(u) for r in rates.values())]
        solved = self.sympy.solve([rate - value for rate, value in rates.items()], known, dict=True)
        if not solved or len(solved[0]) < len(known):
            raise UsageError("the speeds cannot be written by the rates of the coordinates")
        return {u: self.sympy.simplify(solved[0][u]) for u in known}

    def _declare(self, expression: Any) -> None:
        expression = self.sympy.sympify(expression)
        undefined = expression.atoms(self.sympy.core.function.AppliedUndef)
        for function in sorted(undefined - set(self.names), key=str):
            self.names[function] = _free(function.func.__name__, self.names)
            self.model.specified(self.names[function], self.values.get(function))
        for symbol in sorted(expression.free_symbols - set(self.names) - {self.time}, key=str):
            self.names[symbol] = _free(symbol.name, self.names)
            self.model.parameter(self.names[symbol], self.values.get(symbol))

    def scalar(self, expression: Any) -> Scalar:
        """A formula of SymPy, with what it names declared."""
        self._declare(expression)
        return from_sympy(expression, self.names)

    # ---- Frames, vectors, points

    def frame(self, frame: Any) -> Frame:
        """A frame, and those that it was turned from."""
        if frame in self.frames:
            return self.frames[frame]
        path = list(frame._dict_list(self.inertial, 0))
        if path and path[0] != self.inertial:
            path.reverse()
        for parent, child in zip(path, path[1:]):
            if child not in self.frames:
                turn = self._find_turn(parent, child)
                label = _free(child.name, {f: str(v) for f, v in self.frames.items()})
                self.frames[child] = self.model.frame(label, turn)
        return self.frames[frame]

    def _find_turn(self, parent: Any, child: Any) -> Orientation:
        matrix, base = parent.dcm(child), self.frames[parent]
        for axis in range(3):
            angle = self._angle_about(matrix, axis)
            if angle is not None:
                return rotate(base, "xyz"[axis], self.scalar(angle))
        trigonometric = matrix.atoms(self.sympy.sin, self.sympy.cos)
        angles = sorted({f.args[0] for f in trigonometric}, key=str)
        for triple in itertools.permutations(angles, 3):
            for axes in itertools.product("xyz", repeat=3):
                if axes[0] != axes[1] != axes[2] and self._is_equal(matrix, self._turn(axes, triple)):
                    return rotate(base, "".join(axes), *[self.scalar(a) for a in triple])
        functions = sorted(matrix.atoms(self.sympy.core.function.AppliedUndef), key=str)
        if len(functions) == 4 and not trigonometric:
            for four in itertools.permutations(functions):
                if self._is_equal(matrix, _quaternion_matrix(self.sympy, four)):
                    return quaternion(base, *[self.scalar(e) for e in four])
        raise UsageError(f"how frame {child.name} was turned from {parent.name} is not recognised: "
                         "about an axis x, y or z, by three body-fixed angles, or by Euler parameters")

    def _angle_about(self, matrix: Any, axis: int) -> Any:
        i, j = (axis + 1) % 3, (axis + 2) % 3
        others = [matrix[axis, axis] - 1, matrix[axis, i], matrix[axis, j], matrix[i, axis],
                  matrix[j, axis], matrix[i, i] - matrix[j, j], matrix[i, j] + matrix[j, i]]
        if any(self.sympy.simplify(o) != 0 for o in others):
            return None
        sine, cosine = matrix[j, i], matrix[i, i]
        for f in sorted(sine.atoms(self.sympy.sin), key=str):
            for angle in (f.args[0], -f.args[0]):
                if self.sympy.simplify(sine - self.sympy.sin(angle)) == 0 and \
                        self.sympy.simplify(cosine - self.sympy.cos(angle)) == 0:
                    return angle
        return self.sympy.atan2(sine, cosine) if not sine.free_symbols else None

    def _turn(self, axes: Sequence[str], angles: Sequence[Any]) -> Any:
        product = self.sympy.eye(3)
        for axis, angle in zip(axes, angles):
            c, s = self.sympy.cos(angle), self.sympy.sin(angle)
            i = "xyz".index(axis)
            turn = self.sympy.eye(3)
            j, k = (i + 1) % 3, (i + 2) % 3
            turn[j, j] = turn[k, k] = c
            turn[j, k], turn[k, j] = -s, s
            product = product * turn
        return product

    # Compared at random values of all that they hold.
    def _is_equal(self, a: Any, b: Any) -> bool:
        difference = a - b
        held = difference.atoms(self.sympy.core.function.AppliedUndef) | difference.free_symbols
        rng = random.Random(1)
        for _ in range(2):
            point = {h: rng.uniform(-1.0, 1.0) for h in sorted(held, key=str)}
            if any(abs(complex(e.subs(point).evalf())) > 1e-9 for e in difference):
                return False
        return True

    def vector(self, vector: Any) -> Vector:
        """A vector by its measure numbers."""
        terms: List[Vector] = []
        for column, frame in vector.args if vector != 0 else []:
            axes = self.frame(frame)
            for component, axis in zip(column, (axes.x, axes.y, axes.z)):
                if component != 0:
                    factor = self.scalar(component)
                    terms.append(axis if component == 1 else factor * axis)
        total = terms[0] if terms else Vector("0")
        for term in terms[1:]:
            total = total + term
        return total

    def place(self, point: Any) -> Position:
        """Where a point is, by its way from a point at rest."""
        if point in self.points:
            return self.points[point]
        for known, ours in self.points.items():
            offset = _way(known, point)
            if offset is not None:
                return ours + self.vector(offset) if offset != 0 else ours
        for rest in _connected(point):
            if self.inertial in rest._vel_dict and rest.vel(self.inertial) == 0:
                offset = _way(rest, point)
                origin = self.model.newtonian.origin
                return origin + self.vector(offset) if offset != 0 else origin
        raise UsageError(f"where the point {point.name} is was not said: "
                         "set_pos() from a point whose velocity in the inertial frame is 0")

    # ---- Bodies, loads, constraints

    def _read_bodies(self) -> None:
        for body in self.bodies:
            label = _free(body.name.replace(" ", "_"), {})
            if hasattr(body, "frame"):
                self._read_rigid_body(body)
            else:
                at = self.place(body.point)
                self.points[body.point] = self.model.particle(label, at, self.scalar(body.mass))
            energy = getattr(body, "potential_energy", 0)
            if energy != 0 and not hasattr(self.method, "kindiffdict"):
                self.model.potential(f"V_{label}", self.scalar(energy))

    def _read_rigid_body(self, body: Any) -> None:
        frame, (inertia, about) = self.frame(body.frame), body.inertia
        central = body.central_inertia if about != body.masscenter else inertia
        m = central.to_matrix(body.frame)
        entries = [m[0, 0], m[1, 1], m[2, 2]]
        products = [m[0, 1], m[1, 2], m[2, 0]]
        if any(p != 0 for p in products):
            entries += products
        at = self.place(body.masscenter)
        self.points[body.masscenter] = self.model.body(
            frame, at, self.scalar(body.mass), [self.scalar(e) for e in entries])

    def _read_loads(self) -> None:
        loads = getattr(self.method, "loads", None) or getattr(self.method, "forcelist", None) or []
        for number, (where, value) in enumerate(tuple(load) for load in loads):
            if value == 0:
                continue
            label = f"load{number + 1}"
            if hasattr(where, "dcm"):
                self.model.torque(label, self.frame(where), self.vector(value))
            else:
                self.model.force(label, self._loaded_point(where), self.vector(value))

    def _loaded_point(self, point: Any) -> Point:
        if point not in self.points:
            label = _free(point.name, {p: str(v) for p, v in self.points.items()})
            self.points[point] = self.model.point(label, self.place(point))
        return self.points[point]

    def _read_constraints(self) -> None:
        rows: List[Tuple[str, Any]] = []
        rows += [("c", e) for e in getattr(self.method, "_f_h", []) or []]
        if getattr(self.method, "_k_nh", None):
            speeds = self.sympy.Matrix(self.method.u)
            rows += [("c", e) for e in self.method._k_nh * speeds + self.method._f_nh]
        rows += [("c", e) for e in getattr(self.method, "coneqs", None) or []]
        for number, (label, expression) in enumerate(rows):
            if expression != 0:
                self.model.constraint(f"{label}{number + 1}", self.scalar(expression))


def _quaternion_matrix(sympy: Any, e: Sequence[Any]) -> Any:
    w, x, y, z = e
    return sympy.Matrix([
        [w**2 + x**2 - y**2 - z**2, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w**2 - x**2 + y**2 - z**2, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2]])


def _way(start: Any, end: Any) -> Any:
    try:
        return end.pos_from(start)
    except ValueError:
        return None


def _connected(point: Any) -> List[Any]:
    found, waiting = [], [point]
    while waiting:
        here = waiting.pop(0)
        if here not in found:
            found.append(here)
            waiting += list(here._pos_dict)
    return found
