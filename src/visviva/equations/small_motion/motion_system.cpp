#include "visviva/equations/small_motion/motion_system.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/energy/velocity_split.h"
#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_slope_formulas = 4000;  // more slopes than that are found in numbers

// Numbers of an evaluator, taken one block after the other.
class Reader {
 public:
  explicit Reader(const std::vector<double>& values) : values_(values) {}

  VectorXd vector(Index n) {
    VectorXd v(n);
    for (double& x : v) x = values_[next_++];
    return v;
  }
  MatrixXd matrix(Index rows, Index columns) {
    MatrixXd m(rows, columns);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) m(i, j) = values_[next_++];
    }
    return m;
  }
  Slopes slopes(Index rows, const std::array<Index, 3>& columns) {
    Slopes s{MatrixXd(rows, columns[0]), MatrixXd(rows, columns[1]), MatrixXd(rows, columns[2])};
    for (Index i = 0; i < rows; ++i) {
      for (MatrixXd* part : {&s.X, &s.w, &s.y}) {
        for (Index j = 0; j < part->cols(); ++j) (*part)(i, j) = values_[next_++];
      }
    }
    return s;
  }

 private:
  const std::vector<double>& values_;
  std::size_t next_ = 0;
};

void add_all(const std::vector<Expr>& more, std::vector<Expr>* all) {
  all->insert(all->end(), more.begin(), more.end());
}
void add_all(const std::vector<std::vector<Expr>>& rows, std::vector<Expr>* all) {
  for (const std::vector<Expr>& row : rows) add_all(row, all);
}
void add_all(const Matrix3& m, std::vector<Expr>* all) {
  for (const Column3& row : m) all->insert(all->end(), row.begin(), row.end());
}

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

MotionSystem::MotionSystem(const Equations& equations, const StartState& state)
    : equations_(equations), state_(state), times_(equations.motion.model(), state) {
  t_start_ = state.value(motion().model().time);
  for (const Expr& s : times_.symbols()) specified_start_.push_back(state.value(s));
  build_residual();
  build_rates();
  rotations_ = find_rotation_groups(motion(), configuration_);
  X_ = configuration_;
  for (const Speed& s : motion().speeds()) X_.push_back(s.u);
  for (const InputData& input : motion().model().inputs)
    if (input.state < 0) w_.push_back(input.symbol);
  X_start_.resize(static_cast<Index>(X_.size()));
  for (std::size_t i = 0; i < X_.size(); ++i) X_start_(static_cast<Index>(i)) = state.value(X_[i]);
  build_programs();
}

void MotionSystem::build_residual() {
  MotionResidual residual = make_residual(equations_);
  residual_ = std::move(residual.rows);
  y_ = std::move(residual.solved);
  velocity_rows_ = std::move(residual.velocities);
  solved_slopes_ = std::move(residual.slopes);
  for (const ConstraintRow& row : equations_.rows) {
    if (row.position) position_rows_.push_back(*row.position);
  }
}

// q' of every coordinate, h' of every hidden state on which something depends.
void MotionSystem::build_rates() {
  const ModelData& model = motion().model();
  std::vector<Expr> u;
  for (const Speed& s : motion().speeds()) u.push_back(s.u);
  for (const CoordinateData& c : model.coordinates) {
    configuration_.push_back(c.q);
    rates_.push_back(total(motion().rate_of(c.q), u));
  }
  for (const auto& group : model.quaternions) units_.push_back({group.begin(), group.end()});
  add_states();

  // What a hidden state's rate depends on may bring in others.
  std::vector<bool> is_in(model.frames.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<Expr> all = everything();
    for (std::size_t F = 0; F < model.frames.size(); ++F) {
      const std::vector<Expr>& hidden = model.frames[F].hidden;
      if (is_in[F] || std::none_of(hidden.begin(), hidden.end(),
                                   [&](const Expr& h) { return varies_with(all, h); }))
        continue;
      is_in[F] = changed = true;
      std::vector<int> unit;
      for (std::size_t k = 0; k < hidden.size(); ++k) {
        unit.push_back(static_cast<int>(configuration_.size()));
        configuration_.push_back(hidden[k]);
        rates_.push_back(total(engine_of(motion()).hidden_rate(static_cast<int>(F), k), u));
      }
      if (unit.size() == 4) units_.push_back(unit);
    }
  }
}

// States go on by their laws, whether anything depends on them or not.
void MotionSystem::add_states() {
  for (const StateData& s : motion().model().states) {
    configuration_.push_back(s.symbol);
    rates_.push_back(state_rate(motion(), s));
  }
}

std::vector<Expr> MotionSystem::everything() const {
  std::vector<Expr> all = residual_;
  add_all(rates_, &all);
  add_all(velocity_rows_, &all);
  add_all(position_rows_, &all);
  return all;
}

std::string MotionSystem::configuration_name(std::size_t i) const {
  const std::vector<CoordinateData>& coordinates = motion().model().coordinates;
  if (i < coordinates.size()) return coordinates[i].name;
  return configuration_[i].home().symbol_name(configuration_[i].ref());
}

void MotionSystem::build_programs() {
  // Rates, R and K of (1), for the motion itself.
  std::vector<Expr> flow = rates_;
  add_all(residual_, &flow);
  add_all(solved_slopes_, &flow);
  flow_ = make_program(flow);
  if (everything().size() * slope_symbols().size() > most_slope_formulas)
    build_slopes_by_numbers();
  else
    build_slopes();
  std::vector<Expr> masses;
  add_all(equations_.mass_matrix, &masses);
  masses_ = make_program(masses);
}

std::vector<Expr> MotionSystem::slope_symbols() const {
  std::vector<Expr> symbols = X_;
  add_all(w_, &symbols);
  add_all(y_, &symbols);
  return symbols;
}

std::vector<Expr> MotionSystem::slope_expressions() const {
  if (!slope_exprs_.empty()) return slope_exprs_;
  std::vector<Expr> all;
  add_all(jacobian(everything(), slope_symbols()), &all);
  return all;
}

void MotionSystem::build_slopes() {
  const std::vector<Expr> symbols = slope_symbols();
  slope_exprs_ = slope_expressions();
  std::vector<Expr> outputs = rates_;
  add_all(residual_, &outputs);
  add_all(slope_exprs_, &outputs);
  for (const RotationGroup& g : rotations_) {
    add_all(g.R_PB, &outputs);
    for (const int v : g.variables) {
      for (const Column3& row : g.R_PB) {
        for (const Expr& e : row) outputs.push_back(differentiate(e, configuration_[v]));
      }
    }
    for (const Column3* c : {&g.w_PB_B, &g.alpha_PB_B}) {
      const std::vector<Expr> column(c->begin(), c->end());
      add_all(column, &outputs);
      add_all(jacobian(column, symbols), &outputs);
    }
  }
  slopes_ = make_program(outputs);
}

void MotionSystem::build_slopes_by_numbers() {
  std::vector<Expr> outputs = everything();
  for (const RotationGroup& g : rotations_) {
    add_all(g.R_PB, &outputs);
    for (const Column3* c : {&g.w_PB_B, &g.alpha_PB_B})
      outputs.insert(outputs.end(), c->begin(), c->end());
  }
  slopes_.symbols = slope_symbols();
  for (const Expr& s : free_symbols(outputs)) {
    const bool is_slope = std::find(X_.begin(), X_.end(), s) != X_.end() ||
                          std::find(w_.begin(), w_.end(), s) != w_.end() ||
                          std::find(y_.begin(), y_.end(), s) != y_.end();
    if (!is_slope) slopes_.symbols.push_back(s);
  }
  slopes_.inside = find_places(slopes_.symbols);
  slopes_.numbers.emplace(slopes_.symbols, outputs, slope_symbols());
}

// In the order of build_slopes().
std::vector<double> MotionSystem::order_slopes(const SlopeEvaluator::Values& values) const {
  const std::size_t columns = X_.size() + w_.size() + y_.size(), nr = residual_.size();
  const auto& out = values.outputs;
  const auto slope = [&](std::size_t row, std::size_t column) {
    return values.slopes[row * columns + column];
  };
  std::vector<double> all(out.begin() + static_cast<std::ptrdiff_t>(nr),
                          out.begin() + static_cast<std::ptrdiff_t>(nr + rates_.size()));
  all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(nr));
  std::size_t row = everything().size();
  all.insert(all.end(), values.slopes.begin(),
             values.slopes.begin() + static_cast<std::ptrdiff_t>(row * columns));
  for (const RotationGroup& g : rotations_) {
    const auto R = out.begin() + static_cast<std::ptrdiff_t>(row);
    all.insert(all.end(), R, R + 9);
    for (const int v : g.variables)
      for (std::size_t k = 0; k < 9; ++k)
        all.push_back(slope(row + k, static_cast<std::size_t>(v)));
    row += 9;
    for (int part = 0; part < 2; ++part, row += 3) {
      const auto w = out.begin() + static_cast<std::ptrdiff_t>(row);
      all.insert(all.end(), w, w + 3);
      const auto first = values.slopes.begin() + static_cast<std::ptrdiff_t>(row * columns);
      all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(3 * columns));
    }
  }
  return all;
}

MotionSystem::Program MotionSystem::make_program(const std::vector<Expr>& outputs) const {
  Program program;
  if (outputs.empty()) return program;
  const std::vector<Expr> inside = free_symbols(outputs);
  program.inside = find_places(inside);
  program.evaluator.emplace(inside, outputs);
  program.symbols = inside;
  program.outputs = outputs;
  return program;
}

// Where the values of symbols come from.
std::vector<MotionSystem::Inside> MotionSystem::find_places(
    const std::vector<Expr>& symbols) const {
  std::vector<Inside> places;
  const auto place = [](const std::vector<Expr>& list, const Expr& s) {
    const auto found = std::find(list.begin(), list.end(), s);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  for (const Expr& s : symbols) {
    using Kind = Inside::Kind;
    const int in_X = place(X_, s), in_y = place(y_, s), in_time = place(times_.symbols(), s);
    if (in_X >= 0)
      places.push_back({Kind::state, in_X});
    else if (in_y >= 0)
      places.push_back({Kind::solved, in_y});
    else if (in_time >= 0)
      places.push_back({Kind::specified, in_time});
    else if (s == motion().model().time)
      places.push_back({Kind::time});
    else
      places.push_back({Kind::constant, 0, state_.value(s)});
  }
  return places;
}

void MotionSystem::compile(const CompileEvaluation& compile) {
  compile_program(compile, &flow_);
  compile_program(compile, &slopes_);
}

void MotionSystem::compile_program(const CompileEvaluation& compile, Program* program) {
  if (!program->evaluator || program->compiled) return;
  EvaluationRequest request{.outputs = program->outputs};
  for (std::size_t i = 0; i < program->symbols.size(); ++i) {
    const bool is_constant = program->inside[i].kind == Inside::Kind::constant;
    (is_constant ? request.constants : request.varying).push_back(program->symbols[i]);
    if (is_constant) request.constant_values.push_back(program->inside[i].value);
  }
  program->compiled = compile(request);
}

std::vector<double> MotionSystem::run(const Program& program, double t, const VectorXd& X,
                                      const VectorXd& y) const {
  if (!program.evaluator && !program.numbers) return {};
  const std::vector<double> specified = t == t_start_ ? specified_start_ : times_(t);
  std::vector<double> numbers;
  for (const Inside& s : program.inside) {
    switch (s.kind) {
      case Inside::Kind::state:
        numbers.push_back(X(s.index));
        break;
      case Inside::Kind::solved:
        numbers.push_back(y(s.index));
        break;
      case Inside::Kind::time:
        numbers.push_back(t);
        break;
      case Inside::Kind::specified:
        numbers.push_back(specified[static_cast<std::size_t>(s.index)]);
        break;
      case Inside::Kind::constant:
        if (!program.compiled) numbers.push_back(s.value);
        break;
    }
  }
  if (program.numbers) return order_slopes((*program.numbers)(numbers));
  return program.compiled ? program.compiled(numbers) : (*program.evaluator)(numbers);
}

// y of (1), linear in the residual.
std::optional<VectorXd> MotionSystem::solve(double t, const VectorXd& X,
                                            VectorXd* configuration_rates) const {
  const Index ny = static_cast<Index>(y_.size()), nr = static_cast<Index>(residual_.size());
  const std::vector<double> values = run(flow_, t, X, VectorXd::Zero(ny));
  if (!is_finite(values)) return std::nullopt;
  Reader read(values);
  *configuration_rates = read.vector(static_cast<Index>(rates_.size()));
  const VectorXd R = read.vector(nr);
  return solve_closest(read.matrix(nr, ny), -R).col(0);
}

bool MotionSystem::compute_rates(double t, const VectorXd& X, VectorXd* rates) const {
  VectorXd configuration;
  const std::optional<VectorXd> y = solve(t, X, &configuration);
  if (!y) return false;
  rates->resize(X.size());
  *rates << configuration, y->head(static_cast<Index>(speed_count()));
  return true;
}

std::optional<MotionNumbers> MotionSystem::compute_slopes(double t, const VectorXd& X) const {
  MotionNumbers n{.t = t, .X = X};
  VectorXd configuration;
  std::optional<VectorXd> y = solve(t, X, &configuration);
  if (!y) return std::nullopt;
  n.y = *std::move(y);
  n.X_rates.resize(X.size());
  n.X_rates << configuration, n.y.head(static_cast<Index>(speed_count()));

  const std::vector<double> values = run(slopes_, t, X, n.y);
  if (!is_finite(values)) return std::nullopt;
  Reader read(values);
  read.vector(static_cast<Index>(rates_.size()));
  n.residual = read.vector(static_cast<Index>(residual_.size()));
  const std::array<Index, 3> columns = {
      static_cast<Index>(X_.size()), static_cast<Index>(w_.size()), static_cast<Index>(y_.size())};
  n.R = read.slopes(static_cast<Index>(residual_.size()), columns);
  n.F = read.slopes(static_cast<Index>(rates_.size()), columns);
  n.V = read.slopes(static_cast<Index>(velocity_rows_.size()), columns);
  n.G = read.slopes(static_cast<Index>(position_rows_.size()), columns);
  for (const RotationGroup& g : rotations_) {
    RotationNumbers r;
    r.R_PB = read.matrix(3, 3);
    r.J.resize(3, static_cast<Index>(g.variables.size()));
    for (Index i = 0; i < r.J.cols(); ++i) {
      const Eigen::Matrix3d S = r.R_PB.transpose() * read.matrix(3, 3);
      r.J.col(i) << (S(2, 1) - S(1, 2)) / 2, (S(0, 2) - S(2, 0)) / 2, (S(1, 0) - S(0, 1)) / 2;
    }
    r.w_PB = read.vector(3);
    r.w_slopes = read.slopes(3, columns);
    r.alpha_PB = read.vector(3);
    r.alpha_slopes = read.slopes(3, columns);
    n.rotations.push_back(std::move(r));
  }
  return n;
}

MatrixXd MotionSystem::compute_mass_matrix(const VectorXd& X) const {
  const Index n = static_cast<Index>(speed_count());
  const std::vector<double> values =
      run(masses_, t_start_, X, VectorXd::Zero(static_cast<Index>(y_.size())));
  if (n == 0) return MatrixXd(0, 0);
  return Reader(values).matrix(n, n);
}

}  // namespace visviva
