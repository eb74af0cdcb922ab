#include "visviva/equations/energy/zero_facts.h"

#include <algorithm>

#include "visviva/equations/energy/constraint_manifold.h"
#include "visviva/equations/energy/start_motion.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {

namespace {

Replacements collect_values(const ModelData& model, std::optional<Undefined>* refusal) {
  auto values = attempt([&] { return ModelValues(model).replacements(); });
  if (values) return *std::move(values);
  *refusal = values.why();
  return {};
}

}  // namespace

ZeroFacts::ZeroFacts(const Energies& energies)
    : energies_(energies),
      values_(collect_values(energies.equations.motion.model(), &values_refusal_)),
      symbolic_(energies, {}),
      solved_(solve_positions(energies.equations, Pivot::any)),
      positions_(*energies.equations.motion.model().pool, solved_) {
  auto valued = attempt([&] { return std::make_unique<AlongMotion>(energies, values_); });
  if (valued)
    valued_ = *std::move(valued);
  else
    values_refusal_ = valued.why();
}

ZeroFacts::~ZeroFacts() = default;

StartMotion& ZeroFacts::start_motion() {
  if (!start_) start_ = std::make_unique<StartMotion>(energies_, values_);
  return *start_;
}

const StateSamples& ZeroFacts::manifold() {
  if (!manifold_)
    manifold_ = std::make_unique<StateSamples>(sample_constraints(energies_, values_));
  return *manifold_;
}

// Nothing where the values divide by zero.
std::optional<Expr> ZeroFacts::put(const Expr& e) {
  if (!valued_) return {};
  auto value = attempt([&] { return valued_->put_values(e); });
  if (value) return *value;
  values_refusal_ = value.why();
  return {};
}

std::optional<Expr> ZeroFacts::valued_derivative(const Expr& e) {
  if (!valued_) return {};
  auto value = attempt([&] { return valued_->derivative(e); });
  if (value) return *value;
  values_refusal_ = value.why();
  return {};
}

bool ZeroFacts::is_zero_with_values(const Expr& e) {
  const std::optional<Expr> value = put(e);
  return value && value->is_zero();
}

std::vector<std::string> ZeroFacts::kept_at_start() { return start_motion().kept(); }
std::optional<Reason> ZeroFacts::start_refusal() const {
  return start_ ? start_->refusal() : std::nullopt;
}

ZeroFact ZeroFacts::examine(const Expr& e) { return decide(symbolic_.put_values(e), put(e)); }

ZeroFact ZeroFacts::examine_derivative(const Expr& e, const Expr& plus) {
  std::optional<Expr> symbolic = symbolic_.derivative(e), valued = valued_derivative(e);
  if (symbolic) *symbolic += plus;
  const std::optional<Expr> valued_plus = put(plus);
  if (valued && valued_plus) *valued += *valued_plus;
  if (!valued_plus) valued.reset();
  return decide(symbolic, valued);
}

ZeroFact ZeroFacts::find_constant(const Expr& e) {
  const std::optional<Expr> symbolic = symbolic_.derivative(e);
  if (symbolic && is_proved_zero(*symbolic)) return {ZeroVerdict::zero};
  return find_zero(symbolic, valued_derivative(e));
}

// Exactly, for more and more special models and motions; then by numbers on the constraints.
ZeroFact ZeroFacts::find_zero(const std::optional<Expr>& symbolic,
                              const std::optional<Expr>& valued) {
  const auto vanishes_on_constraints = [&](const Expr& e) {
    if (solved_.empty()) return false;
    const auto there = try_substitute(e, positions_);
    return there && is_proved_zero(*there);
  };
  const auto vanishes_on_constraints_with_values = [&](const Expr& e) {
    if (solved_.empty()) return false;
    const auto there = try_substitute(e, positions_);
    const std::optional<Expr> value = there ? put(*there) : std::nullopt;
    return value && is_proved_zero(*value);
  };
  if (symbolic && is_proved_zero(*symbolic)) return {ZeroVerdict::zero};
  if (symbolic && vanishes_on_constraints(*symbolic))
    return {ZeroVerdict::zero, Scope::all_parameters, Extent::on_constraints};
  if (!valued) return {};
  if (is_proved_zero(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::every_motion,
            symbolic ? find_condition(*symbolic) : Replacements()};
  if (vanishes_on_constraints_with_values(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::on_constraints};
  if (manifold().vanishes(*valued))
    return {ZeroVerdict::zero, Scope::these_values, Extent::on_constraints, {}, true};
  return {};
}

ZeroFact ZeroFacts::decide(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued) {
  const ZeroFact found = find_zero(symbolic, valued);
  if (found.verdict == ZeroVerdict::zero) return found;
  if (!valued && symbolic) {
    const bool differs = compare(*symbolic, symbolic->pool().zero()).verdict == Verdict::different;
    return {differs ? ZeroVerdict::not_zero : ZeroVerdict::undecided, Scope::all_parameters};
  }
  if (!valued) return found;
  const Scope scope = has_values() ? Scope::these_values : Scope::all_parameters;
  // Where constraints hold, if states on them are at hand; anywhere else otherwise.
  const StateSamples& samples = manifold();
  const bool differs = !samples.states.empty() && samples.knows(*valued) && !has_pieces(*valued)
                           ? samples.differs(*valued)
                           : compare(*valued, valued->pool().zero()).verdict == Verdict::different;
  if (!differs) return {ZeroVerdict::undecided, scope};
  ZeroFact fact{ZeroVerdict::not_zero, scope};
  const bool is_proved = start_motion().is_zero(*valued);
  if (is_proved || start_motion().vanishes_numerically(*valued)) {
    fact.extent = Extent::this_start;
    fact.is_numeric = !is_proved;
  }
  return fact;
}

// A smallest set of values that make the expression zero.
Replacements ZeroFacts::find_condition(const Expr& symbolic) {
  const std::vector<Expr> symbols = free_symbols(symbolic);
  Replacements needed;
  for (const auto& entry : values_) {
    if (std::find(symbols.begin(), symbols.end(), entry.first) != symbols.end())
      needed.push_back(entry);
  }
  const auto suffices = [&](const Replacements& some) {
    const auto value = try_substitute(symbolic, some);
    return value && is_proved_zero(*value);
  };
  if (!suffices(needed)) return {};
  for (std::size_t i = 0; i < needed.size();) {
    Replacements fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (suffices(fewer)) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  return needed;
}

}  // namespace visviva
