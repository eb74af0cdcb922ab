// Equations of motion as a Python module that needs NumPy.
#include <fmt/format.h>

#include <cmath>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_blocks.h"
#include "visviva/codegen/export/export_names.h"

namespace visviva {
namespace {

std::string literal(double value) {
  if (std::isnan(value)) return "np.nan";
  if (std::isinf(value)) return value > 0 ? "np.inf" : "-np.inf";
  return number_literal(value);
}

std::string call(Op function, const std::string& a, const std::string& b) {
  switch (function) {
    case Op::asin:
      return "np.arcsin(" + a + ")";
    case Op::acos:
      return "np.arccos(" + a + ")";
    case Op::atan:
      return "np.arctan(" + a + ")";
    case Op::atan2:
      return "np.arctan2(" + a + ", " + b + ")";
    case Op::min:
      return "np.minimum(" + a + ", " + b + ")";
    case Op::max:
      return "np.maximum(" + a + ", " + b + ")";
    case Op::power:
      return "np.power(" + a + ", " + b + ")";
    case Op::step:
      return "_step(" + a + ")";
    default:
      return "np." + std::string(function_name(function)) + "(" + a + ")";
  }
}

std::string sample_source(const ExportedSystem&, const ExportedSample& sample) {
  return fmt::format("_table_value(_TABLE_{}, t, {})", sample.table, sample.derivative);
}

std::string target(const ExportedSystem&, const ExportedTarget& t) {
  return t.column ? fmt::format("out.{}[{}, {}]", t.array, t.row, *t.column)
                  : fmt::format("out.{}[{}]", t.array, t.row);
}

// CPython's time and memory are those of the text: shorter parts would only repeat more names.
constexpr std::size_t part_cost = 5000;

constexpr BlockSyntax syntax = {{literal, call}, "    ", "",   "\n",     '[', ']', 0,
                                sample_source,   target, true, part_cost};

constexpr const char* shared_functions = R"(

class _Values:
    """What one evaluation gives, as arrays."""


def _arrays(t, state, inputs, parameters):
    """Arguments as arrays, and the shape of the axes that are common to all."""
    arrays = [np.asarray(a, dtype=float) for a in (t, state, inputs, parameters)]
    shape = np.broadcast_shapes(arrays[0].shape, *(a.shape[1:] for a in arrays[1:]))
    return (*arrays, shape)
)";

constexpr const char* step_function = R"(

def _step(x):
    """0 below zero, 1 from zero on; NaN stays."""
    return np.where(np.isnan(x), x, np.where(x >= 0.0, 1.0, 0.0))
)";

constexpr const char* table_function = R"(

def _table_value(table, t, derivative):
    """The cubic spline through samples, or a derivative of it; NaN outside of them."""
    times, values, curvatures = table
    slack = 8.0*np.finfo(float).eps*max(abs(times[0]), abs(times[-1]))
    inside = (t >= times[0] - slack) & (t <= times[-1] + slack)
    t = np.clip(t, times[0], times[-1])
    i = np.searchsorted(times[1:-1], t, side="right")
    h = times[i + 1] - times[i]
    a, b = (times[i + 1] - t)/h, (t - times[i])/h
    m, n = curvatures[i], curvatures[i + 1]
    if derivative == 0:
        y = a*values[i] + b*values[i + 1] - h*(h/6.0*(a*b*((1.0 + a)*m + (1.0 + b)*n)))
    elif derivative == 1:
        y = (values[i + 1] - values[i])/h + h/6.0*((1.0 - 3.0*a*a)*m - (1.0 - 3.0*b*b)*n)
    elif derivative == 2:
        y = a*m + b*n
    else:
        y = (n - m)/h
    return np.where(inside, y, np.nan)
)";

constexpr const char* plain_solver = R"(

def _mirrored(M):
    """A symmetric matrix from its lower triangle; the first two axes are its rows and columns."""
    for i in range(len(M)):
        M[:i, i] = M[i, :i]
    return M


def _solve(M, f):
    """x of M x = f, for all trailing axes; NaN where M is singular."""
    M, f = np.moveaxis(M, (0, 1), (-2, -1)), np.moveaxis(f, 0, -1)[..., None]
    try:
        x = np.linalg.solve(M, f)
    except np.linalg.LinAlgError:
        good = np.linalg.cond(M) < 1e14
        x = np.full_like(f, np.nan)
        x[good] = np.linalg.solve(M[good], f[good])
    return np.moveaxis(x[..., 0], -1, 0)
)";

constexpr const char* general_solver = R"(

def _mirrored(M):
    """A symmetric matrix from its lower triangle; the first two axes are its rows and columns."""
    for i in range(len(M)):
        M[:i, i] = M[i, :i]
    return M


def _solve(K, y, speeds):
    """The smallest x of K x = y, for all trailing axes, whatever the rank. NaN where the first unknowns are not
    determined, or K x = y has no solution."""
    K, y = np.moveaxis(K, (0, 1), (-2, -1)).copy(), np.moveaxis(y, 0, -1)[..., None].copy()
    factor = np.ones(K.shape[:-2] + (1, K.shape[-1]))
    for _ in range(3):
        largest = np.max(np.abs(K), axis=-1, keepdims=True)
        largest[largest == 0.0] = 1.0
        K, y = K/largest, y/largest
        largest = np.max(np.abs(K), axis=-2, keepdims=True)
        largest[largest == 0.0] = 1.0
        K, factor = K/largest, factor/largest
    finite = np.isfinite(K).all(axis=(-2, -1)) & np.isfinite(y).all(axis=(-2, -1))
    K[~finite], y[~finite] = 0.0, 0.0
    inverse = np.linalg.pinv(K, rcond=1e-10)
    x = inverse @ y
    x += inverse @ (y - K @ x)
    size = np.max(np.abs(y), axis=(-2, -1)) + np.max(np.abs(x), axis=(-2, -1))
    good = finite & (np.max(np.abs(K @ x - y), axis=(-2, -1)) <= 1e-6*size)
    free = np.abs(np.eye(K.shape[-1]) - inverse @ K)[..., :speeds, :]
    if speeds > 0:
        good &= np.max(free, axis=(-2, -1)) <= 1e-7
    x = x[..., 0]*factor[..., 0, :]
    x[~good] = np.nan
    return np.moveaxis(x, -1, 0)
)";

class PythonWriter {
 public:
  explicit PythonWriter(const ExportedSystem& system) : s_(system) {}

  std::string write() {
    ExportCost cost;
    std::string blocks;
    for (const NamedBlock& block : list_blocks(s_)) blocks += write_block(block, &cost);
    return write_header(cost) + shared_functions + (calls_step_ ? step_function : "") +
           (s_.tables.empty() ? "" : table_function) +
           (s_.is_plain() ? plain_solver : general_solver) + blocks + write_functions();
  }

 private:
  // The second line is fixed: a comment there could name an encoding.
  std::string write_header(const ExportCost& cost) const {
    std::string text =
        "# Equations of motion, written by visviva export: a module that needs NumPy.\n#\n# "
        "Model " +
        comment_name(s_.name) + "\n";
    for (const std::string& line : describe_model(s_, cost, 0))
      text += line.empty() ? "#\n" : "# " + line + "\n";
    text += R"(#
# How to use it: rates(t, state) is what integrators such as scipy.integrate.solve_ivp take. State, inputs and
# parameters may have further axes, which all results have too: many states are evaluated at once.
"""Equations of motion: rates(t, state, inputs, parameters) and what they are made of."""

import numpy as np

)";
    write_list("STATE", s_.states, "START_STATE", &text);
    write_list("INPUT", s_.inputs, "DEFAULT_INPUTS", &text);
    write_list("PARAMETER", s_.parameters, "DEFAULT_PARAMETERS", &text);
    if (s_.energies) {
      std::vector<std::string> names;
      for (const char* name : exported_energies) names.push_back(python_string(name));
      text += "ENERGY_NAMES = " + tuple_of(names) + "\n";
    }
    for (std::size_t k = 0; k < s_.tables.size(); ++k) write_table(k, &text);
    return text;
  }

  static std::string tuple_of(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
    return "(" + text + (items.size() == 1 ? ",)" : ")");
  }

  static void write_list(const char* kind, const std::vector<ExportedVariable>& list,
                         const char* values, std::string* text) {
    std::vector<std::string> names, units;
    std::string numbers;
    for (const ExportedVariable& v : list) {
      names.push_back(python_string(v.name));
      units.push_back(python_string(v.unit));
      numbers += (numbers.empty() ? "" : ", ") + literal(v.value);
    }
    *text += fmt::format("{0}_NAMES = {1}\n{0}_UNITS = {2}\n{3} = np.array([{4}], dtype=float)\n",
                         kind, tuple_of(names), tuple_of(units), values, numbers);
  }

  void write_table(std::size_t k, std::string* text) const {
    const Spline& spline = *s_.tables[k].spline;
    const std::size_t count = spline.knots().size();
    *text += fmt::format(
        "\n# Samples of {}: times, values, second derivatives.\n_TABLE_{} = np.array([\n",
        comment_name(s_.tables[k].name), k);
    const auto add = [&](auto value) {
      *text += "    [";
      for (std::size_t i = 0; i < count; ++i)
        *text += (i == 0 ? "" : i % 6 == 0 ? ",\n     " : ", ") + literal(value(i));
      *text += "],\n";
    };
    add([&](std::size_t i) { return spline.knots()[i]; });
    add([&](std::size_t i) { return spline.samples()[i]; });
    add([&](std::size_t i) { return spline.value(spline.knots()[i], 2); });
    *text += "])\n";
  }

  // def _<name>(t, state, inputs, parameters), which calls _<name>_1 and so on when it is long.
  std::string write_block(const NamedBlock& named, ExportCost* cost) {
    const ExportedParts parts = write_parts(s_, *named.block, syntax);
    calls_step_ = calls_step_ || parts.functions.count(Op::step) != 0;
    if (named.block == &s_.equations) *cost = make_cost(*named.block, parts.temporaries);
    const bool is_whole = parts.list.size() == 1;
    std::string text, names;
    for (std::size_t k = 1; k <= parts.list.size() && !is_whole; ++k) {
      const std::string name = fmt::format("_{}_{}", named.name, k);
      text += "\n\ndef " + name + "(t, state, inputs, parameters, out, work):\n" +
              parts.list[k - 1].head + parts.list[k - 1].body;
      names += (k == 1 ? "" : k % 5 == 1 ? ",\n                 " : ", ") + name;
    }
    text += fmt::format("\n\ndef _{}(t, state, inputs, parameters):\n", named.name) +
            "    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)\n"
            "    out = _Values()\n";
    for (const ExportedArray& a : named.arrays)
      text += fmt::format(
          "    out.{} = np.zeros({} + shape)\n", a.name,
          a.columns ? fmt::format("({}, {})", a.rows, *a.columns) : fmt::format("({},)", a.rows));
    if (is_whole) return text + parts.list[0].head + parts.list[0].body + "    return out\n";
    return text +
           fmt::format("    work = [None]*{}\n    for part in ({}):\n", parts.work_count, names) +
           "        part(t, state, inputs, parameters, out, work)\n    return out\n";
  }

  std::string write_functions() const {
    const std::string arguments =
        "(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):\n";
    const std::string evaluate = "    e = _equations(t, state, inputs, parameters)\n";
    std::string text;
    const auto define = [&](const char* name, const char* documentation, const std::string& body) {
      text += std::string("\n\ndef ") + name + arguments + "    \"\"\"" + documentation +
              "\"\"\"\n" + body;
    };
    if (s_.is_plain()) {
      define("rates", "The rates of the state.",
             evaluate + "    return np.concatenate([e.q_rates, _solve(_mirrored(e.M), e.f)])\n");
    } else {
      define("rates", "The rates of the state; NaN where the equations do not determine them.",
             evaluate + fmt::format("    return np.concatenate([e.q_rates, _unknowns(e)[:{}]])\n",
                                    s_.speed_count));
      text += fmt::format(R"(

def _unknowns(e):
    """u', unknown forces and multipliers of the equations e."""
    n, k, m, a = {}, {}, {}, {}
    K = np.zeros((n + m + a, n + k + m) + e.f.shape[1:])
    y = np.concatenate([e.f, e.b, e.d])
    if m > 0 and n > 0:  # a row that is zero but for rounding says nothing
        e.A = np.where(np.max(np.abs(e.A), axis=1, keepdims=True) <= 1e-14*np.max(np.abs(e.A), axis=(0, 1)), 0.0, e.A)
    K[:n, :n], K[n:n + m, :n], K[n + m:, :n] = _mirrored(e.M), e.A, e.C
    K[:n, n:n + k], K[n + m:, n:n + k] = -e.W, -e.V
    K[:n, n + k:], K[n + m:, n + k:] = -np.swapaxes(e.A, 0, 1), -e.L
    return _solve(K, y, n)
)",
                          s_.speed_count, s_.unknown_count, s_.row_count, s_.auxiliary_count);
      const std::size_t n = s_.speed_count, k = s_.unknown_count;
      define(
          "accelerations", "u', the multipliers of the rows, and the unknown forces.",
          evaluate + fmt::format("    x = _unknowns(e)\n    return x[:{0}], x[{1}:], x[{0}:{1}]\n",
                                 n, n + k));
    }
    define("mass_matrix", "M; its first two axes are rows and columns.",
           evaluate + "    return _mirrored(e.M)\n");
    define("forcing", s_.is_plain() ? "f" : "f, without unknown forces and multipliers.",
           evaluate + "    return e.f\n");
    if (s_.row_count > 0)
      define("constraints",
             "How far the constraints are from being satisfied, by position and by velocity; A and "
             "b of A u' = b.",
             evaluate +
                 "    c = _constraint_values(t, state, inputs, parameters)\n"
                 "    return c.position, c.velocity, e.A, e.b\n");
    if (s_.energies)
      define("energies",
             "Energies and powers by name; the integral of Z_rate makes K2 + U + Z constant.",
             "    return dict(zip(ENERGY_NAMES, _energy_values(t, state, inputs, "
             "parameters).energies))\n");
    return text;
  }

  const ExportedSystem& s_;
  bool calls_step_ = false;
};

}  // namespace

std::string write_python(const ExportedSystem& system) { return PythonWriter(system).write(); }

}  // namespace visviva
