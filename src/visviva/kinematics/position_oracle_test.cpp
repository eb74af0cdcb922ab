// Kinematics against its definition: positions and orientations along a smooth motion,
// differentiated numerically. Nothing but positions is taken from the library.
//
// On a grid t0 + k h, k = -8..8, every coordinate, hidden state and specified function follows a
// path of its own. f' and f'' are central differences of order 8, in long double. Speeds are what
// their definitions say (components of angular velocities come from R' R^T; the free speeds of a
// spin are solved from its path), and u' is their difference again.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <map>

#include "visviva/kinematics/random_model_test.h"
#include "visviva/symbolic/calculus/evaluate.h"

namespace visviva {
namespace {

using mechanisms::Component;
using mechanisms::Mechanism;
using mechanisms::Random;
using Real = long double;
using Vector3 = Eigen::Matrix<Real, 3, 1>;
using Rotation = Eigen::Matrix<Real, 3, 3>;

// Differences: truncation h^8 f^(9)/630 and rounding 1e-19/h (1e-19/h^2 for f'') are both below
// 1e-14 for motions of a few rad/s.
constexpr Real h = 1.0L / 256;
constexpr int reach = 8, inner = 4;
// Relative to the size of the quantity, or to 1.
constexpr Real tolerance = 2e-12L;

template <class Function>
auto first_difference(const Function& f, int k) -> decltype(f(k)) {
  return ((f(k + 1) - f(k - 1)) * Real(4.0L / 5) - (f(k + 2) - f(k - 2)) * Real(1.0L / 5) +
          (f(k + 3) - f(k - 3)) * Real(4.0L / 105) - (f(k + 4) - f(k - 4)) * Real(1.0L / 280)) *
         Real(1 / h);
}

template <class Function>
auto second_difference(const Function& f, int k) -> decltype(f(k)) {
  return ((f(k + 1) + f(k - 1)) * Real(8.0L / 5) - (f(k + 2) + f(k - 2)) * Real(1.0L / 5) +
          (f(k + 3) + f(k - 3)) * Real(8.0L / 315) - (f(k + 4) + f(k - 4)) * Real(1.0L / 560) -
          f(k) * Real(205.0L / 72)) *
         Real(1 / (h * h));
}

// w with m = [w]x.
Vector3 axial(const Rotation& m) { return {m(2, 1), m(0, 2), m(1, 0)}; }

class Path {
 public:
  Path(Random& r, double middle, double swing)
      : middle_(middle), swing_(swing), rate_(r.uniform(0.5, 1.5)), phase_(r.uniform(0, 6)) {}
  Real operator()(Real t) const { return middle_ + swing_ * std::sin(rate_ * t + phase_); }

 private:
  Real middle_, swing_, rate_, phase_;
};

// One mechanism on its motion.
class Motion {
 public:
  Motion(const Mechanism& mechanism, const Kinematics& kinematics, std::uint64_t seed)
      : mechanism_(mechanism), kinematics_(kinematics), random_(seed) {
    const ModelData& model = kinematics.model();
    list_configuration(model);
    place_everything(model);
    find_speeds(model);
  }

  // ---- The answers, columns in N at grid point k unless said otherwise

  Rotation R(const Frame& B, int k) const { return rotations_.at(k)[index(B)]; }
  Vector3 p(const Point& P, int k) const { return positions_.at(k)[index(P)]; }
  Vector3 velocity(const Point& P, int k) const {
    return first_difference([&](int i) { return p(P, i); }, k);
  }

  // Of B in A: w and alpha from R_AB, turned into N.
  Vector3 spin(const Frame& B, const Frame& A, int k) const {
    const auto R_AB = [&](int i) -> Rotation { return R(A, i).transpose() * R(B, i); };
    const Rotation rate = first_difference(R_AB, k);
    return R(A, k) * axial(rate * R_AB(k).transpose());
  }
  Vector3 spin_acceleration(const Frame& B, const Frame& A) const {
    const auto R_AB = [&](int i) -> Rotation { return R(A, i).transpose() * R(B, i); };
    const Rotation rate = first_difference(R_AB, 0), second = second_difference(R_AB, 0);
    const Rotation change = second * R_AB(0).transpose() + rate * rate.transpose();
    return R(A, 0) * axial(change);
  }

  // Of P in A, whose origin is Ao.
  Vector3 place_in(const Point& P, const Frame& A, const Point& Ao, int k) const {
    return R(A, k).transpose() * (p(P, k) - p(Ao, k));
  }

  // ---- Comparing

  void expect(const Vector& v, const Vector3& in_N, const std::string& what) {
    const Column3 c = v.in(mechanism_.frames[0]);
    for (Eigen::Index i = 0; i < 3; ++i) expect(c[static_cast<std::size_t>(i)], in_N(i), what);
  }
  void expect(const Expr& e, Real value, const std::string& what) {
    outputs_.push_back(e);
    expected_.push_back(value);
    names_.push_back(what);
  }

  // How far the worst one is off, relative to its tolerance.
  void check() const {
    std::vector<Expr> inputs = symbols_;
    std::vector<Real> values = grid_.at(0);
    const ModelData& model = kinematics_.model();
    for (std::size_t i = 0; i < model.specified.size(); ++i) {
      const auto x = [&, at = specified_ + i](int k) { return grid_.at(k)[at]; };
      const auto& d = model.specified[i].derivatives;
      inputs.insert(inputs.end(), d.begin() + 1, d.end());
      // x''' belongs into no velocity or acceleration.
      values.insert(values.end(), {first_difference(x, 0), second_difference(x, 0),
                                   std::numeric_limits<Real>::quiet_NaN()});
    }
    for (std::size_t r = 0; r < kinematics_.speeds().size(); ++r) {
      inputs.insert(inputs.end(), {kinematics_.speeds()[r].u, kinematics_.speeds()[r].rate});
      const auto u = [&](int k) { return speeds_.at(k)[r]; };
      values.insert(values.end(), {u(0), first_difference(u, 0)});
    }
    const std::vector<Real> found = Evaluator(inputs, outputs_)(values);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LE(std::abs(found[i] - expected_[i]), tolerance * (1 + std::abs(expected_[i])))
          << names_[i] << ": found " << found[i] << ", expected " << expected_[i];
    }
  }

  Real coordinate_rate(std::size_t i) const {
    return first_difference([&](int k) { return grid_.at(k)[coordinates_ + i]; }, 0);
  }
  Real speed(int r, int k) const { return speeds_.at(k)[static_cast<std::size_t>(r)]; }

 private:
  template <class Thing>
  static std::size_t index(const Thing& thing) {
    return static_cast<std::size_t>(thing.index());
  }

  // Symbols of configuration, and their values on the grid.
  void list_configuration(const ModelData& model) {
    std::vector<std::function<Real(Real)>> paths;
    const auto add = [&](const Expr& symbol, std::function<Real(Real)> path) {
      symbols_.push_back(symbol);
      paths.push_back(std::move(path));
    };
    add(model.time, [](Real t) { return t; });
    for (const ParameterData& q : model.parameters) {
      const Real value = Evaluator({}, {*q.value})(std::vector<Real>()).front();
      add(q.symbol, [value](Real) { return value; });
    }
    specified_ = symbols_.size();
    for (const SpecifiedData& x : model.specified) {
      if (x.definition) {
        const Evaluator f({model.time}, {*x.definition});
        add(x.derivatives[0], [f](Real t) { return f(std::vector<Real>{t}).front(); });
      } else {
        add(x.derivatives[0], Path(random_, 0.2, 0.4));
      }
    }
    coordinates_ = symbols_.size();
    for (const CoordinateData& c : model.coordinates) {
      if (c.quaternion < 0) add(c.q, Path(random_, 0.55, 0.2));
    }
    // Coordinates keep their order: quaternions are declared among the others.
    std::map<Ref, std::function<Real(Real)>> by_symbol;
    for (std::size_t i = coordinates_; i < symbols_.size(); ++i) {
      by_symbol[symbols_[i].ref()] = paths[i];
    }
    symbols_.resize(coordinates_);
    paths.resize(coordinates_);
    for (const auto& group : model.quaternions) {
      std::array<Expr, 4> e;
      for (std::size_t i = 0; i < 4; ++i) {
        e[i] = model.coordinates[static_cast<std::size_t>(group[i])].q;
      }
      add_unit_paths({e[0], e[1], e[2], e[3]}, by_symbol);
    }
    for (const FrameData& f : model.frames) {
      if (f.hidden.size() == 1) by_symbol[f.hidden[0].ref()] = Path(random_, 0.3, 0.5);
      if (f.hidden.size() == 4) add_unit_paths(f.hidden, by_symbol);
    }
    for (const CoordinateData& c : model.coordinates) add(c.q, by_symbol.at(c.q.ref()));
    for (const FrameData& f : model.frames) {
      for (const Expr& e : f.hidden) add(e, by_symbol.at(e.ref()));
    }
    const Real t0 = random_.uniform(0, 2);
    for (int k = -reach; k <= reach; ++k) {
      for (const auto& path : paths) grid_[k].push_back(path(t0 + k * h));
    }
  }

  void add_unit_paths(const std::vector<Expr>& e,
                      std::map<Ref, std::function<Real(Real)>>& by_symbol) {
    std::vector<Path> raw;
    for (int i = 0; i < 4; ++i) raw.emplace_back(random_, random_.uniform(0.3, 1.0), 0.4);
    for (std::size_t i = 0; i < 4; ++i) {
      by_symbol[e[i].ref()] = [raw, i](Real t) {
        Real norm = 0;
        for (const Path& x : raw) norm += x(t) * x(t);
        return raw[i](t) / std::sqrt(norm);
      };
    }
  }

  void place_everything(const ModelData& model) {
    std::vector<Expr> outputs;
    for (const Frame& B : mechanism_.frames) {
      for (const Column3& row : orientation(mechanism_.frames[0], B)) {
        outputs.insert(outputs.end(), row.begin(), row.end());
      }
    }
    for (std::size_t i = 0; i < model.points.size(); ++i) {
      const Point P(mechanism_.frames[0].model(), static_cast<int>(i));
      const Column3 c = (P - mechanism_.points[0]).in(mechanism_.frames[0]);
      outputs.insert(outputs.end(), c.begin(), c.end());
    }
    const Evaluator evaluator(symbols_, outputs);
    for (int k = -reach; k <= reach; ++k) {
      const std::vector<Real> v = evaluator(grid_.at(k));
      const Real* at = v.data();
      for (std::size_t i = 0; i < mechanism_.frames.size(); ++i, at += 9) {
        rotations_[k].push_back(Eigen::Map<const Rotation>(at).transpose());
      }
      for (std::size_t i = 0; i < model.points.size(); ++i, at += 3) {
        positions_[k].push_back(Eigen::Map<const Vector3>(at));
      }
    }
  }

  // ---- Speeds

  void find_speeds(const ModelData& model) {
    std::map<std::string, std::size_t> place;
    for (std::size_t r = 0; r < kinematics_.speeds().size(); ++r) {
      place[kinematics_.speeds()[r].name] = r;
    }
    for (int k = -inner; k <= inner; ++k) {
      speeds_[k].assign(place.size(), 0);
      std::vector<Expr> symbols = symbols_;
      std::vector<Real> values = grid_.at(k);
      const auto know = [&](const Expr& symbol, Real value) {
        symbols.push_back(symbol);
        values.push_back(value);
      };
      const auto rate = [&](std::size_t i) {
        return first_difference([&](int j) { return grid_.at(j)[i]; }, k);
      };
      for (std::size_t i = 0; i < model.specified.size(); ++i) {
        know(model.specified[i].derivatives[1], rate(specified_ + i));
      }
      for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
        know(model.coordinates[i].rate, rate(coordinates_ + i));
      }
      for (const Speed& s : kinematics_.speeds()) {
        if (s.coordinate < 0) continue;
        speeds_[k][place.at(s.name)] = rate(coordinates_ + static_cast<std::size_t>(s.coordinate));
      }
      for (const Component& c : mechanism_.components) {
        const Vector3 w = spin(c.of, c.in, k);
        speeds_[k][place.at(c.speed)] = R(c.along, k).col(static_cast<Eigen::Index>(c.axis)).dot(w);
      }
      for (const auto& [name, python] : mechanism_.definitions) {
        const std::size_t r = place.at(name);
        const auto is_it = [&n = name](const SpeedData& s) { return s.name == n; };
        const auto s = std::find_if(model.speeds.begin(), model.speeds.end(), is_it);
        speeds_[k][r] = Evaluator(symbols, {*s->definition})(values).front();
      }
      for (const auto& [name, r] : place) {
        const Expr u = kinematics_.speeds()[r].u;
        if (kinematics_.speeds()[r].coordinate < 0) know(u, speeds_[k][r]);
      }
      for (const mechanisms::Spin& s : mechanism_.spins) solve_spin(s, k, symbols, values, place);
    }
  }

  // The free speeds for which sum of speed * direction + rest is the angular velocity of the path.
  void solve_spin(const mechanisms::Spin& s, int k, const std::vector<Expr>& symbols,
                  const std::vector<Real>& values,
                  const std::map<std::string, std::size_t>& place) {
    const auto column = [&](const Vector& v) -> Vector3 {
      const Column3 c = v.in(mechanism_.frames[0]);
      const std::vector<Real> x = Evaluator(symbols, {c[0], c[1], c[2]})(values);
      return {x[0], x[1], x[2]};
    };
    Eigen::Matrix<Real, 3, Eigen::Dynamic> directions(3, s.speeds.size());
    for (std::size_t i = 0; i < s.speeds.size(); ++i) {
      directions.col(static_cast<Eigen::Index>(i)) = column(s.directions[i]);
    }
    const Vector3 wanted = spin(s.frame, s.parent, k) - column(s.rest);
    const Eigen::Matrix<Real, Eigen::Dynamic, 1> u = directions.colPivHouseholderQr().solve(wanted);
    EXPECT_LE((directions * u - wanted).norm(), tolerance);
    for (std::size_t i = 0; i < s.speeds.size(); ++i) {
      const ExprPool& pool = *kinematics_.model().pool;
      const std::string& name = pool.symbol_name(s.speeds[i].expr().ref());
      speeds_[k][place.at(name)] = u(static_cast<Eigen::Index>(i));
    }
  }

  const Mechanism& mechanism_;
  const Kinematics& kinematics_;
  Random random_;
  std::vector<Expr> symbols_;
  std::size_t specified_ = 0, coordinates_ = 0;  // where they start among the symbols
  std::map<int, std::vector<Real>> grid_;
  std::map<int, std::vector<Rotation>> rotations_;
  std::map<int, std::vector<Vector3>> positions_;
  std::map<int, std::vector<Real>> speeds_;
  std::vector<Expr> outputs_;
  std::vector<Real> expected_;
  std::vector<std::string> names_;
};

class PositionOracle : public testing::TestWithParam<int> {};

TEST_P(PositionOracle, motion_is_the_derivative_of_positions) {
  constexpr int models = 20;
  for (int i = 0; i < models; ++i) {
    const auto seed = static_cast<std::uint64_t>(1000 * GetParam() + i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Mechanism mechanism(seed, {});
    const Kinematics kinematics = analyze_motion(mechanism.model);
    Motion motion(mechanism, kinematics, seed + 77);
    const std::vector<Frame>& frames = mechanism.frames;
    const Frame& N = frames[0];
    Random pick(seed + 99);

    const ModelData& model = kinematics.model();
    for (std::size_t c = 0; c < model.coordinates.size(); ++c) {
      const CoordinateData& q = model.coordinates[c];
      motion.expect(kinematics.rate({q.q, q.dimension}).expr(), motion.coordinate_rate(c),
                    q.name + "'");
    }
    for (const Frame& B : frames) {
      const std::string name = B.name();
      const Frame A = frames[static_cast<std::size_t>(pick.below(static_cast<int>(frames.size())))];
      motion.expect(kinematics.angular_velocity(B), motion.spin(B, N, 0), "w " + name);
      motion.expect(kinematics.angular_velocity(B, A), motion.spin(B, A, 0),
                    "w " + name + " in " + A.name());
      motion.expect(kinematics.angular_acceleration(B), motion.spin_acceleration(B, N),
                    "alpha " + name);
      motion.expect(kinematics.angular_acceleration(B, A), motion.spin_acceleration(B, A),
                    "alpha " + name + " in " + A.name());
    }
    for (const Point& P : mechanism.points) {
      const auto which =
          static_cast<std::size_t>(pick.below(static_cast<int>(mechanism.frames.size())));
      const Frame A = frames[which];
      const Point Ao = mechanism.origins[which];
      const std::string name = P.name(), in_A = " in " + A.name();
      const auto p_N = [&](int k) { return motion.p(P, k); };
      const auto p_A = [&](int k) { return motion.place_in(P, A, Ao, k); };
      // The point of A that is now at P.
      const auto carried = [&](int k) -> Vector3 {
        return motion.p(Ao, k) + motion.R(A, k) * p_A(0);
      };
      const Vector3 on_A = first_difference(carried, 0);
      motion.expect(kinematics.velocity(P), motion.velocity(P, 0), "v " + name);
      motion.expect(kinematics.acceleration(P), second_difference(p_N, 0), "a " + name);
      motion.expect(kinematics.velocity(P, A), motion.R(A, 0) * first_difference(p_A, 0),
                    "v " + name + in_A);
      motion.expect(kinematics.acceleration(P, A), motion.R(A, 0) * second_difference(p_A, 0),
                    "a " + name + in_A);
      motion.expect(kinematics.velocity_on(P, A), A == N ? Vector3(0, 0, 0) : on_A,
                    "v " + name + " on " + A.name());
      // The derivative in A of a vector with speeds in it.
      const auto v_A = [&](int k) -> Vector3 {
        return motion.R(A, k).transpose() * motion.velocity(P, k);
      };
      const Vector v = velocity(P);
      motion.expect(kinematics.derivative(v, A), motion.R(A, 0) * first_difference(v_A, 0),
                    "dv/dt " + name + in_A);
    }
    motion.check();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, PositionOracle, testing::Range(0, 10));

}  // namespace
}  // namespace visviva
