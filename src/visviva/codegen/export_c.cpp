// Equations of motion as C99.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "visviva/codegen/export.h"
#include "visviva/codegen/export_names.h"
#include "visviva/codegen/export_statements.h"

namespace visviva {
namespace {

// Compilers take more than linear time for a function: larger programs are cut into several.
constexpr std::size_t whole_cost = 1500;
constexpr std::size_t part_cost = 1000;

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

// Functions that C does not have; NaN goes through.
const std::map<Op, std::string>& helpers() {
  static const std::map<Op, std::string> texts = {
      {Op::sign, R"(static double NAME_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}
)"},
      {Op::step, R"(static double NAME_step(double x)
{
    return isnan(x) ? x : x >= 0.0 ? 1.0 : 0.0;
}
)"},
      {Op::min, R"(static double NAME_min(double a, double b)
{
    return isnan(a) || isnan(b) ? a + b : a < b ? a : b;
}
)"},
      {Op::max, R"(static double NAME_max(double a, double b)
{
    return isnan(a) || isnan(b) ? a + b : a < b ? b : a;
}
)"}};
  return texts;
}

constexpr const char* table_function = R"(
/* The cubic spline through samples, or a derivative of it; NaN outside of them. */
static double NAME_table_value(int count, const double *times, const double *values,
                               const double *curvatures, double t, int derivative)
{
    const double size = fmax(fabs(times[0]), fabs(times[count - 1]));
    const double slack = 8.0*2.220446049250313e-16*size;
    int low = 0, high = count - 1;
    double h, a, b;
    if (!(t >= times[0] - slack && t <= times[count - 1] + slack)) return NAN;
    t = fmin(fmax(t, times[0]), times[count - 1]);
    while (high - low > 1) {
        const int middle = low + (high - low)/2;
        if (times[middle] <= t) low = middle; else high = middle;
    }
    h = times[high] - times[low];
    a = (times[high] - t)/h;
    b = (t - times[low])/h;
    switch (derivative) {
    case 0:
        return a*values[low] + b*values[high]
               - h*(h/6.0*(a*b*((1.0 + a)*curvatures[low] + (1.0 + b)*curvatures[high])));
    case 1:
        return (values[high] - values[low])/h
               + h/6.0*((1.0 - 3.0*a*a)*curvatures[low] - (1.0 - 3.0*b*b)*curvatures[high]);
    case 2:
        return a*curvatures[low] + b*curvatures[high];
    default:
        return (curvatures[high] - curvatures[low])/h;
    }
}
)";

constexpr const char* positive_solver = R"(
/* Solves M x = f by M = L D L', M symmetric and positive, given by its lower triangle and
   overwritten; f becomes x. 0, or -1 when M is singular, -3 when a number is not finite. */
static int NAME_solve(double *M, double *x)
{
    const int n = NAME_speed_count;
    int i, j, k;
    for (j = 0; j < n; ++j) {
        const double size = fabs(M[j*n + j]);
        for (k = 0; k < j; ++k) M[j*n + j] -= M[j*n + k]*M[j*n + k]*M[k*n + k];
        if (!isfinite(M[j*n + j]) || !isfinite(x[j])) return -3;
        if (!(M[j*n + j] > 1e-14*size)) return -1;
        for (i = j + 1; i < n; ++i) {
            for (k = 0; k < j; ++k) M[i*n + j] -= M[i*n + k]*M[j*n + k]*M[k*n + k];
            M[i*n + j] /= M[j*n + j];
        }
    }
    for (i = 0; i < n; ++i)
        for (k = 0; k < i; ++k) x[i] -= M[i*n + k]*x[k];
    for (i = n - 1; i >= 0; --i) {
        x[i] /= M[i*n + i];
        for (k = i + 1; k < n; ++k) x[i] -= M[k*n + i]*x[k];
    }
    for (i = 0; i < n; ++i)
        if (!isfinite(x[i])) return -3;
    return 0;
}
)";

constexpr const char* general_solver = R"(
/* Solves K x = y, y the last column of K, by elimination with full pivoting; rows and columns are
   scaled to 1 first. Answers as NAME_accelerations does. */
static int NAME_solve(double K[NAME_equation_count][NAME_unknown_total + 1], double *x)
{
    enum { rows = NAME_equation_count, columns = NAME_unknown_total, n = NAME_speed_count };
    const double zero_pivot = 1e-10, consistent = 1e-6, determined = 1e-7;
    double factor[columns], size = 0.0, first = 0.0, null[columns];
    int order[columns], rank = 0, i, j, k, pass;

    for (j = 0; j < columns; ++j) {
        factor[j] = 1.0;
        order[j] = j;
        x[j] = 0.0;
    }
    for (i = 0; i < rows; ++i)
        for (j = 0; j <= columns; ++j)
            if (!isfinite(K[i][j])) return -3;
    for (pass = 0; pass < 3; ++pass) {
        for (i = 0; i < rows; ++i) {
            double largest = 0.0;
            for (j = 0; j < columns; ++j) largest = fmax(largest, fabs(K[i][j]));
            for (j = 0; j <= columns && largest > 0.0; ++j) K[i][j] /= largest;
        }
        for (j = 0; j < columns; ++j) {
            double largest = 0.0;
            for (i = 0; i < rows; ++i) largest = fmax(largest, fabs(K[i][j]));
            if (!(largest > 0.0)) continue;
            for (i = 0; i < rows; ++i) K[i][j] /= largest;
            factor[j] /= largest;
        }
    }
    for (i = 0; i < rows; ++i) size = fmax(size, fabs(K[i][columns]));

    /* The largest entry that is left is the next pivot. */
    for (; rank < rows && rank < columns; ++rank) {
        int row = rank, column = rank;
        double pivot = 0.0;
        for (i = rank; i < rows; ++i)
            for (j = rank; j < columns; ++j)
                if (fabs(K[i][j]) > pivot) {
                    pivot = fabs(K[i][j]);
                    row = i;
                    column = j;
                }
        if (rank == 0) first = pivot;
        if (!(pivot > zero_pivot*first)) break;
        for (j = 0; j <= columns; ++j) {
            const double keep = K[row][j];
            K[row][j] = K[rank][j];
            K[rank][j] = keep;
        }
        for (i = 0; i < rows; ++i) {
            const double keep = K[i][column];
            K[i][column] = K[i][rank];
            K[i][rank] = keep;
        }
        k = order[column];
        order[column] = order[rank];
        order[rank] = k;
        for (i = rank + 1; i < rows; ++i) {
            const double ratio = K[i][rank]/K[rank][rank];
            for (j = rank; j <= columns && ratio != 0.0; ++j) K[i][j] -= ratio*K[rank][j];
        }
    }

    /* What no pivot determines is zero. */
    for (i = rank - 1; i >= 0; --i) {
        double sum = K[i][columns];
        for (j = i + 1; j < rank; ++j) sum -= K[i][j]*x[order[j]];
        x[order[i]] = sum/K[i][i];
        size = fmax(size, fabs(x[order[i]]));
    }
    for (i = rank; i < rows; ++i)
        if (!(fabs(K[i][columns]) <= consistent*size)) return -2;

    /* Every other solution differs by such vectors: accelerations must not. */
    for (k = rank; k < columns; ++k) {
        if (order[k] < n) return -1;
        for (i = rank - 1; i >= 0; --i) {
            double sum = -K[i][k];
            for (j = i + 1; j < rank; ++j) sum -= K[i][j]*null[j];
            null[i] = sum/K[i][i];
            if (order[i] < n && !(fabs(null[i]) <= determined)) return -1;
        }
    }
    for (j = 0; j < columns; ++j) x[j] *= factor[j];
    for (j = 0; j < columns; ++j)
        if (!isfinite(x[j])) return -3;
    return rank < columns ? 1 : 0;
}
)";

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
        write_header(cost) + write_interface() + write_data() + write_helpers() + body;
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
    return text + (s_.tables.empty() ? "" : table_function);
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

  std::string write_helpers() const {
    std::string text;
    for (const auto& [op, helper] : helpers()) {
      if (called_.count(op) != 0) text += "\n" + helper;
    }
    return text;
  }

  // ---- Programs

  // "state[2]"; t stands for itself.
  std::string input_source(std::size_t i) const {
    if (--i < s_.states.size()) return fmt::format("state[{}]", i);
    i -= s_.states.size();
    if (i < s_.inputs.size()) return fmt::format("inputs[{}]", i);
    const ExportedSample& sample = s_.samples[i - s_.inputs.size()];
    return fmt::format(
        "NAME_table_value({0}, NAME_table_{1}_times, NAME_table_{1}_values,\n"
        "                         NAME_table_{1}_curvatures, t, {2})",
        s_.tables[sample.table].spline->knots().size(), sample.table, sample.derivative);
  }

  std::string target(const ExportedTarget& t) const {
    const std::size_t width = *t.array == 'W' || *t.array == 'V' ? s_.unknown_count
                              : *t.array == 'L'                  ? s_.row_count
                                                                 : s_.speed_count;
    return fmt::format("out->{}[{}]", t.array, t.column ? t.row * width + *t.column : t.row);
  }

  // The part of a program from one statement to another as the body of a function.
  struct Part {
    std::size_t begin, end;
  };

  static std::vector<Part> cut(const std::vector<ExportStatement>& list) {
    const auto cost = [](const ExportStatement& s) { return std::max<std::size_t>(s.cost, 1); };
    std::size_t total = 0;
    for (const ExportStatement& s : list) total += cost(s);
    std::vector<Part> parts;
    std::size_t begin = 0, sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      sum += cost(list[i]);
      if (total <= whole_cost || sum < part_cost) continue;
      parts.push_back({begin, i + 1});
      begin = i + 1;
      sum = 0;
    }
    if (begin < list.size() || parts.empty()) parts.push_back({begin, list.size()});
    return parts;
  }

  // static void NAME_<name>_at(..., struct NAME_<name> *out), in several functions when it is long
  std::string write_block(const ExportedBlock& block, const std::string& name,
                          const std::vector<std::pair<std::string, std::size_t>>& members,
                          ExportCost* cost) {
    std::string text = "\nstruct NAME_" + name + " {\n";
    for (const auto& [member, count] : members)
      text += fmt::format("    double {}[{}];\n", member, count);
    text += "};\n";
    const ExportStatements statements =
        write_statements(block, input_identifiers(s_), parameter_identifiers(s_), {literal, call});
    called_.insert(statements.functions.begin(), statements.functions.end());
    if (cost != nullptr) {
      cost->operations = block.program.arithmetic_count() + block.program.function_count();
      cost->functions = block.program.function_count();
      cost->temporaries = statements.temporaries;
    }
    const std::vector<Part> parts = cut(statements.list);
    const std::string head = fmt::format("({}, struct NAME_{} *out", arguments, name);
    if (parts.size() == 1) {
      Places none(statements.list, parts);
      return text + "\nstatic void NAME_" + name + "_at" + head + ")\n{\n" +
             write_part(block, statements.list, parts[0], none) + "}\n";
    }
    const Places places(statements.list, parts);
    std::string calls;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      text += fmt::format("\nstatic void NAME_{}_{}{}, double *work)\n{{\n", name, k + 1, head);
      text += write_part(block, statements.list, parts[k], places) + "}\n";
      calls +=
          fmt::format("    NAME_{}_{}(t, state, inputs, parameters, out, work);\n", name, k + 1);
    }
    return text + "\nstatic void NAME_" + name + "_at" + head + ")\n{\n" +
           fmt::format("    double work[{}];\n", std::max<std::size_t>(places.count(), 1)) + calls +
           "}\n";
  }

  // Where values that several parts use are kept, and for how long.
  class Places {
   public:
    Places(const std::vector<ExportStatement>& list, const std::vector<Part>& parts)
        : part_of_(list.size()), last_(list.size()), place_(list.size(), none) {
      for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t i = parts[p].begin; i < parts[p].end; ++i) {
          part_of_[i] = last_[i] = p;
          for (const std::size_t use : list[i].uses) last_[use] = p;
        }
      }
      // A place is free again after the last part that reads it.
      std::vector<std::vector<std::size_t>> ends(parts.size());
      std::vector<std::size_t> free;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t i = parts[p].begin; i < parts[p].end; ++i) {
          if (last_[i] == p) continue;
          if (free.empty()) free.push_back(count_++);
          place_[i] = free.back();
          free.pop_back();
          ends[last_[i]].push_back(place_[i]);
        }
        free.insert(free.end(), ends[p].begin(), ends[p].end());
      }
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t count() const { return count_; }
    std::size_t place(std::size_t statement) const { return place_[statement]; }
    std::size_t part_of(std::size_t statement) const { return part_of_[statement]; }

   private:
    std::vector<std::size_t> part_of_, last_, place_;
    std::size_t count_ = 0;
  };

  std::string write_part(const ExportedBlock& block, const std::vector<ExportStatement>& list,
                         const Part& part, const Places& places) const {
    std::set<std::size_t> inputs, parameters, earlier;
    std::string body;
    bool uses_work = false, uses_out = false;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const ExportStatement& s = list[i];
      inputs.insert(s.inputs.begin(), s.inputs.end());
      parameters.insert(s.parameters.begin(), s.parameters.end());
      for (const std::size_t use : s.uses) {
        if (use < part.begin) earlier.insert(use);
      }
      if (s.name.empty()) {
        uses_out = true;
        body += "    " + target(block.targets[s.output]) + " = " + s.expression + ";\n";
        continue;
      }
      body += "    const double " + s.name + " = " + s.expression + ";\n";
      if (places.place(i) == Places::none) continue;
      body += fmt::format("    work[{}] = {};\n", places.place(i), s.name);
      uses_work = true;
    }
    std::string head;
    bool uses_t = inputs.count(0) != 0, uses_state = false, uses_inputs = false;
    inputs.erase(0);
    const std::vector<std::string> names = input_identifiers(s_);
    for (const std::size_t i : inputs) {
      head += "    const double " + names[i] + " = " + input_source(i) + ";\n";
      uses_state = uses_state || i <= s_.states.size();
      uses_inputs =
          uses_inputs || (i > s_.states.size() && i <= s_.states.size() + s_.inputs.size());
      uses_t = uses_t || i > s_.states.size() + s_.inputs.size();
    }
    for (const std::size_t i : parameters)
      head +=
          fmt::format("    const double {} = parameters[{}];\n", s_.parameters[i].identifier, i);
    for (const std::size_t i : earlier)
      head += fmt::format("    const double {} = work[{}];\n", list[i].name, places.place(i));
    std::string unused;
    const auto note = [&](bool is_used, const char* name) {
      if (!is_used) unused += std::string("    (void)") + name + ";\n";
    };
    note(uses_t, "t");
    note(uses_state, "state");
    note(uses_inputs, "inputs");
    note(!parameters.empty(), "parameters");
    if (places.count() > 0) note(uses_work || !earlier.empty(), "work");
    note(uses_out, "out");
    return head + unused + (head.empty() ? "" : "\n") + body;
  }

  // ---- Functions

  std::string write_body(ExportCost* cost) {
    const auto size = [](std::size_t i) { return std::max<std::size_t>(i, 1); };
    const std::size_t n = s_.speed_count, k = s_.unknown_count, m = s_.row_count,
                      a = s_.auxiliary_count;
    std::vector<std::pair<std::string, std::size_t>> members = {
        {"q_rates", size(s_.configuration_count)}, {"M", size(n * n)}, {"f", size(n)}};
    if (m > 0) members.insert(members.end(), {{"A", size(m * n)}, {"b", m}});
    if (k > 0) members.emplace_back("W", size(n * k));
    if (a > 0) {
      members.insert(members.end(), {{"C", size(a * n)}, {"V", size(a * k)}, {"d", a}});
      if (m > 0) members.emplace_back("L", size(a * m));
    }
    std::string text = write_block(s_.equations, "equations", members, cost);
    if (m > 0)
      text += write_block(s_.constraints, "constraint_values",
                          {{"position", size(s_.position_count)}, {"velocity", m}}, nullptr);
    if (s_.energies)
      text += write_block(*s_.energies, "energy_values",
                          {{"energies", s_.energies->targets.size()}}, nullptr);
    text += s_.is_plain() ? positive_solver : std::string(general_solver) + write_assembly();
    for (const auto& [comment, declaration] : functions()) {
      (void)comment;
      const std::size_t begin = declaration.find('_') + 1;
      text += "\n" + declaration + "\n{\n" +
              body_of(declaration.substr(begin, declaration.find('(') - begin)) + "}\n";
    }
    return text;
  }

  // (1) of export_system.h, solved.
  std::string write_assembly() const {
    std::string text = R"(
static int NAME_solve_equations(const struct NAME_equations *e, double *x)
{
    enum { n = NAME_speed_count, columns = NAME_unknown_total };
    double K[NAME_equation_count][NAME_unknown_total + 1];
    int i, j;
    for (j = 0; j < columns; ++j) x[j] = 0.0;
    for (i = 0; i < NAME_equation_count; ++i)
        for (j = 0; j <= columns; ++j) K[i][j] = 0.0;
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j) K[i][j] = i >= j ? e->M[i*n + j] : e->M[j*n + i];
        K[i][columns] = e->f[i];
    }
)";
    if (s_.unknown_count > 0)
      text += R"(    for (i = 0; i < n; ++i)
        for (j = 0; j < NAME_unknown_count; ++j) K[i][n + j] = -e->W[i*NAME_unknown_count + j];
)";
    if (s_.row_count > 0)
      text += R"(    {
        /* A row that is zero but for rounding says nothing. */
        const int first = n + NAME_unknown_count;
        double largest = 0.0;
        for (i = 0; i < NAME_row_count*n; ++i) largest = fmax(largest, fabs(e->A[i]));
        for (i = 0; i < NAME_row_count; ++i) {
            double size = 0.0;
            for (j = 0; j < n; ++j) {
                if (!isfinite(e->A[i*n + j])) return -3;
                size = fmax(size, fabs(e->A[i*n + j]));
            }
            K[n + i][columns] = e->b[i];
            for (j = 0; j < n && !(size <= 1e-14*largest); ++j) {
                K[n + i][j] = e->A[i*n + j];
                K[j][first + i] = -e->A[i*n + j];
            }
        }
    }
)";
    if (s_.auxiliary_count > 0) {
      text += fmt::format(
          "    for (i = 0; i < {}; ++i) {{\n        const int row = n + NAME_row_count + i;\n",
          s_.auxiliary_count);
      text += "        for (j = 0; j < n; ++j) K[row][j] = e->C[i*n + j];\n";
      text +=
          "        for (j = 0; j < NAME_unknown_count; ++j) K[row][n + j] = "
          "-e->V[i*NAME_unknown_count + j];\n";
      if (s_.row_count > 0)
        text +=
            "        for (j = 0; j < NAME_row_count; ++j)\n            K[row][n + "
            "NAME_unknown_count + j] = -e->L[i*NAME_row_count + j];\n";
      text += "        K[row][columns] = e->d[i];\n    }\n";
    }
    return text + "    return NAME_solve(K, x);\n}\n";
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
