// The frame of the page: head, contents, style, data and script around what the sections say.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "visviva/report/page/html.h"

namespace visviva {

/// Content under a heading, with a short title for the list of contents.
struct PageSection {
  std::string id, title;
  Html content;
};

struct PageContent {
  std::string title, version;
  Html intro, motion;
  std::vector<PageSection> sections;
};

/// The only script that may run on it is ours: nothing that a model says can become one.
std::string make_page(const PageContent& content, const nlohmann::ordered_json& data);

}  // namespace visviva
