// The mechanisms that the benchmarks of simulation run: models in the model language, compiled.
#pragma once

#include <string>
#include <vector>

#include "visviva/codegen/system/compiled_system.h"

namespace visviva::bench {

struct SimulatedSystem {
  std::string name;
  std::string text;    ///< the model
  double until = 1.0;  ///< s
  /// By which an energy tolerance is compared with local ones: "auto" would change methods at other
  /// times in either, so that evaluations could not be compared.
  std::string method = "auto";
};

/// Without friction and with, driven, rolling, in loops, in quaternions, chaotic and not.
const std::vector<SimulatedSystem>& list_systems();
/// One of them by name. UsageError when there is none.
const SimulatedSystem& find_system(const std::string& name);
/// n rods of 1 m without mass, a particle of 1 kg at the end of each, from the horizontal.
SimulatedSystem make_chain(int n);
/// n rods of 1 m and 1 kg, one hung from the other in angles from the horizontal, in an arch between two
/// hinges.
SimulatedSystem make_rod_loop(int n);
/// The same with two coordinates and an angle for each rod, and a constraint for each hinge.
SimulatedSystem make_free_rod_loop(int n);
/// UsageError where the model is wrong.
CompiledSystem compile_system(const SimulatedSystem& system);

}  // namespace visviva::bench
