#include "visviva/equations/interactions/integrability.h"

#include <algorithm>
#include <set>

#include "visviva/equations/interactions/frobenius_system.h"
#include "visviva/equations/interactions/integrability_search.h"
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

bool are_exact(const std::vector<ConstraintRow>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const ConstraintRow& row) { return row.position.has_value(); });
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
    if (!are_exact(rows_) || has_spins(model_)) prepare();
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) add_constraint(static_cast<int>(i));
    if (space_) {
      find_combinations();
      const PfaffianSystem& all = system_of(all_constraints());
      result_.gained = static_cast<int>(all.rank() - all.integrable().rows.size());
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
    const PfaffianSystem& all = system_of(all_constraints());
    if (all.rank() == all.integrable().rows.size() || definitions_.empty()) return;
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

  // ---- Systems

  std::set<int> all_constraints() const {
    std::set<int> all;
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) all.insert(static_cast<int>(i));
    return all;
  }

  // The rows of some constraints, and what spins imply.
  const PfaffianSystem& system_of(const std::set<int>& constraints) {
    const auto found = systems_.find(constraints);
    if (found != systems_.end()) return found->second;
    std::vector<PfaffianSystem::Form> forms;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (constraints.count(rows_[i].constraint) != 0)
        forms.push_back({forms_[i], rows_[i].position.has_value()});
    }
    for (const OneForm& form : implied_) forms.push_back({form, false});
    return systems_.emplace(constraints, PfaffianSystem(&*space_, forms, solve_rows(constraints)))
        .first->second;
  }

  // Coordinates that configuration constraints are linear in, with a slope free of the configuration.
  Replacements solve_rows(const std::set<int>& constraints) const {
    Replacements solved;
    for (const ConstraintRow& row : rows_) {
      if (!row.position || constraints.count(row.constraint) == 0) continue;
      const Expr g = substitute(*row.position, solved);
      for (auto c = model_.coordinates.rbegin(); c != model_.coordinates.rend(); ++c) {
        if (c->quaternion >= 0 || !depends_on(g, c->q)) continue;
        const Expr slope = differentiate(g, c->q);
        if (slope.is_zero() || !is_free_of_configuration(slope)) continue;
        const Replacements own = {{c->q, c->q - g / slope}};
        for (auto& entry : solved) entry.second = substitute(entry.second, own);
        solved.push_back(own[0]);
        break;
      }
    }
    return solved;
  }

  bool is_free_of_configuration(const Expr& e) const {
    const std::vector<Expr> symbols = free_symbols(e);
    return std::none_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
      const SymbolRole* role = model_.role(s);
      return role != nullptr && (role->role == Role::coordinate || role->role == Role::hidden);
    });
  }

  // The fewest of the constraints, left out one by one, with which a form stays holonomic.
  std::set<int> find_needed(const OneForm& form, int kept) {
    std::set<int> needed = all_constraints();
    for (const int i : all_constraints()) {
      if (i == kept) continue;
      std::set<int> fewer = needed;
      fewer.erase(i);
      if (system_of(fewer).is_holonomic(form)) needed = std::move(fewer);
    }
    return needed;
  }

  Names names_of(const std::set<int>& constraints, int except) const {
    Names names;
    for (const int i : constraints) {
      if (i != except) names.push_back(model_.constraints[i].name);
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
      c.rows.push_back(rows_[i].position ? describe_position(i) : describe_motion(i));
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
    const PfaffianSystem& own = system_of({index});
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
    FormWitness named{{}, component.value};
    for (const std::size_t a : component.directions)
      named.directions.push_back(space_->directions()[a].name);
    return named;
  }

  RowIntegrability describe_motion(std::size_t i) {
    RowIntegrability row = start_row(i);
    const bool holds_any_time = !wedge_of(any_time_[i]);
    const auto wedge = holds_any_time ? std::nullopt : wedge_of(forms_[i]);
    if (!wedge) {
      row.integrable = row.holonomic = Decision::yes;
      const FormIntegral found =
          search_->find(holds_any_time ? any_time_[i] : forms_[i], rows_[i].velocity);
      row.factor = found.factor;
      row.integral = found.integral;
      return row;
    }
    const bool is_proved = is_proved_nonzero(wedge->value);
    row.integrable = is_proved ? Decision::no : Decision::undecided;
    row.witness = name_component(*wedge);
    judge_on_set(i, is_proved, &row);
    return row;
  }

  std::optional<FormComponent> wedge_of(const OneForm& form) {
    return find_wedge(form, space_->exterior_derivative(form));
  }

  void judge_on_set(std::size_t i, bool is_proved, RowIntegrability* row) {
    const PfaffianSystem& all = system_of(all_constraints());
    const int own = rows_[i].constraint;
    if (all.is_holonomic(forms_[i])) {
      row->holonomic = Decision::yes;
      row->with = names_of(find_needed(forms_[i], own), own);
      return;
    }
    row->holonomic = is_proved ? Decision::no : Decision::undecided;
    if (const auto obstruction = all.find_obstruction(forms_[i])) {
      row->obstruction = name_component(*obstruction);
      if (!is_proved_nonzero(obstruction->value)) row->holonomic = Decision::undecided;
    }
  }

  // ---- Combinations

  void find_combinations() {
    std::vector<std::vector<Expr>> known;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (system_of(all_constraints()).is_holonomic(forms_[i])) known.push_back(forms_[i]);
    }
    for (const OneForm& form : system_of(all_constraints()).integrable().rows) {
      if (is_spanned(form, reduce_rows(known, space_->time()))) continue;
      known.push_back(form);
      const std::set<int> needed = find_needed(form, -1);
      if (needed.empty()) continue;  // of a spin alone
      IntegrableCombination c;
      c.constraints = names_of(needed, -1);
      c.form = name_form(form);
      if (!space_->has_turns(form) && !wedge_of(form)) {
        const FormIntegral found = search_->find(form, {{}, model_.pool->zero()});
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
  std::map<std::set<int>, PfaffianSystem> systems_;
  Integrability result_;
};

}  // namespace

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
