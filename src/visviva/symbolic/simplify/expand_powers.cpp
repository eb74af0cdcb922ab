#include "visviva/symbolic/simplify/expand_powers.h"

#include "visviva/base/error.h"

namespace visviva {
namespace {

// The number that an exponent adds to a multiple of symbols: 1/2 in p + 1/2.
Rational constant_part(const Expr& exponent) {
  if (const auto r = fraction_of(exponent)) return *r;
  const ExprPool& pool = exponent.pool();
  const Node& n = pool.node(exponent.ref());
  Rational r;
  if (n.op != Op::add || !pool.rational_value(n.a, &r)) return {0, 1};
  if (is_negative(exponent)) r.num = -r.num;
  return r;
}

std::int64_t floor_of(const Rational& r) {
  const std::int64_t q = r.num / r.den;
  return r.num % r.den < 0 ? q - 1 : q;
}

}  // namespace

std::optional<Rational> fraction_of(const Expr& number) {
  Rational r;
  if (!number.pool().rational_value(number.ref(), &r)) return std::nullopt;
  return r;
}

std::optional<std::int64_t> integer_of(const Expr& number) {
  const auto r = fraction_of(number);
  if (!r || r->den != 1) return std::nullopt;
  return r->num;
}

Expr build(const PowerFactor& f) {
  switch (f.kind) {
    case PowerKind::plain:
      return pow(f.base, f.exponent);
    case PowerKind::absolute:
      return pow(abs(f.base), f.exponent);
    case PowerKind::with_sign:
      return f.exponent.is_zero() ? sign(f.base) : f.base * pow(abs(f.base), f.exponent - 1);
  }
  throw InternalError("build: unknown kind of power");
}

Expr build(const ProductTerm& term) {
  ExprPool& pool = term.coefficient.pool();
  Expr above = pool.one(), below = pool.one();
  for (const PowerFactor& f : term.factors) {
    const auto r = fraction_of(f.exponent);
    if (f.kind == PowerKind::plain && r && r->num < 0) {
      below *= pow(f.base, -f.exponent);
    } else {
      above *= build(f);
    }
  }
  return term.coefficient * above / below;
}

Expr build(ExprPool& pool, const std::vector<ProductTerm>& terms) {
  Expr sum = pool.zero();
  for (const ProductTerm& t : terms) sum += build(t);
  return sum;
}

// ---- (1)

PowerFactor combine(const PowerFactor& f, const PowerFactor& g) {
  PowerFactor result{f.base, f.exponent + g.exponent, PowerKind::plain};
  // The parity of the sign that a factor carries; none for a real power, whose base is positive.
  const auto parity = [](const PowerFactor& p) -> std::optional<bool> {
    if (p.kind != PowerKind::plain) return p.kind == PowerKind::with_sign;
    const auto n = integer_of(p.exponent);
    if (!n) return std::nullopt;
    return *n % 2 != 0;
  };
  const auto a = parity(f), b = parity(g);
  if (!a || !b) return result;
  const bool odd = *a != *b;
  if (const auto n = integer_of(result.exponent); n && (*n % 2 != 0) == odd) return result;
  result.kind = odd ? PowerKind::with_sign : PowerKind::absolute;
  return result;
}

ProductTerm inverse(const ProductTerm& term) {
  ProductTerm result{1 / term.coefficient, term.factors};
  for (PowerFactor& f : result.factors) f.exponent = -f.exponent;
  return result;
}

ProductTerm reduced(const ProductTerm& term) {
  ProductTerm result{term.coefficient, {}};
  for (PowerFactor f : term.factors) {
    if (f.kind == PowerKind::with_sign) {
      result.coefficient *= f.base;
      f.exponent = f.exponent - 1;
      f.kind = PowerKind::absolute;
    }
    std::int64_t whole = floor_of(constant_part(f.exponent));
    if (f.kind == PowerKind::absolute && whole % 2 != 0) --whole;
    result.coefficient *= pow(f.base, static_cast<double>(whole));
    f.exponent = f.exponent - static_cast<double>(whole);
    if (!f.exponent.is_zero()) result.factors.push_back(f);
  }
  return result;
}

}  // namespace visviva
