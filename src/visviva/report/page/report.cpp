#include "visviva/report/page/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "visviva/base/whole_file.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/small_motion/equilibrium.h"
#include "visviva/report/derivation/short_derivation.h"
#include "visviva/report/page/cases_section.h"
#include "visviva/report/page/derivation_section.h"
#include "visviva/report/page/energy_section.h"
#include "visviva/report/page/fields_section.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/interactions_section.h"
#include "visviva/report/page/model_section.h"
#include "visviva/report/page/modes_section.h"
#include "visviva/report/page/notation_section.h"
#include "visviva/report/page/plot_figure.h"
#include "visviva/report/page/run_section.h"
#include "visviva/report/page/scene_json.h"
#include "visviva/report/page/scene_words.h"
#include "visviva/report/page/summary_section.h"
#include "visviva/report/plot/plot_choice.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/report/plot/plot_tables.h"
#include "visviva/report/trajectory/output_gaps.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

bool has_samples(const Trajectory* run) {
  return run != nullptr && !run->samples.empty() && run->samples.front().size() > 1;
}

void add(const char* id, const char* title, Html content, std::vector<PageSection>* sections) {
  if (!content.empty()) sections->push_back({id, title, std::move(content)});
}

// Where constraints cannot be solved for dependent speeds there is nothing to show.
std::optional<EnergyReport> make_energies(const Equations& equations,
                                          const ConsistentStart& start) {
  const Workspace work(equations.pool());
  auto energies = try_analyze_energy(equations);
  if (!energies) return {};
  return make_energy_report(*std::move(energies), start);
}

const char* name_of(Cause::Kind kind) {
  static constexpr const char* kinds[] = {"load", "body", "constraint", "motor"};
  return kinds[static_cast<int>(kind)];
}

json list_causes(const Causes& causes) {
  json list = json::array();
  for (const Cause& c : causes.list())
    list.push_back({{"kind", name_of(c.kind)}, {"name", c.name}, {"line", c.line}});
  return list;
}

void add_run_rows(const Trajectory& run, HtmlTable* table) {
  if (run.steps == 0) return;
  const Certificate& c = run.certificate;
  table->rows.push_back({"time", fmt::format("{:.10g} s to {:.10g} s", run.t_start, run.t_end)});
  table->rows.push_back({"method", run.method});
  table->rows.push_back({"tolerance of the energy",
                         c.tolerance ? fmt::format("{:.6g} J", *c.tolerance) : "none asked for"});
  if (run.largest_tolerance > 0.0)
    table->rows.push_back(
        {"tolerance of the local error",
         fmt::format("{:.3g} to {:.3g}", run.smallest_tolerance, run.largest_tolerance)});
  if (!run.samples.empty())
    table->rows.push_back({"samples", std::to_string(run.samples.front().size())});
}

Html make_motion(const json& scene, const std::string& words, const std::string& reason) {
  if (scene.is_null())
    return paragraph("There is no motion to show: " +
                     (reason.empty() ? "no sample can be drawn" : reason));
  return element("div", {{"id", "viewer"}, {"class", "viewer"}}, "") + "\n" +
         element("noscript", paragraph("The animation needs JavaScript. " + words)) + "\n";
}

}  // namespace

std::vector<ExtraOutput> list_report_outputs(const Equations& equations, const Scene& scene) {
  std::vector<ExtraOutput> outputs = list_plot_outputs(equations);
  outputs.insert(outputs.end(), scene.outputs.begin(), scene.outputs.end());
  return outputs;
}

Report::Report(const Equations& equations, const ConsistentStart& start, ReportOrigin origin)
    : equations_(equations),
      start_(start),
      origin_(std::move(origin)),
      causes_(equations.motion),
      scene_(make_scene(equations, start)),
      energy_(make_energies(equations, start)) {
  const Workspace work(equations.pool());
  add("model", "Model", make_model_section(origin_.source, origin_.colours, causes_),
      &before_plots_);
  add("notation", "Notation", make_notation_section(equations.motion, start_), &before_plots_);
  add("fields", "Continuous bodies", make_fields_section(origin_.fields), &before_plots_);
  add("derivation", "Equations", make_derivation(), &before_plots_);
  add("integrals", "Integrals", make_integrals(), &before_plots_);
  add("interactions", "Interactions", make_interactions(), &before_plots_);
  modes_ = make_modes();
}

bool Report::is_large() const { return equations_.motion.speeds().size() > most_speeds_in_full; }

// How the program is called for this model.
std::string Report::command_for(const char* verb) const {
  const std::string& file = origin_.source.file;
  return std::string("visviva ") + verb + " " + (file.empty() ? "MODEL" : file) +
         (model().case_name.empty() ? "" : " --case " + model().case_name);
}

Html Report::make_derivation() const {
  const Workspace work(equations_.pool());
  if (auto embedded = try_embed_constraints(equations_)) {
    const bool is_whole = !is_large();
    Derivation derivation = visviva::make_derivation(
        equations_, *std::move(embedded), {.partial_motions = is_whole, .terms = is_whole});
    if (!is_whole) derivation = shorten(std::move(derivation));
    return make_derivation_section(derivation, causes_, command_for("derive"));
  }
  return paragraph(
      "The constraints cannot be solved for dependent speeds at the start state, so that the "
      "equations cannot be written in independent speeds alone.");
}

Html Report::make_integrals() const {
  if (energy_) return make_energy_section(*energy_, causes_, command_for("energy"));
  return paragraph(
      "The constraints cannot be solved for dependent speeds at the start state, so that the "
      "integrals were not examined.");
}

// Numbers need values: a page about bare parameters goes without.
Html Report::make_interactions() const {
  if (!start_.missing.empty()) return {};
  return make_interactions_section(make_interaction_report(equations_, start_), causes_);
}

Html Report::make_modes() const {
  if (!start_.missing.empty() || start_.degrees_of_freedom == 0) return {};
  // A table of modes for each of dozens of degrees of freedom is for programs.
  if (is_large())
    return paragraph(Html("The mechanism is large: ") +
                     element("code", command_for("linearize") + " --equilibrium") +
                     " computes its small motions.");
  // A page is worth having without them.
  try {
    return make_modes_section(find_equilibrium(equations_, start_), equations_.motion);
  } catch (const ModelError& error) {
    return paragraph("No small motions: " + error.diagnostics().front().message + ".") +
           paragraph(element("code", command_for("linearize")) +
                     Html(" computes them at the start values."));
  }
}

Html Report::make_plot_section(const Trajectory& run) const {
  std::vector<Plot> plots = make_plots(run, equations_);
  for (Plot& table : make_table_plots(model())) plots.push_back(std::move(table));
  const std::size_t samples = choose_plot_samples(plots);
  Html html;
  for (std::size_t i = 0; i < plots.size(); ++i)
    html += write_plot_figure(plots[i], "plot-" + std::to_string(i + 1), samples);
  return html;
}

Html Report::make_reproduction(const Trajectory* run) const {
  Html html;
  if (!origin_.command.empty()) {
    const Html button =
        element("button", {{"type", "button"}, {"class", "copy"}, {"data-copy", "command"}},
                "Copy the command");
    html += element("div", {{"class", "copyable"}},
                    element("pre", {{"data-copy-text", "command"}}, origin_.command) + button) +
            "\n";
  }
  HtmlTable table;
  if (!origin_.version.empty()) table.rows.push_back({"version", "Visviva " + origin_.version});
  if (!model().case_name.empty()) table.rows.push_back({"case", model().case_name});
  if (run != nullptr) add_run_rows(*run, &table);
  if (!table.rows.empty()) html += write_table(table);
  for (const std::string& remark : origin_.remarks) html += paragraph(remark);
  return html;
}

Html Report::make_intro(const Trajectory* run) const {
  const std::string& words = model().documentation;
  return (words.empty() ? Html() : element("p", {{"class", "subtitle"}}, words) + "\n") +
         make_summary({.equations = equations_,
                       .degrees_of_freedom = start_.degrees_of_freedom,
                       .conditions = start_.rank,
                       .integrals = energy_ ? &energy_->integrals : nullptr,
                       .run = run});
}

std::string Report::make_page_of(const Trajectory* run, const std::string& no_run) const {
  const Workspace work(equations_.pool());
  json data = {{"causes", list_causes(causes_)}, {"scene", nullptr}};
  std::vector<PageSection> sections = before_plots_;
  if (has_samples(run)) {
    const std::vector<double>& t = run->samples.front();
    data["span"] = {{"from", t.front()}, {"until", t.back()}};
    data["scene"] = make_scene_json(scene_, *run);
    add("plots", "Plots", make_plot_section(*run), &sections);
  }
  add("cases", "Cases", make_cases_section(origin_.cases), &sections);
  if (run != nullptr) {
    Html certificate = make_certificate_section(*run);
    for (const std::string& words : list_gap_words(*run, model())) certificate += paragraph(words);
    for (const std::string& words : origin_.certificate) certificate += paragraph(words);
    add("certificate", "Certificate", certificate, &sections);
    add("modes", "Small motions", modes_, &sections);
  }
  add("reproduce", "Reproduce", make_reproduction(run), &sections);
  const Html motion = make_motion(
      data["scene"], run == nullptr ? "" : describe_scene(scene_, run->t_start, run->t_end),
      run == nullptr ? no_run : write_reason_text(run->reason));
  const std::string title =
      model().name + (model().case_name.empty() ? "" : ", case " + model().case_name);
  return make_page({title, origin_.version, make_intro(run), motion, std::move(sections)}, data);
}

void Report::write(const std::string& file, const Trajectory& run) const {
  const std::string problem = replace_file(file, make(run));
  if (!problem.empty())
    throw UsageError("Report::write", "cannot write '" + file + "': " + problem);
}

}  // namespace visviva
