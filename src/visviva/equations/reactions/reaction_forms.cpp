#include "visviva/equations/reactions/reaction_forms.h"

#include <algorithm>

#include "visviva/equations/reactions/reaction_parts.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {
namespace {

void add(const Column3& c, std::vector<Expr>* sum) {
  for (std::size_t i = 0; i < 3; ++i) (*sum)[i] += c[i];
}

std::vector<Expr> list(const Column3& c) { return {c[0], c[1], c[2]}; }

Column3 column(const std::vector<Expr>& v) { return {v[0], v[1], v[2]}; }

// axis (axis · v)
Column3 project(const Column3& axis, const std::vector<Expr>& v) {
  return dot(axis, column(v)) * axis;
}

}  // namespace

std::vector<Expr> ResultForm::total(const std::vector<Expr>& multipliers) const {
  std::vector<Expr> all = values;
  for (std::size_t i = 0; i < by_rows.size(); ++i) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += multipliers[i] * by_rows[i][k];
  }
  return all;
}

ReactionForms::ReactionForms(const Equations& equations)
    : parts_(std::make_unique<ReactionParts>(equations)) {}
ReactionForms::~ReactionForms() = default;

ResultForm ReactionForms::make_empty(std::size_t components) const {
  const std::vector<Expr> none(components, parts_->model.pool->zero());
  return {none, std::vector<std::vector<Expr>>(parts_->rows.size(), none), true, {}};
}

Column3 ReactionForms::arm(int point, int about) const {
  return parts_->sheet.column(parts_->positions[point]) -
         parts_->sheet.column(parts_->positions[about]);
}

// The force of an action, or its moment about a point.
Column3 ReactionForms::column_of(const Action& action, int about, Part part) const {
  const Column3 own = parts_->sheet.column(action.column);
  if (part == Part::force) return action.is_torque ? zero_column(*parts_->model.pool) : own;
  return action.is_torque ? own : cross(arm(action.place, about), own);
}

// reactions.h (1), (2)
ResultForm ReactionForms::balance_at(int point, Part part) const {
  const ReactionParts& p = *parts_;
  ResultForm form = make_empty(3);
  for (const ReactionParts::Body& body : p.bodies) {
    if (!p.tree.hangs_on(body.point, point)) continue;
    const Column3 ma = p.sheet.column(body.force);
    add(part == Part::force ? ma : cross(arm(body.point, point), ma), &form.values);
    if (part == Part::moment && body.torque) add(p.sheet.column(*body.torque), &form.values);
  }
  for (const ReactionParts::LoadEntry& load : p.loads) {
    form.is_known = form.is_known && p.is_known_at(load, point);
    for (const Action& a : load.actions) {
      if (p.is_beyond(a, point)) add(-column_of(a, point, part), &form.values);
    }
  }
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    form.is_known = form.is_known && p.rows[i].is_placed;
    for (const Action& a : p.rows[i].actions) {
      if (p.is_beyond(a, point)) add(-column_of(a, point, part), &form.by_rows[i]);
    }
  }
  for (const ReactionParts::OpenEntry& entry : p.open) {
    form.is_known = form.is_known && entry.is_placed;
    lose_along(p.choose(entry.all(), point), point, part, &form);
  }
  return form;
}

// The balance without what contacts alone carry: that acts there, not at the point. What contacts share with others
// leaves it open. A motor's part is in it, as where the motion is given without a coordinate.
ResultForm ReactionForms::react_at(int point, Part part) const {
  const ReactionParts& p = *parts_;
  ResultForm form = balance_at(point, part);
  for (const ReactionParts::Support& support : p.supports) {
    const int count = p.count_support(support, point);
    if (count == 0) continue;
    const ResultForm whole = balance_at(support.root, Part::force);
    const Column3 lever = arm(support.contact, point);
    for (const std::size_t place : support.axes) {
      const Column3 axis = p.sheet.column(place);
      if (!support.is_only) {
        form.losses.push_back(list(part == Part::force ? axis : cross(lever, axis)));
        continue;
      }
      const auto carried = [&](const std::vector<Expr>& balance) {
        const Column3 force = project(axis, balance);
        const Column3 whole_part = part == Part::force ? force : cross(lever, force);
        return count > 0 ? -whole_part : whole_part;
      };
      add(carried(whole.values), &form.values);
      for (const std::vector<Expr>& loss : whole.losses) form.losses.push_back(list(carried(loss)));
      for (std::size_t i = 0; i < p.rows.size(); ++i)
        add(carried(whole.by_rows[i]), &form.by_rows[i]);
    }
  }
  for (const ReactionParts::Idle& condition : p.idle)
    lose_along(p.choose(condition.actions, point), point, part, &form);
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    for (const Action& a : p.rows[i].actions) {
      if (p.rows[i].is_drive && p.is_beyond(a, point))
        add(column_of(a, point, part), &form.by_rows[i]);
    }
  }
  return form;
}

void ReactionForms::lose_along(const std::vector<Action>& shared, int about, Part part,
                               ResultForm* form) const {
  std::vector<Expr> sum(3, parts_->model.pool->zero());
  for (const Action& a : shared) add(column_of(a, about, part), &sum);
  form->losses.push_back(std::move(sum));
}

// The same as in reactions.cpp.
void ReactionForms::lose_shared(int constraint, Part part, ResultForm* form) const {
  const ReactionParts& p = *parts_;
  const ReactionParts::Subject subject = p.find_subject(*p.first_row(constraint));
  for (const ReactionParts::OpenEntry& entry : p.open) {
    std::vector<Expr> has(3, p.model.pool->zero());
    for (const Action& a : p.choose(entry.of(constraint, p.rows), subject))
      add(column_of(a, subject.point, part), &has);
    std::vector<Expr> sum = has;
    for (const Action& a : p.choose(entry.own, subject))
      add(column_of(a, subject.point, part), &sum);
    for (std::size_t k = 0; k < 3; ++k) {
      if (has[k].is_zero()) sum[k] = has[k];
    }
    form->losses.push_back(std::move(sum));
  }
}

ResultForm ReactionForms::react_on(int constraint, Part part) const {
  const ReactionParts& p = *parts_;
  ResultForm form = make_empty(3);
  const ReactionParts::RowEntry& first = *p.first_row(constraint);
  form.is_known = first.is_placed && !first.actions.empty();
  if (!form.is_known) return form;
  const ReactionParts::Subject subject = p.find_subject(first);
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    if (p.rows[i].constraint != constraint) continue;
    form.is_known = form.is_known && p.rows[i].is_placed;
    for (const Action& a : p.rows[i].actions) {
      if (p.acts_on(subject, a)) add(column_of(a, subject.point, part), &form.by_rows[i]);
    }
  }
  if (part == Part::force) add_support(constraint, &form);
  for (const ReactionParts::Idle& condition : p.idle) {
    if (condition.constraint == constraint)
      lose_along(p.choose(condition.actions, subject), subject.point, part, &form);
  }
  lose_shared(constraint, part, &form);
  return form;
}

// What a contact carries along axes without a row: all of the balance, or nobody knows how much. The
// force has no moment about the contact.
void ReactionForms::add_support(int constraint, ResultForm* form) const {
  const ReactionParts& p = *parts_;
  for (const ReactionParts::Support& support : p.supports) {
    if (support.constraint != constraint) continue;
    const ResultForm whole = balance_at(support.root, Part::force);
    for (const std::size_t place : support.axes) {
      const Column3 axis = p.sheet.column(place);
      if (!support.is_only || !whole.is_known) form->losses.push_back(list(axis));
      for (const std::vector<Expr>& loss : whole.losses)
        form->losses.push_back(list(project(axis, loss)));
      if (!support.is_only) continue;
      add(project(axis, whole.values), &form->values);
      for (std::size_t i = 0; i < p.rows.size(); ++i)
        add(project(axis, whole.by_rows[i]), &form->by_rows[i]);
    }
  }
}

ResultForm ReactionForms::make(const std::string& name, Part part) const {
  const ReactionParts& p = *parts_;
  for (std::size_t c = 0; c < p.model.constraints.size(); ++c) {
    const int constraint = static_cast<int>(c);
    if (p.model.constraints[c].name == name && p.first_row(constraint) != nullptr)
      return without_strangers(react_on(constraint, part));
  }
  for (std::size_t P = 0; P < p.model.points.size(); ++P) {
    const int point = static_cast<int>(P);
    if (p.model.points[P].name == name && p.carries_mass(point))
      return without_strangers(react_at(point, part));
  }
  return make_unknown(3);
}

ResultForm ReactionForms::make_unknown(std::size_t components) const {
  ResultForm nothing = make_empty(components);
  nothing.is_known = false;
  return nothing;
}

ResultForm ReactionForms::make_reaction(const std::string& name) const {
  return make(name, Part::force);
}

ResultForm ReactionForms::make_moment(const std::string& name) const {
  return make(name, Part::moment);
}

ResultForm ReactionForms::make_multiplier(const std::string& constraint) const {
  const ReactionParts& p = *parts_;
  const auto found = std::find_if(p.model.constraints.begin(), p.model.constraints.end(),
                                  [&](const ConstraintData& c) { return c.name == constraint; });
  const bool is_one = found != p.model.constraints.end() &&
                      (found->scalar.valid() || found->kind == ConstraintData::Kind::lock);
  ResultForm form = make_empty(is_one ? 1 : 3);
  form.is_known = false;
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    if (p.model.constraints[p.rows[i].constraint].name != constraint) continue;
    form.is_known = true;
    if (is_one)
      form.by_rows[i][0] = p.model.pool->one();
    else
      add(p.sheet.column(p.rows[i].axis), &form.by_rows[i]);
  }
  for (const ReactionParts::Idle& condition : p.idle) {
    if (is_one || p.model.constraints[condition.constraint].name != constraint) continue;
    form.losses.push_back(list(zero_column(*p.model.pool)));
    form.losses.back()[condition.component] = p.model.pool->one();
  }
  return form;
}

// reactions.h (3)
ResultForm ReactionForms::make_motor(const std::string& name) const {
  const ReactionParts& p = *parts_;
  ResultForm form = make_empty(1);
  const auto motor = std::find_if(p.motors.begin(), p.motors.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  form.is_known = motor != p.motors.end() && motor->is_determined;
  if (motor == p.motors.end()) return form;
  Expr& force = form.values[0];
  const auto dotted = [&](std::size_t a, std::size_t b) {
    return dot(p.sheet.column(a), p.sheet.column(b));
  };
  for (std::size_t b = 0; b < p.bodies.size(); ++b) {
    force += dotted(p.bodies[b].force, motor->body_v[b]);
    if (p.bodies[b].torque) force += dotted(*p.bodies[b].torque, motor->body_w[b]);
  }
  std::size_t next = 0;
  for (const ReactionParts::LoadEntry& load : p.loads) {
    for (const Action& a : load.actions) force -= dotted(a.column, motor->load_slopes[next++]);
  }
  for (std::size_t i = 0; i < p.rows.size(); ++i)
    form.by_rows[i][0] = -p.sheet.expr(motor->row_slopes[i]);
  for (const std::size_t slope : motor->open_slopes) form.losses.push_back({p.sheet.expr(slope)});
  return without_strangers(std::move(form));
}

ResultForm ReactionForms::make_motor_power(const std::string& name) const {
  const ReactionParts& p = *parts_;
  ResultForm form = make_motor(name);
  const auto motor = std::find_if(p.motors.begin(), p.motors.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  if (motor == p.motors.end()) return form;
  const Expr& rate = p.sheet.expr(motor->rate);
  form.values[0] *= rate;
  for (std::vector<Expr>& row : form.by_rows) row[0] *= rate;
  return form;
}

std::optional<ResultForm> ReactionForms::make_load_power(const std::string& name,
                                                         const Expr& power) const {
  const ReactionParts& p = *parts_;
  ResultForm form = make_empty(1);
  form.values[0] = power;
  for (const ReactionParts::LoadEntry& load : p.loads) {
    for (std::size_t k = 0; load.name == name && k < load.open_powers.size(); ++k)
      form.losses.push_back({p.sheet.expr(load.open_powers[k])});
  }
  std::erase_if(form.losses, [](const std::vector<Expr>& loss) { return loss[0].is_zero(); });
  if (form.losses.empty()) return {};
  return form;
}

// Auxiliary speeds are zero; an unknown force that drops out of the equations has no value, nor has
// what needs one.
ResultForm ReactionForms::without_strangers(ResultForm form) const {
  const ModelData& model = parts_->model;
  const std::vector<Expr>& solved = parts_->equations.unknowns;
  Replacements none;
  for (const AuxiliaryData& a : model.auxiliaries) none.emplace_back(a.symbol, model.pool->zero());
  for (const UnknownData& u : model.unknowns) {
    if (std::find(solved.begin(), solved.end(), u.symbol) != solved.end()) continue;
    std::vector<Expr> lost;
    for (const Expr& e : form.values)
      lost.push_back(depends_on(e, u.symbol) ? model.pool->one() : model.pool->zero());
    form.losses.push_back(std::move(lost));
    none.emplace_back(u.symbol, model.pool->zero());
  }
  if (none.empty()) return form;
  Substitution put(*model.pool, none);
  form.values = put(form.values);
  for (std::vector<Expr>& row : form.by_rows) row = put(row);
  return form;
}

}  // namespace visviva
