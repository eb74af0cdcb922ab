// ExportedBlock: a program of an exported file with the places of its results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "visviva/codegen/program/program.h"

namespace visviva {

/// The place to which an output of a program goes: an entry of an array or of a matrix, counted
/// from 0.
struct ExportedTarget {
  const char* array;
  std::size_t row;
  std::optional<std::size_t> column{};
};

/// A program with the meaning of its outputs. Inputs: t, states, inputs, samples.
struct ExportedBlock {
  Program program;  ///< nothing fused
  std::vector<ExportedTarget> targets;
  /// Outputs after the targets, which only name values: parameters and functions of time.
  std::vector<std::string> value_names{};
  /// Identifiers of inputs after the samples, which stand behind the file's own in `inputs`.
  std::vector<std::string> extra_inputs{};
};

/// What a sample changes: an entry of the state.
struct ExportedSampleChange {
  std::size_t sample, state;  ///< counted from 0
};

}  // namespace visviva
