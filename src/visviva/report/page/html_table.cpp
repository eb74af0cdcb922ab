#include "visviva/report/page/html_table.h"

namespace visviva {
namespace {

Html write_row(const std::vector<HtmlCell>& cells) {
  Html row;
  for (const HtmlCell& cell : cells)
    row += cell.is_number ? element("td", {{"class", "number"}}, cell.content)
                          : element("td", cell.content);
  return element("tr", row) + "\n";
}

}  // namespace

Html write_table(const HtmlTable& table) {
  Html heads, rows = "\n";
  for (const Html& head : table.heads) heads += element("th", {{"scope", "col"}}, head);
  for (const std::vector<HtmlCell>& row : table.rows) rows += write_row(row);
  Html content = "\n";
  if (!heads.empty()) content += element("thead", element("tr", heads)) + "\n";
  content += element("tbody", rows);
  return element("div", {{"class", "wide"}}, element("table", content)) + "\n";
}

HtmlCell number_cell(Html content) {
  HtmlCell cell(std::move(content));
  cell.is_number = true;
  return cell;
}

Html link_to_line(int line, const Html& content) {
  if (line <= 0) return content;
  return element("a", {{"href", "#line-" + std::to_string(line)}}, content);
}

}  // namespace visviva
