// MechanismCheck: one mechanism by every method, against numbers from positions alone.
//
// M, f, A, b of the derived equations are compared with the numbers of MotionOracle; with u' and λ
// of MotionSolver, K the kinetic energy, v_t and w_t velocities without speeds:
//   M u' - f - A'λ = 0,   A u' = b,   g'' = 0 along the motion for g = 0 a configuration constraint
//   (1) dK/dt = sum_r u_r (F_r + (A'λ)_r) + sum_B (m a · v_t + (I alpha + w x I w) · w_t) (2)
// The last sum of (2) is the part of the motors and of the loads' work on what they move.
#include "visviva/equations/testing/mechanism_checks_test.h"

#include <Eigen/Dense>
#include <sstream>

#include "visviva/base/words.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/equations/state/solve.h"

namespace visviva::mechanisms {
namespace {

// Differences of the oracle are right to 1e-13 of the largest term for motions of 1 rad/s; eight
// links turning at once add up to some 10 rad/s, which costs two digits.
constexpr Real number_tolerance = 1e-10L;
// The solver works in double on a matrix whose condition may reach 1e5.
constexpr Real solver_tolerance = 1e-9L;

class MechanismCheck {
 public:
  MechanismCheck(const RandomMechanism& mechanism, const Kinematics& motion)
      : mechanism_(mechanism), motion_(motion), oracle_(motion) {}

  MechanismReport check(int states) {
    derive_all();
    report_.speeds = oracle_.speed_count();
    if (candidates_.empty() || report_.speeds == 0) return report_;
    report_.rows = static_cast<int>(candidates_[0].rows.size());
    check_symmetry();
    check_proof();
    for (int i = 1; i <= states; ++i) {
      const auto state = mechanism_.make_state(motion_, oracle_, static_cast<std::uint64_t>(i));
      if (state) check_state(*state, "state " + std::to_string(i));
    }
    check_start();
    return report_;
  }

 private:
  void fail(const std::string& what) { report_.failures.push_back(what); }

  template <class Number>
  static std::string print(Number x) {
    std::ostringstream s;
    s.precision(12);
    s << static_cast<double>(x);
    return s.str();
  }

  void derive_all() {
    for (const Method method :
         {Method::kane, Method::lagrange, Method::hamilton, Method::newton_euler}) {
      const std::string name(method_name(method));
      try {
        candidates_.push_back(derive(motion_, method));
      } catch (const ModelError& e) {
        report_.refusals.push_back(name + ": " + e.what());
      } catch (const std::exception& e) {
        fail(name + " throws: " + e.what());
      }
    }
    report_.methods = static_cast<int>(candidates_.size());
  }

  void check_symmetry() {
    for (const Equations& e : candidates_) {
      for (std::size_t r = 0; r < e.mass_matrix.size(); ++r) {
        for (std::size_t s = 0; s < r; ++s) {
          if (!(e.mass_matrix[r][s] == e.mass_matrix[s][r]))
            fail(std::string(method_name(e.method)) + ": M is not symmetric");
        }
      }
    }
  }

  void check_proof() {
    const Proof proof = compare_equations(candidates_);
    report_.remarks = proof.remarks;
    if (proof.verdict == Verdict::equal) return;
    report_.is_undecided = proof.verdict == Verdict::undecided;
    for (const ProofStep& step : proof.steps) {
      if (step.verdict == Verdict::equal) continue;
      std::string what = step.verdict == Verdict::different ? "different: " : "undecided: ";
      what += "claim " + std::to_string(static_cast<int>(step.claim.kind)) + " of " +
              std::string(method_name(step.claim.pair.method)) + " at ";
      for (const ProofPlace& place : step.places) what += join_words(place.names) + " ";
      for (const DifferenceTerm& term : step.terms) what += "; " + term.name;
      fail(what);
    }
    if (candidates_.size() < 2) fail("no two methods to compare");
  }

  // ---- At a state

  void check_state(const std::vector<Real>& state, const std::string& where) {
    ++report_.states;
    const MotionOracle::Numbers numbers = oracle_.assemble(state);
    rank_ = std::min(rank_, rank(numbers.A));
    for (const Equations& e : candidates_) check_numbers(e, state, numbers, where);
    check_solution(state, numbers, where);
  }

  void compare(Real found, Real expected, Real scale, const std::string& what) {
    if (!(std::abs(found - expected) <= number_tolerance * (1 + scale)))
      fail(what + ": " + print(found) + " instead of " + print(expected));
  }

  void check_numbers(const Equations& e, const std::vector<Real>& state,
                     const MotionOracle::Numbers& numbers, const std::string& where) {
    const auto n = static_cast<std::size_t>(oracle_.speed_count());
    std::vector<Expr> outputs;
    for (const auto& row : e.mass_matrix) outputs.insert(outputs.end(), row.begin(), row.end());
    outputs.insert(outputs.end(), e.forcing.begin(), e.forcing.end());
    outputs.insert(outputs.end(), e.row_forcing.begin(), e.row_forcing.end());
    for (const ConstraintRow& row : e.rows) {
      std::vector<Expr> a(n, e.motion.model().pool->zero());
      for (const auto& [r, c] : row.velocity.coefficients) a[static_cast<std::size_t>(r)] = c;
      outputs.insert(outputs.end(), a.begin(), a.end());
    }
    const std::string name = std::string(method_name(e.method)) + ", " + where + ": ";
    if (static_cast<int>(e.rows.size()) != oracle_.row_count())
      return fail(name + "the number of rows is not that of the constraints");
    const std::vector<Real> values = Evaluator(oracle_.symbols(), outputs)(state);
    std::size_t k = 0;
    const Real mass = numbers.M.cwiseAbs().maxCoeff();
    for (int r = 0; r < numbers.M.rows(); ++r) {
      for (int s = 0; s < numbers.M.cols(); ++s)
        compare(values[k++], numbers.M(r, s), mass,
                name + "M(" + std::to_string(r) + "," + std::to_string(s) + ")");
    }
    for (int r = 0; r < numbers.f.rows(); ++r)
      compare(values[k++], numbers.f(r), numbers.f_scale(r), name + "f(" + std::to_string(r) + ")");
    for (int i = 0; i < numbers.b.rows(); ++i)
      compare(values[k++], numbers.b(i), numbers.b.cwiseAbs().maxCoeff() + 100,
              name + "b(" + std::to_string(i) + ")");
    for (int i = 0; i < numbers.A.rows(); ++i) {
      for (int r = 0; r < numbers.A.cols(); ++r)
        compare(values[k++], numbers.A(i, r), 1,
                name + "A(" + std::to_string(i) + "," + std::to_string(r) + ")");
    }
    if (Eigen::LLT<RealMatrix>(numbers.M).info() != Eigen::Success)
      fail(name + "M is not positive definite");
  }

  void check_solution(const std::vector<Real>& state, const MotionOracle::Numbers& numbers,
                      const std::string& where) {
    const SolvedMotion solved = MotionSolver(candidates_[0])(to_start_state(state));
    if (!solved.is_consistent) return fail(where + ": the solver finds no accelerations");
    const RealVector udot = to_vector(solved.speed_rates), lambda = to_vector(solved.multipliers);
    // (1)
    const RealVector pull = numbers.A.transpose() * lambda;
    const RealVector residual = numbers.M * udot - numbers.f - pull;
    const Real scale = 1 + numbers.f_scale.maxCoeff() + pull.cwiseAbs().sum() +
                       (numbers.M.cwiseAbs() * udot.cwiseAbs()).maxCoeff();
    if (!(residual.norm() <= solver_tolerance * scale))
      fail(where + ": M u' - f - A'λ is " + print(residual.norm()));
    if (oracle_.row_count() > 0) {
      const RealVector slip = numbers.A * udot - numbers.b;
      const Real size =
          1 + (numbers.A.cwiseAbs() * udot.cwiseAbs()).maxCoeff() + numbers.b.cwiseAbs().maxCoeff();
      if (!(slip.norm() <= solver_tolerance * size))
        fail(where + ": A u' - b is " + print(slip.norm()));
      check_rows_along_motion(state, udot, size, where);
    }
    check_power(state, numbers, udot, lambda, where);
  }

  void check_rows_along_motion(const std::vector<Real>& state, const RealVector& udot, Real size,
                               const std::string& where) {
    const RealVector positions = second_difference(
        [&](Real h) { return oracle_.position_errors(oracle_.move(state, udot, h)); },
        oracle_.step(state, udot));
    if (positions.size() > 0 && !(positions.norm() <= solver_tolerance * size))
      fail(where + ": a configuration constraint's second derivative is " +
           print(positions.norm()));
    const RealVector velocities = first_difference(
        [&](Real h) { return oracle_.velocity_errors(oracle_.move(state, udot, h)); },
        oracle_.step(state, udot));
    if (!(velocities.norm() <= solver_tolerance * size))
      fail(where + ": a constraint's rate changes by " + print(velocities.norm()));
  }

  // (2)
  void check_power(const std::vector<Real>& state, const MotionOracle::Numbers& numbers,
                   const RealVector& udot, const RealVector& lambda, const std::string& where) {
    std::vector<Real> unmoved = state;
    RealVector u(oracle_.speed_count());
    for (Eigen::Index r = 0; r < u.size(); ++r) {
      const std::size_t k = oracle_.first_speed() + static_cast<std::size_t>(r);
      u(r) = state[k];
      unmoved[k] = 0;
    }
    const Real rate = first_difference(
        [&](Real h) { return oracle_.kinetic_energy(oracle_.move(state, udot, h)); },
        oracle_.step(state, udot));
    const Real given = oracle_.power_on(state, udot, unmoved);
    const RealVector terms = u.cwiseProduct(numbers.active + numbers.A.transpose() * lambda);
    const Real scale =
        1 + std::abs(given) + terms.cwiseAbs().sum() + numbers.f_scale.dot(u.cwiseAbs());
    if (!(std::abs(rate - terms.sum() - given) <= solver_tolerance * scale))
      fail(where + ": dK/dt is " + print(rate) + ", the power " + print(terms.sum() + given));
  }

  // ---- At the start

  void check_start() {
    const ConsistentStart start = make_consistent_start(motion_);
    if (!start.contradiction.empty() || !start.start_contradiction.empty()) return;
    const StartState known = visviva::make_state(motion_, start);
    std::vector<Real> state;
    for (const Expr& s : oracle_.symbols()) {
      const auto found = known.known.find(s);
      if (found == known.known.end())
        return fail("start: '" + s.home().symbol_name(s.ref()) + "' has no value");
      state.push_back(found->second);
    }
    if (oracle_.largest_rate_coefficient(state) > RandomMechanism::largest_coefficient) return;
    if (oracle_.row_count() > 0) {
      const Real position = oracle_.position_errors(state).norm();
      const Real velocity = oracle_.velocity_errors(state).norm();
      if (!(position < solver_tolerance)) fail("start: positions are off by " + print(position));
      if (!(velocity < solver_tolerance)) fail("start: velocities are off by " + print(velocity));
    }
    const MotionOracle::Numbers numbers = oracle_.assemble(state);
    // Where rows lose their rank, accelerations that satisfy them need not exist.
    if (start.is_singular || rank(numbers.A) < rank_) return;
    check_solution(state, numbers, "start");
  }

  static Eigen::Index rank(const RealMatrix& A) {
    if (A.size() == 0) return 0;
    Eigen::ColPivHouseholderQR<RealMatrix> qr;
    qr.setThreshold(1e-4L);
    return qr.compute(A).rank();
  }

  StartState to_start_state(const std::vector<Real>& state) const {
    StartState s;
    s.symbols = oracle_.symbols();
    for (std::size_t i = 0; i < state.size(); ++i) {
      s.values.push_back(static_cast<double>(state[i]));
      s.known[s.symbols[i]] = s.values.back();
    }
    return s;
  }
  static RealVector to_vector(const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()))
        .cast<Real>();
  }

  const RandomMechanism& mechanism_;
  Kinematics motion_;
  MotionOracle oracle_;
  std::vector<Equations> candidates_;
  MechanismReport report_;
  Eigen::Index rank_ = oracle_.row_count();  // of the constraints, at the states seen so far
};

}  // namespace

MechanismReport check_mechanism(std::uint64_t seed, const Features& features, int states) {
  const RandomMechanism mechanism(seed, features);
  return MechanismCheck(mechanism, analyze_motion(mechanism.model)).check(states);
}

}  // namespace visviva::mechanisms
