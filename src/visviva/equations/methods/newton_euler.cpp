#include "visviva/equations/methods/newton_euler.h"

#include <Eigen/Dense>

#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/equations/methods/auxiliary.h"
#include "visviva/equations/methods/equation_rows.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/numeric/solve_any_rank.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The system (1) to (4) as numbers. Rows of x: three for each mass center, in N, then three for
// each turning body, in its frame.
class FreeBodySystem {
 public:
  FreeBodySystem(const Equations& equations, const StartState& state)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        state_(state),
        n_(motion_.speeds().size()) {
    for (const BodyData& body : model_.bodies) {
      rows_.push_back(size_);
      size_ += body.frame < 0 ? 3 : 6;
    }
    D_ = MatrixXd::Zero(size_, size_);
    J_ = MatrixXd::Zero(size_, n_);
    g_ = VectorXd::Zero(size_);
    f_ = VectorXd::Zero(size_);
    loose_ = VectorXd::Zero(n_);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(b);
    for (const Load& load : place_loads(motion_, collect_loads(motion_))) add_load(load);
    add_rows();
  }

  FreeBodyMotion solve() const {
    const Index X = size_, n = n_, m = A_.rows();
    MatrixXd K = MatrixXd::Zero(2 * X + n + m, 2 * X + n + m);
    VectorXd rhs(2 * X + n + m);
    K.block(0, 0, X, X) = D_;
    K.block(0, X + n, X, X) = -MatrixXd::Identity(X, X);  // (1)
    K.block(X, 0, X, X) = MatrixXd::Identity(X, X);
    K.block(X, X, X, n) = -J_;  // (2)
    K.block(2 * X, X + n, n, X) = J_.transpose();
    K.block(2 * X, 2 * X + n, n, m) = -A_.transpose();  // (3)
    K.block(2 * X + n, X, m, n) = A_;                   // (4)
    rhs << f_, g_, loose_, b_;
    const AnyRankSolution solution = solve_any_rank(std::move(K), std::move(rhs));

    FreeBodyMotion result;
    result.is_consistent = solution.is_consistent;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      FreeBodyMotion::Body body;
      for (std::size_t i = 0; i < 3; ++i) {
        body.acceleration[i] = solution.x(rows_[b] + i);
        body.force[i] = solution.x(X + n + (rows_[b] + i));
        if (model_.bodies[b].frame < 0) continue;
        body.angular_acceleration[i] = solution.x(rows_[b] + 3 + i);
        body.moment[i] = solution.x(X + n + (rows_[b] + 3 + i));
      }
      result.bodies.push_back(body);
    }
    for (Index r = 0; r < n; ++r) result.speed_rates.push_back(solution.x(X + r));
    for (Index i = 0; i < m; ++i) result.multipliers.push_back(solution.x(2 * X + n + i));
    return result;
  }

 private:
  double value(const Expr& e) const { return state_.value(e); }
  Eigen::Vector3d value(const Column3& c) const { return {value(c[0]), value(c[1]), value(c[2])}; }
  Eigen::Vector3d in(int frame, const Vector& v) const { return value(v.in(Frame(model_, frame))); }
  Eigen::Vector3d turned(int to, int from, const Column3& c) const {
    return in(to, Vector(model_, {{from, c}}, Dimension()));
  }

  void add_body(std::size_t b) {
    const BodyData& body = model_.bodies[b];
    MotionEngine& engine = engine_of(motion_);
    const Index row = (rows_[b]);
    D_.block<3, 3>(row, row) = value(body.mass) * Eigen::Matrix3d::Identity();
    const VectorMotion& v = engine.velocity(body.point);
    for (const auto& [r, c] : v.coefficients) J_.block<3, 1>(row, r) = turned(0, v.frame, c);
    g_.segment<3>(row) =
        turned(0, model_.points[body.point].home_frame, engine.acceleration_remainder(body.point));
    if (body.frame < 0) return;
    Eigen::Matrix3d I;
    for (std::size_t i = 0; i < 3; ++i) I.row(i) = value(body.inertia[i]).transpose();
    D_.block<3, 3>(row + 3, row + 3) = I;
    for (const auto& [r, c] : engine.angular_velocity_in_frame(body.frame).coefficients)
      J_.block<3, 1>(row + 3, r) = value(c);
    g_.segment<3>(row + 3) = value(engine.angular_acceleration_remainder(body.frame));
    const Eigen::Vector3d w = value(engine.spin(body.frame));
    f_.segment<3>(row + 3) -= w.cross(I * w);
  }

  // Forces of a load on the bodies; what acts on none of them goes on the speeds, in (3).
  void add_load(const Load& load) {
    Load rest{load.kind, load.index, load.name, load.source, {}, {}, load.generalized};
    for (const auto& [point, force] : load.forces) {
      const int b = find_body_of_point(motion_, point);
      if (b < 0) {
        rest.forces.emplace_back(point, force);
        continue;
      }
      const BodyData& body = model_.bodies[b];
      const Index row = (rows_[b]);
      f_.segment<3>(row) += in(0, force);
      if (body.frame >= 0)
        f_.segment<3>(row + 3) +=
            in(body.frame, cross(Point(model_, point) - Point(model_, body.point), force));
    }
    for (const auto& [frame, torque] : load.torques) {
      const int b = model_.frames[frame].body;
      if (b < 0) {
        rest.torques.emplace_back(frame, torque);
        continue;
      }
      f_.segment<3>((rows_[b]) + 3) += in(frame, torque);
    }
    const std::vector<Expr> forces = compute_generalized_forces(motion_, rest);
    for (std::size_t r = 0; r < n_; ++r) loose_(r) += value(forces[r]);
  }

  void add_rows() {
    A_ = MatrixXd::Zero(equations_.rows.size(), n_);
    b_ = VectorXd::Zero(A_.rows());
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
      for (const auto& [r, a] : equations_.rows[i].velocity.coefficients) A_(i, r) = value(a);
      b_(i) = value(equations_.row_forcing[i]);
    }
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  const StartState& state_;
  std::size_t n_, size_ = 0;
  std::vector<std::size_t> rows_;
  MatrixXd D_, J_, A_;
  VectorXd g_, f_, b_, loose_;
};

}  // namespace

FreeBodyMotion solve_free_bodies(const Equations& equations, const StartState& state) {
  const Workspace work = Workspace::continued(*equations.pool());
  return FreeBodySystem(equations, state).solve();
}

Equations derive_newton_euler(const Kinematics& motion) {
  const ModelData& model = motion.model();
  const std::size_t n = motion.speeds().size();
  const Expr zero = model.pool->zero();
  Equations equations{motion,
                      Method::newton_euler,
                      std::vector<std::vector<Expr>>(n, std::vector<Expr>(n, zero)),
                      std::vector<Expr>(n, zero),
                      {},
                      {},
                      {},
                      {}};
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyInertia body = compute_body_inertia(motion, static_cast<int>(b));
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t s = 0; s < n; ++s) equations.mass_matrix[r][s] += body.mass_matrix[r][s];
      equations.forcing[r] += body.forces[r];
    }
  }
  const std::vector<Load> loads = collect_loads(motion);
  for (const Load& load : loads) {
    const std::vector<Expr> forces = compute_generalized_forces(motion, load);
    for (std::size_t r = 0; r < n; ++r) equations.forcing[r] += forces[r];
  }
  add_constraint_rows(&equations);
  add_auxiliary_equations(&equations, loads);
  add_unknowns(&equations);
  return equations;
}

}  // namespace visviva
