// SDF: the first <model> of a file, with <link> and <joint>. Poses of links are in the model's frame,
// or relative to another link or joint; those of joints in their child's.
#include <map>

#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

class SdfReader {
 public:
  explicit SdfReader(RobotXml& xml) : xml_(xml) {}

  Robot read() {
    const pugi::xml_node world = xml_.root().child("world");
    model_ = world ? world.child("model") : xml_.root().child("model");
    if (!model_) xml_.refuse(xml_.root(), "E-robot-file", "the file has no <model>");
    for (const char* nested : {"model", "include"})
      if (const pugi::xml_node inner = model_.child(nested))
        xml_.refuse(inner, "E-robot-file",
                    std::string("a <") + nested + "> inside of a model is not read");
    robot_.name = model_.attribute("name").value();
    robot_.gravity = xml_.numbers<3>(world, world.child_value("gravity"), {0, 0, -9.81});
    for (const pugi::xml_node& node : model_.children("link")) read_link(node);
    if (robot_.links.empty()) xml_.refuse(model_, "E-robot-tree", "the robot has no links");
    for (const pugi::xml_node& node : model_.children("joint")) read_joint(node);
    order_joints(xml_, &robot_);
    robot_.root_is_world = robot_.links[robot_.root].name == "world";
    const RobotPose place = read_pose(model_.child("pose"));
    if (!robot_.root_is_world &&
        (place.position != Triple{0, 0, 0} || !place.rotation.is_identity()))
      xml_.remark(model_.child("pose"), "the model's own pose is not taken: its base stands at No");
    return std::move(robot_);
  }

 private:
  RobotPose read_pose(const pugi::xml_node& pose) const {
    const std::string format = pose.attribute("rotation_format").as_string("euler_rpy");
    if (format == "quat_xyzw") {
      const auto n = xml_.numbers<7>(pose, pose.text().get(), {0, 0, 0, 0, 0, 0, 1});
      return {{n[0], n[1], n[2]}, from_quaternion({n[6], n[3], n[4], n[5]})};
    }
    const auto n = xml_.numbers<6>(pose, pose.text().get(), {0, 0, 0, 0, 0, 0});
    const double unit = pose.attribute("degrees").as_bool() ? 3.14159265358979323846 / 180 : 1;
    return {{n[0], n[1], n[2]}, from_space_angles({n[3] * unit, n[4] * unit, n[5] * unit})};
  }

  pugi::xml_node find_named(const char* kind, const std::string& name) const {
    return model_.find_child_by_attribute(kind, "name", name.c_str());
  }

  // Where a link or joint is in the model's frame.
  RobotPose find_pose(const pugi::xml_node& node, int depth = 0) const {
    const pugi::xml_node pose = node.child("pose");
    std::string relative = pose.attribute("relative_to").value();
    if (relative.empty() && std::string(node.name()) == "joint")
      relative = node.child_value("child");
    if (depth > 100)
      xml_.refuse(node, "E-robot-tree", "poses are relative to one another in a circle");
    if (relative.empty() || relative == "__model__") return read_pose(pose);
    pugi::xml_node other = find_named("link", relative);
    if (!other) other = find_named("joint", relative);
    if (!other) xml_.refuse(node, "E-robot-tree", "there is no link or joint '" + relative + "'");
    return compose(find_pose(other, depth + 1), read_pose(pose));
  }

  void read_link(const pugi::xml_node& node) {
    RobotLink link{xml_.required(node, "name"), {}, xml_.span_of(node)};
    const pugi::xml_node inertial = node.child("inertial"), tensor = inertial.child("inertia");
    // What SDF takes where a file is silent: 1 kg, 1 kg m^2.
    link.mass.mass = xml_.number(inertial, inertial.child_value("mass"), 1);
    const auto entry = [&](const char* name, double missing) {
      return xml_.number(inertial, tensor.child_value(name), missing);
    };
    link.mass.inertia = {entry("ixx", 1), entry("iyy", 1), entry("izz", 1),
                         entry("ixy", 0), entry("iyz", 0), entry("ixz", 0)};
    link.mass = move_mass(link.mass, read_pose(inertial.child("pose")));
    if (std::string(node.child_value("gravity")) == "false")
      xml_.remark(node, "gravity acts on the link '" + link.name + "', too");
    if (!places_.emplace(link.name, robot_.links.size()).second)
      xml_.refuse(node, "E-robot-tree", "the link '" + link.name + "' stands twice");
    robot_.links.push_back(link);
    poses_.push_back(find_pose(node));
  }

  std::size_t find_link(const pugi::xml_node& joint, const char* which) {
    const std::string name = joint.child_value(which);
    if (name == "world" && !places_.contains(name)) {
      places_[name] = robot_.links.size();
      robot_.links.push_back({name});
      poses_.push_back(invert(read_pose(model_.child("pose"))));
    }
    const auto found = places_.find(name);
    if (found == places_.end())
      xml_.refuse(joint, "E-robot-tree", "there is no link '" + name + "'");
    return found->second;
  }

  RobotJoint::Kind read_kind(const pugi::xml_node& node) const {
    using Kind = RobotJoint::Kind;
    static const std::map<std::string, Kind> kinds = {{"revolute", Kind::hinge},
                                                      {"continuous", Kind::hinge},
                                                      {"prismatic", Kind::slide},
                                                      {"fixed", Kind::fixed},
                                                      {"ball", Kind::ball}};
    const std::string type = xml_.required(node, "type");
    const auto found = kinds.find(type);
    if (found == kinds.end())
      xml_.refuse(node, "E-robot-joint", "a joint of the type '" + type + "' is not read",
                  "revolute, continuous, prismatic, fixed or ball");
    return found->second;
  }

  void read_joint(const pugi::xml_node& node) {
    RobotJoint joint{xml_.required(node, "name"), read_kind(node), find_link(node, "parent"),
                     find_link(node, "child")};
    joint.span = xml_.span_of(node);
    const RobotPose place = find_pose(node);
    joint.origin = compose(invert(poses_[joint.parent]), place);
    const pugi::xml_node pose = node.child("pose");
    const bool is_in_child = std::string(pose.attribute("relative_to").value()).empty();
    joint.after =
        is_in_child ? invert(read_pose(pose)) : compose(invert(place), poses_[joint.child]);
    joint.remark = node.attribute("type").value();
    if (joint.kind == RobotJoint::Kind::hinge || joint.kind == RobotJoint::Kind::slide)
      read_axis(node.child("axis"), place, &joint);
    robot_.joints.push_back(joint);
  }

  void read_axis(const pugi::xml_node& axis, const RobotPose& place, RobotJoint* joint) const {
    const pugi::xml_node xyz = axis.child("xyz");
    joint->axis = xml_.numbers<3>(axis, xyz.text().get(), {0, 0, 1});
    const std::string frame = xyz.attribute("expressed_in").value();
    if (!frame.empty()) {
      const auto link = places_.find(frame);
      if (frame != "__model__" && link == places_.end())
        xml_.refuse(xyz, "E-robot-tree", "there is no link '" + frame + "'");
      const RobotPose from = frame == "__model__" ? RobotPose() : poses_[link->second];
      joint->axis = turn(invert(place).rotation, turn(from.rotation, joint->axis));
    }
    if (joint->axis == Triple{0, 0, 0})
      xml_.refuse(axis, "E-robot-value", "the axis has no direction");
    const pugi::xml_node limit = axis.child("limit"), dynamics = axis.child("dynamics");
    for (const char* word : {"lower", "upper", "effort", "velocity"})
      if (const std::string text = limit.child_value(word); !text.empty())
        joint->remark += ", " + std::string(word) + " " + text;
    const auto value = [&](const char* name) {
      return xml_.number(dynamics, dynamics.child_value(name), 0);
    };
    joint->damping = value("damping");
    joint->stiffness = value("spring_stiffness");
    joint->rest = value("spring_reference");
    if (value("friction") != 0)
      joint->remark +=
          ", dry friction, not modelled: " + std::string(dynamics.child_value("friction"));
    if (const pugi::xml_node mimic = axis.child("mimic"))
      joint->mimic = {xml_.required(mimic, "joint"),
                      xml_.number(mimic, mimic.child_value("multiplier"), 1),
                      xml_.number(mimic, mimic.child_value("offset"), 0)};
  }

  RobotXml& xml_;
  Robot robot_;
  pugi::xml_node model_;
  std::map<std::string, std::size_t> places_;
  std::vector<RobotPose> poses_;  // of the links in the model's frame
};

}  // namespace

Robot read_sdf(RobotXml& xml) { return SdfReader(xml).read(); }

}  // namespace visviva
