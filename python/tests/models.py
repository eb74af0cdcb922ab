"""The examples, written in Python: each function makes the model of the file of its name."""

from visviva import (Model, Scalar, angular_velocity, asin, box, cos, d, disc, dot,
                     moment, force, magnitude, pi, quaternion, rod, rotate, sin, sphere, spin, sqrt,
                     step, units, unit, velocity)

m_, s_, kg_, rad_, deg_, N_ = units.m, units.s, units.kg, units.rad, units.deg, units.N
g_ = 9.81 * m_ / s_**2


def hoist():
    model = Model("hoist")
    N, t = model.newtonian, model.time
    mQ, mB, L = (model.parameter(n, v) for n, v in (("mQ", 1 * kg_), ("mB", 2 * kg_), ("L", 0.5 * m_)))
    g = model.parameter("g", 9.8 * m_ / s_**2)
    I = model.parameter("I", mB * L**2 / 12)
    x = model.specified("x", 3 * m_ * cos(1 * rad_ / s_ * t))
    theta = model.coordinate("theta", 30 * deg_)
    B = model.frame("B", rotate(N, "x", theta))
    Q = model.particle("Q", N.origin + x * N.x, mQ)
    model.body(B, Q - L * B.y, mB, [I, 0 * kg_ * m_**2, I])
    model.gravity(-g * N.y)
    model.plot("E", "H", "C")
    model.study("10 s", "0.01 s", 1e-10)
    return model


def simple_pendulum():
    model = Model("simple_pendulum")
    N = model.newtonian
    m, L, g = model.parameter("m", 1 * kg_), model.parameter("L", 1 * m_), model.parameter("g", g_)
    x, y = model.coordinate("x", 1 * m_), model.coordinate("y", 0 * m_)
    Q = model.particle("Q", N.origin + x * N.x + y * N.y, m)
    model.gravity(-g * N.y)
    r = Q - N.origin
    model.constraint("string", Scalar("1/2") * (dot(r, r) - L**2) / L)
    model.output("reaction(string)")
    model.plot("x", "y", "E_Z", "T = dot(reaction(string), unit(No - Q))")
    model.study("5 s", "0.01 s", 1e-11, "1e-8 J")
    return model


def swinging_atwood():
    model = Model("swinging_atwood")
    N = model.newtonian
    m, M, g = model.parameter("m", 1 * kg_), model.parameter("M", 3 * kg_), model.parameter("g", g_)
    D, L = model.parameter("D", 1.5 * m_), model.parameter("L", 3 * m_)
    r, theta = model.coordinate("r", 1 * m_), model.coordinate("theta", 90 * deg_)
    A = model.point("A", N.origin + D * N.x)
    B = model.frame("B", rotate(N, "z", theta))
    model.particle("Q", A - r * B.y, m)
    model.particle("W", N.origin - (L - r) * N.y, M)
    model.gravity(-g * N.y)
    J = model.let("J", r**2 * theta.rate * (r.rate * cos(theta / 2) - r * theta.rate / 2 * sin(theta / 2))
                  + g * r**2 * sin(theta / 2) * cos(theta / 2)**2)
    model.output("J")
    model.plot(r, theta, "E_Z", J)
    model.study("10 s", "0.01 s", 1e-11, "1e-8 J")
    model.case("chaotic", {"M": 2 * kg_})
    return model


def heavy_top():
    model = Model("heavy_top")
    N = model.newtonian
    m, l, g = model.parameter("m", 0.5 * kg_), model.parameter("l", 0.08 * m_), model.parameter("g", g_)
    R = model.parameter("R", 0.06 * m_)
    I1, I3 = model.parameter("I1", m * R**2 / 4), model.parameter("I3", m * R**2 / 2)
    w, W = model.parameter("w", 110 * rad_ / s_), model.parameter("W", 0 * rad_ / s_)
    phi = model.coordinate("phi", 0 * rad_, W)
    theta = model.coordinate("theta", 35 * deg_, 0 * rad_ / s_)
    psi = model.coordinate("psi", 0 * rad_, w)
    B = model.frame("B", rotate(N, "zxz", phi, theta, psi))
    model.body(B, N.origin + l * B.z, m, [I1, I1, I3], shape=disc(R, "z"))
    model.gravity(-g * N.z)
    model.output("w3", dot(angular_velocity(B), B.z))
    model.output("reaction(No)")
    model.plot(theta, phi.rate, psi.rate, "E_Z")
    model.study("2 s", "0.004 s", 1e-11, "1e-8 J")
    precession = 5 * rad_ / s_
    model.case("steady", {"W": precession, "w": ((I1 + m * l**2 - I3) * cos(35 * deg_) * precession
                                                 + m * g * l / precession) / I3})
    return model


def rolling_disc():
    model = Model("rolling_disc")
    N = model.newtonian
    m, r, g = model.parameter("m", 0.2 * kg_), model.parameter("r", 0.1 * m_), model.parameter("g", g_)
    W, p = model.parameter("W", -1 * rad_ / s_), model.parameter("p", 14 * rad_ / s_)
    yaw, lean = model.coordinate("yaw", 0 * rad_, W), model.coordinate("lean", 20 * deg_)
    roll = model.coordinate("roll", 0 * rad_, p)
    x, y = model.coordinate("x", 0 * m_, p * r), model.coordinate("y", 0 * m_)
    A = model.frame("A", rotate(N, "z", yaw))
    B = model.frame("B", rotate(A, "x", lean))
    D = model.frame("D", rotate(B, "y", roll))
    P = model.point("P", N.origin + x * N.x + y * N.y)
    model.body(D, P + r * B.z, m, solid=disc(r, "y"))
    model.gravity(-g * N.z)
    model.roll("contact", D, N, P)
    model.output("reaction(contact)")
    model.plot(lean, yaw.rate, roll.rate, "E_Z")
    model.study("5 s", "0.01 s", 1e-10, "1e-8 J")
    four = 4 * rad_ / s_
    model.case("steady", {"W": -4 * rad_ / s_, "p": Scalar("5/6") * four * sin(20 * deg_)
                          + Scalar("2/3") * g * tan20() / (r * four)})
    return model


def tan20():
    """The tangent of 20 degrees."""
    return Scalar.call("tan", 20 * deg_)


def cart_and_pendulum():
    model = Model("cart_and_pendulum")
    N = model.newtonian
    M, m, L = (model.parameter(n, v) for n, v in (("M", 2 * kg_), ("m", 1 * kg_), ("L", 0.8 * m_)))
    k, c = model.parameter("k", 30 * N_ / m_), model.parameter("c", 0.5 * N_ * s_ / m_)
    g = model.parameter("g", g_)
    x, theta = model.coordinate("x", 0.1 * m_), model.coordinate("theta", 20 * deg_)
    B = model.frame("B", rotate(N, "z", theta))
    Cart = model.particle("Cart", N.origin + x * N.x, M)
    model.body(B, Cart - L / 2 * B.y, m, [m * L**2 / 12, 0 * kg_ * m_**2, m * L**2 / 12])
    model.gravity(-g * N.y)
    model.potential("V", Scalar("1/2") * k * x**2)
    model.dissipation("D", Scalar("1/2") * c * x.rate**2)
    model.plot("E_Z", "E", x, theta)
    model.study("10 s", "0.01 s", 1e-10)
    return model


def kapitza_pendulum():
    model = Model("kapitza_pendulum")
    N, t = model.newtonian, model.time
    m, L, g = model.parameter("m", 0.1 * kg_), model.parameter("L", 0.5 * m_), model.parameter("g", g_)
    a, w = model.parameter("a", 0.025 * m_), model.parameter("w", 200 * rad_ / s_)
    y = model.specified("y", a * cos(w * t))
    theta = model.coordinate("theta", 10 * deg_)
    B = model.frame("B", rotate(N, "z", theta))
    H = model.point("H", N.origin + y * N.y)
    model.particle("Q", H + L * B.y, m)
    model.gravity(-g * N.y)
    model.output("power(y)")
    model.output("reaction(H)")
    model.plot(theta, "E_Z", "E", "C")
    model.study("4 s", "0.005 s", 1e-11, "1e-8 J")
    model.case("too_slow", {"w": 100 * rad_ / s_})
    return model


def foucault_pendulum():
    model = Model("foucault_pendulum")
    N, t = model.newtonian, model.time
    m, L, g = model.parameter("m", 28 * kg_), model.parameter("L", 20 * m_), model.parameter("g", g_)
    latitude, Omega = model.parameter("latitude", 48.846 * deg_), model.parameter("Omega", 1.5 * deg_ / s_)
    a, b = model.coordinate("a", 6 * deg_), model.coordinate("b", 0 * deg_)
    G = model.frame("G", rotate(N, "z", Omega * t))
    E = model.frame("E", rotate(G, "x", pi / 2 - latitude))
    A = model.frame("A", rotate(E, "y", -a))
    B = model.frame("B", rotate(A, "x", b))
    model.particle("Q", N.origin - L * B.z, m)
    model.gravity(-g * E.z)
    model.plot("x = dot(Q - No, E.x)", "y = dot(Q - No, E.y)", "E_Z", "H")
    model.study("120 s", "0.1 s", 1e-11, "1e-6 J")
    model.case("earth", {"Omega": 7.292115e-5 * rad_ / s_})
    return model


def double_pendulum():
    model = Model("double_pendulum")
    N = model.newtonian
    m1, m2, L = (model.parameter(n, v) for n, v in (("m1", 1 * kg_), ("m2", 1 * kg_), ("L", 1 * m_)))
    g = model.parameter("g", g_)
    T1, T2 = model.unknown("T1"), model.unknown("T2")
    q1, q2 = model.coordinate("q1", 120 * deg_), model.coordinate("q2", 120 * deg_)
    P1 = model.particle("P1", N.origin + L * (sin(q1) * N.x - cos(q1) * N.y), m1)
    P2 = model.particle("P2", P1 + L * (sin(q2) * N.x - cos(q2) * N.y), m2)
    model.gravity(-g * N.y)
    model.force("string1", P1, T1 * unit(N.origin - P1), from_=N.origin)
    model.force("string2", P2, T2 * unit(P1 - P2), from_=P1)
    model.plot("E_Z", q1, q2)
    model.study("10 s", "0.01 s", 1e-11)
    return model


def governor():
    model = Model("governor")
    N, t = model.newtonian, model.time
    m, M, L = (model.parameter(n, v) for n, v in (("m", 0.5 * kg_), ("M", 1 * kg_), ("L", 0.25 * m_)))
    g, c = model.parameter("g", g_), model.parameter("c", 0.05 * N_ * m_ * s_)
    w = model.specified("w", 12 * rad_ / s_ + 1 * rad_ / s_**2 * t)
    theta = model.coordinate("theta", 45 * deg_)
    S = model.frame("S", spin(N, w * N.y))
    A = model.frame("A", rotate(S, "z", theta))
    B = model.frame("B", rotate(S, "z", -theta))
    P = model.particle("P", N.origin - L * A.y, m)
    Q = model.particle("Q", N.origin - L * B.y, m)
    model.particle("C", P - L * B.y, M)
    model.point("R", Q - L * A.y)
    model.gravity(-g * N.y)
    model.torque("friction", A, -c * angular_velocity(A, S), from_=S)
    model.output("power(w)")
    model.plot(theta, "E_Z", "H", "C")
    model.study("6 s", "0.01 s", 1e-10, "1e-8 J")
    model.case("steady", {"w": 14 * rad_ / s_, "c": 0 * N_ * m_ * s_})
    return model


def slider_crank():
    model = Model("slider_crank")
    N = model.newtonian
    r, L, R = (model.parameter(n, v) for n, v in (("r", 0.1 * m_), ("L", 0.3 * m_), ("R", 0.14 * m_)))
    M, m = model.parameter("M", 2 * kg_), model.parameter("m", 1.5 * kg_)
    theta = model.coordinate("theta", 0 * rad_, 20 * rad_ / s_)
    C = model.frame("C", rotate(N, "z", theta))
    model.body(C, N.origin, M, solid=disc(R, "z"))
    along = model.let("along", sqrt(L**2 - r**2 * sin(theta)**2))
    S = model.particle("S", N.origin + (r * cos(theta) + along) * N.x, m)
    A = model.point("A", N.origin + r * C.x)
    model.point("E", A + along * N.x - r * sin(theta) * N.y)
    J = model.let("J", dot(velocity(S), N.x) / theta.rate)
    eta = model.let("eta", (M * R**2 / 2 + m * J**2) * theta.rate)
    model.output("J")
    model.output("eta")
    model.plot(theta.rate, "x = dot(S - No, N.x)", eta, "E_Z")
    model.study("1 s", "0.002 s", 1e-11, "1e-8 J")
    return model


def four_bar():
    model = Model("four_bar")
    N = model.newtonian
    a, b, c, dd = (model.parameter(n, v * m_) for n, v in (("a", 0.15), ("b", 0.5), ("c", 0.45), ("d", 0.4)))
    rho, g = model.parameter("rho", 2 * kg_ / m_), model.parameter("g", g_)
    w = model.parameter("w", 12 * rad_ / s_)
    q1 = model.coordinate("q1", 90 * deg_, w)
    q2 = model.coordinate("q2", asin(0.6), 0 * rad_ / s_)
    q3 = model.coordinate("q3", 90 * deg_, a * w / c)
    A, B, C = (model.frame(n, rotate(N, "z", q)) for n, q in (("A", q1), ("B", q2), ("C", q3)))
    O2 = model.point("O2", N.origin + dd * N.x)
    P1 = model.point("P1", N.origin + a * A.x)
    P2 = model.point("P2", P1 + b * B.x)
    P3 = model.point("P3", O2 + c * C.x)
    model.body(A, N.origin + a / 2 * A.x, rho * a, solid=rod(a, "x"))
    model.body(B, P1 + b / 2 * B.x, rho * b, solid=rod(b, "x"))
    model.body(C, O2 + c / 2 * C.x, rho * c, solid=rod(c, "x"))
    model.gravity(-g * N.y)
    model.constraint("pin", P2 - P3)
    model.output("reaction(pin)")
    model.plot(q1.rate, q2, q3, "E_Z")
    model.study("3 s", "0.005 s", 1e-10, "1e-8 J")
    return model


def chaplygin_sleigh():
    model = Model("chaplygin_sleigh")
    N = model.newtonian
    m, I, l = (model.parameter(n, v) for n, v in (("m", 5 * kg_), ("I", 0.3 * kg_ * m_**2), ("l", 0.2 * m_)))
    w0 = model.parameter("w0", 3 * rad_ / s_)
    x, y = model.coordinate("x", 0 * m_), model.coordinate("y", 0 * m_)
    q = model.coordinate("q", 0 * rad_, w0)
    A = model.frame("A", rotate(N, "z", q))
    S = model.point("S", N.origin + x * N.x + y * N.y)
    model.body(A, S + l * A.x, m, [I, I, I], shape=box(0.6 * m_, 0.3 * m_, 0.05 * m_))
    model.constraint("blade", dot(velocity(S), A.y))
    model.start(x.rate, 0 * m_ / s_)
    model.start(y.rate, 0 * m_ / s_)
    v = model.let("v", dot(velocity(S), A.x))
    model.output("v")
    model.output("reaction(blade)")
    model.plot(v, q.rate, q, "E_Z")
    model.study("6 s", "0.01 s", 1e-11, "1e-9 J")
    return model


def satellite():
    model = Model("satellite")
    N = model.newtonian
    m = model.parameter("m", 40 * kg_)
    I1, I2, I3 = (model.parameter(n, v * kg_ * m_**2) for n, v in (("I1", 2), ("I2", 4), ("I3", 5)))
    e = [model.coordinate(f"e{i}", 1 if i == 0 else 0) for i in range(4)]
    for name, value in (("B_wx", 0.01), ("B_wy", 2), ("B_wz", 0)):
        model.start(Scalar(name), value * rad_ / s_)
    B = model.frame("B", quaternion(N, *e))
    model.body(B, N.origin, m, [I1, I2, I3], shape=box(1.2 * m_, 0.7 * m_, 0.3 * m_))
    model.output("angular_momentum(B, No)")
    model.plot("B_wx", "B_wy", "B_wz", "E_Z")
    model.study("30 s", "0.05 s", 1e-11, "1e-9 J")
    return model


def rotating_rod():
    model = Model("rotating_rod")
    N, t = model.newtonian, model.time
    omega, L = model.parameter("omega", 2 * rad_ / s_), model.parameter("L", 0.7 * m_)
    m1, m2, g = model.parameter("m1", 1.5 * kg_), model.parameter("m2", 0.8 * kg_), model.parameter("g", g_)
    q1, q2, q3 = model.coordinate("q1", 0.2 * m_), model.coordinate("q2", 0.1 * m_), model.coordinate("q3", 25 * deg_)
    model.start(q1.rate, 0.4 * m_ / s_)
    model.start(q2.rate, -0.3 * m_ / s_)
    model.start(q3.rate, 1.1 * rad_ / s_)
    model.speed("u1", q1.rate * cos(q3) + q2.rate * sin(q3))
    model.speed("u2", q2.rate * cos(q3) - q1.rate * sin(q3))
    model.speed("u3", q3.rate)
    B = model.frame("B", rotate(N, "y", omega * t))
    E = model.frame("E", rotate(B, "z", q3))
    P1 = model.particle("P1", N.origin + q1 * B.x + q2 * B.y, m1)
    model.particle("P2", P1 + L * E.x, m2)
    model.gravity(-g * N.y)
    model.study("1 s", "0.01 s", 1e-10)
    return model


def rattleback():
    model = Model("rattleback")
    N = model.newtonian
    a, b, c, h = (model.parameter(n, v * m_) for n, v in (("a", 0.2), ("b", 0.03), ("c", 0.02), ("h", 0.01)))
    m, g = model.parameter("m", 1 * kg_), model.parameter("g", g_)
    inertia = [model.parameter(n, f"{v} kg*m^2") for n, v in
               (("Ixx", "2e-4"), ("Iyy", "16e-4"), ("Izz", "17e-4"), ("Ixy", "-0.2e-4"))]
    w, k = model.parameter("w", -5 * rad_ / s_), model.parameter("k", 0.5 * rad_ / s_)
    yaw, pitch = model.coordinate("yaw", 0 * rad_, w), model.coordinate("pitch", 0 * rad_, k)
    roll = model.coordinate("roll", 0 * rad_)
    x, y = model.coordinate("x", 0 * m_, c * k), model.coordinate("y", 0 * m_)
    A = model.frame("A", rotate(N, "z", yaw))
    F = model.frame("F", rotate(A, "y", pitch))
    B = model.frame("B", rotate(F, "x", roll))
    nx, ny, nz = (model.let(n, dot(N.z, axis)) for n, axis in (("nx", B.x), ("ny", B.y), ("nz", B.z)))
    e = model.let("e", sqrt(a**2 * nx**2 + b**2 * ny**2 + c**2 * nz**2))
    O = model.point("O", N.origin + x * N.x + y * N.y + e * N.z)
    P = model.point("P", O - (a**2 * nx * B.x + b**2 * ny * B.y + c**2 * nz * B.z) / e)
    model.body(B, O - h * B.z, m, [*inertia, 0 * kg_ * m_**2, 0 * kg_ * m_**2])
    model.gravity(-g * N.z)
    model.roll("contact", B, N, P)
    wz = model.let("wz", dot(angular_velocity(B), N.z))
    model.output("wz")
    model.plot(wz, pitch, roll, "E_Z")
    model.study("10 s", "0.01 s", 1e-9, "1e-8 J")
    model.case("willing", {"w": 5 * rad_ / s_})
    return model


def positioning_device():
    model = Model("positioning_device")
    N, t = model.newtonian, model.time
    m, r, L = (model.parameter(n, v) for n, v in (("m", 1 * kg_), ("r", 0.1 * m_), ("L", 1 * m_)))
    k, b = model.parameter("k", 200 * N_ / m_), model.parameter("b", 2 * N_ * m_ * s_)
    Omega = model.specified("Omega", 0.5 * rad_ / s_**2 * t)
    s = model.coordinate("s", 0 * m_)
    model.speed("ds", s.rate)
    wx, wy, wz = (model.speed(n) for n in ("wx", "wy", "wz"))
    A = model.frame("A", spin(N, Omega * N.y))
    C = model.frame("C", spin(N, wx * A.x + wy * A.y + wz * A.z))
    Ccm = model.body(C, N.origin + r * N.y + (L + s) * A.x, m, solid=sphere(r))
    model.statement("roll   C on N at Ccm - r*N.y")
    model.spring("tube", k, 0 * m_, on=s)
    model.torque("fluid", C, -b * (angular_velocity(C) - angular_velocity(A)), from_=A)
    assert str(Ccm) == "Ccm"
    model.plot("E_Z", "E", "H", "C")
    model.study("4 s", "0.01 s", 1e-9)
    none, four = 0 * N_ * m_ * s_, 4 * rad_ / s_
    model.case("constant_undamped", {"Omega": four, "b": none})
    model.case("constant_damped", {"Omega": four})
    model.case("constant_rigid_undamped", {"Omega": four, "b": none}, lock=[s])
    model.case("constant_rigid_damped", {"Omega": four}, lock=[s])
    model.case("ramp_undamped", {"b": none})
    model.case("ramp_damped", {"b": 2 * N_ * m_ * s_})
    model.case("ramp_rigid_undamped", {"b": none}, lock=[s])
    model.case("ramp_rigid_damped", lock=[s])
    return model


def two_bodies_ball_joint():
    model = Model("two_bodies_ball_joint")
    N = model.newtonian
    m1, m2 = model.parameter("m1", 2 * kg_), model.parameter("m2", 1 * kg_)
    k, L0 = model.parameter("k", 40 * N_ / m_), model.parameter("L0", 0.5 * m_)
    x1, y1, z1, x2, y2, z2 = (model.coordinate(n, v * m_) for n, v in
                              (("x1", 0), ("y1", 0), ("z1", 0), ("x2", 0.6), ("y2", 0), ("z2", 0)))
    a = [model.coordinate(f"a{i}", int(i == 0)) for i in range(4)]
    b = [model.coordinate(f"b{i}", int(i == 0)) for i in range(4)]
    for q, v in ((x1, 0.3), (y1, 0), (z1, 0.1)):
        model.start(q.rate, v * m_ / s_)
    A, B = model.frame("A", quaternion(N, *a)), model.frame("B", quaternion(N, *b))
    J = kg_ * m_**2
    Acm = model.body(A, N.origin + x1 * N.x + y1 * N.y + z1 * N.z, m1, [0.02 * J, 0.03 * J, 0.04 * J])
    Bcm = model.body(B, N.origin + x2 * N.x + y2 * N.y + z2 * N.z, m2, [0.01 * J, 0.015 * J, 0.02 * J])
    PA, PB = model.point("PA", Acm + 0.3 * m_ * A.x), model.point("PB", Bcm - 0.3 * m_ * B.x)
    model.constraint("ball", PA - PB)
    SA, SB = model.point("SA", Acm + 0.2 * m_ * A.y), model.point("SB", Bcm + 0.25 * m_ * B.y)
    model.spring("link", k, L0, from_=SA, to=SB)
    model.output("reaction(ball)")
    model.study("5 s", "0.01 s", 1e-9)
    return model


def compass():
    model = Model("compass")
    N, t = model.newtonian, model.time
    k, dd = model.parameter("k", 8e-6 * units.J * m_**3), model.parameter("d", 0.2 * m_)
    J, c = model.parameter("J", 2e-6 * kg_ * m_**2), model.parameter("c", 2e-5 * N_ * m_ * s_)
    alpha = model.specified("alpha", 6 * rad_ / s_ * t)
    q = model.coordinate("q", 20 * deg_)
    A, B = model.frame("A", rotate(N, "z", alpha)), model.frame("B", rotate(N, "z", q))
    Acm = model.body(A, N.origin, 0.3 * kg_, solid=box(0.08 * m_, 0.02 * m_, 0.02 * m_))
    Bcm = model.body(B, N.origin + dd * N.x, 0.005 * kg_, [J / 10, J, J], shape=rod(0.05 * m_, "x"))
    r = model.let("r", Bcm - Acm)
    model.potential("dipoles", k * (dot(A.x, B.x) / magnitude(r)**3
                                    - 3 * dot(A.x, r) * dot(B.x, r) / magnitude(r)**5))
    model.damper("pin", c, on=q)
    model.claim("invariant dipoles, third_law dipoles")
    model.output("on_needle", dot(moment("dipoles", B), N.z))
    model.output("on_magnet", dot(moment("dipoles", A), N.z))
    model.output("motor(alpha)")
    model.output("pull", force("dipoles", B))
    model.plot(q, dot(moment("dipoles", B), N.z), dot(moment("dipoles", A), N.z), "E_Z")
    model.study("3 s", "0.01 s", energy="1e-9 J")
    return model


def cantilever():
    model = Model("cantilever")
    N, x = model.newtonian, Scalar("x")
    L, EI, rhoA = (model.parameter(n, v) for n, v in (("L", 1.2 * m_), ("EI", 14 * N_ * m_**2), ("rhoA", 0.62 * kg_ / m_)))
    m, g = model.parameter("m", 0.25 * kg_), model.parameter("g", g_)
    w = model.field("w", "x", 0 * m_, L)
    beam = model.line("Beam", N.origin + x * N.x + w * N.y, rhoA)
    model.potential("bending", Scalar("1/2") * EI * d(w, x, x)**2, over="x")
    model.fix(w, 0 * m_, 0 * m_)
    model.fix(d(w, x), 0 * m_, 0)
    model.particle("Tip", beam(L), m)
    model.gravity(-g * N.y)
    model.discretize(w, "elements 6")
    model.output("tip", "w at L")
    model.output("slope", "d(w, x) at L")
    model.output("reaction(No)")
    model.plot("tip", "E_Z")
    model.study("1 s", "0.01 s", 1e-8, "1e-4 J")
    return model


MODELS = (hoist, simple_pendulum, swinging_atwood, heavy_top, rolling_disc, cart_and_pendulum, kapitza_pendulum,
          foucault_pendulum, double_pendulum, governor, slider_crank, four_bar, chaplygin_sleigh, satellite, rotating_rod,
          rattleback, positioning_device, two_bodies_ball_joint, compass, cantilever)
