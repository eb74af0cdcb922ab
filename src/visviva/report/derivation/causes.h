// Causes: what brings terms into the equations, numbered, so that a page can light up a term, the
// statement behind it and what it acts on together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/loads/loads.h"

namespace visviva {

struct Cause {
  enum class Kind { load, body, constraint, motor };
  Kind kind;
  std::string name;  ///< of a load as collect_loads() names it, of a body, constraint or specified
  int line = 0;      ///< of its statement; 0 when it came from no text
  std::optional<int> weight_of{};  ///< the body, of a load that is gravity
};

class Causes {
 public:
  /// Loads, bodies, constraints, specified functions.
  explicit Causes(const Kinematics& motion);

  const std::vector<Cause>& list() const { return list_; }
  std::optional<int> find(Cause::Kind kind, const std::string& name) const;
  /// The weight of a body of the model; nothing where no gravity acts.
  std::optional<int> find_weight(int body) const;
  /// The causes that a statement of the model declares.
  std::vector<int> at_line(int line) const;

 private:
  std::vector<Cause> list_;
};

}  // namespace visviva
