#include "visviva/numeric/kkt_assembly.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Two speeds, an unknown force, a constraint and an auxiliary equation; every value is another one.
KktAssembly make_full_assembly() {
  KktAssembly kkt({.speeds = 2, .unknowns = 1, .rows = 1, .auxiliary = 1});
  int next = 0;
  for (int r = 0; r < 2; ++r) {
    for (int s = 0; s < 2; ++s) kkt.place(r, s, next++);
    kkt.place(r, kkt.unknown_column(0), next++);
    kkt.place_right(r, next++);
  }
  for (int s = 0; s < 2; ++s) kkt.place_row(0, s, next++);
  kkt.place_right(kkt.row_equation(0), next++);
  for (int s = 0; s < 2; ++s) kkt.place(kkt.auxiliary_equation(0), s, next++);
  kkt.place(kkt.auxiliary_equation(0), kkt.unknown_column(0), next++);
  kkt.place(kkt.auxiliary_equation(0), kkt.multiplier_column(0), next++);
  kkt.place_right(kkt.auxiliary_equation(0), next++);
  return kkt;
}

TEST(KktAssembly, forces_stand_on_the_left_with_the_opposite_sign) {
  const KktAssembly kkt = make_full_assembly();
  std::vector<double> values(16);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
  MatrixXd K, expected(4, 4);
  VectorXd rhs;
  kkt.assemble(values.data(), &K, &rhs);
  expected << 1, 2, -3, -9,  //
      5, 6, -7, -10,         //
      9, 10, 0, 0,           //
      12, 13, -14, -15;
  EXPECT_EQ(K, expected);
  EXPECT_EQ(rhs, VectorXd(Eigen::Vector4d(4, 8, 11, 16)));
}

TEST(KktAssembly, one_value_may_stand_in_several_places) {
  KktAssembly kkt({.speeds = 2});
  kkt.place(0, 1, 0);
  kkt.place(1, 0, 0);
  const double value = 3;
  MatrixXd K;
  VectorXd rhs;
  kkt.assemble(&value, &K, &rhs);
  EXPECT_EQ(K, (MatrixXd(2, 2) << 0, 3, 3, 0).finished());
  EXPECT_TRUE(rhs.isZero(0));
}

TEST(KktAssembly, a_row_of_rounding_alone_is_dropped_with_its_force) {
  KktAssembly kkt({.speeds = 1, .rows = 2});
  kkt.place(0, 0, 0);
  kkt.place_row(0, 0, 1);
  kkt.place_row(1, 0, 2);
  const double values[] = {2, 1, 1e-15};
  MatrixXd K;
  VectorXd rhs;
  kkt.assemble(values, &K, &rhs);
  kkt.drop_empty_rows(&K);
  EXPECT_EQ(K, (MatrixXd(3, 3) << 2, -1, 0, 1, 0, 0, 0, 0, 0).finished());
}

}  // namespace
}  // namespace visviva
