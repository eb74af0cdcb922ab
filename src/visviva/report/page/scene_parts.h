// The parts of a scene, each made by a file of its own: links between points, arrows.
#pragma once

#include "visviva/equations/equations.h"
#include "visviva/report/derivation/causes.h"
#include "visviva/report/page/scene.h"

namespace visviva {

/// An extra output with three components along N; its name.
std::string add_column(Scene* scene, const std::string& name, const Column3& components);

/// The first frame that each frame of the model is fixed to, by frame: bodies fixed to one another have the same.
std::vector<int> list_roots(const ModelData& model);

/// Frames that a picture is drawn with, and those that are fixed to such a frame.
class PicturedFrames {
 public:
  explicit PicturedFrames(const ModelData& model);
  bool contains(int frame) const { return is_pictured_[std::size_t(roots_[std::size_t(frame)])]; }

 private:
  std::vector<int> roots_;  // by frame: the first one that it is fixed to
  std::vector<bool> is_pictured_;
};

/// Adds what joins a point to its parent (scene_links.cpp); the points are there already.
void add_links(const Kinematics& motion, const Causes& causes, Scene* scene);

/// Adds what the model shows of its frames (scene_pictures.cpp); points, frames and bodies are there already.
void add_pictures(const ModelData& model, const StartState& values, const Causes& causes,
                  Scene* scene);

/// Tables of heights over distance (scene_profiles.cpp); points are there already.
void add_profiles(const Kinematics& motion, Scene* scene);

/// Loads and reactions (scene_arrows.cpp); points and frames are there already.
void add_arrows(const Equations& equations, const Causes& causes, Scene* scene);

}  // namespace visviva
