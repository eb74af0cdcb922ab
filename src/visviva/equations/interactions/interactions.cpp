#include "visviva/equations/interactions/interactions.h"

#include <algorithm>

#include "visviva/base/result_table.h"
#include "visviva/equations/interactions/interaction_maker.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// Some row changes with time while all coordinates are held.
bool has_moving_rows(const Equations& equations) {
  const HeldMotion held(equations.motion);
  return std::any_of(equations.rows.begin(), equations.rows.end(),
                     [&](const ConstraintRow& row) { return !held.rate(row.velocity).is_zero(); });
}

}  // namespace

Interactions analyze_interactions(const Equations& equations) {
  Workspace work(equations.pool());
  Interactions result(equations);
  PartTable parts(equations.motion);
  parts.of_frame(0);
  result.list_ = make_interactions(equations, parts);
  result.has_moving_rows_ = has_moving_rows(equations);
  const ModelData& model = equations.motion.model();
  const auto name = [&](const std::string& of) {
    result.part_names_.emplace_back(of, parts.find(of));
  };
  for (const BodyData& body : model.bodies) name(body.name);
  for (const FrameData& frame : model.frames) name(frame.name);
  for (const PointData& point : model.points) name(point.name);
  for (int i = 0; i < parts.size(); ++i) result.parts_.push_back(parts[i]);
  result.pool_ = work.finish();
  return result;
}

const Interaction* Interactions::find(const std::string& name) const {
  const auto found = std::find_if(list_.begin(), list_.end(),
                                  [&](const Interaction& i) { return i.name == name; });
  return found == list_.end() ? nullptr : &*found;
}

int Interactions::find_part(const std::string& name) const {
  for (const auto& [known, part] : part_names_) {
    if (known == name) return part;
  }
  return -1;
}

PowerClass Interactions::classify(const Interaction& potential) const {
  if (has_moving_rows_) return PowerClass::one_multiplier;
  return potential.time.power.is_zero() ? PowerClass::free_multipliers : PowerClass::no_force;
}

std::optional<Interactions::Wrench> Interactions::wrench_on(const Interaction& interaction,
                                                            int part) const {
  if (!interaction.is_placed) return {};
  const ModelData& model = equations_.motion.model();
  const Workspace work = Workspace::continued(*pool_);
  Wrench sum{zero_column(*model.pool), zero_column(*model.pool)};
  for (const PartAction& a : interaction.actions) {
    if (a.part != part) continue;
    const Frame N(model, 0);
    sum = {a.force.in(N), a.moment.in(N)};
  }
  return sum;
}

std::optional<Expr> Interactions::find_component(const std::string& name) const {
  const std::optional<CalledResult> called = find_result_call(name);
  const auto action = called ? called->action() : std::nullopt;
  if (!action) return {};
  const Interaction* interaction = find(action->first);
  const int part = find_part(action->second);
  if (interaction == nullptr || part < 0) return {};
  const std::optional<Expr> value = find_value(*called, *interaction, part, name.back());
  if (!value) return {};
  for (const Expr& s : interaction->open) {
    if (depends_on(*value, s)) return {};
  }
  return value;
}

// A component of a force or moment, or the power.
std::optional<Expr> Interactions::find_value(const CalledResult& called,
                                             const Interaction& interaction, int part,
                                             char axis) const {
  const std::optional<Wrench> wrench = wrench_on(interaction, part);
  if (!wrench) return {};
  if (called.is("power")) return power_on(*wrench, parts_[part]);
  const std::size_t k = std::string_view("xyz").find(axis);
  if (k > 2) return {};
  return called.is("force") ? wrench->force[k] : wrench->moment[k];
}

Expr Interactions::power_on(const Wrench& wrench, const Part& part) const {
  const Workspace work = Workspace::continued(*pool_);
  const Kinematics& motion = equations_.motion;
  const Frame N(motion.model(), 0);
  Expr power = dot(wrench.force, motion.velocity(Point(motion.model(), part.point)).in(N));
  if (part.takes_moments())
    power += dot(wrench.moment, motion.angular_velocity(Frame(motion.model(), part.frame)).in(N));
  return power;
}

std::string_view kind_name(Interaction::Kind kind) {
  constexpr std::string_view names[] = {"gravity", "force",     "torque",      "spring",
                                        "damper",  "potential", "dissipation", "constraint",
                                        "roll",    "lock",      "motor"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace visviva
