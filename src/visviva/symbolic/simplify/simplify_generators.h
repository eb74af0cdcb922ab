// What the polynomials of an expression are made of: symbols, functions and named nodes, with the
// relations they obey.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "visviva/symbolic/form/write_form.h"
#include "visviva/symbolic/simplify/polynomial.h"

namespace visviva {

/// A relation, sum of sign * generator^2 = 1: sines and cosines, hyperbolic ones, unit quaternions.
struct SquareRelation {
  std::vector<std::pair<std::uint32_t, int>> members;  // generator, sign
};

/// An argument whose sine and cosine are generators.
struct Angle {
  Ref argument;
  std::uint32_t sine;
  std::uint32_t cosine;
};

/// One generator with a sign: sin(b - a) is -sin(a - b).
struct SignedGenerator {
  std::uint32_t generator = 0;
  bool negative = false;
};

class GeneratorTable {
 public:
  /// How an operand is written; sines and the like of b - a come as those of a - b.
  using WriteOperand = std::function<Form(Ref)>;

  /// `leaves`: indices of the nodes that are to be generators.
  GeneratorTable(ExprPool& pool, const NodeNames& names, const std::vector<std::uint32_t>& leaves,
                 const WriteOperand& write_operand);

  std::size_t size() const { return forms_.size(); }
  const Form& form(std::uint32_t generator) const { return forms_[generator]; }
  /// The length of a generator's text, in characters.
  std::size_t length(std::uint32_t generator) const { return lengths_[generator]; }
  std::size_t total_length() const { return total_length_; }
  const std::vector<SquareRelation>& relations() const { return relations_; }
  const std::vector<Angle>& angles() const { return angles_; }

  /// The node as num/den, both single generators or 1: tan is sin/cos where those occur too.
  struct Value {
    SignedGenerator num;
    bool has_den = false;
    std::uint32_t den = 0;
  };
  const Value& value(std::uint32_t node_index) const { return values_.at(node_index); }

  /// The angle a.argument + sign * b.argument, made if it is new; negative when it stands for the
  /// opposite angle. Nothing when it is constant or there are too many.
  std::optional<std::pair<std::size_t, bool>> combined_angle(std::size_t a, std::size_t b,
                                                             int sign);

 private:
  struct Leaf;

  Leaf write_leaf(std::uint32_t index) const;
  /// A tangent beside the sine or cosine of the same angle.
  static bool is_quotient(const Leaf& leaf, const std::vector<Leaf>& leaves);
  void number_generators(const std::vector<Leaf>& leaves);
  void set_values(const std::vector<Leaf>& leaves);
  void relate_pairs(const std::vector<Leaf>& leaves);
  void relate_quaternions();
  /// The number of a generator that is in the table.
  std::uint32_t find(const Form& form) const;
  std::uint32_t append(Form form);

  ExprPool& pool_;
  const NodeNames& names_;
  const WriteOperand& write_operand_;
  std::vector<Form> forms_;
  std::vector<std::size_t> lengths_;
  std::size_t total_length_ = 0;
  std::vector<SquareRelation> relations_;
  std::vector<Angle> angles_;
  std::unordered_map<std::uint32_t, Value> values_;  // by node index
};

}  // namespace visviva
