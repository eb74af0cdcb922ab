// A scene with the numbers of a run, as the page's viewer reads it: small things as JSON, tracks over
// time as base64 of little-endian numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/report/page/scene.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// Null when the run has no sample that can be drawn. The run has the scene's outputs and keeps its
/// samples; frames are thinned so that the text stays below about two megabytes.
nlohmann::ordered_json make_scene_json(const Scene& scene, const Trajectory& run);

}  // namespace visviva
