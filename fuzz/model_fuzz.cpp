// A libFuzzer target: any bytes are a model's text; reading and checking it must end in a model or
// in diagnostics.
#include <cstddef>
#include <cstdint>
#include <string>

#include "visviva/base/render.h"
#include "visviva/kinematics/check_model.h"
#include "visviva/text/build/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const visviva::SourceText source{"fuzz.viva", std::string(data, data + size)};
  const visviva::ModelReading reading = visviva::read_model(source);
  visviva::render_diagnostics(reading.diagnostics, source);
  if (!reading.model) return 0;
  try {
    const visviva::Kinematics motion = visviva::analyze_motion(*reading.model);
    visviva::check_model(motion, visviva::make_consistent_start(motion));
  } catch (const visviva::ModelError&) {
    // A wrong model is what this is for; anything else is a finding.
  }
  return 0;
}
