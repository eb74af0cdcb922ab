// Loops, states, samples and tables of a model's text, as the model has them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "visviva/base/unit.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/csv.h"
#include "visviva/text/build/load_model.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

ModelReading read_statements_of(const std::string& text) {
  return read_model({"test.viva", "model m\n" + text});
}

std::string first_error_told(const std::string& text) {
  for (const Diagnostic& d : read_statements_of(text).diagnostics)
    if (d.severity == Severity::error) return d.code + ": " + told_message(d);
  return "";
}

TEST(loops, declare_indexed_names_that_refer_to_one_another) {
  const ModelReading reading = read_statements_of(
      "count n = 3\npoint Q[0] = No\nfor i in 1 to n: coordinate q[i] = i*0.1 rad\n"
      "for i in 1 to n: frame A[i] = rotate(N, z, q[i])\n"
      "for i in 1 to n: particle Q[i] at Q[i - 1] - 2 m*A[i].y, mass 1 kg\n"
      "output x = dot(Q[n] - No, N.x), q[2]'\n");
  ASSERT_TRUE(reading.model.has_value());
  const ModelData& data = reading.model->data();
  ASSERT_EQ(data.coordinates.size(), 3u);
  EXPECT_EQ(data.coordinates[2].name, "q[3]");
  EXPECT_EQ(print(*data.coordinates[1].start), "0.2");
  EXPECT_EQ(data.bodies[1].name, "Q[2]");
  EXPECT_EQ(data.points[static_cast<std::size_t>(data.bodies[2].point)].parent,
            data.bodies[1].point);
  EXPECT_EQ(data.outputs[1].name, "q[2]'");
}

TEST(loops, may_stand_in_loops_and_count_by_what_is_around) {
  const ModelReading reading = read_statements_of(
      "for i in 1 to 3: for j in i to 3: parameter m[i, j] = 10*i + j\noutput m[2][3]\n");
  ASSERT_TRUE(reading.model.has_value());
  EXPECT_EQ(reading.model->data().parameters.size(), 6u);
  EXPECT_EQ(reading.model->data().parameters[4].name, "m[2][3]");
  EXPECT_EQ(print(*reading.model->data().parameters[4].value), "23");
}

TEST(loops, say_which_time_it_was) {
  EXPECT_EQ(first_error_told("for i in 0 to 2: coordinate q[i - 1]\n"),
            "E-index: the index of 'q[i - 1]' is -1 (for i = 0)");
  EXPECT_EQ(
      first_error_told("coordinate r[1]\nfor i in 1 to 3: let a[i] = r[i]\noutput a[1], a[2]\n"),
      "E-name-unknown: there is no name 'r[2]' (for i = 2)");
  EXPECT_EQ(first_error_told("parameter k = 3\nfor i in 1 to k: coordinate q[i]\n"),
            "E-loop-form: 'k' is no `count` and no variable of a `for` around this");
}

TEST(states, have_start_values_and_laws_of_any_order) {
  const ModelReading reading = read_statements_of(
      "state e = 2 m*s, e' = x - v*1 s\nstate v' = 3 m/s^2 - a\nparameter a = 1 m/s^2\ncoordinate "
      "x\n");
  ASSERT_TRUE(reading.model.has_value());
  const auto& states = reading.model->data().states;
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(print(*states[0].start), "2");
  EXPECT_EQ(print(states[0].law), "x - v");
  EXPECT_FALSE(states[1].start.has_value());
}

TEST(states, must_have_laws_that_can_be_integrated) {
  EXPECT_EQ(first_error_told("state e = 0 m\n").substr(0, 12), "E-state-law:");
  EXPECT_EQ(first_error_told("coordinate x = 1 m\nstate e = 0 m/s, e' = x''\n").substr(0, 12),
            "E-state-law:");
  EXPECT_EQ(first_error_told("state e = 0 m, e' = 1 m\n").substr(0, 23), "E-dimension-definition:");
  EXPECT_NE(first_error_told("state e = 1 m, e' = 1 m/s\nfor i in 1 to 1: point P = No + "
                             "e*N.x\nparticle Q at P, mass 1 kg\n"),
            "");
}

TEST(samples, change_inputs_and_held_states_alone) {
  const ModelReading reading = read_statements_of(
      "input u = 1 N\nstate e held = 2 s\nsample every 5 ms: u = 2*u, e = e + 1 s\n");
  ASSERT_TRUE(reading.model.has_value());
  const ModelData& data = reading.model->data();
  ASSERT_EQ(data.samples.size(), 1u);
  EXPECT_EQ(print(data.samples[0].period), "0.005");
  ASSERT_EQ(data.states.size(), 2u);
  EXPECT_EQ(data.states[1].name, "u");
  EXPECT_EQ(data.inputs[0].state, 1);
  EXPECT_EQ(first_error_told("parameter k = 1\nsample every 1 s: k = 2\n"),
            "E-sample-target: 'k' is a parameter, which samples cannot change");
  EXPECT_EQ(first_error_told("input u = 1 N\nsample every 1 m: u = 2 N\n").substr(0, 19),
            "E-dimension-sample:");
}

TEST(CsvTest, units_stand_in_the_header_or_in_the_line_above) {
  const CsvColumn bracketed =
      parse_csv_column("angle [deg],p (kPa)\n0,1\n1,2\n", "f", {.column = "p"});
  ASSERT_TRUE(bracketed.ok());
  EXPECT_EQ(bracketed.time_unit, "deg");
  EXPECT_EQ(bracketed.unit, "kPa");
  EXPECT_EQ(parse_csv_column("# s,N*m\nt,T\n0,1\n1,2\n", "f").unit, "N*m");
  // What stands where a unit would and is none is not dropped.
  EXPECT_FALSE(parse_csv_column("# a comment\nt,T [x y]\n0,1\n1,2\n", "f").ok());
}

TEST(CsvTest, a_map_has_its_axes_in_the_first_row_and_column) {
  const CsvMap map = parse_csv_map("x/y,0,10\n1,3,4\n2,5,6\n", "f");
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.rows, (std::vector<double>{1, 2}));
  EXPECT_EQ(map.columns, (std::vector<double>{0, 10}));
  EXPECT_EQ(map.values[1], (std::vector<double>{5, 6}));
  EXPECT_EQ(parse_csv_map(",0,10\n2,3,4\n1,5,6\n", "f").problems[0].code, "E-table-time");
  EXPECT_EQ(parse_csv_map(",0,10\n1,3\n2,5,6\n", "f").problems[0].code, "E-table-column");
  EXPECT_EQ(parse_csv_map(",0,10\n1,3,4\n", "f").problems[0].code, "E-table-rows");
}

TEST(tables, over_scalars_are_functions_by_the_name_of_what_they_are) {
  const auto folder = std::filesystem::temp_directory_path() / "visviva_tables_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "t.csv") << "angle [deg],T [N*m]\n0,1\n90,2\n180,0\n360,1\n";
  const auto text = [&](const std::string& table) {
    const std::string path = (folder / "m.viva").string();
    return read_model(
        {path, "model m\ncoordinate q = 1 rad, x = 1 m\nlet T = " + table + "\noutput T\n"});
  };
  const ModelReading reading = text("table(\"t.csv\", over q, periodic)");
  ASSERT_TRUE(reading.model.has_value());
  EXPECT_EQ(print(reading.model->data().outputs[0].scalar), "T(q)");
  EXPECT_EQ(print_dimension(reading.model->data().outputs[0].dimension), "N*m");
  EXPECT_NEAR(reading.model->data().functions[0].table->axis(0).last(), 6.283185307179586, 1e-15);
  EXPECT_FALSE(text("table(\"t.csv\", over x)").model.has_value()) << "an angle is no length";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace visviva
