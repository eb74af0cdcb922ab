// The program but for main(): reads the arguments, runs one command, answers with an exit status.
#pragma once

#include <string>

namespace visviva {

/// Does what the arguments ask for, with the version as `--version` prints it, and returns the exit status.
int run_program(const std::string& version, int argument_count, char** arguments);

}  // namespace visviva
