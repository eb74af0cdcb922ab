// Where a difference between two sets of equations comes from: the load or body that makes it.
//
// A term that is the difference itself, or half of it, stands on one side only or with opposite signs;
// where there is none, terms are named whose parameters all occur in the difference.
#pragma once

#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// A load or body that makes a difference between two sets of equations.
struct DifferenceTerm {
  enum class From { load, force_of_load, torque_of_load, inertia_of_body };
  enum class Evidence {
    one_side_only,     ///< the term is the difference
    opposite_signs,    ///< the term is half the difference
    shared_parameters  ///< its parameters occur in the difference
  };
  From from = From::load;
  std::string name{};   ///< of the load or body
  std::string place{};  ///< the point of a force, the frame of a torque
  Evidence evidence = Evidence::one_side_only;

  bool operator==(const DifferenceTerm&) const = default;
};

/// Terms behind a difference of the entry r, s of the mass matrix; none when nothing explains it.
std::vector<DifferenceTerm> explain_mass_difference(const Kinematics& motion,
                                                    const Expr& difference, std::size_t r,
                                                    std::size_t s);
/// Terms behind a difference of the entry r of the forcing; none when nothing explains it.
std::vector<DifferenceTerm> explain_forcing_difference(const Kinematics& motion,
                                                       const Expr& difference, std::size_t r);

}  // namespace visviva
