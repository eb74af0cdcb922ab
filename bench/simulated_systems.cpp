#include "simulated_systems.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/text/build/read_model.h"

namespace visviva::bench {
namespace {

constexpr const char* double_pendulum = R"(model double_pendulum
parameter  m1 = 1 kg, m2 = 1 kg, L = 1 m, g = 9.81 m/s^2
coordinate q1 = {0} deg, q2 = {0} deg
particle P1 at No + L*(sin(q1)*N.x - cos(q1)*N.y), mass m1
particle P2 at P1 + L*(sin(q2)*N.x - cos(q2)*N.y), mass m2
gravity  -g*N.y
)";

constexpr const char* hoist = R"(model hoist
parameter  mQ = 1 kg, mB = 2 kg, L = 0.5 m, g = 9.8 m/s^2
parameter  I = mB*L^2/12
specified  x(t) = 3 m * cos(1 rad/s * t)
coordinate theta = 30 deg
frame    B = rotate(N, x, theta)
particle Q at No + x*N.x, mass mQ
body     B at Q - L*B.y, mass mB, inertia I, 0 kg*m^2, I
gravity  -g*N.y
)";

// The example of the Mitiguy, chapter 34; with friction its fast motion decays with -500/s.
constexpr const char* rolling_sphere = R"(model rolling_sphere
parameter  m = 1 kg, r = 0.1 m, L = 1 m, k = 200 N/m, b = {} N*m*s
specified  Omega(t) = {}
coordinate s = 0 m
speed      ds = s'
speed      wx, wy, wz
frame  A = spin(N, Omega*N.y)
frame  C = spin(N, wx*A.x + wy*A.y + wz*A.z)
body   C at No + r*N.y + (L + s)*A.x, mass m, sphere radius r
roll   C on N at Ccm - r*N.y
spring tube on s, stiffness k, rest 0 m
torque fluid on C from A = -b*(angular_velocity(C) - angular_velocity(A))
)";

constexpr const char* heavy_top = R"(model heavy_top
parameter  m = 1 kg, L = 0.1 m, g = 9.81 m/s^2
coordinate e0 = 0.9659258262890683, e1 = 0.25881904510252074, e2 = 0, e3 = 0
frame  B = quaternion(N, e0, e1, e2, e3)
body   B at No + L*B.z, mass m, inertia 0.002 kg*m^2, 0.002 kg*m^2, 0.0008 kg*m^2
gravity -g*N.z
start  B_wx = 0 rad/s, B_wy = 0 rad/s, B_wz = 150 rad/s
)";

// Inverted, on a pivot that shakes: P. L. Kapitza's pendulum.
constexpr const char* kapitza = R"(model kapitza
parameter  m = 1 kg, L = 1 m, g = 9.81 m/s^2
specified  y(t) = 0.05 m * cos(100 rad/s * t)
coordinate theta = 170 deg
frame    B = rotate(N, z, theta)
particle P at No + y*N.y - L*B.y, mass m
gravity  -g*N.y
)";

// Eccentricity 0.6, from the pericentre; a period of 2 pi s.
constexpr const char* kepler = R"(model kepler
parameter  m = 1 kg, k = 1 N*m^2
coordinate x = 0.4 m, y = 0 m, y' = 2 m/s
particle P at No + x*N.x + y*N.y, mass m
potential V = -k/sqrt(x^2 + y^2)
)";

constexpr const char* cart = R"(model cart
parameter  M = 2 kg, m = 1 kg, L = 0.8 m, k = 30 N/m, c = 0.5 N*s/m, g = 9.81 m/s^2
coordinate x = 0.1 m, theta = 120 deg
frame       B = rotate(N, z, theta)
particle    Cart at No + x*N.x, mass M
body        B at Cart - L/2*B.y, mass m, inertia m*L^2/12, 0 kg*m^2, m*L^2/12
gravity     -g*N.y
potential   V = 1/2*k*x^2
dissipation D = 1/2*c*x'^2
)";

constexpr const char* four_bar = R"(model four_bar
parameter  m = 1 kg, a = 0.4 m, b = 1 m, c = 0.8 m, d = 1 m, g = 9.81 m/s^2
coordinate q1 = 70 deg, q2 = 10 deg, q3 = 80 deg
frame  A = rotate(N, z, q1)
frame  B = rotate(N, z, q2)
frame  C = rotate(N, z, q3)
body   A at No + a/2*A.x, mass m, rod length a along x
body   B at No + a*A.x + b/2*B.x, mass m, rod length b along x
body   C at No + d*N.x + c/2*C.x, mass m, rod length c along x
constraint pin: dot(No + a*A.x + b*B.x - (No + d*N.x + c*C.x), N.x) = 0
constraint pin2: dot(No + a*A.x + b*B.x - (No + d*N.x + c*C.x), N.y) = 0
gravity -g*N.y
)";

// A pendulum on a very stiff, damped rod in polar coordinates.
constexpr const char* stiff_rod = R"(model stiff_rod
parameter  m = 1 kg, L = 1 m, k = 1e7 N/m, c = 600 N*s/m, g = 9.81 m/s^2
coordinate r = 1 m, theta = 90 deg
frame    B = rotate(N, z, theta)
particle P at No - r*B.y, mass m
spring   rod on r, stiffness k, rest L
damper   loss on r, rate c
gravity  -g*N.y
)";

// From 60 degrees up to 60 degrees down.
double find_arch_angle(int n, int i) {
  return 1.0471975511965976 * (1.0 - 2.0 * (i - 1) / (n - 1));
}

std::vector<SimulatedSystem> make_systems() {
  return {
      {"double_pendulum", fmt::format(double_pendulum, 120), 10},
      {"double_pendulum_170", fmt::format(double_pendulum, 170), 10},
      make_chain(10),
      {"hoist", hoist, 10},
      {"rolling_damped", fmt::format(rolling_sphere, 2, "0.5 rad/s^2 * t"), 20, "radau5"},
      {"rolling_undamped", fmt::format(rolling_sphere, 0, "4 rad/s"), 20},
      {"heavy_top", heavy_top, 10},
      {"kapitza", kapitza, 20},
      {"kepler", kepler, 628.3185307179587},
      {"cart", cart, 20},
      {"four_bar", four_bar, 10},
      {"stiff_rod", stiff_rod, 10, "radau5"},
  };
}

}  // namespace

SimulatedSystem make_chain(int n) {
  std::string text = fmt::format("model chain{}\nparameter m = 1 kg, L = 1 m, g = 9.81 m/s^2\n", n);
  std::string end = "No";
  for (int i = 1; i <= n; ++i) {
    text += fmt::format("coordinate q{0} = 90 deg\nframe A{0} = rotate(N, z, q{0})\n", i);
    text += fmt::format("particle P{0} at {1} - L*A{0}.y, mass m\n", i, end);
    end = fmt::format("P{}", i);
  }
  return {fmt::format("chain{}", n), text + "gravity -g*N.y\n", 10};
}

SimulatedSystem make_rod_loop(int n) {
  std::string text = "parameter m = 1 kg, L = 1 m, g = 9.81 m/s^2\n", end = "No";
  double width = 0;
  for (int i = 1; i <= n; ++i) {
    const double angle = find_arch_angle(n, i);
    width += std::cos(angle);
    text +=
        fmt::format("coordinate q{0} = {1:.17g} rad\nframe A{0} = rotate(N, z, q{0})\n", i, angle);
    text += fmt::format("body A{0} at {1} + L/2*A{0}.x, mass m, rod length L along x\n", i, end);
    text += fmt::format("point E{0} = {1} + L*A{0}.x\n", i, end);
    end = fmt::format("E{}", i);
  }
  text += fmt::format("constraint pin_x: dot({0} - No, N.x) = {1:.17g}*L\n", end, width);
  text += fmt::format("constraint pin_y: dot({0} - No, N.y) = 0 m\n", end);
  return {fmt::format("rod_loop{}", n),
          fmt::format("model rod_loop{}\n", n) + text + "gravity -g*N.y\n", 10};
}

SimulatedSystem make_free_rod_loop(int n) {
  std::string text = "parameter m = 1 kg, L = 1 m, g = 9.81 m/s^2\n", end = "No";
  double x = 0, y = 0;
  const auto pin = [&](int i, const std::string& begin) {
    text += fmt::format("constraint pin{0}_x: dot({1} - {2}, N.x) = 0 m\n", i, end, begin);
    text += fmt::format("constraint pin{0}_y: dot({1} - {2}, N.y) = 0 m\n", i, end, begin);
  };
  for (int i = 1; i <= n; ++i) {
    const double angle = find_arch_angle(n, i), c = std::cos(angle), s = std::sin(angle);
    text += fmt::format(
        "coordinate x{0} = {1:.17g} m, y{0} = {2:.17g} m, q{0} = {3:.17g} rad\n"
        "frame A{0} = rotate(N, z, q{0})\n"
        "body A{0} at No + x{0}*N.x + y{0}*N.y, mass m, rod length L along x\n"
        "point B{0} = A{0}cm - L/2*A{0}.x\npoint E{0} = A{0}cm + L/2*A{0}.x\n",
        i, x + c / 2, y + s / 2, angle);
    pin(i, fmt::format("B{}", i));
    x += c;
    y += s;
    end = fmt::format("E{}", i);
  }
  pin(n + 1, fmt::format("(No + {:.17g}*L*N.x)", x));
  return {fmt::format("free_rod_loop{}", n),
          fmt::format("model free_rod_loop{}\n", n) + text + "gravity -g*N.y\n", 10};
}

const std::vector<SimulatedSystem>& list_systems() {
  static const std::vector<SimulatedSystem> systems = make_systems();
  return systems;
}

const SimulatedSystem& find_system(const std::string& name) {
  for (const SimulatedSystem& s : list_systems()) {
    if (s.name == name) return s;
  }
  throw UsageError("find_system", "there is no system '" + name + "'");
}

CompiledSystem compile_system(const SimulatedSystem& system) {
  const ModelReading reading = read_model({system.name, system.text});
  if (!reading.model) {
    const auto& found = reading.diagnostics;
    throw UsageError("compile_system",
                     system.name + ": " + (found.empty() ? "" : found.front().message));
  }
  const Equations equations = derive(analyze_motion(*reading.model), Method::kane);
  return compile(equations, analyze_energy(equations));
}

}  // namespace visviva::bench
