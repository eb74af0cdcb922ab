#include "visviva/equations/energy/power_sign.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

#include "visviva/equations/energy/along_motion.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Because = Reason::Kind;

constexpr std::size_t least_states = 60, most_states = 2000;  // that are tried
constexpr std::size_t tried_nodes = 1000000;                  // of a formula, in all of them
constexpr double sign_tolerance = 1e-9;  // of the largest power found: less is rounding
constexpr double clear_sign = 1e-3;      // likewise: more decides

// Random states: parameters have their values, speeds any of many sizes, everything else any.
class RandomStates {
 public:
  RandomStates(const ModelData& model, const StartState& start, std::vector<Expr> symbols)
      : model_(model), start_(start), symbols_(std::move(symbols)) {
    for (const auto& q : model_.quaternions) {
      groups_.emplace_back();
      for (const int i : q) groups_.back().push_back(model_.coordinates[i].q);
    }
    for (const FrameData& f : model_.frames) {
      if (f.hidden.size() == 4) groups_.push_back(f.hidden);
    }
  }

  std::vector<double> draw() {
    values_.clear();
    const double size = std::pow(10.0, any_(random_) - 0.5);
    for (const Expr& s : symbols_) {
      const SymbolRole* role = model_.role(s);
      const Role kind = role == nullptr ? Role::coordinate : role->role;
      const bool is_speed = kind == Role::speed || kind == Role::rate;
      values_[s.ref()] =
          kind == Role::parameter ? start_.value(s) : any_(random_) * (is_speed ? size : 1.0);
    }
    for (const std::vector<Expr>& four : groups_) normalize(four);
    std::vector<double> result;
    for (const Expr& s : symbols_) result.push_back(values_[s.ref()]);
    return result;
  }

 private:
  // Where the formula holds some of four Euler parameters, the others are drawn, too.
  void normalize(const std::vector<Expr>& four) {
    if (std::none_of(four.begin(), four.end(),
                     [&](const Expr& e) { return values_.contains(e.ref()); }))
      return;
    double square = 0;
    for (const Expr& e : four) {
      const auto [place, is_new] = values_.try_emplace(e.ref(), 0.0);
      if (is_new) place->second = any_(random_);
      square += place->second * place->second;
    }
    for (const Expr& e : four) values_[e.ref()] /= std::sqrt(square);
  }

  const ModelData& model_;
  const StartState& start_;
  const std::vector<Expr> symbols_;
  std::vector<std::vector<Expr>> groups_;  // Euler parameters
  std::unordered_map<Ref, double> values_;
  std::mt19937_64 random_{20231};
  std::uniform_real_distribution<double> any_{-2.0, 2.0};
};

}  // namespace

SignSet PowerSigns::find_shown(const Expr& e) const {
  return find_signs(e, [&](const Expr& s) {
    const SymbolRole* role = model_.role(s);
    const bool is_parameter = role != nullptr && role->role == Role::parameter;
    return is_parameter ? sign_of(start_.value(s)) : SignSet{};
  });
}

PowerSign PowerSigns::find(const Expr& power, const Expr& form) const {
  const SignSet signs = find_shown(form);
  if (!signs.can_be_negative && !signs.can_be_positive)
    return {signs, Reason{.kind = Because::no_power_with_values}};
  if (!signs.can_be_positive) return {signs, Reason{.kind = Because::nowhere_positive}};
  if (!signs.can_be_negative) return {signs, Reason{.kind = Because::nowhere_negative}};
  return try_states(power);
}

// At random states, whether the constraints hold there or not.
PowerSign PowerSigns::try_states(const Expr& power) const {
  const std::vector<Expr> symbols = free_symbols(power);
  const Evaluator evaluate(symbols, {power});
  RandomStates random(model_, start_, symbols);
  double least = 0, most = 0;
  const std::size_t nodes = collect_cone(power.pool(), {power.ref()}).size();
  const std::size_t states = std::clamp(tried_nodes / nodes, least_states, most_states);
  for (std::size_t i = 0; i < states; ++i) {
    const double p = evaluate(random.draw())[0];
    if (!std::isfinite(p)) continue;
    least = std::min(least, p);
    most = std::max(most, p);
    if (std::min(most, -least) > clear_sign * std::max(most, -least)) return {};
  }
  if (least == 0 && most == 0) {
    if (is_zero_with_values(power))
      return {{false, false}, Reason{.kind = Because::no_power_with_values}};
    return {{}, Reason{.kind = Because::power_at_some_states}};
  }
  const double noise = sign_tolerance * std::max(most, -least);
  if (most <= noise)
    return {{true, false}, Reason{.kind = Because::nowhere_positive, .is_numeric = true}};
  if (-least <= noise)
    return {{false, true}, Reason{.kind = Because::nowhere_negative, .is_numeric = true}};
  return {};
}

bool PowerSigns::is_zero_with_values(const Expr& power) const {
  const auto value = attempt([&] { return ModelValues(model_)(power); });
  return value && value->is_zero();  // not where the values divide by zero
}

}  // namespace visviva
