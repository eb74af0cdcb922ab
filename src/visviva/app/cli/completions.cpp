// Completions of commands, options and their values for shells, written from the command line's table.
#include <functional>
#include <string>

#include "visviva/app/cli/command_line.h"
#include "visviva/base/error.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

// Options of a command, help included, or its arguments.
std::vector<const CLI::Option*> list_options(const CLI::App& command, bool are_positional) {
  return command.get_options(
      [&](const CLI::Option* o) { return o->get_positional() == are_positional; });
}

bool has_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string long_name(const CLI::Option& option) { return "--" + option.get_lnames().front(); }

// Between single quotes of a shell.
std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// ---- bash

std::string bash_values(const ValueKind& kind) {
  switch (kind.kind) {
    case ValueKind::word:
      return "mapfile -t COMPREPLY < <(compgen -W " + quote(join_words(kind.words, " ")) +
             " -- \"$word\")";
    case ValueKind::model:
      return "mapfile -t COMPREPLY < <(for ending in viva urdf sdf xml; do compgen -f -X "
             "\"!*.$ending\" -- \"$word\"; done; compgen -d -- \"$word\")";
    case ValueKind::file:
      return "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";
    case ValueKind::folder:
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")";
    default:
      return ":";
  }
}

std::string write_bash(const CommandLine& line) {
  const std::string indent = "      ";
  std::string cases;
  for (const CLI::App* command : line.commands()) {
    std::string names, values;
    for (const CLI::Option* option : list_options(*command, false)) {
      names += (names.empty() ? "" : " ") + long_name(*option);
      if (has_value(*option))
        values += indent + "  " + long_name(*option) + ") " + bash_values(line.kind_of(option)) +
                  "; return ;;\n";
    }
    cases += "    " + command->get_name() + ")\n";
    if (!values.empty()) cases += indent + "case $before in\n" + values + indent + "esac\n";
    cases += indent + "if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W " +
             quote(names) + " -- \"$word\"); return; fi\n";
    for (const CLI::Option* argument : list_options(*command, true))
      cases += indent + bash_values(line.kind_of(argument)) + "\n";
    cases += indent + ";;\n";
  }
  return "# Completions of visviva for bash, written by `visviva completions bash`.\n"
         "_visviva() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W " +
         quote(join_words(line.command_names(), " ") + " --help --version") +
         " -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "}\n"
         "complete -F _visviva visviva\n";
}

// ---- zsh

// Text inside an argument specification: colons and brackets have a meaning there.
std::string escape_zsh(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_values(const ValueKind& kind) {
  switch (kind.kind) {
    case ValueKind::word:
      return ":value:(" + join_words(kind.words, " ") + ")";
    case ValueKind::model:
      return ":model:_files -g \"*.(viva|urdf|sdf|xml)\"";
    case ValueKind::file:
      return ":file:_files";
    case ValueKind::folder:
      return ":folder:_files -/";
    default:
      return ":value: ";
  }
}

std::string write_zsh(const CommandLine& line) {
  std::string names, cases;
  for (const CLI::App* command : line.commands()) {
    names += "    " + quote(command->get_name() + ":" + command->get_description()) + "\n";
    cases += "    " + command->get_name() + ")\n      _arguments";
    for (const CLI::Option* option : list_options(*command, false))
      cases +=
          " \\\n        " + quote((option->check_lname("set") ? "*" : "") + long_name(*option) +
                                  "[" + escape_zsh(option->get_description()) + "]" +
                                  (has_value(*option) ? zsh_values(line.kind_of(option)) : ""));
    for (const CLI::Option* argument : list_options(*command, true))
      cases += " \\\n        " + quote(":" + zsh_values(line.kind_of(argument)).substr(1));
    cases += "\n      ;;\n";
  }
  return "#compdef visviva\n"
         "# Completions of visviva for zsh, written by `visviva completions zsh`.\n"
         "_visviva() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    _arguments '--help[print help]' '--version[print the version]'\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_visviva \"$@\"\n";
}

// ---- fish

std::string fish_values(const ValueKind& kind) {
  switch (kind.kind) {
    case ValueKind::word:
      return " -x -a " + quote(join_words(kind.words, " "));
    case ValueKind::model:
      return " -k -x -a \"(__fish_complete_suffix .viva .urdf .sdf .xml)\"";
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a \"(__fish_complete_directories)\"";
    default:
      return " -x";
  }
}

std::string quote_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "'";
}

std::string write_fish(const CommandLine& line) {
  std::string text =
      "# Completions of visviva for fish, written by `visviva completions fish`.\n"
      "complete -c visviva -f\n"
      "complete -c visviva -n __fish_use_subcommand -l help -d 'print help'\n"
      "complete -c visviva -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const CLI::App* command : line.commands()) {
    text += "complete -c visviva -n __fish_use_subcommand -a " + command->get_name() + " -d " +
            quote_fish(command->get_description()) + "\n";
    const std::string here =
        "complete -c visviva -n '__fish_seen_subcommand_from " + command->get_name() + "'";
    for (const CLI::Option* option : list_options(*command, false))
      text += here + " -l " + option->get_lnames().front() +
              (has_value(*option) ? fish_values(line.kind_of(option)) : "") + " -d " +
              quote_fish(option->get_description()) + "\n";
    for (const CLI::Option* argument : list_options(*command, true))
      if (line.kind_of(argument).kind != ValueKind::text)
        text += here + fish_values(line.kind_of(argument)) + "\n";
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*write)(const CommandLine& line);
};
constexpr Shell shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

}  // namespace

const std::vector<std::string>& list_shells() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Shell& shell : shells) all.emplace_back(shell.name);
    return all;
  }();
  return names;
}

std::string write_completions(const CommandLine& line, const std::string& shell) {
  for (const Shell& known : shells)
    if (shell == known.name) return known.write(line);
  throw UsageError("write_completions",
                   "there is no shell '" + shell + "'; there are " + list_words(list_shells()));
}

}  // namespace visviva
