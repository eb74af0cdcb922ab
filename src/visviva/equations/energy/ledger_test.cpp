#include "visviva/equations/energy/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/equations/energy/load_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/testing/random_mechanism_test.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// K = 1/2 sum m v·v + w·I·w, to be differentiated in time: another way than m a·v.
Expr kinetic_energy(const Kinematics& motion) {
  const ModelData& model = motion.model();
  Expr twice = model.pool->zero();
  for (const BodyData& body : model.bodies) {
    const Column3 v = total(engine_of(motion).velocity(body.point), motion.table().symbols);
    twice += body.mass * dot(v, v);
    if (body.frame < 0) continue;
    const Column3& w = engine_of(motion).spin(body.frame);
    twice += dot(w, body.inertia * w);
  }
  return model.pool->rational(1, 2) * twice;
}

TEST(ledger, powers_of_loads_and_motors_add_up_to_the_rate_of_kinetic_energy) {
  constexpr double tolerance = 1e-7;  // of the powers' size; near singular states lose digits
  int compared = 0, with_motors = 0, with_time = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const mechanisms::RandomMechanism mechanism(seed);
    const Kinematics motion = analyze_motion(mechanism.model);
    const Equations equations = derive(motion);
    ConsistentStart start = make_consistent_start(motion);
    if (!start.contradiction.empty()) continue;
    start.missing.clear();  // stand-ins are as good as values here
    std::vector<LoadEnergy> loads;
    std::optional<EmbeddedEquations> embedded;
    try {
      embedded = embed_constraints(equations);
      loads = analyze_loads(equations, VelocitySplit(equations), &*embedded);
    } catch (const UsageError&) {  // no regular set of dependent speeds at this start
      continue;
    }
    const Ledger ledger = make_ledger(equations, loads, start, &*embedded);
    if (!ledger.total) continue;
    const StartState state = make_state(motion, start);
    const StartState complete = add_solution(equations, state, MotionSolver(equations)(state));
    const Expr rate = motion.time_derivative(Quantity(kinetic_energy(motion), Dimension()))
                          .expr(*motion.model().pool);
    const double expected = complete.value(rate);
    double sum = 0, size = 1;
    bool is_complete = true;
    for (const LedgerEntry& e : ledger.entries) {
      is_complete = is_complete && (e.power || e.effect == EnergyEffect::counted);
      sum += e.power.value_or(0.0);
      size += std::abs(e.power.value_or(0.0));
      with_motors += e.kind == "motor" ? 1 : 0;
      with_time += e.kind == "time" ? 1 : 0;
    }
    EXPECT_NEAR(*ledger.kinetic_energy_rate, expected, tolerance * size) << "seed " << seed;
    EXPECT_NEAR(*ledger.total, expected, tolerance * size) << "seed " << seed;
    if (!is_complete) continue;
    EXPECT_NEAR(sum, expected, tolerance * size) << "seed " << seed << "\n" << mechanism.text();
    ++compared;
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(with_motors, 10);
  EXPECT_GT(with_time, 10);
}

// Quaternions of unit length.
void normalize(const ModelData& model, const std::vector<Expr>& symbols,
               std::vector<double>* values) {
  std::vector<std::vector<Expr>> groups;
  for (const auto& four : model.quaternions) {
    groups.emplace_back();
    for (const int i : four) groups.back().push_back(model.coordinates[i].q);
  }
  for (const FrameData& f : model.frames) {
    if (f.hidden.size() == 4) groups.push_back(f.hidden);
  }
  for (const std::vector<Expr>& group : groups) {
    std::vector<std::size_t> places;
    double square = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (std::find(group.begin(), group.end(), symbols[i]) == group.end()) continue;
      places.push_back(i);
      square += (*values)[i] * (*values)[i];
    }
    // Those that the power does not hold make up for the rest.
    const double length = std::sqrt(square) * (places.size() < 4 ? 2.0 : 1.0);
    for (const std::size_t i : places) (*values)[i] /= length;
  }
}

// The smallest and the largest power, with speeds of many sizes, and the parameters as they are given.
std::pair<double, double> sample_power(const StartState& state, const ModelData& model,
                                       const Expr& power) {
  const std::vector<Expr> symbols = free_symbols(power);
  const Evaluator evaluate(symbols, {power});
  std::mt19937_64 random(7);
  std::normal_distribution<double> any;
  double least = 0, most = 0;
  for (int i = 0; i < 2000; ++i) {
    const double size = std::pow(10.0, any(random) - 1);
    std::vector<double> values;
    for (const Expr& s : symbols) {
      const SymbolRole* role = model.role(s);
      const bool is_parameter = role != nullptr && role->role == Role::parameter;
      const bool is_speed = role != nullptr && role->role == Role::speed;
      values.push_back(is_parameter ? state.value(s) : (is_speed ? size : 1.0) * any(random));
    }
    normalize(model, symbols, &values);
    const double p = evaluate(values)[0];
    if (!std::isfinite(p)) continue;
    least = std::min(least, p);
    most = std::max(most, p);
  }
  return {least, most};
}

// A damper on a coordinate may bring energy in where something prescribed turns the same two frames: -b q' (q' + Omega).
TEST(ledger, dampers_and_dissipation_take_energy_out_of_random_mechanisms) {
  constexpr double rounding = 1e-9;  // of the largest power
  int dampers = 0, dissipations = 0, driven = 0;
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const mechanisms::RandomMechanism mechanism(
        seed, {.motion_constraints = false, .rolls = false, .loops = false, .locks = false});
    const Equations equations = derive(analyze_motion(mechanism.model));
    const std::vector<LoadEnergy> loads =
        analyze_loads(equations, VelocitySplit(equations), nullptr);
    ConsistentStart start = make_consistent_start(equations.motion);
    start.missing.clear();  // stand-ins are as good as values
    const Ledger ledger = make_ledger(equations, loads, start, nullptr);
    const StartState state = make_state(equations.motion, start);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const LedgerEntry& e = ledger.entries[i];
      if (e.kind != "damper" && e.kind != "dissipation") continue;
      const auto [least, most] = sample_power(state, equations.motion.model(), loads[i].power);
      const std::string where = "seed " + std::to_string(seed) + ": " + e.source;
      if (e.effect == EnergyEffect::exchanges) {
        ++driven;
        EXPECT_EQ(e.reasons.at(0).kind, Reason::Kind::own_rate_takes_out) << where;
        EXPECT_GT(most, 0) << where;
        EXPECT_LT(least, 0) << where;
        continue;
      }
      ++(e.kind == "damper" ? dampers : dissipations);
      EXPECT_TRUE(e.effect == EnergyEffect::takes_out || e.effect == EnergyEffect::none) << where;
      EXPECT_LE(most, -rounding * least) << where;
      EXPECT_FALSE(e.reasons.empty() || e.reasons[0].is_numeric) << where << " is not proved";
      if (e.power) {
        EXPECT_LE(*e.power, 0) << where;
      }
    }
  }
  EXPECT_GT(dampers, 60);
  EXPECT_GT(dissipations, 30);
  EXPECT_GT(driven, 5);
}

}  // namespace
}  // namespace visviva
