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

// Characters of the last line.
std::size_t last_length(const std::string& text) {
  const std::size_t last = text.find_last_of('\n');
  return count_characters(last == std::string::npos ? text : text.substr(last + 1));
}

std::string with_note(const std::string& text, const std::string& note) {
  if (note.empty()) return text + "\n";
  const std::string written = "(" + note + ")";
  const bool fits = last_length(text) + 4 + count_characters(written) <= width;
  return text + (fits ? "    " : "\n      ") + written + "\n";
}

std::string equation_text(const OutlineEquation& e, std::size_t left_width) {
  std::string text = wrapped("  " + (e.label.empty() ? "" : e.label + ": "), e.left);
  const bool is_broken = text.find('\n') != std::string::npos;
  if (!is_broken) text = padded(text, left_width + 2);
  const std::string relation = " " + e.relation + " ";
  // A long left side gets its right side on a line of its own, unless that is a mere number.
  const bool fits = last_length(text) + relation.size() + count_characters(e.right) <= width;
  const bool own_line = e.right.size() > 4 && (is_broken || last_length(text) > width - 30 ||
                                               (!e.label.empty() && !fits));
  if (own_line) return with_note(text + "\n" + wrapped("     " + relation, e.right), e.note);
  if (is_broken) return with_note(text + relation + e.right, e.note);
  return with_note(wrapped(text + relation, e.right), e.note);
}

std::size_t widest_left(const std::vector<OutlineEquation>& equations) {
  std::size_t widest = 0;
  for (const OutlineEquation& e : equations) {
    if (!e.label.empty()) continue;  // labels stand apart
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
