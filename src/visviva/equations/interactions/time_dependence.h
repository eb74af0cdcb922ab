// TimeDependence: what time does in an interaction, through parts that are driven or explicitly.
//
// v_t, w_t are the velocities of parts while all coordinates are held, F_B, M_B the actions of an interaction, lambda its multipliers:
//   -∂W/∂t = sum_B (F_B · v_tB + M_B · w_tB) + explicit      of a potential W                         (1)
//   lambda c = sum_B (F_B · v_tB + M_B · w_tB) + explicit    of a row, c its part without rates       (2)
// (O'Reilly & Srinivasa 2002 (38), (26), (27)). What is explicit stands for a driven part that the model does not have.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/interactions/parts.h"
#include "visviva/kinematics/constraint_rows.h"

namespace visviva {

/// A part's share in (1), (2).
struct DrivenShare {
  int part;
  Expr power;
  bool is_carried = false;  ///< the part moves freely besides: what is driven carries it along
};

/// The dependence of an interaction on time.
struct TimeDependence {
  std::vector<DrivenShare> shares;          ///< those that do not vanish
  Expr explicit_power;                      ///< what is left of (1), (2): -∂W/∂t at fixed parts
  std::vector<std::string> explicit_names;  ///< what brings it in: "t", "x"
  Expr power;                               ///< (1), (2)

  bool vanishes() const { return power.is_zero() && shares.empty() && explicit_power.is_zero(); }
};

/// A mechanism whose coordinates are all held: only what is driven moves.
class HeldMotion {
 public:
  explicit HeldMotion(const Kinematics& motion);

  Expr rate(const ScalarMotion& of) const;
  Expr power(const PartAction& action, const Part& part) const;
  /// True for a part that moves when coordinates do.
  bool is_free(const Part& part) const;

 private:
  Expr dot_with(const Vector& v, const VectorMotion& motion) const;

  const Kinematics& motion_;
  std::vector<Expr> speeds_;
};

/// What the rate of a specified function that moves a part is in a law: that part's velocity where laws speak of velocities, else a
/// function of time.
enum class DrivenRates { have_places, are_explicit };

/// Names of what brings time into a law explicitly: t, and specified functions that move no part.
std::vector<std::string> find_explicit_time(const Kinematics& motion, const Displaced& displaced,
                                            DrivenRates rates);

/// -∂W/∂t, at fixed parts, of a potential as it was written.
Expr compute_explicit_power(const Kinematics& motion, const Displaced& displaced);

/// True when time changes the stiffness, rate or rest length of a spring or damper.
bool has_changing_constants(const Kinematics& motion, const SpringData& spring);
/// -∂W/∂t of W = k (l - r)^2/2 at fixed l, and what brings it in.
void add_spring_power(const Kinematics& motion, const SpringData& spring, TimeDependence* time);

}  // namespace visviva
