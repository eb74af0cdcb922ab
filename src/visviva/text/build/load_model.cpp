#include "visviva/text/build/load_model.h"

#include <filesystem>

#include "visviva/text/build/find_mesh.h"
#include "visviva/text/build/read_source.h"
#include "visviva/text/robot/convert_robot.h"

namespace visviva {

Model load_model(const std::string& path, const ReadOptions& options) {
  ModelReading reading = try_load_model(path, options);
  if (!reading.model) throw ModelError(std::move(reading.diagnostics));
  return std::move(*reading.model);
}

namespace {

ModelReading fail(const std::string& path, std::vector<Diagnostic> diagnostics) {
  ModelReading failed;
  failed.source.file = path;
  failed.diagnostics = std::move(diagnostics);
  return failed;
}

// The text that a robot becomes is what messages about the model point into; those about its file point there.
ModelReading read_robot_model(const SourceText& file, const ReadOptions& options) {
  const auto folder = std::filesystem::path(file.file).parent_path();
  ConvertedRobot robot = convert_robot(
      file, {.is_floating = options.is_floating, .files = make_robot_files(folder, folder)});
  if (!robot.text) {
    ModelReading failed = fail(file.file, robot.diagnostics);
    failed.source = file;
    return failed;
  }
  ModelReading reading = read_model({file.file + " (as a model)", *robot.text}, options);
  reading.source.parts.push_back(file);
  reading.diagnostics.insert(reading.diagnostics.begin(), robot.diagnostics.begin(),
                             robot.diagnostics.end());
  return reading;
}

}  // namespace

ModelReading try_load_model(const std::string& path, const ReadOptions& options) {
  const Result<SourceText, Diagnostic> source = read_source(path);
  if (!source) return fail(path, {source.why()});
  if (is_robot_file(path)) return read_robot_model(*source, options);
  if (options.is_floating)
    return fail(path, {{Severity::error,
                        "E-robot-file",
                        "--floating is for robot files, and '" + path + "' is none",
                        "declare a free joint: joint base free of B on N at No",
                        {path, 0, 0, 0}}});
  return read_model(*source, options);
}

}  // namespace visviva
