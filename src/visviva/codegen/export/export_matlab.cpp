// Equations of motion as a MATLAB function file.
#include <fmt/format.h>

#include <cmath>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_blocks.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

std::string literal(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return number_literal(value);
}

// Where MATLAB would go on with complex numbers, or leave NaN out, functions of our own do not.
std::string call(Op function, const std::string& a, const std::string& b) {
  const std::string name(function_name(function));
  switch (function) {
    case Op::sqrt:
    case Op::log:
    case Op::asin:
    case Op::acos:
      return "real_or_nan(" + name + "(" + a + "))";
    case Op::power:
      return "real_or_nan(power(" + a + ", " + b + "))";
    case Op::step:
      return "step_of(" + a + ")";
    case Op::min:
      return "least(" + a + ", " + b + ")";
    case Op::max:
      return "greatest(" + a + ", " + b + ")";
    case Op::atan2:
      return "atan2(" + a + ", " + b + ")";
    default:
      return name + "(" + a + ")";
  }
}

std::string sample_source(const ExportedSystem&, const ExportedSample& sample) {
  return fmt::format("table_value(local_table_{}(), t, {})", sample.table + 1, sample.derivative);
}

std::string target(const ExportedSystem&, const ExportedTarget& t) {
  return t.column ? fmt::format("out.{}({}, {})", t.array, t.row + 1, *t.column + 1)
                  : fmt::format("out.{}({})", t.array, t.row + 1);
}

// Octave's time is that of the text; parts bound what a just-in-time compiler has to take at once.
constexpr std::size_t part_cost = 5000;

constexpr BlockSyntax syntax = {{literal, call}, "",     "",   ";\n",    '(', ')', 1,
                                sample_source,   target, true, part_cost};

constexpr const char* real_function = R"(
function y = real_or_nan(y)
if ~isreal(y), y = NaN; end
end
)";

constexpr const char* step_function = R"(
function y = step_of(x)
if isnan(x), y = x; else, y = double(x >= 0); end
end
)";

constexpr const char* extreme_functions = R"(
function y = least(a, b)
if isnan(a) || isnan(b), y = NaN; else, y = min(a, b); end
end

function y = greatest(a, b)
if isnan(a) || isnan(b), y = NaN; else, y = max(a, b); end
end
)";

constexpr const char* table_function = R"(
function y = table_value(table, t, derivative)
% The cubic spline through samples, or a derivative of it; NaN outside of them.
times = table(1, :); values = table(2, :); curvatures = table(3, :);
slack = 8*eps*max(abs(times(1)), abs(times(end)));
if ~(t >= times(1) - slack && t <= times(end) + slack), y = NaN; return, end
t = min(max(t, times(1)), times(end));
i = min(find(times <= t, 1, 'last'), numel(times) - 1);
h = times(i + 1) - times(i);
a = (times(i + 1) - t)/h;
b = (t - times(i))/h;
m = curvatures(i); n = curvatures(i + 1);
switch derivative
    case 0
        y = a*values(i) + b*values(i + 1) - h*(h/6*(a*b*((1 + a)*m + (1 + b)*n)));
    case 1
        y = (values(i + 1) - values(i))/h + h/6*((1 - 3*a*a)*m - (1 - 3*b*b)*n);
    case 2
        y = a*m + b*n;
    otherwise
        y = (n - m)/h;
end
end
)";

// Pivots of L D L' are the squares on the diagonal of the Cholesky factor.
constexpr const char* positive_solver = R"(
function x = local_solve(M, f)
% x of M x = f, M symmetric and positive; NaN where it is singular.
x = NaN(size(f));
if ~all(isfinite([M(:); f])) || ~all(diag(M) > 0), return, end
scale = 1./sqrt(diag(M));
[R, fault] = chol(M.*(scale*scale'));
if fault == 0 && all(diag(R).^2 > 1e-14), x = scale.*(R\(R'\(scale.*f))); end
end
)";

constexpr const char* general_solver = R"(
function x = local_solve(K, y, speeds)
% The smallest x of K x = y, whatever the rank. NaN where the first unknowns are not determined, or
% K x = y has no solution.
columns = size(K, 2);
factor = ones(columns, 1);
if ~all(isfinite(K(:))) || ~all(isfinite(y)), x = NaN(columns, 1); return, end
for pass = 1:3
    largest = max(abs(K), [], 2);
    largest(largest == 0) = 1;
    K = K./largest;
    y = y./largest;
    largest = max(abs(K), [], 1);
    largest(largest == 0) = 1;
    K = K./largest;
    factor = factor./largest(:);
end
inverse = pinv(K, 1e-10*norm(K));
x = inverse*y;
x = x + inverse*(y - K*x);
good = max(abs(K*x - y)) <= 1e-6*(max(abs(y)) + max(abs(x)));
open = abs(eye(columns) - inverse*K);
if ~good || any(any(open(1:speeds, :) > 1e-7)), x = NaN(columns, 1); return, end
x = x.*factor;
end
)";

class MatlabWriter {
 public:
  explicit MatlabWriter(const ExportedSystem& system) : s_(system) {}

  std::string write() {
    ExportCost cost;
    std::string blocks;
    for (const NamedBlock& block : list_blocks(s_)) blocks += write_block(block, &cost);
    std::string text = write_main(cost) + write_functions() + blocks;
    text += s_.is_plain() ? positive_solver : general_solver;
    const auto calls = [&](Op op) { return called_.count(op) != 0; };
    if (calls(Op::sqrt) || calls(Op::log) || calls(Op::asin) || calls(Op::acos) || calls(Op::power))
      text += real_function;
    if (calls(Op::step)) text += step_function;
    if (calls(Op::min) || calls(Op::max)) text += extreme_functions;
    if (!s_.tables.empty()) text += table_function;
    return text;
  }

 private:
  std::string write_main(const ExportCost& cost) const {
    std::string text = "function model = " + s_.identifier + "()\n% Equations of motion of " +
                       comment_name(s_.name) +
                       ", written by visviva export: MATLAB R2016b or later.\n";
    for (const std::string& line : describe_model(s_, cost, 1))
      text += line.empty() ? "%\n" : "% " + line + "\n";
    text +=
        "%\n% How to use it:\n%   model = " + s_.identifier + "();\n" +
        R"(%   rates = model.rates(0, model.start_state, model.default_inputs, model.default_parameters);
% All functions take (t, state, inputs, parameters); state, inputs and parameters are columns.
)";
    text += "model.name = " + matlab_string(s_.name) + ";\n";
    write_list("state", s_.states, "start_state", &text);
    write_list("input", s_.inputs, "default_inputs", &text);
    write_list("parameter", s_.parameters, "default_parameters", &text);
    for (const std::string& f : function_names())
      text += fmt::format("model.{0} = @local_{0};\n", f);
    return text + "end\n";
  }

  std::vector<std::string> function_names() const {
    std::vector<std::string> names = {"rates"};
    if (!s_.is_plain()) names.emplace_back("accelerations");
    names.insert(names.end(), {"mass_matrix", "forcing"});
    if (s_.row_count > 0) names.emplace_back("constraints");
    if (s_.energies) names.emplace_back("energies");
    return names;
  }

  static void write_list(const char* kind, const std::vector<ExportedVariable>& list,
                         const char* values, std::string* text) {
    std::string names, units, numbers;
    for (const ExportedVariable& v : list) {
      names += (names.empty() ? "" : ", ") + matlab_string(v.name);
      units += (units.empty() ? "" : ", ") + matlab_string(v.unit);
      numbers += (numbers.empty() ? "" : "; ") + literal(v.value);
    }
    *text +=
        fmt::format("model.{0}_names = {{{1}}};\nmodel.{0}_units = {{{2}}};\nmodel.{3} = {4};\n",
                    kind, names, units, values, list.empty() ? "zeros(0, 1)" : "[" + numbers + "]");
  }

  std::string table_text(std::size_t k) const {
    const Spline& spline = *s_.tables[k].spline;
    std::string text = "[";
    const auto add = [&](auto value) {
      for (std::size_t i = 0; i < spline.knots().size(); ++i)
        text += (i == 0 ? "" : i % 8 == 0 ? ", ...\n    " : ", ") + literal(value(i));
    };
    add([&](std::size_t i) { return spline.knots()[i]; });
    text += "; ...\n    ";
    add([&](std::size_t i) { return spline.samples()[i]; });
    text += "; ...\n    ";
    add([&](std::size_t i) { return spline.value(spline.knots()[i], 2); });
    return text + "]";
  }

  // local_<name>(t, state, inputs, parameters), which calls local_<name>_1 and so on when it is long.
  std::string write_block(const NamedBlock& named, ExportCost* cost) {
    const ExportedParts parts = write_parts(s_, *named.block, syntax);
    called_.insert(parts.functions.begin(), parts.functions.end());
    if (named.block == &s_.equations) *cost = make_cost(*named.block, parts.temporaries);
    std::string text = fmt::format(
        "\nfunction out = local_{}(t, state, inputs, parameters) %#ok<INUSD>\n", named.name);
    for (const ExportedArray& a : named.arrays)
      text += fmt::format("out.{} = zeros({}, {});\n", a.name, a.rows, a.columns.value_or(1));
    if (parts.list.size() == 1) return text + parts.list[0].head + parts.list[0].body + "end\n";
    text += fmt::format("work = zeros({}, 1);\n", parts.work_count);
    std::string functions;
    for (std::size_t k = 1; k <= parts.list.size(); ++k) {
      const std::string call = fmt::format(
          "[out, work] = local_{}_{}(t, state, inputs, parameters, out, work)", named.name, k);
      text += call + ";\n";
      functions += "\nfunction " + call + " %#ok<INUSL>\n" + parts.list[k - 1].head +
                   parts.list[k - 1].body + "end\n";
    }
    return text + "end\n" + functions;
  }

  std::string write_functions() const {
    const std::string arguments = "(t, state, inputs, parameters)\n";
    const std::string evaluate = "e = local_equations(t, state, inputs, parameters);\n";
    const std::string M = "M = e.M + tril(e.M, -1)';\n";
    std::string text;
    const auto define = [&](const char* result, const char* name, const std::string& body) {
      text += std::string("\nfunction ") + result + " = local_" + name + arguments + body + "end\n";
    };
    if (s_.is_plain()) {
      define("rates", "rates", evaluate + M + "rates = [e.q_rates; local_solve(M, e.f)];\n");
    } else {
      define("rates", "rates",
             "% NaN where the equations do not determine them.\n" + evaluate +
                 fmt::format("x = local_unknowns(e);\nrates = [e.q_rates; x(1:{})];\n",
                             s_.speed_count));
      define("[speed_rates, multipliers, unknowns]", "accelerations",
             evaluate +
                 fmt::format(
                     "x = local_unknowns(e);\nspeed_rates = x(1:{0});\nunknowns = x({0} + 1:{1});\n"
                     "multipliers = x({1} + 1:end);\n",
                     s_.speed_count, s_.speed_count + s_.unknown_count));
      text += "\nfunction x = local_unknowns(e)\n" + M +
              fmt::format(R"(n = {}; k = {}; m = {}; a = {};
if n > 0 && m > 0 % a row that is zero but for rounding says nothing
    e.A(max(abs(e.A), [], 2) <= 1e-14*max(abs(e.A(:))) & all(isfinite(e.A), 2), :) = 0;
end
K = [M, -e.W, -e.A'; e.A, zeros(m, k), zeros(m, m); e.C, -e.V, -e.L];
x = local_solve(K, [e.f; e.b; e.d], n);
end
)",
                          s_.speed_count, s_.unknown_count, s_.row_count, s_.auxiliary_count);
    }
    define("M", "mass_matrix", evaluate + M);
    define("f", "forcing", evaluate + "f = e.f;\n");
    if (s_.row_count > 0)
      define("[position, velocity, A, b]", "constraints",
             "% What vanishes where the constraints hold, and A u' = b.\n" + evaluate +
                 "c = local_constraint_values(t, state, inputs, parameters);\n"
                 "position = c.position;\nvelocity = c.velocity;\nA = e.A;\nb = e.b;\n");
    if (s_.energies) {
      std::string body =
          "% The integral of Z_rate makes K2 + U + Z constant.\n"
          "c = local_energy_values(t, state, inputs, parameters);\n";
      for (std::size_t i = 0; i < std::size(exported_energies); ++i)
        body += fmt::format("energies.{} = c.energies({});\n", exported_energies[i], i + 1);
      define("energies", "energies", body);
    }
    for (std::size_t k = 0; k < s_.tables.size(); ++k)
      text += fmt::format(
          "\nfunction table = local_table_{}()\n% Samples of {}: times, values, second "
          "derivatives.\n"
          "table = {};\nend\n",
          k + 1, comment_name(s_.tables[k].name), table_text(k));
    return text;
  }

  const ExportedSystem& s_;
  std::set<Op> called_;
};

}  // namespace

std::string write_matlab(const ExportedSystem& system) { return MatlabWriter(system).write(); }

}  // namespace visviva
