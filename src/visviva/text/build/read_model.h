// Reading a model: text in, a checked Model and everything that is wrong with it out.
#pragma once

#include "visviva/text/build/model_reading.h"

namespace visviva {

/// The model of a text. Tables are looked for beside the file that the text names as its own.
ModelReading read_model(const SourceText& source, const ReadOptions& options = {});

}  // namespace visviva
