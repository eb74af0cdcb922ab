// The parts the catalogue is joined from; use base/catalogue.h.
#pragma once

#include <vector>

#include "visviva/base/catalogue_entry.h"

namespace visviva {

std::vector<CatalogueEntry> text_catalogue();       ///< files, tokens, statements
std::vector<CatalogueEntry> meaning_catalogue();    ///< names, dimensions, kinds of values
std::vector<CatalogueEntry> mechanics_catalogue();  ///< bodies, forces, constraints, speeds, starts
std::vector<CatalogueEntry> continuum_catalogue();  ///< fields, lines, laws per length
std::vector<CatalogueEntry> command_catalogue();    ///< cases, --set, tables from files

}  // namespace visviva
