// Vectors print as a person writes them.
#include "visviva/model/print_vector.h"

#include <gtest/gtest.h>

#include "visviva/model/model.h"

namespace visviva {
namespace {

using namespace units;

struct PrintVector : testing::Test {
  Model model{"vectors"};
  Frame N = model.newtonian();
  Quantity L = model.parameter("L", 0.7 * m);
  Quantity x = model.coordinate("x", {.start = 0.1 * m});
  Quantity q = model.coordinate("q", {.start = 0.3 * rad});
  Frame A = model.frame("A", rotate(N, Axis::z, q));
};

TEST_F(PrintVector, unit_vectors_come_last_with_their_own_coefficient) {
  EXPECT_EQ(print_vector(L * A.x() - x * A.z()), "L*A.x - x*A.z");
  EXPECT_EQ(print_vector((L + x) * A.x() - A.y() * L), "(x + L)*A.x - L*A.y");
  EXPECT_EQ(print_vector(-A.x()), "-A.x");
}

TEST_F(PrintVector, parts_stay_in_the_frames_in_which_they_were_written) {
  EXPECT_EQ(print_vector(x * N.x() + L * A.y()), "x*N.x + L*A.y");
}

TEST_F(PrintVector, the_shortest_frame_is_found) {
  EXPECT_EQ(print_vector(L * cos(q) * N.x() + L * sin(q) * N.y()), "L*A.x");
}

TEST_F(PrintVector, zero_is_zero) {
  EXPECT_EQ(print_vector(A.x() - A.x()), "0");
  EXPECT_EQ(print_vector(cos(q) * N.x() + sin(q) * N.y() - A.x()), "0");
  EXPECT_EQ(print_vector(Vector()), "0");
}

TEST_F(PrintVector, latex_and_mathml_have_hats) {
  EXPECT_EQ(print_vector(L * A.x(), Notation::latex), "L \\hat{\\mathbf{A}}_{x}");
  EXPECT_EQ(print_vector(A.z(), Notation::mathml),
            "<mrow><msub><mover><mi>A</mi><mo>^</mo></mover><mi>z</mi></msub></mrow>");
}

}  // namespace
}  // namespace visviva
