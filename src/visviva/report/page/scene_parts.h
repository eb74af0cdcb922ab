// The parts of a scene, each made by a file of its own: links between points, arrows.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/page/scene.h"

namespace visviva {

/// An extra output with three components along N; its name.
std::string add_column(Scene* scene, const std::string& name, const Column3& components);

/// Adds what joins a point to its parent (scene_links.cpp); the points are there already.
void add_links(const Kinematics& motion, const Causes& causes, Scene* scene);

/// Loads and reactions (scene_arrows.cpp); points and frames are there already.
void add_arrows(const Equations& equations, const Causes& causes, Scene* scene);

}  // namespace visviva
