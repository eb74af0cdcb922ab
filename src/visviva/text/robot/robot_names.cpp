#include "visviva/text/robot/robot_names.h"

#include "visviva/base/utf8.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {

std::string RobotNames::make(const std::string& wanted) {
  std::string name = prefix_;
  for (std::size_t i = 0; i < wanted.size();) {
    const Character c = decode_utf8(wanted, i);
    const std::size_t size = c.size == 0 ? 1 : c.size;
    const bool is_good = c.size > 0 && is_name_character(c.code);
    name += is_good ? wanted.substr(i, size) : "_";
    i += size;
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "_" + name;
  const bool is_reserved = kept_.contains(name) ||
                           (space_ == Space::scalars && !reserved_scalar_meaning(name).empty()) ||
                           (space_ == Space::frames && name == "N");
  if (is_reserved) name += "_";
  const std::string first = name;
  for (int i = 2; !taken_.insert(name).second; ++i) name = first + "_" + std::to_string(i);
  return name;
}

}  // namespace visviva
