// What loads on a line consist of: the weight of a line, and forces and torques per length.
#pragma once

#include <string>
#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

/// The bodies of the line that this one is the first of; itself where it is of none.
std::vector<int> list_weighed(const ModelData& model, int body);
/// The forces of the law per length of that name; the one given where there is no such law.
std::vector<int> list_spread(const ModelData& model, int force, const std::string& law);

}  // namespace visviva
