// Whole runs against other programs: CVODE (SUNDIALS) on the same equations, and Simbody, which has
// its own equations too, for a chain.
#include <array>

#include "running.h"
#include "visviva/base/words.h"
#ifdef VISVIVA_HAS_SIMBODY
#include "simbody_peer.h"
#endif

namespace visviva::validation {
namespace {

// ---- CVODE: Adams or BDF methods of variable order

struct Compared {
  std::string name;
  CompiledSystem system;
  double until;
  std::string method;
};

const char* const damped_chain = R"(
parameter  g = 9.81 m/s^2, c = 0.2 N*m*s
coordinate q1 = 60 deg, q2 = -40 deg, q3 = 20 deg
frame      A = rotate(N, z, q1)
frame      B = rotate(A, x, q2)
frame      C = rotate(B, z, q3)
body       A at No - 0.2 m*A.y, mass 1 kg, rod length 0.4 m along y
body       B at No - 0.4 m*A.y - 0.2 m*B.y, mass 1 kg, box 0.1 m, 0.4 m, 0.05 m
body       C at No - 0.4 m*A.y - 0.4 m*B.y - 0.2 m*C.y, mass 1 kg, box 0.1 m, 0.4 m, 0.05 m
gravity    -g*N.y
damper     d1 on q1, rate c
damper     d3 on q3, rate c
)";

TEST(Trajectories, cvode_reaches_the_same_end) {
  std::vector<Compared> all;
  all.push_back({"hoist", compile_example("hoist"), 10, "cvode"});
  all.push_back({"cart and pendulum", compile_example("cart_and_pendulum"), 10, "cvode"});
  all.push_back({"damped chain in space", compile_text(damped_chain), 5, "cvode"});
  all.push_back(
      {"positioning device, damped", compile_example("positioning_device"), 4, "cvode-bdf"});
  std::vector<std::string> missing;
  for (const Compared& c : all) {
    SCOPED_TRACE(c.name);
    const Trajectory other =
        simulate(c.system, {.until = c.until, .tolerance = 1e-12, .method = c.method});
    if (other.refusal == Refusal::bad_request) {
      missing.push_back(c.method + " for " + c.name + ": " + why(other));
      continue;  // the others are compared all the same
    }
    const Trajectory own = run_to(c.system, c.until);
    ASSERT_EQ(other.status, RunStatus::done) << why(other);
    ASSERT_EQ(own.end_state.size(), other.end_state.size());
    // CVODE does not project: its drift off the constraints, 1e-11, enters Z 500 times larger.
    for (std::size_t i = 0; i < own.end_state.size(); ++i)
      EXPECT_NEAR(own.end_state[i], other.end_state[i], 1e-8) << own.state_names[i];
  }
  if (!missing.empty()) GTEST_SKIP() << join_words(missing, "; ");
}

// ---- Simbody: accelerations of its own, integrated here

#ifdef VISVIVA_HAS_SIMBODY

constexpr std::size_t links = 5;
constexpr double link = 0.4;  // m

std::string chain() {
  std::string text = "point P0 = No\ngravity -9.81 m/s^2*N.y\n";
  for (std::size_t i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "coordinate q" + n + " = " + std::to_string(100 - 15 * static_cast<int>(i)) + " deg\n";
    text += "frame B" + n + " = rotate(N, z, q" + n + ")\n";
    text += "body B" + n + " at P" + before + " - 0.2 m*B" + n +
            ".y, mass 1 kg, rod length 0.4 m along y\n";
    text += "point P" + n + " = P" + before + " - 0.4 m*B" + n + ".y\n";
  }
  return text;
}

using Angles = std::array<double, 2 * links>;  // then their rates

class SimbodyChain {
 public:
  SimbodyChain() {
    const double across = link * link / 12;
    for (int i = 0; i < static_cast<int>(links); ++i) {
      simbody::Joint joint;
      joint.parent = i;
      joint.offset = {0, i == 0 ? 0 : -link / 2, 0};
      joint.arm = {0, -link / 2, 0};
      joint.axis = {0, 0, 1};
      peer_.add_body(joint, {1, across, 1e-9, across, 0, 0, 0});
    }
    peer_.add_gravity({0, -9.81, 0});
  }

  Angles compute_rates(const Angles& y) {
    std::vector<simbody::Pose> poses{{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {}}};
    std::vector<simbody::Motion> velocities(1);
    double px = 0, py = 0, vx = 0, vy = 0;  // of the joint
    for (std::size_t i = 0; i < links; ++i) {
      const double c = std::cos(y[i]), s = std::sin(y[i]), u = y[links + i];
      // Along the link: (s, -c).
      poses.push_back({{c, -s, 0, s, c, 0, 0, 0, 1}, {px + link / 2 * s, py - link / 2 * c, 0}});
      velocities.push_back({{0, 0, u}, {vx + link / 2 * c * u, vy + link / 2 * s * u, 0}});
      px += link * s, py -= link * c, vx += link * c * u, vy += link * s * u;
    }
    const std::vector<simbody::Motion> found = peer_.accelerate(0, poses, velocities);
    Angles rates{};
    for (std::size_t i = 0; i < links; ++i) {
      rates[i] = y[links + i];
      rates[links + i] = found[i + 1].angular[2];
    }
    return rates;
  }

 private:
  simbody::Peer peer_;
};

// The classical fourth-order method.
Angles integrate(SimbodyChain* chain, Angles y, double until, int steps) {
  const double h = until / steps;
  const auto ahead = [&](const Angles& k, double by) {
    Angles moved = y;
    for (std::size_t i = 0; i < y.size(); ++i) moved[i] += by * k[i];
    return moved;
  };
  for (int n = 0; n < steps; ++n) {
    const Angles a = chain->compute_rates(y), b = chain->compute_rates(ahead(a, h / 2));
    const Angles c = chain->compute_rates(ahead(b, h / 2)), d = chain->compute_rates(ahead(c, h));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

TEST(Trajectories, a_chain_of_five_links_moves_as_simbody_has_it) {
  const double until = 1;
  SimbodyChain peer;
  Angles y{};
  for (std::size_t i = 0; i < links; ++i)
    y[i] = (85 - 15 * static_cast<double>(i)) * std::acos(-1.0) / 180;
  const Angles half = integrate(&peer, y, until, 1000), whole = integrate(&peer, y, until, 2000);
  const Trajectory run = run_to(compile_text(chain()), until);
  for (std::size_t i = 0; i < links; ++i) {
    const std::string name = "q" + std::to_string(i + 1);
    for (const bool is_rate : {false, true}) {
      // Richardson: the last error of the fourth-order method is a fifteenth of the difference.
      const std::size_t k = i + (is_rate ? links : 0);
      const double expected = whole[k] + (whole[k] - half[k]) / 15;
      EXPECT_NEAR(at_end(run, name + (is_rate ? "'" : "")), expected, 1e-8) << name;
    }
  }
}

#endif

}  // namespace
}  // namespace visviva::validation
