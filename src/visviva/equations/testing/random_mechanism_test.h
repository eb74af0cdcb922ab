// Random mechanisms with masses, loads and constraints of every kind, each from a seed, and as
// text.
//
// A mechanism is a tree of links. A link hangs on its parent at a joint point, which may slide, and
// is turned by a frame of some kind; it carries a body or a particle. Every feature draws from a
// stream of its own, so that a feature can be switched off while all else stays: a failure is
// reduced by switching off whatever it does not need. `text()` is the same mechanism in the model
// language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/testing/motion_oracle_test.h"
#include "visviva/kinematics/kinematics.h"

namespace visviva::mechanisms {

/// What may occur; each can be switched off by itself.
struct Features {
  int links = 8;   ///< at most
  int speeds = 8;  ///< no more joints with freedom after that many
  bool particles = true, solids = true;
  bool general_axes = true, irrational_axes = false, sequences = true, quaternions = true,
       rodrigues = true, spins = true;
  bool slides = true, specified = true, explicit_time = true, transmissions = true;
  bool speed_definitions = true;
  bool gravity = true, forces = true, body_forces = true, reactions = true, torques = true;
  bool point_springs = true, coordinate_springs = true, dampers = true, potentials = true,
       dissipations = true;
  bool motion_constraints = true, rolls = true, loops = true, locks = true;
};

/// A parameter that makes a constraint hold at the start: what is missing when it is zero.
struct Closure {
  std::string name, unit;
  Quantity parameter;
  Expr symbol, defect;
  double start = 0;
};

/// A mechanism and its text. A seed gives the same one everywhere.
class RandomMechanism {
 public:
  explicit RandomMechanism(std::uint64_t seed, const Features& features = {});

  Model model{"random"};

  /// The mechanism in the model language.
  std::string text() const;

  std::size_t link_count() const { return link_count_; }

  /// A random state in which all constraints hold; nothing when the constraints allow none.
  std::optional<std::vector<Real>> make_state(const Kinematics& motion, const MotionOracle& oracle,
                                              std::uint64_t number) const;

  /// The largest coefficient of a speed in a rate: a state with a larger one is too near a singular orientation.
  static constexpr Real largest_coefficient = 8;

 private:
  std::uint64_t seed_;
  std::size_t link_count_ = 0;
  std::vector<std::string> lines_;
  std::vector<Closure> closures_;
};

}  // namespace visviva::mechanisms
