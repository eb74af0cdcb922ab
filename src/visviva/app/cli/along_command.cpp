// `visviva evaluate MODEL --along FILE` and `--until T`: the forces of motors, reactions, multipliers and outputs
// over time, while coordinates follow a file, or while the model's own motion goes on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/follow_file.h"
#include "visviva/app/cli/interruption.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/app/cli/run_setup.h"
#include "visviva/app/cli/simulate_answer.h"
#include "visviva/base/sequence.h"
#include "visviva/base/words.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/plot/along_outputs.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/report/trajectory/trajectory_csv.h"
#include "visviva/report/trajectory/trajectory_json.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

json finite_number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

json number_list(const std::vector<double>& values) {
  json all = json::array();
  for (const double x : values) all.push_back(finite_number(x));
  return all;
}

// The least and the greatest of a column, and when; columns without any number have none.
struct ColumnExtent {
  double least = NAN, greatest = NAN, least_time = NAN, greatest_time = NAN, mean_square = 0;

  ColumnExtent(const std::vector<double>& t, const std::vector<double>& x) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(x[i])) continue;
      ++count;
      mean_square += x[i] * x[i];
      if (!(x[i] >= least)) least = x[i], least_time = t[i];
      if (!(x[i] <= greatest)) greatest = x[i], greatest_time = t[i];
    }
    mean_square = count == 0 ? NAN : mean_square / static_cast<double>(count);
  }
};

class Along {
 public:
  Along(const CommandOptions& options, const EvaluateOptions& given, const FollowedFile* followed,
        std::ostream& out, std::ostream& err)
      : options_(options), given_(given), followed_(followed), out_(out), err_(err) {}

  int operator()(CheckedModel& checked) {
    if (given_.out)
      require_writable(
          {*given_.out, OutputKind::trajectory_csv, "--out", options_.model, given_.force});
    const Kinematics& motion = *checked.motion;
    RunOptions run_options = make_run_options(
        given_.run, motion.model().study,
        followed_ != nullptr ? std::optional(followed_->model_times().back()) : std::nullopt);
    if (followed_ != nullptr) follow_times(*followed_, given_.run, &run_options);
    const Equations equations = derive(motion);
    if (followed_ != nullptr) require_own_time(*followed_, equations);
    const std::optional<Energies> energies = analyze_energy_or_remark(equations, err_);
    SystemOptions system_options = choose_system_options(equations, run_options.method);
    const std::vector<AlongOutput> outputs = list_along_outputs(equations);
    for (const AlongOutput& o : outputs) system_options.extra_outputs.push_back(o.output);
    const CompiledSystem system = compile_for_run(equations, energies, system_options);
    require_run_values(checked, equations, system);
    print_system_remarks(system, motion.model(), err_);
    run_options.keep_samples = true;
    const Interruption interruption;
    run_ = simulate(system, run_options);
    if (run_.refusal == Refusal::bad_request) throw WrongCommand{write_reason_text(run_.reason)};
    columns_ = make_trajectory_columns(run_.columns, motion);
    for (TrajectoryColumn& c : columns_) name_unit(outputs, &c);
    if (followed_ != nullptr && !run_.samples.empty())
      for (double& t : run_.samples[0]) t += followed_->from();
    if (given_.out) write_file();
    answer(checked);
    return run_.status == RunStatus::done ? exit_good : exit_not_certified;
  }

 private:
  static void name_unit(const std::vector<AlongOutput>& outputs, TrajectoryColumn* column) {
    for (const AlongOutput& o : outputs) {
      const bool is_vector = o.output.components.size() == 3;
      const std::string& name = column->name;
      const bool is_it = is_vector ? name.size() == o.output.name.size() + 2 &&
                                         name.starts_with(o.output.name + ".")
                                   : name == o.output.name;
      if (is_it) column->unit = o.unit;
    }
  }

  void write_file() {
    TrajectoryCsv csv;
    bool good = csv.open(*given_.out, columns_);
    std::vector<double> row(columns_.size());
    for (std::size_t k = 0; good && k < rows(); ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = run_.samples[i][k];
      good = csv.write(row);
    }
    good = csv.close() && good;
    if (!good) throw WrongCommand{csv.problem()};
  }

  std::size_t rows() const { return run_.samples.empty() ? 0 : run_.samples[0].size(); }

  const std::vector<double>* find(const std::string& name) const {
    for (std::size_t i = 0; i < run_.columns.size() && i < run_.samples.size(); ++i)
      if (run_.columns[i] == name) return &run_.samples[i];
    return nullptr;
  }

  std::string unit_of(const std::string& name) const {
    for (const TrajectoryColumn& c : columns_)
      if (c.name == name) return c.unit;
    return "1";
  }

  std::vector<std::string> list_motors() const {
    std::vector<std::string> names;
    for (const std::string& column : run_.columns)
      if (column.starts_with("motor(") && column.ends_with(")"))
        names.push_back(column.substr(6, column.size() - 7));
    return names;
  }

  // How far a column of the file is from what constraints made of the others.
  double deviation(const std::string& name) const {
    const std::vector<double>* found = find(name);
    if (found == nullptr) return NAN;
    for (const ReadOptions::Followed& f : options_.read.followed) {
      if (f.coordinate != name) continue;
      double largest = 0;
      for (std::size_t k = 0; k < rows(); ++k) {
        const double t = std::min(run_.samples[0][k] - followed_->from(), f.curve->last());
        largest = std::max(largest, std::abs(f.curve->value(t) - (*found)[k]));
      }
      return largest;
    }
    return NAN;
  }

  // ---- For programs

  void answer(const CheckedModel& checked) {
    const ModelData& model = checked.motion->model();
    if (!options_.json) return print(model);
    json j = make_trajectory_json(run_, model);
    if (followed_ != nullptr) {
      j["along"] = {{"file", followed_->path},
                    {"from", followed_->from()},
                    {"follows", followed_->plan.driven},
                    {"free", followed_->plan.free_count},
                    {"determined", json::array()}};
      for (const std::string& name : followed_->plan.determined)
        j["along"]["determined"].push_back(
            {{"name", name}, {"deviation", finite_number(deviation(name))}});
    }
    j["columns"] = json::object();
    j["values"] = json::object();
    for (std::size_t i = 0; i < run_.samples.size(); ++i) {
      j["columns"][columns_[i].name] = columns_[i].unit;
      j["values"][columns_[i].name] = number_list(run_.samples[i]);
    }
    j["motors"] = json::object();
    for (const std::string& name : list_motors()) j["motors"][name] = motor_json(name);
    j["reactions"] = reactions_json();
    j["files"] = given_.out ? json::array({*given_.out}) : json::array();
    std::vector<Diagnostic> warnings = checked.diagnostics;
    std::erase_if(warnings, [](const Diagnostic& d) { return d.code == "W-start-changed"; });
    j["warnings"] = diagnostics_json(warnings, Severity::warning);
    print_json(j, out_);
  }

  json motor_json(const std::string& name) const {
    json motor = {{"unit", unit_of("motor(" + name + ")")}};
    const auto add = [&](const char* key, const std::string& column) {
      const std::vector<double>* values = find(column);
      motor[key] = values == nullptr ? json(nullptr) : number_list(*values);
    };
    add("force", "motor(" + name + ")");
    add("power", "power(" + name + ")");
    add("work", "work(" + name + ")");
    return motor;
  }

  json triples(const std::string& name) const {
    const std::vector<double>*x = find(name + ".x"), *y = find(name + ".y"), *z = find(name + ".z");
    if (x == nullptr || y == nullptr || z == nullptr) return nullptr;
    json all = json::array();
    for (std::size_t k = 0; k < rows(); ++k)
      all.push_back({finite_number((*x)[k]), finite_number((*y)[k]), finite_number((*z)[k])});
    return all;
  }

  json reactions_json() const {
    json all = json::object();
    for (const std::string& column : run_.columns) {
      if (!column.starts_with("reaction(") || !column.ends_with(").x")) continue;
      const std::string name = column.substr(9, column.size() - 12);
      all[name] = {{"force", triples("reaction(" + name + ")")},
                   {"moment", triples("moment(" + name + ")")}};
    }
    return all;
  }

  // ---- For people

  void print(const ModelData& model) {
    out_ << model.name << (model.case_name.empty() ? "" : ", case " + model.case_name) << ": "
         << name_of(run_.status) << '\n';
    if (!is_empty(run_.reason)) out_ << wrap_words("  ", write_reason_text(run_.reason)) << '\n';
    if (rows() == 0) return;
    const std::vector<double>& t = run_.samples[0];
    out_ << fmt::format("  {} from t = {} s to {} s", counted(rows(), "row"),
                        number_text(t.front()), number_text(t.back()));
    if (followed_ != nullptr)
      out_ << " along " << followed_->path << "; " << list_some_words(followed_->plan.driven, 12)
           << (followed_->plan.driven.size() == 1 ? " follows it" : " follow it");
    out_ << '\n';
    if (followed_ != nullptr) print_plan();
    const std::vector<std::string> motors = list_motors();
    print_table("Motors", [&](const std::string& name) {
      return std::any_of(motors.begin(), motors.end(), [&](const std::string& motor) {
        const std::string subject = "(" + motor + ")";
        return name == "motor" + subject || name == "power" + subject || name == "work" + subject;
      });
    });
    print_table("Reactions", [](const std::string& name) {
      return name.starts_with("reaction(") || name.starts_with("moment(");
    });
    print_table("Multipliers",
                [](const std::string& name) { return name.starts_with("multiplier("); });
    print_table("Outputs", [&](const std::string& name) {
      return std::any_of(model.outputs.begin(), model.outputs.end(), [&](const OutputData& o) {
        return name == o.name || (o.is_vector && name.starts_with(o.name + "."));
      });
    });
    if (given_.out)
      out_ << "\nThe rows are in " << *given_.out << ", " << counted(columns_.size(), "column")
           << '\n';
    else
      out_ << "\n--out FILE.csv writes all rows, " << counted(columns_.size(), "column") << '\n';
  }

  void print_plan() {
    for (const std::string& remark : list_plan_remarks(*followed_))
      out_ << wrap_words("  ", remark) << '\n';
    for (const std::string& name : followed_->plan.determined)
      out_ << wrap_words("  ", name + " follows from the constraints; the file's is at most " +
                                   fmt::format("{:.3g}", deviation(name)) + " away")
           << '\n';
  }

  // A column once, where it belongs first.
  template <class Choose>
  void print_table(const char* title, const Choose& choose) {
    WordTable table{{"", "unit", "least", "at t", "greatest", "at t", "rms"}, {}, 40};
    for (std::size_t i = 1; i < columns_.size(); ++i) {
      const std::string& name = columns_[i].name;
      if (!choose(name) || std::find(told_.begin(), told_.end(), name) != told_.end()) continue;
      told_.push_back(name);
      const ColumnExtent e(run_.samples[0], run_.samples[i]);
      if (!std::isfinite(e.least)) {
        table.rows.push_back({name, columns_[i].unit, "not determined", "", "", "", ""});
        continue;
      }
      table.rows.push_back({name, columns_[i].unit, number_text(e.least), number_text(e.least_time),
                            number_text(e.greatest), number_text(e.greatest_time),
                            number_text(std::sqrt(e.mean_square))});
    }
    if (!table.rows.empty()) out_ << '\n' << title << '\n' << write_table_text(table);
  }

  const CommandOptions& options_;
  const EvaluateOptions& given_;
  const FollowedFile* followed_;
  std::ostream& out_;
  std::ostream& err_;
  Trajectory run_;
  std::vector<TrajectoryColumn> columns_;
  std::vector<std::string> told_;
};

}  // namespace

int run_evaluate_along(const CommandOptions& options, const EvaluateOptions& given,
                       std::ostream& out, std::ostream& err) {
  CommandOptions followed_options = options;
  FollowedFile followed;
  if (!given.along) return with_model(options, out, err, Along(options, given, nullptr, out, err));
  const std::vector<Diagnostic> problems = follow_file(*given.along, &followed_options, &followed);
  if (!problems.empty()) return answer_errors({{}, problems, {}, {}, {}}, options, out, err);
  return with_model(followed_options, out, err,
                    Along(followed_options, given, &followed, out, err));
}

}  // namespace visviva
