#include "visviva/study/output_slopes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace visviva {
namespace {

constexpr std::array<double, 4> weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};  // (1)
// What counts as a small change is the mechanism's secret: of these steps the two that agree best are taken.
constexpr std::array<double, 6> steps = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

// The outputs as functions of a state and of inputs.
class Outputs {
 public:
  Outputs(const CompiledSystem& system, const VariedState& at)
      : system_(system),
        prepared_(system.prepare(system.parameters())),
        time_(at.time),
        state_(system.start().values()),
        inputs_(system.inputs().values()),
        quadratures_(system.quadrature_names().size(), 0.0) {
    for (std::size_t i = 0; i < at.names.size(); ++i) places_.push_back(find_place(at.names[i]));
    for (std::size_t i = 0; i < at.names.size(); ++i)
      if (places_[i] >= 0) state_[static_cast<std::size_t>(places_[i])] = at.values[i];
  }

  // Slopes along a variation of the state and of the inputs.
  std::vector<double> compute_slopes(const std::vector<double>& variation,
                                     const std::vector<double>& inputs) const {
    std::vector<double> best(system_.output_names().size(), std::nan("")), last;
    std::vector<double> least(best.size(), std::numeric_limits<double>::infinity());
    for (const double step : steps) {
      const std::vector<double> here = difference(variation, inputs, step);
      for (std::size_t i = 0; i < last.size(); ++i) {
        const double apart = std::abs(here[i] - last[i]);
        if (!(apart < least[i])) continue;
        least[i] = apart;
        best[i] = here[i];
      }
      last = here;
    }
    return best;
  }

 private:
  // (1)
  std::vector<double> difference(const std::vector<double>& variation,
                                 const std::vector<double>& inputs, double step) const {
    const double h = step / std::max(largest(variation), largest(inputs));
    std::vector<double> slopes(system_.output_names().size(), 0.0);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double distance = h * static_cast<double>(k + 1);
      const std::vector<double> up = compute(variation, inputs, distance),
                                down = compute(variation, inputs, -distance);
      for (std::size_t i = 0; i < slopes.size(); ++i)
        slopes[i] += weights[k] * (up[i] - down[i]) / h;
    }
    return slopes;
  }

  int find_place(const std::string& name) const {
    const std::vector<std::string>& names = system_.state_names();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  }

  static double largest(const std::vector<double>& numbers) {
    double size = 1e-300;
    for (const double x : numbers) size = std::max(size, std::abs(x));
    return size;
  }

  std::vector<double> compute(const std::vector<double>& variation,
                              const std::vector<double>& inputs, double distance) const {
    std::vector<double> state = state_, w = inputs_;
    for (std::size_t i = 0; i < variation.size(); ++i)
      if (places_[i] >= 0) state[static_cast<std::size_t>(places_[i])] += distance * variation[i];
    for (std::size_t i = 0; i < inputs.size(); ++i) w[i] += distance * inputs[i];
    std::vector<double> values(system_.output_names().size());
    system_.compute_outputs({time_, state.data(), w.data()}, prepared_, quadratures_.data(),
                            values.data());
    return values;
  }

  const CompiledSystem& system_;
  PreparedParameters prepared_;
  double time_;
  std::vector<double> state_, inputs_, quadratures_;
  std::vector<int> places_;  // in the state of the system; -1 for what its outputs do not need
};

std::vector<double> column_of(const std::vector<std::vector<double>>& rows, std::size_t j) {
  std::vector<double> column;
  for (const std::vector<double>& row : rows) column.push_back(row[j]);
  return column;
}

void add_column(const std::vector<double>& column, std::vector<std::vector<double>>* rows) {
  for (std::size_t i = 0; i < rows->size(); ++i) (*rows)[i].push_back(column[i]);
}

}  // namespace

OutputSlopes compute_output_slopes(const CompiledSystem& system, const Linearization& about) {
  OutputSlopes slopes{system.output_names(), {}, {}};
  slopes.C.resize(slopes.outputs.size());
  slopes.D.resize(slopes.outputs.size());
  const Outputs outputs(system, about.varied);
  const std::vector<std::string>& known = system.input_names();
  for (std::size_t j = 0; j < about.states.size(); ++j)
    add_column(outputs.compute_slopes(column_of(about.varied.by_states, j),
                                      std::vector<double>(known.size(), 0.0)),
               &slopes.C);
  for (std::size_t j = 0; j < about.inputs.size(); ++j) {
    std::vector<double> inputs(known.size(), 0.0);
    const auto place = std::find(known.begin(), known.end(), about.inputs[j]);
    if (place != known.end()) inputs[static_cast<std::size_t>(place - known.begin())] = 1.0;
    add_column(outputs.compute_slopes(column_of(about.varied.by_inputs, j), inputs), &slopes.D);
  }
  return slopes;
}

}  // namespace visviva
