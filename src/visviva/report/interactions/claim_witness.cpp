#include "visviva/report/interactions/claim_witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "visviva/base/words.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

constexpr std::size_t longest_rate = 120;  // characters
constexpr std::size_t most_symbols = 6;    // of a state that is worth telling
constexpr double noticeable = 1e-9;
constexpr int tries = 20;

bool is_known(const StartState& state, const std::vector<Expr>& symbols) {
  return std::all_of(symbols.begin(), symbols.end(),
                     [&](const Expr& s) { return state.known.contains(s); });
}

bool is_noticed(double value) { return std::isfinite(value) && std::abs(value) > noticeable; }

// Coordinates, rates and speeds.
std::vector<Expr> list_moving(const ModelData& model, const std::vector<Expr>& symbols) {
  std::vector<Expr> moving;
  for (const Expr& s : symbols) {
    const SymbolRole* role = model.role(s);
    if (role != nullptr &&
        (role->role == Role::coordinate || role->role == Role::rate || role->role == Role::speed))
      moving.push_back(s);
  }
  return moving;
}

// A state beside the start, told: "1.2 at x = 0.7, x' = 0.3".
std::optional<std::string> find_state(const ModelData& model, const Expr& rate,
                                      const StartState& start) {
  const std::vector<Expr> symbols = free_symbols(rate), moving = list_moving(model, symbols);
  if (moving.empty() || moving.size() > most_symbols) return {};
  std::mt19937_64 random(20261119);
  std::uniform_int_distribution<int> tenths(-9, 9);
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::vector<double> values;
    for (const Expr& s : symbols) values.push_back(start.known.at(s));
    std::vector<std::string> told;
    for (const Expr& s : moving) {
      const auto place =
          static_cast<std::size_t>(std::find(symbols.begin(), symbols.end(), s) - symbols.begin());
      values[place] = tenths(random) / 10.0;
      told.push_back(fmt::format("{} = {:g}", s.home().symbol_name(s.ref()), values[place]));
    }
    const double value = evaluate(rate, symbols, values);
    if (is_noticed(value)) return fmt::format("{:.6g} at {}", value, join_words(told));
  }
  return {};
}

std::optional<std::string> find_witness(const Energies& energies, const Expr& rate,
                                        const ConsistentStart& start) {
  const Kinematics& motion = energies.equations.motion;
  const StartState state = make_state(motion, start);
  if (!start.missing.empty() || !is_known(state, free_symbols(rate))) return {};
  const double value = state.value(rate);
  if (is_noticed(value)) return fmt::format("{:.6g} at the start", value);
  const bool is_bound = !energies.equations.rows.empty() || !motion.model().quaternions.empty();
  return is_bound ? std::nullopt : find_state(motion.model(), rate, state);
}

}  // namespace

std::string rate_words(const ConstantFact& found, const Energies& energies,
                       const ConsistentStart& start) {
  if (!found.rate) return "";
  const Workspace work(found.pool);
  const std::string formula = print(*found.rate);
  const std::optional<std::string> value = find_witness(energies, *found.rate, start);
  const bool is_short = formula.size() <= longest_rate;
  if (!is_short && !value) return "";
  return ": its rate is " + (is_short ? formula : "") + (is_short && value ? ", " : "") +
         value.value_or("");
}

std::string energy_rate_words(const std::string& name, const Energies& energies,
                              const ConsistentStart& start) {
  const Workspace work(energies.pool);
  const bool is_H = name == "H" || (name == "C" && energies.K0.is_zero() && energies.K1.is_zero());
  if (!is_H && name != "E") return "";
  const Expr rate = energies.P_nonconservative - (is_H ? energies.sigma : energies.sigma_R);
  const std::optional<std::string> value = find_witness(energies, rate, start);
  return value ? "; its rate is " + *value : "";
}

}  // namespace visviva
