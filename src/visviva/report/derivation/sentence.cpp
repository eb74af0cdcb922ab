#include "visviva/report/derivation/sentence.h"

#include "visviva/symbolic/print/latex_characters.h"

namespace visviva {
namespace {

using Kind = Sentence::Piece::Kind;

std::string sign(const std::string& text, Notation notation) {
  if (notation == Notation::latex) return text;
  return text == "-" ? "<mo form=\"infix\">\u2212</mo>" : "<mo form=\"infix\">" + text + "</mo>";
}

std::string fraction(const std::string& above, Notation notation) {
  const std::string name = print_name(above, notation);
  if (notation == Notation::latex) return "\\frac{d" + name + "}{dt}";
  return "<mfrac><mrow><mi>d</mi>" + name + "</mrow><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>";
}

// A name, a number, a sign, or the rate dK0/dt.
std::string write_word(std::string word, bool is_first, Notation notation) {
  const bool is_sign = word == "+" || word == "-" || word == "=";
  if (is_sign) return is_first && word == "-" ? sign("-", notation) : sign(word, notation);
  if (word.size() > 1 && word[0] == '-')
    return (notation == Notation::latex ? "-" : "<mo form=\"prefix\">\u2212</mo>") +
           write_word(word.substr(1), false, notation);
  const std::string rate = "/dt";
  const bool is_rate = word.size() > rate.size() + 1 && word[0] == 'd' &&
                       word.compare(word.size() - rate.size(), rate.size(), rate) == 0;
  if (is_rate) return fraction(word.substr(1, word.size() - rate.size() - 1), notation);
  if (word.find_first_not_of("0123456789.") == std::string::npos)
    return notation == Notation::latex ? word : "<mn>" + word + "</mn>";
  return print_name(word, notation);
}

}  // namespace

std::string write_formula(const std::string& formula, Notation notation) {
  if (notation == Notation::language) return formula;
  std::string written;
  for (std::size_t from = 0; from < formula.size();) {
    const std::size_t to = std::min(formula.find(' ', from), formula.size());
    if (to > from) {
      if (!written.empty() && notation == Notation::latex) written += " ";
      written += write_word(formula.substr(from, to - from), written.empty(), notation);
    }
    from = to + 1;
  }
  return written;
}

Sentence::Sentence(const std::string& words) {
  if (!words.empty()) pieces_.push_back({Kind::words, words});
}

Sentence Sentence::formula(const std::string& text) {
  Sentence s;
  if (!text.empty()) s.pieces_.push_back({Kind::formula, text});
  return s;
}

Sentence Sentence::value(const Expr& value) {
  Sentence s;
  s.pieces_.push_back({Kind::value, "", value});
  return s;
}

Sentence& Sentence::operator+=(const Sentence& more) {
  pieces_.insert(pieces_.end(), more.pieces_.begin(), more.pieces_.end());
  return *this;
}

std::string Sentence::text() const {
  std::string text;
  for (const Piece& p : pieces_) text += p.kind == Kind::value ? print(p.value) : p.text;
  return text;
}

std::string Sentence::latex() const {
  std::string text;
  for (const Piece& p : pieces_) {
    if (p.kind == Kind::words)
      text += escape_latex_words(p.text);
    else if (p.kind == Kind::formula)
      text += "$" + write_formula(p.text, Notation::latex) + "$";
    else
      text += "$" + print(p.value, Notation::latex) + "$";
  }
  return text;
}

Sentence join_sentences(const std::vector<Sentence>& parts, const std::string& separator) {
  Sentence all;
  for (const Sentence& part : parts) {
    if (!all.empty()) all += separator;
    all += part;
  }
  return all;
}

Sentence join_names(const std::vector<std::string>& names, const std::string& separator) {
  std::vector<Sentence> parts;
  for (const std::string& name : names) parts.push_back(Sentence::formula(name));
  return join_sentences(parts, separator);
}

}  // namespace visviva
