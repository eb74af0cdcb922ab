// Scene: what a picture of a mechanism shows, before a run gives it numbers.
//
//   Scene scene = make_scene(equations, start);
//   options.extra_outputs = scene.outputs;       a run then has the picture's columns
//   make_scene_json(scene, simulate(compile(equations, energies, options), ...))   // scene_json.h
// Positions, axes of frames and arrows are extra outputs, components along N; N is the Newtonian
// frame, No its origin, B a frame, P a point.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/codegen/system/output_expressions.h"
#include "visviva/kinematics/consistent_start.h"

namespace visviva {

struct ScenePoint {
  std::string name;        ///< "" for the corner of an offset along several frames
  int line = 0;            ///< of its statement; 0 when it came from no text
  std::string column;      ///< of its position
  bool is_center = false;  ///< of a body's or particle's mass
  bool is_within = false;  ///< a place of a line: it has no joint
};

struct SceneFrame {
  std::string name;
  int line = 0;
  int origin = 0;                      ///< a point to draw it at
  int parent = -1;                     ///< -1 for N
  std::string x_column{}, y_column{};  ///< two of its axes; none for N
};

struct SceneArrow {
  enum class Kind { force, torque, reaction };
  Kind kind;
  std::string name;
  bool is_gravity = false;
  int at = 0;  ///< a point
  std::string column;
  std::vector<int> cause;
};

/// An object of the scene; what each kind uses is said there.
struct SceneObject {
  enum class Kind {
    particle,   ///< point
    sphere,     ///< point, frame, sizes: radius; zero: a small one
    shell,      ///< likewise
    cylinder,   ///< point, frame, sizes: radius and length, axis
    rod,        ///< likewise
    disc,       ///< likewise
    box,        ///< point, frame, sizes: three edges
    ellipsoid,  ///< point, frame, sizes: three semiaxes, turn
    capsule,    ///< point, frame, sizes: radius and length of its cylinder, axis
    mesh,       ///< point, frame, mesh
    link,       ///< from, to, is_fixed_length, frame of the body that it is a part of
    spring,     ///< from, to, rest
    damper,     ///< from, to
    roll        ///< frame, on, point
  };
  Kind kind;
  std::string name;
  std::vector<int> cause{};  ///< in Causes::list()
  int point = -1, frame = -1, from = -1, to = -1, on = -1;
  std::array<double, 3> sizes{};           ///< m
  char axis = 'z';                         ///< of the frame
  std::array<double, 4> turn{1, 0, 0, 0};  ///< quaternion from the shape's axes to the frame
  std::shared_ptr<const Mesh> mesh{};
  bool is_picture = false;  ///< has no mass
  bool is_standin = false;  ///< not the shape that the model gives
  std::string bar_of{};     ///< links: the body without a shape that it stands for
  bool is_fixed_length = false;
  bool is_ground = false;    ///< a link of two points that stand still in N
  bool needs_check = false;  ///< a link only where the run keeps its length
  double rest = 0.0;         ///< m
};

/// A table of heights over distance, drawn as a curve (scene_profiles.cpp).
struct SceneProfile {
  std::string name;
  int line = 0;
  std::shared_ptr<const TableFunction> table;
  std::array<double, 3> along{}, up{};  ///< directions in N of what it is over, and of its heights
  std::string
      column{};  ///< of where the table's 0 stands along, of its height 0, and of what is asked for
  std::vector<std::string> more_columns{};  ///< of what else is asked for
};

struct Scene {
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions of the outputs
  std::string title;
  std::array<double, 3> up{0, 1, 0};  ///< against gravity at the start
  bool has_gravity = false;
  std::vector<ScenePoint> points;  ///< those of the model, No first, then corners
  std::vector<SceneFrame> frames;  ///< those of the model, N first
  std::vector<SceneArrow> arrows;
  std::vector<SceneObject> objects;
  std::vector<SceneProfile> profiles;
  std::vector<ExtraOutput> outputs;  ///< names cannot be those of a model's outputs
};

/// Arrows of reactions are left out where their expressions would take long to compile.
Scene make_scene(const Equations& equations, const ConsistentStart& start);

}  // namespace visviva
