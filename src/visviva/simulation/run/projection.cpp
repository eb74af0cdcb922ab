#include "visviva/simulation/run/projection.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "visviva/numeric/dense.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double row_rounding = 8 * std::numeric_limits<double>::epsilon();  // of a row's size
constexpr double massless = 1e-13;            // of the largest mass: rounding alone
constexpr double small_row = 1e-4;            // of the largest: more than units explain
constexpr double positive_pivot = 1e-10;      // of a mass matrix with ones on its diagonal
constexpr double mass_of_massless = 1e-4;     // relative to the same
constexpr double row_rank_tolerance = 1e-7;   // singular values whose squares are row_rounding
constexpr double good_direction = 0.1;        // singular values above it need no care
constexpr double redundant_direction = 1e-5;  // singular values that were never above it
constexpr double on_constraints = 1e-7;       // defects that do not bring redundant rows to life
constexpr double good_rate = 1e-3;            // of moves with rows from before
constexpr int max_moves = 12;

// z = L' w / d, in which the mass metric is the plain one: w'M w = z'z.
}  // namespace

namespace projection {

class MassMetric {
 public:
  void set(const MatrixXd& M) {
    const Index n = M.rows();
    const double largest = M.diagonal().maxCoeff();
    mean_ = largest > 0 ? M.diagonal().cwiseMax(0.0).mean() : 1.0;
    d_.resize(n);
    for (Index r = 0; r < n; ++r) d_(r) = M(r, r) > massless * largest ? M(r, r) : mean_;
    d_ = d_.cwiseSqrt().cwiseInverse();
    MatrixXd scaled = d_.asDiagonal() * M * d_.asDiagonal();
    cholesky_.compute(scaled);
    if (is_regular()) return;
    // Massless speeds: any metric leads onto the constraints, this one moves them first.
    scaled.diagonal().array() += mass_of_massless;
    cholesky_.compute(scaled);
  }

  /// B' of B z = A w.
  MatrixXd transform(const MatrixXd& A) const {
    return cholesky_.matrixL().solve(d_.asDiagonal() * A.transpose());
  }
  VectorXd displacement(const VectorXd& z) const {
    return d_.cwiseProduct(cholesky_.matrixU().solve(z));
  }
  double norm(const VectorXd& w) const {
    return (cholesky_.matrixU() * w.cwiseQuotient(d_)).norm();
  }
  /// What a turn by one radian, or a displacement by one meter, comes to.
  double unit() const { return std::sqrt(mean_); }

 private:
  bool is_regular() const {
    if (cholesky_.info() != Eigen::Success) return false;
    const double least = cholesky_.matrixLLT().diagonal().minCoeff();
    return least * least > positive_pivot;
  }

  VectorXd d_;
  double mean_ = 1.0;
  Eigen::LLT<MatrixXd> cholesky_;
};

// What the rows of a run have been so far.
struct RowMemory {
  explicit RowMemory(Index count) : norms(VectorXd::Zero(count)), values(VectorXd::Zero(count)) {}
  VectorXd norms;  // of each row of B, the largest
  VectorXd
      values;  // singular values in rising order, parts of the run's largest one; the largest of each
};

// The least z with B z = -r. Rows of B have different units and are scaled by the largest norm that
// they have had: where one vanishes in a singular configuration, scaling must not bring it to life.
//
// Near a singular configuration, as of links in line, a singular value s of B gets small. Along its
// direction the constraint is s x + k x^2/2 + r = 0 with k of the order of 1/size, and what is
// wrong with x comes back as r and, because it tilts the tangent, as errors of speeds of the order
// of x/s. So such a direction is left out
//   where r is row_rounding e of a position, or e/s of a velocity, for so uncertain is the tangent: to
//   correct it would only turn row_rounding into errors of speeds 1/s^2 as large;
//   where the linear x = -r/s changes the slope by more than a part, k |x| > s/4: it would carry
//   the mechanism far away, often onto another branch.
// What is left of r does not grow, and a step that ends farther away corrects it.
class RowSolver {
 public:
  void set(const MatrixXd& A, const projection::MassMetric& metric, RowMemory* memory) {
    Bt_ = metric.transform(A);
    VectorXd& norms = memory->norms;
    norms = norms.cwiseMax(Bt_.colwise().norm().transpose());
    const double least = small_row * norms.maxCoeff();
    scale_.resize(norms.size());
    for (Index i = 0; i < scale_.size(); ++i)
      scale_(i) = least > 0 ? 1.0 / std::max(norms(i), least) : 0.0;
    Bt_ = Bt_ * scale_.asDiagonal();
    const MatrixXd squares = Bt_.transpose() * Bt_;
    cholesky_.compute(squares);
    is_good_ = cholesky_.info() == Eigen::Success &&
               cholesky_.matrixLLT().diagonal().minCoeff() > good_direction;
    if (!is_good_) eigen_ = compute_symmetric_eigen(squares);
  }

  /// The angle by which what is left of rows, r, turns the motion: the largest of |r|/s^(p + 1) over weak
  /// directions. For positions, p = 1, it is k x/s, by which x = r/s tilts the tangent: where it is near 1
  /// the two branches of s x + k x^2/2 = 0 are one curve, which leads from each to the other. For
  /// velocities, p = 0, it is that part of them which the rows do not allow.
  double compute_turn(const RowMemory& memory, const VectorXd& r, int p, double size) const {
    if (is_good_ || !(size > 0)) return 0.0;
    const VectorXd x = eigen_.vectors.transpose() * scale_.cwiseProduct(r);
    double turn = 0.0;
    for (Index k = 0; k < x.size(); ++k) {
      const double s = std::max(value(k), row_rank_tolerance * largest_value());
      if (s > good_direction * largest_value() || memory.values(k) < redundant_direction) continue;
      turn = std::max(turn, std::abs(x(k)) / (s * std::pow(s / largest_value(), p) * size));
    }
    return turn;
  }

  /// `noise`: what row_rounding may do to r, here divided by s^p.
  VectorXd solve(const VectorXd& r, const VectorXd& noise, int p, double size) const {
    const VectorXd rhs = -scale_.cwiseProduct(r);
    if (is_good_) return Bt_ * cholesky_.solve(rhs);
    const double small = scale_.cwiseProduct(noise).maxCoeff();
    const VectorXd& squares = eigen_.values;
    VectorXd x = eigen_.vectors.transpose() * rhs;
    for (Index k = 0; k < x.size(); ++k) {
      const double s = value(k), relative = s / largest_value();
      const bool is_weak = relative < good_direction;
      if (relative < row_rank_tolerance ||
          (is_weak && !(std::abs(x(k)) > small / std::pow(relative, p))) ||
          (is_weak && !(std::abs(x(k)) / s < relative * size / 4)))
        x(k) = 0.0;
      else
        x(k) /= squares(k);
    }
    return Bt_ * (eigen_.vectors * x);
  }

  /// Tells the singular values, at a state on the constraints: off them redundant rows have some, too.
  void tell_values(RowMemory* memory) const {
    for (Index k = 0; k < scale_.size(); ++k)
      memory->values(k) =
          std::max(memory->values(k), is_good_ ? good_direction : value(k) / largest_value());
  }

 private:
  double value(Index k) const { return std::sqrt(std::max(eigen_.values(k), 0.0)); }
  // Of the run: rows at their largest have the norm 1. Where there is one row, or all of them vanish together, the largest of
  // the state tells nothing.
  double largest_value() const { return std::max(1.0, value(eigen_.values.size() - 1)); }

  MatrixXd Bt_;
  VectorXd scale_;
  bool is_good_ = true;
  Eigen::LLT<MatrixXd> cholesky_;
  SymmetricEigen eigen_;
};

}  // namespace projection

namespace {

double largest(const VectorXd& v) { return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff(); }

}  // namespace

class Projection::Work {
 public:
  Work(const CompiledSystem& system, const PreparedParameters& p, const double* inputs,
       double tolerance)
      : system_(system),
        p_(p),
        inputs_(inputs),
        tolerance_(tolerance),
        q_count_(static_cast<Index>(system.configuration_count())),
        u_count_(static_cast<Index>(system.speed_count())),
        g_(system.position_count()),
        v_(system.row_count()),
        trial_(system.state_count()),
        kept_(system.state_count()),
        rates_(q_count_),
        rates_at_rest_(q_count_),
        sizes_(VectorXd::Zero(v_.size())),
        memory_(v_.size()),
        position_memory_(g_.size()) {}

  bool is_needed() const { return v_.size() > 0 || !system_.quaternions().empty(); }

  ProjectionResult project(double t, double* y) {
    ProjectionResult result;
    result_ = &result;
    t_ = t;
    y_ = y;
    const VectorXd before = state();
    normalise();
    if (v_.size() == 0) return result;
    evaluate();
    result.position_drift = largest(g_);
    result.velocity_drift = largest(v_);
    compute_rows();
    is_metric_known_ = false;
    solved_ = Solved::nothing;
    result.is_done = before.allFinite() && A_.allFinite();
    if (result.is_done && g_.size() > 0) {
      prepare(Solved::positions);
      is_fresh_ = true;
      result.turn = compute_position_turn();
    }
    result.is_done = result.is_done && move_configuration() && move_speeds();
    result.position_left = largest(g_);
    result.velocity_left = largest(v_);
    if (!state().allFinite() || !before.allFinite()) state() = before;
    return result;
  }

  double measure_turn(double t, const double* y) {
    if (v_.size() == 0) return 0.0;
    ProjectionResult unused;
    VectorXd copy = Eigen::Map<const VectorXd>(y, q_count_ + u_count_);
    result_ = &unused;
    t_ = t;
    y_ = copy.data();
    is_metric_known_ = false;
    solved_ = Solved::nothing;
    evaluate();
    if (g_.size() > 0) prepare(Solved::positions);
    const double of_positions = compute_position_turn();
    if (solved_ != Solved::all) prepare(Solved::all);
    largest_speed_ = std::max(largest_speed_, metric_.norm(speeds()));
    if (is_on_constraints()) rows_.tell_values(&memory_);
    return std::max(of_positions, rows_.compute_turn(memory_, v_, 0, largest_speed_));
  }

  void project_error(double t, const double* proposed, const double* projected, double* error) {
    const Index n = q_count_ + u_count_;
    const Eigen::Map<const VectorXd> y(proposed, n), on_constraints(projected, n);
    Eigen::Map<VectorXd> e(error, n);
    VectorXd other = y - e;
    if (project(t, other.data()).is_done) e = on_constraints - other;
  }

 private:
  enum class Solved { nothing, positions, all };

  Eigen::Map<VectorXd> state() { return {y_, q_count_ + u_count_}; }
  Eigen::Map<VectorXd> configuration() { return {y_, q_count_}; }
  Eigen::Map<VectorXd> speeds() { return {y_ + q_count_, u_count_}; }
  Instant now() const { return {t_, y_, inputs_}; }

  void evaluate() {
    ++result_->evaluations;
    system_.compute_residuals(now(), p_, g_.data(), v_.data());
  }

  void normalise() {
    for (const int first : system_.quaternions()) {
      Eigen::Map<Eigen::Vector4d> e(y_ + first);
      const double norm = e.norm();
      if (norm > 0) e /= norm;
    }
  }

  // ---- Sizes of rows, so that what is left of them can be judged

  double size_of_row(Index i, double of_variables) const {
    const double size = std::max(sizes_(i), small_row * sizes_.maxCoeff()) * (1.0 + of_variables);
    return size > 0 ? size : 1.0;
  }
  VectorXd position_sizes() {
    VectorXd sizes(g_.size());
    const double q = largest(configuration());
    for (Index k = 0; k < sizes.size(); ++k) sizes(k) = size_of_row(position_row(k), q);
    return sizes;
  }
  VectorXd velocity_sizes() {
    VectorXd sizes(v_.size());
    const double u = largest(speeds());
    for (Index i = 0; i < sizes.size(); ++i) sizes(i) = size_of_row(i, u);
    return sizes;
  }
  // NaN is the worst of all.
  static double find_worst(const VectorXd& defects) {
    return defects.allFinite() ? largest(defects) : std::numeric_limits<double>::infinity();
  }
  Index position_row(Index k) const { return system_.position_rows()[static_cast<std::size_t>(k)]; }

  // ---- Equations

  void compute_rows() {
    A_ = system_.compute_rows(now(), p_);
    if (A_.size() > 0 && A_.allFinite())
      sizes_ = sizes_.cwiseMax(A_.cwiseAbs().rowwise().maxCoeff());
  }

  // Rows at the present configuration; the metric is that of the first one.
  void prepare(Solved wanted) {
    if (!is_metric_known_) metric_.set(system_.compute_mass_matrix(now(), p_));
    is_metric_known_ = true;
    compute_rows();
    if (wanted == Solved::positions && g_.size() < v_.size()) {
      MatrixXd A_g(g_.size(), A_.cols());
      for (Index k = 0; k < g_.size(); ++k) A_g.row(k) = A_.row(position_row(k));
      rows_.set(A_g, metric_, &position_memory_);
      solved_ = Solved::positions;
    } else {
      rows_.set(A_, metric_, &memory_);
      solved_ = Solved::all;
    }
  }

  bool is_on_constraints() {
    return find_worst(g_.cwiseQuotient(position_sizes())) <= on_constraints;
  }

  // rows_ are those of positions.
  double compute_position_turn() {
    if (g_.size() == 0) return 0.0;
    projection::RowMemory& memory = solved_ == Solved::all ? memory_ : position_memory_;
    if (is_on_constraints()) rows_.tell_values(&memory);
    return rows_.compute_turn(memory, g_, 1, metric_.unit());
  }

  // q + Y w. Y w is a difference of rates, at a w that is not small beside them.
  void displace(const VectorXd& w) {
    const double length = largest(w);
    if (!(length > 0)) return;
    trial_ = state();
    trial_.tail(u_count_).setZero();
    system_.compute_configuration_rates({t_, trial_.data(), inputs_}, p_, rates_at_rest_.data());
    trial_.tail(u_count_) = w / length;
    system_.compute_configuration_rates({t_, trial_.data(), inputs_}, p_, rates_.data());
    configuration() += length * (rates_ - rates_at_rest_);
    normalise();
  }

  // Moves until `defect` is row_rounding or no longer gets smaller; says whether it is small enough.
  // Rows that were prepared some moves ago serve while they serve well: after a good step they do.
  template <class Defect, class Move>
  bool reduce(Solved wanted, const Defect& defect, const Move& move) {
    double best = defect();
    bool is_fresh = std::exchange(is_fresh_, false);
    for (int k = 0; k < max_moves && !(best <= row_rounding); ++k) {
      if (solved_ != wanted && !(solved_ == Solved::all && g_.size() == v_.size())) {
        prepare(wanted);
        is_fresh = true;
      }
      kept_ = state();
      move();
      evaluate();
      const double next = defect();
      if (next <= best / 2) {
        if (next > good_rate * best) solved_ = Solved::nothing;
        best = next;
        is_fresh = false;
        continue;
      }
      if (!(next < best)) {
        state() = kept_;
        evaluate();
      }
      best = std::min(best, next);
      if (is_fresh || best <= 64 * row_rounding) break;
      solved_ = Solved::nothing;
    }
    return best <= tolerance_;
  }

  bool move_configuration() {  // (1)
    if (g_.size() == 0) return true;
    return reduce(
        Solved::positions, [this] { return find_worst(g_.cwiseQuotient(position_sizes())); },
        [this] {
          displace(metric_.displacement(
              rows_.solve(g_, row_rounding * position_sizes(), 0, metric_.unit())));
        });
  }

  bool move_speeds() {  // (2)
    return reduce(
        Solved::all, [this] { return find_worst(v_.cwiseQuotient(velocity_sizes())); },
        [this] {
          const double size = std::max(metric_.norm(speeds()), v_.norm());
          speeds() +=
              metric_.displacement(rows_.solve(v_, row_rounding * velocity_sizes(), 1, size));
        });
  }

  const CompiledSystem& system_;
  const PreparedParameters& p_;
  const double* inputs_;
  double tolerance_;
  Index q_count_, u_count_;
  VectorXd g_, v_, trial_, kept_, rates_, rates_at_rest_;
  VectorXd sizes_;  // of rows, the largest so far
  projection::RowMemory memory_, position_memory_;
  double largest_speed_ = 0.0;  // so far, in the mass metric
  MatrixXd A_;
  projection::MassMetric metric_;
  projection::RowSolver rows_;
  bool is_metric_known_ = false;
  Solved solved_ = Solved::nothing;  // what rows_ holds
  bool is_fresh_ = false;            // rows_ are those of the state
  double t_ = 0.0;
  double* y_ = nullptr;
  ProjectionResult* result_ = nullptr;
};

Projection::Projection(const CompiledSystem& system, const PreparedParameters& p,
                       const double* inputs, double tolerance)
    : work_(std::make_unique<Work>(system, p, inputs, tolerance)) {}
Projection::~Projection() = default;

bool Projection::is_needed() const { return work_->is_needed(); }

void Projection::project_error(double t, const double* proposed, const double* projected,
                               double* error) {
  if (work_->is_needed()) work_->project_error(t, proposed, projected, error);
}

double Projection::measure_turn(double t, const double* y) { return work_->measure_turn(t, y); }

ProjectionResult Projection::project(double t, double* y) {
  return work_->is_needed() ? work_->project(t, y) : ProjectionResult{};
}

}  // namespace visviva
