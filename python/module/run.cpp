// Run: a trajectory with its certificate, whose columns Python reads where they are.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>

#include "module.h"
#include "system.h"
#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/app/cli/simulate_answer.h"
#include "visviva/report/interactions/claim_tests.h"
#include "visviva/report/trajectory/certificate_text.h"
#include "visviva/report/trajectory/output_gaps.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/report/trajectory/trajectory_csv.h"
#include "visviva/report/trajectory/trajectory_h5.h"
#include "visviva/report/trajectory/trajectory_json.h"
#include "visviva/simulation/run/simulate.h"

namespace nb = nanobind;

namespace visviva::python {
namespace {

using json = nlohmann::ordered_json;

/// Looks now and then whether Python has heard Ctrl-C, and tells it how far a run has come.
class Listener : public RunWatcher {
 public:
  explicit Listener(nb::object progress) : progress_(std::move(progress)) {}

  bool take_progress(const Progress& p) override {
    // Taking the interpreter's lock costs as much as some steps of a small system.
    constexpr std::size_t steps_between = 256;
    if (++count_ % steps_between != 0) return true;
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) {
      PyErr_Clear();
      return false;
    }
    if (!progress_.is_none()) progress_(p.t, p.until, p.steps, p.deviation);
    return true;
  }

 private:
  nb::object progress_;
  std::size_t count_ = 0;
};

class Run {
 public:
  Run(std::shared_ptr<const System> system, Trajectory trajectory, std::vector<ClaimTest> claims)
      : system_(std::move(system)),
        trajectory_(std::move(trajectory)),
        claims_(std::move(claims)) {}

  const std::vector<std::string>& columns() const { return trajectory_.columns; }

  std::vector<std::string> units() const {
    std::vector<std::string> units;
    for (const TrajectoryColumn& c : make_trajectory_columns(columns(), system_->motion()))
      units.push_back(c.unit);
    return units;
  }

  const std::vector<double>& column(std::size_t i) const {
    static const std::vector<double> none;
    return i < trajectory_.samples.size() ? trajectory_.samples[i] : none;
  }

  /// What the program answers with --json, but for its files.
  std::string answer() const {
    json j = make_trajectory_json(trajectory_, system_->motion().model());
    j["claims"] = make_claims_json(claims_);
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
  }

  std::string certificate_text() const { return write_certificate_text(trajectory_); }

  std::vector<std::string> claim_problems() const {
    std::vector<std::string> problems;
    for (const Diagnostic& d : diagnose_claim_tests(claims_)) problems.push_back(d.message);
    return problems;
  }

  void write_csv(const std::string& path) const {
    TrajectoryCsv file;
    bool good = file.open(path, make_trajectory_columns(columns(), system_->motion()));
    each_row([&](std::span<const double> row) { return good = good && file.write(row); });
    if (!file.close() || !good) throw UsageError("Run", file.problem());
  }

  void write_h5(const std::string& path, const std::string& made_by) const {
    TrajectoryH5 file;
    const SourceText& source = system_->checked().source;
    bool good = file.open(path, make_trajectory_columns(columns(), system_->motion()),
                          {system_->motion().model().name, source.text, VISVIVA_VERSION, made_by});
    each_row([&](std::span<const double> row) { return good = good && file.write(row); });
    const std::string certificate =
        make_certificate_json(trajectory_).dump(-1, ' ', false, json::error_handler_t::replace);
    good = file.close(
               {name_of(trajectory_.status), write_reason_text(trajectory_.reason), certificate}) &&
           good;
    if (!good) throw UsageError("Run", file.problem());
  }

 private:
  template <class Take>
  void each_row(const Take& take) const {
    std::vector<double> row(trajectory_.samples.size());
    const std::size_t count = row.empty() ? 0 : trajectory_.samples[0].size();
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = trajectory_.samples[i][k];
      if (!take(row)) return;
    }
  }

  std::shared_ptr<const System> system_;
  Trajectory trajectory_;
  std::vector<ClaimTest> claims_;
};

/// A function of Python's as the law of some inputs: called with t and the states, it gives their values in order.
class PythonLaw {
 public:
  PythonLaw(nb::object law, std::vector<std::size_t> places)
      : state_(std::make_shared<State>()), places_(std::move(places)) {
    state_->law = std::move(law);
  }

  void operator()(double time, std::span<const double> states, std::span<double> inputs) const {
    const nb::gil_scoped_acquire locked;
    if (!state_->problem) {
      try {
        const nb::ndarray<nb::numpy, const double> y(states.data(), {states.size()}, nb::none());
        const nb::object values = state_->law(time, nb::cast(y, nb::rv_policy::copy));
        for (std::size_t i = 0; i < places_.size(); ++i)
          inputs[places_[i]] = nb::cast<double>(values[i]);
        return;
      } catch (...) {
        state_->problem = std::current_exception();
      }
    }
    for (const std::size_t place : places_) inputs[place] = std::nan("");
  }

  /// Throws what the law has thrown; the run was refused for its sake.
  void rethrow() const {
    if (state_->problem) std::rethrow_exception(state_->problem);
  }

 private:
  struct State {
    nb::object law;
    std::exception_ptr problem;
    // Runs let go of it without the interpreter's lock.
    ~State() {
      const nb::gil_scoped_acquire locked;
      law = {};
      problem = {};
    }
  };
  std::shared_ptr<State> state_;
  std::vector<std::size_t> places_;
};

// Options as on the command line, by their names there; what is not given comes from the model's study.
RunOptions read_options(const std::map<std::string, std::string>& given, const System& system) {
  const auto find = [&](const char* name) -> std::optional<std::string> {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional(found->second);
  };
  const RunTexts texts{find("until"),  find("every"),    find("tolerance"),
                       find("energy"), find("max-step"), find("method").value_or("auto"),
                       find("certify")};
  try {
    RunOptions options = make_run_options(texts, system.motion().model().study);
    options.keep_samples = true;
    return options;
  } catch (const WrongCommand& wrong) {
    throw UsageError("simulate", wrong.message);
  }
}

std::unique_ptr<Run> run_system(std::shared_ptr<const System> system, std::vector<double> state,
                                std::vector<double> parameters, std::vector<double> inputs,
                                const std::map<std::string, std::string>& given,
                                nb::object progress, nb::object law,
                                std::vector<std::size_t> law_places) {
  Listener listener(std::move(progress));
  std::optional<PythonLaw> inputs_law;
  if (!law.is_none()) inputs_law.emplace(std::move(law), std::move(law_places));
  RunOptions options = read_options(given, *system);
  options.watcher = &listener;
  const RunStart start{std::move(state), std::move(parameters), std::move(inputs),
                       inputs_law ? InputLaw(*inputs_law) : InputLaw()};
  const nb::gil_scoped_release others_may_run;
  Trajectory run = simulate(system->code(), start, options);
  if (inputs_law) inputs_law->rethrow();
  if (run.refusal == Refusal::bad_request)
    throw UsageError("simulate", write_reason_text(run.reason));
  std::vector<ClaimTest> claims =
      test_claims_along(system->code(), options, run, system->checked());
  return std::make_unique<Run>(std::move(system), std::move(run), std::move(claims));
}

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<Run>(m, "Run", "A trajectory with its certificate.")
      .def_prop_ro("columns", &Run::columns)
      .def_prop_ro("units", &Run::units)
      .def("column",
           [](nb::object self, std::size_t i) {
             const std::vector<double>& numbers = nb::cast<const Run&>(self).column(i);
             return nb::ndarray<nb::numpy, const double>(numbers.data(), {numbers.size()}, self);
           })
      .def_prop_ro("answer", &Run::answer)
      .def_prop_ro("certificate_text", &Run::certificate_text)
      .def_prop_ro("claim_problems", &Run::claim_problems)
      .def("write_csv", &Run::write_csv, nb::arg("path"))
      .def("write_h5", &Run::write_h5, nb::arg("path"), nb::arg("made_by"));
  m.def("simulate", &run_system, nb::arg("system"), nb::arg("state"), nb::arg("parameters"),
        nb::arg("inputs"), nb::arg("options"), nb::arg("progress").none(), nb::arg("law").none(),
        nb::arg("law_places"));
}

}  // namespace visviva::python
