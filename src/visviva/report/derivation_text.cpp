#include "visviva/report/derivation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "visviva/base/utf8.h"
#include "visviva/report/derivation_outline.h"

namespace visviva {
namespace {

constexpr std::size_t width = 100;  // of a terminal's line, where a sum can be broken

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t used = count_characters(text);
  return used < columns ? text + std::string(columns - used, ' ') : text;
}

// Pieces of a sum between which a line may end: its terms, and inside brackets only what no line
// holds.
std::vector<std::string> pieces_of(const std::string& sum, std::size_t room) {
  std::vector<std::string> pieces = split_terms(sum);
  const auto is_long = [room](const std::string& p) { return count_characters(p) > room; };
  for (int depth = 1; depth < 9 && std::any_of(pieces.begin(), pieces.end(), is_long); ++depth) {
    pieces.clear();
    for (const std::string& term : split_terms(sum)) {
      const std::vector<std::string> inner =
          is_long(term) ? split_terms(term, depth) : std::vector{term};
      pieces.insert(pieces.end(), inner.begin(), inner.end());
    }
  }
  return pieces;
}

// A sum behind its head, broken before signs; what follows stands below the first term.
std::string wrapped(const std::string& head, const std::string& sum) {
  const std::size_t indent = std::min<std::size_t>(count_characters(head), width / 2);
  std::string text = head;
  std::size_t used = count_characters(head);
  bool first = true;
  for (const std::string& piece : pieces_of(sum, width - indent)) {
    const std::size_t length = count_characters(piece) + (first ? 0 : 1);
    if (!first && used + length > width) {
      text += "\n" + std::string(indent, ' ') + piece;
      used = indent + length;
    } else {
      text += (first ? "" : " ") + piece;
      used += length;
    }
    first = false;
  }
  return text;
}

std::string equation_text(const OutlineEquation& e, std::size_t left_width) {
  std::string text = wrapped("  ", e.left);
  const std::size_t last = text.find_last_of('\n');
  const std::size_t used = count_characters(text) - (last == std::string::npos ? 0 : last + 1);
  if (last == std::string::npos) text = padded(text, left_width + 2);
  const std::string relation = " " + e.relation + " ";
  const std::string note = e.note.empty() ? "" : "    (" + e.note + ")";
  // A long left side gets its right side on a line of its own, unless that is a mere number.
  const bool own_line = e.right.size() > 4 && (last != std::string::npos || used > width - 30);
  if (own_line) return text + "\n" + wrapped("     " + relation, e.right) + note + "\n";
  if (last != std::string::npos) return text + relation + e.right + note + "\n";
  return wrapped(text + relation, e.right) + note + "\n";
}

std::size_t widest_left(const std::vector<OutlineEquation>& equations) {
  std::size_t widest = 0;
  for (const OutlineEquation& e : equations) {
    const std::size_t length = count_characters(e.left);
    if (length <= 24) widest = std::max(widest, length);  // longer ones are not aligned
  }
  return widest;
}

std::string table_text(const OutlineTable& table) {
  std::size_t names = 0;
  for (const auto& row : table.rows) names = std::max(names, count_characters(row.name));
  std::string text = "  " + table.head + "\n";
  for (const auto& row : table.rows) {
    const std::string line = row.line > 0 ? fmt::format("line {}", row.line) : "";
    text += wrapped(fmt::format("    {:<9}{}  {:<9}", row.kind, padded(row.name, names), line),
                    row.value) +
            "\n";
  }
  return text;
}

}  // namespace

std::string write_derivation_text(const Derivation& derivation) {
  const Outline outline = make_outline(derivation, Notation::language);
  std::string text = outline.title + "\n";
  for (const OutlineSection& s : outline.sections) {
    if (!s.title.empty()) text += "\n" + s.title + "\n";
    const std::string indent = s.title.empty() ? "" : "  ";
    for (const std::string& w : s.words) text += indent + w + "\n";
    for (const OutlineEquation& e : s.equations) text += equation_text(e, widest_left(s.equations));
    for (const OutlineTable& t : s.tables) text += table_text(t);
  }
  return text;
}

}  // namespace visviva
