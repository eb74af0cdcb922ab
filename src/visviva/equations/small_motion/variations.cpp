#include "visviva/equations/small_motion/variations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/equations/constraints/speed_order.h"
#include "visviva/numeric/choose_columns.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/product.h"
#include "visviva/numeric/solve_any_rank.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Seen = RotationChoice::Frame;

constexpr double good_pivot = 1e-3;  // of rows scaled to 1: smaller only when there is no other way
constexpr double least_pivot = 1e-9;  // smaller is zero
constexpr double variation_rounding = 64 * std::numeric_limits<double>::epsilon();

// Which of the candidates, the first ones preferred, the rows determine.
std::vector<int> choose_dependent(const MatrixXd& rows, const std::vector<int>& candidates) {
  std::vector<int> chosen;
  for (const ChosenColumn& c : choose_columns(rows, candidates, {good_pivot, least_pivot}))
    chosen.push_back(c.column);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

MatrixXd columns_of(const MatrixXd& m, const std::vector<int>& which) {
  MatrixXd result(m.rows(), which.size());
  for (std::size_t j = 0; j < which.size(); ++j) result.col(j) = m.col(which[j]);
  return result;
}

Matrix3d cross_of(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
  return m;
}

// exp([a]x)
Matrix3d rotation_by(const Vector3d& a) {
  const double angle = a.norm();
  if (angle == 0) return Matrix3d::Identity();
  const Matrix3d n = cross_of(a / angle);
  return Matrix3d::Identity() + std::sin(angle) * n + (1 - std::cos(angle)) * n * n;
}

// What is left of sums of this size after cancellation is rounding.
void remove_rounding(const MatrixXd& size, MatrixXd* m) {
  for (Index i = 0; i < m->rows(); ++i) {
    for (Index j = 0; j < m->cols(); ++j) {
      if (std::abs((*m)(i, j)) <= variation_rounding * size(i, j)) (*m)(i, j) = 0;
    }
  }
}

// A linear map, with the sizes of the terms of each entry.
struct Sized {
  MatrixXd value, size;
};

// (1) and (2) of one group as maps of dX: r_F, r_F', r_F''.
struct GroupRows {
  Sized r, rate, second;
  MatrixXd second_w;   // of dw
  MatrixXd J_inverse;  // dp of an r_F
};

// All maps at a state. y's slopes come first.
class Maps {
 public:
  Maps(const MotionSystem& system, const MotionNumbers& n)
      : system_(system), n_(n), solver_(n.R.y) {
    const Index ny = n.R.y.cols();
    y_X_ = solver_.solve(-n.R.X);
    y_w_ = solver_.solve(-n.R.w);
    const MatrixXd inverse =
        solver_.solve(MatrixXd::Identity(n.R.y.rows(), n.R.y.rows())).topRows(ny);
    y_X_size_ = product_of_sizes(inverse, n.R.X);
  }

  Index nX() const { return n_.X.size(); }
  Index nc() const { return static_cast<Index>(system_.configuration_count()); }
  Index nu() const { return static_cast<Index>(system_.speed_count()); }
  const MatrixXd& y_X() const { return y_X_; }
  const MatrixXd& y_w() const { return y_w_; }
  const MatrixXd& y_X_size() const { return y_X_size_; }
  // Whether there are accelerations for these changes of X, and for changes of inputs with theirs. Constraints that say the
  // same twice contradict each other only where a change breaks them.
  bool is_solved(const MatrixXd& dX, const MatrixXd& dX_w) const {
    const auto solves = [&](const MatrixXd& change, const MatrixXd& other, const MatrixXd& y) {
      return solver_.is_solved_by(product(y_X_, change) + y, -(product(n_.R.X, change) + other),
                                  product_of_sizes(n_.R.X, change) + other.cwiseAbs());
    };
    const auto none = [&](Index rows) { return MatrixXd::Zero(rows, dX.cols()); };
    return solves(dX, none(n_.R.X.rows()), none(y_X_.rows())) && solves(dX_w, n_.R.w, y_w_);
  }

  GroupRows make_group(std::size_t g, const RotationChoice& choice) const {
    const RotationGroup& group = system_.rotations()[g];
    const RotationNumbers& x = n_.rotations[g];
    Matrix3d R_FB = Matrix3d::Identity();
    Vector3d W = x.w_PB, W_rate = x.alpha_PB;
    if (choice.frame != Seen::body) {
      R_FB = rotation_by(-choice.turning * (n_.t - system_.start_time())) * x.R_PB;
      W = choice.turning;
      W_rate.setZero();
    }
    const Vector3d w_FB = x.w_PB - R_FB.transpose() * W;

    GroupRows rows;
    const MatrixXd J_F = product(R_FB, x.J);
    rows.r.value = MatrixXd::Zero(3, nX());
    for (std::size_t i = 0; i < group.variables.size(); ++i)
      rows.r.value.col(group.variables[i]) = J_F.col(static_cast<Index>(i));
    rows.r.size = rows.r.value.cwiseAbs();
    rows.J_inverse = invert(group, x, R_FB);

    const MatrixXd across = cross_of(W), across_B = cross_of(w_FB), across_rate = cross_of(W_rate);
    const MatrixXd& a = x.w_slopes.X;
    const MatrixXd a_rate = x.alpha_slopes.X + product(x.alpha_slopes.y, y_X_);
    const MatrixXd a_rate_size =
        x.alpha_slopes.X.cwiseAbs() + product_of_sizes(x.alpha_slopes.y, y_X_size_);
    rows.rate.value = product(R_FB, a) - product(across, rows.r.value);  // (1)
    rows.rate.size = product_of_sizes(R_FB, a) + product_of_sizes(across, rows.r.size);
    rows.second.value = product(R_FB, product(across_B, a) + a_rate) -  // (2)
                        product(across_rate, rows.r.value) - product(across, rows.rate.value);
    rows.second.size = product_of_sizes(R_FB, product_of_sizes(across_B, a) + a_rate_size) +
                       product_of_sizes(across_rate, rows.r.size) +
                       product_of_sizes(across, rows.rate.size);
    rows.second_w = product(R_FB, x.alpha_slopes.w + product(x.alpha_slopes.y, y_w_));
    return rows;
  }

 private:
  // dp of a rotation vector; of four Euler parameters, the changes that leave their norm.
  MatrixXd invert(const RotationGroup& group, const RotationNumbers& x,
                  const Matrix3d& R_FB) const {
    const Index m = x.J.cols();
    MatrixXd square(m, m);
    square.topRows(3) = product(R_FB, x.J);
    if (m == 4) {
      for (Index i = 0; i < 4; ++i)
        square(3, i) = n_.X(group.variables[static_cast<std::size_t>(i)]);
    }
    MatrixXd inverse = solve_least_squares(square, MatrixXd::Identity(m, m)).leftCols(3);
    remove_rounding(MatrixXd::Constant(m, 3, inverse.cwiseAbs().maxCoeff()), &inverse);
    return inverse;
  }

  const MotionSystem& system_;
  const MotionNumbers& n_;
  AnyRankSystem solver_;
  MatrixXd y_X_, y_w_, y_X_size_;
};

// Q, D and the constraints on z = (c, v).
struct FullVariation {
  MatrixXd L;  // z = L dX
  MatrixXd Q;  // dX = Q z
  Sized D;     // z' = D dX + D_w dw
  MatrixXd D_w;
  MatrixXd G, V;  // rows of (3) on z
};

class VariationBuilder {
 public:
  VariationBuilder(const MotionSystem& system, const MotionNumbers& n, const VariationPlan& plan)
      : system_(system), n_(n), plan_(plan), maps_(system, n) {
    for (std::size_t g = 0; g < plan.choices.size(); ++g)
      groups_.push_back(plan.choices[g].frame == Seen::coordinates
                            ? GroupRows{}
                            : maps_.make_group(g, plan.choices[g]));
  }

  const Maps& maps() const { return maps_; }

  FullVariation run() const {
    const Index kc = static_cast<Index>(plan_.configuration.size()), nu = maps_.nu(),
                nX = maps_.nX(), nz = kc + nu, nw = static_cast<Index>(system_.inputs().size());
    FullVariation full{MatrixXd::Zero(nz, nX),
                       MatrixXd::Zero(nX, nz),
                       {MatrixXd::Zero(nz, nX), MatrixXd::Zero(nz, nX)},
                       MatrixXd::Zero(nz, nw),
                       {},
                       {}};
    MatrixXd L_size = MatrixXd::Zero(nz, nX);
    for (Index i = 0; i < kc; ++i) add_configuration(i, &full, &L_size);
    for (Index j = 0; j < nu; ++j) add_speed(kc, j, &full, &L_size);
    invert_speeds(kc, L_size, &full);
    const auto G_X = n_.G.X.leftCols(maps_.nc());
    const auto Q_c = full.Q.topLeftCorner(maps_.nc(), kc);
    full.G = product(G_X, Q_c);
    remove_rounding(product_of_sizes(G_X, Q_c), &full.G);
    add_unit_rows(&full.G);
    full.V = product(n_.V.X, full.Q);
    remove_rounding(product_of_sizes(n_.V.X, full.Q), &full.V);
    return full;
  }

 private:
  // e · de = 0 of quaternions that no rotation vector varies.
  void add_unit_rows(MatrixXd* G) const {
    for (const std::vector<int>& unit : system_.units()) {
      VectorXd row = VectorXd::Zero(G->cols());
      for (std::size_t i = 0; i < plan_.configuration.size(); ++i) {
        const VariationPlan::Variable& v = plan_.configuration[i];
        if (v.group < 0 && std::count(unit.begin(), unit.end(), v.place) > 0)
          row(static_cast<Index>(i)) = n_.X(v.place);
      }
      if (row.isZero(0)) continue;
      G->conservativeResize(G->rows() + 1, Eigen::NoChange);
      G->row(G->rows() - 1) = row.transpose();
    }
  }

  void add_configuration(Index i, FullVariation* full, MatrixXd* L_size) const {
    const VariationPlan::Variable& v = plan_.configuration[static_cast<std::size_t>(i)];
    if (v.group < 0) {
      full->L(i, v.place) = (*L_size)(i, v.place) = 1;
      full->Q(v.place, i) = 1;
      full->D.value.row(i) = n_.F.X.row(v.place);
      full->D.size.row(i) = n_.F.X.row(v.place).cwiseAbs();
      full->D_w.row(i) = n_.F.w.row(v.place);
      return;
    }
    const GroupRows& rows = groups_[static_cast<std::size_t>(v.group)];
    const RotationGroup& group = system_.rotations()[static_cast<std::size_t>(v.group)];
    full->L.row(i) = rows.r.value.row(v.axis);
    L_size->row(i) = rows.r.size.row(v.axis);
    for (std::size_t k = 0; k < group.variables.size(); ++k)
      full->Q(group.variables[k], i) = rows.J_inverse(static_cast<Index>(k), v.axis);
    full->D.value.row(i) = rows.rate.value.row(v.axis);
    full->D.size.row(i) = rows.rate.size.row(v.axis);
  }

  void add_speed(Index kc, Index j, FullVariation* full, MatrixXd* L_size) const {
    const VariationPlan::Variable& v = plan_.speeds[static_cast<std::size_t>(j)];
    const Index z = kc + j;
    if (v.group < 0) {
      full->L(z, maps_.nc() + j) = (*L_size)(z, maps_.nc() + j) = 1;
      full->D.value.row(z) = maps_.y_X().row(j);
      full->D.size.row(z) = maps_.y_X_size().row(j);
      full->D_w.row(z) = maps_.y_w().row(j);
      return;
    }
    const GroupRows& rows = groups_[static_cast<std::size_t>(v.group)];
    full->L.row(z) = rows.rate.value.row(v.axis);
    L_size->row(z) = rows.rate.size.row(v.axis);
    full->D.value.row(z) = rows.second.value.row(v.axis);
    full->D.size.row(z) = rows.second.size.row(v.axis);
    full->D_w.row(z) = rows.second_w.row(v.axis);
  }

  // du = V^-1 (v - V_q dq)
  void invert_speeds(Index kc, const MatrixXd& L_size, FullVariation* full) const {
    const Index nc = maps_.nc(), nu = maps_.nu();
    if (nu == 0) return;
    MatrixXd V = full->L.bottomRightCorner(nu, nu);
    remove_rounding(L_size.bottomRightCorner(nu, nu), &V);
    const MatrixXd inverse = solve_least_squares(V, MatrixXd::Identity(nu, nu));
    MatrixXd cleaned = inverse;
    remove_rounding(MatrixXd::Constant(nu, nu, inverse.cwiseAbs().maxCoeff()), &cleaned);
    const MatrixXd V_q = full->L.bottomLeftCorner(nu, nc), N = full->Q.topLeftCorner(nc, kc);
    MatrixXd shift = product(cleaned, product(V_q, N));
    remove_rounding(product_of_sizes(product_of_sizes(cleaned, L_size.bottomLeftCorner(nu, nc)), N),
                    &shift);
    full->Q.bottomLeftCorner(nu, kc) = -shift;
    full->Q.bottomRightCorner(nu, nu) = cleaned;
  }

  const MotionSystem& system_;
  const MotionNumbers& n_;
  const VariationPlan& plan_;
  Maps maps_;
  std::vector<GroupRows> groups_;
};

// By entries: without columns there is no storage for a row to point into.
void place(const MatrixXd& values, const std::vector<int>& which, Index first, MatrixXd* target) {
  for (Index j = 0; j < values.cols(); ++j) {
    for (std::size_t i = 0; i < which.size(); ++i) (*target)(first + which[i], j) = values(i, j);
  }
}

// ---- Plans

// Three speeds for each group that is varied by its rotation vector: its angular velocity
// determines them.
void replace_speeds(const MotionNumbers& n, VariationPlan* plan) {
  const Index nu = static_cast<Index>(plan->speeds.size());
  std::vector<std::size_t> groups;
  for (std::size_t g = 0; g < plan->choices.size(); ++g) {
    if (plan->choices[g].frame != Seen::coordinates) groups.push_back(g);
  }
  MatrixXd rows(3 * groups.size(), nu);
  for (std::size_t i = 0; i < groups.size(); ++i)
    rows.middleRows(3 * i, 3) = n.rotations[groups[i]].w_slopes.X.rightCols(nu);
  std::vector<int> candidates;
  for (int r = 0; r < nu; ++r) candidates.push_back(r);
  std::vector<ChosenColumn> chosen = choose_columns(rows, candidates, {good_pivot, least_pivot});
  std::sort(chosen.begin(), chosen.end(),
            [](const ChosenColumn& a, const ChosenColumn& b) { return a.column < b.column; });
  for (std::size_t i = 0; i < groups.size(); ++i) {
    int axis = 0;
    for (const ChosenColumn& c : chosen) {
      if (c.row / 3 == i)
        plan->speeds[static_cast<std::size_t>(c.column)] = {c.column, static_cast<int>(groups[i]),
                                                            axis++};
    }
    if (axis == 3) continue;
    // Not determined by speeds: by coordinates after all.
    plan->choices[groups[i]].frame = Seen::coordinates;
    for (VariationPlan::Variable& v : plan->speeds) {
      if (v.group == static_cast<int>(groups[i])) v = {v.place};
    }
  }
}

void list_variables(const MotionSystem& system, VariationPlan* plan) {
  std::vector<int> group_of(system.configuration_count(), -1);
  for (std::size_t g = 0; g < plan->choices.size(); ++g) {
    if (plan->choices[g].frame == Seen::coordinates) continue;
    for (const int v : system.rotations()[g].variables)
      group_of[static_cast<std::size_t>(v)] = static_cast<int>(g);
  }
  std::vector<bool> is_listed(plan->choices.size(), false);
  for (std::size_t i = 0; i < group_of.size(); ++i) {
    const int g = group_of[i];
    if (g < 0) plan->configuration.push_back({static_cast<int>(i)});
    if (g < 0 || is_listed[static_cast<std::size_t>(g)]) continue;
    is_listed[static_cast<std::size_t>(g)] = true;
    for (int axis = 0; axis < 3; ++axis) plan->configuration.push_back({-1, g, axis});
  }
}

std::string variable_name(const MotionSystem& system, const VariationPlan::Variable& v) {
  return system.rotations()[static_cast<std::size_t>(v.group)].name + "_r" + "xyz"[v.axis];
}

// The place in the configuration of the variable whose rate this is; -1 when there is none.
int place_of_rate(const MotionSystem& system, const VariationPlan& plan,
                  const VariationPlan::Variable& v, int speed) {
  const int q =
      v.group < 0 ? system.motion().speeds()[static_cast<std::size_t>(speed)].coordinate : -1;
  for (std::size_t i = 0; i < plan.configuration.size(); ++i) {
    const VariationPlan::Variable& c = plan.configuration[i];
    if (v.group >= 0 ? c.group == v.group && c.axis == v.axis
                     : c.group < 0 && c.place == q && q >= 0)
      return static_cast<int>(i);
  }
  return -1;
}

std::vector<int> largest_entries(const MotionSystem& system, const VariationPlan& plan) {
  std::vector<int> largest;
  for (const std::vector<int>& unit : system.units()) {
    int best = -1;
    double most = -1;
    for (std::size_t i = 0; i < plan.configuration.size(); ++i) {
      const VariationPlan::Variable& v = plan.configuration[i];
      if (v.group >= 0 || std::count(unit.begin(), unit.end(), v.place) == 0) continue;
      if (std::abs(system.start()(v.place)) <= most) continue;
      most = std::abs(system.start()(v.place));
      best = static_cast<int>(i);
    }
    if (best >= 0) largest.push_back(best);
  }
  return largest;
}

// Dependent are the largest entry of a quaternion that no rotation vector varies, coordinates whose
// rates are dependent, then the last declared.
void choose_states(const MotionSystem& system, const FullVariation& full, VariationPlan* plan) {
  const std::size_t kc = plan->configuration.size(), nu = plan->speeds.size();
  plan->dependent_speeds = choose_dependent(full.V.rightCols(static_cast<Index>(nu)),
                                            order_dependent_speeds(system.motion()));
  std::vector<int> order = largest_entries(system, *plan);
  for (const int r : plan->dependent_speeds) {
    const int c = place_of_rate(system, *plan, plan->speeds[static_cast<std::size_t>(r)], r);
    if (c >= 0 && std::find(order.begin(), order.end(), c) == order.end()) order.push_back(c);
  }
  append_missing(kc, &order);
  plan->dependent_configuration = choose_dependent(full.G, order);
  plan->independent_configuration = complement(plan->dependent_configuration, kc);
  plan->independent_speeds = complement(plan->dependent_speeds, nu);
  for (const int c : plan->independent_configuration) {
    const VariationPlan::Variable& v = plan->configuration[static_cast<std::size_t>(c)];
    plan->states.push_back(v.group < 0
                               ? system.configuration_name(static_cast<std::size_t>(v.place))
                               : variable_name(system, v));
  }
  for (const int r : plan->independent_speeds) {
    const VariationPlan::Variable& v = plan->speeds[static_cast<std::size_t>(r)];
    plan->states.push_back(v.group < 0 ? system.motion().speeds()[static_cast<std::size_t>(r)].name
                                       : variable_name(system, v) + "'");
  }
}

}  // namespace

VariationPlan make_variation_plan(const MotionSystem& system, const MotionNumbers& numbers,
                                  const RotationChoices& choices) {
  VariationPlan plan{.choices = choices};
  for (std::size_t r = 0; r < system.speed_count(); ++r)
    plan.speeds.push_back({static_cast<int>(r)});
  for (std::size_t g = 0; g < choices.size(); ++g) {
    const VectorXd sizes = compute_singular_values(numbers.rotations[g].J);
    if (!(sizes(2) > least_pivot * sizes(0))) plan.choices[g].frame = Seen::coordinates;
  }
  replace_speeds(numbers, &plan);
  list_variables(system, &plan);
  choose_states(system, VariationBuilder(system, numbers, plan).run(), &plan);
  return plan;
}

StateMatrices compute_state_matrices(const MotionSystem& system, const MotionNumbers& numbers,
                                     const VariationPlan& plan) {
  const VariationBuilder builder(system, numbers, plan);
  const FullVariation full = builder.run();
  const Index kc = static_cast<Index>(plan.configuration.size()),
              nu = static_cast<Index>(plan.speeds.size()),
              ic = static_cast<Index>(plan.independent_configuration.size()),
              iu = static_cast<Index>(plan.independent_speeds.size()),
              nw = static_cast<Index>(system.inputs().size());
  // (3)
  MatrixXd T = MatrixXd::Zero(kc + nu, ic + iu), P = MatrixXd::Zero(kc + nu, nw);
  for (Index j = 0; j < ic; ++j) T(plan.independent_configuration[j], j) = 1;
  for (Index j = 0; j < iu; ++j) T(kc + plan.independent_speeds[j], ic + j) = 1;
  place(AnyRankSystem(columns_of(full.G, plan.dependent_configuration))
            .solve(-product(full.G, T.topRows(kc))),
        plan.dependent_configuration, 0, &T);
  const AnyRankSystem speeds(columns_of(full.V.rightCols(nu), plan.dependent_speeds));
  place(speeds.solve(-product(full.V, T)), plan.dependent_speeds, kc, &T);
  place(speeds.solve(-numbers.V.w), plan.dependent_speeds, kc, &P);

  // (4)
  StateMatrices result;
  result.Q_T = product(full.Q, T);
  result.Q_P = product(full.Q, P);
  result.is_solved = builder.maps().is_solved(result.Q_T, result.Q_P);
  MatrixXd A = product(full.D.value, result.Q_T);
  const MatrixXd A_size = product(full.D.size, product_of_sizes(full.Q, T));
  remove_rounding(A_size, &A);
  const MatrixXd B = product(full.D.value, result.Q_P) + full.D_w;
  std::vector<Index> rows;
  for (const int c : plan.independent_configuration) rows.push_back(c);
  for (const int r : plan.independent_speeds) rows.push_back(kc + r);
  const auto take = [&](const MatrixXd& m) {
    MatrixXd taken(rows.size(), m.cols());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (Index j = 0; j < m.cols(); ++j) taken(i, j) = m(rows[i], j) == 0 ? 0.0 : m(rows[i], j);
    return taken;
  };
  result.A = take(A);
  result.A_size = take(A_size);
  result.B = take(B);
  result.S_X = take(full.L);
  return result;
}

MatrixXd compute_full_slopes(const MotionSystem& system, const MotionNumbers& numbers) {
  const Maps maps(system, numbers);
  MatrixXd slopes(numbers.X.size(), numbers.X.size());
  slopes << numbers.F.X, maps.y_X().topRows(maps.nu());
  return slopes;
}

}  // namespace visviva
