// Equations as assignments in C99, to be copied into a program: readable, with the names of the
// model as far as C allows them.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/symbolic/print/printed_forms.h"

namespace visviva {

/// Identifiers of a model's symbols and of intermediates, each different, none of them a word that C
/// or the assignments use.
class CNames {
 public:
  /// `symbols` and intermediates are read, and may be assigned to. `targets` are only assigned to:
  /// "M", "f". They come first, so that they keep their names whatever the model's are.
  CNames(const PrintedForms& written, const std::vector<std::string>& symbols,
         const std::vector<std::string>& targets);
  /// The identifier of a symbol. UsageError for a name that was not given.
  const std::string& operator()(const std::string& symbol) const;
  const std::string& target(const std::string& name) const;

 private:
  std::unordered_map<std::string, std::string> targets_;
  std::unordered_map<std::string, std::string> identifiers_;
};

/// Names of the symbols in expressions.
std::vector<std::string> symbol_names(const std::vector<Expr>& exprs);

/// target = sum of the values; what is declared is a constant: "const double theta_d = ...".
struct CAssignment {
  std::string target;
  std::vector<Expr> values;  ///< their sum
  bool declares = false;
};

/// The assignments with the intermediates they need before them, and above all a comment that says
/// which identifier stands for which symbol.
std::string write_c_assignments(const PrintedForms& written, const CNames& names,
                                const std::vector<CAssignment>& assignments);

}  // namespace visviva
