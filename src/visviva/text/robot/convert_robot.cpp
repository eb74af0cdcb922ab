#include "visviva/text/robot/convert_robot.h"

#include <algorithm>
#include <filesystem>

#include "visviva/base/utf8.h"
#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

Robot read_robot(RobotXml& xml, const RobotFiles& files) {
  const std::string root = xml.root().name();
  if (root == "robot") return read_urdf(xml);
  if (root == "mujoco") return read_mjcf(xml, files);
  if (root == "sdf") return read_sdf(xml, files);
  xml.refuse(xml.root(), "E-robot-file", "expected a robot, found <" + root + ">",
             "robot files begin with <robot> (URDF), <sdf> or <mujoco> (MJCF)");
}

// Names become names of a model, which is UTF-8.
void require_utf8(const SourceText& source) {
  const std::size_t invalid = find_invalid_utf8(source.text);
  if (invalid == std::string::npos) return;
  const auto line =
      1 + std::count(source.text.begin(),
                     source.text.begin() + static_cast<std::ptrdiff_t>(invalid), '\n');
  throw RobotRefusal{{Severity::error,
                      "E-file-utf8",
                      "this line is not valid UTF-8",
                      "save the file as UTF-8",
                      {source.file, static_cast<int>(line), 1, 1}}};
}

}  // namespace

bool is_robot_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".urdf" || ending == ".sdf" || ending == ".xml";
}

ConvertedRobot convert_robot(const SourceText& source, const RobotOptions& options) {
  try {
    require_utf8(source);
    RobotXml xml(source);
    Robot robot = read_robot(xml, options.files);
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
