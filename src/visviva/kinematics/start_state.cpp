#include "visviva/kinematics/start_state.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

// A time just behind a corner at t = 0: so small that it leaves no trace beside any other number.
constexpr double after_corner = 1e-300, after_corner_trace = 1e-200;

// A generic number for something the user left open; different for each, reproducible.
double stand_in(std::size_t i) {
  return 0.7320508 + 0.6180339 * static_cast<double>(i % 97) / (1.0 + static_cast<double>(i));
}

// 0, but a quaternion of which nothing is given starts at the identity.
double default_start(const ModelData& model, const CoordinateData& c) {
  if (c.quaternion < 0) return 0.0;
  const auto& group = model.quaternions[static_cast<std::size_t>(c.quaternion)];
  for (const int i : group) {
    if (model.coordinates[static_cast<std::size_t>(i)].start) return 0.0;
  }
  return model.coordinates[static_cast<std::size_t>(group[0])].q == c.q ? 1.0 : 0.0;
}

// Functions that change over where their argument is zero, or both arguments are equal.
bool can_switch(Op op) {
  return op == Op::step || op == Op::sign || op == Op::abs || op == Op::atan2 || op == Op::min ||
         op == Op::max;
}

// With corners of time at the start, what holds just behind them: the value at the corner itself is neither that before nor
// that after. What has no value at the start has none.
double choose_side(double at_corner, double behind) {
  const bool is_same =
      !std::isfinite(at_corner) || std::abs(behind - at_corner) < after_corner_trace;
  return is_same ? at_corner : behind;
}

class Builder {
 public:
  explicit Builder(const ModelData& model) : model_(model) {}

  void set(const Expr& symbol, double value) {
    state_.symbols.push_back(symbol);
    state_.values.push_back(value);
    state_.known[symbol] = value;
  }

  // What an expression is worth with the values set so far.
  double value(const Expr& expr) const { return state_.value(expr); }

  void set_or_stand_in(const std::string& name, const Expr& symbol,
                       const std::optional<Expr>& expr) {
    if (expr) return set(symbol, value(*expr));
    state_.missing.push_back(name);
    set(symbol, stand_in(state_.symbols.size()));
  }

  // Values may use parameters declared later: those come first. What depends on itself gets a
  // stand-in.
  void set_parameter(std::size_t i) {
    if (visited_.count(model_.parameters[i].symbol.ref()) != 0) return;
    visited_.insert(model_.parameters[i].symbol.ref());
    const ParameterData& p = model_.parameters[i];
    std::optional<Expr> v = p.value;
    if (v) visit_operands(*v);
    if (v && !is_complete(*v)) v.reset();
    set_or_stand_in(p.name, p.symbol, v);
  }

  // x, x' and so on from the definition or the table.
  void set_specified(std::size_t i) {
    const SpecifiedData& s = model_.specified[i];
    if (visited_.count(s.derivatives[0].ref()) != 0) return;
    visited_.insert(s.derivatives[0].ref());
    std::optional<Expr> d = s.definition;
    if (d) visit_operands(*d);
    if (d && !is_complete(*d)) d.reset();
    if (d) d = expand(*d);
    for (std::size_t k = 0; k < s.derivatives.size(); ++k) {
      if (s.table != nullptr) {
        // Where the table has no value check_model() says so; until then its end stands in.
        const double t =
            s.table->covers(0.0) ? 0.0 : std::clamp(0.0, s.table->first(), s.table->last());
        set(s.derivatives[k], s.table->value(t, static_cast<int>(k)));
      } else {
        set_or_stand_in(k == 0 ? s.name : std::string(), s.derivatives[k], d);
      }
      if (d) {
        expanded_.emplace_back(s.derivatives[k], *d);
        d = Tangent(*model_.pool, rates_)(*d);
      } else if (k > 0) {
        rates_.emplace_back(s.derivatives[k - 1], s.derivatives[k]);
      }
    }
  }

  // Whether time alone, whatever the state, meets a corner now.
  bool is_at_corner() const {
    ExprPool& pool = *model_.pool;
    for (std::size_t i = 0; i < pool.node_count(); ++i) {
      const Node node = pool.node(static_cast<Ref>(i << 1));
      if (!can_switch(node.op)) continue;
      const bool compares = node.op == Op::min || node.op == Op::max;
      const Expr a(pool, node.a), b(pool, compares ? node.b : Ref{0});
      if ((is_of_time(a) || is_of_time(b)) && is_complete(a) && is_complete(b) &&
          value(a) == value(b))
        return true;
    }
    return false;
  }

  // Functions of time as they are just behind a corner; `at_corner` has them at the corner itself.
  void settle(const Builder& at_corner) {
    state_.is_behind_corner = true;
    for (std::size_t i = 0; i < state_.symbols.size(); ++i) {
      if (state_.symbols[i] == model_.time) continue;
      double& value = state_.values[i];
      value = choose_side(at_corner.state_.values[i], value);
      state_.known[state_.symbols[i]] = value;
    }
  }

  StartState take() {
    std::erase(state_.missing, std::string());
    for (const FunctionData& f : model_.functions)
      if (f.is_used && !f.table) state_.missing.push_back(f.name);
    return std::move(state_);
  }

 private:
  // With other functions' definitions put in: a function defined by x'' needs the fourth derivative of
  // x and higher ones, for which there are no symbols.
  Expr expand(const Expr& e) const { return substitute(e, expanded_); }

  bool is_of_time(const Expr& e) const {
    const std::vector<Expr> inside = free_symbols(e);
    const auto changes = [&](const Expr& symbol) {
      const SymbolRole* role = model_.role(symbol);
      return role != nullptr && (role->role == Role::time || role->role == Role::specified ||
                                 role->role == Role::specified_rate);
    };
    return std::any_of(inside.begin(), inside.end(), changes);
  }

  void visit_operands(const Expr& e) {
    for (const Expr& symbol : free_symbols(e)) {
      const SymbolRole* role = model_.role(symbol);
      if (role == nullptr) continue;
      if (role->role == Role::parameter) set_parameter(static_cast<std::size_t>(role->index));
      if (role->role == Role::specified || role->role == Role::specified_rate)
        set_specified(static_cast<std::size_t>(role->index));
    }
  }

  bool is_complete(const Expr& e) const {
    for (const Expr& symbol : free_symbols(e)) {
      if (!state_.known.contains(symbol)) return false;
    }
    return true;
  }

  const ModelData& model_;
  StartState state_;
  std::set<Ref> visited_;
  Replacements
      expanded_;  // functions with a definition and their derivatives, by what defines them
  std::vector<std::pair<Expr, Expr>> rates_ = {{model_.time, model_.pool->one()}};
};

}  // namespace

double StartState::value(const Expr& expr) const { return values_of({expr}).front(); }

std::vector<double> StartState::values_of(const std::vector<Expr>& exprs) const {
  const std::vector<Expr> inside = free_symbols(exprs);
  std::vector<double> numbers;
  for (const Expr& s : inside) {
    const auto found = known.find(s);
    if (found == known.end())
      throw UsageError("StartState::value",
                       "'" + s.home().symbol_name(s.ref()) + "' has no start value");
    numbers.push_back(found->second);
  }
  return Evaluator(inside, exprs)(numbers);
}

StartState StartState::with_time_zero() const {
  StartState state = *this;
  state.values.front() = state.known[state.symbols.front()] = 0.0;  // the first is time
  return state;
}

namespace {

// All but the configuration, at this time.
Builder build_at(const ModelData& model, double time) {
  Builder b(model);
  b.set(model.time, time);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) b.set_parameter(i);
  for (const InputData& i : model.inputs) b.set(i.symbol, b.value(i.value));
  for (std::size_t i = 0; i < model.specified.size(); ++i) b.set_specified(i);
  return b;
}

Builder build_functions(const ModelData& model) {
  Builder now = build_at(model, 0.0);
  if (!now.is_at_corner()) return now;
  Builder behind = build_at(model, after_corner);
  behind.settle(now);
  return behind;
}

}  // namespace

StartState make_start_state(const ModelData& model) {
  Builder b = build_functions(model);
  for (const CoordinateData& c : model.coordinates)
    b.set(c.q, c.start ? b.value(*c.start) : default_start(model, c));
  for (const StateData& s : model.states) {
    const bool is_input = model.role(s.symbol)->role == Role::input;  // it has its value already
    if (!is_input) b.set(s.symbol, s.start ? b.value(*s.start) : 0.0);
  }
  for (const FrameData& f : model.frames) {
    // A hidden angle starts at 0, a hidden quaternion at the identity.
    for (std::size_t i = 0; i < f.hidden.size(); ++i)
      b.set(f.hidden[i], f.hidden.size() == 4 && i == 0 ? 1.0 : 0.0);
  }
  return b.take();
}

}  // namespace visviva
