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
#include "visviva/symbolic/calculus/compare.h"

namespace visviva {

/// A method that was left out, and why.
struct MethodRefusal {
  Method method;
  std::string reason;
};

/// One thing that was compared. A probability of 1 means that the bound says nothing.
struct ProofStep {
  std::string claim;  ///< "lagrange = kane: mass matrix", ...
  Verdict verdict = Verdict::undecided;
  double error_probability = 0.0;
  // When different:
  std::string where;               ///< which speed, which entry
  std::vector<std::string> terms;  ///< which load or body makes the difference, where that is known
  std::vector<std::pair<std::string, double>> witness;  ///< a state
  double left = 0.0, right = 0.0;
};

/// What a reader of a proof should know beside its steps.
struct ProofRemark {
  enum class Kind {
    on_constraints_only,  ///< compared where the constraints hold; elsewhere they are not the same
    not_embedded,         ///< compared as functions of all speeds, since `problem`
    weak_bound,           ///< on the chance of a false equality
    nothing_to_compare    ///< only one method applies
  };
  Kind kind;
  std::string pair{};                ///< "lagrange = kane"; empty for the last two
  std::optional<NotEmbedded> why{};  ///< the constraints cannot be embedded
  std::string problem{};             ///< or the model is wrong, in the words of its diagnostic
};

struct Proof {
  std::vector<Method> methods;  ///< those that were compared
  std::vector<MethodRefusal> refusals;
  std::vector<ProofStep> steps;
  Verdict verdict = Verdict::undecided;
  double error_probability = 0.0;  ///< of the whole
  std::vector<ProofRemark> remarks;
};

/// All four methods against the first that applies. ModelError when none does.
Proof prove(const Kinematics& motion);

/// The comparison itself, of equations derived elsewhere; what `prove` is made of and what its
/// tests mislead on purpose.
Proof compare_equations(const std::vector<Equations>& candidates);

}  // namespace visviva
