// The search for a load's potential: known, the same everywhere, along a line, or by integration.
//
// F_r are generalized forces on all speeds that depend on configuration and time alone. What is
// found satisfies, exactly (load_energy.h (1)),
//   F_r = -sum_s dU/dx_s Y_sr   for every speed r, or for the independent ones                  (1)
// is continuous everywhere, and has a value at the start and wherever the forces have one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/energy/along_motion.h"
#include "visviva/equations/energy/potential_chart.h"
#include "visviva/equations/energy/time_symbols.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/kinematics/start_state.h"

namespace visviva {

/// A potential, and why it is one.
struct FoundPotential {
  Expr U;
  Reason reason;
  bool needs_constraints = false;
  bool is_integrated = false;
};

class PotentialSearch {
 public:
  /// `embedded` may be nullptr: then nothing is found that needs the constraints.
  PotentialSearch(const Equations& equations, const VelocitySplit& split,
                  const EmbeddedEquations* embedded);

  /// The potential of gravity, a spring or a `potential`, as its law tells it: not tested yet.
  std::optional<FoundPotential> known(const Load& load) const;
  /// The potential of forces that are the same everywhere, or act along a line by its length alone.
  std::optional<FoundPotential> by_place(const Load& load, const std::vector<Expr>& forces);
  /// A potential by integration, freely or where the constraints hold; or what failed.
  Result<FoundPotential, Reason> by_integration(const std::vector<Expr>& forces);
  /// The potential with the model's values put in; its slopes are those of the forces for these
  /// values.
  std::optional<FoundPotential> for_these_values(const std::vector<Expr>& forces);

  bool is_potential(const Expr& U, const std::vector<Expr>& forces) const;           ///< (1)
  bool is_embedded_potential(const Expr& U, const std::vector<Expr>& forces) const;  ///< (1)
  /// Why a function with a sign, a step or an angle around an axis in it is no potential; nothing for others.
  static Reasons explain_switch(const Expr& U);

 private:
  std::optional<Expr> known_potential(const Load& load) const;
  static Reason known_reason(const Load& load);
  Vector position(int point) const;
  Expr resolve(const Expr& e) const;
  Expr spring_potential(const SpringData& s) const;
  std::optional<Expr> constant_potential(const Load& load) const;
  std::optional<FoundPotential> central_potential(const Load& load,
                                                  const std::vector<Expr>& forces);
  std::optional<FoundPotential> central_potential(int P, int Q, const Vector& F,
                                                  const std::vector<Expr>& forces);
  std::optional<Expr> find_factor(const Vector& F, const Vector& d, const Replacements& lengths);
  Result<FoundPotential, Reason> integrate_freely(const std::vector<Expr>& forces);
  bool has_value(const Expr& U);
  bool adds_a_pole(const Expr& U, const std::vector<Expr>& forces);
  static Reason explain_not_integrable(const PotentialChart::Slopes& slopes);
  std::optional<FoundPotential> integrate_embedded(const std::vector<Expr>& forces);
  std::vector<Expr> reduce(const std::vector<Expr>& v) const;
  std::vector<Expr> reduced_rate(std::size_t coordinate) const;
  std::optional<std::size_t> coordinate_of(std::size_t i, const Expr& force) const;
  bool is_still(std::size_t coordinate);

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  const EmbeddedEquations* embedded_;
  TimeSymbols time_;
  PotentialChart chart_;
  std::optional<Embedding> embedding_;
  std::optional<StartState> start_;
  std::optional<ModelValues> values_;
};

}  // namespace visviva
