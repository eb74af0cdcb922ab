#include "visviva/study/vary_action.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/words.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

using Obstacle = NoVariation::Kind;

constexpr double run_tolerance = 1e-13;    // of the local error
constexpr double wanted_error = 1e-11;     // of integrals, relative to what they add up
constexpr double largest_leftover = 1e-9;  // of a variation that is to vanish, relative to its size
constexpr int fewest_halvings = 9, most_halvings = 17;

std::string column(const char* what, std::size_t i = 0) {
  return "variation: " + std::string(what) + " " + std::to_string(i);
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
  return outputs;
}

struct TimeIntegral {
  double value = 0.0, error = 0.0;
  double total = 0.0;  ///< of the integrand's size, what an error is relative to
};

// Romberg's rule on 2^k + 1 equally spaced values.
TimeIntegral integrate(const std::vector<double>& f, double length) {
  const std::size_t n = f.size() - 1;
  std::vector<double> row;
  TimeIntegral result;
  for (std::size_t step = n; step >= 1; step /= 2) {
    double sum = (f.front() + f.back()) / 2;
    for (std::size_t i = step; i < n; i += step) sum += f[i];
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
  for (const double x : f) result.total += std::abs(x) * length / static_cast<double>(f.size());
  return result;
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

  // The motion with 2^k steps between samples; an obstacle when it does not get to the end, or when the
  // variation is none.
  std::optional<NoVariedAction> follow(int k) {
    const std::size_t n = std::size_t{1} << k;
    const double every = until_ / static_cast<double>(n);
    run_ = simulate(system_, {.until = until_, .every = every, .tolerance = run_tolerance});
    const bool has_end = run_.status != RunStatus::refused && run_.samples.size() > 0 &&
                         run_.t().size() == n + 1 && std::abs(run_.t().back() - until_) < every / 2;
    if (!has_end) return NoVariedAction{.reason = run_.reason, .t_end = run_.t_end};
    if (const auto wrong = find_open_end()) return NoVariedAction{.variation = wrong};
    if (const auto wrong = find_broken_constraint()) return NoVariedAction{.variation = wrong};
    return {};
  }

  const std::vector<double>& values(const char* what, std::size_t i = 0) const {
    return run_[column(what, i)];
  }

  std::optional<NoVariation> find_open_end() const {
    for (std::size_t i = 0; i < variation_.paths.size(); ++i) {
      const std::vector<double>& eta = values("eta", i);
      const double allowed = largest_leftover * largest(eta);
      for (const std::size_t row : {std::size_t{0}, eta.size() - 1}) {
        if (std::abs(eta[row]) <= allowed) continue;
        return NoVariation{.kind = Obstacle::open_end,
                           .name = variation_.paths[i].name,
                           .time = run_.t()[row],
                           .value = eta[row],
                           .boundary_term = eta[row] * values("momentum", i)[row]};
      }
    }
    return {};
  }

  std::optional<NoVariation> find_broken_constraint() const {
    for (std::size_t i = 0; i < variation_.constraints.size(); ++i) {
      const std::vector<double>&slope = values("slope", i), &size = values("size", i);
      const double allowed = largest_leftover * std::sqrt(largest(size));
      const auto worst = std::max_element(
          slope.begin(), slope.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      if (std::abs(*worst) <= allowed) continue;
      return NoVariation{.kind = Obstacle::incompatible,
                         .name = variation_.constraints[i].name,
                         .time = run_.t()[static_cast<std::size_t>(worst - slope.begin())],
                         .value = *worst};
    }
    return {};
  }

  VariedAction add_up() {
    VariedAction result;
    result.until = until_;
    is_exact_ = true;
    const auto add = [&](const char* what) {
      const TimeIntegral sum = integrate(values(what), until_);
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
  Trajectory run_;
  bool is_exact_ = false;
};

}  // namespace

Result<VariedAction, NoVariedAction> vary_action(const Equations& equations, double until) {
  const auto variation = try_vary_action(equations);
  if (!variation) return NoVariedAction{.variation = variation.why()};
  return ActionAlongMotion(equations, *variation, until)();
}

}  // namespace visviva
