#include "visviva/equations/interactions/integrability.h"

#include <algorithm>
#include <set>

#include "visviva/equations/interactions/frobenius_system.h"
#include "visviva/equations/interactions/integrability_search.h"
#include "visviva/equations/interactions/surface_samples.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/compare.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

bool is_proved_nonzero(const Expr& e) {
  return compare(e, e.pool().zero()).verdict == Verdict::different;
}

Decision weaker(Decision a, Decision b) {
  if (a == Decision::no || b == Decision::no) return Decision::no;
  return a == Decision::yes ? b : a;
}

bool are_exact(const ModelData& model, const std::vector<ConstraintRow>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const ConstraintRow& row) {
    return is_of_configuration(model.constraints[row.constraint]);
  });
}

bool has_spins(const ModelData& model) {
  return std::any_of(model.frames.begin(), model.frames.end(),
                     [](const FrameData& f) { return !f.hidden.empty(); });
}

class IntegrabilityAnalysis {
 public:
  explicit IntegrabilityAnalysis(const Kinematics& motion)
      : motion_(motion), model_(motion.model()), rows_(make_constraint_rows(motion)) {}

  Integrability analyze() {
    if (!are_exact(model_, rows_) || has_spins(model_)) prepare();
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) add_constraint(static_cast<int>(i));
    for (const std::set<int>& part : parts_) {
      find_combinations(part);
      const PfaffianSystem& all = system_of(part);
      result_.gained += static_cast<int>(all.rank() - all.integrable().rows.size());
    }
    return std::move(result_);
  }

 private:
  using Names = std::vector<std::string>;

  void prepare() {
    space_.emplace(motion_);
    search_.emplace(motion_, &*space_);
    definitions_ = space_->definitions();
    for (const ConstraintRow& row : rows_) forms_.push_back(space_->make_form(row.velocity));
    any_time_ = forms_;
    implied_ = space_->implied_forms();
    find_parts();
    const bool are_all_integrable =
        std::all_of(parts_.begin(), parts_.end(), [&](const std::set<int>& part) {
          return system_of(part).rank() == system_of(part).integrable().rows.size();
        });
    if (are_all_integrable || definitions_.empty()) return;
    // What is not integrable for any functions of time may be so for those of the model.
    systems_.clear();
    for (OneForm& form : forms_) define(&form);
    for (OneForm& form : implied_) define(&form);
  }

  void define(OneForm* form) const {
    OneForm defined;
    for (const Expr& e : *form) {
      const auto value = try_substitute(e, definitions_);
      if (!value) return;
      defined.push_back(*value);
    }
    *form = std::move(defined);
  }

  // An integrated row is judged as the motion constraint that it is.
  bool has_position(const ConstraintRow& row) const {
    return is_of_configuration(model_.constraints[row.constraint]);
  }

  // ---- Systems

  // Constraints that share no direction do not know of each other. What a spin implies has the number -1 - i here.
  void find_parts() {
    std::vector<std::pair<std::set<int>, std::set<std::size_t>>> parts;
    const auto add = [&](int owner, const OneForm& form) {
      std::set<int> owners = {owner};
      std::set<std::size_t> places = space_->touched(form);
      places.erase(space_->time());
      std::erase_if(parts, [&](auto& part) {
        const bool is_shared = part.first.count(owner) != 0 ||
                               std::any_of(places.begin(), places.end(), [&](std::size_t a) {
                                 return part.second.count(a) != 0;
                               });
        if (is_shared) owners.merge(part.first), places.merge(part.second);
        return is_shared;
      });
      parts.emplace_back(std::move(owners), std::move(places));
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) add(rows_[i].constraint, forms_[i]);
    for (std::size_t i = 0; i < implied_.size(); ++i) add(-1 - static_cast<int>(i), implied_[i]);
    for (auto& part : parts) parts_.push_back(std::move(part.first));
  }

  const std::set<int>& part_of(int constraint) const {
    return *std::find_if(parts_.begin(), parts_.end(),
                         [&](const std::set<int>& part) { return part.count(constraint) != 0; });
  }

  // The rows of some constraints, and what spins imply.
  const PfaffianSystem& system_of(const std::set<int>& constraints) {
    const auto found = systems_.find(constraints);
    if (found != systems_.end()) return found->second;
    std::vector<PfaffianSystem::Form> forms;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (constraints.count(rows_[i].constraint) != 0)
        forms.push_back({forms_[i], has_position(rows_[i])});
    }
    for (std::size_t i = 0; i < implied_.size(); ++i) {
      if (constraints.count(-1 - static_cast<int>(i)) != 0) forms.push_back({implied_[i], false});
    }
    const Replacements flat = solve_rows(constraints, false);
    PfaffianSystem system(&*space_, forms, flat);
    if (system.integrable().rows.size() < system.rank()) {
      // Forms may be integrable on a curved surface alone.
      const Replacements curved = solve_rows(constraints, true);
      if (curved.size() > flat.size()) system = PfaffianSystem(&*space_, forms, curved);
    }
    return systems_.emplace(constraints, std::move(system)).first->second;
  }

  // Coordinates that configuration constraints are linear in, with a slope free of the configuration; where `with_roots`, those
  // that they are quadratic in as well. What is an identity on one side of a quadric is so on the other.
  Replacements solve_rows(const std::set<int>& constraints, bool with_roots) const {
    Replacements solved;
    for (const ConstraintRow& row : rows_) {
      if (!has_position(row) || constraints.count(row.constraint) == 0) continue;
      const auto put = try_substitute(*row.position, solved);
      if (!put) continue;
      const Expr& g = *put;
      for (auto c = model_.coordinates.rbegin(); c != model_.coordinates.rend(); ++c) {
        if (c->quaternion >= 0 || !depends_on(g, c->q)) continue;
        const auto root = find_root(g, c->q, with_roots);
        if (!root) continue;
        const Replacements own = {{c->q, *root}};
        for (auto& entry : solved) {
          if (const auto value = try_substitute(entry.second, own)) entry.second = *value;
        }
        solved.push_back(own[0]);
        break;
      }
    }
    return solved;
  }

  // q with g = a q^2 + b q + c = 0, or g = a sin(q) + c, or b cos(q) + c; without roots only where b alone is there and free of
  // the configuration.
  std::optional<Expr> find_root(const Expr& g, const Expr& q, bool with_roots) const {
    const Expr slope = differentiate(g, q);
    if (slope.is_zero()) return {};
    if (is_free_of_configuration(slope)) return q - g / slope;
    if (!with_roots) return {};
    const auto at = [&](const Expr& e, const Expr& value) {
      return try_substitute(e, Replacements{{q, value}});
    };
    const Expr zero = space_->pool()->zero(), twice_a = differentiate(slope, q);
    const auto root = attempt([&]() -> std::optional<Expr> {
      if (twice_a.is_zero()) return q - g / slope;
      if (differentiate(twice_a, q).is_zero()) {
        const auto b = at(slope, zero), c = at(g, zero);
        if (!b || !c) return {};
        return (sqrt(*b * *b - 2 * twice_a * *c) - *b) / twice_a;
      }
      const Expr c = g + twice_a;
      if (!differentiate(c, q).is_zero()) return {};
      const auto sine = at(g, space_->pool()->pi() / 2), cosine = at(g, zero), rest = at(c, zero);
      if (!sine || !cosine || !rest) return {};
      const Expr a = *sine - *rest, b = *cosine - *rest;
      if (a.is_zero()) return acos(-*rest / b);
      if (b.is_zero()) return asin(-*rest / a);
      return {};
    });
    return root ? *root : std::nullopt;
  }

  // False when the value may be zero wherever the configuration constraints hold: it is so at states found at random.
  bool is_nonzero_on_rows(const Expr& value, const std::set<int>& constraints) const {
    if (!is_proved_nonzero(value)) return false;
    std::vector<Expr> g;
    for (const ConstraintRow& row : rows_) {
      if (has_position(row) && constraints.count(row.constraint) != 0) g.push_back(*row.position);
    }
    return g.empty() || SurfaceSamples(model_, g).differs(value);
  }

  bool is_free_of_configuration(const Expr& e) const {
    const std::vector<Expr> symbols = free_symbols(e);
    return std::none_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
      const SymbolRole* role = model_.role(s);
      return role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden);
    });
  }

  // The fewest of the constraints, left out one by one, with which a form stays holonomic.
  std::set<int> find_needed(const OneForm& form, const std::set<int>& part, int kept) {
    std::set<int> needed = part;
    for (const int i : part) {
      if (i == kept || i < 0) continue;
      std::set<int> fewer = needed;
      fewer.erase(i);
      if (system_of(fewer).is_holonomic(form)) needed = std::move(fewer);
    }
    return needed;
  }

  Names names_of(const std::set<int>& constraints, int except) const {
    Names names;
    for (const int i : constraints) {
      if (i != except && i >= 0) names.push_back(model_.constraints[i].name);
    }
    return names;
  }

  // ---- Rows

  void add_constraint(int index) {
    ConstraintIntegrability c;
    c.constraint = index;
    c.name = model_.constraints[index].name;
    bool has_open_row = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].constraint != index) continue;
      c.rows.push_back(has_position(rows_[i]) ? describe_position(i) : describe_motion(i));
      const RowIntegrability& row = c.rows.back();
      has_open_row = has_open_row || row.integrable != Decision::yes;
      c.integrable = weaker(c.integrable, row.integrable);
      c.holonomic = weaker(c.holonomic, row.holonomic);
      for (const std::string& name : row.with) {
        if (std::find(c.with.begin(), c.with.end(), name) == c.with.end()) c.with.push_back(name);
      }
    }
    // Rows that are not integrable one by one may be so together.
    if (has_open_row && c.rows.size() > 1 && is_integrable_by_itself(index)) {
      c.integrable = Decision::yes;
      c.with.clear();
    }
    result_.constraints.push_back(std::move(c));
  }

  bool is_integrable_by_itself(int index) {
    std::set<int> with_spins = part_of(index);
    std::erase_if(with_spins, [&](int i) { return i >= 0 && i != index; });
    const PfaffianSystem& own = system_of(with_spins);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].constraint == index && !own.is_holonomic(forms_[i])) return false;
    }
    return true;
  }

  RowIntegrability describe_position(std::size_t i) const {
    RowIntegrability row = start_row(i);
    row.integrable = row.holonomic = Decision::yes;
    row.factor = model_.pool->one();
    row.integral = *rows_[i].position;
    return row;
  }

  RowIntegrability start_row(std::size_t i) const {
    RowIntegrability row;
    row.component = rows_[i].component;
    row.frame = rows_[i].frame;
    if (space_) row.form = name_form(any_time_[i]);
    return row;
  }

  std::vector<std::pair<std::string, Expr>> name_form(const OneForm& form) const {
    std::vector<std::pair<std::string, Expr>> named;
    for (std::size_t a = 0; a < form.size(); ++a) {
      if (!form[a].is_zero()) named.emplace_back(space_->directions()[a].name, form[a]);
    }
    return named;
  }

  FormWitness name_component(const FormComponent& component) const {
    FormWitness named{{}, component.value, component.is_only};
    for (const std::size_t a : component.directions)
      named.directions.push_back(space_->directions()[a].name);
    return named;
  }

  RowIntegrability describe_motion(std::size_t i) {
    RowIntegrability row = start_row(i);
    const auto any_time = wedge_of(any_time_[i]);
    const auto wedge = any_time ? wedge_of(forms_[i]) : std::nullopt;
    if (!wedge) {
      row.integrable = row.holonomic = Decision::yes;
      const FormIntegral found =
          find_integral(any_time ? forms_[i] : any_time_[i], rows_[i].velocity);
      row.factor = found.factor;
      row.integral = found.integral;
      return row;
    }
    if (!implied_of(part_of(rows_[i].constraint)).empty()) return describe_beside_spins(i, row);
    const bool is_proved = is_proved_nonzero(wedge->value);
    row.integrable = is_proved ? Decision::no : Decision::undecided;
    row.witness = name_component(is_defined_nonzero(*any_time) ? *any_time : *wedge);
    judge_on_set(i, is_proved, &row);
    return row;
  }

  // What spins imply is no constraint: a row by itself means a row with it. A driven angle is a function of time.
  RowIntegrability describe_beside_spins(std::size_t i, RowIntegrability row) {
    std::vector<PfaffianSystem::Form> forms = {{forms_[i], false}};
    for (const OneForm& form : implied_of(part_of(rows_[i].constraint)))
      forms.push_back({form, false});
    const PfaffianSystem own(&*space_, forms, {});
    if (own.is_holonomic(forms_[i])) {
      row.integrable = row.holonomic = Decision::yes;
      return row;
    }
    const auto obstruction = own.find_obstruction(forms_[i]);
    const bool is_proved = !obstruction || is_proved_nonzero(obstruction->value);
    row.integrable = is_proved ? Decision::no : Decision::undecided;
    if (obstruction) row.witness = name_component(*obstruction);
    judge_on_set(i, is_proved, &row);
    return row;
  }

  std::vector<OneForm> implied_of(const std::set<int>& part) const {
    std::vector<OneForm> forms;
    for (std::size_t k = 0; k < implied_.size(); ++k) {
      if (part.count(-1 - static_cast<int>(k)) != 0) forms.push_back(implied_[k]);
    }
    return forms;
  }

  bool is_defined_nonzero(const FormComponent& component) const {
    const auto value = try_substitute(component.value, definitions_);
    return value && is_proved_nonzero(*value);
  }

  // Nothing where a candidate has no value.
  FormIntegral find_integral(const OneForm& form, const ScalarMotion& row) {
    const auto found = attempt([&] { return search_->find(form, row); });
    return found ? *found : FormIntegral{};
  }

  std::optional<FormComponent> wedge_of(const OneForm& form) {
    return find_wedge(form, space_->exterior_derivative(form));
  }

  void judge_on_set(std::size_t i, bool is_proved, RowIntegrability* row) {
    const int own = rows_[i].constraint;
    const std::set<int>& part = part_of(own);
    const PfaffianSystem& all = system_of(part);
    if (all.is_holonomic(forms_[i])) {
      row->holonomic = Decision::yes;
      const std::set<int> needed = find_needed(forms_[i], part, own);
      row->with = names_of(needed, own);
      row->joint_integral = integrate_jointly(i, needed);
      return;
    }
    row->holonomic = is_proved ? Decision::no : Decision::undecided;
    if (const auto obstruction = all.find_obstruction(forms_[i])) {
      row->obstruction = name_component(*obstruction);
      if (!is_nonzero_on_rows(obstruction->value, part)) row->holonomic = Decision::undecided;
    }
  }

  // The integral of a row where the integrals G = C of others hold: each gives a coordinate that it is linear in, and the row
  // is left with the others.
  std::optional<Expr> integrate_jointly(std::size_t i, const std::set<int>& needed) {
    OneForm form = forms_[i];
    Replacements constants;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      if (j == i || needed.count(rows_[j].constraint) == 0) continue;
      const auto G = has_position(rows_[j]) ? rows_[j].position : integrate_row(j);
      if (!G) continue;
      const Expr C = space_->pool()->scratch_symbol("constant " + std::to_string(j));
      const auto is_held = attempt([&] { return hold(*G, C, &form); });
      if (is_held && *is_held) constants.emplace_back(C, *G);
    }
    if (space_->has_turns(form) || wedge_of(form)) return std::nullopt;
    const FormIntegral found = find_integral(form, {{}, space_->pool()->zero()});
    if (!found.integral) return std::nullopt;
    const auto put = try_substitute(*found.integral, constants);
    if (!put) return std::nullopt;
    const Expr& F = *put;
    std::vector<std::vector<Expr>> rows;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      if (needed.count(rows_[j].constraint) != 0) rows.push_back(forms_[j]);
    }
    const bool is_proved = is_spanned(space_->slopes(F), reduce_rows(rows, space_->time()));
    return is_proved ? std::optional<Expr>(F) : std::nullopt;
  }

  std::optional<Expr> integrate_row(std::size_t j) {
    if (wedge_of(forms_[j])) return std::nullopt;
    return find_integral(forms_[j], rows_[j].velocity).integral;
  }

  // The form where G = C; false when G gives no coordinate.
  bool hold(const Expr& G, const Expr& C, OneForm* form) {
    const std::vector<Expr> slopes = space_->slopes(G);
    for (std::size_t v = 0; v < space_->time(); ++v) {
      const Expr& x = space_->directions()[v].symbol;
      const bool is_used =
          !(*form)[v].is_zero() || std::any_of(form->begin(), form->end(), [&](const Expr& e) {
            return x.valid() && depends_on(e, x);
          });
      if (!x.valid() || !is_used || slopes[v].is_zero() || !is_free_of_configuration(slopes[v]))
        continue;
      const Replacements put = {{x, x + (C - G) / slopes[v]}};
      const Expr factor = (*form)[v] / slopes[v];
      OneForm held;
      for (std::size_t a = 0; a < form->size(); ++a)
        held.push_back(substitute((*form)[a] - factor * slopes[a], put));
      *form = std::move(held);
      return true;
    }
    return false;
  }

  // ---- Combinations

  void find_combinations(const std::set<int>& part) {
    const PfaffianSystem& all = system_of(part);
    std::vector<std::vector<Expr>> known;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (part.count(rows_[i].constraint) != 0 && all.is_holonomic(forms_[i]))
        known.push_back(forms_[i]);
    }
    for (const OneForm& form : all.integrable().rows) {
      if (is_spanned(form, reduce_rows(known, space_->time()))) continue;
      known.push_back(form);
      IntegrableCombination c;
      c.constraints = names_of(find_needed(form, part, -1), -1);
      if (c.constraints.empty()) continue;  // of spins alone
      c.form = name_form(form);
      if (!space_->has_turns(form) && !wedge_of(form)) {
        const FormIntegral found = find_integral(form, {{}, model_.pool->zero()});
        c.factor = found.factor;
        c.integral = found.integral;
      }
      result_.combinations.push_back(std::move(c));
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  std::vector<ConstraintRow> rows_;
  std::optional<ConfigurationSpace> space_;
  std::optional<IntegralSearch> search_;
  Replacements definitions_;
  std::vector<OneForm> any_time_, forms_, implied_;  // of any functions of time, and of the model's
  std::vector<std::set<int>> parts_;
  std::map<std::set<int>, PfaffianSystem> systems_;
  Integrability result_;
};

}  // namespace

bool is_of_configuration(const ConstraintData& constraint) {
  return constraint.kind == ConstraintData::Kind::configuration ||
         constraint.kind == ConstraintData::Kind::lock;
}

Integrability analyze_integrability(const Kinematics& motion) {
  Workspace work(motion.pool());
  Integrability found = IntegrabilityAnalysis(motion).analyze();
  found.pool = work.finish();
  return found;
}

int accessible_dimension(const Integrability& found, const ConsistentStart& start) {
  return start.degrees_of_freedom + found.gained;
}

}  // namespace visviva
