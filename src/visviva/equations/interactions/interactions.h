// Interactions: who acts on whom in a mechanism, with which force and moment, and what invariance says about it.
//
// An interaction has a power: of a potential W, a constraint's row or a force law, B its parts (bodies, particles, frames and
// points without mass, the ground), x_B the point of a part, v_B its velocity, w_B its angular velocity:
//   P = sum_B F_B · v_B + M_B · w_B                                                             (1)
// F_B and M_B are -∂W/∂x_B and -w_B for a potential, lambda f_B and lambda g_B for a constraint (O'Reilly & Srinivasa 2002 (20),
// (22), (23)). It is properly invariant when P is the same after any rigid motion superposed on all parts, that is when
//   sum F_B = 0,   sum (M_B + x_B x F_B) = 0                                                    (2)
// and the law turns with the parts: L(S x + s, S Q, S v) = S L(x, Q, v), at any time ((19) there). (2) is Newton's third law in its
// general form ((24) there). Judged over the parts without the ground, and once more with it; the ground's share comes from
// its own displacement, never as minus the rest.
// What depends on time does so through parts that are driven, or explicitly: time_dependence.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/base/result_table.h"
#include "visviva/equations/equations.h"
#include "visviva/equations/interactions/interaction.h"

namespace visviva {

/// The classes of the Proposition (39)-(42) in O'Reilly & Srinivasa 2002, for a potential in a model: whether its power alone
/// determines its forces.
enum class PowerClass {
  no_force,  ///< W depends on time and no constraint does: power determines no force; virtual work was used
  one_multiplier,   ///< some constraint depends on time: one multiplier follows from the others
  free_multipliers  ///< neither does: up to the constraints' own forces, power determines them
};

class Interactions {
 public:
  const std::vector<Interaction>& list() const { return list_; }
  /// Nullptr when nothing is called so.
  const Interaction* find(const std::string& name) const;
  const Part& part(int index) const { return parts_[index]; }
  /// The part of that name that interactions may act on; -1 when there is none.
  int find_part(const std::string& name) const;
  PowerClass classify(const Interaction& potential) const;

  /// Columns in N of the force on a part and of its moment about the part's point; zero where the interaction does not act on
  /// it. Nothing where it is not placed.
  struct Wrench {
    Column3 force, moment;
  };
  std::optional<Wrench> wrench_on(const Interaction& interaction, int part) const;
  /// The value of a result by name, such as "force(S, B).x" or "power(S, B)"; nothing where it is not known: the interaction has no place, or the
  /// value holds what is open.
  std::optional<Expr> find_component(const std::string& name) const;

  const Equations& equations() const { return equations_; }
  /// The finished pool of the expressions.
  const std::shared_ptr<ExprPool>& pool() const { return pool_; }

 private:
  friend Interactions analyze_interactions(const Equations& equations);
  explicit Interactions(const Equations& equations) : equations_(equations) {}
  std::optional<Expr> find_value(const CalledResult& called, const Interaction& interaction,
                                 int part, char axis) const;
  Expr power_on(const Wrench& wrench, const Part& part) const;

  Equations equations_;
  std::vector<Part> parts_;
  std::vector<Interaction> list_;
  std::vector<std::pair<std::string, int>> part_names_;
  bool has_moving_rows_ = false;
  std::shared_ptr<ExprPool> pool_;
};

/// All interactions of a model: gravity, forces and torques, springs and dampers, potentials and dissipations, constraints,
/// motors, in that order and in order of declaration. ModelError when a law cannot be used.
Interactions analyze_interactions(const Equations& equations);

/// The word for a kind: "gravity", "constraint", ...
std::string_view kind_name(Interaction::Kind kind);

}  // namespace visviva
