// Tables of a model's text: functions by the samples of a file.
//
// `specified F(t) = table("force.csv")` is a function of time like one with a definition; every other table is a
// function of the scalars after `over`, or of time: a symbol that stands in equations, called at them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/table_function.h"
#include "visviva/text/build/expression_reader.h"

namespace visviva {

/// Reads the tables of a text. Files are looked for beside the model's, and may lie under its folder or one of
/// these; what is wrong with one is shown where the table is named.
class TableReader {
 public:
  TableReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
              std::vector<std::string> folders)
      : draft_(draft), names_(names), expressions_(expressions), folders_(std::move(folders)) {}

  /// True for `table("force.csv", ...)` without `over` as the whole value of a specified function.
  bool is_signal(const Quantity& scalar, const Expression& value) const;
  /// Defines such a function by its table.
  void define(const Quantity& specified, const Expression& call);
  /// Reads a table that a case would give a specified function, and throws it away.
  void check(const Quantity& specified, const Expression& call);
  /// The value of a table at its scalars.
  Quantity read(const Expression& call);

 private:
  struct Options;
  struct Axis;
  struct Samples;
  struct Table;
  Options read_options(const Expression& call);
  Samples read_samples(const Expression& call, const Options& options);
  Table read_curve(const Expression& call, const Options& options);
  Table read_map(const Expression& call, const Options& options);
  void warn_of_overshoot(const Spline& curve, const Expression& call);
  std::string find_path(const Expression& file) const;
  std::string declare(const Expression& call);
  std::string name_of(const Expression& call) const;
  std::vector<std::string> name_arguments(const std::vector<Axis>& axes) const;

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  std::vector<std::string> folders_;
  std::map<const Expression*, std::string> functions_;  // declared, by their calls
};

}  // namespace visviva
