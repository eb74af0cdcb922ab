// A block of equations on the page, with texts to copy in LaTeX and in C.
//
//   <div class="equations">
//     <div class="eq"> <math>...</math> <math>...</math> ... </div> ...
//     <button class="copy" data-copy="latex"> <button class="copy" data-copy="c">
//     <pre hidden data-copy-text="latex">...</pre> <pre hidden data-copy-text="c">...</pre>
//   </div>
// The page's script finds a button's text by closest('.equations') and [data-copy-text="..."].
#pragma once

#include <string>
#include <vector>

#include "visviva/report/page/math_html.h"

namespace visviva {

struct PageEquation {
  std::vector<MathPiece> left;
  std::string relation = "=";  ///< as MathML's <mo> holds it
  std::vector<MathPiece> right;
  Html note{};                ///< after it
  std::vector<int> causes{};  ///< of the equation as a whole
};

struct EquationBlock {
  std::vector<PageEquation> equations;
  std::string latex{};  ///< nothing to copy when empty
  std::string c{};
  bool lean = false;
};

Html write_equation_block(const EquationBlock& block);

/// Content that is folded away under a line.
Html fold(const Html& summary, const Html& content);

}  // namespace visviva
