// The system of a run from equations alone: what the method needs, and energies as far as they can be had.
#pragma once

#include <optional>
#include <string>

#include "visviva/codegen/system/compile.h"

namespace visviva {

/// The options that a run by this method needs: the exact Jacobian of a long chain in space takes
/// longer to compile than most runs, and is left to those who ask for an implicit method.
SystemOptions choose_system_options(const Equations& equations, const std::string& method);

/// A system with these energies; without them, with formal ones.
CompiledSystem compile_for_run(const Equations& equations, const std::optional<Energies>& energies,
                               const SystemOptions& options);

}  // namespace visviva
