#include "visviva/report/derivation/causes.h"

#include <algorithm>

namespace visviva {

Causes::Causes(const Kinematics& motion) {
  const ModelData& model = motion.model();
  for (const Load& load : collect_loads(motion)) {
    list_.push_back({Cause::Kind::load, load.name, load.source.span.line});
    if (load.kind == Load::Kind::gravity) list_.back().weight_of = load.index;
  }
  for (const BodyData& body : model.bodies)
    list_.push_back({Cause::Kind::body, body.name, body.source.span.line});
  for (const ConstraintData& constraint : model.constraints)
    list_.push_back({Cause::Kind::constraint, constraint.name, constraint.source.span.line});
  for (const SpecifiedData& specified : model.specified)
    list_.push_back({Cause::Kind::motor, specified.name, specified.source.span.line});
}

std::optional<int> Causes::find(Cause::Kind kind, const std::string& name) const {
  const auto found = std::find_if(list_.begin(), list_.end(),
                                  [&](const Cause& c) { return c.kind == kind && c.name == name; });
  if (found == list_.end()) return {};
  return static_cast<int>(found - list_.begin());
}

std::optional<int> Causes::find_weight(int body) const {
  const auto found =
      std::find_if(list_.begin(), list_.end(), [&](const Cause& c) { return c.weight_of == body; });
  if (found == list_.end()) return {};
  return static_cast<int>(found - list_.begin());
}

std::vector<int> Causes::at_line(int line) const {
  std::vector<int> causes;
  if (line == 0) return causes;
  for (std::size_t i = 0; i < list_.size(); ++i)
    if (list_[i].line == line) causes.push_back(static_cast<int>(i));
  return causes;
}

}  // namespace visviva
