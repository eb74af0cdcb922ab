// The catalogue: every code a diagnostic can carry, explained, with an example and its correction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace visviva {

/// Who finds it.
enum class CatalogueStage { text, model, command };

struct CatalogueEntry {
  std::string_view code;   ///< E-..., an error; W-..., a warning; N-..., a note
  std::string_view title;  ///< one line
  std::string_view explanation;
  std::string_view wrong;  ///< an example; statements, or a command
  std::string_view right;
};

/// All entries of a stage, in the order a reader meets them.
const std::vector<CatalogueEntry>& catalogue(CatalogueStage stage);
/// All entries, sorted by code.
std::vector<CatalogueEntry> full_catalogue();
/// nullptr when there is no such code.
const CatalogueEntry* find_in_catalogue(std::string_view code);
/// A page of text for a terminal; for an unknown code, what was probably meant.
std::string explain_code(std::string_view code);

}  // namespace visviva
