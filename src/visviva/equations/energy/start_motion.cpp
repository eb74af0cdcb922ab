#include "visviva/equations/energy/start_motion.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

constexpr std::size_t most_speeds = 8;  // solving anew for every set costs their cube
constexpr int steps = 100;
constexpr double step_size = 0.01;    // s
constexpr double same_value = 1e-12;  // of a start value: not moved by the constraints

}  // namespace

StartMotion::StartMotion(const Energies& energies, const Replacements& values) {
  if (energies.embedded.independent.size() > most_speeds) {
    refusal_ = Reason{.kind = Reason::Kind::start_too_large, .count = most_speeds};
    return;
  }
  const auto examined = attempt([&] {
    reduce(energies, values, collect(energies, values));
    integrate(energies, values);
    return true;
  });
  if (examined) return;
  names_.clear();
  kept_.reset();
  refusal_ = Reason{.kind = Reason::Kind::start_singular};
}

// Speeds and coordinates whose start value is known exactly: as given, or zero.
std::vector<StartMotion::Candidate> StartMotion::collect(const Energies& energies,
                                                         const Replacements& values) {
  const Kinematics& motion = energies.equations.motion;
  const ModelData& model = motion.model();
  const ConsistentStart start = make_consistent_start(motion);
  const StartState state = make_state(motion, start);
  Substitution put(*model.pool, values);
  std::vector<Candidate> all;
  const auto add = [&](const std::string& name, const Expr& symbol,
                       const std::optional<Expr>& given, const Expr& rate) {
    const double number = state.value(symbol);
    Expr exact = model.pool->zero();
    if (given) exact = put(*given);
    if (!exact.is_constant() ||
        std::abs(evaluate(exact, {}, {}) - number) > same_value * std::abs(number))
      return;
    all.push_back({name, symbol, exact, rate});
  };
  AlongMotion along(energies, values);
  for (const auto& [symbol, rate] : along.configuration()) {
    const SymbolRole* role = model.role(symbol);
    const bool is_coordinate = role->role == Role::coordinate;
    std::optional<Expr> given;
    if (is_coordinate) given = model.coordinates[role->index].start;
    if (!given && state.value(symbol) == 1.0) given = model.pool->one();  // of a quaternion
    add(symbol.home().symbol_name(symbol.ref()), symbol, given, rate);
  }
  const std::vector<Expr>& accelerations = along.accelerations();
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    const Speed& speed = motion.speeds()[energies.embedded.independent[i]];
    std::optional<Expr> given;
    if (speed.coordinate >= 0) given = model.coordinates[speed.coordinate].start_rate;
    for (const SpeedData& s : model.speeds) {
      if (s.name == speed.name) given = s.start;
    }
    add(speed.name, speed.u, given, accelerations[i]);
  }
  return all;
}

void StartMotion::reduce(const Energies& energies, const Replacements& values,
                         std::vector<Candidate> all) {
  ExprPool& pool = *energies.equations.motion.model().pool;
  while (!all.empty()) {
    Replacements kept;
    for (const Candidate& c : all) kept.emplace_back(c.symbol, c.start);
    // Solved anew with these values: the general solution may divide by what they make zero.
    Replacements both = kept;
    Substitution put(pool, kept);
    for (const auto& value : values) {
      const bool is_new = std::none_of(kept.begin(), kept.end(), [&](const auto& entry) {
        return entry.first.ref() == value.first.ref();
      });
      if (is_new) both.emplace_back(value.first, put(value.second));
    }
    AlongMotion along(energies, both);
    const auto rate_of = [&](const Candidate& c) -> std::optional<Expr> {
      for (const auto& [symbol, rate] : along.configuration()) {
        if (symbol.ref() == c.symbol.ref()) return along.put_values(rate);
      }
      const std::vector<int>& independent = energies.embedded.independent;
      for (std::size_t i = 0; i < along.accelerations().size(); ++i) {
        const Speed& speed = energies.equations.motion.speeds()[independent[i]];
        if (speed.u.ref() == c.symbol.ref()) return along.put_values(along.accelerations()[i]);
      }
      return {};
    };
    const std::size_t before = all.size();
    std::erase_if(all, [&](const Candidate& c) {
      const std::optional<Expr> rate = rate_of(c);
      return !rate || !rate->is_zero();
    });
    if (all.size() < before) continue;
    for (const Candidate& c : all) names_.push_back(c.name);
    kept_ = std::make_unique<Substitution>(pool, kept);
    return;
  }
}

// Classical Runge–Kutta; what a symmetry keeps, it keeps to rounding.
void StartMotion::integrate(const Energies& energies, const Replacements& values) {
  const Kinematics& motion = energies.equations.motion;
  const StartState start = make_state(motion, make_consistent_start(motion));
  AlongMotion along(energies, values);
  std::vector<Expr> rates;
  std::vector<double> y;
  const auto add = [&](const Expr& symbol, const Expr& rate) {
    samples_.symbols.push_back(symbol);
    rates.push_back(rate);
    y.push_back(start.value(symbol));
  };
  for (const auto& [symbol, rate] : along.configuration()) add(symbol, rate);
  for (std::size_t i = 0; i < along.accelerations().size(); ++i)
    add(motion.speeds()[energies.embedded.independent[i]].u, along.accelerations()[i]);
  add(motion.model().time, motion.model().pool->one());
  // Without values nothing can be integrated; forces that depend on time may act later.
  for (const Expr& r : rates) {
    if (!samples_.knows(r) || depends_on(r, motion.model().time)) return;
  }
  const Evaluator rate(samples_.symbols, rates);
  const auto moved = [](std::vector<double> from, double h, const std::vector<double>& slope) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] += h * slope[i];
    return from;
  };
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> k1 = rate(y), k2 = rate(moved(y, step_size / 2, k1)),
                              k3 = rate(moved(y, step_size / 2, k2)),
                              k4 = rate(moved(y, step_size, k3));
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] += step_size / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    samples_.states.push_back(y);
  }
}

bool StartMotion::vanishes_numerically(const Expr& e) const {
  return samples_.vanishes(e) && !depends_on(e, samples_.symbols.back());
}

bool StartMotion::is_zero(const Expr& e) {
  if (!kept_) return false;
  const auto there = try_substitute(e, *kept_);
  return there && is_proved_zero(*there);
}

}  // namespace visviva
