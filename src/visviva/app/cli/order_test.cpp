// What each verb makes depends on its input alone: not on the verbs that were used before, and not
// on other threads that use the same values.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/exported_system.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/prove/prove.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/report/derivation/derivation.h"
#include "visviva/report/derivation/derivation_text.h"
#include "visviva/report/derivation/proof_text.h"
#include "visviva/report/energy/energy_report.h"
#include "visviva/report/energy/energy_text.h"
#include "visviva/report/page/report.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/load_model.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

Model read(const fs::path& file) { return load_model(file.string()); }

/// The values that all verbs of a test share.
struct Values {
  explicit Values(const fs::path& file)
      : model(read(file)),
        motion(analyze_motion(model)),
        start(make_consistent_start(motion)),
        equations(derive(motion)),
        energies(analyze_energy(equations)) {}
  Model model;
  Kinematics motion;
  ConsistentStart start;
  Equations equations;
  Energies energies;
};

std::string written(const Proof& proof) {
  std::string text;
  for (const ProofStep& s : proof.steps)
    text += write_proof_claim(s.claim) + " " + std::to_string(static_cast<int>(s.verdict)) + " " +
            std::to_string(s.error_probability * 1e30) + "\n";
  return text;
}

std::string written(const CompiledSystem& system) {
  std::string text;
  for (const std::string& name : system.state_names()) text += name + " ";
  return text + std::to_string(system.operation_count());
}

using Verb = std::function<std::string(const Values&)>;

std::vector<Verb> list_verbs() {
  const auto derived = [](Method method) {
    return [method](const Values& v) {
      return write_derivation_text(make_derivation(derive(v.motion, method)));
    };
  };
  return {
      derived(Method::kane),
      derived(Method::lagrange),
      derived(Method::hamilton),
      [](const Values& v) {
        std::string text;
        for (const Expr& f : v.equations.forcing) text += print(f) + "\n";
        return text;
      },
      [](const Values& v) { return written(prove(v.motion)); },
      [](const Values& v) { return written(compile(v.equations, v.energies)); },
      [](const Values& v) { return write_energy_text(make_energy_report(v.equations, v.start)); },
      [](const Values& v) {
        return write_export(make_exported_system(v.equations, v.start), ExportLanguage::c);
      },
      [](const Values& v) { return Report(v.equations, v.start).make_without_run("no run"); },
  };
}

// Every example is a test of its own, so that they share the processors.
std::vector<std::string> list_example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(VISVIVA_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".viva") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path example_file(const std::string& name) {
  return fs::path(VISVIVA_SOURCE_DIR) / "examples" / (name + ".viva");
}

// Each verb on values of its own: nothing came before it.
std::vector<std::string> write_alone(const std::vector<Verb>& verbs, const fs::path& file) {
  std::vector<std::string> alone;
  for (const Verb& verb : verbs) alone.push_back(verb(Values(file)));
  return alone;
}

class OrderOf : public testing::TestWithParam<std::string> {};

TEST_P(OrderOf, verbs_does_not_change_a_byte_of_the_text) {
  const std::vector<Verb> verbs = list_verbs();
  const fs::path file = example_file(GetParam());
  const std::vector<std::string> alone = write_alone(verbs, file);
  std::vector<std::size_t> order(verbs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(11);
  for (int k = 0; k < 2; ++k) {
    std::shuffle(order.begin(), order.end(), random);
    const Values shared(file);
    for (const std::size_t i : order)
      EXPECT_TRUE(verbs[i](shared) == alone[i]) << "verb " << i << ", order " << k;
  }
}

const auto name_of = [](const auto& info) { return info.param; };

INSTANTIATE_TEST_SUITE_P(Examples, OrderOf, testing::ValuesIn(list_example_names()), name_of);

class EightThreads : public testing::TestWithParam<std::string> {};

TEST_P(EightThreads, that_share_one_model_write_the_same_as_one) {
  const std::vector<Verb> verbs = list_verbs();
  const fs::path file = example_file(GetParam());
  const std::vector<std::string> alone = write_alone(verbs, file);
  const Values shared(file);
  std::vector<std::vector<std::string>> found(8, std::vector<std::string>(verbs.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      // The model, too: each thread analyzes it for itself.
      const Expr rate = analyze_motion(shared.model).speeds().front().u * 2.0;
      EXPECT_FALSE(rate.is_zero());
      for (std::size_t i = 0; i < verbs.size(); ++i) {
        const std::size_t verb = (i + t) % verbs.size();
        found[t][verb] = verbs[verb](shared);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < found.size(); ++t) {
    for (std::size_t i = 0; i < verbs.size(); ++i)
      EXPECT_TRUE(found[t][i] == alone[i]) << "thread " << t << ", verb " << i;
  }
}

// A tree, a loop, and bodies by Euler parameters.
INSTANTIATE_TEST_SUITE_P(Examples, EightThreads,
                         testing::Values("double_pendulum", "four_bar", "two_bodies_ball_joint"),
                         name_of);

TEST(Order, the_same_model_twice_gives_the_same_bytes) {
  const fs::path file = example_file("rattleback");
  for (const Verb& verb : list_verbs()) EXPECT_TRUE(verb(Values(file)) == verb(Values(file)));
}

}  // namespace
}  // namespace visviva
