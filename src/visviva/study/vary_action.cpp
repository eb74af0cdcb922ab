#include "visviva/study/vary_action.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/words.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/codegen/system/switches.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/simulation/run/simulate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Obstacle = NoVariation::Kind;

constexpr double run_tolerance = 1e-13;    // of the local error
constexpr double wanted_error = 1e-11;     // of integrals, relative to what they add up
constexpr double largest_leftover = 1e-9;  // of a variation that is to vanish, relative to its size
constexpr double smallest_jump = 1e-6;     // of a variation, relative to its size
constexpr double jump_stays = 0.8;         // of one four times as far apart
constexpr double corner_width = 1e-12;     // of the whole time: what a corner's place is good to
constexpr int fewest_halvings = 9, most_halvings = 17;

std::string column(const char* what, std::size_t i = 0) {
  return "variation: " + std::string(what) + " " + std::to_string(i);
}

// What is zero where a variation has a corner or jumps.
std::vector<Expr> list_switches(const ActionVariation& v) {
  std::vector<Expr> etas;
  for (const PathVariation& path : v.paths) etas.push_back(path.eta);
  return collect_switches(etas, free_symbols(etas));
}

std::vector<ExtraOutput> list_outputs(const ActionVariation& v) {
  std::vector<ExtraOutput> outputs;
  const auto add = [&](const char* what, std::size_t i, const Expr& e) {
    outputs.push_back({column(what, i), {e}, v.pool});
  };
  add("L", 0, v.lagrangian);
  add("first", 0, v.first);
  add("second", 0, v.second);
  add("work", 0, v.work);
  for (std::size_t i = 0; i < v.paths.size(); ++i) {
    add("eta", i, v.paths[i].eta);
    add("momentum", i, v.paths[i].momentum);
  }
  for (std::size_t i = 0; i < v.constraints.size(); ++i) {
    add("slope", i, v.constraints[i].slope);
    add("size", i, v.constraints[i].size);
  }
  Workspace work(v.pool);
  const std::vector<Expr> switches = list_switches(v);
  const std::shared_ptr<ExprPool> pool = work.finish();
  for (std::size_t i = 0; i < switches.size(); ++i)
    outputs.push_back({column("switch", i), {switches[i]}, pool});
  return outputs;
}

struct TimeIntegral {
  double value = 0.0, error = 0.0;
  double total = 0.0;  ///< of the integrand's size, what an error is relative to
};

// Romberg's rule for midpoints of 2^k + 1 equally spaced values: at the ends a function with a corner there has no value.
TimeIntegral integrate(const std::vector<double>& f, double length) {
  const std::size_t n = f.size() - 1;
  std::vector<double> row;
  TimeIntegral result;
  for (std::size_t step = n; step >= 2; step /= 2) {
    double sum = 0.0;
    for (std::size_t i = step / 2; i < n; i += step) sum += f[i];
    std::vector<double> next = {sum * length * static_cast<double>(step) / static_cast<double>(n)};
    // Few columns: more of them gain nothing but rounding.
    constexpr std::size_t columns = 7;
    double power = 1.0;
    for (std::size_t j = 0; j < std::min(row.size(), columns); ++j) {
      power *= 4;
      next.push_back(next[j] + (next[j] - row[j]) / (power - 1));
    }
    if (!row.empty()) result.error = std::abs(next.back() - row.back());
    result.value = next.back();
    row = std::move(next);
  }
  for (std::size_t i = 1; i < n; ++i)
    result.total += std::abs(f[i]) * length / static_cast<double>(n);
  return result;
}

// The limit at the first of equally spaced values, from every so many behind it; `step` negative: at the last.
double find_limit(const std::vector<double>& f, int step) {
  const auto at = [&](std::size_t i) {
    const std::size_t k = i * static_cast<std::size_t>(std::abs(step));
    return step > 0 ? f[k] : f[f.size() - 1 - k];
  };
  return 4 * at(1) - 6 * at(2) + 4 * at(3) - at(4);
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double v : values) size = std::max(size, std::abs(v));
  return size;
}

class ActionAlongMotion {
 public:
  ActionAlongMotion(const Equations& equations, const ActionVariation& variation, double until)
      : variation_(variation), until_(until), system_(compile(equations, variation)) {}

  Result<VariedAction, NoVariedAction> operator()() {
    VariedAction result;
    if (const auto obstacle = find_corners()) return *obstacle;
    for (int k = fewest_halvings; k <= most_halvings; k += 2) {
      if (const auto obstacle = follow(k)) return *obstacle;
      result = add_up();
      if (is_exact_) break;
    }
    return result;
  }

 private:
  static CompiledSystem compile(const Equations& equations, const ActionVariation& variation) {
    std::optional<Energies> energies;
    if (auto found = try_analyze_energy(equations)) energies = *std::move(found);
    SystemOptions options = choose_system_options(equations, "auto");
    options.extra_outputs = list_outputs(variation);
    return compile_for_run(equations, energies, options);
  }

  // A time at which some variation has a corner or jumps, with the state there.
  struct Corner {
    double time;
    std::vector<double> state;  // empty: that of the start
  };

  Trajectory run_between(const Corner& from, double until, std::size_t n) const {
    return simulate(system_, {.state = from.state},
                    {.from = from.time,
                     .until = until,
                     .every = (until - from.time) / static_cast<double>(n),
                     .tolerance = run_tolerance});
  }

  bool is_whole(const Trajectory& run, double until, std::size_t n) const {
    return run.status != RunStatus::refused && run.samples.size() > 0 && run.t().size() == n + 1 &&
           std::abs(run.t().back() - until) < until_ / static_cast<double>(n) / 2;
  }

  Corner corner_at(const Trajectory& run, std::size_t row) const {
    Corner corner{run.t()[row], {}};
    for (const std::string& name : system_.state_names()) corner.state.push_back(run[name][row]);
    return corner;
  }

  double end_of(std::size_t part) const {
    return part + 1 < corners_.size() ? corners_[part + 1].time : until_;
  }

  // All corners, in order of time, none at the ends; between those found there may be others, closer together. An obstacle when
  // the motion does not get to its end.
  std::optional<NoVariedAction> find_corners() {
    constexpr int most_passes = 4;
    constexpr std::size_t n = std::size_t{1} << fewest_halvings;
    corners_ = {{0.0, {}}};
    for (int pass = 0; pass < most_passes; ++pass) {
      std::vector<Corner> all = corners_;
      for (std::size_t part = 0; part < corners_.size(); ++part) {
        const Trajectory run = run_between(corners_[part], end_of(part), n);
        if (!is_whole(run, end_of(part), n))
          return NoVariedAction{.reason = run.reason, .t_end = run.t_end};
        add_corners(run, &all);
      }
      std::sort(all.begin(), all.end(),
                [](const Corner& a, const Corner& b) { return a.time < b.time; });
      const std::size_t known = corners_.size();
      corners_ = {{0.0, {}}};
      const double apart = 100 * corner_width * until_;
      for (Corner& c : all) {
        if (c.time > corners_.back().time + apart && c.time < until_ - apart)
          corners_.push_back(std::move(c));
      }
      if (corners_.size() == known) break;
    }
    return {};
  }

  // Corners along a run: where a switch changes its sign, or touches zero at a row.
  void add_corners(const Trajectory& run, std::vector<Corner>* all) const {
    const auto has = [&](const std::string& name) {
      return std::find(run.columns.begin(), run.columns.end(), name) != run.columns.end();
    };
    for (std::size_t i = 0; has(column("switch", i)); ++i) {
      const std::vector<double>& s = run[column("switch", i)];
      for (std::size_t row = 0; row + 1 < s.size(); ++row) {
        const bool leaves_zero = s[row] == 0 && s[row + 1] != 0;
        const bool meets_zero = row > 0 && s[row] == 0 && s[row - 1] != 0;
        if (leaves_zero || meets_zero) all->push_back(corner_at(run, row));
        if (s[row] * s[row + 1] < 0) all->push_back(narrow(run, row, i));
      }
    }
  }

  // The change of sign of a switch between a row and the next, by shorter and shorter runs.
  Corner narrow(const Trajectory& run, std::size_t row, std::size_t i) const {
    constexpr std::size_t n = 32;
    Corner left = corner_at(run, row), right = corner_at(run, row + 1);
    while (right.time - left.time > corner_width * until_) {
      const Trajectory part = run_between(left, right.time, n);
      if (!is_whole(part, right.time, n)) break;
      const std::vector<double>& s = part[column("switch", i)];
      std::size_t k = 0;
      while (k + 1 < n && s[k] * s[k + 1] > 0) ++k;
      left = corner_at(part, k);
      right = corner_at(part, k + 1);
    }
    return right;
  }

  // The motion between corners with 2^k steps each; an obstacle when it does not get to the end, or when the variation is none.
  std::optional<NoVariedAction> follow(int k) {
    const std::size_t n = std::size_t{1} << k;
    runs_.clear();
    for (std::size_t c = 0; c < corners_.size(); ++c) {
      runs_.push_back(run_between(corners_[c], end_of(c), n));
      if (!is_whole(runs_.back(), end_of(c), n))
        return NoVariedAction{.reason = runs_.back().reason, .t_end = runs_.back().t_end};
    }
    if (const auto wrong = find_open_end()) return NoVariedAction{.variation = wrong};
    if (const auto wrong = find_jump()) return NoVariedAction{.variation = wrong};
    if (const auto wrong = find_broken_constraint()) return NoVariedAction{.variation = wrong};
    return {};
  }

  // The largest size between the ends of all parts.
  double largest_of(const char* what, std::size_t i) const {
    double size = 0.0;
    for (const Trajectory& run : runs_) {
      const std::vector<double>& f = run[column(what, i)];
      size = std::max(size, largest({f.begin() + 1, f.end() - 1}));
    }
    return size;
  }

  std::optional<NoVariation> find_open_end() const {
    for (std::size_t i = 0; i < variation_.paths.size(); ++i) {
      const double allowed = largest_leftover * largest_of("eta", i);
      for (const bool is_last : {false, true}) {
        const Trajectory& run = is_last ? runs_.back() : runs_.front();
        const std::size_t row = is_last ? run.t().size() - 1 : 0;
        const double eta = run[column("eta", i)][row];
        if (std::abs(eta) <= allowed) continue;
        return NoVariation{.kind = Obstacle::open_end,
                           .name = variation_.paths[i].name,
                           .time = run.t()[row],
                           .value = eta,
                           .boundary_term = eta * run[column("momentum", i)][row]};
      }
    }
    return {};
  }

  std::optional<NoVariation> find_jump() const {
    for (std::size_t i = 0; i < variation_.paths.size(); ++i) {
      const double allowed = smallest_jump * largest_of("eta", i);
      for (std::size_t c = 0; c <= runs_.size(); ++c) {
        const double jump = jump_at(c, i, 1);
        // What a root leaves becomes less with closer rows.
        const bool stays = std::abs(jump) > jump_stays * std::abs(jump_at(c, i, 4));
        if (std::abs(jump) <= allowed || !stays) continue;
        return NoVariation{.kind = Obstacle::jump,
                           .name = variation_.paths[i].name,
                           .time = c < runs_.size() ? corners_[c].time : until_,
                           .value = jump};
      }
    }
    return {};
  }

  // Between the parts c - 1 and c; outside of the whole time a variation is zero.
  double jump_at(std::size_t c, std::size_t i, int step) const {
    const std::string eta = column("eta", i);
    const double after = c < runs_.size() ? find_limit(runs_[c][eta], step) : 0.0;
    return after - (c > 0 ? find_limit(runs_[c - 1][eta], -step) : 0.0);
  }

  std::optional<NoVariation> find_broken_constraint() const {
    for (std::size_t i = 0; i < variation_.constraints.size(); ++i) {
      const double allowed = largest_leftover * std::sqrt(largest_of("size", i));
      if (largest_of("slope", i) <= allowed) continue;
      NoVariation worst{.kind = Obstacle::incompatible, .name = variation_.constraints[i].name};
      for (const Trajectory& run : runs_) {
        const std::vector<double>& slope = run[column("slope", i)];
        for (std::size_t row = 1; row + 1 < slope.size(); ++row) {
          if (std::abs(slope[row]) <= std::abs(worst.value)) continue;
          worst.time = run.t()[row];
          worst.value = slope[row];
        }
      }
      return worst;
    }
    return {};
  }

  // Not finite where the integrand is not, at an end of the whole time too.
  TimeIntegral integrate_all(const char* what) const {
    TimeIntegral all;
    for (const Trajectory& run : runs_) {
      const TimeIntegral part = integrate(run[column(what)], run.t().back() - run.t().front());
      all.value += part.value;
      all.error += part.error;
      all.total += part.total;
    }
    all.value += 0 * (runs_.front()[column(what)].front() + runs_.back()[column(what)].back());
    return all;
  }

  VariedAction add_up() {
    VariedAction result;
    result.until = until_;
    is_exact_ = true;
    const auto add = [&](const char* what) {
      const TimeIntegral sum = integrate_all(what);
      if (!std::isfinite(sum.value)) return sum.value;
      result.error = std::max(result.error, sum.error);
      is_exact_ = is_exact_ && sum.error <= wanted_error * sum.total;
      return sum.value;
    };
    result.action = add("L");
    result.first_variation = add("first");
    result.second_variation = add("second");
    result.virtual_work = add("work");
    for (const PathVariation& p : variation_.paths) {
      result.paths.push_back(p.name);
      if (p.is_trial) result.trial_paths.push_back(p.name);
    }
    for (const ConstraintVariation& c : variation_.constraints)
      if (std::find(result.constraints.begin(), result.constraints.end(), c.name) ==
          result.constraints.end())
        result.constraints.push_back(c.name);
    result.without_potential = variation_.without_potential;
    return result;
  }

  const ActionVariation& variation_;
  double until_;
  CompiledSystem system_;
  std::vector<Corner> corners_;   // the start first
  std::vector<Trajectory> runs_;  // from each of them to the next
  bool is_exact_ = false;
};

}  // namespace

Result<VariedAction, NoVariedAction> vary_action(const Equations& equations, double until) {
  const auto variation = try_vary_action(equations);
  if (!variation) return NoVariedAction{.variation = variation.why()};
  return ActionAlongMotion(equations, *variation, until)();
}

}  // namespace visviva
