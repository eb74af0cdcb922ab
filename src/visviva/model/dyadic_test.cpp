// Dyadics: inertias in several frames, about several points.
#include <gtest/gtest.h>

#include "visviva/base/refusal_test.h"
#include "visviva/model/model.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using namespace units;

class DyadicTest : public testing::Test {
 protected:
  Quantity entry(const char* name) { return model_.parameter(name, kg.dimension() * area_); }
  Dyadic inertia(const Frame& f) {
    const Matrix3 I = {Column3{xx_.expr(), xy_.expr(), zx_.expr()},
                       Column3{xy_.expr(), yy_.expr(), yz_.expr()},
                       Column3{zx_.expr(), yz_.expr(), zz_.expr()}};
    return {f, I, kg.dimension() * area_};
  }
  const Dimension area_ = m.dimension() * m.dimension();
  Model model_{"dyadics"};
  Frame N_ = model_.newtonian();
  Quantity q1_ = model_.coordinate("q1"), q2_ = model_.coordinate("q2");
  Frame A_ = model_.frame("A", rotate(N_, Axis::z, q1_));
  Frame B_ = model_.frame("B", rotate(A_, Axis::x, q2_));
  Quantity xx_ = entry("Ixx"), yy_ = entry("Iyy"), zz_ = entry("Izz");
  Quantity xy_ = entry("Ixy"), yz_ = entry("Iyz"), zx_ = entry("Izx");
  Dyadic I_ = inertia(B_);
};

TEST_F(DyadicTest, an_inertia_is_the_same_dyadic_in_every_frame) {
  const Dyadic in_N(N_, I_.in(N_), I_.dimension());
  EXPECT_EQ(in_N, I_);
  EXPECT_EQ(in_N.in(B_), I_.in(B_));
  EXPECT_FALSE(inertia(A_) == I_);
}

TEST_F(DyadicTest, a_rotation_about_z_mixes_moments_as_mohrs_circle_says) {
  const Expr c = cos(q1_).expr(), s = sin(q1_).expr();
  const Matrix3 in_N = inertia(A_).in(N_);
  EXPECT_EQ(in_N[0][0], c * c * xx_.expr() + s * s * yy_.expr() - 2.0 * s * c * xy_.expr());
  EXPECT_EQ(in_N[0][1], s * c * (xx_.expr() - yy_.expr()) + (c * c - s * s) * xy_.expr());
  EXPECT_EQ(in_N[2][2], zz_.expr());
}

TEST_F(DyadicTest, the_trace_does_not_depend_on_the_frame) {
  const Matrix3 in_N = I_.in(N_);
  EXPECT_EQ(in_N[0][0] + in_N[1][1] + in_N[2][2], (xx_ + yy_ + zz_).expr());
  EXPECT_EQ(in_N, transpose(in_N));
}

TEST_F(DyadicTest, the_product_with_a_vector_does_not_depend_on_the_frame) {
  const Vector w = (1 / s) * B_.x() - (3 / s) * N_.y() + (2 / s) * A_.z();
  const Vector h = dot(I_, w);
  EXPECT_EQ(h, dot(Dyadic(N_, I_.in(N_), I_.dimension()), w));
  EXPECT_EQ(h, dot(w, I_));  // symmetric
  EXPECT_EQ(h.dimension().str(), "kg*m^2/s");
  EXPECT_EQ(dot(I_, (1 / s) * B_.x()).in(B_)[1], xy_.expr());
}

TEST_F(DyadicTest, an_outer_product_projects_on_its_second_vector) {
  const Vector a = 2 * m * A_.x() + 1 * m * N_.z(), b = 3 * m * B_.y(), v = N_.x() + B_.z();
  const Dyadic D = outer(a, b, A_);
  EXPECT_EQ(dot(D, v), a * dot(b, v));
  EXPECT_EQ(dot(v, D), dot(v, a) * b);
  EXPECT_EQ(D, outer(a, b, N_));
  EXPECT_EQ(D.dimension(), area_);
}

TEST_F(DyadicTest, the_unit_dyadic_changes_nothing_in_any_frame) {
  const Vector v = 2 * m * A_.x() + 1 * m * B_.z();
  EXPECT_EQ(dot(unit_dyadic(B_), v), v);
  EXPECT_EQ(unit_dyadic(A_), unit_dyadic(N_));
}

// Moment of inertia of two particles about a line, against the parallel axis theorem.
TEST_F(DyadicTest, particles_and_the_parallel_axis_theorem_agree) {
  const Quantity m1 = model_.parameter("m1", kg.dimension());
  const auto about = [&](const Vector& p, const Quantity& mass) {  // m (p.p 1 - p p)
    return mass * (dot(p, p) * unit_dyadic(A_) + Quantity(-1) * outer(p, p, A_));
  };
  const Vector p = 2 * m * A_.x() + 1 * m * B_.z(), d = 3 * m * N_.y();
  const Dyadic direct = about(p + d, m1) + about(d - p, m1);
  const Dyadic central = about(p, m1) + about(-p, m1);
  EXPECT_EQ(direct, central + about(d, 2 * m1));
}

TEST_F(DyadicTest, dyadics_of_different_dimensions_do_not_add) {
  EXPECT_EQ(refusal([&] { (void)(I_ + unit_dyadic(B_)); }),
            "operator+: the dyadics have dimensions 'kg*m^2' and '1'");
}

}  // namespace
}  // namespace visviva
