// The commands of the program: each takes its options and two streams, and answers with an exit
// status.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/app/cli/check_file.h"
#include "visviva/base/source_text.h"
#include "visviva/codegen/export/export.h"
#include "visviva/equations/equations.h"
#include "visviva/text/build/read_model.h"

namespace visviva {

/// The exit statuses, the same for every command.
enum ExitStatus {
  exit_good = 0,
  exit_wrong_model = 1,
  exit_wrong_command = 2,
  exit_not_certified = 3,
  exit_our_bug = 4
};

/// The options of every command that takes a model.
struct CommandOptions {
  std::string model;  ///< path
  std::optional<SourceText>
      text{};  ///< the model itself, where it is in memory rather than in that file
  ReadOptions read;
  bool json = false;
  bool colour = false;
  bool strict = false;      ///< undecided claims are errors
  bool shows_start = true;  ///< warnings about the start state are worth showing
  CheckOptions check{};
  bool takes_whole_fields = false;  ///< the command has a use for fields that nobody discretized
};

struct DeriveOptions {
  Method method = Method::kane;
  std::string format = "text";  ///< or "latex"; "json" is CommandOptions::json
  bool full = false;            ///< everything, however large the mechanism is
};

/// How to run, as on the command line; what is not given comes from the model's study, or has a
/// default.
struct RunTexts {
  std::optional<std::string> until, every, tolerance, energy, max_step;
  std::string method = "auto";
  std::optional<std::string> certify;  ///< "state"

  bool is_any_given() const {
    return until || every || tolerance || energy || max_step || certify || method != "auto";
  }
};

struct ProveOptions {
  std::vector<std::string>
      variations;  ///< none: the methods are compared; else the action is varied
  RunTexts run;    ///< `until` alone
};

struct EvaluateOptions {
  bool equilibrium = false;            ///< not at the start state, but at the equilibrium near it
  std::optional<std::string> inverse;  ///< "NAME''=VALUE, ...": forces for these accelerations
  std::optional<std::string> along;    ///< a file whose motion the coordinates follow
  RunTexts run;                        ///< along time: of the file, or of the model's own motion
  std::optional<std::string> out;      ///< a CSV file for the rows
  bool force = false;                  ///< replace a file that visviva did not write

  bool is_over_time() const { return along || run.until || out; }
};

struct EnergyOptions {
  std::string format = "text";  ///< text or latex
  bool full = false;            ///< everything, however large the mechanism is
};

struct LinearizeOptions {
  std::string format = "text";        ///< text or latex
  bool equilibrium = false;           ///< as in EvaluateOptions
  std::optional<std::string> period;  ///< of the motion, for Floquet multipliers
  bool full = false;                  ///< everything, however large the mechanism is
};

struct ExportOptions {
  ExportLanguage language = ExportLanguage::c;
  Method method = Method::kane;
  std::string file;    ///< empty: the model's name in the current folder; "-": standard output
  bool force = false;  ///< replace a file that visviva did not write
};

/// How a file came to be, written into it.
struct MadeBy {
  std::string version, command;
};

struct SimulateOptions {
  RunTexts run;
  std::optional<std::string>
      out;  ///< the folder; else the model's name, its case and "_run" in this one
  std::optional<std::string> plot;  ///< a file of a figure to write too, and more for more figures
  std::string cases;                ///< "all", or names with commas between: a run of each
  bool force = false;               ///< replace files that visviva did not write
  MadeBy made_by;
};

struct ReportOptions {
  RunTexts run;
  std::optional<std::string> along;  ///< a file whose motion the coordinates follow
  std::string cases;  ///< "all", or names with commas between: their runs are shown side by side
  std::optional<std::string>
      out;             ///< the page; else the model's name, its case and ".html" in this folder
  bool force = false;  ///< replace a file that visviva did not write
  MadeBy made_by;
};

struct ConvertOptions {
  std::string file;  ///< of the robot
  std::string out;   ///< the model to write; empty or "-" for standard output
  bool is_floating = false;
  bool force = false;  ///< replace a file that visviva did not write
  bool json = false;
  bool colour = false;
};

/// A starting model NAME.viva in the current folder; refuses to overwrite a file.
int run_new(const std::string& name, std::ostream& out, std::ostream& err);
/// Parse, units, consistency; a summary.
int run_check(const CommandOptions& options, std::ostream& out, std::ostream& err);
/// The equations of motion by one method.
int run_derive(const CommandOptions& options, const DeriveOptions& derive_options,
               std::ostream& out, std::ostream& err);
/// Energies, and which integrals of the motion are constant, why.
int run_energy(const CommandOptions& options, const EnergyOptions& energy_options,
               std::ostream& out, std::ostream& err);
/// Who acts on whom, with which force and moment; invariance and the third law.
int run_interactions(const CommandOptions& options, std::ostream& out, std::ostream& err);
/// The methods compared with each other; exit_not_certified unless they are proved equal. With variations, Hamilton's
/// principle instead: the action along the motion and its slopes towards paths beside it.
int run_prove(const CommandOptions& options, const ProveOptions& prove_options, std::ostream& out,
              std::ostream& err);
/// Accelerations, multipliers, reactions, energies and outputs at one state.
int run_evaluate(const CommandOptions& options, const EvaluateOptions& evaluate_options,
                 std::ostream& out, std::ostream& err);
/// The same over time, along a file's motion or the model's own.
int run_evaluate_along(const CommandOptions& options, const EvaluateOptions& evaluate_options,
                       std::ostream& out, std::ostream& err);
/// Small motions about one state: A, B, eigenvalues, modes.
int run_linearize(const CommandOptions& options, const LinearizeOptions& linearize_options,
                  std::ostream& out, std::ostream& err);
/// A run with its certificate; exit_not_certified when that does not hold or the end was not
/// reached.
int run_simulate(const CommandOptions& options, const SimulateOptions& simulate_options,
                 std::ostream& out, std::ostream& err);
/// One page about the model and a run.
int run_report(const CommandOptions& options, const ReportOptions& report_options,
               std::ostream& out, std::ostream& err);
/// The equations of motion as a source file.
int run_export(const CommandOptions& options, const ExportOptions& export_options,
               std::ostream& out, std::ostream& err);
/// A robot file as a model's text.
int run_convert(const ConvertOptions& options, std::ostream& out, std::ostream& err);
/// What a diagnostic's code means, with an example.
int run_explain(const std::string& code, std::ostream& out, std::ostream& err);

}  // namespace visviva
