#include "visviva/codegen/export/export_statements.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/error.h"
#include "visviva/base/words.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

constexpr std::size_t inline_length = 56;  // characters; longer expressions get a name

constexpr std::size_t longest_text = 300;  // characters

// How strongly an expression holds together.
enum Strength { sum, product, sign, atom };

// What a value is written as: a name, or an expression that stands where it is used.
struct Written {
  std::string text;
  Strength binding = atom;
  std::size_t cost = 0;
  std::set<std::size_t> uses, inputs, parameters;
  std::ptrdiff_t surplus = 0;  // characters that do not count: ExportSyntax::name_surplus

  std::size_t length() const { return text.size() - static_cast<std::size_t>(surplus); }
};

class StatementWriter {
 public:
  StatementWriter(const ExportedSystem& system, const ExportedBlock& block,
                  const ExportSyntax& syntax, const StatementOptions& options)
      : block_(block),
        program_(block.program),
        inputs_(input_identifiers(system, block)),
        parameters_(parameter_identifiers(system)),
        syntax_(syntax),
        options_(options),
        targets_(program_.operations.size()),
        use_count_(program_.operations.size(), 0),
        names_(program_.operations.size()),
        written_(program_.operations.size()) {}

  ExportStatements write() {
    count_uses();
    for (std::size_t i = 0; i < block_.value_names.size(); ++i) {
      std::string& name = names_[program_.outputs[block_.targets.size() + i]];
      if (name.empty()) name = block_.value_names[i];
    }
    for (std::size_t k = 0; k < block_.targets.size(); ++k)
      targets_[program_.outputs[k]].push_back(k);
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      if (use_count_[i] > 0) write_value(i);
      if (!options_.early_targets) continue;
      for (const std::size_t k : targets_[i]) write_target(k);
    }
    for (std::size_t k = 0; k < block_.targets.size() && !options_.early_targets; ++k)
      write_target(k);
    return std::move(result_);
  }

 private:
  // Only targets count: what is merely named may have no use.
  void count_uses() {
    for (std::size_t k = 0; k < block_.targets.size(); ++k) ++use_count_[program_.outputs[k]];
    for (std::size_t i = program_.operations.size(); i-- > 0;) {
      if (use_count_[i] == 0) continue;
      const Operation& o = program_.operations[i];
      const std::uint32_t operands[] = {o.a, o.b, o.c};
      for (int k = 0; k < operand_count(o); ++k) ++use_count_[operands[k]];
    }
  }

  void write_value(std::size_t i) {
    const Operation& o = program_.operations[i];
    Written w = write_operation(o);
    const bool is_named = !names_[i].empty();
    if (is_leaf(o.code) || (!is_named && use_count_[i] == 1 && w.length() <= inline_length)) {
      written_[i] = std::move(w);
      return;
    }
    if (!is_named) names_[i] = fmt::format("v{}", ++result_.temporaries);
    Written name;
    name.text = names_[i];
    name.uses = {result_.list.size()};
    add_statement(names_[i], 0, std::move(w));
    written_[i] = std::move(name);
  }

  void write_target(std::size_t k) {
    const Operation& o = program_.operations[program_.outputs[k]];
    const bool is_zero = o.code == Code::constant && program_.constants[o.a] == 0;
    if (!is_zero || !options_.skip_zeros) add_statement("", k, take(program_.outputs[k]));
  }

  void add_statement(const std::string& name, std::size_t output, Written w) {
    result_.list.push_back({name, output, std::move(w.text), w.cost, std::move(w.uses),
                            std::move(w.inputs), std::move(w.parameters)});
  }

  // A value that is used once is moved, with all it holds.
  Written take(std::uint32_t i) {
    return use_count_[i] == 1 && names_[i].empty() ? std::move(written_[i]) : written_[i];
  }

  static void absorb(Written* into, Written& from) {
    into->cost += from.cost;
    into->surplus += from.surplus;
    into->uses.merge(from.uses);
    into->inputs.merge(from.inputs);
    into->parameters.merge(from.parameters);
  }

  static std::string held(const Written& w, Strength least) {
    return w.binding < least ? "(" + w.text + ")" : w.text;
  }

  Written write_operation(const Operation& o) {
    switch (o.code) {
      case Code::constant: {
        const double c = program_.constants[o.a];
        return {syntax_.literal(c), std::signbit(c) ? sign : atom};
      }
      case Code::input:
        return {inputs_[o.a], atom, 0, {}, {o.a}, {}};
      case Code::parameter:
        return {parameters_[o.a], atom, 0, {}, {}, {o.a}};
      case Code::add:
        return write_sum(o);
      case Code::multiply:
        return write_product(o);
      case Code::divide: {
        Written a = take(o.a), b = take(o.b);
        return combine(held(a, product) + "/" + held(b, atom), product, &a, &b);
      }
      case Code::negate: {
        Written a = take(o.a);
        Written w{"-" + held(a, atom), sign, 0, {}, {}, {}};
        absorb(&w, a);
        return w;
      }
      case Code::multiply_add:
        throw InternalError("write_statements: a fused operation");
      default:
        return write_call(o);
    }
  }

  // Addition does not mind which term comes first; a chain grows to the right.
  Written write_sum(const Operation& o) {
    Written a = take(o.a), b = take(o.b);
    if ((o.signs & 1) != 0)  // -a + b
      return combine(held(b, sum) + " - " + held(a, product), sum, &a, &b);
    if ((o.signs & 2) != 0) return combine(held(a, sum) + " - " + held(b, product), sum, &a, &b);
    if (b.binding == sum && a.binding != sum) std::swap(a, b);
    return combine(held(a, sum) + " + " + held(b, product), sum, &a, &b);
  }

  Written write_product(const Operation& o) {
    Written a = take(o.a), b = take(o.b);
    if (b.binding == product && a.binding != product) std::swap(a, b);
    return combine(held(a, product) + "*" + held(b, atom), product, &a, &b);
  }

  Written write_call(const Operation& o) {
    Written a = take(o.a), b;
    if (operand_count(o) > 1) b = take(o.b);
    if (o.function == Op::call && o.code == Code::call) {
      const BoundTable& table = *program_.tables[o.c];
      result_.integrates_tables =
          result_.integrates_tables || table.orders[0] < 0 || table.orders[1] < 0;
      Written w = combine(syntax_.lookup(table, a.text, b.text), atom, &a, &b);
      w.surplus += count_prefixes(syntax_.lookup(table, "", "")) * syntax_.name_surplus(Op::sign);
      return w;
    }
    const Op op = o.code == Code::min ? Op::min : o.code == Code::max ? Op::max : o.function;
    result_.functions.insert(op);
    Written w = combine(syntax_.call(op, a.text, b.text), atom, &a, &b);
    w.surplus += syntax_.name_surplus(op);
    return w;
  }

  std::ptrdiff_t count_prefixes(const std::string& text) const {
    std::ptrdiff_t count = 0;
    for (std::size_t at = 0; (at = text.find(syntax_.prefix(), at)) != std::string::npos; ++at)
      ++count;
    return count;
  }

  static Written combine(std::string text, Strength binding, Written* a, Written* b) {
    Written w{std::move(text), binding, 1, {}, {}, {}};
    absorb(&w, *a);
    absorb(&w, *b);
    return w;
  }

  const ExportedBlock& block_;
  const Program& program_;
  const std::vector<std::string> inputs_, parameters_;
  const ExportSyntax& syntax_;
  const StatementOptions options_;
  std::vector<std::vector<std::size_t>> targets_;  // of each value
  std::vector<std::size_t> use_count_;
  std::vector<std::string> names_;  // of values that have one
  std::vector<Written> written_;
  ExportStatements result_;
};

std::string short_text(const std::string& expression, const char* otherwise) {
  return expression.size() < longest_text ? comment_name(expression) : otherwise;
}

// "  [0]  theta  rad  0.52  "documentation""
void describe(const std::vector<ExportedVariable>& variables, int first_index,
              std::vector<std::string>* lines) {
  std::size_t widest = 0, widest_unit = 0;
  for (const ExportedVariable& v : variables) {
    widest = std::max(widest, comment_name(v.name).size());
    widest_unit = std::max(widest_unit, v.unit.size());
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ExportedVariable& v = variables[i];
    std::string line =
        fmt::format("  {:>3}  {:<{}}  {:<{}}  {}", i + static_cast<std::size_t>(first_index),
                    comment_name(v.name), widest, comment_name(v.unit), widest_unit,
                    std::isfinite(v.value) ? fmt::format("{:.6g}", v.value) : "no value");
    if (!v.documentation.empty()) line += "  " + comment_text(v.documentation);
    lines->push_back(line);
  }
  if (variables.empty()) lines->push_back("  none");
}

}  // namespace

ExportStatements write_statements(const ExportedSystem& system, const ExportedBlock& block,
                                  const ExportSyntax& syntax, const StatementOptions& options) {
  return StatementWriter(system, block, syntax, options).write();
}

std::vector<std::string> input_identifiers(const ExportedSystem& system,
                                           const ExportedBlock& block) {
  std::vector<std::string> names = {"t"};
  for (const auto* list : {&system.states, &system.inputs}) {
    for (const ExportedVariable& v : *list) names.push_back(v.identifier);
  }
  for (const ExportedSample& s : system.samples) names.push_back(s.identifier);
  names.insert(names.end(), block.extra_inputs.begin(), block.extra_inputs.end());
  return names;
}

std::vector<std::string> parameter_identifiers(const ExportedSystem& system) {
  std::vector<std::string> names;
  for (const ExportedVariable& v : system.parameters) names.push_back(v.identifier);
  return names;
}

ExportCost make_cost(const ExportedBlock& block, std::size_t temporaries) {
  const std::size_t functions = block.program.function_count();
  return {block.program.arithmetic_count() + functions, functions, temporaries};
}

namespace {

const char* describe_range(TableRange range) {
  switch (range) {
    case TableRange::hold:
      return "its first or last value";
    case TableRange::periodic:
      return "the same again";
    case TableRange::error:
      break;
  }
  return "no value, an error";
}

}  // namespace

std::vector<std::string> describe_model(const ExportedSystem& s, const ExportCost& cost,
                                        int first_index) {
  std::vector<std::string> lines;
  if (!s.documentation.empty()) lines.push_back(comment_text(s.documentation));
  if (!s.case_name.empty()) lines.push_back("Case " + comment_name(s.case_name));
  lines.push_back("");
  lines.push_back(
      fmt::format("Derived by the method of {}; all numbers in SI units, angles in rad.",
                  s.method == "newton-euler" ? "Newton and Euler"
                  : s.method == "kane"       ? "Kane"
                  : s.method == "lagrange"   ? "Lagrange"
                                             : "Hamilton"));
  if (s.is_plain()) {
    lines.push_back("The speeds u follow M u' = f, solved at every call.");
  } else {
    lines.push_back(fmt::format(
        "The speeds u follow M u' = f{}{}, solved with pivoting at every call.",
        s.unknown_count > 0 ? " + W tau" : "", s.row_count > 0 ? " + A' lambda and A u' = b" : ""));
    if (s.unknown_count > 0)
      lines.push_back("tau are unknown forces, which the equations determine.");
    if (s.row_count > 0)
      lines.push_back(
          "lambda are the multipliers of the constraints, which hold as accelerations: watch their "
          "drift.");
  }
  lines.push_back(fmt::format(
      "One evaluation of the equations: {} operations, {} of them functions; {} temporaries.",
      cost.operations, cost.functions, cost.temporaries));
  if (!s.missing.empty())
    lines.push_back("Values are missing in the model: " + join_each(s.missing, comment_name));
  lines.insert(lines.end(), {"", "State, with its start values:"});
  describe(s.states, first_index, &lines);
  lines.insert(lines.end(), {"", "Inputs:"});
  describe(s.inputs, first_index, &lines);
  lines.insert(lines.end(), {"", "Parameters:"});
  describe(s.parameters, first_index, &lines);
  if (!s.derived.empty()) lines.insert(lines.end(), {"", "Parameters that follow from these:"});
  for (const ExportedDerived& d : s.derived) {
    lines.push_back("       " + comment_name(d.name) + " = " + short_text(d.definition, "..."));
    if (!d.documentation.empty()) lines.back() += "  " + comment_text(d.documentation);
  }
  const auto list_names = [&](const char* title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    lines.insert(lines.end(), {"", title});
    for (std::size_t i = 0; i < names.size(); ++i)
      lines.push_back(fmt::format("  {:>3}  {}", i + static_cast<std::size_t>(first_index),
                                  comment_name(names[i])));
  };
  list_names("Constraints, one line for each row of A:", s.row_names);
  list_names("Unknown forces:", s.unknown_names);
  list_names("Outputs:", s.output_names);
  list_names("Integrals over time that outputs and events need, zero at the start:",
             s.integral_names);
  list_names("Events, each where its value passes zero:", s.event_names);
  if (!s.left_out.empty())
    lines.insert(lines.end(), {"", "Not in this file, since the state does not tell it: " +
                                       join_each(s.left_out, comment_name)});
  if (s.sample_count > 0)
    lines.insert(
        lines.end(),
        {"",
         "Samples change held states at whole multiples of their periods, from t = 0 on; all of "
         "them see the state just before."});
  if (!s.tables.empty())
    lines.insert(lines.end(), {"", "Tables, and what they are outside of their rows:"});
  for (const ExportedTable& table : s.tables)
    lines.push_back(fmt::format("       {}  from t = {} s to {} s; {}", comment_name(table.name),
                                table.spline->first(), table.spline->last(),
                                describe_range(table.spline->range())));
  if (!s.energies && s.energies_missing)
    lines.insert(
        lines.end(),
        {"", "No energies: " + comment_text(describe_energies_missing(*s.energies_missing))});
  if (!s.energies_condition.empty())
    lines.insert(lines.end(), {"", "Energies hold while this does not vanish: " +
                                       short_text(s.energies_condition,
                                                  "the determinant of the dependent speeds")});
  return lines;
}

std::string describe_energies_missing(const EnergiesMissing& why) {
  switch (why.kind) {
    case EnergiesMissing::Kind::not_embedded:
      return "the constraints cannot be solved symbolically from the start state";
    case EnergiesMissing::Kind::unknown_force_works:
      return "an unknown force does work";
    case EnergiesMissing::Kind::model_is_wrong:
      break;
  }
  return why.diagnostic.message;
}

}  // namespace visviva
