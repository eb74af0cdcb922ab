#include "visviva/app/cli/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <ostream>

#include "visviva/app/cli/commands.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"
#include "visviva/report/derivation/short_derivation.h"

namespace visviva {
namespace {

const std::vector<std::string> formats = {"text", "latex", "json"};
const std::vector<std::string> languages = {"c", "python", "matlab"};
constexpr Method derivation_methods[] = {Method::kane, Method::lagrange, Method::hamilton,
                                         Method::newton_euler};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method m : derivation_methods) names.emplace_back(method_name(m));
  return names;
}

// Both for words that take_words() has let through.
Method find_method(const std::string& word) {
  return *std::find_if(std::begin(derivation_methods), std::end(derivation_methods),
                       [&](Method m) { return method_name(m) == word; });
}
ExportLanguage find_language(const std::string& word) {
  return static_cast<ExportLanguage>(std::find(languages.begin(), languages.end(), word) -
                                     languages.begin());
}

// "NAME=VALUE" taken apart.
std::pair<std::string, std::string> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw CLI::ValidationError("--set", "expected NAME=VALUE, found '" + text + "'");
  }
  const auto trim = [](const std::string& s) {
    const std::size_t first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : s.substr(first, last - first + 1);
  };
  return {trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
}

}  // namespace

// What add_model_options() reads.
struct CommandLine::ModelArguments {
  CommandOptions options;
  std::vector<std::string> settings;
  const std::optional<SourceText>* text = nullptr;

  CommandOptions take() const {
    CommandOptions taken = options;
    taken.text = *text;
    for (const std::string& s : settings) {
      const auto setting = split_setting(s);
      // One of two values would be dropped.
      for (const auto& before : taken.read.settings)
        if (before.first == setting.first)
          throw CLI::ValidationError("--set", "'" + setting.first + "' is given twice");
      taken.read.settings.push_back(setting);
    }
    return taken;
  }
};

CommandLine::CommandLine(const std::string& version, const std::string& command)
    : app_("Visviva: equations of motion, and simulations that prove themselves", "visviva"),
      version_(version) {
  app_.set_version_flag("--version", "visviva " + version);
  app_.require_subcommand(1);
  app_.footer(
      "Exit status: 0 good, 1 the model is wrong, 2 the command is wrong, 3 not proved or not "
      "finished, 4 a bug of ours.");
  add_new();
  add_check();
  add_derive();
  add_energy();
  add_interactions();
  add_prove();
  add_evaluate();
  add_linearize();
  add_simulate(command);
  add_report(command);
  add_export();
  add_convert();
  add_explain();
  add_manual();
  add_completions();
  require_values();
}

// An empty value would count as none, and what was asked for by it be dropped without a word.
void CommandLine::require_values() {
  const CLI::Validator is_not_empty(
      [](const std::string& word) {
        return word.find_first_not_of(' ') == std::string::npos ? "a value is missing"
                                                                : std::string();
      },
      "");
  for (CLI::App* command : app_.get_subcommands({})) {
    for (CLI::Option* option : command->get_options())
      if (!option->get_lnames().empty() && option->get_items_expected_max() > 0)
        option->check(is_not_empty);
  }
}

std::vector<const CLI::App*> CommandLine::commands() const {
  return app_.get_subcommands(
      [](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> CommandLine::command_names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : commands()) names.push_back(command->get_name());
  return names;
}

bool CommandLine::has_command(const std::string& name) const {
  return !app_.get_subcommands([&](const CLI::App* c) { return c->get_name() == name; }).empty();
}

std::vector<std::string> CommandLine::option_names(const std::string& command) const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_.get_subcommand(command)->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

ValueKind CommandLine::kind_of(const CLI::Option* option) const {
  const auto found = kinds_.find(option);
  return found == kinds_.end() ? ValueKind() : found->second;
}

// ---- What commands share

CLI::App* CommandLine::add_command(const char* name, const char* meaning) {
  return app_.add_subcommand(name, meaning);
}

// Options that mean the same wherever they apply.
std::shared_ptr<CommandLine::ModelArguments> CommandLine::add_model_options(CLI::App* command) {
  auto a = std::make_shared<ModelArguments>();
  a->text = &text_;
  a->options.colour = isatty(STDERR_FILENO) != 0;
  take(command
           ->add_option("MODEL", a->options.model,
                        "a model (.viva) or a robot (.urdf, .sdf, MJCF .xml)")
           ->required(),
       ValueKind::model);
  command->add_flag("--json", a->options.json, "one JSON object on standard output");
  command->add_flag("--strict", a->options.strict, "a claim that cannot be decided is an error");
  command->add_option("--case", a->options.read.case_name, "apply a case of the model");
  command
      ->add_option("--set", a->settings,
                   "NAME=VALUE: a parameter, start value, input or specified function; repeatable")
      ->allow_extra_args(false);
  take(command
           ->add_option("--tables", a->options.read.table_folders,
                        "a folder whose files may be tables, besides the model's; repeatable")
           ->allow_extra_args(false),
       ValueKind::folder);
  command->add_flag("--floating", a->options.read.is_floating,
                    "the base of a robot file moves freely");
  command->add_flag(
      "--integrate-constraints", a->options.check.integrates_constraints,
      "keep integrals of integrable motion constraints, so that a run does not drift");
  return a;
}

void CommandLine::add_equilibrium(CLI::App* command, bool* equilibrium) {
  command->add_flag("--equilibrium", *equilibrium, "at the equilibrium near the start state");
}

void CommandLine::add_run_options(CLI::App* command, RunTexts* run) {
  command->add_option("--until", run->until, "when to end: 10, \"10 s\", \"2 min\"");
  command->add_option("--every", run->every, "time between samples");
  command->add_option("--tolerance", run->tolerance, "of the local error, relative to 1 + |state|");
  command->add_option("--energy", run->energy,
                      "what E_Z may deviate by at any step: 1e-6, \"1e-6 J\", \"1e-9 relative\"");
  command->add_option("--method", run->method, "auto, or the name of an integrator");
  command->add_option("--max-step", run->max_step, "the longest step");
  command->add_option("--certify", run->certify, "'state': estimate the error of the states too");
}

void CommandLine::add_method(CLI::App* command, std::string* method) {
  *method = method_name(Method::kane);
  take_words(command->add_option("--method", *method, "kane, lagrange, hamilton or newton-euler"),
             method_names());
}

void CommandLine::add_force(CLI::App* command, bool* force) {
  command->add_flag("--force", *force, "replace files that visviva did not write");
}

void CommandLine::take_words(CLI::Option* option, const std::vector<std::string>& words) {
  kinds_[option] = {ValueKind::word, words};
  // A validator without a description, so that help stays short.
  option->check(CLI::Validator(
      [words](const std::string& word) {
        if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
        const std::string nearest = did_you_mean(word, words);
        return "'" + word + "' is none of " + join_words(words) +
               (nearest.empty() ? "" : "; " + nearest);
      },
      ""));
}

// ---- Commands

void CommandLine::add_new() {
  CLI::App* command = add_command("new", "write a starting model");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "its name; the file is NAME.viva")->required();
  command->callback([this, name] {
    work_ = [name](std::ostream& out, std::ostream& err) { return run_new(*name, out, err); };
  });
}

void CommandLine::add_check() {
  CLI::App* command = add_command("check", "parse, units, consistency; a summary");
  const auto a = add_model_options(command);
  command->callback([this, a] {
    work_ = [o = a->take()](std::ostream& out, std::ostream& err) {
      return run_check(o, out, err);
    };
  });
}

void CommandLine::add_full(CLI::App* command, bool* full) {
  command->add_flag("--full", *full,
                    "everything, of mechanisms with more than " +
                        std::to_string(most_speeds_in_full) + " speeds too");
}

void CommandLine::add_derive() {
  struct Arguments {
    std::string method, format = "text";
    bool full = false;
  };
  CLI::App* command = add_command("derive", "the equations of motion");
  const auto a = add_model_options(command);
  auto given = std::make_shared<Arguments>();
  add_method(command, &given->method);
  take_words(command->add_option("--format", given->format, "text, latex or json"), formats);
  add_full(command, &given->full);
  command
      ->add_option("--express", a->options.read.expressions,
                   "\"EXPRESSION in FRAME\": a vector by its components there, or a scalar; "
                   "repeatable")
      ->allow_extra_args(false);
  command->callback([this, a, given] {
    a->options.shows_start = false;
    if (given->format == "json") a->options.json = true;
    const DeriveOptions derive{find_method(given->method), given->format, given->full};
    work_ = [o = a->take(), derive](std::ostream& out, std::ostream& err) {
      return run_derive(o, derive, out, err);
    };
  });
}

void CommandLine::add_energy() {
  CLI::App* command = add_command(
      "energy",
      "K0 K1 K2 U sigma sigma_R P_nonconservative; which integrals are constant, and why");
  const auto a = add_model_options(command);
  auto energy = std::make_shared<EnergyOptions>();
  take_words(command->add_option("--format", energy->format, "text, latex or json"), formats);
  add_full(command, &energy->full);
  command->callback([this, a, energy] {
    if (energy->format == "json") a->options.json = true;
    work_ = [o = a->take(), energy](std::ostream& out, std::ostream& err) {
      return run_energy(o, *energy, out, err);
    };
  });
}

void CommandLine::add_interactions() {
  CLI::App* command = add_command(
      "interactions", "who acts on whom: forces and moments, invariance, the third law");
  const auto a = add_model_options(command);
  command->callback([this, a] {
    work_ = [o = a->take()](std::ostream& out, std::ostream& err) {
      return run_interactions(o, out, err);
    };
  });
}

void CommandLine::add_prove() {
  CLI::App* command = add_command("prove", "the methods compared with each other, exactly");
  const auto a = add_model_options(command);
  auto given = std::make_shared<ProveOptions>();
  command
      ->add_option(
          "--variation", given->variations,
          "\"y: 1 m/s^2*t*(1 s - t)\": instead, the action along the motion and its slopes "
          "towards y + e*(...), Hamilton's principle; repeatable")
      ->allow_extra_args(false);
  command->add_option("--until", given->run.until,
                      "the end of the path, with --variation: 10, \"10 s\"");
  command->callback([this, a, given] {
    if (given->variations.empty() && given->run.until)
      throw CLI::ValidationError("--until", "is the end of a varied path: give --variation too");
    a->options.shows_start = !given->variations.empty();
    a->options.read.variations = given->variations;
    work_ = [o = a->take(), given](std::ostream& out, std::ostream& err) {
      return run_prove(o, *given, out, err);
    };
  });
}

void CommandLine::add_evaluate() {
  CLI::App* command =
      add_command("evaluate", "accelerations, multipliers, reactions, energies at one state");
  const auto a = add_model_options(command);
  auto evaluate = std::make_shared<EvaluateOptions>();
  add_equilibrium(command, &evaluate->equilibrium);
  command->add_option("--inverse", evaluate->inverse,
                      "\"NAME''=VALUE, ...\": also the generalized forces that these accelerations "
                      "ask for; 0 for speeds not named");
  take(command->add_option("--along", evaluate->along,
                           "a CSV file, columns t and coordinates: the forces of motors, reactions "
                           "and multipliers that this motion asks for, over time"),
       ValueKind::file);
  take(command->add_option("--out", evaluate->out, "the rows over time, a CSV file"),
       ValueKind::file);
  add_force(command, &evaluate->force);
  add_run_options(command, &evaluate->run);
  command->callback([this, a, evaluate] {
    if (evaluate->is_over_time() && (evaluate->equilibrium || evaluate->inverse))
      throw CLI::ValidationError(evaluate->equilibrium ? "--equilibrium" : "--inverse",
                                 "is of one state: leave out --along, --until and --out");
    if (!evaluate->is_over_time() && evaluate->run.is_any_given())
      throw CLI::ValidationError("--every",
                                 "and the like are about time: give --along, --until or --out too");
    work_ = [o = a->take(), evaluate](std::ostream& out, std::ostream& err) {
      return evaluate->is_over_time() ? run_evaluate_along(o, *evaluate, out, err)
                                      : run_evaluate(o, *evaluate, out, err);
    };
  });
}

void CommandLine::add_linearize() {
  CLI::App* command = add_command("linearize", "A, B, eigenvalues and modes of small motions");
  const auto a = add_model_options(command);
  auto linearize = std::make_shared<LinearizeOptions>();
  add_equilibrium(command, &linearize->equilibrium);
  command->add_option("--period", linearize->period,
                      "the period of the motion, for Floquet multipliers: 2, \"20 ms\"");
  take_words(command->add_option("--format", linearize->format, "text, latex or json"), formats);
  add_full(command, &linearize->full);
  command->callback([this, a, linearize] {
    if (linearize->format == "json") a->options.json = true;
    work_ = [o = a->take(), linearize](std::ostream& out, std::ostream& err) {
      return run_linearize(o, *linearize, out, err);
    };
  });
}

void CommandLine::add_simulate(const std::string& text) {
  CLI::App* command = add_command("simulate", "a run with its certificate");
  const auto a = add_model_options(command);
  auto simulate = std::make_shared<SimulateOptions>();
  simulate->made_by = {version_, text};
  take(
      command->add_option("--out", simulate->out,
                          "the folder; without it MODELNAME_run or MODELNAME-CASE_run in this one"),
      ValueKind::folder);
  add_force(command, &simulate->force);
  add_run_options(command, &simulate->run);
  take(command->add_option("--plot", simulate->plot,
                           "also figures of the run: FILE.svg, .pdf or .png, a file each"),
       ValueKind::file);
  command->add_option(
      "--cases", simulate->cases,
      "all, or names with commas between: a run of each of these cases, in the same figures");
  command->callback([this, a, simulate] {
    work_ = [o = a->take(), simulate](std::ostream& out, std::ostream& err) {
      return run_simulate(o, *simulate, out, err);
    };
  });
}

void CommandLine::add_report(const std::string& text) {
  CLI::App* command = add_command("report", "one page: motion, equations, integrals, plots");
  const auto a = add_model_options(command);
  auto report = std::make_shared<ReportOptions>();
  report->made_by = {version_, text};
  take(command->add_option(
           "--out", report->out,
           "the page; without it MODELNAME.html or MODELNAME-CASE.html in this folder"),
       ValueKind::file);
  command->add_option(
      "--cases", report->cases,
      "all, or names with commas between: a panel of plots for each of these cases");
  take(command->add_option("--along", report->along,
                           "a CSV file, columns t and coordinates: the motion, kept up by motors"),
       ValueKind::file);
  add_force(command, &report->force);
  add_run_options(command, &report->run);
  command->callback([this, a, report] {
    work_ = [o = a->take(), report](std::ostream& out, std::ostream& err) {
      return run_report(o, *report, out, err);
    };
  });
}

void CommandLine::add_export() {
  struct Arguments {
    std::string language, method, file;
    bool force = false;
  };
  CLI::App* command = add_command("export", "the equations of motion as source code");
  const auto a = add_model_options(command);
  auto given = std::make_shared<Arguments>();
  take_words(command->add_option("--as", given->language, "c, python or matlab")->required(),
             languages);
  take(command->add_option("--out", given->file,
                           "the file; without it the model's name in this folder"),
       ValueKind::file);
  add_force(command, &given->force);
  add_method(command, &given->method);
  command->callback([this, a, given] {
    const ExportOptions to{find_language(given->language), find_method(given->method), given->file,
                           given->force};
    work_ = [o = a->take(), to](std::ostream& out, std::ostream& err) {
      return run_export(o, to, out, err);
    };
  });
}

void CommandLine::add_convert() {
  CLI::App* command = add_command("convert", "a robot file as a model");
  auto given = std::make_shared<ConvertOptions>();
  given->colour = isatty(STDERR_FILENO) != 0;
  take(command->add_option("FILE", given->file, "a robot (.urdf, .sdf, MJCF .xml)")->required(),
       ValueKind::file);
  take(command->add_option("--out", given->out,
                           "the model (.viva) to write; without it standard output"),
       ValueKind::file);
  command->add_flag("--floating", given->is_floating, "its base moves freely");
  command->add_flag("--json", given->json, "one JSON object on standard output");
  add_force(command, &given->force);
  command->callback([this, given] {
    work_ = [given](std::ostream& out, std::ostream& err) { return run_convert(*given, out, err); };
  });
}

void CommandLine::add_explain() {
  CLI::App* command = add_command("explain", "what a code such as E-name-unknown means");
  auto code = std::make_shared<std::string>();
  command->add_option("CODE", *code, "the code")->required();
  command->callback([this, code] {
    work_ = [code](std::ostream& out, std::ostream& err) { return run_explain(*code, out, err); };
  });
}

// ---- For those who install the program; help does not show them

void CommandLine::add_manual() {
  CLI::App* command = add_command("manual", "write the manual page as roff");
  command->group("");
  command->callback([this] {
    work_ = [this](std::ostream& out, std::ostream&) {
      out << write_manual(*this);
      return exit_good;
    };
  });
}

void CommandLine::add_completions() {
  CLI::App* command = add_command("completions", "write completions for a shell");
  command->group("");
  auto shell = std::make_shared<std::string>();
  take_words(command->add_option("SHELL", *shell, "bash, zsh or fish")->required(), list_shells());
  command->callback([this, shell] {
    work_ = [this, shell](std::ostream& out, std::ostream&) {
      out << write_completions(*this, *shell);
      return exit_good;
    };
  });
}

}  // namespace visviva
