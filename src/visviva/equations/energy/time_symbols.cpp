#include "visviva/equations/energy/time_symbols.h"

#include <algorithm>

#include "visviva/equations/energy/state_samples.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

void add(const VectorMotion& v, std::vector<Expr>* all) {
  all->insert(all->end(), v.remainder.begin(), v.remainder.end());
  for (const auto& entry : v.coefficients)
    all->insert(all->end(), entry.second.begin(), entry.second.end());
}

// Symbols of some kind that the expression changes with; its form may mention others, which cancel. A jump
// has no slope and is a change all the same.
template <class IsWanted>
std::vector<Expr> symbols_in(const Expr& e, const IsWanted& is_wanted) {
  std::vector<Expr> symbols = free_symbols(e);
  std::erase_if(symbols, [&](const Expr& s) { return !is_wanted(s); });
  if (symbols.empty() || has_pieces(e)) return symbols;
  std::erase_if(symbols, [&](const Expr& s) { return differentiate(e, s).is_zero(); });
  return symbols;
}

void add_name(const std::string& name, std::vector<std::string>* names) {
  if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(name);
}

}  // namespace

TimeSymbols::TimeSymbols(const Kinematics& motion) : model_(motion.model()) {
  add_motions(motion);
  add_driven_states(motion);
}

// Of a frame that spins as time tells in its parent: its hidden states are functions of time, as an angle would be.
void TimeSymbols::add_driven_states(const Kinematics& motion) {
  for (std::size_t F = 1; F < model_.frames.size(); ++F) {
    const std::vector<Expr>& hidden = model_.frames[F].hidden;
    if (hidden.empty()) continue;
    const VectorMotion& spin = engine_of(motion).local_spin(static_cast<int>(F));
    const std::vector<Expr> remainder(spin.remainder.begin(), spin.remainder.end());
    std::vector<std::string> names;
    bool is_driven =
        std::all_of(spin.coefficients.begin(), spin.coefficients.end(), [](const auto& entry) {
          return std::all_of(entry.second.begin(), entry.second.end(),
                             [](const Expr& e) { return e.is_zero(); });
        });
    for (const Expr& s : free_symbols(remainder)) {
      const SymbolRole* role = model_.role(s);
      const bool is_own = std::find(hidden.begin(), hidden.end(), s) != hidden.end();
      is_driven =
          is_driven && (is_own || is_time(s) || role == nullptr || role->role == Role::parameter);
      if (!is_time(s) || is_own) continue;
      for (const std::string& name : names_in(s)) add_name(name, &names);
    }
    if (!is_driven) continue;
    if (names.empty()) names = {"t"};
    for (const Expr& h : hidden) driven_.emplace(h.ref(), names);
  }
}

void TimeSymbols::add_motions(const Kinematics& motion) {
  std::vector<Expr> all;
  for (std::size_t F = 1; F < engine_of(motion).frame_count(); ++F) {
    for (const Column3& row : model_.frames[F].R_PB) all.insert(all.end(), row.begin(), row.end());
    add(engine_of(motion).local_spin(static_cast<int>(F)), &all);
  }
  for (const PointData& p : model_.points) {
    for (const Vector::Part& part : p.offset.parts())
      all.insert(all.end(), part.column.begin(), part.column.end());
  }
  for (const ConstraintRow& row : make_constraint_rows(motion)) {
    all.push_back(row.velocity.remainder);
    for (const auto& entry : row.velocity.coefficients) all.push_back(entry.second);
    if (row.position) all.push_back(*row.position);
  }
  for (const Expr& symbol : free_symbols(all)) {
    const SymbolRole* role = model_.role(symbol);
    if (role == nullptr) continue;
    if (role->role == Role::time) is_t_moving_ = true;
    if (role->role == Role::specified || role->role == Role::specified_rate)
      moving_.insert(role->index);
  }
}

bool TimeSymbols::is_time(const Expr& symbol) const {
  if (driven_.contains(symbol.ref())) return true;
  const SymbolRole* role = model_.role(symbol);
  return role != nullptr && (role->role == Role::time || role->role == Role::specified ||
                             role->role == Role::specified_rate);
}

bool TimeSymbols::is_outside(const Expr& symbol) const {
  const SymbolRole* role = model_.role(symbol);
  if (role == nullptr) return false;
  if (role->role == Role::input || role->role == Role::unknown || role->role == Role::state)
    return true;
  if (role->role == Role::time) return !is_t_moving_;
  if (role->role != Role::specified && role->role != Role::specified_rate) return false;
  if (moving_.contains(role->index)) return false;
  const SpecifiedData& s = model_.specified[role->index];
  if (!s.definition) return true;
  const std::vector<Expr> symbols = free_symbols(*s.definition);
  return std::any_of(symbols.begin(), symbols.end(), [this](const Expr& e) { return is_time(e); });
}

bool TimeSymbols::depends_on_time(const Expr& e) const {
  return !symbols_in(e, [this](const Expr& s) { return is_time(s); }).empty();
}

bool TimeSymbols::depends_on_outside(const Expr& e) const { return !outside_names_in(e).empty(); }

bool TimeSymbols::depends_on_configuration(const Expr& e) const {
  const auto is_place = [this](const Expr& s) {
    const SymbolRole* role = model_.role(s);
    return role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden) &&
           !driven_.contains(s.ref());
  };
  return !symbols_in(e, is_place).empty();
}

std::vector<std::string> TimeSymbols::names_in(const Expr& e) const {
  std::vector<std::string> names;
  for (const Expr& s : symbols_in(e, [this](const Expr& x) { return is_time(x); })) {
    const SymbolRole* role = model_.role(s);
    if (const auto driven = driven_.find(s.ref()); driven != driven_.end()) {
      for (const std::string& name : driven->second) add_name(name, &names);
    } else {
      add_name(role->role == Role::time ? "t" : model_.specified[role->index].name, &names);
    }
  }
  return names;
}

std::vector<std::string> TimeSymbols::outside_names_in(const Expr& e) const {
  std::vector<std::string> names;
  for (const Expr& s : symbols_in(e, [this](const Expr& x) { return is_outside(x); })) {
    const SymbolRole* role = model_.role(s);
    const bool is_specified = role->role == Role::specified || role->role == Role::specified_rate;
    add_name(is_specified ? model_.specified[role->index].name : s.home().symbol_name(s.ref()),
             &names);
  }
  return names;
}

}  // namespace visviva
