// ReactionForms: the reactions and motor powers of reactions.h as expressions, for those who need
// them at many states.
//
// All are linear in accelerations u', unknown forces and multipliers λ:
//   r = r_0(state, u', unknown forces) + sum_i λ_i r_i(state)                                    (1)
// A result is determined where no solution of the equations of motion differs from another in it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

struct ReactionParts;

/// The smallest part of a unit direction, or of a unit multiplier's force, that counts as one.
constexpr double smallest_direction = 1e-12;

struct ResultForm {
  std::vector<Expr> values;                ///< r_0: components in N of a reaction, or one power
  std::vector<std::vector<Expr>> by_rows;  ///< r_i, as many for each row
  bool is_known = true;                    ///< false: not determined at any state
  /// Component i is not determined where losses[...][i] is more than smallest_direction.
  std::vector<std::array<Expr, 3>> losses;

  /// The reaction (1) with these multipliers.
  std::vector<Expr> total(const std::vector<Expr>& multipliers) const;
};

class ReactionForms {
 public:
  explicit ReactionForms(const Equations& equations);
  ~ReactionForms();
  ReactionForms(const ReactionForms&) = delete;
  ReactionForms& operator=(const ReactionForms&) = delete;

  /// The force of a constraint, or of a point; zero and not known where nothing is held.
  ResultForm make_reaction(const std::string& name) const;
  /// The power of a specified function's motor; zero and not known where it moves nothing.
  ResultForm make_motor_power(const std::string& name) const;

 private:
  ResultForm react_at(int point) const;
  ResultForm react_on(int constraint) const;
  ResultForm make_empty(std::size_t components) const;
  ResultForm without_strangers(ResultForm form) const;

  std::unique_ptr<ReactionParts> parts_;
};

}  // namespace visviva
