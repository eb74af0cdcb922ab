#include "visviva/report/kinematics_page.h"

#include <fstream>

#include "visviva/base/escape.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/html.h"
#include "visviva/symbolic/print.h"

namespace visviva {
namespace {

std::string math(const std::string& element) { return "<math>" + element + "</math>"; }
std::string math(const Expr& e) { return math(print(e, Notation::mathml)); }
std::string math(const Vector& v) { return math(print_vector(v, Notation::mathml)); }
std::string math_name(const std::string& name) { return math(print_name(name, Notation::mathml)); }

std::string row(const std::vector<std::string>& cells, const char* tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells)
    text += std::string("<") + tag + ">" + cell + "</" + tag + ">";
  return text + "</tr>\n";
}

std::string table(const std::vector<std::string>& head, const std::string& rows) {
  return "<div class=\"wide\"><table>\n" + row(head, "th") + rows + "</table></div>\n";
}

std::string speeds_section(const Kinematics& motion) {
  std::string rows;
  for (const CoordinateData& c : motion.model().coordinates) {
    const Expr rate = motion.rate(Quantity(c.q, c.dimension)).expr();
    rows += row({math_name(c.name), math_name(c.name + "'"), math(rate)}, "td");
  }
  return "<h2>Rates of the coordinates</h2>\n" +
         table({"coordinate", "its rate", "in the speeds"}, rows);
}

// One row: a name, its velocity, what multiplies each speed, and the remainder.
std::string points_section(const Kinematics& motion, std::vector<std::string> head) {
  std::string rows;
  for (const Point& P : motion.points()) {
    if (P.index() == 0) continue;
    std::vector<std::string> cells = {escape_html(P.name()), math(motion.velocity(P))};
    for (const Speed& s : motion.speeds())
      cells.push_back(math(motion.partial_velocity(P, s.name)));
    cells.push_back(math(motion.velocity_remainder(P)));
    rows += row(cells, "td");
  }
  head.insert(head.begin(), {"point", "velocity"});
  return "<h2>Velocities and partial velocities</h2>\n" + table(head, rows);
}

std::string frames_section(const Kinematics& motion, std::vector<std::string> head) {
  std::string rows;
  for (const Frame& B : motion.frames()) {
    if (B.index() == 0) continue;
    std::vector<std::string> cells = {escape_html(B.name()), math(motion.angular_velocity(B))};
    for (const Speed& s : motion.speeds())
      cells.push_back(math(motion.partial_angular_velocity(B, s.name)));
    cells.push_back(math(motion.angular_velocity_remainder(B)));
    rows += row(cells, "td");
  }
  head.insert(head.begin(), {"frame", "angular velocity"});
  return "<h2>Angular velocities and partial angular velocities</h2>\n" + table(head, rows);
}

}  // namespace

std::string make_kinematics_page(const Kinematics& motion) {
  const std::string intro =
      "<p>Each velocity is a sum of partial velocities times generalized speeds, and a remainder "
      "that needs no speed. "
      "Everything here was derived from positions and orientations alone.</p>\n";
  std::vector<std::string> head;
  for (const Speed& s : motion.speeds()) head.push_back("by " + math_name(s.name));
  head.push_back("remainder");
  return make_page(
      motion.model().name,
      intro + speeds_section(motion) + points_section(motion, head) + frames_section(motion, head));
}

void write_kinematics_page(const std::string& file, const Kinematics& motion) {
  std::ofstream out(file);
  out << make_kinematics_page(motion);
  out.close();
  if (!out) throw UsageError("write_kinematics_page", "cannot write '" + file + "'");
}

}  // namespace visviva
