// A scene in words, for those who do not see the picture.
#pragma once

#include <string>

#include "visviva/report/page/scene.h"

namespace visviva {

/// A description of what the scene shows, in one sentence; times in s.
std::string describe_scene(const Scene& scene, double from, double until);

}  // namespace visviva
