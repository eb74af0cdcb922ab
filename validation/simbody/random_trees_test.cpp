// Accelerations of random mechanisms against Simbody, a multibody program that shares nothing with
// this one: recursive O(n) dynamics on mobilizers, constraints by multipliers.
//
// Each mechanism is built twice from the same numbers: pins, sliders, cylinders, balls and free
// bodies with offsets, full inertias, gravity, springs, dampers, constant forces and torques, given
// motions; then loops (rods, ball joints), points in planes, rolling and constant speeds. Both get
// the same state; angular accelerations and accelerations of the mass centers of all bodies are
// compared, so that the choice of coordinates and speeds does not matter.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <iostream>
#include <optional>

#ifdef VISVIVA_HAS_SIMBODY
#include "simbody_peer.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"
#include "visviva/equations/testing/motion_oracle_test.h"
#include "visviva/kinematics/random_model_test.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {
namespace {

using mechanisms::MotionOracle;
using mechanisms::Random;
using mechanisms::Real;
using mechanisms::RealMatrix;
using mechanisms::RealVector;
using simbody::Joint;
using simbody::Triple;

// Both sides solve a linear system in double, of condition up to 1e4: 1e-13 was seen.
constexpr double tolerance = 1e-11;

constexpr double radius = 0.25;  // of rolling spheres, m

struct Options {
  int bodies = 6;
  bool constraints = false;
};

// A mechanism in both programs.
class Twin {
 public:
  Twin(std::uint64_t seed, const Options& options) : random_(seed) {
    frames_.push_back(model_.newtonian());
    centers_.push_back(model_.newtonian().origin());
    add_gravity();
    const int count = 1 + random_.below(options.bodies);
    for (int i = 1; i <= count; ++i) add_body(i);
    for (int i = random_.below(4); i > 0; --i) add_load(i);
    if (options.constraints) {
      for (int i = 1 + random_.below(2); i > 0; --i) plan_constraint();
    }
  }

  /// The largest difference of an acceleration, relative to the largest acceleration; nothing when
  /// the constraints contradict each other.
  std::optional<double> compare() {
    declare_constraints();
    const Kinematics motion = analyze_motion(model_);
    const MotionOracle oracle(motion);
    std::vector<Real> state = make_state(motion.model(), oracle);
    close_constraints(oracle, state);
    if (!make_speeds_consistent(oracle, state)) return std::nullopt;

    const Equations equations = derive(motion, Method::kane);
    const SolvedMotion solved = MotionSolver(equations)(to_start_state(oracle, state));
    EXPECT_TRUE(solved.is_consistent);
    const RealVector udot =
        Eigen::Map<const Eigen::VectorXd>(solved.speed_rates.data(),
                                          static_cast<Eigen::Index>(solved.speed_rates.size()))
            .cast<Real>();
    const MotionOracle::Accelerations ours = oracle.accelerate(state, udot);
    return compare_accelerations(oracle, ours, state);
  }

  /// For messages.
  std::string constraints() const {
    static const char* const names[] = {"rod", "ball", "plane", "rolling", "speed"};
    std::string all;
    for (const Planned& c : planned_) all += std::string(" ") + names[static_cast<int>(c.kind)];
    return all;
  }
  int constraint_count() const { return static_cast<int>(planned_.size()); }

 private:
  struct Planned {
    enum class Kind { rod, ball, plane, rolling, speed };
    Kind kind = Kind::rod;
    std::size_t a = 0, b = 0;
    Triple on_a{}, on_b{};            // stations, from the mass centers
    std::vector<Quantity> closing{};  // parameters that make it hold
    Point P{}, Q{};
    double closed[3] = {};
  };
  // ---- Numbers in both forms

  Triple triple(double low, double high) {
    return {random_.decimal(low, high), random_.decimal(low, high), random_.decimal(low, high)};
  }
  static Vector in_frame(const Frame& F, const Triple& a, const Quantity& unit) {
    return a[0] * unit * F.x() + a[1] * unit * F.y() + a[2] * unit * F.z();
  }
  static Triple to_triple(const mechanisms::Vector3& v) {
    return {static_cast<double>(v(0)), static_cast<double>(v(1)), static_cast<double>(v(2))};
  }
  std::size_t any_body() {
    return 1 + static_cast<std::size_t>(random_.below(static_cast<int>(centers_.size()) - 1));
  }
  std::size_t any_place() {
    return static_cast<std::size_t>(random_.below(static_cast<int>(centers_.size())));
  }

  // ---- Bodies

  void add_gravity() {
    const Triple g = {0, -9.81, 1};
    model_.gravity(in_frame(model_.newtonian(), g, units::m / (units::s * units::s)));
    peer_.add_gravity(g);
  }

  // Of four particles and a bit: never impossible.
  simbody::Mass make_mass() {
    simbody::Mass m{random_.decimal(0.5, 3), 0.1, 0.1, 0.1, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
      const auto [x, y, z] = triple(-0.5, 0.5);
      m.xx += y * y + z * z;
      m.yy += z * z + x * x;
      m.zz += x * x + y * y;
      m.xy -= x * y;
      m.yz -= y * z;
      m.zx -= z * x;
    }
    return m;
  }

  Quantity coordinate(const std::string& name, bool is_length) {
    return model_.coordinate(name, {.start = 0.5 * (is_length ? units::m : Quantity(1))});
  }

  // A coordinate, or now and then a given motion a sin(w t + p).
  Quantity coordinate_or_motor(const std::string& name, bool is_length, int body) {
    if (random_.chance(80)) {
      const Quantity q = coordinate(name, is_length);
      mobilities_.push_back({body, q, is_length});
      return q;
    }
    const double a = random_.decimal(0.3, 0.8), w = random_.decimal(0.5, 2),
                 p = random_.decimal(0, 3);
    motors_.push_back({body, a, w, p});
    const Quantity wave = sin(w / units::s * model_.time() + p);
    return model_.specified(name, a * (is_length ? units::m : Quantity(1)) * wave);
  }

  void add_body(int i) {
    const std::string n = std::to_string(i);
    Joint joint;
    joint.parent = static_cast<int>(random_.chance(60) ? centers_.size() - 1 : any_place());
    const auto parent = static_cast<std::size_t>(joint.parent);
    joint.kind = static_cast<Joint::Kind>(random_.below(parent == 0 ? 6 : 5));
    joint.offset = triple(-0.7, 0.7);
    joint.arm = triple(-0.6, 0.6);
    static constexpr Triple axes[] = {{1, 0, 0}, {0, 0, 1}, {1, 2, 2}, {-2, 3, 6}, {1, 1, 0}};
    joint.axis = axes[random_.below(5)];
    if (joint.kind == Joint::Kind::slider) joint.fixed_angle = 0.3;

    const Frame P = frames_[parent];
    Position at = centers_[parent] + in_frame(P, joint.offset, units::m);
    const Frame B = make_frame(n, joint, P, &at);
    const simbody::Mass m = make_mass();
    const Quantity unit = units::kg * units::m * units::m;
    centers_.push_back(model_.body(B, {.at = at + in_frame(B, joint.arm, units::m),
                                       .mass = m.mass * units::kg,
                                       .inertia = {m.xx * unit, m.yy * unit, m.zz * unit,
                                                   m.xy * unit, m.yz * unit, m.zx * unit}}));
    frames_.push_back(B);
    peer_.add_body(joint, m);
    for (const Motor& motor : motors_) {
      if (motor.body == i) peer_.drive(i, motor.amplitude, motor.rate, motor.phase);
    }
  }

  Frame make_frame(const std::string& n, const Joint& joint, const Frame& P, Position* at) {
    const Vector axis = in_frame(P, joint.axis, 1);
    const int body = static_cast<int>(centers_.size());
    switch (joint.kind) {
      case Joint::Kind::pin:
        return model_.frame("B" + n, rotate(P, axis, coordinate_or_motor("q" + n, false, body)));
      case Joint::Kind::slider:
        *at = *at + coordinate_or_motor("s" + n, true, body) * unit(axis);
        return model_.frame("B" + n, rotate(P, Axis::x, joint.fixed_angle));
      case Joint::Kind::cylinder:
        *at = *at + coordinate("s" + n, true) * unit(axis);
        return model_.frame("B" + n, rotate(P, axis, coordinate("q" + n, false)));
      case Joint::Kind::universal: {
        const Frame A = model_.frame("A" + n, rotate(P, Axis::x, coordinate("q" + n + "a", false)));
        return model_.frame("B" + n, rotate(A, Axis::y, coordinate("q" + n + "b", false)));
      }
      case Joint::Kind::ball:
        return model_.frame("B" + n, spherical(P, n));
      case Joint::Kind::free:
        *at = *at +
              (coordinate("s" + n + "a", true) * P.x() + coordinate("s" + n + "b", true) * P.y() +
               coordinate("s" + n + "c", true) * P.z());
        return model_.frame("B" + n, spherical(P, n));
    }
    return P;
  }

  Orientation spherical(const Frame& P, const std::string& n) {
    const int kind = random_.below(4);
    if (kind == 0) {
      const auto e =
          model_.quaternion({"e" + n + "a", "e" + n + "b", "e" + n + "c", "e" + n + "d"});
      return quaternion(P, e);
    }
    const std::array<Quantity, 3> q = {coordinate("q" + n + "a", false),
                                       coordinate("q" + n + "b", false),
                                       coordinate("q" + n + "c", false)};
    if (kind == 1) return rodrigues(P, q);
    return kind == 2 ? rotate(P, "zxy", q) : rotate_space(P, "yxy", q);
  }

  // ---- Loads

  Point add_station(const std::string& name, std::size_t body, const Triple& at) {
    return model_.point(name, centers_[body] + in_frame(frames_[body], at, units::m));
  }

  void add_load(int i) {
    const std::string n = std::to_string(i);
    const std::size_t a = any_body(), b = any_place();
    const simbody::Ends ends{static_cast<int>(a), static_cast<int>(b), triple(-0.5, 0.5),
                             triple(-0.5, 0.5)};
    const Triple f = triple(-4, 4);
    const double k = random_.decimal(1, 20);
    const Frame N = model_.newtonian();
    const int kind = random_.below(6);
    if (kind == 0) {
      const Point P = add_station("SF" + n, a, ends.on_a);
      model_.force("F" + n, {.on = P, .value = in_frame(N, f, units::N)});
      peer_.add_force(ends.a, ends.on_a, f);
    } else if (kind == 1) {
      model_.torque("T" + n, {.on = frames_[a], .value = in_frame(N, f, units::N * units::m)});
      peer_.add_torque(ends.a, f);
    } else if (kind < 4 && a != b) {
      const Point P = add_station("SA" + n, a, ends.on_a), Q = add_station("SB" + n, b, ends.on_b);
      const Quantity stiffness = k * units::N / units::m;
      if (kind == 2) {
        model_.spring("S" + n,
                      {.from = P, .to = Q, .stiffness = stiffness, .rest = 0.4 * units::m});
        peer_.add_spring(ends, k, 0.4);
      } else {
        model_.damper("D" + n, {.from = P, .to = Q, .rate = stiffness * units::s});
        peer_.add_damper(ends, k);
      }
    } else if (kind > 3 && !mobilities_.empty()) {
      add_joint_load(n, k, kind == 4);
    }
  }

  void add_joint_load(const std::string& n, double k, bool is_damper) {
    const Mobility& m =
        mobilities_[static_cast<std::size_t>(random_.below(static_cast<int>(mobilities_.size())))];
    const Quantity unit = m.is_length ? units::N / units::m : units::N * units::m;
    const Quantity rest = 0.2 * (m.is_length ? units::m : Quantity(1));
    if (is_damper) {
      model_.damper("D" + n, {.on = m.q, .rate = k * unit * units::s});
      peer_.add_joint_damper(m.body, k);
    } else {
      model_.spring("S" + n, {.on = m.q, .stiffness = k * unit, .rest = rest});
      peer_.add_joint_spring(m.body, k, 0.2);
    }
  }

  // ---- Constraints: planned with the tree, closed by parameters at the state

  void plan_constraint() {
    Planned c;
    c.kind = static_cast<Planned::Kind>(random_.below(5));
    c.a = any_body();
    c.b = any_place();
    c.on_a = triple(-0.5, 0.5);
    c.on_b = triple(-0.5, 0.5);
    if (c.kind == Planned::Kind::speed && mobilities_.empty()) return;
    // Too many rows leave nothing to move, and a body has no loop with itself.
    const bool has_three_rows = c.kind == Planned::Kind::ball || c.kind == Planned::Kind::rolling;
    if (c.a == c.b || (has_three_rows && centers_.size() < 4)) return;
    planned_.push_back(c);
  }

  Quantity closing(Planned& c, const Dimension& dimension) {
    c.closing.push_back(model_.parameter("c" + std::to_string(++closings_), dimension));
    return c.closing.back();
  }

  void declare_constraints() {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      Planned& c = planned_[i];
      const std::string n = std::to_string(i);
      c.P = add_station("CA" + n, c.a, c.on_a);
      switch (c.kind) {
        case Planned::Kind::rod:
          c.Q = add_station("CB" + n, c.b, c.on_b);
          model_.constraint("rod" + n, magnitude(c.P - c.Q) - closing(c, units::m.dimension()));
          break;
        case Planned::Kind::ball: {
          // The place on b is where P is now.
          const Frame F = frames_[c.b];
          c.Q = centers_[c.b];
          const Quantity x = closing(c, units::m.dimension()), y = closing(c, units::m.dimension()),
                         z = closing(c, units::m.dimension());
          model_.constraint("ball" + n, c.P - (c.Q + (x * F.x() + y * F.y() + z * F.z())));
          break;
        }
        case Planned::Kind::plane:
          c.Q = centers_[c.b];
          model_.constraint("plane" + n,
                            dot(c.P - c.Q, frames_[c.b].y()) - closing(c, units::m.dimension()));
          break;
        case Planned::Kind::rolling: {
          c.Q = centers_[c.b];
          const Frame floor = frames_[c.b];
          model_.roll(
              "roll" + n,
              {.body = frames_[c.a], .on = floor, .at = c.P - radius * units::m * floor.z()});
          break;
        }
        case Planned::Kind::speed: {
          const Mobility& m = mobilities_[c.a % mobilities_.size()];
          model_.constraint(
              "speed" + n,
              model_.rate(m.q) - 0.3 * (m.is_length ? units::m : Quantity(1)) / units::s);
          break;
        }
      }
    }
  }

  void close_constraints(const MotionOracle& oracle, std::vector<Real>& state) {
    const mechanisms::Placement at = oracle.place_everything(state);
    for (Planned& c : planned_) {
      if (c.kind == Planned::Kind::speed) continue;
      const mechanisms::Vector3 d = oracle.p(at, c.P.index()) - oracle.p(at, c.Q.index());
      const mechanisms::Vector3 d_b = oracle.R(at, frames_[c.b].index()).transpose() * d;
      for (std::size_t k = 0; k < c.closing.size(); ++k) {
        const Real value = c.kind == Planned::Kind::rod     ? d.norm()
                           : c.kind == Planned::Kind::plane ? d_b(1)
                                                            : d_b(static_cast<int>(k));
        c.closed[k] = static_cast<double>(value);
        state[oracle.place(c.closing[k].expr())] = value;
      }
      if (c.kind == Planned::Kind::rolling) c.closed[0] = static_cast<double>(d_b(2)) - radius;
      if (c.kind == Planned::Kind::ball) c.on_b = {c.closed[0], c.closed[1], c.closed[2]};
    }
  }

  void tell_constraints() {
    for (const Planned& c : planned_) {
      const simbody::Ends ends{static_cast<int>(c.a), static_cast<int>(c.b), c.on_a, c.on_b};
      switch (c.kind) {
        case Planned::Kind::rod:
          peer_.add_rod(ends, c.closed[0]);
          break;
        case Planned::Kind::ball:
          peer_.add_ball(ends);
          break;
        case Planned::Kind::plane:
          peer_.add_plane(ends, c.closed[0]);
          break;
        case Planned::Kind::rolling:
          peer_.add_rolling(ends, radius, c.closed[0]);
          break;
        case Planned::Kind::speed:
          peer_.add_constant_speed(mobilities_[c.a % mobilities_.size()].body, 0.3);
          break;
      }
    }
  }

  // ---- The state

  std::vector<Real> make_state(const ModelData& data, const MotionOracle& oracle) {
    std::vector<Real> state(oracle.symbols().size());
    state[0] = random_.uniform(0.1, 2);
    for (const SpecifiedData& s : data.specified) {
      Expr d = *s.definition;
      for (const Expr& x : s.derivatives) {
        state[oracle.place(x)] = Evaluator(oracle.symbols(), {d})(state)[0];
        d = differentiate(d, data.time);
      }
    }
    for (const CoordinateData& c : data.coordinates)
      state[oracle.place(c.q)] = random_.uniform(0.2, 1.2);
    for (const auto& four : data.quaternions) {
      Real norm = 0;
      for (const int i : four) {
        const Real e = state[oracle.place(data.coordinates[static_cast<std::size_t>(i)].q)];
        norm += e * e;
      }
      for (const int i : four)
        state[oracle.place(data.coordinates[static_cast<std::size_t>(i)].q)] /= std::sqrt(norm);
    }
    for (std::size_t i = oracle.first_speed(); i < state.size(); ++i)
      state[i] = random_.uniform(-1, 1);
    return state;
  }

  // False when motors and constraints contradict each other, or nearly.
  static bool make_speeds_consistent(const MotionOracle& oracle, std::vector<Real>& state) {
    if (oracle.row_count() == 0) return true;
    if (oracle.speed_count() == 0) return false;
    const RealMatrix A = oracle.assemble(state).A;
    if (Eigen::JacobiSVD<RealMatrix>(A).singularValues().minCoeff() < 1e-3L) return false;
    const RealVector change =
        A.completeOrthogonalDecomposition().solve(oracle.velocity_errors(state));
    for (Eigen::Index r = 0; r < change.size(); ++r)
      state[oracle.first_speed() + static_cast<std::size_t>(r)] -= change(r);
    return oracle.velocity_errors(state).norm() < 1e-12L;
  }

  static StartState to_start_state(const MotionOracle& oracle, const std::vector<Real>& state) {
    StartState s;
    s.symbols = oracle.symbols();
    for (std::size_t i = 0; i < state.size(); ++i) {
      s.values.push_back(static_cast<double>(state[i]));
      s.known[s.symbols[i]] = s.values.back();
    }
    return s;
  }

  // ---- Simbody's side

  double compare_accelerations(const MotionOracle& oracle, const MotionOracle::Accelerations& ours,
                               const std::vector<Real>& state) {
    tell_constraints();
    std::vector<simbody::Pose> poses;
    std::vector<simbody::Motion> velocities, accelerations;
    for (std::size_t i = 0; i < centers_.size(); ++i) {
      const int F = frames_[i].index(), Q = centers_[i].index();
      simbody::Pose pose;
      pose.p = to_triple(oracle.p(ours.at, Q));
      for (int k = 0; k < 9; ++k)
        pose.R[static_cast<std::size_t>(k)] =
            static_cast<double>(oracle.R(ours.at, F)(k / 3, k % 3));
      poses.push_back(pose);
      velocities.push_back({to_triple(oracle.w(ours, F)), to_triple(oracle.v(ours, Q))});
      accelerations.push_back({to_triple(oracle.alpha(ours, F)), to_triple(oracle.a(ours, Q))});
    }
    const std::vector<simbody::Motion> theirs =
        peer_.accelerate(static_cast<double>(state[0]), poses, velocities);
    EXPECT_LT(peer_.state_error(), 1e-9);

    double largest = 1, difference = 0;
    for (std::size_t i = 1; i < theirs.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        largest =
            std::max({largest, std::abs(theirs[i].angular[k]), std::abs(theirs[i].linear[k])});
        difference =
            std::max({difference, std::abs(theirs[i].angular[k] - accelerations[i].angular[k]),
                      std::abs(theirs[i].linear[k] - accelerations[i].linear[k])});
      }
    }
    return difference / largest;
  }

  struct Mobility {
    int body;
    Quantity q;
    bool is_length;
  };
  struct Motor {
    int body;
    double amplitude, rate, phase;
  };

  Random random_;
  Model model_{"twin"};
  std::vector<Frame> frames_;
  std::vector<Point> centers_;
  std::vector<Mobility> mobilities_;  // single coordinates that Simbody has too
  std::vector<Motor> motors_;
  std::vector<Planned> planned_;
  int closings_ = 0;
  simbody::Peer peer_;
};

TEST(simbody, random_trees_accelerate_alike) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::optional<double> difference = Twin(seed, {}).compare();
    ASSERT_TRUE(difference);
    EXPECT_LT(*difference, tolerance) << "seed " << seed;
    worst = std::max(worst, *difference);
  }
  std::cout << "150 trees, seeds 1 to 150; largest relative difference " << worst << "\n";
}

TEST(simbody, random_constrained_mechanisms_accelerate_alike) {
  double worst = 0;
  int constrained = 0;
  for (std::uint64_t seed = 1001; seed <= 1200; ++seed) {
    Twin twin(seed, {.bodies = 6, .constraints = true});
    const std::optional<double> difference = twin.compare();
    if (!difference || twin.constraint_count() == 0) continue;
    EXPECT_LT(*difference, tolerance) << "seed " << seed << ":" << twin.constraints();
    worst = std::max(worst, *difference);
    ++constrained;
  }
  std::cout << constrained
            << " constrained mechanisms, seeds 1001 to 1200; largest relative difference " << worst
            << "\n";
  EXPECT_GT(constrained, 100);
}

}  // namespace
}  // namespace visviva

#else

TEST(simbody, random_trees_accelerate_alike) {
  GTEST_SKIP() << "built without Simbody (Debian: libsimbody-dev)";
}

#endif
