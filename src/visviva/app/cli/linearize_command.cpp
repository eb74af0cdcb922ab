// `visviva linearize MODEL`: small motions about the start state or an equilibrium.
#include "visviva/equations/small_motion/linearize.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/equilibrium_answer.h"
#include "visviva/app/cli/field_modes_answer.h"
#include "visviva/app/cli/quantity_option.h"
#include "visviva/base/utf8.h"
#include "visviva/codegen/jit/compiled_function.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/derivation/short_derivation.h"
#include "visviva/report/small_motion/linearization_latex.h"
#include "visviva/report/small_motion/small_motion_text.h"
#include "visviva/study/output_slopes.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;
using Complex = std::complex<double>;
using Matrix = std::vector<std::vector<double>>;

json to_json(const Complex& c) { return json::array({c.real(), c.imag()}); }

json to_json(const Mode& m, const std::vector<std::string>& states) {
  json shape = json::object();
  for (std::size_t i = 0; i < states.size(); ++i) shape[states[i]] = to_json(m.shape[i]);
  json j = {{"eigenvalue", to_json(m.eigenvalue)}, {"shape", shape}};
  if (!m.is_oscillatory) return j;
  j["frequency"] = m.frequency;
  j["frequency_hz"] = m.frequency_hz;
  j["natural_frequency"] = m.natural_frequency;
  j["damping_ratio"] = m.damping_ratio;
  return j;
}

// In Hz, ascending.
std::vector<double> frequencies_of(const Linearization& l) {
  std::vector<double> frequencies;
  for (const Mode& m : l.modes)
    if (m.is_oscillatory) frequencies.push_back(m.frequency_hz);
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

json to_json(const Linearization& l) {
  json j = {{"states", l.states}, {"inputs", l.inputs}, {"A", l.A}, {"B", l.B}};
  j["eigenvalues"] = json::array();
  for (const Complex& e : l.eigenvalues) j["eigenvalues"].push_back(to_json(e));
  j["modes"] = json::array();
  for (const Mode& m : l.modes) j["modes"].push_back(to_json(m, l.states));
  j["frequencies_hz"] = frequencies_of(l);
  j["steady"] = j["is_steady"] = l.is_steady;
  j["frames"] = json::object();
  for (const RotationFrame& f : l.frames) j["frames"][f.body] = write_rotation_frame(f);
  if (l.sample_period) j["sample_period"] = *l.sample_period;
  if (l.floquet) {
    j["period"] = l.floquet->period;
    j["floquet_multipliers"] = json::array();
    for (const Complex& m : l.floquet->multipliers) j["floquet_multipliers"].push_back(to_json(m));
  }
  j["remarks"] = write_small_motion_reasons(l.remarks);
  if (l.failure) j["failure"] = write_small_motion_reason(l.failure);
  return j;
}

std::string complex_text(const Complex& c) {
  if (c.imag() == 0.0) return number_text(c.real());
  const std::string sign = c.imag() < 0.0 ? " - " : " + ";
  return number_text(c.real()) + sign + number_text(std::abs(c.imag())) + "i";
}

// A matrix with a name at each row and column.
void print_matrix(const char* title, const Matrix& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns, std::ostream& out) {
  if (m.empty() || columns.empty()) return;
  const auto pad = [](const std::string& text, std::size_t columns_wide) {
    const std::size_t used = count_characters(text);
    return std::string(columns_wide > used ? columns_wide - used : 0, ' ') + text;
  };
  std::size_t widest = 0;
  for (const std::string& r : rows) widest = std::max(widest, count_characters(r));
  out << '\n' << title << "\n  " << std::string(widest, ' ');
  for (const std::string& c : columns) out << "  " << pad(c, 11);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out << "\n  " << rows[i] << std::string(widest - count_characters(rows[i]), ' ');
    for (const double x : m[i]) out << "  " << pad(number_text(x), 11);
  }
  out << '\n';
}

// A mode on a line, without its shape.
void print_modes(const Linearization& l, bool has_shapes, std::ostream& out) {
  if (!l.eigenvalues.empty()) out << "\nEigenvalues\n";
  for (const Complex& e : l.eigenvalues) out << "  " << complex_text(e) << '\n';
  if (!l.modes.empty()) out << "\nModes\n";
  for (const Mode& m : l.modes) {
    out << "  " << complex_text(m.eigenvalue);
    if (m.is_oscillatory)
      out << fmt::format(": {} rad/s, {} Hz, damping ratio {}", number_text(m.frequency),
                         number_text(m.frequency_hz), number_text(m.damping_ratio));
    out << '\n';
    for (std::size_t i = 0; has_shapes && i < l.states.size(); ++i)
      out << "    " << l.states[i] << ": " << complex_text(m.shape[i]) << '\n';
  }
}

void print_floquet(const Floquet& floquet, std::ostream& out) {
  out << fmt::format("\nFloquet multipliers, over {} s\n", number_text(floquet.period));
  for (const Complex& m : floquet.multipliers)
    out << fmt::format("  {}, modulus {}\n", complex_text(m), number_text(std::abs(m)));
  out << "  " << write_small_motion_reason(floquet.verdict) << '\n';
}

// Of a large mechanism matrices and shapes are left out unless `full`.
void print_linearization(const Linearization& l, const OutputSlopes& slopes, bool full,
                         std::ostream& out) {
  const bool is_whole = full || l.states.size() <= 2 * most_speeds_in_full;
  if (is_whole) {
    print_matrix("A", l.A, l.states, l.states, out);
    print_matrix("B", l.B, l.states, l.inputs, out);
    print_matrix("C", slopes.C, slopes.outputs, l.states, out);
    print_matrix("D", slopes.D, slopes.outputs, l.inputs, out);
  } else {
    out << fmt::format(
        "\nThe mechanism is large, {} states: A, B and the shapes of modes are left out.\n"
        "visviva linearize --full writes everything, --json too.\n",
        l.states.size());
  }
  print_modes(l, is_whole, out);
  if (l.floquet) print_floquet(*l.floquet, out);
  if (!l.remarks.empty() || !l.frames.empty()) out << '\n';
  for (const RotationFrame& f : l.frames)
    out << fmt::format("{0}_rx, {0}_ry, {0}_rz: a small rotation of {0}, seen in {1}\n", f.body,
                       write_rotation_frame(f));
  for (const std::string& r : write_small_motion_reasons(l.remarks)) out << "Remark: " << r << '\n';
}

// Frequencies of elements, as far as they have a digit.
void print_digits(const std::vector<double>& hertz, const std::vector<int>& digits,
                  std::ostream& out) {
  out << "\nFrequencies of the fields, with the digits that twice as many elements leave\n";
  for (std::size_t i = 0; i < hertz.size(); ++i)
    if (digits[i] > 0) out << fmt::format("  {:.{}g} Hz\n", hertz[i], std::max(digits[i], 1));
}

std::optional<double> read_period(const LinearizeOptions& options) {
  if (!options.period) return std::nullopt;
  const QuantityReading reading = read_quantity_option("--period", *options.period, "s");
  if (!reading.value) throw WrongCommand{reading.problem};
  if (!(*reading.value > 0))
    throw WrongCommand{"--period: expected a time above zero, found '" + *options.period + "'"};
  return reading.value;
}

// Machine code for the motion that Floquet multipliers follow.
CompiledEvaluation compile_evaluation(const EvaluationRequest& request) {
  const auto function =
      std::make_shared<const CompiledFunction>(request.varying, request.constants, request.outputs);
  return [function, prepared = function->prepare(request.constant_values)](
             const std::vector<double>& varying) {
    std::vector<double> outputs(function->output_count());
    (*function)(varying.data(), prepared.data(), outputs.data());
    return outputs;
  };
}

struct SmallMotion {
  std::optional<Equilibrium> equilibrium;
  Linearization linearization;
  OutputSlopes slopes;  // of the model's outputs
};

// y = C x + D w of the model's outputs; none where it has none, or no linearization.
OutputSlopes find_output_slopes(const Equations& equations, const Linearization& linearization) {
  if (equations.motion.model().outputs.empty() || linearization.failure) return {};
  std::optional<Energies> energies;
  if (auto found = try_analyze_energy(equations)) energies = *std::move(found);
  const CompiledSystem system = compile_for_run(
      equations, energies,
      {.jacobian = false, .sensitivities = false, .momenta = false, .inverse = false});
  return compute_output_slopes(system, linearization);
}

SmallMotion find_small_motion(const CheckedModel& checked,
                              const LinearizeOptions& linearize_options) {
  const Equations equations = derive(*checked.motion);
  const SmallMotionOptions small{.period = read_period(linearize_options),
                                 .compile = compile_evaluation};
  SmallMotion found;
  if (linearize_options.equilibrium) {
    found.equilibrium = find_equilibrium(equations, checked.start, small);
    found.linearization = found.equilibrium->linearization;
  } else {
    found.linearization = linearize(equations, checked.start, small);
  }
  if (!found.equilibrium || found.equilibrium->is_found)
    found.slopes = find_output_slopes(equations, found.linearization);
  return found;
}

FindFrequencies find_frequencies(const LinearizeOptions& linearize_options) {
  return [&linearize_options](CheckedModel& checked) {
    require_values(checked);
    std::vector<double> found =
        frequencies_of(find_small_motion(checked, linearize_options).linearization);
    for (double& f : found) f *= 2.0 * std::numbers::pi;
    return found;
  };
}

// Digits that more elements would not change.
std::vector<int> digits_of(const CommandOptions& options, const LinearizeOptions& linearize_options,
                           const Linearization& l) {
  std::vector<double> frequencies = frequencies_of(l);
  for (double& f : frequencies) f *= 2.0 * std::numbers::pi;
  return count_digits(options, find_frequencies(linearize_options), frequencies);
}

}  // namespace

int run_linearize(const CommandOptions& options, const LinearizeOptions& linearize_options,
                  std::ostream& out, std::ostream& err) {
  CommandOptions whole = options;
  whole.takes_whole_fields = true;
  return with_model(whole, out, err, [&](CheckedModel& checked) {
    if (checked.motion->model().is_continuous())
      return answer_field_modes(options, find_frequencies(linearize_options), out);
    require_values(checked);
    const auto [equilibrium, l, slopes] = find_small_motion(checked, linearize_options);
    const bool has_fields = !checked.motion->model().fields.empty();
    const bool good = !l.failure && (!equilibrium || equilibrium->is_found);
    if (options.json) {
      json answer = to_json(l);
      answer["outputs"] = slopes.outputs;
      answer["C"] = slopes.C;
      answer["D"] = slopes.D;
      if (has_fields) {
        answer["source"] = "discretized";
        answer["digits"] = digits_of(options, linearize_options, l);
      }
      if (equilibrium) answer["equilibrium"] = equilibrium_json(*equilibrium, *checked.motion);
      answer["warnings"] = diagnostics_json(checked.diagnostics, Severity::warning);
      print_json(answer, out);
    } else if (linearize_options.format == "latex" && good) {
      out << write_linearization_latex(l, checked.motion->model(), equilibrium.has_value());
    } else {
      if (l.failure)
        err << "visviva: no linearization here: " << write_small_motion_reason(l.failure) << '\n';
      out << checked.motion->model().name
          << (equilibrium ? ": small motions about an equilibrium"
                          : ": small motions about the start state")
          << '\n';
      if (equilibrium) print_equilibrium(*equilibrium, *checked.motion, out, err);
      if (good) print_linearization(l, slopes, linearize_options.full, out);
      if (good && has_fields)
        print_digits(frequencies_of(l), digits_of(options, linearize_options, l), out);
    }
    return static_cast<int>(good ? exit_good : exit_not_certified);
  });
}

}  // namespace visviva
