// Random mechanisms for property tests: trees of frames of every kind, points that hang on points,
// and generalized speeds of every kind.
//
// Every scalar is made twice, as a Quantity and in the words of Python, so that SymPy can be told
// the same mechanism.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva::mechanisms {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  int below(int n) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  /// A decimal with two digits behind the point.
  double decimal(double low, double high) { return std::round(100 * uniform(low, high)) / 100; }

 private:
  std::mt19937_64 bits_;
};

/// A scalar, and the same as Python writes it (in SI units).
struct Scalar {
  Quantity value;
  std::string python;
};

/// What SymPy needs to know about a frame or a point.
struct FrameRecipe {
  std::string parent, kind, axes;  // kind: axis, body, space, quaternion, matrix
  std::vector<std::string> arguments;
};
struct PointRecipe {
  std::string parent;
  std::vector<std::pair<std::string, std::array<std::string, 3>>> parts;
};

/// The speed is dot(angular velocity of `of` in `in`, axis `axis` of `along`).
struct Component {
  std::string speed;
  Frame of, in, along;
  std::size_t axis;
};

/// A spin with angular velocity sum of speed times direction, plus rest.
struct Spin {
  Frame frame, parent;
  std::vector<Quantity> speeds;
  std::vector<Vector> directions;
  Vector rest;
};

struct Options {
  int frames = 7;
  int points = 5;
  bool spins = true;
  bool bodies = true;
  bool speeds = true;
  bool exact_axes = false;  ///< only axes whose rotations the fields decide
};

/// The first, second or third axis of a frame.
Vector axis_of(const Frame& f, std::size_t i);

class Mechanism {
 public:
  Mechanism(std::uint64_t seed, const Options& options);

  Model model{"random"};
  std::vector<Frame> frames = {model.newtonian()};
  std::vector<Point> points = {model.newtonian().origin()};
  std::vector<Point> origins = {model.newtonian().origin()};  ///< of each frame
  std::vector<std::array<Quantity, 4>> quaternions;
  std::vector<Component> components;
  std::vector<Spin> spins;
  std::vector<std::pair<std::string, std::string>> definitions;  ///< speed -> Python
  std::vector<FrameRecipe> frame_recipes;
  std::vector<PointRecipe> point_recipes;

 private:
  struct Coordinate {
    Scalar q, rate;
    Scalar scale;         // times its rate: a velocity
    bool is_free = true;  // its rate may still be used in a definition
  };

  // ---- Scalars

  Scalar add_coordinate(const std::string& name, bool is_length);
  void add_scalars();
  Scalar any_angle() { return coordinates_[random_.chance(50) ? 0 : 1].q; }
  Scalar fresh_angle() { return add_coordinate("q" + std::to_string(++fresh_), false); }
  Scalar angle();
  Scalar length();

  // ---- Frames

  const Frame& any_frame();
  void keep(const std::string& name, const Orientation& o, const FrameRecipe& recipe);
  void add_frame(const std::string& name);
  void add_simple(const std::string& name, const Frame& P);
  void add_oblique(const std::string& name, const Frame& P);
  void add_sequence(const std::string& name, const Frame& P);
  void add_quaternion(const std::string& name, const Frame& P);
  void add_rodrigues(const std::string& name, const Frame& P);
  Quantity free_speed();

  // Something known, a rate, or a speed that has a definition.
  Quantity known_spin();
  void add_fixed_spin(const std::string& name, const Frame& P);
  void add_spin(const std::string& name, const Frame& P);

  // ---- Points

  Position offset(const Point& base, PointRecipe& recipe);
  void add_point(const std::string& name);

  // Every third frame gets a body, whose mass center is then the frame's origin.
  void add_bodies();

  // ---- Speeds

  // u_i = scale_i (1 + 0.3 sin) q_i' + 0.2 cos(t) sum_j scale_j q_j' + something known
  void define_block(const std::vector<std::string>& names);

  // Body-axis rates, unless others are defined.
  void name_quaternion_speeds();
  void define_remaining_speeds();
  void define_components(const Frame& of, const Frame& in, std::size_t first);

  struct Bundle {  // a frame with three coordinates of its own
    Frame frame, parent;
    std::size_t first;
  };

  Random random_;
  Options options_;
  Quantity L_;
  Scalar time_, x_, y_, z_;
  std::vector<Scalar> rates_;
  std::vector<Coordinate> coordinates_;
  std::vector<Quantity> defined_;
  std::vector<Bundle> bundles_;
  std::vector<std::pair<Frame, Frame>> quaternion_frames_;
  int fresh_ = 0, free_ = 0, defined_count_ = 0;
};

}  // namespace visviva::mechanisms
