#include "visviva/symbolic/calculus/slope_evaluator.h"

#include <algorithm>

#include "visviva/symbolic/calculus/local_slopes.h"

namespace visviva {

SlopeEvaluator::SlopeEvaluator(const std::vector<Expr>& inputs, const std::vector<Expr>& outputs,
                               const std::vector<Expr>& by)
    : columns_(by.size()) {
  if (outputs.empty()) return;
  std::vector<Expr> all = outputs;
  all.insert(all.end(), by.begin(), by.end());
  ExprPool& pool = common_pool(all, "SlopeEvaluator");
  const std::vector<Ref> roots = refs_in(pool, outputs, "SlopeEvaluator");
  IndexMap places, seeds;
  for (const Ref s : refs_in(pool, by, "SlopeEvaluator")) {
    if (places.set(s >> 1, static_cast<std::uint32_t>(ends_.size()))) ends_.push_back(0);
    seeds.set(s >> 1, 1);
    seeds_.push_back(*places.find(s >> 1));
  }
  const std::vector<std::uint32_t> cone = collect_cone(pool, roots);
  const IndexMap active = find_active(pool, cone, seeds);
  const Ref plain = pool.one().ref();
  IndexMap factor_of;
  std::vector<Expr> values = outputs;
  for (const std::uint32_t i : cone) {
    if (!active.contains(i) || seeds.contains(i)) continue;
    for (const LocalSlope& slope : list_local_slopes(pool, i, active)) {
      const bool is_negative = ((slope.operand ^ slope.value) & 1u) != 0;
      Term term{*places.find(slope.operand >> 1), one, is_negative ? -1.0 : 1.0};
      const Ref factor = slope.value & ~Ref{1};
      if (factor == 0) continue;
      if (factor != plain) {
        if (!factor_of.contains(factor >> 1)) {
          factor_of.set(factor >> 1, static_cast<std::uint32_t>(values.size() - outputs.size()));
          values.emplace_back(pool, factor);
        }
        term.factor = *factor_of.find(factor >> 1);
      }
      terms_.push_back(term);
    }
    places.set(i, static_cast<std::uint32_t>(ends_.size()));
    ends_.push_back(static_cast<std::uint32_t>(terms_.size()));
  }
  for (const Ref root : roots) {
    const std::uint32_t* place = places.find(root >> 1);
    outputs_.push_back({place == nullptr ? none : *place, (root & 1u) != 0 ? -1.0 : 1.0});
  }
  values_.emplace(inputs, values);
}

// The columns from `first` on, as many as there are lanes.
void SlopeEvaluator::fill(const std::vector<double>& factors, std::size_t first,
                          std::vector<Lanes>* changes, std::vector<double>* slopes) const {
  const std::size_t count = std::min(lanes, columns_ - first);
  std::vector<Lanes>& change = *changes;
  for (const std::uint32_t place : seeds_) change[place] = {};
  for (std::size_t k = 0; k < count; ++k) change[seeds_[first + k]][k] = 1;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (ends_[i] == 0) continue;  // a seed, or before the first term
    Lanes sum{};
    for (std::uint32_t t = begin; t < ends_[i]; ++t) {
      const Term& term = terms_[t];
      const double factor = term.factor == one ? term.sign : term.sign * factors[term.factor];
      const Lanes& from = change[term.place];
      for (std::size_t k = 0; k < lanes; ++k) sum[k] += factor * from[k];
    }
    begin = ends_[i];
    change[i] = sum;
  }
  for (std::size_t row = 0; row < outputs_.size(); ++row) {
    const Output& out = outputs_[row];
    for (std::size_t k = 0; k < count && out.place != none; ++k)
      (*slopes)[row * columns_ + first + k] = out.sign * change[out.place][k];
  }
}

SlopeEvaluator::Values SlopeEvaluator::operator()(const std::vector<double>& inputs) const {
  Values result;
  if (!values_) return result;
  std::vector<double> all = (*values_)(inputs);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(outputs_.size());
  const std::vector<double> factors(middle, all.end());
  result.outputs.assign(all.begin(), middle);
  result.slopes.assign(outputs_.size() * columns_, 0.0);
  std::vector<Lanes> changes(ends_.size());
  for (std::size_t first = 0; first < columns_; first += lanes)
    fill(factors, first, &changes, &result.slopes);
  return result;
}

}  // namespace visviva
