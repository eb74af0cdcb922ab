#include "visviva/report/page/cases_section.h"

#include "visviva/report/page/plot_figure.h"
#include "visviva/report/plot/overlay.h"
#include "visviva/report/plot/plot_choice.h"

namespace visviva {
namespace {

// Numbers in ids, names in headings: a name may hold any letter.
Html write_case_panel(const CasePanel& panel, std::size_t number, std::size_t samples) {
  const std::string id = "case-" + std::to_string(number);
  Html html = element("h3", {{"id", id}}, panel.name) + "\n";
  if (!panel.documentation.empty())
    html += element("p", {{"class", "muted"}}, panel.documentation) + "\n";
  for (std::size_t i = 0; i < panel.plots.size(); ++i)
    html += write_plot_figure(panel.plots[i], id + "-plot-" + std::to_string(i + 1), samples);
  if (!panel.remark.empty()) html += paragraph(panel.remark);
  return element("section", {{"class", "case-panel"}, {"aria-labelledby", id}}, "\n" + html) + "\n";
}

// Several runs in one figure, where there are not too many curves to tell apart.
Html write_overlays(const std::vector<CasePanel>& cases, std::size_t samples) {
  constexpr std::size_t most_curves = 16;
  std::vector<RunPlots> runs;
  for (const CasePanel& panel : cases)
    if (!panel.plots.empty()) runs.push_back({panel.name, panel.plots});
  if (runs.size() < 2) return {};
  Html figures;
  std::size_t number = 0;
  for (Plot& plot : overlay_runs(runs)) {
    if (plot.series.size() > most_curves) continue;
    plot.title += ", all cases";
    plot.is_folded = false;
    figures += write_plot_figure(plot, "cases-plot-" + std::to_string(++number), samples);
  }
  return figures;
}

}  // namespace

Html make_cases_section(const std::vector<CasePanel>& cases) {
  if (cases.empty()) return {};
  std::vector<Plot> all;
  for (const CasePanel& panel : cases)
    all.insert(all.end(), panel.plots.begin(), panel.plots.end());
  const std::size_t samples = choose_plot_samples(all);
  Html panels;
  for (std::size_t i = 0; i < cases.size(); ++i)
    panels += write_case_panel(cases[i], i + 1, samples);
  return write_overlays(cases, samples) +
         element("div", {{"class", "case-panels"}}, "\n" + panels) + "\n";
}

}  // namespace visviva
