// SDF: the <model> of a file that moves, with <link>, <joint>, <frame> and nested <model>. Poses of links are in the model's frame,
// or relative to another link or joint; those of joints in their child's.
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "visviva/text/robot/mjcf_geom.h"
#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

constexpr int deepest_pose = 100;
constexpr int most_included = 100;
constexpr double parallel =
    1e-9;  // how far the cosine of two axes may be from 1: what files round to

class SdfReader {
 public:
  SdfReader(RobotXml& xml, const RobotFiles& files) : xml_(xml), files_(files) {}

  Robot read() {
    const pugi::xml_node world = xml_.root().child("world");
    include_models();
    model_ = choose_model(world ? world : xml_.root());
    robot_.name = model_.attribute("name").value();
    robot_.gravity = xml_.numbers<3>(world, world.child_value("gravity"), {0, 0, -9.81});
    gather(model_, "");
    for (const std::string& name : links_) read_link(name);
    if (robot_.links.empty()) xml_.refuse(model_, "E-robot-tree", "the robot has no links");
    for (const std::string& name : joints_) read_joint(name);
    for (const std::string& name : gearboxes_) read_gearbox(name);
    order_joints(xml_, &robot_);
    robot_.root_is_world = robot_.links[robot_.root].name == "world";
    const RobotPose place = read_pose(model_.child("pose"));
    if (!robot_.root_is_world &&
        (place.position != Triple{0, 0, 0} || !place.rotation.is_identity()))
      xml_.remark(model_.child("pose"), "the model's own pose is not taken: its base stands at No");
    return std::move(robot_);
  }

 private:
  // A link, joint, frame or nested model, and the names before its own: "arm::" inside of the model "arm".
  struct Place {
    pugi::xml_node node;
    std::string scope;
  };

  // Around the model there may be a ground and walls: they stand still. Of several that move, the first is taken.
  pugi::xml_node choose_model(const pugi::xml_node& parent) {
    pugi::xml_node chosen;
    for (const pugi::xml_node& model : parent.children("model")) {
      const bool is_static = model.child("static").text().as_bool();
      if (is_static && parent.child("model").next_sibling("model"))
        xml_.remark(model, "the model '" + std::string(model.attribute("name").value()) +
                               "' stands still and is left out");
      else if (chosen)
        xml_.remark(model, "the model '" + std::string(model.attribute("name").value()) +
                               "' is left out: a robot is one model, here '" +
                               chosen.attribute("name").value() + "'");
      else
        chosen = model;
    }
    if (!chosen) xml_.refuse(xml_.root(), "E-robot-file", "the file has no <model> that moves");
    return chosen;
  }

  // ---- Included models: "model://arm" is arm/model.sdf below the folder of the file

  static pugi::xml_node find_include(const pugi::xml_node& from) {
    for (const pugi::xml_node& child : from.children()) {
      if (std::string(child.name()) == "include") return child;
      if (const pugi::xml_node inner = find_include(child)) return inner;
    }
    return {};
  }

  void include_models() {
    for (int count = 0; const pugi::xml_node node = find_include(xml_.root()); ++count) {
      if (count == most_included)
        xml_.refuse(node, "E-robot-file", "too many models are included here");
      include(node);
    }
  }

  Result<SourceText, std::string> read_model(const std::string& uri) const {
    if (!files_.read_part) return std::string("is not read here");
    const std::size_t scheme = uri.find("://");
    const std::string place = scheme == std::string::npos ? uri : uri.substr(scheme + 3);
    if (scheme != std::string::npos && uri.rfind("model", 0) != 0 && uri.rfind("file", 0) != 0)
      return std::string("is not in a file here");
    const bool is_file = place.size() > 4 && place.rfind(".sdf") == place.size() - 4;
    return files_.read_part(is_file ? place : place + "/model.sdf");
  }

  // In its place as a nested model, with the name and pose that are given there. A world may do without what is not there.
  void include(pugi::xml_node node) {
    const std::string uri = node.child_value("uri"), name = node.child_value("name");
    const bool is_in_world = std::string(node.parent().name()) != "model";
    for (const char* unread : {"placement_frame", "experimental:params"})
      if (node.child(unread))
        xml_.refuse(node, "E-robot-file",
                    "an <include> with <" + std::string(unread) + "> is not read",
                    "write the included model in its place, as a nested <model>");
    if (node.attribute("merge").as_bool())
      xml_.refuse(node, "E-robot-file", "an <include> that merges is not read",
                  "write what is in the included model in its place");
    const Result<SourceText, std::string> text = read_model(uri);
    if (!text && is_in_world) {
      xml_.remark(node, "\"" + uri + "\" " + text.why() + ", and is left out");
      node.parent().remove_child(node);
      return;
    }
    if (!text)
      xml_.refuse(node, "E-robot-file", "\"" + uri + "\" " + text.why(),
                  "models are looked for below the folder of the robot's file: NAME/model.sdf");
    const pugi::xml_node parent = node.parent();
    const std::string pose = node.child_value("pose"),
                      relative = node.child("pose").attribute("relative_to").value(),
                      is_static = node.child_value("static");
    const pugi::xml_node holder = xml_.replace_by_part(node, *text);
    if (std::string(holder.name()) != "model")
      xml_.refuse(parent, "E-robot-file", "\"" + uri + "\" holds no <model>");
    if (!name.empty()) set_attribute(holder, "name", name);
    if (!is_static.empty()) set_child(holder, "static", is_static);
    if (pose.empty()) return;
    set_child(holder, "pose", pose);
    if (!relative.empty()) set_attribute(holder.child("pose"), "relative_to", relative);
  }

  static void set_attribute(pugi::xml_node node, const char* name, const std::string& value) {
    if (!node.attribute(name)) node.append_attribute(name);
    node.attribute(name).set_value(value.c_str());
  }
  static void set_child(pugi::xml_node node, const char* name, const std::string& value) {
    node.remove_child(name);
    node.append_child(name).text().set(value.c_str());
  }

  void gather(const pugi::xml_node& model, const std::string& scope) {
    if (model.attribute("placement_frame"))
      xml_.refuse(model, "E-robot-file", "'placement_frame' is not read",
                  "give the <pose> of the model itself");
    for (const pugi::xml_node& node : model.children()) {
      const std::string kind = node.name();
      if (kind != "link" && kind != "joint" && kind != "frame" && kind != "model") continue;
      const std::string name = scope + xml_.required(node, "name");
      if (!places_.emplace(name, Place{node, scope}).second)
        xml_.refuse(node, "E-robot-tree", "the name '" + name + "' stands twice");
      if (kind == "link") links_.push_back(name);
      if (kind == "joint") joints_.push_back(name);
      if (kind == "model") gather(node, name + "::");
    }
  }

  RobotPose read_pose(const pugi::xml_node& pose) const {
    const std::string format = pose.attribute("rotation_format").as_string("euler_rpy");
    if (format == "quat_xyzw") {
      const auto n = xml_.numbers<7>(pose, pose.text().get(), {0, 0, 0, 0, 0, 0, 1});
      return {{n[0], n[1], n[2]}, from_quaternion({n[6], n[3], n[4], n[5]})};
    }
    const auto n = xml_.numbers<6>(pose, pose.text().get(), {0, 0, 0, 0, 0, 0});
    const double unit = pose.attribute("degrees").as_bool() ? std::numbers::pi / 180 : 1;
    return {{n[0], n[1], n[2]}, from_space_angles({n[3] * unit, n[4] * unit, n[5] * unit})};
  }

  const Place& find_place(const pugi::xml_node& from, const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end())
      xml_.refuse(from, "E-robot-tree", "there is no link, joint, frame or model '" + name + "'");
    return found->second;
  }

  RobotPose find_model_pose(const pugi::xml_node& from, const std::string& scope, int depth) const {
    return scope.empty() ? RobotPose() : find_pose(from, scope.substr(0, scope.size() - 2), depth);
  }

  // Where a link, joint, frame or model is in the frame of the file's model.
  RobotPose find_pose(const pugi::xml_node& from, const std::string& name, int depth = 0) const {
    const Place& place = find_place(from, name);
    const std::string kind = place.node.name();
    const pugi::xml_node pose = place.node.child("pose");
    std::string relative = pose.attribute("relative_to").value();
    if (relative.empty() && kind == "joint") relative = place.node.child_value("child");
    if (relative.empty() && kind == "frame") relative = place.node.attribute("attached_to").value();
    if (depth > deepest_pose)
      xml_.refuse(place.node, "E-robot-tree", "poses are relative to one another in a circle");
    const RobotPose around = relative.empty() || relative == "__model__"
                                 ? find_model_pose(place.node, place.scope, depth + 1)
                                 : find_pose(place.node, place.scope + relative, depth + 1);
    return compose(around, read_pose(pose));
  }

  // A shape that is not known, or is placed relative to something else than its link, is not drawn.
  void read_picture(const pugi::xml_node& visual, RobotLink* link) const {
    const pugi::xml_node pose = visual.child("pose"),
                         shape = visual.child("geometry").first_child();
    if (!std::string(pose.attribute("relative_to").value()).empty()) return;
    RobotPicture picture{read_pose(pose), shape.name()};
    const auto size = [&](const char* name) {
      return xml_.number(shape, shape.child_value(name), 0);
    };
    if (picture.solid == "box")
      picture.sizes = xml_.numbers<3>(shape, shape.child_value("size"), {0, 0, 0});
    else if (picture.solid == "ellipsoid")
      picture.sizes = xml_.numbers<3>(shape, shape.child_value("radii"), {0, 0, 0});
    else if (picture.solid == "cylinder" || picture.solid == "sphere" || picture.solid == "capsule")
      picture.sizes = {size("radius"), size("length"), 0};
    else if (picture.solid == "mesh")
      picture = {picture.pose,
                 "",
                 {},
                 shape.child_value("uri"),
                 xml_.numbers<3>(shape, shape.child_value("scale"), {1, 1, 1})};
    else
      return;
    link->pictures.push_back(picture);
  }

  void read_link(const std::string& name) {
    const pugi::xml_node node = places_.at(name).node;
    RobotLink link{name, {}, xml_.span_of(node)};
    const pugi::xml_node inertial = node.child("inertial"), tensor = inertial.child("inertia");
    if (inertial.attribute("auto").as_bool()) return add_link(name, node, sum_collisions(node));
    // What SDF takes where a file is silent: 1 kg, 1 kg m^2.
    link.mass.mass = xml_.number(inertial, inertial.child_value("mass"), 1);
    const auto entry = [&](const char* which, double missing) {
      return xml_.number(inertial, tensor.child_value(which), missing);
    };
    link.mass.inertia = {entry("ixx", 1), entry("iyy", 1), entry("izz", 1),
                         entry("ixy", 0), entry("iyz", 0), entry("ixz", 0)};
    add_link(name, node, move_mass(link.mass, read_pose(inertial.child("pose"))));
  }

  // Of the solids that a link collides with.
  RobotMass sum_collisions(const pugi::xml_node& link) const {
    RobotMass sum;
    const double density = xml_.number(link, link.child("inertial").child_value("density"), 1000);
    for (const pugi::xml_node& collision : link.children("collision")) {
      const pugi::xml_node shape = collision.child("geometry").first_child();
      MjcfSolid solid{shape.name(), {}};
      const auto half = [&](const char* size) {
        return xml_.number(shape, shape.child_value(size), 0) / 2;
      };
      if (solid.type == "box") {
        solid.size = xml_.numbers<3>(shape, shape.child_value("size"), {0, 0, 0});
        for (double& edge : solid.size) edge /= 2;
      } else if (solid.type == "ellipsoid") {
        solid.size = xml_.numbers<3>(shape, shape.child_value("radii"), {0, 0, 0});
      } else {
        solid.size = {2 * half("radius"), half("length"), 0};
      }
      const auto mass = compute_mass(
          solid, xml_.number(collision, collision.child_value("density"), density), std::nullopt);
      if (!mass)
        xml_.refuse(shape, "E-robot-value", "the mass of a <" + solid.type + "> is not computed",
                    "give the link's <inertial> itself");
      sum = add_masses(sum, move_mass(*mass, read_pose(collision.child("pose"))));
    }
    if (sum.mass == 0)
      xml_.refuse(link, "E-robot-value", "there is nothing to weigh: the link has no <collision>",
                  "give the link's <inertial> itself");
    return sum;
  }

  void add_link(const std::string& name, const pugi::xml_node& node, const RobotMass& mass) {
    RobotLink link{name, mass, xml_.span_of(node)};
    for (const pugi::xml_node& visual : node.children("visual")) read_picture(visual, &link);
    if (std::string(node.child_value("gravity")) == "false")
      xml_.remark(node, "gravity acts on the link '" + link.name + "', too");
    numbers_[name] = robot_.links.size();
    robot_.links.push_back(link);
    poses_.push_back(find_pose(node, name));
  }

  // A frame stands for the link that it is attached to, a joint for its child, a model for its first link.
  std::size_t find_link(const pugi::xml_node& from, const std::string& scope,
                        const std::string& own, int depth = 0) {
    const std::string name = scope + own;
    if (own == "world" && !places_.contains(name)) return find_world();
    const Place& place = find_place(from, name);
    const std::string kind = place.node.name();
    if (depth > deepest_pose)
      xml_.refuse(place.node, "E-robot-tree", "frames are attached to one another in a circle");
    if (kind == "link") return numbers_.at(name);
    if (kind == "joint")
      return find_link(place.node, place.scope, place.node.child_value("child"), depth + 1);
    const std::string attached = place.node.attribute("attached_to").value();
    if (kind == "frame" && !attached.empty() && attached != "__model__")
      return find_link(place.node, place.scope, attached, depth + 1);
    const std::string inside = kind == "model" ? name + "::" : place.scope;
    for (const std::string& link : links_)
      if (link.rfind(inside, 0) == 0) return numbers_.at(link);
    xml_.refuse(place.node, "E-robot-tree", "'" + name + "' has no link");
  }

  std::size_t find_world() {
    const auto [place, is_fresh] = numbers_.emplace("world", robot_.links.size());
    if (is_fresh) {
      robot_.links.push_back({"world"});
      poses_.push_back(invert(read_pose(model_.child("pose"))));
    }
    return place->second;
  }

  RobotJoint::Kind read_kind(const pugi::xml_node& node) const {
    using Kind = RobotJoint::Kind;
    static const std::map<std::string, Kind> kinds = {
        {"revolute", Kind::hinge},  {"continuous", Kind::hinge}, {"prismatic", Kind::slide},
        {"fixed", Kind::fixed},     {"ball", Kind::ball},        {"screw", Kind::screw},
        {"universal", Kind::hinge}, {"revolute2", Kind::hinge}};
    const std::string type = xml_.required(node, "type");
    const auto found = kinds.find(type);
    if (found == kinds.end())
      xml_.refuse(
          node, "E-robot-joint", "a joint of the type '" + type + "' is not read",
          "revolute, continuous, prismatic, screw, universal, revolute2, ball, fixed or gearbox");
    return found->second;
  }

  void read_joint(const std::string& name) {
    const Place& own = places_.at(name);
    const pugi::xml_node node = own.node;
    const std::string type = xml_.required(node, "type");
    if (type == "gearbox") return gearboxes_.push_back(name);
    const std::string child = node.child_value("child");
    RobotJoint joint{name, read_kind(node), find_link(node, own.scope, node.child_value("parent")),
                     find_link(node, own.scope, child)};
    joint.span = xml_.span_of(node);
    const RobotPose place = find_pose(node, name);
    joint.origin = compose(invert(poses_[joint.parent]), place);
    const pugi::xml_node pose = node.child("pose");
    const bool is_in_child = std::string(pose.attribute("relative_to").value()).empty() &&
                             std::string(find_place(node, own.scope + child).node.name()) == "link";
    joint.after =
        is_in_child ? invert(read_pose(pose)) : compose(invert(place), poses_[joint.child]);
    joint.remark = type;
    if (type == "universal" || type == "revolute2") return read_two_hinges(own, place, joint);
    if (joint.kind == RobotJoint::Kind::screw) joint.pitch = read_pitch(node);
    if (joint.kind != RobotJoint::Kind::fixed && joint.kind != RobotJoint::Kind::ball)
      read_axis(node.child("axis"), own.scope, place, &joint);
    robot_.joints.push_back(joint);
  }

  // In m for each turn, right-handed; the older element has rad/m, left-handed.
  double read_pitch(const pugi::xml_node& node) const {
    const std::string old = node.child_value("thread_pitch"),
                      pitch = node.child_value("screw_thread_pitch");
    if (!pitch.empty() || old.empty()) return xml_.number(node, pitch, 1);
    const double ratio = xml_.number(node, old, 1);
    if (ratio == 0) xml_.refuse(node, "E-robot-value", "a thread of 0 rad/m has no pitch");
    return -2 * std::numbers::pi / ratio;
  }

  // Between its two axes there is a cross without mass.
  void read_two_hinges(const Place& own, const RobotPose& place, const RobotJoint& joint) {
    RobotJoint first = joint, second = joint;
    first.name += "_1";
    second.name += "_2";
    first.child = second.parent = robot_.links.size();
    robot_.links.push_back({joint.name + "_cross", {}, joint.span});
    poses_.push_back(place);
    first.after = second.origin = {};
    read_axis(own.node.child("axis"), own.scope, place, &first);
    read_axis(own.node.child("axis2"), own.scope, place, &second);
    robot_.joints.push_back(first);
    robot_.joints.push_back(second);
  }

  // ---- Gearboxes

  // The hinge between two links, and 1 or -1: how its angle counts that from the first to the second about an axis, given in
  // the model's frame.
  std::pair<const RobotJoint*, int> find_hinge(const pugi::xml_node& node, std::size_t from,
                                               std::size_t to, const Triple& axis) const {
    for (const RobotJoint& j : robot_.joints) {
      const bool is_forward = j.parent == from && j.child == to;
      if (j.kind != RobotJoint::Kind::hinge || (!is_forward && (j.parent != to || j.child != from)))
        continue;
      const Triple own = turn(compose(poses_[j.parent], j.origin).rotation, j.axis);
      const double along = (own[0] * axis[0] + own[1] * axis[1] + own[2] * axis[2]) /
                           std::hypot(own[0], own[1], own[2]) /
                           std::hypot(axis[0], axis[1], axis[2]);
      if (std::abs(std::abs(along) - 1) > parallel)
        xml_.refuse(node, "E-robot-joint",
                    "the axis of the gearbox is not that of the joint '" + j.name + "'");
      return {&j, (along > 0) == is_forward ? 1 : -1};
    }
    xml_.refuse(node, "E-robot-joint",
                "no revolute joint is between '" + robot_.links[from].name + "' and '" +
                    robot_.links[to].name + "', which the gearbox couples");
  }

  // Angles from the reference body: to the parent about axis, to the child about axis2, which is minus the ratio times the first.
  void read_gearbox(const std::string& name) {
    const Place& own = places_.at(name);
    const pugi::xml_node node = own.node;
    const auto link = [&](const char* which) {
      return find_link(node, own.scope, node.child_value(which));
    };
    const std::size_t reference = link("gearbox_reference_body");
    const RobotPose place = find_pose(node, name);
    RobotJoint first, second;
    read_axis(node.child("axis"), own.scope, place, &first);
    read_axis(node.child("axis2"), own.scope, place, &second);
    const auto [in, in_sign] =
        find_hinge(node, reference, link("parent"), turn(place.rotation, first.axis));
    const auto [out, out_sign] =
        find_hinge(node, reference, link("child"), turn(place.rotation, second.axis));
    const double ratio = xml_.number(node, node.child_value("gearbox_ratio"), 1);
    robot_.couplings.push_back(
        {name, out->name, in->name, {0, -ratio * in_sign * out_sign, 0, 0, 0}});
  }

  void read_axis(const pugi::xml_node& axis, const std::string& scope, const RobotPose& place,
                 RobotJoint* joint) const {
    const pugi::xml_node xyz = axis.child("xyz");
    joint->axis = xml_.numbers<3>(axis, xyz.text().get(), {0, 0, 1});
    const std::string frame = xyz.attribute("expressed_in").value();
    if (!frame.empty()) {
      const RobotPose from =
          frame == "__model__" ? find_model_pose(xyz, scope, 0) : find_pose(xyz, scope + frame);
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
      joint->mimic = {scope + xml_.required(mimic, "joint"),
                      xml_.number(mimic, mimic.child_value("multiplier"), 1),
                      xml_.number(mimic, mimic.child_value("offset"), 0)};
  }

  RobotXml& xml_;
  const RobotFiles& files_;
  Robot robot_;
  pugi::xml_node model_;
  std::map<std::string, Place> places_;  // by their whole names
  std::vector<std::string> links_, joints_, gearboxes_;
  std::map<std::string, std::size_t> numbers_;  // of the links
  std::vector<RobotPose> poses_;                // of the links in the model's frame
};

}  // namespace

Robot read_sdf(RobotXml& xml, const RobotFiles& files) { return SdfReader(xml, files).read(); }

}  // namespace visviva
