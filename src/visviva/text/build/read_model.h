// Reading a model: text or a file in, a checked Model and everything that is wrong with it out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/model/model.h"

namespace visviva {

struct ReadOptions {
  std::string case_name{};  ///< a `case` of the model to apply; may be empty
  /// NAME = VALUE as text, applied after the case; a bare number is in SI units.
  std::vector<std::pair<std::string, std::string>> settings{};
};

struct ModelReading {
  std::optional<Model> model;  ///< nothing when there is an error
  std::vector<Diagnostic> diagnostics;
  SourceText source;  ///< what the diagnostics point into
};

/// Tables are looked for beside the model's file.
ModelReading read_model(const SourceText& source, const ReadOptions& options = {});
ModelReading read_model_file(const std::string& path, const ReadOptions& options = {});

}  // namespace visviva
