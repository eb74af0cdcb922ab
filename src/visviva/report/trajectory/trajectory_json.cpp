#include "visviva/report/trajectory/trajectory_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "visviva/base/result_table.h"
#include "visviva/report/trajectory/output_gaps.h"
#include "visviva/report/trajectory/reason_text.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
json number(const std::optional<double>& x) { return x ? number(*x) : json(nullptr); }

bool is_coordinate(const ModelData& model, const std::string& name) {
  return std::any_of(model.coordinates.begin(), model.coordinates.end(),
                     [&](const CoordinateData& c) { return c.name == name; });
}

// Angles and quaternions of spin frames are nobody's coordinates.
bool is_hidden(const ModelData& model, const std::string& name) {
  for (const FrameData& f : model.frames)
    for (const Expr& h : f.hidden)
      if (h.home().symbol_name(h.ref()) == name) return true;
  return false;
}

json energies_json(const Trajectory& run) {
  json result = json::object();
  for (const EnergyResult& r : energies_in_joules()) {
    const std::string name(r.name);
    const auto found = run.energies.find(name);
    if (found == run.energies.end()) continue;
    const auto& e = found->second;
    result[name] = {{"start", number(e.start)},
                    {"end", number(e.end)},
                    {"max_deviation", number(e.max_deviation)}};
  }
  return result;
}

// What a row has besides time and state.
json event_outputs_json(const Trajectory& run, const EventRecord& e) {
  json outputs = json::object();
  for (std::size_t i = 1; i < std::min(e.row.size(), run.columns.size()); ++i) {
    const std::string& name = run.columns[i];
    const bool is_state =
        std::find(run.state_names.begin(), run.state_names.end(), name) != run.state_names.end();
    const bool is_shown = name.find(' ') == std::string::npos && !name.starts_with("scene.");
    if (!is_state && is_shown) outputs[name] = number(e.row[i]);
  }
  return outputs;
}

json events_json(const Trajectory& run) {
  json result = json::array();
  for (const EventRecord& e : run.events) {
    json state = json::object();
    for (std::size_t i = 0; i < std::min(e.state.size(), run.state_names.size()); ++i)
      state[run.state_names[i]] = number(e.state[i]);
    result.push_back({{"name", e.name},
                      {"time", number(e.time)},
                      {"rising", e.is_rising},
                      {"touches", e.is_touch},
                      {"stop", e.is_stop},
                      {"state", std::move(state)},
                      {"outputs", event_outputs_json(run, e)}});
  }
  return result;
}

json event_doubts_json(const Trajectory& run) {
  json result = json::array();
  for (const EventDoubt& d : run.event_doubts)
    result.push_back(
        {{"name", d.name},
         {"jumps", d.jumps},
         {"first_jump", d.jumps > 0 ? number(d.jump_time) : json(nullptr)},
         {"unresolved_steps", d.unresolved},
         {"first_unresolved", d.unresolved > 0 ? number(d.unresolved_time) : json(nullptr)},
         {"undefined_steps", d.undefined},
         {"first_undefined", d.undefined > 0 ? number(d.undefined_time) : json(nullptr)},
         {"near", d.near},
         {"first_near", d.near > 0 ? number(d.near_time) : json(nullptr)},
         {"near_value", d.near > 0 ? number(d.near_value) : json(nullptr)},
         {"shallow", d.shallow},
         {"first_shallow", d.shallow > 0 ? number(d.shallow_time) : json(nullptr)},
         {"shallow_value", d.shallow > 0 ? number(d.shallow_value) : json(nullptr)}});
  return result;
}

json impulses_json(const Trajectory& run) {
  const auto column = [](const std::array<double, 3>& c) {
    return json::array({number(c[0]), number(c[1]), number(c[2])});
  };
  json result = json::array();
  for (const ImpulseRecord& i : run.impulses)
    result.push_back({{"time", number(i.time)},
                      {"surface", i.surface},
                      {"energy", number(i.energy)},
                      {"impulse", column(i.impulse)},
                      {"moment", column(i.moment)}});
  return result;
}

json gaps_json(const Trajectory& run, const ModelData& model) {
  json list = json::array();
  for (const OutputGap& gap : list_output_gaps(run, model))
    list.push_back(
        {{"name", gap.name}, {"rows", gap.rows}, {"of", run.rows}, {"first", number(gap.first)}});
  return list;
}

}  // namespace

const char* name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      return "";
    case Refusal::bad_request:
      return "bad request";
    case Refusal::not_an_integral:
      return "not an integral";
    case Refusal::below_rounding_floor:
      return "below rounding floor";
    case Refusal::not_finite:
      return "not finite";
    case Refusal::budget_exhausted:
      return "budget exhausted";
    case Refusal::step_too_small:
      return "step too small";
    case Refusal::too_many_steps:
      return "too many steps";
    case Refusal::constraints_lost:
      return "constraints lost";
    case Refusal::jump:
      return "jump";
    case Refusal::outside_table:
      return "outside table";
    case Refusal::interrupted:
      return "interrupted";
  }
  return "";
}

json make_certificate_json(const Trajectory& run) {
  const Certificate& c = run.certificate;
  // The state, or why there is none.
  const std::string state = c.state_error ? c.state_error_name : write_no_state_error_text(c);
  std::optional<bool> holds = c.verdict();
  if (holds && run.status == RunStatus::refused) holds = false;
  return {{"energy_tolerance", number(c.tolerance)},
          {"max_deviation", number(c.max_deviation)},
          {"holds", holds ? json(*holds) : json(nullptr)},
          {"constraint_drift", number(std::max(c.position_drift, c.velocity_drift))},
          {"state_error", number(c.state_error)},
          {"start", number(c.start)},
          {"max_time", number(c.max_time)},
          {"noise", number(c.noise)},
          {"scale", number(c.scale)},
          {"moving", number(c.moving)},
          {"smallest_tolerance", number(c.smallest)},
          {"says_little", c.says_little()},
          {"moderated", c.is_moderated},
          {"position_drift", number(c.position_drift)},
          {"velocity_drift", number(c.velocity_drift)},
          {"unexplained", number(c.unexplained)},
          {"partition_changes", c.partition_changes},
          {"partition_jumps", number(c.partition_jumps)},
          {"state_error_name", state.empty() ? json(nullptr) : json(state)},
          {"state_error_time", c.state_error ? number(c.state_error_time) : json(nullptr)}};
}

json make_final_json(const Trajectory& run, const ModelData& model) {
  json result = json::object();
  const std::size_t count = std::min(run.state_names.size(), run.end_state.size());
  for (std::size_t i = 0; i < count; ++i)
    if (!is_hidden(model, run.state_names[i]))
      result[run.state_names[i]] = number(run.end_state[i]);
  for (std::size_t i = 0; i < std::min(count, run.end_rates.size()); ++i) {
    const std::string rate = run.state_names[i] + "'";
    if (is_coordinate(model, run.state_names[i]) && !result.contains(rate))
      result[rate] = number(run.end_rates[i]);
  }
  return result;
}

json make_trajectory_json(const Trajectory& run, const ModelData& model) {
  return {{"model", model.name},
          {"case", model.case_name},
          {"status", name_of(run.status)},
          {"reason", write_reason_text(run.reason)},
          {"refusal", name_of(run.refusal)},
          {"t_start", number(run.t_start)},
          {"t_end", number(run.t_end)},
          {"final", make_final_json(run, model)},
          {"energies", energies_json(run)},
          {"events", events_json(run)},
          {"event_doubts", event_doubts_json(run)},
          {"impulses", impulses_json(run)},
          {"without_value", gaps_json(run, model)},
          {"certificate", make_certificate_json(run)},
          {"steps", run.steps},
          {"evaluations", run.evaluations},
          {"rejected", run.rejected},
          {"restarts", run.restarts},
          {"method", run.method},
          {"tolerances", {number(run.smallest_tolerance), number(run.largest_tolerance)}}};
}

}  // namespace visviva
