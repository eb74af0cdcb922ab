#include "visviva/report/page/html.h"

#include "visviva/base/escape.h"

namespace visviva {
namespace {

std::string write_tag(std::string_view name, const HtmlAttributes& attributes) {
  std::string tag = "<" + std::string(name);
  for (const HtmlAttribute& a : attributes) {
    tag += " " + a.name;
    if (a.value) tag += "=\"" + a.value->markup() + "\"";
  }
  return tag + ">";
}

}  // namespace

Html::Html(std::string_view text) : markup_(escape_html(text)) {}

Html raw_html(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html element(std::string_view name, const HtmlAttributes& attributes, const Html& content) {
  return raw_html(write_tag(name, attributes) + content.markup() + "</" + std::string(name) + ">");
}

Html element(std::string_view name, const Html& content) { return element(name, {}, content); }

Html void_element(std::string_view name, const HtmlAttributes& attributes) {
  return raw_html(write_tag(name, attributes));
}

Html join_html(const std::vector<Html>& pieces, const Html& between) {
  Html html;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) html += between;
    html += pieces[i];
  }
  return html;
}

Html paragraph(const Html& content) { return element("p", content) + "\n"; }
Html heading(const Html& title) { return element("h3", title) + "\n"; }

}  // namespace visviva
