// Derivation: equations of motion with everything that a reader wants to see beside them, as
// expressions. Text, LaTeX, JSON and pages are written from it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/lagrange_form.h"
#include "visviva/report/derivation/derivation_column.h"
#include "visviva/report/derivation/shown_bodies.h"

namespace visviva {

/// The partial velocities of a point, or the partial angular velocities of a frame.
struct PartialMotion {
  std::string name;
  std::vector<FramedColumn> by_speed;
  FramedColumn remainder;
};

/// What one load or one body adds to the generalized forces; a value for each independent speed.
struct ForceTerm {
  std::string name;
  Source source{};
  std::vector<Expr> values;
};

/// The momentum form: p_r = momentum, p_r' = rate = force + slope; one for each independent speed.
struct MomentumEquation {
  std::string name;  ///< p_theta, p_u1; p_theta_R where it is not the momentum of the coordinate
  Expr momentum;
  Expr rate;
  Expr force;              ///< tau, the generalized active force
  Expr slope;              ///< sum m v · dv_r/dt + h · dw_r/dt
  std::string coordinate;  ///< whose slope dK/dtheta that is; empty where it is none
};

/// An expression that was asked for: a scalar, or a vector by its components in a frame.
struct ExpressedValue {
  std::string written;  ///< as it was asked for, without the frame
  std::vector<Expr> values;
  std::string frame;  ///< empty for a scalar
};

/// The kinetic energy K and the independent speeds in terms of momenta.
struct EnergyInMomenta {
  Expr K;
  std::vector<Expr> speeds;
};

struct Derivation {
  Equations equations;
  EmbeddedEquations embedded;
  std::vector<std::pair<std::string, Expr>> kinematics;  ///< q' in terms of the speeds
  std::vector<std::pair<std::string, Expr>>
      definitions;  ///< of speeds that have one, in terms of q'
  // Generalized forces on all speeds, as if there were no constraints:
  std::vector<Expr> active_forces;
  std::vector<Expr> inertia_forces;
  // Where the generalized forces of the independent speeds come from:
  std::vector<ForceTerm> active_terms;
  std::vector<ForceTerm> inertia_terms;
  std::vector<Noncontributing> noncontributing;
  std::vector<PartialMotion> points;
  std::vector<PartialMotion> frames;
  std::vector<MomentumEquation> momenta;  ///< with Method::hamilton
  std::optional<LagrangeForm> lagrange;   ///< with Method::lagrange
  std::vector<Expr> multiplier_forces;    ///< f + A'λ of it, where there are constraints
  /// The energy in momenta, with Method::hamilton, for up to three independent speeds, unless the
  /// mass matrix is singular.
  std::optional<EnergyInMomenta> energy_in_momenta;
  ShownBodies free_bodies;                ///< with Method::newton_euler
  std::vector<ExpressedValue> expressed;  ///< ModelData::expressed
  /// How many equations of motion there were before shorten() kept a few, and which it kept; nothing where all are
  /// there.
  struct Shortened {
    std::size_t equations = 0;
    std::vector<std::size_t> rows{};
  };
  std::optional<Shortened> shortened{};
  std::size_t operations = 0;        ///< of kinematics, mass matrix and forcing, after sharing
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions

  const ModelData& model() const { return equations.motion.model(); }
  const std::string& speed_name(int r) const;
  /// Every expression but those that were asked for, for common intermediates.
  std::vector<Expr> expressions() const;
};

struct DerivationOptions {
  bool partial_motions = true;  ///< of every point and frame
  bool terms = true;            ///< where each generalized force comes from
};

Derivation make_derivation(const Equations& equations, const DerivationOptions& options = {});
/// The derivation from constraints that are embedded already.
Derivation make_derivation(const Equations& equations, EmbeddedEquations embedded,
                           const DerivationOptions& options = {});

/// "Kane's equations", "Lagrange's equations", ...
std::string method_title(Method method);

}  // namespace visviva
