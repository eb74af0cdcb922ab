// Tables and links of the page.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/page/html.h"

namespace visviva {

/// A cell of a table; numbers stand to the right.
struct HtmlCell {
  HtmlCell(Html html) : content(std::move(html)) {}
  HtmlCell(const std::string& text) : content(text) {}
  HtmlCell(const char* text) : content(text) {}

  Html content;
  bool is_number = false;
};

struct HtmlTable {
  std::vector<Html> heads{};  ///< may be empty
  std::vector<std::vector<HtmlCell>> rows{};
};

/// The table, in a box that scrolls where it is too wide.
Html write_table(const HtmlTable& table);

/// A cell for a number.
HtmlCell number_cell(Html content);

/// A link to a line of the model's text around the content; the content alone for line 0.
Html link_to_line(int line, const Html& content);

}  // namespace visviva
