// A pendulum on a hoist that follows a given x(t): the first model of the README.
#include <iostream>

#include "visviva/kinematics/kinematics.h"
#include "visviva/model/print_vector.h"

using namespace visviva;
using units::deg, units::kg, units::m, units::rad, units::s;

int main() {
  try {
    Model model("hoist_pendulum");
    const Frame N = model.newtonian();

    const Quantity L = model.parameter("L", 0.5 * m);
    const Quantity x = model.specified("x", 0.3 * m * sin(2.0 * rad / s * model.time()));
    const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});

    const Frame A = model.frame("A", rotate(N, Axis::z, theta));
    const Point H = model.point("H", N.origin() + x * N.x());
    const Point Q = model.particle("Q", {.at = H - L * A.y(), .mass = 2.0 * kg});

    const Kinematics motion = analyze_motion(model);
    std::cout << "velocity of Q      " << print_vector(motion.velocity(Q)) << '\n';
    std::cout << "  by theta'        " << print_vector(motion.partial_velocity(Q, "theta'"))
              << '\n';
    std::cout << "  remainder        " << print_vector(motion.velocity_remainder(Q)) << '\n';
    std::cout << "acceleration of Q  " << print_vector(motion.acceleration(Q)) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "hoist_pendulum: " << error.what() << '\n';
    return 1;
  }
}
