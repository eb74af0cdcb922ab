#include "visviva/app/cli/interruption.h"

namespace visviva {
namespace {

volatile std::sig_atomic_t requested = 0;

void remember(int) { requested = 1; }

}  // namespace

Interruption::Interruption() {
  requested = 0;
  struct sigaction once {};
  once.sa_handler = remember;
  once.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &once, &on_interrupt_);
  sigaction(SIGTERM, &once, &on_terminate_);
  // A file that may not grow is a problem of writing, with a message of its own.
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignored, &on_file_limit_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &on_interrupt_, nullptr);
  sigaction(SIGTERM, &on_terminate_, nullptr);
  sigaction(SIGXFSZ, &on_file_limit_, nullptr);
}

bool Interruption::is_requested() { return requested != 0; }

}  // namespace visviva
