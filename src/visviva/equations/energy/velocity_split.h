// Velocities in two portions: what the independent speeds move, and what moves without them.
//
// Every velocity is v = sum_r v_r u_r + v_0, all speeds u; rows A u + c = 0 leave some of them
// independent. The transport speeds w are what the speeds are when the independent ones vanish:
// w_r = 0 for these, and A w + c = 0. Then (Mitiguy, chapter 34 (11) to (13), (35) to (37))
//   v_R = sum_r v_r (u_r - w_r),   v_t = sum_r v_r w_r + v_0,   v = v_R + v_t                   (1)
// w and w' stay symbols here. People get them solved for, by Embedding; a run solves A w + c = 0 and
// its derivative with pivoting at every state (energy_solver.h). What is formed with the symbols
// holds for both, whichever speeds are taken for independent.
#pragma once

#include <memory>
#include <vector>

#include "visviva/equations/constraints/embed.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

class VelocitySplit {
 public:
  explicit VelocitySplit(const Equations& equations);

  /// w_r and w_r', one for each speed; zero when there are no constraints.
  const std::vector<Expr>& transport() const { return w_; }
  const std::vector<Expr>& transport_rates() const { return w_rates_; }
  /// u_r - w_r.
  const std::vector<Expr>& moved_speeds() const { return moved_; }

  /// The two portions of (1), in the frame of the motion.
  Column3 moved(const VectorMotion& v) const { return total_of(v, moved_, false); }
  Column3 carried(const VectorMotion& v) const { return total_of(v, w_, true); }
  /// The two portions of d/dt of a function of configuration and time.
  Expr moved(const ScalarMotion& s) const;
  Expr carried(const ScalarMotion& s) const;

  /// The derivative by time of a function of configuration, time and w; of a column, in its own
  /// frame.
  Expr rate(const Expr& e) const;
  Column3 rate(const Column3& c) const { return {rate(c[0]), rate(c[1]), rate(c[2])}; }

 private:
  static Column3 total_of(const VectorMotion& v, const std::vector<Expr>& speeds, bool remainder);

  std::vector<Expr> w_, w_rates_, moved_;
  std::vector<std::pair<Expr, Expr>> rates_;  // of what changes in time
  std::shared_ptr<ExprPool> pool_;
  std::uint64_t subject_ = ExprPool::make_subject();
};

/// The constraints solved: expressions of all speeds and of w, w' become expressions of independent
/// speeds.
class Embedding {
 public:
  Embedding(const Equations& equations, const EmbeddedEquations& embedded,
            const VelocitySplit& split);
  Expr operator()(const Expr& e) { return substitution_(e); }
  std::vector<Expr> operator()(const std::vector<Expr>& e) { return substitution_(e); }
  Column3 operator()(const Column3& c) { return {(*this)(c[0]), (*this)(c[1]), (*this)(c[2])}; }

 private:
  static Replacements make_replacements(const Equations& equations,
                                        const EmbeddedEquations& embedded,
                                        const VelocitySplit& split);
  Substitution substitution_;
};

/// Symbol -> rate for all that changes by itself: time, specified functions, and the configuration,
/// hidden states included, in terms of all speeds.
/// The law of a state, in speeds.
Expr state_rate(const Kinematics& motion, const StateData& s);
std::vector<std::pair<Expr, Expr>> collect_rates(const Kinematics& motion);

}  // namespace visviva
