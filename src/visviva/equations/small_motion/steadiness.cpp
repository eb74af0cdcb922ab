#include "visviva/equations/small_motion/steadiness.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <initializer_list>

#include "visviva/equations/small_motion/modes.h"
#include "visviva/numeric/dense.h"
#include "visviva/numeric/extrapolation.h"
#include "visviva/numeric/product.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Seen = RotationChoice::Frame;

constexpr double rest_tolerance =
    1e-11;  // of a rate, against what a change of the state by its own size would give
constexpr double constant_tolerance = 1e-8;  // of an entry of A, against the size of its terms
constexpr double row_tolerance = 1e-9;       // of an entry, against the largest in its row
constexpr double floor_tolerance = 1e-13;    // of an entry, against the largest in its column
constexpr double same_tolerance = 1e-7;      // of an entry, against the largest in its row
constexpr int most_attempts = 4;             // to follow the motion
constexpr double early =
    0.02;  // of that time: most motions have changed A by then, and are followed no farther
constexpr std::size_t most_choices = 256;  // of frames, taken together

// The motion at the start and a little later.
class Samples {
 public:
  Samples(const MotionSystem& system, const MotionNumbers& start, const MatrixXd& A)
      : system_(system), all_({start}), is_resting_(is_resting(start)) {
    if (!is_resting_) time_ = choose_time(start, A);
  }

  /// A sample soon after the start; false where there is none to take.
  bool follow_shortly() {
    if (is_resting_ || !(time_ > 0)) return false;
    follow(all_.front(), early * time_, {1.0});
    return all_.size() > 1;
  }

  /// All samples.
  void follow_all() {
    if (is_resting_) return;
    const MotionNumbers start = all_.front();
    all_.resize(1);
    // Where coordinates become singular the motion cannot be followed; short of that it can.
    for (int attempt = 0; attempt < most_attempts && time_ > 0; ++attempt) {
      const double reached = follow(start, time_, {0.31, 0.74, 1.0});
      if (reached >= time_) break;
      time_ = 0.6 * reached;
    }
    is_followed_ = all_.size() > 1;
  }

  const std::vector<MotionNumbers>& all() const { return all_; }
  bool is_followed() const { return is_followed_; }

 private:
  bool is_resting(const MotionNumbers& start) const {
    const VectorXd size = compute_full_slopes(system_, start).cwiseAbs() *
                          (start.X.cwiseAbs() + VectorXd::Ones(start.X.size()));
    const double least = 1e-3 * size.maxCoeff();  // where nothing acts, rates are rounding
    for (Index i = 0; i < size.size(); ++i) {
      if (std::abs(start.X_rates(i)) > rest_tolerance * (size(i) + least)) return false;
    }
    return true;
  }

  // Takes samples at parts of `time` after the start, or none; returns how far the motion could be followed.
  double follow(const MotionNumbers& start, double time, std::initializer_list<double> parts) {
    const RateFunction rates = [this](double t, const VectorXd& X, VectorXd* rate) {
      return system_.compute_rates(t, X, rate);
    };
    FollowedMotion now{start.t, start.X, true};
    std::vector<MotionNumbers> later;
    for (const double part : parts) {
      now = follow_motion(rates, now.t, now.y, start.t + part * time);
      std::optional<MotionNumbers> there = system_.compute_slopes(now.t, now.y);
      if (!now.has_arrived || !there) return std::min(now.t - start.t, part * time * 0.99);
      later.push_back(*std::move(there));
    }
    all_.insert(all_.end(), later.begin(), later.end());
    return time;
  }

  // About a radian of the fastest rotation; less where small errors would grow, or where it is
  // long against what happens meanwhile.
  double choose_time(const MotionNumbers& start, const MatrixXd& A) const {
    double turning = 0, fastest = 0, growth = 0;
    for (const RotationNumbers& r : start.rotations) turning = std::max(turning, r.w_PB.norm());
    const std::vector<CoordinateData>& coordinates = system_.motion().model().coordinates;
    for (std::size_t i = 0; i < system_.configuration_count(); ++i) {
      if (i >= coordinates.size() || coordinates[i].dimension.is_dimensionless())
        turning = std::max(turning, std::abs(start.X_rates(static_cast<Index>(i))));
    }
    for (const std::complex<double>& e : compute_eigenvalues(A)) {
      fastest = std::max(fastest, std::abs(e));
      growth = std::max(growth, e.real());
    }
    double time = turning > 0 ? 1 / turning : fastest > 0 ? 1 / fastest : 1.0;
    if (fastest > 0) time = std::min(time, 200 / fastest);
    if (growth > 0) time = std::min(time, 5 / growth);
    return time;
  }

  const MotionSystem& system_;
  std::vector<MotionNumbers> all_;
  bool is_resting_;
  double time_ = 0;
  bool is_followed_ = true;
};

// A at all samples in one choice of frames: which entries change, and whether it matters.
class Comparison {
 public:
  Comparison(const MotionSystem& system, const std::vector<MotionNumbers>& samples,
             const RotationChoices& choices)
      : plan_(make_variation_plan(system, samples.front(), choices)) {
    for (const MotionNumbers& n : samples)
      matrices_.push_back(compute_state_matrices(system, n, plan_));
    find_changes();
  }

  bool is_constant() const { return is_constant_; }

  Steadiness take() {
    Steadiness result{.plan = std::move(plan_), .at_start = std::move(matrices_[0])};
    result.is_constant = is_constant_;
    for (std::size_t i = 0; i < free_rows_.size(); ++i) {
      if (free_rows_[i]) result.free_rows.push_back(result.plan.states[i]);
    }
    for (const StateMatrices& m : matrices_) {
      if (m.B.size() == 0 || result.at_start.B.size() == 0) continue;
      const MatrixXd& B = result.at_start.B;
      if (!((m.B - B).cwiseAbs().maxCoeff() <= 1e-7 * B.cwiseAbs().maxCoeff()))
        result.is_input_constant = false;
    }
    return result;
  }

  // Whether the same constant matrix turns the other's states into these all along the motion: then
  // the eigenvalues are the same.
  bool is_alike(const Comparison& other) const {
    const MatrixXd first = product(matrices_[0].S_X, other.matrices_[0].Q_T);
    for (std::size_t k = 1; k < matrices_.size(); ++k) {
      const MatrixXd change = product(matrices_[k].S_X, other.matrices_[k].Q_T) - first;
      for (Index i = 0; i < first.rows(); ++i) {
        if (!(change.row(i).cwiseAbs().maxCoeff() <=
              same_tolerance * first.row(i).cwiseAbs().maxCoeff()))
          return false;
      }
    }
    return true;
  }

 private:
  // By how much entries of A may differ from those at the start, and still be the same.
  MatrixXd find_allowed(const StateMatrices& m) const {
    const MatrixXd size = matrices_[0].A_size.cwiseMax(m.A_size);
    MatrixXd balanced = size, allowed = constant_tolerance * size;
    const VectorXd d = balance_matrix(&balanced);
    for (Index i = 0; i < size.rows(); ++i) {
      const double row = balanced.row(i).maxCoeff();
      for (Index j = 0; j < size.cols(); ++j)
        allowed(i, j) +=
            row_tolerance * row * d(i) / d(j) + floor_tolerance * size.col(j).maxCoeff();
    }
    return allowed;
  }

  // States that act on each other; what acts on others only may change without moving an eigenvalue.
  void find_changes() {
    const Index n = matrices_[0].A.rows();
    Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> reaches(n, n), changes(n, n);
    reaches.setConstant(false);
    changes.setConstant(false);
    for (const StateMatrices& m : matrices_) {
      const MatrixXd allowed = find_allowed(m);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          if (!(std::abs(m.A(i, j)) <= allowed(i, j))) reaches(i, j) = true;
          if (!(std::abs(m.A(i, j) - matrices_[0].A(i, j)) <= allowed(i, j))) changes(i, j) = true;
        }
      }
    }
    for (Index k = 0; k < n; ++k) {
      for (Index i = 0; i < n; ++i) {
        if (reaches(i, k)) reaches.row(i) = reaches.row(i).cwiseMax(reaches.row(k));
      }
    }
    free_rows_.assign(static_cast<std::size_t>(n), false);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (!changes(i, j)) continue;
        if (i == j || (reaches(i, j) && reaches(j, i)))
          is_constant_ = false;
        else
          free_rows_[static_cast<std::size_t>(i)] = true;
      }
    }
  }

  VariationPlan plan_;
  std::vector<StateMatrices> matrices_;
  bool is_constant_ = true;
  std::vector<bool> free_rows_;
};

// The even rotation W of a frame in P from which w_PB is seen to stand still: d(w_PB)/dt = W x w_PB
// at all samples.
std::optional<Vector3d> find_turning(const std::vector<MotionNumbers>& samples, std::size_t g) {
  MatrixXd K(3 * samples.size(), 3);
  VectorXd rhs(3 * samples.size());
  double largest = 0, fastest = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const RotationNumbers& r = samples[k].rotations[g];
    const Vector3d w = r.R_PB * r.w_PB, alpha = r.R_PB * r.alpha_PB;
    K.middleRows(3 * k, 3) << 0, w(2), -w(1), -w(2), 0, w(0), w(1), -w(0), 0;
    rhs.segment(3 * k, 3) = alpha;
    largest = std::max(largest, alpha.norm());
    fastest = std::max(fastest, w.norm());
  }
  if (!(largest > 1e-9 * fastest * fastest)) return std::nullopt;
  const Vector3d W = solve_least_squares(K, rhs, 1e-9).col(0);
  if (!((product(K, W) - rhs).norm() <= constant_tolerance * 10 * largest)) return std::nullopt;
  return W;
}

class FrameSearch {
 public:
  FrameSearch(const MotionSystem& system, const Samples& samples)
      : system_(system), samples_(samples) {
    for (std::size_t g = 0; g < system.rotations().size(); ++g) {
      std::vector<RotationChoice> list = {{Seen::carrier}, {Seen::body}};
      if (const std::optional<Vector3d> W = find_turning(samples.all(), g)) {
        list.push_back({Seen::turning, *W});
        is_turning_ = true;
      }
      if (!system.rotations()[g].is_quaternion()) list.push_back({Seen::coordinates});
      candidates_.push_back(std::move(list));
    }
  }

  Steadiness run() const {
    for (const RotationChoices& choices : list_choices()) {
      Comparison comparison = compare(choices);
      if (comparison.is_constant()) return prefer_joints(choices, std::move(comparison));
    }
    return give_up();
  }

  /// What run() gives where A changes in all frames, so that more samples cannot make it constant. Nothing where it does not, or
  /// where more samples may show another frame that turns evenly.
  std::optional<Steadiness> refute() const {
    if (is_turning_) return std::nullopt;
    for (const RotationChoices& choices : list_choices()) {
      if (compare(choices).is_constant()) return std::nullopt;
    }
    return give_up();
  }

 private:
  Steadiness give_up() const {
    RotationChoices choices;
    for (const RotationGroup& g : system_.rotations())
      choices.push_back({g.has_joints ? Seen::coordinates : Seen::carrier});
    return compare(choices).take();
  }

  Comparison compare(const RotationChoices& choices) const {
    return Comparison(system_, samples_.all(), choices);
  }

  // Frames of all groups taken together, those first that come first for each; of very many groups
  // the same frame for all.
  std::vector<RotationChoices> list_choices() const {
    std::size_t count = 1;
    for (const auto& list : candidates_) count = std::min(count * list.size(), most_choices + 1);
    std::vector<std::pair<std::size_t, RotationChoices>> all;
    if (count > most_choices) {
      for (std::size_t i = 0; i < 2; ++i) {
        all.emplace_back(i, RotationChoices{});
        for (const auto& list : candidates_) all.back().second.push_back(list[i]);
      }
    } else {
      for (std::size_t number = 0; number < count; ++number) {
        std::size_t rest = number, rank = 0;
        RotationChoices choices;
        for (const auto& list : candidates_) {
          rank += rest % list.size();
          choices.push_back(list[rest % list.size()]);
          rest /= list.size();
        }
        all.emplace_back(rank, std::move(choices));
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<RotationChoices> sorted;
    for (auto& choice : all) sorted.push_back(std::move(choice.second));
    return sorted;
  }

  // Angles of joints stay states where that changes no eigenvalue.
  Steadiness prefer_joints(RotationChoices choices, Comparison found) const {
    for (std::size_t g = 0; g < choices.size(); ++g) {
      if (!system_.rotations()[g].has_joints || choices[g].frame == Seen::coordinates) continue;
      RotationChoices other = choices;
      other[g].frame = Seen::coordinates;
      Comparison by_angles = compare(other);
      if (!by_angles.is_constant() || !by_angles.is_alike(found)) continue;
      choices = std::move(other);
      found = std::move(by_angles);
    }
    return found.take();
  }

  const MotionSystem& system_;
  const Samples& samples_;
  std::vector<std::vector<RotationChoice>> candidates_;
  bool is_turning_ = false;  // there is a frame that turns evenly
};

}  // namespace

Steadiness judge_steadiness(const MotionSystem& system, const MotionNumbers& start) {
  const RotationChoices carriers(system.rotations().size());
  const VariationPlan plan = make_variation_plan(system, start, carriers);
  Samples samples(system, start, compute_state_matrices(system, start, plan).A);
  if (samples.follow_shortly()) {
    if (std::optional<Steadiness> changing = FrameSearch(system, samples).refute())
      return *std::move(changing);
  }
  samples.follow_all();
  Steadiness result = FrameSearch(system, samples).run();
  result.is_followed = samples.is_followed();
  if (!samples.is_followed()) result.is_constant = false;
  return result;
}

bool is_steady_over(const MotionSystem& system, const MotionNumbers& start,
                    const RotationChoices& choices, double period) {
  constexpr int moments = 16;
  constexpr double golden = 0.6180339887498949;  // moments at no even distances
  const RateFunction rates = [&](double t, const VectorXd& X, VectorXd* rate) {
    return system.compute_rates(t, X, rate);
  };
  FollowedMotion now{start.t, start.X, true};
  std::vector<MotionNumbers> samples = {start};
  for (int k = 0; k < moments; ++k) {
    const double part = (k + std::fmod(golden * (k + 1), 1.0)) / moments;
    now = follow_motion(rates, now.t, now.y, start.t + part * period);
    std::optional<MotionNumbers> there = system.compute_slopes(now.t, now.y);
    if (!now.has_arrived || !there) return false;
    samples.push_back(*std::move(there));
  }
  return Comparison(system, samples, choices).is_constant();
}

}  // namespace visviva
