// A libFuzzer target: any bytes are a robot's file; converting it must end in diagnostics, or in a text that reads as a
// model or is refused as one.
#include <cstddef>
#include <cstdint>
#include <string>

#include "visviva/base/render.h"
#include "visviva/text/build/read_model.h"
#include "visviva/text/robot/convert_robot.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const visviva::SourceText source{"fuzz.urdf", std::string(data, data + size)};
  const visviva::ConvertedRobot robot = visviva::convert_robot(source);
  visviva::render_diagnostics(robot.diagnostics, source);
  if (!robot.text) return 0;
  const visviva::SourceText text{"fuzz.viva", *robot.text};
  visviva::render_diagnostics(visviva::read_model(text).diagnostics, text);
  return 0;
}
