#include "visviva/report/page/html_causes.h"

namespace visviva {

HtmlAttributes with_causes(HtmlAttributes attributes, const std::vector<int>& causes) {
  std::string numbers;
  for (const int c : causes) numbers += (numbers.empty() ? "" : " ") + std::to_string(c);
  if (!causes.empty()) attributes.emplace_back("data-cause", numbers);
  return attributes;
}

}  // namespace visviva
