// Why a run ended as it did, in words.
#pragma once

#include <iosfwd>
#include <string>

#include "visviva/simulation/certificate.h"

namespace visviva {

/// The reason as a sentence without its stop; empty where there is nothing to say.
std::string write_reason_text(const RunReason& reason);

namespace reason {
/// Writes the reason into a stream: std::cerr << run.certificate.reason().
std::ostream& operator<<(std::ostream& out, const RunReason& reason);
}  // namespace reason

/// Why there is no estimate of the error of the states; empty where there is one, or none was asked for.
std::string write_no_state_error_text(const Certificate& certificate);

}  // namespace visviva
