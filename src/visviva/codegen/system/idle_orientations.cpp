#include "visviva/codegen/system/idle_orientations.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "visviva/base/sequence.h"
#include "visviva/equations/energy/velocity_split.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Rates = std::unordered_map<Ref, Expr>;

// All that the motion is computed from, but for the rates of hidden states.
std::vector<Expr> collect_expressions(const Equations& equations, const Rates& rates) {
  std::vector<Expr> all = equations.forcing;
  for (const CoordinateData& c : equations.motion.model().coordinates)
    all.push_back(rates.at(c.q.ref()));
  for (const auto& line : equations.mass_matrix) append(&all, line);
  append(&all, equations.row_forcing);
  for (const ConstraintRow& row : equations.rows) {
    for (const auto& entry : row.velocity.coefficients) all.push_back(entry.second);
    all.push_back(row.velocity.remainder);
    if (row.position) all.push_back(*row.position);
  }
  for (const AuxiliaryEquation& a : equations.auxiliary) {
    if (!a.is_complete || a.is_evidence) continue;
    append(&all, a.mass);
    append(&all, a.rows);
    all.push_back(a.forcing);
  }
  return all;
}

// True when the frame's orientation changes nothing in these.
bool is_idle(const ModelData& model, int frame, const std::vector<Expr>& expressions) {
  const std::vector<Expr>& hidden = model.frames[static_cast<std::size_t>(frame)].hidden;
  std::unordered_set<Ref> own;
  for (const Expr& h : hidden) own.insert(h.ref());
  const std::vector<Expr> inside = free_symbols(expressions);
  if (std::none_of(inside.begin(), inside.end(),
                   [&](const Expr& symbol) { return own.count(symbol.ref()) != 0; }))
    return true;
  const ExprPool::Avoiding avoid(*model.pool, hidden);
  Substitution fix(*model.pool, fix_orientations(model, {frame}));
  return std::all_of(expressions.begin(), expressions.end(), [&](const Expr& e) {
    const auto fixed = try_substitute(e, fix);
    return fixed && *fixed == e;
  });
}

}  // namespace

std::vector<int> find_idle_orientations(const Equations& equations,
                                        const std::vector<Expr>& wanted) {
  const ModelData& model = equations.motion.model();
  std::vector<int> idle;
  for (std::size_t F = 0; F < model.frames.size(); ++F) {
    if (!model.frames[F].hidden.empty()) idle.push_back(static_cast<int>(F));
  }
  if (idle.empty()) return idle;
  Rates rates;
  for (const auto& [symbol, rate] : collect_rates(equations.motion))
    rates.emplace(symbol.ref(), rate);
  std::vector<Expr> open = collect_expressions(equations, rates);
  append(&open, wanted);
  while (!open.empty()) {
    std::vector<Expr> next;
    std::erase_if(idle, [&](int F) {
      if (is_idle(model, F, open)) return false;
      for (const Expr& h : model.frames[static_cast<std::size_t>(F)].hidden)
        next.push_back(rates.at(h.ref()));
      return true;
    });
    open = std::move(next);
  }
  return idle;
}

Replacements fix_orientations(const ModelData& model, const std::vector<int>& frames) {
  Replacements fixed;
  for (const int F : frames) {
    const std::vector<Expr>& hidden = model.frames[static_cast<std::size_t>(F)].hidden;
    for (std::size_t i = 0; i < hidden.size(); ++i)
      fixed.emplace_back(hidden[i],
                         hidden.size() == 4 && i == 0 ? model.pool->one() : model.pool->zero());
  }
  return fixed;
}

}  // namespace visviva
