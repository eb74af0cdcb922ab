// Tests of certificate_text: no text claims more than the run shows.
#include "visviva/report/trajectory/certificate_text.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

// Words on one line.
std::string words(const Trajectory& run) {
  std::string result;
  for (const char c : write_certificate_text(run)) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

Trajectory make_run(double deviation, std::optional<double> tolerance) {
  Trajectory run;
  run.steps = 100;
  run.t_end = 10.0;
  run.certificate.start = -8.5;
  run.certificate.max_deviation = deviation;
  run.certificate.max_time = 4.2;
  run.certificate.scale = 5.0;
  run.certificate.moving = 3.0;
  run.certificate.tolerance = tolerance;
  return run;
}

void expect_says(const Trajectory& run, const std::string& part) {
  EXPECT_NE(words(run).find(part), std::string::npos) << words(run);
}

void expect_silent_about(const Trajectory& run, const std::string& part) {
  EXPECT_EQ(words(run).find(part), std::string::npos) << words(run);
}

TEST(CertificateText, a_certificate_that_holds_says_to_what) {
  const Trajectory run = make_run(2e-9, 1e-6);
  expect_says(run, "stayed within 2e-09 J of its start, -8.5 J; farthest at t = 4.2 s");
  expect_says(run, "Certificate holds: |E_Z - start| <= 1e-06 J at every accepted step");
}

TEST(CertificateText, a_tolerance_that_is_large_beside_what_moves_says_little) {
  expect_says(make_run(2e-9, 3e-3), "It says little");
  expect_silent_about(make_run(2e-9, 2.9e-3), "It says little");
}

TEST(CertificateText, energy_that_wandered_and_impulses_are_told) {
  Trajectory run = make_run(2e-3, {});
  run.certificate.unexplained = 2e-3;
  run.certificate.unexplained_time = 1.5;
  run.impulses.push_back(
      {.time = 1.0, .surface = "t - 1", .energy = -3.0, .impulse = {6.0, 0.0, 0.0}});
  expect_says(run, "by 0.002 J in sum, first at t = 1.5 s: the numbers do NOT follow");
  expect_says(run, "Impulse at t = 1 s, where t - 1 = 0: (6, 0, 0) N*s");
  expect_says(run, "K + U changed by -3 J");
}

TEST(CertificateText, jumps_of_events_and_events_too_fast_are_told) {
  Trajectory run = make_run(2e-9, 1e-6);
  run.event_doubts.push_back({.name = "pole", .jumps = 2, .jump_time = 0.5});
  run.event_doubts.push_back({.name = "wild", .unresolved = 1, .unresolved_time = 3.0});
  expect_says(run,
              "The event pole changed its sign 2 times at a jump or a pole, first at t = 0.5 s");
  expect_says(run, "The event wild varied too fast to be followed in 1 step");
  run.event_doubts.push_back({.name = "root", .undefined = 2, .undefined_time = 1.5});
  expect_says(run,
              "The event root has no value in 2 steps or in parts of them, first from t = 1.5 s");
}

TEST(CertificateText, every_certificate_says_that_force_laws_are_not_shown) {
  expect_says(make_run(2e-9, 1e-6), "does not show that a force law or a parameter is right");
  expect_says(make_run(2e-9, {}), "does not show that a force law or a parameter is right");
}

TEST(CertificateText, a_certificate_that_does_not_hold_never_says_it_holds) {
  Trajectory run = make_run(2e-3, 1e-6);
  run.status = RunStatus::certificate_failed;
  expect_says(run, "does NOT hold: 1e-06 J was asked for");
  expect_silent_about(run, "Certificate holds");
}

TEST(CertificateText, a_run_cut_short_is_certified_only_until_then) {
  Trajectory run = make_run(2e-9, 1e-6);
  run.status = RunStatus::stopped;
  expect_says(run, "Certificate holds until t = 10 s");
}

TEST(CertificateText, without_a_tolerance_nothing_is_certified) {
  expect_says(make_run(0.0, {}), "nothing is certified");
  expect_silent_about(make_run(0.0, {}), "holds");
}

TEST(CertificateText, an_energy_that_could_not_change_is_no_evidence) {
  Trajectory run = make_run(0.0, 1e-6);
  run.certificate.scale = 0.0;
  expect_says(run, "it shows nothing");
  expect_silent_about(make_run(0.0, 1e-6), "it shows nothing");
}

TEST(CertificateText, errors_of_phase_are_mentioned_unless_the_state_was_certified) {
  Trajectory run = make_run(2e-9, 1e-6);
  expect_says(run, "such as those of phase, are not seen");
  run.certificate.state_error = 3e-7;
  run.certificate.state_error_name = "theta";
  run.certificate.state_error_time = 9.5;
  expect_says(run, "at most 3e-07, in theta at t = 9.5 s");
  expect_silent_about(run, "phase");
}

// Chaos: two runs of a double pendulum differ by turns.
TEST(CertificateText, two_runs_that_differ_like_the_motion_itself_determine_no_state) {
  Trajectory run = make_run(2e-9, 1e-6);
  run.state_names = {"theta"};
  run.start_state = {2.0};
  run.end_state = {93.0};
  run.certificate.state_error_name = "theta";
  run.certificate.state_error = 78.0;
  expect_says(run, "the states are NOT determined");
  run.certificate.state_error = 0.5;  // of 93
  expect_silent_about(run, "NOT");
}

TEST(CertificateText, a_run_that_did_not_begin_has_none) {
  Trajectory run;
  run.status = RunStatus::refused;
  EXPECT_EQ(write_certificate_text(run), "");
}

}  // namespace
}  // namespace visviva
