#include "visviva/text/robot/convert_robot.h"

#include <filesystem>

#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

Robot read_robot(RobotXml& xml) {
  const std::string root = xml.root().name();
  if (root == "robot") return read_urdf(xml);
  if (root == "mujoco") return read_mjcf(xml);
  if (root == "sdf") return read_sdf(xml);
  xml.refuse(xml.root(), "E-robot-file", "expected a robot, found <" + root + ">",
             "robot files begin with <robot> (URDF), <sdf> or <mujoco> (MJCF)");
}

}  // namespace

bool is_robot_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".urdf" || ending == ".sdf" || ending == ".xml";
}

ConvertedRobot convert_robot(const SourceText& source, const RobotOptions& options) {
  try {
    RobotXml xml(source);
    Robot robot = read_robot(xml);
    const std::filesystem::path file(source.file);
    if (robot.name.empty()) robot.name = file.stem().string();
    RobotText written = write_robot(robot, file.filename().string(), options);
    ConvertedRobot converted{std::move(written.text), xml.remarks()};
    for (Diagnostic& d : written.remarks) converted.diagnostics.push_back(std::move(d));
    return converted;
  } catch (const RobotRefusal& refusal) {
    return {std::nullopt, {refusal.diagnostic}};
  }
}

}  // namespace visviva
