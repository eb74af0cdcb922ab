// Commands of the program, asked about a model in memory.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <sstream>

#include "module.h"
#include "visviva/app/cli/command_line.h"
#include "visviva/app/cli/commands.h"
#include "visviva/base/render.h"
#include "visviva/text/build/read_source.h"
#include "visviva/text/robot/convert_robot.h"

namespace nb = nanobind;

namespace visviva::python {
namespace {

/// Exit status, standard output, standard error.
using Answer = std::tuple<int, std::string, std::string>;

// `text` is the model where it is in memory; `made_by` is what files say they were made with.
Answer run_command(std::vector<std::string> words, const std::optional<std::string>& text,
                   const std::string& file, const std::string& made_by) {
  const nb::gil_scoped_release others_may_run;
  CommandLine line(VISVIVA_VERSION, made_by);
  if (text) line.take_model_text({file, *text});
  std::string program = "visviva";
  std::vector<char*> arguments{program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  std::ostringstream out, err;
  try {
    line.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    return {exit_wrong_command, "", error.what()};
  }
  const int status = line.run(out, err);
  return {status, std::move(out).str(), std::move(err).str()};
}

// The text of a model's file; of a robot's, the model that it stands for.
std::string read_model_text(const std::string& path, bool is_floating) {
  const Result<SourceText, Diagnostic> source = read_source(path);
  if (!source) raise_model_error({source.why()}, {path, ""});
  if (!is_robot_file(path)) {
    if (is_floating)
      throw UsageError("load", "floating is for robot files, and '" + path + "' is none");
    return source->text;
  }
  std::vector<std::string> words = {"convert", path, "--out", "-"};
  if (is_floating) words.push_back("--floating");
  auto [status, text, problem] = run_command(words, {}, path, "");
  if (status == exit_good) return text;
  const ConvertedRobot robot = convert_robot(*source, {.is_floating = is_floating});
  raise_model_error(robot.diagnostics, *source);
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("run_command", &run_command, nb::arg("words"), nb::arg("text").none(), nb::arg("file"),
        nb::arg("made_by"),
        "Runs a command of the program; its exit status, standard output and standard error.");
  m.def("read_model_text", &read_model_text, nb::arg("path"), nb::arg("floating") = false,
        "The text of a model's or robot's file, as a model.");
}

}  // namespace visviva::python
