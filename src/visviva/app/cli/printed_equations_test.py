"""Every equation that `derive` prints holds along its own solution: looked at with numbers, for all methods and examples.

M, f, A, b are the unconstrained equations M u' = f + A' l and the rows A u' = b; they are solved by NumPy at random states. Everything
else that is printed must agree with the u' found: the embedded equations, active and inertia forces, momenta and their rates (against
central differences along the solution), the Lagrangian, its slopes and Lagrange's equations with multipliers, and Newton's and Euler's
equations of bodies that nothing holds. Of bodies that are held, what their equations leave for joints and constraints has the power of the
constraints alone, for every speed (d'Alembert's principle).
"""

import json
import random
import re
import unittest

import numpy

from program import EXAMPLES, FUNCTIONS, Folder, python_of, visviva

METHODS = ("kane", "lagrange", "hamilton", "newton-euler")
STEP = 1e-5  # of central differences: their error is some 1e-10
DIFFERENCE = 1e-6
ROUNDING = 1e-9  # of a linear solve with a mass matrix of condition 1e6
GIVEN = {"L": 3.0}  # a connecting rod longer than its crank
QUATERNIONS = (("a0", "a1", "a2", "a3"), ("b0", "b1", "b2", "b3"), ("e0", "e1", "e2", "e3"))

FREE = {
    "particle": """coordinate x = 1 m, y = 0.5 m, z = 0.1 m
particle Q at No + x*N.x + y*N.y + z*N.z, mass m
potential V = 2 N/m*x^2 + 1 N/m*x*y
dissipation D = 1 N*s/m*(x' - y')^2
""",
    "pair": """coordinate x = 1 m, y = 0.5 m, z = 0.1 m, xd = 0.3 m, yd = 0.2 m, zd = 0.7 m
particle Q at No + x*N.x + y*N.y + z*N.z, mass m
particle R at Q + xd*N.x + yd*N.y + zd*N.z, mass 2*m
potential V = 1 N/m*(xd^2 + 2*yd*zd + x*xd)
""",
    "body": """coordinate x = 1 m, y = 0.5 m, z = 0.1 m, e0 = 1, e1 = 0, e2 = 0, e3 = 0
frame B = quaternion(N, e0, e1, e2, e3)
body B at No + x*N.x + y*N.y + z*N.z, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
potential V = 2 N/m*x^2 + 1 J*dot(B.x, N.y)*dot(B.z, N.x) + 3 N*x*e1*e2
""",
}

PLAIN = "inertia 0.1 kg*m^2, 0.1 kg*m^2, 0.15 kg*m^2"
HEAD = """parameter m = 1.3 kg, g = 9.81 m/s^2, L = 0.7 m, r = 0.2 m, k = 30 N/m, c = 2 N*s/m
gravity -g*N.y
"""
# Plane mechanisms: their text, and the angle of each frame.
HELD = {
    "springs": (f"""coordinate q = 30 deg, p = 20 deg
frame A = rotate(N, z, q), B = rotate(A, z, p)
body A at No - L*A.y, mass m, {PLAIN}
body B at Acm - L*B.y, mass m, {PLAIN}
spring S on p, stiffness 3 N*m, rest 0.1 rad
damper D on q, rate 0.3 N*m*s
spring S2 from Bcm to No, stiffness k, rest 0.3 m
""", {"A": "q", "B": "q + p"}),
    "potentials": (f"""coordinate q = 30 deg, p = 20 deg, x = 0.1 m
frame A = rotate(N, z, q), B = rotate(A, z, p)
particle Q at No + x*N.x, mass m
body A at Q - L*A.y, mass m, {PLAIN}
body B at Acm - L*B.y, mass m, {PLAIN}
potential V = 1 J*cos(q - 2*p) + 2 N*x*q
potential W = 1 N*magnitude(Bcm - No)
potential X = 2 J*dot(A.x, B.y)
dissipation R = 1/2*(0.3 N*m*s)*(q' - p')^2 + c*x'^2
""", {"A": "q", "B": "q + p"}),
    "prescribed": (f"""specified w(t) = 0.3 m*sin(2 rad/s*t), f(t) = 0.3*sin(3 rad/s*t)
coordinate q = 30 deg, p = 20 deg
frame A = rotate(N, z, q + f), B = rotate(N, z, p)
point O = No + w*N.x
body A at O - L*A.y, mass m, {PLAIN}
body B at Acm - L*B.y, mass m, {PLAIN}
spring S on q, stiffness 3 N*m
potential V = 1 J*sin(p)*t/(1 s)
force F on Bcm from O = (2 N*sin(3 rad/s*t))*unit(O - Bcm)
""", {"A": "q + f", "B": "p"}),
    "loop": ("""coordinate q = 60 deg, p = 40 deg, s = about -50 deg
frame A = rotate(N, z, q), B = rotate(N, z, p), D = rotate(N, z, s)
body A at No + L/2*A.x, mass m, rod length L along x
body B at No + L*A.x + L*B.x, mass m, rod length 2*L along x
point G = No + 1 m*N.x
body D at G + L/2*D.y, mass m, rod length L along y
constraint loop: No + L*A.x + 2*L*B.x - G - L*D.y = 0
potential V = 1 J*q*p
spring S on s, stiffness 3 N*m
""", {"A": "q", "B": "p", "D": "s"}),
    "roll": ("""coordinate x = 0 m, th = 0 rad, p = 30 deg
frame W = rotate(N, z, th), B = rotate(N, z, p)
point O = No + x*N.x + r*N.y
body W at O, mass m, disc radius r along z
body B at O - L*B.y, mass m, rod length L along y
roll contact: W on N at O - r*N.y
torque T on W from B = (1 N*m*sin(p))*N.z
potential V = k*x^2/2 + 1 J*th*p
""", {"W": "th", "B": "p"}),
    "slide": (f"""coordinate q = 30 deg, s = 0.4 m, l = 0.2 m
frame A = rotate(N, z, q)
body A at No, mass m, {PLAIN}
particle Q at No + s*A.x + l*A.y, mass m
spring S on s, stiffness k, rest 0.1 m
damper D on l, rate c
potential V = k*s*l
constraint circle: s^2 + l^2 = 0.2 m^2
lock q
""", {"A": "q"}),
    "knife": (f"""coordinate x = 0 m, y = 0 m, th = 30 deg
speed u1 = x'*cos(th) + y'*sin(th), u2 = -x'*sin(th) + y'*cos(th), w = th'
frame B = rotate(N, z, th)
body B at No + x*N.x + y*N.y, mass m, {PLAIN}
spring S on x, stiffness k
spring S2 on th, stiffness 2 N*m
potential V = k*x*y
constraint knife: dot(velocity(Bcm), B.y) + 0.1 m*th' = 0
""", {"B": "th"}),
}


def sections_of(text):
    """Title -> statements of each section that `derive` prints; what goes on in another line is put together."""
    sections, title = {}, ""
    for line in text.splitlines():
        words = line.strip()
        if line and not line.startswith(" "):
            title = line
            sections[title] = []
        elif words and sections.get(title) and (line.startswith("   ") or words[:2] in ("+ ", "- ", "= ")):
            sections[title][-1] += " " + words
        elif words and title:
            sections[title].append(words)
    return sections


# Constraints, speeds that are no rates, motions that are prescribed.
CONSTRAINED = {
    "circle": """coordinate x = 0.6 m, y = -0.8 m
particle Q at No + x*N.x + y*N.y, mass m
gravity -9.81 m/s^2*N.y
constraint rod: x^2 + y^2 = 1 m^2
""",
    "blade": """coordinate x = 1 m, y = 0.5 m, th = 0.3, q = 0.2 m
frame B = rotate(N, z, th)
body B at No + x*N.x + y*N.y, mass m, inertia 1 kg*m^2, 1 kg*m^2, 2 kg*m^2
particle Q at Bcm + 0.3 m*B.x + q*B.y, mass 2*m
speed u = x'*cos(th) + y'*sin(th), v = y'*cos(th) - x'*sin(th), w = 2*th'
potential V = 2 N/m*q^2 + 1 N*x
dissipation D = 1 N*s/m*(q' - u)^2
force F on Q = -0.2 N*s/m*velocity(Q) + 1 N/m*x*N.y
constraint edge: dot(velocity(Bcm), B.y) = 0
""",
    "driven": """specified X(t) = 0.2 m*sin(2 rad/s*t)
coordinate th = 0.3, s = 0.4 m, y = 0.2 m
frame A = rotate(N, z, th)
point H = No + X*N.x
particle Q at H + (0.5 m + s)*A.x, mass m
particle R at No + y*N.y, mass 2*m
speed u = s' + 0.3 m*th' + X', v = th'*(1 + 0.1*cos(th))
spring S from Q to R, stiffness 3 N/m, rest 0.3 m
damper D from Q to R, rate 0.4 N*s/m
gravity -9.81 m/s^2*N.y
constraint level: dot(Q - R, N.y) = X
constraint lead: y' = 0.3 m*th' + X'
""",
    "massless": """coordinate a = 0.3, b = 0.4, s = 0.5 m
frame A = rotate(N, z, a), B = rotate(A, x, b), C = rotate(B, z, 0.3)
point P = No + 0.7 m*A.x
body C at P + 0.2 m*B.y + s*C.x, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
gravity -9.81 m/s^2*N.y
spring S from P to Ccm, stiffness 30 N/m, rest 0.1 m
torque T on C from A = -0.3 N*m*s*angular_velocity(C, A)
""",
    "gibbs": """coordinate g1 = 0.1, g2 = 0.2, g3 = 0.3
frame B = rodrigues(N, g1, g2, g3)
point A0 = No + 0.3 m*N.x
body B at No + 0.7 m*B.x + 0.2 m*B.y, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
gravity -9.81 m/s^2*N.z
potential V = 1 J*dot(B.x, N.y)*dot(B.z, N.y)
dissipation D = 0.1 N*m*s*(g1' + 2*g2')^2
torque T on B = 2 N*m*cross(B.x, N.z)
spring S from A0 to Bcm, stiffness 30 N/m, rest 0.2 m
""",
    "nonholonomic": """coordinate x = 0.1 m, y = 0.2 m, z = 0.3 m
particle Q at No + x*N.x + y*N.y + z*N.z, mass m
constraint k: z' = y/(0.7 m)*x'
dependent x'
potential V = 40 N/m^2*x*y*z
dissipation D = 2 N*s/m*(x' + z')^2
force F on Q = -0.3 N*velocity(Q)/sqrt(magnitude(velocity(Q))^2 + 0.01 m^2/s^2)
""",
    "turned": """coordinate x = 1 m, al = 0.4, e0 = 1, e1 = 0, e2 = 0, e3 = 0
frame A = rotate(N, y, al)
frame B = quaternion(A, e0, e1, e2, e3)
body B at No + x*A.x, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
potential V = 2 N/m*x^2 + 1 J*dot(B.x, N.y)
constraint follow: dot(angular_velocity(B), B.z) = x'/(2.5 m)
""",
}


def plain(expression):
    """An expression for Python; hidden states of spin frames, such as C.e2, are names too, and lambda is no keyword."""
    named = re.sub(r"\.(e[0-3]|angle)\b", r"_hidden_\1", python_of(expression))
    return re.sub(r"\blambda\b", "lambda_", named)


class State:
    """Values of names: given, random, or by an intermediate; `derivative` is along the rates of states."""

    def __init__(self, document, seed):
        self.generator = random.Random(seed)
        self.definitions = {python_of(z["name"]): z["expression"]
                            for key in ("intermediates", "body_intermediates", "expressed_intermediates")
                            for z in document.get(key, [])}
        self.base = dict(GIVEN)
        hidden = {tuple(f"{name}_hidden_e{k}" for k in range(4))
                  for name in re.findall(r"([^\W\d]\w*)\.e[0-3]\b", json.dumps(document))}
        for group in QUATERNIONS + tuple(sorted(hidden)):
            numbers = numpy.array([self.generator.uniform(0.3, 1.4) for _ in group])
            self.base.update(zip(group, numbers / numpy.linalg.norm(numbers)))
        self.cache = {}

    def set(self, name, value):
        self.base[plain(name)] = value
        self.cache = {}

    def get(self, name):
        if name in self.definitions:
            if name not in self.cache:
                self.cache[name] = self(self.definitions[name])
            return self.cache[name]
        if name not in self.base:
            self.base[name] = self.generator.uniform(0.3, 1.4)
        return self.base[name]

    def __call__(self, expression):
        text = plain(expression)
        names = {n: self.get(n) for n in re.findall(r"[^\W\d]\w*", text) if n not in FUNCTIONS}
        return eval(text, dict(FUNCTIONS), names)  # pylint: disable=eval-used

    def matrix(self, rows):
        return numpy.array([[self(e) for e in row] for row in rows], dtype=float)

    def vector(self, list_of):
        return numpy.array([self(e) for e in list_of], dtype=float)

    def shifted(self, rates, h):
        other = State.__new__(State)
        other.generator, other.definitions, other.cache = self.generator, self.definitions, {}
        other.base = self.base | {n: self.base[n] + h * r for n, r in rates.items()}
        return other


class PrintedEquations(Folder):
    def derive(self, path, method):
        result = visviva("derive", path, "--method", method, "--json")
        self.assertEqual(result.returncode, 0, result.stdout)
        return json.loads(result.stdout)

    def near(self, found, expected, tolerance=ROUNDING, size=1.0):
        scale = max(size, numpy.abs(expected).max(initial=0.0), numpy.abs(found).max(initial=0.0))
        numpy.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)

    def solve(self, d, state):
        """u' of all speeds and multipliers, with the state's dependent speeds set."""
        for name in d["independent_speeds"]:
            state.get(python_of(name))
        for name, expression in d["dependent_speed_equations"].items():
            state.set(name, state(expression))
        M, f = state.matrix(d["mass_matrix_unconstrained"]), state.vector(d["forcing_unconstrained"])
        n = len(f)
        A = state.matrix(d["constraint_rows"]["A"]).reshape(-1, n)
        b = state.vector(d["constraint_rows"]["b"])
        m = len(b)
        K = numpy.block([[M, -A.T], [A, numpy.zeros((m, m))]])
        solution = numpy.linalg.lstsq(K, numpy.concatenate([f, b]), rcond=None)[0]
        self.near(K @ solution, numpy.concatenate([f, b]))
        for name, value in zip(d["speeds"], solution):
            state.set(name + "'", value)
        self.multipliers = solution[n:]
        return solution[:n], A.T @ solution[n:]

    def check(self, path, method):
        d = self.derive(path, method)
        for seed in () if d["unknowns"] else (1, 2):
            self.check_at(path, d, State(d, seed))
        if not d["unknowns"]:
            self.check_text(path, d)
        return not d["unknowns"]

    def check_text(self, path, d):
        """What people read: the equations as text, with the intermediate quantities printed there."""
        state = State(d, 3)
        self.solve(d, state)
        sections = sections_of(visviva("derive", path, "--method", d["method"]).stdout)
        state.definitions, state.cache = {}, {}
        for line in sections.get("Intermediate quantities", []):
            name, expression = re.fullmatch(r"(\w+)\s+= (.*)", line).groups()
            state.definitions[name] = expression
            state.base.pop(name, None)
        found = 0
        for title in ("Equations of motion", "Constraints on the speeds", "Dependent speeds"):
            for line in sections.get(title, []):
                if " = " not in line:
                    continue
                left, right = re.sub(r"\s+\(\w+\)$|\s{4}\(.*\)$", "", line).split(" = ")
                self.near(numpy.array([state(left)]), numpy.array([state(right)]))
                found += title == "Equations of motion"
        self.assertEqual(found, len(d["independent_speeds"]), sections.keys())

    def check_at(self, path, d, state):
        rates, held = self.solve(d, state)
        independent = numpy.array([r for r, u in zip(rates, d["speeds"]) if u in d["independent_speeds"]])
        if len(independent) > 0:
            self.near(state.matrix(d["mass_matrix"]) @ independent, state.vector(d["forcing"]))
        for u in d["independent_speeds"]:
            active, inertia = state(d["generalized_active_forces"][u]), state(d["generalized_inertia_forces"][u])
            self.near(numpy.array([active]), numpy.array([-inertia]))
        for u, force in zip(d["speeds"], held):
            total = state(d["generalized_active_forces_unconstrained"][u]) + \
                state(d["generalized_inertia_forces_unconstrained"][u])
            self.near(numpy.array([total]), numpy.array([-force]), size=numpy.abs(held).max(initial=1.0))
        if d["method"] == "hamilton":
            self.check_momenta(path, d, state, rates)
        if d["method"] == "lagrange":
            self.check_lagrange(path, d, state, rates)
        for body in d.get("bodies", []):
            self.check_body(body, state)

    def find_rates(self, path, d, state, rates):
        """The rates of everything that moves along the solution."""
        moving = {python_of(q): state(d["kinematics"][q + "'"]) for q in d["coordinates"]}
        moving |= {python_of(u): r for u, r in zip(d["speeds"], rates)}
        for name in re.findall(r"(\w+)\(t\)", path.read_text(encoding="utf-8")):
            for k in range(3):
                moving[name + "_d" * k] = state.get(name + "_d" * (k + 1))
                state.get(name + "_d" * k)
        moving["t"] = 1.0
        for name in moving:
            state.get(name)
        return moving

    def slope(self, state, expression, moving):
        """The rate of an expression when these names change so fast, by a central difference."""
        state(expression)  # so that every name in it has a value
        return (state.shifted(moving, STEP)(expression) - state.shifted(moving, -STEP)(expression)) / (2 * STEP)

    def check_lagrange(self, path, d, state, rates):
        moving = self.find_rates(path, d, state, rates)
        second = {q: self.slope(state, d["kinematics"][q + "'"], moving) for q in d["coordinates"]}
        for q in d["coordinates"]:
            state.set(q + "'", moving[python_of(q)])
            state.set(q + "''", second[q])
        moving |= {python_of(q + "'"): second[q] for q in d["coordinates"]}
        self.near(numpy.array([state(d["lagrangian"])]),
                  numpy.array([state(d["kinetic_energy"]) - state(d["potential_energy"])]))
        held = self.check_multiplier_equations(d, state) if "multiplier_equations" in d else {}
        for q, s in d["lagrangian_slopes"].items():
            for name, key in ((q + "'", "by_rate"), (q, "by_coordinate")):
                expected = self.slope(state, d["lagrangian"], {python_of(name): 1.0})
                self.near(numpy.array([state(s[key])]), numpy.array([expected]), DIFFERENCE)
            left = self.slope(state, s["by_rate"], moving) - state(s["by_coordinate"])
            right = state(s["force"]) + held.get(q + "'", 0.0)
            self.near(numpy.array([left]), numpy.array([right]), DIFFERENCE)

    def check_multiplier_equations(self, d, state):
        """What the constraints do on each rate."""
        open_form = d["multiplier_equations"]
        second = numpy.array([state.get(python_of(y + "'")) for y in open_form["rates"]])
        for name, value in zip(open_form["multipliers"], self.multipliers):
            state.set(name, value)
        held = state.matrix(open_form["rows"]).T @ self.multipliers
        self.near(state.matrix(open_form["mass_matrix"]) @ second, state.vector(open_form["forcing"]) + held, DIFFERENCE)
        for equation in open_form["equations"]:
            left, right = equation.split(" = ")
            self.near(numpy.array([state(left)]), numpy.array([state(right)]), DIFFERENCE, numpy.abs(held).max())
        return dict(zip(open_form["rates"], held))

    def check_momenta(self, path, d, state, rates):
        moving = self.find_rates(path, d, state, rates)
        for u in d["independent_speeds"]:
            state(d["momenta"][u])
        after, before = state.shifted(moving, STEP), state.shifted(moving, -STEP)
        for u in d["independent_speeds"]:
            rate = (after(d["momenta"][u]) - before(d["momenta"][u])) / (2 * STEP)
            self.near(numpy.array([state(d["momentum_rates"][u])]), numpy.array([rate]), DIFFERENCE)
            state.set(d["momentum_symbols"][u], state(d["momenta"][u]))
            terms = d["momentum_rate_terms"][u]
            self.near(numpy.array([state(terms["force"]) + state(terms["slope"])]),
                      numpy.array([state(d["momentum_rates"][u])]))
        self.check_slopes(d, state)
        for u, expression in (d["speeds_in_momenta"] or {}).items():
            self.near(numpy.array([state(expression)]), numpy.array([state.get(python_of(u))]))

    def check_slopes(self, d, state):
        """dK/dq with the speeds held is minus the slope of p·u - K with the momenta held."""
        if not d["kinetic_energy_in_momenta"] or d["dependent_speeds"]:
            return
        products = (f"{d['momentum_symbols'][u]}*({e})" for u, e in d["speeds_in_momenta"].items())
        hamiltonian = " + ".join(products) + f" - ({d['kinetic_energy_in_momenta']})"
        for terms in d["momentum_rate_terms"].values():
            if terms["slope_of"] is not None:
                expected = self.slope(state, hamiltonian, {python_of(terms["slope_of"]): -1.0})
                self.near(numpy.array([state(terms["slope"])]), numpy.array([expected]), DIFFERENCE)

    def check_body(self, body, state):
        for equation in filter(None, (body["newton"], body["euler"])):
            if equation["reaction"] is not None:
                continue
            rest = state.vector(equation["left"]["components"])
            for load in equation["loads"]:
                self.assertEqual(load["frame"], equation["left"]["frame"])
                rest = rest - state.vector(load["components"])
            self.near(rest, numpy.zeros(3))

    def left_for_joints(self, d, state, angles):
        """The power of R and T of all bodies, for each speed."""
        def in_N(vector):
            column = state.vector(vector["components"])
            if vector["frame"] == "N":
                return column
            angle = state(angles[vector["frame"]])
            c, s = numpy.cos(angle), numpy.sin(angle)
            return numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ column

        powers = numpy.zeros(len(d["speeds"]))
        for body in d["bodies"]:
            for equation, kind, ending in ((body["newton"], "partial_velocities", "cm"),
                                           (body["euler"], "partial_angular_velocities", "")):
                if not equation:
                    continue
                rest = in_N(equation["left"]) - sum(map(in_N, equation["loads"]), numpy.zeros(3))
                partials = d[kind].get(body["name"] + ending, d[kind].get(body["name"]))
                powers += [rest @ in_N(partials[u]) if u in partials else 0.0 for u in d["speeds"]]
        return powers

    def test_of_held_bodies(self):
        for name, (text, angles) in HELD.items():
            path = self.write(f"model {name}\n{HEAD}{text}", f"{name}.viva")
            for method in METHODS:
                with self.subTest(model=name, method=method):
                    self.assertTrue(self.check(path, method))
            d = self.derive(path, "newton-euler")
            for seed in (1, 2):
                with self.subTest(model=name, seed=seed):
                    state = State(d, seed)
                    _, held = self.solve(d, state)
                    self.near(self.left_for_joints(d, state, angles), held, size=10.0)

    def test_of_the_examples(self):
        compared = 0
        for path in sorted(EXAMPLES.glob("*.viva")):
            for method in METHODS:
                with self.subTest(model=path.stem, method=method):
                    compared += self.check(path, method)
        self.assertGreater(compared, 60)

    def test_of_held_and_driven_bodies(self):
        for name, text in CONSTRAINED.items():
            path = self.write(f"model {name}\nparameter m = 1.3 kg\n{text}", f"{name}.viva")
            for method in METHODS:
                with self.subTest(model=name, method=method):
                    self.assertTrue(self.check(path, method))
            with self.subTest(model=name):
                self.assertEqual("constraint" in text, "multiplier_equations" in self.derive(path, "lagrange"))

    def test_of_free_bodies_in_potentials(self):
        for name, text in FREE.items():
            path = self.write(f"model {name}\nparameter m = 1.3 kg\n{text}", f"{name}.viva")
            for method in METHODS:
                with self.subTest(model=name, method=method):
                    self.assertTrue(self.check(path, method))
            bodies = self.derive(path, "newton-euler")["bodies"]
            for equation in (e for b in bodies for e in (b["newton"], b["euler"]) if e):
                self.assertIsNone(equation["reaction"])


if __name__ == "__main__":
    unittest.main()
