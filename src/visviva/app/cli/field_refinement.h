// What elements leave out of a run: the same run with other ones, compared.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "visviva/app/cli/check_file.h"
#include "visviva/simulation/run/run_options.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// How far a run is from one with other elements for its fields: an estimate of what they leave out, which E_Z does not
/// see.
struct DiscretizationError {
  struct Entry {
    std::string name, unit;   ///< a field, or an output
    double difference = 0.0;  ///< the largest, at places and times that both runs have
    double time = 0.0;        ///< when it is
    double size = 0.0;        ///< the largest value
  };
  std::vector<std::string> with{};  ///< what it was compared with: "w: 10 elements"
  std::vector<Entry> entries{};
  std::string why_not{};  ///< why there is no estimate
};

/// Compares a run, whose samples were kept, with one of half as many elements - of twice as many where their number is
/// odd. Nothing for a model without fields, or a run that did not reach its end.
std::optional<DiscretizationError> estimate_discretization(const CheckedModel& checked,
                                                           const ReadOptions& read,
                                                           const CheckOptions& check,
                                                           const RunOptions& options,
                                                           const Trajectory& run);

/// A paragraph for the certificate.
std::string write_discretization(const DiscretizationError& error);
nlohmann::ordered_json make_discretization_json(const DiscretizationError& error);

}  // namespace visviva
