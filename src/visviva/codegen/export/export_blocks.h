// Blocks of an exported system as the bodies of functions, in any of the languages.
//
// Compilers take more than linear time and memory for one function: a long program is cut into
// parts, and values that later parts need wait for them in an array `work`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "visviva/codegen/export/export_statements.h"
#include "visviva/codegen/export/export_system.h"

namespace visviva {

/// How a language writes assignments.
struct BlockSyntax {
  ExportDialect dialect;
  const char *indent, *declare, *end;  ///< "    ", "const double ", ";\n"
  char open, close;                    ///< around an index
  std::size_t first_index;
  /// A table's value at t.
  std::string (*sample)(const ExportedSystem& system, const ExportedSample& sample);
  std::string (*target)(const ExportedSystem& system, const ExportedTarget& target);
  bool starts_at_zero;    ///< targets that are zero need no assignment
  std::size_t part_cost;  ///< operations in a part; a program of half as many more stays whole
};

/// One function's body: what it fetches from its arguments and from `work`, then what it computes.
struct ExportedPart {
  std::string head{}, body{};
  bool uses_t = false, uses_state = false, uses_inputs = false, uses_parameters = false;
  bool uses_work = false, uses_out = false;
};

struct ExportedParts {
  std::vector<ExportedPart> list{};  ///< at least one
  std::size_t work_count = 0;
  std::size_t temporaries = 0;
  std::set<Op> functions{};  ///< that are called
};

ExportedParts write_parts(const ExportedSystem& system, const ExportedBlock& block,
                          const BlockSyntax& syntax);

/// An array that a block fills; one without columns is a column.
struct ExportedArray {
  const char* name;
  std::size_t rows;
  std::optional<std::size_t> columns{};
  bool is_used = true;  ///< false when nothing of the kind is in the model
};

struct NamedBlock {
  const char* name;
  const ExportedBlock* block;
  std::vector<ExportedArray> arrays;
};

/// Those that the system has: "equations", "constraint_values", "energy_values".
std::vector<NamedBlock> list_blocks(const ExportedSystem& system);

}  // namespace visviva
