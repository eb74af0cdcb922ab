// Slopes by composite bodies against derivatives of M u' - f.
#include "visviva/codegen/system/tree_slopes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "visviva/base/sequence.h"
#include "visviva/codegen/system/acceleration_equations.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/numeric/link_products.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using namespace mechanisms;

// Symbols and numbers for all of them.
struct Numbers {
  std::vector<Expr> symbols;
  std::vector<long double> values;
};

class SlopeCheck {
 public:
  explicit SlopeCheck(const Equations& equations)
      : work_(equations.pool()),
        links_(find_links(equations.motion)),
        system_(equations),
        motion_(system_) {
    if (links_) slopes_ = make_tree_slopes(system_, *links_);
    system_.avoid({});
  }

  bool has_slopes() const { return slopes_.has_value(); }

  // The largest differences of M and of the derivatives by state and time, of the largest in their rows.
  double difference(const Numbers& at, LaneWidth lanes) {
    std::vector<LinkProducts::Item> entries, changes;
    for (const SlopeEntry& e : slopes_->speeds) entries.push_back({e.link, e.number});
    for (const SlopeEntry& e : slopes_->changes) changes.push_back({e.link, e.number});
    std::vector<int> others;
    for (const SlopeTerm& term : slopes_->terms) others.push_back(term.column);
    const int n = to_int(system_.forcing.size());
    LinkProducts products(slopes_->parents, entries, changes, others, n, lanes);
    products.keep(list_kept(slopes_->speed_vectors), list_kept(slopes_->change_vectors));
    std::vector<Expr> all;
    for (const VectorPlace& p : products.entry_layout())
      all.push_back(pick(slopes_->speed_vectors, p));
    for (const VectorPlace& p : products.change_layout())
      all.push_back(pick(slopes_->change_vectors, p));
    for (const SlopeTerm& term : slopes_->terms) all.push_back(term.value);
    std::vector<Expr> own = at.symbols;
    for (Expr& symbol : own)
      for (std::size_t i = 0; i < system_.state.size(); ++i)
        if (print(symbol) == system_.state_names[i]) symbol = slopes_->state[i];
    const std::vector<double> numbers =
        Evaluator(own, all)(std::vector<double>(at.values.begin(), at.values.end()));
    std::vector<double> memory(products.memory_size() + 8);
    products.compute(numbers.data(), memory.data());
    double* const rows = products.rows(memory.data());
    const std::size_t first = all.size() - slopes_->terms.size();
    for (std::size_t i = 0; i < slopes_->terms.size(); ++i) {
      const SlopeTerm& term = slopes_->terms[i];
      rows[static_cast<std::size_t>(products.row_of(term.speed)) * products.row_stride() +
           static_cast<std::size_t>(products.place_of(term.column))] += numbers[first + i];
    }
    const Eigen::MatrixXd M = products.read_matrix(memory.data());
    return std::max(compare_matrix(at, M), compare_rows(at, products, rows));
  }

 private:
  static std::vector<bool> list_kept(const std::vector<Expr>& vectors) {
    std::vector<bool> kept(15);
    for (std::size_t i = 0; i < vectors.size(); ++i)
      kept[i % 15] = kept[i % 15] || !vectors[i].is_zero();
    return kept;
  }
  Expr pick(const std::vector<Expr>& vectors, const VectorPlace& p) const {
    if (p.number < 0) return system_.pool.zero();
    return vectors[static_cast<std::size_t>(15 * p.number + p.component)];
  }

  double compare_matrix(const Numbers& at, const Eigen::MatrixXd& M) const {
    std::vector<Expr> all;
    for (const auto& row : system_.mass_matrix) all.insert(all.end(), row.begin(), row.end());
    const std::vector<long double> v = Evaluator(at.symbols, all)(at.values);
    double worst = 0, size = M.cwiseAbs().maxCoeff();
    for (Eigen::Index r = 0; r < M.rows(); ++r)
      for (Eigen::Index s = 0; s < M.cols(); ++s)
        worst = std::max(worst,
                         std::abs(M(r, s) - double(v[static_cast<std::size_t>(r * M.cols() + s)])));
    return worst / size;
  }

  double compare_rows(const Numbers& at, const LinkProducts& products, const double* rows) {
    const std::vector<Expr> residuals = motion_.make_residuals(system_);
    const std::size_t n = system_.forcing.size(), states = system_.state.size();
    std::vector<Expr> symbols = system_.state;
    symbols.insert(symbols.end(), system_.inputs.begin(), system_.inputs.end());
    std::vector<std::vector<Expr>> D = jacobian(residuals, symbols);
    std::vector<std::pair<Expr, Expr>> clock = system_.signal_rates;
    clock.emplace_back(system_.time, system_.pool.one());
    Tangent by_time(system_.pool, clock);
    std::vector<Expr> all = system_.state;
    for (std::size_t r = 0; r < n; ++r) {
      D[r].insert(D[r].begin() + static_cast<std::ptrdiff_t>(states), by_time(residuals[r]));
      all.insert(all.end(), D[r].begin(), D[r].end());
    }
    const std::vector<long double> v = Evaluator(at.symbols, all)(at.values);
    const std::size_t columns = symbols.size() + 1;
    double worst = 0;
    for (std::size_t r = 0; r < n; ++r) {
      std::vector<double> wanted(
          v.begin() + static_cast<std::ptrdiff_t>(states + r * columns),
          v.begin() + static_cast<std::ptrdiff_t>(states + (r + 1) * columns));
      std::vector<double> found(columns);
      for (std::size_t k = 0; k < products.columns().size(); ++k)
        found[static_cast<std::size_t>(products.columns()[k])] =
            rows[static_cast<std::size_t>(products.row_of(to_int(r))) * products.row_stride() + k];
      for (const int first : system_.quaternions) {
        drop_radial(&wanted, v, static_cast<std::size_t>(first));
        drop_radial(&found, v, static_cast<std::size_t>(first));
      }
      double size = 1e-3;
      for (const double x : wanted) size = std::max(size, std::abs(x));
      for (std::size_t c = 0; c < columns; ++c) {
        const double error = std::abs(wanted[c] - found[c]) / size;
        worst = std::max(worst, std::isfinite(error) ? error : 1.0);
      }
    }
    return worst;
  }

  // What a quaternion that grows would change means nothing.
  static void drop_radial(std::vector<double>* row, const std::vector<long double>& state,
                          std::size_t first) {
    double along = 0;
    for (std::size_t i = first; i < first + 4; ++i) along += (*row)[i] * double(state[i]);
    for (std::size_t i = first; i < first + 4; ++i) (*row)[i] -= along * double(state[i]);
  }

  const Workspace work_;
  std::optional<LinkTree> links_;
  RunExpressions system_;
  AccelerationEquations motion_;
  std::optional<TreeSlopes> slopes_;
};

TEST(TreeSlopes, random_mechanisms_have_the_slopes_of_their_equations) {
  Features trees;
  trees.motion_constraints = trees.rolls = trees.loops = trees.locks = false;
  const char* wanted = std::getenv("VISVIVA_RANDOM_TREES");
  const unsigned count = wanted == nullptr ? 500 : static_cast<unsigned>(std::atoi(wanted));
  int tried = 0, links = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    const RandomMechanism mechanism(seed, trees);
    const Equations equations = derive_kane(analyze_motion(mechanism.model));
    if (!equations.unknowns.empty()) continue;
    const MotionOracle oracle(equations.motion);
    const auto state = mechanism.make_state(equations.motion, oracle, 1);
    if (!state) continue;
    Numbers at{oracle.symbols(), *state};
    for (const Speed& s : equations.motion.speeds()) {
      at.symbols.push_back(s.rate);
      at.values.push_back(-2.0L +
                          std::fmod(1.618L * static_cast<long double>(at.values.size()), 4.0L));
    }
    ++tried;
    SlopeCheck check(equations);
    if (!check.has_slopes()) continue;
    ++links;
    constexpr LaneWidth widths[] = {LaneWidth::one, LaneWidth::four, LaneWidth::eight};
    EXPECT_LT(check.difference(at, std::min(widths[seed % 3], widest_lanes())), 1e-10)
        << "seed " << seed;
  }
  EXPECT_GT(tried, 0.9 * count);
  EXPECT_EQ(links, tried);
}

}  // namespace
}  // namespace visviva
