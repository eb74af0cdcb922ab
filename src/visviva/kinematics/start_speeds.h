// Speeds that satisfy the constraints and the start values that speak of motion: given values are
// held, guesses and defaults move, then given values by the least change in the mass metric. A
// start value moves the speeds that it speaks of, and no others.
//
//   constraints  A u + b = 0,   given values  G u + h = 0                                        (1)
// Given values that contradict each other are refused; but rates of Euler parameters keep the part
// that keeps their norm, and what a case or the command line gives wins over what the model says.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "visviva/kinematics/start_numbers.h"

namespace visviva {

struct StartSpeeds {
  Eigen::VectorXd wanted;     ///< what the start values say, constraints aside
  Eigen::VectorXd overruled;  ///< what the model alone says, where something else is said; or none
  Eigen::VectorXd speeds;
  std::vector<bool> is_released;   ///< by given value: it had to move
  std::vector<bool> is_overruled;  ///< by given value: a case or the command line says otherwise
  std::vector<std::size_t> contradiction;  ///< given values that contradict each other
  bool are_constraints_met = true;
};

/// `defaults` are the speeds as far as each start value by itself gives them; `shapes`, by speed, those that deform
/// bodies, which move last.
StartSpeeds make_start_speeds(const StartNumbers& numbers, const std::vector<GivenSpeed>& given,
                              const Eigen::VectorXd& defaults,
                              const std::vector<bool>& shapes = {});

/// True when speeds satisfy the constraint rows that are used.
bool can_satisfy_rows(const StartNumbers& numbers, const std::vector<bool>& used);

}  // namespace visviva
