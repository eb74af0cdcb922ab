// Names of links and joints as the language may have them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace visviva {

/// One namespace of a model. Characters that no name may hold become _, a reserved name gets _ behind it.
class RobotNames {
 public:
  enum class Space { scalars, frames, forces };
  RobotNames(Space space, std::string prefix) : space_(space), prefix_(std::move(prefix)) {}

  /// The name for what a file calls so; never one that was given before.
  std::string make(const std::string& wanted);
  /// Reserves a name.
  void keep(const std::string& name) { kept_.insert(name); }

 private:
  Space space_;
  std::string prefix_;
  std::set<std::string> taken_, kept_;
};

}  // namespace visviva
