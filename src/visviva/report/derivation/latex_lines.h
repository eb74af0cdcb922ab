// Long formulas of LaTeX in lines that fit a page: how wide a formula is, and where it can be broken.
//
// Widths are estimates in points for Computer Modern at 10 pt, from the widths of its characters;
// they only decide where lines end.
#pragma once

#include <string>
#include <vector>

namespace visviva {

/// The width that a formula or a \text of our printer takes on paper.
double latex_width(const std::string& formula);

/// The formula in lines of at most `width`, as far as that goes. Lines end before a + or - between
/// terms; where a term is too wide, before one inside its brackets, which then have a fixed size, and
/// a wide numerator comes after its fraction: \frac{1}{b} \left(a + c\right).
std::vector<std::string> break_latex(const std::string& formula, double width);

}  // namespace visviva
