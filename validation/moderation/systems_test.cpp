// The mechanisms of systems.h, in the model language.
#include "systems.h"

namespace visviva::validation {
namespace {

// ---- Conservative

const char* const double_pendulum = R"(
parameter  g = 9.81 m/s^2, l = 1 m
coordinate q1 = 120 deg, q2 = 120 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
particle   P at No - l*A.y, mass 1 kg
particle   Q at P - l*B.y, mass 1 kg
gravity    -g*N.y
)";

const char* const kepler = R"(
parameter  mu = 1 m^3/s^2, m = 1 kg
coordinate x = 0.4 m, y = 0 m, y' = 2 m/s     # eccentricity 0.6, period 2 pi s
particle   P at No + x*N.x + y*N.y, mass m
potential  V = -mu*m/sqrt(x^2 + y^2)
)";

const char* const heavy_top = R"(
parameter  m = 0.5 kg, l = 0.1 m, g = 9.81 m/s^2
coordinate q1 = 0 deg, q2 = 30 deg, q3 = 0 deg, q3' = 120 rad/s
frame      B = rotate(N, zxz, q1, q2, q3)
body       B at No + l*B.z, mass m, inertia 1e-3 kg*m^2, 1e-3 kg*m^2, 8e-4 kg*m^2
gravity    -g*N.z
)";

const char* const tumbling_body = R"(
coordinate x = 0 m, y = 0 m, z = 0 m, x' = 1 m/s, z' = 5 m/s
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0
frame      B = quaternion(N, e0, e1, e2, e3)
start      B_wx = 0.01 rad/s, B_wy = 6 rad/s, B_wz = 0.02 rad/s    # about the middle axis
body       B at No + x*N.x + y*N.y + z*N.z, mass 2 kg, inertia 0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2
gravity    -9.81 m/s^2*N.z
)";

const char* const elastic_pendulum = R"(
parameter  m = 1 kg, g = 9.81 m/s^2
coordinate r = 1.1 m, th = 70 deg
frame      A = rotate(N, z, th)
particle   P at No - r*A.y, mass m
gravity    -g*N.y
spring     S from No to P, stiffness 40 N/m, rest 1 m
)";

const char* const atwood = R"(
parameter  m = 1 kg, mu = 3, g = 9.81 m/s^2, L = 4 m
coordinate r = 1 m, th = 90 deg
frame      A = rotate(N, z, th)
particle   P at No - r*A.y, mass m
particle   Q at No - (L - r)*N.y, mass mu*m
gravity    -g*N.y
)";

const char* const charge_in_a_magnetic_field = R"(
parameter  qB = 8 kg/s, k = 3 N/m
coordinate x = 0.3 m, y = 0 m, z = 0 m, y' = 1 m/s, z' = 0.5 m/s
particle   P at No + x*N.x + y*N.y + z*N.z, mass 1 kg
force      lorentz on P = qB*cross(velocity(P), N.z)
potential  V = 1/2*k*(z^2 - 1/2*(x^2 + y^2))
)";

// ---- Driven

const char* const hoist = R"(
parameter  mB = 2 kg, L = 0.5 m, g = 9.8 m/s^2
specified  x(t) = 3 m*cos(1 rad/s*t), y(t) = 0.2 m*sin(7 rad/s*t)
coordinate theta = 30 deg
frame      B = rotate(N, z, theta)
point      Q = No + x*N.x + y*N.y
body       B at Q - L*B.y, mass mB, rod length 2*L along y
gravity    -g*N.y
)";

const char* const kapitza = R"(
parameter  l = 0.3 m, g = 9.81 m/s^2, a = 0.01 m, w = 400 rad/s
coordinate th = 175 deg
frame      A = rotate(N, z, th)
particle   P at No + a*cos(w*t)*N.y - l*A.y, mass 1 kg
gravity    -g*N.y
)";

const char* const moving_constraint = R"(
parameter  R = 0.5 m, w = 6 rad/s, g = 9.81 m/s^2
coordinate x = 0.3 m, y = -0.4 m, z = 0 m
frame      A = rotate(N, y, w*t)
particle   P at No + x*N.x + y*N.y + z*N.z, mass 1 kg
gravity    -g*N.y
constraint hoop: dot(P - No, A.z) = 0
constraint ring: x^2 + y^2 + z^2 - R^2 = 0
)";

// ---- Damped

const char* const driven_pendulum = R"(
parameter  g = 9.81 m/s^2, l = 1 m, b = 0.5 N*m*s
specified  T(t) = 11 N*m*cos(2 rad/s*t)
coordinate th = 10 deg
frame      A = rotate(N, z, th)
body       A at No - l*A.y, mass 1 kg, inertia 0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2
gravity    -g*N.y
torque     motor on A = T*N.z
torque     bearing on A = -b*angular_velocity(A)
)";

const char* const cart_with_motor_and_drag = R"(
parameter  M = 3 kg, m = 0.5 kg, l = 0.6 m, g = 9.81 m/s^2, c = 0.8 kg/m
specified  F(t) = 20 N*sin(3 rad/s*t)
coordinate x = 0 m, th = 20 deg
frame      A = rotate(N, z, th)
particle   Cart at No + x*N.x, mass M
particle   P at Cart - l*A.y, mass m
gravity    -g*N.y
force      motor on Cart = F*N.x
force      drag on P = -c*magnitude(velocity(P))*velocity(P)
)";

const char* const van_der_pol = R"(
parameter  mu = 30 N*s/m, k = 1 N/m, a = 1 m
coordinate x = 2 m
particle   P at No + x*N.x, mass 1 kg
force      tube on P = mu*(1 - (x/a)^2)*x'*N.x
spring     S on x, stiffness k, rest 0 m
)";

const char* const stiff_spring = R"(
parameter  k = 4e6 N/m, b = 2000 N*s/m
coordinate x = 0 m, s = 0.001 m
particle   P at No + x*N.x, mass 1 kg
particle   Q at P + s*N.x, mass 1 kg
spring     wall on x, stiffness 40 N/m, rest 0.5 m
spring     link on s, stiffness k, rest 0 m
damper     loss on s, rate b
)";

// ---- Rolling

const char* const rolling_disc = R"(
parameter  m = 2 kg, r = 0.3 m, g = 9.81 m/s^2
coordinate q1 = 20 deg, q2 = 15 deg, q3 = 40 deg, x = 0 m, y = 0 m
frame      Y = rotate(N, z, q1)
frame      L = rotate(Y, x, q2)
frame      R = rotate(L, y, q3)
speed      u1 = dot(angular_velocity(R), L.x)
speed      u2 = dot(angular_velocity(R), L.y)
speed      u3 = dot(angular_velocity(R), L.z)
start      u1 = 0.3 rad/s, u2 = 6 rad/s, u3 = -0.7 rad/s
dependent  x', y'
point      Contact = No + x*N.x + y*N.y
body       R at Contact + r*L.z, mass m, inertia m*r^2/4, m*r^2/2, m*r^2/4
roll       wheel: R on N at Contact
gravity    -g*N.z
)";

const char* const sleigh = R"(
parameter  m = 1 kg, I = 1 kg*m^2, a = 1 m
specified  T(t) = 0.7 N*m*sin(2 rad/s*t)
coordinate x = 0 m, y = 0 m, th = 0 deg
start      x' = 1 m/s, th' = 1 rad/s
dependent  y'
frame      A = rotate(N, z, th)
point      P = No + x*N.x + y*N.y
body       A at P + a*A.x, mass m, inertia I, I, I
torque     rudder on A = T*N.z
constraint blade: -x'*sin(th) + y'*cos(th) = 0
)";

std::string positioning_device(const std::string& rate, const std::string& damping) {
  return "specified Omega(t) = " + rate + "\nparameter b = " + damping + R"(
parameter  m = 1 kg, r = 0.1 m, L = 1 m, k = 200 N/m
coordinate s = 0 m
speed      ds = s'
speed      wx, wy, wz
frame      A = spin(N, Omega*N.y)
frame      C = spin(N, wx*A.x + wy*A.y + wz*A.z)
body       C at No + r*N.y + (L + s)*A.x, mass m, sphere radius r
roll       C on N at Ccm - r*N.y
spring     tube on s, stiffness k, rest 0 m
torque     fluid on C from A = -b*(angular_velocity(C) - angular_velocity(A))
)";
}

// ---- Constrained

const char* const slider_crank = R"(
parameter  g = 9.81 m/s^2
coordinate a = 40 deg, b = -0.3 rad, x = 1.2 m
start      a' = 8 rad/s
frame      A = rotate(N, z, a)
frame      B = rotate(N, z, b)
point      Pin = No + 0.3 m*A.x
body       A at No + 0.15 m*A.x, mass 1 kg, rod length 0.3 m along x
body       B at Pin + 0.5 m*B.x, mass 2 kg, rod length 1 m along x
particle   Piston at No + x*N.x, mass 1.5 kg
constraint rod: Pin + 1 m*B.x - Piston = 0
gravity    -g*N.y
force      friction on Piston = -3 N*s/m*velocity(Piston)
)";

const char* const two_bodies_ball_joint = R"(
coordinate x1 = 0 m, y1 = 0 m, z1 = 0 m, x2 = 0.6 m, y2 = 0 m, z2 = 0 m
coordinate a0 = 1, a1 = 0, a2 = 0, a3 = 0, b0 = 1, b1 = 0, b2 = 0, b3 = 0
start      x1' = 0.3 m/s, y1' = 0 m/s, z1' = 0.1 m/s
frame      A = quaternion(N, a0, a1, a2, a3)
frame      B = quaternion(N, b0, b1, b2, b3)
body       A at No + x1*N.x + y1*N.y + z1*N.z, mass 2 kg,
           inertia 0.02 kg*m^2, 0.03 kg*m^2, 0.04 kg*m^2
body       B at No + x2*N.x + y2*N.y + z2*N.z, mass 1 kg,
           inertia 0.01 kg*m^2, 0.015 kg*m^2, 0.02 kg*m^2
point      SA = Acm + 0.2 m*A.y, SB = Bcm + 0.25 m*B.y
constraint ball: Acm + 0.3 m*A.x - (Bcm - 0.3 m*B.x) = 0
spring     link from SA to SB, stiffness 40 N/m, rest 0.5 m
)";

std::string chain(int links) {
  std::string text = "parameter g = 9.81 m/s^2\npoint P0 = No\ngravity -g*N.y\n";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "coordinate q" + n + " = " + std::to_string(100 - 15 * i) + " deg\n";
    text += "frame B" + n + " = rotate(N, z, q" + n + ")\n";
    text += "body B" + n + " at P" + before + " - 0.2 m*B" + n +
            ".y, mass 1 kg, rod length 0.4 m along y\n";
    text += "point P" + n + " = P" + before + " - 0.4 m*B" + n + ".y\n";
  }
  return text;
}

}  // namespace

std::vector<TriedSystem> list_tried_systems() {
  return {
      {"double pendulum, chaotic", double_pendulum, 10},
      {"Kepler's ellipse, e = 0.6", kepler, 40},
      {"heavy top", heavy_top, 3},
      {"tumbling body, quaternion", tumbling_body, 10},
      {"elastic pendulum", elastic_pendulum, 10},
      {"swinging Atwood machine", atwood, 5},
      {"chain of five links", chain(5), 5},
      {"charge in a magnetic field", charge_in_a_magnetic_field, 10},
      {"hoist, moved both ways", hoist, 10},
      {"Kapitza's pendulum, 400 rad/s", kapitza, 3},
      {"bead held by moving constraints", moving_constraint, 5},
      {"damped driven pendulum", driven_pendulum, 20},
      {"cart with motor and drag", cart_with_motor_and_drag, 10},
      {"Van der Pol, stiff", van_der_pol, 60},
      {"stiff damped spring", stiff_spring, 3},
      {"rolling disc", rolling_disc, 5},
      {"Chaplygin's sleigh with a rudder", sleigh, 10},
      {"positioning device, undamped", positioning_device("4 rad/s", "0 N*m*s"), 4},
      {"positioning device, eigenvalue -500/s", positioning_device("0.5 rad/s^2*t", "2 N*m*s"), 4},
      {"slider and crank", slider_crank, 5},
      {"two bodies on a ball joint", two_bodies_ball_joint, 3},
  };
}

}  // namespace visviva::validation
