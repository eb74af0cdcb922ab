"""Random small mechanisms, each of which can be written down in several parametrisations.

A mechanism is drawn first as physics: bodies, joints, relative orientations and angular velocities, loads, constraints. Only
then is it written as a model, by `write_model`, with coordinates drawn from another random stream: Euler angles in any sequence, Euler
parameters, a Gibbs vector, angles counted from elsewhere or through a function, speeds of any kind. Two models of one mechanism
share every name but those of coordinates and speeds."""

import dataclasses
import math
import random

SEQUENCES = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy")
AXES = "xyz"
FREEDOMS = {"ball": 3, "pin": 1, "slider": 1, "free": 6}


# ---- Rotations, as Euler parameters (scalar first) -----------------------------------------------

def multiply(p, q):
    return (p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0])


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def turn(q, v):
    """Components in the parent of a vector whose components in the turned frame are v."""
    return multiply(multiply(q, (0.0, *v)), conjugate(q))[1:]


def about_axis(axis, angle):
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), *(s * a for a in axis))


def unit_axis(letter):
    return tuple(1.0 if letter == a else 0.0 for a in AXES)


def compose(sequence, angles, is_space):
    """The rotation that three angles make, about body-fixed or space-fixed axes."""
    result = (1.0, 0.0, 0.0, 0.0)
    for letter, angle in zip(sequence, angles):
        step = about_axis(unit_axis(letter), angle)
        result = multiply(step, result) if is_space else multiply(result, step)
    return result


def find_angles(q, sequence, is_space):
    """Three angles that make the rotation; after E. Bernardes and S. Viollet, PLoS ONE 17 (2022) e0276302."""
    if not is_space:
        third, second, first = find_angles(q, sequence[::-1], True)
        return first, second, third
    i, j, k = (AXES.index(letter) + 1 for letter in sequence)
    is_proper = i == k
    if is_proper:
        k = 6 - i - j
    sign = (i - j) * (j - k) * (k - i) // 2
    a, b, c, d = (q[0], q[i], q[j], q[k] * sign) if is_proper else (
        q[0] - q[j], q[i] + q[k] * sign, q[j] + q[0], q[k] * sign - q[i])
    second = 2 * math.atan2(math.hypot(c, d), math.hypot(a, b))
    plus, minus = math.atan2(b, a), math.atan2(d, c)
    first, third = plus - minus, plus + minus
    if not is_proper:
        third *= sign
        second -= math.pi / 2
    wrap = lambda x: math.remainder(x, 2 * math.pi)  # noqa: E731
    return wrap(first), wrap(second), wrap(third)


def is_singular(sequence, angles):
    second = angles[1]
    return abs(math.sin(second) if sequence[0] == sequence[2] else math.cos(second)) < 0.35


# ---- Mechanisms ----------------------------------------------------------------------------------

@dataclasses.dataclass
class Body:
    """A rigid body that hangs by a joint on its parent, the ground (-1) or an earlier body."""
    parent: int
    joint: str          # ball, pin, slider or free
    axis: str           # of a pin or slider, in the parent
    place: tuple        # of the joint, in the parent's axes from its mass center (from No on the ground)
    arm: tuple          # from the joint to the mass center, in the body's axes
    mass: float
    inertia: tuple      # Ixx, Iyy, Izz, Ixy, Iyz, Izx
    turned: tuple       # start rotation relative to the parent
    spin: tuple         # start angular velocity relative to the parent, in the body's axes
    slide: float        # start displacement of a slider
    slide_rate: float
    offset: tuple       # start place of a free body's joint point, and its velocity, in N
    velocity: tuple


@dataclasses.dataclass
class Mechanism:
    seed: int
    bodies: list
    lines: list         # statements that hold in every parametrisation
    constraints: list   # names
    has_drive: bool
    is_constrained: bool
    is_even: bool       # moves steadily by construction
    has_own_zeros: bool  # of U: no potential that has to be found, none that a motor changes

    def list_hanging(self, joint):
        """Numbers of the bodies that hang on the joint of that number, itself first."""
        found = [joint]
        for k, body in enumerate(self.bodies, 1):
            if body.parent + 1 in found and k not in found:
                found.append(k)
        return found


class Maker:
    """Draws a mechanism."""

    def __init__(self, seed):
        self.seed = seed
        self.r = random.Random(seed)
        self.bodies, self.lines, self.constraints = [], [], []
        self.has_drive = False

    def number(self, low, high):
        return round(self.r.uniform(low, high), 3)

    def vector(self, size):
        return tuple(self.number(-size, size) for _ in range(3))

    def inertia(self, mass):
        """Of three rods along random lengths, turned a little by products of inertia."""
        a, b, c = (self.number(0.05, 0.3) ** 2 * mass for _ in range(3))
        product = (0.0, 0.0, 0.0)
        if self.r.random() < 0.4:
            product = tuple(round(0.2 * min(a, b, c) * self.r.uniform(-1, 1), 6) for _ in range(3))
        return tuple(round(x, 6) for x in (b + c, a + c, a + b)) + product

    def body(self, parent, joint):
        angle = self.number(0.3, 1.2)
        axis = self.r.choice(AXES)
        if joint == "pin":
            turned, spin = about_axis(unit_axis(axis), angle), tuple(self.number(-1, 1) * a for a in unit_axis(axis))
        elif joint == "slider":
            turned, spin = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        else:
            n = self.vector(1)
            size = math.sqrt(sum(x * x for x in n)) or 1.0
            turned, spin = about_axis([x / size for x in n], angle), self.vector(1.5)
        mass = self.number(0.5, 3)
        return Body(parent, joint, axis, self.vector(0.3), self.vector(0.4), mass, self.inertia(mass), turned, spin,
                    self.number(0.1, 0.5), self.number(-1, 1), tuple(self.number(0.3, 0.9) for _ in range(3)), self.vector(1))

    def make(self):
        kind = self.r.random()
        if kind < 0.1:
            return self.make_top()
        if kind < 0.2:
            return self.make_rolling()
        count = self.r.choice((1, 1, 1, 2, 2))
        for i in range(count):
            joints = ("ball", "ball", "pin", "pin", "slider", "free") if i == 0 else ("pin", "pin", "slider")
            parent = -1 if i == 0 else self.r.choice((i - 1, i - 1, -1))
            self.bodies.append(self.body(parent, self.r.choice(joints)))
        self.add_base()
        self.add_loads()
        freedoms = sum(FREEDOMS[b.joint] for b in self.bodies)
        if freedoms > 2 and self.r.random() < 0.4:
            self.add_constraint()
        return self.finish()

    def make_top(self):
        """A top that spins upright about a vertical line, its inertia not always that of a top: an even motion."""
        body = self.body(-1, "ball")
        body.turned, body.place = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        body.arm = (0.0, 0.0, self.number(-0.2, 0.2))
        body.spin = (0.0, 0.0, self.number(5, 40))
        a, b, c = body.inertia[:3]
        body.inertia = (a, a, min(c, 1.8 * a), 0.0, 0.0, 0.0) if self.r.random() < 0.5 else (a, b, c, 0.0, 0.0, 0.0)
        self.bodies.append(body)
        self.lines += ["gravity -9.81 m/s^2*N.z"]
        return self.finish(is_even=True)

    def make_rolling(self):
        """A ball, its mass center not always in the middle, that rolls on the ground; perhaps a pendulum hangs in it."""
        body = self.body(-1, "free")
        radius = self.number(0.3, 0.6)
        body.arm = (0.0, 0.0, 0.0) if self.r.random() < 0.5 else self.vector(0.1)
        body.offset = (*body.offset[:2], None)
        body.velocity = (0.0, 0.0, None)
        self.bodies.append(body)
        if self.r.random() < 0.4:
            self.bodies.append(self.body(0, "pin"))
        self.lines += [f"parameter R = {radius} m", "gravity -9.81 m/s^2*N.z", "roll contact: B1 on N at J1 - R*N.z"]
        self.constraints.append("contact")
        self.add_loads(with_gravity=False)
        return self.finish()

    def finish(self, is_even=False):
        has_own_zeros = not self.has_drive and not any(line.startswith(("torque C", "force F")) for line in self.lines)
        return Mechanism(self.seed, self.bodies, self.lines, self.constraints, self.has_drive, bool(self.constraints), is_even,
                         has_own_zeros)

    def add_base(self):
        """The ground's frame for the first joints: N itself, a turntable, or a shaker."""
        kind = self.r.random()
        if kind < 0.6:
            return
        self.has_drive = True
        if kind < 0.8:
            self.lines.append(f"specified Om(t) = {self.number(-2, 2)} rad/s*t + {self.number(0, 0.3)} rad*sin(3 rad/s*t)")
            self.lines.append("frame G = rotate(N, z, Om)")
            self.lines.append("point Go = No")
        else:
            self.lines.append(f"specified sh(t) = {self.number(0.05, 0.3)} m*sin({self.number(1, 5)} rad/s*t)")
            self.lines.append("point Go = No + sh*N.x")

    def add_loads(self, with_gravity=True):
        if with_gravity and self.r.random() < 0.75:
            self.lines.append(f"gravity -9.81 m/s^2*N.{self.r.choice('yz')}")
        for i, body in enumerate(self.bodies, 1):
            name, parent = f"B{i}", "N" if body.parent < 0 else f"B{body.parent + 1}"
            if self.r.random() < 0.3:
                self.lines.append(f"point E{i} = B{i}cm + {write_vector(self.vector(0.3), name)}")
                self.lines.append(f"point A{i} = No + {write_vector(self.vector(1), 'N')}")
                self.lines.append(f"spring S{i} from A{i} to E{i}, stiffness {self.number(5, 60)} N/m, rest {self.number(0, 0.5)} m")
                if self.r.random() < 0.4:
                    self.lines.append(f"damper D{i} from A{i} to E{i}, rate {self.number(0.1, 2)} N*s/m")
            if self.r.random() < 0.2 and body.joint in ("ball", "pin"):
                self.lines.append(f"torque T{i} on {name} from {parent} = -{self.number(0.02, 0.3)} N*m*s*angular_velocity({name}, {parent})")
            if self.r.random() < 0.2:
                self.lines.append(f"torque C{i} on {name} = {self.number(0.1, 2)} N*m*cross({name}.{self.r.choice(AXES)}, N.{self.r.choice(AXES)})")
            if self.r.random() < 0.2:
                self.lines.append(f"force F{i} on B{i}cm = {self.number(-3, 3)} N*N.{self.r.choice(AXES)}")
            if self.r.random() < 0.15:
                self.lines.append(f"specified f{i}(t) = {self.number(-2, 2)} N*cos({self.number(1, 4)} rad/s*t)")
                self.lines.append(f"force G{i} on B{i}cm = f{i}*{name}.{self.r.choice(AXES)}")
                self.has_drive = True
            if self.r.random() < 0.2:
                self.lines.append(f"potential V{i} = {self.number(1, 9)} N/m*dot(B{i}cm - No, N.{self.r.choice(AXES)})^2")

    def add_constraint(self):
        """A condition that the start configuration fulfils: its constant is what it is there."""
        i = len(self.bodies)
        name = f"B{i}"
        arm = self.vector(0.3)
        self.lines.append(f"point L = B{i}cm + {write_vector(arm, name)}")
        kind = self.r.random()
        place = [a + b for a, b in zip(*self.locate(i - 1, arm))]
        if self.count_chain_freedoms() > 3 and self.r.random() < 0.5:
            # A loop: the last body's point is pinned to the ground, or rides on what drives the first joints. Where the drive
            # turns the ground's frame it starts along N.
            has_base = any(line.startswith("point Go ") for line in self.lines)
            frame = "G" if any(line.startswith("frame G ") for line in self.lines) else "N"
            self.lines.append(f"point W = {'Go' if has_base else 'No'} + {write_vector(place, frame)}")
            self.lines.append("constraint hold: L - W = 0")
            self.constraints.append("hold")
            return
        if kind < 0.4:
            k = self.r.randrange(3)
            # Where only the drive moves L, the place along its direction could not be held.
            if self.has_drive and self.bodies[-1].joint == "slider" and self.bodies[-1].parent < 0:
                k = AXES.index(self.bodies[-1].axis)
            self.lines.append(f"constraint hold: dot(L - No, N.{AXES[k]}) = {place[k]!r} m")
        elif kind < 0.75:
            anchor = self.vector(1)
            square = sum((a - b) ** 2 for a, b in zip(place, anchor))
            self.lines.append(f"point W = No + {write_vector(anchor, 'N')}")
            self.lines.append(f"constraint hold: dot(L - W, L - W) = {square!r} m^2")
        else:
            axis, body = self.r.choice(AXES), self.bodies[-1]
            # Where only the drive moves L, no speed could fulfil that.
            if self.has_drive and body.joint == "pin" and axis == body.axis:
                axis = AXES[(AXES.index(axis) + 1) % 3]
            if self.has_drive and body.joint == "slider" and body.parent < 0:
                axis = body.axis
            self.lines.append(f"constraint hold: dot(velocity(L), {name}.{axis}) = 0 m/s")
        self.constraints.append("hold")

    def count_chain_freedoms(self):
        """Of the last body relative to what the first joints hang on."""
        count, i = 0, len(self.bodies) - 1
        while i >= 0:
            count += FREEDOMS[self.bodies[i].joint]
            i = self.bodies[i].parent
        return count

    def locate(self, i, arm):
        """Start place in N of a body's mass center, and from there of a point of the body."""
        orientation, place = orient(self.bodies, i), (0.0, 0.0, 0.0)
        point = turn(orientation, arm)
        while i >= 0:
            body = self.bodies[i]
            own, of_parent = orient(self.bodies, i), orient(self.bodies, body.parent)
            steps = [turn(own, body.arm), turn(of_parent, body.place)]
            if body.joint == "slider":
                steps.append(turn(of_parent, [body.slide * a for a in unit_axis(body.axis)]))
            if body.joint == "free":
                steps.append(body.offset)
            place = tuple(sum(parts) for parts in zip(place, *steps))
            i = body.parent
        return place, point


def orient(bodies, i):
    """Start rotation of a body in N. A turntable starts at angle 0."""
    return (1.0, 0.0, 0.0, 0.0) if i < 0 else multiply(orient(bodies, bodies[i].parent), bodies[i].turned)


def write_vector(v, frame):
    return f"({v[0]!r} m*{frame}.x + {v[1]!r} m*{frame}.y + {v[2]!r} m*{frame}.z)"


# ---- Models --------------------------------------------------------------------------------------

class Writer:
    """Writes a mechanism as a model, its coordinates and speeds drawn at random."""

    def __init__(self, mechanism, stream):
        self.mechanism = mechanism
        self.r = random.Random(mechanism.seed * 1000003 + stream)
        self.about = "about " if mechanism.is_constrained else ""
        self.ground = "G" if any(line.startswith("frame G ") for line in mechanism.lines) else "N"
        self.origin = "Go" if any(line.startswith("point Go ") for line in mechanism.lines) else "No"
        self.names = []  # of the parametrisations, one for each body
        self.lines = []
        self.outputs = []

    def write(self):
        for i in range(len(self.mechanism.bodies)):
            self.add_body(i)
        for name in self.mechanism.constraints:
            self.outputs += [f"reaction({name})", f"multiplier({name})"]
        head = [f"model random_{self.mechanism.seed} \"{', '.join(self.names)}\""]
        tail = [f"output {', '.join(self.outputs)}", "study until 0.5 s, every 0.05 s, tolerance 1e-11"]
        return "\n".join(head + self.lines + self.mechanism.lines + tail) + "\n"

    def add_body(self, i):
        body, k = self.mechanism.bodies[i], i + 1
        name = f"B{k}"
        parent = self.ground if body.parent < 0 else f"B{body.parent + 1}"
        origin = self.origin if body.parent < 0 else f"B{body.parent + 1}cm"
        joint = f"{origin} + {write_vector(body.place, parent)}"
        if body.joint == "pin":
            self.add_pin(k, body, parent)
        elif body.joint == "slider":
            joint += self.add_slider(k, body, parent)
        else:
            if body.joint == "free":
                joint += self.add_free(k, body)
            self.add_ball(k, body, parent)
        entries = ", ".join(f"{x!r} kg*m^2" for x in body.inertia)
        self.lines += [f"point J{k} = {joint}",
                       f"body {name} at J{k} + {write_vector(body.arm, name)}, mass {body.mass} kg, inertia {entries}"]
        for axis in AXES:
            self.outputs += [f"r{k}{axis} = dot(B{k}cm - No, N.{axis})", f"v{k}{axis} = dot(velocity(B{k}cm), N.{axis})",
                             f"a{k}{axis} = dot(acceleration(B{k}cm), N.{axis})",
                             f"w{k}{axis} = dot(angular_velocity({name}), N.{axis})",
                             f"e{k}{axis} = dot(angular_acceleration({name}), N.{axis})",
                             f"j{k}{axis} = dot(J{k} - No, N.{axis})"]
            self.outputs += [f"o{k}{axis}{other} = dot({name}.{axis}, N.{other})" for other in AXES]
        self.outputs.append(f"reaction(J{k})")

    def add_ball(self, k, body, parent):
        name = f"B{k}"
        choices = ["quaternion", "rodrigues", "angles", "angles", "body speeds"]
        choice = self.r.choice(choices)
        q = body.turned
        if choice == "quaternion":
            sign = self.r.choice((1, -1))
            values = ", ".join(f"e{k}_{n} = {sign * x!r}" for n, x in enumerate(q))
            self.lines.append(f"coordinate {values}")
            self.lines.append(f"frame {name} = quaternion({parent}, e{k}_0, e{k}_1, e{k}_2, e{k}_3)")
            self.names.append("quaternion")
        elif choice == "rodrigues":
            self.lines.append("coordinate " + ", ".join(f"g{k}_{n} = {q[n] / q[0]!r}" for n in (1, 2, 3)))
            self.lines.append(f"frame {name} = rodrigues({parent}, g{k}_1, g{k}_2, g{k}_3)")
            self.names.append("rodrigues")
        else:
            while True:
                sequence, is_space = self.r.choice(SEQUENCES), self.r.random() < 0.3
                angles = find_angles(q, sequence, is_space)
                if not is_singular(sequence, angles):
                    break
            self.lines.append("coordinate " + ", ".join(f"q{k}_{n + 1} = {x!r} rad" for n, x in enumerate(angles)))
            word = "space " if is_space else ""
            self.lines.append(f"frame {name} = rotate({parent}, {word}{sequence}, q{k}_1, q{k}_2, q{k}_3)")
            self.names.append(word + sequence)
        if choice == "body speeds" or (choice == "quaternion" and self.r.random() < 0.4):
            frame = self.r.choice((name, parent))
            self.lines.append("speed " + ", ".join(
                f"u{k}_{axis} = dot(angular_velocity({name}, {parent}), {frame}.{axis})" for axis in AXES))
            self.names[-1] += f" with speeds along {frame}"
        w = " + ".join(f"{x!r} rad/s*{name}.{axis}" for x, axis in zip(body.spin, AXES))
        self.lines.append(f"start angular_velocity({name}, {parent}) = {self.about}({w})")

    def add_pin(self, k, body, parent):
        sine = sum(a * b for a, b in zip(unit_axis(body.axis), body.turned[1:]))
        angle = 2 * math.atan2(sine, body.turned[0])
        rate = sum(a * b for a, b in zip(unit_axis(body.axis), body.spin))
        choice = self.r.choice(("angle", "shifted", "backwards", "tangent", "fast speed"))
        frame = f"frame B{k} = rotate({parent}, {body.axis}, "
        self.names.append(choice)
        if choice == "tangent":
            g = math.tan(angle / 2)
            self.lines += [f"coordinate q{k} = {g!r}, q{k}' = {self.about}{rate * (1 + g * g) / 2!r} rad/s", f"{frame}2*atan(q{k}))"]
            return
        shift, factor = {"shifted": (0.7, 1), "backwards": (0, -1)}.get(choice, (0, 1))
        self.lines.append(f"coordinate q{k} = {(angle - shift) * factor!r} rad")
        written = {"shifted": f"q{k} + 0.7", "backwards": f"-q{k}"}.get(choice, f"q{k}")
        self.lines.append(f"{frame}{written})")
        if choice == "fast speed":
            self.lines += [f"speed u{k} = 2*q{k}'", f"start u{k} = {self.about}{2 * rate!r} rad/s"]
        else:
            self.lines.append(f"start q{k}' = {self.about}{rate * factor!r} rad/s")

    def add_slider(self, k, body, parent):
        """Adds a slider's coordinate; returns its displacement as text."""
        choice = self.r.choice(("length", "shifted", "sinh"))
        self.names.append(choice)
        self.lines.append(f"frame B{k} = rotate({parent}, {body.axis}, 0 rad)")
        axis = f"{parent}.{body.axis}"
        if choice == "sinh":
            y = math.asinh(body.slide)
            self.lines.append(f"coordinate s{k} = {y!r}, s{k}' = {self.about}{body.slide_rate / math.cosh(y)!r} s^-1")
            return f" + 1 m*sinh(s{k})*{axis}"
        shift = 0.4 if choice == "shifted" else 0
        self.lines.append(f"coordinate s{k} = {body.slide - shift!r} m, s{k}' = {self.about}{body.slide_rate!r} m/s")
        return f" + (s{k} + {shift!r} m)*{axis}" if shift else f" + s{k}*{axis}"

    def add_free(self, k, body):
        """Adds the coordinates of a free body's joint point; returns its displacement as text."""
        x, y, z = body.offset
        vx, vy, vz = body.velocity
        height = f"coordinate z{k} = {z!r} m, z{k}' = {self.about}{vz!r} m/s" if z is not None else None
        up = f" + z{k}*N.z" if z is not None else f" + R*N.z - {body.place[2]!r} m*N.z"
        if height:
            self.lines.append(height)
        if self.r.random() < 0.5:
            self.names.append("cartesian")
            self.lines.append(f"coordinate x{k} = {x!r} m, x{k}' = {self.about}{vx!r} m/s, y{k} = {y!r} m, y{k}' = {self.about}{vy!r} m/s")
            return f" + x{k}*N.x + y{k}*N.y{up}"
        self.names.append("polar")
        rho, phi = math.hypot(x, y), math.atan2(y, x)
        rho_rate, phi_rate = (x * vx + y * vy) / rho, (x * vy - y * vx) / rho ** 2
        self.lines.append(f"coordinate h{k} = {rho!r} m, h{k}' = {self.about}{rho_rate!r} m/s, p{k} = {phi!r} rad, "
                          f"p{k}' = {self.about}{phi_rate!r} rad/s")
        return f" + h{k}*cos(p{k})*N.x + h{k}*sin(p{k})*N.y{up}"


def make_mechanism(seed):
    return Maker(seed).make()


def write_model(mechanism, stream):
    """Returns the mechanism's model in the parametrisation of that number, and its name."""
    writer = Writer(mechanism, stream)
    text = writer.write()
    return text, ", ".join(writer.names)
