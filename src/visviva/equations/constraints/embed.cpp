#include "visviva/equations/constraints/embed.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"
#include "visviva/equations/constraints/speed_order.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/state/solve.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/numeric/choose_columns.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

constexpr double nearby_step = 1e-3;  // of a coordinate; sizes and signs differ, by golden sections
constexpr double golden_ratio = 0.6180339887498949;
constexpr double pivot_tolerance = 1e-9;  // of a row scaled to 1: smaller is zero

using Rows = std::vector<std::vector<Expr>>;

// The velocity rows solved for dependent speeds. Entries are exact; numbers at the start state
// choose the speeds and the rows.
class DependentSpeeds {
 public:
  DependentSpeeds(const Equations& equations, const StartState& state)
      : pool_(*equations.motion.model().pool), n_(equations.motion.speeds().size()) {
    std::vector<Expr> all;
    for (const ConstraintRow& row : equations.rows) {
      std::vector<Expr> line(n_, pool_.zero());
      for (const auto& [r, a] : row.velocity.coefficients) line[r] = a;
      line.push_back(row.velocity.remainder);
      all.insert(all.end(), line.begin(), line.end());
      rows_.push_back(std::move(line));
    }
    if (rows_.empty()) return;
    const Evaluator evaluator(state.symbols, all);
    values_ = read(evaluator(state.values));
    // A configuration close by, for speeds that only a singular start leaves undetermined.
    std::vector<double> nearby = state.values;
    double place = 0.0;
    for (const CoordinateData& c : equations.motion.model().coordinates) {
      for (std::size_t k = 0; k < state.symbols.size(); ++k) {
        if (state.symbols[k] == c.q)
          nearby[k] += nearby_step * (place < 0.5 ? -1 : 1) * (0.5 + place);
      }
      place = std::fmod(place + golden_ratio, 1.0);
    }
    nearby_ = read(evaluator(nearby));
  }

  // So many of these speeds, taken in order, which the rows determine: at the start state, and
  // where that is singular, close by.
  std::vector<int> choose(const std::vector<int>& candidates, int rank) {
    pivots_ = choose_at(values_, candidates, rank);
    if (static_cast<int>(pivots_.size()) < rank) {
      // Speeds found so far come first: they stay.
      std::vector<int> order;
      for (const auto& pivot : pivots_) order.push_back(pivot.first);
      for (const int r : candidates) {
        if (std::find(order.begin(), order.end(), r) == order.end()) order.push_back(r);
      }
      pivots_ = choose_at(nearby_, order, rank);
    }
    std::sort(pivots_.begin(), pivots_.end());
    std::vector<int> chosen;
    for (const auto& pivot : pivots_) chosen.push_back(pivot.first);
    return chosen;
  }

  // As many of these speeds, taken in order, as the rows determine at the state itself.
  std::vector<int> choose_here(const std::vector<int>& candidates) {
    if (rows_.empty()) return {};
    pivots_ = choose_at(values_, candidates, static_cast<int>(n_));
    std::sort(pivots_.begin(), pivots_.end());
    std::vector<int> chosen;
    for (const auto& pivot : pivots_) chosen.push_back(pivot.first);
    return chosen;
  }

  // Solves for the chosen speeds, block by block: rows that share dependent speeds belong together.
  // False when they are not determined after all.
  bool solve(EmbeddedEquations* result) {
    const std::size_t m = pivots_.size();
    result->transmission.resize(m);
    offsets_.resize(m);
    result->validity = pool_.one();
    std::vector<bool> is_done(m, false);
    for (std::size_t d = 0; d < m; ++d) {
      if (is_done[d]) continue;
      const std::vector<std::size_t> block = collect_block(d);
      for (const std::size_t i : block) is_done[i] = true;
      if (!solve_block(block, result)) return false;
    }
    return true;
  }

  const std::vector<Expr>& offsets() const { return offsets_; }
  std::size_t speed_count() const { return n_; }

 private:
  Eigen::MatrixXd read(const std::vector<double>& values) const {
    Eigen::MatrixXd result(static_cast<Eigen::Index>(rows_.size()), static_cast<Eigen::Index>(n_));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t r = 0; r < n_; ++r)
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(r)) =
            values[i * (n_ + 1) + r];
    }
    return result;
  }

  // Pairs of a speed and the row that determines it.
  static std::vector<std::pair<int, std::size_t>> choose_at(const Eigen::MatrixXd& left,
                                                            const std::vector<int>& candidates,
                                                            int rank) {
    std::vector<std::pair<int, std::size_t>> chosen;
    for (const ChosenColumn& c : choose_columns(left, candidates, {pivot_tolerance}, rank))
      chosen.emplace_back(c.column, c.row);
    return chosen;
  }

  // The pivots whose rows and speeds hang together with those of `first`.
  std::vector<std::size_t> collect_block(std::size_t first) const {
    std::vector<std::size_t> block = {first};
    std::vector<bool> is_in(pivots_.size(), false);
    is_in[first] = true;
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto [r, row] = pivots_[block[k]];
      for (std::size_t d = 0; d < pivots_.size(); ++d) {
        if (is_in[d] ||
            (rows_[row][pivots_[d].first].is_zero() && rows_[pivots_[d].second][r].is_zero()))
          continue;
        is_in[d] = true;
        block.push_back(d);
      }
    }
    std::sort(block.begin(), block.end());
    return block;
  }

  bool solve_block(const std::vector<std::size_t>& block, EmbeddedEquations* result) {
    const std::size_t k = block.size();
    Rows A_d(k, std::vector<Expr>(k));
    std::vector<std::vector<double>> values(k, std::vector<double>(k));
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const std::size_t row = pivots_[block[i]].second;
        const int r = pivots_[block[j]].first;
        A_d[i][j] = rows_[row][r];
        values[i][j] = values_(static_cast<Eigen::Index>(row), r);
      }
    }
    const std::optional<Rows> inverse = invert(A_d, values);
    if (!inverse) return false;
    result->validity *= determinant(A_d, values);
    for (std::size_t i = 0; i < k; ++i) {
      const auto entry = [&](std::size_t column) {
        Expr sum = pool_.zero();
        for (std::size_t j = 0; j < k; ++j)
          sum -= (*inverse)[i][j] * rows_[pivots_[block[j]].second][column];
        return sum;
      };
      for (const int r : result->independent) result->transmission[block[i]].push_back(entry(r));
      offsets_[block[i]] = entry(n_);
    }
    return true;
  }

  ExprPool& pool_;
  std::size_t n_;
  Rows rows_;
  Eigen::MatrixXd values_, nearby_;
  std::vector<std::pair<int, std::size_t>> pivots_;  // dependent speeds and their rows
  std::vector<Expr> offsets_;
};

class EmbeddingSolver {
 public:
  explicit EmbeddingSolver(const Equations& equations)
      : equations_(equations), motion_(equations.motion), pool_(*motion_.model().pool) {}

  Result<EmbeddedEquations, NotEmbedded> make() {
    if (equations_.rows.empty()) return keep_all();
    const ConsistentStart start = make_consistent_start(motion_);
    DependentSpeeds rows(equations_, make_state(motion_, start));
    result_.dependent = rows.choose(order_dependent_speeds(motion_), start.rank);
    result_.independent = complement(result_.dependent, rows.speed_count());
    if (!rows.solve(&result_)) return NotEmbedded{NotEmbedded::Kind::contradictory};
    result_.offsets = rows.offsets();
    express_dependent_speeds();
    project();
    return std::move(result_);
  }

 private:
  // Without constraints every speed is independent.
  EmbeddedEquations keep_all() {
    result_.independent = complement({}, motion_.speeds().size());
    result_.validity = pool_.one();
    result_.mass_matrix = equations_.mass_matrix;
    result_.forcing = equations_.forcing;
    add_generalized_forces();
    return std::move(result_);
  }

  const Speed& speed(int r) const { return motion_.speeds()[r]; }

  void express_dependent_speeds() {
    Replacements replacements;
    for (std::size_t d = 0; d < result_.dependent.size(); ++d) {
      Expr u = result_.offsets[d];
      for (std::size_t i = 0; i < result_.independent.size(); ++i)
        u += result_.transmission[d][i] * speed(result_.independent[i]).u;
      result_.dependent_speeds.push_back(u);
      replacements.emplace_back(speed(result_.dependent[d]).u, u);
    }
    embedded_.emplace(pool_, replacements);
    // u_d' at u_i' = 0: every speed changes as the independent ones do.
    for (const Expr& u : result_.dependent_speeds)
      drift_.push_back((*embedded_)(motion_.derivative_at_constant_speeds(u)));
  }

  // G' v, for a list over all speeds.
  std::vector<Expr> reduce(const std::vector<Expr>& v) {
    if (result_.dependent.empty()) return v;
    std::vector<Expr> result;
    for (std::size_t i = 0; i < result_.independent.size(); ++i) {
      Expr sum = v[result_.independent[i]];
      for (std::size_t d = 0; d < result_.dependent.size(); ++d)
        sum += result_.transmission[d][i] * v[result_.dependent[d]];
      result.push_back((*embedded_)(sum));
    }
    return result;
  }

  void project() {  // (1)
    const Rows& M = equations_.mass_matrix;
    const std::size_t n = M.size(), m = result_.independent.size();
    result_.mass_matrix.assign(m, std::vector<Expr>(m, pool_.zero()));
    std::vector<Expr> load = equations_.forcing;
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t d = 0; d < result_.dependent.size(); ++d)
        load[r] -= M[r][result_.dependent[d]] * drift_[d];
    }
    result_.forcing = reduce(load);
    for (std::size_t i = 0; i < m; ++i) {
      std::vector<Expr> column;  // M G, column i
      for (std::size_t r = 0; r < n; ++r) {
        Expr sum = M[r][result_.independent[i]];
        for (std::size_t d = 0; d < result_.dependent.size(); ++d)
          sum += M[r][result_.dependent[d]] * result_.transmission[d][i];
        column.push_back(sum);
      }
      const std::vector<Expr> reduced = reduce(column);
      for (std::size_t j = 0; j < m; ++j) result_.mass_matrix[j][i] = reduced[j];
    }
    add_generalized_forces();
  }

  void add_generalized_forces() {
    std::vector<Expr> active(motion_.speeds().size(), pool_.zero());
    for (const Load& load : collect_loads(motion_)) {
      const std::vector<Expr> forces = compute_generalized_forces(motion_, load);
      for (std::size_t r = 0; r < active.size(); ++r) active[r] += forces[r];
    }
    result_.active_forces = reduce(active);
    for (std::size_t i = 0; i < result_.independent.size(); ++i) {
      Expr sum = result_.forcing[i] - result_.active_forces[i];
      for (std::size_t j = 0; j < result_.independent.size(); ++j)
        sum -= result_.mass_matrix[i][j] * speed(result_.independent[j]).rate;
      result_.inertia_forces.push_back(sum);
    }
  }

  const Equations& equations_;
  const Kinematics& motion_;
  ExprPool& pool_;
  EmbeddedEquations result_;
  std::vector<Expr> drift_;
  std::optional<Substitution> embedded_;
};

}  // namespace

std::optional<SpeedDependence> find_speed_dependence(const Equations& equations,
                                                     const StartState& state) {
  const auto made = attempt([&]() -> std::optional<SpeedDependence> {
    DependentSpeeds rows(equations, state);
    EmbeddedEquations solved;
    solved.dependent = rows.choose_here(order_dependent_speeds(equations.motion));
    solved.independent = complement(solved.dependent, rows.speed_count());
    if (!rows.solve(&solved)) return {};
    return SpeedDependence{solved.independent, solved.dependent, solved.transmission};
  });
  return made ? *made : std::nullopt;
}

std::vector<int> choose_dependent_speeds(const Equations& equations) {
  const ConsistentStart start = make_consistent_start(equations.motion);
  return DependentSpeeds(equations, make_state(equations.motion, start))
      .choose(order_dependent_speeds(equations.motion), start.rank);
}

Result<EmbeddedEquations, NotEmbedded> try_embed_constraints(const Equations& equations) {
  Workspace work(equations.pool());
  auto made = attempt([&] { return EmbeddingSolver(equations).make(); });
  if (!made) return NotEmbedded{NotEmbedded::Kind::undefined, made.why()};
  Result<EmbeddedEquations, NotEmbedded> embedded = *std::move(made);
  if (embedded) embedded->pool = work.finish();
  return embedded;
}

EmbeddedEquations embed_constraints(const Equations& equations) {
  auto embedded = try_embed_constraints(equations);
  if (!embedded) throw make_embedding_error(embedded.why());
  return *std::move(embedded);
}

UsageError make_embedding_error(const NotEmbedded& why) {
  if (why.undefined) return make_undefined_error("embed_constraints", *why.undefined);
  return {"embed_constraints",
          "the constraints do not determine as many speeds as they seem to at the start: they "
          "contradict each other there",
          "E-constraint-contradictory"};
}

}  // namespace visviva
