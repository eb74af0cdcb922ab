#include "visviva/equations/equations.h"

#include "visviva/base/error.h"

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

}  // namespace visviva
