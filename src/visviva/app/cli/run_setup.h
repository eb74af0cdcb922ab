// What commands that run a model do before the run: options from the command line or the study, and
// a compiled system.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "visviva/app/cli/check_file.h"
#include "visviva/app/cli/commands.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {

/// Options of a run from the command line, else from the model's study; WrongCommand when neither says how long,
/// unless there is an answer for that case, or when an option cannot be read.
RunOptions make_run_options(const RunTexts& given, const StudyData& study,
                            std::optional<double> until = {});

/// What a run or a page is called where nobody says: the model's name, and its case where one is applied, so
/// that two cases do not share a file.
std::string default_stem(const ModelData& model);

/// The cases that `--cases` names: all, or names with commas between. WrongCommand for one that there is not; empty for no text.
std::vector<std::string> list_cases(const ModelData& model, const std::string& text);

/// The energies; nothing where the constraints cannot be embedded, and that is said on `err`.
std::optional<Energies> analyze_energy_or_remark(const Equations& equations, std::ostream& err);

/// Remarks about how the system runs, and about the model's own outputs, not about extra ones.
void print_system_remarks(const CompiledSystem& system, const ModelData& model, std::ostream& err);

/// Throws a ModelError for all that has no value, whether the start needs it or the run, and for
/// unknown forces that nothing determines.
void require_run_values(CheckedModel& checked, const Equations& equations,
                        const CompiledSystem& system);

}  // namespace visviva
