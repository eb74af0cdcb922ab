#include "visviva/symbolic/integrate/integrate_terms.h"

#include <algorithm>
#include <map>

namespace visviva {
namespace {

constexpr int max_wave_power = 16;  // sin^n cos^m with n + m up to this

using WaveTerms = std::vector<WaveTerm>;

bool is_circular(Op op) { return op == Op::sin || op == Op::cos; }
bool is_hyperbolic(Op op) { return op == Op::sinh || op == Op::cosh; }
std::int64_t whole_power(const PowerFactor& f) { return integer_of(f.exponent).value_or(0); }

bool is_polynomial(const ProductTerm& term) {
  return std::all_of(term.factors.begin(), term.factors.end(), [](const PowerFactor& f) {
    return f.kind == PowerKind::plain && whole_power(f) > 0;
  });
}

// 1/cos(x) has no product-to-sum formula: such terms keep their factors.
bool has_wave_below(const ProductTerm& term) {
  return std::any_of(term.factors.begin(), term.factors.end(), [](const PowerFactor& f) {
    const Op op = op_of(f.base);
    return (is_circular(op) || is_hyperbolic(op)) &&
           (whole_power(f) <= 0 || f.kind != PowerKind::plain);
  });
}

WaveTerms merge(const WaveTerms& terms, Integration& in) {
  WaveTerms result;
  std::map<std::vector<std::uint64_t>, std::size_t> places;
  for (WaveTerm term : terms) {
    if (term.wave.op != Op::constant && !field::is_canonical(term.wave.angle.fingerprint())) {
      term.wave.angle = -term.wave.angle;
      if (term.wave.op == Op::sin || term.wave.op == Op::sinh)
        term.rest.coefficient = -term.rest.coefficient;
    }
    const auto [place, fresh] = places.try_emplace(key_of(term, in), result.size());
    if (fresh) {
      result.push_back(term);
    } else {
      result[place->second].rest.coefficient += term.rest.coefficient;
    }
  }
  std::erase_if(result, [](const WaveTerm& term) { return term.rest.coefficient.is_zero(); });
  return result;
}

void add_exponent(WaveTerm* term, const Expr& exponent, Integration& in) {
  term->wave.growth += exponent;
  if (term->wave.growth.is_zero() || !in.is_free(term->wave.growth)) return;
  term->rest.coefficient *= exp(term->wave.growth);
  term->wave.growth = in.zero();
}

// The term times factor sin(angle) or factor cos(angle), in place of its own wave.
WaveTerm with_wave(const WaveTerm& term, Op op, const Expr& angle, const Expr& factor,
                   Integration& in) {
  WaveTerm result{{term.rest.coefficient * factor, term.rest.factors},
                  {term.wave.growth, in.zero(), Op::constant}};
  if (in.is_free(angle)) {
    result.rest.coefficient *= op == Op::sin ? sin(angle) : cos(angle);
  } else {
    result.wave.op = op;
    result.wave.angle = angle;
  }
  return result;
}

// sin A sin B = (cos(A - B) - cos(A + B))/2 and its kin; op is sin or cos.
WaveTerms multiply_by_wave(const WaveTerms& terms, Op op, const Expr& angle, Integration& in) {
  WaveTerms next;
  const auto push = [&](const WaveTerm& from, Op kind, const Expr& B, const Expr& factor) {
    const WaveTerm term = with_wave(from, kind, B, factor, in);
    if (!term.rest.coefficient.is_zero()) next.push_back(term);
  };
  const Expr half = in.pool.rational(1, 2);
  for (const WaveTerm& term : terms) {
    const Expr A = term.wave.angle, B = angle;
    if (term.wave.op == Op::constant) {
      push(term, op, B, in.one());
    } else if (term.wave.op == op) {
      push(term, Op::cos, A - B, half);
      push(term, Op::cos, A + B, op == Op::cos ? half : -half);
    } else {
      push(term, Op::sin, A + B, half);
      push(term, Op::sin, term.wave.op == Op::sin ? A - B : B - A, half);
    }
  }
  return merge(next, in);
}

// cosh A = (e^A + e^-A)/2, sinh A = (e^A - e^-A)/2.
WaveTerms multiply_by_hyperbolic(const WaveTerms& terms, Op op, const Expr& angle,
                                 Integration& in) {
  WaveTerms next;
  for (const WaveTerm& term : terms) {
    WaveTerm up = term, down = term;
    up.rest.coefficient = term.rest.coefficient / 2;
    down.rest.coefficient = term.rest.coefficient / (op == Op::cosh ? 2 : -2);
    add_exponent(&up, angle, in);
    add_exponent(&down, -angle, in);
    next.push_back(up);
    next.push_back(down);
  }
  return merge(next, in);
}

// One product as a sum of terms with a single wave each.
std::optional<WaveTerms> separate_waves(const ProductTerm& product, Integration& in) {
  const bool below = has_wave_below(product);
  WaveTerms terms{{{product.coefficient, {}}, {in.zero(), in.zero(), Op::constant}}};
  std::vector<std::pair<Op, Expr>> hyperbolic;
  for (const PowerFactor& f : product.factors) {
    const Op op = op_of(f.base);
    const bool is_wave = op == Op::exp || (!below && (is_circular(op) || is_hyperbolic(op)));
    if (!is_wave || f.kind != PowerKind::plain || is_negative(f.base) ||
        !in.is_linear(argument_of(f.base))) {
      for (WaveTerm& term : terms) term.rest = in.expander.multiply(term.rest, {in.one(), {f}});
      continue;
    }
    const Expr argument = argument_of(f.base);
    if (op == Op::exp) {
      for (WaveTerm& term : terms) add_exponent(&term, f.exponent * argument, in);
      continue;
    }
    if (whole_power(f) > max_wave_power) return std::nullopt;
    for (std::int64_t k = 0; k < whole_power(f); ++k) {
      if (is_hyperbolic(op)) {
        hyperbolic.emplace_back(op, argument);
        continue;
      }
      terms = multiply_by_wave(terms, op, argument, in);
      if (terms.size() > max_integrand_terms) return std::nullopt;
    }
  }
  // A single sinh or cosh need not become exponentials.
  if (hyperbolic.size() == 1 && terms.size() == 1 && terms[0].wave.is_one()) {
    terms[0].wave = {in.zero(), hyperbolic[0].second, hyperbolic[0].first};
    return terms;
  }
  for (const auto& [op, angle] : hyperbolic) terms = multiply_by_hyperbolic(terms, op, angle, in);
  return terms;
}

}  // namespace

Expr Wave::build() const {
  Expr f = growth.pool().one();
  if (op == Op::sin) f = sin(angle);
  if (op == Op::cos) f = cos(angle);
  if (op == Op::sinh) f = sinh(angle);
  if (op == Op::cosh) f = cosh(angle);
  return growth.is_zero() ? f : exp(growth) * f;
}

Integration::Integration(ExprPool& pool_, const Expr& x_, const IntegralSearch& search_)
    : pool(pool_),
      x(x_),
      search(search_),
      rate(pool_, {{x_, pool_.one()}}),
      expander(pool_, Expander::Scope::one_symbol, max_integrand_terms, x_) {}

std::vector<std::uint64_t> key_of(const WaveTerm& term, Integration& in) {
  std::vector<std::uint64_t> key = in.expander.key_of(term.rest);
  const auto growth = term.wave.growth.fingerprint().lane;
  const auto angle = term.wave.angle.fingerprint().lane;
  key.push_back(static_cast<std::uint64_t>(term.wave.op));
  key.insert(key.end(), growth.begin(), growth.end());
  key.insert(key.end(), angle.begin(), angle.end());
  return key;
}

std::optional<std::vector<WaveTerm>> make_wave_terms(const Expr& expr, Integration& in) {
  const auto products = in.expander.expand(expr);
  if (!products) return std::nullopt;
  // A sum that is a base elsewhere is multiplied out where it stands alone.
  std::vector<ProductTerm> kept, loose;
  for (const ProductTerm& t : *products) (is_polynomial(t) ? loose : kept).push_back(t);
  const auto distributed = in.expander.distribute(loose);
  if (!distributed) return std::nullopt;
  kept.insert(kept.end(), distributed->begin(), distributed->end());

  WaveTerms all;
  for (const ProductTerm& t : in.expander.merge(kept)) {
    const auto terms = separate_waves(t, in);
    if (!terms || all.size() + terms->size() > 4 * max_integrand_terms) return std::nullopt;
    all.insert(all.end(), terms->begin(), terms->end());
  }
  return merge(all, in);
}

}  // namespace visviva
