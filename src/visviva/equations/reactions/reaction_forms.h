// ReactionForms: the reactions and motor powers of reactions.h as expressions, for those who need
// them at many states.
//
// All are linear in accelerations u', unknown forces and multipliers λ:
//   r = r_0(state, u', unknown forces) + sum_i λ_i r_i(state)                                    (1)
// A result is determined where no solution of the equations of motion differs from another in it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"

namespace visviva {

struct ReactionParts;
struct Action;

/// The smallest part of a unit direction, or of a unit multiplier's force, that counts as one.
constexpr double smallest_direction = 1e-12;

struct ResultForm {
  std::vector<Expr> values;                ///< r_0: components in N of a reaction, or one power
  std::vector<std::vector<Expr>> by_rows;  ///< r_i, as many for each row
  bool is_known = true;                    ///< false: not determined at any state
  /// Component i is not determined where losses[...][i] is more than smallest_direction.
  std::vector<std::vector<Expr>> losses;

  /// The reaction (1) with these multipliers.
  std::vector<Expr> total(const std::vector<Expr>& multipliers) const;
};

class ReactionForms {
 public:
  explicit ReactionForms(const Equations& equations);
  ~ReactionForms();
  ReactionForms(const ReactionForms&) = delete;
  ReactionForms& operator=(const ReactionForms&) = delete;

  /// The force of a constraint, or of a point, and its moment; zero and not known where nothing is
  /// held.
  ResultForm make_reaction(const std::string& name) const;
  ResultForm make_moment(const std::string& name) const;
  /// The multiplier of a scalar constraint; of others all of them, as a vector in N.
  ResultForm make_multiplier(const std::string& constraint) const;
  /// Force or torque of a specified function's motor, and its power; zero and not known where it
  /// moves nothing.
  ResultForm make_motor(const std::string& name) const;
  ResultForm make_motor_power(const std::string& name) const;
  /// The power of a load, where an unknown force that constraints take up is in it; nothing for others.
  std::optional<ResultForm> make_load_power(const std::string& name, const Expr& power) const;
  /// A number, or a vector of three, that nothing determines.
  ResultForm make_unknown(std::size_t components) const;

 private:
  enum class Part { force, moment };
  ResultForm make(const std::string& name, Part part) const;
  ResultForm balance_at(int point, Part part) const;
  ResultForm react_at(int point, Part part) const;
  ResultForm react_on(int constraint, Part part) const;
  void add_support(int constraint, ResultForm* form) const;
  void lose_along(const std::vector<Action>& shared, int about, Part part, ResultForm* form) const;
  void lose_shared(int constraint, Part part, ResultForm* form) const;
  Column3 column_of(const Action& action, int about, Part part) const;
  Column3 arm(int point, int about) const;
  ResultForm make_empty(std::size_t components) const;
  ResultForm without_strangers(ResultForm form) const;

  std::unique_ptr<ReactionParts> parts_;
};

}  // namespace visviva
