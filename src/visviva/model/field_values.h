// Questions about fields and lines of a model.
#pragma once

#include <optional>

#include "visviva/model/model_data.h"

namespace visviva {

/// A place in a list.
inline std::size_t slot(int index) { return static_cast<std::size_t>(index); }

/// The number that an expression of parameters has with the values that they have now; nothing when one has none.
std::optional<double> find_constant(const ModelData& data, const Expr& e);

/// The line that a point is a place of; -1 where it is of none.
int find_line_of(const ModelData& data, int point);
inline bool is_on_line(const ModelData& data, int point) { return find_line_of(data, point) >= 0; }

}  // namespace visviva
