#include "visviva/equations/equations.h"

#include "visviva/equations/hamilton.h"
#include "visviva/equations/kane.h"
#include "visviva/equations/lagrange.h"
#include "visviva/equations/newton_euler.h"

namespace visviva {

std::string_view method_name(Method method) {
  switch (method) {
    case Method::kane:
      return "kane";
    case Method::lagrange:
      return "lagrange";
    case Method::hamilton:
      return "hamilton";
    case Method::newton_euler:
      return "newton-euler";
  }
  throw InternalError("method_name: unknown method");
}

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
