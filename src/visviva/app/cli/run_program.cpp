#include "visviva/app/cli/run_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <vector>

#include "visviva/app/cli/command_line.h"
#include "visviva/app/cli/commands.h"
#include "visviva/base/suggest.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

// A closed stream's number would go to the next file that is opened, and what is printed into that file.
// Writing to standard output fails instead; talk gets lost.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int filler = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (filler != stream && filler >= 0) close(filler);
  }
}

// An answer that nobody got is no good answer.
int close_output(int status) {
  std::cout.flush();
  const bool is_written = std::cout.good() && std::ferror(stdout) == 0;
  if (std::fclose(stdout) == 0 && is_written) return status;
  std::fprintf(stderr, "visviva: cannot write to standard output: it is full or closed\n");
  return status == exit_good ? exit_wrong_command : status;
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

// A word that is not known, with the one that it was perhaps meant to be.
std::string describe_unknown(const std::string& kind, const std::string& word,
                             const std::vector<std::string>& known) {
  const std::string nearest = did_you_mean(word, known);
  return "unknown " + kind + " '" + word + "'" + (nearest.empty() ? "" : "; " + nearest);
}

// What is wrong with a command line, and the command whose help says more.
struct Misread {
  std::string problem;
  std::string help = "visviva --help";
};

Misread describe_misread(const CommandLine& line, const std::vector<std::string>& words,
                         const CLI::ParseError& error) {
  if (words.empty()) return {"no command given"};
  const std::string& first = words[0];
  if (!line.has_command(first)) {
    if (first[0] == '-') return {"unknown option '" + first + "'"};
    return {describe_unknown("command", first, line.command_names())};
  }
  const std::string help = "visviva " + first + " --help";
  const std::vector<std::string> options = line.option_names(first);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.rfind("--", 0) == 0 && name.size() > 2 &&
        count(options.begin(), options.end(), name) == 0)
      return {describe_unknown("option", name, options), help};
  }
  return {error.what(), help};
}

int run_command(const std::string& version, int argument_count, char** arguments) {
  CommandLine line(version, command_text(argument_count, arguments));
  try {
    line.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is a wrong command.
    if (error.get_exit_code() == 0) return line.app().exit(error);
    const Misread misread = describe_misread(
        line, {arguments + std::min(argument_count, 1), arguments + argument_count}, error);
    std::cerr << "visviva: " << misread.problem << "\nTry '" << misread.help << "'.\n";
    return exit_wrong_command;
  }
  return line.run(std::cout, std::cerr);
}

}  // namespace

int run_program(const std::string& version, int argument_count, char** arguments) {
  fill_closed_streams();
  try {
    return close_output(run_command(version, argument_count, arguments));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "visviva: internal error: %s; please report it\n", error.what());
    return exit_our_bug;
  }
}

}  // namespace visviva
