// A certified run of a robot: Atlas, floating without gravity, every joint at 0.1 rad and 1 rad/s, 10 s to 1e-6 J, against what
// its evaluations cost alone. VISVIVA_ROBOTS names the folder of atlas.urdf; without it nothing is measured.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "measured_run.h"
#include "visviva/simulation/run/simulate.h"
#include "visviva/text/robot/convert_robot.h"

namespace visviva::bench {
namespace {

constexpr double duration = 10, deviation = 1e-6;  // s, J
constexpr double share_allowed = 1.5,
                 allowed = 0.1;  // of the evaluations; s besides, from text to code

// The text of the robot with the start values: coordinates of the base keep theirs.
std::optional<SimulatedSystem> read_atlas() {
  const char* folder = std::getenv("VISVIVA_ROBOTS");
  std::ifstream file(std::string(folder == nullptr ? "" : folder) + "/atlas.urdf");
  if (folder == nullptr || !file) return std::nullopt;
  std::ostringstream xml;
  xml << file.rdbuf();
  const ConvertedRobot robot = convert_robot({"atlas.urdf", xml.str()}, {.is_floating = true});
  if (!robot.text) return std::nullopt;
  std::istringstream lines(*robot.text);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const std::string head = "coordinate ";
    if (line.rfind("parameter g = ", 0) == 0) line = "parameter g = 0 m/s^2";
    if (line.rfind(head, 0) == 0 && line.rfind(head + "base_", 0) != 0)
      line += " = 0.1 rad, " + line.substr(head.size()) + "' = 1 rad/s";
    text += line + "\n";
  }
  return SimulatedSystem{"atlas", text, duration};
}

void measure(benchmark::State& state) {
  const std::optional<SimulatedSystem> atlas = read_atlas();
  if (!atlas) {
    state.SkipWithError("VISVIVA_ROBOTS names no folder with atlas.urdf");
    return;
  }
  for ([[maybe_unused]] const auto _ : state) {
    const double start = thread_seconds();
    const Course course(*atlas);
    const double to_code = thread_seconds() - start;
    const MeasuredRun run = run_moderated(course, "auto", deviation, true);
    const double alone = run.evaluations * time_rates(course);
    state.counters["text_to_code_ms"] = 1e3 * to_code;
    state.counters["run_ms"] = 1e3 * run.seconds;
    state.counters["evaluations"] = run.evaluations;
    state.counters["evaluations_ms"] = 1e3 * alone;
    state.counters["deviation_J"] = run.deviation;
    state.counters["of_allowed"] = (to_code + run.seconds) / (share_allowed * alone + allowed);
  }
}
BENCHMARK(measure)->Name("robot_run/atlas")->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace visviva::bench
