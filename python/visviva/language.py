"""What a model is written with: scalars, vectors, frames and points.

Each of them is a piece of the model language's text, so that `theta`, `L*A.y` and `H - L*A.y` mean in
Python what they mean in a model file. Roles and units are checked where the model is read.
"""

from __future__ import annotations

import math
import re
from typing import Any, Dict, Union

from .errors import UsageError

NAME = re.compile(r"^[^\W\d]\w*(\[[^\W\d]\w*\]|\[-?\d+\])?$")

# How tightly a text holds together: a sum, a product, a sign, a power, one word.
SUM, PRODUCT, SIGNED, POWER, ATOM = range(5)


def check_name(name: str) -> str:
    """The name, if the language can have it as one."""
    if not isinstance(name, str) or not NAME.match(name):
        raise UsageError(f"{name!r} is no name: letters, digits and _ make one, a letter first")
    return name


def quoted(text: str) -> str:
    """A text between quotes. Line breaks become blanks; the language has no way to write a quote within."""
    return '"' + " ".join(text.split()).replace('"', "'") + '"'


class _Term:
    """A text and how tightly it holds together."""

    __slots__ = ("text", "level")
    text: str
    level: int

    def __init__(self, text: str, level: int = ATOM) -> None:
        self.text, self.level = text, level

    def within(self, least: int) -> str:
        """The text, in brackets where what stands around it would tear it apart."""
        return self.text if self.level >= least else f"({self.text})"

    def after_sign(self) -> str:
        """The text as what a + or - adds."""
        return self.text if self.level in (PRODUCT, POWER, ATOM) else f"({self.text})"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __bool__(self) -> bool:
        raise TypeError(f"{self.text!r} is a formula, which is neither true nor false")


class Scalar(_Term):
    """A scalar formula; `x.rate` is x', its derivative by time."""

    __slots__ = ()
    __array_priority__ = 1000.0  # NumPy's numbers leave sums and products to us
    __array_ufunc__ = None

    @staticmethod
    def name(text: str) -> "Scalar":
        """A scalar by its name, which may have primes."""
        return Scalar(text)

    @staticmethod
    def number(value: float) -> "Scalar":
        """A number without a unit."""
        if isinstance(value, int):
            text = str(value)
        else:
            value = float(value)
            if not math.isfinite(value):
                raise UsageError(f"{value} is no number that a model can have")
            text = repr(value)
        return Scalar(text, SIGNED if text.startswith("-") else ATOM)

    @staticmethod
    def call(function: str, *arguments: Any) -> "Scalar":
        """A function of scalars."""
        return Scalar(f"{function}({', '.join(scalar(a).text for a in arguments)})")

    @property
    def rate(self) -> "Scalar":
        """Its derivative by time, where it has a name."""
        if not NAME.match(self.text.rstrip("'")):
            raise UsageError(f"only what has a name has a rate, and {self.text!r} is a formula")
        return Scalar(self.text + "'")

    def __add__(self, other: "ScalarLike") -> "Scalar":
        return Scalar(f"{self.text} + {scalar(other).after_sign()}", SUM)

    def __radd__(self, other: "ScalarLike") -> "Scalar":
        return scalar(other) + self

    def __sub__(self, other: "ScalarLike") -> "Scalar":
        return Scalar(f"{self.text} - {scalar(other).after_sign()}", SUM)

    def __rsub__(self, other: "ScalarLike") -> "Scalar":
        return scalar(other) - self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            return Vector(f"{self.within(PRODUCT)}*{other.within(POWER)}", PRODUCT)
        return Scalar(f"{self.within(PRODUCT)}*{scalar(other).within(POWER)}", PRODUCT)

    def __rmul__(self, other: "ScalarLike") -> "Scalar":
        product: Scalar = scalar(other) * self
        return product

    def __truediv__(self, other: "ScalarLike") -> "Scalar":
        return Scalar(f"{self.within(PRODUCT)}/{scalar(other).within(POWER)}", PRODUCT)

    def __rtruediv__(self, other: "ScalarLike") -> "Scalar":
        return scalar(other) / self

    def __pow__(self, other: "ScalarLike") -> "Scalar":
        return Scalar(f"{self.within(ATOM)}^{scalar(other).within(ATOM)}", POWER)

    def __rpow__(self, other: "ScalarLike") -> "Scalar":
        raised: Scalar = scalar(other) ** self
        return raised

    def __neg__(self) -> "Scalar":
        return Scalar(f"-{self.within(POWER)}", SIGNED)

    def __pos__(self) -> "Scalar":
        return self


class Measure(Scalar):
    """A number with its unit, as 9.81 m/s^2; always in brackets within a product, since the unit would
    take a name behind it for one of its own."""

    __slots__ = ("digits", "unit")

    def __init__(self, number: str, unit: "Unit") -> None:
        super().__init__(f"{number} {unit.text}", SUM)
        self.digits, self.unit = number, unit

    def __mul__(self, other: Any) -> Any:
        return Measure(self.digits, self.unit * other) if isinstance(other, Unit) \
            else super().__mul__(other)

    def __truediv__(self, other: Any) -> Scalar:
        return Measure(self.digits, self.unit / other) if isinstance(other, Unit) \
            else super().__truediv__(other)


class Unit:
    """A unit such as units.m/units.s**2; a number times it is a scalar."""

    __slots__ = ("powers",)
    __array_priority__ = 1000.0
    __array_ufunc__ = None

    def __init__(self, powers: Dict[str, int]) -> None:
        self.powers = {name: power for name, power in powers.items() if power != 0}

    @property
    def text(self) -> str:
        """The unit as the language writes it: kg*m^2/s^2."""

        def word(name: str, power: int) -> str:
            return name if power == 1 else f"{name}^{power}"

        above = [word(n, p) for n, p in self.powers.items() if p > 0]
        below = [(n, -p) for n, p in self.powers.items() if p < 0]
        if not above:
            return "*".join(word(n, -p) for n, p in below) or "1"
        return "*".join(above) + "".join("/" + word(n, p) for n, p in below)

    def _combine(self, other: "Unit", sign: int) -> "Unit":
        powers = dict(self.powers)
        for name, power in other.powers.items():
            powers[name] = powers.get(name, 0) + sign * power
        return Unit(powers)

    def __mul__(self, other: Any) -> Any:
        return self._combine(other, 1) if isinstance(other, Unit) else other * self

    def __truediv__(self, other: "Unit") -> "Unit":
        return self._combine(other, -1)

    def __pow__(self, power: int) -> "Unit":
        return Unit({n: p * int(power) for n, p in self.powers.items()})

    def __rmul__(self, number: Any) -> Scalar:
        if isinstance(number, Scalar):
            product: Scalar = number * self.__rmul__(1)
            return product
        value = Scalar.number(number)
        return Measure(value.text, self) if self.powers else value

    def __rtruediv__(self, number: float) -> Scalar:
        return Unit({}).__truediv__(self).__rmul__(number)

    def __repr__(self) -> str:
        return f"Unit({self.text!r})"


ScalarLike = Union[Scalar, Unit, str, int, float]


def scalar(value: ScalarLike) -> Scalar:
    """A number, a text such as "0.5 m", or a formula, as a scalar."""
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Unit):
        return value.__rmul__(1)
    if isinstance(value, str):
        if not value.strip() or "\n" in value or "\r" in value or "#" in value:
            raise UsageError(f"{value!r} is no scalar")
        text = value.strip()
        return Scalar(text, ATOM if NAME.match(text.rstrip("'")) else SUM)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise UsageError(f"expected a number, a text such as '0.5 m' or a formula, found {value!r}")
    return Scalar.number(value if isinstance(value, int) else float(value))


class Vector(_Term):
    """A vector."""

    __slots__ = ()
    __array_priority__ = 1000.0
    __array_ufunc__ = None

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(f"{self.text} + {vector(other).after_sign()}", SUM)

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(f"{self.text} - {vector(other).after_sign()}", SUM)

    def __mul__(self, other: ScalarLike) -> "Vector":
        return Vector(f"{self.within(PRODUCT)}*{scalar(other).within(POWER)}", PRODUCT)

    def __rmul__(self, other: ScalarLike) -> "Vector":
        product: Vector = scalar(other) * self
        return product

    def __truediv__(self, other: ScalarLike) -> "Vector":
        return Vector(f"{self.within(PRODUCT)}/{scalar(other).within(POWER)}", PRODUCT)

    def __neg__(self) -> "Vector":
        return Vector(f"-{self.within(POWER)}", SIGNED)

    def __radd__(self, other: Any) -> "Vector":
        if other == 0:  # sum() begins with 0
            return self
        return NotImplemented

    def dot(self, other: "Vector") -> Scalar:
        """The scalar product."""
        return dot(self, other)

    def cross(self, other: "Vector") -> "Vector":
        """The vector product."""
        return cross(self, other)


def vector(value: Any) -> Vector:
    """A vector, or the text of one."""
    if isinstance(value, Vector):
        return value
    if isinstance(value, str):
        return Vector(scalar(value).text, SUM)
    if value == 0 and not isinstance(value, _Term):
        return Vector("0")
    raise UsageError(f"expected a vector, found {value!r}")


class Position(_Term):
    """A place: a point and a vector from it."""

    __slots__ = ()

    def __add__(self, other: Vector) -> "Position":
        return Position(f"{self.text} + {vector(other).after_sign()}", SUM)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Position):
            return Vector(f"{self.text} - {other.after_sign()}", SUM)
        return Position(f"{self.text} - {vector(other).after_sign()}", SUM)


class Point(Position):
    """A point by its name."""

    __slots__ = ()


class Line(_Term):
    """A material line by its name; `Beam(L)` is its point at a place."""

    __slots__ = ()

    def __call__(self, place: "ScalarLike") -> Point:
        return Point(f"{self.text}({scalar(place).text})")


class Frame(_Term):
    """A frame by its name; a body has the name of its frame."""

    __slots__ = ()

    @property
    def x(self) -> Vector:
        """Its first axis."""
        return Vector(f"{self.text}.x")

    @property
    def y(self) -> Vector:
        """Its second axis."""
        return Vector(f"{self.text}.y")

    @property
    def z(self) -> Vector:
        """Its third axis."""
        return Vector(f"{self.text}.z")

    @property
    def origin(self) -> Point:
        """The origin No of the Newtonian frame N; another frame has none of its own."""
        if self.text != "N":
            raise UsageError(f"only the Newtonian frame N has an origin, not {self.text}")
        return Point("No")


class Orientation(_Term):
    """How a frame is turned."""

    __slots__ = ()


class Solid(_Term):
    """A homogeneous solid, which gives a body inertia and picture."""

    __slots__ = ()


Text = Union[_Term, str]


def text_of(value: Any) -> str:
    """The text of a piece of a model, or of a name."""
    if isinstance(value, _Term):
        return value.text
    if isinstance(value, Unit):
        return scalar(value).text
    if isinstance(value, str):
        return scalar(value).text
    return scalar(value).text


# ---- Functions


def dot(a: Vector, b: Vector) -> Scalar:
    """The scalar product of two vectors."""
    return Scalar(f"dot({vector(a).text}, {vector(b).text})")


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product of two vectors."""
    return Vector(f"cross({vector(a).text}, {vector(b).text})")


def magnitude(a: Vector) -> Scalar:
    """The length of a vector."""
    return Scalar(f"magnitude({vector(a).text})")


def unit(a: Vector) -> Vector:
    """The unit vector along a vector."""
    return Vector(f"unit({vector(a).text})")


def _of(function: str, *parts: Any) -> str:
    return f"{function}({', '.join(text_of(p) for p in parts if p is not None)})"


def velocity(point: Text, frame: Any = None, on: Any = None) -> Vector:
    """The velocity of a point in N, or in a frame; with `on`, of the body's material point that is there."""
    if on is not None:
        return Vector(f"velocity({text_of(point)} on {text_of(on)})")
    return Vector(_of("velocity", point, frame))


def acceleration(point: Text) -> Vector:
    """The acceleration of a point in N."""
    return Vector(_of("acceleration", point))


def angular_velocity(frame: Text, reference: Any = None) -> Vector:
    """The angular velocity of a frame in N, or in another frame."""
    return Vector(_of("angular_velocity", frame, reference))


def angular_acceleration(frame: Text) -> Vector:
    """The angular acceleration of a frame in N."""
    return Vector(_of("angular_acceleration", frame))


def momentum(body: Text) -> Vector:
    """The linear momentum of a body or particle."""
    return Vector(_of("momentum", body))


def angular_momentum(body: Text, point: Text) -> Vector:
    """The angular momentum of a body or particle about a point."""
    return Vector(_of("angular_momentum", body, point))


def force(interaction: Text, part: Text) -> Vector:
    """The force of an interaction on a body or particle, for outputs."""
    return Vector(_of("force", interaction, part))


def moment(interaction: Text, part: Text) -> Vector:
    """The moment of an interaction about a body's mass center, for outputs."""
    return Vector(_of("moment", interaction, part))


def reaction(name: Text) -> Vector:
    """The force of a constraint, or at a point, for outputs."""
    return Vector(_of("reaction", name))


def power(name: Text) -> Scalar:
    """The power of a force, or of the motor of a specified motion, for outputs."""
    return Scalar(_of("power", name))


def work(name: Text) -> Scalar:
    """The work of a force, for outputs."""
    return Scalar(_of("work", name))


def motor(name: Text) -> Scalar:
    """Force or torque of the motor of a specified motion, for outputs."""
    return Scalar(_of("motor", name))


def multiplier(name: Text) -> Scalar:
    """The multiplier of a constraint, for outputs."""
    return Scalar(_of("multiplier", name))


def d(function: Text, *by: Text) -> Scalar:
    """The partial derivative of a function or field."""
    return Scalar(_of("d", function, *by))


def _function(name: str, count: int, meaning: str) -> Any:
    def call(*arguments: ScalarLike) -> Scalar:
        if len(arguments) != count:
            raise UsageError(f"{name} takes {count} argument{'s' * (count > 1)}, "
                             f"{len(arguments)} given")
        return Scalar.call(name, *arguments)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = meaning
    return call


sin = _function("sin", 1, "The sine of an angle.")
cos = _function("cos", 1, "The cosine of an angle.")
tan = _function("tan", 1, "The tangent of an angle.")
asin = _function("asin", 1, "The angle whose sine this is.")
acos = _function("acos", 1, "The angle whose cosine this is.")
atan = _function("atan", 1, "The angle whose tangent this is.")
atan2 = _function("atan2", 2, "The angle of the point (x, y), given y, then x.")
sinh = _function("sinh", 1, "The hyperbolic sine.")
cosh = _function("cosh", 1, "The hyperbolic cosine.")
tanh = _function("tanh", 1, "The hyperbolic tangent.")
exp = _function("exp", 1, "The exponential function.")
log = _function("log", 1, "The natural logarithm.")
sqrt = _function("sqrt", 1, "The square root.")
step = _function("step", 1, "0 below zero, 1 above.")
sign = _function("sign", 1, "-1, 0 or 1.")
minimum = _function("min", 2, "The smaller of two scalars; `min` in a model's text.")
maximum = _function("max", 2, "The larger of two scalars; `max` in a model's text.")
absolute = _function("abs", 1, "The absolute value; `abs` in a model's text.")
pi = Scalar("pi")


# ---- Orientations


def rotate(parent: Frame, axis: Union[str, Vector], *angles: ScalarLike, space: bool = False) -> Orientation:
    """Turned from `parent`: about "x", "y", "z" or a fixed vector by an angle, or by three angles in turn
    about axes such as "zxz", fixed in the body or, with `space`, in the parent."""
    if isinstance(axis, str):
        if not re.fullmatch("[xyz]|[xyz]{3}", axis):
            raise UsageError(f"expected an axis such as 'z', or three such as 'zxz', found {axis!r}")
        if len(angles) != len(axis):
            raise UsageError(f"rotate about {axis!r} takes {len(axis)} angle{'s' * (len(axis) > 1)}, "
                             f"{len(angles)} given")
        word = f"space {axis}" if space else axis
    else:
        if len(angles) != 1 or space:
            raise UsageError("rotate about a vector takes one angle")
        word = vector(axis).text
    return Orientation(f"rotate({', '.join([parent.text, word] + [scalar(a).text for a in angles])})")


def quaternion(parent: Frame, e0: Text, e1: Text, e2: Text, e3: Text) -> Orientation:
    """Turned by Euler parameters, four names or coordinates, the scalar first."""
    return Orientation(_of("quaternion", parent, e0, e1, e2, e3))


def rodrigues(parent: Frame, g1: Text, g2: Text, g3: Text) -> Orientation:
    """Turned by Rodrigues parameters."""
    return Orientation(_of("rodrigues", parent, g1, g2, g3))


def spin(parent: Frame, rate: Vector) -> Orientation:
    """Turned by an angular velocity in the parent."""
    return Orientation(_of("spin", parent, vector(rate)))


# ---- Solids


def sphere(radius: ScalarLike) -> Solid:
    """A homogeneous ball."""
    return Solid(f"sphere radius {scalar(radius).text}")


def shell(radius: ScalarLike) -> Solid:
    """A thin hollow sphere."""
    return Solid(f"shell radius {scalar(radius).text}")


def rod(length: ScalarLike, along: str) -> Solid:
    """A thin rod along "x", "y" or "z"."""
    return Solid(f"rod length {scalar(length).text} along {along}")


def cylinder(radius: ScalarLike, length: ScalarLike, along: str) -> Solid:
    """A solid cylinder along "x", "y" or "z"."""
    return Solid(f"cylinder radius {scalar(radius).text}, length {scalar(length).text} along {along}")


def disc(radius: ScalarLike, along: str) -> Solid:
    """A thin disc about "x", "y" or "z"."""
    return Solid(f"disc radius {scalar(radius).text} along {along}")


def box(x: ScalarLike, y: ScalarLike, z: ScalarLike) -> Solid:
    """A block with edges along x, y and z."""
    return Solid(f"box {scalar(x).text}, {scalar(y).text}, {scalar(z).text}")


def table(file: str, column: Union[str, int, None] = None, over: Any = None, unit: str = "",
          *words: str) -> Scalar:
    """A measured function: table("gas.csv", "p", theta, "Pa", "periodic")."""
    parts = [quoted(file)]
    if column is not None:
        parts.append(f"column {column}" if isinstance(column, int) else f"column {quoted(column)}")
    if over is not None:
        parts.append(f"over {text_of(over)}")
    if unit:
        parts.append(f"unit {unit}")
    return Scalar(f"table({', '.join(parts + list(words))})")
