// Rule (5): integration by a substitution u = S, for S that the integrand suggests.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/integrate/integrate_polynomial_in.h"
#include "visviva/symbolic/integrate/integrate_rules.h"

namespace visviva {
namespace {

constexpr int max_substitutions = 3;       // one inside another
constexpr std::size_t max_candidates = 8;  // for u, at each level

// Positive by its form, wherever it is defined.
bool is_evidently_positive(const Expr& e, int depth = 10) {
  const Node n = e.pool().node(e.ref());
  if (is_negative(e) || depth == 0) return false;
  const auto part = [&](Ref ref) { return is_evidently_positive(Expr(e.pool(), ref), depth - 1); };
  switch (n.op) {
    case Op::constant:
    case Op::pi:
    case Op::sqrt:
    case Op::exp:
    case Op::cosh:
    case Op::abs:
    case Op::power:
      return true;
    case Op::multiply:
      return n.a == n.b || (part(n.a) && part(n.b));
    case Op::add:
    case Op::divide:
      return part(n.a) && part(n.b);
    default:
      return false;
  }
}

// ---- What u may be

class Candidates {
 public:
  explicit Candidates(Integration& in) : in_(in) {}

  std::vector<Expr> find(const ProductTerm& term) {
    for (const PowerFactor& f : term.factors) {
      const bool power_of_x =
          f.base == in_.x && f.kind == PowerKind::plain && integer_of(f.exponent);
      if (power_of_x) continue;
      if (operand_count(op_of(f.base)) == 1) add_argument(argument_of(f.base));
      add_base(f);
      if (op_of(f.base) == Op::add) note_addends(f.base);
    }
    for (const PowerFactor& g : inner_) add_base(g);
    return found_;
  }

 private:
  void add(const Expr& u) {
    if (u == in_.x || !in_.expander.is_active(u) || found_.size() >= max_candidates) return;
    const bool known =
        std::any_of(found_.begin(), found_.end(), [&](const Expr& v) { return v == u; });
    if (!known) found_.push_back(u);
  }

  void add_base(const PowerFactor& f) {
    add(f.base);
    if (is_root(f)) add(sqrt(f.base));
    if (f.kind != PowerKind::plain) add(abs(f.base));
  }

  // What is deepest inside comes first: exp(-sqrt(S)) is a function of sqrt(S).
  void add_argument(const Expr& argument) {
    if (const auto terms = in_.expander.expand(argument)) {
      for (const ProductTerm& t : *terms) {
        for (const PowerFactor& g : t.factors) {
          if (is_root(g)) add(sqrt(g.base));
          inner_.push_back(g);
        }
      }
    }
    add(argument);
  }

  void note_addends(const Expr& sum) {
    const Expr one = in_.one();
    const auto terms = in_.expander.distribute({{one, {{sum, one, PowerKind::plain}}}});
    if (!terms) return;
    for (const ProductTerm& t : *terms)
      inner_.insert(inner_.end(), t.factors.begin(), t.factors.end());
  }

  static bool is_root(const PowerFactor& f) {
    const auto r = fraction_of(f.exponent);
    return r && r->den == 2;
  }

  Integration& in_;
  std::vector<PowerFactor> inner_;  // factors inside functions and sums, to come last
  std::vector<Expr> found_;
};

// ---- One u

class Substitution {
 public:
  Substitution(const Expr& u, Integration& in)
      : u_(u),
        symbol_(in.pool.scratch_symbol("integrate.u" + std::to_string(in.search.depth))),
        in_(in) {}

  // The integral of the first term, and of those others that are functions of u; the rest stay.
  std::optional<Expr> integrate(std::vector<WaveTerm>* terms);

 private:
  // function(u) u^power numerator
  struct Split {
    Expr function;  // of the symbol
    std::int64_t power = 0;
    Expr numerator;
    bool fits = false;  // something is a function of u
  };
  // Terms that are the same function of u, up to an integer power of u.
  struct Group {
    Expr function;                            // of the symbol
    std::map<std::int64_t, Expr> numerators;  // by the power of u that goes with them
  };
  using Groups = std::map<std::array<std::uint64_t, 2>, Group>;

  Split split(const WaveTerm& term);
  std::optional<Expr> factor_in_terms_of_u(const PowerFactor& f);
  void add_to_groups(Split part, Groups* groups) const;
  std::optional<Expr> make_integrand(const Groups& groups);
  std::optional<Expr> in_terms_of_u(const Expr& numerator, const Expr& denominator) {
    return write_as_polynomial_in(u_, symbol_, {numerator, denominator}, in_);
  }

  Expr u_;
  Expr symbol_;  // stands for u
  Integration& in_;
};

// The factor as a function of u; nothing when it is none.
std::optional<Expr> Substitution::factor_in_terms_of_u(const PowerFactor& f) {
  // With u = sqrt(S), S^e is u^(2e).
  const bool plain = f.kind == PowerKind::plain;
  if (plain && op_of(u_) == Op::sqrt && !is_negative(u_) && argument_of(u_) == f.base)
    return pow(symbol_, 2 * f.exponent);
  if (f.base == u_) return build(PowerFactor{symbol_, f.exponent, f.kind});
  if (plain && f.base == in_.x && integer_of(f.exponent)) return std::nullopt;
  const Op op = op_of(f.base);
  if (operand_count(op) == 1) {
    const auto argument = in_terms_of_u(argument_of(f.base), in_.one());
    if (!argument) return std::nullopt;
    Ref call = in_.pool.function(op, argument->ref());
    if (is_negative(f.base)) call = ExprPool::negate(call);
    return build(PowerFactor{Expr(in_.pool, call), f.exponent, f.kind});
  }
  const auto base = in_terms_of_u(f.base, in_.one());
  if (!base) return std::nullopt;
  return build(PowerFactor{*base, f.exponent, f.kind});
}

Substitution::Split Substitution::split(const WaveTerm& term) {
  Split result{in_.one(), 0, term.rest.coefficient * term.wave.build(), false};
  for (const PowerFactor& f : term.rest.factors) {
    const auto g = factor_in_terms_of_u(f);
    if (!g) {
      result.numerator *= build(f);
      continue;
    }
    result.fits = true;
    const auto n = integer_of(f.exponent);
    if (f.base == u_ && n && f.kind == PowerKind::plain) {
      result.power += *n;
    } else {
      result.function *= *g;
    }
  }
  return result;
}

void Substitution::add_to_groups(Split part, Groups* groups) const {
  // u^(n + 1/2) beside u^(1/2)
  for (const auto& [key, group] : *groups) {
    const Expr ratio = part.function / group.function;
    for (std::int64_t n = -max_degree_in_u; n <= max_degree_in_u; ++n) {
      if (n == 0 || !(ratio == pow(symbol_, static_cast<double>(n)))) continue;
      part.function = group.function;
      part.power += n;
      break;
    }
  }
  Group& group = (*groups)[part.function.fingerprint().lane];
  group.function = part.function;
  const auto [place, fresh] = group.numerators.try_emplace(part.power, part.numerator);
  if (!fresh) place->second += part.numerator;
}

// The right-hand side of (5).
std::optional<Expr> Substitution::make_integrand(const Groups& groups) {
  Expr integrand = in_.zero();
  for (const auto& [key, group] : groups) {
    const std::int64_t lowest = group.numerators.begin()->first;
    Expr numerator = in_.zero();
    for (const auto& [n, part] : group.numerators) {
      if (n - lowest > max_degree_in_u) return std::nullopt;
      numerator += part * pow(u_, static_cast<double>(n - lowest));
    }
    const auto c = in_terms_of_u(numerator, in_.derivative(u_));
    if (!c) return std::nullopt;
    integrand += group.function * pow(symbol_, static_cast<double>(lowest)) * *c;
  }
  return integrand;
}

std::optional<Expr> Substitution::integrate(std::vector<WaveTerm>* terms) {
  Groups groups;
  std::vector<WaveTerm> others;
  for (const WaveTerm& term : *terms) {
    const Split part = split(term);
    if (part.fits) {
      add_to_groups(part, &groups);
      continue;
    }
    if (groups.empty()) return std::nullopt;
    others.push_back(term);
  }
  const auto integrand = make_integrand(groups);
  if (!integrand) return std::nullopt;
  IntegralSearch below = in_.search;
  ++below.depth;
  below.x_is_positive = is_evidently_positive(u_);
  Integration inner(in_.pool, symbol_, below);
  const auto F = integrate_by_rules(*integrand, inner);
  if (!F) return std::nullopt;
  *terms = others;
  return substitute(*F, {{symbol_, u_}});
}

bool try_substitution(const Expr& u, std::vector<WaveTerm>* terms, Expr* sum, Integration& in) {
  if (*in.search.attempts <= 0) return false;
  --*in.search.attempts;
  if (in.is_free(u)) return false;
  const auto F = Substitution(u, in).integrate(terms);
  if (F) *sum += *F;
  return F.has_value();
}

}  // namespace

void integrate_by_substitution(std::vector<WaveTerm>* terms, Expr* sum, Integration& in) {
  if (in.search.depth >= max_substitutions) return;
  while (!terms->empty()) {
    const std::vector<Expr> candidates = Candidates(in).find(terms->front().rest);
    const bool done = std::any_of(candidates.begin(), candidates.end(), [&](const Expr& u) {
      return try_substitution(u, terms, sum, in);
    });
    if (!done) return;
  }
}

}  // namespace visviva
