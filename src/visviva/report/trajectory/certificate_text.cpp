#include "visviva/report/trajectory/certificate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/trajectory/reason_text.h"

namespace visviva {
namespace {

std::string joules(double x) { return fmt::format("{:.3g} J", x); }

class CertificateWords {
 public:
  explicit CertificateWords(const Trajectory& run) : run_(run), c_(run.certificate) {}

  std::vector<std::string> write() {
    if (run_.steps == 0 && run_.status == RunStatus::refused) return {};
    write_energy();
    write_constraints();
    write_partition();
    write_impulses();
    write_events();
    write_state_error();
    add("This says how closely the numbers follow the equations. It does not show that a force law "
        "or a parameter is right: E_Z is constant for any of them. What happens between two steps, "
        "such as a short pulse, is not seen: --max-step makes them shorter.");
    return std::move(paragraphs_);
  }

 private:
  void add(const std::string& words) { paragraphs_.push_back(words); }

  void write_energy() {
    std::string words = fmt::format(
        "E_Z = K2 + U + Z is constant along the exact motion. Here it stayed within {} of its "
        "start, {:.6g} J",
        joules(c_.max_deviation), c_.start);
    if (c_.max_deviation > 0.0) words += fmt::format("; farthest at t = {:.6g} s", c_.max_time);
    words += ". " + rounding();
    add(words);
    if (c_.scale == 0.0 && c_.max_deviation == 0.0)
      add("Nothing moves by itself here, so that E_Z could not have changed: it shows nothing.");
    if (c_.has_wandered())
      add(fmt::format(
          "In some steps it changed by more than the tolerance of the local error "
          "explains, by {} in sum, first at t = {:.6g} s: the numbers do NOT follow the "
          "equations there.",
          joules(c_.unexplained), c_.unexplained_time));
    if (!c_.tolerance)
      add("No tolerance was asked for, so nothing is certified: give --energy, or `energy` in the "
          "study.");
    else
      write_verdict();
  }

  std::string rounding() const {
    if (!(c_.noise > 0.0)) return {};
    return fmt::format("Rounding alone may change it by {}.", joules(c_.noise));
  }

  // A power of ten, six digits below what moves where rounding allows that.
  double telling_tolerance() const {
    const double wanted = std::max(1e-6 * c_.moving, c_.smallest);
    return std::pow(10.0, std::ceil(std::log10(wanted)));
  }

  void write_verdict() {
    const bool holds = c_.max_deviation <= *c_.tolerance;
    const bool is_whole =
        run_.status == RunStatus::done || run_.status == RunStatus::certificate_failed;
    const std::string until = is_whole ? "" : fmt::format(" until t = {:.6g} s", run_.t_end);
    if (holds)
      add(
          fmt::format("Certificate holds{}: |E_Z - start| <= {} at every accepted step "
                      "and in every row.",
                      until, joules(*c_.tolerance)));
    else
      add(fmt::format("Certificate does NOT hold{}: {} was asked for.", until,
                      joules(*c_.tolerance)));
    if (c_.says_little())
      add(fmt::format(
          "It says little: the energies that move here, K2 and |U - U(start)|, are never "
          "more than {}, and the tolerance is no smaller than a thousandth of that. "
          "Ask for {:.0g} J or less.",
          joules(c_.moving), telling_tolerance()));
  }

  void write_constraints() {
    if (!(c_.position_drift > 0.0 || c_.velocity_drift > 0.0)) return;
    add(
        fmt::format("Constraints: before each correction they were off by at most {:.2g} in "
                    "configuration and {:.2g} in motion (SI units of each).",
                    c_.position_drift, c_.velocity_drift));
  }

  void write_partition() {
    if (c_.partition_changes == 0) return;
    add(fmt::format(
        "The choice of dependent speeds changed {} time{}; Z took up the jumps of K2, "
        "{} in sum.",
        c_.partition_changes, c_.partition_changes == 1 ? "" : "s", joules(c_.partition_jumps)));
  }

  void write_impulses() {
    constexpr std::size_t most = 10;
    const auto column = [](const std::array<double, 3>& c) {
      return fmt::format("({:.6g}, {:.6g}, {:.6g})", c[0] + 0.0, c[1] + 0.0, c[2] + 0.0);
    };
    for (std::size_t k = 0; k < std::min(most, run_.impulses.size()); ++k) {
      const ImpulseRecord& i = run_.impulses[k];
      add(fmt::format(
          "Impulse at t = {:.10g} s, where {} = 0: {} N*s on the whole mechanism along "
          "N.x, N.y, N.z, with the moment {} N*m*s about No; K + U changed by {:.6g} J, "
          "and Z took up "
          "the jump of K2 + U.",
          i.time, i.surface, column(i.impulse), column(i.moment), i.energy));
    }
    if (run_.impulses.size() > most)
      add(fmt::format("And {} impulses more.", run_.impulses.size() - most));
  }

  void write_events() {
    for (const EventDoubt& d : run_.event_doubts) {
      if (d.jumps > 0)
        add(fmt::format(
            "The event {} changed its sign {} at a jump or a pole, first at t = {:.10g} "
            "s: that is no root, and was not counted.",
            d.name, d.jumps == 1 ? "once" : fmt::format("{} times", d.jumps), d.jump_time));
      if (d.unresolved > 0)
        add(
            fmt::format("The event {} varied too fast to be followed in {} step{}, first from t = "
                        "{:.6g} s on: roots may be missing. --max-step makes steps shorter.",
                        d.name, d.unresolved, d.unresolved == 1 ? "" : "s", d.unresolved_time));
      if (d.undefined > 0)
        add(
            fmt::format("The event {} has no value in {} step{} or in parts of them, first from t "
                        "= {:.6g} s on: nothing "
                        "was found there.",
                        d.name, d.undefined, d.undefined == 1 ? "" : "s", d.undefined_time));
      if (d.near > 0)
        add(
            fmt::format("The event {} came next to zero and turned back {}, first at t = {:.10g} "
                        "s, {:.3g} from it: "
                        "that was not counted, and errors of the run decide about it.",
                        d.name, d.near == 1 ? "once" : fmt::format("{} times", d.near), d.near_time,
                        d.near_value));
      if (d.shallow > 0)
        add(
            fmt::format("The event {} passed zero and came back {}, first at t = {:.10g} s, by "
                        "{:.3g} only: less than errors of the run, so that it counts as one touch "
                        "and may be two roots. A smaller --tolerance tells them apart.",
                        d.name, d.shallow == 1 ? "once" : fmt::format("{} times", d.shallow),
                        d.shallow_time, std::abs(d.shallow_value)));
    }
    if (!run_.events.empty() || !run_.event_doubts.empty())
      add("Events are roots that the motion passes through or touches. One that comes and goes "
          "between "
          "values which look smooth is not seen.");
  }

  // Two runs differ by a good part of what the state is.
  bool is_lost() const {
    constexpr double part = 0.1, least = 1e-3;
    double size = 0.0;
    for (std::size_t i = 0; i < run_.state_names.size() && i < run_.end_state.size(); ++i)
      if (run_.state_names[i] == c_.state_error_name)
        size = std::max(std::abs(run_.start_state[i]), std::abs(run_.end_state[i]));
    return *c_.state_error > std::max(least, part * size);
  }

  void write_state_error() {
    if (c_.state_error && is_lost())
      add(fmt::format(
          "States: a run at ten times the tolerance differs from this one by {:.2g}, in "
          "{} at t = {:.6g} s, as much as the motion itself: the states are NOT "
          "determined. The motion is chaotic, or the tolerance too large.",
          *c_.state_error, c_.state_error_name, c_.state_error_time));
    else if (c_.state_error)
      add(
          fmt::format("States: a run at ten times the tolerance differs from this one by at most "
                      "{:.2g}, in {} at t = {:.6g} s; the error of this run is estimated to be "
                      "smaller.",
                      *c_.state_error, c_.state_error_name, c_.state_error_time));
    else if (const std::string why = write_no_state_error_text(c_); !why.empty())
      add("The error of the states is not known: " + why + ".");
    else
      add("E_Z is one number: errors that leave it unchanged, such as those of phase, are not "
          "seen. "
          "--certify state estimates the error of the states.");
  }

  const Trajectory& run_;
  const Certificate& c_;
  std::vector<std::string> paragraphs_;
};

}  // namespace

std::vector<std::string> list_certificate_words(const Trajectory& run) {
  return CertificateWords(run).write();
}

std::string write_certificate_text(const Trajectory& run) {
  std::string text;
  for (const std::string& words : list_certificate_words(run))
    text += wrap_words("  ", words) + "\n";
  return text;
}

}  // namespace visviva
