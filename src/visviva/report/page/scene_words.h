// A scene in words, for those who do not see the picture.
#pragma once

#include <string>

#include "visviva/report/page/scene.h"

namespace visviva {

/// One sentence; times in s.
std::string describe_scene(const Scene& scene, double from, double until);

}  // namespace visviva
