// The definition of a declared speed, where it has one.
#pragma once

#include <optional>
#include <string>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// The definition as Kinematics::speed_definition gives it; nothing for a free speed and for one
/// that was not declared.
std::optional<Expr> find_speed_definition(const Kinematics& motion, const std::string& name);

}  // namespace visviva
