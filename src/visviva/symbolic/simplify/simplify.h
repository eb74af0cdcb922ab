// The shortest proved way to write an expression, found with polynomials; for print only.
//
// Candidates: as built, and the quotient of polynomials after several choices of identities, each
// expanded, factored and collected. The shortest whose value in the pool equals the original's is
// taken, or proved to be by what roots are; what is written is always proved.
#pragma once

#include <array>
#include <unordered_map>

#include "visviva/symbolic/form/write_form.h"
#include "visviva/symbolic/simplify/polynomial.h"

namespace visviva {

class Simplifier {
 public:
  /// Nodes with a name are written by it, and not looked into.
  Simplifier(ExprPool& pool, const NodeNames& names, const Budget& budget)
      : pool_(pool), names_(names), budget_(budget) {}

  /// The expression, looked into even when it has a name itself. TooLarge for one that is neither
  /// small as a tree nor a small quotient of polynomials.
  Form simplify(Ref root);

  /// Sets the form of a node: from now on it is written so wherever it occurs, and not looked into.
  void set_form(std::uint32_t index, Form form) {
    for (auto& known : known_) known.insert_or_assign(index, form);
  }

  /// The expression as a part of others: by its name or set form where it has one.
  Form operand(Ref ref);

  std::size_t work_left() const { return budget_.work; }

 private:
  Form shortest(Ref root);
  Form call(Ref root);
  std::vector<Form> polynomial_forms(Ref root);
  Form plain(Ref ref, bool is_root);
  void add_terms(Ref ref, bool negative, std::vector<Form>* terms);
  void add_factors(Ref ref, std::int64_t exponent, std::vector<Factor>* factors);
  Form from_operands(Ref root);
  bool is_small(Ref root) const;
  bool is_small(Ref root, std::size_t limit) const;
  void require_small(Ref root) const;
  Form structural(Ref ref, bool is_root);
  bool proves(const Form& form, Ref root);
  bool has_roots(Ref root) const;

  ExprPool& pool_;
  const NodeNames& names_;
  Budget budget_;
  // Inside functions fingerprints must be the same: there nobody sees that the square of a root is what stands under it.
  bool is_in_function_ = false;
  std::array<std::unordered_map<std::uint32_t, Form>, 2> known_;  // by node index; inside functions
};

}  // namespace visviva
