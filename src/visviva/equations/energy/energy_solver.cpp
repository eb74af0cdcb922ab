#include "visviva/equations/energy/energy_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "visviva/base/error.h"
#include "visviva/base/result_table.h"
#include "visviva/equations/constraints/speed_order.h"
#include "visviva/numeric/transport_solver.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

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

}  // namespace

struct EnergySolver::Parts {
  std::shared_ptr<ExprPool> pool;  // holds the expressions
  std::size_t speed_count, row_count, load_count;
  std::vector<Expr> symbols;  // of the state
  std::vector<Expr> speeds;
  std::vector<bool> is_unknown;
  std::optional<TransportSolver> transport;
  bool is_still = true;                   // no row has a c: then w and w' vanish
  std::unique_ptr<Evaluator> row_values;  // of the state: A and c, row by row
  std::unique_ptr<Evaluator> drift;       // of the state, w and w': d/dt (A w + c)
  std::unique_ptr<Evaluator> energies;

  std::vector<double> read(const StartState& state) const;
  double largest_speed(const StartState& state) const;
  TransportSolver::Rows choose(const std::vector<double>& numbers,
                               const std::vector<int>& wanted) const;
  void add_transport(const StartState& state, const std::vector<int>& wanted,
                     std::vector<double>* numbers, EnergyValues* result) const;
};

namespace {

// All terms, in the order in which take_energies() reads them.
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
  p.transport.emplace(dependent, order_dependent_speeds(equations.motion));

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

// Appends w and w', and notes which speeds are dependent.
void EnergySolver::Parts::add_transport(const StartState& state, const std::vector<int>& wanted,
                                        std::vector<double>* numbers, EnergyValues* result) const {
  if (row_count == 0) return;
  const std::size_t first = numbers->size(), n = speed_count;
  const TransportSolver::Rows now = choose(*numbers, wanted);
  numbers->resize(first + 2 * n, now.is_finite ? 0.0 : not_determined);
  if (!now.is_finite) return;
  result->dependent = now.dependent;
  result->is_singular = now.dependent.size() < transport->dependent().size();
  if (is_still) return;
  const double speed = largest_speed(state);
  const Eigen::VectorXd w = transport->solve(now, speed);  // (1)
  std::copy_n(w.data(), n, numbers->begin() + first);
  const std::vector<double> b = (*drift)(*numbers);
  const Eigen::VectorXd w_rates = transport->solve_rates(  // (2)
      now, Eigen::Map<const Eigen::VectorXd>(b.data(), row_count), speed);
  std::copy_n(w_rates.data(), n, numbers->begin() + (first + n));
}

// The rows at a state, by the values of its symbols.
TransportSolver::Rows EnergySolver::Parts::choose(const std::vector<double>& numbers,
                                                  const std::vector<int>& wanted) const {
  using Lines = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::vector<double> v = (*row_values)(numbers);
  const Eigen::Map<const Lines> lines(v.data(), row_count, speed_count + 1);
  return transport->choose(lines.leftCols(speed_count), lines.col(speed_count), wanted);
}

EnergyValues EnergySolver::operator()(const StartState& state) const {
  return (*this)(state, parts_->transport->dependent());
}

EnergyValues EnergySolver::operator()(const StartState& state,
                                      const std::vector<int>& wanted) const {
  const Parts& p = *parts_;
  EnergyValues e{};
  std::vector<double> numbers = p.read(state);
  p.add_transport(state, wanted, &numbers, &e);
  take_energies((*p.energies)(numbers), p.load_count, &e);
  e.E = add_terms_of(e, result_definitions::E);  // (3)
  e.H = add_terms_of(e, result_definitions::H);
  e.C = add_terms_of(e, result_definitions::C);
  e.Z_rate = add_terms_of(e, result_definitions::Z_rate);
  return e;
}

}  // namespace visviva
