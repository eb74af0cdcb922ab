"""What verbs answer, against numbers from outside."""

import json
import pathlib
import pickle
import subprocess

import numpy as np
import pytest
import visviva
from conftest import EXAMPLES
from visviva import ModelError, UsageError


def test_equations_are_formulas(pendulum):
    sympy = pytest.importorskip("sympy")
    equations = pendulum.equations()
    L, m, g = sympy.symbols("L m g")
    theta = sympy.Function("theta")(visviva.sympy_bridge._time())
    assert equations.mass_matrix[0][0].to_sympy() == m * L**2
    assert sympy.simplify(equations.forcing[0].to_sympy(functions={"theta"})
                          + m * g * L * sympy.sin(theta)) == 0
    assert equations.latex() == ("\\begin{aligned}\nL^{2} \\, m \\, \\ddot{\\theta} &= "
                                 "-L \\, m \\, g \\, \\sin\\left(\\theta\\right)\n\\end{aligned}")
    assert equations["degrees_of_freedom"] == equations.degrees_of_freedom == 1


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton", "newton-euler"])
def test_every_method_answers(pendulum, method):
    assert pendulum.equations(method).method == method


def test_proof_is_true_or_false(pendulum):
    assert pendulum.prove()
    assert pendulum.prove().verdict == "equal"


def test_energies_and_integrals(pendulum):
    assert pendulum.energies().K == "1/2*L^2*m*theta'^2"
    integrals = pendulum.integrals()
    assert integrals.E.constant is True
    assert "E" in integrals.constant()


def test_values_by_name(pendulum):
    other = pendulum.with_(L="2 m", theta=0.1)
    assert other.evaluate().accelerations["theta''"] == pytest.approx(-9.81 / 2 * np.sin(0.1), rel=1e-14)
    assert pendulum.evaluate().accelerations["theta''"] == pytest.approx(-9.81, rel=1e-14)
    moving = pendulum.with_({"theta'": "3 rad/s"})
    assert moving.evaluate().energies.K == pytest.approx(4.5)


def test_inverse_dynamics(pendulum):
    answer = pendulum.evaluate(inverse={"theta''": 0})
    assert answer.generalized_forces["theta'"] == pytest.approx(9.81)


def test_linearization_in_arrays(pendulum):
    lin = pendulum.with_(theta=0).linearize(equilibrium=True)
    assert isinstance(lin.A, np.ndarray)
    np.testing.assert_allclose(lin.A, [[0, 1], [-9.81, 0]], atol=1e-14)
    np.testing.assert_allclose(sorted(abs(lin.eigenvalues)), [np.sqrt(9.81)] * 2, rtol=1e-12)
    assert lin.frequencies_hz[0] == pytest.approx(np.sqrt(9.81) / (2 * np.pi), rel=1e-12)


def test_interactions_by_name(pendulum):
    pendulum.statement("potential V = 1/2*(3 N*m)*theta^2")
    found = pendulum.interactions()
    assert "V" in found and found.V.kind == "potential"


def test_the_model_says_what_is_wrong():
    model = visviva.Model("wrong")
    model.parameter("L", "1 m")
    model.statement("particle P at No + L, mass 1 kg")
    with pytest.raises(ModelError) as raised:
        model.check()
    first = raised.value.diagnostics[0]
    assert first.code.startswith("E-") and first.line == 3
    assert "particle P at No + L" in str(raised.value) and "^" in str(raised.value)
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.diagnostics == raised.value.diagnostics


def test_a_value_that_nobody_has_is_refused(pendulum):
    with pytest.raises(ModelError):
        pendulum.with_(length="1 m").evaluate()
    with pytest.raises(ModelError):
        pendulum.with_(L="1 s").evaluate()


def test_a_wrong_call_is_refused(pendulum):
    with pytest.raises(UsageError):
        pendulum.equations("newton")
    with pytest.raises(UsageError, match="until"):
        pendulum.simulate()
    with pytest.raises(UsageError):
        pendulum.simulate(until="10 m")
    with pytest.raises(UsageError):
        pendulum.simulate(until=10, method="euler")
    with pytest.raises(ModelError):
        visviva.load("no_such_file.viva")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.viva")), ids=lambda p: p.stem)
def test_answers_are_those_of_the_program(path, request):
    """Python's answer is the command line's, for each example, byte for byte."""
    program = pathlib.Path(request.config.rootpath) / "build" / "visviva"
    if not program.exists():
        pytest.skip("make build first: there is no build/visviva")
    model = visviva.load(path)
    for verb, command in ((model.equations, "derive"), (model.energies, "energy")):
        done = subprocess.run([program, command, path, "--json"], capture_output=True, text=True, check=False)
        assert verb().to_dict() == json.loads(done.stdout)


def test_export_and_report(pendulum, tmp_path):
    source = pendulum.export("c", tmp_path / "pendulum.c")
    assert (tmp_path / "pendulum.c").read_text() == source
    report = pendulum.report(tmp_path / "p.html", until="1 s")
    assert (tmp_path / "p.html").read_text() == report.html
    assert "<iframe" in report._repr_html_()
    (tmp_path / "mine.c").write_text("mine")
    with pytest.raises(UsageError):
        pendulum.export("c", tmp_path / "mine.c")
    assert (tmp_path / "mine.c").read_text() == "mine"


def test_models_are_values(pendulum):
    assert pickle.loads(pickle.dumps(pendulum)) == pendulum
    assert pendulum.copy() == pendulum and pendulum.with_(L=2) != pendulum
    copy = pendulum.copy()
    copy.parameter("extra", 1)
    assert copy != pendulum and "extra" not in pendulum.text


def test_notebooks_escape_names():
    model = visviva.parse('model x "<script>alert(1)</script>"\ncoordinate q = 1 m\nparticle P at No + q*N.x, mass 1 kg\n')
    assert "<script>" not in model._repr_html_()
    assert "<script>" not in model.check()._repr_html_()


def test_robots(tmp_path):
    robot = tmp_path / "arm.urdf"
    robot.write_text("""<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/>
      <mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="elbow" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>""")
    model = visviva.load(robot)
    answer = model.with_(elbow=0.3).evaluate()
    # I + m l^2 about the pin.
    assert answer.accelerations["elbow''"] == pytest.approx(-2 * 9.81 * 0.5 * np.sin(0.3) / (0.1 + 2 * 0.25), rel=1e-12)


def test_outputs_of_small_motions_against_derivatives_by_hand():
    sympy = pytest.importorskip("sympy")
    model = visviva.parse("""model driven
parameter L = 0.7 m, m = 1.3 kg, g = 9.81 m/s^2
input tau = 0.4 N*m
coordinate q = 0.5, q' = 1.1 rad/s
frame A = rotate(N, z, q)
particle P at No - L*A.y, mass m
gravity -g*N.y
torque motor on A = tau*N.z
output x = dot(P - No, N.x), pull = reaction(No), power(motor), K
""")
    lin = model.linearize()
    q, w, tau = sympy.symbols("q w tau")
    L, m, g = 0.7, 1.3, 9.81
    acceleration = tau / (m * L**2) - g / L * sympy.sin(q)
    # The pin's force: mass times acceleration of the bob, less gravity.
    ax = L * (acceleration * sympy.cos(q) - w**2 * sympy.sin(q))
    ay = L * (acceleration * sympy.sin(q) + w**2 * sympy.cos(q))
    outputs = {"x": L * sympy.sin(q), "pull.x": m * ax, "pull.y": m * (ay + g), "pull.z": sympy.Integer(0),
               **{f"pull.moment.{axis}": sympy.Integer(0) for axis in "xyz"}, "power(motor)": tau * w, "K": m * L**2 * w**2 / 2}
    assert lin.outputs == list(outputs)
    at = {q: 0.5, w: 1.1, tau: 0.4}
    for i, expression in enumerate(outputs.values()):
        for j, by in enumerate((q, w)):
            assert lin.C[i, j] == pytest.approx(float(expression.diff(by).subs(at)), abs=1e-10)
        assert lin.D[i, 0] == pytest.approx(float(expression.diff(tau).subs(at)), abs=1e-10)


def test_outputs_of_small_motions_keep_to_constraints():
    # A bead on the parabola y = x^2/(2 m): y and its rate by the independent x and x'.
    model = visviva.parse("""model bead
coordinate x = 0.6 m, y = 0.18 m
particle P at No + x*N.x + y*N.y, mass 1 kg
gravity -9.81 m/s^2*N.y
constraint c: y - x^2/(2 m) = 0
output height = y, climb = y'
""")
    lin = model.with_({"x'": 0.5}).linearize()
    assert lin.states == ["x", "x'"]
    np.testing.assert_allclose(lin.C, [[0.6, 0], [0.5, 0.6]], atol=1e-10)


def test_small_motions_go_to_control():
    control = pytest.importorskip("control")
    model = visviva.parse("""model oscillator
input F = 0 N
coordinate x = 0 m
particle P at No + x*N.x, mass 2 kg
spring s on x, stiffness 8 N/m
force push on P = F*N.x
output x
""")
    lin = model.linearize()
    system = control.ss(lin.A, lin.B, lin.C, lin.D)
    assert abs(control.evalfr(system, 1j)) == pytest.approx(1 / (8 - 2), rel=1e-9)
