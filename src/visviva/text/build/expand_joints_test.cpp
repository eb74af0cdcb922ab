#include "visviva/text/build/expand_joints.h"

#include <gtest/gtest.h>

#include "visviva/base/render.h"
#include "visviva/text/build/read_model.h"
#include "visviva/text/build/same_model_test.h"

namespace visviva {
namespace {

constexpr const char* scalars = R"(
parameter  L = 1 m, p = 2 mm
coordinate a = 0.1, b = 0.2, c = 0.3, s = 1 m, u = 2 m, v = 3 m, a1 = 1, a2 = 2
point      P = No + L*N.x
)";

Model read_joints(const std::string& text) {
  ModelReading reading = read_model({"joints.viva", scalars + text});
  if (!reading.model)
    throw std::runtime_error(render_diagnostics(reading.diagnostics, reading.source));
  return std::move(*reading.model);
}

struct JointExample {
  const char* joint;
  std::vector<std::string> statements;
};

// By hand, from the table in expand_joints.h.
const std::vector<JointExample> joint_examples = {
    {"joint J pin of B on N at P along z, angle a", {"frame B = rotate(N, z, a)", "point J = P"}},
    {"joint J pin of B on N at P + L*N.y along N.x + N.y, angle 2*a",
     {"frame B = rotate(N, N.x + N.y, 2*a)", "point J = P + L*N.y"}},
    {"joint J slider of B on N at P - L*N.z along y, length s",
     {"frame B = rotate(N, x, 0)", "point J = P - L*N.z + s*N.y"}},
    {"joint J slider of B on N at P along N.x + N.y, length s",
     {"frame B = rotate(N, x, 0)", "point J = P + s*unit(N.x + N.y)"}},
    {"joint J screw of B on N at P along z, angle a, pitch p",
     {"frame B = rotate(N, z, a)", "point J = P + p*a/(2*pi)*N.z"}},
    {"joint J universal of B on N at P along x, y, angles a, b",
     {"frame J_cross = rotate(N, x, a)", "frame B = rotate(J_cross, y, b)", "point J = P"}},
    {"joint J ball of B on N at P, angles a, b, c",
     {"frame B = rotate(N, xyz, a, b, c)", "point J = P"}},
    {"joint J planar of B on N at P along y, lengths u, v, angle a",
     {"frame B = rotate(N, y, a)", "point J = P + u*N.z + v*N.x"}},
    {"joint J weld of B on N at P", {"frame B = rotate(N, x, 0)", "point J = P"}},
    {"joint J free of B on N at P",
     {"coordinate J_e0", "coordinate J_e1", "coordinate J_e2", "coordinate J_e3",
      "frame B = quaternion(N, J_e0, J_e1, J_e2, J_e3)", "coordinate J_x", "coordinate J_y",
      "coordinate J_z", "point J = P + J_x*N.x + J_y*N.y + J_z*N.z"}},
    {"frame B = rotate(N, z, a)\njoint J pin of B on N at P, No + L*B.x along z",
     {"constraint J: (No + L*B.x) - P = 0", "constraint J_1: dot(N.z, B.x) = 0",
      "constraint J_2: dot(N.z, B.y) = 0"}},
    {"frame B = rotate(N, z, a)\njoint J ball of B on N at P + L*N.x, No",
     {"constraint J: No - (P + L*N.x) = 0"}},
    {"frame B = rotate(N, z, a)\njoint J universal of B on N at P, No along x, B.y",
     {"constraint J: No - P = 0", "constraint J_1: dot(N.x, B.y) = 0"}},
    {"frame B = rotate(N, z, a)\njoint J slider of B on N at P, No along y",
     {"constraint J_1: dot(No - P, N.z) = 0", "constraint J_2: dot(No - P, N.x) = 0",
      "constraint J_3: dot(N.y, B.z) = 0", "constraint J_4: dot(N.z, B.x) = 0",
      "constraint J_5: dot(N.x, B.y) = 0"}},
    {"gear J on a1, a2, ratio -3", {"constraint J: a1' = (-3)*a2'"}},
    {"belt J on a1, a2, ratio L/(2 m)", {"constraint J: a1' = (L/(2 m))*a2'"}},
};

TEST(expand_joints, tells_the_statements_that_a_joint_stands_for) {
  for (const JointExample& example : joint_examples) {
    const Model model = read_joints(example.joint);
    ASSERT_EQ(model.data().joints.size(), 1u) << example.joint;
    EXPECT_EQ(model.data().joints[0].statements, example.statements) << example.joint;
  }
}

TEST(expand_joints, gives_the_model_of_those_statements) {
  for (const JointExample& example : joint_examples) {
    std::string text;
    // A joint that closes a loop has its frame before it.
    const std::string joint = example.joint;
    if (const std::size_t end = joint.find('\n'); end != std::string::npos)
      text = joint.substr(0, end + 1);
    for (const std::string& statement : example.statements) text += statement + "\n";
    EXPECT_TRUE(is_same_model(read_joints(example.joint).data(), read_joints(text).data()))
        << example.joint;
  }
}

TEST(expand_joints, points_at_what_the_user_wrote) {
  const ModelReading reading =
      read_model({"joints.viva", "coordinate a\njoint J pin of B on A at Q along z, angle a\n"});
  ASSERT_FALSE(reading.model);
  ASSERT_EQ(reading.diagnostics.size(), 2u);
  EXPECT_EQ(reading.diagnostics[0].span.column, 21);  // A
  EXPECT_EQ(reading.diagnostics[1].span.column, 26);  // Q
}

TEST(expand_joints, refuses_to_carry_what_is_carried_already) {
  const ModelReading reading =
      read_model({"joints.viva",
                  "coordinate a, b\njoint J pin of B on N at No along z, angle a\njoint K pin of B "
                  "on N at No along z, angle b\n"});
  ASSERT_FALSE(reading.model);
  EXPECT_EQ(reading.diagnostics[0].code, "E-name-twice");
}

}  // namespace
}  // namespace visviva
