// What validation tests share: a mechanism in the model language, and expected answers that are
// read as its `output`s and compared by exact identity, and by numbers at random states.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "meaning.h"
#include "visviva/base/render.h"
#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/pool.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/read_model.h"

namespace visviva::validation {

/// A mechanism. Expected expressions stand in its text as outputs: they use its names, and their
/// dimensions are checked.
class Mechanism {
 public:
  explicit Mechanism(const std::string& text, const ReadOptions& options = {})
      : text_(std::make_shared<TextMeaning>(text)),
        model_(read(read_model({"validation.viva", text}, options))),
        motion_(analyze_motion(model_)) {}

  const Kinematics& motion() const { return motion_; }
  const ModelData& data() const { return motion_.model(); }

  /// The output of that name in terms of coordinates and speeds; it must mean what its text says.
  Expr operator()(const std::string& name) const {
    for (const OutputData& output : data().outputs) {
      if (output.name != name) continue;
      if (!means_its_text(output.scalar, name, *text_))
        throw std::runtime_error("not what the text says: " + name + " = " + print(output.scalar));
      return motion_.resolve(Quantity(output.scalar, output.dimension)).expr(*data().pool);
    }
    throw std::runtime_error("no output " + name);
  }

  Expr parameter(const std::string& name) const { return find(data().parameters, name).symbol; }
  const CoordinateData& coordinate(const std::string& name) const {
    return find(data().coordinates, name);
  }
  const Speed& speed(const std::string& name) const {
    return motion_.speeds().at(static_cast<std::size_t>(motion_.speed_index(name)));
  }
  /// q' of a coordinate in terms of the speeds.
  Expr rate(const std::string& name) const {
    const CoordinateData& c = coordinate(name);
    return motion_.rate(Quantity(c.q, c.dimension)).expr(*data().pool);
  }
  Expr zero() const { return data().pool->rational(0); }

 private:
  static Model read(ModelReading reading) {
    if (!reading.model)
      throw std::runtime_error(render_diagnostics(reading.diagnostics, reading.source));
    return std::move(*reading.model);
  }
  template <class List>
  static const typename List::value_type& find(const List& list, const std::string& name) {
    for (const auto& item : list)
      if (item.name == name) return item;
    throw std::runtime_error("nothing is called " + name);
  }

  std::shared_ptr<const TextMeaning> text_;
  Model model_;
  Kinematics motion_;
};

inline const std::vector<Method> all_methods = {Method::kane, Method::lagrange, Method::hamilton,
                                                Method::newton_euler};

/// The equations of motion by each of the methods.
inline std::vector<Equations> derive_by(const Mechanism& mechanism,
                                        const std::vector<Method>& methods = all_methods) {
  std::vector<Equations> equations;
  for (const Method method : methods) equations.push_back(derive(mechanism.motion(), method));
  return equations;
}

/// Taken for equal by the pool, and equal in numbers; both sides are shown when not.
inline testing::AssertionResult same_as_the_pool_says(bool is_equal, const Expr& found,
                                                      const Expr& expected) {
  if (is_equal && means_the_same(found, expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << (is_equal ? "taken for equal, but the numbers differ\n" : "") << "found    "
         << print(found) << "\nexpected " << print(expected);
}

/// Proved equal, and equal in numbers.
inline testing::AssertionResult same(const Expr& found, const Expr& expected) {
  return same_as_the_pool_says(found == expected, found, expected);
}

/// sum_j M_j x_j = f, added up in numbers: no expression of the sum is built that the pool could
/// take for f.
inline bool balances(const std::vector<Expr>& M, const std::vector<Expr>& x, const Expr& f) {
  for (int seed = 0, agreed = 0; seed < meaning_tries && agreed < meaning_states; ++seed) {
    const StateOfPool state(f.home(), seed);
    long double sum = 0, size = 0;
    for (std::size_t j = 0; j < M.size(); ++j) {
      const long double term = state.value(M[j]) * state.value(x[j]);
      sum += term;
      size += std::fabs(term);
    }
    const long double right = state.value(f);
    if (!std::isfinite(sum) || !std::isfinite(right)) continue;
    if (!is_near(sum, right, size)) return false;
    ++agreed;
  }
  return true;
}

/// By cofactors: for small matrices.
inline Expr determinant(const std::vector<std::vector<Expr>>& m) {
  if (m.size() == 1) return m[0][0];
  Expr sum = m[0][0].pool().rational(0);
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::vector<std::vector<Expr>> minor(m.begin() + 1, m.end());
    for (auto& row : minor) row.erase(row.begin() + static_cast<std::ptrdiff_t>(k));
    const Expr term = m[0][k] * determinant(minor);
    sum = k % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

/// The names of the independent speeds.
inline std::vector<std::string> independent_names(const EmbeddedEquations& embedded,
                                                  const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const int r : embedded.independent)
    names.push_back(mechanism.motion().speeds()[static_cast<std::size_t>(r)].name);
  return names;
}

/// Speed -> the output that holds its expected rate.
using ExpectedRates = std::vector<std::pair<std::string, std::string>>;

/// The expected rates satisfy the equations of motion identically, and these have no other
/// solution. Rates of all independent speeds must be given; with those of the dependent ones, the
/// constraints' second derivatives are checked too.
inline void expect_accelerations(const Mechanism& mechanism, const Equations& equations,
                                 const ExpectedRates& expected) {
  SCOPED_TRACE("by " + std::string(method_name(equations.method)));
  const EmbeddedEquations embedded = embed_constraints(equations);
  Replacements dependent;
  for (std::size_t i = 0; i < embedded.dependent.size(); ++i) {
    const auto r = static_cast<std::size_t>(embedded.dependent[i]);
    dependent.emplace_back(mechanism.motion().speeds()[r].u, embedded.dependent_speeds[i]);
  }
  Substitution embed(*mechanism.data().pool, dependent);
  std::vector<Expr> rates(mechanism.motion().speeds().size());
  for (const auto& [speed, output] : expected)
    rates.at(static_cast<std::size_t>(mechanism.motion().speed_index(speed))) =
        embed(mechanism(output));

  const std::size_t n = embedded.independent.size();
  ASSERT_EQ(embedded.mass_matrix.size(), n);
  ASSERT_FALSE(determinant(embedded.mass_matrix).is_zero());
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum = mechanism.zero();
    std::vector<Expr> independent_rates;
    for (std::size_t j = 0; j < n; ++j) {
      const Expr& rate = rates.at(static_cast<std::size_t>(embedded.independent[j]));
      ASSERT_TRUE(rate.valid()) << "no rate is expected for independent speed " << j;
      sum += embedded.mass_matrix[i][j] * rate;
      independent_rates.push_back(rate);
      EXPECT_TRUE(same(embedded.mass_matrix[i][j], embedded.mass_matrix[j][i]));
    }
    EXPECT_TRUE(same(sum, embedded.forcing[i])) << "equation " << i;
    EXPECT_TRUE(balances(embedded.mass_matrix[i], independent_rates, embedded.forcing[i]))
        << "equation " << i << " in numbers";
  }
  if (expected.size() < rates.size()) return;
  for (std::size_t k = 0; k < equations.rows.size(); ++k) {
    Expr sum = mechanism.zero();
    for (const auto& [r, a] : equations.rows[k].velocity.coefficients)
      sum += a * rates[static_cast<std::size_t>(r)];
    EXPECT_TRUE(same(embed(sum), embed(equations.row_forcing[k]))) << "constraint row " << k;
  }
}

/// The same for each of the methods.
inline void expect_accelerations(const Mechanism& mechanism, const ExpectedRates& expected,
                                 const std::vector<Method>& methods = all_methods) {
  for (const Equations& e : derive_by(mechanism, methods))
    expect_accelerations(mechanism, e, expected);
}

/// The values of expressions and of the accelerations at the start state of the model.
class StartSolution {
 public:
  explicit StartSolution(const Equations& equations)
      : motion_(equations.motion), state_(make_state(motion_, make_consistent_start(motion_))) {
    const MotionSolver solve(equations);
    solved_ = solve(state_);
    for (std::size_t r = 0; r < motion_.speeds().size(); ++r)
      set(motion_.speeds()[r].rate, solved_.speed_rates[r]);
  }

  const SolvedMotion& solved() const { return solved_; }
  /// Expressions may contain u'.
  double value(const Expr& expr) const { return state_.value(expr); }
  double rate_of_speed(const std::string& name) const {
    return solved_.speed_rates.at(static_cast<std::size_t>(motion_.speed_index(name)));
  }
  /// q'' of a coordinate, whatever the speeds are.
  double second_rate(const CoordinateData& c) const {
    const Dimension per_second = Dimension::of(Dimension::time, -1);
    const Quantity second(c.second_rate, c.dimension * per_second * per_second);
    return value(motion_.resolve(second).expr(*motion_.model().pool));
  }

 private:
  void set(const Expr& symbol, double x) {
    state_.symbols.push_back(symbol);
    state_.values.push_back(x);
    state_.known[symbol] = x;
  }

  Kinematics motion_;
  StartState state_;
  SolvedMotion solved_;
};

}  // namespace visviva::validation
