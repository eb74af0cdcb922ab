// `visviva export MODEL --as c|python|matlab`: the equations of motion as one source file.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_statements.h"
#include "visviva/equations/defined_functions.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

json names_of(const std::vector<ExportedVariable>& variables) {
  json names = json::array();
  for (const ExportedVariable& v : variables) names.push_back(v.name);
  return names;
}

}  // namespace

int run_export(const CommandOptions& options, const ExportOptions& export_options,
               std::ostream& out, std::ostream& err) {
  return with_model(options, out, err, [&](CheckedModel& checked) {
    require_defined_functions(checked.motion->model());
    const Equations equations = derive(*checked.motion, export_options.method);
    const ExportedSystem system = make_exported_system(equations, checked.start);
    const std::string text = write_export(system, export_options.language);
    const bool to_stream = export_options.file == "-";
    const fs::path file = export_options.file.empty()
                              ? system.identifier + "." + export_suffix(export_options.language)
                              : export_options.file;
    if (system.energies_missing)
      err << "Remark: the file has no energies: "
          << describe_energies_missing(*system.energies_missing) << '\n';
    if (to_stream) {
      out << text;
      return exit_good;
    }
    require_writable(
        {file.string(), OutputKind::source, "--out", options.model, export_options.force});
    write_output(file.string(), text);
    if (options.json) {
      const json answer = {{"file", file.string()},
                           {"method", system.method},
                           {"states", names_of(system.states)},
                           {"inputs", names_of(system.inputs)},
                           {"parameters", names_of(system.parameters)},
                           {"operations", system.equations.program.arithmetic_count() +
                                              system.equations.program.function_count()},
                           {"has_energies", system.energies.has_value()},
                           {"warnings", diagnostics_json(checked.diagnostics, Severity::warning)}};
      print_json(answer, out);
    } else {
      out << "wrote " << file.string() << '\n';
    }
    return exit_good;
  });
}

}  // namespace visviva
