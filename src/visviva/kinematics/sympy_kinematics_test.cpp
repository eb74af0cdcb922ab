// Kinematics against SymPy's physics.vector (Debian's python3-sympy): random trees of frames and
// points, at random states. One Python process for all of them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using mechanisms::Mechanism;
using mechanisms::Random;
using nlohmann::json;

constexpr int models = 14;
// Both sides compute in double, in different orders; values are of size 1 to 100.
constexpr double sympy_tolerance = 1e-12;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One mechanism, its kinematics, and a state of it.
struct Case {
  explicit Case(std::uint64_t seed)
      : mechanism(
            seed,
            {.frames = 3, .points = 2, .spins = false, .bodies = false, .speeds = seed % 3 != 0}),
        kinematics(analyze_motion(mechanism.model)) {
    Random random(seed + 7);
    const ModelData& model = kinematics.model();
    const auto give = [&](const std::string& name, const Expr& symbol, double value) {
      symbols.push_back(symbol);
      numbers.push_back(value);
      values[name] = value;
    };
    give("t", model.time, random.uniform(0, 2));
    give("L", model.parameters[0].symbol, 1.3);
    for (const SpecifiedData& x : model.specified) {
      std::string name = x.name;
      for (std::size_t k = 0; k < 3; ++k, name += "'") {
        give(name, x.derivatives[k], random.uniform(-1, 1));
      }
    }
    for (const CoordinateData& c : model.coordinates) {
      if (c.quaternion < 0) give(c.name, c.q, random.uniform(0.2, 1.1));
    }
    for (const auto& e : mechanism.quaternions) {
      std::array<double, 4> x;
      for (double& v : x) v = random.uniform(0.2, 1);
      const double norm = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
      for (std::size_t i = 0; i < 4; ++i) {
        give(model.pool->symbol_name(e[i].expr().ref()), e[i].expr(), x[i] / norm);
      }
    }
    for (const Speed& s : kinematics.speeds()) {
      give(s.name, s.u, random.uniform(-1, 1));
      give(s.name + "'", s.rate, random.uniform(-1, 1));
    }
  }

  // As sympy_kinematics.py reads it.
  json describe() const {
    json j = {{"values", values},
              {"frames", json::array()},
              {"points", json::array()},
              {"speeds", json::array()},
              {"quaternions", json::array()}};
    for (std::size_t i = 1; i < mechanism.frames.size(); ++i) {
      const mechanisms::FrameRecipe& r = mechanism.frame_recipes[i - 1];
      j["frames"].push_back({{"name", mechanism.frames[i].name()},
                             {"parent", r.parent},
                             {"kind", r.kind},
                             {"axes", r.axes},
                             {"arguments", r.arguments}});
    }
    for (std::size_t i = 1; i < mechanism.points.size(); ++i) {
      const mechanisms::PointRecipe& r = mechanism.point_recipes[i - 1];
      j["points"].push_back(
          {{"name", mechanism.points[i].name()}, {"parent", r.parent}, {"parts", r.parts}});
    }
    for (const CoordinateData& c : kinematics.model().coordinates) {
      j["coordinates"].push_back(c.name);
    }
    for (const SpecifiedData& x : kinematics.model().specified) j["known"].push_back(x.name);
    for (const auto& e : mechanism.quaternions) {
      json names;
      for (const Quantity& x : e) {
        names.push_back(kinematics.model().pool->symbol_name(x.expr().ref()));
      }
      j["quaternions"].push_back(names);
    }
    for (const Speed& s : kinematics.speeds()) {
      if (s.coordinate >= 0) {
        const std::string name = s.name.substr(0, s.name.size() - 1);
        j["speeds"].push_back({{"name", s.name}, {"python", name + "_dot"}});
      }
    }
    for (const auto& [name, python] : mechanism.definitions) {
      j["speeds"].push_back({{"name", name}, {"python", python}});
    }
    for (const mechanisms::Component& c : mechanism.components) {
      j["speeds"].push_back({{"name", c.speed},
                             {"of", c.of.name()},
                             {"in", c.in.name()},
                             {"along", c.along.name()},
                             {"axis", c.axis}});
    }
    return j;
  }

  // What the library says, by the names that the script uses.
  std::map<std::string, Vector> answers() const {
    std::map<std::string, Vector> all;
    for (std::size_t i = 1; i < mechanism.frames.size(); ++i) {
      const Frame& B = mechanism.frames[i];
      all["w " + B.name()] = kinematics.angular_velocity(B);
      all["alpha " + B.name()] = kinematics.angular_acceleration(B);
      all["remainder w " + B.name()] = kinematics.angular_velocity_remainder(B);
      for (const Speed& s : kinematics.speeds()) {
        all["partial w " + B.name() + " " + s.name] =
            kinematics.partial_angular_velocity(B, s.name);
      }
    }
    for (std::size_t i = 1; i < mechanism.points.size(); ++i) {
      const Point& P = mechanism.points[i];
      all["v " + P.name()] = kinematics.velocity(P);
      all["a " + P.name()] = kinematics.acceleration(P);
      all["remainder v " + P.name()] = kinematics.velocity_remainder(P);
      for (const Speed& s : kinematics.speeds()) {
        all["partial v " + P.name() + " " + s.name] = kinematics.partial_velocity(P, s.name);
      }
    }
    return all;
  }

  Mechanism mechanism;
  Kinematics kinematics;
  std::vector<Expr> symbols;
  std::vector<double> numbers;
  json values;
};

json ask_sympy(const json& question) {
  const auto folder =
      std::filesystem::temp_directory_path() /
      ("visviva_sympy_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "question.json") << question.dump();
  const std::string script = VISVIVA_SOURCE_DIR "/src/visviva/kinematics/sympy_kinematics.py";
  const std::string command =
      std::string(VISVIVA_PYTHON " -B '") + script + "' '" + (folder / "question.json").string() +
      "' '" + (folder / "answer.json").string() + "' 2> '" + (folder / "talk.txt").string() + "'";
  const int status = std::system(command.c_str());
  const std::string answer = read_file(folder / "answer.json");
  const std::string talk = read_file(folder / "talk.txt");
  std::filesystem::remove_all(folder);
  if (status != 0) {
    ADD_FAILURE()
        << "SymPy did not answer (is python3-sympy of tools/packages_test.txt installed for "
        << VISVIVA_PYTHON << "?):\n"
        << talk;
    return json::array();
  }
  return json::parse(answer);
}

TEST(SympyKinematics, sympy_finds_the_same_velocities_accelerations_and_partial_velocities) {
  std::vector<std::unique_ptr<Case>> cases;
  json question = json::array();
  for (int i = 0; i < models; ++i) {
    cases.push_back(std::make_unique<Case>(5000 + i));
    question.push_back(cases.back()->describe());
  }
  const json answer = ask_sympy(question);
  ASSERT_EQ(answer.size(), cases.size());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(5000 + i));
    const auto ours = cases[i]->answers();
    ASSERT_EQ(answer[i].size(), ours.size());
    for (const auto& [name, vector] : ours) {
      const Column3 c = vector.in(cases[i]->mechanism.frames[0]);
      const auto found = Evaluator(cases[i]->symbols, {c[0], c[1], c[2]})(cases[i]->numbers);
      for (std::size_t k = 0; k < 3; ++k, ++compared) {
        const double expected = answer[i].at(name).at(k).get<double>();
        EXPECT_NEAR(found[k], expected, sympy_tolerance * (10 + std::abs(expected))) << name;
      }
    }
  }
  EXPECT_GT(compared, 2000u);
}

}  // namespace
}  // namespace visviva
