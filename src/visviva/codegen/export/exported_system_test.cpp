// What takes part in an exported system: states, parameters, inputs.
#include "visviva/codegen/export/exported_system.h"

#include <gtest/gtest.h>

#include "visviva/equations/equations.h"
#include "visviva/equations/methods/derive.h"

namespace visviva {
namespace {

using namespace units;
using Names = std::vector<std::string>;

template <class T>
Names names_of(const std::vector<T>& list) {
  Names names;
  for (const T& item : list) names.push_back(item.name);
  return names;
}

// A body that turns at v N.x + w N.y about its mass center, which slides along N.x.
ExportedSystem export_spinning(const Inertia& inertia) {
  Model model("spinning");
  const Frame N = model.newtonian();
  const Quantity x = model.coordinate("x", {.start = 0.0 * m});
  const Quantity v = model.speed("v"), w = model.speed("w");
  const Frame B = model.frame("B", spin(N, v * N.x() + w * N.y()));
  model.body(B, {.at = N.origin() + x * N.x(), .mass = 2.0 * kg, .inertia = inertia});
  const Kinematics motion = analyze_motion(model);
  return make_exported_system(derive(motion), make_consistent_start(motion));
}

TEST(ExportedSystem, has_the_orientation_of_a_spinning_body_but_not_of_a_sphere) {
  const Quantity I = 0.3 * kg * m * m;
  const ExportedSystem sphere = export_spinning({I, I, I}),
                       brick = export_spinning({I, 2 * I, 2.5 * I});
  EXPECT_EQ(names_of(sphere.states), (Names{"x", "x'", "v", "w"}));
  EXPECT_EQ(sphere.configuration_count, 1u);
  EXPECT_EQ(brick.states.size(), 8u);
  EXPECT_EQ(brick.configuration_count, 5u);
}

// A force F(t) that nobody defined, and one that is 2 F' s: its derivative is asked for, not F.
TEST(ExportedSystem, has_parameters_and_inputs_that_others_follow_from_and_no_more) {
  Model model("pushed");
  const Frame N0 = model.newtonian();
  const Quantity a = model.parameter("a", 2.0 * kg), b = model.parameter("b", 3 * a);
  const Quantity F = model.specified("F", Dimension(N.dimension()));
  const Quantity G = model.specified("G", model.rate(F) * s);
  const Quantity x = model.coordinate("x", {.start = 0.0 * m});
  const Point P = model.particle("P", {.at = N0.origin() + x * N0.x(), .mass = b});
  model.force("push", {.on = P, .value = G * N0.x()});
  const Kinematics motion = analyze_motion(model);
  const ExportedSystem exported =
      make_exported_system(derive(motion), make_consistent_start(motion));
  EXPECT_EQ(names_of(exported.parameters), (Names{"a"}));
  EXPECT_EQ(names_of(exported.derived), (Names{"b"}));
  EXPECT_EQ(names_of(exported.inputs), (Names{"F'"}));
}

}  // namespace
}  // namespace visviva
