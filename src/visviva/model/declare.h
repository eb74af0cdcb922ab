// What the Model's declarations check, whoever makes them: names, roles, dimensions, belonging.
// Each throws UsageError with the function, the offending thing and the code of its diagnostic.
#pragma once

#include <set>
#include <string>

#include "visviva/base/error.h"
#include "visviva/model/model_data.h"

namespace visviva {

namespace dimensions {
extern const Dimension length, mass, duration, moment_of_inertia, force, torque, energy, speed,
    acceleration, rate;
}  // namespace dimensions

Dimension per_second(const Dimension& d, int times = 1);

void require_name(const std::string& name, const char* function);
void require_free_scalar(const ModelData& data, const std::string& name, const char* function);
/// No frame, point, force ... of this name in a list.
template <class List>
void require_free(const List& list, const std::string& name, const char* function,
                  const char* what) {
  for (const auto& item : list) {
    if (item.name != name) continue;
    throw UsageError(function, std::string("the ") + what + " '" + name + "' is declared already",
                     "E-name-twice");
  }
}
void require_free(const std::unordered_map<std::string, int>& places, const std::string& name,
                  const char* function, const char* what);

/// "a parameter", "a rate".
const char* role_name(Role role);
extern const std::set<Role> configuration_roles;  ///< what positions and orientations may contain
extern const std::set<Role> known_roles;          ///< what is known for all times
extern const std::set<Role> motion_roles;         ///< what forces may contain

/// No symbol of a role that is not among those allowed.
void require_roles(const ModelData& data, const Expr& expr, const std::set<Role>& allowed,
                   const char* function, const std::string& what, const char* code = "E-name-kind");
void require_roles(const ModelData& data, const Vector& v, const std::set<Role>& allowed,
                   const char* function, const std::string& what);
/// Refuses a rate that cannot be derived: what a velocity contains is differentiated once more, and
/// x''' is the last rate that is kept.
void require_derivable(const ModelData& data, const Expr& expr, const char* function,
                       const std::string& what);
/// The expression in the model's pool.
Expr in_pool(const ModelData& data, const Quantity& q, const char* function);
/// A scalar made of parameters only, of this dimension.
Expr constant_scalar(const ModelData& data, const Quantity& q, const Dimension& dimension,
                     const char* function, const std::string& what, const char* code);
void require_same(const ModelData& data, const ModelData* other, const char* function);

/// The place of a point or frame in the model's lists. UsageError when it belongs to another model.
int index_of(const ModelData& data, const Point& p, const char* function);
int index_of(const ModelData& data, const Frame& f, const char* function);

}  // namespace visviva
