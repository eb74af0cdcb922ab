// What tests of compiled systems share: how models are compiled, and how far numbers may be off.
#pragma once

#include <vector>

#include "visviva/codegen/system/compile.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {

constexpr double rounding = 1e-13;       // of numbers of order 10 after some tens of operations
constexpr double long_rounding = 1e-12;  // of numbers of order 10 after some hundreds of operations

inline CompiledSystem compile_model(const Model& model, const SystemOptions& options = {}) {
  const Equations equations = derive(analyze_motion(model));
  return compile(equations, analyze_energy(equations), options);
}

// Solved by code, solved numerically, interpreted.
inline std::vector<SystemOptions> all_ways() {
  SystemOptions numerical, interpreted;
  numerical.unrolled_operations = 0;
  interpreted.code.interpret = true;
  return {{}, numerical, interpreted};
}

}  // namespace visviva
