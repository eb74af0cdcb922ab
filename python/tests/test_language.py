"""What is written in Python is what stands in the model's text."""

import numpy as np
import pytest
import visviva
from visviva import Model, UsageError, cos, cross, dot, rotate, sin, units


def make_hoist():
    """The pendulum on a hoist of the library's sketch."""
    model = Model("hoist_pendulum")
    N, t = model.newtonian, model.time
    L, m = model.parameter("L", "0.5 m"), model.parameter("m", 2 * units.kg)
    g = model.parameter("g", 9.81 * units.m / units.s**2)
    x = model.specified("x", 0.3 * units.m * sin(2 * units.rad / units.s * t))
    theta = model.coordinate("theta", start=30 * units.deg)
    A = model.frame("A", rotate(N, "z", theta))
    H = model.point("H", N.origin + x * N.x)
    model.particle("Q", at=H - L * A.y, mass=m)
    model.gravity(-g * N.y)
    return model


def test_a_model_reads_like_its_text():
    assert make_hoist().text.splitlines() == [
        "model hoist_pendulum",
        "parameter L = 0.5 m",
        "parameter m = 2 kg",
        "parameter g = 9.81 m/s^2",
        "specified x(t) = (0.3 m)*sin((2 rad/s)*t)",
        "coordinate theta = 30 deg",
        "frame A = rotate(N, z, theta)",
        "point H = No + x*N.x",
        "particle Q at H - L*A.y, mass m",
        "gravity -g*N.y",
    ]


def test_a_unit_never_takes_the_name_behind_it():
    # 2 m/m would be two metres a metre, were it written without brackets.
    m = visviva.Scalar("m")
    assert str(2 * units.m / m) == "(2 m)/m"
    assert str(2 * units.m * m) == "(2 m)*m"
    assert str(m / (2 * units.s)) == "m/(2 s)"


def test_signs_and_powers_keep_their_meaning():
    a, b = visviva.Scalar("a"), visviva.Scalar("b")
    assert str(a - (b - 1)) == "a - (b - 1)"
    assert str(a + -3) == "a + (-3)"
    assert str(-a**2) == "-a^2"
    assert str((-a)**2) == "(-a)^2"
    assert str(a / (b * 2)) == "a/(b*2)"
    assert str(2 ** (a + b)) == "2^(a + b)"
    assert str(1 - a) == "1 - a"
    assert str(a * (b / a)) == "a*(b/a)"


def test_random_formulas_have_the_value_that_python_gives_them():
    # The same operators on numbers and on scalars; the text is evaluated by Python's own rules.
    rng = np.random.default_rng(20261119)
    names = {"a": 1.3, "b": -0.7, "c": 2.1}
    for _ in range(300):
        values = [(visviva.Scalar(n), v) for n, v in names.items()]
        for _ in range(8):
            (x, vx), (y, vy) = (values[i] for i in rng.integers(len(values), size=2))
            kind = rng.integers(6)
            if kind == 0:
                values.append((x + y, vx + vy))
            elif kind == 1:
                values.append((x - y, vx - vy))
            elif kind == 2:
                values.append((x * y, vx * vy))
            elif kind == 3 and abs(vy) > 1e-3:
                values.append((x / y, vx / vy))
            elif kind == 4:
                values.append((-x, -vx))
            elif abs(vx) < 10:
                values.append((x**2, vx**2))
        text, value = values[-1]
        assert eval(str(text).replace("^", "**"), {}, names) == pytest.approx(value, rel=1e-9)


def test_vectors_and_places():
    N = Model("m").newtonian
    a = visviva.Scalar("a")
    assert str(2 * N.x - (N.y - a * N.z)) == "2*N.x - (N.y - a*N.z)"
    assert str(sum([N.x, N.y])) == "N.x + N.y"
    assert str(dot(cross(N.x, N.y), -N.z)) == "dot(cross(N.x, N.y), -N.z)"
    assert str(N.origin + a * N.x - N.y) == "No + a*N.x - N.y"
    assert isinstance(N.origin - N.origin, visviva.Vector)
    with pytest.raises((UsageError, TypeError)):
        N.origin + N.origin


@pytest.mark.parametrize("name", ["", "a b", "1a", "a\nforce", "x'", "a=1", "a#"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(UsageError):
        Model("m").parameter(name)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None.__class__, [], "1 m\nlock q", ""])
def test_a_value_that_is_none_is_refused(value):
    with pytest.raises(UsageError):
        Model("m").parameter("a", value)


def test_numpy_numbers_are_numbers():
    a = visviva.Scalar("a")
    assert str(np.float64(0.5) * a) == "0.5*a"
    assert str(a * np.int64(2)) == "a*2.0"


def test_formulas_are_neither_true_nor_false():
    with pytest.raises(TypeError):
        bool(visviva.Scalar("a"))


def test_what_is_written_means_what_the_text_means():
    # L theta'' + g sin theta + x'' cos theta = 0, derived by hand.
    model = make_hoist()
    theta, t = np.deg2rad(30.0), 0.0
    expected = -(9.81 * np.sin(theta) - 0.3 * 4 * np.sin(2 * t) * np.cos(theta)) / 0.5
    assert model.evaluate()["accelerations"]["theta''"] == pytest.approx(expected, rel=1e-14)
    parsed = visviva.parse(model.text)
    assert parsed.equations().to_dict() == model.equations().to_dict()
    assert cos(1).text == "cos(1)"
