// The catalogue: every code a diagnostic can carry, explained, with an example and its correction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/catalogue_entry.h"

namespace visviva {

/// Who finds what a diagnostic says.
enum class CatalogueStage { text, model, command };

/// All entries of a stage, in the order a reader meets them.
const std::vector<CatalogueEntry>& catalogue(CatalogueStage stage);
/// All entries, sorted by code.
std::vector<CatalogueEntry> full_catalogue();
/// The entry of a code; nullptr when there is no such code.
const CatalogueEntry* find_in_catalogue(std::string_view code);
/// An entry as a page of text for a terminal; for an unknown code, what was probably meant.
std::string explain_code(std::string_view code);

}  // namespace visviva
