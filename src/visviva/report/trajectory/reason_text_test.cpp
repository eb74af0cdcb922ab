// Reasons of runs in words.
#include "visviva/report/trajectory/reason_text.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

TEST(RunReasonText, a_run_that_went_well_needs_no_words) {
  EXPECT_TRUE(is_empty(RunReason{}));
  EXPECT_EQ(write_reason_text({}), "");
}

TEST(RunReasonText, trouble_at_the_start_and_trouble_on_the_way_are_told_apart) {
  const RateTrouble trouble{RateTrouble::Kind::rate_not_finite, "x'"};
  EXPECT_EQ(write_reason_text(reason::NoRates{0.5, true, trouble}),
            "at the start, t = 0.5: the rate of x' is not finite");
  EXPECT_EQ(write_reason_text(reason::NoRates{0.5, false, trouble}),
            "at t = 0.5: the rate of x' is not finite");
  EXPECT_EQ(write_reason_text(reason::NoRates{0.5, false, {}}),
            "at t = 0.5: the rates cannot be computed beyond");
  EXPECT_EQ(write_reason_text(reason::NoConsistentState{0, true}),
            "at the start, t = 0, no state was found that satisfies the constraints");
  EXPECT_EQ(
      write_reason_text(reason::BranchesMeet{1.5})
          .rfind("at t = 1.5 more than one motion seems possible: the constraints lose rank", 0),
      0u);
}

TEST(RunReasonText, says_why_the_variational_method_has_no_momenta) {
  using Kind = NoMomenta::Kind;
  const auto text = [](const NoMomenta& why) {
    return write_reason_text(reason::MomentaMissing{why});
  };
  const std::string begin = "the variational method is not possible here: ";
  EXPECT_EQ(text({Kind::not_compiled}), begin + "it was compiled without momenta");
  EXPECT_EQ(text({Kind::constrained}), begin + "the speeds are constrained");
  EXPECT_EQ(text({Kind::unknown_force}), begin + "an unknown force acts");
  EXPECT_EQ(text({Kind::counts_differ, 4, 3}), begin + "there are 4 coordinates and 3 speeds");
  EXPECT_EQ(text({Kind::speed_is_not_rate, 2, 2, "x", "u"}),
            begin + "the rate of x is not the speed u");
}

TEST(RunReasonText, says_what_troubles_a_method_with_steps_of_its_own) {
  using Kind = MethodTrouble::Kind;
  const auto text = [](const MethodTrouble& trouble) {
    return write_reason_text(reason::MethodFailed{2.5, false, trouble});
  };
  EXPECT_EQ(text({.kind = Kind::rates_undefined, .time = 2.75}),
            "at t = 2.5: the rates cannot be computed at t = 2.75 s");
  EXPECT_EQ(text({.kind = Kind::outside_message, .words = "CVODE: mxstep steps taken"}),
            "at t = 2.5: CVODE: mxstep steps taken");
  EXPECT_EQ(text({.kind = Kind::outside_code, .words = "IDAInit", .code = -3}),
            "at t = 2.5: IDAInit failed with the code -3");
}

TEST(RunReasonText, the_order_of_a_defect_decides_what_is_blamed) {
  const auto says = [](std::optional<double> order, const std::string& words) {
    const std::string text = write_reason_text(reason::EnergyNotHeld{1, 2, 1, order});
    return text.find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(1.0, "E_Z is not constant there"));
  EXPECT_TRUE(says(9.0, "shorter steps than rounding allows"));
  EXPECT_TRUE(says({}, "down to rounding"));
}

TEST(RunReasonText, a_watcher_without_words_has_interrupted) {
  EXPECT_EQ(write_reason_text(reason::StoppedByWatcher{}), "interrupted");
  EXPECT_EQ(write_reason_text(reason::StoppedByWatcher{"enough"}), "enough");
}

TEST(RunReasonText, a_missing_state_error_is_explained_unless_none_was_asked_for) {
  Certificate c;
  EXPECT_EQ(write_no_state_error_text(c), "");
  c.no_state_error = NoStateError::runs_are_equal;
  EXPECT_EQ(write_no_state_error_text(c),
            "both runs are the same to the last bit: nothing is shown");
  c.no_state_error = NoStateError::companion_refused;
  c.companion_reason = reason::TooManySteps{7, 0.25};
  EXPECT_EQ(write_no_state_error_text(c),
            "the run to compare with was refused: 7 steps were made up to t = 0.25");
  c.state_error = 1e-9;
  EXPECT_EQ(write_no_state_error_text(c), "");
}

}  // namespace
}  // namespace visviva
