// Loading a model: the name of a `.viva` file or a robot file in, a checked Model out.
#pragma once

#include <string>

#include "visviva/text/build/read_model.h"

namespace visviva {

/// The model of a file. Throws ModelError with everything that is wrong with it, sorted by place; a
/// file that cannot be read is wrong too. Warnings do not stop a model, and come with its errors
/// only.
Model load_model(const std::string& path, const ReadOptions& options = {});

/// The model of a file, if it is right, with its errors and warnings. Never throws on a bad file.
ModelReading try_load_model(const std::string& path, const ReadOptions& options = {});

}  // namespace visviva
