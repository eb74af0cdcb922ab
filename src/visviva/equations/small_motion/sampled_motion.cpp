#include "visviva/equations/small_motion/sampled_motion.h"

#include <algorithm>
#include <cmath>

#include "visviva/numeric/product.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// How what samples change depends on these symbols.
MatrixXd compute_slopes_of_samples(const MotionSystem& system, const StartState& state,
                                   const SampleData& sample, const std::vector<Expr>& symbols,
                                   MatrixXd slopes) {
  const ModelData& model = system.motion().model();
  for (const auto& [held, value] : sample.changes) {
    const Expr& symbol = model.states[static_cast<std::size_t>(held)].symbol;
    const auto& states = system.states();
    const auto row = std::find(states.begin(), states.end(), symbol) - states.begin();
    const Expr e = system.motion().resolve(Quantity(value, Dimension())).expr(*model.pool);
    for (std::size_t j = 0; j < symbols.size(); ++j)
      slopes(static_cast<Index>(row), static_cast<Index>(j)) =
          state.value(differentiate(e, symbols[j]));
  }
  return slopes;
}

}  // namespace

MatrixXd compute_exponential(const MatrixXd& M) {
  const double size = M.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.25 ? static_cast<int>(std::ceil(std::log2(size / 0.25))) : 0;
  const MatrixXd small = M * std::ldexp(1.0, -halvings);
  MatrixXd sum = MatrixXd::Identity(M.rows(), M.cols()), term = sum;
  for (int k = 1; k <= 14; ++k) {  // 0.25^15/15! is below rounding
    term = product(term, small) / k;
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = product(sum, sum);
  return sum;
}

std::optional<SampledMotion> sample_motion(const MotionSystem& system, const StartState& state,
                                           const MatrixXd& F, const MatrixXd& G) {
  const ModelData& model = system.motion().model();
  const auto n = static_cast<Index>(system.states().size());
  const auto m = static_cast<Index>(system.inputs().size());
  if (model.samples.size() != 1 || F.rows() != n || F.cols() != n || G.cols() != m) return {};
  const SampleData& sample = model.samples.front();
  SampledMotion result;
  result.period = state.value(sample.period);
  MatrixXd both = MatrixXd::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = F * result.period;
  both.topRightCorner(n, m) = G * result.period;
  const MatrixXd flow = compute_exponential(both);
  const MatrixXd S =
      compute_slopes_of_samples(system, state, sample, system.states(), MatrixXd::Identity(n, n));
  const MatrixXd R =
      compute_slopes_of_samples(system, state, sample, system.inputs(), MatrixXd::Zero(n, m));
  result.A = product(flow.topLeftCorner(n, n), S);
  result.B = product(flow.topLeftCorner(n, n), R) + flow.topRightCorner(n, m);
  return result;
}

}  // namespace visviva
