#include "visviva/report/derivation/outline_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "visviva/base/utf8.h"
#include "visviva/symbolic/print/combination.h"

namespace visviva {
namespace {

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

}  // namespace

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t used = count_characters(text);
  return used < columns ? text + std::string(columns - used, ' ') : text;
}

std::string wrap_sum(const std::string& head, const std::string& sum) {
  const std::size_t indent = std::min<std::size_t>(count_characters(head), text_width / 2);
  std::string text = head;
  std::size_t used = count_characters(head);
  bool first = true;
  for (const std::string& piece : pieces_of(sum, text_width - indent)) {
    const std::size_t length = count_characters(piece) + (first ? 0 : 1);
    if (!first && used + length > text_width) {
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

namespace {

// Characters of the last line.
std::size_t last_length(const std::string& text) {
  const std::size_t last = text.find_last_of('\n');
  return count_characters(last == std::string::npos ? text : text.substr(last + 1));
}

std::string with_note(const std::string& text, const std::string& note) {
  if (note.empty()) return text + "\n";
  const std::string written = "(" + note + ")";
  const bool fits = last_length(text) + 4 + count_characters(written) <= text_width;
  return text + (fits ? "    " : "\n      ") + written + "\n";
}

std::string equation_text(const OutlineEquation& e, std::size_t left_width) {
  std::string text = wrap_sum("  " + (e.label.empty() ? "" : e.label + ": "), e.left);
  const bool is_broken = text.find('\n') != std::string::npos;
  if (!is_broken) text = padded(text, left_width + 2);
  const std::string relation = " " + e.relation + " ";
  // A long left side gets its right side on a line of its own, unless that is a mere number.
  const bool fits = last_length(text) + relation.size() + count_characters(e.right) <= text_width;
  const bool own_line = e.right.size() > 4 && (is_broken || last_length(text) > text_width - 30 ||
                                               (!e.label.empty() && !fits));
  if (own_line) return with_note(text + "\n" + wrap_sum("     " + relation, e.right), e.note);
  if (is_broken) return with_note(text + relation + e.right, e.note);
  return with_note(wrap_sum(text + relation, e.right), e.note);
}

std::size_t left_width_of(const std::vector<OutlineEquation>& equations) {
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
    text += wrap_sum(fmt::format("    {:<9}{}  {:<9}", row.kind, padded(row.name, names), line),
                     row.value) +
            "\n";
  }
  return text;
}

// Words in lines of so many columns; a longer word has a line of its own.
std::vector<std::string> break_words(const std::string& words, std::size_t columns) {
  std::vector<std::string> lines = {""};
  std::size_t used = 0;
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t to = std::min(words.find(' ', from), words.size());
    const std::string word = words.substr(from, to - from);
    const std::size_t length = count_characters(word);
    if (used > 0 && used + 1 + length > columns) {
      lines.emplace_back();
      used = 0;
    }
    lines.back() += (used > 0 ? " " : "") + word;
    used += (used > 0 ? 1 : 0) + length;
    from = to + 1;
  }
  return lines;
}

std::vector<std::size_t> column_widths(const WordTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    std::size_t widest = count_characters(table.heads[c]);
    for (const auto& row : table.rows)
      widest = std::max(widest, std::min(count_characters(row[c]), table.widest));
    widths.push_back(widest);
  }
  std::size_t before = 2;
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) before += widths[c] + 2;
  widths.back() = std::max(table.widest, text_width - std::min(before, text_width));
  return widths;
}

std::string row_text(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    lines.push_back(break_words(cells[c], widths[c]));
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c)
      line += "  " + padded(i < lines[c].size() ? lines[c][i] : "", widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// A grid that fits the line, else a block for each row with a line for each column.
std::string grid_text(const OutlineGrid& grid) {
  std::vector<std::size_t> widths;
  std::size_t whole = 2;
  for (std::size_t c = 0; c < grid.heads.size(); ++c) {
    std::size_t widest = count_characters(grid.heads[c]);
    for (const auto& row : grid.rows) widest = std::max(widest, count_characters(row[c]));
    widths.push_back(widest);
    whole += widest + 2;
  }
  std::string text;
  if (whole <= text_width + 2) {
    const auto add = [&](const std::vector<std::string>& cells) {
      std::string line;
      for (std::size_t c = 0; c < cells.size(); ++c) line += "  " + padded(cells[c], widths[c]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    };
    add(grid.heads);
    for (const auto& row : grid.rows) add(row);
    return text;
  }
  std::size_t heads = 0;
  for (const std::string& head : grid.heads) heads = std::max(heads, count_characters(head));
  for (const auto& row : grid.rows) {
    text += "  " + row[0] + "\n";
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (row[c] != "0") text += wrap_sum("    " + padded(grid.heads[c], heads + 2), row[c]) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string wrap_words(const std::string& head, const std::string& words) {
  const std::size_t indent = std::min<std::size_t>(count_characters(head), text_width / 2);
  std::string text = head;
  bool first = true;
  for (const std::string& line : break_words(words, text_width - indent)) {
    text += (first ? "" : "\n" + std::string(indent, ' ')) + line;
    first = false;
  }
  return text;
}

std::string write_section_text(const OutlineSection& s) {
  std::string text = s.title.empty() ? "" : "\n" + s.title + "\n";
  const std::string indent = s.title.empty() ? "" : "  ";
  for (const std::string& w : s.words) text += indent + w + "\n";
  const std::size_t left = left_width_of(s.equations);
  for (const OutlineEquation& e : s.equations) text += equation_text(e, left);
  for (const OutlineTable& t : s.tables) text += table_text(t);
  for (const OutlineGrid& g : s.grids) text += grid_text(g);
  return text;
}

std::string write_table_text(const WordTable& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = row_text(table.heads, widths);
  for (const auto& row : table.rows) text += row_text(row, widths);
  return text;
}

}  // namespace visviva
