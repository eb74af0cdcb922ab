// A program as readable assignments: what is used once stands where it is used, what is used more
// often gets a name, and parentheses keep the order of every operation.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "visviva/codegen/export/export_system.h"

namespace visviva {

/// How a language writes what is not an operator.
struct ExportDialect {
  std::string (*literal)(double value);
  /// sin(a), atan2(a, b), ...; `function` is that of the model language.
  std::string (*call)(Op function, const std::string& a, const std::string& b);
};

struct ExportStatement {
  std::string name;  ///< of the value it makes; empty when it fills target `output`
  std::size_t output = 0;
  std::string expression;
  std::size_t cost = 0;        ///< operations in it
  std::set<std::size_t> uses;  ///< earlier statements
  std::set<std::size_t> inputs, parameters;
};

struct ExportStatements {
  std::vector<ExportStatement> list;
  std::size_t temporaries = 0;
  std::set<Op> functions;  ///< that are called
};

struct StatementOptions {
  bool skip_zeros = false;  ///< targets that are the number zero get no statement
  /// A target follows its value at once: values are soon done with. Otherwise targets come last,
  /// which reads better.
  bool early_targets = false;
};

/// Names are those of the system.
ExportStatements write_statements(const ExportedSystem& system, const ExportedBlock& block,
                                  const ExportDialect& dialect,
                                  const StatementOptions& options = {});

/// A number that reads back as the same double and as no integer: "2.0", "1e-05".
std::string number_literal(double value);

/// Names of a block's inputs and parameters.
std::vector<std::string> input_identifiers(const ExportedSystem& system);
std::vector<std::string> parameter_identifiers(const ExportedSystem& system);

/// What a reader of the file needs first, line by line, for a comment at its top.
struct ExportCost {
  std::size_t operations = 0, functions = 0, temporaries = 0;
};
ExportCost make_cost(const ExportedBlock& block, std::size_t temporaries);
std::vector<std::string> describe_model(const ExportedSystem& system, const ExportCost& cost,
                                        int first_index);

}  // namespace visviva
