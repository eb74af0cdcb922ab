// Random states of a random mechanism: configurations, then speeds that satisfy its constraints.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva::mechanisms {
namespace {

Real value_at(const Expr& e, const MotionOracle& oracle, const std::vector<Real>& state) {
  return Evaluator(oracle.symbols(), {e})(state)[0];
}

void set_configuration(const ModelData& data, const MotionOracle& oracle, Random& r,
                       std::vector<Real>& state) {
  const auto set_unit = [&](const std::array<Expr, 4>& e) {
    Real norm = 0;
    std::array<Real, 4> x{};
    for (Real& value : x) {
      value = r.uniform(-1, 1);
      norm += value * value;
    }
    for (std::size_t k = 0; k < 4; ++k) state[oracle.place(e[k])] = x[k] / std::sqrt(norm);
  };
  for (std::size_t i = 0; i < data.coordinates.size(); ++i) {
    const bool is_locked =
        std::any_of(data.constraints.begin(), data.constraints.end(),
                    [&](const ConstraintData& c) { return c.coordinate == static_cast<int>(i); });
    if (!is_locked) state[oracle.place(data.coordinates[i].q)] = r.uniform(0.2, 1.2);
  }
  for (const auto& four : data.quaternions) {
    std::array<Expr, 4> e;
    for (std::size_t k = 0; k < 4; ++k)
      e[k] = data.coordinates[static_cast<std::size_t>(four[k])].q;
    set_unit(e);
  }
  for (const FrameData& f : data.frames) {
    if (f.hidden.size() == 1) state[oracle.place(f.hidden[0])] = r.uniform(-2, 2);
    if (f.hidden.size() == 4) set_unit({f.hidden[0], f.hidden[1], f.hidden[2], f.hidden[3]});
  }
}

void set_specified(const ModelData& data, const MotionOracle& oracle, Random& r,
                   std::vector<Real>& state) {
  for (const SpecifiedData& s : data.specified) {
    std::optional<Expr> d = s.definition;
    for (const Expr& x : s.derivatives) {
      state[oracle.place(x)] = d ? value_at(*d, oracle, state) : r.uniform(-1, 1);
      if (d) d = differentiate(*d, data.time);
    }
  }
}

std::vector<Real> make_configuration(const ModelData& data, const MotionOracle& oracle,
                                     const std::vector<Closure>& closures, Random& r) {
  std::vector<Real> state(oracle.symbols().size());
  const StartState start = make_start_state(data);
  for (std::size_t i = 0; i < start.symbols.size(); ++i)
    state[oracle.place(start.symbols[i])] = start.values[i];
  state[0] = r.uniform(0.1, 2);
  set_configuration(data, oracle, r, state);
  set_specified(data, oracle, r, state);
  // A closure's parameter is what its constraint lacks.
  for (const Closure& c : closures)
    state[oracle.place(c.symbol)] = value_at(c.defect, oracle, state);
  return state;
}

// u -= A^+ (A u + c).
bool make_speeds_consistent(const MotionOracle& oracle, std::vector<Real>& state) {
  if (oracle.row_count() == 0) return true;
  for (int pass = 0; pass < 2; ++pass) {
    const RealVector errors = oracle.velocity_errors(state);
    Eigen::CompleteOrthogonalDecomposition<RealMatrix> A;
    A.setThreshold(1e-10L);
    A.compute(oracle.assemble(state).A);
    const RealVector change = A.solve(errors);
    for (Eigen::Index r = 0; r < change.size(); ++r)
      state[oracle.first_speed() + static_cast<std::size_t>(r)] -= change(r);
  }
  // Huge speeds tell that the constraints are nearly singular here.
  for (std::size_t i = oracle.first_speed(); i < state.size(); ++i) {
    if (std::abs(state[i]) > 10) return false;
  }
  return oracle.velocity_errors(state).norm() < 1e-12L;
}

}  // namespace

std::optional<std::vector<Real>> RandomMechanism::make_state(const Kinematics& motion,
                                                             const MotionOracle& oracle,
                                                             std::uint64_t number) const {
  for (std::uint64_t attempt = 0; attempt < 5; ++attempt) {
    Random r(seed_ * 7919 + 5 * number + attempt);
    std::vector<Real> state = make_configuration(motion.model(), oracle, closures_, r);
    if (oracle.largest_rate_coefficient(state) > largest_coefficient) continue;
    for (std::size_t i = oracle.first_speed(); i < state.size(); ++i) state[i] = r.uniform(-1, 1);
    if (make_speeds_consistent(oracle, state)) return state;
  }
  return std::nullopt;
}

}  // namespace visviva::mechanisms
