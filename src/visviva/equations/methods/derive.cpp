#include "visviva/equations/methods/derive.h"

#include "visviva/equations/methods/hamilton.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/equations/methods/lagrange.h"
#include "visviva/equations/methods/newton_euler.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {

namespace {

Equations derive_by(const Kinematics& motion, Method method) {
  switch (method) {
    case Method::kane:
      return derive_kane(motion);
    case Method::lagrange:
      return derive_lagrange(motion);
    case Method::hamilton:
      return derive_hamilton(motion);
    case Method::newton_euler:
      return derive_newton_euler(motion);
  }
  throw InternalError("derive: unknown method");
}

}  // namespace

Equations derive(const Kinematics& motion, Method method) {
  Workspace work(motion.pool());
  Equations equations = derive_by(motion, method);
  equations.own_pool = work.finish();
  return equations;
}

}  // namespace visviva
