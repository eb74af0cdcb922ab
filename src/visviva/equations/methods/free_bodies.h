// Free bodies: Newton's and Euler's equations of every body by itself, with what acts on it.
//
// B is a body with mass m and mass center Bcm, I its central inertia, F the loads on it, each at a
// point P, T torques:
//   m a_Bcm = sum F + R_B                                                                       (1)
//   I · alpha + w x I · w = sum T + sum (P - Bcm) x F + T_B                                     (2)
// R_B and T_B are the resultant force, and the moment about Bcm, of all that joints and constraints
// do to the body. Accelerations contain the rates u' of all speeds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

/// The force, or the moment about Bcm, of one load on one body.
struct LoadVector {
  std::string name;  ///< of the load
  Vector vector;
};

/// The balance (1) or (2): left = loads + reaction.
struct VectorBalance {
  Vector left;
  std::vector<LoadVector> loads;
};

struct FreeBody {
  int body;  ///< in ModelData::bodies
  VectorBalance newton;
  std::optional<VectorBalance> euler;  ///< not of a particle
};

/// A load that acts on no body: bodies feel it only through joints, in R_B and T_B.
struct LoadElsewhere {
  std::string name;
  std::string on;  ///< a point or frame without mass; empty when no place is known
};

struct FreeBodies {
  std::vector<FreeBody> bodies;
  std::vector<LoadElsewhere> elsewhere;
  bool has_reactions =
      true;  ///< false when every body moves as it likes, and all loads have a place
};

/// `degrees_of_freedom` with all constraints.
FreeBodies make_free_bodies(const Kinematics& motion, std::size_t degrees_of_freedom);

}  // namespace visviva
