// A driven pendulum as machine code: rates, many states at once, slopes, outputs, threads. What
// docs/guide/machine_code.md shows is here.
#include <array>
#include <cmath>
#include <iostream>
#include <thread>
#include <vector>

#include "visviva/codegen/system/compile_system.h"
#include "visviva/equations/methods/derive.h"

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

// A thousand angles at rest, all at time 0; item i of state k is [i * count + k].
void show_batch(const CompiledSystem& system, const PreparedParameters& p) {
  const std::size_t count = 1000;
  std::vector<double> times(count, 0.0), inputs(count, 0.0);
  std::vector<double> states(2 * count, 0.0), rates(2 * count);
  for (std::size_t k = 0; k < count; ++k) states[k] = 1e-3 * static_cast<double>(k);
  system.compute_rates_batch(times.data(), states.data(), inputs.data(), count, count, p,
                             rates.data());
  std::cout << "theta'' of the last of them " << rates[2 * count - 1] << " rad/s^2\n";
}

// One system, one set of parameters for each thread.
void show_threads(const CompiledSystem& system) {
  std::array<double, 4> rates{};
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    threads.emplace_back([&system, &rates, k] {
      std::vector<double> parameters = system.parameters();
      parameters[1] = 0.5 + 0.1 * static_cast<double>(k);  // L
      const PreparedParameters p = system.prepare(parameters);
      double y[2];
      system.compute_rates({0.0, system.start().data(), system.inputs().data()}, p, y);
      rates[k] = y[1];
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < rates.size(); ++k)
    std::cout << "theta'' for L = " << 0.5 + 0.1 * static_cast<double>(k) << " m: " << rates[k]
              << " rad/s^2\n";
}

}  // namespace

int main() {
  try {
    const Model model = make_pendulum();
    const Equations equations = derive(analyze_motion(model));
    const CompiledSystem system = compile(equations, analyze_energy(equations));
    std::cout << "backend " << system.backend() << ", " << system.operation_count()
              << " operations\n";

    const PreparedParameters p = system.prepare(system.parameters());
    const std::vector<double> inputs = system.inputs(), state = system.start();
    const Instant now{0.0, state.data(), inputs.data()};
    std::vector<double> rates(system.state_count());
    if (system.compute_rates(now, p, rates.data()) != MotionStatus::ok) return 1;
    for (std::size_t i = 0; i < rates.size(); ++i)
      std::cout << "rate of " << system.state_names()[i] << "  " << rates[i] << '\n';

    SystemJacobian slopes;
    system.compute_jacobian(now, p, &slopes);
    system.compute_sensitivities(now, p, &slopes);
    std::cout << "theta'' by theta " << slopes.by_state(1, 0) << ", by the torque "
              << slopes.by_inputs(1, 0) << '\n';

    std::vector<double> quadratures(system.quadrature_names().size(), 0.0);  // at the start
    std::vector<double> values(system.output_names().size());
    system.compute_outputs(now, p, quadratures.data(), values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
      std::cout << system.output_names()[i] << " = " << values[i] << '\n';

    show_batch(system, p);
    show_threads(system);
  } catch (const std::exception& error) {
    std::cerr << "machine_code: " << error.what() << '\n';
    return 1;
  }
}
