// Verdicts and dimensions that textbooks give; each integral is differentiated again, each witness compared by hand.
#include "visviva/equations/interactions/integrability.h"

#include <gtest/gtest.h>

#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

using Names = std::vector<std::string>;

struct Analyzed {
  explicit Analyzed(const std::string& text)
      : reading(read_model({"model.viva", "model m\n" + text})),
        motion(analyze_motion(reading.model.value())),
        found(analyze_integrability(motion)),
        accessible(accessible_dimension(found, make_consistent_start(motion))) {}

  const RowIntegrability& row(std::size_t constraint = 0, std::size_t row = 0) const {
    return found.constraints.at(constraint).rows.at(row);
  }
  std::string integral(std::size_t constraint = 0, std::size_t r = 0) const {
    const auto& i = row(constraint, r).integral;
    return i ? print(*i) : "none";
  }
  std::string factor(std::size_t constraint = 0) const {
    const auto& f = row(constraint).factor;
    return f ? print(*f) : "none";
  }
  // "-1 x y theta"
  std::string witness(std::size_t constraint = 0, std::size_t r = 0) const {
    const auto& w = row(constraint, r).witness;
    if (!w) return "none";
    std::string text = print(w->value);
    for (const std::string& d : w->directions) text += " " + d;
    return text;
  }

  ModelReading reading;
  Kinematics motion;
  Integrability found;
  int accessible;
};

// Coordinates without a unit, so that the mathematics of forms can be written down as it is.
Analyzed analyze_form(const std::string& constraints) {
  return Analyzed(
      "coordinate x = 1, y = 2, z = 1.5\n"
      "particle P at No + x*1 m*N.x + y*1 m*N.y + z*1 m*N.z, mass 1 kg\n" +
      constraints);
}

const std::string planar =
    "parameter r = 0.1 m, b = 0.3 m\n"
    "coordinate x = 0 m, y = 0 m, theta = 0.2 rad\n"
    "frame A = rotate(N, z, theta)\n"
    "point C = No + x*N.x + y*N.y\n";

// ---- One row

TEST(integrability, a_blade_is_nonholonomic_and_reaches_every_configuration) {
  const Analyzed a(planar +
                   "body A at C, mass 1 kg, sphere radius r\n"
                   "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n");
  EXPECT_EQ(a.row().integrable, Decision::no);
  EXPECT_EQ(a.row().holonomic, Decision::no);
  // (sin dx - cos dy) ^ (cos dtheta ^ dx + sin dtheta ^ dy) = -dx ^ dy ^ dtheta
  EXPECT_EQ(a.witness(), "-1 x y theta");
  EXPECT_TRUE(a.row().witness->is_only);
  EXPECT_EQ(a.accessible, 3);
}

TEST(integrability, a_wheel_on_a_line_has_an_integral) {
  const Analyzed a(
      "parameter r = 0.1 m\ncoordinate x = 0 m, q = 0 rad\nframe A = rotate(N, z, -q)\n"
      "body A at No + x*N.x + r*N.y, mass 1 kg, sphere radius r\n"
      "roll c: A on N at No + x*N.x\n");
  EXPECT_EQ(a.row().integrable, Decision::yes);
  EXPECT_EQ(a.factor(), "1");
  EXPECT_EQ(a.integral(), "x - r*q");
  EXPECT_EQ(a.accessible, 1);
}

TEST(integrability, factors_are_found) {
  const struct {
    const char *row, *factor, *integral;
  } cases[] = {
      {"z*y' + y*z' = 0", "1", "y*z"},
      {"y' + (y/z)*z' = 0", "z", "y*z"},
      {"(y + z)*x' + (z + x)*y' + (x + y)*z' = 0", "1", "x*(y + z) + y*z"},
      // Rosenberg, Analytical Dynamics of Discrete Systems: r^2 dx + d(r^2) = 0.
      {"(2*x + x^2 + y^2 + z^2)*x' + 2*y*y' + 2*z*z' = 0", "exp(x)", "(x^2 + y^2 + z^2)*exp(x)"},
      {"y*z*x' + 2*x*z*y' - 3*x*y*z' = 0", "y/z^4", "x*y^2/z^3"},
      {"x'/sqrt(x^2 + y^2) + y'*y/(x*sqrt(x^2 + y^2)) = 0", "x", "sqrt(x^2 + y^2)"},
      {"cos(y)*x' - sin(y)*x*y' + z*z' = 0", "1", "x*cos(y) + z^2/2"},
  };
  for (const auto& c : cases) {
    const Analyzed a = analyze_form("constraint c: " + std::string(c.row) + "\n");
    EXPECT_EQ(a.row().integrable, Decision::yes) << c.row;
    EXPECT_EQ(a.factor(), c.factor) << c.row;
    EXPECT_EQ(a.integral(), c.integral) << c.row;
    EXPECT_EQ(a.accessible, 2) << c.row;
  }
}

// Sneddon, Elements of Partial Differential Equations, chapter 1: both are integrable.
TEST(integrability, a_row_without_a_known_integral_is_integrable_all_the_same) {
  for (const char* row : {"y*z*(y + z)*x' + x*z*(x + z)*y' + x*y*(x + y)*z' = 0",
                          "(y^2 + y*z)*x' + (x*z + z^2)*y' + (y^2 - x*y)*z' = 0"}) {
    const Analyzed a = analyze_form("constraint c: " + std::string(row) + "\n");
    EXPECT_EQ(a.row().integrable, Decision::yes) << row;
    EXPECT_TRUE(a.row().factor) << row;
    EXPECT_EQ(a.accessible, 2) << row;
  }
}

// ---- Several rows

TEST(integrability, two_rows_may_be_integrable_only_together) {
  const Analyzed alone = analyze_form("constraint c1: z' - y*x' = 0\n");
  EXPECT_EQ(alone.row().holonomic, Decision::no);
  EXPECT_EQ(alone.witness(), "1 x y z");
  EXPECT_EQ(alone.accessible, 3);

  const Analyzed pair = analyze_form("constraint c1: z' - y*x' = 0\nconstraint c2: y' = 0\n");
  EXPECT_EQ(pair.row().integrable, Decision::no);
  EXPECT_EQ(pair.row().holonomic, Decision::yes);
  EXPECT_EQ(pair.row().with, Names{"c2"});
  EXPECT_EQ(print(*pair.row().joint_integral), "z - x*y");
  EXPECT_EQ(pair.integral(1), "y");
  EXPECT_EQ(pair.accessible, 1);

  const Analyzed locked = analyze_form("constraint c1: z' - y*x' = 0\nlock x\n");
  EXPECT_EQ(locked.row().holonomic, Decision::yes);
  EXPECT_EQ(locked.row().with, Names{"x"});
}

TEST(integrability, only_constraints_that_are_needed_are_named) {
  const Analyzed a = analyze_form(
      "coordinate w = 0\nparticle Q at No + w*1 m*N.x, mass 1 kg\n"
      "constraint c0: w' = 0\nconstraint c1: z' - y*x' = 0\nconstraint c2: y' - w*x' = 0\n");
  // c2 by itself is not integrable; with w constant it is: y - w*x. Then c1 too, with both.
  EXPECT_EQ(a.row(2).with, Names{"c0"});
  EXPECT_EQ(a.row(1).with, (Names{"c0", "c2"}));
  EXPECT_EQ(a.accessible, 1);
}

// The derived flag has more than one step: the Engel system dz - y dx, dy - w dx.
TEST(integrability, the_engel_system_reaches_all_four_dimensions) {
  const Analyzed a = analyze_form(
      "coordinate w = 0\nparticle Q at No + w*1 m*N.x, mass 1 kg\n"
      "constraint c1: z' - y*x' = 0\nconstraint c2: y' - w*x' = 0\n");
  EXPECT_EQ(a.row(0).holonomic, Decision::no);
  EXPECT_EQ(a.row(1).holonomic, Decision::no);
  EXPECT_EQ(a.accessible, 4);
}

// On z = 0 the row x' + z*y*w' = 0 says x' = 0; elsewhere it is not integrable, even modulo dz.
TEST(integrability, configuration_constraints_are_put_in) {
  const Analyzed a = analyze_form(
      "coordinate w = 0\nparticle Q at No + w*1 m*N.x, mass 1 kg\n"
      "constraint g: z = 0\nconstraint c: x' + z*y*w' = 0\n");
  EXPECT_EQ(a.row(1).integrable, Decision::no);
  EXPECT_EQ(a.row(1).holonomic, Decision::yes);
  EXPECT_EQ(a.row(1).with, Names{"g"});
  EXPECT_EQ(a.accessible, 2);
}

// Bloch, Nonholonomic Mechanics and Control, section 1.4.
TEST(integrability, the_vertical_rolling_disc_reaches_four_dimensions) {
  const Analyzed a(planar +
                   "coordinate phi = 0 rad\nframe D = rotate(A, y, phi)\n"
                   "body D at C + r*N.z, mass 1 kg, disc radius r along y\nroll c: D on N at C\n");
  EXPECT_EQ(a.found.constraints[0].rows.size(), 2);
  EXPECT_EQ(a.found.constraints[0].holonomic, Decision::no);
  EXPECT_EQ(a.witness(0, 0), "r*sin(theta) x theta phi");
  EXPECT_EQ(a.witness(0, 1), "-r*cos(theta) y theta phi");
  EXPECT_EQ(a.accessible, 4);
}

TEST(integrability, two_wheels_on_an_axle_have_one_integral_between_them) {
  const Analyzed a(planar +
                   "coordinate p1 = 0 rad, p2 = 0 rad\n"
                   "frame D1 = rotate(A, y, p1)\nframe D2 = rotate(A, y, p2)\n"
                   "body D1 at C + r*N.z + b*A.y, mass 1 kg, disc radius r along y\n"
                   "body D2 at C + r*N.z - b*A.y, mass 1 kg, disc radius r along y\n"
                   "roll w1: D1 on N at C + b*A.y\nroll w2: D2 on N at C - b*A.y\n");
  EXPECT_EQ(a.found.constraints[0].holonomic, Decision::no);
  EXPECT_EQ(a.found.constraints[1].holonomic, Decision::no);
  ASSERT_EQ(a.found.combinations.size(), 1);
  EXPECT_EQ(a.found.combinations[0].constraints, (Names{"w1", "w2"}));
  EXPECT_EQ(print(*a.found.combinations[0].integral), "2*b*theta/r + p1 - p2");
  EXPECT_EQ(a.accessible, 4);
}

// ---- Orientations

TEST(integrability, a_rolling_sphere_reaches_five_dimensions_in_any_parameters) {
  const char* orientations[] = {
      "coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe B = quaternion(N, e0, e1, e2, e3)\n",
      "coordinate a = 0.1 rad, b = 0.4 rad, c = 0.2 rad\nframe B = rotate(N, zxz, a, b, c)\n",
      "coordinate a = 0.1 rad, b = 0.4 rad, c = 0.2 rad\nframe B = rotate(N, space xyz, a, b, c)\n",
      "coordinate a = 0, b = 0.1, c = 0.2\nframe B = rodrigues(N, a, b, c)\n",
      "speed wx, wy, wz\nframe B = spin(N, wx*N.x + wy*N.y + wz*N.z)\n",
      "coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe B = quaternion(N, e0, e1, e2, e3)\n"
      "speed u1 = dot(angular_velocity(B), N.x), u2 = dot(angular_velocity(B), N.y)\n"
      "speed u3 = dot(angular_velocity(B), N.z)\n"};
  for (const char* orientation : orientations) {
    const Analyzed a("parameter r = 0.1 m\ncoordinate x = 0 m, y = 0 m\n" +
                     std::string(orientation) +
                     "body B at No + x*N.x + y*N.y + r*N.z, mass 1 kg, sphere radius r\n"
                     "roll c: B on N at No + x*N.x + y*N.y\n");
    EXPECT_EQ(a.found.constraints[0].integrable, Decision::no) << orientation;
    EXPECT_EQ(a.found.constraints[0].holonomic, Decision::no) << orientation;
    EXPECT_EQ(a.accessible, 5) << orientation;
  }
}

// No spin about the vertical (the "rubber" ball): still five, Koiller and Ehlers, Regul. Chaotic Dyn. 12 (2007).
TEST(integrability, a_rubber_ball_reaches_five_dimensions) {
  for (const char* orientation :
       {"coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe B = quaternion(N, e0, e1, e2, e3)\n",
        "speed wx, wy, wz\nframe B = spin(N, wx*N.x + wy*N.y + wz*N.z)\n"}) {
    const Analyzed a("parameter r = 0.1 m\ncoordinate x = 0 m, y = 0 m\n" +
                     std::string(orientation) +
                     "body B at No + x*N.x + y*N.y + r*N.z, mass 1 kg, sphere radius r\n"
                     "roll c: B on N at No + x*N.x + y*N.y\n"
                     "constraint rubber: dot(angular_velocity(B), N.z) = 0\n");
    EXPECT_EQ(a.accessible, 5) << orientation;
  }
}

// w_y - 2 w_z = 0 in body axes: omega ^ d omega is constant, and no entry of omega changes.
TEST(integrability, a_row_in_body_axes_does_not_commute_with_the_third) {
  for (const char* orientation :
       {"coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe B = quaternion(N, e0, e1, e2, e3)\n",
        "coordinate a = 0, b = 0.1, c = 0.2\nframe B = rodrigues(N, a, b, c)\n",
        "speed wx, wy, wz\nframe B = spin(N, wx*N.x + wy*N.y + wz*N.z)\n"}) {
    const Analyzed a(std::string(orientation) +
                     "body B at No, mass 1 kg, sphere radius 0.1 m\n"
                     "constraint c: dot(angular_velocity(B), B.y - 2*B.z) = 0\n");
    EXPECT_EQ(a.row().holonomic, Decision::no) << orientation;
    EXPECT_EQ(a.accessible, 3) << orientation;
  }
}

TEST(integrability, a_ball_joint_written_by_velocities_is_integrable_for_quaternions) {
  const Analyzed a(
      "parameter L = 0.3 m\ncoordinate x = 0 m, y = 0 m, z = 0 m, e0 = 1, e1 = 0, e2 = 0, e3 = 0\n"
      "frame B = quaternion(N, e0, e1, e2, e3)\n"
      "body B at No + x*N.x + y*N.y + z*N.z, mass 1 kg, sphere radius 0.1 m\n"
      "point P = Bcm + L*B.x\nconstraint ball: velocity(P) = 0\n");
  EXPECT_EQ(a.found.constraints[0].integrable, Decision::yes);
  EXPECT_EQ(a.integral(0, 0), "x - 2*(L*e2^2 + L*e3^2)");  // less a constant, L
  EXPECT_EQ(a.integral(0, 1), "2*L*e0*e3 + 2*L*e1*e2 + y");
  EXPECT_EQ(a.accessible, 3);
}

// Rows along turning axes are not integrable one by one; the constraint is.
TEST(integrability, the_axes_in_which_a_vector_is_written_do_not_matter) {
  const Analyzed a(planar +
                   "body A at C, mass 1 kg, sphere radius r\n"
                   "constraint c1: dot(velocity(C), A.x) = 0\n"
                   "constraint c2: dot(velocity(C), A.y) = 0\n");
  EXPECT_EQ(a.row(0).integrable, Decision::no);
  EXPECT_EQ(a.row(0).holonomic, Decision::yes);
  EXPECT_EQ(a.row(0).with, Names{"c2"});
  EXPECT_EQ(a.accessible, 1);
}

// Two angular rates of a body turn it to any orientation, without any constraint being written.
TEST(integrability, a_frame_that_spins_with_two_speeds_reaches_three_dimensions) {
  const Analyzed a(
      "speed wx, wy\nframe B = spin(N, wx*N.x + wy*N.y)\n"
      "body B at No, mass 1 kg, sphere radius 0.1 m\n");
  EXPECT_EQ(a.accessible, 3);
  const Analyzed driven(
      "specified w(t) = 2 rad/s^2*t\nspeed v\nframe A = spin(N, w*N.z)\nframe B = spin(A, v*A.z)\n"
      "body B at No, mass 1 kg, sphere radius 0.1 m\n");
  EXPECT_EQ(driven.accessible, 1);
}

// The angle of a driven spin is a function of time as any other: the same as rotate(N, z, a(t)).
TEST(integrability, a_driven_spin_is_no_partner) {
  const Analyzed a(
      "specified w(t) = 0.5 rad/s^2*t\ncoordinate x = 0.1 m\nframe A = spin(N, w*N.z)\n"
      "particle P at No + x*A.x, mass 1 kg\nconstraint c: dot(velocity(P), N.x) = 0.1 m/s\n");
  EXPECT_EQ(a.row().integrable, Decision::yes);
  EXPECT_EQ(a.row().holonomic, Decision::yes);
  EXPECT_TRUE(a.row().with.empty());
  EXPECT_EQ(a.accessible, 0);
  const Analyzed blade(
      "specified w(t) = 0.5 rad/s^2*t\ncoordinate x = 0.1 m, y = 0 m\nframe A = spin(N, w*N.z)\n"
      "particle P at No + x*N.x + y*N.y, mass 1 kg\nconstraint c: dot(velocity(P), A.y) = 0\n");
  EXPECT_EQ(blade.row().integrable, Decision::no);
  EXPECT_EQ(blade.row().witness->directions.size(), 2);
  EXPECT_EQ(blade.accessible, 2);
}

// ---- Time

TEST(integrability, time_counts_as_a_variable) {
  const Analyzed a = analyze_form(
      "specified v(t) = 2*sin(3 rad/s*t)*1 s^-1\nspecified w(t)\nspecified h(t)\n"
      "constraint c1: x' - v = 0\nconstraint c2: y' - w = 0\nconstraint c3: z' - h' = 0\n");
  EXPECT_EQ(a.integral(0), "x + 2*cos(3*t)/3");
  EXPECT_EQ(a.row(1).integrable, Decision::yes);
  EXPECT_EQ(a.integral(1), "none");
  EXPECT_EQ(a.integral(2), "z - h");
  EXPECT_EQ(a.accessible, 0);
}

TEST(integrability, a_direction_that_turns_with_time_makes_a_row_nonholonomic) {
  const std::string row = "constraint c: x'*sin(th) - y'*cos(th) = 0\n";
  const Analyzed turning = analyze_form("specified th(t) = 0.4 rad/s*t\n" + row);
  EXPECT_EQ(turning.row().holonomic, Decision::no);
  EXPECT_EQ(turning.witness(), "-th' x y t");
  EXPECT_EQ(turning.accessible, 3);
  const Analyzed any = analyze_form("specified th(t)\n" + row);
  EXPECT_EQ(any.row().holonomic, Decision::no);
  // A function that does not change is none.
  const Analyzed fixed = analyze_form("specified th(t) = 0.4 rad\n" + row);
  EXPECT_EQ(fixed.row().integrable, Decision::yes);
  EXPECT_EQ(fixed.accessible, 2);
}

TEST(integrability, a_sphere_on_a_driven_turntable_reaches_five_dimensions) {
  const Analyzed a(
      "parameter r = 0.1 m\nspecified a(t)\n"
      "coordinate x = 0.2 m, y = 0 m, e0 = 1, e1 = 0, e2 = 0, e3 = 0\n"
      "frame T = rotate(N, z, a)\nframe B = quaternion(N, e0, e1, e2, e3)\n"
      "body B at No + x*N.x + y*N.y + r*N.z, mass 1 kg, sphere radius r\n"
      "roll c: B on T at No + x*N.x + y*N.y\n");
  EXPECT_EQ(a.witness(), "a' x y t");
  EXPECT_EQ(a.accessible, 5);
}

TEST(integrability, configuration_constraints_are_their_own_integrals) {
  const Analyzed a = analyze_form("constraint g: x^2 + y^2 = 4\n");
  EXPECT_EQ(a.row().integrable, Decision::yes);
  EXPECT_EQ(a.row().holonomic, Decision::yes);
  EXPECT_EQ(a.integral(), "x^2 + y^2 - 4");
  EXPECT_EQ(a.accessible, 2);
}

}  // namespace
}  // namespace visviva
