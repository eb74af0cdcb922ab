// InteractionReport: the interactions of a model with their values at the start state, for writers.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/interactions/integrability.h"
#include "visviva/equations/interactions/interaction_values.h"

namespace visviva {

struct InteractionReport {
  Interactions interactions;
  std::vector<InteractionValues> values;  ///< in the order of interactions.list()
  Integrability integrability;
  bool has_values = true;  ///< false: parameters have none, and numbers mean nothing

  /// What is known of a constraint's integrability; nullptr for what is no constraint.
  const ConstraintIntegrability* find_integrability(const Interaction& interaction) const;
  const ModelData& model() const { return interactions.equations().motion.model(); }
};

InteractionReport make_interaction_report(const Equations& equations, const ConsistentStart& start);

/// True for a vector that people are shown as a formula: a short one, without intermediate quantities. Scripts get all.
bool is_readable(const Vector& v);
/// True when the force or the moment on the part is not identically zero.
bool acts(const PartAction& action);
/// The name of the point that moments on a part are about: "Bcm", "No".
std::string point_name(const InteractionReport& report, int part);
/// The superposed motions that change it: "translation", "rotation", "time".
std::vector<std::string> list_breaks(const Invariance& invariance);

/// Why an interaction is not invariant, in words; empty when it is.
std::string explain_breaks(const InteractionReport& report, const Interaction& interaction);
/// What its dependence on time stands for, in words; empty when there is none.
std::string explain_time(const InteractionReport& report, const Interaction& interaction);

}  // namespace visviva
