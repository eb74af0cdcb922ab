// URDF: <robot> with <link> and <joint>. What drives a robot or only stands around it (transmission, collision,
// gazebo) is not read.
#include <cmath>
#include <map>

#include "visviva/base/suggest.h"
#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

class UrdfReader {
 public:
  explicit UrdfReader(RobotXml& xml) : xml_(xml) {}

  Robot read() {
    refuse_macros(xml_.root());
    robot_.name = xml_.root().attribute("name").value();
    for (const pugi::xml_node& node : xml_.root().children("link")) read_link(node);
    if (robot_.links.empty()) xml_.refuse(xml_.root(), "E-robot-tree", "the robot has no links");
    for (const pugi::xml_node& node : xml_.root().children("joint")) read_joint(node);
    order_joints(xml_, &robot_);
    return std::move(robot_);
  }

 private:
  // What a macro would make is not there, so that a robot with one is another.
  void refuse_macros(const pugi::xml_node& node) const {
    if (std::string(node.name()).rfind("xacro:", 0) == 0)
      xml_.refuse(node, "E-robot-file", "<" + std::string(node.name()) + "> is a macro",
                  "make the robot file first: xacro robot.urdf.xacro > robot.urdf");
    for (const pugi::xml_node& child : node.children()) refuse_macros(child);
  }

  RobotPose read_pose(const pugi::xml_node& origin) const {
    return {xml_.numbers<3>(origin, origin.attribute("xyz").value(), {0, 0, 0}),
            from_space_angles(xml_.numbers<3>(origin, origin.attribute("rpy").value(), {0, 0, 0}))};
  }

  void read_link(const pugi::xml_node& node) {
    RobotLink link{xml_.required(node, "name"), {}, xml_.span_of(node)};
    const pugi::xml_node inertial = node.child("inertial"), tensor = inertial.child("inertia");
    const auto entry = [&](const char* name) {
      return xml_.number(tensor, tensor.attribute(name).value(), 0);
    };
    if (inertial) {
      const pugi::xml_node mass = inertial.child("mass");
      link.mass.mass = xml_.number(mass, mass.attribute("value").value(), 0);
      link.mass.inertia = {entry("ixx"), entry("iyy"), entry("izz"),
                           entry("ixy"), entry("iyz"), entry("ixz")};
      link.mass = move_mass(link.mass, read_pose(inertial.child("origin")));
    }
    if (link.mass.mass < 0)
      xml_.refuse(inertial.child("mass"), "E-robot-value",
                  "the mass of the link '" + link.name + "' is below zero");
    for (const pugi::xml_node& visual : node.children("visual")) read_picture(visual, &link);
    const auto [place, is_fresh] = places_.emplace(link.name, robot_.links.size());
    if (!is_fresh)
      xml_.refuse(node, "E-robot-tree", "the link '" + link.name + "' stands twice",
                  first_in_line(robot_.links[place->second].span));
    robot_.links.push_back(link);
  }

  static std::string first_in_line(const SourceSpan& span) {
    return "the first is in line " + std::to_string(span.line);
  }

  // A shape that is not known is not drawn.
  void read_picture(const pugi::xml_node& visual, RobotLink* link) const {
    const pugi::xml_node shape = visual.child("geometry").first_child();
    RobotPicture picture{read_pose(visual.child("origin")), shape.name()};
    const auto size = [&](const char* name) {
      return xml_.number(shape, shape.attribute(name).value(), 0);
    };
    if (picture.solid == "box")
      picture.sizes = xml_.numbers<3>(shape, shape.attribute("size").value(), {0, 0, 0});
    else if (picture.solid == "cylinder" || picture.solid == "sphere" || picture.solid == "capsule")
      picture.sizes = {size("radius"), size("length"), 0};
    else if (picture.solid == "mesh")
      picture = {picture.pose,
                 "",
                 {},
                 shape.attribute("filename").value(),
                 xml_.numbers<3>(shape, shape.attribute("scale").value(), {1, 1, 1})};
    else
      return;
    link->pictures.push_back(picture);
  }

  std::size_t find_link(const pugi::xml_node& joint, const char* which) const {
    const pugi::xml_node end = joint.child(which);
    if (!end) xml_.refuse(joint, "E-robot-tree", std::string("the joint has no <") + which + ">");
    const std::string name = xml_.required(end, "link");
    const auto found = places_.find(name);
    if (found == places_.end()) {
      std::vector<std::string> links;
      for (const RobotLink& link : robot_.links) links.push_back(link.name);
      xml_.refuse(end, "E-robot-tree", "there is no link '" + name + "'",
                  did_you_mean(name, links));
    }
    return found->second;
  }

  template <class Map>
  static std::vector<std::string> known_names(const Map& map) {
    std::vector<std::string> names;
    for (const auto& [name, value] : map) names.push_back(name);
    return names;
  }

  RobotJoint::Kind read_kind(const pugi::xml_node& node) const {
    using Kind = RobotJoint::Kind;
    static const std::map<std::string, Kind> kinds = {
        {"revolute", Kind::hinge}, {"continuous", Kind::hinge}, {"prismatic", Kind::slide},
        {"fixed", Kind::fixed},    {"floating", Kind::free},    {"planar", Kind::planar}};
    const std::string type = xml_.required(node, "type");
    const auto found = kinds.find(type);
    if (found == kinds.end())
      xml_.refuse(node, "E-robot-joint", "there is no joint of the type '" + type + "'",
                  find_nearest(type, known_names(kinds))
                      ? did_you_mean(type, known_names(kinds))
                      : "revolute, continuous, prismatic, fixed, floating or planar");
    return found->second;
  }

  void read_joint(const pugi::xml_node& node) {
    RobotJoint joint{xml_.required(node, "name"), read_kind(node), find_link(node, "parent"),
                     find_link(node, "child")};
    joint.span = xml_.span_of(node);
    for (const RobotJoint& other : robot_.joints)
      if (other.name == joint.name)
        xml_.refuse(node, "E-robot-tree", "the joint '" + joint.name + "' stands twice",
                    first_in_line(other.span));
    joint.origin = read_pose(node.child("origin"));
    const pugi::xml_node axis = node.child("axis");
    joint.axis = xml_.numbers<3>(axis, axis.attribute("xyz").value(), {1, 0, 0});
    if (joint.kind != RobotJoint::Kind::fixed && joint.axis == Triple{0, 0, 0})
      xml_.refuse(axis, "E-robot-value", "the axis has no direction");
    joint.remark = node.attribute("type").value();
    read_limits(node, &joint);
    if (const pugi::xml_node mimic = node.child("mimic"))
      joint.mimic = {xml_.required(mimic, "joint"),
                     xml_.number(mimic, mimic.attribute("multiplier").value(), 1),
                     xml_.number(mimic, mimic.attribute("offset").value(), 0)};
    robot_.joints.push_back(joint);
  }

  // Damping becomes a damper; limits and dry friction stay remarks.
  void read_limits(const pugi::xml_node& node, RobotJoint* joint) const {
    const pugi::xml_node limit = node.child("limit"), dynamics = node.child("dynamics");
    const auto tell = [&](const pugi::xml_node& from, const char* attribute, const char* word) {
      const std::string text = from.attribute(attribute).value();
      if (!text.empty() && xml_.number(from, text, 0) != 0)
        joint->remark += ", " + std::string(word) + " " + text;
    };
    const std::string lower = limit.attribute("lower").value(),
                      upper = limit.attribute("upper").value();
    if (!lower.empty() || !upper.empty())
      joint->remark +=
          ", from " + (lower.empty() ? "0" : lower) + " to " + (upper.empty() ? "0" : upper);
    tell(limit, "effort", "effort");
    tell(limit, "velocity", "velocity");
    joint->damping = xml_.number(dynamics, dynamics.attribute("damping").value(), 0);
    tell(dynamics, "friction", "dry friction, not modelled:");
  }

  RobotXml& xml_;
  Robot robot_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

Robot read_urdf(RobotXml& xml) { return UrdfReader(xml).read(); }

}  // namespace visviva
