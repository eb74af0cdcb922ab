// derive: the equations of motion of a model by the method one asks for.
#pragma once

#include "visviva/equations/equations.h"

namespace visviva {

/// The equations of motion by a method. ModelError when a constraint or a force is not of the form
/// the method needs.
Equations derive(const Kinematics& motion, Method method = Method::kane);

}  // namespace visviva
