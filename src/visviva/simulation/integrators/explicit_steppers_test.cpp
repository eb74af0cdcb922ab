// The explicit steppers: orders measured on closed forms, and what they promise to their users.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "visviva/base/error.h"
#include "visviva/simulation/integrators/function_rates_test.h"
#include "visviva/simulation/integrators/stepper.h"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  if (void* place = std::malloc(size == 0 ? 1 : size)) return place;
  throw std::bad_alloc();
}

}  // namespace

// Counted for the whole test program.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }

namespace visviva {
namespace {

using Values = std::vector<double>;

FunctionRates make_rates(std::size_t size, FunctionRates::Rates rates) {
  return {size, std::move(rates), [](double, const double*, double*, double*) { return false; }};
}

bool compute_kepler(double, const double* y, double* rates) {
  const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
  rates[0] = y[2];
  rates[1] = y[3];
  rates[2] = -y[0] / r3;
  rates[3] = -y[1] / r3;
  return true;
}

// The orbit of eccentricity e and major semiaxis 1 by Kepler's equation E - e sin E = t.
Values compute_orbit(long double t, long double e) {
  long double E = t + e * std::sin(t);
  for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - t) / (1.0L - e * std::cos(E));
  const long double b = std::sqrt(1.0L - e * e), rate = 1.0L / (1.0L - e * std::cos(E));
  return {static_cast<double>(std::cos(E) - e), static_cast<double>(b * std::sin(E)),
          static_cast<double>(-std::sin(E) * rate), static_cast<double>(b * std::cos(E) * rate)};
}

constexpr double eccentricity = 0.3;

double distance(const double* a, const Values& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

bool step(Stepper& stepper, double h) { return stepper.attempt(h, 1e-9) && stepper.accept(); }

// Slope of log(error) over log(h), least squares.
double measure_order(const Values& h, const Values& error) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  const double n = static_cast<double>(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class ExplicitSteppers : public testing::TestWithParam<const char*> {
 protected:
  ExplicitSteppers() : kepler(make_rates(4, compute_kepler)), on_kepler(make(kepler)) {}
  static std::unique_ptr<Stepper> make(RateFunction& f) { return make_stepper(GetParam(), f); }
  bool is(const char* name) const { return GetParam() == std::string(name); }

  // Steps of one try that are short enough for the leading term and long enough for its digits.
  Values short_steps() const {
    if (is("dopri5")) return {0.04, 0.02, 0.01};
    return is("dop853") ? Values{0.2, 0.15, 0.1} : Values{0.4, 0.3, 0.2};
  }

  const Values start = compute_orbit(0.5L, eccentricity);
  FunctionRates kepler;
  std::unique_ptr<Stepper> on_kepler;
};

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(All, ExplicitSteppers, testing::Values("verner98", "dop853", "dopri5"),
                         name_of);

// Terms of two orders compete on an orbit: the slope is between them.
TEST_P(ExplicitSteppers, ConvergeAtLeastWithTheirOrderOnAnOrbit) {
  const Values end = compute_orbit(6.5L, eccentricity);
  Values h, error;
  for (int n : is("dopri5") ? std::vector{200, 400, 800} : std::vector{30, 40, 55, 75}) {
    ASSERT_TRUE(on_kepler->restart(0.5, start.data()));
    for (int k = 0; k < n; ++k) ASSERT_TRUE(step(*on_kepler, 6.0 / n));
    h.push_back(6.0 / n);
    error.push_back(distance(on_kepler->state(), end));
  }
  EXPECT_GT(measure_order(h, error), on_kepler->facts().order - 0.5);
  EXPECT_LT(measure_order(h, error), on_kepler->facts().order + 1.0);
}

// y' = -2 t y^2 is solved by y = 1 / (1 + t^2).
TEST_P(ExplicitSteppers, ConvergeWithTheirOrderWhereRatesDependOnTime) {
  auto witch = make_rates(1, [](double t, const double* y, double* rates) {
    rates[0] = -2.0 * t * y[0] * y[0];
    return true;
  });
  const auto stepper = make(witch);
  const double first = 0.8;
  Values h, error;
  for (int n : is("dopri5") ? std::vector{40, 80, 160} : std::vector{10, 12, 14}) {
    stepper->restart(-0.5, &first);
    for (int k = 0; k < n; ++k) ASSERT_TRUE(step(*stepper, 1.5 / n));
    h.push_back(1.5 / n);
    error.push_back(std::abs(stepper->state()[0] - 0.5));
  }
  EXPECT_NEAR(measure_order(h, error), stepper->facts().order, 0.75);
}

// sin(theta/2) = k sn(t, k) swings through the lowest point at t = 0; t is an elliptic integral.
TEST_P(ExplicitSteppers, APendulumTakesTheTimeOfTheEllipticIntegral) {
  auto pendulum = make_rates(2, [](double, const double* y, double* rates) {
    rates[0] = y[1];
    rates[1] = -std::sin(y[0]);
    return true;
  });
  const auto stepper = make(pendulum);
  const double k = 0.8;
  const Values lowest = {0.0, 2.0 * k};
  stepper->restart(0.0, lowest.data());
  const double quarter = std::comp_ellint_1(k);
  for (int i = 1; i <= 300; ++i) {
    ASSERT_TRUE(step(*stepper, quarter / 400.0));
    const double phi = std::asin(std::sin(stepper->state()[0] / 2.0) / k);
    EXPECT_NEAR(std::ellint_1(k, phi), stepper->time(), is("dopri5") ? 1e-11 : 4e-15);
  }
}

TEST_P(ExplicitSteppers, OneStepHasTheOrdersThatTheFactsState) {
  Values estimate, within;
  for (double h : short_steps()) {
    ASSERT_TRUE(on_kepler->restart(0.5, start.data()));
    ASSERT_TRUE(on_kepler->attempt(h, 1e-9));
    estimate.push_back(distance(on_kepler->error(), Values(4, 0.0)));
    Values y(4);
    double worst = 0.0;
    for (double theta : {0.2, 0.5, 0.8}) {
      ASSERT_TRUE(on_kepler->interpolate(theta, y.data()));
      const auto exact = compute_orbit(0.5L + static_cast<long double>(theta) * h, eccentricity);
      worst = std::max(worst, distance(y.data(), exact));
    }
    within.push_back(worst);
  }
  EXPECT_NEAR(measure_order(short_steps(), estimate), on_kepler->facts().error_order + 1, 0.5);
  EXPECT_NEAR(measure_order(short_steps(), within), on_kepler->facts().dense_order + 1, 0.5);
}

TEST_P(ExplicitSteppers, TheEstimateIsNotBelowTheError) {
  for (double h : short_steps()) {
    on_kepler->restart(0.5, start.data());
    on_kepler->attempt(h, 1e-9);
    const double error = distance(on_kepler->proposed(), compute_orbit(0.5L + h, eccentricity));
    const double estimate = distance(on_kepler->error(), Values(4, 0.0));
    EXPECT_GT(estimate, error);
    EXPECT_LT(estimate, 1e4 * error);
  }
}

TEST_P(ExplicitSteppers, ValuesWithinAStepMeetItsEndsBeforeAndAfterItIsTaken) {
  on_kepler->restart(0.5, start.data());
  for (int k = 0; k < 20; ++k) {
    const Values from(on_kepler->state(), on_kepler->state() + 4);
    ASSERT_TRUE(on_kepler->attempt(0.05, 1e-9));
    Values first(4), middle(4), last(4), again(4);
    ASSERT_TRUE(on_kepler->interpolate(0.0, first.data()));
    ASSERT_TRUE(on_kepler->interpolate(0.4, middle.data()));
    ASSERT_TRUE(on_kepler->interpolate(1.0, last.data()));
    // What rounding took from the start may be worth half a last digit of it.
    for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(first[i], from[i]);
    const Values end(on_kepler->proposed(), on_kepler->proposed() + 4);
    EXPECT_EQ(last, end);
    ASSERT_TRUE(on_kepler->accept());
    ASSERT_TRUE(on_kepler->interpolate(0.4, again.data()));
    EXPECT_EQ(middle, again);
    ASSERT_TRUE(on_kepler->interpolate(1.0, again.data()));
    EXPECT_EQ(end, again);
  }
}

TEST_P(ExplicitSteppers, AStepThatIsMovedKeepsItsValuesWithin) {
  on_kepler->restart(0.5, start.data());
  ASSERT_TRUE(on_kepler->attempt(0.1, 1e-9));
  const Values end(on_kepler->proposed(), on_kepler->proposed() + 4);
  Values moved = end;
  moved[0] += 1e-3;
  ASSERT_TRUE(on_kepler->accept_at(moved.data()));
  EXPECT_EQ(Values(on_kepler->state(), on_kepler->state() + 4), moved);
  Values rates(4), y(4);
  compute_kepler(0.0, moved.data(), rates.data());
  EXPECT_EQ(Values(on_kepler->rates(), on_kepler->rates() + 4), rates);
  ASSERT_TRUE(on_kepler->interpolate(1.0, y.data()));
  EXPECT_EQ(y, end);
  ASSERT_TRUE(on_kepler->interpolate(0.5, y.data()));
  const double error = is("dopri5") ? 1e-6 : 1e-9;  // of order h^5 there, h^8 and h^10 else
  EXPECT_LT(distance(y.data(), compute_orbit(0.55L, eccentricity)), error);
}

TEST_P(ExplicitSteppers, AttemptsLeaveNoTrace) {
  const auto plain = make(kepler);
  on_kepler->restart(0.5, start.data());
  plain->restart(0.5, start.data());
  Values ignored(4);
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(on_kepler->attempt(0.31, 1e-9));
    ASSERT_TRUE(on_kepler->interpolate(0.3, ignored.data()));
    ASSERT_TRUE(on_kepler->attempt(-0.2, 1e-9));
    ASSERT_FALSE(on_kepler->attempt(std::numeric_limits<double>::infinity(), 1e-9));
    ASSERT_TRUE(step(*on_kepler, 0.1));
    ASSERT_TRUE(step(*plain, 0.1));
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_EQ(on_kepler->state()[i], plain->state()[i]);
      ASSERT_EQ(on_kepler->rates()[i], plain->rates()[i]);
    }
    ASSERT_EQ(on_kepler->time(), plain->time());
  }
}

TEST_P(ExplicitSteppers, NothingIsAllocatedAfterTheStart) {
  auto many = make_rates(11, [](double t, const double* y, double* rates) {
    for (int i = 0; i < 11; ++i) rates[i] = std::sin(t + y[i]);
    return true;
  });
  const auto stepper = make(many);
  Values y(11, 0.3);
  stepper->restart(0.0, y.data());
  const std::size_t before = allocations;
  bool is_good = true;
  for (int k = 0; k < 10; ++k) {
    is_good = is_good && stepper->attempt(0.1, 1e-9) && stepper->interpolate(0.5, y.data()) &&
              stepper->accept() && step(*stepper, 0.1) && stepper->restart(1.0, y.data());
  }
  const std::size_t after = allocations;
  EXPECT_TRUE(is_good);
  EXPECT_EQ(after, before);
  EXPECT_NE(before, 0u) << "the counter does not count";
}

TEST_P(ExplicitSteppers, RatesAreEvaluatedAsOftenAsTheFactsSay) {
  on_kepler->restart(0.5, start.data());
  step(*on_kepler, 0.1);
  const std::size_t before = on_kepler->evaluations();
  for (int k = 0; k < 10; ++k) step(*on_kepler, 0.1);
  const std::size_t a_step = is("dopri5") ? 6 : is("dop853") ? 12 : 16;
  const std::size_t for_values = is("dopri5") ? 0 : is("dop853") ? 3 : 9;
  EXPECT_EQ(on_kepler->evaluations() - before, 10 * a_step);
  Values y(4);
  for (double theta : {0.1, 0.2, 0.3}) on_kepler->interpolate(theta, y.data());
  EXPECT_EQ(on_kepler->evaluations() - before, 10 * a_step + for_values);
}

// The nth evaluation fails, in each of three ways.
TEST_P(ExplicitSteppers, RatesThatFailEndTheAttemptAtOnceAndChangeNothing) {
  const double bad_values[] = {0.0, std::numeric_limits<double>::quiet_NaN(),
                               -std::numeric_limits<double>::infinity()};
  for (double bad : bad_values) {
    std::size_t n = 0, fails_at = 0;
    auto failing = make_rates(5, [&](double, const double* y, double* rates) {
      compute_kepler(0.0, y, rates);
      rates[4] = ++n == fails_at ? bad : 1.0;
      return n != fails_at || bad != 0.0;
    });
    const auto stepper = make(failing);
    Values y = start;
    y.push_back(0.0);
    const std::size_t per_step = is("dopri5") ? 6 : is("dop853") ? 12 : 16;
    for (std::size_t k = 1; k <= per_step; ++k) {
      n = fails_at = 0;
      ASSERT_TRUE(stepper->restart(0.0, y.data()));
      n = 0;
      fails_at = k;
      const bool is_tried = stepper->attempt(0.1, 1e-9);
      EXPECT_EQ(is_tried && stepper->accept(), false) << "evaluation " << k;
      EXPECT_EQ(n, k) << "at once";
      EXPECT_EQ(stepper->time(), 0.0);
      EXPECT_EQ(Values(stepper->state(), stepper->state() + 5), y);
      fails_at = 0;
      EXPECT_TRUE(step(*stepper, 0.1)) << "another try may succeed";
    }
  }
}

TEST_P(ExplicitSteppers, StepBackwardAsWellAsForward) {
  on_kepler->restart(0.5, start.data());
  const int n = is("dopri5") ? 2000 : 100;
  for (int k = 0; k < n; ++k) ASSERT_TRUE(step(*on_kepler, -2.0 / n));
  EXPECT_NEAR(on_kepler->time(), -1.5, 1e-15);
  EXPECT_LT(distance(on_kepler->state(), compute_orbit(-1.5L, eccentricity)), 1e-13);
}

// 300,000 short steps round a circle: the method's own error is far below rounding, and to forget
// the carry is to start anew after every step. Coefficients whose rounding is not mended err by
// 3e-13 here whatever is carried.
TEST_P(ExplicitSteppers, CarryingWhatRoundingTakesLowersTheFloor) {
  auto circle = make_rates(2, [](double, const double* y, double* rates) {
    rates[0] = y[1];
    rates[1] = -y[0];
    return true;
  });
  const double h = is("dopri5") ? 1.0 / 2048 : 1.0 / 128;  // exact, so that time is
  const int n = 300000;
  const auto measure = [&](bool forgets) {
    const auto stepper = make(circle);
    const Values y = {0.0, 1.0};
    stepper->restart(0.0, y.data());
    double worst = 0.0;
    for (int k = 1; k <= n; ++k) {
      step(*stepper, h);
      if (forgets) stepper->restart(stepper->time(), stepper->state());
      if (k % 1000 != 0) continue;
      const double t = k * h;
      worst = std::max(worst, distance(stepper->state(), {std::sin(t), std::cos(t)}));
    }
    return worst;
  };
  const double with = measure(false), without = measure(true);
  EXPECT_LT(with, without / 5.0) << with << " and " << without;
  EXPECT_LT(with, 4e-15);
}

TEST_P(ExplicitSteppers, StiffnessOfALinearEquationIsItsEigenvalueTimesTheStep) {
  auto decay = make_rates(1, [](double, const double* y, double* rates) {
    rates[0] = -20.0 * y[0];
    return true;
  });
  const auto stepper = make(decay);
  const double one = 1.0;
  stepper->restart(0.0, &one);
  EXPECT_EQ(stepper->stiffness(), 0.0);
  ASSERT_TRUE(step(*stepper, 0.1));
  EXPECT_NEAR(stepper->stiffness(), 2.0, 1e-9);
}

// Components beyond whole blocks are computed like others: each oscillator does the same alone.
TEST_P(ExplicitSteppers, SystemsOfEverySizeGiveTheSameNumbers) {
  const auto run = [&](std::size_t n) {
    auto sine = make_rates(n, [n](double t, const double* y, double* rates) {
      for (std::size_t i = 0; i < n; ++i) rates[i] = std::cos(t) - std::sin(y[i]);
      return true;
    });
    const auto stepper = make(sine);
    stepper->restart(0.0, Values(n, 0.5).data());
    for (int k = 0; k < 20; ++k) step(*stepper, 0.1);
    Values y(n), all(stepper->state(), stepper->state() + n);
    stepper->interpolate(0.3, y.data());
    all.insert(all.end(), y.begin(), y.end());
    return all;
  };
  const Values alone = run(1);
  for (std::size_t n = 2; n <= 13; ++n) {
    const Values all = run(n);
    for (std::size_t i = 0; i < 2 * n; ++i) EXPECT_EQ(all[i], alone[i / n]) << n << " " << i;
  }
}

TEST_P(ExplicitSteppers, ThereAreNoValuesWithinAStepBeforeOneIsTried) {
  Values y(4);
  on_kepler->restart(0.5, start.data());
  EXPECT_FALSE(on_kepler->interpolate(0.5, y.data()));
  EXPECT_FALSE(on_kepler->attempt(0.0, 1e-9));
}

TEST(MakeStepper, KnowsTheMethodsItListsAndNoOthers) {
  auto f = make_rates(4, compute_kepler);
  ASSERT_GE(list_methods().size(), 3u);
  for (const MethodFacts& facts : list_methods())
    EXPECT_EQ(make_stepper(facts.name, f)->facts().name, facts.name);
  EXPECT_THROW(make_stepper("euler", f), UsageError);
}

}  // namespace
}  // namespace visviva
