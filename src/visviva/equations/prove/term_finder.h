// Where a difference between two sets of equations comes from: the load or body that makes it.
//
// A term that is the difference itself, or half of it, stands on one side only or with opposite signs;
// where there is none, terms are named whose parameters all occur in the difference.
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// Terms behind a difference of the entry r, s of the mass matrix; none when nothing explains it.
std::vector<std::string> explain_mass_difference(const Kinematics& motion, const Expr& difference,
                                                 std::size_t r, std::size_t s);
/// The same for the entry r of the forcing.
std::vector<std::string> explain_forcing_difference(const Kinematics& motion,
                                                    const Expr& difference, std::size_t r);

}  // namespace visviva
