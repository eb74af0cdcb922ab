#include "visviva/kinematics/speed_definition.h"

namespace visviva {

std::optional<Expr> find_speed_definition(const Kinematics& motion, const std::string& name) {
  for (const SpeedData& s : motion.model().speeds) {
    if (s.name == name && s.definition) return motion.speed_definition(name);
  }
  return {};
}

}  // namespace visviva
