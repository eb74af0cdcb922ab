// Robot files (URDF, SDF, MJCF) as models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/text/robot/write_robot.h"

namespace visviva {

/// True for the names of robot files: .urdf, .sdf and .xml.
bool is_robot_file(const std::string& path);

/// A robot's model, if its file is right, and what is wrong with it or worth a remark.
struct ConvertedRobot {
  std::optional<std::string> text;
  std::vector<Diagnostic> diagnostics;
};

/// The model of a robot file's text. Its root element says which format it has. Never throws on a bad file.
ConvertedRobot convert_robot(const SourceText& source, const RobotOptions& options = {});

}  // namespace visviva
