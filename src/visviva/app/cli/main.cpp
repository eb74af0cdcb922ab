// The command line program: reads the arguments, runs one command, answers with an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

#include "visviva/app/cli/command_line.h"
#include "visviva/app/cli/commands.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"

namespace {

using namespace visviva;

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

// What is wrong with a command line whose first argument is `word`.
std::string describe_wrong_command(const CommandLine& line, const std::string& word,
                                   const CLI::ParseError& error) {
  if (word.empty()) return "no command given";
  if (line.has_command(word)) return error.what();
  if (word[0] == '-') return "unknown option '" + word + "'";
  const std::string nearest = did_you_mean(word, line.command_names());
  return "unknown command '" + word + "'" + (nearest.empty() ? "" : "; " + nearest);
}

int run(int argument_count, char** arguments) {
  CommandLine line(VISVIVA_VERSION, command_text(argument_count, arguments));
  try {
    line.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is a wrong command.
    if (error.get_exit_code() == 0) return line.app().exit(error);
    const std::string word = argument_count > 1 ? arguments[1] : "";
    std::cerr << "visviva: " << describe_wrong_command(line, word, error)
              << "\nTry 'visviva --help'.\n";
    return exit_wrong_command;
  }
  return line.run(std::cout, std::cerr);
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
