// Free bodies: what their equations say, put on the partial velocities, is what Kane's equations
// say.
#include "visviva/equations/methods/free_bodies.h"

#include <gtest/gtest.h>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/kane.h"

namespace visviva {
namespace {

// A body on a universal joint with a particle on a slide: a spring back to the ground, a torque on a
// tool that is fixed in the body, a push on its tip, a string from the particle to the joint.
struct Mechanism {
  Mechanism() {
    const Quantity m = model.parameter("m", 2 * units::kg);
    const Quantity L = model.parameter("L", 0.8 * units::m);
    const Quantity J = model.parameter("J", 0.1 * units::kg * units::m * units::m);
    const Quantity F = model.parameter("F", 3 * units::N);
    const Quantity k = model.parameter("k", 50 * units::N / units::m);
    const Quantity q1 = model.coordinate("q1", {.start = 0.3 * units::rad});
    const Quantity q2 = model.coordinate("q2", {.start = 0.5 * units::rad});
    const Quantity s = model.coordinate("s", {.start = 0.2 * units::m});
    const Frame N = model.newtonian();
    const Frame A = model.frame("A", rotate(N, Axis::x, q1));
    const Frame B = model.frame("B", rotate(A, Axis::y, q2));
    const Frame tool = model.frame("Tool", rotate(B, Axis::z, model.constant(0.4 * units::rad)));
    const Point No = N.origin();
    const Point Bcm = model.body(
        B, {.at = No + L * B.x(), .mass = m, .inertia = {.xx = J, .yy = 2 * J, .zz = 2.5 * J}});
    const Point tip = model.point("Tip", Bcm + L * B.z());
    const Point P = model.particle("P", {.at = Bcm + s * B.y(), .mass = m});
    model.gravity(-9.81 * units::m / (units::s * units::s) * N.z());
    model.force("push", {.on = tip, .value = F * A.z()});
    model.torque("drive", {.on = tool, .from = N, .value = F * L * tool.y()});
    model.spring("back", {.from = No, .to = tip, .stiffness = k, .rest = L});
    model.spring("slide", {.on = s, .stiffness = k});
    model.force("string", {.on = P, .from = No, .value = F * unit(No - P)});
  }
  Model model{"mechanism"};
};

Vector reaction_of(const VectorBalance& balance) {
  Vector rest = balance.left;
  for (const LoadVector& load : balance.loads) rest = rest - load.vector;
  return rest;
}

Expr dotted(const Kinematics& motion, const Vector& a, const Vector& partial) {
  const Frame N = motion.frames().front();
  return dot(a.in(N), partial.in(N));
}

TEST(FreeBodies, reactions_do_no_work_exactly_when_the_equations_of_motion_hold) {
  Mechanism mechanism;
  const Kinematics motion = analyze_motion(mechanism.model);
  const Equations kane = derive_kane(motion);
  const FreeBodies free = make_free_bodies(motion, motion.speeds().size());
  EXPECT_EQ(free.bodies.size(), 2u);
  // Of the slide's spring the opposite acts on B, which moves with it.
  EXPECT_TRUE(free.elsewhere.empty());
  for (std::size_t r = 0; r < motion.speeds().size(); ++r) {
    const std::string& u = motion.speeds()[r].name;
    Expr power = motion.model().pool->zero();
    for (const FreeBody& b : free.bodies) {
      const BodyData& body = motion.model().bodies[static_cast<std::size_t>(b.body)];
      const Point Bcm = motion.points()[static_cast<std::size_t>(body.point)];
      power += dotted(motion, reaction_of(b.newton), motion.partial_velocity(Bcm, u));
      if (!b.euler) continue;
      const Frame B = motion.frames()[static_cast<std::size_t>(body.frame)];
      power += dotted(motion, reaction_of(*b.euler), motion.partial_angular_velocity(B, u));
    }
    Expr balance = -kane.forcing[r];
    for (std::size_t s = 0; s < motion.speeds().size(); ++s)
      balance += kane.mass_matrix[r][s] * motion.speeds()[s].rate;
    EXPECT_TRUE(power == balance) << u;
    EXPECT_FALSE(power.is_zero()) << u;
  }
}

TEST(FreeBodies, what_acts_on_the_ground_is_not_on_a_body_that_is_pinned_there) {
  Mechanism mechanism;
  const FreeBodies free = make_free_bodies(analyze_motion(mechanism.model), 3);
  std::vector<std::string> names;
  for (const LoadVector& load : free.bodies[0].newton.loads) names.push_back(load.name);
  // `string` pulls P and the pin No, where B hangs too.
  EXPECT_EQ(names, (std::vector<std::string>{"gravity on B", "push", "back", "slide"}));
}

}  // namespace
}  // namespace visviva
