// Free bodies as a derivation shows them: vectors for people, columns for scripts, names for reactions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/methods/free_bodies.h"
#include "visviva/report/derivation/derivation_column.h"

namespace visviva {

/// A vector as it was derived, for people, and in one frame, for scripts.
struct ShownVector {
  std::string name;  ///< of a load; empty for a left side
  Vector vector;
  FramedColumn column;
  bool is_in_body_axes = false;  ///< people read the column, too
};

/// free_bodies.h (1) or (2): left = loads + reaction.
struct ShownBalance {
  ShownVector left;
  std::vector<ShownVector> loads;
  std::string reaction;  ///< R_B or T_B; empty when joints and constraints do nothing
};

struct ShownBody {
  int body;  ///< in ModelData::bodies
  ShownBalance newton;
  std::optional<ShownBalance> euler;  ///< not of a particle
};

struct ShownBodies {
  std::vector<ShownBody> bodies;
  std::vector<LoadElsewhere> elsewhere;
};

/// `degrees_of_freedom` with all constraints.
ShownBodies show_free_bodies(const Kinematics& motion, std::size_t degrees_of_freedom);

}  // namespace visviva
