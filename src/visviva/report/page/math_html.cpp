#include "visviva/report/page/math_html.h"

#include <array>
#include <utility>

#include "visviva/report/page/html_causes.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

constexpr const char* times = "<mo>\u2062</mo>";
constexpr const char* spaced_times = "<mo lspace=\".17em\">\u2062</mo>";

// sin q, or a name of several letters: MathML sets no space before it.
bool is_word_start(const std::string& text, std::size_t i) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const std::string& open : {std::string("<mrow>"), std::string("<msup>"),
                                  std::string("<msub>"), std::string("<mover>")})
    if (text.compare(i, open.size(), open) == 0) i += open.size();
  return text.compare(i, 4, "<mi>") == 0 && i + 5 < text.size() && is_letter(text[i + 4]) &&
         is_letter(text[i + 5]);
}

// A function's argument ends with a space, too.
std::string multiplied(const std::string& coefficient, const std::string& name) {
  const bool is_call =
      coefficient.size() > 7 && coefficient.substr(coefficient.size() - 7) == "</mrow>";
  return coefficient + (is_call || is_word_start(name, 0) ? spaced_times : times) + name;
}

// At the start of an element an operator counts as a prefix, without space.
std::string sign_mathml(bool negative, bool first) {
  if (first) return negative ? "<mo>\u2212</mo>" : "";
  return negative ? "<mo form=\"infix\">\u2212</mo>" : "<mo form=\"infix\">+</mo>";
}

std::string sign_plain(bool negative, bool first) {
  return negative ? (first ? "-" : "- ") : (first ? "" : "+ ");
}

std::vector<MathPiece> pieces_of(const std::vector<PrintedTerm>& terms,
                                 const std::vector<PrintedTerm>& plain, bool goes_on) {
  std::vector<MathPiece> pieces;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool first = i == 0 && !goes_on;
    pieces.push_back({sign_mathml(terms[i].negative, first) + lean_mathml(terms[i].text),
                      sign_plain(terms[i].negative, first) + plain[i].text});
  }
  return pieces;
}

// Multiplied out, where there is a sum in brackets and not much comes of it.
std::string expanded_text(const PrintedTerm& term) {
  constexpr std::size_t most_terms = 12, longest = 160;
  const bool may_be = term.text.find('(') != std::string::npos && term.text.size() <= longest;
  if (!may_be) return "";
  const std::optional<std::vector<Expr>> parts = expand_sum(term.value, most_terms);
  if (!parts || parts->size() < 2) return "";
  std::string text;
  for (const Expr& part : *parts) {
    std::string one = print(part);
    const bool is_negative = one[0] == '-';
    if (!text.empty()) text += is_negative ? " - " : " + ";
    text += is_negative && !text.empty() ? one.substr(1) : one;
  }
  return text;
}

bool is_one(const PrintedTerm& term) { return term.text == "<mn>1</mn>"; }

}  // namespace

std::string lean_mathml(std::string mathml) {
  static const std::string entity_times = "<mo>&#x2062;</mo>";
  static const std::array<std::pair<std::string, std::string>, 4> shorter = {
      {{"&#x2061;", "\u2061"},
       {"&#x2212;", "\u2212"},
       {"&#x22C5;", "\u22C5"},
       {"<mspace width=\"0.17em\"></mspace>", "<mspace width=\".17em\"/>"}}};
  std::string text;
  for (std::size_t i = 0; i < mathml.size();) {
    std::size_t taken = 0;
    if (mathml.compare(i, entity_times.size(), entity_times) == 0) {
      taken = entity_times.size();
      text += is_word_start(mathml, i + taken) ? spaced_times : times;
    } else if (mathml[i] == '&' || mathml.compare(i, 4, "<msp") == 0) {
      for (const auto& [from, to] : shorter) {
        if (mathml.compare(i, from.size(), from) != 0) continue;
        text += to;
        taken = from.size();
      }
    }
    if (taken == 0) text += mathml[i];
    i += taken == 0 ? 1 : taken;
  }
  return text;
}

Html math_html(const std::string& mathml) { return element("math", raw_html(lean_mathml(mathml))); }

Html sentence_html(const Sentence& sentence) {
  using Kind = Sentence::Piece::Kind;
  Html html;
  for (const Sentence::Piece& p : sentence.pieces()) {
    if (p.kind == Kind::words)
      html += Html(p.text);
    else
      html += p.kind == Kind::formula ? math_html(write_formula(p.text, Notation::mathml))
                                      : math_html(p.value);
  }
  return html;
}

MathPiece name_piece(const std::string& name) {
  return {lean_mathml(print_name(name, Notation::mathml)), name};
}

Html math_name_html(const std::string& name) {
  return math_html(print_name(name, Notation::mathml));
}
Html math_html(const Expr& expr) { return math_html(print(expr, Notation::mathml)); }

Html pieces_html(const std::vector<MathPiece>& pieces, bool lean) {
  // Longer texts than this help nobody.
  constexpr std::size_t longest_alternative = 160;
  Html html;
  for (const MathPiece& p : pieces) {
    if (!html.empty()) html += "\n";
    HtmlAttributes attributes;
    if (!p.causes.empty()) attributes = with_causes({{"class", "term"}}, p.causes);
    if (!lean && !p.plain.empty() && p.plain.size() <= longest_alternative)
      attributes.emplace_back("alttext", p.plain);
    if (!lean && !p.expanded.empty()) attributes.emplace_back("data-expanded", p.expanded);
    html += element("math", attributes, raw_html(p.mathml));
  }
  return html;
}

std::vector<MathPiece> sum_pieces(const PrintedForms& written, const Expr& sum, bool goes_on) {
  const std::vector<PrintedTerm> plain = written.terms(sum, language_writer());
  std::vector<MathPiece> pieces = pieces_of(written.terms(sum, mathml_writer()), plain, goes_on);
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].expanded = expanded_text(plain[i]);
  return pieces;
}

std::vector<MathPiece> intermediate_pieces(const PrintedForms& written, std::size_t k) {
  return pieces_of(written.intermediate_terms(k, mathml_writer()),
                   written.intermediate_terms(k, language_writer()), false);
}

std::vector<MathPiece> product_pieces(const PrintedForms& written, const Expr& coefficient,
                                      const std::string& name, bool goes_on) {
  const std::vector<PrintedTerm> terms = written.terms(coefficient, mathml_writer());
  const std::string symbol = lean_mathml(print_name(name, Notation::mathml));
  if (terms.size() == 1) {
    std::vector<MathPiece> piece =
        pieces_of(terms, written.terms(coefficient, language_writer()), goes_on);
    const bool one = is_one(terms[0]);
    piece[0].mathml = one ? sign_mathml(terms[0].negative, !goes_on) + symbol
                          : multiplied(piece[0].mathml, symbol);
    piece[0].plain =
        one ? sign_plain(terms[0].negative, !goes_on) + name : piece[0].plain + "*" + name;
    return piece;
  }
  std::vector<MathPiece> pieces =
      pieces_of(terms, written.terms(coefficient, language_writer()), false);
  pieces.front().mathml = sign_mathml(false, !goes_on) + "<mo>(</mo>" + pieces.front().mathml;
  pieces.front().plain = sign_plain(false, !goes_on) + "(" + pieces.front().plain;
  pieces.back().mathml = multiplied(pieces.back().mathml + "<mo>)</mo>", symbol);
  pieces.back().plain += ")*" + name;
  return pieces;
}

std::vector<MathPiece> vector_pieces(const PrintedForms& written, const std::string& frame,
                                     const std::vector<Expr>& components) {
  std::vector<MathPiece> all;
  const std::array<const char*, 3> axes = {".x", ".y", ".z"};
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (components[i].is_zero()) continue;
    for (MathPiece& p : product_pieces(written, components[i], frame + axes[i], !all.empty()))
      all.push_back(std::move(p));
  }
  if (all.empty()) all.push_back({"<mn>0</mn>", "0"});
  return all;
}

}  // namespace visviva
