#include "visviva/symbolic/integrate/integrate_polynomial_in.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// ---- A quick no

// A value where u has some value.
struct Sample {
  long double value, u;
};

// At most `count` samples at different u; all symbols but x keep their values.
std::vector<Sample> make_samples(const Expr& value, const Expr& u, const Expr& x,
                                 std::size_t count) {
  const std::vector<Expr> symbols = free_symbols({value, u, x});
  const auto place =
      static_cast<std::size_t>(std::find(symbols.begin(), symbols.end(), x) - symbols.begin());
  std::mt19937 random(1);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) * 0x1p-32;
  };
  std::vector<long double> at;
  for (std::size_t i = 0; i < symbols.size(); ++i) at.push_back(uniform(0.5, 1.5));
  const Evaluator evaluator(symbols, {value, u});
  std::vector<Sample> samples;
  for (int i = 0; i < 40 && samples.size() < count; ++i) {
    at[place] = uniform(i % 2 == 0 ? 0.1 : -2.0, i < 20 ? 2.5 : 20.0);
    const std::vector<long double> result = evaluator(at);
    const bool apart = std::all_of(samples.begin(), samples.end(), [&](const Sample& other) {
      return std::fabs(other.u - result[1]) > 1e-3L * (1 + std::fabs(other.u));
    });
    if (!std::isfinite(result[0]) || !std::isfinite(result[1]) || !apart) continue;
    samples.push_back({result[0], result[1]});
  }
  return samples;
}

// Whether the polynomial through the first `through` samples (Lagrange) passes this one too.
bool passes(const std::vector<Sample>& samples, std::size_t through, const Sample& one) {
  long double sum = 0;
  long double largest = std::fabs(one.value);
  for (std::size_t j = 0; j < through; ++j) {
    long double weight = samples[j].value;
    for (std::size_t m = 0; m < through; ++m) {
      if (m != j) weight *= (one.u - samples[m].u) / (samples[j].u - samples[m].u);
    }
    sum += weight;
    largest = std::max(largest, std::fabs(weight));
  }
  return !(std::fabs(sum - one.value) > 1e-8L * largest);
}

// False when numbers refute that the value is a polynomial in u: the one through some points misses
// others. Spares long derivatives; nothing is concluded from true.
bool may_be_polynomial(const Expr& value, const Expr& u, const Expr& x) {
  constexpr std::size_t through = max_degree_in_u + 1, enough = through + 3;
  const std::vector<Sample> samples = make_samples(value, u, x, enough);
  if (samples.size() < enough) return true;
  return std::all_of(samples.begin() + through, samples.end(),
                     [&](const Sample& s) { return passes(samples, through, s); });
}

// ---- Coefficients

// The ratio of the coefficients of one term above and below, where that is the value.
std::optional<Expr> find_ratio_of_terms(const Expr& value, const Fraction& fraction,
                                        Integration& in) {
  const auto above = make_wave_terms(fraction.above, in),
             below = make_wave_terms(fraction.below, in);
  if (!above || !below) return std::nullopt;
  std::map<std::vector<std::uint64_t>, Expr> coefficients;
  for (const WaveTerm& t : *above) coefficients.emplace(key_of(t, in), t.rest.coefficient);
  for (const WaveTerm& t : *below) {
    const auto found = coefficients.find(key_of(t, in));
    if (found == coefficients.end()) continue;
    const Expr ratio = found->second / t.rest.coefficient;
    if (!in.expander.is_active(ratio) && is_proved_zero(ratio - value)) return ratio;
  }
  return std::nullopt;
}

// A value that does not depend on x, which is that of the fraction, written without x.
std::optional<Expr> write_without_x(const Expr& value, const Fraction& fraction, Integration& in) {
  if (!in.expander.is_active(value)) return value;
  if (const auto ratio = find_ratio_of_terms(value, fraction, in)) return ratio;
  for (const int at : {1, 2, 0}) {
    const auto there = try_substitute(value, {{in.x, in.one() * at}});
    if (there && is_proved_zero(*there - value)) return *there;
  }
  return std::nullopt;
}

// c u^n, the highest power.
struct Leading {
  Expr c;
  int n = 0;
};

// d^n/du^n is the first that no longer depends on x.
std::optional<Leading> find_leading(const Expr& u, const Fraction& fraction, Integration& in) {
  const Expr du = in.derivative(u);
  Expr value = fraction.above / fraction.below;
  double factorial = 1;
  int n = 0;
  while (!in.is_free(value)) {
    if (++n > max_degree_in_u) return std::nullopt;
    value = in.derivative(value) / du;
    factorial *= n;
    if (value.is_zero()) return std::nullopt;
  }
  const Fraction same{fraction.above, fraction.below * pow(u, static_cast<double>(n))};
  const auto c = write_without_x(value / factorial, same, in);
  if (!c) return std::nullopt;
  return Leading{*c, n};
}

}  // namespace

std::optional<Expr> write_as_polynomial_in(const Expr& u, const Expr& symbol,
                                           const Fraction& fraction, Integration& in) {
  const Expr& below = fraction.below;
  if (in.derivative(u).is_zero() || below.is_zero()) return std::nullopt;
  if (!may_be_polynomial(fraction.above / below, u, in.x)) return std::nullopt;
  Expr result = in.zero(), left = fraction.above;
  for (int round = 0; round <= max_degree_in_u && !is_proved_zero(left); ++round) {
    const auto leading = find_leading(u, {left, below}, in);
    if (!leading) return std::nullopt;
    const auto n = static_cast<double>(leading->n);
    result += leading->c * pow(symbol, n);
    left -= leading->c * (below * pow(u, n));
  }
  if (!is_proved_zero(left)) return std::nullopt;
  return result;
}

}  // namespace visviva
