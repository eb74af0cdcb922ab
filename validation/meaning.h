// Meaning in numbers: what an expression, or a text of the model language, is worth at random
// states.
//
// Equality of expressions is decided by fingerprints, and expressions with the same one share a
// node: if two that differ were ever taken for one, every comparison of expressions would agree
// with that. Numbers do not: an expression is evaluated from its nodes, a text from its syntax tree
// without building any expression, and both in long double.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/unit.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/text/syntax/parser.h"

namespace visviva::validation {

inline constexpr int meaning_states = 5;
inline constexpr int meaning_tries = 40;  // states outside some function's domain do not count
inline constexpr long double meaning_tolerance = 1e-9L;  // long double has 19 digits; sums cancel

/// Numbers for names, the same whenever they are asked for.
class RandomState {
 public:
  explicit RandomState(int seed) : seed_(seed) {}

  /// From 0.25 to 1.25.
  long double operator()(const std::string& name) const {
    std::uint64_t h =
        14695981039346656037ull + static_cast<std::uint64_t>(seed_) * 0x9e3779b97f4a7c15ull;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15ull;
    return 0.25L + static_cast<long double>((h ^ (h >> 29)) % 1000003) / 1000003.0L;
  }

 private:
  int seed_;
};

/// Values for all symbols of a pool; unit quaternions are of length 1.
class StateOfPool {
 public:
  StateOfPool(const ExprPool& pool, int seed) : random_(seed) {
    for (const auto& four : pool.unit_quaternions()) {
      long double square = 0;
      for (const Ref e : four) square += std::pow(random_(pool.symbol_name(e)), 2.0L);
      for (const Ref e : four) {
        const std::string& name = pool.symbol_name(e);
        units_[name] = random_(name) / std::sqrt(square);
      }
    }
  }

  long double operator()(const std::string& name) const {
    const auto found = units_.find(name);
    return found == units_.end() ? random_(name) : found->second;
  }

  /// From the nodes of the expression.
  long double value(const Expr& e) const {
    const std::vector<Expr> symbols = free_symbols(e);
    std::vector<long double> values;
    for (const Expr& s : symbols) values.push_back((*this)(s.home().symbol_name(s.ref())));
    return Evaluator(symbols, {e})(values)[0];
  }

 private:
  RandomState random_;
  std::map<std::string, long double> units_;
};

inline bool is_near(long double a, long double b, long double scale = 0) {
  return std::fabs(a - b) <=
         meaning_tolerance * std::max({1.0L, std::fabs(a), std::fabs(b), std::fabs(scale)});
}

/// Two ways to get a number from a state; they agree at states where both have a value.
using Meaning = std::function<long double(const StateOfPool&)>;
inline bool means_the_same(const ExprPool& pool, const Meaning& one, const Meaning& other) {
  for (int seed = 0, agreed = 0; seed < meaning_tries && agreed < meaning_states; ++seed) {
    const StateOfPool state(pool, seed);
    const long double a = one(state), b = other(state);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    if (!is_near(a, b)) return false;
    ++agreed;
  }
  return true;
}

inline bool means_the_same(const Expr& a, const Expr& b) {
  return means_the_same(
      a.home(), [&](const StateOfPool& s) { return s.value(a); },
      [&](const StateOfPool& s) { return s.value(b); });
}

/// The scalar outputs and `let`s of a model's text as numbers.
class TextMeaning {
 public:
  explicit TextMeaning(const std::string& text) : tree_(parse_syntax({"validation.viva", text})) {
    for (const SyntaxStatement& s : tree_.statements) {
      for (const SyntaxItem& item : s.items) {
        if (s.kind == StatementKind::let && item.value) lets_[item.name.text] = &*item.value;
        if (s.kind == StatementKind::output && item.target)
          outputs_[item.name.text] = &*item.target;
      }
    }
  }

  /// What an output is worth; nothing where it uses more than scalars, names and functions of them.
  std::optional<long double> output(const std::string& name, const StateOfPool& state) const {
    const auto found = outputs_.find(name);
    return found == outputs_.end() ? std::nullopt : value(*found->second, state);
  }

  std::optional<long double> value(const Expression& e, const StateOfPool& state) const {
    switch (e.kind) {
      case Expression::Kind::number:
        return number(e);
      case Expression::Kind::name:
        return named(e, state);
      case Expression::Kind::call:
      case Expression::Kind::negate:
      case Expression::Kind::sum:
      case Expression::Kind::product:
      case Expression::Kind::power:
        return combined(e, state);
      default:
        return {};
    }
  }

 private:
  static long double number(const Expression& e) {
    long double x = std::stold(e.text);
    if (e.unit.empty()) return x;
    const Unit unit = *parse_unit(e.unit).unit;
    x *= static_cast<long double>(unit.num) / static_cast<long double>(unit.den);
    return x * std::pow(std::acos(-1.0L), static_cast<long double>(unit.pi_power));
  }

  std::optional<long double> named(const Expression& e, const StateOfPool& state) const {
    if (e.text == "pi") return std::acos(-1.0L);
    const auto let = lets_.find(e.text);
    if (let != lets_.end()) return value(*let->second, state);
    return state(e.text + std::string(static_cast<std::size_t>(e.primes), '\''));
  }

  std::optional<long double> combined(const Expression& e, const StateOfPool& state) const {
    std::vector<long double> x;
    for (const Expression& operand : e.operands) {
      const std::optional<long double> v = value(operand, state);
      if (!v) return {};
      x.push_back(*v);
    }
    if (e.kind == Expression::Kind::negate) return -x[0];
    if (e.kind == Expression::Kind::power) return std::pow(x[0], x[1]);
    if (e.kind == Expression::Kind::call) return call(e.text, x);
    long double result = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      switch (e.operators[i]) {
        case '+':
          result += x[i];
          break;
        case '-':
          result -= x[i];
          break;
        case '*':
          result *= x[i];
          break;
        default:
          result /= x[i];
      }
    }
    return result;
  }

  static std::optional<long double> call(const std::string& name,
                                         const std::vector<long double>& x) {
    using Function = long double (*)(long double);
    static const std::map<std::string, Function> functions = {
        {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},   {"asin", std::asin},
        {"acos", std::acos}, {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh},
        {"tanh", std::tanh}, {"exp", std::exp},   {"log", std::log},   {"sqrt", std::sqrt},
        {"abs", std::fabs}};
    const auto found = functions.find(name);
    if (found == functions.end() || x.size() != 1) return {};
    return found->second(x[0]);
  }

  SyntaxTree tree_;
  std::map<std::string, const Expression*> lets_, outputs_;
};

/// The pool's expression of an output means what its text says; true where the text says more than
/// scalars, or names a body-axis rate: quantities of motion have symbols of their own,
/// "angular_velocity(B, N).x".
inline bool means_its_text(const Expr& scalar, const std::string& name, const TextMeaning& text) {
  for (const Expr& s : free_symbols(scalar))
    if (s.home().symbol_name(s.ref()).find('(') != std::string::npos) return true;
  const auto of_text = [&](const StateOfPool& s) {
    return text.output(name, s).value_or(std::nanl(""));
  };
  return means_the_same(scalar.home(), of_text,
                        [&](const StateOfPool& s) { return s.value(scalar); });
}

}  // namespace visviva::validation
