// Interactions as text, for people.
#pragma once

#include <string>

#include "visviva/report/interactions/interaction_report.h"

namespace visviva {

std::string write_interactions_text(const InteractionReport& report);

/// What of it is not determined; empty when all is.
std::string open_sentence(const Interaction& interaction);
/// Sentences about one interaction: invariance, third law, time.
std::string invariance_sentence(const InteractionReport& report, const Interaction& interaction);
std::string third_law_sentence(const InteractionReport& report, const Interaction& interaction,
                               const InteractionValues& values);
/// The law as an identity, and what is left of it at the state: "F(B) = -F(A), M(B) = -M(A) - (Acm - Bcm) x F(A); left ...". Empty
/// where it does not hold, or has too many terms.
std::string identity_sentence(const InteractionReport& report, const Interaction& interaction,
                              const InteractionValues& values);
/// What forces and moments leave without the ground's share: [0, -2, 0] N*m; of sums that happen to vanish at the state their
/// formulas.
std::string rest_text(const Interaction& interaction, const SumValues& sum);
/// The power of all its forces and moments at the state; empty where nothing has one.
std::string power_sentence(const InteractionReport& report, const Interaction& interaction,
                           const InteractionValues& values);
/// Empty when the interaction does not depend on time.
std::string time_sentence(const InteractionReport& report, const Interaction& interaction,
                          const InteractionValues& values);
/// Whether the power of a potential determines its forces; empty where that needs no words, and of other interactions.
std::string class_sentence(const InteractionReport& report, const Interaction& interaction);

}  // namespace visviva
