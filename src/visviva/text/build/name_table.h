// NameTable: the names of a model's text and what they stand for.
//
// Scalars are declared before anything else. Frames, points and `let`s are made when something asks
// for them, so that the text may have them in any order; who can make them is told to the table.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "visviva/text/build/field_table.h"
#include "visviva/text/build/scalar_table.h"

namespace visviva {

/// The value of an expression: a scalar, a vector or a position.
using Value = std::variant<Quantity, Vector, Position>;

/// A frame, point or `let` that the text declares.
struct Declaration {
  enum class Kind { frame, point, let };
  enum class State { open, busy, done, failed };

  Kind kind;
  const SyntaxStatement* statement;
  const SyntaxItem* item;  ///< nullptr for particles and bodies
  State state = State::open;
  std::optional<Value> value{};  ///< of a `let` that is done
  bool is_used = false;          ///< a `let` that an expression mentions
};

/// A `function` that the text declares.
struct FunctionDeclaration {
  const SyntaxStatement* statement;
  const SyntaxItem* item;
  bool is_busy = false;  ///< its definition is being read
  bool is_used = false;
};

class NameTable {
 public:
  using Declarations = std::map<std::string, Declaration>;
  using Functions = std::map<std::string, FunctionDeclaration>;

  /// Lists the frames, points and `let`s of the text; reports those declared twice.
  explicit NameTable(ModelDraft& draft);

  /// Tells who makes what a declaration says.
  void set_maker(const std::function<void(Declaration&)>& make) { make_ = make; }
  /// Makes everything, in the order of the text as far as declarations do not need each other.
  void make_all();

  ScalarTable& scalars() { return scalars_; }
  Declarations& frames() { return frames_; }
  const Declarations& points() const { return points_; }
  const Declarations& lets() const { return lets_; }
  /// Functions by name; one that could not be declared is not among them.
  Functions& functions() { return functions_; }

  FieldTable& fields() { return fields_; }

  bool has_frame(const std::string& name) const { return frames_.count(name) != 0; }
  bool has_point(const std::string& name) const { return points_.count(name) != 0; }
  bool has_let(const std::string& name) const { return lets_.count(name) != 0; }
  /// True for a particle, and for the mass center of a body.
  bool is_particle(const std::string& name) const;

  // What a name or an expression that must be a name stands for; fails when it is something else.

  Frame find_frame(const SyntaxName& name);
  Frame find_frame(const Expression& e);
  Point find_point(const SyntaxName& name);
  Point find_point(const Expression& e);
  /// A `let` of the text, done; it counts as used from now on.
  const Declaration& find_let(const SyntaxName& name);
  /// A rate D_wx, D_wy or D_wz: the speeds that a quaternion frame D has unless others are given.
  std::optional<Quantity> find_body_rate(const std::string& name);

  /// Every name that an expression may mention.
  std::vector<std::string> names_in_expressions() const;

 private:
  void collect(Declarations& declarations, const SyntaxName& name, const Declaration& declaration,
               const char* what);
  void make(Declaration& declaration, const SyntaxName& name);

  ModelDraft& draft_;
  ScalarTable scalars_;
  FieldTable fields_;
  Declarations frames_, points_, lets_;
  Functions functions_;
  std::vector<std::pair<std::string, Declaration*>> order_;  // of the text
  std::function<void(Declaration&)> make_;
  int level_ = 0;  // declarations that wait for one another
};

}  // namespace visviva
