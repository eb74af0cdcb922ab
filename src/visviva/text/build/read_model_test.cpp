#include "visviva/text/build/read_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "visviva/base/render.h"
#include "visviva/base/unit.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/text/build/load_model.h"
#include "visviva/text/build/same_model_test.h"

namespace visviva {
namespace {

using namespace units;

std::string example(const std::string& name) {
  return VISVIVA_SOURCE_DIR "/examples/" + name + ".viva";
}

Model read_good(const ModelReading& reading) = delete;
Model read_good(ModelReading&& reading) {
  const std::string problems = render_diagnostics(reading.diagnostics, reading.source);
  if (!reading.model) throw std::runtime_error(problems);
  EXPECT_EQ(problems, "");
  return std::move(*reading.model);
}
Model from_text(const std::string& text, const ReadOptions& options = {}) {
  return read_good(read_model({"test.viva", text}, options));
}
Model from_example(const std::string& name) { return read_good(try_load_model(example(name))); }

// ---- The examples, in C++

// A function: units of another file may not exist yet when constants of this one are made.
Quantity per_s2() { return m / s / s; }

Model make_hoist() {
  Model model("hoist");
  model.document("A body hanging from a hoist that follows a given x(t)");
  const Frame N = model.newtonian();
  const Quantity mQ = model.parameter("mQ", 1 * kg), mB = model.parameter("mB", 2 * kg);
  const Quantity L = model.parameter("L", 0.5 * m), g = model.parameter("g", 9.8 * per_s2());
  const Quantity I = model.parameter("I", mB * L * L / 12);
  model.set_source({}, "distance of the hoist from No");
  const Quantity x = model.specified("x", 3 * m * cos(1 * rad / s * model.time()));
  model.set_source({}, "angle of the body from straight down");
  const Quantity theta = model.coordinate("theta", {.start = 30 * deg});
  model.set_source({}, "");
  const Frame B = model.frame("B", rotate(N, Axis::x, theta));
  const Point Q = model.particle("Q", {.at = N.origin() + x * N.x(), .mass = mQ});
  model.body(B, {.at = Q - L * B.y(), .mass = mB, .inertia = {I, 0 * kg * m * m, I}});
  model.gravity(-g * N.y());
  for (const char* name : {"E", "H", "C"}) model.output(name, model.result(name), true);
  model.study({.until = 10, .every = 0.01, .tolerance = 1e-10});
  return model;
}

Model make_positioning_device() {
  Model model("positioning_device");
  model.document("A sphere rolling at the end of a flexible tube that a motor turns");
  const Frame N = model.newtonian();
  const Quantity mC = model.parameter("m", 1 * kg), r = model.parameter("r", 0.1 * m);
  const Quantity L = model.parameter("L", 1 * m), k = model.parameter("k", 200 * units::N / m);
  model.set_source({}, "viscous torque between the housing B and the sphere C");
  const Quantity b = model.parameter("b", 2 * units::N * m * units::s);
  model.set_source({}, "rate of A about the vertical");
  const Quantity Omega = model.specified("Omega", 0.5 / units::s / units::s * model.time());
  model.set_source({}, "stretch of the tube");
  const Quantity s = model.coordinate("s", {.start = 0 * m});
  model.set_source({}, "");
  model.speed("ds", model.rate(s));
  model.set_source({}, "angular velocity of the sphere, along A");
  const Quantity wx = model.speed("wx"), wy = model.speed("wy"), wz = model.speed("wz");
  model.set_source({}, "");
  const Frame A = model.frame("A", spin(N, Omega * N.y()));
  const Frame C = model.frame("C", spin(N, wx * A.x() + wy * A.y() + wz * A.z()));
  const Point Ccm = model.body(
      C, {.at = N.origin() + r * N.y() + (L + s) * A.x(), .mass = mC, .solid = sphere(r)});
  model.torque("fluid",
               {.on = C, .from = A, .value = -b * (angular_velocity(C) - angular_velocity(A))});
  model.spring("tube", {.on = s, .stiffness = k, .rest = 0 * m});
  model.roll("", {.body = C, .on = N, .at = Ccm - r * N.y()});
  for (const char* name : {"E_Z", "E", "H", "C"}) model.output(name, model.result(name), true);
  model.study({.until = 4, .every = 0.01, .tolerance = 1e-9});
  for (const char* name :
       {"constant_undamped", "constant_damped", "constant_rigid_undamped", "constant_rigid_damped",
        "ramp_undamped", "ramp_damped", "ramp_rigid_undamped", "ramp_rigid_damped"}) {
    model.add_case({name, ""});
  }
  return model;
}

Model make_rotating_rod() {
  Model model("rotating_rod");
  model.document("Two particles on a rod that slides in a plane turned at a given rate");
  const Frame N = model.newtonian();
  const Quantity omega = model.parameter("omega", 2 * rad / s), L = model.parameter("L", 0.7 * m);
  const Quantity m1 = model.parameter("m1", 1.5 * kg), m2 = model.parameter("m2", 0.8 * kg);
  const Quantity g = model.parameter("g", 9.81 * per_s2());
  const Quantity q1 = model.coordinate("q1", {.start = 0.2 * m, .start_rate = 0.4 * m / units::s});
  const Quantity q2 = model.coordinate("q2", {.start = 0.1 * m, .start_rate = -0.3 * m / units::s});
  const Quantity q3 = model.coordinate("q3", {.start = 25 * deg, .start_rate = 1.1 / units::s});
  const auto d = [&model](const Quantity& q) { return model.rate(q); };
  model.speed("u1", d(q1) * cos(q3) + d(q2) * sin(q3));
  model.speed("u2", d(q2) * cos(q3) - d(q1) * sin(q3));
  model.speed("u3", d(q3));
  const Frame B = model.frame("B", rotate(N, Axis::y, omega * model.time()));
  const Frame E = model.frame("E", rotate(B, Axis::z, q3));
  const Point P1 = model.particle("P1", {.at = N.origin() + q1 * B.x() + q2 * B.y(), .mass = m1});
  model.particle("P2", {.at = P1 + L * E.x(), .mass = m2});
  model.gravity(-g * N.y());
  model.study({.until = 1, .every = 0.01, .tolerance = 1e-10});
  return model;
}

Model make_cart_and_pendulum() {
  Model model("cart_and_pendulum");
  model.document(
      "A cart on a spring and a damper with a swinging rod: Lagrange with Rayleigh dissipation");
  const Frame N = model.newtonian();
  const Quantity M = model.parameter("M", 2 * kg), mB = model.parameter("m", 1 * kg);
  const Quantity L = model.parameter("L", 0.8 * m), k = model.parameter("k", 30 * units::N / m);
  const Quantity c = model.parameter("c", 0.5 * units::N * s / m);
  const Quantity g = model.parameter("g", 9.81 * per_s2());
  const Quantity x = model.coordinate("x", {.start = 0.1 * m});
  const Quantity theta = model.coordinate("theta", {.start = 20 * deg});
  const Frame B = model.frame("B", rotate(N, Axis::z, theta));
  const Point Cart = model.particle("Cart", {.at = N.origin() + x * N.x(), .mass = M});
  const Quantity I = mB * L * L / 12;
  model.body(B, {.at = Cart - L / 2 * B.y(), .mass = mB, .inertia = {I, 0 * kg * m * m, I}});
  model.gravity(-g * N.y());
  model.potential("V", 0.5 * k * x * x);
  model.dissipation("D", 0.5 * c * model.rate(x) * model.rate(x));
  model.output("E_Z", model.result("E_Z"), true);
  model.output("E", model.result("E"), true);
  model.output("x", x, true);
  model.output("theta", theta, true);
  model.study({.until = 10, .every = 0.01, .tolerance = 1e-10});
  return model;
}

Model make_double_pendulum() {
  Model model("double_pendulum");
  model.document("Two particles on two strings, with the tensions nobody needs");
  const Frame N = model.newtonian();
  const Quantity m1 = model.parameter("m1", 1 * kg), m2 = model.parameter("m2", 1 * kg);
  const Quantity L = model.parameter("L", 1 * m), g = model.parameter("g", 9.81 * per_s2());
  const Quantity T1 = model.unknown("T1"), T2 = model.unknown("T2");
  const Quantity q1 = model.coordinate("q1", {.start = 120 * deg});
  const Quantity q2 = model.coordinate("q2", {.start = 120 * deg});
  const auto along = [&](const Quantity& q) { return L * (sin(q) * N.x() - cos(q) * N.y()); };
  const Point No = N.origin();
  const Point P1 = model.particle("P1", {.at = No + along(q1), .mass = m1});
  const Point P2 = model.particle("P2", {.at = P1 + along(q2), .mass = m2});
  model.gravity(-g * N.y());
  model.force("string1", {.on = P1, .from = No, .value = T1 * unit(No - P1)});
  model.force("string2", {.on = P2, .from = P1, .value = T2 * unit(P1 - P2)});
  model.output("E_Z", model.result("E_Z"), true);
  model.output("q1", q1, true);
  model.output("q2", q2, true);
  model.study({.until = 10, .every = 0.01, .tolerance = 1e-11});
  return model;
}

Model make_two_bodies() {
  Model model("two_bodies_ball_joint");
  model.document("Two free rigid bodies joined at a point by a ball joint and a spring elsewhere");
  const Frame N = model.newtonian();
  const Quantity m1 = model.parameter("m1", 2 * kg), m2 = model.parameter("m2", 1 * kg);
  const Quantity k = model.parameter("k", 40 * units::N / m), L0 = model.parameter("L0", 0.5 * m);
  std::map<std::string, Quantity> q;
  for (const std::string name : {"x1", "y1", "z1", "x2", "y2", "z2"})
    q[name] = model.coordinate(name, {.start = (name == "x2" ? 0.6 : 0.0) * m});
  const auto a = model.quaternion({"a0", "a1", "a2", "a3"});
  const auto b = model.quaternion({"b0", "b1", "b2", "b3"});
  model.start(model.rate(q["x1"]), 0.3 * m / s);
  model.start(model.rate(q["y1"]), 0 * m / s);
  model.start(model.rate(q["z1"]), 0.1 * m / s);
  const Frame A = model.frame("A", quaternion(N, a)), B = model.frame("B", quaternion(N, b));
  const Quantity I = kg * m * m;
  const auto place = [&](const char* x, const char* y, const char* z) {
    return N.origin() + q[x] * N.x() + q[y] * N.y() + q[z] * N.z();
  };
  const Point Acm = model.body(
      A, {.at = place("x1", "y1", "z1"), .mass = m1, .inertia = {0.02 * I, 0.03 * I, 0.04 * I}});
  const Point Bcm = model.body(
      B, {.at = place("x2", "y2", "z2"), .mass = m2, .inertia = {0.01 * I, 0.015 * I, 0.02 * I}});
  const Point PA = model.point("PA", Acm + 0.3 * m * A.x());
  const Point PB = model.point("PB", Bcm - 0.3 * m * B.x());
  const Point SA = model.point("SA", Acm + 0.2 * m * A.y());
  const Point SB = model.point("SB", Bcm + 0.25 * m * B.y());
  model.constraint("ball", PA - PB);
  model.spring("link", {.from = SA, .to = SB, .stiffness = k, .rest = L0});
  model.output("reaction(ball)", reaction(model, "ball"));
  model.output("reaction(ball).moment", model.moment("ball"));
  model.study({.until = 5, .every = 0.01, .tolerance = 1e-9});
  return model;
}

struct Example {
  const char* name;
  Model (*make)();
};
class Examples : public testing::TestWithParam<Example> {};

TEST_P(Examples, are_the_same_in_text_and_in_cpp) {
  EXPECT_TRUE(is_same_model(from_example(GetParam().name).data(), GetParam().make().data()));
}

// Statements of a text, continuation lines kept together; blank lines and comments are dropped.
std::vector<std::string> statements_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> statements;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(' ') == std::string::npos || line[0] == '#') continue;
    const bool goes_on =
        !statements.empty() && (statements.back().back() == ',' || statements.back().back() == '+');
    if (goes_on)
      statements.back() += "\n" + line;
    else
      statements.push_back(line);
  }
  return statements;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST_P(Examples, are_the_same_in_any_order_of_their_lines) {
  const Model expected = from_example(GetParam().name);
  std::vector<std::string> lines = statements_of(example(GetParam().name));
  ASSERT_GT(lines.size(), 5u);
  std::reverse(lines.begin(), lines.end());
  EXPECT_TRUE(
      is_same_model(from_text(join_lines(lines)).data(), expected.data(), Order::does_not_count));
  std::mt19937 random(7);
  for (int trial = 0; trial < 5; ++trial) {
    SCOPED_TRACE("seed 7, trial " + std::to_string(trial));
    std::shuffle(lines.begin(), lines.end(), random);
    EXPECT_TRUE(
        is_same_model(from_text(join_lines(lines)).data(), expected.data(), Order::does_not_count));
  }
}

TEST_P(Examples, are_the_same_with_the_line_ends_and_the_mark_of_another_system) {
  std::string text = "\xef\xbb\xbf";
  for (const std::string& line : statements_of(example(GetParam().name))) text += line + "\r\n";
  EXPECT_TRUE(is_same_model(from_text(text).data(), from_example(GetParam().name).data()));
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         testing::Values(Example{"hoist", make_hoist},
                                         Example{"positioning_device", make_positioning_device},
                                         Example{"rotating_rod", make_rotating_rod},
                                         Example{"cart_and_pendulum", make_cart_and_pendulum},
                                         Example{"double_pendulum", make_double_pendulum},
                                         Example{"two_bodies_ball_joint", make_two_bodies}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(SameModel, tells_models_apart_that_differ_in_one_place) {
  const auto differs = [](const std::string& from, const std::string& to) {
    std::ifstream in(example("hoist"));
    std::ostringstream text;
    text << in.rdbuf();
    std::string changed = text.str();
    changed.replace(changed.find(from), from.size(), to);
    return !is_same_model(from_text(changed).data(), make_hoist().data());
  };
  EXPECT_FALSE(differs("# the hoist", "# a hoist"));
  EXPECT_TRUE(differs("mQ = 1 kg", "mQ = 1.5 kg"));
  EXPECT_TRUE(differs("30 deg", "31 deg"));
  EXPECT_TRUE(differs("rotate(N, x, theta)", "rotate(N, y, theta)"));
  EXPECT_TRUE(differs("Q - L*B.y", "Q + L*B.y"));
  EXPECT_TRUE(differs("-g*N.y", "g*N.y"));
  EXPECT_TRUE(differs("0.01 s", "0.02 s"));
  EXPECT_TRUE(differs("1e-10", "2e-10"));
  EXPECT_TRUE(differs("from straight", "off straight"));
}

// ---- The language

// Every statement and function of the contract.
const char* const everything = R"(model everything "all of it"
parameter  mB = 2 kg, L = 0.5 m, r = 100 mm, k = 2 kN/m, b = 0.1 N*s/m, kt = 3 N*m, g = 9.81 m/s^2
parameter  Ixx = mB*L^2/12, später = 2*Ixx
specified  x(t) = 3 m * cos(1 rad/s * t), Omega(t) = 0.5 rad/s^2*t
specified  F(t) = table("force.csv", column 2, unit N)
input      tau = 0 N*m
coordinate theta = 30 deg, φ = 0.1 rev
coordinate s = 0 m, s' = 0.2 m/s
coordinate q1 = 0.1, q2 = 0.2, q3 = 0.3, y1 = 0 m, y2 = 0 m, y3 = 1 m
coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0, g1, g2, g3
speed      u1 = y1'*cos(q3) + y2'*sin(q3)
speed      u2 = y2'*cos(q3) - y1'*sin(q3)
speed      wx, wy, wz
start      u1 = 2 m/s, wy = 0 rad/s, angular_velocity(D) = 3 rad/s*D.z, q1' = 1 rad/s
dependent  wx, wz
auxiliary  ua along N.y at P
unknown    T1
let        d = P - Q, length = magnitude(d), place = P + d/2
let        shift = 0.3 m*A.x

frame A = rotate(N, z, theta)
frame B = rotate(A, A.x + A.y, φ)
frame C = rotate(N, zxz, q1, q2, q3)
frame S = rotate(C, space zxz, q1, q2, q3)
frame D = quaternion(N, e0, e1, e2, e3)
frame R = rodrigues(N, g1, g2, g3)
frame V = spin(N, Omega*N.y)
frame W = spin(N, wx*V.x + wy*V.y + wz*V.z)

point    Hook = No + x*N.x
point    P = No + y1*N.x + y2*N.y + y3*N.z
particle Q at Hook - L*A.y + shift, mass mB
body     A at Hook - L*A.y, mass mB, rod length L along y
body     B at Hook - L*B.y, mass mB, inertia Ixx, Ixx, Ixx, 0, 0, 0, shape box L, L, L
body     C at P, mass mB, cylinder radius r, length L along z
body     S at P + s*C.x, mass mB, disc radius r along z
body     D at place, mass mB, box L, L, 2*L
body     R at P, mass mB, shell radius r
body     W at No + r*N.y + s*V.x, mass mB, sphere radius r

gravity  -g*N.y
force    F1 on Q = -b*velocity(Q) + F*N.x
force    F3 on C at P + L*C.x = 1 N*N.x
force    F2 on Acm from Q = T1*unit(Q - Acm)
torque   T2 on C from B = tau*C.z - 1 N*m*s*(angular_velocity(C) - angular_velocity(B, A))
spring   S1 from Q to Ccm, stiffness k, rest L
spring   S2 on theta, stiffness kt, rest 0 deg
damper   D1 from Q to Ccm, rate b
damper   D2 on s, rate b
potential   Pot = 1/2*k*s^2*(1 + sin(1 rad/s*t))
dissipation Dis = 1/2*b*s'^2

constraint dot(P - No, N.z) = 1 m
constraint ball: Acm - P = 0
constraint slide: dot(velocity(P on C), A.y) = 0
roll     contact: W on N at Wcm - r*N.y
lock     φ

output   theta, E_Z, vx = dot(velocity(Q), N.x), reaction(Hook), reaction(ball), power(x), power(F1)
output   momentum(C), angular_momentum(C, No), angular_acceleration(C), acceleration(P), work(S1)
output   work(x), power(Pot), generalized_work(F1), generalized_power(gravity), work(nonconservative)
output   action()
output   f = sin(q1) + cos(q1) + tan(q1) + asin(q1) + acos(q1) + atan(q1) + atan2(s, L) +
             sinh(q1) + cosh(q1) + tanh(q1) + exp(q1) + log(2 + q1) + sqrt(abs(q1)) + sign(q1)
output   h = step(q1) + min(q1, q2) + max(q1, pi), c = dot(cross(d, N.x), velocity(Q, A)), length
plot     E_Z, E, H, C, K, K0, K1, K2, U, Z, sigma, sigma_R, P_nonconservative
study    until 10 s, every 10 ms, tolerance 1e-10, energy 1e-6 J
event    hit when dot(Q - No, N.y) = 0, stop
case     rigid "tube rigid, no damping": lock s, b = 0 N*s/m, Omega = 4 rad/s
)";

class Everything : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("visviva_everything_" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "force.csv") << "t,F\n0,1\n1,2\n2,4\n3,8\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  // The model, when no error was found; warnings are allowed.
  std::optional<Model> read(const std::string& text, const ReadOptions& options = {}) {
    const std::string file = (folder_ / "model.viva").string();
    std::ofstream(file, std::ios::binary) << text;
    ModelReading reading = try_load_model(file, options);
    EXPECT_TRUE(reading.model) << render_diagnostics(reading.diagnostics, reading.source);
    return std::move(reading.model);
  }
  std::filesystem::path folder_;
};

TEST_F(Everything, that_the_contract_shows_is_read) {
  const auto model = read(everything);
  ASSERT_TRUE(model);
  const ModelData& data = model->data();
  EXPECT_EQ(data.frames.size(), 9u);
  EXPECT_EQ(data.bodies.size(), 8u);
  EXPECT_EQ(data.forces.size(), 4u);
  EXPECT_EQ(data.springs.size(), 4u);
  EXPECT_EQ(data.energies.size(), 2u);
  EXPECT_EQ(data.constraints.size(), 5u);
  EXPECT_EQ(data.start_conditions.size(), 1u);
  EXPECT_EQ(data.dependent.size(), 2u);
  EXPECT_EQ(data.auxiliaries.size(), 1u);
  EXPECT_EQ(data.events.size(), 1u);
  EXPECT_EQ(data.study.every, 0.01);
  EXPECT_EQ(data.study.energy, 1e-6);
  ASSERT_NE(data.specified[2].table, nullptr);
  EXPECT_EQ(data.specified[2].table->value(2), 4);
  std::map<std::string, std::string> units;
  for (const OutputData& o : data.outputs) units[o.name] = print_dimension(o.dimension);
  for (const char* energy :
       {"work(S1)", "work(x)", "generalized_work(F1)", "work(nonconservative)"})
    EXPECT_EQ(units[energy], units["E_Z"]) << energy;
  for (const char* power : {"power(x)", "power(Pot)", "generalized_power(gravity)"})
    EXPECT_EQ(units[power], units["sigma"]) << power;
  EXPECT_EQ(units["action()"], units["angular_momentum(C, No)"]);
}

TEST_F(Everything, reads_the_same_with_other_line_ends_and_a_mark) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : std::string(everything)) {
    if (c == '\n') text += '\r';
    text += c;
  }
  const auto plain = read(everything), other = read(text);
  ASSERT_TRUE(plain && other);
  EXPECT_TRUE(is_same_model(other->data(), plain->data()));
}

TEST_F(Everything, has_a_case_that_locks_and_redefines) {
  const auto model = read(everything, {.case_name = "rigid"});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->data().case_name, "rigid");
  EXPECT_EQ(model->data().constraints.size(), 6u);
  EXPECT_TRUE(model->data().parameters[4].value->is_zero());
  EXPECT_EQ(*model->data().specified[1].definition, 4.0);
}

// ---- Values, and how settings change them

double value_of(const Model& model, const std::string& name) {
  std::vector<Expr> symbols = {model.data().time};
  std::vector<double> values = {1.0};
  for (const ParameterData& p : model.data().parameters) {
    const double value = evaluate(*p.value, symbols, values);
    if (p.name == name) return value;
    symbols.push_back(p.symbol);
    values.push_back(value);
  }
  const auto number = [&](const Expr& e) { return evaluate(e, symbols, values); };
  for (const InputData& i : model.data().inputs) {
    if (i.name == name) return number(i.value);
  }
  for (const SpecifiedData& x : model.data().specified) {
    if (x.name == name) return number(*x.definition);
  }
  for (const CoordinateData& c : model.data().coordinates) {
    if (c.name == name) return number(*c.start);
    if (c.name + "'" == name) return number(*c.start_rate);
  }
  throw std::runtime_error("no value: " + name);
}

TEST(Units, stand_at_numbers) {
  const Model model = from_text(
      "parameter p = 4 s, v = 2 m/s, w = 2 m / p, a = 90 deg, n = 2 rev, f = 3 kN, e = 1 min\n"
      "parameter c = 2 cm^2, d = 3 s^-1, m1 = 500 gram\n");
  EXPECT_EQ(value_of(model, "v"), 2);
  EXPECT_EQ(value_of(model, "w"), 0.5);  // divided by the parameter
  EXPECT_DOUBLE_EQ(value_of(model, "a"), std::acos(0.0));
  EXPECT_DOUBLE_EQ(value_of(model, "n"), 8 * std::acos(0.0));
  EXPECT_EQ(value_of(model, "f"), 3000);
  EXPECT_EQ(value_of(model, "e"), 60);
  EXPECT_EQ(value_of(model, "c"), 2e-4);
  EXPECT_EQ(value_of(model, "d"), 3);
  EXPECT_EQ(value_of(model, "m1"), 0.5);
  EXPECT_EQ(model.data().parameters[2].dimension.resolved(), (m / s).dimension());
}

TEST(Dimensions, are_inferred_where_no_value_tells_them) {
  const Model model = from_text(
      "parameter mB, L, g, k\nspecified x(t)\ncoordinate theta, y\nspeed w\n"
      "frame B = rotate(N, z, theta)\nframe W = spin(N, w*B.x)\n"
      "particle P at No + x*N.x + y*N.z - L*B.y, mass mB\n"
      "gravity -g*N.y\nspring S on theta, stiffness k\n");
  const ModelData& data = model.data();
  const auto dimension = [&](std::size_t i) { return data.parameters[i].dimension.resolved(); };
  EXPECT_EQ(dimension(0), kg.dimension());
  EXPECT_EQ(dimension(1), m.dimension());
  EXPECT_EQ(dimension(2), per_s2().dimension());
  EXPECT_EQ(dimension(3), J.dimension());
  EXPECT_EQ(data.specified[0].dimension.resolved(), m.dimension());
  EXPECT_EQ(data.coordinates[0].dimension.resolved(), Dimension());
  EXPECT_EQ(data.coordinates[1].dimension.resolved(), m.dimension());
  EXPECT_EQ(data.speeds[0].dimension.resolved(), (1 / s).dimension());
}

constexpr const char* changeable =
    "parameter L = 2 m, b = 1 kg\nspecified Omega(t) = 0.5 rad/s^2*t\n"
    "input F = 1 N\ncoordinate q = 30 deg, q' = 1 rad/s, y = 1 m\n"
    "frame A = spin(N, Omega*N.z)\nframe B = rotate(A, x, q)\n"
    "particle P at No + L*B.y + y*N.z, mass b\nforce drive on P = F*N.x\n"
    "case heavy: b = 7 kg, L = 3 m, Omega = 4 rad/s, q = 1 rad\n";

TEST(Settings, change_parameters_inputs_functions_and_start_values) {
  const Model model = from_text(changeable, {.settings = {{"L", "70 cm"},
                                                          {"F", "3"},
                                                          {"Omega", "4 rad/s"},
                                                          {"q", "90 deg"},
                                                          {"q'", "2"},
                                                          {"y", "0.25"}}});
  EXPECT_EQ(value_of(model, "L"), 0.7);
  EXPECT_EQ(value_of(model, "F"), 3);
  EXPECT_EQ(value_of(model, "Omega"), 4);
  EXPECT_DOUBLE_EQ(value_of(model, "q"), std::acos(0.0));
  EXPECT_EQ(value_of(model, "q'"), 2);
  EXPECT_EQ(value_of(model, "y"), 0.25);
}

TEST(Settings, may_be_functions_of_time) {
  const Model model = from_text(changeable, {.settings = {{"Omega", "2 rad/s*cos(1 rad/s*t)"}}});
  EXPECT_DOUBLE_EQ(value_of(model, "Omega"), 2 * std::cos(1.0));
}

TEST(Settings, come_after_the_case) {
  const Model model = from_text(changeable, {.case_name = "heavy", .settings = {{"L", "5"}}});
  EXPECT_EQ(value_of(model, "L"), 5);
  EXPECT_EQ(value_of(model, "b"), 7);
  EXPECT_EQ(value_of(model, "Omega"), 4);
  EXPECT_EQ(value_of(model, "q"), 1);
  EXPECT_EQ(value_of(model, "q'"), 1);
}

}  // namespace
}  // namespace visviva
