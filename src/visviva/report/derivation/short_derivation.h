// A derivation of a large mechanism, made short enough to be read.
#pragma once

#include <string>

#include "visviva/report/derivation/derivation.h"

namespace visviva {

/// Speeds up to which a derivation is written in full unless more is asked for.
constexpr std::size_t most_speeds_in_full = 24;

/// Intermediate quantities that are written of a larger mechanism.
constexpr std::size_t most_intermediates_in_short = 60;

/// "The first 60 of 812."
std::string write_first_of(std::size_t shown, std::size_t all);

/// "Numbers 1, 2 and 50 of 100.": the equations of motion that are written.
std::string write_shown_rows(const Derivation::Shortened& shortened);

/// The derivation with the first few of each of its lists, and without where terms come from.
Derivation shorten(Derivation derivation);

}  // namespace visviva
