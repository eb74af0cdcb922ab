#include "visviva/report/page/report.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "visviva/base/base64.h"
#include "visviva/base/escape.h"
#include "visviva/equations/equilibrium.h"
#include "visviva/report/page/assets.h"
#include "visviva/report/page/causes.h"
#include "visviva/report/page/derivation_section.h"
#include "visviva/report/page/energy_section.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/model_section.h"
#include "visviva/report/page/modes_section.h"
#include "visviva/report/page/notation_section.h"
#include "visviva/report/page/run_section.h"
#include "visviva/report/page/scene_json.h"
#include "visviva/report/page/scene_words.h"
#include "visviva/report/page/summary_section.h"
#include "visviva/report/plot_choice.h"
#include "visviva/report/plot_figure.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

// A piece of HTML under a heading, with a short title for the list of contents.
struct PageSection {
  std::string id, title, html;
};

std::string paragraph(const std::string& plain) { return "<p>" + escape_html(plain) + "</p>\n"; }

class ReportBuilder {
 public:
  explicit ReportBuilder(const ReportInput& input)
      : in_(input), motion_(input.equations.motion), causes_(motion_) {}

  std::string build() {
    const std::string motion = make_motion_section();
    add("model", "Model", make_model_section(in_.origin.source, in_.origin.colours, causes_));
    add("notation", "Notation", make_notation_section(motion_, in_.start));
    add("derivation", "Equations", make_derivation());
    add("integrals", "Integrals", make_integrals());
    if (has_samples()) add("plots", "Plots", make_plot_section());
    if (in_.run != nullptr) add("certificate", "Certificate", make_certificate_section(*in_.run));
    add("modes", "Small motions", make_modes());
    add("reproduce", "Reproduce", make_reproduction());
    return make_frame(motion);
  }

 private:
  const ModelData& model() const { return motion_.model(); }
  bool has_samples() const {
    return in_.run != nullptr && !in_.run->samples.empty() && in_.run->samples.front().size() > 1;
  }
  void add(const char* id, const char* title, std::string html) {
    if (!html.empty()) sections_.push_back({id, title, std::move(html)});
  }

  // How the program is called for this model.
  std::string command_for(const char* verb) const {
    const std::string& file = in_.origin.source.file;
    return std::string("visviva ") + verb + " " + (file.empty() ? "MODEL" : file) +
           (model().case_name.empty() ? "" : " --case " + model().case_name);
  }

  std::string make_motion_section() const {
    if (!has_samples()) {
      const std::string why = in_.run != nullptr ? in_.run->reason : in_.no_run;
      return paragraph("There is no motion to show: " + why);
    }
    return "<div id=\"viewer\" class=\"viewer\"></div>\n<noscript>" +
           paragraph("The animation needs JavaScript. " +
                     describe_scene(in_.scene, in_.run->t_start, in_.run->t_end)) +
           "</noscript>\n";
  }

  // Where the equations cannot be written in independent speeds alone, the page says so.
  std::string make_derivation() const {
    try {
      return make_derivation_section(visviva::make_derivation(in_.equations), causes_,
                                     command_for("derive"));
    } catch (const UsageError& error) {
      return paragraph("The equations cannot be written out here: " + error.problem());
    }
  }

  std::string make_integrals() const {
    if (in_.energy != nullptr)
      return make_energy_section(*in_.energy, causes_, command_for("energy"));
    return paragraph(
        "The constraints cannot be solved symbolically from the start state, so that the integrals "
        "were not examined.");
  }

  std::string make_plot_section() const {
    const std::vector<Plot> plots = make_plots(*in_.run, in_.equations);
    const std::size_t samples = choose_plot_samples(plots);
    std::string html;
    for (std::size_t i = 0; i < plots.size(); ++i)
      html += write_plot_figure(plots[i], "plot-" + std::to_string(i + 1), samples);
    return html;
  }

  std::string make_modes() const {
    if (in_.run == nullptr) return "";
    return make_modes_section(find_equilibrium(in_.equations, in_.start), motion_);
  }

  std::string make_reproduction() const {
    const ReportOrigin& o = in_.origin;
    std::string html;
    if (!o.command.empty())
      html += "<div class=\"copyable\"><pre data-copy-text=\"command\">" + escape_html(o.command) +
              "</pre><button type=\"button\" class=\"copy\" data-copy=\"command\">Copy the "
              "command</button></div>\n";
    HtmlTable table;
    if (!o.version.empty()) table.rows.push_back({"version", "Visviva " + escape_html(o.version)});
    if (!model().case_name.empty()) table.rows.push_back({"case", escape_html(model().case_name)});
    if (in_.run != nullptr) add_run_rows(*in_.run, &table);
    html += write_table(table);
    for (const std::string& remark : o.remarks) html += paragraph(remark);
    return html;
  }

  static void add_run_rows(const Trajectory& run, HtmlTable* table) {
    const Certificate& c = run.certificate;
    table->rows.push_back({"time", fmt::format("{:.10g} s to {:.10g} s", run.t_start, run.t_end)});
    table->rows.push_back({"method", escape_html(run.method)});
    table->rows.push_back({"tolerance of the energy",
                           c.tolerance ? fmt::format("{:.6g} J", *c.tolerance) : "none asked for"});
    if (run.largest_tolerance > 0.0)
      table->rows.push_back(
          {"tolerance of the local error",
           fmt::format("{:.3g} to {:.3g}", run.smallest_tolerance, run.largest_tolerance)});
    if (!run.samples.empty())
      table->rows.push_back({"samples", std::to_string(run.samples.front().size())});
  }

  // ---- The frame

  // The only script that may run is ours: nothing that a model says can become one.
  static std::string make_policy() {
    const std::string digest = page_script_digest();
    std::vector<unsigned char> bytes;
    for (std::size_t i = 0; i + 1 < digest.size(); i += 2)
      bytes.push_back(static_cast<unsigned char>(std::stoi(digest.substr(i, 2), nullptr, 16)));
    return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
           encode_base64(bytes.data(), bytes.size()) + "'";
  }

  std::string make_title() const {
    return model().name + (model().case_name.empty() ? "" : ", case " + model().case_name);
  }

  std::string make_head() const {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           make_policy() +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"generator\" content=\"Visviva " +
           escape_html(in_.origin.version) + "\">\n<title>" + escape_html(make_title()) +
           "</title>\n<style>\n" + page_style() + "</style>\n</head>\n";
  }

  std::string make_contents() const {
    std::string items = "<li><a href=\"#motion\">Motion</a></li>";
    for (const PageSection& s : sections_)
      items += "<li><a href=\"#" + s.id + "\">" + s.title + "</a></li>";
    return "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header "
           "class=\"top\"><nav "
           "aria-label=\"Contents\"><ul>" +
           items + "</ul></nav><button type=\"button\" id=\"theme\" hidden></button></header>\n";
  }

  std::string make_intro() const {
    SummaryFacts facts{.equations = in_.equations,
                       .degrees_of_freedom = in_.start.degrees_of_freedom,
                       .integrals = in_.energy != nullptr ? &in_.energy->integrals : nullptr,
                       .run = in_.run};
    const std::string subtitle =
        model().documentation.empty()
            ? ""
            : "<p class=\"subtitle\">" + escape_html(model().documentation) + "</p>\n";
    return "<h1>" + escape_html(make_title()) + "</h1>\n" + subtitle + make_summary(facts);
  }

  // No "<" leaves a string, so that no text can end the element.
  std::string make_data() const {
    json data = {{"causes", json::array()}, {"scene", nullptr}};
    static constexpr const char* kinds[] = {"load", "body", "constraint", "motor"};
    for (const Cause& c : causes_.list())
      data["causes"].push_back(
          {{"kind", kinds[static_cast<int>(c.kind)]}, {"name", c.name}, {"line", c.line}});
    if (has_samples()) {
      const std::vector<double>& t = in_.run->samples.front();
      data["span"] = {{"from", t.front()}, {"until", t.back()}};
      data["scene"] = make_scene_json(in_.scene, *in_.run);
    }
    std::string text = data.dump(-1, ' ', true, json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
      text.replace(at, 1, "\\u003c");
    return "<script type=\"application/json\" id=\"visviva-data\">" + text + "</script>\n";
  }

  std::string make_frame(const std::string& motion) const {
    std::string content;
    for (const PageSection& s : sections_)
      content +=
          "<section id=\"" + s.id + "\"><h2>" + s.title + "</h2>\n" + s.html + "</section>\n";
    return make_head() + "<body>\n" + make_contents() +
           "<main class=\"page\" id=\"content\"><div class=\"layout\">\n<div class=\"intro\">\n" +
           make_intro() + "</div>\n<section id=\"motion\"><h2>Motion</h2>\n" + motion +
           "</section>\n<div class=\"content\">\n" + content + "</div>\n</div></main>\n" +
           make_data() + "<script>" + page_script() + "</script>\n</body>\n</html>\n";
  }

  const ReportInput& in_;
  const Kinematics& motion_;
  Causes causes_;
  std::vector<PageSection> sections_;
};

}  // namespace

std::vector<ExtraOutput> list_report_outputs(const Equations& equations, const Scene& scene) {
  std::vector<ExtraOutput> outputs = list_plot_outputs(equations);
  outputs.insert(outputs.end(), scene.outputs.begin(), scene.outputs.end());
  return outputs;
}

std::string make_report(const ReportInput& input) { return ReportBuilder(input).build(); }

void write_report(const std::string& file, const ReportInput& input) {
  const std::string page = make_report(input);
  std::ofstream out(file, std::ios::binary);
  out << page;
  out.close();
  if (!out) throw UsageError("write_report", "cannot write '" + file + "'");
}

}  // namespace visviva
