#include "visviva/text/robot/write_robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "visviva/base/rounding.h"
#include "visviva/base/suggest.h"
#include "visviva/text/robot/robot_names.h"
#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

using Kind = RobotJoint::Kind;

constexpr double dummy_mass = 1e-5;  // kg: nobody weighs a link so light
constexpr const char* axis_letters = "xyz";

// Joints with one coordinate.
bool is_simple(Kind kind) {
  return kind == Kind::hinge || kind == Kind::slide || kind == Kind::screw;
}

// A comment stays in its line, whatever a file calls its links.
std::string in_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return text;
}

std::string number_of(double x) { return x == 0 ? "0" : fmt::format("{}", x); }

// An angle that is whole right angles to the last digits of a double is written so: the cosine of 90 deg is zero, that of
// 1.5707963267948966 rad is not, and what is multiplied by it is work for nothing at each evaluation.
std::string angle_of(double x) {
  constexpr double right = std::numbers::pi / 2;
  const double turns = std::round(x / right);
  if (turns != 0 && std::abs(x - turns * right) <= 4 * machine_epsilon * std::abs(x))
    return number_of(90 * turns) + " deg";
  return number_of(x) + " rad";
}

// " + 0.1 m*A.x - 2 m*A.z": the terms of a vector that are not zero; `unit` with a blank before it.
std::string write_terms(const Triple& v, const std::string& unit, const std::string& frame) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    if (v[i] != 0) {
      const double size = std::abs(v[i]);
      const std::string factor = size == 1 && unit.empty() ? "" : number_of(size) + unit + "*";
      text += fmt::format(" {} {}{}.{}", v[i] < 0 ? '-' : '+', factor, frame, axis_letters[i]);
    }
  return text;
}

// Without the sign before a first term that has a plus.
std::string without_plus(const std::string& terms) {
  return terms.rfind(" + ", 0) == 0 ? terms.substr(3) : "-" + terms.substr(3);
}

// The place of the only component, 1 or -1; 3 for any other axis.
std::size_t find_letter(const Triple& axis) {
  std::size_t place = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (axis[i] == 0) continue;
    if (place != 3 || std::abs(axis[i]) != 1) return 3;
    place = i;
  }
  return place;
}

// A planar joint about an oblique normal moves in a frame whose z that is.
Robot make_upright(Robot robot) {
  for (RobotJoint& j : robot.joints) {
    if (j.kind != Kind::planar || find_letter(j.axis) < 3) continue;
    const RobotPose turned{{}, from_z(j.axis)};
    j.axis = {0, 0, 1};
    j.origin = compose(j.origin, turned);
    j.after = compose(invert(turned), j.after);
  }
  return robot;
}

class RobotWriter {
 public:
  RobotWriter(const Robot& robot, const RobotOptions& options)
      : robot_(make_upright(robot)),
        options_(options),
        scalars_(RobotNames::Space::scalars, options.prefix),
        frames_(RobotNames::Space::frames, options.prefix),
        forces_(RobotNames::Space::forces, options.prefix),
        pictures_(RobotNames::Space::forces, options.prefix),
        usual_length_(find_usual_length(robot)),
        frame_of_(robot.links.size()),
        point_of_(robot.links.size()),
        moves_(robot.links.size(), false) {}

  RobotText write(const std::string& file) {
    if (!options_.is_part) write_head(file);
    name_joints();
    gather_masses();
    write_base();
    for (const RobotJoint& j : robot_.joints) write_joint(j);
    for (const RobotClosure& c : robot_.closures) write_closure(c);
    for (const RobotCoupling& c : robot_.couplings) write_coupling(c);
    return {std::move(text_), std::move(remarks_)};
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  void remark(const SourceSpan& span, const std::string& message) {
    remarks_.push_back({Severity::warning, "W-robot-remark", message, "", span});
    line("# " + in_one_line(message));
  }

  // ---- Names

  void write_head(const std::string& file) {
    RobotNames titles(RobotNames::Space::forces, "");
    line(fmt::format("model {} \"From {}\"",
                     titles.make(robot_.name.empty() ? "robot" : robot_.name), file));
    const Triple& a = robot_.gravity;
    const double size = std::hypot(a[0], a[1], a[2]);
    if (size == 0) return;
    const std::size_t letter = find_letter({a[0] / size, a[1] / size, a[2] / size});
    scalars_.keep("g");
    line(fmt::format("\nparameter g = {} m/s^2", number_of(size)));
    if (letter < 3)
      return line(fmt::format("gravity {}g*N.{}", a[letter] < 0 ? "-" : "", axis_letters[letter]));
    line("gravity g*(" +
         without_plus(write_terms({a[0] / size, a[1] / size, a[2] / size}, "", "N")) + ")");
  }

  // Names of joints come first: mimics mention them.
  void name_joints() {
    if (options_.is_floating)
      for (const char* own : {"base_x", "base_y", "base_z", "base_e0", "base_e1", "base_e2",
                              "base_e3", "base_vx", "base_vy", "base_vz"})
        scalars_.keep(options_.prefix + own);
    for (const RobotJoint& j : robot_.joints) {
      const std::string name = j.kind == Kind::fixed ? "" : scalars_.make(j.name);
      tell_name(j.span, "joint", j.name, name);
      names_.push_back(name);
    }
  }

  void tell_name(const SourceSpan& span, const char* what, const std::string& wanted,
                 const std::string& given) {
    if (given.empty() || given == options_.prefix + wanted) return;
    remark(span, fmt::format("the {} '{}' is called {} here", what, wanted, given));
  }

  void name_link(std::size_t link) {
    const RobotLink& l = robot_.links[link];
    frame_of_[link] = frames_.make(l.name);
    point_of_[link] = frame_of_[link] + "_o";
    tell_name(l.span, "link", l.name, frame_of_[link]);
  }

  std::size_t place_of(const RobotJoint& j) const {
    return static_cast<std::size_t>(&j - robot_.joints.data());
  }
  const RobotJoint& find_joint(const std::string& name, const SourceSpan& from) const {
    for (const RobotJoint& j : robot_.joints)
      if (j.name == name) return j;
    std::vector<std::string> joints;
    for (const RobotJoint& j : robot_.joints) joints.push_back(j.name);
    throw RobotRefusal{{Severity::error, "E-robot-tree", "there is no joint '" + name + "'",
                        did_you_mean(name, joints), from}};
  }

  // ---- Masses

  // What a fixed joint holds belongs to the link that holds it.
  void gather_masses() {
    for (const RobotLink& l : robot_.links) masses_.push_back(l.mass);
    for (auto j = robot_.joints.rbegin(); j != robot_.joints.rend(); ++j) {
      if (j->kind != Kind::fixed) continue;
      masses_[j->parent] = add_masses(masses_[j->parent],
                                      move_mass(masses_[j->child], compose(j->origin, j->after)));
      masses_[j->child] = {};
    }
  }

  void write_link(std::size_t link) {
    write_body(link);
    write_pictures(link);
  }

  void write_body(std::size_t link) {
    const RobotMass& m = masses_[link];
    const RobotLink& l = robot_.links[link];
    if (m.mass == 0 && m.inertia == std::array<double, 6>{}) return;
    if (!moves_[link])
      return line(fmt::format("# {} does not move: its mass, {} kg, changes nothing",
                              frame_of_[link], number_of(m.mass)));
    if (m.mass <= dummy_mass)
      remark(l.span, fmt::format("the link '{}' has hardly any mass, {} kg", l.name, m.mass));
    const auto& I = m.inertia;
    std::string inertia;
    const std::size_t count = I[3] == 0 && I[4] == 0 && I[5] == 0 ? 3 : 6;
    for (std::size_t i = 0; i < count; ++i)
      inertia += fmt::format("{}{} kg*m^2", i == 0 ? "" : ", ", number_of(I[i]));
    line(fmt::format("body {} at {}{}, mass {} kg, inertia {}", frame_of_[link], point_of_[link],
                     write_terms(m.center, " m", frame_of_[link]), number_of(m.mass), inertia));
  }

  // ---- Pictures

  void write_pictures(std::size_t link) {
    bool is_drawn = false;
    for (const RobotPicture& picture : robot_.links[link].pictures)
      if (write_picture(link, picture)) is_drawn = true;
    if (is_drawn) return;
    for (const RobotPicture& capsule : make_capsules(link)) write_picture(link, capsule);
  }

  // From where a link is held to where it holds others; of the last one, through its mass center.
  std::vector<RobotPicture> make_capsules(std::size_t link) const {
    constexpr double thick = 0.12, thickest = 0.3;  // radii against the usual length, and their own
    std::vector<RobotPicture> capsules;
    const auto add = [&](const Triple& end) {
      const double length = size_of(end);
      if (!(length > 1e-3 * usual_length_)) return;
      Triple middle{}, turn = find_space_angles(from_z(end));
      for (std::size_t i = 0; i < 3; ++i) middle[i] = rounded(end[i] / 2, 6);
      for (double& angle : turn) angle = rounded(angle, 6);
      const double radius = rounded(std::min(thick * usual_length_, thickest * length), 2);
      capsules.push_back(
          {{middle, from_space_angles(turn)}, "capsule", {radius, rounded(length, 6), 0}});
    };
    for (const RobotJoint& j : robot_.joints)
      if (j.parent == link) add(j.origin.position);
    const RobotMass& own = robot_.links[link].mass;
    if (capsules.empty() && own.mass > 0)
      add({2 * own.center[0], 2 * own.center[1], 2 * own.center[2]});
    return capsules;
  }

  static double size_of(const Triple& v) { return std::hypot(v[0], v[1], v[2]); }
  static double rounded(double x, int digits) {
    return std::stod(fmt::format("{:.{}g}", x, digits));
  }

  // Half of the joints are farther from where their links are held.
  static double find_usual_length(const Robot& robot) {
    std::vector<double> lengths;
    for (const RobotJoint& j : robot.joints)
      if (size_of(j.origin.position) > 0) lengths.push_back(size_of(j.origin.position));
    for (const RobotLink& l : robot.links)
      if (lengths.empty() && l.mass.mass > 0) lengths.push_back(2 * size_of(l.mass.center));
    std::sort(lengths.begin(), lengths.end());
    return lengths.empty() ? 0 : lengths[lengths.size() / 2];
  }

  // False for what cannot be drawn.
  bool write_picture(std::size_t link, const RobotPicture& picture) {
    const std::string shape = write_shape(picture);
    if (shape.empty()) return false;
    const std::string& F = frame_of_[link];
    const Triple turn = find_space_angles(picture.pose.rotation);
    std::string turned;
    if (!picture.pose.rotation.is_identity() && turn != Triple{0, 0, 0})
      turned = fmt::format(", turned {} rad, {} rad, {} rad", number_of(turn[0]),
                           number_of(turn[1]), number_of(turn[2]));
    line(fmt::format("picture {} of {} at {}{}, {}{}",
                     pictures_.make(robot_.links[link].name + "_picture"), F, point_of_[link],
                     write_terms(picture.pose.position, " m", F), shape, turned));
    return true;
  }

  // "" for what cannot be drawn: a mesh that is not there, or a solid without a size.
  std::string write_shape(const RobotPicture& picture) {
    if (!picture.mesh.empty()) return write_mesh(picture);
    const auto& [a, b, c] = picture.sizes;
    const auto are_sizes = [](auto... size) { return ((size > 0) && ...); };
    const auto lengths = [](auto... size) {
      std::string text;
      ((text += (text.empty() ? "" : ", ") + number_of(size) + " m"), ...);
      return text;
    };
    if (picture.solid == "sphere") return are_sizes(a) ? "sphere radius " + lengths(a) : "";
    if (picture.solid == "box" || picture.solid == "ellipsoid")
      return are_sizes(a, b, c) ? picture.solid + " " + lengths(a, b, c) : "";
    if (!are_sizes(a, b)) return "";
    return fmt::format("{} radius {}, length {} along z", picture.solid, lengths(a), lengths(b));
  }

  std::string write_mesh(const RobotPicture& picture) {
    const std::string path = options_.files.find_mesh ? options_.files.find_mesh(picture.mesh) : "";
    // What a text in quotes cannot hold is no path here.
    const bool is_plain = std::none_of(path.begin(), path.end(), [](char c) {
      return c == '"' || static_cast<unsigned char>(c) < ' ';
    });
    if (path.empty() || !is_plain) {
      line(in_one_line("# not drawn, no STL or OBJ file below the folder of the model: " +
                       picture.mesh));
      return "";
    }
    const auto& [x, y, z] = picture.scale;
    std::string text = fmt::format("mesh \"{}\"", path);
    if (x == y && y == z) return x == 1 ? text : text + ", scale " + number_of(x);
    return text + fmt::format(", scale {}, {}, {}", number_of(x), number_of(y), number_of(z));
  }

  // ---- Frames and points

  // rotate(...) by which a frame is turned from another for good.
  std::string write_turned(const std::string& frame, const RobotRotation& r) const {
    if (r.is_identity()) return fmt::format("rotate({}, x, 0)", frame);
    if (r.space_angles) {
      const Triple& a = *r.space_angles;
      for (std::size_t i = 0; i < 3; ++i)
        if (a[(i + 1) % 3] == 0 && a[(i + 2) % 3] == 0)
          return fmt::format("rotate({}, {}, {})", frame, axis_letters[i], angle_of(a[i]));
      return fmt::format("rotate({}, space xyz, {}, {}, {})", frame, angle_of(a[0]), angle_of(a[1]),
                         angle_of(a[2]));
    }
    const auto& q = r.quaternion;
    const Triple v = {q[1], q[2], q[3]};
    const double sine = std::hypot(v[0], v[1], v[2]), angle = 2 * std::atan2(sine, q[0]);
    return write_rotation(frame, {v[0] / sine, v[1] / sine, v[2] / sine}, angle_of(angle));
  }

  static std::string write_rotation(const std::string& frame, const Triple& axis,
                                    const std::string& angle) {
    const std::size_t letter = find_letter(axis);
    if (letter == 3)
      return fmt::format("rotate({}, {}, {})", frame, without_plus(write_terms(axis, "", frame)),
                         angle);
    const bool is_plain = angle.find(' ') == std::string::npos && angle[0] != '-';
    return fmt::format("rotate({}, {}, {})", frame, axis_letters[letter],
                       axis[letter] > 0 ? angle
                       : is_plain       ? "-" + angle
                                        : "-(" + angle + ")");
  }

  void write_base() {
    const std::size_t root = robot_.root;
    // What a model holds a robot by may move.
    moves_[root] = options_.frame != "N" || options_.point != "No";
    if (robot_.root_is_world) {
      frame_of_[root] = options_.frame;
      point_of_[root] = options_.point;
      if (options_.is_floating)
        throw RobotRefusal{{Severity::error,
                            "E-robot-tree",
                            "the base of this robot is the ground: it cannot float",
                            "a free joint in the file makes a link float",
                            {}}};
      return;
    }
    line("");
    name_link(root);
    const std::string &F = frame_of_[root], &A = options_.frame, p = options_.prefix;
    if (!options_.is_floating) {
      line(fmt::format("frame {} = rotate({}, x, 0)", F, A));
      line(fmt::format("point {} = {}", point_of_[root], options_.point));
      return write_link(root);
    }
    moves_[root] = true;
    line(fmt::format("coordinate {0}base_x, {0}base_y, {0}base_z", p));
    line(fmt::format("coordinate {0}base_e0, {0}base_e1, {0}base_e2, {0}base_e3", p));
    line(fmt::format(
        "speed {0}base_vx = {0}base_x', {0}base_vy = {0}base_y', {0}base_vz = {0}base_z'", p));
    line(fmt::format("frame {1} = quaternion({2}, {0}base_e0, {0}base_e1, {0}base_e2, {0}base_e3)",
                     p, F, A));
    line(fmt::format("point {1} = {3} + {0}base_x*{2}.x + {0}base_y*{2}.y + {0}base_z*{2}.z", p,
                     point_of_[root], A, options_.point));
    write_link(root);
  }

  // ---- Joints

  bool has_coordinate(const RobotJoint& j) const { return !j.mimic && is_simple(j.kind); }
  static const char* unit_of(const RobotJoint& j) { return j.kind == Kind::slide ? "m" : "rad"; }

  // The value of a joint: its coordinate, or what it follows; `primes` for its rate.
  std::string write_value(const RobotJoint& j, const std::string& primes, int depth = 0) const {
    if (depth > 100)
      throw RobotRefusal{
          {Severity::error, "E-robot-tree", "joints mimic one another in a circle", "", j.span}};
    if (!j.mimic) return names_[place_of(j)] + primes;
    const RobotJoint& other = find_joint(j.mimic->joint, j.span);
    if (!is_simple(j.kind) || !is_simple(other.kind))
      throw RobotRefusal{{Severity::error, "E-robot-joint",
                          "the joint '" + j.name +
                              "' mimics one, or is one, that has several "
                              "coordinates or none",
                          "", j.span}};
    std::string text = write_value(other, primes, depth + 1);
    if (text.find(' ') != std::string::npos || text[0] == '-') text = "(" + text + ")";
    const double factor = j.mimic->factor, offset = j.mimic->offset;
    if (std::string_view(unit_of(other)) != unit_of(j))
      text = fmt::format("({} {}/{})*{}", number_of(factor), unit_of(j), unit_of(other), text);
    else if (factor == -1)
      text = "-" + text;
    else if (factor != 1)
      text = number_of(factor) + "*" + text;
    if (offset != 0 && primes.empty())
      text +=
          fmt::format(" {} {} {}", offset < 0 ? '-' : '+', number_of(std::abs(offset)), unit_of(j));
    return text;
  }
  // How far a joint has moved its child.
  std::string write_motion(const RobotJoint& j) const {
    const std::string value = write_value(j, "");
    if (j.reference == 0) return value;
    return fmt::format("{} {} {} {}", value, j.reference > 0 ? '-' : '+',
                       number_of(std::abs(j.reference)), unit_of(j));
  }

  void write_joint(const RobotJoint& j) {
    const std::string& q = names_[place_of(j)];
    moves_[j.child] = moves_[j.parent] || j.kind != Kind::fixed;
    line("");
    line(in_one_line(fmt::format("# {}{}", j.name, j.remark.empty() ? "" : ": " + j.remark)));
    name_link(j.child);
    if (has_coordinate(j))
      line(j.reference == 0
               ? "coordinate " + q
               : fmt::format("coordinate {} = {} {}", q, number_of(j.reference), unit_of(j)));
    write_placement(j, q);
    write_link(j.child);
    write_loads(j, q);
  }

  // By how much a hinge is turned about its own axis for good; nothing where it is turned in another way as well.
  static std::optional<double> find_own_turn(const RobotJoint& j) {
    const std::size_t letter = find_letter(j.axis);
    if (j.kind != Kind::hinge || letter == 3 || !j.origin.rotation.space_angles) return {};
    const Triple& a = *j.origin.rotation.space_angles;
    if (a[letter] == 0 || a[(letter + 1) % 3] != 0 || a[(letter + 2) % 3] != 0) return {};
    return a[letter];
  }

  // The frame that a joint moves in, turned from that of its parent for good.
  std::string write_held_frame(const RobotJoint& j) {
    if (j.origin.rotation.is_identity() || find_own_turn(j)) return frame_of_[j.parent];
    const std::string held = frames_.make(j.name + "_frame");
    line(fmt::format("frame {} = {}", held, write_turned(frame_of_[j.parent], j.origin.rotation)));
    return held;
  }

  void write_placement(const RobotJoint& j, const std::string& q) {
    const std::string &parent = frame_of_[j.parent], &child = frame_of_[j.child];
    std::string at = point_of_[j.parent] + write_terms(j.origin.position, " m", parent);
    if (j.kind == Kind::fixed) {
      line(fmt::format("frame {} = {}", child,
                       write_turned(parent, compose(j.origin, j.after).rotation)));
    } else {
      const std::string held = write_held_frame(j);
      held_ = held;
      // What follows the motion turns the child once more.
      const bool is_last = j.after.rotation.is_identity();
      const std::string moved = is_last ? child : frames_.make(j.name + "_moved");
      line(fmt::format("{}frame {} = {}", write_coordinates(j, q), moved, write_turn(j, q, held)));
      if (!is_last)
        line(fmt::format("frame {} = {}", child, write_turned(moved, j.after.rotation)));
      at += write_shift(j, q, held) + write_terms(j.after.position, " m", moved);
    }
    if (j.kind == Kind::fixed && j.after.position != Triple{0, 0, 0})
      at = point_of_[j.parent] + write_terms(compose(j.origin, j.after).position, " m", parent);
    line(fmt::format("point {} = {}", point_of_[j.child], at));
  }

  // The coordinates of joints that have several. What the file leaves at zero has no start value: a model that imports it may
  // give one, and loops move it first.
  static std::string write_coordinates(const RobotJoint& j, const std::string& q) {
    std::string text;
    if (j.kind == Kind::planar) return fmt::format("coordinate {0}_1, {0}_2, {0}_angle\n", q);
    const Triple& p = j.start.position;
    const auto& e = j.start.rotation.quaternion;
    const bool is_moved = p[0] != 0 || p[1] != 0 || p[2] != 0;
    const bool is_turned = e[1] != 0 || e[2] != 0 || e[3] != 0;
    if (j.kind == Kind::free && is_moved)
      text = fmt::format("coordinate {0}_x = {1} m, {0}_y = {2} m, {0}_z = {3} m\n", q,
                         number_of(p[0]), number_of(p[1]), number_of(p[2]));
    else if (j.kind == Kind::free)
      text = fmt::format("coordinate {0}_x, {0}_y, {0}_z\n", q);
    if (j.kind != Kind::free && j.kind != Kind::ball) return text;
    if (!is_turned) return text + fmt::format("coordinate {0}_e0, {0}_e1, {0}_e2, {0}_e3\n", q);
    return text + fmt::format("coordinate {0}_e0 = {1}, {0}_e1 = {2}, {0}_e2 = {3}, {0}_e3 = {4}\n",
                              q, number_of(e[0]), number_of(e[1]), number_of(e[2]),
                              number_of(e[3]));
  }

  std::string write_turn(const RobotJoint& j, const std::string& q, const std::string& held) const {
    switch (j.kind) {
      case Kind::hinge:
        if (const auto own = find_own_turn(j)) {
          const std::size_t letter = find_letter(j.axis);
          const std::string motion = write_motion(j);
          const bool is_plain = motion.find(' ') == std::string::npos && motion[0] != '-';
          const std::string moved = j.axis[letter] > 0 ? motion
                                    : is_plain         ? "-" + motion
                                                       : "-(" + motion + ")";
          return fmt::format("rotate({}, {}, {} {} {})", held, axis_letters[letter], moved,
                             *own < 0 ? '-' : '+', angle_of(std::abs(*own)));
        }
        return write_rotation(held, j.axis, write_motion(j));
      case Kind::screw:
        return write_rotation(held, j.axis, write_motion(j));
      case Kind::planar:
        return write_rotation(held, j.axis, q + "_angle");
      case Kind::ball:
      case Kind::free:
        return fmt::format("quaternion({1}, {0}_e0, {0}_e1, {0}_e2, {0}_e3)", q, held);
      default:
        return fmt::format("rotate({}, x, 0)", held);
    }
  }

  std::string write_shift(const RobotJoint& j, const std::string& q,
                          const std::string& held) const {
    if (j.kind == Kind::free)
      return fmt::format(" + {0}_x*{1}.x + {0}_y*{1}.y + {0}_z*{1}.z", q, held);
    const std::size_t letter = find_letter(j.axis);
    if (j.kind == Kind::planar) {
      return fmt::format(" + {0}_1*{1}.{2} + {0}_2*{1}.{3}", q, held,
                         axis_letters[(letter + 1) % 3], axis_letters[(letter + 2) % 3]);
    }
    if (j.kind != Kind::slide && j.kind != Kind::screw) return "";
    std::string motion = write_motion(j);
    if (motion.find(' ') != std::string::npos || motion[0] == '-') motion = "(" + motion + ")";
    if (j.kind == Kind::screw) motion = fmt::format("({} m)/(2*pi)*{}", number_of(j.pitch), motion);
    if (letter == 3)
      return fmt::format(" + {}*unit({})", motion, without_plus(write_terms(j.axis, "", held)));
    return fmt::format(" {} {}*{}.{}", j.axis[letter] < 0 ? '-' : '+', motion, held,
                       axis_letters[letter]);
  }

  // ---- Springs, dampers, rotors

  void write_loads(const RobotJoint& j, const std::string& q) {
    const bool is_slide = j.kind == Kind::slide;
    if (!is_simple(j.kind)) return write_turning_loads(j, q);
    if (j.damping != 0) {
      const char* unit = is_slide ? "N*s/m" : "N*m*s";
      const std::string name = forces_.make(j.name + "_damper");
      if (!j.mimic)
        line(fmt::format("damper {} on {}, rate {} {}", name, q, number_of(j.damping), unit));
      else
        line(fmt::format("dissipation {} = {} {}*({})^2", name, number_of(j.damping / 2), unit,
                         write_value(j, "'")));
    }
    if (j.stiffness != 0)
      line(fmt::format("potential {} = {} {}*({} {} {} {})^2", forces_.make(j.name + "_spring"),
                       number_of(j.stiffness / 2), is_slide ? "N/m" : "N*m", write_value(j, ""),
                       j.rest < 0 ? '+' : '-', number_of(std::abs(j.rest)), unit_of(j)));
    if (j.armature != 0) write_rotor(j);
  }

  // Of joints with several coordinates: dampers alone.
  void write_turning_loads(const RobotJoint& j, const std::string& q) {
    const bool is_ball = j.kind == Kind::ball, is_free = j.kind == Kind::free;
    if (j.damping != 0 && (is_ball || is_free)) {
      const std::string w = fmt::format("angular_velocity({}, {})", frame_of_[j.child], held_);
      const std::string half = number_of(j.damping / 2);
      line(fmt::format("dissipation {} = {} N*m*s*dot({}, {})", forces_.make(j.name + "_damper"),
                       half, w, w) +
           (is_free ? fmt::format(" + {0} N*s/m*({1}_x'^2 + {1}_y'^2 + {1}_z'^2)", half, q) : ""));
    }
    std::string left_out;
    if (j.stiffness != 0) left_out = "the spring";
    if (j.damping != 0 && !is_ball && !is_free)
      left_out += (left_out.empty() ? "" : ", ") + std::string("the damping");
    if (j.armature != 0) left_out += (left_out.empty() ? "" : ", ") + std::string("the armature");
    if (!left_out.empty())
      remark(j.span, left_out + " of the joint '" + j.name +
                         "' is not modelled: it has several coordinates");
  }

  // Something at No that moves as the joint's value does, where gravity does no work: it adds the armature to the
  // mass matrix and nothing else.
  void write_rotor(const RobotJoint& j) {
    const std::string a = number_of(j.armature), half = number_of(j.armature / 2);
    const std::string name = frames_.make(j.name + "_rotor");
    std::size_t level = 0;  // the axis of N that gravity has least of
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(robot_.gravity[i]) < std::abs(robot_.gravity[level])) level = i;
    if (j.kind == Kind::slide) {
      if (robot_.gravity[level] != 0)
        return remark(j.span, "the armature of the joint '" + j.name + "' is not modelled");
      return line(fmt::format("particle {} at No + ({})*N.{}, mass {} kg", name, write_value(j, ""),
                              axis_letters[level], a));
    }
    line(fmt::format("frame {} = rotate(N, z, {})", name, write_value(j, "")));
    line(fmt::format("body {0} at No, mass 1 kg, inertia {1} kg*m^2, {1} kg*m^2, {2} kg*m^2", name,
                     half, a));
  }

  // ---- Loops

  void write_closure(const RobotClosure& c) {
    const std::string name = forces_.make(c.name);
    const std::string &F = frame_of_[c.first], &S = frame_of_[c.second];
    line("");
    line(fmt::format("point {}_1 = {}{}", name, point_of_[c.first],
                     write_terms(c.first_point, " m", F)));
    line(fmt::format("point {}_2 = {}{}", name, point_of_[c.second],
                     write_terms(c.second_point, " m", S)));
    line(fmt::format("constraint {0}: {0}_1 - {0}_2 = 0", name));
    if (!c.is_weld) return;
    const std::string held = frames_.make(c.name + "_frame");
    line(fmt::format("frame {} = {}", held, write_turned(F, c.rotation)));
    for (std::size_t i = 0; i < 3; ++i)
      line(fmt::format("constraint {}: dot({}.{}, {}.{}) = 0",
                       forces_.make(c.name + "_" + axis_letters[i]), held, axis_letters[i], S,
                       axis_letters[(i + 1) % 3]));
  }

  void write_coupling(const RobotCoupling& c) {
    const auto pure = [&](const std::string& name) {
      const RobotJoint& j = find_joint(name, {});
      const std::string motion = write_motion(j);
      return j.kind == Kind::slide ? "(" + motion + ")/(1 m)" : "(" + motion + ")";
    };
    std::string sum;
    for (std::size_t i = 0; i < 5; ++i) {
      if (c.polynomial[i] == 0) continue;
      sum += (sum.empty() ? "" : " + ") + ("(" + number_of(c.polynomial[i]) + ")");
      if (i > 0 && !c.second.empty())
        sum += "*(" + pure(c.second) + ")" + (i > 1 ? "^" + std::to_string(i) : "");
    }
    line(fmt::format("\nconstraint {}: {} = {}", forces_.make(c.name), pure(c.first),
                     sum.empty() ? "0" : sum));
  }

  const Robot robot_;
  const RobotOptions& options_;
  RobotNames scalars_, frames_, forces_, pictures_;
  double usual_length_;                           // from joint to joint
  std::vector<std::string> names_;                // of the joints
  std::vector<std::string> frame_of_, point_of_;  // of the links
  std::vector<bool> moves_;
  std::vector<RobotMass> masses_;  // with what is fixed to each
  std::string held_;               // the frame that the last joint moves in
  std::string text_;
  std::vector<Diagnostic> remarks_;
};

}  // namespace

RobotText write_robot(const Robot& robot, const std::string& file, const RobotOptions& options) {
  return RobotWriter(robot, options).write(file);
}

}  // namespace visviva
