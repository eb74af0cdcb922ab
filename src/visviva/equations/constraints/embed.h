// Constraints embedded: equations for the independent speeds alone, as people write them.
//
// The rows A u + c = 0 give the dependent speeds u_d = T u_i + s. With G = [1; T], all speeds are
// u = G u_i + (0; s) and
//   (G' M G) u_i' = G' (f - M g),    g = (0; what u_d' holds besides T u_i')                    (1)
// Pivots are not zero in the field nor at the start state; the determinant whose zero ends the
// validity is kept. For running, constraints are solved numerically (solve.h).
#pragma once

#include <optional>

#include "visviva/base/error.h"
#include "visviva/base/result.h"
#include "visviva/equations/equations.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/attempt.h"

namespace visviva {

struct EmbeddedEquations {
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions
  std::vector<int> independent;      ///< speeds, in their order
  std::vector<int> dependent;
  std::vector<Expr> dependent_speeds;           ///< each in terms of independent ones
  std::vector<Expr> offsets;                    ///< s, what they are without independent ones
  std::vector<std::vector<Expr>> transmission;  ///< T, a row for each dependent speed
  Expr validity;                                ///< must not vanish; 1 when nothing can go wrong
  std::vector<std::vector<Expr>> mass_matrix;   ///< G'MG
  std::vector<Expr> forcing;
  std::vector<Expr> active_forces;   ///< F_r
  std::vector<Expr> inertia_forces;  ///< F_r*, with the symbols u' of independent speeds
};

/// The constraints solved for dependent speeds, without what prescribed motions add: u_d = T u_i.
struct SpeedDependence {
  std::vector<int> independent, dependent;      ///< speeds, in their order
  std::vector<std::vector<Expr>> transmission;  ///< T, a row for each dependent speed
};

/// The dependence with speeds and rows chosen at a state, where T has values: rows that say nothing new there are left
/// out. Nothing where a divisor is zero. Built in the workspace of the caller.
std::optional<SpeedDependence> find_speed_dependence(const Equations& equations,
                                                     const StartState& state);

/// The speeds that the constraints determine: those the model names as `dependent`, else the last
/// declared that form a regular set at the start state. Indices in ascending order.
std::vector<int> choose_dependent_speeds(const Equations& equations);

/// Why constraints cannot be solved for dependent speeds. A sentence is made of it in
/// report/derivation/reason_text.h.
struct NotEmbedded {
  enum class Kind {
    contradictory,  ///< at the start they determine fewer speeds than they seem to
    undefined       ///< something is divided by what is zero where the constraints hold
  };
  Kind kind = Kind::contradictory;
  std::optional<Undefined> undefined{};
};

/// The embedded equations, or why there are none. ModelError when the model has no consistent start.
Result<EmbeddedEquations, NotEmbedded> try_embed_constraints(const Equations& equations);
/// The embedded equations; UsageError where there are none.
EmbeddedEquations embed_constraints(const Equations& equations);
/// The error that embed_constraints() throws.
UsageError make_embedding_error(const NotEmbedded& why);

}  // namespace visviva
