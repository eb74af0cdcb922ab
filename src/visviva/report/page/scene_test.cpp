// Scenes of small mechanisms against closed forms.
#include "visviva/report/page/scene.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "visviva/codegen/system/compile.h"
#include "visviva/report/page/scene_json.h"
#include "visviva/report/page/scene_words.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

using namespace units;
using json = nlohmann::ordered_json;

constexpr double g = 9.81;
constexpr double single = 2e-7;        // of numbers of order 1 with 24 bits
constexpr double sixteen_bits = 4e-5;  // of a quaternion's components
constexpr double run_error = 1e-8;     // of a run at 1e-11

Trajectory simulate_scene(const Model& model, const Scene& scene, const Equations& equations,
                          double until) {
  SystemOptions options{.sensitivities = false, .momenta = false};
  options.extra_outputs = scene.outputs;
  const CompiledSystem system = compile(equations, analyze_energy(equations), options);
  EXPECT_TRUE(system.other_outputs().empty()) << model.data().name;
  return simulate(system, {.until = until, .every = until / 200, .tolerance = 1e-11});
}

json make_json(const Model& model, double until) {
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const Scene scene = make_scene(equations, make_consistent_start(motion));
  return make_scene_json(scene, simulate_scene(model, scene, equations, until));
}

// The reverse of RFC 4648, section 4.
std::vector<unsigned char> decode(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8) & 0xff));
  }
  return bytes;
}

// On a machine that stores numbers with the least significant byte first.
template <class Number>
std::vector<Number> numbers(const json& text) {
  const std::vector<unsigned char> bytes = decode(text.get<std::string>());
  std::vector<Number> all(bytes.size() / sizeof(Number));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

const json& named(const json& list, const std::string& name) {
  for (const json& item : list)
    if (item.contains("name") && item["name"] == name) return item;
  ADD_FAILURE() << "no " << name;
  return list[0];
}

std::vector<json> of_kind(const json& scene, const std::string& kind) {
  std::vector<json> all;
  for (const json& item : scene["objects"])
    if (item["kind"] == kind) all.push_back(item);
  return all;
}

bool has_null(const json& j) {
  if (j.is_null()) return true;
  if (!j.is_structured()) return false;
  for (const json& item : j)
    if (has_null(item)) return true;
  return false;
}

TEST(Scene, of_a_double_pendulum_has_its_positions_and_rods) {
  Model model("double_pendulum");
  const Frame N = model.newtonian();
  const Quantity a = model.coordinate("a", {.start = 1.2 * rad}),
                 b = model.coordinate("b", {.start = -0.4 * rad});
  const Frame A = model.frame("A", rotate(N, Axis::z, a));
  const Point P = model.particle("P", {.at = N.origin() - 0.7 * m * A.y(), .mass = 2 * kg});
  // Without a frame: the length is as constant.
  model.particle("Q", {.at = P + 0.4 * m * (sin(b) * N.x() - cos(b) * N.y()), .mass = 1 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  model.output("a", a);
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const Scene scene = make_scene(equations, make_consistent_start(motion));
  const Trajectory run = simulate_scene(model, scene, equations, 2.0);
  const json j = make_scene_json(scene, run);
  ASSERT_EQ(j["count"], 201);
  const auto time = numbers<double>(j["time"]);
  const auto positions = numbers<float>(j["positions"]);
  ASSERT_EQ(positions.size(), 2u * 201 * 3);
  const std::size_t Q = named(j["points"], "Q")["track"].get<std::size_t>();
  for (const std::size_t i : {0u, 57u, 200u}) {
    EXPECT_EQ(time[i], run["t"][i]);
    const double x = 0.7 * std::sin(run["a"][i]) + 0.4 * std::sin(run["b"][i]);
    const double y = -0.7 * std::cos(run["a"][i]) - 0.4 * std::cos(run["b"][i]);
    EXPECT_NEAR(positions[(Q * 201 + i) * 3], x, single);
    EXPECT_NEAR(positions[(Q * 201 + i) * 3 + 1], y, single);
    EXPECT_EQ(positions[(Q * 201 + i) * 3 + 2], 0);
  }
  const auto links = of_kind(j, "link");
  ASSERT_EQ(links.size(), 2u);
  for (const json& link : links) EXPECT_TRUE(link["fixed_length"].get<bool>());
  EXPECT_EQ(j["up"], json({0.0, 1.0, 0.0}));
  EXPECT_EQ(j["traces"].size(), 2u);
  EXPECT_FALSE(has_null(j));
}

// A body without a shape is drawn between its joints; on a fixed axle as a disc of its inertia, elsewhere as a bar.
TEST(Scene, bodies_without_shapes_are_links_wheels_and_bars) {
  Model model("arm");
  const Frame N = model.newtonian();
  const Quantity a = model.coordinate("a", {.start = 0.3 * rad}), b = model.coordinate("b"),
                 c = model.coordinate("c"), x = model.coordinate("x", {.start = 1 * m});
  const Quantity I = 0.02 * kg * m * m;
  const Frame A = model.frame("A", rotate(N, Axis::z, a)),
              B = model.frame("B", rotate(N, Axis::z, b)),
              C = model.frame("C", rotate(N, Axis::z, c));
  model.body(A, {.at = N.origin() + 0.5 * m * A.x(), .mass = 1 * kg, .inertia = Inertia{I, I, I}});
  model.point("P", N.origin() + 1 * m * A.x());
  model.body(B, {.at = N.origin() + 3 * m * N.x(), .mass = 1 * kg, .inertia = Inertia{I, I, I}});
  model.body(C, {.at = N.origin() + x * N.y(), .mass = 1 * kg, .inertia = Inertia{I, I, I}});
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const Scene scene = make_scene(equations, make_consistent_start(motion));
  std::map<std::string, SceneObject> bodies;
  std::size_t bars = 0;
  for (const SceneObject& o : scene.objects) {
    if (o.is_standin) bodies[o.name] = o;
    if (!o.bar_of.empty()) {
      EXPECT_EQ(o.bar_of, "A");
      ++bars;
    }
  }
  EXPECT_EQ(bars, 2U);
  EXPECT_EQ(bodies.at("A").kind, SceneObject::Kind::sphere);
  EXPECT_EQ(bodies.at("B").kind, SceneObject::Kind::disc);
  EXPECT_NEAR(bodies.at("B").sizes[0], std::sqrt(2 * 0.02), 1e-12) << "I = m r^2/2";
  EXPECT_EQ(bodies.at("C").kind, SceneObject::Kind::box);
  EXPECT_NEAR(bodies.at("C").sizes[0], std::sqrt(12 * 0.02), 1e-12) << "I = m L^2/12";
}

// x = v t, and the wheel has turned by -v t/r about z: nothing in the motion needs its orientation.
TEST(Scene, of_a_rolling_wheel_turns_it_by_the_way_over_the_radius) {
  Model model("wheel");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start_rate = 3 * m / s});
  const Quantity w = model.speed("w");
  const Frame W = model.frame("W", spin(N, w * N.z()));
  const Point C = model.body(W, {.at = N.origin() + x * N.x() + 0.5 * m * N.y(),
                                 .mass = 2 * kg,
                                 .solid = disc(0.5 * m, Axis::z)});
  const Point K = model.point("K", C - 0.5 * m * N.y());
  model.roll("contact", {.body = W, .on = N, .at = K});
  const json j = make_json(model, 4.0);
  const auto time = numbers<double>(j["time"]);
  const auto positions = numbers<float>(j["positions"]);
  const auto turns = numbers<std::int16_t>(j["orientations"]);
  const std::size_t n = j["count"].get<std::size_t>();
  const std::size_t at = named(j["points"], "Wcm")["track"].get<std::size_t>() * n * 3;
  ASSERT_EQ(turns.size(), 4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(positions[at + 3 * i], 3 * time[i], 12 * single);
    // 24 rad: half the angle passes through several signs, the track does not jump.
    const double half = -3 * time[i] / 0.5 / 2;
    EXPECT_NEAR(turns[4 * i] / 32767.0, std::cos(half), sixteen_bits);
    EXPECT_NEAR(turns[4 * i + 3] / 32767.0, std::sin(half), sixteen_bits);
  }
  const auto rolls = of_kind(j, "roll"), discs = of_kind(j, "disc");
  ASSERT_EQ(rolls.size(), 1u);
  EXPECT_EQ(rolls[0]["on"], 0);
  ASSERT_EQ(discs.size(), 1u);
  EXPECT_EQ(discs[0]["radius"], 0.5);
  EXPECT_EQ(discs[0]["axis"], "z");
  EXPECT_FALSE(has_null(j));
}

TEST(Scene, of_a_pendulum_at_rest_shows_its_weight_held_by_the_pivot) {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q");
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  const Point O = model.point("O", N.origin() + 0.3 * m * N.x());
  model.particle("Q", {.at = O - 0.8 * m * A.y(), .mass = 2 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  const json j = make_json(model, 1.0);
  const json& hinge = named(j["arrows"], "reaction at O");
  EXPECT_EQ(hinge["group"], "reactions");
  EXPECT_EQ(j["points"][hinge["at"].get<std::size_t>()]["name"], "O");
  EXPECT_NEAR(hinge["fixed"][0].get<double>(), 0, run_error);
  EXPECT_NEAR(hinge["fixed"][1].get<double>(), 2 * g, run_error);
  const json& weight = named(j["arrows"], "gravity on Q");
  EXPECT_EQ(weight["group"], "gravity");
  EXPECT_EQ(weight["fixed"], json({0.0, -2 * g, 0.0}));
  EXPECT_EQ(weight["largest"], 2 * g);
  // Nothing moves: no tracks, no traces.
  EXPECT_EQ(j["positions"], "");
  EXPECT_TRUE(j["traces"].empty());
  EXPECT_FALSE(has_null(j));
}

// The tension is m g cos q + m l q'^2 along the string (a pendulum's closed form).
TEST(Scene, of_a_constraint_shows_its_force_where_it_acts) {
  Model model("string");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.8 * m}), y = model.coordinate("y");
  const Point Q = model.particle("Q", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 2 * kg});
  const Vector r = Q - N.origin();
  model.constraint("string", dot(r, r) - 0.64 * m * m);
  const VirtualData v = model.virtual_displacement(Q), o = model.virtual_displacement(N.origin());
  const auto moved = [&](const VirtualData& by) {
    return Vector(Q.model(), {{0, {by.symbols[0], by.symbols[1], by.symbols[2]}}},
                  Dimension::of(Dimension::length));
  };
  const Vector displaced = r + moved(v) - moved(o);
  model.displace_constraint(
      {.scalar = (dot(displaced, displaced) - 0.64 * m * m).expr(), .virtuals = {v, o}});
  model.gravity(-g * m / (s * s) * N.y());
  const json j = make_json(model, 0.5);
  const auto links = of_kind(j, "link");
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0]["name"], "string");
  const json& force = named(j["arrows"], "string");
  const auto vectors = numbers<float>(j["vectors"]), positions = numbers<float>(j["positions"]);
  const std::size_t n = j["count"].get<std::size_t>();
  const std::size_t first = force["track"].get<std::size_t>() * n * 3;
  for (const std::size_t i : {40u, 150u}) {
    const double c = -positions[3 * i + 1] / 0.8;  // cos q, from rest at cos q = 0: l q'^2 = 2 g c
    const double size = std::hypot(vectors[first + 3 * i], vectors[first + 3 * i + 1]);
    EXPECT_NEAR(size, 2 * 3 * g * c, 60 * single);
  }
}

// A crank with its connecting rod, as examples/slider_crank.viva; a sliding offset in two steps.
TEST(Scene, draws_rods_that_close_a_loop_and_corners_of_offsets) {
  Model model("slider");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start_rate = 20 * rad / s}),
                 z = model.coordinate("z", {.start_rate = 1 * m / s});
  const Frame C = model.frame("C", rotate(N, Axis::z, q));
  model.particle("A", {.at = N.origin() + 0.1 * m * C.x(), .mass = 1 * kg});
  const Quantity reach = 0.1 * m * cos(q) + sqrt(0.09 * m * m - 0.01 * m * m * sin(q) * sin(q));
  model.particle("S", {.at = N.origin() + reach * N.x(), .mass = 1 * kg});
  model.particle("D",
                 {.at = N.origin() + 0.05 * m * N.y() + (0.2 * m + z) * C.x(), .mass = 1 * kg});
  model.particle("F", {.at = N.origin() + z * N.x() + z * z / (1 * m) * N.z(), .mass = 1 * kg});
  const json j = make_json(model, 0.2);
  const auto ends = [&](const json& link) {
    return std::make_pair(j["points"][link["from"].get<std::size_t>()]["name"].get<std::string>(),
                          j["points"][link["to"].get<std::size_t>()]["name"].get<std::string>());
  };
  std::map<std::pair<std::string, std::string>, bool> links;
  for (const json& link : of_kind(j, "link")) links[ends(link)] = link["fixed_length"].get<bool>();
  const std::map<std::pair<std::string, std::string>, bool> expected = {{{"No", "A"}, true},
                                                                        {{"No", "S"}, false},
                                                                        {{"S", "A"}, true},
                                                                        {{"No", ""}, true},
                                                                        {{"", "D"}, false}};
  EXPECT_EQ(links, expected);
}

TEST(Scene, leaves_out_forces_that_have_no_value) {
  Model model("string");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start = 1 * rad});
  const Quantity T = model.unknown("T");
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  const Point Q = model.particle("Q", {.at = N.origin() - 0.8 * m * A.y(), .mass = 2 * kg});
  model.force("pull", {.on = Q, .value = T * A.y()});
  model.gravity(-g * m / (s * s) * N.y());
  const json j = make_json(model, 1.0);
  ASSERT_EQ(j["arrows"].size(), 1u);
  EXPECT_EQ(j["arrows"][0]["name"], "gravity on Q");
}

TEST(Scene, of_springs_tells_their_ends_and_rest) {
  Model model("spring");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.3 * m});
  const Point Q = model.particle("Q", {.at = N.origin() + x * N.x(), .mass = 2 * kg});
  model.spring("S", {.from = N.origin(), .to = Q, .stiffness = 50 * units::N / m, .rest = 0.2 * m});
  const json j = make_json(model, 1.0);
  const auto springs = of_kind(j, "spring");
  ASSERT_EQ(springs.size(), 1u);
  EXPECT_EQ(springs[0]["from"], 0);
  EXPECT_EQ(springs[0]["to"], 1);
  EXPECT_EQ(springs[0]["rest"], 0.2);
  // What pulls the ground is not shown.
  std::size_t pulls = 0;
  for (const json& arrow : j["arrows"]) pulls += arrow["name"] == "S";
  EXPECT_EQ(pulls, 1u);
  EXPECT_NE(j["alternative"].get<std::string>().find("the spring S"), std::string::npos);
}

// A uniform sphere that a force F at its middle pushes along a plane rolls with a = 5 F/(7 m): friction
// takes 2 F/7, and the plane carries the weight. It is drawn once, though the description holds the sphere
// at its height too.
TEST(Scene, of_a_rolling_sphere_shows_the_force_of_the_contact_once) {
  Model model("sphere");
  const Frame N = model.newtonian();
  const Quantity s = model.coordinate("s"), q = model.coordinate("q");
  const Frame C = model.frame("C", rotate(N, Axis::z, q));
  const Point P = model.body(
      C,
      {.at = N.origin() + s * N.x() + 0.3 * m * N.y(), .mass = 2 * kg, .solid = sphere(0.3 * m)});
  model.roll("contact", {.body = C, .on = N, .at = model.point("K", P - 0.3 * m * N.y())});
  model.force("push", {.on = P, .value = 3 * units::N * N.x()});
  model.gravity(-g * m / (units::s * units::s) * N.y());
  const json j = make_json(model, 1.0);
  std::vector<json> reactions;
  for (const json& arrow : j["arrows"])
    if (arrow["group"] == "reactions") reactions.push_back(arrow);
  ASSERT_EQ(reactions.size(), 1u);
  EXPECT_EQ(reactions[0]["name"], "contact");
  EXPECT_NEAR(reactions[0]["fixed"][0].get<double>(), -2.0 * 3 / 7, run_error);
  EXPECT_NEAR(reactions[0]["fixed"][1].get<double>(), 2 * g, run_error);
  EXPECT_FALSE(reactions[0].contains("partial"));
}

// Frames of a rotor about z, and samples of its angle.
json make_rotor_json(double rate, double every, std::size_t count) {
  Scene scene;
  scene.points = {{"No", 0, "No"}};
  scene.frames = {{"N"}, {"B", 0, 0, 0, "x", "y"}};
  Trajectory run;
  run.columns = {"t", "x.x", "x.y", "x.z", "y.x", "y.y", "y.z"};
  run.samples.assign(run.columns.size(), std::vector<double>(count, 0.0));
  for (std::size_t i = 0; i < count; ++i) {
    const double t = every * static_cast<double>(i);
    run.samples[0][i] = t;
    run.samples[1][i] = run.samples[5][i] = std::cos(rate * t);
    run.samples[2][i] = std::sin(rate * t);
    run.samples[4][i] = -std::sin(rate * t);
  }
  return make_scene_json(scene, run);
}

// 955 rpm for a minute: thinned to about 4 rad a frame, of which the shortest way round is back.
TEST(Scene, of_a_fast_rotor_tells_which_way_it_turns) {
  const json j = make_rotor_json(100, 0.01, 6001);
  EXPECT_FALSE(j.contains("blur"));
  const auto time = numbers<double>(j["time"]);
  const auto turns = numbers<std::int16_t>(j["orientations"]);
  ASSERT_EQ(turns.size(), 4 * time.size());
  EXPECT_LT(time.size(), 6001u);
  for (std::size_t i = 0; i < time.size(); ++i) {
    EXPECT_NEAR(turns[4 * i] / 32767.0, std::cos(50 * time[i]), sixteen_bits);
    EXPECT_NEAR(turns[4 * i + 3] / 32767.0, std::sin(50 * time[i]), sixteen_bits);
    EXPECT_LT(100 * (time[i] - time[i > 0 ? i - 1 : 0]), 5 + run_error);
  }
}

// Twice as fast there are more frames; 30 times as fast there are too few, and what turns 3 rad from a sample
// to the next nearly turns the other way.
TEST(Scene, of_a_rotor_that_is_too_fast_says_so) {
  const json fast = make_rotor_json(200, 0.01, 6001);
  EXPECT_GT(fast["count"], 2300);
  EXPECT_FALSE(fast.contains("blur"));
  EXPECT_GT(make_rotor_json(3000, 0.0005, 40'001)["blur"], 5);
  EXPECT_TRUE(make_rotor_json(3000, 0.001, 1001).contains("blur"));
  EXPECT_FALSE(make_rotor_json(2000, 0.001, 1001).contains("blur"));
}

TEST(Scene, shows_the_components_of_a_force_that_are_known) {
  Scene scene;
  scene.points = {{"No", 0, "No"}};
  scene.frames = {{"N"}};
  scene.arrows = {{SceneArrow::Kind::reaction, "contact", false, 0, "R", {}}};
  Trajectory run;
  run.columns = {"t", "R.x", "R.y", "R.z"};
  run.samples = {{0, 1}, {3, 3}, {4, 4}, {NAN, NAN}};
  const json j = make_scene_json(scene, run);
  ASSERT_EQ(j["arrows"].size(), 1u);
  EXPECT_EQ(j["arrows"][0]["fixed"], json({3.0, 4.0, 0.0}));
  EXPECT_EQ(j["arrows"][0]["largest"], 5.0);
  EXPECT_EQ(j["arrows"][0]["partial"], true);
}

TEST(Scene, of_a_run_without_samples_is_null) {
  Model model("still");
  const Kinematics motion = analyze_motion(model);
  const Scene scene = make_scene(derive(motion), make_consistent_start(motion));
  EXPECT_TRUE(make_scene_json(scene, Trajectory{}).is_null());
}

// A run of 20,000 samples with 100 points that move.
TEST(Scene, stays_small_in_long_runs) {
  Scene scene;
  Trajectory run;
  run.columns = {"t"};
  run.samples.resize(1);
  for (int i = 0; i < 20000; ++i) run.samples[0].push_back(i * 1e-3);
  for (int P = 0; P < 100; ++P) {
    const std::string column = "scene.point(" + std::to_string(P) + ")";
    scene.points.push_back({"P", 0, column});
    for (const char* axis : {".x", ".y", ".z"}) {
      run.columns.push_back(column + axis);
      run.samples.push_back(run.samples[0]);
    }
  }
  scene.frames.push_back({"N"});
  const json j = make_scene_json(scene, run);
  EXPECT_LT(j.dump().size(), 1'600'000u);
  EXPECT_GT(j["count"], 900);
  const auto time = numbers<double>(j["time"]);
  EXPECT_EQ(time.front(), 0);
  EXPECT_EQ(time.back(), run.samples[0].back());
}

}  // namespace
}  // namespace visviva
