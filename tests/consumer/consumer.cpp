// Reads the model that is its argument, simulates it, and says how that went.
#include <visviva/visviva.h>
#include <iostream>

int main(int, char** argv) {
  using namespace visviva;
  const Model model = load_model(argv[1]);
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion);
  const Energies energies = analyze_energy(motion, equations);
  const CompiledSystem system = compile(equations, energies);
  const Trajectory run = simulate(system, {.until = 1.0, .energy = 1e-9});
  if (!run.certificate.holds()) std::cout << run.certificate.reason() << '\n';
  std::cout << "theta " << run["theta"].back() << '\n';
}
