#include "visviva/report/page/html_causes.h"

#include "visviva/base/words.h"

namespace visviva {

HtmlAttributes with_causes(HtmlAttributes attributes, const std::vector<int>& causes) {
  if (causes.empty()) return attributes;
  const auto write = [](int cause) { return std::to_string(cause); };
  attributes.emplace_back("data-cause", join_each(causes, write, " "));
  return attributes;
}

}  // namespace visviva
