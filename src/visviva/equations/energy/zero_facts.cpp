#include "visviva/equations/energy/zero_facts.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/energy/start_motion.h"
#include "visviva/symbolic/compare.h"
#include "visviva/symbolic/expand.h"
#include "visviva/symbolic/inspect.h"
#include "visviva/symbolic/print.h"

namespace visviva {

ZeroFacts::ZeroFacts(const Energies& energies)
    : energies_(energies),
      values_(energies.equations.motion.model()),
      symbolic_(energies, {}),
      valued_(energies, values_.replacements()),
      positions_(*energies.equations.motion.model().pool, solve_positions(energies.equations)),
      has_positions_(!solve_positions(energies.equations).empty()) {}

ZeroFacts::~ZeroFacts() = default;

StartMotion& ZeroFacts::start_motion() {
  if (!start_) start_ = std::make_unique<StartMotion>(energies_, values_.replacements());
  return *start_;
}

ConstraintManifold& ZeroFacts::manifold() {
  if (!manifold_)
    manifold_ = std::make_unique<ConstraintManifold>(energies_, values_.replacements());
  return *manifold_;
}

std::vector<std::string> ZeroFacts::kept_at_start() { return start_motion().kept(); }
std::string ZeroFacts::start_refusal() { return start_motion().refusal(); }

ZeroFact ZeroFacts::examine(const Expr& e) {
  return decide(symbolic_.put_values(e), valued_.put_values(e));
}

ZeroFact ZeroFacts::examine_derivative(const Expr& e, const Expr& plus) {
  std::optional<Expr> symbolic = symbolic_.derivative(e), valued = valued_.derivative(e);
  if (symbolic) *symbolic += plus;
  if (valued) *valued += valued_.put_values(plus);
  return decide(symbolic, valued);
}

ZeroFact ZeroFacts::find_constant(const Expr& e) {
  return find_zero(symbolic_.derivative(e), valued_.derivative(e));
}

// Exactly, for more and more special models and motions; then by numbers on the constraints.
ZeroFact ZeroFacts::find_zero(const std::optional<Expr>& symbolic,
                              const std::optional<Expr>& valued) {
  const auto vanishes_on_constraints = [&](const Expr& e) {
    try {
      return has_positions_ && is_proved_zero(positions_(e));
    } catch (const UsageError&) {  // a denominator vanishes there
      return false;
    }
  };
  const auto vanishes_on_constraints_with_values = [&](const Expr& e) {
    try {
      return is_proved_zero(valued_.put_values(positions_(e)));
    } catch (const UsageError&) {
      return false;
    }
  };
  if (symbolic && is_proved_zero(*symbolic)) return {ZeroVerdict::zero};
  if (symbolic && vanishes_on_constraints(*symbolic))
    return {ZeroVerdict::zero, Scope::all_parameters, Extent::on_constraints};
  if (!valued) return {};
  if (is_proved_zero(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::every_motion,
            symbolic ? find_condition(*symbolic) : std::string()};
  if (has_positions_ && vanishes_on_constraints_with_values(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::on_constraints};
  if (manifold().is_zero(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::on_constraints, {}, true};
  return {};
}

ZeroFact ZeroFacts::decide(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued) {
  const ZeroFact found = find_zero(symbolic, valued);
  if (found.verdict == ZeroVerdict::zero || !valued) return found;
  const Scope scope = has_values() ? Scope::these_values : Scope::all_parameters;
  if (compare(*valued, valued->pool().zero()).verdict != Verdict::different)
    return {ZeroVerdict::undecided, scope};
  ZeroFact fact{ZeroVerdict::not_zero, scope};
  const bool is_proved = start_motion().is_zero(*valued);
  if (is_proved || start_motion().vanishes_numerically(*valued)) {
    fact.extent = Extent::this_start;
    fact.is_numeric = !is_proved;
  }
  return fact;
}

// A smallest set of values that make the expression zero.
std::string ZeroFacts::find_condition(const Expr& symbolic) {
  ExprPool& pool = symbolic.pool();
  const std::vector<Expr> symbols = free_symbols(symbolic);
  Replacements needed;
  for (const auto& entry : values_.replacements()) {
    if (std::find(symbols.begin(), symbols.end(), entry.first) != symbols.end())
      needed.push_back(entry);
  }
  const auto suffices = [&](const Replacements& some) {
    try {
      return is_proved_zero(substitute(symbolic, some));
    } catch (const UsageError&) {  // a denominator vanishes
      return false;
    }
  };
  for (std::size_t i = 0; i < needed.size();) {
    Replacements fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (suffices(fewer)) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  std::string text;
  for (const auto& [symbol, value] : needed)
    text += (text.empty() ? "" : ", ") + pool.symbol_name(symbol.ref()) + " = " + print(value);
  return text;
}

}  // namespace visviva
