#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wuninitialized"  // Boost copies steppers whose scratch has no value
#endif

#include "peer_runs.h"

#include <array>
#include <cmath>
#include <memory>

#include "visviva/simulation/integrators/sundials_runner.h"
#include "visviva/simulation/run/energy_watch.h"

#ifdef VISVIVA_HAS_ODEINT
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#endif
#ifdef VISVIVA_HAS_ARKODE
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#endif

namespace visviva::bench {
namespace {

constexpr double most_evaluations = 1e6;

// What a run is measured by, whoever makes its steps.
class Watching {
 public:
  Watching(const Course& course, SystemRates& rates, bool watches)
      : course_(course), watch_(rates), watches_(watches) {
    start_ = course.system.start().values();
    start_.resize(rates.size(), 0.0);
    if (watches_) watch_.begin(0.0, start_.data());
  }
  const std::vector<double>& start() const { return start_; }

  /// False where E_Z is not finite.
  bool take(double t, const double* y) {
    if (!watches_) return true;
    const double d = std::abs(watch_.compute_deviation(t, y));
    run_.deviation = std::max(run_.deviation, d);
    return std::isfinite(d);
  }
  MeasuredRun finish(bool is_done, const double* y, double evaluations) {
    run_.is_done = is_done;
    run_.evaluations = evaluations;
    if (watches_) run_.end_state.assign(y, y + course_.system.state_count());
    return run_;
  }

 private:
  const Course& course_;
  EnergyWatch watch_;
  bool watches_;
  std::vector<double> start_;
  MeasuredRun run_;
};

// ---- CVODE, by the library's own adapter

template <bool is_stiff>
MeasuredRun run_cvode(const Course& course, SystemRates& rates, double tolerance, bool watches) {
  Watching watching(course, rates, watches);
  const auto runner = make_sundials_runner(
      is_stiff ? "cvode-bdf" : "cvode", rates,
      {.until = course.until, .relative_tolerance = tolerance, .absolute_tolerance = tolerance});
  if (!runner->restart(0.0, watching.start().data())) return {};
  bool is_good = true;
  while (is_good && runner->time() < course.until)
    is_good = runner->step() && watching.take(runner->time(), runner->state()) &&
              static_cast<double>(runner->evaluations()) < most_evaluations;
  return watching.finish(is_good, runner->state(), static_cast<double>(runner->evaluations()));
}

// ---- Boost.odeint

#ifdef VISVIVA_HAS_ODEINT
namespace odeint = boost::numeric::odeint;

// States of a size known to the compiler, its fastest.
template <template <class...> class Method, std::size_t size>
MeasuredRun run_odeint_sized(const Course& course, SystemRates& rates, double tolerance,
                             bool watches) {
  using State = std::array<double, size>;
  Watching watching(course, rates, watches);
  State y;
  std::copy_n(watching.start().begin(), size, y.begin());
  double evaluations = 0;
  const auto f = [&](const State& x, State& dxdt, double t) {
    ++evaluations;
    rates.compute_rates(t, x.data(), dxdt.data());
  };
  auto stepper = odeint::make_controlled(tolerance, tolerance, Method<State>());
  double t = 0.0, dt = 1e-3;
  bool is_good = true;
  while (is_good && t < course.until) {
    dt = std::min(dt, course.until - t);
    if (stepper.try_step(f, y, t, dt) == odeint::success) is_good = watching.take(t, y.data());
    is_good = is_good && evaluations < most_evaluations && dt > 1e-14 * course.until;
    if (course.until - t < 1e-12 * course.until) break;
  }
  return watching.finish(is_good, y.data(), evaluations);
}

template <template <class...> class Method>
MeasuredRun run_odeint(const Course& course, SystemRates& rates, double tolerance, bool watches) {
  const auto with = [&]<std::size_t size>(std::integral_constant<std::size_t, size>) {
    return run_odeint_sized<Method, size>(course, rates, tolerance, watches);
  };
  switch (rates.size()) {
    case 3:
      return with(std::integral_constant<std::size_t, 3>());
    case 5:
      return with(std::integral_constant<std::size_t, 5>());
    case 8:
      return with(std::integral_constant<std::size_t, 8>());
    case 21:
      return with(std::integral_constant<std::size_t, 21>());
    default:
      return {};
  }
}
#endif

// ---- ARKODE

#ifdef VISVIVA_HAS_ARKODE
struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeStepper {
  void operator()(void* memory) const { ERKStepFree(&memory); }
};

int compute_rates(double t, N_Vector y, N_Vector rates, void* user) {
  auto* f = static_cast<SystemRates*>(user);
  return f->compute_rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rates)) ? 0 : 1;
}

template <int table>
MeasuredRun run_arkode(const Course& course, SystemRates& rates, double tolerance, bool watches) {
  Watching watching(course, rates, watches);
  SUNContext bare = nullptr;
  if (SUNContext_Create(nullptr, &bare) != 0) return {};
  const std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext> context(bare);
  const std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector> y(
      N_VNew_Serial(static_cast<sunindextype>(rates.size()), context.get()));
  double* values = N_VGetArrayPointer(y.get());
  std::copy(watching.start().begin(), watching.start().end(), values);
  const std::unique_ptr<void, FreeStepper> stepper(
      ERKStepCreate(compute_rates, 0.0, y.get(), context.get()));
  void* memory = stepper.get();
  ERKStepSetUserData(memory, &rates);
  ERKStepSStolerances(memory, tolerance, tolerance);
  ERKStepSetTableNum(memory, static_cast<ARKODE_ERKTableID>(table));
  ERKStepSetStopTime(memory, course.until);
  ERKStepSetErrFile(memory, nullptr);
  double t = 0.0;
  bool is_good = true;
  long evaluations = 0;
  while (is_good && t < course.until) {
    is_good = ERKStepEvolve(memory, course.until, y.get(), &t, ARK_ONE_STEP) >= 0 &&
              watching.take(t, values);
    ERKStepGetNumRhsEvals(memory, &evaluations);
    is_good = is_good && static_cast<double>(evaluations) < most_evaluations;
  }
  return watching.finish(is_good, values, static_cast<double>(evaluations));
}
#endif

}  // namespace

bool is_peer(const std::string& method) {
  return method.starts_with("boost-") || method.starts_with("arkode-") ||
         method.starts_with("cvode");
}

Peer find_peer(const std::string& method) {
  if (method == "cvode") return has_sundials() ? run_cvode<false> : nullptr;
  if (method == "cvode-bdf") return has_sundials() ? run_cvode<true> : nullptr;
#ifdef VISVIVA_HAS_ODEINT
  if (method == "boost-dopri5") return run_odeint<odeint::runge_kutta_dopri5>;
  if (method == "boost-fehlberg78") return run_odeint<odeint::runge_kutta_fehlberg78>;
#endif
#ifdef VISVIVA_HAS_ARKODE
  if (method == "arkode-dopri5") return run_arkode<ARKODE_DORMAND_PRINCE_7_4_5>;
  if (method == "arkode-fehlberg78") return run_arkode<ARKODE_FEHLBERG_13_7_8>;
#endif
  return nullptr;
}

}  // namespace visviva::bench
