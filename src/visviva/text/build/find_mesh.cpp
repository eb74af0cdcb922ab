#include "visviva/text/build/find_mesh.h"

#include <vector>

#include "visviva/text/build/read_mesh.h"
#include "visviva/text/build/read_source.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

// "package://arm/meshes/hand.stl" may be arm/meshes/hand.stl or meshes/hand.stl.
std::vector<std::string> list_places(const std::string& name) {
  const std::size_t scheme = name.find("://");
  if (scheme == std::string::npos) return {name};
  if (name.rfind("package", 0) != 0 && name.rfind("model", 0) != 0) return {};  // no network
  const std::string rest = name.substr(scheme + 3);
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos) return {rest};
  return {rest, rest.substr(slash + 1)};
}

std::string find_place(const fs::path& robot_folder, const fs::path& model_folder,
                       const std::string& place) {
  std::error_code problem;
  const fs::path path = robot_folder / place;
  if (!is_mesh_name(place) || !fs::is_regular_file(path, problem) || problem) return "";
  if (!lies_under(path, robot_folder) || !lies_under(path, model_folder)) return "";
  const fs::path from = fs::absolute(model_folder.empty() ? "." : model_folder, problem);
  const fs::path found = fs::absolute(path, problem).lexically_normal();
  return problem ? "" : found.lexically_relative(from.lexically_normal()).generic_string();
}

Result<Mesh, std::string> read_mesh_below(const fs::path& folder, const std::string& name) {
  std::string why = "is not below the folder of the robot's file";
  for (const std::string& place : list_places(name)) {
    std::error_code problem;
    const fs::path path = folder / place;
    if (!fs::is_regular_file(path, problem) || problem || !lies_under(path, folder)) continue;
    const Result<SourceText, Diagnostic> bytes = read_source(path.string());
    if (!bytes)
      why = "cannot be read";
    else
      return read_mesh(bytes->text, place);
  }
  return why;
}

Result<SourceText, std::string> read_part_below(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  std::error_code problem;
  if (!fs::exists(path, problem) || problem) return std::string("is not there");
  if (!lies_under(path, folder)) return std::string("is not below the folder of the robot's file");
  Result<SourceText, Diagnostic> text = read_source(path.string());
  if (!text) return text.why().message;
  return *std::move(text);
}

}  // namespace

RobotFiles make_robot_files(const fs::path& robot_folder, const fs::path& model_folder) {
  RobotFiles files;
  files.find_mesh = [robot_folder, model_folder](const std::string& name) -> std::string {
    for (const std::string& place : list_places(name))
      if (std::string found = find_place(robot_folder, model_folder, place); !found.empty())
        return found;
    return "";
  };
  files.read_mesh = [robot_folder](const std::string& name) {
    return read_mesh_below(robot_folder, name);
  };
  files.read_part = [robot_folder](const std::string& name) {
    return read_part_below(robot_folder, name);
  };
  return files;
}

}  // namespace visviva
