// What the parts of the Python module share: the exceptions that they raise, and its classes.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/base/source_text.h"

namespace visviva::python {

/// Raises visviva.ModelError with these diagnostics, and with the words that the program would print.
[[noreturn]] void raise_model_error(const std::vector<Diagnostic>& diagnostics,
                                    const SourceText& source);

/// Functions that answer as the program does.
void bind_commands(nanobind::module_& m);
/// Compiled systems.
void bind_system(nanobind::module_& m);
/// Runs of them.
void bind_run(nanobind::module_& m);

}  // namespace visviva::python
