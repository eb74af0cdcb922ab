#include "visviva/study/write_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "visviva/base/refusal_test.h"
#include "visviva/report/page/report.h"
#include "visviva/study/complete_run.h"
#include "visviva/visviva.h"

namespace visviva {
namespace {

using units::deg, units::kg, units::m, units::rad, units::s;

struct Study {
  explicit Study(Model built) : model(std::move(built)) {}
  Model model;
  Kinematics motion = analyze_motion(model);
  Equations equations = derive(motion);
  Energies energies = analyze_energy(motion, equations);
};

Model make_plain_pendulum() {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity L = model.parameter("L", 0.5 * m);
  const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});
  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  model.particle("Q", {.at = N.origin() - L * A.y(), .mass = 2.0 * kg});
  model.gravity(-9.81 * m / (s * s) * N.y());
  return model;
}

// A top that nothing acts on, known by its angular velocity: the motion needs no orientation, its
// picture does.
Model make_free_top() {
  Model model("top");
  const Frame N = model.newtonian();
  const Quantity wx = model.speed("wx", rad.dimension() / s.dimension()),
                 wy = model.speed("wy", rad.dimension() / s.dimension());
  const Frame B = model.frame("B", spin(N, wx * N.x() + wy * N.y()));
  model.start(wx, 1.0 * rad / s);
  model.body(B, {.at = N.origin() + Vector(), .mass = 1.0 * kg, .solid = sphere(1.0 * m)});
  return model;
}

TEST(CompleteRun, columns_are_those_that_the_run_would_have_put_out) {
  const Study study(make_plain_pendulum());
  const Report report(study.equations, make_consistent_start(study.motion));
  const RunOptions options{.until = 2.0, .every = 0.1, .energy = 1e-9};
  const Trajectory plain = simulate(compile(study.equations, study.energies), options),
                   full = simulate(compile(study.equations, study.energies,
                                           {.extra_outputs = report.outputs()}),
                                   options);
  const Trajectory completed =
      complete_run(plain, study.equations, study.energies, report.outputs());
  EXPECT_LT(plain.columns.size(), full.columns.size());
  ASSERT_EQ(completed.columns, full.columns);
  for (const std::string& column : full.columns) {
    ASSERT_EQ(completed[column].size(), full[column].size()) << column;
    for (std::size_t i = 0; i < full[column].size(); ++i)
      EXPECT_NEAR(completed[column][i], full[column][i], 1e-9) << column;
  }
}

TEST(CompleteRun, of_a_run_that_has_all_is_that_run) {
  const Study study(make_plain_pendulum());
  const Report report(study.equations, make_consistent_start(study.motion));
  const Trajectory full =
      simulate(compile(study.equations, study.energies, {.extra_outputs = report.outputs()}),
               {.until = 1.0});
  const Trajectory same = complete_run(full, study.equations, study.energies, report.outputs());
  EXPECT_EQ(same.columns, full.columns);
  EXPECT_EQ(same.samples, full.samples);
}

TEST(CompleteRun, an_orientation_that_the_run_did_without_is_followed_anew) {
  const Study study(make_free_top());
  const Report report(study.equations, make_consistent_start(study.motion));
  const CompiledSystem plain = compile(study.equations, study.energies),
                       full = compile(study.equations, study.energies,
                                      {.extra_outputs = report.outputs()});
  ASSERT_EQ(plain.state_names(), (std::vector<std::string>{"wx", "wy"}));
  ASSERT_GT(full.state_count(), plain.state_count());
  const RunOptions options{.until = 1.0, .every = 0.1, .tolerance = 1e-10};
  const Trajectory expected = simulate(full, options);
  const Trajectory completed =
      complete_run(simulate(plain, options), study.equations, study.energies, report.outputs());
  ASSERT_EQ(completed.columns, expected.columns);
  for (const std::string& column : expected.columns)
    for (std::size_t i = 0; i < expected.t().size(); ++i)
      EXPECT_NEAR(completed[column][i], expected[column][i], 1e-8) << column;
}

class WriteReport : public testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("visviva_write_report_" + std::to_string(::getpid()) + ".html");
  }
  void TearDown() override { std::filesystem::remove(file_); }
  std::string read() const {
    std::ifstream in(file_);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::filesystem::path file_;
};

TEST_F(WriteReport, shows_the_motion_of_a_run_that_knew_nothing_of_pictures) {
  const Study study(make_plain_pendulum());
  const Trajectory run =
      simulate(compile(study.equations, study.energies), {.until = 2.0, .energy = 1e-9});
  write_report(file_, {study.model, study.equations, study.energies, run});
  const std::string page = read();
  EXPECT_NE(page.find("id=\"viewer\""), std::string::npos);
  EXPECT_NE(page.find("certificate holds"), std::string::npos);
  EXPECT_EQ(page.find("The run was made with"), std::string::npos);
}

TEST_F(WriteReport, says_which_values_are_not_the_models) {
  const Study study(make_plain_pendulum());
  const CompiledSystem system = compile(study.equations, study.energies);
  const Trajectory run =
      simulate(system, {.parameters = system.parameters().with("L", 0.6)}, {.until = 1.0});
  EXPECT_EQ(run.parameters["L"], 0.6);
  write_report(file_, {study.model, study.equations, study.energies, run});
  EXPECT_NE(read().find("The run was made with L = 0.6"), std::string::npos);
}

TEST_F(WriteReport, of_things_that_do_not_belong_together_is_refused) {
  const Study one(make_plain_pendulum()), other(make_plain_pendulum());
  const Trajectory run = simulate(compile(one.equations, one.energies), {.until = 1.0});
  expect_refusal(
      [&] {
        make_report({other.model, one.equations, one.energies, run});
      },
      "write_report", "another model");
  expect_refusal(
      [&] {
        make_report({one.model, one.equations, other.energies, run});
      },
      "write_report", "another motion");
}

TEST_F(WriteReport, a_file_that_cannot_be_written_is_refused) {
  const Study study(make_plain_pendulum());
  const Trajectory run = simulate(compile(study.equations, study.energies), {.until = 1.0});
  expect_refusal(
      [&] {
        write_report("/nowhere/page.html", {study.model, study.equations, study.energies, run});
      },
      "write_report", "cannot write '/nowhere/page.html'");
}

TEST(Certificate, tells_why_it_does_not_hold) {
  const Study study(make_plain_pendulum());
  const CompiledSystem system = compile(study.equations, study.energies);
  const Trajectory held = simulate(system, {.until = 1.0, .energy = 1e-9});
  EXPECT_TRUE(held.certificate.holds());
  EXPECT_TRUE(is_empty(held.certificate.reason()));
  const Trajectory unasked = simulate(system, {.until = 1.0});
  EXPECT_FALSE(unasked.certificate.holds());
  EXPECT_EQ(unasked.certificate.verdict(), std::nullopt);
  std::ostringstream words;
  words << unasked.certificate.reason();
  EXPECT_EQ(words.str(), "no tolerance of the energy was asked for");
  const Trajectory refused = simulate(system, {.until = 1.0, .energy = 1e-30});
  EXPECT_FALSE(refused.certificate.holds());
  EXPECT_EQ(write_reason_text(refused.certificate.reason()), write_reason_text(refused.reason));
  EXPECT_TRUE(says(write_reason_text(refused.reason), "1e-30 J is below what rounding does"));
}

TEST(Results, are_asked_for_by_name) {
  const Study study(make_plain_pendulum());
  const Trajectory run = simulate(compile(study.equations, study.energies), {.until = 1.0});
  EXPECT_EQ(run.t().front(), 0.0);
  EXPECT_EQ(run.t().back(), 1.0);
  EXPECT_NEAR(run["theta"].front(), std::acos(-1.0) / 6, 1e-15);
  expect_refusal([&] { run["thetta"]; }, "Trajectory", "did you mean 'theta'?");
}

}  // namespace
}  // namespace visviva
