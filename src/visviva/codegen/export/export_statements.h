// A program as readable assignments: what is used once stands where it is used, what is used more
// often gets a name, and parentheses keep the order of every operation.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "visviva/codegen/export/export_syntax.h"
#include "visviva/codegen/export/exported_system.h"

namespace visviva {

/// One assignment.
struct ExportStatement {
  std::string name;  ///< of the value it makes; empty when it fills target `output`
  std::size_t output = 0;
  std::string expression;
  std::size_t cost = 0;                      ///< operations in it
  std::set<std::size_t> uses;                ///< earlier statements whose values it reads
  std::set<std::size_t> inputs, parameters;  ///< positions of those it reads
};

/// A program as assignments, in the order in which they are made.
struct ExportStatements {
  std::vector<ExportStatement> list;
  std::size_t temporaries = 0;  ///< values with a name that the model does not have
  std::set<Op> functions;       ///< called functions
  bool integrates_tables = false;
};

struct StatementOptions {
  bool skip_zeros = false;  ///< targets that are the number zero get no statement
  /// A target follows its value at once: values are soon done with. Otherwise targets come last,
  /// which reads better.
  bool early_targets = false;
};

/// The block's program; inputs and parameters have the system's names.
ExportStatements write_statements(const ExportedSystem& system, const ExportedBlock& block,
                                  const ExportSyntax& syntax, const StatementOptions& options = {});

/// Names of a block's inputs and parameters.
std::vector<std::string> input_identifiers(const ExportedSystem& system,
                                           const ExportedBlock& block);
std::vector<std::string> parameter_identifiers(const ExportedSystem& system);

/// The cost of one evaluation of a block.
struct ExportCost {
  std::size_t operations = 0, functions = 0, temporaries = 0;
};
ExportCost make_cost(const ExportedBlock& block, std::size_t temporaries);

/// What a reader of the file needs first, line by line, for a comment at its top.
std::vector<std::string> describe_model(const ExportedSystem& system, const ExportCost& cost,
                                        int first_index);

/// Why a file has no energies, as a clause without a full stop.
std::string describe_energies_missing(const EnergiesMissing& why);

}  // namespace visviva
