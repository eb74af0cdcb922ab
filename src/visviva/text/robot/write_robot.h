// A robot as a model's text, which a person can read and keep.
#pragma once

#include <string>
#include <vector>

#include "visviva/text/robot/robot.h"
#include "visviva/text/robot/robot_files.h"

namespace visviva {

/// How a robot stands in a model.
struct RobotOptions {
  bool is_floating = false;  ///< its base moves freely; else it is held
  bool is_part = false;      ///< of another model, which has a name and gravity of its own
  std::string prefix{};      ///< of all names
  std::string frame = "N", point = "No";  ///< where it stands
  RobotFiles files{};
};

/// A text, and remarks about what it does not say as the robot's file does.
struct RobotText {
  std::string text;
  std::vector<Diagnostic> remarks;
};

/// The model of a robot: links are frames and bodies, with their origins as points NAME_o; joints are coordinates.
/// RobotRefusal where it cannot be written.
RobotText write_robot(const Robot& robot, const std::string& file, const RobotOptions& options);

}  // namespace visviva
