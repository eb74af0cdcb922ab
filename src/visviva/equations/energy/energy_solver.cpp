#include "visviva/equations/energy/energy_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/base/error.h"
#include "visviva/equations/constraints/choose_columns.h"
#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of rows scaled to 1: a smaller pivot costs half of the digits, and other speeds are tried first.
constexpr double good_pivot = 1e-6;
constexpr double zero_pivot = 1e-9;
// Of the terms of a row: redundant rows agree as well as the configuration satisfies them.
constexpr double consistency = 1e-6;
constexpr double transport_rounding_level = 1e-13;  // of the largest terms of all rows: smaller is zero
constexpr double not_determined = std::numeric_limits<double>::quiet_NaN();

// Numbers of one evaluation, taken in order; what is not finite is told.
class Reader {
 public:
  explicit Reader(const std::vector<double>& values) : next_(values.begin()) {}

  double take() {
    const double x = *next_++;
    if (std::isfinite(x)) return x;
    is_complete_ = false;
    return not_determined;
  }
  bool is_complete() const { return is_complete_; }

 private:
  std::vector<double>::const_iterator next_;
  bool is_complete_ = true;
};

// The rows at one state, scaled to 1.
struct TransportRows {
  MatrixXd A;
  VectorXd c, scale;  // scale: what the rows were divided by
  double A_size = 0.0, c_size = 0.0;
  bool is_finite = true;
};

TransportRows read_rows(const std::vector<double>& v, std::size_t m, std::size_t n) {
  TransportRows rows{MatrixXd(m, n), VectorXd(m), VectorXd::Ones(m)};
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t r = 0; r < n; ++r) rows.A(i, r) = v[i * (n + 1) + r];
    rows.c(i) = v[i * (n + 1) + n];
  }
  rows.is_finite = rows.A.allFinite() && rows.c.allFinite();
  if (!rows.is_finite || rows.A.size() == 0) return rows;
  rows.A_size = rows.A.cwiseAbs().maxCoeff();
  rows.c_size = rows.c.cwiseAbs().maxCoeff();
  for (Index i = 0; i < rows.A.rows(); ++i) {
    const double size = rows.A.row(i).cwiseAbs().maxCoeff();
    if (size > transport_rounding_level * rows.A_size) {
      rows.scale(i) = size;
      rows.A.row(i) /= size;
      rows.c(i) /= size;
    } else {
      rows.A.row(i).setZero();  // scaling must not bring it to life
    }
  }
  return rows;
}

// x with A_d x = -rhs, the other entries zero; NaN when there is none. Differences below `noise`
// count as zero.
std::vector<double> solve_dependent(const TransportRows& rows, const std::vector<int>& dependent,
                                    const VectorXd& rhs, double noise) {
  const std::size_t n = static_cast<std::size_t>(rows.A.cols());
  MatrixXd A_d(rows.A.rows(), dependent.size());
  for (std::size_t d = 0; d < dependent.size(); ++d) A_d.col(d) = rows.A.col(dependent[d]);
  const VectorXd x_d = solve_least_squares(A_d, -rhs);
  const VectorXd defect = A_d * x_d + rhs;
  const VectorXd size = A_d.cwiseAbs() * x_d.cwiseAbs() + rhs.cwiseAbs();
  for (Index i = 0; i < defect.size(); ++i) {
    if (!(std::abs(defect(i)) <= consistency * size(i) + noise / rows.scale(i)))
      return std::vector<double>(n, not_determined);
  }
  std::vector<double> x(n, 0.0);
  for (std::size_t d = 0; d < dependent.size(); ++d) x[dependent[d]] = x_d(d);
  return x;
}

}  // namespace

struct EnergySolver::Parts {
  std::shared_ptr<ExprPool> pool;  // holds the expressions
  std::size_t speed_count, row_count, load_count;
  std::vector<Expr> symbols;  // of the state
  std::vector<Expr> speeds;
  std::vector<bool> is_unknown;
  std::vector<int> dependent, order;      // as embedded; all candidates
  bool is_still = true;                   // no row has a c: then w and w' vanish
  std::unique_ptr<Evaluator> row_values;  // of the state: A and c, row by row
  std::unique_ptr<Evaluator> drift;       // of the state, w and w': d/dt (A w + c)
  std::unique_ptr<Evaluator> energies;

  std::vector<double> read(const StartState& state) const;
  double largest_speed(const StartState& state) const;
  std::vector<int> choose(const TransportRows& rows, const std::vector<int>& wanted) const;
  void add_transport(const StartState& state, const std::vector<int>& wanted,
                     std::vector<double>* numbers, EnergyValues* result) const;
};

namespace {

// In the order in which evaluate() takes them.
std::vector<Expr> list_energies(const EnergyTerms& e) {
  std::vector<Expr> all = {
      e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative};
  for (const LoadEnergy& load : e.loads)
    all.insert(all.end(),
               {load.power, load.generalized_power, load.potential, load.nonconservative_power});
  return all;
}

void take_energies(const std::vector<double>& values, std::size_t loads, EnergyValues* e) {
  Reader reader(values);
  for (double* x :
       {&e->K, &e->K0, &e->K1, &e->K2, &e->U, &e->sigma, &e->sigma_R, &e->P, &e->P_nonconservative})
    *x = reader.take();
  e->loads.resize(loads);
  for (LoadValues& load : e->loads) {
    for (double* x :
         {&load.power, &load.generalized_power, &load.potential, &load.nonconservative_power})
      *x = reader.take();
  }
  e->is_determined = reader.is_complete();
}

}  // namespace

EnergySolver::EnergySolver(const Energies& energies)
    : EnergySolver(energies.equations, energies.split, energies.formal,
                   energies.embedded.dependent) {}

EnergySolver::EnergySolver(const Equations& equations, const VelocitySplit& split,
                           const EnergyTerms& formal, const std::vector<int>& dependent)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  const ExprPool& home = formal.K.home();
  const Workspace work(home.stands_on(*equations.pool()) ? home : *equations.pool());
  p.pool = work.share();
  ExprPool& pool = work.pool();
  for (const Speed& s : equations.motion.speeds()) p.speeds.push_back(s.u);
  p.speed_count = p.speeds.size();
  p.row_count = equations.rows.size();
  p.load_count = formal.loads.size();
  p.dependent = dependent;
  p.order = order_dependent_speeds(equations.motion);

  std::vector<Expr> rows, drift;
  for (const ConstraintRow& row : equations.rows) {
    std::vector<Expr> line(p.speed_count, pool.zero());
    for (const auto& [r, a] : row.velocity.coefficients) line[r] = a;
    line.push_back(row.velocity.remainder);
    p.is_still = p.is_still && line.back().is_zero();
    Expr sum = line.back();
    for (std::size_t r = 0; r < p.speed_count; ++r) sum += line[r] * split.transport()[r];
    drift.push_back(split.rate(sum));
    rows.insert(rows.end(), line.begin(), line.end());
  }
  const std::vector<Expr> terms = list_energies(formal);

  // The state's symbols, then w and w'.
  std::vector<Expr> transport, all = rows;
  if (p.row_count > 0) {
    transport = split.transport();
    transport.insert(transport.end(), split.transport_rates().begin(),
                     split.transport_rates().end());
  }
  all.insert(all.end(), drift.begin(), drift.end());
  all.insert(all.end(), terms.begin(), terms.end());
  const auto is_in = [](const std::vector<Expr>& list, const Expr& s) {
    return std::any_of(list.begin(), list.end(), [&](const Expr& e) { return e.ref() == s.ref(); });
  };
  for (const Expr& s : free_symbols(all)) {
    if (is_in(transport, s)) continue;
    p.symbols.push_back(s);
    p.is_unknown.push_back(is_in(equations.unknowns, s));
  }
  std::vector<Expr> inputs = p.symbols;
  p.row_values = std::make_unique<Evaluator>(inputs, rows);
  inputs.insert(inputs.end(), transport.begin(), transport.end());
  p.drift = std::make_unique<Evaluator>(inputs, drift);
  p.energies = std::make_unique<Evaluator>(inputs, terms);
}

EnergySolver::~EnergySolver() = default;

std::vector<double> EnergySolver::Parts::read(const StartState& state) const {
  std::vector<double> numbers;
  numbers.reserve(symbols.size() + 2 * speed_count);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto found = state.known.find(symbols[i]);
    if (found == state.known.end() && !is_unknown[i])
      throw UsageError("EnergySolver", "no value is given for '" +
                                           symbols[i].home().symbol_name(symbols[i].ref()) + "'");
    numbers.push_back(found == state.known.end() ? not_determined : found->second);
  }
  return numbers;
}

double EnergySolver::Parts::largest_speed(const StartState& state) const {
  double most = 0.0;
  for (const Expr& u : speeds) {
    const auto found = state.known.find(u);
    if (found != state.known.end()) most = std::max(most, std::abs(found->second));
  }
  return most;
}

// No more than at the start: what rounding or drift adds to redundant rows determines nothing.
std::vector<int> EnergySolver::Parts::choose(const TransportRows& rows,
                                             const std::vector<int>& wanted) const {
  std::vector<int> candidates = wanted;
  for (const int r : order) {
    if (std::find(wanted.begin(), wanted.end(), r) == wanted.end()) candidates.push_back(r);
  }
  std::vector<int> chosen;
  for (const ChosenColumn& c :
       choose_columns(rows.A, candidates, {good_pivot, zero_pivot}, dependent.size()))
    chosen.push_back(c.column);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Appends w and w', and notes which speeds are dependent.
void EnergySolver::Parts::add_transport(const StartState& state, const std::vector<int>& wanted,
                                        std::vector<double>* numbers, EnergyValues* result) const {
  if (row_count == 0) return;
  const std::size_t first = numbers->size(), n = speed_count;
  const TransportRows now = read_rows((*row_values)(*numbers), row_count, n);
  numbers->resize(first + 2 * n, now.is_finite ? 0.0 : not_determined);
  if (!now.is_finite) return;
  result->dependent = choose(now, wanted);
  result->is_singular = result->dependent.size() < dependent.size();
  if (is_still) return;

  // (1)
  const double speed = largest_speed(state);
  const double size = now.A_size * speed + now.c_size;
  const std::vector<double> w =
      solve_dependent(now, result->dependent, now.c, transport_rounding_level * size);
  std::copy(w.begin(), w.end(), numbers->begin() + first);

  // (2)
  const std::vector<double> b = (*drift)(*numbers);
  VectorXd scaled(row_count);
  for (std::size_t i = 0; i < row_count; ++i) scaled(i) = b[i] / now.scale(i);
  const std::vector<double> w_rates =
      solve_dependent(now, result->dependent, scaled, transport_rounding_level * size * (1.0 + speed));
  std::copy(w_rates.begin(), w_rates.end(), numbers->begin() + (first + n));
}

EnergyValues EnergySolver::operator()(const StartState& state) const {
  return (*this)(state, parts_->dependent);
}

EnergyValues EnergySolver::operator()(const StartState& state,
                                      const std::vector<int>& wanted) const {
  const Parts& p = *parts_;
  EnergyValues e{};
  std::vector<double> numbers = p.read(state);
  p.add_transport(state, wanted, &numbers, &e);
  take_energies((*p.energies)(numbers), p.load_count, &e);
  e.E = e.K2 + e.U;  // (3)
  e.H = e.K2 - e.K0 + e.U;
  e.C = e.K + e.U;
  e.Z_rate = e.sigma_R - e.P_nonconservative;
  return e;
}

}  // namespace visviva
