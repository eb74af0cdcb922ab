#include "visviva/equations/interactions/surface_samples.h"

#include <Eigen/Core>
#include <cmath>
#include <optional>
#include <random>

#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/ball.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/big_rational.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

constexpr int tries = 20, most_steps = 40;
constexpr double on_surface = 1e-12;  // of g, where values are about one
constexpr double rounding = 1e-7;     // of (1), where the surface is met so closely

// Looked at closely.
constexpr int wanted_states = 4, most_chords = 40;
constexpr long bits = 400;
constexpr double closely_on_surface = 1e-90, surely_zero = 1e-70, surely_not_zero = 1e-30;
constexpr double spreads[] = {0.1, 0.01, 0.001, 1e-4};  // about the state
constexpr double nearby = 10;         // times the spread: how far Newton's method may go
constexpr double least_pivot = 1e-8;  // rows that depend on others have none
constexpr std::uint64_t seed = 20261118;

using Look = SurfaceSamples::Look;

// The fraction that a finite double is.
BigRational make_exact(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  BigRational result(Rational{mantissa, 1});
  for (; exponent > 0; --exponent) result = result + result;
  const BigRational many(Rational{std::int64_t{1} << 60, 1}), two(Rational{2, 1});
  for (; exponent <= -60; exponent += 60) result = result / many;
  for (; exponent < 0; ++exponent) result = result / two;
  return result;
}

// A value and the surface, in the symbols of both.
class Sampler {
 public:
  Sampler(const ModelData& model, const std::vector<Expr>& g, const Expr& value)
      : model_(model), g_(g), value_(value) {
    const std::vector<Expr> terms = expand_sum(value).value_or(std::vector<Expr>{value});
    std::vector<Expr> all = g;
    all.insert(all.end(), terms.begin(), terms.end());
    all.push_back(value);  // its symbols may cancel in the terms
    symbols_ = free_symbols(all);
    all.pop_back();
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (moves(symbols_[i])) moving_.push_back(i);
    }
    for (const Expr& e : g) {
      for (const std::size_t i : moving_) all.push_back(differentiate(e, symbols_[i]));
    }
    terms_ = static_cast<Eigen::Index>(terms.size());
    evaluate_.emplace(symbols_, all, FunctionValues::stand_ins);
  }

  const std::vector<Expr>& symbols() const { return symbols_; }

  // What is there at a state: the sizes of g, and of the terms and their sum.
  struct Numbers {
    Eigen::VectorXd g;
    double sum = 0, size = 0;
    Eigen::MatrixXd slopes;
  };
  std::optional<Numbers> look(const std::vector<double>& at) const {
    const std::vector<double> numbers = (*evaluate_)(at);
    const auto m = std::ssize(g_), n = std::ssize(moving_);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto t = Eigen::Map<const Eigen::VectorXd>(numbers.data() + m, terms_);
    Numbers found{Eigen::Map<const Eigen::VectorXd>(numbers.data(), m), t.sum(), t.cwiseAbs().sum(),
                  Eigen::Map<const Rows>(numbers.data() + m + terms_, m, n)};
    if (!found.g.allFinite()) return {};
    return found;
  }

  // Newton's method onto g = 0. Nothing where it does not get there, or the value is not defined.
  std::optional<Numbers> reach(std::vector<double>* at, double threshold) const {
    for (int step = 0; step < most_steps; ++step) {
      std::optional<Numbers> found = look(*at);
      if (!found) return {};
      if (g_.empty() || found->g.cwiseAbs().maxCoeff() < on_surface)
        return std::isfinite(found->size) ? found : std::nullopt;
      if (!found->slopes.allFinite()) return {};
      const Eigen::VectorXd change = solve_least_squares(found->slopes, -found->g, threshold);
      for (std::size_t i = 0; i < moving_.size(); ++i)
        (*at)[moving_[i]] += change[static_cast<Eigen::Index>(i)];
    }
    return {};
  }

  // The value in many digits at the state on the surface beside one in doubles; nothing where there is none.
  std::optional<double> refine(const std::vector<double>& at, const Numbers& there) const {
    std::vector<Ref> roots;
    const ExprPool& pool = value_.pool();
    for (const Expr& e : g_) roots.push_back(e.ref());
    roots.push_back(value_.ref());
    const BallEvaluator evaluator(pool, roots);
    std::vector<std::size_t> places;  // among the symbols
    for (const Ref s : evaluator.symbols()) places.push_back(place_of(s));
    std::vector<BigRational> x;
    for (const double v : at) x.push_back(make_exact(v));
    for (int chord = 0; chord < most_chords; ++chord) {
      std::vector<BigRational> state;
      for (const std::size_t i : places) state.push_back(x[i]);
      const std::vector<Ball> values = evaluator.evaluate(state, bits);
      Eigen::VectorXd g(std::ssize(g_));
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].is_finite()) return {};
        if (i < g_.size()) g[static_cast<Eigen::Index>(i)] = values[i].nearest();
      }
      if (g_.empty() || g.cwiseAbs().maxCoeff() < closely_on_surface)
        return values.back().nearest();
      const Eigen::VectorXd change = solve_least_squares(there.slopes, -g, least_pivot);  // (2)
      if (!change.allFinite()) return {};
      for (std::size_t i = 0; i < moving_.size(); ++i)
        x[moving_[i]] = x[moving_[i]] + make_exact(change[static_cast<Eigen::Index>(i)]);
    }
    return {};
  }

 private:
  bool moves(const Expr& s) const {
    const SymbolRole* role = model_.role(s);
    return role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden ||
                               role->role == Role::rate || role->role == Role::speed);
  }

  std::size_t place_of(Ref symbol) const {
    std::size_t i = 0;
    while (symbols_[i].ref() >> 1 != symbol >> 1) ++i;
    return i;
  }

  const ModelData& model_;
  const std::vector<Expr>& g_;
  const Expr& value_;
  std::vector<Expr> symbols_;
  std::vector<std::size_t> moving_;  // among the symbols
  Eigen::Index terms_ = 0;
  std::optional<Evaluator> evaluate_;
};

// What a look beside a state varies.
enum class Vary { all, motion };

// Random states beside one: configurations and what parameters are within the spread, speeds and forces anywhere.
class Neighbours {
 public:
  Neighbours(const ModelData& model, const std::vector<Expr>& symbols, const StartState& beside,
             Vary vary)
      : vary_(vary) {
    for (const Expr& s : symbols) {
      const SymbolRole* role = model.role(s);
      const auto found = beside.known.find(s);
      const bool is_known = found != beside.known.end() && std::isfinite(found->second);
      Center c{is_known ? found->second : 1.0, Kind::anywhere};
      if (role != nullptr && is_known) {
        if (role->role == Role::coordinate || role->role == Role::hidden) c.kind = Kind::place;
        if (role->role == Role::parameter || role->role == Role::specified ||
            role->role == Role::specified_rate || role->role == Role::input ||
            role->role == Role::time)
          c.kind = Kind::given;
      }
      centers_.push_back(c);
    }
  }

  std::vector<double> draw(double spread) {
    std::vector<double> at;
    for (const Center& c : centers_) {
      const double r = any_(random_);
      const bool is_kept = c.kind == Kind::given && vary_ == Vary::motion;
      at.push_back(is_kept                                 ? c.value
                   : c.kind == Kind::anywhere              ? 1.0 + 0.7 * r
                   : c.kind == Kind::given && c.value != 0 ? c.value * (1.0 + spread * r)
                                                           : c.value + spread * r);
    }
    return at;
  }

  // No place is far from that of the state.
  bool are_near(const std::vector<double>& at, double spread) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (centers_[i].kind == Kind::place && std::abs(at[i] - centers_[i].value) > nearby * spread)
        return false;
    }
    return true;
  }

 private:
  enum class Kind { place, given, anywhere };
  struct Center {
    double value;
    Kind kind;
  };
  std::vector<Center> centers_;
  Vary vary_;
  std::mt19937_64 random_{seed};
  std::uniform_real_distribution<double> any_{-1.0, 1.0};
};

Look look_beside(const Sampler& sampler, Neighbours neighbours) {
  int found = 0;
  for (int attempt = 0; attempt < tries && found < wanted_states; ++attempt) {
    const double spread = spreads[static_cast<std::size_t>(attempt) % std::size(spreads)];
    std::vector<double> at = neighbours.draw(spread);
    const auto there = sampler.reach(&at, least_pivot);
    if (!there || !neighbours.are_near(at, spread)) continue;
    const std::optional<double> value = sampler.refine(at, *there);
    if (!value || there->size == 0) continue;
    if (std::abs(*value) > surely_not_zero * there->size) return Look::differs;
    if (std::abs(*value) > surely_zero * there->size) continue;
    ++found;
  }
  return found == wanted_states ? Look::vanishes : Look::unseen;
}

}  // namespace

SurfaceSamples::SurfaceSamples(const ModelData& model, std::vector<Expr> g)
    : model_(model), g_(std::move(g)) {
  for (const auto& members : model.quaternions) {
    Expr norm = -model.pool->one();
    for (const int i : members) norm += model.coordinates[i].q * model.coordinates[i].q;
    g_.push_back(norm);
  }
}

Look SurfaceSamples::look_at(const Expr& value) const {
  const Sampler sampler(model_, g_, value);
  Look found = Look::unseen;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> somewhere(0.3, 1.7);
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::vector<double> at(sampler.symbols().size());
    for (double& x : at) x = somewhere(random);
    const auto there = sampler.reach(&at, 0.0);
    if (!there) continue;
    if (std::abs(there->sum) > rounding * there->size) return Look::differs;
    found = Look::vanishes;
  }
  return found;
}

Look SurfaceSamples::look_closely(const Expr& value, const StartState& beside) const {
  const Sampler sampler(model_, g_, value);
  const Look found = look_beside(sampler, Neighbours(model_, sampler.symbols(), beside, Vary::all));
  if (found != Look::unseen) return found;
  return look_beside(sampler, Neighbours(model_, sampler.symbols(), beside, Vary::motion));
}

}  // namespace visviva
