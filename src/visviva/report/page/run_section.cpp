#include "visviva/report/page/run_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/escape.h"
#include "visviva/report/trajectory/certificate_text.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/report/page/html_table.h"

namespace visviva {
namespace {

std::string digits(double x, int count = 8) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x + 0.0, count) : "not determined";
}

std::string badge(const char* look, const std::string& words) {
  return std::string("<span class=\"verdict ") + look + "\">" + words + "</span>";
}

std::string make_energy_table(const Trajectory& run) {
  if (run.steps == 0) return "";
  HtmlTable table{"", {"energy, J", "start", "end", "largest deviation from the start"}, {}};
  for (const char* name : {"K", "K0", "K1", "K2", "U", "Z", "E_Z", "E", "H", "C"}) {
    const auto found = run.energies.find(name);
    if (found == run.energies.end()) continue;
    const EnergyExtent& e = found->second;
    table.rows.push_back({name, number_cell(digits(e.start)), number_cell(digits(e.end)),
                          number_cell(digits(e.max_deviation, 3))});
  }
  return table.rows.empty() ? "" : "<h3>Energies</h3>\n" + write_table(table);
}

std::string make_event_table(const Trajectory& run) {
  if (run.events.empty()) return "";
  constexpr std::size_t most = 100;
  HtmlTable table{"", {"event", "t, s", ""}, {}};
  for (std::size_t i = 0; i < std::min(most, run.events.size()); ++i) {
    const EventRecord& e = run.events[i];
    table.rows.push_back({escape_html(e.name), number_cell(digits(e.time, 10)),
                          std::string(e.is_rising ? "rising" : "falling") +
                              (e.is_stop ? ", it stops the run" : "")});
  }
  std::string html = "<h3>Events</h3>\n" + write_table(table);
  if (run.events.size() > most)
    html += fmt::format("<p>And {} more.</p>\n", run.events.size() - most);
  return html;
}

}  // namespace

std::string make_verdict(const Trajectory& run) {
  if (run.status == RunStatus::refused) return badge("bad", "&#10007; run refused");
  if (run.status == RunStatus::stopped) return badge("bad", "&#10007; run stopped early");
  const std::optional<bool> holds = run.certificate.holds();
  if (!holds) return badge("none", "no tolerance was asked for");
  if (!*holds) return badge("bad", "&#10007; certificate does not hold");
  const bool shows_nothing = run.certificate.scale == 0.0 && run.certificate.max_deviation == 0.0;
  return shows_nothing ? badge("none", "certificate holds, but nothing moved")
                       : badge("good", "&#10003; certificate holds");
}

std::string make_certificate_section(const Trajectory& run) {
  std::string html = "<p>" + make_verdict(run) + "</p>\n";
  if (!is_empty(run.reason))
    html += "<p>" + escape_html(write_reason_text(run.reason)) + "</p>\n";
  if (run.steps > 0)
    html += fmt::format(
        "<p>From t = {} s to {} s with {}: {} steps, {} rejected, {} evaluations.</p>\n",
        digits(run.t_start), digits(run.t_end), escape_html(run.method), run.steps, run.rejected,
        run.evaluations);
  for (const std::string& words : list_certificate_words(run))
    html += "<p>" + escape_html(words) + "</p>\n";
  return html + make_energy_table(run) + make_event_table(run);
}

}  // namespace visviva
