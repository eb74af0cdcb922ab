#include "visviva/symbolic/form/write_form.h"

#include <algorithm>

#include "visviva/base/utf8.h"
#include "visviva/symbolic/core/function_symbol.h"
#include "visviva/symbolic/form/name_parts.h"

namespace visviva {
namespace {

class Walker {
 public:
  Walker(const ExprPool& pool, const NodeNames& names, const NotationWriter& writer)
      : pool_(pool), names_(names), writer_(writer) {}

  Piece write(const Form& form) const {
    if (is_negative(form)) return {writer_.sum({{true, write_term(negate(form))}}), Binding::sum};
    switch (form.kind) {
      case Form::Kind::number:
        return write_number(form.number);
      case Form::Kind::leaf:
        return write_leaf(form.ref);
      case Form::Kind::sum:
        return {write_sum(form), Binding::sum};
      case Form::Kind::product:
        return write_product(form);
      case Form::Kind::call:
        return write_call(form, "");
    }
    return {};
  }

  // A positive term comes first, if there is one; the others keep their order.
  std::vector<FormTerm> write_terms(const Form& form) const {
    const FormList parts = form.kind == Form::Kind::sum ? form.parts : FormList{form};
    std::vector<FormTerm> terms;
    for (const Form& part : parts) {
      const bool negative = is_negative(part);
      const Form size = negative ? negate(part) : part;
      terms.push_back({{negative, write_term(size)}, size});
    }
    const auto first = std::find_if(terms.begin(), terms.end(),
                                    [](const FormTerm& t) { return !t.written.negative; });
    if (first != terms.end()) std::rotate(terms.begin(), first, first + 1);
    return terms;
  }

 private:
  std::string grouped(const Piece& piece, Binding at_least) const {
    return piece.binding < at_least ? writer_.group(piece.text) : piece.text;
  }
  std::string write_term(const Form& form) const { return grouped(write(form), Binding::product); }
  std::string integer(std::int64_t n) const { return writer_.number({std::to_string(n), 0}); }

  Piece write_number(const Rational& r) const {
    if (r.den == 1 && r.num == 0) return {integer(0), Binding::atom};
    if (const auto decimal = decimal_text(r)) return {writer_.number(*decimal), Binding::atom};
    return {writer_.fraction(integer(r.num), integer(r.den)), Binding::product};
  }

  Piece write_leaf(Ref ref) const {
    const Node& node = pool_.node(ref);
    if (const auto named = names_.find(ref >> 1); named != names_.end())
      return {writer_.name(named->second)};
    if (node.op == Op::pi) return {writer_.pi()};
    if (node.op == Op::constant) return {writer_.number(decimal_text(pool_.constant_value(ref)))};
    return {writer_.name(pool_.symbol_name(ref))};
  }

  std::string write_sum(const Form& form) const {
    std::vector<SignedText> texts;
    for (FormTerm& term : write_terms(form)) texts.push_back(std::move(term.written));
    return writer_.sum(texts);
  }

  std::string write_power(const Form& base, std::int64_t n, bool alone) const {
    if (n == 1) return alone ? write(base).text : grouped(write(base), Binding::power);
    if (base.kind == Form::Kind::call && writer_.takes_exponent(base.op))
      return write_call(base, integer(n)).text;
    return writer_.power(grouped(write(base), Binding::atom), integer(n));
  }

  // c * a * b / (d * e); alone when nothing else stands on that side of a stacked fraction.
  Piece write_product(const Form& form) const {
    std::size_t below_count = 0;
    for (const std::int64_t n : form.exponents) below_count += n < 0 ? 1 : 0;
    const std::size_t above_count = form.parts.size() - below_count;
    const bool decimal = decimal_text(form.number).has_value();
    const bool split = !decimal && (below_count > 0 || above_count == 1);  // x/2, m*v^2/(2*r)
    const bool has_below = below_count > 0 || (split && form.number.den != 1);

    std::vector<std::string> above, below;
    if (split) {
      if (form.number.num != 1 || above_count == 0) above.push_back(integer(form.number.num));
      if (form.number.den != 1) below.push_back(integer(form.number.den));
    } else if (!is_one(form.number) || above_count == 0) {
      above.push_back(write_number(form.number).text);
    }
    const bool stacked = has_below && writer_.stacks_fractions();
    const bool alone_above = stacked && above.empty() && above_count == 1;
    const bool alone_below = stacked && below.empty() && below_count == 1;
    for (std::size_t i = 0; i < form.parts.size(); ++i) {
      const std::int64_t n = form.exponents[i];
      if (n > 0) above.push_back(write_power(form.parts[i], n, alone_above));
      if (n < 0) below.push_back(write_power(form.parts[i], -n, alone_below));
    }
    const std::string upper = writer_.product(above);
    if (!has_below) {
      const bool power = above.size() == 1 && is_one(form.number);
      return {upper, power ? Binding::power : Binding::product};
    }
    const std::string lower = writer_.product(below);
    const bool group_below = below.size() > 1 && !stacked;
    return {writer_.fraction(upper, group_below ? writer_.group(lower) : lower), Binding::product};
  }

  Piece write_call(const Form& form, const std::string& exponent) const {
    if (form.op == Op::power) {
      const std::string base = grouped(write(form.parts[0]), Binding::atom);
      const Piece upper = write(form.parts[1]);
      const bool raised = writer_.stacks_fractions();
      return {writer_.power(base, raised ? upper.text : grouped(upper, Binding::atom)),
              Binding::power};
    }
    if (form.op == Op::call) return write_function(form);
    CallText call{form.op, {}, false, exponent};
    for (const Form& operand : form.parts) call.operands.push_back(write(operand).text);
    call.operand_is_name = form.parts.size() == 1 && form.parts[0].kind == Form::Kind::leaf;
    return writer_.call(call);
  }

  // A function that has a table or nobody defined: its name, then its arguments in nested pairs.
  Piece write_function(const Form& form) const {
    const FunctionSymbol symbol = read_function_symbol(pool_.symbol_name(form.parts[0].ref));
    FunctionText text{symbol.name, {}, {}, {}, true};
    if (symbol.corner) text.name = "corners of " + text.name;
    for (const std::size_t i : symbol.by) text.by.push_back(symbol.parameters[i]);
    for (const std::size_t i : symbol.over) text.over.push_back(symbol.parameters[i]);
    const Form* rest = &form.parts[1];
    for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
      const bool is_last = i + 1 == symbol.parameters.size();
      const Form& argument = is_last ? *rest : rest->parts[0];
      text.arguments.push_back(write(argument).text);
      text.is_at_parameters = text.is_at_parameters && is_symbol(argument, symbol.parameters[i]);
      if (!is_last) rest = &rest->parts[1];
    }
    return writer_.function(text);
  }

  bool is_symbol(const Form& form, const std::string& name) const {
    return form.kind == Form::Kind::leaf && pool_.node(form.ref).op == Op::symbol &&
           !names_.contains(form.ref >> 1) && pool_.symbol_name(form.ref) == name;
  }

  const ExprPool& pool_;
  const NodeNames& names_;
  const NotationWriter& writer_;
};

// Sums in brackets, each counted as often as it has brackets around it.
std::size_t nested_brackets(const Form& form, std::size_t depth) {
  std::size_t count = 0;
  for (const Form& part : form.parts) {
    const bool bracket = form.kind == Form::Kind::product && part.kind == Form::Kind::sum;
    count += (bracket ? depth : 0) + nested_brackets(part, depth + (bracket ? 1 : 0));
  }
  return count;
}

}  // namespace

std::string write_form(const ExprPool& pool, const Form& form, const NodeNames& names,
                       const NotationWriter& writer) {
  return Walker(pool, names, writer).write(form).text;
}

std::vector<FormTerm> write_terms(const ExprPool& pool, const Form& form, const NodeNames& names,
                                  const NotationWriter& writer) {
  return Walker(pool, names, writer).write_terms(form);
}

std::size_t written_length(const ExprPool& pool, const Form& form, const NodeNames& names) {
  return count_characters(write_form(pool, form, names, language_writer()));
}

std::size_t reading_cost(const ExprPool& pool, const Form& form, const NodeNames& names) {
  constexpr std::size_t surcharge = 6;
  return written_length(pool, form, names) + surcharge * nested_brackets(form, 0);
}

}  // namespace visviva
