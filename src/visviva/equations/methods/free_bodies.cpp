#include "visviva/equations/methods/free_bodies.h"

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

class FreeBodyBuilder {
 public:
  explicit FreeBodyBuilder(const Kinematics& motion)
      : motion_(motion), model_(motion.frames().front().model()) {}

  FreeBodies build(std::size_t degrees_of_freedom) {
    std::size_t freedoms = 0;
    for (const BodyData& body : model_.bodies) freedoms += body.frame < 0 ? 3 : 6;
    result_.has_reactions = degrees_of_freedom < freedoms;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(static_cast<int>(b));
    for (const Load& load : place_loads(motion_, collect_loads(motion_))) add_load(load);
    // What acts on no body reaches the bodies through R_B and T_B, also where nothing else holds them.
    result_.has_reactions = result_.has_reactions || !result_.elsewhere.empty();
    return std::move(result_);
  }

 private:
  // Laws that were put in their places have lost their dimension.
  Vector bare(const Vector& v) const { return Vector(model_, v.parts(), Dimension()); }

  void add_body(int index) {
    const BodyData& body = model_.bodies[index];
    const Point Bcm(model_, body.point);
    const Quantity m(body.mass, Dimension());
    const Vector ma = m * bare(motion_.acceleration(Bcm));  // (1)
    FreeBody result{index, {ma, {}}, {}};
    if (body.frame >= 0) {
      const Frame B(model_, body.frame);
      const Column3 w_NB = motion_.angular_velocity(B).in(B);
      const Column3 alpha_NB = motion_.angular_acceleration(B).in(B);
      const Column3 hdot = body.inertia * alpha_NB + cross(w_NB, body.inertia * w_NB);  // (2)
      result.euler = {Vector(model_, {{body.frame, hdot}}, Dimension()), {}};
    }
    result_.bodies.push_back(std::move(result));
  }

  // A frame that is fixed in another one turns with that.
  int carrier(int frame) const {
    while (frame > 0 && model_.frames[frame].body < 0) {
      const VectorMotion& local = engine_of(motion_).local_spin(frame);
      if (!local.coefficients.empty() || !is_zero(local.remainder)) break;
      frame = model_.frames[frame].parent;
    }
    return frame;
  }

  void add_load(const Load& load) {
    std::vector<Vector> forces(model_.bodies.size()), moments(model_.bodies.size());
    for (const auto& [point, force] : load.forces) {
      if (force.is_zero() || is_on_ground(motion_, point)) continue;
      const int b = find_body_of_point(motion_, point);
      if (b < 0) {
        result_.elsewhere.push_back({load.name, model_.points[point].name});
        continue;
      }
      const Vector arm = Point(model_, point) - Point(model_, model_.bodies[b].point);
      forces[b] = forces[b] + bare(force);
      moments[b] = moments[b] + bare(cross(arm, force));
    }
    for (const auto& [frame, torque] : load.torques) {
      const int F = carrier(frame);
      if (torque.is_zero() || F == 0) continue;
      const int b = model_.frames[F].body;
      if (b < 0)
        result_.elsewhere.push_back({load.name, model_.frames[frame].name});
      else
        moments[b] = moments[b] + bare(torque);
    }
    if (!load.generalized.empty()) result_.elsewhere.push_back({load.name, ""});
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      FreeBody& body = result_.bodies[b];
      if (!forces[b].is_zero()) body.newton.loads.push_back({load.name, forces[b]});
      if (body.euler && !moments[b].is_zero()) body.euler->loads.push_back({load.name, moments[b]});
    }
  }

  const Kinematics& motion_;
  const ModelData& model_;
  FreeBodies result_;
};

}  // namespace

FreeBodies make_free_bodies(const Kinematics& motion, std::size_t degrees_of_freedom) {
  return FreeBodyBuilder(motion).build(degrees_of_freedom);
}

}  // namespace visviva
