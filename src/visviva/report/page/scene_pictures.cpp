// Pictures of a scene: solids and meshes that a model shows of its frames.
#include <algorithm>
#include <set>

#include "visviva/report/derivation/derivation_outline.h"
#include "visviva/report/page/scene_meshes.h"
#include "visviva/report/page/scene_parts.h"
#include "visviva/report/page/scene_solids.h"

namespace visviva {
namespace {

// Of a page, and of one mesh: what a screen shows, and a page can carry.
constexpr std::size_t most_triangles = 40000, fewest = 400, most_of_one = 6000;

using Kind = SceneObject::Kind;

bool is_drawn(const PictureData& picture) {
  return picture.mesh != nullptr || picture.solid.kind != SolidData::Kind::none;
}

class PictureMaker {
 public:
  PictureMaker(const ModelData& model, const StartState& values, const Causes& causes, Scene* scene)
      : model_(model), values_(values), causes_(causes), scene_(*scene) {
    for (const SceneObject& o : scene_.objects) named_.insert(o.name);
    const auto meshes = static_cast<std::size_t>(
        std::count_if(model.pictures.begin(), model.pictures.end(),
                      [](const PictureData& p) { return p.mesh != nullptr; }));
    if (meshes > 0) triangles_ = std::clamp(most_triangles / meshes, fewest, most_of_one);
  }

  void add_all() {
    for (const PictureData& picture : model_.pictures)
      if (is_drawn(picture)) add(picture);
  }

 private:
  void add(const PictureData& picture) {
    const std::string& frame = model_.frames[std::size_t(picture.frame)].name;
    SceneObject object{Kind::mesh, named_.insert(frame).second ? frame : ""};
    if (const auto cause = causes_.find(Cause::Kind::body, frame)) object.cause = {*cause};
    object.is_picture = true;
    if (picture.mesh != nullptr)
      object.mesh = std::make_shared<const Mesh>(simplify_mesh(*picture.mesh, triangles_));
    else if (!set_given_shape(picture.solid, values_, &object))
      return;
    if (object.mesh != nullptr) {
      if (object.mesh->triangles.empty()) return;
      for (std::size_t i = 0; i < 3; ++i) object.sizes[i] = 2 * find_halves(*object.mesh)[i];
    }
    object.point = add_middle(picture);
    object.frame = picture.frame;
    object.turn = find_turn(picture);
    scene_.objects.push_back(std::move(object));
  }

  int add_middle(const PictureData& picture) {
    const Frame F(model_, picture.frame);
    const Vector offset(model_, {{picture.frame, picture.offset}},
                        Dimension::of(Dimension::length));
    const Vector p = Point(model_, picture.point) - Point(model_, 0) + offset;
    const Column3 c = p.model() == nullptr ? zero_column(*model_.pool) : p.in(Frame(model_, 0));
    const std::string name = "point(" + std::to_string(scene_.points.size()) + ")";
    scene_.points.push_back({"", picture.source.span.line, add_column(&scene_, name, c)});
    return static_cast<int>(scene_.points.size()) - 1;
  }

  // Rz(c) Ry(b) Rx(a)
  std::array<double, 4> find_turn(const PictureData& picture) const {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (Eigen::Index i = 0; i < 3; ++i) {
      const double angle = value_or_nan(values_, picture.turn[std::size_t(i)]);
      if (!std::isfinite(angle)) continue;
      Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
      const Eigen::Index j = (i + 1) % 3, k = (i + 2) % 3;
      turn(j, j) = turn(k, k) = std::cos(angle);
      turn(k, j) = std::sin(angle);
      turn(j, k) = -std::sin(angle);
      R = turn.lazyProduct(R).eval();
    }
    return make_quaternion(R);
  }

  const ModelData& model_;
  const StartState& values_;
  const Causes& causes_;
  Scene& scene_;
  std::set<std::string> named_;
  std::size_t triangles_ = most_of_one;
};

}  // namespace

std::vector<int> list_roots(const ModelData& model) {
  std::vector<int> roots;
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    const FrameData& frame = model.frames[f];
    const bool is_fixed = frame.parent >= 0 && frame.hidden.empty() &&
                          std::all_of(frame.R_PB.begin(), frame.R_PB.end(), [&](const auto& row) {
                            return std::all_of(row.begin(), row.end(), [&](const Expr& e) {
                              return has_only_parameters(model, e);
                            });
                          });
    roots.push_back(is_fixed ? roots[std::size_t(frame.parent)] : static_cast<int>(f));
  }
  return roots;
}

PicturedFrames::PicturedFrames(const ModelData& model)
    : roots_(list_roots(model)), is_pictured_(model.frames.size(), false) {
  for (const PictureData& picture : model.pictures)
    if (is_drawn(picture)) is_pictured_[std::size_t(roots_[std::size_t(picture.frame)])] = true;
}

void add_pictures(const ModelData& model, const StartState& values, const Causes& causes,
                  Scene* scene) {
  PictureMaker(model, values, causes, scene).add_all();
}

}  // namespace visviva
