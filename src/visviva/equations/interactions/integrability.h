// Integrability: which constraints are conditions on configurations in disguise, and which on motion only.
//
//   const Integrability found = analyze_integrability(motion);
//   found.constraints[0].holonomic                        Decision::no for a blade
//   accessible_dimension(found, start)                    3: it reaches every configuration
// Every row is a form omega in the differentials of configuration and time (frobenius_space.h); the theorem of Frobenius decides
// about it alone and about the set of all rows (frobenius_system.h). Parameters are symbols: what is decided holds for almost all
// values of them; specified functions are what the model says, or any function of time where it says nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/equations/interactions/decision.h"
#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// A form that is not zero: its value along named directions ("x", "theta", "turn B.z", "t").
struct FormWitness {
  std::vector<std::string> directions;
  Expr value;
  bool is_only = true;  ///< the form has no other component
};

/// What is known about one row of a constraint.
struct RowIntegrability {
  int component = 0;  ///< of a vector constraint or a roll: along this axis of `frame`
  int frame = 0;
  std::vector<std::pair<std::string, Expr>>
      form;                                   ///< omega by direction, entries that are not zero
  Decision integrable = Decision::undecided;  ///< by itself: exact, or exact after a factor
  std::optional<Expr> factor;                 ///< 1 for an exact row; none where none was found
  std::optional<Expr> integral;               ///< constant; none where none was found
  Decision holonomic = Decision::undecided;   ///< on the set of all rows
  std::vector<std::string> with;              ///< the other constraints that it needs for that
  std::optional<Expr> joint_integral;         ///< constant where those hold, too
  /// The component of omega ^ d omega along three directions that shows that it is not integrable. Where a frame spins with given
  /// or with fewer rates: of d omega along two, on the motions that omega and the spin allow.
  std::optional<FormWitness> witness;
  /// The value of d omega, on the motions that all rows allow, along two directions; the rest of both follows from the rows.
  std::optional<FormWitness> obstruction;
};

struct ConstraintIntegrability {
  int constraint = -1;  ///< in ModelData::constraints
  std::string name;
  Decision integrable = Decision::yes;  ///< its own rows, together
  Decision holonomic = Decision::yes;   ///< all of its rows
  std::vector<std::string> with;
  std::vector<RowIntegrability> rows;
};

/// A combination of rows that is integrable though its rows are not.
struct IntegrableCombination {
  std::vector<std::string> constraints;
  std::vector<std::pair<std::string, Expr>> form;
  std::optional<Expr> factor, integral;
};

struct Integrability {
  std::shared_ptr<const ExprPool> pool;  ///< of the expressions
  std::vector<ConstraintIntegrability> constraints;
  std::vector<IntegrableCombination> combinations;
  /// Dimensions that can be reached beyond those of the speeds: independent rows less independent integrable combinations.
  int gained = 0;
};

/// True for a configuration constraint or a lock, which is its own integral.
bool is_of_configuration(const ConstraintData& constraint);

/// ModelError when a motion constraint is not linear in the rates.
Integrability analyze_integrability(const Kinematics& motion);

/// The dimension of the configurations, at one time, that motions from a configuration can reach: that of the configuration
/// space less the number of independent integrable combinations of the rows.
int accessible_dimension(const Integrability& found, const ConsistentStart& start);

}  // namespace visviva
