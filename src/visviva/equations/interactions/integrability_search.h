// IntegralSearch: an integrable form as factor times differential, in closed form where one is found.
//
// omega = sum_a omega_a pi_a with omega ^ d omega = 0, divided by omega_p, satisfies
//   d omega = alpha ^ omega,   alpha_a = d omega (E_a, E_p)                                     (1)
// and mu omega is exact where, with any function f,
//   d log mu = -alpha + f omega                                                                (2)
// Tried, for every p: f = 0 with -alpha exact; mu of x_p alone; mu a product of powers of the coordinates. Then, for omega as it
// is, mu of one coordinate v alone, and what a symmetry by scaling gives (Lie):
//   d log mu/dv = -d omega (E_v, E_a)/omega_a  for every a                                      (3)
//   mu = 1/sum_a x_a omega_a                                                                   (4)
// What is found is proved.
#pragma once

#include <optional>
#include <vector>

#include "visviva/equations/interactions/frobenius_space.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// A factor that makes a form exact, and the function that it is then the differential of.
struct FormIntegral {
  std::optional<Expr> factor;    ///< 1 for an exact form
  std::optional<Expr> integral;  ///< none where it was not found in closed form
};

class IntegralSearch {
 public:
  IntegralSearch(const Kinematics& motion, ConfigurationSpace* space);

  /// `row` is the same form by speeds. UsageError never: what is not found is nothing.
  FormIntegral find(const OneForm& form, const ScalarMotion& row);
  /// The function that an exact form is the differential of.
  std::optional<Expr> integrate_exact(const OneForm& form, const ScalarMotion& row);

 private:
  bool is_exact(const OneForm& form);
  std::vector<Expr> list_factors(const OneForm& form);
  void add_factors(const OneForm& form, std::size_t p, std::vector<Expr>* factors);
  std::optional<Expr> factor_of_coordinate(const OneForm& form, std::size_t v);
  std::optional<Expr> factor_by_exact_slope(const std::vector<Expr>& alpha);
  std::optional<Expr> factor_of_one_variable(const OneForm& unit, std::size_t p,
                                             const std::vector<Expr>& alpha);
  std::optional<Expr> factor_of_powers(const OneForm& unit, std::size_t p,
                                       const std::vector<Expr>& alpha);
  std::optional<Expr> integrate_positions(const OneForm& form);
  std::optional<Expr> integrate_turns(const ScalarMotion& row);
  std::optional<Expr> integrate_time(const Expr& rate);
  std::optional<Expr> exponential(const Expr& logarithm) const;
  bool is_of_parameters(const Expr& e) const;
  bool is_of_direction(const Expr& e, std::size_t v);
  bool has_value(const Expr& e);

  const Kinematics& motion_;
  ConfigurationSpace* space_;
  ExprPool& pool_;
  std::optional<StartState> start_;
};

}  // namespace visviva
