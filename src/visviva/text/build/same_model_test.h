// Two models compared: each is described line by line, so that a test shows the lines that differ.
//
// Expressions are compared by fingerprint, which depends on the names of their symbols only, and
// are shown as text. Places in a source are left out.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/dimension.h"
#include "visviva/model/model_data.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {

class ModelDescription {
 public:
  explicit ModelDescription(const ModelData& model) : model_(model) {
    describe_scalars();
    describe_geometry();
    describe_forces();
    describe_constraints();
    describe_results();
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add(const std::string& line) { lines_.push_back(line); }

  static std::string text(const Expr& e) {
    if (!e.valid()) return "-";
    const auto f = e.fingerprint();
    return "<" + print(e) + ">#" + std::to_string(f.lane[0]) + "," + std::to_string(f.lane[1]);
  }
  static std::string text(const std::optional<Expr>& e) { return e ? text(*e) : "nothing"; }
  static std::string text(const Dimension& d) { return " [" + d.resolved().str() + "]"; }
  static std::string text(const Source& s) {
    return s.documentation.empty() ? "" : " \"" + s.documentation + "\"";
  }
  static std::string text(const std::optional<double>& d) {
    return d ? std::to_string(*d) : "nothing";
  }
  static std::string text(const Column3& c) {
    return "(" + text(c[0]) + "; " + text(c[1]) + "; " + text(c[2]) + ")";
  }
  static std::string text(const Matrix3& m) { return text(m[0]) + text(m[1]) + text(m[2]); }
  std::string frame(int i) const { return i < 0 ? "no frame" : model_.frames[i].name; }
  std::string point(int i) const { return i < 0 ? "no point" : model_.points[i].name; }
  std::string text(const Vector& v) const {
    std::vector<std::string> parts;
    for (const Vector::Part& p : v.parts()) parts.push_back(frame(p.frame) + text(p.column));
    std::sort(parts.begin(), parts.end());
    std::string all;
    for (const std::string& p : parts) all += p + " ";
    return all.empty() ? "zero" : all;
  }

  void describe_scalars() {
    add("model " + model_.name + " \"" + model_.documentation + "\" case " + model_.case_name);
    for (const ParameterData& p : model_.parameters)
      add("parameter " + p.name + text(p.dimension) + " = " + text(p.value) + text(p.source));
    for (const SpecifiedData& s : model_.specified) {
      add("specified " + s.name + text(s.dimension) + " = " + text(s.definition) + text(s.source) +
          (s.table == nullptr ? "" : " with a table"));
    }
    for (const InputData& i : model_.inputs)
      add("input " + i.name + text(i.dimension) + " = " + text(i.value) + text(i.source));
    for (const CoordinateData& c : model_.coordinates) {
      add("coordinate " + c.name + text(c.dimension) + " = " + text(c.start) + ", rate " +
          text(c.start_rate) + (c.quaternion < 0 ? "" : ", of a quaternion") + text(c.source));
    }
    for (const SpeedData& s : model_.speeds) {
      add("speed " + s.name + text(s.dimension) + " = " + text(s.definition) + ", start " +
          text(s.start) + text(s.source));
    }
    for (const UnknownData& u : model_.unknowns)
      add("unknown " + u.name + text(u.dimension) + text(u.source));
  }

  void describe_geometry() {
    for (const FrameData& f : model_.frames) {
      std::string line = "frame " + f.name + " in " + frame(f.parent) + ": " + text(f.R_PB);
      for (const Expr& h : f.hidden) line += " hidden " + text(h);
      line += f.fixed_axis ? " about " + text(*f.fixed_axis) : "";
      if (f.orientation.kind == Orientation::Kind::spin)
        line += " spins with " + text(f.orientation.angular_velocity);
      add(line + text(f.source));
    }
    for (const PointData& p : model_.points) {
      add("point " + p.name + " from " + point(p.parent) + " by " + text(p.offset) + ", home " +
          frame(p.home_frame) + text(p.source));
    }
    for (const BodyData& b : model_.bodies) {
      std::string line = "body " + b.name + " in " + frame(b.frame) + " at " + point(b.point) +
                         ", mass " + text(b.mass) + ", inertia " + text(b.inertia);
      line += ", solid " + std::to_string(static_cast<int>(b.solid.kind)) + " along " +
              std::to_string(static_cast<int>(b.solid.axis));
      for (const Expr& e : b.solid.sizes) line += " " + (e.valid() ? text(e) : "0");
      add(line + text(b.source));
    }
    for (const AuxiliaryData& a : model_.auxiliaries)
      add("auxiliary " + a.name + " along " + text(a.along) + " at " + point(a.point));
  }

  void describe_forces() {
    if (model_.gravity) add("gravity " + text(*model_.gravity));
    for (const ForceData& f : model_.forces) {
      add(std::string(f.is_torque ? "torque " : "force ") + f.name + " on " + point(f.point) +
          " and " + frame(f.frame) + " from " + point(f.from_point) + " and " +
          frame(f.from_frame) + " = " + text(f.value) + text(f.source));
    }
    for (const SpringData& s : model_.springs) {
      add(std::string(s.is_damper ? "damper " : "spring ") + s.name + " from " + point(s.from) +
          " to " + point(s.to) + " on " + text(s.on) + ", coefficient " + text(s.coefficient) +
          ", rest " + text(s.rest) + text(s.source));
    }
    for (const EnergyData& e : model_.energies) {
      add(std::string(e.is_dissipation ? "dissipation " : "potential ") + e.name + " = " +
          text(e.value) + text(e.source));
    }
  }

  void describe_constraints() {
    for (const ConstraintData& c : model_.constraints) {
      const std::string coordinate =
          c.coordinate < 0 ? "nothing" : model_.coordinates[c.coordinate].name;
      add("constraint " + c.name + " of kind " + std::to_string(static_cast<int>(c.kind)) + ": " +
          text(c.scalar) + ", " + text(c.vector) + ", " + frame(c.body) + " on " + frame(c.on) +
          " at " + point(c.point) + ", locks " + coordinate + text(c.source));
    }
    for (const Expr& e : model_.dependent) add("dependent " + text(e));
    for (const StartCondition& c : model_.start_conditions)
      add("start " + text(c.scalar) + ", " + text(c.vector));
  }

  void describe_results() {
    for (const OutputData& o : model_.outputs) {
      add(std::string(o.is_plot ? "plot " : "output ") + o.name + text(o.dimension) + " = " +
          text(o.scalar) + ", " + text(o.vector) + text(o.source));
    }
    for (const EventData& e : model_.events)
      add("event " + e.name + " when " + text(e.value) + (e.stop ? ", stop" : ""));
    const StudyData& s = model_.study;
    add("study until " + text(s.until) + ", every " + text(s.every) + ", tolerance 1e12 * " +
        text(s.tolerance ? std::optional<double>(1e12 * *s.tolerance) : std::nullopt) +
        ", energy 1e12 * " +
        text(s.energy ? std::optional<double>(1e12 * *s.energy) : std::nullopt));
    for (const CaseData& c : model_.cases) add("case " + c.name + " \"" + c.documentation + "\"");
  }

  const ModelData& model_;
  std::vector<std::string> lines_;
};

enum class Order { counts, does_not_count };

/// A line of a description; what `key` says is compared, what `shown` says is for people.
struct DescriptionLine {
  std::string key, shown;
  friend bool operator==(const DescriptionLine& a, const DescriptionLine& b) {
    return a.key == b.key;
  }
  friend bool operator<(const DescriptionLine& a, const DescriptionLine& b) {
    return a.key < b.key;
  }
};

// The same expression may be printed in another order: its fingerprint is the key, its text is
// shown.
inline std::vector<DescriptionLine> describe_model(const ModelData& model) {
  std::vector<DescriptionLine> lines;
  const ModelDescription description(model);
  for (const std::string& text : description.lines()) {
    DescriptionLine line;
    bool in_text = false, in_number = false;
    for (const char c : text) {
      in_text = c == '<' || (in_text && c != '>');
      if (c == '#') in_number = true;
      if (in_number && c != '#' && c != ',' && (c < '0' || c > '9')) in_number = false;
      if (!in_text) line.key += c;
      if (!in_number) line.shown += c;
    }
    lines.push_back(line);
  }
  return lines;
}

/// Fails with the lines that only one of the models has, or that stand in another order.
inline testing::AssertionResult is_same_model(const ModelData& found, const ModelData& expected,
                                              Order order = Order::counts) {
  std::vector<DescriptionLine> a = describe_model(found), b = describe_model(expected);
  if (a == b) return testing::AssertionSuccess();
  const std::vector<DescriptionLine> in_order_a = a, in_order_b = b;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a == b && order == Order::does_not_count) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure();
  result << found.name << ":\n";
  std::vector<DescriptionLine> only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  for (const DescriptionLine& line : only) result << "  found only:    " << line.shown << '\n';
  only.clear();
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only));
  for (const DescriptionLine& line : only) result << "  expected only: " << line.shown << '\n';
  for (std::size_t i = 0; a == b && i < a.size(); ++i) {
    if (in_order_a[i] == in_order_b[i]) continue;
    return result << "  at place " << i << "\n    found    " << in_order_a[i].shown
                  << "\n    expected " << in_order_b[i].shown << '\n';
  }
  return result;
}

}  // namespace visviva
