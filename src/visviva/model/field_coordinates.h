// Which coordinates are those of discretized fields: what they say is how bodies are deformed.
#pragma once

#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

/// By coordinate.
inline std::vector<bool> list_field_coordinates(const ModelData& data) {
  std::vector<bool> found(data.coordinates.size(), false);
  const auto note = [&](const FieldValue& value) {
    const SymbolRole* role = value.value.is_symbol() ? data.role(value.value) : nullptr;
    if (role != nullptr && role->role == Role::coordinate)
      found[static_cast<std::size_t>(role->index)] = true;
  };
  for (const FieldData& field : data.fields)
    for (const auto& node : field.nodes)
      for (const FieldValue& value : node) note(value);
  return found;
}

}  // namespace visviva
