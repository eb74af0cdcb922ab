// Identities of kinematics, proved exactly on random mechanisms and for each kind of orientation.
#include <gtest/gtest.h>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using namespace units;
using mechanisms::axis_of;
using mechanisms::Mechanism;
using mechanisms::Random;

// Runs a claim on random mechanisms; says which one failed.
template <class Claim>
void for_random_mechanisms(std::uint64_t seed, int count, const Claim& claim) {
  for (int i = 0; i < count; ++i, ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Mechanism mechanism(seed, {.frames = 5, .points = 4, .exact_axes = true});
    const Kinematics motion = analyze_motion(mechanism.model);
    Random random(seed + 1);
    claim(mechanism, motion, random);
    if (testing::Test::HasFailure()) return;
  }
}

template <class Thing>
const Thing& any(const std::vector<Thing>& things, Random& random) {
  return things[static_cast<std::size_t>(random.below(static_cast<int>(things.size())))];
}

TEST(Identities, accelerations_are_derivatives_of_velocities_in_n) {
  for_random_mechanisms(100, 30, [](const Mechanism& m, const Kinematics& motion, Random&) {
    const Frame& N = m.frames[0];
    for (const Point& P : m.points) {
      EXPECT_EQ(motion.acceleration(P), motion.derivative(motion.velocity(P), N)) << P.name();
    }
    for (const Frame& B : m.frames) {
      EXPECT_EQ(motion.angular_acceleration(B), motion.derivative(motion.angular_velocity(B), N))
          << B.name();
    }
  });
}

TEST(Identities, velocities_are_derivatives_of_positions_in_n) {
  for_random_mechanisms(200, 30, [](const Mechanism& m, const Kinematics& motion, Random&) {
    const Frame& N = m.frames[0];
    for (const Point& P : m.points) {
      EXPECT_EQ(motion.velocity(P), motion.derivative(P - N.origin(), N)) << P.name();
    }
  });
}

TEST(Identities, accelerations_in_any_frame_are_derivatives_of_velocities_in_that_frame) {
  for_random_mechanisms(300, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const auto which = static_cast<std::size_t>(random.below(static_cast<int>(m.frames.size())));
    const Frame& A = m.frames[which];
    const Frame& B = any(m.frames, random);
    const Point& P = any(m.points, random);
    EXPECT_EQ(motion.velocity(P, A), motion.derivative(P - m.origins[which], A));
    EXPECT_EQ(motion.acceleration(P, A), motion.derivative(motion.velocity(P, A), A));
    EXPECT_EQ(motion.angular_acceleration(B, A),
              motion.derivative(motion.angular_velocity(B, A), A));
  });
}

TEST(Identities, a_velocity_is_its_partial_velocities_times_the_speeds_plus_the_remainder) {
  for_random_mechanisms(400, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const Frame& A = any(m.frames, random);
    for (const Point& P : m.points) {
      Vector sum = motion.velocity_remainder(P), in_A = motion.velocity_remainder(P, A);
      for (const Speed& s : motion.speeds()) {
        const Quantity u(s.u, s.dimension);
        sum = sum + u * motion.partial_velocity(P, s.name);
        in_A = in_A + u * motion.partial_velocity(P, s.name, A);
      }
      EXPECT_EQ(motion.velocity(P), sum) << P.name();
      EXPECT_EQ(motion.velocity(P, A), in_A) << P.name() << " in " << A.name();
    }
    for (const Frame& B : m.frames) {
      Vector sum = motion.angular_velocity_remainder(B);
      Vector in_A = motion.angular_velocity_remainder(B, A);
      for (const Speed& s : motion.speeds()) {
        const Quantity u(s.u, s.dimension);
        sum = sum + u * motion.partial_angular_velocity(B, s.name);
        in_A = in_A + u * motion.partial_angular_velocity(B, s.name, A);
      }
      EXPECT_EQ(motion.angular_velocity(B), sum) << B.name();
      EXPECT_EQ(motion.angular_velocity(B, A), in_A) << B.name() << " in " << A.name();
    }
  });
}

TEST(Identities, partial_velocities_are_derivatives_by_the_speed_and_contain_no_speeds) {
  for_random_mechanisms(500, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const Frame& N = m.frames[0];
    const Point& P = any(m.points, random);
    const Frame& B = any(m.frames, random);
    const Column3 v = motion.velocity(P).in(N), w = motion.angular_velocity(B).in(N);
    for (const Speed& s : motion.speeds()) {
      const Column3 pv = motion.partial_velocity(P, s.name).in(N);
      const Column3 pw = motion.partial_angular_velocity(B, s.name).in(N);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(pv[i], differentiate(v[i], s.u)) << P.name() << " by " << s.name;
        EXPECT_EQ(pw[i], differentiate(w[i], s.u)) << B.name() << " by " << s.name;
        for (const Speed& other : motion.speeds()) {
          EXPECT_TRUE(differentiate(pv[i], other.u).is_zero());
          EXPECT_TRUE(differentiate(pw[i], other.u).is_zero());
        }
      }
    }
  });
}

// Forms that merely mention a symbol would ask for its value when they are evaluated.
TEST(Identities, results_mention_speeds_and_never_the_rates_that_they_replace) {
  for_random_mechanisms(1300, 60, [](const Mechanism& m, const Kinematics& motion, Random&) {
    std::vector<Expr> replaced;
    for (const CoordinateData& c : motion.model().coordinates) {
      const auto is_it = [&](const Speed& u) { return u.u == c.rate; };
      if (std::none_of(motion.speeds().begin(), motion.speeds().end(), is_it)) {
        replaced.insert(replaced.end(), {c.rate, c.second_rate});
      }
    }
    const auto check = [&](const Vector& v, const std::string& what) {
      for (const Vector::Part& part : v.parts()) {
        for (const Expr& s : free_symbols({part.column[0], part.column[1], part.column[2]})) {
          EXPECT_EQ(std::count(replaced.begin(), replaced.end(), s), 0)
              << what << " mentions " << s.home().symbol_name(s.ref());
        }
      }
    };
    for (const Frame& B : m.frames) {
      check(motion.angular_velocity(B), "w " + B.name());
      check(motion.angular_acceleration(B), "alpha " + B.name());
    }
    for (const Point& P : m.points) {
      check(motion.velocity(P), "v " + P.name());
      check(motion.acceleration(P), "a " + P.name());
    }
  });
}

TEST(Identities, coefficients_given_all_at_once_are_the_partial_velocities) {
  for_random_mechanisms(600, 20, [](const Mechanism& m, const Kinematics& motion, Random&) {
    const ModelData& model = m.frames[0].model();
    const auto check = [&](const VectorMotion& all, const auto& partial, const Vector& remainder) {
      int last = -1;
      std::size_t found = 0;
      for (const auto& [r, column] : all.coefficients) {
        EXPECT_GT(r, last) << "in order of speeds";
        EXPECT_FALSE(is_zero(column)) << "only what is not zero";
        last = r;
        const Speed& s = motion.speeds()[static_cast<std::size_t>(r)];
        const Vector p = partial(s.name);
        EXPECT_EQ(p, Vector(model, {{all.frame, column}}, p.dimension())) << s.name;
        ++found;
      }
      std::size_t expected = 0;
      for (const Speed& s : motion.speeds()) expected += partial(s.name).is_zero() ? 0 : 1;
      EXPECT_EQ(found, expected);
      EXPECT_EQ(remainder, Vector(model, {{all.frame, all.remainder}}, remainder.dimension()));
    };
    for (const Point& P : m.points) {
      check(
          motion.point_motion(P),
          [&](const std::string& u) { return motion.partial_velocity(P, u); },
          motion.velocity_remainder(P));
    }
    for (const Frame& B : m.frames) {
      check(
          motion.angular_motion(B),
          [&](const std::string& u) { return motion.partial_angular_velocity(B, u); },
          motion.angular_velocity_remainder(B));
    }
  });
}

TEST(Identities, velocities_compose_through_any_frame) {
  for_random_mechanisms(700, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const Frame &A = any(m.frames, random), &B = any(m.frames, random), &C = any(m.frames, random);
    const Point& P = any(m.points, random);
    EXPECT_EQ(motion.angular_velocity(C, A),
              motion.angular_velocity(B, A) + motion.angular_velocity(C, B));
    EXPECT_EQ(motion.angular_velocity(A, B), -motion.angular_velocity(B, A));
    EXPECT_EQ(motion.velocity(P), motion.velocity(P, A) + motion.velocity_on(P, A));
    EXPECT_EQ(motion.velocity_on(P, m.frames[0]), Vector());
    EXPECT_EQ(motion.angular_acceleration(A, A), Vector());
  });
}

TEST(Identities, the_derivative_of_a_vector_in_two_frames_differs_by_a_cross_product) {
  for_random_mechanisms(800, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const Frame &A = any(m.frames, random), &B = any(m.frames, random);
    const Vector v = any(m.points, random) - any(m.points, random);
    EXPECT_EQ(motion.derivative(v, A),
              motion.derivative(v, B) + cross(motion.angular_velocity(B, A), v));
  });
}

TEST(Identities, quantities_of_motion_of_the_model_resolve_to_what_is_derived) {
  for_random_mechanisms(900, 20, [](const Mechanism& m, const Kinematics& motion, Random& random) {
    const Frame &A = any(m.frames, random), &B = any(m.frames, random);
    const Point& P = any(m.points, random);
    EXPECT_EQ(motion.resolve(velocity(P)), motion.velocity(P));
    EXPECT_EQ(motion.resolve(velocity(P, A)), motion.velocity(P, A));
    EXPECT_EQ(motion.resolve(velocity_on(P, A)), motion.velocity_on(P, A));
    EXPECT_EQ(motion.resolve(acceleration(P)), motion.acceleration(P));
    EXPECT_EQ(motion.resolve(angular_velocity(B)), motion.angular_velocity(B));
    EXPECT_EQ(motion.resolve(angular_velocity(B, A)), motion.angular_velocity(B, A));
    EXPECT_EQ(motion.resolve(angular_acceleration(B)), motion.angular_acceleration(B));
    for (const CoordinateData& c : motion.model().coordinates) {
      const Quantity q(c.q, c.dimension), rate = motion.rate(q);
      EXPECT_EQ(motion.resolve(Quantity(c.rate, rate.dimension())).expr(), rate.expr());
      EXPECT_EQ(motion.resolve(Quantity(c.second_rate, rate.dimension() / s.dimension())).expr(),
                motion.time_derivative(rate).expr());
      EXPECT_EQ(motion.time_derivative(q).expr(), rate.expr());
    }
  });
}

TEST(Identities, definitions_of_speeds_hold_when_their_rates_are_put_in) {
  for_random_mechanisms(1000, 40, [](const Mechanism&, const Kinematics& motion, Random&) {
    for (const SpeedData& u : motion.model().speeds) {
      if (!u.definition) continue;
      EXPECT_EQ(motion.resolve(Quantity(*u.definition, u.dimension)).expr(), u.u) << u.name;
    }
  });
}

TEST(Identities, quaternions_stay_on_the_unit_sphere) {
  for_random_mechanisms(1100, 40, [](const Mechanism& m, const Kinematics& motion, Random&) {
    for (const auto& e : m.quaternions) {
      Quantity sum = 0 / s;
      for (const Quantity& x : e) sum = sum + x * motion.rate(x);
      EXPECT_TRUE(sum.is_zero());
    }
  });
}

// dR_PB/dt = R_PB [w]x with w in B, for every frame in its parent.
TEST(Identities, orientations_change_as_their_angular_velocity_says) {
  for_random_mechanisms(1200, 60, [](const Mechanism& m, const Kinematics& motion, Random&) {
    for (std::size_t f = 1; f < m.frames.size(); ++f) {
      const Frame& B = m.frames[f];
      const FrameData& data = motion.model().frames[f];
      const Frame P(m.frames[0].model(), data.parent);
      const Matrix3 R = orientation(P, B);
      const Matrix3 turned = R * cross_matrix(motion.angular_velocity(B, P).in(B));
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_EQ(motion.time_derivative({R[i][j], Dimension()}).expr(), turned[i][j])
              << B.name() << ", kind " << static_cast<int>(data.orientation.kind);
        }
      }
    }
  });
}

}  // namespace
}  // namespace visviva
