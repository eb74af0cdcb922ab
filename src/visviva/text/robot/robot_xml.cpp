#include "visviva/text/robot/robot_xml.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace visviva {
namespace {

constexpr int deepest_element = 200;

class DepthCheck : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node&) override { return depth() < deepest_element; }
};

SourceSpan place_of(const SourceText& source, std::ptrdiff_t offset) {
  const auto end =
      source.text.begin() +
      std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(source.text.size()));
  const int line = 1 + static_cast<int>(std::count(source.text.begin(), end, '\n'));
  const std::string_view text = find_line(source.text, line);
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return {source.file, line, static_cast<int>(first) + 1,
          std::max(1, static_cast<int>(text.size() - first))};
}

}  // namespace

RobotXml::RobotXml(const SourceText& source) : source_(source) {
  const pugi::xml_parse_result result = document_.load_buffer(
      source.text.data(), source.text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw RobotRefusal{{Severity::error, "E-robot-file",
                        std::string("this is no well-formed XML: ") + result.description(), "",
                        place_of(source, result.offset)}};
  DepthCheck depth;
  if (!document_.traverse(depth)) refuse(root(), "E-robot-file", "elements are nested too deeply");
}

SourceSpan RobotXml::span_of(const pugi::xml_node& node) const {
  return place_of(source_, node.offset_debug());
}

void RobotXml::refuse(const pugi::xml_node& node, const char* code, const std::string& message,
                      const std::string& help) const {
  throw RobotRefusal{{Severity::error, code, message, help, span_of(node)}};
}

void RobotXml::remark(const pugi::xml_node& node, const std::string& message) {
  remarks_.push_back({Severity::warning, "W-robot-remark", message, "", span_of(node)});
}

std::vector<double> RobotXml::numbers(const pugi::xml_node& node, const std::string& text) const {
  std::vector<double> all;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at < end && std::isspace(static_cast<unsigned char>(*at)) != 0) ++at;
    if (at == end) return all;
    if (*at == '+') ++at;
    double value = 0;
    const auto [next, problem] = std::from_chars(at, end, value);
    const bool ends = next == end || std::isspace(static_cast<unsigned char>(*next)) != 0;
    if (problem != std::errc() || !ends || !std::isfinite(value))
      refuse(node, "E-robot-value", "expected numbers, found '" + text + "'",
             text.find("${") != std::string::npos
                 ? "this is a macro: make the robot file with xacro first"
                 : "");
    all.push_back(value);
    at = next;
  }
}

std::string RobotXml::required(const pugi::xml_node& node, const char* attribute) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found)
    refuse(node, "E-robot-value",
           std::string("the element <") + node.name() + "> has no '" + attribute + "'");
  return found.value();
}

void order_joints(const RobotXml& xml, Robot* robot) {
  const auto fail = [&](const std::string& message, const SourceSpan& span) {
    throw RobotRefusal{{Severity::error, "E-robot-tree", message, "", span}};
  };
  std::vector<const RobotJoint*> parent(robot->links.size(), nullptr);
  for (const RobotJoint& j : robot->joints) {
    if (parent[j.child] != nullptr)
      fail("the link '" + robot->links[j.child].name + "' is the child of two joints", j.span);
    parent[j.child] = &j;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < robot->links.size(); ++i)
    if (parent[i] == nullptr) order.push_back(i);
  if (order.size() != 1)
    fail(order.empty() ? "the joints go in a circle: no link is the root"
                       : "the links '" + robot->links[order[0]].name + "' and '" +
                             robot->links[order[1]].name + "' are both the child of no joint",
         order.empty() ? xml.span_of(xml.root()) : robot->links[order[1]].span);
  robot->root = order[0];
  // Children after their parents, depth first, in the order of the file.
  std::vector<RobotJoint> sorted;
  std::vector<std::size_t> open = {robot->root};
  while (!open.empty()) {
    const std::size_t link = open.back();
    open.pop_back();
    for (const RobotJoint& j : robot->joints)
      if (j.child == link) sorted.push_back(j);
    for (auto j = robot->joints.rbegin(); j != robot->joints.rend(); ++j)
      if (j->parent == link) open.push_back(j->child);
  }
  if (sorted.size() != robot->joints.size())
    fail("some joints go in a circle", xml.span_of(xml.root()));
  robot->joints = std::move(sorted);
}

}  // namespace visviva
