#include "visviva/codegen/export/export_values.h"

#include <algorithm>

#include "visviva/codegen/export/export_blocks.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

// C has no arrays without entries.
std::string room_for(std::size_t count) { return std::to_string(std::max<std::size_t>(count, 1)); }

std::string join_in_lines(const std::vector<std::string>& items, const ListLayout& layout) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i % layout.items_in_line == 0 ? layout.line_break : ", ") + items[i];
  return text;
}

class ValueWriter {
 public:
  ValueWriter(const ExportedSystem& system, const ExportSyntax& syntax)
      : s_(system), syntax_(syntax) {}

  TemplateValues write() {
    add_names();
    add_counts();
    add_variables("state", s_.states, "start_state");
    add_variables("input", s_.inputs, "default_inputs");
    add_variables("parameter", s_.parameters, "default_parameters");
    add_tables();
    add_maps();
    add_blocks();
    add_energies();
    add_results();
    add_inverse();
    add_calls();
    add_description();
    return std::move(values_);
  }

 private:
  std::size_t place(std::size_t i) const { return i + syntax_.table().first_index; }

  void add_names() {
    values_.texts["id"] = s_.identifier;
    values_.texts["name"] = comment_name(s_.name);
    values_.texts["name_literal"] = syntax_.quote(s_.name);
  }

  void add_counts() {
    const auto add = [&](const char* name, std::size_t count) {
      values_.texts[name] = std::to_string(count);
    };
    add("configuration_count", s_.configuration_count);
    add("speed_count", s_.speed_count);
    add("row_count", s_.row_count);
    add("position_count", s_.position_count);
    add("unknown_count", s_.unknown_count);
    add("auxiliary_count", s_.auxiliary_count);
    add("equation_count", s_.speed_count + s_.row_count + s_.auxiliary_count);
    add("unknown_total", s_.speed_count + s_.row_count + s_.unknown_count);
    add("multiplier_offset", s_.speed_count + s_.unknown_count);
    values_.flags["plain"] = s_.is_plain();
    values_.flags["has_unknowns"] = s_.unknown_count > 0;
    values_.flags["has_rows"] = s_.row_count > 0;
    values_.flags["has_auxiliary"] = s_.auxiliary_count > 0;
  }

  // state_names, state_units, state_count, state_size, start_state
  void add_variables(const std::string& kind, const std::vector<ExportedVariable>& list,
                     const char* start) {
    std::vector<std::string> names, units, numbers;
    for (const ExportedVariable& v : list) {
      names.push_back(syntax_.quote(v.name));
      units.push_back(syntax_.quote(v.unit));
      numbers.push_back(syntax_.literal(v.value));
    }
    values_.texts[kind + "_names"] = syntax_.text_list(names);
    values_.texts[kind + "_units"] = syntax_.text_list(units);
    values_.texts[kind + "_count"] = std::to_string(list.size());
    values_.texts[kind + "_size"] = room_for(list.size());
    values_.texts[start] = syntax_.number_list(numbers);
  }

  void add_tables() {
    std::vector<TemplateValues>& tables = values_.lists["tables"];
    for (std::size_t k = 0; k < s_.tables.size(); ++k) {
      const Spline& spline = *s_.tables[k].spline;
      tables.push_back({.texts = {{"table", std::to_string(place(k))},
                                  {"table_name", comment_name(s_.tables[k].name)},
                                  {"table_size", std::to_string(spline.knots().size())},
                                  {"table_times", list_samples(spline.knots())},
                                  {"table_values", list_samples(spline.samples())},
                                  {"table_curvatures", list_samples(spline.curvatures())}}});
    }
  }

  void add_maps() {
    std::vector<TemplateValues>& maps = values_.lists["maps"];
    for (std::size_t k = 0; k < s_.maps.size(); ++k) {
      const TableFunction& f = *s_.maps[k].function;
      const Spline &x = f.axis(0), &y = f.axis(1);
      const auto gather = [&](const std::vector<Spline>& curves, bool bends) {
        std::vector<double> all;
        for (const Spline& c : curves) {
          const std::vector<double>& list = bends ? c.curvatures() : c.samples();
          all.insert(all.end(), list.begin(), list.end());
        }
        return list_samples(all);
      };
      maps.push_back({.texts = {{"map", std::to_string(place(k))},
                                {"map_name", comment_name(s_.maps[k].name)},
                                {"map_rows", std::to_string(x.knots().size())},
                                {"map_columns", std::to_string(y.knots().size())},
                                {"map_size", std::to_string(x.knots().size() * y.knots().size())},
                                {"map_x", list_samples(x.knots())},
                                {"map_y", list_samples(y.knots())},
                                {"map_x_range", std::to_string(static_cast<int>(x.range()))},
                                {"map_y_range", std::to_string(static_cast<int>(y.range()))},
                                {"map_x_range_name", name_of(x.range())},
                                {"map_y_range_name", name_of(y.range())},
                                {"map_values", gather(f.values(), false)},
                                {"map_values_xx", gather(f.values(), true)},
                                {"map_bends", gather(f.curvatures(), false)},
                                {"map_bends_xx", gather(f.curvatures(), true)}}});
    }
  }

  std::string list_samples(const std::vector<double>& samples) const {
    std::vector<std::string> literals;
    for (const double x : samples) literals.push_back(syntax_.literal(x));
    return join_in_lines(literals, syntax_.table().samples);
  }

  void add_blocks() {
    std::vector<TemplateValues>& blocks = values_.lists["blocks"];
    for (const NamedBlock& block : list_blocks(s_)) {
      const ExportedParts parts = write_parts(s_, *block.block, syntax_);
      if (block.block == &s_.equations) cost_ = make_cost(s_.equations, parts.temporaries);
      called_.insert(parts.functions.begin(), parts.functions.end());
      integrates_tables_ = integrates_tables_ || parts.integrates_tables;
      blocks.push_back(make_block(block, parts));
    }
  }

  TemplateValues make_block(const NamedBlock& block, const ExportedParts& parts) const {
    const bool is_whole = parts.list.size() == 1;
    TemplateValues values{.texts = {{"block", block.name},
                                    {"work_count", std::to_string(parts.work_count)},
                                    {"work_size", room_for(parts.work_count)},
                                    {"part_count", std::to_string(parts.list.size())}},
                          .flags = {{"whole", is_whole}}};
    for (const ExportedArray& array : block.arrays)
      values.lists["arrays"].push_back(make_array(array));
    std::vector<std::string> names;
    for (const ExportedPart& part : parts.list) {
      const std::string number = std::to_string(names.size() + 1);
      names.push_back(syntax_.prefix() + block.name + "_" + number);
      values.lists["parts"].push_back(
          {.texts = {{"part", number}, {"part_head", part.head}, {"part_body", part.body}},
           .lists = {{"unused", list_unused(part, !is_whole)}}});
    }
    values.texts["part_names"] = join_in_lines(names, syntax_.table().parts);
    return values;
  }

  static TemplateValues make_array(const ExportedArray& array) {
    const std::size_t columns = array.columns.value_or(1);
    return {
        .texts = {{"array", array.name},
                  {"array_rows", std::to_string(array.rows)},
                  {"array_columns", std::to_string(columns)},
                  {"array_size", room_for(array.rows * columns)}},
        .flags = {{"array_is_matrix", array.columns.has_value()}, {"array_used", array.is_used}}};
  }

  // Arguments that a function does not look at.
  static std::vector<TemplateValues> list_unused(const ExportedPart& part, bool has_work) {
    std::vector<TemplateValues> list;
    const auto note = [&](bool is_used, const char* name) {
      if (!is_used) list.push_back({.texts = {{"argument", name}}});
    };
    note(part.uses_t, "t");
    note(part.uses_state, "state");
    note(part.uses_inputs, "inputs");
    note(part.uses_parameters, "parameters");
    note(part.uses_work || !has_work, "work");
    note(part.uses_out, "out");
    return list;
  }

  void add_energies() {
    std::vector<std::string> names;
    std::vector<TemplateValues>& energies = values_.lists["energies"];
    for (std::size_t i = 0; i < std::size(exported_energies) && s_.energies; ++i) {
      names.push_back(syntax_.quote(exported_energies[i]));
      energies.push_back({.texts = {{"energy", exported_energies[i]},
                                    {"energy_meaning", exported_energy_meanings[i]},
                                    {"energy_place", std::to_string(place(i))}}});
    }
    values_.texts["energy_names"] = syntax_.text_list(names);
  }

  // Outputs, events, integrals over time, points, samples.
  void add_results() {
    const auto add = [&](const std::string& kind, const std::vector<std::string>& names,
                         bool is_there) {
      std::vector<std::string> quoted;
      for (const std::string& name : names) quoted.push_back(syntax_.quote(name));
      values_.texts[kind + "_names"] = syntax_.text_list(quoted);
      values_.texts[kind + "_count"] = std::to_string(names.size());
      values_.texts[kind + "_size"] = room_for(names.size());
      values_.flags["has_" + kind + "s"] = is_there;
    };
    add("output", s_.output_names, s_.outputs.has_value());
    add("event", s_.event_names, s_.events.has_value());
    add("integral", s_.integral_names, s_.integral_rates.has_value());
    add("point", s_.point_names, s_.points.has_value());
    std::vector<std::string> units;
    for (const std::string& unit : s_.output_units) units.push_back(syntax_.quote(unit));
    values_.texts["output_units"] = syntax_.text_list(units);
    std::vector<std::string> stops;
    for (const bool stop : s_.event_stops) stops.emplace_back(stop ? "1" : "0");
    values_.texts["event_stops"] = syntax_.number_list(stops);
    values_.flags["has_results"] = s_.outputs || s_.events || s_.integral_rates;
    values_.texts["solution_count"] = std::to_string(s_.solution_count());
    values_.texts["solution_size"] = room_for(s_.solution_count());
    const std::size_t known = s_.inputs.size() + s_.solution_count() + s_.integral_names.size();
    values_.texts["known_size"] = room_for(known);
    values_.flags["has_samples"] = s_.sample_values.has_value();
    values_.texts["sample_count"] = std::to_string(s_.sample_count);
    std::vector<std::string> samples, states;
    for (const ExportedSampleChange& change : s_.sample_changes) {
      samples.push_back(std::to_string(place(change.sample)));
      states.push_back(std::to_string(place(change.state)));
    }
    values_.texts["change_count"] = std::to_string(samples.size());
    values_.texts["change_size"] = room_for(samples.size());
    values_.texts["changed_by"] = syntax_.number_list(samples);
    values_.texts["changed_states"] = syntax_.number_list(states);
  }

  void add_inverse() {
    const auto list = [&](const std::vector<int>& speeds) {
      std::vector<std::string> places;
      for (const int r : speeds)
        places.push_back(std::to_string(place(static_cast<std::size_t>(r))));
      return syntax_.number_list(places);
    };
    values_.flags["has_inverse"] = !s_.independent.empty();
    values_.flags["has_dependent"] = !s_.dependent.empty();
    values_.texts["independent_count"] = std::to_string(s_.independent.size());
    values_.texts["independent_size"] = room_for(s_.independent.size());
    values_.texts["dependent_count"] = std::to_string(s_.dependent.size());
    values_.texts["independent_places"] = list(s_.independent);
    values_.texts["dependent_places"] = list(s_.dependent);
  }

  // Functions that a language may lack: the file brings its own.
  void add_calls() {
    const auto calls = [&](std::initializer_list<Op> functions) {
      return std::any_of(functions.begin(), functions.end(),
                         [&](Op f) { return called_.count(f) != 0; });
    };
    values_.flags["calls_tables"] = !s_.tables.empty() || !s_.maps.empty();
    values_.flags["integrates_tables"] = integrates_tables_;
    values_.flags["calls_sign"] = calls({Op::sign});
    values_.flags["calls_step"] = calls({Op::step});
    values_.flags["calls_min"] = calls({Op::min});
    values_.flags["calls_max"] = calls({Op::max});
    values_.flags["calls_extreme"] = calls({Op::min, Op::max});
    // Functions that are not real everywhere.
    values_.flags["calls_partial"] = calls({Op::sqrt, Op::log, Op::asin, Op::acos, Op::power});
  }

  void add_description() {
    const int first = static_cast<int>(syntax_.table().first_index);
    std::vector<TemplateValues>& lines = values_.lists["description"];
    for (const std::string& line : describe_model(s_, cost_, first))
      lines.push_back({.texts = {{"line", line}}});
  }

  const ExportedSystem& s_;
  const ExportSyntax& syntax_;
  ExportCost cost_;      // of the equations
  std::set<Op> called_;  // functions, by any block
  bool integrates_tables_ = false;
  TemplateValues values_;
};

}  // namespace

TemplateValues make_export_values(const ExportedSystem& system, const ExportSyntax& syntax) {
  return ValueWriter(system, syntax).write();
}

}  // namespace visviva
