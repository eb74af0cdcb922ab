// Html: a piece of a page, in which text is escaped as it comes in.
//
//   element("p", {{"class", "muted"}}, "a < b") + "\n"      <p class="muted">a &lt; b</p>
// Whatever is a string is a text and shows as itself; markup is made by elements. What is markup already (MathML
// of the printer, SVG of the plots, words of ours with entities) says so by its name: raw_html.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visviva {

class Html {
 public:
  Html() = default;
  Html(std::string_view text);  ///< escaped
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}

  bool empty() const { return markup_.empty(); }
  const std::string& markup() const { return markup_; }

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) {
    left += right;
    return left;
  }

 private:
  friend Html raw_html(std::string markup);
  std::string markup_;
};

/// Markup as it is: only for what was made by us, never for what a model says.
Html raw_html(std::string markup);

/// name="value", or the name alone; values are escaped.
struct HtmlAttribute {
  HtmlAttribute(std::string_view attribute) : name(attribute) {}
  HtmlAttribute(const char* attribute) : name(attribute) {}
  HtmlAttribute(std::string_view attribute, const Html& text) : name(attribute), value(text) {}

  std::string name;
  std::optional<Html> value{};
};
using HtmlAttributes = std::vector<HtmlAttribute>;

/// <name attributes>content</name>
Html element(std::string_view name, const HtmlAttributes& attributes, const Html& content);
Html element(std::string_view name, const Html& content);
/// An element that has no content and no end: <br>, <meta ...>.
Html void_element(std::string_view name, const HtmlAttributes& attributes = {});

/// Pieces with the same between all of them.
Html join_html(const std::vector<Html>& pieces, const Html& between = ", ");

/// <p>content</p> and <h3>title</h3>, each with the end of its line.
Html paragraph(const Html& content);
Html heading(const Html& title);

}  // namespace visviva
