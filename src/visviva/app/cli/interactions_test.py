"""Tests of `visviva interactions`: forces and moments on whom, invariance, the third law, and what depends on time."""

import json
import math
import unittest

import numpy as np

from program import Folder, visviva


def rotation(axis, angle):
    """The matrix of a rotation about a unit axis (Rodrigues' formula)."""
    n = np.asarray(axis, dtype=float)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


# Two orientations: an axis and an angle each. Below they are written as quaternions, Rodrigues parameters and zxz angles.
AXES = [(np.array([1, 2, 2]) / 3, 0.9), (np.array([2, -1, 2]) / 3, -1.4)]
PLACES = [np.array([0.3, -0.2, 0.5]), np.array([-0.4, 0.6, 0.1])]
ARMS = [np.array([0.1, 0.2, -0.3]), np.array([-0.2, 0.15, 0.25])]  # in the bodies' frames


def zxz_angles(R):
    """Angles of body-fixed rotations about z, x, z."""
    return math.atan2(R[0, 2], -R[1, 2]), math.acos(R[2, 2]), math.atan2(R[2, 0], R[2, 1])


def write_frame(name, kind, axis, angle):
    half = angle / 2
    if kind == "quaternion":
        e = [math.cos(half), *(axis * math.sin(half))]
        names = [f"{name.lower()}{i}" for i in range(4)]
        values = ", ".join(f"{n} = {float(v)!r}" for n, v in zip(names, e))
        return f"coordinate {values}\nframe {name} = quaternion(N, {', '.join(names)})"
    if kind == "rodrigues":
        g = axis * math.tan(half)
        names = [f"{name.lower()}{i}" for i in range(3)]
        values = ", ".join(f"{n} = {float(v)!r}" for n, v in zip(names, g))
        return f"coordinate {values}\nframe {name} = rodrigues(N, {', '.join(names)})"
    names = [f"{name.lower()}{i}" for i in range(3)]
    values = ", ".join(f"{n} = {float(v)!r} rad" for n, v in zip(names, zxz_angles(rotation(axis, angle))))
    return f"coordinate {values}\nframe {name} = rotate(N, zxz, {', '.join(names)})"


def two_bodies(kind, more):
    """Two free bodies A and B with a point P and Q in each."""
    lines = ["model pair", "parameter k = 7 N/m, c = 3 J, d = 2 J"]
    for name, point, (axis, angle), place, arm in zip("AB", "PQ", AXES, PLACES, ARMS):
        names = [f"{axis_name}{name}" for axis_name in "xyz"]
        lines.append("coordinate " + ", ".join(f"{n} = {float(v)!r} m" for n, v in zip(names, place)))
        lines.append(write_frame(name, kind, axis, angle))
        lines.append(f"body {name} at No + {names[0]}*N.x + {names[1]}*N.y + {names[2]}*N.z, mass 2 kg, "
                     "inertia 0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2")
        lines.append(f"point {point} = {name}cm" + "".join(
            f" + ({float(a)!r} m)*{name}.{e}" for a, e in zip(arm, "xyz")))
    return "\n".join(lines) + "\n" + more


class Interactions(Folder):
    def ask(self, text, *options):
        answer = visviva("interactions", self.write(text), "--json", *options)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return {i["name"]: i for i in json.loads(answer.stdout)["interactions"]}

    def assert_vector(self, found, expected, tolerance=1e-12):
        np.testing.assert_allclose(np.array(found, dtype=float), expected, atol=tolerance, rtol=tolerance)

    # ---- On whom

    def test_a_potential_of_rotations_and_positions_by_three_parametrisations(self):
        """W = k |P - Q|^2/2 + c A.z·B.x + d (A.y·B.y)^2: F = -∂W/∂x, M = arm x F - (slope of W by a rotation), by hand."""
        RA, RB = (rotation(*a) for a in AXES)
        P, Q = PLACES[0] + RA @ ARMS[0], PLACES[1] + RB @ ARMS[1]
        k, c, d = 7, 3, 2
        FA = -k * (P - Q)
        turn = -c * np.cross(RA[:, 2], RB[:, 0]) - 2 * d * (RA[:, 1] @ RB[:, 1]) * np.cross(RA[:, 1], RB[:, 1])
        MA = np.cross(RA @ ARMS[0], FA) + turn
        MB = np.cross(RB @ ARMS[1], -FA) - turn
        law = "potential V = 1/2*k*dot(P - Q, P - Q) + c*dot(A.z, B.x) + d*dot(A.y, B.y)^2"
        for kind in ("quaternion", "rodrigues", "angles"):
            with self.subTest(kind):
                V = self.ask(two_bodies(kind, law))["V"]
                self.assertEqual(V["bodies"], ["A", "B"])
                self.assertEqual(V["on"]["A"]["at"], "Acm")
                self.assert_vector(V["on"]["A"]["force"], FA)
                self.assert_vector(V["on"]["A"]["moment"], MA)
                self.assert_vector(V["on"]["B"]["force"], -FA)
                self.assert_vector(V["on"]["B"]["moment"], MB)
                self.assertNotIn("N", V["on"])
                self.assertIs(V["invariant"], True)
                self.assertEqual(V["breaks"], [])
                self.assertIs(V["third_law"]["holds"], True)
                self.assert_vector(V["third_law"]["force"], [0, 0, 0])
                self.assert_vector(V["third_law"]["moment"], [0, 0, 0], 1e-11)
                self.assertIsNone(V["time"])
                # (25): moments are not opposite, the arms stand between them.
                self.assert_vector(MB, -MA - np.cross(PLACES[0] - PLACES[1], FA))

    def test_slopes_of_the_potential_by_finite_differences(self):
        """-(W(turned) - W)/angle along each axis of N is the moment of a potential on a body."""
        def W(RA, xA):
            P, Q = xA + RA @ ARMS[0], PLACES[1] + rotation(*AXES[1]) @ ARMS[1]
            return 5 * np.linalg.norm(P - Q) ** 3 + 2 * math.exp(RA[:, 0] @ rotation(*AXES[1])[:, 1])
        law = ("potential V = 5 J/m^3*magnitude(P - Q)^3 + 2 J*exp(dot(A.x, B.y))")
        V = self.ask(two_bodies("quaternion", law))["V"]
        R, h = rotation(*AXES[0]), 1e-6
        for axis in range(3):
            e = np.eye(3)[axis]
            moment = -(W(rotation(e, h) @ R, PLACES[0]) - W(rotation(e, -h) @ R, PLACES[0])) / (2 * h)
            force = -(W(R, PLACES[0] + h * e) - W(R, PLACES[0] - h * e)) / (2 * h)
            self.assertAlmostEqual(V["on"]["A"]["moment"][axis], moment, delta=1e-8)
            self.assertAlmostEqual(V["on"]["A"]["force"][axis], force, delta=1e-8)

    def test_a_mixture_of_points_and_bare_coordinates(self):
        """W = k |P - No|^2/2 + kt q^2/2: the bare angle acts between the frames of its rotation."""
        V = self.ask("""
model mixed
parameter k = 4 N/m, kt = 3 N*m
coordinate q = 0.7 rad
frame A = rotate(N, z, q)
body A at No + 0.5 m*A.x, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
point P = No + 1 m*A.x + 2 m*A.y
point C = No + 3 m*N.x
potential V = 1/2*k*dot(P - C, P - C) + 1/2*kt*q^2
""")["V"]
        R = rotation([0, 0, 1], 0.7)
        P, center = R @ [1, 2, 0], R @ [0.5, 0, 0]
        F = -4 * (P - np.array([3, 0, 0]))
        self.assert_vector(V["on"]["A"]["force"], F)
        self.assert_vector(V["on"]["A"]["moment"], np.cross(P - center, F) - [0, 0, 3 * 0.7])
        self.assert_vector(V["on"]["N"]["force"], -F)
        self.assert_vector(V["on"]["N"]["moment"], np.cross([3, 0, 0], -F) + [0, 0, 3 * 0.7])
        self.assertIs(V["with_ground"]["holds"], True)

    def test_roots_that_multiply_hide_no_part(self):
        """W = c u·w, u and w the directions of P - Q and R - S, R on a driven frame without mass, S driven: F = -c (w - (u·w) u)/|P - Q|
        on P and -c (u - (u·w) w)/|R - S| on R, by hand."""
        V = self.ask("""
model directions
parameter c = 3 J
specified s(t) = 0.6 m*cos(1 rad/s*t + 0.3), h(t) = 0.3 + 1 rad/s*t
coordinate xA = 1 m, yA = 0.3 m, zA = 0.1 m, xB = 0.4 m, yB = -0.7 m, zB = 0.2 m
particle P at No + xA*N.x + yA*N.y + zA*N.z, mass 2 kg
particle Q at No + xB*N.x + yB*N.y + zB*N.z, mass 2 kg
frame D = rotate(N, x, h)
point O = No - 0.3 m*N.z
point R = O + 0.25 m*D.x + 0.1 m*D.z
point S = No + 0.1 m*N.x + 0.7 m*N.z + s*N.y
potential V = c*dot(unit(P - Q), unit(R - S))
""")["V"]
        arm = np.array([0.25, -0.1 * math.sin(0.3), 0.1 * math.cos(0.3)])
        r = np.array([0.6, 1.0, -0.1])
        d = np.array([0, 0, -0.3]) + arm - np.array([0.1, 0.6 * math.cos(0.3), 0.7])
        u, w = r / np.linalg.norm(r), d / np.linalg.norm(d)
        on_P, on_R = -3 * (w - (u @ w) * u) / np.linalg.norm(r), -3 * (u - (u @ w) * w) / np.linalg.norm(d)
        self.assertEqual(sorted(V["on"]), ["D", "P", "Q", "S"])
        self.assert_vector(V["on"]["P"]["force"], on_P)
        self.assert_vector(V["on"]["Q"]["force"], -on_P)
        self.assert_vector(V["on"]["D"]["force"], on_R)
        self.assert_vector(V["on"]["D"]["moment"], np.cross(arm, on_R))
        self.assert_vector(V["on"]["S"]["force"], -on_R)
        self.assertIs(V["invariant"], True)
        self.assertEqual(V["time"]["bodies"], ["D", "S"])
        turning = np.cross([1, 0, 0], arm)
        self.assertAlmostEqual(V["time"]["power"], on_R @ turning + on_R[1] * 0.6 * math.sin(0.3), delta=1e-12)

    def test_what_acts_along_a_slide_acts_on_the_body_that_carries_it(self):
        """The slide of C starts at the pin between A and B and is along B, or a frame fixed in B: B carries it, not A."""
        for slide in ("e*B.y", "e*F.z"):
            found = self.ask(f"""
model slides
coordinate a = 0.3 rad, b = 0.4 rad, e = 0.1 m, e' = 0.5 m/s
frame A = rotate(N, z, a)
body A at No + 0.2 m*A.y, mass 2 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
point elbow = No + 0.4 m*A.y
frame B = rotate(A, z, b)
body B at elbow + 0.1 m*B.x, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
frame F = rotate(B, x, -90 deg)
particle C at elbow + {slide}, mass 1 kg
damper along on e, rate 3 N*s/m
""")["along"]
            force = -3 * 0.5 * np.array([-math.sin(0.7), math.cos(0.7), 0])
            self.assertEqual(found["bodies"], ["C", "B"])
            self.assert_vector(found["on"]["C"]["force"], force)
            self.assert_vector(found["on"]["B"]["force"], -force)
            center = 0.1 * np.array([math.cos(0.7), math.sin(0.7), 0])
            self.assert_vector(found["on"]["B"]["moment"], np.cross(-center, -force))
            self.assertIs(found["invariant"], True)

    def test_a_ball_joint_has_unequal_moments(self):
        """(20), (25): the forces of a ball joint are opposite, its moments about the mass centers are not."""
        J = self.ask(two_bodies("angles", """
gravity -9.81 m/s^2*N.y
force pull on Acm = 3 N*N.x - 2 N*N.z
constraint joint: P - Q = 0
"""))["joint"]
        FA = np.array(J["on"]["A"]["force"])
        self.assertGreater(np.linalg.norm(FA), 1e-3)
        self.assert_vector(J["on"]["B"]["force"], -FA)
        MA, MB = (np.array(J["on"][b]["moment"]) for b in "AB")
        self.assertGreater(np.linalg.norm(MA + MB), 1e-3)
        self.assertIs(J["third_law"]["holds"], True)
        self.assertIs(J["invariant"], True)
        self.assertAlmostEqual(J["power"], 0, delta=1e-9)

    def test_nolls_two_particles(self):
        """A potential of the distance of two particles: opposite forces along the line between them."""
        pair = """
model noll
coordinate xA = 1 m, yA = 2 m, zA = -1 m, xB = 0.5 m, yB = -1 m, zB = 3 m
particle A at No + xA*N.x + yA*N.y + zA*N.z, mass 1 kg
particle B at No + xB*N.x + yB*N.y + zB*N.z, mass 2 kg
potential W = LAW
"""
        W = self.ask(pair.replace("LAW", "-5 J*m/magnitude(A - B)"))["W"]
        r = np.array([0.5, 3, -4])
        self.assert_vector(W["on"]["A"]["force"], -5 * r / np.linalg.norm(r) ** 3)
        self.assertNotIn("moment", W["on"]["A"])
        self.assertIs(W["invariant"], True)
        self.assertIs(W["third_law"]["holds"], True)
        # A function of the difference vector that no rotation leaves alone.
        W = self.ask(pair.replace("LAW", "2 N*dot(A - B, N.x)"))["W"]
        self.assertIs(W["invariant"], False)
        self.assertEqual(W["breaks"], ["rotation"])
        self.assert_vector(W["third_law"]["force"], [0, 0, 0])
        self.assertIs(W["third_law"]["holds"], False)
        self.assertIs(W["invariant_with_ground"], True)

    # ---- Invariance

    def test_what_is_invariant_and_what_is_not(self):
        cases = {
            "potential V = 3 N*dot(Acm - No, N.y)": (False, ["translation", "rotation"], True),
            "potential V = -2 J*m/magnitude(Acm - Bcm)": (True, [], True),
            "potential V = c*dot(A.z, B.x)": (True, [], True),
            "potential V = c*dot(B.z, N.x)": (False, ["rotation"], True),
            "potential V = c*dot(A.z, B.x)*sin(2 rad/s*t)": (False, ["time"], False),
            "potential V = 1/2*k*dot(Acm - No, Acm - No)": (False, ["translation"], True),
            "force V on P from Q = 3 N/m*(Q - P)": (True, [], True),
            "force V on P = 3 N*A.x": (False, ["translation", "rotation"], False),
            "force V on P = -2 N*s/m*velocity(P)": (False, ["translation", "rotation"], False),
            "torque V on A from B = 3 N*m*cross(A.x, B.x)": (True, [], True),
            "torque V on A from B = 3 N*m*N.x": (False, ["rotation"], True),
            "torque V on A from B = -1 N*m*s*(angular_velocity(A) - angular_velocity(B))": (True, [], True),
            "torque V on A from B = -1 N*m*s*angular_velocity(A)": (False, ["rotation"], True),
            "damper V from P to Q, rate 3 N*s/m": (True, [], True),
            "spring V from P to Q, stiffness k, rest 0.1 m": (True, [], True),
            "dissipation V = 1 N*s/m*dot(velocity(P) - velocity(Q), velocity(P) - velocity(Q))":
                (False, ["rotation"], True),
        }
        for law, (alone, breaks, with_ground) in cases.items():
            for kind in ("quaternion", "angles"):
                with self.subTest(law=law, kind=kind):
                    V = self.ask(two_bodies(kind, law))["V"]
                    self.assertEqual((V["invariant"], V["breaks"], V["invariant_with_ground"]),
                                     (alone, breaks, with_ground), V["reason"])

    def test_constraints_are_judged_by_sums_and_by_their_coefficients(self):
        cases = {
            "constraint V: dot(A.x, B.y) = 0.1": (True, []),
            "constraint V: dot(A.x, N.y) = 0.1": (False, ["rotation"]),
            "constraint V: magnitude(P - Q) = 1.2 m": (True, []),
            "constraint V: dot(P - Q, N.x) = 0.3 m": (False, ["rotation"]),
            "constraint V: dot(P - No, P - No) = 2 m^2": (False, ["translation"]),
            # (19)_3 and (19)_4 hold; the coefficients do not turn with the bodies.
            "constraint V: dot(angular_velocity(A) - angular_velocity(B), N.x) = 0": (False, ["rotation"]),
            "constraint V: dot(angular_velocity(A) - angular_velocity(B), A.x) = 0": (True, []),
            "constraint V: dot(velocity(Acm) - velocity(Bcm), Acm - Bcm) = 0": (True, []),
            "constraint V: dot(velocity(P), A.y) = 0": (False, ["translation", "rotation"]),
            "constraint V: magnitude(P - Q) = 1.2 m + 0.1 m/s*t": (False, ["time"]),
        }
        for law, (alone, breaks) in cases.items():
            with self.subTest(law):
                V = self.ask(two_bodies("quaternion", law))["V"]
                self.assertEqual((V["invariant"], V["breaks"]), (alone, breaks), V["reason"])
                self.assertEqual(V["invariant_with_ground"], "time" not in breaks)

    def test_a_pin_in_a_plane_is_as_invariant_as_a_ball_joint(self):
        """Its net moment (P - Q) x lambda vanishes where it holds. Of a row along N.x alone the law is fixed to the ground; its sums
        vanish where all constraints hold."""
        plane = """
model pins
coordinate x = 1 m, y = 0 m, u = 1 m, v = 0 m, a = 0.3 rad, b = 0.5 rad
frame A = rotate(N, z, a)
frame B = rotate(N, z, b)
body A at No + x*N.x + y*N.y, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body B at No + u*N.x + v*N.y, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
point P = Acm + 0.5 m*A.x
point Q = Bcm - 0.2 m*B.y
force F on Acm = 3 N*N.x + 2 N*N.y
constraint """
        cases = {
            "V: P - Q = 0": (True, True),
            "V: P = Q": (True, True),
            "V: Q - P = 0.1 m*A.x": (True, True),
            "V: Q - P = 0.1 m*N.x": (False, False),
            "V: dot(P - Q, A.x) = 0, dot(P - Q, A.y) = 0": (True, True),
            "V: dot(P - Q, N.x) = 0, dot(P - Q, N.y) = 0": (False, True),
        }
        for law, (invariant, holds) in cases.items():
            with self.subTest(law):
                V = self.ask(plane + law)["V"]
                self.assertEqual((V["invariant"], V["third_law"]["holds"]), (invariant, holds), V["reason"])
                self.assertEqual(V["breaks"], [] if invariant else ["rotation"])
                self.assertIs(V["with_ground"]["holds"], True)

    def test_what_vanishes_at_the_start_alone_is_told_by_its_formula(self):
        """A needle at its rest: no moment there, -c*sin(q) elsewhere."""
        text = visviva("interactions", self.write("""
model needle
parameter c = 2 J
coordinate q = 0 rad
frame B = rotate(N, z, q)
body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
potential V = -c*dot(B.x, N.x)
""")).stdout
        self.assertIn("without it the moment -c*sin(q)*N.z (zero at this state) must come from outside", text)

    def test_verdicts_do_not_depend_on_where_coordinates_can_bring_a_body(self):
        """Gravity, and a spring to a point beside No, in one dimension and in three."""
        laws = """
gravity -9.81 m/s^2*N.y
spring S from G to P, stiffness 3 N/m, rest 0.1 m
potential V = 2 J/m^2*dot(P - G, P - G)
potential W = 2 J/m^2*dot(P - No, P - No)
point G = No + 2 m*N.y
"""
        for place in ("No + y*N.y", "No + y*N.y + x*N.x + z*N.z"):
            names = [q for q in "xyz" if f"{q}*" in place]
            text = "model place\n" + "".join(f"coordinate {q} = 0.5 m\n" for q in names)
            found = self.ask(text + f"particle P at {place}, mass 1 kg\n" + laws)
            with self.subTest(place):
                for name, breaks in {"gravity": ["translation", "rotation"], "S": ["translation", "rotation"],
                                     "V": ["translation", "rotation"], "W": ["translation"]}.items():
                    self.assertEqual(found[name]["breaks"], breaks, name)
                    self.assertIs(found[name]["invariant_with_ground"], True)
                self.assert_vector(found["gravity"]["on"]["N"]["force"], [0, 9.81, 0])

    def test_a_disc_rolls_on_the_ground_and_on_a_plate(self):
        disc = """
model rolling
parameter r = 0.2 m
coordinate x = 0 m, q = 0 rad, s = 0 m, x' = 1 m/s
frame B = rotate(N, z, q)
frame PLATE = rotate(N, z, 0 rad)
body PLATE at No + s*N.x, mass 5 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body B at No + x*N.x + r*N.y, mass 2 kg, inertia 0.1 kg*m^2, 0.1 kg*m^2, 0.2 kg*m^2
gravity -9.81 m/s^2*N.y
force F on Bcm = 3 N*N.x
roll contact: B on ON at Bcm - r*NORMAL
"""
        alone = "\n".join(line for line in disc.splitlines() if "PLATE" not in line).replace(", s = 0 m", "")
        ground = self.ask(alone.replace("ON at", "N at").replace("NORMAL", "N.y"))["contact"]
        # m x'' = F + f, J q'' = f r with x' = -r q': f = -F/(1 + m r^2/J); the ground carries the weight.
        f = -3 / (1 + 2 * 0.2 ** 2 / 0.2)
        self.assert_vector(ground["on"]["B"]["force"], [f, 2 * 9.81, 0])
        self.assert_vector(ground["on"]["N"]["force"], [-f, -2 * 9.81, 0])
        self.assert_vector(ground["on"]["B"]["moment"], np.cross([0, -0.2, 0], [f, 2 * 9.81, 0]))
        self.assertIs(ground["invariant"], False)
        self.assertIs(ground["with_ground"]["holds"], True)
        plate = self.ask(disc.replace("ON at", "PLATE at").replace("NORMAL", "PLATE.y"))["contact"]
        self.assertEqual(plate["bodies"], ["B", "PLATE"])
        self.assertIs(plate["invariant"], True)
        fixed = self.ask(disc.replace("ON at", "PLATE at").replace("NORMAL", "N.y"))["contact"]
        self.assertEqual((fixed["invariant"], fixed["breaks"]), (False, ["rotation"]))

    def test_random_invariant_interactions_and_their_mutants(self):
        """Functions of distances, and of angles between lines and axes of bodies, are invariant; with one axis exchanged for the
        ground's they are not. 500 of each, by turns in three parametrisations."""
        random = np.random.default_rng(20021002)
        print("seed 20021002")
        axes = [f"{body}.{axis}" for body in "AB" for axis in "xyz"]
        points = ["Acm", "Bcm", "P", "Q"]

        def draw_line():
            start, end = random.choice(points, 2, replace=False)
            return f"({start} - {end})"

        def draw_term():
            kind = random.integers(4)
            a, b = random.choice(axes[:3]), random.choice(axes[3:])
            scale = f"{random.uniform(0.5, 3):.3f}"
            if kind == 0:
                line = f"({random.choice(['Acm', 'P'])} - {random.choice(['Bcm', 'Q'])})"
                return f"{scale} J/m^2*dot({line}, {line})", None
            if kind == 1:
                return f"{scale} J*exp(dot({a}, {b}))", (a, b)
            if kind == 2:
                return f"{scale} J/m*dot({draw_line()}, {a})*dot({a}, {b})", (a, b)
            line = draw_line()
            return f"{scale} J/m^2*dot(cross({line}, {a}), {b})*dot({line}, {b})/(1 m^2 + dot({line}, {line}))*1 m^2", (a, b)

        for kind in ("quaternion", "rodrigues", "angles"):
            lines, mutants = [], set()
            for i in range(167):
                terms = [draw_term() for _ in range(random.integers(1, 4))]
                lines.append(f"potential V{i} = " + " + ".join(text for text, _ in terms))
                # One axis of a body becomes one of the ground's, along no axis of the body.
                text, axes_used = terms[-1]
                if axes_used is None:
                    text, axes_used = "1 J*dot(A.x, B.y)", ("A.x", "B.y")
                lines.append(f"potential W{i} = " + text.replace(axes_used[1], "N.x"))
                mutants.add(f"W{i}")
            found = self.ask(two_bodies(kind, "\n".join(lines)))
            for name, V in found.items():
                with self.subTest(kind=kind, name=name):
                    if name in mutants:
                        self.assertIs(V["invariant"], False)
                        self.assertIn("rotation", V["breaks"])
                        self.assertGreater(np.abs(V["third_law"]["moment"] + V["third_law"]["force"]).max(), 1e-9)
                        self.assertIs(V["with_ground"]["holds"], True)
                        continue
                    self.assertIs(V["invariant"], True, V["reason"])
                    self.assertIs(V["third_law"]["holds"], True)
                    # The numbers, added up here: forces, and moments with their arms.
                    force, moment = np.zeros(3), np.zeros(3)
                    for body, place in zip("AB", PLACES):
                        if body in V["on"]:
                            force += V["on"][body]["force"]
                            moment += V["on"][body]["moment"] + np.cross(place, V["on"][body]["force"])
                    self.assert_vector(force, [0, 0, 0], 1e-10)
                    self.assert_vector(moment, [0, 0, 0], 1e-10)

    def test_a_dropped_arm_and_a_missing_reaction_are_caught(self):
        """Forces along the line between two points of two bodies are invariant. With the reaction at another point of the body a couple is
        left, without one the force: both as numbers added up here."""
        random = np.random.default_rng(20021003)
        print("seed 20021003")
        points = {"A": ["Acm", "P"], "B": ["Bcm", "Q"]}
        RA, RB = (rotation(*a) for a in AXES)
        at = {"Acm": PLACES[0], "P": PLACES[0] + RA @ ARMS[0], "Bcm": PLACES[1], "Q": PLACES[1] + RB @ ARMS[1]}
        sizes = {"{k:.3f} N/m": lambda k, r, angle: k,
                 "{k:.3f} N*m/dot(L, L)": lambda k, r, angle: k / (r @ r),
                 "{k:.3f} N/m*exp(dot(A.x, B.y))": lambda k, r, angle: k * math.exp(angle)}
        for kind in ("quaternion", "rodrigues", "angles"):
            lines, expected = [], {}
            for i in range(56):
                p, q = random.choice(points["A"]), random.choice(points["B"])
                other = "Q" if q == "Bcm" else "Bcm"
                k, (text, size) = random.uniform(0.5, 3), list(sizes.items())[i % 3]
                k = round(k, 3)
                law = text.format(k=k).replace("L", f"({q} - {p})") + f"*({q} - {p})"
                r = at[q] - at[p]
                F = size(k, r, RA[:, 0] @ RB[:, 1]) * r
                lines += [f"force whole{i} on {p} from {q} = {law}", f"force armless{i} on {p} from {other} = {law}",
                          f"force lonely{i} on {p} = {law}"]
                expected[f"whole{i}"] = (True, [], np.zeros(3), np.zeros(3))
                expected[f"armless{i}"] = (False, ["rotation"], np.zeros(3), np.cross(at[p] - at[other], F))
                expected[f"lonely{i}"] = (False, ["translation", "rotation"], F, np.cross(at[p] - at["Acm"], F))
            found = self.ask(two_bodies(kind, "\n".join(lines)))
            for name, (holds, breaks, force, moment) in expected.items():
                with self.subTest(kind=kind, name=name):
                    F = found[name]
                    self.assertEqual((F["invariant"], F["third_law"]["holds"], F["breaks"]), (holds, holds, breaks), F["reason"])
                    self.assert_vector(F["third_law"]["force"], force, 1e-11)
                    self.assert_vector(F["third_law"]["moment"], moment, 1e-11)
                    self.assertIs(F["one_sided"], name.startswith("lonely"))

    # ---- Time

    def test_a_driven_ball_on_a_spring(self):
        """(38): -∂W/∂t is the power of the spring's force on the driven ball."""
        text = """
model driven_ball
parameter k = 40 N/m, L = 0.3 m
specified h(t) = 0.1 m + 0.5 m/s*t
coordinate q = 0.9 m, q' = 0.2 m/s
particle D at No + h*N.x, mass 1 kg
particle Q at No + q*N.x, mass 2 kg
output supplied = -power(S, D)
SPRING
"""
        force = 40 * (0.8 - 0.3)  # pulls D towards Q
        for spring in ("spring S from D to Q, stiffness k, rest L",
                       "potential S = 1/2*k*(magnitude(Q - D) - L)^2",
                       "potential S = 1/2*k*(q - h - L)^2"):
            with self.subTest(spring):
                S = self.ask(text.replace("SPRING", spring))["S"]
                self.assert_vector(S["on"]["D"]["force"], [force, 0, 0])
                self.assert_vector(S["on"]["Q"]["force"], [-force, 0, 0])
                self.assertEqual(S["time"]["bodies"], ["D"])
                self.assertAlmostEqual(S["time"]["power"], force * 0.5, delta=1e-12)
                self.assertIs(S["third_law"]["holds"], True)
                outputs = json.loads(visviva("evaluate", self.folder / "model.viva", "--json").stdout)["outputs"]
                self.assertAlmostEqual(outputs["supplied"], -force * 0.5, delta=1e-12)

    def test_explicit_time_is_the_shadow_of_a_body_that_is_not_there(self):
        S = self.ask("""
model shadow
parameter k = 40 N/m
coordinate q = 0.9 m, q' = 0.2 m/s
particle Q at No + q*N.x, mass 2 kg
potential S = 1/2*k*(q - 0.5 m/s*t - 0.1 m)^2
""")["S"]
        self.assertEqual(S["time"]["bodies"], [])
        self.assertAlmostEqual(S["time"]["power"], 40 * 0.8 * 0.5, delta=1e-12)
        self.assertIn("time", S["breaks"])
        self.assertIs(S["invariant_with_ground"], False)
        self.assertIs(S["determined_by_power"], False)
        page = self.folder / "page.html"
        visviva("report", self.folder / "model.viva", "--until", "0.1", "--out", page)
        said = "its own power determines no force, because it depends on time and no constraint does; virtual work was used"
        self.assertIn(said, page.read_text(encoding="utf-8"))
        self.assertIn(said, visviva("interactions", self.folder / "model.viva").stdout)

    def test_a_moving_constraint_works_on_its_driven_body(self):
        """(26), (27): +lambda c on the driven part, -lambda c on the free ones; the sum (21) vanishes."""
        C = self.ask("""
model towed
specified h(t) = 0.5 m/s*t
coordinate x = 1 m, y = 0.2 m, x' = 0.5 m/s, y' = 0 m/s
particle D at No + h*N.x, mass 1 kg
particle Q at No + x*N.x + y*N.y, mass 2 kg
force F on Q = -6 N*N.x + 1 N*N.y
constraint rod: magnitude(Q - D) = sqrt(1.04)*1 m
""")["rod"]
        on_driven = np.array(C["on"]["D"]["force"])
        self.assert_vector(C["on"]["Q"]["force"], -on_driven)
        self.assertEqual(C["time"]["bodies"], ["D"])
        self.assertAlmostEqual(C["time"]["power"], on_driven[0] * 0.5, delta=1e-12)
        self.assertGreater(abs(C["time"]["power"]), 0.1)
        self.assertAlmostEqual(C["power"], 0, delta=1e-9)

    def test_a_potential_between_driven_parts_alone_acts_on_them(self):
        """Nothing moves freely; V on the turned body is -2 J cos(0.5) about z, and its motor supplies what V and gravity take."""
        found = self.ask("""
model driven_alone
specified h(t) = 0.5 + 0.3 rad/s*t
frame L = rotate(N, z, h)
body L at No + 0.3 m*L.x, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
potential V = 2 J*dot(L.x, N.y)
""")
        moment = 2 * math.cos(0.5)
        self.assert_vector(found["V"]["on"]["L"]["moment"], [0, 0, -moment])
        self.assert_vector(found["V"]["on"]["N"]["moment"], [0, 0, moment])
        self.assertAlmostEqual(found["V"]["time"]["power"], -0.3 * moment, delta=1e-12)
        self.assert_vector(found["h"]["on"]["L"]["moment"], [0, 0, moment])

    def test_what_driven_parts_carry_is_not_called_driven(self):
        """On a turntable W(x) of its own slide does not change with time; a spring to the ground does, through what the table carries."""
        model = self.write("""
model table
specified w(t) = 0.4 + 0.7 rad/s*t
coordinate x = 0.4 m
frame T = rotate(N, z, w)
body T at No, mass 3 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
particle P at No + x*T.x, mass 0.5 kg
potential slide = 2 N/m*x^2
potential outside = 3 N*dot(P - No, N.x)
""")
        found = {i["name"]: i for i in json.loads(visviva("interactions", model, "--json").stdout)["interactions"]}
        self.assertIsNone(found["slide"]["time"])
        self.assertAlmostEqual(found["outside"]["time"]["power"], 3 * 0.4 * math.sin(0.4) * 0.7, delta=1e-12)
        text = visviva("interactions", model).stdout
        self.assertIn("through P, which is carried by what is driven", text)
        self.assertEqual(text.count("Time:"), 1)

    def test_the_motor_of_a_driven_point_without_mass(self):
        """It supplies what the spring takes: minus the spring's force on the point, along its way."""
        found = self.ask("""
model puller
specified h(t) = 0.3 m*sin(2 rad/s*t + 0.5)
coordinate x = 1 m, x' = 0.2 m/s, y = 0.4 m
point D = No + h*N.y
particle P at No + x*N.x + y*N.y, mass 2 kg
spring S from D to P, stiffness 10 N/m, rest 0.2 m
""")
        h = 0.3 * math.sin(0.5)
        length = math.hypot(1, 0.4 - h)
        pull = 10 * (length - 0.2) / length * (0.4 - h)
        self.assert_vector(found["h"]["on"]["D"]["force"], [0, -pull, 0])
        self.assertAlmostEqual(found["S"]["time"]["power"], pull * 0.6 * math.cos(0.5), delta=1e-12)

    def test_loads_on_angles_of_a_sequence_and_on_rodrigues_parameters(self):
        """The dual basis of (5) and (6): a function of one angle is the function of the axis that this angle leans."""
        a, b, c = 0.4, 0.7, -0.3
        found = self.ask(f"""
model duals
coordinate a = {a} rad, b = {b} rad, c = {c} rad, g1 = 0.2, g2 = -0.3, g3 = 0.5
frame A = rotate(N, zxz, a, b, c)
frame R = rodrigues(N, g1, g2, g3)
body A at No, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
body R at No + 2 m*N.x, mass 1 kg, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
potential angle = 2 J*cos(b)
potential axis = 2 J*dot(A.z, N.z)
potential one = 2 J*g1^2
spring S on c, stiffness 3 N*m
""")
        self.assert_vector(found["angle"]["on"]["A"]["moment"], found["axis"]["on"]["A"]["moment"])
        nodes = np.array([math.cos(a), math.sin(a), 0])
        self.assert_vector(found["angle"]["on"]["A"]["moment"], 2 * math.sin(b) * nodes)
        # g' = (w + g (g·w) + w x g)/2 for w along N, so that g1' = w · (e1 + g1 g + g x e1)/2.
        g, e1 = np.array([0.2, -0.3, 0.5]), np.array([1, 0, 0])
        self.assert_vector(found["one"]["on"]["R"]["moment"], -4 * g[0] * (e1 + g[0] * g + np.cross(g, e1)) / 2)

    def test_a_damper_written_as_a_force_is_invariant(self):
        found = self.ask(two_bodies("quaternion", """
force F on P from Q = -0.3 kg/s*dot(velocity(P) - velocity(Q), unit(P - Q))*unit(P - Q)
force G on P from Q = -0.3 kg/s*(velocity(P) - velocity(Q))
"""))
        self.assertIs(found["F"]["invariant"], True, found["F"]["reason"])
        self.assertEqual((found["G"]["invariant"], found["G"]["breaks"]), (False, ["rotation"]))

    # ---- Outputs

    def test_forces_and_moments_are_outputs(self):
        text = two_bodies("quaternion", """
potential V = 1/2*k*dot(P - Q, P - Q) + c*dot(A.z, B.x)
constraint joint: magnitude(P - Q) = 1.3 m
start A_wx = 0.7 rad/s, B_wz = -0.4 rad/s, yA' = 0.3 m/s
output W = power(V, A) + power(V, B), FV = force(V, A), MV = moment(V, B), FJ = force(joint, B), MJ = moment(joint, A), force(V, B)
study until 0.1 s, every 0.05 s
""")
        model = self.write(text)
        asked = {i["name"]: i["on"] for i in json.loads(visviva("interactions", model, "--json").stdout)["interactions"]}
        asked_power = {i["name"]: i["power"] for i in json.loads(
            visviva("interactions", model, "--json").stdout)["interactions"]}["V"]
        outputs = json.loads(visviva("evaluate", model, "--json").stdout)["outputs"]
        self.assert_vector(outputs["FV"], asked["V"]["A"]["force"])
        self.assertAlmostEqual(outputs["W"], asked_power, delta=1e-12)
        self.assertGreater(abs(asked_power), 0.01)
        self.assert_vector(outputs["MV"], asked["V"]["B"]["moment"])
        self.assert_vector(outputs["FJ"], asked["joint"]["B"]["force"], 1e-10)
        self.assert_vector(outputs["MJ"], asked["joint"]["A"]["moment"], 1e-10)
        run = visviva("simulate", model, "--out", self.folder / "run", "--json")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        rows = [line for line in (self.folder / "run" / "trajectory.csv").read_text().splitlines()
                if not line.startswith("#")]
        first = dict(zip(rows[0].split(","), map(float, rows[1].split(","))))
        for k, axis in enumerate("xyz"):
            self.assertAlmostEqual(first[f"FV.{axis}"], outputs["FV"][k], delta=1e-9)
            self.assertAlmostEqual(first[f"MJ.{axis}"], outputs["MJ"][k], delta=1e-9)

    # ---- What is not determined

    ABSORBED = """
model absorbed
parameter m = 1 kg, g = 9.8 m/s^2
unknown T1
coordinate x = 0.2 m, y = 0.1 m, z = 0 m
particle P at No + x*N.x + y*N.y + z*N.z, mass m
gravity -g*N.y
force push on P = T1*N.y
constraint c: y = 0.1 m
constraint d: z = 0 m
output f = force(push, P), fc = force(c, P), fd = force(d, P), M = moment(c, N)
study until 0.1 s
"""

    def test_an_unknown_force_that_a_constraint_takes_up_is_not_determined(self):
        """T1 + lambda = m g is all that the equations say."""
        found = self.ask(self.ABSORBED)
        self.assertEqual(found["push"]["on"]["P"]["force"], [0, None, 0])
        self.assertEqual(found["push"]["not_determined"], ["T1"])
        self.assertFalse(found["push"]["third_law"]["holds"])
        self.assertEqual(found["c"]["on"]["P"]["force"], [0, None, 0])
        self.assertEqual(found["c"]["not_determined"], ["multiplier(c)"])
        self.assertTrue(found["c"]["with_ground"]["holds"])
        self.assertEqual(found["d"]["on"]["P"]["force"], [0, 0, 0])
        self.assertEqual(found["d"]["not_determined"], [])
        text = visviva("interactions", self.write(self.ABSORBED)).stdout
        self.assertIn("Not determined: the equations leave T1 open.", text)
        self.assertIn("Not determined: the equations leave multiplier(c) open", text)
        outputs = json.loads(visviva("evaluate", self.write(self.ABSORBED), "--json").stdout)["outputs"]
        self.assertEqual((outputs["f"], outputs["fc"], outputs["fd"]), ([0, None, 0], [0, None, 0], [0, 0, 0]))
        self.assertEqual(outputs["M"], [None, 0, None])
        run = visviva("simulate", self.write(self.ABSORBED), "--json", "--out", self.folder / "run")
        self.assertEqual({gap["name"] for gap in json.loads(run.stdout)["without_value"]}, {"f", "fc", "M"})
        page = self.folder / "page.html"
        visviva("report", self.write(self.ABSORBED), "--out", page)
        self.assertIn("the equations leave T1 open", page.read_text(encoding="utf-8"))

    def test_a_sum_of_rows_shares_an_unknown_force(self):
        """T1 acts along the diagonal: both constraints' forces are open."""
        found = self.ask(self.ABSORBED.replace("T1*N.y", "T1*(N.y + N.z)"))
        for name in ("push", "c", "d"):
            self.assertTrue(found[name]["not_determined"])
        free = self.ask(self.ABSORBED.replace("T1*N.y", "2 N*N.y").replace("unknown T1\n", ""))
        self.assert_vector(free["c"]["on"]["P"]["force"], [0, 7.8, 0])

    DRIVEN_UNKNOWN = """
model driven
parameter m = 2 kg
specified x(t) = 1 m*sin(1 rad/s*t)
coordinate y = 0.3 m, z = 0.1 m
point O = No + x*N.x
particle P at O + y*N.y + z*N.z, mass m
unknown T
gravity -9.81 m/s^2*N.z
force F on P = T*{along}
constraint c: y - 0.3 m = 0
output mx = motor(x), px = power(x), R = reaction(P), Rc = reaction(c), fO = force(x, O), pF = power(F)
study until 0.2 s, every 0.1 s
"""

    def test_what_an_unknown_force_changes_that_a_constraint_takes_up_is_not_determined(self):
        """By hand: lambda + T = 0 along y, motor(x) = -2 sin t - T, reaction(P).x = -2 sin t - T, T's power is T cos t."""
        def answers(along):
            model = self.write(self.DRIVEN_UNKNOWN.format(along=along))
            state = json.loads(visviva("evaluate", model, "--json").stdout)
            run = json.loads(visviva("simulate", model, "--json", "--out", self.folder / "run").stdout)
            return state, {gap["name"] for gap in run["without_value"]}
        state, gaps = answers("(N.x + N.y)")
        outputs = state["outputs"]
        self.assertEqual([outputs[name] for name in ("mx", "px", "pF")], [None, None, None])
        self.assertEqual((outputs["R"], outputs["fO"]), ([None, 0, 0], [None, 0, 0]))
        self.assertEqual(outputs["Rc"], [0, 0, 0])  # both together, along y
        self.assertEqual(gaps, {"mx", "px", "pF", "R", "fO"})
        state, gaps = answers("N.y")  # the motor does not feel it
        self.assertEqual(gaps, set())
        self.assert_vector([state["outputs"][name] for name in ("mx", "px", "pF")], [0, 0, 0])

    # ---- Given velocities

    def test_a_given_velocity_is_the_shadow_of_a_driven_body(self):
        """x' = v: c = -v; the power of the constraint on P is -lambda c, what it has on the driven body is lambda c."""
        model = """
model conveyor
parameter v = 0.3 m/s
coordinate x = 0 m, x' = 0.3 m/s, y = 0 m
particle P at No + x*N.x + y*N.y, mass 2 kg
force drag on P = -4 N*N.x
"""
        found = self.ask(model + "constraint c: x' = v\n")["c"]
        self.assertEqual(found["breaks"], ["translation", "rotation", "time"])
        self.assertEqual((found["invariant_with_ground"], found["breaks_with_ground"]), (False, ["time"]))
        self.assert_vector(found["on"]["P"]["force"], [4, 0, 0])
        self.assertAlmostEqual(found["time"]["power"], -4 * 0.3)
        self.assertEqual(found["time"]["bodies"], [])
        self.assertIn("gives a velocity", found["reason"])
        # As a condition on the configuration it is the same.
        same = self.ask(model + "constraint c: x = v*t\n")["c"]
        self.assertEqual((same["breaks"], same["breaks_with_ground"]), (found["breaks"], found["breaks_with_ground"]))
        self.assertAlmostEqual(same["time"]["power"], found["time"]["power"])
        # The belt declared: it is named, and time does not enter explicitly.
        belt = model + "specified s(t) = v*t\npoint Q = No + s*N.x\nconstraint c: dot(velocity(P) - velocity(Q), N.x) = 0\n"
        named = self.ask(belt)["c"]
        self.assertNotIn("time", named["breaks"])
        self.assertEqual(named["time"]["bodies"], ["Q"])
        self.assertAlmostEqual(named["time"]["power"], -4 * 0.3)
        still = self.ask(model.replace("x' = 0.3 m/s", "x' = 0 m/s") + "constraint c: x' = 0 m/s\n")["c"]
        self.assertEqual((still["time"], still["breaks"]), (None, ["translation", "rotation"]))

    def test_the_rate_of_a_driven_part_is_its_velocity(self):
        """x' = h' and x = h say the same where h drives S: (20) on S, and its power there, -lambda h'; likewise turns, and dissipation."""
        model = """
model wall
specified h(t) = 0.1 m + 0.5 m/s*t, w(t) = 2 rad/s*t
coordinate x = 0.1 m, x' = 0.5 m/s, q = 0 rad, q' = 2 rad/s, y = 0.4 m, y' = 0.2 m/s
point S = No + h*N.x
frame D = rotate(N, z, w)
frame B = rotate(N, z, q)
body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
particle P at No + x*N.x, mass 1 kg
particle Q at No + y*N.x, mass 1 kg
force F on P = 3 N*N.x
torque T on B = 2 N*m*N.z
"""
        for shift, turn in (("x' - h' = 0", "q' = w'"), ("x = h", "q = w")):
            with self.subTest(shift):
                found = self.ask(model + f"constraint c: {shift}\nconstraint d: {turn}\n")
                c, d = found["c"], found["d"]
                self.assert_vector(c["on"]["P"]["force"], [-3, 0, 0])
                self.assert_vector(c["on"]["S"]["force"], [3, 0, 0])
                self.assertEqual(c["time"]["bodies"], ["S"])
                self.assertAlmostEqual(c["time"]["power"], 3 * 0.5)
                self.assertEqual(c["breaks"], [])
                self.assert_vector(d["on"]["D"]["moment"], [0, 0, 2])
                self.assertEqual(d["time"]["bodies"], ["D"])
                self.assertEqual(d["breaks"], [])
                self.assert_vector(found["h"]["on"]["S"]["force"], [-3, 0, 0])
        found = self.ask(model + "dissipation E = 1/2*3 N*s/m*(y' - h')^2\n")["E"]
        self.assert_vector(found["on"]["Q"]["force"], [0.9, 0, 0])
        self.assert_vector(found["on"]["S"]["force"], [-0.9, 0, 0])
        self.assertEqual((found["breaks"], found["time"]["bodies"]), ([], ["S"]))

    def test_differences_of_coordinates_do_not_name_the_ground(self):
        """Two rotors on a shaft and two masses on a line, each by coordinates from the ground: what the ground would take cancels."""
        model = """
model shaft
coordinate a = 0.3 rad, b = 0.7 rad, a' = 1 rad/s, x = 0.1 m, y = 0.5 m, u = 0.2 m, v = 0.4 m
frame A = rotate(N, z, a)
frame B = rotate(N, z, b)
body A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
body B at No + 1 m*N.z, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
particle P at No + x*N.x, mass 1 kg
particle Q at No + y*N.x, mass 1 kg
particle R at No + u*N.x + v*N.y, mass 1 kg
"""
        cases = {
            "potential V = 3 J*(a - b)^2": (True, []),
            "potential V = 3 J*(a - 2*b)^2": (False, ["rotation"]),
            "potential V = 3 J*a*b": (False, ["rotation"]),
            "potential V = 3 N/m*(x - y)^2": (True, []),
            "potential V = 3 N/m*(x + y)^2": (False, ["translation"]),
            "potential V = 3 N/m*(x - u)^2": (False, ["rotation"]),
            "constraint V: a - b = -0.4": (True, []),
            "torque V on A from B = -2 N*m*s*(a' - b')*A.z": (True, []),
            "torque V on A from B = -2 N*m*s*(a' + b')*A.z": (False, ["rotation"]),
            "force V on P from Q = -2 N*s/m*(x' - y')*unit(P - Q)": (True, []),
            "spring V on a, stiffness 3 N*m": (False, ["rotation"]),
        }
        for law, (invariant, breaks) in cases.items():
            with self.subTest(law):
                V = self.ask(model + law)["V"]
                self.assertEqual((V["invariant"], V["breaks"]), (invariant, breaks), V["reason"])
                self.assertIs(V["invariant_with_ground"], True)
                if law.startswith("potential"):
                    self.assertEqual("N" in V["on"], not invariant)

    def test_velocities_in_a_plane_are_judged_as_in_space(self):
        """A wheel on a belt: the row names N.x and N.y, which turn with the ground alone, though nothing leaves the plane."""
        model = """
model wheel
parameter r = 0.1 m
coordinate x = 0 m, q = 0 rad, x' = 0.6 m/s, q' = -3 rad/s
specified s(t) = 0.3 m/s*t
point S = No + s*N.x
frame B = rotate(N, z, q)
body B at No + x*N.x + r*N.y, mass 2 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2
torque T on B = 1 N*m*N.z
constraint c: dot(velocity(Bcm) - r*cross(angular_velocity(B), N.y) - velocity(S), N.x) = 0
"""
        found = self.ask(model)["c"]
        self.assertEqual(found["breaks"], ["rotation"])
        force = -(0.1 / 0.01) / (1 / 2 + 0.1**2 / 0.01)  # m x'' = F, J q'' = T + r F, x'' + r q'' = 0
        self.assert_vector(found["on"]["B"]["force"], [force, 0, 0])
        self.assertEqual(found["time"]["bodies"], ["S"])
        self.assertAlmostEqual(found["time"]["power"], -0.3 * force)

    # ---- Euler parameters

    def test_the_norm_of_euler_parameters_is_one(self):
        norm = "(a0^2 + a1^2 + a2^2 + a3^2)"
        found = self.ask(two_bodies("quaternion", f"""
potential W1 = 2*c*{norm}
potential W2 = c*{norm}*dot(A.z, B.x)
potential W3 = c*({norm} - 1)*dot(A.z, N.x)
potential W4 = c*dot(A.z, B.x)
potential W5 = c*{norm}*dot(A.z, N.x)
"""))
        for name, invariant in (("W1", True), ("W2", True), ("W3", True), ("W4", True), ("W5", False)):
            with self.subTest(name):
                self.assertEqual(found[name]["invariant"], invariant)
                self.assertTrue(found[name]["with_ground"]["holds"])
        self.assertEqual((found["W1"]["on"], found["W3"]["on"]), ({}, {}))
        self.assert_vector(found["W2"]["on"]["A"]["moment"], found["W4"]["on"]["A"]["moment"])

    def test_laws_of_two_quaternions(self):
        """conj(a) b does not change when both bodies are turned, a conj(b) does: the latter is fixed to the ground."""
        relative = "a0*b1 - a1*b0 - a2*b3 + a3*b2"  # conj(a) b along x
        absolute = "a0*b1 - a1*b0 + a2*b3 - a3*b2"  # b conj(a) along x
        found = self.ask(two_bodies("quaternion", f"""
potential U1 = c*({relative})^2
potential U2 = c*({absolute})^2
potential U3 = c*(a0*b0 + a1*b1 + a2*b2 + a3*b3)^2
"""))
        self.assertEqual([found[n]["invariant"] for n in ("U1", "U2", "U3")], [True, False, True])
        self.assertEqual(found["U2"]["breaks"], ["rotation"])
        self.assertTrue(found["U1"]["third_law"]["holds"])

    # ---- Claims

    def judge(self, more, *options, command="check"):
        answer = visviva(command, self.write(two_bodies("quaternion", more)), "--json", *options)
        told = json.loads(answer.stdout)
        codes = [d["code"] for d in told.get("errors", []) + told.get("warnings", [])]
        return answer.returncode, [c for c in codes if c not in ("W-unused-parameter", "W-body-free", "W-start-changed")]

    def test_claims_that_are_true_pass_and_false_ones_stop_every_command(self):
        potential = "potential V = c*dot(A.z, B.x)\npotential W = c*dot(A.z, N.x)\n"
        true = "claim invariant V, third_law V\nclaim constant E_Z, constant C\n"
        for command in ("check", "interactions", "energy", "evaluate", "prove"):
            with self.subTest(command):
                self.assertEqual(self.judge(potential + true, command=command), (0, []))
                self.assertEqual(self.judge(potential + "claim invariant W\n", command=command), (1, ["E-claim-false"]))
        self.assertEqual(self.judge(potential + "claim third_law W\n"), (1, ["E-claim-false"]))
        self.assertEqual(self.judge("force D on Acm = -1 N*s/m*velocity(Acm)\nclaim constant E\n"), (1, ["E-claim-false"]))

    def test_claims_about_constraints(self):
        blade = "constraint blade: dot(velocity(P), A.y) = 0\nconstraint rod: magnitude(P - Q) = 1.3 m\n"
        self.assertEqual(self.judge(blade + "claim nonholonomic blade, holonomic rod\n"), (0, []))
        self.assertEqual(self.judge(blade + "claim holonomic blade\n"), (1, ["E-claim-false"]))
        self.assertEqual(self.judge(blade + "claim nonholonomic rod\n"), (1, ["E-claim-false"]))

    def test_claims_that_make_no_sense(self):
        self.assertEqual(self.judge("claim invariant nobody\n"), (1, ["E-claim-subject"]))
        self.assertEqual(self.judge("claim constant nothing\n"), (1, ["E-claim-subject"]))
        self.assertEqual(self.judge("claim stable V\n"), (1, ["E-claim-word"]))

    def test_constant_for_these_values_only(self):
        model = """
model sloped
parameter a = 0 N
coordinate x = 1 m
particle P at No + x*N.x, mass 1 kg
force F on P = a*sign(x')*N.x
claim constant E
"""
        answer = visviva("check", self.write(model))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("for these values", answer.stderr)
        self.assertEqual(visviva("check", self.write(model.replace("constant E", "constant E for these values"))).returncode, 0)

    def test_a_wrong_name_is_told(self):
        answer = visviva("check", self.write(two_bodies("angles", "output force(V, A)\n")))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("E-output-target", answer.stderr)


if __name__ == "__main__":
    unittest.main()
