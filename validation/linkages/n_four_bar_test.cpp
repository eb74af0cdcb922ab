// The N four-bar mechanism (IFToMM multibody benchmark A02): N+1 cranks on the ground and N
// couplers on top, uniform links of 1 kg and 1 m. It passes through flat positions, where the
// constraints lose N of their 2N rows.
//
// q_i is the angle of crank i from the vertical, p_i that of coupler i from the horizontal; u_i and
// w_i are their rates. All cranks stay parallel (q_i = q, p_i = 0), so that one equation is left:
//   K = 1/2 ((N+1)/3 + N) m l^2 u^2,  U = ((N+1)/2 + N) m g l cos q
//   u' = 3 (3N+1)/(2 (4N+1)) (g/l) sin q (1)
// The rows of loop i, T_(i-1) + l B_i.x - T_i = 0 with T_i the top of crank i, say there
//   cos q (u_(i-1) - u_i) = 0,   w_i = sin q (u_(i-1) - u_i) (2)
// Flat (sin q = 1, cos q = 0), the first of (2) is empty, and with equal rates so is its
// derivative: M u' = f + A'λ and A u' = b leave the N+1 cranks free to turn. M is regular, so that
// u' is unique there, the multipliers are not. A coupler is a bar whose ends move vertically by -l
// u_i:
//   ends:  (2/3) u_0' + (1/6) u_1' = g/l,   between:  u_i' + (u_(i-1)' + u_(i+1)')/6 = (3/2) g/l
//   (3)
// For N = 1 symmetry makes (3) the same as (1), 6/5 g/l. For N > 1 it differs from (1): that
// parallel cranks stay parallel is told by the third derivative of the constraints only.
#include <algorithm>

#include "../expect.h"

namespace visviva::validation {
namespace {

constexpr double g = 9.81;

// The cranks' zero: vertical as above, or lying flat, where the rows that are lost are exactly zero
// and not a rounded cosine.
enum class Zero { vertical, flat };

std::string n_four_bar(int N, const std::string& angle, const std::string& rate,
                       Zero zero = Zero::vertical) {
  const std::string crank = zero == Zero::vertical ? "y" : "x";
  std::string text = "parameter m = 1 kg, l = 1 m, g = 9.81 m/s^2\ngravity -g*N.y\n";
  for (int i = 0; i <= N; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "coordinate q" + n + " = " + angle + ", q" + n + "' = " + rate + "\n";
    text += "frame A" + n + " = rotate(N, z, -q" + n + ")\n";
    text += "point G" + n + " = No + " + n + "*l*N.x\n";
    text += "point T" + n + " = G" + n + " + l*A" + n + "." + crank + "\n";
    text += "body A" + n + " at G" + n + " + l/2*A" + n + "." + crank +
            ", mass m, rod length l along " + crank + "\n";
    if (i == 0) continue;
    text += "coordinate p" + n + " = 0 rad\n";
    text += "frame B" + n + " = rotate(N, z, p" + n + ")\n";
    text += "body B" + n + " at T" + before + " + l/2*B" + n + ".x, mass m, rod length l along x\n";
    text += "constraint loop" + n + ": T" + before + " + l*B" + n + ".x - T" + n + " = 0\n";
  }
  return text;
}

double parallel_acceleration(int N, double q) {  // (1)
  return 3.0 * (3 * N + 1) / (2.0 * (4 * N + 1)) * g * std::sin(q);
}

// Every crank turns alike, and the couplers not at all.
void expect_parallel(const StartSolution& start, int N, double expected, double tolerance) {
  for (int i = 0; i <= N; ++i)
    EXPECT_NEAR(start.rate_of_speed("q" + std::to_string(i) + "'"), expected, tolerance) << i;
  for (int i = 1; i <= N; ++i)
    EXPECT_NEAR(start.rate_of_speed("p" + std::to_string(i) + "'"), 0, tolerance) << i;
  EXPECT_TRUE(start.solved().is_consistent);
  EXPECT_EQ(start.solved().constraint_rank, 2 * N);
}

TEST(NFourBar, starts_without_turning_faster) {
  for (const int N : {1, 40}) {
    SCOPED_TRACE(N);
    const Mechanism mechanism(n_four_bar(N, "0 rad", "1 rad/s"));
    for (const Equations& e : derive_by(mechanism)) {
      SCOPED_TRACE(std::string(method_name(e.method)));
      expect_parallel(StartSolution(e), N, 0, 1e-12);
    }
  }
}

TEST(NFourBar, turns_with_the_acceleration_of_one_equivalent_crank) {
  for (const int N : {1, 40}) {
    SCOPED_TRACE(N);
    const Mechanism mechanism(n_four_bar(N, "0.5 rad", "1 rad/s"));
    for (const Equations& e : derive_by(mechanism)) {
      SCOPED_TRACE(std::string(method_name(e.method)));
      expect_parallel(StartSolution(e), N, parallel_acceleration(N, 0.5), 1e-11);
    }
  }
}

// The symbolic embedding for N = 1, put on the branch of parallel cranks.
TEST(NFourBar, one_loop_embedded_is_the_equivalent_crank_exactly) {
  const Mechanism mechanism(n_four_bar(1, "0.5 rad", "1 rad/s") +
                            "dependent q1', p1'\n"
                            "output mass = 5/3*m*l^2, forcing = 2*m*g*l*sin(q0), q = q0\n");
  const Replacements parallel = {{mechanism.coordinate("q1").q, mechanism("q")},
                                 {mechanism.coordinate("p1").q, mechanism.zero()}};
  for (const Equations& e : derive_by(mechanism)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const EmbeddedEquations embedded = embed_constraints(e);
    ASSERT_EQ(embedded.independent.size(), 1u);
    EXPECT_TRUE(same(substitute(embedded.mass_matrix[0][0], parallel), mechanism("mass")));
    EXPECT_TRUE(same(substitute(embedded.forcing[0], parallel), mechanism("forcing")));
    EXPECT_FALSE(substitute(embedded.validity, parallel).is_zero());
  }
}

// (3), by elimination from both ends' pattern.
std::vector<double> flat_accelerations(int N) {
  const auto n = static_cast<std::size_t>(N + 1);
  std::vector<double> diagonal(n, 1.0), right(n, 1.5 * g), x(n);
  diagonal.front() = diagonal.back() = 2.0 / 3;
  right.front() = right.back() = g;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = 1.0 / 6 / diagonal[i - 1];
    diagonal[i] -= factor / 6;
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;)
    x[i] = (right[i] - (i + 1 < n ? x[i + 1] / 6 : 0.0)) / diagonal[i];
  return x;
}

// The rates are (3); of the 2N multipliers the N horizontal ones, whose rows are empty, stay open.
void expect_flat(const Mechanism& mechanism, int N) {
  const std::vector<double> expected = flat_accelerations(N);
  for (const Equations& e : derive_by(mechanism)) {
    SCOPED_TRACE(std::string(method_name(e.method)));
    const StartSolution start(e);
    const SolvedMotion& solved = start.solved();
    EXPECT_EQ(solved.constraint_rank, N);
    EXPECT_TRUE(solved.is_consistent);
    for (int i = 0; i <= N; ++i) {
      const auto place = static_cast<std::size_t>(i);
      EXPECT_NEAR(start.rate_of_speed("q" + std::to_string(i) + "'"), expected[place], 1e-11) << i;
      if (i == 0) continue;
      EXPECT_NEAR(start.rate_of_speed("p" + std::to_string(i) + "'"),
                  expected[place - 1] - expected[place], 1e-11);
    }
    for (const bool is_determined : solved.is_rate_determined) EXPECT_TRUE(is_determined);
    EXPECT_EQ(std::count(solved.is_multiplier_determined.begin(),
                         solved.is_multiplier_determined.end(), false),
              N);
    for (const double multiplier : solved.multipliers) EXPECT_LT(std::abs(multiplier), 1e3);
  }
}

TEST(NFourBar, flat_has_the_accelerations_that_mass_and_remaining_rows_determine) {
  for (const int N : {1, 2, 40}) {
    SCOPED_TRACE(N);
    expect_flat(Mechanism(n_four_bar(N, "0 rad", "1 rad/s", Zero::flat)), N);
  }
}

TEST(NFourBar, flat_within_rounding_has_the_same_accelerations) {
  for (const int N : {1, 2, 40}) {
    SCOPED_TRACE(N);
    expect_flat(Mechanism(n_four_bar(N, "90 deg", "1 rad/s")), N);
  }
}

TEST(NFourBar, one_loop_goes_through_the_flat_position_with_the_acceleration_of_its_branch) {
  EXPECT_NEAR(flat_accelerations(1)[0], parallel_acceleration(1, std::asin(1.0)), 1e-14);
}

}  // namespace
}  // namespace visviva::validation
