// `visviva convert robot.urdf --out robot.viva`: a robot file as a model's text.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/base/render.h"
#include "visviva/text/build/find_mesh.h"
#include "visviva/text/build/read_source.h"
#include "visviva/text/robot/convert_robot.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

int answer_wrong_robot(const ConvertOptions& options, const SourceText& source,
                       const std::vector<Diagnostic>& found, std::ostream& out, std::ostream& err) {
  if (options.json)
    print_json({{"errors", diagnostics_json(found, Severity::error)},
                {"warnings", diagnostics_json(found, Severity::warning)}},
               out);
  else
    err << render_diagnostics(found, source, {.colour = options.colour});
  return exit_wrong_model;
}

void write_model(const ConvertOptions& options, const std::string& text) {
  require_writable({options.out, OutputKind::model, "--out", options.file, options.force});
  write_output(options.out, "# written by visviva convert\n" + text);
}

}  // namespace

int run_convert(const ConvertOptions& options, std::ostream& out, std::ostream& err) {
  const Result<SourceText, Diagnostic> source = read_source(options.file);
  if (!source) return answer_wrong_robot(options, {}, {source.why()}, out, err);
  const bool to_stream = options.out.empty() || options.out == "-";
  // The text's meshes are looked for where it will lie.
  const auto folder = std::filesystem::path(options.file).parent_path();
  const auto target = to_stream ? folder : std::filesystem::path(options.out).parent_path();
  const ConvertedRobot robot = convert_robot(
      *source, {.is_floating = options.is_floating, .files = make_robot_files(folder, target)});
  if (!robot.text) return answer_wrong_robot(options, *source, robot.diagnostics, out, err);
  try {
    if (!to_stream) write_model(options, *robot.text);
  } catch (const WrongCommand& wrong) {
    err << "visviva: " << wrong.message << '\n';
    if (options.json)
      print_json({{"errors", diagnostics_json({{Severity::error, "", wrong.message, "", {}}},
                                              Severity::error)}},
                 out);
    return exit_wrong_command;
  }
  if (options.json) {
    json answer = {{"file", to_stream ? json(nullptr) : json(options.out)}};
    if (to_stream) answer["text"] = *robot.text;
    answer["warnings"] = diagnostics_json(robot.diagnostics, Severity::warning);
    print_json(answer, out);
    return exit_good;
  }
  err << render_diagnostics(robot.diagnostics, *source, {.colour = options.colour});
  out << (to_stream ? *robot.text : "wrote " + options.out + "\n");
  return exit_good;
}

}  // namespace visviva
