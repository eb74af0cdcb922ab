// Sections, equations and tables as text for a terminal, in lines that fit it.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/derivation/derivation_outline.h"

namespace visviva {

/// Columns of a line, where a text can be broken.
constexpr std::size_t text_width = 100;

/// The text with blanks up to so many columns.
std::string padded(const std::string& text, std::size_t columns);
/// A sum behind its head, broken before signs; what follows stands below the first term.
std::string wrap_sum(const std::string& head, const std::string& sum);
/// Words behind a head, broken at blanks; what follows stands below the first word.
std::string wrap_words(const std::string& head, const std::string& words);

/// Heading, paragraphs, equations, tables.
std::string write_section_text(const OutlineSection& section);

/// A table of words under a line of headings. The last column is broken to fit the line, others
/// that are wider than `widest` at that.
struct WordTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::size_t widest = 24;
};
std::string write_table_text(const WordTable& table);

}  // namespace visviva
