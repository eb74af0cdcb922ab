// Sentence: words with formulas among them, which text, LaTeX and pages each write in their own way.
//
//   Sentence("it is ") + Sentence::formula("K2 - K0 + U") + ", and " + Sentence::value(power) + " is not zero"
#pragma once

#include <string>
#include <vector>

#include "visviva/symbolic/print/print.h"

namespace visviva {

class Sentence {
 public:
  struct Piece {
    enum class Kind { words, formula, value };
    Kind kind = Kind::words;
    std::string
        text;      ///< a formula's as in the model language: names and signs with blanks between
    Expr value{};  ///< an expression, printed
  };

  Sentence() = default;
  Sentence(const char* words) : Sentence(std::string(words)) {}
  Sentence(const std::string& words);
  static Sentence formula(const std::string& text);
  static Sentence value(const Expr& value);

  bool empty() const { return pieces_.empty(); }
  const std::vector<Piece>& pieces() const { return pieces_; }
  Sentence& operator+=(const Sentence& more);
  friend Sentence operator+(Sentence a, const Sentence& b) { return a += b; }

  std::string text() const;
  std::string latex() const;

 private:
  std::vector<Piece> pieces_;
};

Sentence join_sentences(const std::vector<Sentence>& parts, const std::string& separator = ", ");
/// Names as formulas, with commas between.
Sentence join_names(const std::vector<std::string>& names, const std::string& separator = ", ");

/// A formula of a Sentence in LaTeX or MathML, without what makes it a formula there.
std::string write_formula(const std::string& formula, Notation notation);

}  // namespace visviva
