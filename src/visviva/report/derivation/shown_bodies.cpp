#include "visviva/report/derivation/shown_bodies.h"

namespace visviva {
namespace {

class BodyShow {
 public:
  BodyShow(const Kinematics& motion, const FreeBodies& free)
      : model_(motion.model()), free_(free) {}

  ShownBodies make() const {
    ShownBodies result{{}, free_.elsewhere};
    for (const FreeBody& b : free_.bodies) result.bodies.push_back(show(b));
    return result;
  }

 private:
  ShownVector show(const std::string& name, const Vector& v, int home) const {
    const Vector moved = move_from_spinning(model_, v);
    return {name, moved, choose_frame(model_, moved, home), false};
  }

  // A name of the model's own stays its own.
  std::string reaction(std::string name) const {
    if (!free_.has_reactions) return "";
    while (model_.pool->has_symbol_named(name)) name += "_";
    return name;
  }

  ShownBody show(const FreeBody& b) const {
    const BodyData& body = model_.bodies[b.body];
    ShownBody result{b.body, {show("", b.newton.left, 0), {}, reaction("R_" + body.name)}, {}};
    for (const LoadVector& load : b.newton.loads)
      result.newton.loads.push_back(show(load.name, load.vector, 0));
    if (!b.euler) return result;
    result.euler = {show("", b.euler->left, body.frame), {}, reaction("T_" + body.name)};
    result.euler->left.is_in_body_axes = true;
    for (const LoadVector& load : b.euler->loads) {
      ShownVector moment = show(load.name, load.vector, body.frame);
      moment.is_in_body_axes = moment.column.frame == model_.frames[body.frame].name;
      result.euler->loads.push_back(std::move(moment));
    }
    return result;
  }

  const ModelData& model_;
  const FreeBodies& free_;
};

}  // namespace

ShownBodies show_free_bodies(const Kinematics& motion, std::size_t degrees_of_freedom) {
  const FreeBodies free = make_free_bodies(motion, degrees_of_freedom);
  return BodyShow(motion, free).make();
}

}  // namespace visviva
