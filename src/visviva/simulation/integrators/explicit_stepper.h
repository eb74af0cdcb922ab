// Explicit Runge-Kutta pairs, unrolled by the compiler from their tables of coefficients.
//
// From y at t, with k_i the rates at stage i:
//   g_i = y + h sum over j < i of a_ij k_j,   k_i = f(t + c_i h, g_i),                          (1)
//   y(t + h) - y = h sum of b_i k_i,   error = h sum of (b_i - embedded_i) k_i,                 (2)
//   y(t + theta h) - y = h sum of b_i(theta) k_i, as written in newton_basis.h.                 (3)
// The rounding of a table is the same in every step, and what it does to
//   sum of b_i = 1,   sum of b_i a_ij = 1/2                                                     (4)
// grows with time. Small corrections of the first and the last b_i, which have the finest grid,
// mend both.
//
// A table has: `stages` that (2) needs; `end_stage`, whose argument is y(t + h); `all_stages`,
// those that (3) needs besides; two `stiff_stages` with c = 1.
//
// Components are kept in blocks of four, all stages of a block side by side: then every address in
// (1) is a constant offset, and sums are straight-line code.
#pragma once

#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "visviva/simulation/integrators/methods.h"
#include "visviva/simulation/integrators/quad.h"

namespace visviva {

/// Rows of weights known to the compiler, without their zeros.
template <class Table>
struct StageRows {
  template <int s>
  struct Stage {
    static constexpr double at(int i) { return static_cast<double>(Table::a[s][i]); }
  };
  /// b rounded so that (4) holds for the rounded table.
  struct End {
    static constexpr double at(int i) { return rounded[i]; }
    static constexpr std::array<double, Table::all_stages> rounded = [] {
      constexpr int last = Table::stiff_stages[0];  // where c = 1; c = 0 at stage 0
      std::array<double, Table::all_stages> b{};
      for (int i = 0; i < Table::all_stages; ++i) b[i] = static_cast<double>(Table::b[i]);
      long double one = 1.0L, half = 0.5L;  // what is missing in (4)
      for (int i = 0; i < Table::all_stages; ++i)
        for (int j = 0; j < i; ++j)
          half -= static_cast<long double>(b[i]) * static_cast<double>(Table::a[i][j]);
      b[last] = static_cast<double>(b[last] + half);
      for (int i = 0; i < Table::all_stages; ++i) one -= b[i];
      b[0] = static_cast<double>(b[0] + one);
      return b;
    }();
  };
  template <int e>
  struct Error {
    static constexpr double at(int i) {
      return static_cast<double>(Table::b[i] - Table::embedded[e][i]);
    }
  };
  /// Distances between the arguments of the two stages that tell about stiffness.
  struct Stiff {
    static constexpr double at(int i) {
      return static_cast<double>(Table::a[Table::stiff_stages[1]][i] -
                                 Table::a[Table::stiff_stages[0]][i]);
    }
  };

  template <class Row>
  static constexpr int count() {
    int n = 0;
    for (int i = 0; i < Table::all_stages; ++i) n += Row::at(i) != 0.0;
    return n;
  }
  /// The stage of the nth weight that is not zero.
  template <class Row>
  static constexpr int stage_of(int nth) {
    int i = 0;
    while (Row::at(i) == 0.0 || nth-- > 0) ++i;
    return i;
  }
};

template <class Table>
class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(RateFunction& function, const MethodFacts& facts)
      : Stepper(function), facts_(facts) {}

  const MethodFacts& facts() const override { return facts_; }
  bool interpolate(double theta, double* y) override;
  double stiffness() const override;

 protected:
  void begin() override;
  bool compute_step(double h, double tolerance) override;
  bool compute_next_rates() override;

 private:
  using Rows = StageRows<Table>;
  static constexpr std::size_t lanes = 4;
  static constexpr std::size_t stages_kept = Table::all_stages + Table::all_stages % 2;
  static constexpr std::size_t block_size = lanes * stages_kept;
  using StageWeights = std::array<double, stages_kept>;

  /// Weights number lo to hi - 1 times their rates; by halves, so that additions overlap.
  template <class Row, int lo, int hi>
  [[gnu::always_inline]] static inline Quad sum(const double* rates) {
    if constexpr (hi - lo == 1) {
      constexpr int stage = Rows::template stage_of<Row>(lo);
      constexpr double weight = Row::at(stage);
      const Quad::Pair both = {weight, weight};
      return Quad{both, both} * load(rates + lanes * stage);
    } else {
      constexpr int middle = (lo + hi) / 2;
      return sum<Row, lo, middle>(rates) + sum<Row, middle, hi>(rates);
    }
  }
  template <class Row>
  [[gnu::always_inline]] static inline Quad sum(const double* rates) {
    return sum<Row, 0, Rows::template count<Row>()>(rates);
  }

  /// y + h sum. The last rate comes last and alone: it is what the processor waits for.
  template <class Row>
  [[gnu::always_inline]] static inline Quad advance(Quad y, double h, const double* rates) {
    constexpr int last = Rows::template count<Row>() - 1;
    constexpr int stage = Rows::template stage_of<Row>(last);
    if constexpr (last > 0) y = y + h * sum<Row, 0, last>(rates);
    return y + (h * Row::at(stage)) * gather(rates + lanes * stage);
  }

  template <int s>
  bool compute_stage();
  /// Stages s to last - 1, one after the other.
  template <int s, int last>
  bool compute_stages() {
    if constexpr (s < last) {
      return compute_stage<s>() && compute_stages<s + 1, last>();
    } else {
      return true;
    }
  }
  /// Rates of a stage, into their place in the blocks. False where they are not numbers.
  bool evaluate_stage(int stage, double t, const double* y);
  /// stage_rates_ into the blocks.
  bool place_rates(int stage);
  void compute_increment();
  void compute_error();
  /// Stores four components from number i on, or what is left of them.
  static void store_some(const Quad& four, std::size_t i, std::vector<double>& values);
  static Quad combine(const Quad& error5, const Quad& error3);
  bool compute_end_stage();
  /// b_i(theta) / theta - b_i of newton_basis.h.
  static StageWeights compute_bend(double theta);

  const MethodFacts& facts_;
  /// Filled up with zeros to whole blocks: start of the step, argument and rates of a stage.
  std::vector<double> start_, argument_, stage_rates_;
  std::vector<double> k_;            ///< [block][stage][lane]
  std::vector<double> start_carry_;  ///< carry_ when the step was tried
  double t_start_ = 0.0;
  bool has_step_ = false, has_end_ = false, has_dense_ = false;
};

template <class Table>
void ExplicitStepper<Table>::begin() {
  const std::size_t blocks = (size() + lanes - 1) / lanes;
  for (auto* values : {&start_, &argument_, &stage_rates_, &start_carry_})
    values->assign(blocks * lanes, 0.0);
  k_.assign(blocks * block_size, 0.0);
  has_step_ = false;
}

template <class Table>
bool ExplicitStepper<Table>::compute_step(double h, double) {
  const std::size_t n = size();
  has_step_ = has_end_ = has_dense_ = false;
  if (!std::isfinite(h) || h == 0.0) return false;
  t_start_ = t_;
  for (std::size_t i = 0; i < n; ++i) start_[i] = y_[i];
  for (std::size_t i = 0; i < n; ++i) start_carry_[i] = carry_[i];
  for (std::size_t i = 0; i < n; ++i) stage_rates_[i] = rates_[i];
  place_rates(0);

  constexpr bool ends_early = Table::end_stage < Table::stages;
  if (!compute_stages < 1, ends_early ? Table::end_stage : Table::stages > ()) return false;
  compute_increment();
  if constexpr (ends_early) {
    propose();
    if (!compute_end_stage()) return false;
  }
  compute_error();
  has_step_ = true;
  return true;
}

template <class Table>
template <int s>
bool ExplicitStepper<Table>::compute_stage() {
  constexpr double c = static_cast<double>(Table::c[s]);
  using Row = typename Rows::template Stage<s>;
  const double *start = start_.data(), *k = k_.data(), h = h_;
  double* argument = argument_.data();
  const std::size_t end = start_.size();
  for (std::size_t i = 0; i < end; i += lanes, k += block_size)
    store(advance<Row>(load(start + i), h, k), argument + i);  // (1)
  return evaluate_stage(s, t_start_ + c * h, argument);
}

template <class Table>
bool ExplicitStepper<Table>::evaluate_stage(int stage, double t, const double* y) {
  if (size() > lanes) return evaluate(t, y, stage_rates_.data()) && place_rates(stage);
  // A single block takes the rates as they come.
  double* rates = k_.data() + lanes * static_cast<std::size_t>(stage);
  return evaluate(t, y, rates) && total(0.0 * gather(rates)) == 0.0;
}

template <class Table>
bool ExplicitStepper<Table>::place_rates(int stage) {
  const double* rates = stage_rates_.data();
  double* place = k_.data() + lanes * static_cast<std::size_t>(stage);
  const std::size_t end = stage_rates_.size();
  Quad zero{};
  for (std::size_t i = 0; i < end; i += lanes, place += block_size) {
    const Quad four = gather(rates + i);
    store(four, place);
    zero = zero + 0.0 * four;  // not zero where one is infinite or no number
  }
  return total(zero) == 0.0;
}

template <class Table>
void ExplicitStepper<Table>::compute_increment() {
  const double *k = k_.data(), h = h_;
  for (std::size_t i = 0; i < size(); i += lanes, k += block_size)
    store_some(h * sum<typename Rows::End>(k), i, increment_);  // (2)
}

template <class Table>
void ExplicitStepper<Table>::store_some(const Quad& four, std::size_t i,
                                        std::vector<double>& values) {
  if (i + lanes <= values.size()) {
    store(four, values.data() + i);
  } else {
    alignas(16) double all[lanes];
    store(four, all);
    for (std::size_t lane = 0; i + lane < values.size(); ++lane) values[i + lane] = all[lane];
  }
}

// Of two estimates e5 and e3 (here a tenth of it) one is made that is far smaller than both where
// the step is good: e5^2 / sqrt(e5^2 + 0.01 e3^2). dop853.f does so with their norms.
template <class Table>
Quad ExplicitStepper<Table>::combine(const Quad& error5, const Quad& error3) {
  const Quad square = error5 * error5, both = square + error3 * error3;
  const auto divide = [](double above, double below) {
    return below > 0.0 ? above / std::sqrt(below) : 0.0;
  };
  return {Quad::Pair{divide(square.low[0], both.low[0]), divide(square.low[1], both.low[1])},
          Quad::Pair{divide(square.high[0], both.high[0]), divide(square.high[1], both.high[1])}};
}

template <class Table>
void ExplicitStepper<Table>::compute_error() {
  const double *k = k_.data(), h = h_;
  for (std::size_t i = 0; i < size(); i += lanes, k += block_size) {
    Quad error = h * sum<typename Rows::template Error<0>>(k);  // (2)
    if constexpr (std::size(Table::embedded) == 2) {
      const Quad other = (0.1 * h) * sum<typename Rows::template Error<1>>(k);
      error = combine(error, other);
    }
    store_some(error, i, error_);
  }
}

template <class Table>
bool ExplicitStepper<Table>::compute_end_stage() {
  if (!has_end_) has_end_ = evaluate_stage(Table::end_stage, t_start_ + h_, proposed_.data());
  return has_end_;
}

template <class Table>
bool ExplicitStepper<Table>::compute_next_rates() {
  if (!compute_end_stage()) return false;
  const std::size_t n = size();
  const double* k = k_.data() + lanes * Table::end_stage;
  for (std::size_t i = 0; i < n; ++i) next_rates_[i] = k[i / lanes * block_size + i % lanes];
  return true;
}

// From the innermost term outwards.
template <class Table>
auto ExplicitStepper<Table>::compute_bend(double theta) -> StageWeights {
  static constexpr auto terms = [] {
    std::array<StageWeights, Table::dense_terms> rounded{};
    for (int m = 0; m < Table::dense_terms; ++m)
      for (int i = 0; i < Table::all_stages; ++i)
        rounded[m][i] = static_cast<double>(Table::dense[m][i]);
    return rounded;
  }();
  StageWeights weights{};
  for (int m = Table::dense_terms - 1; m >= 0; --m) {
    const double factor = m % 2 == 0 ? 1.0 - theta : theta;
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = (weights[i] + terms[m][i]) * factor;
  }
  return weights;
}

template <class Table>
bool ExplicitStepper<Table>::interpolate(double theta, double* y) {
  if (!has_step_ || !compute_end_stage()) return false;
  if (!has_dense_) has_dense_ = compute_stages<Table::end_stage + 1, Table::all_stages>();
  if (!has_dense_) return false;

  // (3); the same roundings as in propose() where theta = 1.
  const auto weights = compute_bend(theta);
  const double *k = k_.data(), h = h_;
  for (std::size_t i = 0; i < size(); i += lanes, k += block_size) {
    Quad even{}, odd{};
    for (std::size_t stage = 0; stage < weights.size(); stage += 2) {
      even = even + weights[stage] * load(k + lanes * stage);
      odd = odd + weights[stage + 1] * load(k + lanes * (stage + 1));
    }
    alignas(16) double bend[lanes];
    store(h * (even + odd), bend);
    for (std::size_t j = i; j < size() && j < i + lanes; ++j)
      y[j] = start_[j] + (theta * (increment_[j] + bend[j - i]) - start_carry_[j]);
  }
  return true;
}

// |f(t + h, g_1) - f(t + h, g_0)| / |g_1 - g_0|: Hairer and Wanner, Solving Ordinary Differential
// Equations II, 2nd ed. (1996), IV.2.
template <class Table>
double ExplicitStepper<Table>::stiffness() const {
  constexpr int first = Table::stiff_stages[0], second = Table::stiff_stages[1];
  if (!has_step_ || (second == Table::end_stage && !has_end_)) return 0.0;
  Quad rates{}, arguments{};
  const double* k = k_.data();
  for (std::size_t i = 0; i < start_.size(); i += lanes, k += block_size) {
    const Quad df = load(k + lanes * second) - load(k + lanes * first);
    const Quad dg = sum<typename Rows::Stiff>(k);  // without h, which is a factor of the answer
    rates = rates + df * df;
    arguments = arguments + dg * dg;
  }
  const double below = total(arguments);
  return below > 0.0 ? std::sqrt(total(rates) / below) : 0.0;
}

}  // namespace visviva
