#include "visviva/report/page/scene_words.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/words.h"

namespace visviva {
namespace {

using Kind = SceneObject::Kind;

constexpr std::size_t most_names = 6;

// "the particles P, Q and 3 more"
std::string list_names(const char* one, const char* many, const std::vector<std::string>& names) {
  return fmt::format("the {} ", names.size() == 1 ? one : many) +
         list_some_words(names, most_names);
}

std::vector<std::string> names_of(const Scene& scene, bool (*wanted)(Kind)) {
  std::vector<std::string> names;
  for (const SceneObject& o : scene.objects)
    if (wanted(o.kind) && !o.name.empty()) names.push_back(o.name);
  return names;
}

// "along -y", or nothing where it is oblique.
std::string direction_down(const Scene& scene) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(std::abs(scene.up[k]) - 1) > 1e-9) continue;
    return fmt::format("; gravity points along {}{}", scene.up[k] > 0 ? "-" : "+", "xyz"[k]);
  }
  return "";
}

}  // namespace

std::string describe_scene(const Scene& scene, double from, double until) {
  std::vector<std::string> parts;
  const auto add = [&](const char* one, const char* many, bool (*wanted)(Kind)) {
    const std::vector<std::string> names = names_of(scene, wanted);
    if (!names.empty()) parts.push_back(list_names(one, many, names));
  };
  add("particle", "particles", [](Kind k) { return k == Kind::particle; });
  add("body", "bodies", [](Kind k) { return k >= Kind::sphere && k <= Kind::mesh; });
  add("spring", "springs", [](Kind k) { return k == Kind::spring; });
  add("damper", "dampers", [](Kind k) { return k == Kind::damper; });
  for (const SceneObject& o : scene.objects) {
    const auto name = [&](int frame) { return scene.frames[static_cast<std::size_t>(frame)].name; };
    if (o.kind == Kind::roll)
      parts.push_back(
          fmt::format("{} rolling on {}", name(o.frame), o.on == 0 ? "the ground" : name(o.on)));
  }
  std::string what;
  for (std::size_t i = 0; i < parts.size(); ++i)
    what += (i == 0 ? "" : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
  if (what.empty()) what = "frames and points without mass";
  return fmt::format("The motion of {} from t = {:.6g} s to {:.6g} s: {}{}.", scene.title, from,
                     until, what, scene.has_gravity ? direction_down(scene) : "");
}

}  // namespace visviva
