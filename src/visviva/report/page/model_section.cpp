#include "visviva/report/page/model_section.h"

#include <algorithm>

#include "visviva/report/page/html_causes.h"

namespace visviva {
namespace {

const char* class_of(TextKind kind) {
  switch (kind) {
    case TextKind::keyword:
    case TextKind::clause:
      return "k";
    case TextKind::function:
      return "f";
    case TextKind::number:
      return "n";
    case TextKind::unit:
      return "u";
    case TextKind::text:
      return "t";
    case TextKind::comment:
      return "c";
    case TextKind::plain:
      break;
  }
  return "";
}

class ModelText {
 public:
  ModelText(const SourceText& source, const std::vector<TextSpan>& colours, const Causes& causes)
      : text_(source.text), colours_(colours), causes_(causes) {}

  Html write() {
    std::size_t at = text_.rfind("\xef\xbb\xbf", 0) == 0 ? 3 : 0;
    Html html;
    for (int line = 1; at < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", at), text_.size());
      html += write_line(line, at, end);
      at = end + (text_.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return html;
  }

 private:
  // Display only: a line of its own in what is copied too.
  Html write_line(int line, std::size_t begin, std::size_t end) {
    const std::string number = std::to_string(line);
    const HtmlAttributes attributes =
        with_causes({{"class", "line"}, {"id", "line-" + number}, {"data-line", number}},
                    causes_of(line, begin, end));
    return element("span", attributes, write_colours(begin, end) + "\n");
  }

  // A line that goes on with the statement before it has that one's causes, unless it has its own: an
  // item of a list. Statements begin with a keyword; blank lines and comments cause nothing.
  std::vector<int> causes_of(int line, std::size_t begin, std::size_t end) {
    const auto first =
        std::find_if(colours_.begin() + static_cast<std::ptrdiff_t>(next_), colours_.end(),
                     [&](const TextSpan& s) { return s.end > begin; });
    const std::size_t content = text_.find_first_not_of(" \t", begin);
    if (content >= end || text_[content] == '#') return {};
    if (first != colours_.end() && first->kind == TextKind::keyword && first->begin == content)
      statement_ = causes_.at_line(line);
    const std::vector<int> own = causes_.at_line(line);
    return own.empty() ? statement_ : own;
  }

  Html write_colours(std::size_t begin, std::size_t end) {
    Html html;
    for (; next_ < colours_.size() && colours_[next_].begin < end; ++next_) {
      const TextSpan& s = colours_[next_];
      html += part(begin, s.begin) +
              element("span", {{"class", class_of(s.kind)}}, part(s.begin, s.end));
      begin = s.end;
    }
    return html + part(begin, end);
  }

  Html part(std::size_t begin, std::size_t end) const {
    return begin < end ? text_.substr(begin, end - begin) : "";
  }

  const std::string& text_;
  const std::vector<TextSpan>& colours_;
  const Causes& causes_;
  std::size_t next_ = 0;
  std::vector<int> statement_;
};

}  // namespace

Html make_model_section(const SourceText& source, const std::vector<TextSpan>& colours,
                        const Causes& causes) {
  if (source.text.empty()) return {};
  const auto muted = [](const Html& words) {
    return element("p", {{"class", "muted"}}, words) + "\n";
  };
  const HtmlAttributes box = {{"class", "model"},
                              {"tabindex", "0"},
                              {"role", "region"},
                              {"aria-label", raw_html("The model's text")}};
  return (source.file.empty() ? Html() : muted(source.file)) +
         muted(
             "Point at a statement to see what it brings into the equations and the picture; "
             "point at a term or a body to see its statement.") +
         element("pre", box, element("code", ModelText(source, colours, causes).write())) + "\n";
}

}  // namespace visviva
