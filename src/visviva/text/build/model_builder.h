// ModelBuilder: walks a syntax tree and makes the Model's declarations, in whatever order they need
// each other.
//
// Scalars are declared first, in the order of the text; frames, points and `let`s are built when
// something asks for them. Every error becomes a diagnostic at its place, and the statement it is
// in is given up; the others go on.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "visviva/text/build/read_model.h"
#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// What an expression is: a scalar, a vector or a position.
using Value = std::variant<Quantity, Vector, Position>;

class ModelBuilder {
 public:
  ModelBuilder(const SyntaxTree& tree, const SourceText& source, const ReadOptions& options);
  ModelReading build();

 private:
  /// Thrown when a statement is given up; its diagnostic has been reported.
  struct Stop {};
  struct Entry {
    const SyntaxStatement* statement;
    const SyntaxItem* item;  // nullptr for objects
    enum { open, busy, done, failed } state = open;
  };

  // ---- Reporting (model_builder.cpp)
  [[noreturn]] void fail(const SourceSpan& span, const std::string& code,
                         const std::string& message, const std::string& help = "");
  void report(const Diagnostic& error);
  /// The parser complained here already, and went on with what it could read.
  bool has_syntax_error(const SourceSpan& span) const;
  void warn(const SourceSpan& span, const std::string& code, const std::string& message,
            const std::string& help = "");
  [[noreturn]] void fail_unknown(const SyntaxName& name, const std::string& what,
                                 const std::vector<std::string>& candidates);
  /// Runs a piece of work at a place; false when it failed.
  bool attempt(const SourceSpan& span, const std::string& documentation,
               const std::function<void()>& work);
  void for_each(StatementKind kind, const std::function<void(const SyntaxStatement&)>& work);

  // ---- The stages (model_builder.cpp)
  void collect_names();
  void apply_case();
  void apply_settings();
  void reserve_quaternions();
  void declare_scalars();
  void define_scalars(bool speeds);
  void define_scalar(const SyntaxStatement& s, const SyntaxItem& item);
  void set_coordinate_starts();
  void set_starts();
  void require_start_once(const std::string& name, const SourceSpan& span);
  bool is_declared_by(const SyntaxItem& item) const;
  void check_statements();
  void check_cases();
  void check_case_item(const SyntaxItem& item);
  void report_unused_changes();
  void check_definitions();
  std::optional<Expression> find_change(const std::string& name);
  std::optional<Quantity> find_body_rate(const std::string& name);
  void set_rate(const Quantity& rate, const Expression& value);
  void set_start(const Quantity& target, const Expression& value);
  Quantity changed_value(const Expression& value, const Dimension& dimension);

  // ---- Geometry (build_geometry.cpp)
  Frame find_frame(const SyntaxName& name);
  Frame find_frame(const Expression& e);
  Point find_point(const SyntaxName& name);
  Point find_point(const Expression& e);
  void build_entry(std::map<std::string, Entry>& entries, const SyntaxName& name, const char* what);
  void build_frame(const Entry& entry);
  void build_point(const Entry& entry);
  void build_body(const SyntaxStatement& s);
  Orientation read_orientation(const Expression& call);
  Orientation read_rotation(const Expression& call, const Frame& parent);
  Solid read_solid(const SyntaxClause& clause);
  Position read_position(const Expression& e);

  // ---- Forces, constraints, results (build_forces.cpp)
  void build_forces();
  void build_force(const SyntaxStatement& s);
  void build_torque(const SyntaxStatement& s);
  void build_spring(const SyntaxStatement& s);
  void build_energy(const SyntaxStatement& s);
  void build_constraints();
  void displace_constraint(const SyntaxItem& item,
                           std::map<std::pair<const Expression*, std::size_t>, Point>* nameless);
  void build_constraint(const SyntaxItem& item);
  void build_lock(const SyntaxName& name);
  void build_roll(const SyntaxStatement& s);
  void build_results();
  void build_outputs(const SyntaxStatement& s);
  void build_study(const SyntaxStatement& s);
  double read_constant(const Expression& e, const Dimension& dimension);
  void define_table(const Quantity& specified, const Expression& call);

  // ---- Expressions (evaluate_expression.cpp)
  Value evaluate(const Expression& e);
  Value evaluate_here(const Expression& e);
  Value evaluate_number(const Expression& e);
  Position displaced(const Point& P);
  Value name_point(const Value& value, const Expression& e, std::size_t operand);
  Vector displaced_axis(const Frame& A, const Vector& axis);
  Value evaluate_name(const Expression& e);
  void require_operands(const Expression& e) const;
  Value evaluate_call(const Expression& e);
  Value evaluate_motion(const Expression& e);
  Value evaluate_result(const Expression& e);
  bool is_particle(const std::string& name) const;
  Value evaluate_sum(const Expression& e);
  Value evaluate_product(const Expression& e);
  Value add(const Value& a, const Value& b, bool minus, const SourceSpan& span);
  Quantity scalar(const Expression& e);
  Vector vector(const Expression& e);
  /// left - right, as a scalar or a vector.
  Value difference(const Expression& left, const Expression& right);
  std::optional<Quantity> find_scalar(const std::string& name, int primes);
  std::vector<std::string> scalar_names() const;
  std::vector<std::string> expression_names() const;
  /// The text of an expression as the user wrote it.
  std::string written(const Expression& e) const;

  const SyntaxTree& tree_;
  const SourceText& source_;
  const ReadOptions& options_;
  std::vector<Diagnostic> diagnostics_;
  Model model_;
  std::string documentation_;
  int level_ = 0;  // declarations that wait for one another
  bool results_allowed_ = false;
  std::map<std::string, Quantity> scalars_;
  std::map<std::string, SourceSpan> scalar_places_;
  std::map<std::string, SourceSpan> starts_given_;  // by name with primes
  const Expression* point_wanted_ = nullptr;        // a name here is a point's first of all
  std::map<std::string, Entry> frames_, points_, lets_;
  std::vector<std::pair<std::map<std::string, Entry>*, std::string>>
      order_;  // of their declarations
  std::map<std::string, Value> let_values_;
  /// While a constraint is read once more: the displacements of what it names, so far.
  std::vector<VirtualData>* virtuals_ = nullptr;
  /// Points that the constraint being read describes without naming them, by the sum and the
  /// operand at which they are complete; nullptr outside constraints.
  std::map<std::pair<const Expression*, std::size_t>, Point>* nameless_ = nullptr;
  std::set<std::string> used_lets_;
  struct Change {
    Expression value;
    bool from_command = false;
    bool used = false;
    SourceSpan span;
  };
  std::map<std::string, Change> changes_;       // by name with primes
  std::vector<SyntaxName> locks_;               // of the case
  std::map<std::string, std::string> outputs_;  // name -> what was written
};

}  // namespace visviva
