// From equations to a CompiledSystem.
#pragma once

#include "visviva/codegen/jit/compiled_function.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/codegen/system/output_expressions.h"
#include "visviva/equations/energy/energies.h"

namespace visviva {

struct SystemOptions {
  CompileOptions code{};
  bool jacobian = true;       ///< compute_jacobian() is wanted
  bool sensitivities = true;  ///< compute_sensitivities() is wanted
  bool momenta = true;        ///< compute_momenta() is wanted
  bool inverse = true;        ///< compute_inverse_dynamics() is wanted
  /// M u' = f is written out where that takes no more multiplications than this; a planar chain of
  /// 40 links takes 13,000, and is twice as fast then.
  std::size_t unrolled_operations = 15000;
  /// Outputs that come last in output_names(), a vector as name.x .y .z; hidden orientations that they need
  /// stay in the state. An extra output that repeats one of the same name is left out; UsageError when
  /// the name means another.
  std::vector<ExtraOutput> extra_outputs{};
};

/// The equations and energies as a system that computes numbers. UsageError when the energies are
/// not those of these equations, or when the equations contain a symbol that has no place in a run.
CompiledSystem compile(const Equations& equations, const Energies& energies,
                       const SystemOptions& options = {});
/// The system from formal energies alone, where the constraints cannot be embedded; `dependent`: as
/// choose_dependent_speeds() gives them.
CompiledSystem compile(const Equations& equations, const VelocitySplit& split,
                       const EnergyTerms& formal, const std::vector<int>& dependent,
                       const SystemOptions& options = {});

}  // namespace visviva
