#include "visviva/base/render.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "visviva/base/utf8.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

constexpr int tab_width = 4;
constexpr std::size_t widest_excerpt = 160;  // characters of a line that are shown
constexpr int context = 50;                  // characters kept before the place in a longer line

enum class Colour { red, yellow, cyan, blue, bold };

// Wraps in escapes when colour is wanted.
class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string operator()(Colour colour, const std::string& text) const {
    static constexpr const char* codes[] = {"1;31", "1;33", "1;36", "1;34", "1"};
    if (!colour_ || text.empty()) return text;
    return std::string("\x1b[") + codes[static_cast<int>(colour)] + "m" + text + "\x1b[0m";
  }

 private:
  bool colour_;
};

struct Label {
  const char* word;
  Colour colour;
};

// Codes that start with N are notes, whatever their severity.
Label label_of(const Diagnostic& d) {
  if (d.code.substr(0, 2) == "N-") return {"note", Colour::cyan};
  return d.severity == Severity::error ? Label{"error", Colour::red}
                                       : Label{"warning", Colour::yellow};
}

// One character of the line as it is shown.
struct Cell {
  std::string text;
  int width;
};

std::vector<Cell> make_cells(std::string_view line) {
  std::vector<Cell> cells;
  int column = 0;
  for (std::size_t i = 0; i < line.size();) {
    const Character c = decode_utf8(line, i);
    const std::size_t size = std::max<std::size_t>(c.size, 1);
    Cell cell{std::string(line.substr(i, size)), display_width(c.code)};
    if (c.code == '\t') {
      cell.width = tab_width - column % tab_width;
      cell.text.assign(static_cast<std::size_t>(cell.width), ' ');
    } else if (c.size == 0 || is_control(c.code)) {
      cell = {"?", 1};  // nothing that a terminal would obey or hide
    }
    column += cell.width;
    cells.push_back(std::move(cell));
    i += size;
  }
  return cells;
}

struct Excerpt {
  std::string line;
  std::string carets;
};

// The line and the carets below it; long lines are cut around the place.
Excerpt make_excerpt(std::string_view line, int column, int length) {
  const int before = std::max(column - 1, 0);
  const bool cut = line.size() > widest_excerpt;  // bytes: more than the columns at worst
  const int first = cut ? std::max(0, before - context) : 0;
  line.remove_prefix(offset_of_character(line, static_cast<std::size_t>(first)));
  const std::string_view shown =
      cut ? line.substr(0, offset_of_character(line, widest_excerpt)) : line;
  const std::vector<Cell> cells = make_cells(shown);
  const int count = static_cast<int>(cells.size());
  const int first_marked = std::min(before - first, count);
  const int last_marked = std::min(first_marked + std::max(length, 1), count);
  Excerpt excerpt;
  if (first > 0) excerpt = {"... ", "    "};
  for (int i = 0; i < count; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(i)];
    const bool marked = i >= first_marked && i < last_marked;
    excerpt.line += cell.text;
    excerpt.carets.append(static_cast<std::size_t>(cell.width), marked ? '^' : ' ');
  }
  if (shown.size() < line.size()) excerpt.line += " ...";
  // A place at the end of the line has nothing above it.
  if (first_marked >= count) excerpt.carets += '^';
  excerpt.carets.erase(excerpt.carets.find_last_not_of(' ') + 1);
  return excerpt;
}

std::size_t count_errors(const std::vector<Diagnostic>& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

}  // namespace

bool has_error(const std::vector<Diagnostic>& diagnostics) { return count_errors(diagnostics) > 0; }

std::string render_diagnostic(const Diagnostic& d, const SourceText& source,
                              const RenderOptions& options) {
  const Painter paint(options.colour);
  const Label label = label_of(d);
  std::string out = paint(label.colour, std::string(label.word) + "[" + d.code + "]");
  out += paint(Colour::bold, ": " + told_message(d)) + "\n";
  const std::string number = std::to_string(std::max(d.span.line, 0));
  const std::string margin(d.span.line > 0 ? number.size() + 1 : 2, ' ');
  if (d.span.line > 0) {
    const std::string file = d.span.file.empty() ? "model" : d.span.file;
    out += margin.substr(1) + paint(Colour::blue, "--> ") + file + ":" + number + ":" +
           std::to_string(d.span.column) + "\n";
    const std::string bar = margin + paint(Colour::blue, "|");
    const Excerpt excerpt =
        make_excerpt(find_line(source, d.span.file, d.span.line), d.span.column, d.span.length);
    out += bar + "\n" + paint(Colour::blue, number + " |") + " " + excerpt.line + "\n";
    out += bar + " " + paint(label.colour, excerpt.carets) + "\n";
  }
  if (!d.help.empty())
    out += margin + paint(Colour::blue, "= ") + paint(Colour::bold, "help") + ": " + d.help + "\n";
  return out;
}

std::vector<Diagnostic> sort_diagnostics(std::vector<Diagnostic> diagnostics, std::size_t most) {
  if (diagnostics.size() > most) {
    std::stable_sort(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) {
                       const auto key = [](const Diagnostic& d) {
                         return std::make_tuple(d.severity != Severity::error, d.span.line == 0,
                                                std::cref(d.span.file), d.span.line, d.span.column);
                       };
                       return key(a) < key(b);
                     });
    diagnostics.resize(most);
  }
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     const bool a_nowhere = a.span.line == 0, b_nowhere = b.span.line == 0;
                     return std::tie(a_nowhere, a.span.file, a.span.line, a.span.column) <
                            std::tie(b_nowhere, b.span.file, b.span.line, b.span.column);
                   });
  return diagnostics;
}

std::string render_diagnostics(const std::vector<Diagnostic>& diagnostics, const SourceText& source,
                               const RenderOptions& options) {
  if (diagnostics.empty()) return {};
  const std::vector<Diagnostic> shown = sort_diagnostics(diagnostics, options.most);
  std::string out;
  for (const Diagnostic& d : shown) out += render_diagnostic(d, source, options) + "\n";
  const std::size_t errors = count_errors(diagnostics), warnings = diagnostics.size() - errors;
  out += counted(errors, "error");
  if (warnings > 0) out += ", " + counted(warnings, "warning");
  if (shown.size() < diagnostics.size())
    out += "; the first " + std::to_string(shown.size()) + " are shown";
  return out + "\n";
}

}  // namespace visviva
