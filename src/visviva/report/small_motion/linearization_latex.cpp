#include "visviva/report/small_motion/linearization_latex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/words.h"
#include "visviva/report/small_motion/small_motion_text.h"
#include "visviva/symbolic/print/latex_characters.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using Complex = std::complex<double>;
using Matrix = std::vector<std::vector<double>>;

constexpr std::size_t most_columns = 5;  // of a matrix on a line
constexpr std::size_t most_rows = 30;    // of a matrix on a page

std::string number(double x) {
  if (!std::isfinite(x)) return "\\text{--}";
  std::string text = fmt::format("{:.5g}", std::abs(x) < 1e-20 ? 0.0 : x);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string number(const Complex& c) {
  if (c.imag() == 0.0) return number(c.real());
  return number(c.real()) + (c.imag() < 0 ? " - " : " + ") + number(std::abs(c.imag())) + "\\,i";
}

std::string name(const std::string& text) { return print_name(text, Notation::latex); }

std::string transposed(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& n : names) all.push_back("$" + name(n) + "$");
  return join_words(all, ", ");
}

// Some of its rows and columns in brackets, by the names of the columns.
std::string block(const char* symbol, const Matrix& m, const std::vector<std::string>& columns,
                  std::size_t from, std::size_t top) {
  const std::size_t until = std::min(from + most_columns, columns.size());
  const std::size_t bottom = std::min(top + most_rows, m.size());
  std::vector<std::string> shown;
  for (std::size_t j = from; j < until; ++j) shown.push_back(name(columns[j]));
  std::string text;
  const bool is_whole = until - from == columns.size() && bottom - top == m.size();
  if (!is_whole)
    text += fmt::format("Rows {} to {} of ${}$, columns {}:\n", top + 1, bottom, symbol,
                        "$" + join_words(shown, ", ") + "$");
  text +=
      std::string("\\[\n  ") + (is_whole ? std::string(symbol) + " = " : "") + "\\begin{bmatrix}\n";
  for (std::size_t i = top; i < bottom; ++i) {
    text += "    ";
    for (std::size_t j = from; j < until; ++j) text += (j > from ? " & " : "") + number(m[i][j]);
    text += i + 1 < bottom ? " \\\\\n" : "\n";
  }
  return text + "  \\end{bmatrix}\n\\]\n";
}

std::string matrix(const char* symbol, const Matrix& m, const std::vector<std::string>& columns) {
  std::string text;
  if (m.empty() || columns.empty()) return text;
  for (std::size_t top = 0; top < m.size(); top += most_rows)
    for (std::size_t from = 0; from < columns.size(); from += most_columns)
      text += block(symbol, m, columns, from, top);
  return text;
}

std::string list(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "\n\\paragraph{" + title + "}\n\\begin{itemize}\n";
  for (const std::string& item : items) text += "  \\item " + item + "\n";
  return text + "\\end{itemize}\n";
}

std::string mode_text(const Mode& m, const std::vector<std::string>& states) {
  std::string text = "$\\lambda = " + number(m.eigenvalue) + "$";
  if (m.is_oscillatory)
    text += fmt::format(": $\\omega = {}$ rad/s, $f = {}$ Hz, $\\zeta = {}$", number(m.frequency),
                        number(m.frequency_hz), number(m.damping_ratio));
  std::vector<std::string> shape;
  for (std::size_t i = 0; i < states.size() && i < m.shape.size(); ++i)
    if (std::abs(m.shape[i]) > 1e-12)
      shape.push_back("$" + name(states[i]) + ":\\ " + number(m.shape[i]) + "$");
  return shape.empty() ? text : text + "; shape " + join_words(shape, ", ");
}

}  // namespace

std::string write_linearization_latex(const Linearization& l, const ModelData& model,
                                      bool is_about_equilibrium) {
  std::string text =
      "% Needs "
      "\\usepackage{amsmath}.\n\\begingroup\\allowdisplaybreaks\\raggedright\n\\paragraph{" +
      escape_latex_words(model.name) +
      (is_about_equilibrium ? ": small motions about an equilibrium}\n"
                            : ": small motions about the start state}\n");
  text += "States $x$: " + transposed(l.states) + ".\n";
  if (!l.inputs.empty()) text += "Inputs $w$: " + transposed(l.inputs) + ".\n";
  const bool has_inputs = !l.inputs.empty();
  if (l.sample_period)
    text += "\\[ x_{k+1} = A\\,x_{k}" + std::string(has_inputs ? " + B\\,w_{k}" : "") +
            ",\\qquad T = " + number(*l.sample_period) + "\\ \\text{s} \\]\n";
  else
    text += "\\[ \\dot{x} = A\\,x" + std::string(has_inputs ? " + B\\,w" : "") + " \\]\n";
  text += matrix("A", l.A, l.states) + matrix("B", l.B, l.inputs);
  std::vector<std::string> modes;
  if (l.modes.empty())
    for (const Complex& e : l.eigenvalues) modes.push_back("$\\lambda = " + number(e) + "$");
  for (const Mode& m : l.modes) modes.push_back(mode_text(m, l.states));
  text += list(l.modes.empty() ? "Eigenvalues" : "Modes", modes);
  if (l.floquet) {
    std::vector<std::string> items;
    for (const Complex& m : l.floquet->multipliers)
      items.push_back("$\\rho = " + number(m) + "$, $|\\rho| = " + number(std::abs(m)) + "$");
    items.push_back(escape_latex_words(write_small_motion_reason(l.floquet->verdict)));
    text += list(fmt::format("Floquet multipliers, over {:.6g} s", l.floquet->period), items);
  }
  std::vector<std::string> remarks;
  for (const RotationFrame& f : l.frames)
    remarks.push_back("$" + name(f.body + "_rx") + "$, $" + name(f.body + "_ry") + "$, $" +
                      name(f.body + "_rz") + "$: a small rotation of " +
                      escape_latex_words(f.body + ", seen in " + write_rotation_frame(f)));
  for (const std::string& r : write_small_motion_reasons(l.remarks))
    remarks.push_back(escape_latex_words(r));
  return text + list("Remarks", remarks) + "\\endgroup\n";
}

}  // namespace visviva
