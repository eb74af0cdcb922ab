#include "visviva/report/page/run_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/result_table.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/trajectory/certificate_text.h"
#include "visviva/report/trajectory/reason_text.h"

namespace visviva {
namespace {

std::string digits(double x, int count = 8) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x + 0.0, count) : "not determined";
}

Html badge(const std::string& look, const Html& words) {
  return element("span", {{"class", "verdict " + look}}, words);
}

const char* const cross_mark = "&#10007; ";
const char* const tick_mark = "&#10003; ";

Html make_energy_table(const Trajectory& run) {
  if (run.steps == 0) return {};
  HtmlTable table{.heads = {"energy, J", "start", "end", "largest deviation from the start"}};
  for (const EnergyResult& r : energies_in_joules()) {
    const std::string name(r.name);
    const auto found = run.energies.find(name);
    if (found == run.energies.end()) continue;
    const EnergyExtent& e = found->second;
    table.rows.push_back({name, number_cell(digits(e.start)), number_cell(digits(e.end)),
                          number_cell(digits(e.max_deviation, 3))});
  }
  return table.rows.empty() ? Html() : heading("Energies") + write_table(table);
}

// Columns of rows that are no plots' own.
std::vector<std::size_t> list_event_columns(const Trajectory& run) {
  constexpr std::size_t most = 40;
  std::vector<std::size_t> shown;
  for (std::size_t i = 1; i < run.columns.size() && shown.size() < most; ++i)
    if (run.columns[i].find(' ') == std::string::npos && !run.columns[i].starts_with("scene."))
      shown.push_back(i);
  return shown;
}

Html make_event_table(const Trajectory& run) {
  if (run.events.empty()) return {};
  constexpr std::size_t most = 100;
  HtmlTable table{.heads = {"event", "t, s", ""}};
  const std::vector<std::size_t> columns = list_event_columns(run);
  for (const std::size_t i : columns) table.heads.emplace_back(run.columns[i]);
  for (std::size_t i = 0; i < std::min(most, run.events.size()); ++i) {
    const EventRecord& e = run.events[i];
    table.rows.push_back({e.name, number_cell(digits(e.time, 10)),
                          std::string(e.is_touch    ? "touching zero"
                                      : e.is_rising ? "rising"
                                                    : "falling") +
                              (e.is_stop ? ", it stops the run" : "")});
    for (const std::size_t column : columns)
      table.rows.back().push_back(column < e.row.size() ? number_cell(digits(e.row[column], 8))
                                                        : number_cell(""));
  }
  Html html = heading("Events") + write_table(table);
  if (run.events.size() > most)
    html += paragraph(fmt::format("And {} more.", run.events.size() - most));
  return html;
}

}  // namespace

Html make_verdict(const Trajectory& run) {
  if (run.status == RunStatus::refused) return badge("bad", raw_html(cross_mark) + "run refused");
  if (run.status == RunStatus::stopped)
    return badge("bad", raw_html(cross_mark) + "run stopped early");
  const std::optional<bool> holds = run.certificate.verdict();
  if (run.certificate.has_wandered()) return badge("bad", raw_html(cross_mark) + "E_Z wandered");
  if (!holds) return badge("none", "no tolerance was asked for");
  if (!*holds) return badge("bad", raw_html(cross_mark) + "certificate does not hold");
  const bool shows_nothing = run.certificate.scale == 0.0 && run.certificate.max_deviation == 0.0;
  if (shows_nothing) return badge("none", "certificate holds, but nothing moved");
  if (run.certificate.says_little()) return badge("none", "certificate holds, but says little");
  return badge("good", raw_html(tick_mark) + "certificate holds");
}

Html make_certificate_section(const Trajectory& run) {
  Html html = paragraph(make_verdict(run));
  if (!is_empty(run.reason)) html += paragraph(write_reason_text(run.reason));
  if (run.steps > 0)
    html += paragraph(
        fmt::format("From t = {} s to {} s with {}: {} steps, {} rejected, {} evaluations.",
                    digits(run.t_start), digits(run.t_end), run.method, run.steps, run.rejected,
                    run.evaluations));
  for (const std::string& words : list_certificate_words(run)) html += paragraph(words);
  return html + make_energy_table(run) + make_event_table(run);
}

}  // namespace visviva
