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

}  // namespace

RobotXml::RobotXml(const SourceText& source) : source_(source) {
  for (std::size_t end = source.text.find('\n'); end != std::string::npos;
       end = source.text.find('\n', end + 1))
    line_starts_.push_back(end + 1);
  const pugi::xml_parse_result result = document_.load_buffer(
      source.text.data(), source.text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw RobotRefusal{{Severity::error, "E-robot-file",
                        std::string("this is no well-formed XML: ") + result.description(), "",
                        place_of(result.offset)}};
  DepthCheck depth;
  if (!document_.traverse(depth)) refuse(root(), "E-robot-file", "elements are nested too deeply");
}

SourceSpan RobotXml::span_of(const pugi::xml_node& node) const {
  const auto copied = places_.find(node.internal_object());
  return copied != places_.end() ? copied->second : place_of(node.offset_debug());
}

void RobotXml::remember_places(const pugi::xml_node& copy, const pugi::xml_node& node,
                               const RobotXml& from) {
  places_[copy.internal_object()] = from.span_of(node);
  pugi::xml_node original = node.first_child();
  for (const pugi::xml_node& child : copy.children()) {
    remember_places(child, original, from);
    original = original.next_sibling();
  }
}

pugi::xml_node RobotXml::replace_by_part(pugi::xml_node node, const SourceText& part) {
  const RobotXml other(part);
  pugi::xml_node first;
  for (const pugi::xml_node& child : other.root().children()) {
    const pugi::xml_node copy = node.parent().insert_copy_before(child, node);
    remember_places(copy, child, other);
    if (!first) first = copy;
  }
  node.parent().remove_child(node);
  return first;
}

pugi::xml_node RobotXml::append_copy(pugi::xml_node to, const pugi::xml_node& node) {
  const pugi::xml_node copy = to.append_copy(node);
  remember_places(copy, node, *this);
  return copy;
}

// The line of a byte, without the blanks that it begins with.
SourceSpan RobotXml::place_of(std::ptrdiff_t offset) const {
  const std::string& all = source_.text;
  const auto at = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(all.size())));
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), at);
  const std::size_t begin = *std::prev(next);
  const std::string_view text = std::string_view(all).substr(
      begin, std::min(all.find_first_of("\r\n", begin), all.size()) - begin);
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return {source_.file, static_cast<int>(next - line_starts_.begin()), static_cast<int>(first) + 1,
          std::max(1, static_cast<int>(text.size() - first))};
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
  const auto fail = [&](const std::string& message, const SourceSpan& span,
                        const std::string& help) {
    throw RobotRefusal{{Severity::error, "E-robot-tree", message, help, span}};
  };
  constexpr const char* one_parent =
      "a link hangs on one joint; loops are closed by constraints, which URDF has not";
  std::vector<const RobotJoint*> parent(robot->links.size(), nullptr);
  for (const RobotJoint& j : robot->joints) {
    if (parent[j.child] != nullptr)
      fail("the link '" + robot->links[j.child].name + "' is the child of two joints", j.span,
           one_parent);
    parent[j.child] = &j;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < robot->links.size(); ++i)
    if (parent[i] == nullptr) order.push_back(i);
  if (order.size() != 1)
    fail(order.empty() ? "the joints go in a circle: no link is the root"
                       : "the links '" + robot->links[order[0]].name + "' and '" +
                             robot->links[order[1]].name + "' are both the child of no joint",
         order.empty() ? xml.span_of(xml.root()) : robot->links[order[1]].span,
         order.empty() ? one_parent
                       : "join them: <joint name=\"...\" type=\"fixed\"> with one as parent");
  robot->root = order[0];
  // Children after their parents, depth first, in the order of the file.
  std::vector<std::vector<std::size_t>> children(robot->links.size());
  for (auto j = robot->joints.rbegin(); j != robot->joints.rend(); ++j)
    children[j->parent].push_back(j->child);
  std::vector<RobotJoint> sorted;
  std::vector<std::size_t> open = {robot->root};
  while (!open.empty()) {
    const std::size_t link = open.back();
    open.pop_back();
    if (parent[link] != nullptr) sorted.push_back(*parent[link]);
    open.insert(open.end(), children[link].begin(), children[link].end());
  }
  if (sorted.size() != robot->joints.size())
    fail("some joints go in a circle", xml.span_of(xml.root()), one_parent);
  robot->joints = std::move(sorted);
}

}  // namespace visviva
