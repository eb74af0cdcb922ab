// A run's answer as JSON: how it ended, its last state, energies, events and certificate. A number
// that is not finite is null.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "visviva/model/model_data.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// energy_tolerance, max_deviation, holds, constraint_drift, state_error, and what belongs to them.
/// A run that was refused is not certified, whatever E_Z did until then.
nlohmann::ordered_json make_certificate_json(const Trajectory& run);

/// Coordinates, their rates, speeds and integrals over time at the end of a run.
nlohmann::ordered_json make_final_json(const Trajectory& run, const ModelData& model);

/// The trajectory as JSON, all but the samples.
nlohmann::ordered_json make_trajectory_json(const Trajectory& run, const ModelData& model);

/// "below rounding floor", ...; empty for Refusal::none.
const char* name_of(Refusal refusal);

}  // namespace visviva
