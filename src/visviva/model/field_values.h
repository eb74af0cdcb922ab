// What the builders of fields and of lines both need.
#pragma once

#include <optional>

#include "visviva/model/model_data.h"

namespace visviva {

/// A place in a list.
inline std::size_t slot(int index) { return static_cast<std::size_t>(index); }

/// The number that an expression of parameters has with the values that they have now; nothing when one has none.
std::optional<double> find_constant(const ModelData& data, const Expr& e);

}  // namespace visviva
