// Integrability of constraints for people and scripts: verdicts as sentences, lines and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "visviva/equations/interactions/integrability.h"

namespace visviva {

/// The verdict on a row as a clause: "integrable with the factor z: y*z is constant".
std::string write_integrability(const RowIntegrability& row);

/// A line for every row of a motion constraint or roll, and for integrable combinations; empty where there are none.
std::string write_integrability_text(const Integrability& found, const ModelData& model);

/// {name, kind, integrable, factor, integral, holonomic, with, rows}: decisions are true, false or "undecided"; of several rows
/// `factor` and `integral` are lists.
nlohmann::ordered_json make_integrability_json(const ConstraintIntegrability& constraint,
                                               const ModelData& model);
/// The same of all constraints, and `combinations`.
nlohmann::ordered_json make_integrability_json(const Integrability& found, const ModelData& model);

}  // namespace visviva
