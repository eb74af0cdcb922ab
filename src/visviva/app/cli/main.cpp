// The command line program: reads the arguments, runs one command, answers with an exit status.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

#include "visviva/app/cli/commands.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"

namespace {

using namespace visviva;

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

struct Arguments {
  CommandOptions options;
  std::vector<std::string> settings;
  std::string name, code, method = "kane", format = "text", language = "c", file;
  SimulateOptions simulate;
};

const std::vector<std::string> commands = {"new",    "check",    "derive",    "energy",
                                           "prove",  "evaluate", "linearize", "simulate",
                                           "report", "export",   "explain"};

[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::vector<std::string>& known) {
  const std::string nearest = did_you_mean(word, known);
  throw CLI::ValidationError(option, "'" + word + "' is none of " + join_words(known) +
                                         (nearest.empty() ? "" : "; " + nearest));
}

std::string suggestion(const std::string& word) {
  const std::string nearest = did_you_mean(word, commands);
  return nearest.empty() ? "" : "; " + nearest;
}

Method method_of(const std::string& word) {
  std::vector<std::string> known;
  for (const Method m : {Method::kane, Method::lagrange, Method::hamilton, Method::newton_euler}) {
    if (word == method_name(m)) return m;
    known.emplace_back(method_name(m));
  }
  refuse_word("--method", word, known);
}

DeriveOptions derive_options_of(Arguments& a) {
  const std::vector<std::string> formats = {"text", "latex", "json"};
  if (std::find(formats.begin(), formats.end(), a.format) == formats.end())
    refuse_word("--format", a.format, formats);
  if (a.format == "json") a.options.json = true;
  return {method_of(a.method), a.format};
}

ExportOptions export_options_of(const Arguments& a) {
  const std::vector<std::string> languages = {"c", "python", "matlab"};
  const auto found = std::find(languages.begin(), languages.end(), a.language);
  if (found == languages.end()) refuse_word("--as", a.language, languages);
  return {static_cast<ExportLanguage>(found - languages.begin()), method_of(a.method), a.file};
}

// The command as a shell takes it, so that a file can say how it was made.
std::string command_text(int argument_count, char** arguments) {
  std::string text = "visviva";
  for (int i = 1; i < argument_count; ++i) {
    std::string word = arguments[i];
    const bool is_plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[](){}<>|&;#~!") == std::string::npos;
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4)
      word.replace(at, 1, "'\\''");
    text += is_plain ? " " + word : " '" + word + "'";
  }
  return text;
}

void add_run_options(CLI::App& command, SimulateOptions& s) {
  command.add_option("--until", s.until, "when to end: 10, \"10 s\", \"2 min\"");
  command.add_option("--every", s.every, "time between samples");
  command.add_option("--tolerance", s.tolerance, "of the local error, relative to 1 + |state|");
  command.add_option("--energy", s.energy,
                     "what E_Z may deviate by at any step: 1e-6, \"1e-6 J\", \"1e-9 relative\"");
  command.add_option("--method", s.method, "auto, or the name of an integrator");
  command.add_option("--max-step", s.max_step, "the longest step");
  command.add_option("--certify", s.certify, "'state': estimate the error of the states too");
}

// Options that mean the same wherever they apply.
void add_model_options(CLI::App& command, Arguments& a) {
  command.add_option("MODEL", a.options.model, "a model file (.viva)")->required();
  command.add_flag("--json", a.options.json, "one JSON object on standard output");
  command.add_option("--case", a.options.read.case_name, "apply a case of the model");
  command
      .add_option("--set", a.settings,
                  "NAME=VALUE: a parameter, start value, input or specified function; repeatable")
      ->allow_extra_args(false);
}

int run(int argument_count, char** arguments) {
  CLI::App app("Visviva: equations of motion, and simulations that prove themselves", "visviva");
  app.set_version_flag("--version", std::string("visviva ") + VISVIVA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 good, 1 the model is wrong, 2 the command is wrong, 3 not proved or not "
      "finished, 4 a bug of ours.");
  Arguments a;
  a.options.colour = isatty(STDERR_FILENO) != 0;
  CLI::App* make = app.add_subcommand("new", "write a starting model");
  make->add_option("NAME", a.name, "its name; the file is NAME.viva")->required();
  CLI::App* check = app.add_subcommand("check", "parse, units, consistency; a summary");
  add_model_options(*check, a);
  CLI::App* derive = app.add_subcommand("derive", "the equations of motion");
  add_model_options(*derive, a);
  derive->add_option("--method", a.method, "kane, lagrange, hamilton or newton-euler");
  derive->add_option("--format", a.format, "text, latex or json");
  CLI::App* energy = app.add_subcommand(
      "energy",
      "K0 K1 K2 U sigma sigma_R P_nonconservative; which integrals are constant, and why");
  add_model_options(*energy, a);
  CLI::App* prove = app.add_subcommand("prove", "the methods compared with each other, exactly");
  add_model_options(*prove, a);
  CLI::App* evaluate = app.add_subcommand(
      "evaluate", "accelerations, multipliers, reactions, energies at one state");
  add_model_options(*evaluate, a);
  CLI::App* linearize =
      app.add_subcommand("linearize", "A, B, eigenvalues and modes of small motions");
  add_model_options(*linearize, a);
  for (CLI::App* command : {evaluate, linearize})
    command->add_flag("--equilibrium", a.options.equilibrium,
                      "at the equilibrium near the start state");
  CLI::App* simulate = app.add_subcommand("simulate", "a run with its certificate");
  add_model_options(*simulate, a);
  simulate->add_option("--out", a.simulate.out, "the folder; without it MODELNAME_run in this one");
  add_run_options(*simulate, a.simulate);
  CLI::App* report = app.add_subcommand("report", "one page: motion, equations, integrals, plots");
  add_model_options(*report, a);
  report->add_option("--out", a.simulate.out, "the page; without it MODELNAME.html in this folder");
  add_run_options(*report, a.simulate);
  simulate->add_option("--plot", a.simulate.plot, "also plots of the run, an SVG file");
  a.simulate.version = VISVIVA_VERSION;
  a.simulate.command = command_text(argument_count, arguments);
  CLI::App* export_to = app.add_subcommand("export", "the equations of motion as source code");
  add_model_options(*export_to, a);
  export_to->add_option("--as", a.language, "c, python or matlab")->required();
  export_to->add_option("--out", a.file, "the file; without it the model's name in this folder");
  export_to->add_option("--method", a.method, "kane, lagrange, hamilton or newton-euler");
  CLI::App* explain = app.add_subcommand("explain", "what a code such as E-name-unknown means");
  explain->add_option("CODE", a.code, "the code")->required();
  DeriveOptions derive_options;
  ExportOptions export_options;
  try {
    app.parse(argument_count, arguments);
    derive_options = derive_options_of(a);
    export_options = export_options_of(a);
    for (const std::string& s : a.settings) a.options.read.settings.push_back(split_setting(s));
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is a wrong command.
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::string word = argument_count > 1 ? arguments[1] : "";
    const bool command = std::find(commands.begin(), commands.end(), word) != commands.end();
    if (word.empty())
      std::cerr << "visviva: no command given\n";
    else if (!command && word[0] != '-')
      std::cerr << "visviva: unknown command '" << word << "'" << suggestion(word) << '\n';
    else if (!command)
      std::cerr << "visviva: unknown option '" << word << "'\n";
    else
      std::cerr << "visviva: " << error.what() << '\n';
    std::cerr << "Try 'visviva --help'.\n";
    return exit_wrong_command;
  }
  a.options.shows_start = !*derive && !*prove;
  if (*make) return run_new(a.name, std::cout, std::cerr);
  if (*explain) return run_explain(a.code, std::cout, std::cerr);
  if (*derive) return run_derive(a.options, derive_options, std::cout, std::cerr);
  if (*energy) return run_energy(a.options, std::cout, std::cerr);
  if (*prove) return run_prove(a.options, std::cout, std::cerr);
  if (*evaluate) return run_evaluate(a.options, std::cout, std::cerr);
  if (*export_to) return run_export(a.options, export_options, std::cout, std::cerr);
  if (*simulate) return run_simulate(a.options, a.simulate, std::cout, std::cerr);
  if (*report) return run_report(a.options, a.simulate, std::cout, std::cerr);
  if (*linearize) return run_linearize(a.options, std::cout, std::cerr);
  return run_check(a.options, std::cout, std::cerr);
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    return run(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "visviva: internal error: %s; please report it\n", error.what());
    return visviva::exit_our_bug;
  }
}
