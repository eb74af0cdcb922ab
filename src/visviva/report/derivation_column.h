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

/// In the frame in which it is shortest: `home` unless another one is better.
FramedColumn choose_frame(ModelData& model, const Vector& v, int home);

}  // namespace visviva
