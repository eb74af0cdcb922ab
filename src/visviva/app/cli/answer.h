// What every command that needs a sound model does alike: read it, or say what is wrong with it, in
// text or JSON.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "visviva/app/cli/check_file.h"
#include "visviva/app/cli/commands.h"

namespace visviva {

/// The model that a command is asked about, read with these options.
CheckedModel check_given(const CommandOptions& options, const ReadOptions& read);
inline CheckedModel check_given(const CommandOptions& options) {
  return check_given(options, options.read);
}

/// Diagnostics of one severity as {code, file, line, column, message, help}.
nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& list, Severity severity);

/// Writes an object, whatever bytes its strings hold: what is no UTF-8 becomes U+FFFD.
void print_json(const nlohmann::ordered_json& answer, std::ostream& out);

/// Writes the diagnostics: in JSON an object with `errors` and `warnings` on `out`, else text on
/// `err`. exit_wrong_model.
int answer_errors(const CheckedModel& checked, const CommandOptions& options, std::ostream& out,
                  std::ostream& err);

/// What is wrong with a command, in words.
struct WrongCommand {
  std::string message;
};

/// Checks the model and does `work` on it when it is sound; a ModelError that `work` throws is
/// shown like those of the check, a WrongCommand is said in text and JSON (exit_wrong_command).
/// Warnings go to `err`, except with --json.
int with_model(const CommandOptions& options, std::ostream& out, std::ostream& err,
               const std::function<int(CheckedModel&)>& work);

/// Throws a ModelError (E-value-missing) that lists every parameter and specified function without
/// a value.
void require_values(const CheckedModel& checked);

/// A number for people: six digits.
std::string number_text(double value);

}  // namespace visviva
