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
struct StateSamples;

enum class ZeroVerdict { zero, not_zero, undecided };

/// Whether an expression is zero, and how that is known. What is zero from the start state alone is
/// not zero, and `extent` says so.
struct ZeroFact {
  ZeroVerdict verdict = ZeroVerdict::undecided;
  Scope scope = Scope::all_parameters;
  Extent extent = Extent::every_motion;
  Replacements condition{};  ///< which values make it zero; empty for all
  bool is_numeric = false;   ///< found by numbers at some states, and not proved
};

class ZeroFacts {
 public:
  explicit ZeroFacts(const Energies& energies);
  ~ZeroFacts();

  /// A function of configuration, independent speeds and time.
  ZeroFact examine(const Expr& e);
  /// Examines the derivative of one function along the motion, plus another function.
  ZeroFact examine_derivative(const Expr& e, const Expr& plus);
  /// Examines whether a function is constant, without the motion from the start state, and silent
  /// about what is not zero.
  ZeroFact find_constant(const Expr& e);
  /// True when numbers at a state show that a function is not constant: a cheap look before proofs
  /// are tried. False says nothing.
  bool is_seen_to_change(const Expr& e) { return valued_ && valued_->is_seen_to_change(e); }
  /// The derivative along the motion for all parameters, where accelerations are determined.
  std::optional<Expr> derivative(const Expr& e) { return symbolic_.derivative(e); }
  /// True when parameters or functions have values, and nothing is divided by zero with them.
  bool has_values() const { return valued_ != nullptr && !values_.empty(); }
  /// True when `e` is zero with the model's values put in.
  bool is_zero_with_values(const Expr& e);
  /// Why the values were not used; nothing where they were.
  const std::optional<Undefined>& values_refusal() const { return values_refusal_; }
  /// The names that the motion from the start state keeps, when it was asked for.
  std::vector<std::string> kept_at_start();
  /// Why the motion from the start state was not examined although it was asked for; nothing
  /// where it was.
  std::optional<Reason> start_refusal() const;

 private:
  ZeroFact decide(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued);
  ZeroFact find_zero(const std::optional<Expr>& symbolic, const std::optional<Expr>& valued);
  Replacements find_condition(const Expr& symbolic);
  StartMotion& start_motion();
  const StateSamples& manifold();
  std::optional<Expr> put(const Expr& e);
  std::optional<Expr> valued_derivative(const Expr& e);

  const Energies& energies_;
  std::optional<Undefined> values_refusal_;
  Replacements values_;
  AlongMotion symbolic_;
  std::unique_ptr<AlongMotion> valued_;  // none where the values divide by zero
  Replacements solved_;                  // coordinates, where the constraints hold
  Substitution positions_;               // by these
  std::unique_ptr<StartMotion> start_;
  std::unique_ptr<StateSamples> manifold_;
};

}  // namespace visviva
