// Elements of robot files: attributes as numbers, and their places for messages.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/base/error.h"
#include "visviva/base/source_text.h"
#include "visviva/text/robot/robot.h"
#include "visviva/text/robot/robot_files.h"

namespace visviva {

/// Thrown when a robot file cannot be read on; its diagnostic says why.
struct RobotRefusal {
  Diagnostic diagnostic;
};

class RobotXml {
 public:
  /// Parses a text; RobotRefusal when it is no XML, or is nested too deeply. Entities and external files are not read.
  explicit RobotXml(const SourceText& source);

  pugi::xml_node root() const { return document_.document_element(); }
  SourceSpan span_of(const pugi::xml_node& node) const;
  [[noreturn]] void refuse(const pugi::xml_node& node, const char* code, const std::string& message,
                           const std::string& help = "") const;
  /// Adds a warning that stands at a node.
  void remark(const pugi::xml_node& node, const std::string& message);
  const std::vector<Diagnostic>& remarks() const { return remarks_; }

  /// The numbers of a text that stands at a node.
  std::vector<double> numbers(const pugi::xml_node& node, const std::string& text) const;
  /// So many numbers; `missing` where there is no such attribute.
  template <std::size_t n>
  std::array<double, n> numbers(const pugi::xml_node& node, const std::string& text,
                                const std::array<double, n>& missing) const {
    if (text.empty()) return missing;
    const std::vector<double> all = numbers(node, text);
    if (all.size() != n)
      refuse(node, "E-robot-value",
             "expected " + std::to_string(n) + " numbers, found '" + text + "'");
    std::array<double, n> result;
    std::copy(all.begin(), all.end(), result.begin());
    return result;
  }
  double number(const pugi::xml_node& node, const std::string& text, double missing) const {
    return numbers<1>(node, text, {missing})[0];
  }
  /// The attribute of a name that must be there.
  std::string required(const pugi::xml_node& node, const char* attribute) const;

  // ---- Changes of the tree before it is read

  /// Puts what the root of another file holds in the place of a node; the first of it.
  pugi::xml_node replace_by_part(pugi::xml_node node, const SourceText& part);
  /// Adds a copy of a node to the end of another.
  pugi::xml_node append_copy(pugi::xml_node to, const pugi::xml_node& node);

 private:
  SourceSpan place_of(std::ptrdiff_t offset) const;
  void remember_places(const pugi::xml_node& copy, const pugi::xml_node& node,
                       const RobotXml& from);

  const SourceText& source_;
  std::vector<std::size_t> line_starts_ = {0};
  pugi::xml_document document_;
  std::vector<Diagnostic> remarks_;
  std::unordered_map<const void*, SourceSpan> places_;  // of nodes that were copied
};

/// The robot of a file in one of the formats.
Robot read_urdf(RobotXml& xml);
Robot read_sdf(RobotXml& xml, const RobotFiles& files = {});
Robot read_mjcf(RobotXml& xml, const RobotFiles& files = {});

/// Finds the root of the tree of joints, and sorts the joints so that parents come first; refuses what is no tree.
void order_joints(const RobotXml& xml, Robot* robot);

}  // namespace visviva
