// Ctrl-C as a wish: while one of these lives, the first SIGINT or SIGTERM is remembered, and the
// second ends the program.
#pragma once

#include <csignal>

namespace visviva {

class Interruption {
 public:
  Interruption();
  ~Interruption();  ///< signals mean again what they meant before
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool is_requested();

 private:
  struct sigaction on_interrupt_, on_terminate_, on_file_limit_;
};

}  // namespace visviva
