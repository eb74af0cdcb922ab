"""SymPy's expressions and mechanisms, there and back."""

import numpy as np
import pytest
import visviva
from visviva import UsageError

sympy = pytest.importorskip("sympy")
me = pytest.importorskip("sympy.physics.mechanics")


def random_expression(rng, symbols, depth=4):
    if depth == 0 or rng.random() < 0.15:
        return symbols[rng.integers(len(symbols))] if rng.random() < 0.8 else sympy.Rational(int(rng.integers(1, 9)), 3)
    kind = rng.integers(6)
    a, b = (random_expression(rng, symbols, depth - 1) for _ in range(2))
    return [a + b, a - b, a * b, sympy.sin(a), a / (2 + b**2), -a][kind]


def test_formulas_go_there_and_back():
    rng = np.random.default_rng(3)
    q = me.dynamicsymbols("q")
    symbols = [sympy.Symbol("a"), sympy.Symbol("b"), q, q.diff()]
    for _ in range(100):
        expression = random_expression(rng, symbols)
        text = str(visviva.from_sympy(expression))
        back = visviva.Expression(text).to_sympy(functions={"q"})
        point = {symbols[0]: 0.7, symbols[1]: -1.3, q.diff(): 0.4}
        difference = (back - expression).subs(point).subs(q, 0.9)
        assert abs(float(difference)) < 1e-12, (expression, text)


def test_what_has_no_word_is_refused():
    with pytest.raises(UsageError):
        visviva.from_sympy(sympy.gamma(sympy.Symbol("x")))
    with pytest.raises(UsageError):
        visviva.from_sympy(sympy.Symbol("not a name"))


def make_double_pendulum():
    """SymPy's own worked example of a double pendulum, by Kane's method."""
    q1, q2 = me.dynamicsymbols("q1 q2")
    u1, u2 = me.dynamicsymbols("u1 u2")
    l, m, g = sympy.symbols("l m g")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q1, N.z])
    B = N.orientnew("B", "Axis", [q2, N.z])
    A.set_ang_vel(N, u1 * N.z)
    B.set_ang_vel(N, u2 * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    P, R = O.locatenew("P", l * A.x), None
    R = P.locatenew("R", l * B.x)
    P.v2pt_theory(O, N, A)
    R.v2pt_theory(P, N, B)
    bodies = [me.Particle("ParP", P, m), me.Particle("ParR", R, m)]
    kinematics = [q1.diff() - u1, q2.diff() - u2]
    loads = [(P, m * g * N.x), (R, m * g * N.x)]
    kane = me.KanesMethod(N, q_ind=[q1, q2], u_ind=[u1, u2], kd_eqs=kinematics)
    kane.kanes_equations(bodies, loads)
    return kane, (q1, q2, u1, u2), (l, m, g)


def test_a_mechanism_of_sympy():
    kane, (q1, q2, u1, u2), (l, m, g) = make_double_pendulum()
    model = visviva.from_sympy_model(kane, values={l: "0.7 m", m: "1.2 kg", g: "9.81 m/s^2"})
    numbers = {q1: 0.3, q2: -0.8, u1: 1.1, u2: -0.4, l: 0.7, m: 1.2, g: 9.81}
    M = np.array(kane.mass_matrix.subs(numbers), dtype=float)
    f = np.array(kane.forcing.subs(numbers), dtype=float).ravel()
    answer = model.with_(q1=0.3, q2=-0.8, u1=1.1, u2=-0.4).evaluate()
    assert answer.accelerations["u1"] == pytest.approx(np.linalg.solve(M, f)[0], rel=1e-12)
    assert answer.accelerations["u2"] == pytest.approx(np.linalg.solve(M, f)[1], rel=1e-12)


def test_a_rigid_body_in_space():
    """A spinning top by body-fixed angles, with SymPy's rates solved for speeds."""
    q = me.dynamicsymbols("q1:4")
    u = me.dynamicsymbols("u1:4")
    I, J, m, h, g = sympy.symbols("I J m h g")
    N, B = me.ReferenceFrame("N"), me.ReferenceFrame("B")
    B.orient_body_fixed(N, q, "zxz")
    w = B.ang_vel_in(N)
    kinematics = [w.dot(B.x) - u[0], w.dot(B.y) - u[1], w.dot(B.z) - u[2]]
    solved = sympy.solve(kinematics, [s.diff() for s in q])
    B.set_ang_vel(N, u[0] * B.x + u[1] * B.y + u[2] * B.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    C = O.locatenew("C", h * B.z)
    C.v2pt_theory(O, N, B)
    body = me.RigidBody("Top", C, B, m, (me.inertia(B, I, I, J), C))
    kane = me.KanesMethod(N, q_ind=list(q), u_ind=list(u),
                          kd_eqs=[s.diff() - sympy.simplify(solved[s.diff()]) for s in q])
    kane.kanes_equations([body], [(C, -m * g * N.z)])
    values = {I: "0.2 kg*m^2", J: "0.1 kg*m^2", m: "3 kg", h: "0.4 m", g: "9.81 m/s^2"}
    model = visviva.from_sympy_model(kane, values=values)
    numbers = dict(zip([*q, *u, I, J, m, h, g], [0.2, 0.9, -0.4, 1.0, 2.0, 7.0, 0.2, 0.1, 3.0, 0.4, 9.81]))
    M = np.array(kane.mass_matrix.subs(numbers), dtype=float)
    f = np.array(kane.forcing.subs(numbers), dtype=float).ravel()
    answer = model.with_(q1=0.2, q2=0.9, q3=-0.4, u1=1, u2=2, u3=7).evaluate()
    for name, expected in zip(("u1", "u2", "u3"), np.linalg.solve(M, f)):
        assert answer.accelerations[name] == pytest.approx(expected, rel=1e-11)


def test_a_mechanism_that_does_not_say_where_it_is_refused():
    q, u = me.dynamicsymbols("q u")
    N = me.ReferenceFrame("N")
    P = me.Point("P")
    P.set_vel(N, u * N.x)
    kane = me.KanesMethod(N, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
    kane.kanes_equations([me.Particle("Pa", P, sympy.Symbol("m"))], [])
    with pytest.raises(UsageError, match="P"):
        visviva.from_sympy_model(kane)
