#include "visviva/codegen/system/start_values.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "visviva/base/error.h"
#include "visviva/equations/state/solve.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// Which expressions have a value: all that they depend on has one.
class Availability {
 public:
  explicit Availability(const ModelData& model) : model_(model) {}

  bool operator()(const Expr& e) {
    const std::vector<Expr> inside = free_symbols(e);
    return std::all_of(inside.begin(), inside.end(),
                       [&](const Expr& symbol) { return has_value(symbol); });
  }
  bool operator()(const std::optional<Expr>& e) { return !e || (*this)(*e); }

 private:
  bool has_value(const Expr& symbol) {
    const auto known = known_.find(symbol.ref());
    if (known != known_.end()) return known->second;
    known_[symbol.ref()] = false;  // a circle ends here
    return known_[symbol.ref()] = find(symbol);
  }

  bool find(const Expr& symbol) {
    const SymbolRole* role = model_.role(symbol);
    if (role == nullptr) return true;
    const auto index = static_cast<std::size_t>(role->index);
    if (role->role == Role::parameter) {
      const std::optional<Expr>& value = model_.parameters[index].value;
      return value && (*this)(*value);
    }
    if (role->role == Role::specified || role->role == Role::specified_rate) {
      const SpecifiedData& s = model_.specified[index];
      return s.table != nullptr || (s.definition && (*this)(*s.definition));
    }
    return true;
  }

  const ModelData& model_;
  std::unordered_map<Ref, bool> known_;
};

// True when the speeds follow from what is given.
bool are_speeds_known(const ModelData& model, Availability& is_available) {
  return std::all_of(model.coordinates.begin(), model.coordinates.end(),
                     [&](const CoordinateData& c) {
                       return is_available(c.start) && is_available(c.start_rate);
                     }) &&
         std::all_of(model.speeds.begin(), model.speeds.end(), [&](const SpeedData& s) {
           return is_available(s.start) && is_available(s.definition);
         });
}

std::vector<double> make_state_values(const Equations& equations, const RunExpressions& system,
                                      Availability& is_available) {
  const ModelData& model = equations.motion.model();
  std::vector<double> values(system.state.size(), no_value);
  try {
    const ConsistentStart consistent = make_consistent_start(equations.motion);
    const StartState start = make_state(equations.motion, consistent);
    // Conditions on several values may move any of them.
    const bool is_conditional = !equations.rows.empty() || !model.start_conditions.empty();
    if (is_conditional && !consistent.missing.empty()) return values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool is_known = true;
      if (i < model.coordinates.size()) is_known = is_available(model.coordinates[i].start);
      if (i >= system.configuration_count) is_known = are_speeds_known(model, is_available);
      if (is_known) values[i] = start.value(system.state[i]);
    }
  } catch (const ModelError&) {  // not finite there
  }
  return values;
}

}  // namespace

StartValues make_start_values(const Equations& equations, const RunExpressions& system) {
  const ModelData& model = equations.motion.model();
  const StartState start = make_start_state(model);
  Availability is_available(model);
  StartValues values;
  values.missing = start.missing;
  for (const Expr& p : system.parameters)
    values.parameters.push_back(is_available(p) ? start.value(p) : no_value);
  values.inputs.assign(system.inputs.size(), no_value);
  std::size_t next = 0;  // inputs that samples change are states
  for (const InputData& input : model.inputs) {
    if (input.state >= 0) continue;
    if (is_available(input.value)) values.inputs[next] = start.value(system.inputs[next]);
    ++next;
  }
  values.state = make_state_values(equations, system, is_available);
  return values;
}

std::shared_ptr<const ValueNames> make_value_names(const std::string& noun,
                                                   const std::vector<std::string>& names,
                                                   const Kinematics& motion) {
  const ModelData& model = motion.model();
  std::unordered_map<std::string, Dimension> dimensions;
  for (const ParameterData& p : model.parameters) dimensions[p.name] = p.dimension;
  for (const InputData& i : model.inputs) dimensions[i.name] = i.dimension;
  for (const CoordinateData& c : model.coordinates) dimensions[c.name] = c.dimension;
  for (const StateData& s : model.states) dimensions[s.name] = s.dimension;
  for (const Speed& s : motion.speeds()) dimensions[s.name] = s.dimension;
  for (const SpecifiedData& s : model.specified) {
    Dimension dimension = s.dimension;
    for (const char* primes : {"", "'", "''", "'''"}) {
      dimensions[s.name + primes] = dimension;
      dimension = dimension / Dimension::of(Dimension::time);
    }
  }
  ValueNames result{noun, names, {}};
  for (const std::string& name : names) {
    const Dimension dimension = dimensions[name].resolved();
    result.dimensions.push_back(dimension.is_known() ? std::optional(dimension) : std::nullopt);
  }
  return std::make_shared<const ValueNames>(std::move(result));
}

}  // namespace visviva
