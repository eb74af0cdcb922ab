// Templates of exported files and the values for them belong together, whatever the system has.
#include "visviva/codegen/export/export_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "visviva/codegen/export/export.h"
#include "visviva/codegen/export/export_templates.h"
#include "visviva/symbolic/core/function_symbol.h"

namespace visviva {
namespace {

// q' = u, a u' = F - max(q, T)*sign(u) with a table T and an energy a u: something of every kind.
ExportedSystem make_rich_system(const std::string& identifier) {
  ExportedSystem s;
  s.name = "rich";
  s.identifier = identifier;
  s.method = "kane";
  s.states = {{"q", "q", "m", "", 0.5}, {"u", "u", "m/s", "", -0.25}};
  s.inputs = {{"F", "F", "N", "", 3.0}};
  s.parameters = {{"a", "a", "kg", "", 1.5}};
  s.tables = {{"T", std::make_shared<const Spline>(std::vector<double>{0, 1, 2, 3},
                                                   std::vector<double>{0, 1, 2, 3})}};
  s.samples = {{"T", 0, 0}};
  const auto map = std::make_shared<const TableFunction>(
      TableAxis{{0, 1}}, TableAxis{{0, 1}}, std::vector<std::vector<double>>{{0, 1}, {2, 3}},
      TableShape::smooth);
  s.maps = {{"W", map}};
  s.configuration_count = s.speed_count = 1;
  ExprPool pool;
  pool.define_table("W", map);
  const Expr t = pool.symbol("t"), q = pool.symbol("q"), u = pool.symbol("u"), F = pool.symbol("F"),
             T = pool.symbol("T"), a = pool.symbol("a");
  const auto make = [&](const std::vector<Expr>& values) {
    return make_program({t, q, u, F, T}, {a}, values, {.fuse = false});
  };
  s.equations = {
      make({u, a, F - max(q, T) * sign(u)}), {{"q_rates", 0}, {"M", 0, 0}, {"f", 0}}, {}};
  s.energies = ExportedBlock{
      make({a * u + call({"W", {"x", "y"}, {}, {0}}, {q, u})}), {{"energies", 0}}, {}};
  return s;
}

struct Language {
  std::string (*make_template)();
  std::unique_ptr<ExportSyntax> (*make_syntax)(const ExportedSystem&);
};
constexpr Language languages[] = {{c_template, make_c_syntax},
                                  {python_template, make_python_syntax},
                                  {matlab_template, make_matlab_syntax}};

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& some) {
  std::set<std::string> rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.begin()));
  return rest;
}

TEST(ExportValues, every_name_in_a_template_has_a_value_and_every_value_is_used) {
  const ExportedSystem system = make_rich_system("rich");
  std::set<std::string> mentioned, known;
  for (const Language& language : languages) {
    const std::set<std::string> names = list_template_names(language.make_template());
    known = list_value_names(make_export_values(system, *language.make_syntax(system)));
    EXPECT_EQ(without(names, known), std::set<std::string>{});
    mentioned.insert(names.begin(), names.end());
  }
  EXPECT_EQ(without(known, mentioned), std::set<std::string>{});
}

TEST(ExportValues, all_languages_have_the_same_names) {
  const ExportedSystem system = make_rich_system("rich");
  const std::set<std::string> names =
      list_value_names(make_export_values(system, *make_c_syntax(system)));
  EXPECT_EQ(list_value_names(make_export_values(system, *make_python_syntax(system))), names);
  EXPECT_EQ(list_value_names(make_export_values(system, *make_matlab_syntax(system))), names);
}

TEST(ExportValues, a_longer_name_of_the_model_changes_nothing_but_the_name) {
  const std::string longer = "a_name_that_would_not_stand_in_a_line_with_anything_else";
  for (const ExportLanguage language :
       {ExportLanguage::c, ExportLanguage::python, ExportLanguage::matlab}) {
    const std::string text = write_export(make_rich_system("r"), language);
    std::string other = write_export(make_rich_system(longer), language);
    for (std::size_t at = 0; (at = other.find(longer, at)) != std::string::npos; ++at)
      other.replace(at, longer.size(), "r");
    EXPECT_EQ(other, text);
  }
}

}  // namespace
}  // namespace visviva
