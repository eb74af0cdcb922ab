#include "visviva/equations/loads/place_loads.h"

#include <optional>

#include "visviva/equations/loads/places.h"
#include "visviva/kinematics/linear_solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

bool keeps_power(const Kinematics& motion, const Load& placed, const Load& load) {
  return have_same_power(motion, {placed.forces, placed.torques},
                         compute_generalized_forces(motion, load));
}

class PartPlacer {
 public:
  PartPlacer(const Kinematics& motion, const Load& load)
      : motion_(motion), model_(motion.model()), load_(load), placed_(load) {
    placed_.generalized.clear();
    forces_.assign(motion.speeds().size(), model_.pool->zero());
    for (const auto& [r, F] : load.generalized) forces_[r] += F;
  }

  std::optional<Load> place() {
    if (!place_orientations() || !place_coordinates()) return {};
    return keeps_power(motion_, placed_, load_) ? std::optional(placed_) : std::nullopt;
  }

 private:
  bool is_free(int r) const { return motion_.speeds()[r].coordinate < 0; }

  // (1), for frames that three speeds turn which are rates of no coordinate.
  bool place_orientations() {
    for (std::size_t F = 1; F < model_.frames.size(); ++F) {
      const VectorMotion& spin = engine_of(motion_).local_spin(static_cast<int>(F));
      bool is_loaded = false, is_own = spin.coefficients.size() == 3;
      for (const auto& [r, c] : spin.coefficients) {
        is_loaded = is_loaded || !forces_[r].is_zero();
        is_own = is_own && is_free(r);
      }
      if (!is_loaded || !is_own) continue;
      if (!place_torque(static_cast<int>(F), spin)) return false;
      for (const auto& entry : spin.coefficients) forces_[entry.first] = model_.pool->zero();
    }
    return true;
  }

  bool place_torque(int F, const VectorMotion& spin) {
    std::vector<std::vector<Expr>> rows;
    for (const auto& [r, c] : spin.coefficients) rows.emplace_back(c.begin(), c.end());
    const auto inverse = invert(rows, {});
    if (!inverse) return false;
    Column3 T = zero_column(*model_.pool);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        T[i] += (*inverse)[i][k] * forces_[spin.coefficients[k].first];
    }
    const Vector torque(model_, {{spin.frame, T}}, Dimension());
    placed_.torques.emplace_back(F, torque);
    if (model_.frames[F].parent >= 0)
      placed_.torques.emplace_back(model_.frames[F].parent, -torque);
    return true;
  }

  bool place_coordinates() {
    for (std::size_t j = 0; j < model_.coordinates.size(); ++j) {
      const CoordinateData& q = model_.coordinates[j];
      if (q.quaternion >= 0) continue;
      const Expr Q = force_on(static_cast<int>(j));
      if (Q.is_zero()) continue;
      const std::optional<Place> place = place_coordinate(motion_, static_cast<int>(j));
      if (!place) return false;
      const Quantity size(Q, Dimension());
      for (const auto& [point, direction] : place->forces)
        placed_.forces.emplace_back(point, size * direction);
      for (const auto& [frame, direction] : place->torques)
        placed_.torques.emplace_back(frame, size * direction);
    }
    return true;
  }

  Expr force_on(int coordinate) const {
    if (load_.kind == Load::Kind::potential) {
      const Quantity V(model_.energies[load_.index].value, Dimension());
      return -differentiate(motion_.resolve(V).expr(*model_.pool),
                            model_.coordinates[coordinate].q);
    }
    for (std::size_t r = 0; r < forces_.size(); ++r) {
      if (motion_.speeds()[r].coordinate == coordinate) return forces_[r];
    }
    return model_.pool->zero();
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const Load& load_;
  Load placed_;
  std::vector<Expr> forces_;  // on speeds, those without a place
};

// The scalar that a spring, a damper or an energy acts on, when it is a coordinate.
int coordinate_of(const ModelData& model, const Load& load) {
  Expr on;
  if (load.kind == Load::Kind::spring || load.kind == Load::Kind::damper) {
    on = model.springs[load.index].on;
  } else {
    for (const Expr& s : free_symbols(model.energies[load.index].value)) {
      const SymbolRole* role = model.role(s);
      if (role == nullptr || (role->role != Role::coordinate && role->role != Role::rate)) continue;
      const Expr& q = model.coordinates[role->index].q;
      if (on.valid() && !(on == q)) return -1;
      on = q;
    }
  }
  if (!on.valid() || !on.is_symbol()) return -1;
  const SymbolRole* role = model.role(on);
  return role != nullptr && role->role == Role::coordinate ? role->index : -1;
}

// The load with its force on one coordinate put where that enters.
std::optional<Load> place_on_coordinate(const Kinematics& motion, const Load& load) {
  const ModelData& model = motion.model();
  const int coordinate = coordinate_of(model, load);
  if (coordinate < 0) return {};
  const std::optional<Place> place = place_coordinate(motion, coordinate);
  const ScalarMotion rate = motion.rate_of(model.coordinates[coordinate].q);
  if (!place || rate.coefficients.empty()) return {};
  // The generalized force on the coordinate itself, from any speed that moves it.
  const auto& [r, slope] = rate.coefficients.front();
  for (const auto& [s, force] : load.generalized) {
    if (s != r) continue;
    const Quantity size(force / slope, Dimension());
    Load placed = load;
    placed.generalized.clear();
    for (const auto& [point, direction] : place->forces)
      placed.forces.emplace_back(point, size * direction);
    for (const auto& [frame, direction] : place->torques)
      placed.torques.emplace_back(frame, size * direction);
    if (keeps_power(motion, placed, load)) return placed;
    break;
  }
  return {};
}

// The forces and moments of a potential or dissipation on what its text names: the negative slopes of W by displacements
// (O'Reilly & Srinivasa 2002 (4)-(6), (22), (23)), of a dissipation by velocities.
std::optional<Load> place_on_named(const Kinematics& motion, const Load& load) {
  const ModelData& model = motion.model();
  if (load.kind != Load::Kind::potential && load.kind != Load::Kind::dissipation) return {};
  const Displaced& displaced = model.energies[load.index].displaced;
  if (displaced.virtuals.empty() && load.kind == Load::Kind::potential) return {};
  const std::optional<Place> place =
      load.kind == Load::Kind::dissipation
          ? place_rates(motion, model.energies[load.index].value)
          : place_slopes(motion,
                         compute_virtual_slopes(*model.pool, displaced.scalar, displaced.virtuals));
  if (!place) return {};
  const Place actions = scale_place(*place, -model.pool->one());
  Load placed = load;
  placed.generalized.clear();
  placed.forces = actions.forces;
  placed.torques = actions.torques;
  return keeps_power(motion, placed, load) ? std::optional(placed) : std::nullopt;
}

}  // namespace

std::vector<Load> place_loads(const Kinematics& motion, std::vector<Load> loads) {
  const Workspace work = Workspace::continued(*motion.pool());
  for (Load& load : loads) {
    // An energy of driven parts alone moves nothing, and acts on them.
    const bool is_energy =
        load.kind == Load::Kind::potential || load.kind == Load::Kind::dissipation;
    if (load.generalized.empty() && !is_energy) continue;
    std::optional<Load> placed = place_on_named(motion, load);
    if (!placed && !load.generalized.empty()) placed = place_on_coordinate(motion, load);
    if (!placed && !load.generalized.empty()) placed = PartPlacer(motion, load).place();
    if (placed) load = *std::move(placed);
  }
  return loads;
}

}  // namespace visviva
