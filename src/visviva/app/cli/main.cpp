// The command line program: reads the arguments, runs one command, answers with an exit status.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "visviva/app/cli/commands.h"

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
  std::string name, code;
};

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
  app.footer("Exit status: 0 good, 1 the model is wrong, 2 the command is wrong, 4 a bug of ours.");
  Arguments a;
  a.options.colour = isatty(STDERR_FILENO) != 0;
  CLI::App* make = app.add_subcommand("new", "write a starting model");
  make->add_option("NAME", a.name, "its name; the file is NAME.viva")->required();
  CLI::App* check = app.add_subcommand("check", "parse, units, consistency; a summary");
  add_model_options(*check, a);
  CLI::App* explain = app.add_subcommand("explain", "what a code such as E-name-unknown means");
  explain->add_option("CODE", a.code, "the code")->required();
  try {
    app.parse(argument_count, arguments);
    for (const std::string& s : a.settings) a.options.read.settings.push_back(split_setting(s));
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is a wrong command.
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::string word = argument_count > 1 ? arguments[1] : "";
    const bool command = word == "new" || word == "check" || word == "explain";
    if (word.empty())
      std::cerr << "visviva: no command given\n";
    else if (!command && word[0] != '-')
      std::cerr << "visviva: unknown command '" << word << "'\n";
    else if (!command)
      std::cerr << "visviva: unknown option '" << word << "'\n";
    else
      std::cerr << "visviva: " << error.what() << '\n';
    std::cerr << "Try 'visviva --help'.\n";
    return exit_wrong_command;
  }
  if (*make) return run_new(a.name, std::cout, std::cerr);
  if (*explain) return run_explain(a.code, std::cout, std::cerr);
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
