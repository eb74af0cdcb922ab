// Which plots a run gets, and what it must put out for them.
//
//   const CompiledSystem system = compile(equations, energies, {.extra_outputs = list_plot_outputs(equations)});
//   const std::vector<Plot> plots = make_plots(simulate(system, options), equations);
// In this order: what the model's `plot` statements ask for, coordinates, speeds, energies and their
// integrals, the deviation of E_Z, residuals of constraints, powers of loads and motors, other outputs.
#pragma once

#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/report/plot/plot.h"
#include "visviva/simulation/trajectory.h"

namespace visviva {

/// The plots of a run. What the run lacks, samples or those of list_plot_outputs(), leaves out the
/// plots that need it.
std::vector<Plot> make_plots(const Trajectory& run, const Equations& equations);

/// Of these, what the model's `plot` statements ask for; where it has none, coordinates and energy integrals.
std::vector<Plot> make_asked_plots(const Trajectory& run, const Equations& equations);

/// How many samples of a series so many plots can afford on one page.
std::size_t choose_plot_samples(const std::vector<Plot>& plots);

}  // namespace visviva
