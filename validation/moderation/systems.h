// The mechanisms on which energy tolerances are tried: conservative, driven, damped, rolling,
// constrained, chaotic and stiff ones.
#pragma once

#include <string>
#include <vector>

namespace visviva::validation {

struct TriedSystem {
  std::string name, text;
  double until;
};

std::vector<TriedSystem> list_tried_systems();

}  // namespace visviva::validation
