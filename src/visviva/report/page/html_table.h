// Tables and links of the page, from cells that are HTML already.
#pragma once

#include <string>
#include <vector>

namespace visviva {

struct HtmlTable {
  std::string caption{};  ///< HTML; may be empty
  std::vector<std::string> heads{};
  std::vector<std::vector<std::string>>
      rows{};  ///< cells that start with "<td" are taken as they are
};

/// In a box that scrolls where it is too wide.
std::string write_table(const HtmlTable& table);

/// A cell for a number: to the right.
std::string number_cell(const std::string& text);

/// A link to a line of the model's text around the given HTML; the HTML alone for line 0.
std::string link_to_line(int line, const std::string& html);

}  // namespace visviva
