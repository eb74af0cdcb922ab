"""Tests of what U holds, when a potential energy exists, and the ledger's words: closed forms and NumPy by hand."""

import csv
import json
import math
import unittest

import numpy

from energy_test import EnergyTest
from program import visviva

ROUNDING = 1e-11  # of a few dozen operations
BODY = "parameter m = 1 kg, c = 0.3 N*m\nbody B at No, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2\n"
# One body, its orientation in five ways, with names for the values at which expressions are looked at.
WAYS = {
    "quaternion": ("coordinate e0 = 0.8, e1 = 0.2, e2 = 0.4, e3 = 0.4\nframe B = quaternion(N, e0, e1, e2, e3)\n",
                   {"e0": 0.8, "e1": 0.2, "e2": 0.4, "e3": 0.4}),
    "rodrigues": ("coordinate g1 = 0.25, g2 = 0.5, g3 = 0.5\nframe B = rodrigues(N, g1, g2, g3)\n",
                  {"g1": 0.25, "g2": 0.5, "g3": 0.5}),
    "xyz": ("coordinate q1 = 0.1, q2 = 0.4, q3 = 0.2\nframe B = rotate(N, xyz, q1, q2, q3)\n",
            {"q1": 0.1, "q2": 0.4, "q3": 0.2}),
    "zxz": ("coordinate q1 = 0.1, q2 = 0.4, q3 = 0.2\nframe B = rotate(N, zxz, q1, q2, q3)\n",
            {"q1": 0.1, "q2": 0.4, "q3": 0.2}),
    "speeds": ("coordinate e0 = 0.8, e1 = 0.2, e2 = 0.4, e3 = 0.4\nframe B = quaternion(N, e0, e1, e2, e3)\n"
               "speed u1 = dot(angular_velocity(B), N.x), u2 = dot(angular_velocity(B), N.y), "
               "u3 = dot(angular_velocity(B), N.z)\n",
               {"e0": 0.8, "e1": 0.2, "e2": 0.4, "e3": 0.4}),
}


def turn(axis, angle):
    i, j, k = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}[axis]
    R = numpy.zeros((3, 3))
    R[k, k] = 1
    R[i, i] = R[j, j] = math.cos(angle)
    R[i, j], R[j, i] = -math.sin(angle), math.sin(angle)
    return R


def orientation(way, values):
    """Columns: axes of B along N."""
    if way in ("xyz", "zxz"):
        R = numpy.eye(3)
        for axis, name in zip(way, ("q1", "q2", "q3")):
            R = R @ turn(axis, values[name])
        return R
    e = numpy.array([values[n] for n in ("e0", "e1", "e2", "e3")]) if "e0" in values else \
        numpy.array([1.0] + [values[n] for n in ("g1", "g2", "g3")])
    e0, v = e[0] / numpy.linalg.norm(e), e[1:] / numpy.linalg.norm(e)
    skew = numpy.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (e0 * e0 - v @ v) * numpy.eye(3) + 2 * numpy.outer(v, v) + 2 * e0 * skew


class Rules(EnergyTest):
    def refused(self, text):
        result = visviva("energy", self.write(text), "--json")
        self.assertEqual(result.returncode, 1, result.stdout)
        return json.loads(result.stdout)["errors"]

    def roles(self, found):
        return {load["name"]: load["role"] for load in found["loads"]}

    def run_columns(self, text, *arguments):
        result = visviva("simulate", self.write(text), "--out", self.folder, *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with open(self.folder / "trajectory.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return {name: numpy.array([float(row[name]) for row in rows]) for name in rows[0]}


class WhatUHolds(Rules):
    def test_a_constant_motor_torque_is_in_U_and_gives_no_potential_energy(self):
        found = self.energy(self.write("""model motor
parameter m = 1 kg, T0 = 0.3 N*m
coordinate q1 = 10 deg
frame A = rotate(N, z, q1)
body A at No, mass m, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
torque T on A = T0*N.z
"""))
        self.assertEqual(found["U"], "-T0*q1")
        self.assertIs(found["potential_energy_exists"], False)
        self.assertEqual(found["potential_energy_reasons"], ["not the same after a full turn of q1"])
        self.assertEqual(found.constant("mechanical_energy"), "not defined")
        self.assertIs(found.constant("C"), True)
        self.assertEqual(found.entry("T")["effect"], "brings in or takes out")

    def test_a_torque_that_grows_with_its_angle_stores_as_a_spring_does(self):
        text = """model wound
coordinate q1 = 10 deg
frame A = rotate(N, z, q1)
body A at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
"""
        for law in "torque T on A = -3 N*m*q1*N.z", "spring T on q1, stiffness 3 N*m, rest 0 deg":
            found = self.energy(self.write(text + law + "\n"))
            self.assertEqual(found["U"], "3*q1^2/2")
            self.assertIs(found["potential_energy_exists"], False)
            self.assertEqual(found.entry("T")["effect"], "stores")

    def test_without_torque_there_is_one_for_these_values(self):
        found = self.energy(self.write("""model motor
parameter m = 1 kg, T0 = 0 N*m, l = 0.2 m, g = 9.81 m/s^2
coordinate q1 = 10 deg
frame A = rotate(N, z, q1)
particle Q at No + l*A.x, mass m
gravity -g*N.y
body A at No, mass m, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
torque T on A = T0*N.z
"""))
        self.assertIs(found["potential_energy_exists"], True)
        self.assertEqual(found["potential_energy_scope"], "these values")

    def test_a_body_that_has_rolled_on_is_elsewhere_after_a_turn(self):
        found = self.energy(self.write("""model incline
parameter m = 1 kg, r = 0.2 m, slope = 0.1, g = 9.81 m/s^2
coordinate q = 0.3 rad
frame D = rotate(N, z, -q)
body D at No + r*q*N.x, mass m, disc radius r along z
gravity g*sin(slope)*N.x - g*cos(slope)*N.y
"""))
        self.assertIs(found["potential_energy_exists"], True)

    def test_friction_on_a_belt_is_not_in_U(self):
        for law in ("-F0*sign(x' - v)", "-F0*tanh((x' - v)/(1 mm/s))", "-F0*(x' - v)/sqrt((x' - v)^2 + v^2)",
                    "-F0*step((v - x')/(1 m/s))"):
            with self.subTest(law):
                found = self.energy(self.write(f"""model belt
parameter m = 1 kg, F0 = 3 N, v = 0.5 m/s, k = 20 N/m
coordinate x = 0.1 m, x' = 2 m/s
particle Q at No + x*N.x, mass m
force F on Q = ({law} - k*x)*N.x
"""))
                value = found.evaluator(3, x=0.7, k=20.0)
                self.assert_near(value(found["U"]), 20.0 * 0.7**2 / 2)
                self.assertEqual(self.roles(found), {"F": "both"})
                self.assertIs(found.constant("E"), False)

    def test_inputs_and_switches_are_not_in_U(self):
        found = self.energy(self.write("""model outside
parameter m = 1 kg, k = 20 N/m
input tau = 3 N
coordinate x = 0.1 m, x' = 2 m/s
particle Q at No + x*N.x, mass m
force F on Q = tau*N.x
force S on Q = -k*x*step(x/(1 m))*N.x
"""))
        self.assertEqual(found["U"], "0")
        self.assertEqual(self.roles(found), {"F": "nonconservative", "S": "nonconservative"})

    def test_a_potential_that_jumps_is_refused_with_its_place(self):
        model = "model m\nparameter m = 1 kg, k = 1 N/m\ncoordinate x = -1 m, x' = 2 m/s\nparticle Q at No + x*N.x, mass m\n"
        for potential in ("1 J*step(x/(1 m))", "1 J*sign(x/(1 m) - 3)", "k*x^2*step(x/(1 m) - 1)"):
            with self.subTest(potential):
                error, = self.refused(model + f"potential V = {potential}\n")
                self.assertEqual((error["code"], error["line"]), ("E-potential-jump", 5))
        for potential in ("1/2*k*x^2*step(x/(1 m))", "k*x*(1 m)*sign(x/(1 m))", "1/2*k*x^2*step(t/(1 s) - 1)",
                          "1 J*(step(x/(1 m)) + step(-x/(1 m)))"):
            with self.subTest(potential):
                self.assertIs(self.energy(self.write(model + f"potential V = {potential}\n")).constant("E_Z"), True)


class Parametrisations(Rules):
    def test_a_torque_on_an_axis_has_its_potential_however_the_body_turns(self):
        for way, (frame, values) in WAYS.items():
            with self.subTest(way):
                found = self.energy(self.write(f"model m\n{BODY}{frame}torque T on B = c*cross(N.x, B.z)\n"))
                self.assertEqual(self.roles(found), {"T": "conservative"})
                U = found.evaluator(1, c=0.3, **values)
                expected = 0.3 * orientation(way, values)[0, 2]
                other = {n: v + 0.17 for n, v in values.items()}
                if "e0" in other:
                    size = math.sqrt(sum(v * v for v in other.values()))
                    other = {n: v / size for n, v in other.items()}
                V = found.evaluator(1, c=0.3, **other)
                change = 0.3 * orientation(way, other)[0, 2] - expected
                self.assert_near(V(found["U"]) - U(found["U"]), change)
                self.assertIs(found["potential_energy_exists"], True)
                self.assertIs(found.constant("mechanical_energy"), True)

    def test_a_torque_fixed_in_the_body_has_none_however_it_turns(self):
        for way, (frame, _) in WAYS.items():
            with self.subTest(way):
                found = self.energy(self.write(f"model m\n{BODY}{frame}torque T on B = c*B.z\n"))
                self.assertEqual(self.roles(found), {"T": "nonconservative"})
                self.assertEqual(found["U"], "0")

    def test_springs_written_as_forces_have_the_potential_of_springs(self):
        laws = ("force S on P = -k*(P - A)", "force S on P from A = -k*(P - A)", "force S on P = -k*(P - No - 0.2 m*N.y)",
                "force S on P = -k*dot(P - A, N.x)*N.x - k*dot(P - A, N.y)*N.y - k*dot(P - A, N.z)*N.z")
        for way, (frame, values) in WAYS.items():
            for law in laws:
                with self.subTest(way=way, law=law):
                    found = self.energy(self.write(f"""model m
parameter m = 1 kg, k = 20 N/m, a = 0.3 m
coordinate x = 0.1 m, y = 0.2 m, z = 0.3 m
{frame}body B at No + x*N.x + y*N.y + z*N.z, mass m, inertia 1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2
point P = Bcm + a*B.x
point A = No + 0.2 m*N.y
{law}
"""))
                    self.assertEqual(self.roles(found), {"S": "conservative"})
                    energies = []
                    for x, y, z in ((0.4, -0.3, 0.9), (-0.2, 0.5, 0.1)):
                        value = found.evaluator(1, k=20.0, a=0.3, x=x, y=y, z=z, **values)
                        d = numpy.array([x, y - 0.2, z]) + 0.3 * orientation(way, values)[:, 0]
                        energies.append(value(found["U"]) - 10.0 * d @ d)
                    self.assert_near(energies[0], energies[1])

    def test_two_torques_with_one_potential_on_a_turntable(self):
        # c (B.x . N.x)(B.x . N.y) is fixed in N, where the body is free: a massless turntable changes nothing.
        laws = ("torque S on B = c*dot(B.x, N.y)*cross(B.x, N.x)\ntorque T on B = c*dot(B.x, N.x)*cross(B.x, N.y)\n")
        for way, (frame, _) in WAYS.items():
            with self.subTest(way):
                found = self.energy(self.write(f"model m\nspecified p(t) = 0.7 rad/s*t\nframe D = rotate(N, z, p)\n{BODY}"
                                               + frame.replace("(N, ", "(D, ") + laws))
                self.assertIs(found.constant("C"), True)
                self.assertEqual(self.roles(found), {"S": "conservative", "T": "conservative"})

    def test_laws_with_corners_too(self):
        # c |s| s' has the potential c s |s|/2, s = B.x . N.x, however the body turns.
        for way, (frame, values) in WAYS.items():
            with self.subTest(way):
                found = self.energy(self.write(f"model m\n{BODY}{frame}torque T on B = c*abs(dot(B.x, N.x))*cross(N.x, B.x)\n"))
                self.assertEqual(self.roles(found), {"T": "conservative"})
                self.assertIs(found.constant("mechanical_energy"), True)
                differences = []
                for shift in (0.0, 0.17, -1.3):
                    at = {n: v + shift for n, v in values.items()}
                    if "e0" in at:
                        size = math.sqrt(sum(v * v for v in at.values()))
                        at = {n: v / size for n, v in at.items()}
                    s = orientation(way, at)[0, 0]
                    differences.append(found.evaluator(1, c=0.3, **at)(found["U"]) - 0.15 * s * abs(s))
                self.assert_near(differences[0], differences[1])
                self.assert_near(differences[0], differences[2])

    def test_a_stop_written_as_a_force_has_the_potential_of_the_stop(self):
        model = "model m\nparameter k = 20 N/m, a = 0.3 m\ncoordinate x = 0.5 m, y = 0.2 m\nparticle Q at No + x*N.x + y*N.y, mass 1 kg\n"
        laws = {
            "force S on Q = -k*max(x - a, 0 m)*N.x": lambda x, y: 10 * max(x - 0.3, 0)**2,
            "force S on Q = -k*min(x - a, 0 m)*N.x": lambda x, y: 10 * min(x - 0.3, 0)**2,
            "force S on Q = -k*(max(x - a, 0 m) + min(x + a, 0 m))*N.x":
                lambda x, y: 10 * (max(x - 0.3, 0)**2 + min(x + 0.3, 0)**2),
            "force S on Q = -k*max(magnitude(Q - No) - a, 0 m)*unit(Q - No)": lambda x, y: 10 * max(math.hypot(x, y) - 0.3, 0)**2,
        }
        for law, W in laws.items():
            with self.subTest(law):
                found = self.energy(self.write(model + law + "\n"))
                self.assertEqual(self.roles(found), {"S": "conservative"})
                self.assertIs(found.constant("C"), True)
                self.assertEqual(found.entry("S")["effect"], "stores")
                at = [found.evaluator(1, k=20.0, a=0.3, x=x, y=y)(found["U"]) - W(x, y)
                      for x, y in ((0.7, 0.4), (0.1, 0.1), (-0.9, 0.2), (0.31, 0.01))]
                for difference in at[1:]:
                    self.assert_near(difference, at[0])

    def test_on_a_driven_turntable_U_and_the_ledger_are_those_of_the_law_however_the_body_turns(self):
        # W of a law that is fixed in N is a function of where the body is: all of the power is -dW/dt, and dW/dt at fixed
        # coordinates is P_nonconservative. Laws that are not linear in the rotation matrix, too.
        A, PHI, RATE = numpy.array([0.0, 2.0, 0.0]), 0.4, 0.6
        laws = {
            "spring S from A to P, stiffness k, rest L0": lambda R: 1.5 * (numpy.linalg.norm(0.5 * R[:, 0] - A) - 1.0)**2,
            "force S on P = -k*(magnitude(P - A) - L0)*unit(P - A)":
                lambda R: 1.5 * ((0.5 * R[:, 0] - A) @ (0.5 * R[:, 0] - A)) - 3.0 * numpy.linalg.norm(0.5 * R[:, 0] - A),
            "potential S = c*dot(B.x, N.x)^2": lambda R: 0.3 * R[0, 0]**2,
            "potential S = c*exp(dot(B.x, N.y))": lambda R: 0.3 * math.exp(R[1, 0]),
            "torque S on B = c*dot(B.x, N.x)*cross(B.x, N.x)": None,
        }
        for law, W in laws.items():
            for way, (frame, values) in WAYS.items():
                with self.subTest(law=law, way=way):
                    model = self.write(f"model m\nspecified p(t) = 0.4 rad + 0.3 rad*sin(2 rad/s*t)\nframe D = rotate(N, z, p)\n{BODY}"
                                       + "parameter k = 3 N/m, L0 = 1 m\npoint P = Bcm + 0.5 m*B.x, A = No + 2 m*N.y\n"
                                       + frame.replace("(N, ", "(D, ") + law + "\n")
                    self.assertEqual(self.energy(model).entry("S")["effect"], "stores")
                    found = json.loads(visviva("evaluate", model, "--json").stdout)["energies"]
                    place = orientation(way, values)
                    energy = W or (lambda R: -0.15 * R[0, 0]**2)  # open by a constant
                    h = 1e-5
                    slope = (energy(turn("z", PHI + h) @ place) - energy(turn("z", PHI - h) @ place)) / (2 * h)
                    # Speeds that are angular velocities in N leave nothing to the turntable.
                    self.assertAlmostEqual(found["P_nonconservative"], 0 if way == "speeds" else slope * RATE, delta=1e-8)
                    if W:
                        self.assertAlmostEqual(found["U"], W(turn("z", PHI) @ place), delta=1e-10)

    MOVED = ("model m\nparameter k = 3 N/m, L0 = 1 m, b = 0.2 N*s/m, h = 0.2 N*m*s\n"
             "specified p(t) = 0.4 rad + 0.3 rad*sin(2 rad/s*t), s(t) = 0.2 m + 0.3 m*sin(2 rad/s*t)\n"
             "frame D = rotate(N, z, p)\npoint O = No + s*N.x\n" + BODY.replace("at No", "at O") +
             "point P = Bcm + 0.5 m*B.x, A = No + 2 m*N.y\n")

    def test_on_a_pivot_that_is_moved_and_turned_U_is_that_of_the_law_however_the_body_turns(self):
        # W(q, t) is no sum of a function of t and one of q: U is all of W, but for a constant.
        A, PHI, S, RATE = numpy.array([0.0, 2.0, 0.0]), 0.4, 0.2, 0.6
        laws = {
            "spring S from A to P, stiffness k, rest L0": lambda d: 1.5 * (numpy.linalg.norm(d) - 1.0)**2,
            "force S on P = -k*(P - A)": lambda d: 1.5 * d @ d,
            "force S on P from A = -k*(P - A)": lambda d: 1.5 * d @ d,
            "force S on P = -k/L0^2*dot(P - A, P - A)*(P - A)": lambda d: 0.75 * (d @ d)**2,
            "force S on P = -k*dot(P - A, N.x)*N.x": lambda d: 1.5 * d[0]**2,
            "potential S = k/L0^2*dot(P - A, P - A)^2": lambda d: 3.0 * (d @ d)**2,
            "potential S = k*L0*magnitude(P - A)": lambda d: 3.0 * numpy.linalg.norm(d),
        }
        for law, W in laws.items():
            for way, (frame, values) in WAYS.items():
                with self.subTest(law=law, way=way):
                    model = self.write(self.MOVED + frame.replace("(N, ", "(D, ") + law + "\n")
                    self.assertEqual(self.energy(model).entry("S")["effect"], "stores")
                    place = orientation(way, values)

                    def energy(phi, s):
                        return W(numpy.array([s, 0.0, 0.0]) + 0.5 * (turn("z", phi) @ place)[:, 0] - A)

                    found = json.loads(visviva("evaluate", model, "--json").stdout)["energies"]
                    other = json.loads(visviva("evaluate", model, "--json", "--set", "s=0.7 m").stdout)["energies"]
                    self.assertAlmostEqual(other["U"] - found["U"], energy(PHI, 0.7) - energy(PHI, S), delta=1e-10)
                    h = 1e-5
                    slope = (energy(PHI, S + h) - energy(PHI, S - h)) / (2 * h) * RATE
                    if way != "speeds":  # angular velocities in N leave nothing to the turning
                        slope += (energy(PHI + h, S) - energy(PHI - h, S)) / (2 * h) * RATE
                    self.assertAlmostEqual(found["P_nonconservative"], slope, delta=1e-7)

    def test_a_driven_frame_may_be_given_by_its_rate(self):
        # The height that the frame alone changes is no part of U: E = m s'^2/2 + k s^2/2 is constant.
        for base in ("specified a(t) = 2 rad/s*t\nframe G = rotate(N, x, a)", "specified w(t) = 2 rad/s\nframe G = spin(N, w*N.x)",
                     "frame G = rotate(N, x, 2 rad/s*t)", "parameter w = 2 rad/s\nframe G = spin(N, w*N.x)",
                     "specified w(t) = 2 rad/s\nframe F = rotate(N, x, 30 deg), G = spin(F, w*N.x)"):
            for law in ("gravity -9.81 m/s^2*N.y", "force W on Q = -9.81 N*N.y", "potential W = 9.81 N*dot(Q - No, N.y)"):
                with self.subTest(base=base, law=law):
                    found = self.energy(self.write(f"""model wheel
{base}
coordinate s = 0.2 m, s' = 1 m/s
particle Q at No + s*N.x + 0.5 m*G.y, mass 1 kg
{law}
spring S on s, stiffness 3 N/m
"""))
                    self.assertEqual([found.constant(name) for name in ("E_Z", "E", "H", "C")], [True] * 4)
                    self.assertAlmostEqual(found.evaluator(1, s=0.4)(found["U"]), 0.24, delta=1e-12)
                    self.assertEqual(found.entry("S")["effect"], "stores")

    def test_what_damps_beside_a_potential_takes_out_however_the_body_turns(self):
        # The power beside -dW/dt is -h w.w, or -b v.v.
        for law in ("torque S on B = c*cross(B.y, N.x) - h*angular_velocity(B)", "force S on P = -k*(P - A) - b*velocity(P)",
                    "force S on P = -k*L0*unit(P - A) - b*velocity(P)"):
            for base in "N", "D":
                for way, (frame, _) in WAYS.items():
                    with self.subTest(law=law, base=base, way=way):
                        found = self.energy(self.write(self.MOVED + frame.replace("(N, ", f"({base}, ") + law + "\n"))
                        self.assertEqual(self.roles(found), {"S": "both"})
                        self.assertEqual(found.entry("S")["effect"], "stores, and takes out")
        # -b v_D.v and -h w_D.w, v_D and w_D as seen from D, are positive where they are slow beside D.
        for law in "force S on P = -k*(P - A) - b*velocity(P, D)", "torque S on B = c*cross(B.y, N.x) - h*angular_velocity(B, D)":
            for way, (frame, _) in WAYS.items():
                with self.subTest(law=law, way=way):
                    found = self.energy(self.write(self.MOVED + frame.replace("(N, ", "(D, ") + law + "\n"))
                    self.assertEqual(found.entry("S")["effect"], "stores, and brings in or takes out")

    def test_what_comes_from_outside_leaves_the_rest_its_potential_however_the_body_turns(self):
        A = numpy.array([0.0, 2.0, 0.0])
        laws = {
            "force S on P = k*(magnitude(A - P) - L0 - L0/2*sin(t/(1 s)))*unit(A - P)": lambda d: 1.5 * d * d - 3 * d,
            "force S on P = (k + f)*(A - P)": lambda d: 1.5 * d * d,
            "force S on P = (2*k + f)*(magnitude(A - P) - f*L0/k)*unit(A - P)": lambda d: 3 * d * d,
            "force S on P = k*L0^2/magnitude(A - P)*unit(A - P) + f*L0*N.x": lambda d: 3 * math.log(d),
        }
        for law, W in laws.items():
            for way, (frame, values) in WAYS.items():
                with self.subTest(law=law, way=way):
                    model = self.write(self.MOVED + "specified f(t) = 1 N/m*cos(1 rad/s*t)\n" + frame.replace("(N, ", "(D, ") + law + "\n")
                    found = self.energy(model)
                    self.assertEqual(self.roles(found), {"S": "both"})
                    self.assertEqual(found.entry("S")["effect"], "stores, and brings in or takes out")
                    U = [json.loads(visviva("evaluate", model, "--json", "--set", f"s={s} m").stdout)["energies"]["U"] for s in (0.2, 0.7)]
                    P = 0.5 * (turn("z", 0.4) @ orientation(way, values))[:, 0]
                    near, far = (W(numpy.linalg.norm(P + [s, 0, 0] - A)) for s in (0.2, 0.7))
                    self.assertAlmostEqual(U[1] - U[0], far - near, delta=1e-10)


class WhereTheMechanismIs(Rules):
    SLOT = """model slot
parameter m = 1 kg, g = 9.81 m/s^2
specified xb(t) = 1 m*cos(1 rad/s*t), yb(t) = 1 m*sin(1 rad/s*t)
coordinate xl = 0 m, yl = 1 m
particle Q at No + xl*N.x + yl*N.y, mass m
gravity -g*N.y
constraint xl*xb + yl*yb = 0
output U, E_Z
study until 4 s, every 0.05 s, energy 1e-6 J
"""

    def test_energies_are_finite_where_a_prescribed_pivot_vanishes(self):
        # Along the slot s'' = s - g cos(t), s = (1 - g/2) cosh(t) + g/2 cos(t); Q at s (-sin(t), cos(t)).
        run = self.run_columns(self.SLOT)
        t, g = run["t"], 9.81
        s = (1 - g / 2) * numpy.cosh(t) + g / 2 * numpy.cos(t)
        numpy.testing.assert_allclose(run["yl"], s * numpy.cos(t), atol=1e-6)
        numpy.testing.assert_allclose(run["U"], g * s * numpy.cos(t), atol=1e-5)
        numpy.testing.assert_allclose(run["E_Z"], run["E_Z"][0], atol=1e-6)

    def test_the_action_of_a_prescribed_fall(self):
        # K - V = g^2 t^2, from 0 to 1 s.
        run = self.run_columns("""model fall
parameter m = 1 kg, g = 9.81 m/s^2
specified y(t) = -1/2*g*t^2
particle Q at No + y*N.y, mass m
gravity -g*N.y
output S = action()
study until 1 s, every 0.1 s
""")
        self.assertAlmostEqual(run["S"][-1], 9.81**2 / 3, delta=1e-9)

    def test_the_action_is_the_same_by_a_coordinate_and_by_a_prescribed_one(self):
        free = """model fall
parameter m = 1 kg, g = 9.81 m/s^2, k = 5 N/m
coordinate x = 0.3 m, y = 0 m, y' = 1 m/s
particle Q at No + x*N.x + y*N.y, mass m
gravity -g*N.y
spring S from No to Q, stiffness k, rest 0 m
output S = action()
study until 1 s, every 0.1 s, tolerance 1e-11
"""
        # y'' = -g - k y: y = -g/k + g/k cos(w t) + sin(w t)/w, w^2 = k/m
        told = free.replace("coordinate x = 0.3 m, y = 0 m, y' = 1 m/s",
                            "coordinate x = 0.3 m\nparameter w = sqrt(k/m)\n"
                            "specified y(t) = m*g/k*(cos(w*t) - 1) + 1 m/s*sin(w*t)/w")
        self.assertAlmostEqual(self.run_columns(free)["S"][-1], self.run_columns(told)["S"][-1], delta=1e-8)


class LedgerWords(Rules):
    def test_a_spring_in_a_driven_tube_only_stores(self):
        self.assertEqual(self.energy("positioning_device").entry("tube")["effect"], "stores")

    def test_a_constraint_that_a_driven_frame_carries_says_what_moves_it(self):
        entry = self.energy("positioning_device").entry("constraint1")
        self.assertEqual((entry["effect"], entry["reason"]), ("nothing", "it is moved by Omega, and its forces have no power"))

    def test_a_damper_on_an_angle_that_time_turns_too_brings_energy_in_now_and_then(self):
        # Its torque -b q' acts between A and B, which turn at q' + Omega: the power is -b q' (q' + Omega).
        text = """model driven
parameter b = 2 N*m*s, Omega = 0.9 rad/s
coordinate q = 0 rad, q' = {} rad/s
frame A = rotate(N, z, 0), B = rotate(A, z, q + Omega*t)
body B at No, mass 1 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
damper D on q, rate b
dissipation R = 1/2*b*q'^2
"""
        for rate in 0.5, -0.5:
            found = self.energy(self.write(text.format(rate)))
            for name in "D", "R":
                entry = found.entry(name)
                self.assert_near(entry["power"], -2 * rate * (rate + 0.9))
                self.assertEqual(entry["effect"], "brings in or takes out")
                self.assertEqual(entry["reason"], "the rate that it damps takes out; the rest through prescribed motions")
        still = self.energy(self.write(text.format(0.5).replace(" + Omega*t", "")))
        self.assertEqual([(still.entry(n)["effect"], still.entry(n)["reason"]) for n in ("D", "R")],
                         [("takes out", "a damper with a positive rate"), ("takes out", "its power is nowhere positive")])

    def test_what_only_takes_out_is_told_from_what_nearly_does(self):
        # -v (v - 1 mm/s) is positive between rest and 1 mm/s; friction is nowhere, and that is proved.
        text = "model f\nparameter c = 3 N*s/m\ncoordinate x = 0 m, x' = 0.2 m/s\nparticle P at No + x*N.x, mass 1 kg\nforce F on P = {}*N.x\n"
        for law in "-2 N*sign(x')", "-2 N*tanh(x'/(1 m/s))", "-c*x'", "-c*abs(x')*x'/(1 m/s)", "-c*x'*(1 + x^2/(1 m^2))":
            entry = self.energy(self.write(text.format(f"({law})"))).entry("F")
            self.assertEqual((entry["effect"], entry["reason"]), ("takes out", "its power is nowhere positive"), law)
        entry = self.energy(self.write(text.format("(-c*(x' - 0.001 m/s))"))).entry("F")
        self.assertNotEqual(entry["reason"], "its power is nowhere positive")
        # Where a constraint makes one rate of two, the sign is that of the motions that it allows.
        pair = ("model p\ncoordinate x = 0 m, y = 0 m\nparticle P at No + x*N.x + y*N.y, mass 1 kg\nconstraint x' - y' = 0\n"
                "force F on P = -2 N*s/m*y'*N.x\n")
        self.assertEqual(self.energy(self.write(pair)).entry("F")["effect"], "takes out")

    def test_a_spring_and_a_damper_in_one_law(self):
        model = "model m\nparameter k = 20 N/m, c = 3 N*s/m\ncoordinate x = 0.1 m, x' = 2 m/s\nparticle Q at No + x*N.x, mass 1 kg\n"
        for law, effect in (("-k*x - c*x'", "stores, and takes out"), ("-k*x + c*x'", "stores, and brings in"),
                            ("-k*x - c*x'*x/(1 m)", "stores, and brings in or takes out"),
                            ("-k*max(x, 0 m) - c*x'*step(x)", "stores, and takes out"), ("-k*x", "stores")):
            with self.subTest(law):
                entry = self.energy(self.write(model + f"force F on Q = ({law})*N.x\n")).entry("F")
                self.assertEqual(entry["effect"], effect)

    def test_a_weight_on_a_rising_pivot_stores_only_what_U_takes(self):
        found = self.energy(self.write("""model rising
parameter m = 0.6 kg, g = 9.8 m/s^2, L = 1 m
specified y(t) = 1 m/s*t
coordinate q = 0.3 rad
frame A = rotate(N, z, q)
particle Q at No + y*N.y - L*A.y, mass m
gravity -g*N.y
"""))
        entry = found.entry("gravity on Q")
        self.assert_near(entry["power"], -0.6 * 9.8)
        self.assertEqual(entry["effect"], "stores, and brings in or takes out")
        self.assertIn("prescribed motions", entry["reason"])

    def test_a_knife_edge_turned_by_a_driven_angle_does_move(self):
        found = self.energy(self.write("""model edge
parameter m = 0.6 kg, g = 9.8 m/s^2
specified phi(t) = 0.5 rad*sin(2 rad/s*t), f(t) = 0.3 m*sin(1 rad/s*t)
coordinate x = 0.3 m, y = 0 m, h = 0 m, h' = 0.3 m/s
frame A = rotate(N, z, phi)
particle Q at No + x*N.x + y*N.y + h*N.z, mass m
gravity -g*N.z
constraint edge: dot(velocity(Q), A.y) = 0
constraint lift: h = f
"""))
        self.assertEqual(found.entry("edge")["reason"], "it is moved by phi, and its forces have no power")
        self.assertEqual(found.entry("lift")["reason"], "what moves it: f")
        self.assertEqual(found.entry("gravity on Q")["effect"], "brings in or takes out")
        self.assertNotIn("t", [e["source"] for e in found["ledger"]])

    def test_what_turns_at_a_constant_rate_is_moved_by_t(self):
        found = self.energy(self.write("""model spun
parameter m = 0.6 kg, w = 2 rad/s, r = 0.3 m
coordinate x = 0.3 m, y = 0 m, y' = 0.6 m/s
frame W = spin(N, w*N.z)
point P = No + r*W.x
particle Q at No + x*N.x + y*N.y, mass m
constraint hold: dot(Q - P, W.x) = 0
constraint slot: dot(Q - No, W.y) = 0
"""))
        for name in ("hold", "slot"):
            self.assertRegex(found.entry(name)["reason"], r"moved by t\b|moves it: t\b")


if __name__ == "__main__":
    unittest.main()
