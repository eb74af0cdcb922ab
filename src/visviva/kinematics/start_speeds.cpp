#include "visviva/kinematics/start_speeds.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "visviva/numeric/dense.h"
#include "visviva/numeric/least_change.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double speed_tolerance = 1e-9;      // of a residual, against the size of what is in it
constexpr double rounding_of_change = 1e-13;  // of the largest change

// Conditions R u + c = 0.
struct SpeedRows {
  MatrixXd R;
  VectorXd c;

  bool hold_at(const VectorXd& u) const {
    const VectorXd r = R * u + c, size = R.cwiseAbs() * u.cwiseAbs() + c.cwiseAbs();
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      if (!(std::fabs(r(i)) <= speed_tolerance * (1.0 + size(i)))) return false;
    }
    return true;
  }
  SpeedRows only(Eigen::Index i) const { return {R.row(i), c.segment(i, 1)}; }
};

SpeedRows join(const SpeedRows& a, const SpeedRows& b) {
  SpeedRows all{MatrixXd(a.R.rows() + b.R.rows(), a.R.cols()), VectorXd(a.c.size() + b.c.size())};
  all.R.topRows(a.R.rows()) = a.R;
  all.R.bottomRows(b.R.rows()) = b.R;
  all.c.head(a.c.size()) = a.c;
  all.c.tail(b.c.size()) = b.c;
  return all;
}

class SpeedStarter {
 public:
  SpeedStarter(const StartNumbers& numbers, const std::vector<GivenSpeed>& given,
               const std::vector<bool>& shapes)
      : x_(numbers), given_(given), shapes_(shapes), h_(numbers.h) {
    result_.is_released.assign(given.size(), false);
    result_.is_overruled.assign(given.size(), false);
  }

  StartSpeeds run(const VectorXd& defaults) {
    result_.wanted = find_wanted(defaults);
    result_.speeds = result_.wanted;
    if (!result_.contradiction.empty()) return std::move(result_);
    while (true) {
      const SpeedRows rows =
          join({x_.A, x_.b}, choose([&](std::size_t i) { return is_firm(i) && is_kept(i); }));
      auto met = move_stiff(rows, result_.wanted);
      if (!met) met = move_to(rows, result_.wanted);
      if (met) {
        result_.speeds = *met;
        return std::move(result_);
      }
      if (release(rows)) continue;
      result_.are_constraints_met = false;
      return std::move(result_);
    }
  }

 private:
  bool is_firm(std::size_t i) const { return !given_[i].note.is_guess; }
  bool is_kept(std::size_t i) const { return !result_.is_released[i] && !result_.is_overruled[i]; }

  // Rows that are no numbers say nothing: a rate where its speeds are singular.
  template <class Choice>
  SpeedRows choose(const Choice& is_chosen) const {
    std::vector<Eigen::Index> places;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (is_chosen(i) && x_.G.row(row).allFinite() && std::isfinite(h_(row)))
        places.push_back(row);
    }
    return {x_.G(places, Eigen::all), h_(places)};
  }

  // The least change in the mass metric.
  std::optional<VectorXd> move_to(const SpeedRows& rows, const VectorXd& u) const {
    if (rows.hold_at(u)) return u;
    if (!rows.R.allFinite() || !rows.c.allFinite() || !x_.M().allFinite()) return {};
    return add_change(rows, u, compute_least_change(x_.M(), rows.R, -(rows.R * u + rows.c)));
  }

  // The same, but bodies are not deformed.
  std::optional<VectorXd> move_stiff(const SpeedRows& rows, const VectorXd& u) const {
    std::vector<Eigen::Index> open;
    for (std::size_t r = 0; r < shapes_.size(); ++r)
      if (!shapes_[r]) open.push_back(static_cast<Eigen::Index>(r));
    if (open.size() == shapes_.size() || open.empty()) return {};
    if (rows.hold_at(u)) return u;
    if (!rows.R.allFinite() || !rows.c.allFinite() || !x_.M().allFinite()) return {};
    const VectorXd part =
        compute_least_change(x_.M()(open, open), rows.R(Eigen::all, open), -(rows.R * u + rows.c));
    if (part.size() == 0) return {};
    VectorXd change = VectorXd::Zero(u.size());
    change(open) = part;
    return add_change(rows, u, std::move(change));
  }

  // The same, but speeds of which the rows that do not hold say nothing stay as they are: the start
  // of one body's angular velocity does not move the body that hangs on it.
  std::optional<VectorXd> set_to(const SpeedRows& rows, const VectorXd& u) const {
    if (rows.hold_at(u)) return u;
    if (!rows.R.allFinite() || !rows.c.allFinite() || !x_.M().allFinite()) return {};
    const std::vector<Eigen::Index> open = find_open_speeds(rows, u);
    const VectorXd part =
        compute_least_change(x_.M()(open, open), rows.R(Eigen::all, open), -(rows.R * u + rows.c));
    if (part.size() == 0) return {};
    VectorXd change = VectorXd::Zero(u.size());
    change(open) = part;
    return add_change(rows, u, std::move(change));
  }

  // Speeds in rows that do not hold, and in rows that share one with these.
  static std::vector<Eigen::Index> find_open_speeds(const SpeedRows& rows, const VectorXd& u) {
    std::vector<bool> row_open(static_cast<std::size_t>(rows.c.size())),
        open(static_cast<std::size_t>(u.size()));
    for (std::size_t i = 0; i < row_open.size(); ++i)
      row_open[i] = !rows.only(static_cast<Eigen::Index>(i)).hold_at(u);
    const auto touches = [&](std::size_t i, std::size_t r) {
      const auto row = rows.R.row(static_cast<Eigen::Index>(i));
      return std::fabs(row(static_cast<Eigen::Index>(r))) >
             rounding_of_change * row.cwiseAbs().maxCoeff();
    };
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t i = 0; i < row_open.size(); ++i) {
        for (std::size_t r = 0; r < open.size(); ++r) {
          if (row_open[i] == open[r] || !touches(i, r)) continue;
          row_open[i] = open[r] = is_new = true;
        }
      }
    }
    std::vector<Eigen::Index> found;
    for (std::size_t r = 0; r < open.size(); ++r) {
      if (open[r]) found.push_back(static_cast<Eigen::Index>(r));
    }
    return found;
  }

  // What moves by rounding only stays.
  std::optional<VectorXd> add_change(const SpeedRows& rows, const VectorXd& u,
                                     VectorXd change) const {
    if (change.size() == 0) return {};
    const double largest = change.cwiseAbs().maxCoeff();
    change = (change.array().abs() > rounding_of_change * largest).select(change, 0.0);
    VectorXd moved = u + change;
    keep_exact(&moved);
    if (!rows.hold_at(moved)) return {};
    return moved;
  }

  // Speeds that are held keep their value to the last digit.
  void keep_exact(VectorXd* u) const {
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (given_[i].speed < 0 || !is_firm(i) || !is_kept(i)) continue;
      const double value = -h_(static_cast<Eigen::Index>(i));
      double& now = (*u)(given_[i].speed);
      if (std::fabs(now - value) <= speed_tolerance * (1.0 + std::fabs(value))) now = value;
    }
  }

  VectorXd find_wanted(const VectorXd& defaults) {
    const auto every = [](std::size_t) { return true; };
    if (const auto met = set_to(choose(every), defaults)) return *met;
    const auto firm = [&](std::size_t i) { return is_firm(i); };
    if (const auto met = set_to(choose(firm), defaults)) return *met;
    if (const auto met = overrule(defaults)) return *met;
    project_euler_rates(defaults);
    if (const auto met = set_to(choose(firm), defaults)) return *met;
    result_.contradiction = find_contradicting();
    return defaults;
  }

  // The model's values first; then those that contradict the case or the command line give way, the
  // others stay.
  std::optional<VectorXd> overrule(const VectorXd& defaults) {
    const auto is_model = [&](std::size_t i) { return is_firm(i) && !given_[i].note.is_change; };
    const auto is_firm_change = [&](std::size_t i) {
      return is_firm(i) && given_[i].note.is_change;
    };
    if (choose(is_firm_change).c.size() == 0) return {};
    const auto before = set_to(choose(is_model), defaults);
    if (!before) return {};
    std::vector<bool> gives_way(given_.size(), false);
    const auto stays = [&](std::size_t i) { return is_firm(i) && !gives_way[i]; };
    auto after = set_to(choose(stays), *before);
    while (!after) {
      bool is_any = false;
      for (const std::size_t i : find_contradicting(stays)) {
        if (is_model(i)) gives_way[i] = is_any = true;
      }
      if (!is_any) return {};
      after = set_to(choose(stays), *before);
    }
    for (std::size_t i = 0; i < given_.size(); ++i)
      result_.is_overruled[i] = gives_way[i] && !holds(i, *after);
    result_.overruled = *before;
    return after;
  }

  bool holds(std::size_t i, const VectorXd& u) const {
    return SpeedRows{x_.G, h_}.only(static_cast<Eigen::Index>(i)).hold_at(u);
  }

  std::vector<std::size_t> find_contradicting() const {
    return find_contradicting([&](std::size_t i) { return is_firm(i); });
  }

  template <class Choice>
  std::vector<std::size_t> find_contradicting(const Choice& is_chosen) const {
    const SpeedRows rows = choose(is_chosen);
    const std::vector<bool> missed = find_contradicting_rows(rows.R, -rows.c);
    std::vector<std::size_t> found;
    std::size_t next = 0;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (!is_chosen(i) || !x_.G.row(row).allFinite() || !std::isfinite(h_(row))) continue;
      if (missed.empty() || missed[next]) found.push_back(i);
      ++next;
    }
    return found;
  }

  // Rates of Euler parameters that would change their norm become the nearest that do not.
  void project_euler_rates(const VectorXd& defaults) {
    const std::vector<std::size_t> found = find_contradicting();
    if (!std::all_of(found.begin(), found.end(), [&](std::size_t i) { return given_[i].is_euler; }))
      return;
    const SpeedRows rows = choose([&](std::size_t i) { return is_firm(i); });
    const VectorXd u = defaults - solve_least_squares(rows.R, rows.R * defaults + rows.c).col(0);
    for (const std::size_t i : found) {
      const auto row = static_cast<Eigen::Index>(i);
      h_(row) = -x_.G.row(row).dot(u);
    }
  }

  // Gives up the given values that contradict the constraints, or all where it is not clear which;
  // false when the constraints contradict each other.
  bool release(const SpeedRows& rows) {
    if (!move_to({x_.A, x_.b}, result_.wanted)) return false;
    const std::vector<bool> missed = find_contradicting_rows(rows.R, -rows.c);
    bool is_any = false;
    auto next = static_cast<std::size_t>(x_.A.rows());
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (!is_firm(i) || !is_kept(i) || !x_.G.row(row).allFinite() || !std::isfinite(h_(row)))
        continue;
      kept.push_back(i);
      if (!missed.empty() && missed[next]) result_.is_released[i] = is_any = true;
      ++next;
    }
    if (is_any) return true;
    for (const std::size_t i : kept) result_.is_released[i] = true;
    return !kept.empty();
  }

  const StartNumbers& x_;
  const std::vector<GivenSpeed>& given_;
  const std::vector<bool>&
      shapes_;  // by speed: the rate of a field; none where there are no fields
  VectorXd h_;  // of the given values, as far as they are kept
  StartSpeeds result_;
};

}  // namespace

StartSpeeds make_start_speeds(const StartNumbers& numbers, const std::vector<GivenSpeed>& given,
                              const VectorXd& defaults, const std::vector<bool>& shapes) {
  return SpeedStarter(numbers, given, shapes).run(defaults);
}

bool can_satisfy_rows(const StartNumbers& numbers, const std::vector<bool>& used) {
  std::vector<Eigen::Index> places;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) places.push_back(static_cast<Eigen::Index>(i));
  }
  const MatrixXd A = numbers.A(places, Eigen::all);
  const VectorXd b = numbers.b(places);
  return A.allFinite() && b.allFinite() && find_contradicting_rows(A, -b).empty();
}

}  // namespace visviva
