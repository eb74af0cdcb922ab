// Derivatives of inverse dynamics along a tree of links (link_tree.h), by composite bodies: what products of short vectors
// are enough for, and these vectors as expressions. docs/theory/recursions.md derives it.
//
// A state s turns or shifts all that hangs on a link as one: a point at r from the pivot Q is displaced by d + theta x r, so
// its velocity by the derivative of that by time, its acceleration by the second, with theta' and theta'' in N. Seen by one
// that turns with the link, with a less gravity, a point gains
//   A + theta'' x r + 2 theta' x r',    A = d''Q - theta x a_Q                                   (1)
// What hangs on Q has mass m, first moment h = sum m r, second moment S = sum m r r (the second r as a row), J = tr S - S, and
//   H = sum m r',   N = sum m r' r                                                               (2)
// and needs the force f and the torque n about Q. Then f gains theta x f and
//   m A + theta'' x h + 2 theta' x H                                                             (3)
// n gains theta x n and
//   h x A + J theta'' + 2 (tr N - N) theta'                                                      (4)
// For a speed r whose entry is a motion (v, w) of what hangs on a link i, the residual M u' - f of r changes
//   i on the link of s, or the same:  A_0·F + theta''·T + theta'·B                               (5)
//   the link of s on i:               v_0·(gain of f) + w·(gain of n, about No)                  (6)
// with F = m v + w x h, T = J w + h x v, B = 2 (H x v + (tr N - N') w), all about the place of the tree's first link, which
// is what index 0 means; M_rs is v_0·F + w·T likewise.
#pragma once

#include <optional>
#include <vector>

#include "visviva/codegen/system/run_expressions.h"
#include "visviva/equations/methods/link_tree.h"

namespace visviva {

/// An entry of a speed, or a change by a column: of the state, by time, by an input.
struct SlopeEntry {
  int link;    ///< -1: the ground
  int number;  ///< speed or column
};

/// An entry of the residuals' derivatives by itself.
struct SlopeTerm {
  int speed, column;
  Expr value;
};

struct TreeSlopes {
  std::vector<Expr> state;   ///< the symbols that stand for the state in what follows
  std::vector<int> parents;  ///< of links
  std::vector<SlopeEntry>
      speeds;  ///< v_0, w, F, T, B of each: `speed_vectors`, 15 numbers one after the other
  std::vector<SlopeEntry>
      changes;  ///< A_0, theta'', theta', gain of f, gain of n: `change_vectors`
  std::vector<Expr> speed_vectors, change_vectors;
  std::vector<SlopeTerm> terms;  ///< to be added: loads, and entries that change with the state
};

/// Columns: the state, time, inputs. Coordinates get symbols of their own: entries of M, which the equations have in longer
/// forms, would else be used in the place of the sums that they are made of here; so the system avoids the old ones from now on.
/// Nothing where masses or lengths that links take for constant depend on columns.
std::optional<TreeSlopes> make_tree_slopes(RunExpressions& system, const LinkTree& tree);

}  // namespace visviva
