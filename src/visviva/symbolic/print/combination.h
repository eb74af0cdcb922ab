// Sums that are written already: taken apart into terms, and put together from coefficients and
// names.
#pragma once

#include <string>
#include <vector>

#include "visviva/symbolic/form/notation.h"

namespace visviva {

/// The pieces at which a long written sum may be broken: its terms, each with its sign; the first
/// may have none. Brackets are looked into down to the given depth.
std::vector<std::string> split_terms(const std::string& text, int max_depth = 0);

/// A coefficient as it is written before a name.
struct WrittenCoefficient {
  SignedText text;
  bool is_sum = false;  ///< written in brackets
  bool is_one = false;  ///< left out
};

/// A sum of written coefficients times written names, names last.
std::string write_combination(const std::vector<WrittenCoefficient>& coefficients,
                              const std::vector<std::string>& names, const NotationWriter& writer);

/// A sum of coefficients by their whole texts, "m*L^2*theta'' + (m + M)*x''". "0" when all of them
/// are zero.
std::string write_combination(const std::vector<std::string>& coefficients,
                              const std::vector<std::string>& names, Notation notation);

}  // namespace visviva
