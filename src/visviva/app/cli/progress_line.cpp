#include "visviva/app/cli/progress_line.h"

#include <fmt/format.h>

namespace visviva {
namespace {

// "12 s", "3 min", "2 h"
std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

constexpr const char* erase_line = "\r\033[K";

}  // namespace

void ProgressLine::show(const Progress& p) {
  if (err_ == nullptr) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  std::string line = fmt::format("t = {:.4g} of {:.4g} s, {} steps, now of {:.2g} s", p.t, p.until,
                                 p.steps, p.step);
  const double spent = std::chrono::duration<double>(now - begin_).count();
  if (p.t > 0.0 && p.until > p.t)
    line += ", about " + duration_text(spent * (p.until - p.t) / p.t) + " left";
  *err_ << erase_line << line << std::flush;
  is_shown_ = true;
}

void ProgressLine::erase() {
  if (is_shown_) *err_ << erase_line << std::flush;
  is_shown_ = false;
}

}  // namespace visviva
