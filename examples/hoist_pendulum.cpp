// A pendulum on a hoist that follows a given x(t), from its description to a page: the program of the README.
// Usage: hoist_pendulum FOLDER; the page is written into that folder.
#include <iostream>

#include "visviva/visviva.h"

using namespace visviva;
using namespace visviva::units;  // 0.5 * m is a Quantity: a number and a dimension

namespace {

void run_study(const std::string& folder) {
  Model model("hoist_pendulum");
  const Frame N = model.newtonian();

  const Quantity L = model.parameter("L", 0.5 * m);
  const Quantity mass = model.parameter("m", 2.0 * kg);
  const Quantity g = model.parameter("g", 9.81 * m / (s * s));
  const Quantity x = model.specified("x", 0.3 * m * sin(2.0 * rad / s * model.time()));
  const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});

  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  const Point H = model.point("H", N.origin() + x * N.x());
  const Point Q = model.particle("Q", {.at = H - L * A.y(), .mass = mass});
  model.gravity(-g * N.y());

  const Kinematics motion = analyze_motion(model);
  std::cout << "velocity of Q = " << print_vector(motion.velocity(Q)) << '\n';

  const Equations equations = derive(motion, Method::kane);
  const Energies energies = analyze_energy(motion, equations);
  const CompiledSystem system = compile(equations, energies);
  const Trajectory run = simulate(system, {.until = 10.0, .energy = 1e-9});
  if (!run.certificate.holds()) std::cerr << run.certificate.reason() << '\n';
  std::cout << "theta after " << run.t().back() << " s = " << run["theta"].back() << " rad\n";
  write_report(folder + "/hoist.html", {model, equations, energies, run});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run_study(argc > 1 ? argv[1] : ".");
  } catch (const std::exception& error) {
    std::cerr << "hoist_pendulum: " << error.what() << '\n';
    return 1;
  }
}
