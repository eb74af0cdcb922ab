#include "visviva/codegen/system/compile_for_run.h"

#include "visviva/base/error.h"
#include "visviva/equations/constraints/embed.h"
#include "visviva/equations/energy/analyze_energy.h"

namespace visviva {

SystemOptions choose_system_options(const Equations& equations, const std::string& method) {
  constexpr std::size_t few_speeds = 16;
  const bool is_implicit = method == "radau5" || method == "cvode-bdf" || method == "ida";
  return {.jacobian = is_implicit || equations.forcing.size() <= few_speeds,
          .sensitivities = false,
          .momenta = method.starts_with("variational"),
          .inverse = false};
}

CompiledSystem compile_for_run(const Equations& equations, const std::optional<Energies>& energies,
                               const SystemOptions& options) {
  if (energies) return compile(equations, *energies, options);
  const VelocitySplit split(equations);
  return compile(equations, split, analyze_formal_energy(equations, split, nullptr),
                 choose_dependent_speeds(equations), options);
}

}  // namespace visviva
