#include "visviva/symbolic/simplify/polynomial.h"

#include <algorithm>
#include <numeric>

namespace visviva {
namespace {

// Room for `terms` terms of this degree, and their price.
void reserve(Budget& budget, std::size_t terms, std::uint32_t degree) {
  budget.spend(terms);
  if (degree > budget.max_degree) throw TooLarge();
}

std::uint32_t largest_degree(const Polynomial& a) {
  std::uint32_t largest = 0;
  for (const auto& [m, c] : a.terms()) largest = std::max(largest, degree(m));
  return largest;
}

}  // namespace

Rational checked(const std::optional<Rational>& r) {
  if (!r) throw TooLarge();
  return *r;
}

void Budget::spend(std::size_t amount) {
  if (amount > work) {
    work = 0;
    throw TooLarge();
  }
  work -= amount;
}

// ---- Monomials

std::uint32_t degree(const Monomial& m) {
  std::uint32_t sum = 0;
  for (const auto& [generator, exponent] : m) sum += exponent;
  return sum;
}

std::uint32_t exponent_of(const Monomial& m, std::uint32_t generator) {
  for (const auto& [g, exponent] : m) {
    if (g == generator) return exponent;
  }
  return 0;
}

Monomial with_exponent(const Monomial& m, std::uint32_t generator, std::uint32_t exponent) {
  Monomial result;
  for (const auto& power : m) {
    if (power.first != generator) result.push_back(power);
  }
  if (exponent > 0) {
    const std::pair<std::uint32_t, std::uint32_t> power{generator, exponent};
    result.insert(std::lower_bound(result.begin(), result.end(), power), power);
  }
  return result;
}

Monomial multiply(const Monomial& a, const Monomial& b) {
  Monomial result;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->first < y->first)) {
      result.push_back(*x++);
    } else if (x == a.end() || y->first < x->first) {
      result.push_back(*y++);
    } else {
      result.emplace_back(x->first, x->second + y->second);
      ++x;
      ++y;
    }
  }
  return result;
}

bool divides(const Monomial& divisor, const Monomial& m) {
  return std::all_of(divisor.begin(), divisor.end(), [&m](const auto& power) {
    return exponent_of(m, power.first) >= power.second;
  });
}

Monomial divide(const Monomial& m, const Monomial& divisor) {
  Monomial result;
  for (const auto& [generator, exponent] : m) {
    const std::uint32_t rest = exponent - exponent_of(divisor, generator);
    if (rest > 0) result.emplace_back(generator, rest);
  }
  return result;
}

Monomial common_divisor(const Monomial& a, const Monomial& b) {
  Monomial result;
  for (const auto& [generator, exponent] : a) {
    const std::uint32_t shared = std::min(exponent, exponent_of(b, generator));
    if (shared > 0) result.emplace_back(generator, shared);
  }
  return result;
}

// ---- Polynomials

Polynomial::Polynomial(const Rational& c, Monomial m) {
  if (c.num != 0) terms_.emplace_back(std::move(m), c);
}

namespace {

bool comes_before(const std::pair<Monomial, Rational>& term, const Monomial& m) {
  return term.first < m;
}

}  // namespace

Polynomial::Terms::iterator Polynomial::place_of(const Monomial& m) {
  if (terms_.empty() || terms_.back().first < m) return terms_.end();
  return std::lower_bound(terms_.begin(), terms_.end(), m, comes_before);
}

void Polynomial::put(Terms::iterator place, const Monomial& m, const Rational& c) {
  const bool is_there = place != terms_.end() && place->first == m;
  if (is_there && c.num == 0) {
    terms_.erase(place);
  } else if (is_there) {
    place->second = c;
  } else if (c.num != 0) {
    terms_.emplace(place, m, c);
  }
}

Rational Polynomial::coefficient(const Monomial& m) const {
  const auto found = std::lower_bound(terms_.begin(), terms_.end(), m, comes_before);
  return found == terms_.end() || found->first != m ? Rational{0, 1} : found->second;
}

void Polynomial::add(const Monomial& m, const Rational& c) {
  const auto place = place_of(m);
  const bool is_there = place != terms_.end() && place->first == m;
  put(place, m, is_there ? checked(visviva::add(place->second, c)) : c);
}

void Polynomial::set(const Monomial& m, const Rational& c) { put(place_of(m), m, c); }

void add_to(Polynomial* sum, const Polynomial& a, Budget& budget) {
  reserve(budget, sum->size() + a.size(), 0);
  for (const auto& [m, c] : a.terms()) sum->add(m, c);
  if (sum->size() > budget.max_terms) throw TooLarge();
}

Polynomial add(const Polynomial& a, const Polynomial& b, Budget& budget) {
  Polynomial sum = a;
  add_to(&sum, b, budget);
  return sum;
}

Polynomial multiply(const Polynomial& a, const Polynomial& b, Budget& budget) {
  // A product of n and m terms seldom has fewer than a quarter of n m.
  if (a.size() * b.size() > 4 * budget.max_terms) throw TooLarge();
  reserve(budget, a.size() * b.size(), largest_degree(a) + largest_degree(b));
  Polynomial product;
  for (const auto& [m, c] : a.terms()) {
    for (const auto& [n, d] : b.terms()) product.add(multiply(m, n), checked(multiply(c, d)));
  }
  if (product.size() > budget.max_terms) throw TooLarge();
  return product;
}

Polynomial scale(const Polynomial& a, const Rational& c, const Monomial& m) {
  Polynomial result;
  for (const auto& [n, d] : a.terms()) result.set(multiply(m, n), checked(multiply(c, d)));
  return result;
}

Polynomial divide(const Polynomial& a, const Monomial& m) {
  Polynomial result;
  for (const auto& [n, c] : a.terms()) result.set(divide(n, m), c);
  return result;
}

Monomial common_monomial(const Polynomial& a) {
  if (a.is_zero()) return {};
  Monomial common = a.terms().begin()->first;
  for (const auto& [m, c] : a.terms()) common = common_divisor(common, m);
  return common;
}

Rational content(const Polynomial& a) {
  if (a.is_zero()) return {1, 1};
  std::int64_t num = 0;
  Int128 den = 1;
  for (const auto& [m, c] : a.terms()) {
    num = std::gcd(num, c.num);
    den = den / std::gcd(static_cast<std::int64_t>(den), c.den) * c.den;
    if (den > INT64_MAX) throw TooLarge();
  }
  return checked(make_rational(a.terms().begin()->second.num < 0 ? -num : num, den));
}

std::vector<std::uint32_t> generators_of(const Polynomial& a) {
  std::vector<std::uint32_t> all;
  for (const auto& [m, c] : a.terms()) {
    for (const auto& power : m) all.push_back(power.first);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace visviva
