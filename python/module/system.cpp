#include "system.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "module.h"
#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/base/render.h"
#include "visviva/codegen/system/compile_for_run.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/interactions/claim_tests.h"
#include "visviva/report/trajectory/trajectory_columns.h"

namespace nb = nanobind;

namespace visviva::python {

System::System(const SourceText& source, const CompileRequest& request)
    : checked_(check_text(source, request.read, request.check)) {
  const auto require_good = [this] {
    if (checked_.has_error()) raise_model_error(checked_.diagnostics, checked_.source);
  };
  {
    const nb::gil_scoped_release others_may_run;
    judge_claims(&checked_, false);
  }
  require_good();
  std::ostringstream remarks;
  remarks << render_diagnostics(checked_.diagnostics, checked_.source);
  try {
    const nb::gil_scoped_release others_may_run;
    equations_.emplace(derive(motion()));
    const auto energies = analyze_energy_or_remark(*equations_, remarks);
    SystemOptions options = choose_system_options(*equations_, request.method);
    options.jacobian = options.jacobian || request.jacobian;
    options.sensitivities = request.jacobian;
    options.inverse = request.inverse;
    options.extra_outputs = list_claim_outputs(*equations_);
    code_.emplace(compile_for_run(*equations_, energies, options));
    require_run_values(checked_, *equations_, *code_);
    print_system_remarks(*code_, motion().model(), remarks);
  } catch (const ModelError& error) {
    raise_model_error(error.diagnostics(), checked_.source);
  } catch (const UsageError& error) {
    raise_model_error({diagnose_refusal(error)}, checked_.source);
  }
  remarks_ = std::move(remarks).str();
}

NewArray make_array(std::vector<double>&& numbers, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept,
                          [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return NewArray(kept->data(), shape.size(), shape.data(), owner);
}

namespace {

using Shared = std::shared_ptr<const System>;

void require_size(const char* what, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw UsageError("System", std::string(what) + " has " + std::to_string(found) +
                                   " values, and " + std::to_string(expected) + " are needed");
}

const char* status_text(MotionStatus status) {
  switch (status) {
    case MotionStatus::ok:
      return "ok";
    case MotionStatus::not_finite:
      return "not finite";
    case MotionStatus::not_determined:
      return "not determined";
    case MotionStatus::contradictory:
      return "contradictory";
  }
  return "";
}

/// A system with numbers for its parameters and inputs.
class Prepared {
 public:
  Prepared(Shared system, std::vector<double> parameters, std::vector<double> inputs)
      : system_(std::move(system)), inputs_(std::move(inputs)) {
    require_size("parameters", parameters.size(), code().parameter_names().size());
    require_size("inputs", inputs_.size(), code().input_names().size());
    prepared_ = code().prepare(parameters);
  }

  NewArray rates(double time, const Numbers& state) const {
    const Instant now = at(time, state);
    std::vector<double> rates(code().state_count());
    code().compute_rates(now, prepared_, rates.data());
    return make_array(std::move(rates), {state.shape(0)});
  }

  std::string status(double time, const Numbers& state) const {
    std::vector<double> rates(code().state_count());
    return status_text(code().compute_rates(at(time, state), prepared_, rates.data()));
  }

  NewArray rates_batch(const Numbers& times, const Table& states,
                       const std::optional<Table>& parameters, int threads) const {
    require_size("a state", states.shape(0), code().state_count());
    const std::size_t count = states.shape(1);
    if (times.shape(0) != 1) require_size("t", times.shape(0), count);
    if (parameters) {
      require_size("a set of parameters", parameters->shape(0), code().parameter_names().size());
      require_size("a row of parameters", parameters->shape(1), count);
    }
    std::vector<double> all_times(times.data(), times.data() + times.shape(0));
    if (all_times.size() == 1) all_times.assign(count, times.data()[0]);
    std::vector<double> all_inputs;
    for (const double input : inputs_) all_inputs.insert(all_inputs.end(), count, input);
    std::vector<double> rates(states.shape(0) * count);
    const Batch batch{all_times.data(),  states.data(),
                      all_inputs.data(), count,
                      rates.data(),      parameters ? parameters->data() : nullptr};
    {
      const nb::gil_scoped_release others_may_run;
      compute_in_threads(batch, threads);
    }
    return make_array(std::move(rates), {states.shape(0), count});
  }

  nb::object jacobian(double time, const Numbers& state) const {
    if (!code().has_jacobian())
      throw UsageError("System", "no derivatives were asked for: compile(jacobian=True)");
    SystemJacobian slopes;
    code().compute_jacobian(at(time, state), prepared_, &slopes);
    code().compute_sensitivities(at(time, state), prepared_, &slopes);
    nb::dict result;
    result["by_state"] = to_array(slopes.by_state);
    result["by_time"] = to_array(slopes.by_time);
    result["by_inputs"] = to_array(slopes.by_inputs);
    result["by_parameters"] = to_array(slopes.by_parameters);
    return std::move(result);
  }

  NewArray mass_matrix(double time, const Numbers& state) const {
    return to_array(code().compute_mass_matrix(at(time, state), prepared_));
  }

  NewArray inverse_dynamics(double time, const Numbers& state, const Numbers& speed_rates) const {
    if (!code().has_inverse_dynamics())
      throw UsageError(
          "System",
          "no inverse dynamics was asked for, compile(inverse=True), or unknown forces act");
    require_size("the rates of the speeds", speed_rates.shape(0), code().speed_count());
    std::vector<double> forces(code().speed_count());
    code().compute_inverse_dynamics(at(time, state), prepared_, speed_rates.data(), forces.data());
    return make_array(std::move(forces), {speed_rates.shape(0)});
  }

  nb::dict energies(double time, const Numbers& state) const {
    const SystemEnergies e = code().compute_energies(at(time, state), prepared_);
    nb::dict result;
    const std::pair<const char*, double> all[] = {{"K", e.K},
                                                  {"K0", e.K0},
                                                  {"K1", e.K1},
                                                  {"K2", e.K2},
                                                  {"U", e.U},
                                                  {"sigma", e.sigma},
                                                  {"sigma_R", e.sigma_R},
                                                  {"power", e.P},
                                                  {"P_nonconservative", e.P_nonconservative},
                                                  {"Z'", e.Z_rate}};
    for (const auto& [name, value] : all) result[name] = value;
    return result;
  }

  NewArray outputs(double time, const Numbers& state) const {
    std::vector<double> values(code().output_names().size());
    const std::vector<double> quadratures(code().quadrature_names().size(), 0.0);
    code().compute_outputs(at(time, state), prepared_, quadratures.data(), values.data());
    const std::size_t count = values.size();
    return make_array(std::move(values), {count});
  }

  const Shared& system() const { return system_; }
  const std::vector<double>& parameters() const { return prepared_.values; }
  const std::vector<double>& inputs() const { return inputs_; }

 private:
  struct Batch {
    const double *times, *states, *inputs;
    std::size_t count;
    double* rates;
    const double* parameters;  // one column a state; null: the same for all
  };

  const CompiledSystem& code() const { return system_->code(); }

  Instant at(double time, const Numbers& state) const {
    require_size("the state", state.shape(0), code().state_count());
    return {time, state.data(), inputs_.data()};
  }

  static NewArray to_array(const Eigen::MatrixXd& matrix) {
    std::vector<double> numbers;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) numbers.push_back(matrix(i, j));
    return make_array(std::move(numbers), {static_cast<std::size_t>(matrix.rows()),
                                           static_cast<std::size_t>(matrix.cols())});
  }
  static NewArray to_array(const Eigen::VectorXd& vector) {
    return make_array({vector.begin(), vector.end()}, {static_cast<std::size_t>(vector.size())});
  }

  // States first to last, each thread its own.
  void compute_in_threads(const Batch& batch, int threads) const {
    constexpr std::size_t fewest = 256;  // states that are worth a thread
    const std::size_t most = std::max<std::size_t>(1, batch.count / fewest);
    const std::size_t used = std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, most);
    const auto bound = [&](std::size_t i) { return batch.count * i / used; };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < used; ++i)
      others.emplace_back([&, i] { compute_part(batch, bound(i), bound(i + 1)); });
    compute_part(batch, 0, bound(1));
  }

  void compute_part(const Batch& b, std::size_t first, std::size_t last) const {
    if (!b.parameters) {
      code().compute_rates_batch(b.times + first, b.states + first, b.inputs + first, last - first,
                                 b.count, prepared_, b.rates + first);
      return;
    }
    std::vector<double> values(code().parameter_names().size());
    for (std::size_t k = first; k < last; ++k) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = b.parameters[i * b.count + k];
      code().compute_rates_batch(b.times + k, b.states + k, b.inputs + k, 1, b.count,
                                 code().prepare(values), b.rates + k);
    }
  }

  Shared system_;
  PreparedParameters prepared_;
  std::vector<double> inputs_;
};

std::vector<std::string> units_of(const System& s, const std::vector<std::string>& names) {
  std::vector<std::string> units;
  for (const TrajectoryColumn& c : make_trajectory_columns(names, s.motion()))
    units.push_back(c.unit);
  return units;
}

Shared make_system(const std::string& text, const std::string& file, const std::string& case_name,
                   const std::vector<std::pair<std::string, std::string>>& settings,
                   const std::vector<std::string>& table_folders, bool integrate_constraints,
                   const std::string& method, bool jacobian, bool inverse) {
  CompileRequest request;
  request.read.case_name = case_name;
  request.read.settings = settings;
  request.read.table_folders = table_folders;
  request.check.integrates_constraints = integrate_constraints;
  request.method = method;
  request.jacobian = jacobian;
  request.inverse = inverse;
  return std::make_shared<const System>(SourceText{file, text}, request);
}

}  // namespace

void bind_system(nb::module_& m) {
  nb::class_<System>(m, "System", "A compiled model.")
      .def_prop_ro("states", [](const System& s) { return s.code().state_names(); })
      .def_prop_ro("configuration_count",
                   [](const System& s) { return s.code().configuration_count(); })
      .def_prop_ro("parameters", [](const System& s) { return s.code().parameter_names(); })
      .def_prop_ro("inputs", [](const System& s) { return s.code().input_names(); })
      .def_prop_ro("outputs", [](const System& s) { return s.code().output_names(); })
      .def_prop_ro("events", [](const System& s) { return s.code().event_names(); })
      .def_prop_ro("start_values", [](const System& s) { return s.code().start().values(); })
      .def_prop_ro("parameter_values",
                   [](const System& s) { return s.code().parameters().values(); })
      .def_prop_ro("input_values", [](const System& s) { return s.code().inputs().values(); })
      .def_prop_ro("backend", [](const System& s) { return s.code().backend(); })
      .def_prop_ro("remarks", [](const System& s) { return s.remarks(); })
      .def_prop_ro("has_jacobian", [](const System& s) { return s.code().has_jacobian(); })
      .def("units_of", &units_of, nb::arg("names"));
  m.def("compile", &make_system, nb::arg("text"), nb::arg("file"), nb::arg("case"),
        nb::arg("settings"), nb::arg("table_folders"), nb::arg("integrate_constraints"),
        nb::arg("method"), nb::arg("jacobian"), nb::arg("inverse"),
        "Reads, derives and compiles a model.");

  nb::class_<Prepared>(m, "Prepared", "A compiled system with values of parameters and inputs.")
      .def(nb::init<Shared, std::vector<double>, std::vector<double>>(), nb::arg("system"),
           nb::arg("parameters"), nb::arg("inputs"))
      .def_prop_ro("system", &Prepared::system)
      .def_prop_ro("parameters", &Prepared::parameters)
      .def_prop_ro("inputs", &Prepared::inputs)
      .def("rates", &Prepared::rates, nb::arg("t"), nb::arg("y"))
      .def("status", &Prepared::status, nb::arg("t"), nb::arg("y"))
      .def("rates_batch", &Prepared::rates_batch, nb::arg("t"), nb::arg("y"),
           nb::arg("parameters").none(), nb::arg("threads"))
      .def("jacobian", &Prepared::jacobian, nb::arg("t"), nb::arg("y"))
      .def("inverse_dynamics", &Prepared::inverse_dynamics, nb::arg("t"), nb::arg("y"),
           nb::arg("speed_rates"))
      .def("mass_matrix", &Prepared::mass_matrix, nb::arg("t"), nb::arg("y"))
      .def("energies", &Prepared::energies, nb::arg("t"), nb::arg("y"),
           nb::sig("def energies(self, t: float, y: object) -> dict[str, float]"))
      .def("outputs", &Prepared::outputs, nb::arg("t"), nb::arg("y"));
}

}  // namespace visviva::python
