// One-step methods: from y at t to y at t + h, with an estimate of the error, and values in between.
//
//   stepper->restart(t, y);
//   while (...) {
//     if (stepper->attempt(h, tolerance) && is_good(stepper->proposed(), stepper->error()))
//       stepper->accept();
//   }
// Nothing is allocated after restart(); an attempt that is not accepted leaves no trace.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace visviva {

/// The rates that are integrated: y' = f(t, y). A false answer means that they cannot be evaluated
/// there.
class RateFunction {
 public:
  virtual ~RateFunction() = default;
  virtual std::size_t size() const = 0;
  virtual bool compute_rates(double t, const double* y, double* rates) = 0;
  /// The last components of y that f does not depend on: their rates are merely added up.
  virtual std::size_t quadrature_count() const { return 0; }
  /// df/dy by columns, and df/dt. Implicit methods alone ask for it. The quadratures' rows may be zero.
  virtual bool compute_jacobian(double t, const double* y, double* by_state, double* by_time) = 0;
};

struct MethodFacts {
  std::string name;         ///< as users write it
  std::string description;  ///< for people, with its source
  int order = 0;
  int error_order = 0;  ///< error() is O(h^(error_order + 1))
  int dense_order = 0;  ///< interpolate() has the local error O(h^(dense_order + 1))
  int stages = 0;
  bool is_implicit = false;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  virtual const MethodFacts& facts() const = 0;

  /// Stands at (t, y), forgetting all before. False where the rates cannot be computed.
  bool restart(double t, const double* y);
  /// Tries a step of h != 0. False where rates could not be computed, or equations not solved to a
  /// fraction of `tolerance` (relative to 1 + |y|; implicit methods).
  bool attempt(double h, double tolerance);
  /// Takes the step that was tried last. False where the rates cannot be computed at its end: then
  /// it is not taken.
  bool accept();
  /// Takes it, but goes on from `y` (what a projection made of proposed()). False as for accept().
  bool accept_at(const double* y);

  double time() const { return t_; }
  double last_step() const { return h_; }  ///< length of the step that was tried last
  std::size_t size() const { return y_.size(); }
  const double* state() const { return y_.data(); }
  const double* rates() const { return rates_.data(); }  ///< at state()
  const double* proposed() const { return proposed_.data(); }
  const double* error() const { return error_.data(); }  ///< error of each component of proposed()
  std::size_t evaluations() const { return evaluations_; }

  /// y within the step that was tried last: theta = 0 at its start, 1 at its end. Still valid after
  /// accept(); may evaluate rates, the first time in a step. False where they cannot be computed.
  virtual bool interpolate(double theta, double* y) = 0;
  /// Largest |eigenvalue| of df/dy times h that the last attempt hints at; 0 where it does not.
  virtual double stiffness() const { return 0.0; }

 protected:
  explicit Stepper(RateFunction& function);

  /// Fills increment_ (y(t + h) - y(t)) and error_. It may call propose() to have proposed_ early.
  virtual bool compute_step(double h, double tolerance) = 0;
  /// Called by restart() when the sizes are known, and when the state is new.
  virtual void begin() {}
  /// Rates at proposed_ into next_rates_, if compute_step() has not left them there.
  virtual bool compute_next_rates() = 0;
  /// proposed_ and next_carry_ from y_, carry_ and increment_.
  void propose();
  bool evaluate(double t, const double* y, double* rates) {
    ++evaluations_;
    return function_.compute_rates(t, y, rates);
  }
  static bool all_finite(const double* values, std::size_t n) {
    double zero = 0.0;
    for (std::size_t i = 0; i < n; ++i) zero += values[i] * 0.0;
    return zero == 0.0;
  }

  RateFunction& function_;
  double t_ = 0.0, h_ = 0.0;  ///< where it stands; the last step tried
  std::vector<double> y_, rates_, proposed_, next_rates_, increment_, error_;
  /// What rounding took from y_ and proposed_: y_ - carry_ is nearer to the sum of all increments.
  std::vector<double> carry_, next_carry_;
  std::size_t evaluations_ = 0;

 private:
  void advance_time();
  double t_carry_ = 0.0;  ///< as carry_, for t_
};

/// A stepper by "verner98", "dop853", "dopri5" or "radau5"; UsageError for other names (methods.cpp).
std::unique_ptr<Stepper> make_stepper(const std::string& method, RateFunction& function);
const std::vector<MethodFacts>& list_methods();

}  // namespace visviva
