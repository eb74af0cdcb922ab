// Equations: the equations of motion of a model, whatever method they were derived by.
//
// u' are the rates of the speeds, M the mass matrix, A and b the constraints' rows, λ their
// multipliers:
//   M u' = f + A'λ                                                                              (1)
//   A u' = b                                                                                    (2)
// M, f, A, b depend on coordinates, speeds, time and parameters; f may contain `unknown` forces,
// linearly. All speeds stand in (1) and (2); embed_constraints() leaves the independent ones.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/kinematics/constraint_rows.h"
#include "visviva/kinematics/kinematics.h"

namespace visviva {

enum class Method { kane, lagrange, hamilton, newton_euler };

/// The method's name as the command line writes it: "kane", "lagrange", "hamilton", "newton-euler".
std::string_view method_name(Method method);

/// What an auxiliary speed brings into evidence: sum_r mass_r u_r' = forcing + sum_i rows_i λ_i.
struct AuxiliaryEquation {
  int auxiliary;  ///< in ModelData::auxiliaries
  std::vector<Expr> mass;
  Expr forcing;  ///< may contain unknown forces, linearly
  std::vector<Expr> rows;
  /// False when a constraint's or load's place is not known: then the equation says nothing.
  bool is_complete = true;
  /// True when the equation holds no unknown force: then mass u' - forcing - rows λ is the force in evidence,
  /// which the description of the motion keeps up; else that difference is zero.
  bool is_evidence = false;
};

struct Equations {
  Kinematics motion;
  Method method = Method::kane;
  std::vector<std::vector<Expr>> mass_matrix;  ///< M, symmetric, all speeds
  std::vector<Expr> forcing;                   ///< f
  std::vector<ConstraintRow> rows;             ///< A, as the coefficients of `velocity`
  std::vector<Expr> row_forcing;               ///< b
  std::vector<AuxiliaryEquation> auxiliary;
  std::vector<Expr> unknowns;  ///< unknown forces that (1) or an auxiliary equation contains
  std::shared_ptr<ExprPool> own_pool{};  ///< holds what was derived; none where `motion` holds all

  /// The finished pool on which later stages build.
  const std::shared_ptr<ExprPool>& pool() const { return own_pool ? own_pool : motion.pool(); }
};

}  // namespace visviva
