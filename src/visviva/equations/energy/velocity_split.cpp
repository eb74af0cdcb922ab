#include "visviva/equations/energy/velocity_split.h"

#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

Expr total_of(const ScalarMotion& s, const std::vector<Expr>& speeds) {
  Expr sum = s.remainder.pool().zero();
  for (const auto& [r, c] : s.coefficients) sum += c * speeds[r];
  return sum;
}

}  // namespace

VelocitySplit::VelocitySplit(const Equations& equations) : pool_(equations.pool()) {
  const Workspace work = Workspace::continued(*pool_);
  ExprPool& pool = work.pool();
  rates_ = collect_rates(equations.motion);
  for (const Speed& s : equations.motion.speeds()) {
    if (equations.rows.empty()) {
      w_.push_back(pool.zero());
      w_rates_.push_back(pool.zero());
    } else {
      w_.push_back(pool.scratch_symbol("transport of " + s.name));
      w_rates_.push_back(pool.scratch_symbol("rate of transport of " + s.name));
      rates_.emplace_back(w_.back(), w_rates_.back());
    }
    moved_.push_back(s.u - w_.back());
  }
}

Expr VelocitySplit::rate(const Expr& e) const {
  Tangent& tangent = pool_->open().memo<Tangent>(
      subject_, [this](ExprPool& pool) { return Tangent(pool, rates_); });
  return tangent(e);
}

Column3 VelocitySplit::total_of(const VectorMotion& v, const std::vector<Expr>& speeds,
                                bool remainder) {
  Column3 sum = remainder ? v.remainder : zero_column(v.remainder[0].pool());
  for (const auto& [r, c] : v.coefficients) {
    if (!speeds[r].is_zero()) sum = sum + speeds[r] * c;
  }
  return sum;
}

Expr VelocitySplit::moved(const ScalarMotion& s) const { return visviva::total_of(s, moved_); }

Expr VelocitySplit::carried(const ScalarMotion& s) const {
  return visviva::total_of(s, w_) + s.remainder;
}

Replacements Embedding::make_replacements(const Equations& equations,
                                          const EmbeddedEquations& embedded,
                                          const VelocitySplit& split) {
  Replacements replacements;
  if (equations.rows.empty()) return replacements;
  const Kinematics& motion = equations.motion;
  Replacements dependent;
  for (std::size_t d = 0; d < embedded.dependent.size(); ++d)
    dependent.emplace_back(motion.speeds()[embedded.dependent[d]].u, embedded.dependent_speeds[d]);
  Substitution independent_only(*motion.model().pool, dependent);
  std::vector<Expr> w(motion.speeds().size(), motion.model().pool->zero()), w_rates = w;
  for (std::size_t d = 0; d < embedded.dependent.size(); ++d) {
    const std::size_t r = (embedded.dependent[d]);
    w[r] = embedded.offsets[d];
    w_rates[r] = independent_only(motion.derivative_at_constant_speeds(embedded.offsets[d]));
  }
  for (std::size_t r = 0; r < w.size(); ++r) {
    replacements.emplace_back(split.transport()[r], w[r]);
    replacements.emplace_back(split.transport_rates()[r], w_rates[r]);
  }
  replacements.insert(replacements.end(), dependent.begin(), dependent.end());
  return replacements;
}

Embedding::Embedding(const Equations& equations, const EmbeddedEquations& embedded,
                     const VelocitySplit& split)
    : substitution_(*equations.motion.model().pool, make_replacements(equations, embedded, split)) {
}

Expr state_rate(const Kinematics& motion, const StateData& s) {
  return motion.resolve(Quantity(s.law, Dimension())).expr(*motion.model().pool);
}

std::vector<std::pair<Expr, Expr>> collect_rates(const Kinematics& motion) {
  const ModelData& model = motion.model();
  MotionEngine& engine = engine_of(motion);
  const SpeedTable& table = engine.table();
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) {
    for (std::size_t k = 0; k + 1 < s.derivatives.size(); ++k)
      rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  }
  for (std::size_t i = 0; i < table.rates.size(); ++i)
    rates.emplace_back(model.coordinates[i].q, total(table.rates[i], table.symbols));
  for (std::size_t F = 0; F < engine.frame_count(); ++F) {
    for (std::size_t k = 0; k < model.frames[F].hidden.size(); ++k)
      rates.emplace_back(model.frames[F].hidden[k],
                         total(engine.hidden_rate(static_cast<int>(F), k), table.symbols));
  }
  for (const StateData& s : model.states) rates.emplace_back(s.symbol, state_rate(motion, s));
  return rates;
}

}  // namespace visviva
