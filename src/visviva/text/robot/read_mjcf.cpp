// MJCF: <mujoco> with <worldbody>, a tree of <body>. Joints move their body about a place in it, one
// after the other; masses come from <inertial> or from geoms.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "visviva/text/robot/mjcf_geom.h"
#include "visviva/text/robot/mjcf_meshes.h"
#include "visviva/text/robot/mjcf_parts.h"
#include "visviva/text/robot/robot_xml.h"

namespace visviva {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

using Attributes = std::map<std::string, std::string>;
using Defaults = std::map<std::string, Attributes>;  // by element

class MjcfReader {
 public:
  MjcfReader(RobotXml& xml, const RobotFiles& files) : xml_(xml), files_(files) {}

  Robot read() {
    const pugi::xml_node root = xml_.root();
    include_parts(xml_, files_);
    robot_.name = root.attribute("model").value();
    read_compiler();
    write_replicas(xml_, [this](const pugi::xml_node& node, double times) {
      Triple angles = xml_.numbers<3>(node, node.attribute("euler").value(), {0, 0, 0});
      for (double& angle : angles) angle *= times;
      return read_euler(node, angles);
    });
    read_options();
    for (const pugi::xml_node& node : root.children("default")) read_defaults(node, main_);
    read_meshes();
    robot_.links.push_back({"world"});
    poses_.push_back({});
    robot_.root_is_world = true;
    for (const pugi::xml_node& world : root.children("worldbody"))
      read_bodies(world, 0, {}, "main");
    if (robot_.links.size() == 1) xml_.refuse(root, "E-robot-tree", "the robot has no bodies");
    for (const pugi::xml_node& list : root.children("equality"))
      for (const pugi::xml_node& node : list.children())
        if (!is_disabled("equality")) read_equality(node);
    for (const char* part : {"tendon", "actuator", "contact", "deformable"})
      if (const pugi::xml_node node = root.child(part); node && node.first_child())
        xml_.remark(node, std::string("<") + part + "> is not modelled");
    change_masses();
    order_joints(xml_, &robot_);
    return std::move(robot_);
  }

 private:
  // ---- Sections, of which a file may have several: the last attribute counts

  std::string setting(const char* section, const char* name, const char* missing) const {
    std::string value = missing;
    for (const pugi::xml_node& node : xml_.root().children(section))
      if (const pugi::xml_attribute a = node.attribute(name)) value = a.value();
    return value;
  }

  void read_compiler() {
    unit_ = setting("compiler", "angle", "degree") == "radian" ? 1 : degree;
    sequence_ = setting("compiler", "eulerseq", "xyz");
    uses_geoms_ = setting("compiler", "inertiafromgeom", "auto") == "true";
    mesh_folder_ = setting("compiler", "meshdir", setting("compiler", "assetdir", "").c_str());
    if (!mesh_folder_.empty() && mesh_folder_.back() != '/') mesh_folder_ += '/';
    for (const pugi::xml_node& compiler : xml_.root().children("compiler")) {
      groups_ = xml_.numbers<2>(compiler, compiler.attribute("inertiagrouprange").value(), groups_);
      if (std::string(compiler.attribute("coordinate").as_string("local")) != "local")
        xml_.refuse(compiler, "E-robot-value", "global coordinates are not read",
                    "save the model with MuJoCo: it writes local ones");
      refuse_changed_masses(compiler);
    }
  }

  void read_options() {
    for (const pugi::xml_node& option : xml_.root().children("option")) {
      for (const char* fluid : {"density", "viscosity"})
        if (xml_.number(option, option.attribute(fluid).value(), 0) != 0)
          xml_.remark(option, "forces of a fluid around the robot are not modelled");
      robot_.gravity = xml_.numbers<3>(option, option.attribute("gravity").value(), robot_.gravity);
      for (const pugi::xml_node& flag : option.children("flag"))
        for (const pugi::xml_attribute& a : flag.attributes())
          if (std::string(a.value()) == "disable") disabled_.insert(a.name());
    }
    if (is_disabled("gravity")) robot_.gravity = {0, 0, 0};
  }
  bool is_disabled(const char* flag) const { return disabled_.contains(flag); }

  // Options that change masses after the file has given them; those of bodies, in this order.
  void refuse_changed_masses(const pugi::xml_node& compiler) const {
    if (xml_.number(compiler, compiler.attribute("boundinertia").value(), 0) > 0)
      xml_.refuse(compiler, "E-robot-value", "'boundinertia' is not read",
                  "give the bodies the inertia that they shall have");
  }

  double number_setting(const char* name) const {
    return xml_.number(xml_.root(), setting("compiler", name, "0"), 0);
  }

  void change_masses() {
    const double least = number_setting("boundmass"), total = number_setting("settotalmass");
    const bool balances = setting("compiler", "balanceinertia", "false") == "true";
    double sum = 0;
    for (const auto& [name, place] : links_) {
      RobotMass& mass = robot_.links[place].mass;
      mass.mass = std::max(mass.mass, least);
      if (balances) balance(&mass.inertia);
      sum += mass.mass;
    }
    if (!(total > 0 && sum > 0)) return;
    for (const auto& [name, place] : links_) {
      RobotMass& mass = robot_.links[place].mass;
      mass.mass *= total / sum;
      for (double& I : mass.inertia) I *= total / sum;
    }
  }

  // Moments of which one is larger than both others together become their mean.
  static void balance(std::array<double, 6>* inertia) {
    std::array<double, 6>& I = *inertia;
    const Triple moments = find_principal_moments(I);
    const double trace = I[0] + I[1] + I[2];
    if (2 * std::max({moments[0], moments[1], moments[2]}) <= trace) return;
    I = {trace / 3, trace / 3, trace / 3, 0, 0, 0};
  }

  // ---- Meshes

  void read_meshes() {
    const bool is_exact = setting("compiler", "exactmeshinertia", "false") == "true";
    for (const pugi::xml_node& asset : xml_.root().children("asset"))
      for (const pugi::xml_node& mesh : asset.children("mesh")) {
        const std::string file = attribute(mesh, "file", "main");
        const std::size_t slash = file.rfind('/'),
                          first = slash == std::string::npos ? 0 : slash + 1;
        const std::string name =
            mesh.attribute("name").as_string(file.substr(first, file.rfind('.') - first).c_str());
        MjcfMesh& known = meshes_[name];
        known.node = mesh;
        known.picture.mesh = file.empty() ? "" : mesh_folder_ + file;
        known.picture.scale = numbers<3>(mesh, "scale", "main").value_or(Triple{1, 1, 1});
        known.reference = {
            numbers<3>(mesh, "refpos", "main").value_or(Triple{}),
            from_quaternion(
                numbers<4>(mesh, "refquat", "main").value_or(std::array<double, 4>{1}))};
        known.inertia = attribute(mesh, "inertia", "main");
        if (known.inertia.empty()) known.inertia = is_exact ? "exact" : "legacy";
      }
  }

  // ---- Attributes with their defaults

  void read_defaults(const pugi::xml_node& node, Defaults inherited) {
    for (const pugi::xml_node& element : node.children()) {
      if (std::string(element.name()) == "default") continue;
      for (const pugi::xml_attribute& a : element.attributes())
        inherited[element.name()][a.name()] = a.value();
    }
    const std::string name = node.attribute("class").as_string("main");
    classes_[name] = inherited;
    if (name == "main") main_ = inherited;
    for (const pugi::xml_node& inner : node.children("default")) read_defaults(inner, inherited);
  }

  std::string attribute(const pugi::xml_node& node, const char* name,
                        const std::string& around) const {
    if (const pugi::xml_attribute own = node.attribute(name)) return own.value();
    const auto found = classes_.find(node.attribute("class").as_string(around.c_str()));
    if (found == classes_.end()) return "";
    const std::string element = std::string(node.name()) == "freejoint" ? "joint" : node.name();
    const auto attributes = found->second.find(element);
    if (attributes == found->second.end()) return "";
    const auto value = attributes->second.find(name);
    return value == attributes->second.end() ? "" : value->second;
  }

  template <std::size_t n>
  std::optional<std::array<double, n>> numbers(const pugi::xml_node& node, const char* name,
                                               const std::string& around) const {
    const std::string text = attribute(node, name, around);
    if (text.empty()) return std::nullopt;
    return xml_.numbers<n>(node, text, {});
  }

  // ---- Poses

  RobotRotation read_rotation(const pugi::xml_node& node, const std::string& around) const {
    if (const auto q = numbers<4>(node, "quat", around)) return from_quaternion(*q);
    if (const auto a = numbers<4>(node, "axisangle", around))
      return from_axis_angle({(*a)[0], (*a)[1], (*a)[2]}, (*a)[3] * unit_);
    if (const auto a = numbers<6>(node, "xyaxes", around))
      return from_axes({(*a)[0], (*a)[1], (*a)[2]}, {(*a)[3], (*a)[4], (*a)[5]});
    if (const auto z = numbers<3>(node, "zaxis", around)) return from_z(*z);
    if (const auto e = numbers<3>(node, "euler", around)) return read_euler(node, *e);
    return {};
  }

  // Small letters turn about axes that move along, capitals about those that stay.
  RobotRotation read_euler(const pugi::xml_node& node, const Triple& angles) const {
    RobotPose sum;
    if (sequence_.size() != 3 || sequence_.find_first_not_of("xyzXYZ") != std::string::npos)
      xml_.refuse(node, "E-robot-value", "eulerseq is three of x, y, z, X, Y, Z");
    for (std::size_t i = 0; i < 3; ++i) {
      const char letter = sequence_[i];
      const bool is_fixed = letter < 'a';
      Triple axis{};
      axis[static_cast<std::size_t>(letter - (is_fixed ? 'X' : 'x'))] = 1;
      const RobotPose next{{}, from_axis_angle(axis, angles[i] * unit_)};
      sum = is_fixed ? compose(next, sum) : compose(sum, next);
    }
    return sum.rotation;
  }

  RobotPose read_pose(const pugi::xml_node& node, const std::string& around) const {
    return {numbers<3>(node, "pos", around).value_or(Triple{}), read_rotation(node, around)};
  }

  // ---- Masses

  RobotMass read_mass(const pugi::xml_node& body, const std::string& around) {
    if (const pugi::xml_node inertial = body.child("inertial"); inertial && !uses_geoms_) {
      RobotMass mass;
      mass.mass = xml_.number(inertial, inertial.attribute("mass").value(), 0);
      if (const auto I = numbers<3>(inertial, "diaginertia", around))
        mass.inertia = {(*I)[0], (*I)[1], (*I)[2], 0, 0, 0};
      if (const auto I = numbers<6>(inertial, "fullinertia", around))
        mass.inertia = {(*I)[0], (*I)[1], (*I)[2], (*I)[3], (*I)[5], (*I)[4]};
      return move_mass(mass, read_pose(inertial, around));
    }
    RobotMass sum;
    for_each_in_frames(
        body, {}, around, "geom",
        [&](const pugi::xml_node& geom, const RobotPose& frame, const std::string& in) {
          sum = add_masses(sum, move_mass(read_geom(geom, in), frame));
        });
    return sum;
  }

  // The elements of a kind in a body, and in the frames that it has: a <frame> is only a pose, and a class, for what is in it.
  template <class Work>
  void for_each_in_frames(const pugi::xml_node& node, const RobotPose& pose,
                          const std::string& around, const char* kind, const Work& work) const {
    for (const pugi::xml_node& child : node.children()) {
      const std::string name = child.name();
      if (name == kind) work(child, pose, around);
      if (name == "frame")
        for_each_in_frames(child, compose(pose, read_pose(child, around)),
                           child.attribute("childclass").as_string(around.c_str()), kind, work);
    }
  }

  static constexpr double last_seen_group = 2;  // viewers hide those beyond, as collision shapes

  std::string type_of(const pugi::xml_node& geom, const std::string& around) const {
    const std::string type = attribute(geom, "type", around);
    if (!type.empty()) return type;
    return attribute(geom, "mesh", around).empty() ? "sphere" : "mesh";
  }
  double group_of(const pugi::xml_node& geom, const std::string& around) const {
    return numbers<1>(geom, "group", around).value_or(std::array<double, 1>{0})[0];
  }

  // Its shape and place, with sizes as MuJoCo has them.
  std::pair<MjcfSolid, RobotPose> read_solid(const pugi::xml_node& geom,
                                             const std::string& around) const {
    MjcfSolid solid{type_of(geom, around), {}};
    const std::string& type = solid.type;
    const std::vector<double> sizes = xml_.numbers(geom, attribute(geom, "size", around));
    for (std::size_t i = 0; i < std::min<std::size_t>(3, sizes.size()); ++i)
      solid.size[i] = sizes[i];
    RobotPose pose = read_pose(geom, around);
    if (const auto ends = numbers<6>(geom, "fromto", around)) {
      const auto& e = *ends;
      const Triple along = {e[3] - e[0], e[4] - e[1], e[5] - e[2]};
      const double half = std::hypot(along[0], along[1], along[2]) / 2;
      pose = {{(e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2}, from_z(along)};
      if (type == "box" || type == "ellipsoid")
        solid.size = {solid.size[0], solid.size[0], half};
      else
        solid.size[1] = half;
    }
    return {solid, pose};
  }

  std::vector<RobotPicture> read_pictures(const pugi::xml_node& body,
                                          const std::string& around) const {
    std::vector<RobotPicture> pictures;
    for_each_in_frames(
        body, {}, around, "geom",
        [&](const pugi::xml_node& geom, const RobotPose& frame, const std::string& in) {
          if (group_of(geom, in) > last_seen_group) return;
          const auto [solid, pose] = read_solid(geom, in);
          RobotPicture picture{compose(frame, pose), solid.type, solid.size};
          if (solid.type == "mesh") {
            const auto mesh = meshes_.find(attribute(geom, "mesh", in));
            if (mesh == meshes_.end()) return;
            if (mesh->second.picture.mesh.empty()) return;
            picture = mesh->second.picture;
            picture.pose = compose(frame, pose);
          } else if (solid.type == "box") {
            for (double& edge : picture.sizes) edge *= 2;
          } else if (solid.type == "cylinder" || solid.type == "capsule") {
            picture.sizes[1] *= 2;
          } else if (solid.type != "sphere" && solid.type != "ellipsoid") {
            return;
          }
          pictures.push_back(picture);
        });
    return pictures;
  }

  RobotMass read_geom(const pugi::xml_node& geom, const std::string& around) {
    const std::string type = type_of(geom, around);
    if (type == "plane" || type == "hfield") return {};
    if (const double group = group_of(geom, around); group < groups_[0] || group > groups_[1])
      return {};
    const auto mass = numbers<1>(geom, "mass", around);
    const auto density = numbers<1>(geom, "density", around);
    if (mass && (*mass)[0] == 0) return {};
    if (!mass && density && (*density)[0] == 0) return {};
    if (attribute(geom, "shellinertia", around) == "true")
      xml_.refuse(geom, "E-robot-value", "'shellinertia' is not read",
                  "give its body an <inertial>");
    const auto [solid, pose] = read_solid(geom, around);
    const double per_volume = density ? (*density)[0] : 1000;
    if (type == "mesh") {
      const auto mesh = meshes_.find(attribute(geom, "mesh", around));
      if (mesh == meshes_.end())
        xml_.refuse(geom, "E-robot-tree",
                    "there is no mesh '" + attribute(geom, "mesh", around) + "'");
      RobotMass own = mass_of(xml_, files_, &mesh->second);
      const double factor = mass ? (*mass)[0] / own.mass : per_volume;
      own.mass *= factor;
      for (double& I : own.inertia) I *= factor;
      return move_mass(own, pose);
    }
    const auto found =
        compute_mass(solid, per_volume, mass ? std::optional<double>((*mass)[0]) : std::nullopt);
    if (!found)
      xml_.refuse(geom, "E-robot-value",
                  "the mass of a geom of the type '" + type + "' is not computed",
                  "give its body an <inertial>");
    return move_mass(*found, pose);
  }

  // ---- Bodies and joints

  // Bodies, in frames too.
  void read_bodies(const pugi::xml_node& node, std::size_t parent, const RobotPose& inside,
                   const std::string& around) {
    for (const pugi::xml_node& child : node.children())
      for (const char* unread : {"composite", "flexcomp", "attach"})
        if (std::string(child.name()) == unread)
          xml_.refuse(child, "E-robot-file", std::string("<") + unread + "> is not read",
                      "save the model with MuJoCo: it writes the bodies themselves");
    for_each_in_frames(node, inside, around, "body",
                       [&](const pugi::xml_node& body, const RobotPose& frame,
                           const std::string& in) { read_body(body, parent, frame, in); });
  }

  void read_body(const pugi::xml_node& node, std::size_t parent, const RobotPose& frame,
                 const std::string& around) {
    const std::string inner = node.attribute("childclass").as_string(around.c_str());
    const std::string name = node.attribute("name") ? node.attribute("name").value()
                                                    : "body_" + std::to_string(robot_.links.size());
    if (node.attribute("gravcomp").as_double() != 0)
      xml_.remark(node, "gravity acts on the body '" + name + "': gravcomp is not modelled");
    const RobotPose pose = compose(frame, read_pose(node, around));
    const RobotPose world = compose(poses_[parent], pose);
    std::vector<PlacedJoint> joints;
    for (const char* kind : {"joint", "freejoint"})
      for_each_in_frames(
          node, {}, inner, kind,
          [&](const pugi::xml_node& joint, const RobotPose& place, const std::string& in) {
            joints.push_back({joint, place, in});
          });
    // Between joints of one body there are links without mass.
    RobotPose origin = pose;
    std::size_t carrier = parent;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, joints.size()); ++i) {
      const bool is_last = i + 1 >= joints.size();
      const std::string link = is_last ? name : name + "_" + std::to_string(i + 1);
      robot_.links.push_back(
          {link, is_last ? read_mass(node, inner) : RobotMass(), xml_.span_of(node)});
      if (is_last) robot_.links.back().pictures = read_pictures(node, inner);
      poses_.push_back(world);
      if (is_last && !links_.emplace(name, robot_.links.size() - 1).second)
        xml_.refuse(node, "E-robot-tree", "the body '" + name + "' stands twice");
      RobotJoint joint{name + "_joint", RobotJoint::Kind::fixed, carrier, robot_.links.size() - 1};
      joint.span = xml_.span_of(node);
      joint.origin = origin;
      if (!joints.empty()) read_joint(joints[i], origin, &joint);
      robot_.joints.push_back(joint);
      carrier = joint.child;
      origin = {};
    }
    read_bodies(node, carrier, {}, inner);
  }

  // A joint, the <frame> it stands in, and the class around it.
  struct PlacedJoint {
    pugi::xml_node node;
    RobotPose frame;
    std::string around;
  };

  // `body`: the pose of the body's frame, which the joint moves, in that of what carries it.
  void read_joint(const PlacedJoint& placed, const RobotPose& body, RobotJoint* joint) const {
    const pugi::xml_node& node = placed.node;
    const std::string& around = placed.around;
    using Kind = RobotJoint::Kind;
    static const std::map<std::string, Kind> kinds = {{"", Kind::hinge},
                                                      {"hinge", Kind::hinge},
                                                      {"slide", Kind::slide},
                                                      {"ball", Kind::ball},
                                                      {"free", Kind::free}};
    const bool is_free = std::string(node.name()) == "freejoint";
    const std::string type = is_free ? "free" : attribute(node, "type", around);
    const auto kind = kinds.find(type);
    if (kind == kinds.end())
      xml_.refuse(node, "E-robot-joint", "there is no joint of the type '" + type + "'",
                  "hinge, slide, ball or free");
    joint->kind = kind->second;
    joint->span = xml_.span_of(node);
    joint->remark = type.empty() ? "hinge" : type;
    if (node.attribute("name")) joint->name = node.attribute("name").value();
    const auto value = [&](const char* name) {
      return numbers<1>(node, name, around).value_or(std::array<double, 1>{0})[0];
    };
    // Passive forces; a <freejoint> has none, whatever the defaults are.
    const bool is_active = !is_free && !is_disabled("passive");
    if (is_active && !is_disabled("spring")) joint->stiffness = value("stiffness");
    if (is_active && !is_disabled("damper")) joint->damping = value("damping");
    if (!is_free) joint->armature = value("armature");
    if (joint->kind == Kind::free) {
      joint->origin = {};
      joint->start = body;
      return;
    }
    const Triple anchor =
        compose(placed.frame, {numbers<3>(node, "pos", around).value_or(Triple{}), {}}).position;
    joint->origin = compose(body, {anchor, {}});
    joint->after = {{-anchor[0], -anchor[1], -anchor[2]}, {}};
    joint->axis =
        turn(placed.frame.rotation, numbers<3>(node, "axis", around).value_or(Triple{0, 0, 1}));
    if (joint->axis == Triple{0, 0, 0})
      xml_.refuse(node, "E-robot-value", "the axis has no direction");
    const double unit = joint->kind == Kind::hinge ? unit_ : 1;
    if (!attribute(node, "springdamper", around).empty())
      xml_.refuse(node, "E-robot-value", "'springdamper' is not read",
                  "give stiffness and damping themselves");
    joint->reference = value("ref") * unit;
    joint->rest = value("springref") * unit;
    if (const std::string range = attribute(node, "range", around); !range.empty())
      joint->remark += ", range " + range;
    if (value("frictionloss") != 0)
      joint->remark += ", dry friction, not modelled: " + attribute(node, "frictionloss", around);
  }

  // ---- Loops

  std::size_t find_body(const pugi::xml_node& node, const char* which) const {
    const std::string name = node.attribute(which).as_string("world");
    if (name == "world") return 0;
    const auto found = links_.find(name);
    if (found == links_.end()) xml_.refuse(node, "E-robot-tree", "there is no body '" + name + "'");
    return found->second;
  }

  void read_equality(const pugi::xml_node& node) {
    const std::string kind = node.name();
    if (attribute(node, "active", "main") == "false") return;
    const std::string name = node.attribute("name").as_string(
        (kind + "_" + std::to_string(robot_.closures.size() + robot_.couplings.size() + 1))
            .c_str());
    if (kind == "joint") {
      robot_.couplings.push_back(
          {name, xml_.required(node, "joint1"), node.attribute("joint2").value(), {0, 1, 0, 0, 0}});
      const auto c = numbers<5>(node, "polycoef", "main");
      if (c) robot_.couplings.back().polynomial = *c;
      return;
    }
    const bool is_weld = kind == "weld";
    const bool is_simple = node.attribute("body1") && !node.attribute("relpose");
    if ((kind != "connect" && !is_weld) || !is_simple)
      xml_.refuse(node, "E-robot-joint", "this equality is not read",
                  "connect and weld of two bodies as they are at the start, or joint");
    RobotClosure closure{name, find_body(node, "body1"), find_body(node, "body2")};
    closure.is_weld = is_weld;
    closure.span = xml_.span_of(node);
    const RobotPose second = compose(invert(poses_[closure.first]), poses_[closure.second]);
    closure.rotation = second.rotation;
    // The anchor of a connection is in the first body; a weld holds the origin of the second.
    closure.first_point =
        is_weld ? second.position : xml_.numbers<3>(node, xml_.required(node, "anchor"), {});
    closure.second_point = compose(invert(second), {closure.first_point, {}}).position;
    if (is_weld) closure.second_point = {0, 0, 0};
    robot_.closures.push_back(closure);
  }

  RobotXml& xml_;
  const RobotFiles& files_;
  Robot robot_;
  double unit_ = degree;                   // of angles
  bool uses_geoms_ = false;                // though a body has an <inertial>
  std::array<double, 2> groups_ = {0, 5};  // of geoms that weigh something
  std::set<std::string> disabled_;         // flags
  std::string mesh_folder_;
  std::map<std::string, MjcfMesh> meshes_;
  Defaults main_;
  std::string sequence_;
  std::map<std::string, Defaults> classes_;
  std::map<std::string, std::size_t> links_;  // of the bodies
  std::vector<RobotPose> poses_;              // of the links, where no joint has moved
};

}  // namespace

Robot read_mjcf(RobotXml& xml, const RobotFiles& files) { return MjcfReader(xml, files).read(); }

}  // namespace visviva
