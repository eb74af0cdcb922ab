// FramedColumn: a vector by its components in the frame in which they are shortest.
#pragma once

#include <string>

#include "visviva/model/frame.h"

namespace visviva {

/// A vector by its components in one frame.
struct FramedColumn {
  std::string frame;
  Column3 components;
};

/// True of models with so many frames that no shorter one is looked for: vectors are written in the frame in which they were
/// derived.
bool is_written_as_derived(const ModelData& model);

/// A vector in the frame in which it is shortest: `home` unless another one is better.
FramedColumn choose_frame(const ModelData& model, const Vector& v, int home);

/// The vector with parts that hold the hidden orientation of a spin frame moved to frames where it
/// cancels, as far as there are such. Exact.
Vector move_from_spinning(const ModelData& model, const Vector& v);

}  // namespace visviva
