// The command line program.
#include "visviva/app/cli/run_program.h"

int main(int argument_count, char** arguments) {
  return visviva::run_program(VISVIVA_VERSION, argument_count, arguments);
}
