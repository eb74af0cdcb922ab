// For tests of printing: reads expressions of the model language back, and checks LaTeX and MathML
// for balance.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// A recursive-descent reader of the language's expressions; throws std::runtime_error on anything
/// else.
///   sum = ["-"] product {("+" | "-") product};  product = power {("*" | "/") power};
///   power = atom ["^" ["-"] atom];  atom = number | name | function "(" sum {"," sum} ")" | "("
///   sum ")"
class ExpressionReader {
 public:
  explicit ExpressionReader(ExprPool& pool) : pool_(pool) {}

  void define(const std::string& name, const Expr& value) { names_[name] = value; }

  Expr read(std::string_view text) {
    text_ = text;
    place_ = 0;
    const Expr result = read_sum();
    if (place_ != text_.size()) complain();
    return result;
  }

 private:
  [[noreturn]] void complain() const {
    throw std::runtime_error("cannot read on after '" + std::string(text_.substr(0, place_)) +
                             "' in '" + std::string(text_) + "'");
  }
  char peek() {
    while (place_ < text_.size() && text_[place_] == ' ') ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++place_;
    return true;
  }
  static bool is_digit(char c) { return (c >= '0' && c <= '9') || c == '.'; }
  static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
  }

  Expr read_sum() {
    Expr sum = take('-') ? -read_product() : read_product();
    for (;;) {
      if (take('+')) {
        sum += read_product();
      } else if (take('-')) {
        sum -= read_product();
      } else {
        return sum;
      }
    }
  }

  Expr read_product() {
    Expr product = read_power();
    for (;;) {
      if (take('*')) {
        product *= read_power();
      } else if (take('/')) {
        product /= read_power();
      } else {
        return product;
      }
    }
  }

  Expr read_power() {
    const Expr base = read_atom();
    if (!take('^')) return base;
    const bool negative = take('-');
    const Expr exponent = read_atom();
    return pow(base, negative ? -exponent : exponent);
  }

  Expr read_atom() {
    if (take('(')) {
      const Expr inside = read_sum();
      if (!take(')')) complain();
      return inside;
    }
    if (is_digit(peek())) return read_number();
    if (!is_name(peek())) complain();
    const std::size_t start = place_;
    while (place_ < text_.size() &&
           (is_name(text_[place_]) || is_digit(text_[place_]) || text_[place_] == '\'')) {
      ++place_;
    }
    const std::string name(text_.substr(start, place_ - start));
    if (take('(')) return read_call(name);
    if (name == "pi") return pool_.pi();
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    if (!pool_.has_symbol_named(name)) complain();
    return pool_.symbol(name);
  }

  Expr read_number() {
    const std::size_t start = place_;
    while (place_ < text_.size() && is_digit(text_[place_])) ++place_;
    if (place_ < text_.size() && text_[place_] == 'e') {
      place_ += 1;
      if (place_ < text_.size() && text_[place_] == '-') ++place_;
      while (place_ < text_.size() && is_digit(text_[place_])) ++place_;
    }
    return pool_.decimal(text_.substr(start, place_ - start));
  }

  Expr read_call(const std::string& name) {
    std::vector<Expr> operands{read_sum()};
    while (take(',')) operands.push_back(read_sum());
    if (!take(')')) complain();
    for (std::size_t i = 0; i < op_count; ++i) {
      const Op op = static_cast<Op>(i);
      if (function_name(op) != name || operand_count(op) != static_cast<int>(operands.size()))
        continue;
      const Ref second = operands.size() > 1 ? operands[1].ref() : 0;
      return {pool_, pool_.function(op, operands[0].ref(), second)};
    }
    complain();
  }

  ExprPool& pool_;
  std::map<std::string, Expr> names_;
  std::string_view text_;
  std::size_t place_ = 0;
};

/// Braces and \left \right pairs match; an escaped brace counts for nothing.
inline bool is_balanced_latex(std::string_view text) {
  int braces = 0, brackets = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (text.substr(i, 5) == "\\left" && text.substr(i, 11) != "\\leftarrow") ++brackets;
      if (text.substr(i, 6) == "\\right") --brackets;
      ++i;
    } else if (text[i] == '{') {
      ++braces;
    } else if (text[i] == '}') {
      --braces;
    }
    if (braces < 0 || brackets < 0) return false;
  }
  return braces == 0 && brackets == 0;
}

/// One well-formed XML element in which fractions, powers, indices and accents have two children
/// each.
class MathmlChecker {
 public:
  explicit MathmlChecker(std::string_view text) : text_(text) {}
  bool holds() { return read_element() && place_ == text_.size(); }

 private:
  bool read_element() {
    if (place_ >= text_.size() || text_[place_] != '<') return false;
    const std::size_t end = text_.find('>', place_);
    if (end == std::string_view::npos) return false;
    const std::string_view head = text_.substr(place_ + 1, end - place_ - 1);
    const std::string_view tag = head.substr(0, head.find(' '));
    if (tag.empty() ||
        tag.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos)
      return false;
    if (tag != head && head != "mspace width=\"0.17em\"") return false;
    place_ = end + 1;
    const std::string closing = "</" + std::string(tag) + ">";
    std::size_t children = 0;
    while (text_.substr(place_, closing.size()) != closing) {
      if (place_ >= text_.size()) return false;
      if (text_[place_] == '<') {
        if (!read_element()) return false;
        ++children;
      } else if (!read_character(tag)) {
        return false;
      }
    }
    place_ += closing.size();
    const bool pair = tag == "mfrac" || tag == "msup" || tag == "msub" || tag == "mover";
    return !pair || children == 2;
  }

  // Text stands in tokens only; & starts one of the entities that XML knows.
  bool read_character(std::string_view tag) {
    if (tag != "mi" && tag != "mn" && tag != "mo" && tag != "mtext") return false;
    if (text_[place_] == '>' || text_[place_] == '"' || text_[place_] == '\'') return false;
    if (text_[place_] != '&') return ++place_, true;
    const std::size_t end = text_.find(';', place_);
    if (end == std::string_view::npos) return false;
    const std::string_view entity = text_.substr(place_ + 1, end - place_ - 1);
    place_ = end + 1;
    return entity == "amp" || entity == "lt" || entity == "gt" || entity == "quot" ||
           entity.substr(0, 1) == "#";
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

inline bool is_well_formed_mathml(std::string_view text) { return MathmlChecker(text).holds(); }

}  // namespace visviva
