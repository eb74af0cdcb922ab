// The frame of the page: head, contents, style, data and script around what the sections say.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace visviva {

/// HTML under a heading, with a short title for the list of contents.
struct PageSection {
  std::string id, title, html;
};

struct PageContent {
  std::string title;    ///< plain
  std::string version;  ///< plain
  std::string intro;    ///< HTML
  std::string motion;   ///< HTML
  std::vector<PageSection> sections;
};

/// The only script that may run on it is ours: nothing that a model says can become one.
std::string make_page(const PageContent& content, const nlohmann::ordered_json& data);

}  // namespace visviva
