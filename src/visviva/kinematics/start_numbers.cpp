#include "visviva/kinematics/start_numbers.h"

#include <algorithm>

#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void add_rates(const Kinematics& motion, std::vector<GivenSpeed>* all) {
  const ModelData& model = motion.model();
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const CoordinateData& c = model.coordinates[i];
    if (!c.start_rate) continue;
    GivenSpeed given{c.name + "'", motion.rate_of(c.q), c.start_rate_note};
    given.row.remainder -= *c.start_rate;
    given.coordinate = static_cast<int>(i);
    given.is_euler = c.quaternion >= 0;
    for (std::size_t r = 0; r < motion.speeds().size(); ++r) {
      if (motion.speeds()[r].coordinate == given.coordinate) given.speed = static_cast<int>(r);
    }
    all->push_back(std::move(given));
  }
}

void add_speeds(const Kinematics& motion, std::vector<GivenSpeed>* all) {
  const ModelData& model = motion.model();
  for (const SpeedData& s : model.speeds) {
    if (!s.start) continue;
    const int r = motion.speed_index(s.name);
    all->push_back({s.name, {{{r, model.pool->one()}}, -*s.start}, s.start_note, r});
  }
}

[[noreturn]] void fail_nonlinear(const StartCondition& c) {
  throw ModelError(
      {{Severity::error, "E-start-target",
        "the left side of this start value is not linear in the rates",
        "give the start of a rate, a speed, or a component of a velocity", c.source.span}});
}

void add_condition(const Kinematics& motion, const StartCondition& c,
                   std::vector<GivenSpeed>* all) {
  const auto add = [&](const Expr& resolved) {
    std::optional<ScalarMotion> row = find_linear_motion(motion, resolved);
    if (!row) fail_nonlinear(c);
    StartNote note = c.note;
    note.span = c.source.span;
    all->push_back({c.name, std::move(*row), note});
  };
  if (c.scalar.valid()) return add(motion.resolve(Quantity(c.scalar, Dimension())).expr());
  for (const Expr& e : motion.resolve(c.vector).in(motion.frames()[0])) {
    if (!e.is_zero()) add(e);
  }
}

}  // namespace

std::vector<GivenSpeed> list_given_speeds(const Kinematics& motion) {
  std::vector<GivenSpeed> all;
  add_rates(motion, &all);
  add_speeds(motion, &all);
  for (const StartCondition& c : motion.model().start_conditions) add_condition(motion, c, &all);
  return all;
}

StartEvaluator::StartEvaluator(const Kinematics& motion, const std::vector<ConstraintRow>& rows,
                               const std::vector<GivenSpeed>& given, const StartState& state)
    : motion_(motion),
      model_(motion.model()),
      state_(state),
      row_count_(std::ssize(rows)),
      given_count_(std::ssize(given)) {
  std::vector<Expr> q, outputs;
  for (const CoordinateData& c : model_.coordinates) {
    q.push_back(c.q);
    const auto place = std::find(state_.symbols.begin(), state_.symbols.end(), c.q);
    places_.push_back(static_cast<std::size_t>(place - state_.symbols.begin()));
  }
  const Expr zero = model_.pool->zero();
  for (const ConstraintRow& row : rows) {
    outputs.push_back(row.position ? *row.position : zero);
    const std::vector<Expr> slopes =
        row.position ? gradient(*row.position, q) : std::vector<Expr>(q.size(), zero);
    outputs.insert(outputs.end(), slopes.begin(), slopes.end());
    add_row(row.velocity, &outputs);
  }
  for (const GivenSpeed& value : given) add_row(value.row, &outputs);
  for (const Expr& coordinate : q) add_row(motion_.rate_of(coordinate), &outputs);
  evaluator_.emplace(state_.symbols, outputs);
}

void StartEvaluator::add_row(const ScalarMotion& row, std::vector<Expr>* outputs) const {
  std::vector<Expr> line(motion_.speeds().size(), model_.pool->zero());
  for (const auto& [r, c] : row.coefficients) line[static_cast<std::size_t>(r)] = c;
  outputs->insert(outputs->end(), line.begin(), line.end());
  outputs->push_back(row.remainder);
}

// Partial velocities, mass and inertia of each body; numbers are multiplied, not expressions.
std::vector<Expr> StartEvaluator::list_bodies() const {
  std::vector<Expr> outputs;
  const std::vector<Point> points = motion_.points();
  const std::vector<Frame> frames = motion_.frames();
  const auto add_columns = [&](const VectorMotion& v) {
    for (const auto& entry : v.coefficients)
      outputs.insert(outputs.end(), entry.second.begin(), entry.second.end());
  };
  for (const BodyData& body : model_.bodies) {
    outputs.push_back(body.mass);
    add_columns(motion_.point_motion(points[static_cast<std::size_t>(body.point)]));
    if (body.frame < 0) continue;
    for (const Column3& row : body.inertia) outputs.insert(outputs.end(), row.begin(), row.end());
    add_columns(motion_.body_motion(frames[static_cast<std::size_t>(body.frame)]));
  }
  return outputs;
}

std::vector<double> StartEvaluator::values_at(const VectorXd& q) const {
  std::vector<double> values = state_.values;
  for (std::size_t i = 0; i < places_.size(); ++i)
    values[places_[i]] = q(static_cast<Eigen::Index>(i));
  return values;
}

// Of each body: its mass with the partial velocities of its mass center, its inertia with those of its rotation.
void StartEvaluator::visit_inertias(const VectorXd& q, const Visit& visit) const {
  if (!bodies_) bodies_.emplace(state_.symbols, list_bodies());
  const std::vector<double> v = (*bodies_)(values_at(q));
  const std::vector<Point> points = motion_.points();
  const std::vector<Frame> frames = motion_.frames();
  std::size_t k = 0;
  const auto read_columns = [&](const VectorMotion& motion) {
    Columns columns;
    columns.values.resize(3, std::ssize(motion.coefficients));
    for (const auto& entry : motion.coefficients) {
      const auto c = std::ssize(columns.speeds);
      columns.speeds.push_back(entry.first);
      for (int i = 0; i < 3; ++i) columns.values(i, c) = v[k++];
    }
    return columns;
  };
  for (const BodyData& body : model_.bodies) {
    const double m = v[k++];
    visit(m * Eigen::Matrix3d::Identity(),
          read_columns(motion_.point_motion(points[static_cast<std::size_t>(body.point)])));
    if (body.frame < 0) continue;
    Eigen::Matrix3d I;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) I(i, j) = v[k++];
    }
    visit(I, read_columns(motion_.body_motion(frames[static_cast<std::size_t>(body.frame)])));
  }
}

// M = sum m V'V + W' I W, its lower half, by the components that are not zero.
MatrixXd StartEvaluator::compute_mass(const VectorXd& q) const {
  const auto n = static_cast<Eigen::Index>(motion_.speeds().size());
  MatrixXd M = MatrixXd::Zero(n, n);
  VectorXd line = VectorXd::Zero(n);
  visit_inertias(q, [&](const Eigen::Matrix3d& I, const Columns& columns) {
    if (columns.speeds.empty()) return;
    const Eigen::Matrix<double, 3, Eigen::Dynamic> weighed = I * columns.values;
    const auto [first, last] = std::minmax_element(columns.speeds.begin(), columns.speeds.end());
    const Eigen::Index from = *first, to = *last;
    for (int i = 0; i < 3; ++i) {
      if (columns.values.row(i).isZero(0.0)) continue;
      for (std::size_t c = 0; c < columns.speeds.size(); ++c)
        line(columns.speeds[c]) = weighed(i, static_cast<Eigen::Index>(c));
      for (std::size_t c = 0; c < columns.speeds.size(); ++c) {
        const Eigen::Index s = columns.speeds[c];
        const double x = columns.values(i, static_cast<Eigen::Index>(c));
        if (x != 0.0) M.col(s).segment(s, to - s + 1) += x * line.segment(s, to - s + 1);
      }
      line.segment(from, to - from + 1).setZero();
    }
  });
  return M.selfadjointView<Eigen::Lower>();
}

VectorXd StartEvaluator::compute_inertias(const VectorXd& q) const {
  VectorXd diagonal = VectorXd::Zero(static_cast<Eigen::Index>(motion_.speeds().size()));
  visit_inertias(q, [&](const Eigen::Matrix3d& I, const Columns& columns) {
    for (std::size_t c = 0; c < columns.speeds.size(); ++c) {
      const Eigen::Vector3d column = columns.values.col(static_cast<Eigen::Index>(c));
      diagonal(columns.speeds[c]) += column.dot(I * column);
    }
  });
  return diagonal;
}

StartNumbers StartEvaluator::operator()(const VectorXd& q) const {
  const std::vector<double> v = (*evaluator_)(values_at(q));
  const Eigen::Index n = std::ssize(motion_.speeds()), nq = q.size(), m = row_count_,
                     mg = given_count_;
  StartNumbers x{VectorXd(m),     MatrixXd(m, nq),
                 MatrixXd(m, n),  VectorXd(m),
                 MatrixXd(mg, n), VectorXd(mg),
                 MatrixXd(nq, n), StartMass([this, q] { return compute_mass(q); })};
  std::size_t k = 0;
  const auto read_row = [&](MatrixXd* rows, Eigen::Index i) {
    for (Eigen::Index j = 0; j < n; ++j) (*rows)(i, j) = v[k++];
    return v[k++];
  };
  for (Eigen::Index i = 0; i < m; ++i) {
    x.g(i) = v[k++];
    for (Eigen::Index j = 0; j < nq; ++j) x.slope(i, j) = v[k++];
    x.b(i) = read_row(&x.A, i);
  }
  for (Eigen::Index i = 0; i < mg; ++i) x.h(i) = read_row(&x.G, i);
  for (Eigen::Index i = 0; i < nq; ++i) read_row(&x.W, i);
  return x;
}

}  // namespace visviva
