// What tests of the page's sections share: mechanisms with known equations, and looking at HTML.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "visviva/model/model.h"

namespace visviva::sections {

/// Two particles on massless rods of one length L: Kane and Levinson's double pendulum.
inline Model make_double_pendulum() {
  using namespace units;
  Model model("double_pendulum");
  const Quantity m1 = model.parameter("m1", 1 * kg), m2 = model.parameter("m2", 2 * kg);
  const Quantity L = model.parameter("L", 0.5 * m), g = model.parameter("g", 9.81 * m / (s * s));
  const Quantity q1 = model.coordinate("q1", {.start = 0.3 * rad});
  const Quantity q2 = model.coordinate("q2", {.start = 0.5 * rad});
  const Frame N = model.newtonian();
  const Point P1 = model.particle(
      "P1", {.at = N.origin() + L * (sin(q1) * N.x() - cos(q1) * N.y()), .mass = m1});
  model.particle("P2", {.at = P1 + L * (sin(q2) * N.x() - cos(q2) * N.y()), .mass = m2});
  model.gravity(-g * N.y());
  return model;
}

/// The first element <math ...> whose alttext is this: its list of causes, "" without one, nothing
/// when there is no such element.
inline std::optional<std::string> causes_of(const std::string& html, const std::string& alttext) {
  const std::size_t found = html.find("alttext=\"" + alttext + "\"");
  if (found == std::string::npos) return {};
  const std::size_t open = html.rfind("<math", found);
  const std::string tag = html.substr(open, found - open);
  std::smatch match;
  return std::regex_search(tag, match, std::regex("data-cause=\"([^\"]*)\"")) ? match[1].str() : "";
}

/// Elements that are not closed in order; "" when all are.
inline std::string find_unbalanced(const std::string& html) {
  std::vector<std::string> open;
  static const std::regex tag("<(/?)([a-zA-Z0-9]+)(\\s[^<>]*)?>");
  for (std::sregex_iterator i(html.begin(), html.end(), tag), end; i != end; ++i) {
    const std::string name = (*i)[2].str(), all = i->str();
    if (name == "br" || all[all.size() - 2] == '/') continue;
    if ((*i)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return all + " at " + std::to_string(i->position());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

}  // namespace visviva::sections
