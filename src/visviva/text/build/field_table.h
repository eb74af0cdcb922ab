// FieldTable: the fields, their variables and the lines of a model's text by name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "visviva/model/model.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// A field that the text declares.
struct FieldDeclaration {
  const SyntaxStatement* statement;
  const SyntaxItem* item;
  Field field{};  ///< in the model, once it is there
};

/// A line that the text declares.
struct LineDeclaration {
  enum class State { open, busy, done, failed };
  const SyntaxStatement* statement;
  State state = State::open;
};

class FieldTable {
 public:
  /// Lists what a text declares; the first of a name counts.
  explicit FieldTable(const SyntaxTree& tree);

  bool is_empty() const { return fields_.empty(); }
  FieldDeclaration* find_field(const std::string& name);
  LineDeclaration* find_line(const std::string& name);
  bool has_variable(const std::string& name) const { return variables_.contains(name); }
  std::map<std::string, FieldDeclaration>& fields() { return fields_; }
  std::map<std::string, LineDeclaration>& lines() { return lines_; }
  /// The variable of a field.
  const std::string& variable_of(const FieldDeclaration& field) const {
    return field.item->parameters[0].text;
  }
  /// The variable that an expression is about: that of a field, or itself; nothing when it mentions none.
  std::optional<std::string> find_variable(const Expression& e) const;
  /// The highest slope of a field in the laws, positions and definitions of a text; at least 1.
  int count_slopes(const SyntaxTree& tree, const std::string& field) const;
  /// True when a law per length has the first slope of a field.
  bool has_slope_law(const SyntaxTree& tree, const std::string& field) const;

 private:
  std::map<std::string, FieldDeclaration> fields_;
  std::map<std::string, LineDeclaration> lines_;
  std::map<std::string, SourceSpan> variables_;
};

}  // namespace visviva
