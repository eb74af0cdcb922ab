// A driven pendulum as machine code: rates, many states at once, slopes, outputs, threads. What
// docs/guide/machine_code.md shows is here.
#include <array>
#include <iostream>
#include <thread>
#include <vector>

#include "visviva/visviva.h"

using namespace visviva;
using units::deg, units::J, units::kg, units::m, units::rad, units::s;

namespace {

Model make_pendulum() {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity mass = model.parameter("m", 2.0 * kg), L = model.parameter("L", 0.5 * m);
  const Quantity g = model.parameter("g", 9.81 * m / (s * s));
  const Quantity torque = model.input("torque", 0.0 * J);
  const Quantity x = model.specified("x", 0.1 * m * sin(3.0 * rad / s * model.time()));
  const Quantity theta = model.coordinate("theta", {.start = 30.0 * deg});
  const Frame A = model.frame("A", rotate(N, Axis::z, theta));
  model.particle("Q", {.at = N.origin() + x * N.x() - L * A.y(), .mass = mass});
  model.gravity(-g * N.y());
  model.torque("motor", {.on = A, .value = torque * N.z()});
  model.output("E_Z", model.result("E_Z"));
  model.output("power(x)", model.result("power(x)"));
  return model;
}

// A thousand angles at rest, all at time 0; value i of state k is [i * count + k].
void show_batch(const PreparedSystem& pendulum) {
  const std::size_t count = 1000;
  const std::vector<double> times(count, 0.0), torques(count, 0.0);
  std::vector<double> states(2 * count, 0.0), rates(2 * count);
  for (std::size_t k = 0; k < count; ++k) states[k] = 1e-3 * static_cast<double>(k);
  pendulum.compute_rates({times, states, torques}, rates);
  std::cout << "theta'' of the last of them " << rates.back() << " rad/s^2\n";
}

// One system, one set of parameters for each thread.
void show_threads(const CompiledSystem& system) {
  const std::array<double, 4> lengths = {0.5, 0.6, 0.7, 0.8};
  std::array<double, 4> accelerations{};
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    threads.emplace_back([&, k] {
      const PreparedSystem pendulum(system, system.parameters().with("L", lengths[k] * m));
      accelerations[k] = pendulum.rates(0.0, system.start())["theta''"];
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < lengths.size(); ++k)
    std::cout << "theta'' for L = " << lengths[k] << " m: " << accelerations[k] << " rad/s^2\n";
}

}  // namespace

int main() {
  try {
    const Model model = make_pendulum();
    const Kinematics motion = analyze_motion(model);
    const Equations equations = derive(motion);
    const CompiledSystem system = compile(equations, analyze_energy(motion, equations));
    std::cout << "backend " << system.backend() << ", " << system.operation_count()
              << " operations\n";

    const PreparedSystem pendulum(system);
    const NamedValues state = system.start().with("theta", 45.0 * deg);
    const NamedRates rates = pendulum.rates(0.0, state);
    if (rates.status != MotionStatus::ok) return 1;
    std::cout << "theta'' at " << state["theta"] << " rad: " << rates["theta''"] << " rad/s^2\n";

    const NamedSlopes slopes = pendulum.slopes(0.0, state);
    std::cout << "theta'' by theta " << slopes("theta''", "theta") << ", by the torque "
              << slopes("theta''", "torque") << ", by the length " << slopes("theta''", "L")
              << '\n';

    const std::size_t n = system.speed_count(), all = system.state_count();
    std::vector<double> M(n * n), force(n), by_state(all * all),
        by_inputs(all * system.input_names().size());
    pendulum.compute_mass_matrix(0.0, state, M);
    pendulum.compute_inverse_dynamics(0.0, state, std::vector<double>(n, 1.0), force);
    pendulum.compute_rate_jacobian(0.0, state, {.by_state = by_state, .by_inputs = by_inputs});

    const NamedValues outputs = pendulum.outputs(0.0, state);
    std::cout << "E_Z = " << outputs["E_Z"] << " J, power(x) = " << outputs["power(x)"] << " W\n";

    std::vector<double> values(system.state_count());
    pendulum.compute_rates(0.0, state, values);

    show_batch(pendulum);
    show_threads(system);
  } catch (const std::exception& error) {
    std::cerr << "machine_code: " << error.what() << '\n';
    return 1;
  }
}
