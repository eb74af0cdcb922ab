#include "visviva/codegen/export/export_blocks.h"

#include <algorithm>

namespace visviva {
namespace {

// Statements from one to another.
struct Part {
  std::size_t begin, end;
};

std::size_t whole_cost(std::size_t part_cost) { return part_cost + part_cost / 2; }

std::vector<Part> cut(const std::vector<ExportStatement>& list, std::size_t part_cost) {
  const auto cost = [](const ExportStatement& s) { return std::max<std::size_t>(s.cost, 1); };
  std::size_t total = 0;
  for (const ExportStatement& s : list) total += cost(s);
  std::vector<Part> parts;
  std::size_t begin = 0, sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    sum += cost(list[i]);
    if (total <= whole_cost(part_cost) || sum < part_cost) continue;
    parts.push_back({begin, i + 1});
    begin = i + 1;
    sum = 0;
  }
  if (begin < list.size() || parts.empty()) parts.push_back({begin, list.size()});
  return parts;
}

// Where values that several parts use are kept, and for how long.
class Places {
 public:
  Places(const std::vector<ExportStatement>& list, const std::vector<Part>& parts)
      : place_(list.size(), none) {
    std::vector<std::size_t> last(list.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (std::size_t i = parts[p].begin; i < parts[p].end; ++i) {
        last[i] = p;
        for (const std::size_t use : list[i].uses) last[use] = p;
      }
    }
    // A place is free again after the last part that reads it.
    std::vector<std::vector<std::size_t>> ends(parts.size());
    std::vector<std::size_t> free;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (std::size_t i = parts[p].begin; i < parts[p].end; ++i) {
        if (last[i] == p) continue;
        if (free.empty()) free.push_back(count_++);
        place_[i] = free.back();
        free.pop_back();
        ends[last[i]].push_back(place_[i]);
      }
      free.insert(free.end(), ends[p].begin(), ends[p].end());
    }
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t count() const { return count_; }
  std::size_t operator[](std::size_t statement) const { return place_[statement]; }

 private:
  std::vector<std::size_t> place_;
  std::size_t count_ = 0;
};

class PartWriter {
 public:
  PartWriter(const ExportedSystem& system, const ExportedBlock& block, const ExportSyntax& syntax,
             const std::vector<ExportStatement>& list, const Places& places)
      : s_(system),
        block_(block),
        syntax_(syntax),
        list_(list),
        places_(places),
        input_names_(input_identifiers(system, block)),
        parameter_names_(parameter_identifiers(system)) {}

  ExportedPart write(const Part& part) const {
    ExportedPart written;
    std::set<std::size_t> inputs, parameters, earlier;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const ExportStatement& s = list_[i];
      inputs.insert(s.inputs.begin(), s.inputs.end());
      parameters.insert(s.parameters.begin(), s.parameters.end());
      for (const std::size_t use : s.uses) {
        if (use < part.begin) earlier.insert(use);
      }
      write_statement(i, &written);
    }
    for (const std::size_t i : inputs) write_input(i, &written);
    for (const std::size_t i : parameters)
      written.head += define(parameter_names_[i], syntax_.element("parameters", i));
    for (const std::size_t i : earlier)
      written.head += define(list_[i].name, syntax_.element("work", places_[i]));
    written.uses_parameters = !parameters.empty();
    written.uses_work = written.uses_work || !earlier.empty();
    return written;
  }

 private:
  std::string assign(const std::string& left, const std::string& right) const {
    return syntax_.table().indent + left + " = " + right + syntax_.table().end;
  }

  std::string define(const std::string& name, const std::string& value) const {
    return assign(syntax_.table().declare + name, value);
  }

  void write_statement(std::size_t i, ExportedPart* written) const {
    const ExportStatement& s = list_[i];
    if (s.name.empty()) {
      written->uses_out = true;
      written->body += assign(syntax_.target(block_.targets[s.output]), s.expression);
      return;
    }
    written->body += define(s.name, s.expression);
    if (places_[i] == Places::none) return;
    written->body += assign(syntax_.element("work", places_[i]), s.name);
    written->uses_work = true;
  }

  // t stands for itself; then come states, inputs and samples of tables.
  void write_input(std::size_t i, ExportedPart* written) const {
    const std::string& name = input_names_[i];
    if (i == 0) {
      written->uses_t = true;
    } else if (--i < s_.states.size()) {
      written->uses_state = true;
      written->head += define(name, syntax_.element("state", i));
    } else if ((i -= s_.states.size()) < s_.inputs.size()) {
      written->uses_inputs = true;
      written->head += define(name, syntax_.element("inputs", i));
    } else if ((i -= s_.inputs.size()) < s_.samples.size()) {
      written->uses_t = true;
      written->head += define(name, syntax_.sample(s_.samples[i]));
    } else {
      written->uses_inputs = true;
      written->head +=
          define(name, syntax_.element("inputs", i - s_.samples.size() + s_.inputs.size()));
    }
  }

  const ExportedSystem& s_;
  const ExportedBlock& block_;
  const ExportSyntax& syntax_;
  const std::vector<ExportStatement>& list_;
  const Places& places_;
  std::vector<std::string> input_names_, parameter_names_;
};

}  // namespace

ExportedParts write_parts(const ExportedSystem& system, const ExportedBlock& block,
                          const ExportSyntax& syntax) {
  const Program& program = block.program;
  const bool is_long =
      program.arithmetic_count() + program.function_count() > whole_cost(syntax.table().part_cost);
  ExportStatements statements =
      write_statements(system, block, syntax,
                       {.skip_zeros = syntax.table().starts_at_zero, .early_targets = is_long});
  const std::vector<Part> parts = cut(statements.list, syntax.table().part_cost);
  const Places places(statements.list, parts);
  const PartWriter writer(system, block, syntax, statements.list, places);
  ExportedParts result;
  for (const Part& part : parts) result.list.push_back(writer.write(part));
  result.work_count = places.count();
  result.temporaries = statements.temporaries;
  result.functions = std::move(statements.functions);
  result.integrates_tables = statements.integrates_tables;
  return result;
}

std::vector<NamedBlock> list_blocks(const ExportedSystem& s) {
  const std::size_t n = s.speed_count, k = s.unknown_count, m = s.row_count, a = s.auxiliary_count;
  std::vector<ExportedArray> arrays = {{"q_rates", s.configuration_count}, {"M", n, n}, {"f", n}};
  if (!s.is_plain())
    arrays.insert(arrays.end(), {{"A", m, n, m > 0},
                                 {"b", m, {}, m > 0},
                                 {"W", n, k, k > 0},
                                 {"C", a, n, a > 0},
                                 {"V", a, k, a > 0},
                                 {"d", a, {}, a > 0},
                                 {"L", a, m, a > 0 && m > 0}});
  std::vector<NamedBlock> list = {{"equations", &s.equations, arrays}};
  if (m > 0)
    list.push_back(
        {"constraint_values", &s.constraints, {{"position", s.position_count}, {"velocity", m}}});
  if (s.energies)
    list.push_back({"energy_values", &*s.energies, {{"energies", s.energies->targets.size()}}});
  if (s.outputs)
    list.push_back({"output_values", &*s.outputs, {{"outputs", s.output_names.size()}}});
  if (s.events) list.push_back({"event_values", &*s.events, {{"events", s.event_names.size()}}});
  if (s.integral_rates)
    list.push_back(
        {"integral_values", &*s.integral_rates, {{"integral_rates", s.integral_names.size()}}});
  if (s.points) {
    const std::size_t rows = 3 * s.point_names.size();
    list.push_back({"point_values", &*s.points, {{"J", rows, n}, {"remainder", rows}}});
  }
  if (s.sample_values)
    list.push_back({"sample_values",
                    &*s.sample_values,
                    {{"after", s.sample_changes.size()}, {"periods", s.sample_count}}});
  return list;
}

}  // namespace visviva
