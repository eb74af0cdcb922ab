// ExpressionReader: expressions of the language, from the syntax tree to scalars, vectors and
// positions, with dimensions checked.
//
// An expression that makes no sense is reported at its place, and its statement given up.
#pragma once

#include <map>
#include <set>

#include "visviva/text/build/name_table.h"
#include "visviva/text/build/named_places.h"
#include "visviva/text/build/scoped_value.h"

namespace visviva {

class TableReader;

class ExpressionReader {
 public:
  ExpressionReader(ModelDraft& draft, NameTable& names, TableReader& tables)
      : draft_(draft), names_(names), tables_(tables) {}

  Value read(const Expression& e);
  Quantity read_scalar(const Expression& e);
  /// Reads a scalar that is to have a dimension: a bare number from the command line takes it.
  Quantity read_scalar(const Expression& e, const Dimension& dimension);
  Vector read_vector(const Expression& e);
  /// Reads a position: a name that points and scalars share is a point's here.
  Position read_position(const Expression& e);
  /// Reads a number of this dimension, without names.
  double read_constant(const Expression& e, const Dimension& dimension);
  /// Reads left - right, as a scalar or a vector.
  Value read_difference(const Expression& left, const Expression& right);

  /// Until the end of the block: whether expressions may mention what later stages derive.
  ScopedValue<bool> allow_results(bool allowed) { return {results_allowed_, allowed}; }
  /// Reads the definition of a function that nothing uses, so that its mistakes are found.
  void check_function(const std::string& name);

  /// True for a name that stands for a scalar where results may stand, outputs left out.
  bool has_scalar(const std::string& name);

  /// Names what an output is: the name may stand wherever results may.
  void add_output(const std::string& name, const Expression& value) {
    outputs_.emplace(name, &value);
  }
  /// What the output of that name is; nullptr when none has it.
  const Expression* find_output(const std::string& name) const {
    const auto found = outputs_.find(name);
    return found == outputs_.end() ? nullptr : found->second;
  }

  // Fields (read_field.cpp)

  /// Until the end of the block: fields have their values at a place.
  ScopedValue<const FieldPlace*> stand_at_place(const FieldPlace& place) {
    return {place_, &place};
  }
  /// Tells who makes lines.
  void set_line_maker(const std::function<void(LineDeclaration&, const SourceSpan&)>& make) {
    make_line_ = make;
  }
  /// The variable that a line's position depends on.
  std::string read_line_variable(const SyntaxStatement& line);
  Position read_line_position(const SyntaxStatement& line, const FieldPlace& place);
  /// A point by its name, or the point of a line at a place: Beam(L).
  Point find_point(const Expression& e);

  /// The component of a value along an axis of N, which `e` names.
  Quantity take_component(const Value& v, const Expression& e);

  /// Until the end of the block: whether expressions may mention momenta of coordinates.
  ScopedValue<bool> allow_momenta(bool allowed) { return {momenta_allowed_, allowed}; }
  /// Until the end of the block: expressions belong to a law whose places are followed.
  ScopedValue<NamedPlaces*> follow(NamedPlaces& places) { return {places_, &places}; }

 private:
  Value read_here(const Expression& e);
  Value read_number(const Expression& e);
  Value read_name(const Expression& e);
  Value read_point(const Expression& e);
  Value read_axis(const Expression& e);
  Value read_output(const Expression& e);
  std::optional<Quantity> read_named_component(const Expression& e);
  Vector axis_of(const Frame& A, char letter);
  Quantity displace(const Quantity& scalar);
  Value read_negative(const Expression& e);
  Value read_sum(const Expression& e);
  Value read_product(const Expression& e);
  Value add(const Value& a, const Value& b, bool minus, const SourceSpan& span);
  Value multiply(const Value& a, const Value& b, bool division, const SourceSpan& span);
  std::optional<std::string> find_momentum_coordinate(const Expression& e) const;
  [[noreturn]] void fail_name(const Expression& e);

  // Calls of functions (read_call.cpp).

  Value read_call(const Expression& e);

  // Functions that the text declares (read_function.cpp).

  using Locals = std::map<std::string, Quantity>;
  Quantity read_function(const Expression& e);
  Quantity read_derivative(const Expression& e);
  std::vector<Quantity> read_arguments(const Expression& place, const FunctionDeclaration& f,
                                       std::size_t count);
  Quantity read_definition(const SourceSpan& span, FunctionDeclaration& f, const Locals& locals);
  Locals make_local_symbols(const FunctionDeclaration& f, const std::vector<Dimension>& dimensions);

  Quantity read_field(const Expression& e, const FieldDeclaration& field, int primes, int slopes);
  std::optional<Quantity> read_field_name(const Expression& e);
  Quantity read_slope(const Expression& e, const FieldDeclaration& field);
  Value read_placed(const Expression& e);
  FieldPlace read_line_place(const Expression& call);
  Point read_line_point(const Expression& call);

  Value read_motion(const Expression& e);
  Value read_momentum(const Expression& e);
  Vector add_angular_momenta(const Expression& e);
  Value read_result(const Expression& e);
  Value read_action(const Expression& e);
  Value read_multiplier(const std::string& constraint);
  std::set<std::string> list_result_subjects(const std::string& call) const;

  ModelDraft& draft_;
  NameTable& names_;
  TableReader& tables_;
  bool results_allowed_ = false;
  bool momenta_allowed_ = false;              // by themselves; where results are, they are
  const Expression* point_wanted_ = nullptr;  // a name here is a point's first of all
  const Locals* locals_ = nullptr;            // arguments, while a function's definition is read
  NamedPlaces* places_ = nullptr;             // of the law that is being read
  const FieldPlace* place_ = nullptr;         // where fields have their values
  std::function<void(LineDeclaration&, const SourceSpan&)> make_line_;
  std::map<std::string, const Expression*> outputs_;
  std::set<std::string> busy_outputs_;  // being read
};

/// Gives up on a call with too few arguments: it has been complained about, but is in the tree.
void require_operands(const Expression& call);

}  // namespace visviva
