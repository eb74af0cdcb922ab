// Exported files as templates: the files in templates/, which the build embeds.
#pragma once

#include <string>

namespace visviva {

std::string c_template();
std::string python_template();
std::string matlab_template();

}  // namespace visviva
