// Blocks of an exported system as the bodies of functions, in any of the languages.
//
// Compilers take more than linear time and memory for one function: a long program is cut into
// parts, and values that later parts need wait for them in an array `work`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "visviva/codegen/export/export_statements.h"
#include "visviva/codegen/export/exported_system.h"

namespace visviva {

/// One function's body: what it fetches from its arguments and from `work`, then what it computes.
struct ExportedPart {
  std::string head{}, body{};
  bool uses_t = false, uses_state = false, uses_inputs = false, uses_parameters = false;
  bool uses_work = false, uses_out = false;
};

/// A block's functions, to be called one after the other.
struct ExportedParts {
  std::vector<ExportedPart> list{};  ///< at least one
  std::size_t work_count = 0;        ///< entries of `work`
  std::size_t temporaries = 0;       ///< values with a name that the model does not have
  std::set<Op> functions{};          ///< called functions
  bool integrates_tables = false;
};

ExportedParts write_parts(const ExportedSystem& system, const ExportedBlock& block,
                          const ExportSyntax& syntax);

/// An array that a block fills; one without columns is a column.
struct ExportedArray {
  const char* name;
  std::size_t rows;
  std::optional<std::size_t> columns{};
  bool is_used = true;  ///< false when nothing of the kind is in the model
};

/// A block with the name of its function.
struct NamedBlock {
  const char* name;
  const ExportedBlock* block;
  std::vector<ExportedArray> arrays;
};

/// The system's blocks: "equations", then "constraint_values" and "energy_values" where there are such.
std::vector<NamedBlock> list_blocks(const ExportedSystem& system);

}  // namespace visviva
