// A mechanism as a tree of links, each of which turns about a point of its parent or slides along it: what derivatives of
// the dynamics by composite bodies ask for.
//
// A link has a pivot Q, at O + c with O the pivot of its parent P, and a frame F:
//   it turns: c is constant in P;  R the columns of F in P,  w = sum_r s_r u_r + ...  its angular velocity in P, in F     (1)
//   it slides: F is P's;  c' = sum_r c_r u_r + ...  in P                                                                (2)
// Any number of speeds may enter at one link, and one speed at several. All that hangs on a link moves with it as one.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

struct Link {
  int parent = -1;  ///< -1: the ground
  int frame = 0;    ///< F
  bool turns = false;
  Matrix3 R;                                     ///< of a link that turns
  std::vector<Expr> quaternion;                  ///< Euler parameters of F, where it has such
  Column3 offset;                                ///< c
  Column3 rate, second;                          ///< w and w' in F, or c' and c'' in P; with u'
  std::vector<std::pair<int, Column3>> entries;  ///< s_r or c_r
  Expr mass;                                     ///< of what is fixed to it
  Column3 h;                                     ///< first moment about Q, in F
  Matrix3 S;                                     ///< second moment, sum m r r', about Q, in F
};

struct LinkTree {
  std::vector<Link> links;  ///< parents first
  Column3 ground;           ///< the acceleration of the ground that stands for gravity, in N
  std::vector<Expr> loads;  ///< generalized forces of all other loads
};

/// Nothing where what hangs on a point is turned by frames that the point's own offset does not turn with.
std::optional<LinkTree> find_links(const Kinematics& motion);

}  // namespace visviva
