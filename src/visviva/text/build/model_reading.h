// ModelReading: a Model made from text, with everything that is wrong with it; and ReadOptions,
// what changes it on the way.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/model/model.h"

namespace visviva {

/// Values that are read differently from what the text says.
struct ReadOptions {
  std::string case_name{};  ///< a `case` of the model to apply; may be empty
  /// NAME = VALUE as text, applied after the case; a bare number is in SI units.
  std::vector<std::pair<std::string, std::string>> settings{};
  /// What derivations are to write out, as text: "velocity(P) in A".
  std::vector<std::string> expressions{};
  /// Paths beside that of the motion, as "NAME: EXPRESSION, NAME: EXPRESSION".
  std::vector<std::string> variations{};
  /// How fields are cut into elements.
  struct Fields {
    bool stay_whole = false;  ///< whatever `discretize` says: for their field equations
    double refinement = 1.0;  ///< so many elements or modes for each that `discretize` says
    int elements = 0;         ///< of fields that no `discretize` cuts; 0: none
  };
  Fields fields{};
  /// The base of a robot file moves freely.
  bool is_floating = false;
  /// Coordinates that move along curves over time, or only begin near their beginnings.
  struct Followed {
    std::string coordinate;
    std::shared_ptr<const Spline> curve;
    bool is_driven = true;  ///< by a motor; else the beginning of the curve is a guess of the start
  };
  std::vector<Followed> followed{};
  /// Nothing is left free by those: start values of the text are guesses.
  bool follows_all = false;
  /// Folders whose files may be tables, besides the model's own.
  std::vector<std::string> table_folders{};
};

/// A model and what was found in its text.
struct ModelReading {
  std::optional<Model> model;  ///< nothing when there is an error
  std::vector<Diagnostic> diagnostics;
  SourceText source;  ///< what the diagnostics point into
};

}  // namespace visviva
