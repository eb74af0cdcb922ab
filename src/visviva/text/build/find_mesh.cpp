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

}  // namespace

std::function<std::string(const std::string&)> make_mesh_finder(const fs::path& robot_folder,
                                                                const fs::path& model_folder) {
  return [robot_folder, model_folder](const std::string& name) -> std::string {
    for (const std::string& place : list_places(name))
      if (std::string found = find_place(robot_folder, model_folder, place); !found.empty())
        return found;
    return "";
  };
}

}  // namespace visviva
