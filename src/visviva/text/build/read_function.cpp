// Functions that the text declares: with a definition it is put in where they are used, without one
// they stay functions.
#include <algorithm>

#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/text/build/expression_reader.h"

namespace visviva {
namespace {

std::vector<std::string> argument_names(const FunctionDeclaration& f) {
  std::vector<std::string> names;
  for (const SyntaxName& p : f.item->parameters) names.push_back(p.text);
  return names;
}

std::string written_function(const FunctionDeclaration& f) {
  return f.item->name.text + "(" + join_words(argument_names(f)) + ")";
}

}  // namespace

// X(2*theta)
Quantity ExpressionReader::read_function(const Expression& e) {
  FunctionDeclaration& f = names_.functions().at(e.text);
  const std::vector<Quantity> arguments = read_arguments(e, f, e.operands.size());
  f.is_used = true;
  draft_.stand_at(e.span);
  if (!f.item->value) return draft_.model().call(e.text, arguments);
  Locals locals;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    locals.emplace(f.item->parameters[i].text, arguments[i]);
  return read_definition(e.span, f, locals);
}

std::vector<Quantity> ExpressionReader::read_arguments(const Expression& place,
                                                       const FunctionDeclaration& f,
                                                       std::size_t count) {
  const std::size_t wanted = f.item->parameters.size();
  if (count != wanted)
    draft_.fail(place.span, "E-function-arguments",
                "'" + f.item->name.text + "' takes " + std::to_string(wanted) +
                    (wanted == 1 ? " argument" : " arguments") + ", found " + std::to_string(count),
                written_function(f));
  std::vector<Quantity> arguments;
  for (std::size_t i = 0; i < count; ++i) arguments.push_back(read_scalar(place.operands[i]));
  return arguments;
}

// The definition with the arguments' values in place of their names.
Quantity ExpressionReader::read_definition(const SourceSpan& span, FunctionDeclaration& f,
                                           const Locals& locals) {
  if (f.is_busy)
    draft_.fail(
        span, "E-definition-cycle",
        "the function '" + f.item->name.text + "' is defined by itself, perhaps through others");
  const ScopedValue busy(f.is_busy, true);
  const ScopedValue scope(locals_, &locals);
  const ScopedValue results(results_allowed_, false);
  return read_scalar(*f.item->value);
}

// Symbols in place of a function's arguments, to differentiate by.
ExpressionReader::Locals ExpressionReader::make_local_symbols(
    const FunctionDeclaration& f, const std::vector<Dimension>& dimensions) {
  Locals locals;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::string& name = f.item->parameters[i].text;
    const Expr symbol =
        draft_.data().pool->scratch_symbol("argument " + name + " of " + f.item->name.text);
    locals.emplace(name, Quantity(symbol, dimensions[i]));
  }
  return locals;
}

// d(X, theta), at the scalar theta; d(X, theta)(2*theta), at another place.
Quantity ExpressionReader::read_derivative(const Expression& e) {
  const Expression& of = e.operands[0];
  if (const FieldDeclaration* field = names_.fields().find_field(of.text))
    return read_slope(e, *field);
  const auto found = names_.functions().find(of.text);
  if (of.kind != Expression::Kind::name || of.primes != 0 || found == names_.functions().end()) {
    std::vector<std::string> names;
    for (const auto& f : names_.functions()) names.push_back(f.first);
    draft_.fail(
        of.span, "E-function-unknown",
        "'d' differentiates a `function`; there is none called '" + draft_.written(of) + "'",
        names.empty() ? "declare one: function X(theta)" : did_you_mean(of.text, names));
  }
  FunctionDeclaration& f = found->second;
  const std::vector<std::string> names = argument_names(f);
  const bool has_place = e.operands.back().kind == Expression::Kind::phrase;
  std::vector<std::size_t> by;
  for (std::size_t i = 1; i < e.operands.size() - (has_place ? 1 : 0); ++i) {
    const Expression& argument = e.operands[i];
    const auto place = std::find(names.begin(), names.end(), argument.text);
    if (argument.kind != Expression::Kind::name || argument.primes != 0 || place == names.end())
      draft_.fail(argument.span, "E-function-arguments",
                  "'" + draft_.written(argument) + "' is no argument of " + written_function(f),
                  did_you_mean(argument.text, names));
    by.push_back(static_cast<std::size_t>(place - names.begin()));
  }
  if (by.empty())
    draft_.fail(e.span, "E-function-arguments", "'d' needs an argument to differentiate by",
                "write d(" + of.text + ", " + names[0] + ")");
  Expression place = has_place ? e.operands.back() : Expression{Expression::Kind::phrase, e.span};
  if (!has_place) {
    for (const std::string& name : names) {
      if (!(locals_ != nullptr && locals_->contains(name)) && !names_.scalars().has(name) &&
          !names_.has_let(name))
        draft_.fail(e.span, "E-function-arguments",
                    "there is no scalar '" + name + "' at which to take the derivative",
                    "say where: " + draft_.written(e) + "(...)");
      place.operands.push_back({Expression::Kind::name, e.span, name});
    }
  }
  const std::vector<Quantity> arguments = read_arguments(place, f, place.operands.size());
  f.is_used = true;
  draft_.stand_at(e.span);
  if (!f.item->value) return draft_.model().call(of.text, arguments, by);
  std::vector<Dimension> dimensions;
  for (const Quantity& q : arguments) dimensions.push_back(q.dimension());
  const Locals locals = make_local_symbols(f, dimensions);
  const Quantity value = read_definition(e.span, f, locals);
  ExprPool& pool = *draft_.data().pool;
  Expr slope = value.expr(pool);
  Dimension dimension = value.dimension();
  for (const std::size_t i : by) {
    slope = differentiate(slope, locals.at(names[i]).expr());
    dimension = dimension / dimensions[i];
  }
  Replacements at;
  for (std::size_t i = 0; i < names.size(); ++i)
    at.emplace_back(locals.at(names[i]).expr(), arguments[i].expr(pool));
  return {substitute(slope, at), dimension};
}

void ExpressionReader::check_function(const std::string& name) {
  FunctionDeclaration& f = names_.functions().at(name);
  if (!f.item->value) return;
  draft_.attempt(f.item->span, f.statement->documentation, [&] {
    std::vector<Dimension> dimensions;
    for (const SyntaxName& p : f.item->parameters)
      dimensions.push_back(draft_.model().unknown_dimension("argument " + p.text + " of " + name));
    const Locals locals = make_local_symbols(f, dimensions);
    read_definition(f.item->span, f, locals);
  });
}

}  // namespace visviva
