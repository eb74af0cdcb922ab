#include "visviva/equations/interactions/frobenius_space.h"

#include <algorithm>
#include <optional>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/speed_definition.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

constexpr const char* axis_names[] = {".x", ".y", ".z"};

const std::string& name_of(const Expr& symbol) { return symbol.home().symbol_name(symbol.ref()); }

bool is_zero_form(const OneForm& form) {
  return std::all_of(form.begin(), form.end(), [](const Expr& e) { return e.is_zero(); });
}

}  // namespace

std::array<std::array<Expr, 3>, 4> turn_rates(const std::array<Expr, 4>& e) {
  const Expr half = e[0].pool().rational(1, 2);
  std::array<std::array<Expr, 3>, 4> rows = {
      {{-e[1], -e[2], -e[3]}, {e[0], -e[3], e[2]}, {e[3], e[0], -e[1]}, {-e[2], e[1], e[0]}}};
  for (auto& row : rows) {
    for (Expr& entry : row) entry *= half;
  }
  return rows;
}

ConfigurationSpace::ConfigurationSpace(const Kinematics& motion)
    : motion_(motion), model_(motion.model()), pool_(model_.pool->open()) {
  add_directions();
  solve(relate_speeds());
}

// ---- Directions

void ConfigurationSpace::add_directions() {
  using Kind = SpaceDirection::Kind;
  for (const CoordinateData& c : model_.coordinates) {
    direction_of_coordinate_.push_back(directions_.size());
    if (c.quaternion < 0) directions_.push_back({Kind::coordinate, c.name, c.q});
  }
  MotionEngine& engine = engine_of(motion_);
  for (std::size_t F = 0; F < engine.frame_count(); ++F) {
    const FrameData& frame = model_.frames[F];
    if (frame.hidden.size() != 1) continue;
    direction_of_spin_[static_cast<int>(F)] = directions_.size();
    directions_.push_back({Kind::angle, "angle of " + frame.name, frame.hidden[0]});
  }
  for (std::size_t g = 0; g < model_.quaternions.size(); ++g) {
    std::array<Expr, 4> e;
    for (std::size_t k = 0; k < 4; ++k) e[k] = model_.coordinates[model_.quaternions[g][k]].q;
    const int frame = find_quaternion_frame(g);
    add_orientation(e, frame < 0 ? name_of(e[0]) : model_.frames[frame].name);
  }
  for (std::size_t F = 0; F < engine.frame_count(); ++F) {
    const FrameData& frame = model_.frames[F];
    if (frame.hidden.size() != 4) continue;
    direction_of_spin_[static_cast<int>(F)] = directions_.size();
    add_orientation({frame.hidden[0], frame.hidden[1], frame.hidden[2], frame.hidden[3]},
                    frame.name);
  }
}

void ConfigurationSpace::add_orientation(const std::array<Expr, 4>& e, const std::string& frame) {
  const int place = static_cast<int>(orientations_.size());
  orientations_.push_back({e, directions_.size()});
  for (int k = 0; k < 3; ++k)
    directions_.push_back(
        {SpaceDirection::Kind::turn, "turn " + frame + axis_names[k], Expr(), place, k});
}

int ConfigurationSpace::find_quaternion_frame(std::size_t group) const {
  const Expr& e0 = model_.coordinates[model_.quaternions[group][0]].q;
  for (std::size_t F = 0; F < model_.frames.size(); ++F) {
    const visviva::Orientation& o = model_.frames[F].orientation;
    if (o.kind == visviva::Orientation::Kind::quaternion && o.parameters[0].expr() == e0)
      return static_cast<int>(F);
  }
  return -1;
}

// ---- Speeds as forms

ConfigurationSpace::Relation ConfigurationSpace::empty_relation() const {
  return {std::vector<Expr>(motion_.speeds().size(), pool_.zero()),
          OneForm(directions_.size(), pool_.zero())};
}

// A relation for every speed that is not free, in their order, then those of spin frames. Free speeds that no spin
// determines get a direction of their own.
std::vector<ConfigurationSpace::Relation> ConfigurationSpace::relate_speeds() {
  directions_.push_back({SpaceDirection::Kind::time, "t", model_.time});
  const SpeedTable& table = motion_.table();
  std::vector<Relation> relations;
  for (std::size_t r = 0; r < table.speeds.size(); ++r) {
    Relation relation = empty_relation();
    relation.speeds[r] = pool_.one();
    const int c = table.speeds[r].coordinate;
    if (c >= 0) relation.form[direction_of_coordinate_[c]] = -pool_.one();
    if (c < 0) {
      const auto definition = find_speed_definition(motion_, table.speeds[r].name);
      if (definition) relation = relate_definition(r, *definition);
    }
    relations.push_back(std::move(relation));
  }
  for (std::size_t g = 0; g < model_.quaternions.size(); ++g) {
    const int frame = find_quaternion_frame(g);
    if (frame < 0 || table.body_rates[frame] < 0) continue;
    for (std::size_t k = 0; k < 3; ++k)
      relations[table.body_rates[frame] + k].form[orientations_[g].first + k] = -pool_.one();
  }
  relate_spins(&relations);
  return relations;
}

ConfigurationSpace::Relation ConfigurationSpace::relate_definition(std::size_t r,
                                                                   const Expr& definition) {
  std::vector<Expr> moving;
  for (const Expr& s : free_symbols(definition)) {
    const SymbolRole* role = model_.role(s);
    if (role != nullptr && (role->role == Role::rate || role->role == Role::speed))
      moving.push_back(s);
  }
  const LinearForm form = make_linear_form(definition, moving);
  Relation relation = empty_relation();
  relation.speeds[r] = pool_.one();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    if (model_.role(moving[i])->role == Role::rate) {
      add_rate(moving[i], -form.coefficients[i], &relation.form);
      continue;
    }
    const auto& symbols = motion_.table().symbols;
    const auto place = std::find(symbols.begin(), symbols.end(), moving[i]) - symbols.begin();
    relation.speeds[static_cast<std::size_t>(place)] -= form.coefficients[i];
  }
  relation.form[time()] -= form.remainder;
  return relation;
}

// The rate of a coordinate, an Euler parameter by (2), times a factor.
void ConfigurationSpace::add_rate(const Expr& rate_symbol, const Expr& factor,
                                  OneForm* form) const {
  const int c = model_.role(rate_symbol)->index;
  const int group = model_.coordinates[c].quaternion;
  if (group < 0) {
    (*form)[direction_of_coordinate_[c]] += factor;
    return;
  }
  const auto& members = model_.quaternions[group];
  const auto s =
      static_cast<std::size_t>(std::find(members.begin(), members.end(), c) - members.begin());
  const Orientation& o = orientations_[group];
  const auto rates = turn_rates(o.e);
  for (std::size_t k = 0; k < 3; ++k) (*form)[o.first + k] += factor * rates[s][k];
}

void ConfigurationSpace::relate_spins(std::vector<Relation>* relations) {
  MotionEngine& engine = engine_of(motion_);
  const auto relate = [&](std::size_t direction, const ScalarMotion& rate) {
    Relation relation = empty_relation();
    for (const auto& [r, c] : rate.coefficients) relation.speeds[r] += c;
    relation.form[time()] += rate.remainder;
    relation.form[direction] -= pool_.one();
    relations->push_back(std::move(relation));
  };
  for (const auto& [F, direction] : direction_of_spin_) {
    if (model_.frames[F].hidden.size() == 1) {
      relate(direction, engine.hidden_rate(F, 0));
      continue;
    }
    const VectorMotion w = engine.express(engine.local_spin(F), F);
    for (std::size_t k = 0; k < 3; ++k) {
      Column3 axis = zero_column(pool_);
      axis[k] = pool_.one();
      relate(direction + k, dot(axis, w));
    }
  }
}

void ConfigurationSpace::eliminate(const Relation& pivot, std::size_t r, Relation* relation) {
  const Expr factor = relation->speeds[r];
  if (factor.is_zero()) return;
  for (std::size_t s = 0; s < pivot.speeds.size(); ++s)
    relation->speeds[s] -= factor * pivot.speeds[s];
  for (std::size_t a = 0; a < pivot.form.size(); ++a) relation->form[a] -= factor * pivot.form[a];
}

// The relations solved for the speeds; what is left of those of spins is implied.
void ConfigurationSpace::solve(std::vector<Relation> relations) {
  const std::size_t m = motion_.speeds().size();
  std::vector<bool> used(relations.size(), false);
  for (std::size_t r = 0; r < m; ++r) {
    used[r] = true;
    if (is_zero_form(relations[r].form)) continue;  // a free speed
    for (std::size_t i = m; i < relations.size(); ++i) eliminate(relations[r], r, &relations[i]);
  }
  express_free_speeds(&relations, &used);
  for (std::size_t r = 0; r < m; ++r) {
    OneForm u;
    for (const Expr& e : relations[r].form) u.push_back(-e);
    speeds_.push_back(std::move(u));
  }
  for (std::size_t i = m; i < relations.size(); ++i) {
    if (!used[i] && !is_zero_form(relations[i].form)) implied_.push_back(relations[i].form);
  }
}

void ConfigurationSpace::express_free_speeds(std::vector<Relation>* relations,
                                             std::vector<bool>* used) {
  const std::size_t m = motion_.speeds().size();
  for (std::size_t r = 0; r < m; ++r) {
    if (!is_zero_form((*relations)[r].form)) continue;
    // The simplest entry to divide by.
    std::size_t best = relations->size();
    for (std::size_t i = m; i < relations->size(); ++i) {
      const Expr& entry = (*relations)[i].speeds[r];
      if ((*used)[i] || entry.is_zero()) continue;
      if (best == relations->size() ||
          (entry.is_constant() && !(*relations)[best].speeds[r].is_constant()))
        best = i;
    }
    if (best == relations->size()) {
      const std::size_t place = time();
      directions_.insert(directions_.begin() + static_cast<std::ptrdiff_t>(place),
                         {SpaceDirection::Kind::quasi_coordinate,
                          "integral of " + motion_.speeds()[r].name, Expr()});
      for (Relation& relation : *relations)
        relation.form.insert(relation.form.begin() + static_cast<std::ptrdiff_t>(place),
                             pool_.zero());
      (*relations)[r].form[place] = -pool_.one();
    } else {
      (*used)[best] = true;
      Relation pivot = (*relations)[best];
      const Expr entry = pivot.speeds[r];
      for (Expr& e : pivot.speeds) e /= entry;
      for (Expr& e : pivot.form) e /= entry;
      (*relations)[r] = std::move(pivot);
    }
    const Relation solved = (*relations)[r];
    for (std::size_t i = 0; i < relations->size(); ++i) {
      if (i != r && (i < m || !(*used)[i])) eliminate(solved, r, &(*relations)[i]);
    }
  }
}

OneForm ConfigurationSpace::make_form(const ScalarMotion& row) const {
  OneForm form(size(), pool_.zero());
  for (const auto& [r, a] : row.coefficients) {
    for (std::size_t b = 0; b < size(); ++b) {
      if (!speeds_[r][b].is_zero()) form[b] += a * speeds_[r][b];
    }
  }
  form[time()] += row.remainder;
  return form;
}

// ---- Calculus

std::optional<Expr> ConfigurationSpace::rate_of_time_symbol(const Expr& symbol) {
  const SymbolRole* role = model_.role(symbol);
  const std::string& name = name_of(symbol);
  if (role != nullptr && role->role == Role::time) return pool_.one();
  const bool is_specified =
      role != nullptr && (role->role == Role::specified || role->role == Role::specified_rate);
  if (is_specified) {
    const auto& x = model_.specified[role->index].derivatives;
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      if (x[k] == symbol) return x[k + 1];
    }
  }
  const bool is_input = role != nullptr && role->role == Role::input;
  if (!is_specified && !is_input && extra_rates_.count(name) == 0) return std::nullopt;
  // Rates that the model has no symbol for.
  const std::string rate = name + "'";
  const auto [place, is_new] = extra_rates_.try_emplace(name, Expr());
  if (is_new || !place->second.valid()) {
    place->second = pool_.scratch_symbol("rate " + rate);
    extra_rates_.try_emplace(name_of(place->second), Expr());
  }
  return place->second;
}

std::vector<Expr> ConfigurationSpace::slopes(const Expr& f) {
  std::vector<Expr> result(size(), pool_.zero());
  const std::vector<Expr> symbols = free_symbols(f);
  if (symbols.empty()) return result;
  const std::vector<Expr> d = gradient(f, symbols);
  const auto slope_by = [&](const Expr& symbol) {
    const auto place = std::find(symbols.begin(), symbols.end(), symbol);
    return place == symbols.end() ? pool_.zero()
                                  : d[static_cast<std::size_t>(place - symbols.begin())];
  };
  for (std::size_t a = 0; a < time(); ++a) {
    if (directions_[a].symbol.valid()) result[a] = slope_by(directions_[a].symbol);
  }
  for (const Orientation& o : orientations_) {  // (2)
    if (std::none_of(o.e.begin(), o.e.end(), [&](const Expr& e) {
          return std::find(symbols.begin(), symbols.end(), e) != symbols.end();
        }))
      continue;
    const auto rates = turn_rates(o.e);
    for (std::size_t s = 0; s < 4; ++s) {
      const Expr slope = slope_by(o.e[s]);
      for (std::size_t k = 0; k < 3; ++k) result[o.first + k] += slope * rates[s][k];
    }
  }
  for (std::size_t i = 0; i < symbols.size(); ++i) {  // (3)
    if (const auto rate = rate_of_time_symbol(symbols[i])) result[time()] += d[i] * *rate;
  }
  return result;
}

std::vector<std::vector<Expr>> ConfigurationSpace::exterior_derivative(const OneForm& form) {
  const std::size_t n = size();
  std::vector<std::vector<Expr>> d(n, std::vector<Expr>(n, pool_.zero()));
  for (std::size_t b = 0; b < n; ++b) {
    if (form[b].is_zero()) continue;
    const std::vector<Expr> slope = slopes(form[b]);
    for (std::size_t a = 0; a < n; ++a) {
      if (a < b) d[a][b] += slope[a];
      if (a > b) d[b][a] -= slope[a];
    }
  }
  for (const Orientation& o : orientations_) {  // (1)
    d[o.first][o.first + 1] -= form[o.first + 2];
    d[o.first + 1][o.first + 2] -= form[o.first];
    d[o.first][o.first + 2] += form[o.first + 1];
  }
  return d;
}

std::set<std::size_t> ConfigurationSpace::touched(const OneForm& form) const {
  std::set<std::size_t> places = {time()};
  for (std::size_t a = 0; a < form.size(); ++a) {
    if (!form[a].is_zero()) places.insert(a);
  }
  const std::vector<Expr> symbols = free_symbols(form);
  const auto is_used = [&](const Expr& s) {
    return std::find(symbols.begin(), symbols.end(), s) != symbols.end();
  };
  for (std::size_t a = 0; a < time(); ++a) {
    if (directions_[a].symbol.valid() && is_used(directions_[a].symbol)) places.insert(a);
  }
  for (const Orientation& o : orientations_) {
    // By (1) a turn brings the others with it.
    bool is_turned = std::any_of(o.e.begin(), o.e.end(), is_used);
    for (std::size_t k = 0; k < 3; ++k) is_turned = is_turned || places.count(o.first + k) != 0;
    for (std::size_t k = 0; k < 3 && is_turned; ++k) places.insert(o.first + k);
  }
  return places;
}

bool ConfigurationSpace::depends_on_turns(const Expr& f) const {
  const std::vector<Expr> symbols = free_symbols(f);
  return std::any_of(orientations_.begin(), orientations_.end(), [&](const Orientation& o) {
    return std::any_of(o.e.begin(), o.e.end(), [&](const Expr& e) {
      return std::find(symbols.begin(), symbols.end(), e) != symbols.end();
    });
  });
}

bool ConfigurationSpace::has_turns(const OneForm& form) const {
  for (std::size_t a = 0; a < form.size(); ++a) {
    const auto kind = directions_[a].kind;
    const bool is_turn =
        kind == SpaceDirection::Kind::turn || kind == SpaceDirection::Kind::quasi_coordinate;
    if (!form[a].is_zero() && (is_turn || depends_on_turns(form[a]))) return true;
  }
  return false;
}

Replacements ConfigurationSpace::definitions() {
  Replacements parts;
  for (const SpecifiedData& x : model_.specified) {
    if (!x.definition) continue;
    Expr value = *x.definition;
    for (const Expr& symbol : x.derivatives) {
      parts.emplace_back(symbol, value);
      value = slopes(value)[time()];
    }
  }
  // Definitions may mention each other, never in a circle.
  for (std::size_t depth = 1; depth < model_.specified.size(); ++depth) {
    Substitution put(pool_, parts);
    Replacements deeper;
    for (const auto& [symbol, value] : parts) deeper.emplace_back(symbol, put(value));
    parts = std::move(deeper);
  }
  return parts;
}

}  // namespace visviva
