// The rates u' of a mechanism without constraints, by recursions along its trees: the work grows with the number of
// bodies, where the solution of M u' = f grows with its cube.
//
// Gauss: u' makes the sum over all bodies of
//   1/2 m d_Q·d_Q + 1/2 e_F·J e_F - force_Q·d_Q - torque_F·e_F                                  (1)
// least, d and e the parts of accelerations with u', force and torque what acts less the inertia forces at u' = 0
// (tree_dynamics.h). P is the parent of frame F, O that of point Q, c the columns of Q's offset in frames G:
//   e_F = e_P + sum_r s_r u_r',   d_Q = d_O + sum_G (e_G x c + sum_r c_r u_r')                  (2)
// s_r, c_r what local spins and offsets gain from a speed. From the leaves to the roots, a place that nothing else
// hangs on is replaced by (2) in the quadratic form (1); a rate that stands nowhere else is eliminated,
//   D = H_rr,   l_x = H_rx / D,   H_xy -= l_x H_ry,   w_x -= l_x w_r                            (3)
// H the form's matrix and w its linear part; back from the roots to the leaves
//   u_r' = w_r / D - sum_x l_x x                                                                (4)
// and (2). Where one speed enters at one joint this is the articulated-body algorithm (Featherstone 1983); nothing here
// asks for that, and speeds that enter at several places cost what they couple.
#pragma once

#include <optional>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

struct TreeRates {
  std::vector<Expr> rates;  ///< u', of every speed
  std::vector<Expr>
      pivots;  ///< D of each; as long as they are positive, and not by rounding, the rates are right
  std::vector<Expr> sizes;  ///< at least what each would be without the others: M_rr or more
};

/// The rates of equations without constraints and unknown forces; nothing where a pivot is identically zero, or where
/// the speeds couple so much that the form would fill in.
std::optional<TreeRates> solve_along_trees(const Kinematics& motion);

}  // namespace visviva
