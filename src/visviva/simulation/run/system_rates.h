// SystemRates: the right-hand side of a run: y = (states, quadratures) of a CompiledSystem.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/compiled_system.h"
#include "visviva/simulation/integrators/stepper.h"
#include "visviva/simulation/reason.h"
#include "visviva/simulation/run/run_options.h"

namespace visviva {

class SystemRates : public RateFunction {
 public:
  /// `system` must outlive these rates.
  SystemRates(const CompiledSystem& system, std::vector<double> parameters,
              std::vector<double> inputs, InputLaw law = {});

  std::size_t size() const override { return size_; }
  std::size_t quadrature_count() const override { return size_ - system_.state_count(); }
  bool compute_rates(double t, const double* y, double* rates) override;
  bool compute_jacobian(double t, const double* y, double* by_state, double* by_time) override;

  /// Where the inputs follow a law, they are taken from it: valid until the next call.
  Instant at(double t, const double* y) const;
  const CompiledSystem& system() const { return system_; }
  const PreparedParameters& prepared() const { return prepared_; }
  const std::vector<double>& inputs() const { return inputs_; }
  std::string name(std::size_t i) const;  ///< the name of y[i]

  /// The dependent speeds that K2 and Z are for; matters where constraints move.
  const std::vector<int>& dependent() const { return dependent_; }
  void set_dependent(std::vector<int> dependent);

  /// Outputs and events of y, quadratures included, for the dependent speeds of this run.
  void compute_outputs(double t, const double* y, double* values) const;
  void compute_events(double t, const double* y, double* values) const;

  /// What keeps rates from being computed at a state; none when they can be.
  RateTrouble examine(double t, const double* y);

 private:
  MotionStatus compute(double t, const double* y, double* rates) const;
  bool difference_rates(double t, const double* y, double* by_state, double* by_time);

  const CompiledSystem& system_;
  PreparedParameters prepared_;
  mutable std::vector<double> inputs_;  // of the last instant
  InputLaw law_;
  std::size_t size_;
  std::vector<int> dependent_;
  bool keeps_dependent_ = false;
  SystemJacobian jacobian_;
  std::vector<double> shifted_, up_, down_;
};

}  // namespace visviva
