#include "visviva/report/page/notation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "visviva/base/unit.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/derivation/angles.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/math_html.h"
#include "visviva/report/page/scene_solids.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// Longer definitions are left to the model's text.
constexpr std::size_t longest_definition = 120;

// m/s^2 as people set it.
Html unit_html(const std::string& unit) {
  Html html;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit[i] == '*') {
      html += "\u22C5";
    } else if (unit[i] == '^') {
      const std::size_t end = std::min(unit.find_first_not_of("-0123456789", i + 1), unit.size());
      html += element("sup", unit.substr(i + 1, end - i - 1));
      i = end - 1;
    } else {
      html += std::string(1, unit[i]);
    }
  }
  return html;
}

Html with_unit(double value, const Dimension& dimension, bool is_angular = false) {
  if (!std::isfinite(value)) return "no value";
  std::string unit = print_dimension(dimension);
  if (is_angular && unit == "1") unit = "rad";
  if (is_angular && unit == "1/s") unit = "rad/s";
  return fmt::format("{:.6g}", value) + (unit == "1" ? Html() : " " + unit_html(unit));
}

Html expr_html(const Expr& e) {
  const std::string plain = print(e);
  return plain.size() <= longest_definition ? math_html(e) : "a longer expression";
}

Html vector_html(const Vector& v) {
  const std::string plain = print_vector(v);
  if (plain.size() > longest_definition) return "a longer expression";
  return math_html(print_vector(v, Notation::mathml));
}

// A vector with the sign that joins it to what stands before.
Html joined_vector_html(const Vector& v) {
  const Html html = vector_html(v);
  const std::string& markup = html.markup();
  const std::string open = "<math><mrow>", minus = "<mo>\u2212</mo>";
  if (!markup.starts_with(open + minus)) return " + " + html;
  return " \u2212 " + raw_html(open + markup.substr(open.size() + minus.size()));
}

bool contains(const Expr& e, const std::set<Ref>& symbols) {
  const std::vector<Expr> inside = free_symbols(e);
  return std::any_of(inside.begin(), inside.end(),
                     [&](const Expr& s) { return symbols.count(s.ref()) != 0; });
}

// What has no value, and all that is defined by such: the start state has stand-ins for these.
class Valueless {
 public:
  Valueless(const ModelData& model, const std::vector<std::string>& missing) {
    const auto is_missing = [&](const std::string& name) {
      return std::find(missing.begin(), missing.end(), name) != missing.end();
    };
    // Definitions may stand in any order: until nothing is added.
    for (std::size_t before = 1; before != symbols_.size();) {
      before = symbols_.size();
      for (const ParameterData& p : model.parameters)
        if (is_missing(p.name) || (p.value && contains(*p.value, symbols_)))
          symbols_.insert(p.symbol.ref());
      for (const SpecifiedData& s : model.specified)
        if (is_missing(s.name) || (s.definition && contains(*s.definition, symbols_)))
          for (const Expr& d : s.derivatives) symbols_.insert(d.ref());
      for (const InputData& i : model.inputs)
        if (contains(i.value, symbols_)) symbols_.insert(i.symbol.ref());
    }
  }

  const std::set<Ref>& symbols() const { return symbols_; }

 private:
  std::set<Ref> symbols_;
};

bool is_number(const Expr& e) { return e.pool().node(e.ref()).op == Op::constant; }

Html documented(const Source& source, const Html& words) {
  const Html text = source.documentation;
  return text.empty() ? words : words.empty() ? text : text + "; " + words;
}

const char* solid_name(SolidData::Kind kind) {
  switch (kind) {
    case SolidData::Kind::sphere:
      return "solid sphere";
    case SolidData::Kind::shell:
      return "spherical shell";
    case SolidData::Kind::rod:
      return "thin rod";
    case SolidData::Kind::cylinder:
      return "cylinder";
    case SolidData::Kind::disc:
      return "thin disc";
    case SolidData::Kind::box:
      return "box";
    case SolidData::Kind::capsule:
      return "capsule";
    case SolidData::Kind::ellipsoid:
      return "ellipsoid";
    case SolidData::Kind::none:
      break;
  }
  return "rigid body";
}

class NotationTables {
 public:
  NotationTables(const Kinematics& motion, const ConsistentStart& start)
      : motion_(motion),
        m_(motion.model()),
        start_(start),
        values_(make_start_state(m_)),
        valueless_(Valueless(m_, values_.missing).symbols()),
        angles_(find_angles(m_)) {}

  Html write() {
    add_parameters();
    add_functions();
    add_coordinates();
    add_speeds();
    add_frames();
    add_points();
    add_bodies();
    add_energies();
    return std::move(html_);
  }

 private:
  void add(const std::string& title, HtmlTable table) {
    if (table.rows.empty()) return;
    html_ += heading(title) + write_table(table);
  }

  // Symbol and line of a declaration; 0 for what came from no text.
  static std::vector<HtmlCell> row(const Html& symbol, const Source& source, const Html& meaning,
                                   const Html& value) {
    const int line = source.span.line;
    return {symbol, meaning, number_cell(value),
            line > 0 ? link_to_line(line, fmt::format("line {}", line)) : Html()};
  }

  bool is_angle(const Expr& symbol) const { return angles_.count(symbol.ref()) != 0; }

  // NaN where there is none.
  double value_of(const Expr& e) const {
    if (contains(e, valueless_)) return std::nan("");
    return value_or_nan(values_, e);
  }

  // With stand-ins the start was found that satisfies the constraints.
  bool is_invented(const std::string& name, const std::optional<Expr>& given) const {
    if (valueless_.empty()) return false;
    if (given && contains(*given, valueless_)) return true;
    return std::any_of(start_.changes.begin(), start_.changes.end(),
                       [&](const StartChange& c) { return c.name == name; });
  }

  void add_parameters() {
    HtmlTable table{.heads = {"symbol", "meaning", "value", "declared"}};
    for (const ParameterData& p : m_.parameters) {
      const bool is_derived = p.value && !is_number(*p.value);
      table.rows.push_back(row(math_name_html(p.name), p.source,
                               documented(p.source, is_derived ? expr_html(*p.value) : ""),
                               with_unit(value_of(p.symbol), p.dimension, is_angle(p.symbol))));
    }
    add("Parameters", std::move(table));
  }

  // "3 cos t, in m": the numbers of a definition have lost their units.
  static Html with_unit_of(const Html& definition, const Dimension& dimension) {
    if (dimension.is_dimensionless()) return definition;
    return definition + Html(", in " + print_dimension(dimension));
  }

  void add_functions() {
    HtmlTable table{.heads = {"symbol", "meaning", "value at the start", "declared"}};
    for (const SpecifiedData& s : m_.specified) {
      const Html words = s.definition ? with_unit_of(expr_html(*s.definition), s.dimension)
                         : s.table    ? Html("from a table")
                                      : Html("a function of time that is not given");
      table.rows.push_back(
          row(math_name_html(s.name), s.source, documented(s.source, words),
              with_unit(value_of(s.derivatives[0]), s.dimension, is_angle(s.derivatives[0]))));
    }
    for (const InputData& i : m_.inputs)
      table.rows.push_back(row(math_name_html(i.name), i.source, documented(i.source, "input"),
                               with_unit(value_of(i.value), i.dimension)));
    for (const UnknownData& u : m_.unknowns)
      table.rows.push_back(row(math_name_html(u.name), u.source,
                               documented(u.source, "unknown force, found with the motion"),
                               unit_html(print_dimension(u.dimension))));
    add("Functions of time and inputs", std::move(table));
  }

  void add_coordinates() {
    HtmlTable table{.heads = {"symbol", "meaning", "start", "declared"}};
    for (std::size_t i = 0; i < m_.coordinates.size(); ++i) {
      const CoordinateData& c = m_.coordinates[i];
      const bool is_known = i < start_.coordinates.size() && !is_invented(c.name, c.start);
      const double value = is_known ? start_.coordinates[i] : std::nan("");
      std::string words;
      if (c.quaternion >= 0) words = "Euler parameter";
      table.rows.push_back(row(math_name_html(c.name), c.source, documented(c.source, words),
                               with_unit(value, c.dimension, is_angle(c.q))));
    }
    add("Coordinates", std::move(table));
  }

  const SpeedData* declared(const std::string& name) const {
    for (const SpeedData& s : m_.speeds)
      if (s.name == name) return &s;
    return nullptr;
  }

  double start_of(std::size_t r, const SpeedData* data) const {
    const Speed& speed = motion_.speeds()[r];
    std::optional<Expr> given;
    if (speed.coordinate >= 0) given = m_.coordinates[speed.coordinate].start_rate;
    if (data != nullptr) given = data->start;
    if (r >= start_.speeds.size() || is_invented(speed.name, given)) return std::nan("");
    // Made from rates and start conditions with stand-ins, perhaps; rest is rest.
    const bool is_made = !valueless_.empty() && !given && start_.speeds[r] != 0.0;
    return is_made ? std::nan("") : start_.speeds[r];
  }

  void add_speeds() {
    HtmlTable table{.heads = {"symbol", "meaning", "start", "declared"}};
    const std::vector<Speed>& speeds = motion_.speeds();
    for (std::size_t r = 0; r < speeds.size(); ++r) {
      const SpeedData* data = declared(speeds[r].name);
      const double value = start_of(r, data);
      Source source = data != nullptr ? data->source : Source{};
      Html words;
      if (speeds[r].coordinate >= 0) {
        const CoordinateData& c = m_.coordinates[speeds[r].coordinate];
        source.span = c.source.span;
        words = "rate of " + math_name_html(c.name);
      } else if (data != nullptr && data->definition) {
        words = expr_html(motion_.speed_definition(data->name));
      }
      table.rows.push_back(
          row(math_name_html(speeds[r].name), source, documented(source, words),
              with_unit(value, speeds[r].dimension, is_angular(speeds[r], m_, angles_))));
    }
    add("Speeds", std::move(table));
  }

  Html orientation_html(const FrameData& f) const {
    const std::string& parent = m_.frames[f.parent].name;
    const Orientation& o = f.orientation;
    const auto parameters = [&](std::size_t n) {
      std::vector<Html> list;
      for (std::size_t i = 0; i < n; ++i) list.push_back(expr_html(o.parameters[i].expr(*m_.pool)));
      return join_html(list);
    };
    switch (o.kind) {
      case Orientation::Kind::simple:
        return "turned from " + parent + " about " + vector_html(o.axis) + " by " + parameters(1);
      case Orientation::Kind::sequence:
        return fmt::format("turned from {} about {}{}{} by ", parent, "xyz"[o.axes[0]],
                           "xyz"[o.axes[1]], "xyz"[o.axes[2]]) +
               parameters(3);
      case Orientation::Kind::quaternion:
        return "turned from " + parent + " by the Euler parameters " + parameters(4);
      case Orientation::Kind::rodrigues:
        return "turned from " + parent + " by the Gibbs vector " + parameters(3);
      case Orientation::Kind::spin:
        break;
    }
    return "turns in " + parent + " with the angular velocity " + vector_html(o.angular_velocity);
  }

  void add_frames() {
    HtmlTable table{.heads = {"frame", "meaning", "declared"}};
    for (std::size_t i = 0; i < m_.frames.size(); ++i) {
      const FrameData& f = m_.frames[i];
      const Html words = i == 0 ? "the Newtonian frame" : orientation_html(f);
      std::vector<HtmlCell> cells = row(f.name, f.source, documented(f.source, words), "");
      cells.erase(cells.begin() + 2);
      table.rows.push_back(std::move(cells));
    }
    add("Frames", std::move(table));
  }

  void add_points() {
    HtmlTable table{.heads = {"point", "meaning", "declared"}};
    for (std::size_t i = 0; i < m_.points.size(); ++i) {
      const PointData& p = m_.points[i];
      Html words = "origin of N, at rest";
      if (i > 0) {
        words = "at " + m_.points[p.parent].name;
        if (!p.offset.is_zero()) words += joined_vector_html(p.offset);
      }
      std::vector<HtmlCell> cells = row(p.name, p.source, documented(p.source, words), "");
      cells.erase(cells.begin() + 2);
      table.rows.push_back(std::move(cells));
    }
    add("Points", std::move(table));
  }

  void add_bodies() {
    HtmlTable table{.heads = {"body", "meaning", "mass", "declared"}};
    for (const BodyData& b : m_.bodies) {
      const bool is_particle = b.frame < 0;
      std::string words = is_particle ? "particle" : solid_name(b.solid.kind);
      if (!is_particle) words += ", mass center " + m_.points[b.point].name;
      const Html mass = is_number(b.mass) ? Html() : expr_html(b.mass) + " = ";
      table.rows.push_back(row(b.name, b.source, documented(b.source, words),
                               mass + with_unit(value_of(b.mass), Dimension::of(Dimension::mass))));
    }
    add("Bodies", std::move(table));
  }

  // Names that the page uses whatever the model is.
  void add_energies() {
    HtmlTable table{.heads = {"symbol", "meaning"}};
    const auto add_row = [&](const char* name, const char* meaning) {
      table.rows.push_back({math_name_html(name), meaning});
    };
    add_row("t", "time");
    add_row("K", "kinetic energy, the sum of K0, K1 and K2");
    add_row("K0", "its part without the independent speeds: of prescribed motion alone");
    add_row("K1", "its part linear in the independent speeds");
    add_row("K2", "its part quadratic in the independent speeds");
    add_row("U", "generalized potential energy of all loads that have one");
    add_row("sigma", "power that keeps up the prescribed part of the motion");
    add_row("sigma_R", "the same with the velocities that the independent speeds make");
    add_row("P_nonconservative",
            "generalized power of loads, or parts of loads, without a potential");
    add_row("Z", "integral over time of sigma_R less P_nonconservative, zero at the start");
    add_row("E_Z",
            "K2 + U + Z: constant in every motion of every system, so that a run can be checked");
    add_row("E", "K2 + U");
    add_row("H", "K2 less K0, and U; the Hamiltonian where U is a potential energy");
    add_row("C", "K + U; the mechanical energy where U is a potential energy");
    add("Energies", std::move(table));
  }

  const Kinematics& motion_;
  const ModelData& m_;
  const ConsistentStart& start_;
  StartState values_;
  std::set<Ref> valueless_;
  std::set<Ref> angles_;
  Html html_;
};

}  // namespace

Html make_notation_section(const Kinematics& motion, const ConsistentStart& start) {
  return element("p", {{"class", "muted"}}, "Numbers in expressions are in SI units.") + "\n" +
         NotationTables(motion, start).write();
}

}  // namespace visviva
