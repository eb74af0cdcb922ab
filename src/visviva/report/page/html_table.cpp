#include "visviva/report/page/html_table.h"

namespace visviva {

std::string write_table(const HtmlTable& table) {
  std::string html = "<div class=\"wide\"><table>\n";
  if (!table.caption.empty()) html += "<caption>" + table.caption + "</caption>\n";
  if (!table.heads.empty()) {
    html += "<thead><tr>";
    for (const std::string& head : table.heads) html += "<th scope=\"col\">" + head + "</th>";
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (const std::string& cell : row)
      html += cell.rfind("<td", 0) == 0 ? cell : "<td>" + cell + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string number_cell(const std::string& text) {
  return "<td class=\"number\">" + text + "</td>";
}

std::string link_to_line(int line, const std::string& html) {
  if (line <= 0) return html;
  return "<a href=\"#line-" + std::to_string(line) + "\">" + html + "</a>";
}

}  // namespace visviva
