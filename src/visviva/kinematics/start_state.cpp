#include "visviva/kinematics/start_state.h"

#include "visviva/symbolic/differentiate.h"
#include "visviva/symbolic/evaluate.h"
#include "visviva/symbolic/substitute.h"

namespace visviva {
namespace {

// A generic number for something the user left open; different for each, reproducible.
double stand_in(std::size_t i) {
  return 0.7320508 + 0.6180339 * static_cast<double>(i % 97) / (1.0 + static_cast<double>(i));
}

class Builder {
 public:
  explicit Builder(const ModelData& model) : model_(model) {}

  void set(const Expr& symbol, double value) {
    state_.symbols.push_back(symbol);
    state_.values.push_back(value);
  }

  // What an expression is worth with the values set so far.
  double value(const Expr& expr) const { return evaluate(expr, state_.symbols, state_.values); }

  void set_or_stand_in(const std::string& name, const Expr& symbol,
                       const std::optional<Expr>& expr) {
    if (expr) return set(symbol, value(*expr));
    state_.missing.push_back(name);
    set(symbol, stand_in(state_.symbols.size()));
  }

  // x, x' and so on from the definition, which may use specified functions declared before.
  void set_specified(const SpecifiedData& s, std::vector<std::pair<Expr, Expr>>& rates) {
    std::optional<Expr> d = s.definition;
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      set_or_stand_in(k == 0 ? s.name : std::string(), s.derivatives[k], d);
      if (d) d = Tangent(*model_.pool, rates)(*d);
      if (k > 0) rates.emplace_back(s.derivatives[k - 1], s.derivatives[k]);
    }
  }

  StartState take() {
    std::erase(state_.missing, std::string());
    return std::move(state_);
  }

 private:
  const ModelData& model_;
  StartState state_;
};

}  // namespace

StartState make_start_state(const ModelData& model) {
  Builder b(model);
  b.set(model.time, 0.0);
  for (const ParameterData& p : model.parameters) b.set_or_stand_in(p.name, p.symbol, p.value);
  for (const InputData& i : model.inputs) b.set(i.symbol, b.value(i.value));
  std::vector<std::pair<Expr, Expr>> rates = {{model.time, model.pool->one()}};
  for (const SpecifiedData& s : model.specified) b.set_specified(s, rates);
  for (const CoordinateData& c : model.coordinates) b.set(c.q, c.start ? b.value(*c.start) : 0.0);
  for (const FrameData& f : model.frames) {
    // A hidden angle starts at 0, a hidden quaternion at the identity.
    for (std::size_t i = 0; i < f.hidden.size(); ++i)
      b.set(f.hidden[i], f.hidden.size() == 4 && i == 0 ? 1.0 : 0.0);
  }
  return b.take();
}

}  // namespace visviva
