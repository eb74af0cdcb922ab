// The command line program: reads the arguments, runs one command, answers with an exit status.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

// Exit statuses, the same for every command.
enum ExitStatus {
  good = 0,
  wrong_command = 2,
  our_bug = 4,
};

constexpr std::string_view help_text =
    R"(Visviva: symbolic equations of motion, and simulations that prove themselves.

Usage: visviva COMMAND [ARGUMENTS]

Options:
  --help       print this text
  --version    print the version

Exit status: 0 good, 2 the command is wrong, 4 a bug of ours.
)";

int complain(std::string_view message) {
  fmt::print(stderr, "visviva: {}\nTry 'visviva --help'.\n", message);
  return wrong_command;
}

int run(int argument_count, char** arguments) {
  if (argument_count < 2) return complain("no command given");

  const std::string_view first = arguments[1];
  if (first == "--help" || first == "-h") {
    fmt::print("{}", help_text);
    return good;
  }
  if (first == "--version") {
    fmt::print("visviva {}\n", VISVIVA_VERSION);
    return good;
  }
  if (first.starts_with('-')) return complain(fmt::format("unknown option '{}'", first));
  return complain(fmt::format("unknown command '{}'", first));
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    return run(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "visviva: internal error: %s; please report it\n", error.what());
    return our_bug;
  }
}
