// Tables of a model's text: a specified function by the samples of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "visviva/base/spline.h"
#include "visviva/text/build/expression_reader.h"

namespace visviva {

/// Reads the tables of a text. Files are looked for beside the model's, and may lie under its folder or one of
/// these; what is wrong with one is shown where the table is named.
class TableReader {
 public:
  TableReader(ModelDraft& draft, ExpressionReader& expressions, std::vector<std::string> folders)
      : draft_(draft), expressions_(expressions), folders_(std::move(folders)) {}

  /// True for `table("force.csv", ...)`.
  static bool is_table(const Expression& value) {
    return value.kind == Expression::Kind::call && value.text == "table";
  }
  /// Defines a scalar by its table; only a specified function has one.
  void define(const Quantity& scalar, const Expression& call);
  /// Reads a table that a case would give a scalar, and throws it away.
  void check(const Quantity& scalar, const Expression& call);

 private:
  struct Table;
  Table read(const Quantity& scalar, const Expression& call);
  void require_folder(const std::string& path, const Expression& file) const;

  ModelDraft& draft_;
  ExpressionReader& expressions_;
  std::vector<std::string> folders_;
};

}  // namespace visviva
