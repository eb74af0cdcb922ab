// Formulas as HTML: long sums as pieces that a browser breaks into lines, each piece with its causes.
//
// A piece is a <math> of its own, a term with its sign: browsers break lines between such elements
// and never inside one, so that a sum fits any width. Everything that comes in is MathML as the
// printer writes it, or plain text, which the elements escape.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/derivation/sentence.h"
#include "visviva/report/page/html.h"
#include "visviva/symbolic/print/printed_forms.h"

namespace visviva {

/// One unbreakable part of a formula.
struct MathPiece {
  std::string mathml;         ///< with its sign
  std::string plain{};        ///< the same in the model language
  std::vector<int> causes{};  ///< in Causes::list()
  std::string expanded{};     ///< a factored term multiplied out, in the model language
};

/// Entities of the printer as characters, which are shorter.
std::string lean_mathml(std::string mathml);

/// <math>, in a line of text.
Html math_html(const std::string& mathml);
Html math_name_html(const std::string& name);
Html math_html(const Expr& expr);

/// A sentence with its formulas set as such.
Html sentence_html(const Sentence& sentence);

/// The name of a symbol, in the model language as it is.
MathPiece name_piece(const std::string& name);

/// Pieces one after the other; the lean ones without text alternatives.
Html pieces_html(const std::vector<MathPiece>& pieces, bool lean = false);

/// A sum of printed terms as pieces; the first has a sign only when it is negative, unless `goes_on`.
std::vector<MathPiece> sum_pieces(const PrintedForms& written, const Expr& sum,
                                  bool goes_on = false);
/// A definition of an intermediate, likewise.
std::vector<MathPiece> intermediate_pieces(const PrintedForms& written, std::size_t k);

/// coefficient * name: a coefficient that is a sum gets brackets.
std::vector<MathPiece> product_pieces(const PrintedForms& written, const Expr& coefficient,
                                      const std::string& name, bool goes_on);

/// A vector by its components along the axes of a frame; "0" when all are zero.
std::vector<MathPiece> vector_pieces(const PrintedForms& written, const std::string& frame,
                                     const std::vector<Expr>& components);

}  // namespace visviva
