// EnergyReport: energies and integrals with everything that a reader wants to see beside them, as
// expressions. Text and JSON are written from it.
#pragma once

#include <string>
#include <vector>

#include "visviva/equations/energy/integrals.h"
#include "visviva/equations/energy/ledger.h"
#include "visviva/report/derivation/derivation_column.h"

namespace visviva {

/// v_R and v_t of a point, or w_R and w_t of a body.
struct Portions {
  std::string name;
  FramedColumn moved, carried;
};

struct EnergyReport {
  Energies energies;
  Integrals integrals;
  Ledger ledger;
  std::vector<Portions> points;      ///< mass centers
  std::vector<Portions> bodies;      ///< not particles
  Expr Z_rate;                       ///< sigma_R - P_nonconservative
  std::shared_ptr<ExprPool> pool{};  ///< holds the expressions

  const ModelData& model() const { return energies.equations.motion.model(); }
  const std::string& speed_name(int r) const;
  /// Every expression that text shows, for common intermediates.
  std::vector<Expr> expressions() const;
};

/// The report on the energies of equations. ModelError as analyze_energy.
EnergyReport make_energy_report(const Equations& equations, const ConsistentStart& start);
EnergyReport make_energy_report(Energies energies, const ConsistentStart& start);

/// "conservative", "nonconservative", "both", "no power".
std::string role_name(LoadRole role);
/// "all parameters" or "these values".
std::string scope_name(Scope scope);
/// "every motion", "where the constraints hold" or "from this start".
std::string extent_name(Extent extent);

}  // namespace visviva
