// The proof that the methods agree, and that along each method's equations E_Z = K2 + U + Z is
// constant: exact, by values in the fields.
//
// No more is claimed: a wrong force law given by the user is wrong in all methods and in the power
// alike, and energy does not catch it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/energy_claim.h"
#include "visviva/equations/prove/term_finder.h"
#include "visviva/symbolic/calculus/compare.h"

namespace visviva {

/// A method that was left out, and why: an expression does not exist, or the model is wrong for it.
struct MethodRefusal {
  Method method;
  std::optional<Undefined> undefined{};
  std::vector<Diagnostic> diagnostics{};
};

/// A method's equations and those they are compared with.
struct MethodPair {
  Method method, reference;
  bool operator==(const MethodPair&) const = default;
};

/// What a step of a proof compares. The words are made in report/derivation/proof_text.h.
struct ProofClaim {
  enum class Kind {
    kinetic_energy,  ///< from positions, and from velocities
    energy,          ///< `energy`
    // Of the equations by `pair.method` alone:
    symmetric_mass_matrix,
    momenta,        ///< of the mass matrix, and slopes of the kinetic energy
    power_balance,  ///< of forces and kinetic energy
    // Of both sets of equations of `pair`:
    constraint_count,
    constraints,
    mass_matrix,
    forcing,
    embedded_mass_matrix,  ///< with the constraints embedded
    embedded_forcing,      ///< with the constraints embedded
    auxiliary_equations
  };
  Kind kind;
  MethodPair pair{Method::kane, Method::kane};
  std::optional<EnergyClaim> energy{};

  bool operator==(const ProofClaim&) const = default;
};

/// The place of a compared pair of expressions: names of speeds, of a constraint and a speed, of an
/// auxiliary speed; none where a claim has one pair only.
struct ProofPlace {
  std::vector<std::string> names{};
  bool is_right_side = false;  ///< of a constraint
};

/// One thing that was compared. A probability of 1 means that the bound says nothing.
struct ProofStep {
  ProofClaim claim;
  Verdict verdict = Verdict::undecided;
  double error_probability = 0.0;
  // When different:
  std::vector<ProofPlace> places{};     ///< the one shown, then others that are not equal either
  std::vector<DifferenceTerm> terms{};  ///< the loads and bodies behind the difference, if known
  std::vector<std::pair<std::string, double>> witness{};  ///< a state
  double left = 0.0, right = 0.0;
};

/// What a reader of a proof should know beside its steps.
struct ProofRemark {
  enum class Kind {
    on_constraints_only,  ///< compared where the constraints hold; elsewhere they are not the same
    not_embedded,         ///< compared as functions of all speeds
    weak_bound,           ///< on the chance of a false equality
    nothing_to_compare    ///< only one method applies
  };
  Kind kind;
  std::optional<MethodPair> pair{};       ///< none for the last two kinds
  std::optional<NotEmbedded> why{};       ///< the constraints cannot be embedded
  std::vector<Diagnostic> diagnostics{};  ///< or the model is wrong
};

struct Proof {
  std::vector<Method> methods;  ///< those that were compared
  std::vector<MethodRefusal> refusals;
  std::vector<ProofStep> steps;
  Verdict verdict = Verdict::undecided;
  double error_probability = 0.0;  ///< of the whole
  std::vector<ProofRemark> remarks;
};

/// The proof that all four methods agree with the first that applies. ModelError when none does.
Proof prove(const Kinematics& motion);

/// The comparison itself, of equations derived elsewhere; what `prove` is made of and what its
/// tests mislead on purpose.
Proof compare_equations(const std::vector<Equations>& candidates);

}  // namespace visviva
