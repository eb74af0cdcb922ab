// Tests of plot_choice: values by closed forms, what is shown first, and what is left out or folded.
#include "visviva/report/plot/plot_choice.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "visviva/base/utf8.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/report/plot/figure.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/simulation/run/simulate.h"

namespace visviva {
namespace {

using namespace units;

constexpr double g = 10.0;
constexpr double solved = 1e-8;  // runs have a tolerance of 1e-11

std::vector<Plot> plot_run(const Model& model, double until) {
  const Equations equations = derive(analyze_motion(model));
  SystemOptions options;
  options.extra_outputs = list_plot_outputs(equations);
  const CompiledSystem system = compile(equations, analyze_energy(equations), options);
  return make_plots(simulate(system, {.until = until, .tolerance = 1e-11, .energy = 1e-6}),
                    equations);
}

const Plot* find_plot(const std::vector<Plot>& plots, const std::string& title,
                      const std::string& unit) {
  for (const Plot& plot : plots)
    if (plot.title == title && plot.unit == unit) return &plot;
  return nullptr;
}

std::vector<std::string> names_of(const Plot& plot) {
  std::vector<std::string> names;
  for (const PlotSeries& series : plot.series) names.push_back(series.name);
  return names;
}

using Names = std::vector<std::string>;

void expect_values(const Plot& plot, std::size_t series, double (*expected)(double t)) {
  const PlotSeries& found = plot.series.at(series);
  ASSERT_EQ(found.times.size(), found.values.size());
  ASSERT_GT(found.times.size(), 100U);
  for (std::size_t i = 0; i < found.times.size(); ++i)
    ASSERT_NEAR(found.values[i], expected(found.times[i]), solved) << found.name;
}

// 2 kg that fall from rest.
Model make_fall() {
  Model model("fall");
  const Frame N = model.newtonian();
  const Quantity h = model.coordinate("h", {.start = 3 * m});
  model.particle("P", {.at = N.origin() + h * N.y(), .mass = 2 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  return model;
}

const std::string whole_powers =
    "Whole powers; E_Z takes only what goes through the independent speeds.";

TEST(PlotChoice, energies_and_power_of_a_free_fall_are_those_of_the_closed_form) {
  const std::vector<Plot> plots = plot_run(make_fall(), 1.0);
  const Plot* energies = find_plot(plots, "Energies", "J");
  ASSERT_NE(energies, nullptr);
  EXPECT_EQ(names_of(*energies), (Names{"K", "U"}));  // K2 is K, and Z is zero
  expect_values(*energies, 0, [](double t) { return g * g * t * t; });
  const Plot* powers = find_plot(plots, "Power by source", "W");
  ASSERT_NE(powers, nullptr);
  EXPECT_EQ(names_of(*powers), (Names{"gravity"}));
  expect_values(*powers, 0, [](double t) { return 2 * g * g * t; });
  EXPECT_EQ(powers->series[0].causes.size(), 1U);
  const Plot* heights = find_plot(plots, "Coordinates", "m");
  ASSERT_NE(heights, nullptr);
  expect_values(*heights, 0, [](double t) { return 3.0 - 0.5 * g * t * t; });
}

TEST(PlotChoice, integrals_that_are_the_same_are_one_curve) {
  const std::vector<Plot> plots = plot_run(make_fall(), 1.0);
  const Plot* integrals = find_plot(plots, "Energy integrals: E_Z, E, H, C", "J");
  ASSERT_NE(integrals, nullptr);
  EXPECT_EQ(names_of(*integrals), (Names{"E_Z = E = H = C"}));
}

// A bead of 1 kg in a tube that a motor turns at 2 rad/s in a horizontal plane: x = cosh(2t), and with
// K2 = x'^2/2, K0 = 2 x^2, U = 0: E = 2 sinh^2(2t), H = -2, C = 2 sinh^2 + 2 cosh^2. The motor gives dK/dt.
TEST(PlotChoice, a_driven_bead_has_four_integrals_of_which_two_move) {
  Model model("bead");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 1 * m});
  const Quantity a = model.specified("a", 2 * rad / s * model.time());
  const Frame A = model.frame("A", rotate(N, Axis::z, a));
  model.particle("P", {.at = N.origin() + x * A.x(), .mass = 1 * kg});
  const std::vector<Plot> plots = plot_run(model, 0.5);
  const Plot* integrals = find_plot(plots, "Energy integrals: E_Z, E, H, C", "J");
  ASSERT_NE(integrals, nullptr);
  ASSERT_EQ(names_of(*integrals), (Names{"E_Z", "E", "H", "C"}));
  expect_values(*integrals, 0, [](double) { return 0.0; });
  expect_values(*integrals, 1, [](double t) { return 2 * std::pow(std::sinh(2 * t), 2); });
  expect_values(*integrals, 2, [](double) { return -2.0; });
  expect_values(*integrals, 3, [](double t) { return 2 * std::cosh(4 * t); });
  const Plot* energies = find_plot(plots, "Energies", "J");
  ASSERT_NE(energies, nullptr);
  EXPECT_EQ(names_of(*energies), (Names{"K", "K2", "K0", "U", "Z"}));
  const Plot* powers = find_plot(plots, "Power by source", "W");
  ASSERT_NE(powers, nullptr);
  EXPECT_EQ(names_of(*powers), (Names{"a"}));
  expect_values(*powers, 0, [](double t) { return 8 * std::sinh(4 * t); });
}

TEST(PlotChoice, the_deviation_of_e_z_has_the_tolerance_and_is_small) {
  const std::vector<Plot> plots = plot_run(make_fall(), 1.0);
  const Plot* deviation = find_plot(plots, "Deviation of E_Z", "J");
  ASSERT_NE(deviation, nullptr);
  EXPECT_TRUE(deviation->is_log);
  ASSERT_FALSE(deviation->limits.empty());
  EXPECT_EQ(deviation->limits[0].value, 1e-6);
  EXPECT_EQ(deviation->limits[0].label, "tolerance 1e-6 J");
  for (const double x : deviation->series[0].values) {
    EXPECT_GE(x, 0.0);
    EXPECT_LE(x, 1e-6);
  }
}

// x = r sin(a), y = -r cos(a) held by x^2 + y^2 = r^2.
TEST(PlotChoice, constraints_have_residuals_of_configuration_and_of_motion) {
  Model model("rod");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.6 * m});
  const Quantity y = model.coordinate("y", {.start = -0.8 * m});
  model.particle("P", {.at = N.origin() + x * N.x() + y * N.y(), .mass = 1 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  model.constraint("rod", x * x + y * y - 1 * m * m);
  const std::vector<Plot> plots = plot_run(model, 1.0);
  for (const char* title :
       {"Residuals of configuration constraints", "Residuals of motion constraints"}) {
    const Plot* plot = find_plot(plots, title, "");
    ASSERT_NE(plot, nullptr) << title;
    EXPECT_TRUE(plot->is_log);
    EXPECT_EQ(names_of(*plot), (Names{"rod"}));
    for (const double r : plot->series[0].values) {
      EXPECT_GE(r, 0.0);
      EXPECT_LT(r, solved);
    }
  }
}

TEST(PlotChoice, what_the_model_asks_for_comes_first_by_line_and_unit_and_once) {
  Model model = make_fall();
  const Quantity& h =
      Quantity(model.data().coordinates[0].q, model.data().coordinates[0].dimension);
  model.set_source({"", 7, 1, 1}, "");
  model.output("h", h, true);
  model.output("twice", 2 * h, true);
  model.output("E_Z", model.result("E_Z"), true);
  model.set_source({"", 8, 1, 1}, "");
  model.output("half", h / 2, true);
  const std::vector<Plot> plots = plot_run(model, 1.0);
  ASSERT_GE(plots.size(), 3U);
  EXPECT_EQ(plots[0].title, "h, twice");
  EXPECT_EQ(plots[1].title, "E_Z");
  EXPECT_EQ(plots[2].title, "half");
  EXPECT_EQ(find_plot(plots, "Coordinates", "m"), nullptr);  // h is shown already
}

// Thirty particles, each faster than the one before.
TEST(PlotChoice, of_thirty_series_the_twelve_that_range_farthest_are_shown_and_the_rest_folded) {
  Model model("many");
  const Frame N = model.newtonian();
  for (int i = 1; i <= 30; ++i) {
    const Quantity x = model.coordinate("x" + std::to_string(i));
    model.start(model.rate(x), i * m / s);
    model.particle("P" + std::to_string(i), {.at = N.origin() + x * N.x(), .mass = 1 * kg});
  }
  const std::vector<Plot> plots = plot_run(model, 1.0);
  const Plot* first = find_plot(plots, "Coordinates", "m");
  const Plot* last = find_plot(plots, "Coordinates, part 3", "m");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(last, nullptr);
  EXPECT_FALSE(first->is_folded);
  EXPECT_TRUE(last->is_folded);
  EXPECT_EQ(first->series.size(), 12U);
  EXPECT_EQ(first->series.front().name, "x19");
  EXPECT_EQ(first->series.back().name, "x30");
  EXPECT_EQ(names_of(*last), (Names{"x1", "x2", "x3", "x4", "x5", "x6"}));
  // All of it fits the page.
  EXPECT_LE(choose_plot_samples(plots), 1500U);
  EXPECT_GE(choose_plot_samples(plots), 300U);
}

TEST(PlotChoice, angles_are_in_rad) {
  Model model("pendulum");
  const Frame N = model.newtonian();
  const Quantity q = model.coordinate("q", {.start = 0.5 * rad});
  const Frame A = model.frame("A", rotate(N, Axis::z, q));
  model.particle("P", {.at = N.origin() - 1 * m * A.y(), .mass = 1 * kg});
  model.gravity(-g * m / (s * s) * N.y());
  const std::vector<Plot> plots = plot_run(model, 1.0);
  EXPECT_NE(find_plot(plots, "Coordinates", "rad"), nullptr);
  EXPECT_NE(find_plot(plots, "Speeds", "rad/s"), nullptr);
}

// A Gibbs vector is an axis times a tangent; w1 is a component of an angular velocity.
TEST(PlotChoice, components_of_a_gibbs_vector_are_no_angles) {
  Model model("gibbs");
  const Frame N = model.newtonian();
  const Quantity p1 = model.coordinate("p1", {.start = Quantity(0.1)});
  const Quantity p2 = model.coordinate("p2"), p3 = model.coordinate("p3");
  const Frame B = model.frame("B", rodrigues(N, {p1, p2, p3}));
  model.body(B, {.at = N.origin(), .mass = 1 * kg, .solid = sphere(1 * m)});
  const std::vector<Plot> plots = plot_run(model, 1.0);
  EXPECT_NE(find_plot(plots, "Coordinates", "1"), nullptr);
  EXPECT_EQ(find_plot(plots, "Coordinates", "rad"), nullptr);
  EXPECT_NE(find_plot(plots, "Speeds", "1/s"), nullptr);
  EXPECT_EQ(find_plot(plots, "Speeds", "rad/s"), nullptr);
}

TEST(PlotChoice, a_series_without_values_is_left_out_and_named) {
  Model model = make_fall();
  const Point P = *model.find_point("P");
  model.force("wind", {.on = P, .value = 1 * N * model.newtonian().x()});
  const Equations equations = derive(analyze_motion(model));
  Trajectory run;
  run.columns = {"t", power_output("wind"), gravity_output()};
  run.samples = {{0, 1, 2}, {NAN, NAN, NAN}, {1, NAN, 2}};
  const std::vector<Plot> plots = make_plots(run, equations);
  ASSERT_EQ(plots.size(), 1U);
  EXPECT_EQ(names_of(plots[0]), (Names{"gravity"}));
  EXPECT_EQ(plots[0].remark, whole_powers + " Not determined, and left out: wind.");
}

// The slider is driven by x; F is a force law of time, and R drops out of the equations.
TEST(PlotChoice, a_function_in_a_force_law_is_no_motor_and_an_unknown_force_is_named) {
  Model model("forced");
  const Frame frame = model.newtonian();
  const Quantity x = model.specified("x", 0.1 * m * sin(3 * rad / s * model.time()));
  const Quantity F = model.specified("F", 3 * N * sin(2 * rad / s * model.time()));
  const Quantity R = model.unknown("R");
  const Quantity y = model.coordinate("y", {.start = 1 * m});
  const Point P =
      model.particle("P", {.at = frame.origin() + y * frame.y() + x * frame.x(), .mass = 1 * kg});
  model.force("push", {.on = P, .value = F * frame.y()});
  model.force("hold", {.on = P, .value = R * frame.x()});
  const std::vector<Plot> plots = plot_run(model, 1.0);
  const Plot* powers = find_plot(plots, "Power by source", "W");
  ASSERT_NE(powers, nullptr);
  EXPECT_EQ(names_of(*powers), (Names{"push"}));
  EXPECT_EQ(powers->remark, whole_powers + " Not determined, and left out: hold, x.");
  // y' = 3/2 (1 - cos 2t)
  expect_values(*powers, 0, [](double t) { return 4.5 * std::sin(2 * t) * (1 - std::cos(2 * t)); });
}

// P is driven to x = sin t and pulled by a force of 1 N, both called F: the force has the power cos t, and
// what drives 2 kg has -2 sin t cos t less that, which no name of the language means.
TEST(PlotChoice, a_motor_with_the_name_of_a_load_is_left_out_and_named) {
  Model model("two_called_f");
  const Frame frame = model.newtonian();
  const Quantity F = model.specified("F", 1 * m * sin(1 * rad / s * model.time()));
  const Quantity y = model.coordinate("y");
  const Point P =
      model.particle("P", {.at = frame.origin() + F * frame.x() + y * frame.y(), .mass = 2 * kg});
  model.force("F", {.on = P, .value = 1 * N * frame.x()});
  const std::vector<Plot> plots = plot_run(model, 1.0);
  const Plot* powers = find_plot(plots, "Power by source", "W");
  ASSERT_NE(powers, nullptr);
  ASSERT_EQ(names_of(*powers), (Names{"F"}));
  expect_values(*powers, 0, [](double t) { return std::cos(t); });
  ASSERT_EQ(powers->series[0].causes.size(), 1U);
  EXPECT_EQ(powers->series[0].causes[0], 0);  // the load
  EXPECT_EQ(
      powers->remark,
      "Left out: what drives F, since power(...) means the load of that name. " + whole_powers);
}

TEST(PlotChoice, an_output_of_the_model_cannot_pass_for_one_of_the_plots) {
  Model model = make_fall();
  model.output(energy_output("K"), model.result("U"));
  EXPECT_THROW(plot_run(model, 1.0), UsageError);
}

TEST(PlotChoice, a_run_that_goes_astray_can_still_be_drawn) {
  const Equations equations = derive(analyze_motion(make_fall()));
  Trajectory run;
  run.columns = {"t", "h"};
  run.samples = {{0, 1, 2, 3}, {1, -1e308, 1e308, 2}};
  const std::vector<Plot> plots = make_plots(run, equations);
  ASSERT_EQ(plots.size(), 1U);
  const std::string svg = write_figure_svg(make_figure(plots[0], "astray"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlotChoice, a_long_title_is_cut_between_letters) {
  Model model = make_fall();
  const Quantity h(model.data().coordinates[0].q, model.data().coordinates[0].dimension);
  std::string name;
  for (int i = 0; i < 60; ++i) name += "\u03b8\u89d2";
  model.output(name, 2 * h, true);
  const std::string title = plot_run(model, 1.0)[0].title;
  EXPECT_EQ(count_characters(title), 70U);
  EXPECT_EQ(find_invalid_utf8(title), std::string::npos);
}

TEST(PlotChoice, a_run_without_samples_has_no_plots) {
  const Equations equations = derive(analyze_motion(make_fall()));
  EXPECT_TRUE(make_plots(Trajectory(), equations).empty());
  Trajectory one;
  one.columns = {"t", "h"};
  one.samples = {{0.0}, {3.0}};
  EXPECT_TRUE(make_plots(one, equations).empty());
}

}  // namespace
}  // namespace visviva
