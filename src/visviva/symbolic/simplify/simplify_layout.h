// Polynomials and their quotients written as short as they come: expanded, factored or collected.
#pragma once

#include "visviva/symbolic/simplify/simplify_convert.h"

namespace visviva {

class Layout {
 public:
  Layout(const ExprPool& pool, const NodeNames& names, const GeneratorTable& table, Budget& budget)
      : pool_(pool), names_(names), table_(table), budget_(budget) {}

  /// The shortest layouts of num/den, to be compared with others.
  std::vector<Form> quotient(const Quotient& q);

 private:
  // How a polynomial was laid out, and what that took from the budget.
  struct Known {
    Polynomial p;
    Form form;
    std::size_t work;
  };
  template <class Make>
  Form remembered(std::vector<Known>* known, const Polynomial& p, const Make& make);

  std::optional<Form> by_roots(const Quotient& q);
  Form polynomial(const Polynomial& p);
  Form factored(const Polynomial& p);
  Form sum(const Polynomial& p);
  Form collected(const Polynomial& p);
  Form grouped(const Polynomial& p);
  Form expanded(const Polynomial& p, const Monomial& below = {}) const;
  Form term(const Rational& c, const Monomial& m, const Monomial& below = {}) const;
  Form shorter(Form a, Form b) const;
  std::size_t length(const Monomial& m) const;
  Monomial best_common_factor(const Polynomial& p) const;

  const ExprPool& pool_;
  const NodeNames& names_;
  const GeneratorTable& table_;
  Budget& budget_;
  std::vector<Known> polynomials_, sums_;
};

/// A form whose products have tan(x) for sin(x)/cos(x).
Form with_tangents(Form form);

/// A form that has what stands under a root for the root's square; nothing where there is none.
std::optional<Form> with_squared_roots(const Form& form);

}  // namespace visviva
