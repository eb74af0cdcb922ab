#include "visviva/equations/methods/derive.h"

#include "visviva/equations/methods/hamilton.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/equations/methods/lagrange.h"
#include "visviva/equations/methods/newton_euler.h"

namespace visviva {

Equations derive(const Kinematics& motion, Method method) {
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

}  // namespace visviva
