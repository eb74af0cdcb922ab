// Fixed parts of exported C, in which NAME_ stands for the name of the model.
#pragma once

#include <set>
#include <string>

#include "visviva/codegen/export/export_system.h"

namespace visviva {

/// Those of the called functions that C does not have.
std::string write_c_helpers(const std::set<Op>& called);

/// NAME_table_value
extern const char* const c_table_function;

/// NAME_solve, and NAME_solve_equations where there is more than M u' = f.
std::string write_c_solver(const ExportedSystem& system);

}  // namespace visviva
