// Equations of motion as C99.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_blocks.h"
#include "visviva/codegen/export/export_c_texts.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

std::string literal(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  return number_literal(value);
}

std::string call(Op function, const std::string& a, const std::string& b) {
  switch (function) {
    case Op::abs:
      return "fabs(" + a + ")";
    case Op::power:
      return "pow(" + a + ", " + b + ")";
    case Op::sign:
    case Op::step:
      return "NAME_" + std::string(function_name(function)) + "(" + a + ")";
    case Op::min:
    case Op::max:
      return "NAME_" + std::string(function_name(function)) + "(" + a + ", " + b + ")";
    default:
      return std::string(function_name(function)) + "(" + a +
             (operand_count(function) > 1 ? ", " + b : "") + ")";
  }
}

std::string sample_source(const ExportedSystem& s, const ExportedSample& sample) {
  return fmt::format(
      "NAME_table_value({0}, NAME_table_{1}_times, NAME_table_{1}_values,\n"
      "                         NAME_table_{1}_curvatures, t, {2})",
      s.tables[sample.table].spline->knots().size(), sample.table, sample.derivative);
}

std::string target(const ExportedSystem& s, const ExportedTarget& t) {
  const std::size_t width = *t.array == 'W' || *t.array == 'V' ? s.unknown_count
                            : *t.array == 'L'                  ? s.row_count
                                                               : s.speed_count;
  return fmt::format("out->{}[{}]", t.array, t.column ? t.row * width + *t.column : t.row);
}

// gcc and clang take more than twice as long for a function twice as long.
constexpr std::size_t part_cost = 1000;

constexpr BlockSyntax syntax = {{literal, call}, "    ", "const double ", ";\n",    '[', ']', 0,
                                sample_source,   target, false,           part_cost};

constexpr const char* arguments =
    "double t, const double *state, const double *inputs,\n    const double *parameters";

// Texts of the model may hold the word that stands for its name; they keep it.
std::string protect(std::string text) {
  for (std::size_t p = 0; (p = text.find("NAME_", p)) != std::string::npos; p += 6)
    text.insert(p + 4, 1, '\x01');
  return text;
}

bool is_word_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class CWriter {
 public:
  explicit CWriter(const ExportedSystem& system) : s_(system) {}

  std::string write() {
    ExportCost cost;
    const std::string body = write_body(&cost);
    std::string text =
        write_header(cost) + write_interface() + write_data() + write_c_helpers(called_) + body;
    return insert_name(text);
  }

 private:
  std::string insert_name(const std::string& text) const {
    const std::string_view word = "NAME_";
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, word.size(), word) == 0 && (i == 0 || !is_word_character(text[i - 1]))) {
        result += s_.identifier;
        i += word.size() - 2;
      } else if (text[i] != '\x01') {
        result += text[i];
      }
    }
    return result;
  }

  // ---- Top of the file

  std::string write_header(const ExportCost& cost) const {
    std::string text = "/*\n * Equations of motion of " + protect(comment_name(s_.name)) +
                       ", written by visviva export: C99, needs <math.h> only.\n";
    const auto add = [&](const std::string& line) {
      text += line.empty() ? " *\n" : " * " + line + "\n";
    };
    for (const std::string& line : describe_model(s_, cost, 0)) add(protect(line));
    text += R"( *
 * How to use it: compile this file with the others and copy the declarations below, or include it.
 *   double rates[NAME_state_count];
 *   int status = NAME_rates(0.0, NAME_start_state, NAME_default_inputs,
 *                           NAME_default_parameters, rates);
 * Arrays without entries may be null pointers. Matrices are stored row after row. Functions keep
 * nothing between calls. Status: 0 good; 1 good, but constraints are redundant here and multipliers
 * not unique; -1 accelerations are not determined; -2 the constraints contradict each other; -3 a
 * number is not finite.
 */
#include <math.h>

)";
    return text;
  }

  std::string write_interface() const {
    const auto n = [](std::size_t i) { return std::to_string(i); };
    std::string text = "enum {\n";
    text += "    NAME_state_count = " + n(s_.states.size()) + ",\n";
    text += "    NAME_configuration_count = " + n(s_.configuration_count) +
            ", /* first in the state */\n";
    text += "    NAME_speed_count = " + n(s_.speed_count) + ",         /* then these */\n";
    text += "    NAME_input_count = " + n(s_.inputs.size()) + ",\n";
    text += "    NAME_parameter_count = " + n(s_.parameters.size());
    if (!s_.is_plain()) {
      text += ",\n    NAME_row_count = " + n(s_.row_count) + ",\n";
      text += "    NAME_position_count = " + n(s_.position_count) + ",\n";
      text += "    NAME_unknown_count = " + n(s_.unknown_count) + ",\n";
      text += "    NAME_equation_count = " + n(s_.speed_count + s_.row_count + s_.auxiliary_count) +
              ",\n";
      text += "    NAME_unknown_total = " + n(s_.speed_count + s_.row_count + s_.unknown_count);
    }
    text += "\n};\n\n";
    if (s_.energies) {
      text += "/* Places in the array of energies. */\nenum {\n";
      for (std::size_t i = 0; i < std::size(exported_energies); ++i)
        text += fmt::format("    NAME_{}, /* {} */\n", exported_energies[i],
                            exported_energy_meanings[i]);
      text += "    NAME_energy_count\n};\n\n";
    }
    for (const auto& [name, count] : arrays())
      text +=
          fmt::format("extern const double NAME_{}[{}];\n", name, std::max<std::size_t>(count, 1));
    for (const auto& [name, count] : name_arrays())
      text += fmt::format("extern const char *const NAME_{}[{}];\n", name,
                          std::max<std::size_t>(count, 1));
    text += "\n";
    for (const auto& [comment, declaration] : functions())
      text += "/* " + comment + " */\n" + declaration + ";\n";
    return text + "\n";
  }

  std::vector<std::pair<std::string, std::size_t>> arrays() const {
    return {{"start_state", s_.states.size()},
            {"default_inputs", s_.inputs.size()},
            {"default_parameters", s_.parameters.size()}};
  }

  std::vector<std::pair<std::string, std::size_t>> name_arrays() const {
    return {{"state_names", s_.states.size()},
            {"input_names", s_.inputs.size()},
            {"parameter_names", s_.parameters.size()}};
  }

  // Comment and declaration.
  std::vector<std::pair<std::string, std::string>> functions() const {
    const auto declare = [](const char* name, const char* results) {
      return fmt::format("int NAME_{}({}, {})", name, arguments, results);
    };
    std::vector<std::pair<std::string, std::string>> list = {
        {"The rates of the state.", declare("rates", "double *rates")}};
    if (!s_.is_plain())
      list.emplace_back(
          "u', the multipliers of the rows and the unknown forces; null pointers for what is not "
          "wanted.",
          declare("accelerations", "double *speed_rates, double *multipliers, double *unknowns"));
    list.emplace_back("M, speed_count x speed_count.", declare("mass_matrix", "double *M"));
    list.emplace_back(s_.is_plain() ? "f" : "f, without unknown forces and multipliers.",
                      declare("forcing", "double *f"));
    if (s_.row_count > 0)
      list.emplace_back(
          "How far the constraints are from being satisfied, by position and by velocity,\n   and "
          "A (row_count x speed_count) and b of A u' = b.",
          declare("constraints", "double *position, double *velocity, double *A, double *b"));
    if (s_.energies)
      list.emplace_back("Energies and powers, energy_count of them.",
                        declare("energies", "double *energies"));
    return list;
  }

  std::string write_data() const {
    std::string text;
    const std::vector<ExportedVariable>* lists[] = {&s_.states, &s_.inputs, &s_.parameters};
    for (std::size_t k = 0; k < 3; ++k) {
      std::string numbers, names;
      for (const ExportedVariable& v : *lists[k]) {
        numbers += (numbers.empty() ? "" : ", ") + literal(v.value);
        names += (names.empty() ? "" : ", ") + protect(c_string(v.name));
      }
      const std::size_t count = std::max<std::size_t>(lists[k]->size(), 1);
      text += fmt::format("const double NAME_{}[{}] = {{ {} }};\n", arrays()[k].first, count,
                          numbers.empty() ? "0.0" : numbers);
      text += fmt::format("const char *const NAME_{}[{}] = {{ {} }};\n", name_arrays()[k].first,
                          count, names.empty() ? "\"\"" : names);
    }
    for (std::size_t k = 0; k < s_.tables.size(); ++k) text += write_table(k);
    return text + (s_.tables.empty() ? "" : c_table_function);
  }

  std::string write_table(std::size_t k) const {
    const Spline& spline = *s_.tables[k].spline;
    const std::size_t count = spline.knots().size();
    std::string text = fmt::format("\n/* Samples of {}: times, values, second derivatives. */\n",
                                   protect(comment_name(s_.tables[k].name)));
    const auto add = [&](const char* name, auto value) {
      text += fmt::format("static const double NAME_table_{}_{}[{}] = {{", k, name, count);
      for (std::size_t i = 0; i < count; ++i)
        text +=
            (i % 6 == 0 ? "\n    " : " ") + literal(value(i)) + (i + 1 < count ? "," : "\n};\n");
    };
    add("times", [&](std::size_t i) { return spline.knots()[i]; });
    add("values", [&](std::size_t i) { return spline.samples()[i]; });
    add("curvatures", [&](std::size_t i) { return spline.value(spline.knots()[i], 2); });
    return text;
  }

  // ---- Programs

  // struct NAME_<name>, and static void NAME_<name>_at(..., struct NAME_<name> *out) that fills it.
  std::string write_block(const NamedBlock& named, ExportCost* cost) {
    const std::string name = named.name;
    std::string text = "\nstruct NAME_" + name + " {\n";
    for (const ExportedArray& a : named.arrays) {
      if (!a.is_used) continue;
      text += fmt::format("    double {}[{}];\n", a.name,
                          std::max<std::size_t>(a.rows * a.columns.value_or(1), 1));
    }
    text += "};\n";
    const ExportedParts parts = write_parts(s_, *named.block, syntax);
    called_.insert(parts.functions.begin(), parts.functions.end());
    if (named.block == &s_.equations) *cost = make_cost(*named.block, parts.temporaries);
    const std::string head = fmt::format("({}, struct NAME_{} *out", arguments, name);
    const std::string begin = "\nstatic void NAME_" + name + "_at" + head + ")\n{\n";
    if (parts.list.size() == 1) return text + begin + write_part(parts.list[0], false) + "}\n";
    std::string names;
    for (std::size_t k = 1; k <= parts.list.size(); ++k) {
      text += fmt::format("\nstatic void NAME_{}_{}{}, double *work)\n{{\n{}}}\n", name, k, head,
                          write_part(parts.list[k - 1], true));
      names += fmt::format("{}NAME_{}_{}",
                           k == 1       ? ""
                           : k % 4 == 1 ? ",\n        "
                                        : ", ",
                           name, k);
    }
    return text + begin + write_calls(name, names, parts);
  }

  // Through pointers: a compiler would put functions that are called once into the caller, and have
  // the long function again.
  static std::string write_calls(const std::string& name, const std::string& names,
                                 const ExportedParts& parts) {
    return fmt::format(R"(    static void (*const parts[])(double, const double *, const double *,
        const double *, struct NAME_{} *, double *) = {{
        {}
    }};
    double work[{}];
    int i;
    for (i = 0; i < {}; ++i) parts[i](t, state, inputs, parameters, out, work);
}}
)",
                       name, names, std::max<std::size_t>(parts.work_count, 1), parts.list.size());
  }

  static std::string write_part(const ExportedPart& part, bool has_work) {
    std::string unused;
    const auto note = [&](bool is_used, const char* name) {
      if (!is_used) unused += std::string("    (void)") + name + ";\n";
    };
    note(part.uses_t, "t");
    note(part.uses_state, "state");
    note(part.uses_inputs, "inputs");
    note(part.uses_parameters, "parameters");
    if (has_work) note(part.uses_work, "work");
    note(part.uses_out, "out");
    return part.head + unused + (part.head.empty() ? "" : "\n") + part.body;
  }

  // ---- Functions

  std::string write_body(ExportCost* cost) {
    std::string text;
    for (const NamedBlock& block : list_blocks(s_)) text += write_block(block, cost);
    text += write_c_solver(s_);
    for (const auto& [comment, declaration] : functions()) {
      (void)comment;
      const std::size_t begin = declaration.find('_') + 1;
      text += "\n" + declaration + "\n{\n" +
              body_of(declaration.substr(begin, declaration.find('(') - begin)) + "}\n";
    }
    return text;
  }

  std::string body_of(const std::string& function) const {
    const std::string evaluate = "    NAME_equations_at(t, state, inputs, parameters, &e);\n";
    const std::string begin = "    struct NAME_equations e;\n    int i;\n" + evaluate;
    if (function == "rates") {
      const std::string copy =
          "    for (i = 0; i < NAME_configuration_count; ++i) rates[i] = e.q_rates[i];\n";
      const std::string last =
          "    for (i = 0; i < NAME_speed_count; ++i) rates[NAME_configuration_count + i] = ";
      if (s_.is_plain())
        return "    struct NAME_equations e;\n    int i, status;\n" + evaluate +
               "    status = NAME_solve(e.M, e.f);\n" + copy + last + "e.f[i];\n" +
               "    for (i = 0; i < NAME_configuration_count && status == 0; ++i)\n"
               "        if (!isfinite(rates[i])) return -3;\n    return status;\n";
      return "    struct NAME_equations e;\n    double x[NAME_unknown_total];\n    int i, "
             "status;\n" +
             evaluate + "    status = NAME_solve_equations(&e, x);\n" + copy + last + "x[i];\n" +
             "    for (i = 0; i < NAME_configuration_count && status >= 0; ++i)\n"
             "        if (!isfinite(rates[i])) return -3;\n    return status;\n";
    }
    if (function == "accelerations")
      return "    struct NAME_equations e;\n    double x[NAME_unknown_total];\n    int i, "
             "status;\n" +
             evaluate +
             R"(    status = NAME_solve_equations(&e, x);
    for (i = 0; i < NAME_speed_count && speed_rates; ++i) speed_rates[i] = x[i];
    for (i = 0; i < NAME_unknown_count && unknowns; ++i) unknowns[i] = x[NAME_speed_count + i];
    for (i = 0; i < NAME_row_count && multipliers; ++i)
        multipliers[i] = x[NAME_speed_count + NAME_unknown_count + i];
    return status;
)";
    if (function == "mass_matrix")
      return "    enum { n = NAME_speed_count };\n    struct NAME_equations e;\n    int i, j;\n" +
             evaluate +
             "    for (i = 0; i < n; ++i)\n        for (j = 0; j < n; ++j) M[i*n + j] = i >= j ? "
             "e.M[i*n + j] : e.M[j*n + i];\n"
             "    for (i = 0; i < n*n; ++i)\n        if (!isfinite(M[i])) return -3;\n    return "
             "0;\n";
    if (function == "forcing")
      return begin +
             "    for (i = 0; i < NAME_speed_count; ++i) f[i] = e.f[i];\n"
             "    for (i = 0; i < NAME_speed_count; ++i)\n        if (!isfinite(f[i])) return "
             "-3;\n    return 0;\n";
    if (function == "energies")
      return "    struct NAME_energy_values e;\n    int i;\n"
             "    NAME_energy_values_at(t, state, inputs, parameters, &e);\n"
             "    for (i = 0; i < NAME_energy_count; ++i) energies[i] = e.energies[i];\n"
             "    for (i = 0; i < NAME_energy_count; ++i)\n        if (!isfinite(energies[i])) "
             "return -3;\n    return 0;\n";
    return "    struct NAME_equations e;\n    struct NAME_constraint_values c;\n    int i;\n" +
           evaluate +
           R"(    NAME_constraint_values_at(t, state, inputs, parameters, &c);
    for (i = 0; i < NAME_position_count; ++i) position[i] = c.position[i];
    for (i = 0; i < NAME_row_count; ++i) velocity[i] = c.velocity[i];
    for (i = 0; i < NAME_row_count*NAME_speed_count; ++i) A[i] = e.A[i];
    for (i = 0; i < NAME_row_count; ++i) {
        b[i] = e.b[i];
        if (!isfinite(b[i]) || !isfinite(velocity[i])) return -3;
    }
    return 0;
)";
  }

  const ExportedSystem& s_;
  std::set<Op> called_;
};

}  // namespace

std::string write_c(const ExportedSystem& system) { return CWriter(system).write(); }

}  // namespace visviva