// What commands with --equilibrium say about the equilibrium they found.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "visviva/equations/small_motion/equilibrium.h"

namespace visviva {

/// {found, reason, coordinates, residual, stability, stability_reason, free_coordinates, remarks}
nlohmann::ordered_json equilibrium_json(const Equilibrium& equilibrium, const Kinematics& motion);

/// Prints the equilibrium in words; on `err` when none was found.
void print_equilibrium(const Equilibrium& equilibrium, const Kinematics& motion, std::ostream& out,
                       std::ostream& err);

/// work: load -> speed -> {force, value}, and its sum by speed; displacements of what loads act on, and dependent ones by
/// the independent: all of them compatible with the constraints.
nlohmann::ordered_json virtual_work_json(const Equations& equations, const ConsistentStart& at);
void print_virtual_work(const Equations& equations, const ConsistentStart& at, std::ostream& out);

}  // namespace visviva
