#include "visviva/app/cli/field_refinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/trajectory/trajectory_columns.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

// Names of values at nodes, which are other places with other elements.
std::set<std::string> names_of_nodes(const ModelData& model) {
  std::set<std::string> names;
  for (const FieldData& field : model.fields)
    for (const auto& node : field.nodes)
      for (const FieldValue& value : node)
        if (const SymbolRole* role = value.value.is_symbol() ? model.role(value.value) : nullptr;
            role != nullptr && role->role == Role::coordinate)
          names.insert(model.coordinates[role->index].name);
  return names;
}

// The first of these names that stands in a text as a word; empty when none does.
std::string find_name(const std::string& text, const std::set<std::string>& names) {
  std::string word;
  bool is_comment = false;
  for (const char c : text + "\n") {
    const bool is_letter =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
    if (is_letter && !is_comment) {
      word += c;
      continue;
    }
    if (names.contains(word)) return word;
    word.clear();
    is_comment = (is_comment || c == '#') && c != '\n';
  }
  return {};
}

std::string find_name(const CheckedModel& checked, const ReadOptions& read) {
  const std::set<std::string> names = names_of_nodes(checked.motion->model());
  std::string found = find_name(join_parts(checked.source).text, names);
  for (const auto& [name, value] : read.settings)
    if (found.empty()) found = find_name(name + " " + value, names);
  return found;
}

// The values of a field at places that both runs have: one list a place.
class FieldTrace {
 public:
  FieldTrace(const ModelData& model, std::size_t field, const Trajectory& run)
      : model_(model), field_(model.fields[field]), run_(run) {}

  std::size_t node_count() const { return field_.nodes.size(); }

  // At node i of a coarser mesh, whose every step is `stride` of these; nothing where it is held.
  std::vector<double> at_node(std::size_t i, std::size_t stride) const {
    const FieldValue& value = field_.nodes[i * stride][0];
    const SymbolRole* role = value.value.is_symbol() ? model_.role(value.value) : nullptr;
    if (role == nullptr || role->role != Role::coordinate) return {};
    return run_[model_.coordinates[role->index].name];
  }

 private:
  const ModelData& model_;
  const FieldData& field_;
  const Trajectory& run_;
};

class Comparison {
 public:
  Comparison(const CheckedModel& checked, const CheckedModel& other, const Trajectory& run,
             const Trajectory& companion)
      : motion_(*checked.motion), other_(*other.motion), run_(run), companion_(companion) {
    // Rows of the same times; an event may have added one.
    const std::vector<double>&a = run.t(), &b = companion.t();
    const double same = 1e-9 * (std::abs(run.t_end) + std::abs(run.t_start));
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (std::abs(a[i] - b[j]) <= same)
        rows_.emplace_back(i++, j++);
      else
        ++(a[i] < b[j] ? i : j);
    }
  }

  DiscretizationError compare() {
    DiscretizationError error;
    const ModelData& model = motion_.model();
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      const FieldData& field = model.fields[f];
      const auto elements = static_cast<std::size_t>(other_.model().fields[f].elements);
      error.with.push_back(field.name + ": " + counted(elements, "element"));
      DiscretizationError::Entry entry{field.name, print_dimension(field.dimension)};
      compare_field(f, &entry);
      error.entries.push_back(entry);
    }
    const std::vector<TrajectoryColumn> columns = make_trajectory_columns(run_.columns, motion_);
    const auto first =
        std::find(run_.columns.begin(), run_.columns.end(), "E_Z") - run_.columns.begin() + 1;
    for (std::size_t c = static_cast<std::size_t>(first); c < columns.size(); ++c) {
      const auto& names = companion_.columns;
      if (std::find(names.begin(), names.end(), columns[c].name) == names.end()) continue;
      DiscretizationError::Entry entry{columns[c].name, columns[c].unit};
      add(run_.samples[c], companion_[columns[c].name], &entry);
      error.entries.push_back(entry);
    }
    return error;
  }

 private:
  void compare_field(std::size_t f, DiscretizationError::Entry* entry) const {
    const FieldTrace mine(motion_.model(), f, run_), other(other_.model(), f, companion_);
    const std::size_t a = mine.node_count() - 1, b = other.node_count() - 1;
    const std::size_t steps = std::min(a, b);
    for (std::size_t i = 0; i <= steps; ++i)
      add(mine.at_node(i, a / steps), other.at_node(i, b / steps), entry);
  }

  void add(const std::vector<double>& mine, const std::vector<double>& other,
           DiscretizationError::Entry* entry) const {
    if (mine.empty() || other.empty()) return;
    for (const auto& [i, j] : rows_) {
      const double difference = std::abs(mine[i] - other[j]);
      if (std::isfinite(mine[i])) entry->size = std::max(entry->size, std::abs(mine[i]));
      if (!(difference > entry->difference)) continue;
      entry->difference = difference;
      entry->time = run_.t()[i];
    }
  }

  const Kinematics& motion_;
  const Kinematics& other_;
  const Trajectory& run_;
  const Trajectory& companion_;
  std::vector<std::pair<std::size_t, std::size_t>> rows_;
};

Trajectory run_companion(const CheckedModel& checked, RunOptions options) {
  const Equations equations = derive(*checked.motion);
  std::optional<Energies> energies;
  if (auto found = try_analyze_energy(equations)) energies = *std::move(found);
  const CompiledSystem system =
      compile_for_run(equations, energies, choose_system_options(equations, options.method));
  options.watcher = nullptr;
  options.energy.reset();
  options.is_energy_relative = false;
  options.certify_state = false;
  options.keep_samples = true;
  return simulate(system, options);
}

DiscretizationError estimate(const CheckedModel& checked, const ReadOptions& read,
                             const CheckOptions& check, const RunOptions& options,
                             const Trajectory& run) {
  const ModelData& model = checked.motion->model();
  if (const std::string name = find_name(checked, read); !name.empty())
    return {.why_not = "the text names '" + name +
                       "', which is at another place with other elements; write " +
                       model.fields[0].name + " at PLACE"};
  const bool is_even = std::all_of(model.fields.begin(), model.fields.end(),
                                   [](const FieldData& f) { return f.elements % 2 == 0; });
  for (const double factor : {0.5, 2.0}) {
    if (factor < 1.0 && !is_even) continue;
    ReadOptions other = read;
    other.fields = {.refinement = factor};
    const CheckedModel companion = check_text(join_parts(checked.source), other, check);
    if (companion.has_error()) continue;
    const Trajectory second = run_companion(companion, options);
    if (second.status != RunStatus::done) break;
    return Comparison(checked, companion, run, second).compare();
  }
  return {.why_not = "the run with other elements did not reach its end"};
}

}  // namespace

std::optional<DiscretizationError> estimate_discretization(const CheckedModel& checked,
                                                           const ReadOptions& read,
                                                           const CheckOptions& check,
                                                           const RunOptions& options,
                                                           const Trajectory& run) {
  if (checked.motion->model().fields.empty()) return {};
  if (run.status != RunStatus::done && run.status != RunStatus::certificate_failed) return {};
  try {
    return estimate(checked, read, check, options, run);
  } catch (const ModelError& error) {
    return DiscretizationError{.why_not = error.diagnostics().front().message};
  } catch (const UsageError& error) {
    return DiscretizationError{.why_not = error.what()};
  }
}

std::string write_discretization(const DiscretizationError& error) {
  const std::string head = "What elements leave out of the fields, E_Z does not see. ";
  if (!error.why_not.empty()) return head + "It is not estimated: " + error.why_not + ".";
  constexpr std::size_t most = 8;  // for people; all of them are in the JSON
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(most, error.entries.size()); ++i) {
    const auto& e = error.entries[i];
    const std::string unit = e.unit == "1" || e.unit.empty() ? "" : " " + e.unit;
    parts.push_back(fmt::format("{:.2g}{} in {} (up to {:.3g}{}, at t = {:.4g} s)", e.difference,
                                unit, e.name, e.size, unit, e.time));
  }
  return head + "Beside a run with " + join_words(error.with) + ", this one differs at most by " +
         join_words(parts) + ".";
}

nlohmann::ordered_json make_discretization_json(const DiscretizationError& error) {
  using json = nlohmann::ordered_json;
  json differences = json::object();
  for (const auto& e : error.entries)
    differences[e.name] = {
        {"max", e.difference}, {"time", e.time}, {"size", e.size}, {"unit", e.unit}};
  return {{"compared_with", error.with},
          {"differences", differences},
          {"reason", error.why_not.empty() ? json(nullptr) : json(error.why_not)}};
}

}  // namespace visviva
