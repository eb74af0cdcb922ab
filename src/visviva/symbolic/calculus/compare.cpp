#include "visviva/symbolic/calculus/compare.h"

#include <algorithm>

#include "visviva/symbolic/calculus/ball.h"
#include "visviva/symbolic/calculus/cone.h"

namespace visviva {
namespace {

// ---- States

class Random {  // splitmix64 (Steele, Lea, Flood 2014)
 public:
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_ = 20240229;
};

// Ranges of numerators over a common denominator; states take them in turn.
struct Range {
  std::int64_t low;
  std::int64_t high;
  std::int64_t den;
};
constexpr Range ranges[] = {
    {-4095, 4095, 4096},          // of either sign, inside the domains of asin and acos
    {1, 4095, 4096},              // the same, positive
    {-8 * 4096, 8 * 4096, 4096},  // a few turns
    {2048, 4 * 4096, 4096},       // positive, around 1
    {-16 * 4096, -1, 4096},       // negative
    {-1000 * 64, 1000 * 64, 64},  // large
    {1, 4095, 1 << 22},           // small and positive
    {-4095, 4095, 1 << 22},       // small
};

using State = std::vector<BigRational>;

BigRational fraction(std::int64_t num, std::int64_t den) {
  return BigRational(*make_rational(num, den));
}

// A point of the unit sphere with rational entries: stereographic projection, as for the
// fingerprints.
std::array<BigRational, 4> make_unit_quaternion(Random& random) {
  std::int64_t p[3], s = 0;
  for (std::int64_t& x : p) {
    x = random.between(-200, 200);
    s += x * x;
  }
  const std::int64_t d = random.between(1, 200), norm = d * d + s;
  return {fraction(d * d - s, norm), fraction(2 * d * p[0], norm), fraction(2 * d * p[1], norm),
          fraction(2 * d * p[2], norm)};
}

State make_state(const ExprPool& pool, const std::vector<Ref>& symbols, std::size_t number,
                 Random& random) {
  const Range& range = ranges[number % std::size(ranges)];
  State state;
  IndexMap position;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    position.set(symbols[i] >> 1, static_cast<std::uint32_t>(i));
    state.push_back(fraction(random.between(range.low, range.high), range.den));
  }
  for (const auto& names : pool.unit_quaternions()) {
    const std::array<BigRational, 4> point = make_unit_quaternion(random);
    for (std::size_t k = 0; k < 4; ++k) {
      if (const std::uint32_t* at = position.find(names[k] >> 1)) state[*at] = point[k];
    }
  }
  return state;
}

// ---- The search for a witness

// Precisions, and at how many states each is tried: high ones are for differences that are tiny
// everywhere.
struct Effort {
  long bits;
  std::size_t states;
};
constexpr Effort efforts[] = {{64, 32}, {128, 16}, {256, 8}, {512, 4}, {1024, 4}, {2048, 2}};

bool find_witness(const Expr& a, const Expr& b, Comparison* result) {
  ExprPool& pool = common_pool({a, b}, "compare");
  const BallEvaluator evaluator(pool, {pool.take(a), pool.take(b)});
  Random random;
  std::vector<State> states;
  for (std::size_t i = 0; i < efforts[0].states; ++i) {
    states.push_back(make_state(pool, evaluator.symbols(), i, random));
    if (evaluator.symbols().empty()) break;
  }
  for (const Effort& effort : efforts) {
    for (std::size_t i = 0; i < std::min(effort.states, states.size()); ++i) {
      const std::vector<Ball> value = evaluator.evaluate(states[i], effort.bits);
      if (!value[0].is_finite() || !value[1].is_finite()) continue;
      if (arb_overlaps(value[0].get(), value[1].get()) != 0) continue;
      Ball difference;
      arb_sub(difference.get(), value[0].get(), value[1].get(), effort.bits);
      for (std::size_t k = 0; k < evaluator.symbols().size(); ++k) {
        result->witness.emplace_back(Expr(pool, evaluator.symbols()[k]), states[i][k].nearest());
      }
      result->left = value[0].nearest();
      result->right = value[1].nearest();
      result->difference = difference.nearest();
      return true;
    }
  }
  return false;
}

}  // namespace

double bound_error_probability(const Expr& a, const Expr& b) {
  const Degree x = a.home().degree(a.ref()), y = b.home().degree(b.ref());
  const double merged = std::max(a.home().merged_degree(a.ref()), b.home().merged_degree(b.ref()));
  // Doubled for powers of either sign, and once more for the rounding of these bounds. (5), (6)
  const double degree = 4.0 * std::max({merged, double{x.num} + y.den, double{y.num} + x.den});
  const auto chance = [degree](std::uint64_t p) {
    return std::min(1.0, degree / static_cast<double>(p - 1));
  };
  return chance(field::prime[0]) * chance(field::prime[1]);
}

Comparison compare(const Expr& a, const Expr& b) {
  refs_in(common_pool({a, b}, "compare"), {a, b}, "compare");
  Comparison result;
  if (a == b) {
    result.verdict = Verdict::equal;
    result.error_probability = bound_error_probability(a, b);
  } else if (find_witness(a, b, &result)) {
    result.verdict = Verdict::different;
  }
  return result;
}

}  // namespace visviva
