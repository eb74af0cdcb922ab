// ReactionParts: what acts on what in a mechanism, as expressions: the terms of reactions.h (1) to
// (3) before they are added up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/equations.h"
#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/equations/methods/tree_dynamics.h"
#include "visviva/kinematics/start_state.h"
#include "visviva/kinematics/total_motion.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {

/// Expressions whose values are asked for together: each is known by the place of its first entry.
class ReactionSheet {
 public:
  std::size_t add(const Expr& e);
  std::size_t add(const Column3& c);
  const Expr& expr(std::size_t place) const { return exprs_[place]; }
  Column3 column(std::size_t place) const;

  /// After the last add().
  void close();
  std::vector<double> values(const StartState& state) const;

 private:
  std::vector<Expr> exprs_, symbols_;
  std::optional<Evaluator> evaluator_;
};

/// A force at a point or a torque on a frame, columns in N.
struct Action {
  bool is_torque;
  int place;           ///< point or frame
  std::size_t column;  ///< in the sheet
};

struct ReactionParts {
  explicit ReactionParts(const Equations& e);

  struct Body {
    int point, frame;
    std::size_t force;
    std::optional<std::size_t> torque;
  };
  struct LoadEntry {
    std::string name;
    std::vector<Action> actions;
    std::size_t through_speeds;
    std::optional<std::size_t> loose_power;
    bool is_placed;
    /// Of an energy inside of lines: the point that they hang on, with all that the energy acts on.
    std::optional<int> root{};
    std::vector<std::size_t> open_powers{};  ///< of a unit of each OpenEntry's unknown force
  };
  struct RowEntry {
    int constraint;
    bool is_placed;
    std::vector<Action> actions;
    std::size_t axis;  ///< column: the direction in N of a row of a vector constraint or roll
    bool is_drive;     ///< of a coordinate that follows a function: what moves it acts at its joint
  };
  /// Axes along which a roll has no row, because the description keeps contact by itself: where
  /// nothing else can carry the body there, the contact carries all.
  struct Support {
    int constraint;
    bool is_only;
    std::vector<std::size_t> axes;  ///< columns in N
    int root;                       ///< the point on which all hangs that is carried
    int contact;                    ///< the point of contact
  };
  /// What a condition would do that has no row, because the description keeps it by itself: whoever else carries there
  /// shares with it, nobody knows how.
  struct Idle {
    int constraint;
    int component;  ///< along this axis of N, of a vector constraint
    std::vector<Action> actions;
  };
  /// What changes with a unit of an unknown force that constraints take up (absorbed_unknowns.h): its own actions, and those of
  /// the rows whose multipliers give way. A result that it changes is not determined.
  struct OpenEntry {
    Expr unknown;
    bool is_placed = true;
    std::vector<Action> own;                                          ///< of the unknown force
    std::vector<std::pair<std::size_t, std::vector<Action>>> rows{};  ///< by the row that gives way
    std::vector<Expr> shares{};                                       ///< y, by row

    std::vector<Action> all() const;
    /// Those of the rows of one constraint.
    std::vector<Action> of(int constraint, const std::vector<RowEntry>& all_rows) const;
  };
  struct MotorEntry {
    std::string name;
    std::size_t rate;
    std::vector<std::size_t> body_v, body_w, load_slopes, row_slopes;
    std::vector<std::size_t> open_slopes;  ///< by OpenEntry
    bool is_determined;
  };
  /// The part of the model that a constraint's reaction is said to act on.
  struct Subject {
    Action named;
    int body;   ///< -1: the ground, or none
    int point;  ///< that the moment is about
  };

  const Equations equations;
  const Kinematics& motion;
  const ModelData& model;
  std::unique_ptr<Workspace> work;  ///< open while the parts are listed
  TreeDynamics tree;
  ReactionSheet sheet;
  std::vector<std::size_t> positions;  ///< by point
  std::vector<bool> on_ground;         ///< by point
  std::vector<int> carried;            ///< by frame: a point that moves with what the frame carries
  std::vector<std::optional<std::size_t>> point_velocity, frame_spin;
  std::vector<Body> bodies;
  std::vector<LoadEntry> loads;
  std::vector<RowEntry> rows;
  std::vector<Support> supports;
  std::vector<Idle> idle;
  std::vector<OpenEntry> open;
  std::vector<MotorEntry> motors;

  /// 1 where the force of the contact on the body that rolls acts on something that hangs on P, -1 where its opposite
  /// does, 0 for neither or both.
  int count_support(const Support& support, int P) const;
  /// The action is on something that hangs on P.
  bool is_beyond(const Action& a, int P) const;
  /// Where a load acts beyond P is known, or it acts inside of what hangs there.
  bool is_known_at(const LoadEntry& load, int P) const {
    return load.is_placed || (load.root && tree.hangs_on(*load.root, P));
  }
  /// Some body hangs on P.
  bool carries_mass(int P) const;
  /// The body that a force or torque acts on; -1: the ground, or none.
  int body_of(const Action& a) const;
  /// Nullptr when the constraint has no row.
  const RowEntry* first_row(int constraint) const;
  /// The body that the constraint names first, and the first point in it; the row is placed.
  Subject find_subject(const RowEntry& first) const;
  bool acts_on(const Subject& subject, const Action& a) const;
  /// Of these actions, those on something that hangs on P, and those on a constraint's subject.
  std::vector<Action> choose(const std::vector<Action>& actions, int P) const;
  std::vector<Action> choose(const std::vector<Action>& actions, const Subject& subject) const;

 private:
  Column3 in_N(const Vector& v);
  std::optional<int> find_root(const Load& load) const;
  const Action* find_mentioned(const RowEntry& row, const Mention& mention) const;
  void list_points();
  void list_bodies();
  std::vector<Action> list_actions(const std::vector<std::pair<int, Vector>>& forces,
                                   const std::vector<std::pair<int, Vector>>& torques);
  void list_loads();
  void require_velocity(int P);
  void require_spin(int F);
  Expr power_through_speeds(const Load& load);
  Expr loose_power(const Load& load);
  void list_rows();
  void list_supports();
  void list_idle();
  void add_idle(int constraint, int component);
  void list_open();
  Load differentiate_load(const Load& load, const Expr& symbol) const;
  Expr open_power(const AbsorbedUnknown& unknown, const std::vector<Load>& units,
                  std::size_t load) const;
  std::size_t open_slope(const OpenEntry& entry, const std::vector<std::size_t>& row_slopes,
                         const Expr& symbol);
  int find_root(const ConstraintData& roll) const;
  bool is_only_support(const Support& support) const;
  bool shares_motion(int P, int but_for) const;
  bool is_constrained(const Support& support) const;
  bool is_driven(const ConstraintData& roll) const;
  bool slides_along(const ConstraintData& roll) const;
  bool is_pulled_across(const Support& support) const;
  bool is_pulled(const Column3& axis, int P) const;
  bool is_strained(const Action& hold) const;
  std::optional<Expr> motor_symbol(const SpecifiedData& s);
  std::vector<Expr> speed_slopes(const Expr& symbol) const;
  std::size_t slope(const VectorMotion& v, const Expr& symbol);
  std::size_t point_slope(int P, const Expr& symbol);
  std::size_t frame_slope(int F, const Expr& symbol);
  void list_motors();

  TotalMotion whole_;
  std::vector<Expr> slopes_now_;  // of the speeds, for the motor being listed
};

}  // namespace visviva
