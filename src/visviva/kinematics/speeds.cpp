#include "visviva/kinematics/speeds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "visviva/base/words.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

const auto per_second = Dimension::of(Dimension::time, -1);

[[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& help,
                       const Source& source) {
  throw ModelError({{Severity::error, code, message, help, source.span}});
}

ScalarMotion single(ExprPool& pool, int r) { return {{{r, pool.one()}}, pool.zero()}; }

// e' = 1/2 e (0, w) in the algebra of quaternions.
std::array<ScalarMotion, 4> quaternion_rates(const std::array<Expr, 4>& e, int first) {
  ExprPool& pool = e[0].pool();
  const Expr half = pool.rational(1, 2);
  const std::array<std::array<Expr, 3>, 4> rows = {
      {{-e[1], -e[2], -e[3]}, {e[0], -e[3], e[2]}, {e[3], e[0], -e[1]}, {-e[2], e[1], e[0]}}};
  std::array<ScalarMotion, 4> rates;
  for (std::size_t i = 0; i < 4; ++i) {
    rates[i] = zero_scalar_motion(pool);
    for (int k = 0; k < 3; ++k) add_to(rates[i], half * rows[i][k], single(pool, first + k));
  }
  return rates;
}

// A definition u = sum_q Y_q q' + sum_w F_w w + Z, w free speeds.
struct Definition {
  int speed;                                // in model.speeds
  std::vector<std::pair<int, Expr>> rates;  // coordinate, Y_q
  std::vector<std::pair<int, Expr>> free;   // model speed, F_w
  Expr remainder;
};

class SpeedBuilder {
 public:
  SpeedBuilder(const ModelData& model, const std::vector<std::optional<Expr>>& definitions)
      : model_(model), pool_(*model.pool) {
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      if (definitions[i]) definitions_.push_back(split(static_cast<int>(i), *definitions[i]));
    }
  }

  SpeedTable build() {
    find_blocks();
    list_speeds();
    require_free_speeds_used();
    table_.rates.assign(model_.coordinates.size(), zero_scalar_motion(pool_));
    for (std::size_t r = 0; r < table_.speeds.size(); ++r) {
      const int c = table_.speeds[r].coordinate;
      if (c >= 0) table_.rates[c] = single(pool_, static_cast<int>(r));
    }
    for (std::size_t g = 0; g < model_.quaternions.size(); ++g) set_quaternion_rates(g);
    for (const auto& block : blocks_) solve(block);
    return std::move(table_);
  }

 private:
  Definition split(int index, const Expr& expr) const {
    const std::string& name = model_.speeds[index].name;
    std::vector<Expr> unknowns;
    for (const Expr& s : free_symbols(expr)) {
      const SymbolRole* role = model_.role(s);
      if (role != nullptr && (role->role == Role::rate || role->role == Role::speed))
        unknowns.push_back(s);
      if (role != nullptr && (role->role == Role::second_rate || role->role == Role::speed_rate)) {
        fail("E-speed-acceleration",
             "the definition of the speed '" + name + "' contains an acceleration",
             "a generalized speed is a sum of rates with coefficients that depend on coordinates "
             "and time",
             model_.speeds[index].source);
      }
    }
    Definition d{index, {}, {}, Expr()};
    const auto form = find_linear_form(expr, unknowns);
    if (!form) {
      fail("E-speed-nonlinear",
           "the definition of the speed '" + name + "' is not linear in the rates",
           "a generalized speed is a sum of rates with coefficients that depend on coordinates and "
           "time",
           model_.speeds[index].source);
    }
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      if (form->coefficients[i].is_zero()) continue;
      const SymbolRole* role = model_.role(unknowns[i]);
      (role->role == Role::rate ? d.rates : d.free)
          .emplace_back(role->index, form->coefficients[i]);
    }
    d.remainder = form->remainder;
    if (d.rates.empty()) {
      fail("E-speed-no-rate",
           "the definition of the speed '" + name + "' contains no rate of a coordinate",
           "define it by rates such as q1', or leave the definition out and use it in a spin",
           model_.speeds[index].source);
    }
    return d;
  }

  // Definitions and coordinates that hang together through a rate; a quaternion's four rates belong
  // together.
  struct Block {
    std::vector<int> definitions;
    std::vector<int> coordinates;
    std::vector<int> quaternions;
  };

  void find_blocks() {
    const std::size_t n = model_.coordinates.size();
    std::vector<int> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&parent](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (const auto& group : model_.quaternions) {
      for (const int c : group) parent[root(c)] = root(group[0]);
    }
    for (const Definition& d : definitions_) {
      for (const auto& rate : d.rates) parent[root(rate.first)] = root(d.rates.front().first);
    }
    used_.assign(n, false);
    std::vector<int> block_of(n, -1);
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
      const int r = root(definitions_[i].rates.front().first);
      if (block_of[r] < 0) {
        block_of[r] = static_cast<int>(blocks_.size());
        blocks_.emplace_back();
      }
      blocks_[block_of[r]].definitions.push_back(static_cast<int>(i));
    }
    for (std::size_t c = 0; c < n; ++c) {
      const int b = block_of[root(static_cast<int>(c))];
      if (b < 0) continue;
      used_[c] = true;
      blocks_[b].coordinates.push_back(static_cast<int>(c));
    }
    for (std::size_t g = 0; g < model_.quaternions.size(); ++g) {
      const int b = block_of[root(model_.quaternions[g][0])];
      if (b >= 0) blocks_[b].quaternions.push_back(static_cast<int>(g));
    }
  }

  // In order of declaration: default speeds where their coordinate stands, body rates where the
  // quaternion stands.
  void list_speeds() {
    struct Entry {
      int order;
      Speed speed;
      int declared;
    };
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < model_.speeds.size(); ++i) {
      const SpeedData& s = model_.speeds[i];
      entries.push_back({s.order, {s.name, s.u, s.rate, s.dimension}, static_cast<int>(i)});
    }
    for (std::size_t c = 0; c < model_.coordinates.size(); ++c) {
      const CoordinateData& q = model_.coordinates[c];
      if (used_[c] || q.quaternion >= 0) continue;
      entries.push_back(
          {q.order,
           {q.name + "'", q.rate, q.second_rate, q.dimension * per_second, static_cast<int>(c)},
           -1});
    }
    table_.body_rates.assign(model_.frames.size(), -1);
    for (std::size_t g = 0; g < model_.quaternions.size(); ++g) {
      if (used_[model_.quaternions[g][0]]) continue;
      const int frame = frame_of(static_cast<int>(g));
      const FrameData& f = model_.frames[frame];
      for (const char* axis : {"_wx", "_wy", "_wz"}) {
        const std::string name = f.name + axis;
        if (model_.pool->has_symbol_named(name) && model_.role(pool_.symbol(name)) != nullptr) {
          fail("E-speed-name",
               "the name '" + name + "' is needed for a speed of the quaternion frame '" + f.name +
                   "'",
               "rename the scalar of that name", f.source);
        }
        entries.push_back({model_.coordinates[model_.quaternions[g][3]].order,
                           {name, pool_.symbol(name), pool_.symbol(name + "'"), per_second},
                           -2 - frame});
      }
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.order < b.order; });
    speed_of_.assign(model_.speeds.size(), -1);
    for (const Entry& e : entries) {
      const int r = static_cast<int>(table_.speeds.size());
      if (e.declared >= 0) speed_of_[e.declared] = r;
      if (e.declared <= -2 && table_.body_rates[-2 - e.declared] < 0)
        table_.body_rates[-2 - e.declared] = r;
      table_.speeds.push_back(e.speed);
      table_.symbols.push_back(e.speed.u);
    }
  }

  int frame_of(int group) const {
    const Expr e0 = model_.coordinates[model_.quaternions[group][0]].q;
    for (std::size_t i = 0; i < model_.frames.size(); ++i) {
      const Orientation& o = model_.frames[i].orientation;
      if (o.kind == Orientation::Kind::quaternion && o.parameters[0].expr() == e0)
        return static_cast<int>(i);
    }
    fail("E-quaternion-unused",
         "the quaternion that starts with '" +
             model_.coordinates[model_.quaternions[group][0]].name + "' orients no frame",
         "declare a frame with it, or remove it",
         model_.coordinates[model_.quaternions[group][0]].source);
  }

  void require_free_speeds_used() const {
    std::set<Ref> used;
    for (const FrameData& f : model_.frames) {
      for (const Vector::Part& part : f.orientation.angular_velocity.parts()) {
        for (const Expr& s : free_symbols({part.column[0], part.column[1], part.column[2]}))
          used.insert(s.ref());
      }
    }
    for (const SpeedData& s : model_.speeds) {
      if (!s.definition && used.count(s.u.ref()) == 0) {
        fail("E-speed-free", "the free speed '" + s.name + "' appears in no spin",
             "define it by rates, or use it in a spin", s.source);
      }
    }
  }

  void set_quaternion_rates(std::size_t g) {
    const auto& group = model_.quaternions[g];
    if (used_[group[0]]) return;
    std::array<Expr, 4> e;
    for (std::size_t i = 0; i < 4; ++i) e[i] = model_.coordinates[group[i]].q;
    const auto rates = quaternion_rates(e, table_.body_rates[frame_of(static_cast<int>(g))]);
    for (std::size_t i = 0; i < 4; ++i) table_.rates[group[i]] = rates[i];
  }

  std::string names_of(const Block& block) const {
    std::string names;
    for (const int d : block.definitions) {
      names += (names.empty() ? "'" : ", '") + model_.speeds[definitions_[d].speed].name + "'";
    }
    return names;
  }

  std::string rates_of(const Block& block) const {
    return join_each(block.coordinates, [&](int c) { return model_.coordinates[c].name + "'"; });
  }

  // Where the last of its definitions stands: the one that is too many, or after which one lacks.
  const Source& source_of(const Block& block) const {
    return model_.speeds[definitions_[block.definitions.back()].speed].source;
  }

  void solve(const Block& block) {
    const std::size_t n = block.coordinates.size();
    const std::size_t rows = block.definitions.size() + block.quaternions.size();
    if (rows != n) {
      const std::size_t wanted = n - std::min(n, block.quaternions.size());
      fail("E-speed-count",
           std::to_string(block.definitions.size()) + " speed(s) (" + names_of(block) +
               ") are defined by " + std::to_string(n) + " rates (" + rates_of(block) +
               "); expected " + std::to_string(wanted),
           rows < n ? "define another speed with these rates" : "remove a definition",
           source_of(block));
    }
    // Y q' = u - Z with q' = S x: x are the rates themselves, and of a quaternion the body rates w
    // of e' = 1/2 e (0, w), so that no entry of e is divided by.
    const std::vector<std::vector<Expr>> S = make_basis(block);
    const std::size_t m = block.definitions.size();
    std::vector<std::vector<Expr>> Y(m, std::vector<Expr>(m, pool_.zero()));
    std::vector<ScalarMotion> right(m, zero_scalar_motion(pool_));
    for (std::size_t i = 0; i < m; ++i) {
      const Definition& d = definitions_[block.definitions[i]];
      for (const auto& [c, y] : d.rates) {
        const auto row = std::find(block.coordinates.begin(), block.coordinates.end(), c);
        const auto& basis = S[static_cast<std::size_t>(row - block.coordinates.begin())];
        for (std::size_t k = 0; k < m; ++k) Y[i][k] += y * basis[k];
      }
      add_to(right[i], pool_.one(), single(pool_, speed_of_[d.speed]));
      for (const auto& [w, f] : d.free) add_to(right[i], -f, single(pool_, speed_of_[w]));
      right[i].remainder -= d.remainder;
    }
    const auto inverse = invert(Y, start_values(Y));
    if (!inverse) {
      fail("E-speed-singular",
           "the speeds " + names_of(block) + " do not determine the rates " + rates_of(block) +
               ": their definitions are dependent everywhere",
           "choose independent combinations of the rates", source_of(block));
    }
    warn_if_singular_at_start(block, Y);
    std::vector<ScalarMotion> x(m, zero_scalar_motion(pool_));
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t i = 0; i < m; ++i) add_to(x[k], (*inverse)[k][i], right[i]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < m; ++k) {
        if (!S[j][k].is_zero()) add_to(table_.rates[block.coordinates[j]], S[j][k], x[k]);
      }
    }
  }

  // S of a block, a row for each coordinate.
  std::vector<std::vector<Expr>> make_basis(const Block& block) {
    const std::size_t n = block.coordinates.size();
    std::vector<std::vector<Expr>> S(n,
                                     std::vector<Expr>(n - block.quaternions.size(), pool_.zero()));
    std::size_t next = 0;
    std::map<int, std::size_t> first;  // column of a quaternion's body rates
    for (std::size_t j = 0; j < n; ++j) {
      const int group = model_.coordinates[block.coordinates[j]].quaternion;
      if (group < 0) {
        S[j][next++] = pool_.one();
        continue;
      }
      if (first.emplace(group, next).second) next += 3;
      const auto& members = model_.quaternions[group];
      std::array<Expr, 4> e;
      for (std::size_t i = 0; i < 4; ++i) e[i] = model_.coordinates[members[i]].q;
      const auto place = std::find(members.begin(), members.end(), block.coordinates[j]);
      const auto rates = quaternion_rates(e, 0);
      for (const auto& [k, c] :
           rates[static_cast<std::size_t>(place - members.begin())].coefficients)
        S[j][first[group] + k] = c;
    }
    return S;
  }

  std::vector<std::vector<double>> start_values(const std::vector<std::vector<Expr>>& Y) {
    if (!start_) start_ = make_start_state(model_);
    std::vector<Expr> flat;
    for (const auto& row : Y) flat.insert(flat.end(), row.begin(), row.end());
    const std::vector<double> v = Evaluator(start_->symbols, flat)(start_->values);
    std::vector<std::vector<double>> values(Y.size());
    for (std::size_t i = 0; i < Y.size(); ++i) {
      const auto begin = v.begin() + static_cast<std::ptrdiff_t>(i * Y.size());
      values[i].assign(begin, begin + static_cast<std::ptrdiff_t>(Y.size()));
    }
    return values;
  }

  void warn_if_singular_at_start(const Block& block, const std::vector<std::vector<Expr>>& Y) {
    const auto values = start_values(Y);
    if (!start_->missing.empty() || !is_singular(values)) return;
    table_.warnings.push_back(
        {Severity::warning, "W-speed-singular-start",
         "the definitions of the speeds " + names_of(block) + " are singular at the start state",
         "start elsewhere, or choose other speeds", source_of(block).span});
  }

  const ModelData& model_;
  ExprPool& pool_;
  std::vector<Definition> definitions_;
  std::vector<Block> blocks_;
  std::vector<bool> used_;     // coordinates whose rate a definition uses
  std::vector<int> speed_of_;  // model speed -> place in the table
  std::optional<StartState> start_;
  SpeedTable table_;
};

}  // namespace

SpeedTable make_formal_speeds(const ModelData& model) {
  SpeedTable table;
  table.body_rates.assign(model.frames.size(), -1);
  for (std::size_t c = 0; c < model.coordinates.size(); ++c) {
    const CoordinateData& q = model.coordinates[c];
    table.rates.push_back(single(*model.pool, static_cast<int>(c)));
    table.speeds.push_back(
        {q.name + "'", q.rate, q.second_rate, q.dimension * per_second, static_cast<int>(c)});
    table.symbols.push_back(q.rate);
  }
  for (const SpeedData& s : model.speeds) {
    if (s.definition) continue;
    table.speeds.push_back({s.name, s.u, s.rate, s.dimension});
    table.symbols.push_back(s.u);
  }
  return table;
}

SpeedTable make_speeds(const ModelData& model,
                       const std::vector<std::optional<Expr>>& definitions) {
  SpeedTable table = SpeedBuilder(model, definitions).build();
  table.definitions = definitions;
  return table;
}

}  // namespace visviva
