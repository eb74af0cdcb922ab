#include "visviva/report/page/modes_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/math_html.h"
#include "visviva/report/small_motion/small_motion_text.h"

namespace visviva {
namespace {

constexpr std::size_t most_states = 16;  // whose shares in a mode fit a table

// Rounding leaves crumbs of what is zero: no digits beyond `size` times 1e-9 are shown.
std::string digits(double x, double size) {
  return fmt::format("{:.5g}", std::abs(x) < 1e-9 * size ? 0.0 : x);
}

std::string complex_text(std::complex<double> c, double size) {
  const std::string re = digits(c.real(), size), im = digits(std::abs(c.imag()), size);
  if (im == "0") return re;
  const std::string imaginary = (im == "1" ? "" : im) + "i";
  if (re == "0") return (c.imag() < 0 ? "-" : "") + imaginary;
  return re + (c.imag() < 0 ? " - " : " + ") + imaginary;
}

Html make_state_table(const Equilibrium& e, const Kinematics& motion) {
  HtmlTable table{.heads = {"coordinate", "at the equilibrium"}};
  for (std::size_t i = 0; i < e.state.coordinates.size(); ++i) {
    const CoordinateData& c = motion.model().coordinates[i];
    const std::string unit =
        c.dimension.is_dimensionless() ? "" : " " + print_dimension(c.dimension);
    table.rows.push_back(
        {math_name_html(c.name), number_cell(digits(e.state.coordinates[i], 1.0) + unit)});
  }
  return write_table(table);
}

std::string describe(const Mode& m, double size) {
  if (!m.is_oscillatory) {
    const double rate = m.eigenvalue.real();
    if (std::abs(rate) <= 1e-7 * size) return "neutral: it neither grows nor decays";
    return fmt::format("{} with time constant {:.5g} s", rate < 0 ? "decays" : "grows",
                       1.0 / std::abs(rate));
  }
  std::string words =
      fmt::format("{:.5g} Hz, period {:.5g} s", m.frequency_hz, 1.0 / m.frequency_hz);
  if (std::abs(m.damping_ratio) > 1e-9)
    words += fmt::format(", damping ratio {:.4g}", m.damping_ratio);
  return words;
}

Html make_mode_table(const Linearization& l) {
  double size = 0.0;
  for (const std::complex<double>& e : l.eigenvalues) size = std::max(size, std::abs(e));
  HtmlTable table{.heads = {"eigenvalue, 1/s", "motion"}};
  const bool shows_shapes = l.states.size() <= most_states;
  if (shows_shapes)
    for (const std::string& state : l.states) table.heads.push_back(math_name_html(state));
  for (const Mode& m : l.modes) {
    const Html pair = m.is_oscillatory ? digits(m.eigenvalue.real(), size) + raw_html(" &#177; ") +
                                             digits(m.eigenvalue.imag(), size) + "i"
                                       : complex_text(m.eigenvalue, size);
    std::vector<HtmlCell> row = {number_cell(pair), describe(m, size)};
    if (shows_shapes)
      for (const std::complex<double>& x : m.shape)
        row.push_back(number_cell(complex_text(x, 1.0)));
    table.rows.push_back(std::move(row));
  }
  return write_table(table);
}

}  // namespace

Html make_modes_section(const Equilibrium& e, const Kinematics& motion) {
  if (!e.is_found)
    return paragraph("No equilibrium was found: " + write_small_motion_reason(e.reason) + ".");
  const bool is_decided = e.stability != Stability::undecided;
  const std::string words =
      std::string(is_decided
                      ? "The equilibrium near the start, at rest but for what is prescribed, is "
                      : "There is an equilibrium near the start, at rest but for what is "
                        "prescribed. Its stability is ") +
      std::string(stability_name(e.stability)) +
      (e.stability_reason ? ": " + write_small_motion_reason(e.stability_reason) : "") + ".";
  Html html = paragraph(words) + make_state_table(e, motion);
  if (!e.free_coordinates.empty())
    html += paragraph("Free to move without leaving equilibrium, to first order: " +
                      list_words(e.free_coordinates) + ".");
  const Linearization& l = e.linearization;
  if (l.failure)
    return html + paragraph("There is no linearization here: " +
                            write_small_motion_reason(l.failure) + ".");
  if (!l.modes.empty()) html += heading("Modes") + make_mode_table(l);
  if (l.modes.size() > 0 && l.states.size() <= most_states)
    html += element("p", {{"class", "muted"}},
                    "Under each state stands its share in the motion; the largest is 1.") +
            "\n";
  for (const RotationFrame& f : l.frames)
    html += paragraph("The rotation of " + f.body + " is seen in " + write_rotation_frame(f) +
                      ": the states " + f.body + "_rx, " + f.body + "_ry and " + f.body +
                      "_rz are a small rotation vector.");
  for (const std::string& r : write_small_motion_reasons(e.remarks)) html += paragraph(r);
  return html;
}

}  // namespace visviva
