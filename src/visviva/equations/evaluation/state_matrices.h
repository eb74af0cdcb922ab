// Matrices of the equations at one state, as numbers: mass matrix, jacobians of points, and the
// forces that given accelerations ask for.
//
//   M u' = f + τ,   τ = M u' - f                                                                (1)
// with constraints embedded: speeds are the independent ones, and τ acts on them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/equations/constraints/embed.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

struct StateMatrices {
  std::vector<std::string> speeds;  ///< the independent ones
  std::vector<std::vector<double>> mass_matrix;
};

/// M at a state, or why the constraints cannot be embedded.
Result<StateMatrices, NotEmbedded> compute_matrices(const Equations& equations,
                                                    const ConsistentStart& at);

/// The velocity of a point along the axes of N for each speed of the model: v = J u + remainder.
struct PointJacobian {
  std::string point;
  std::array<std::vector<double>, 3> rows;
};

/// Of all points of the model.
std::vector<PointJacobian> compute_jacobians(const Equations& equations, const ConsistentStart& at);

/// τ of (1) for rates of the independent speeds, in their order. ModelError where the model has unknown forces.
Result<std::vector<double>, NotEmbedded> compute_inverse(const Equations& equations,
                                                         const ConsistentStart& at,
                                                         const std::vector<double>& speed_rates);

}  // namespace visviva
