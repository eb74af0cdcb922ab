#include "visviva/equations/energy/state_samples.h"

#include <algorithm>
#include <cmath>

#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/parts_under.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

constexpr double far_share = 1e-6;     // of the terms: not a matter of rounding
constexpr double telling_share = 0.5;  // of the states, those with terms that are not zero

}  // namespace

bool has_pieces(const Expr& e) { return has_piece_under(e); }

bool StateSamples::knows(const Expr& e) const {
  const std::vector<Expr> used = free_symbols(e);
  return std::all_of(used.begin(), used.end(), [this](const Expr& s) {
    return std::find(symbols.begin(), symbols.end(), s) != symbols.end();
  });
}

bool StateSamples::vanishes(const Expr& e) const {
  if (states.empty() || !knows(e) || has_pieces(e)) return false;
  const std::optional<std::vector<Expr>> terms = expand_sum(e);
  if (!terms || terms->size() < 2) return false;
  const Evaluator evaluator(symbols, *terms, FunctionValues::stand_ins);
  std::size_t telling = 0;
  for (const std::vector<double>& state : states) {
    double sum = 0, size = 0;
    for (const double t : evaluator(state)) {
      sum += t;
      size += std::abs(t);
    }
    if (!(std::abs(sum) <= tolerance * size)) return false;
    telling += size > 0 ? 1 : 0;
  }
  return static_cast<double>(telling) >= telling_share * static_cast<double>(states.size());
}

bool StateSamples::differs(const Expr& e) const {
  const std::optional<std::vector<Expr>> terms = expand_sum(e);
  const Evaluator evaluator(symbols, terms ? *terms : std::vector<Expr>{e},
                            FunctionValues::stand_ins);
  return std::any_of(states.begin(), states.end(), [&](const std::vector<double>& state) {
    double sum = 0, size = 0;
    for (const double t : evaluator(state)) {
      sum += t;
      size += std::abs(t);
    }
    return std::isfinite(size) && std::abs(sum) > far_share * size;
  });
}

}  // namespace visviva
