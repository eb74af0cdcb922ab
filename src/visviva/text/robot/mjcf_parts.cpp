#include "visviva/text/robot/mjcf_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace visviva {
namespace {

constexpr std::size_t most_parts = 100;         // files of one robot
constexpr std::size_t most_replicas = 100'000;  // elements that replicas make

// The first element of a name, depth first; inner ones before those that they stand in.
pugi::xml_node find_innermost(const pugi::xml_node& from, const char* name) {
  for (const pugi::xml_node& child : from.children()) {
    if (const pugi::xml_node inner = find_innermost(child, name)) return inner;
    if (std::string(child.name()) == name) return child;
  }
  return {};
}

std::size_t count_elements(const pugi::xml_node& node) {
  std::size_t count = 1;
  for (const pugi::xml_node& child : node.children()) count += count_elements(child);
  return count;
}

void add_to_names(pugi::xml_node node, const std::string& suffix) {
  if (pugi::xml_attribute name = node.attribute("name"))
    name.set_value((name.value() + suffix).c_str());
  for (const pugi::xml_node& child : node.children()) add_to_names(child, suffix);
}

std::string write_numbers(const double* values, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : " ", values[i]);
  return text;
}

class Replicator {
 public:
  Replicator(RobotXml& xml, const ReadEuler& read_euler) : xml_(xml), read_euler_(read_euler) {}

  void write_out(pugi::xml_node node) {
    const double given = xml_.number(node, xml_.required(node, "count"), 0);
    if (!(given >= 1) || given != std::floor(given))
      xml_.refuse(node, "E-robot-value", "the count of a <replicate> is a whole number above zero");
    elements_ += static_cast<double>(count_elements(node)) * given;
    if (elements_ > most_replicas)
      xml_.refuse(node, "E-robot-file", "the file replicates too much",
                  fmt::format("at most {} elements in all", most_replicas));
    const auto count = static_cast<std::size_t>(given);
    const Triple offset = xml_.numbers<3>(node, node.attribute("offset").value(), {0, 0, 0});
    const std::string separator = node.attribute("sep").value();
    const std::size_t digits = std::to_string(count - 1).size();
    // Each stands at the offset in the frame of the one before; its angles are those of all steps together.
    RobotPose pose;
    for (std::size_t i = 0; i < count; ++i, pose = compose(pose, {offset, {}})) {
      pose.rotation = read_euler_(node, static_cast<double>(i));
      pugi::xml_node frame = node.parent().insert_child_before("frame", node);
      frame.append_attribute("pos") = write_numbers(pose.position.data(), 3).c_str();
      frame.append_attribute("quat") = write_numbers(pose.rotation.quaternion.data(), 4).c_str();
      if (const pugi::xml_attribute inner = node.attribute("childclass"))
        frame.append_attribute("childclass") = inner.value();
      const std::string suffix = fmt::format("{}{:0{}}", separator, i, digits);
      for (const pugi::xml_node& child : node.children())
        add_to_names(xml_.append_copy(frame, child), suffix);
    }
    node.parent().remove_child(node);
  }

 private:
  RobotXml& xml_;
  const ReadEuler& read_euler_;
  double elements_ = 0;
};

}  // namespace

void include_parts(RobotXml& xml, const RobotFiles& files) {
  std::set<std::string> known;
  while (const pugi::xml_node node = find_innermost(xml.root(), "include")) {
    const std::string file = xml.required(node, "file");
    const auto refuse = [&](const std::string& why, const std::string& help = "") {
      xml.refuse(node, "E-robot-file", "the included file \"" + file + "\" " + why, help);
    };
    if (!files.read_part) refuse("is not read here", "write what is in it in its place");
    if (!known.insert(file).second)
      refuse("is included already", "each file may stand in a robot once");
    if (known.size() > most_parts) refuse("is one too many");
    const Result<SourceText, std::string> part = files.read_part(file);
    if (!part) refuse(part.why(), "paths are taken from the folder of the robot's file");
    xml.replace_by_part(node, *part);
  }
}

void write_replicas(RobotXml& xml, const ReadEuler& read_euler) {
  Replicator replicator(xml, read_euler);
  while (const pugi::xml_node node = find_innermost(xml.root(), "replicate"))
    replicator.write_out(node);
}

}  // namespace visviva
