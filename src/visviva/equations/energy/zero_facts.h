// Is a quantity zero along the motion, for which models and motions: the facts that integrals rest
// on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "visviva/equations/energy/along_motion.h"
#include "visviva/equations/energy/integrals.h"

namespace visviva {

class StartMotion;
class ConstraintManifold;

enum class ZeroVerdict { zero, not_zero, undecided };

/// What is zero from the start state alone is not zero, and `extent` says so.
struct ZeroFact {
  ZeroVerdict verdict = ZeroVerdict::undecided;
  Scope scope = Scope::all_parameters;
  Extent extent = Extent::every_motion;
  std::string condition{};  ///< which values make it zero: "b = 0"; empty for all
  bool is_numeric = false;  ///< found by numbers at some states, and not proved
};

class ZeroFacts {
 public:
  explicit ZeroFacts(const Energies& energies);
  ~ZeroFacts();

  /// A function of configuration, independent speeds and time.
  ZeroFact examine(const Expr& e);
  /// d/dt of one along the motion, plus another function.
  ZeroFact examine_derivative(const Expr& e, const Expr& plus);
  /// The same without the motion from the start state, and silent about what is not zero.
  ZeroFact find_constant(const Expr& e);
  /// d/dt along the motion for all parameters, where accelerations are determined.
  std::optional<Expr> derivative(const Expr& e) { return symbolic_.derivative(e); }
  /// Parameters or functions have values at all.
  bool has_values() const { return !values_.replacements().empty(); }
  /// What the motion from the start state keeps, when it was asked for.
  std::vector<std::string> kept_at_start();
  /// Why the start state was not examined; empty otherwise.
  std::string start_refusal();

 private:
  ZeroFact decide(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued);
  ZeroFact find_zero(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued);
  std::string find_condition(const Expr& symbolic);
  StartMotion& start_motion();
  ConstraintManifold& manifold();

  const Energies& energies_;
  ModelValues values_;
  AlongMotion symbolic_, valued_;
  Substitution positions_;  // on the constraints
  bool has_positions_;
  std::unique_ptr<StartMotion> start_;
  std::unique_ptr<ConstraintManifold> manifold_;
};

}  // namespace visviva
