// The dynamics of the tree of frames and points: wrenches carried from the leaves to the roots,
// and the mass matrix by composite bodies.
//
// Points hang on points, O the parent of Q, c the columns of Q's offset, each in a frame F;
// frames hang on frames, P the parent of F. What kinematics carries outward, v_NQ = v_NO + sum_F
// (c' + w_NF x c) and w_NF = w_NP + w_PF, carries forces and torques inward:
//   force_O += force_Q,   torque_F += c x force_Q,   torque_P += torque_F                       (1)
// and the generalized force of a speed is what it finds where it enters, at the places where v or
// w gain from it:
//   F_r = sum_Q dc'/du_r · force_Q + sum_F dw_PF/du_r · torque_F                                (2)
// The columns of the mass matrix are (1), (2) for the inertia forces of a unit rate. What hangs
// on Q moves as one body when all its frames turn with the place where the rate enters, or none
// does; then a composite body stands for it, with mass m, first moment h and inertia J about Q:
//   force_Q = m a + alpha x h,   torque about Q = J alpha + h x a                               (3)
// (Composite bodies: Walker and Orin 1982; here for any speeds, and for offsets in any frames.)
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// Forces by point, columns in the point's work frame; torques by frame, columns in that frame.
/// Nothing means zero.
struct Wrenches {
  std::vector<std::optional<Column3>> forces;
  std::vector<std::optional<Column3>> torques;
};

/// J about a point from which the body's own reference, of first moment h, is p away: J + m p p and the mixed terms.
Matrix3 shift_inertia(const Matrix3& J, const Expr& m, const Column3& h, const Column3& p);
/// R J R', symmetric.
Matrix3 turn_inertia(const Matrix3& R, const Matrix3& J);

class TreeDynamics {
 public:
  /// A place where a speed enters: the spin of a frame, or one part of a point's offset.
  struct Entry {
    bool is_spin;
    int place;  // frame or point
    int speed;
    int frame;  // of the column
    Column3 column;
  };

  /// `with_composites`: compute_mass_matrix() is wanted.
  explicit TreeDynamics(const Kinematics& motion, bool with_composites = true);

  Wrenches no_wrenches() const;
  void add_force(Wrenches* wrenches, int point, const Vector& force) const;
  void add_torque(Wrenches* wrenches, int frame, const Vector& torque) const;
  /// Minus mass times acceleration, without u'. `field` is a uniform gravity taken as
  /// acceleration of the ground, or nullptr.
  void add_inertia_forces(Wrenches* wrenches, const Vector* field) const;

  /// Makes the sums (1): each force and torque becomes the sum of all that hangs on it.
  void gather(Wrenches* wrenches) const;
  /// The generalized forces (2) of gathered wrenches, for every speed.
  std::vector<Expr> project(const Wrenches& gathered) const;

  /// M, all speeds.
  std::vector<std::vector<Expr>> compute_mass_matrix() const;

  /// True when Q is P or hangs on it.
  bool hangs_on(int Q, int P) const;
  /// True when a frame is F or hangs on it.
  bool turns_with(int frame, int F) const;
  const std::vector<Entry>& entries() const { return entries_; }
  /// The frame in which forces at a point are written.
  int work_frame(int point) const { return work_[static_cast<std::size_t>(point)]; }

 private:
  struct Composite {
    Expr mass;
    Column3 h;
    Matrix3 J;
  };
  // What hangs on a point and moves as one body with a given entry.
  struct Group {
    int point;
    bool is_turning;
  };
  struct Interval {
    int first = 0, last = 0;
    bool holds(int i) const { return first <= i && i <= last; }
  };

  void number_trees();
  void choose_work_frames();
  void list_entries();
  void make_composites();
  Composite composite_of(int Q, const std::vector<std::vector<int>>& children) const;
  Matrix3 rotation(int A, int B) const;
  Column3 turn(int to, int from, const Column3& c) const;
  bool meets(const std::vector<int>& numbers, int frame) const;
  Wrenches respond(const Entry& entry, bool with_groups, std::vector<Group>* groups) const;
  void respond_to_spin(const Entry& entry, bool with_groups, std::vector<Group>* groups,
                       Wrenches* w) const;
  bool sees(const Entry& entry, const Entry& mover, const std::vector<Group>& groups) const;
  Expr reading(const Entry& entry, const Wrenches& gathered) const;
  std::vector<const Entry*> add_leaves(
      const std::function<void(const Entry&, const Entry&, const Expr&)>& add) const;

  const ModelData* model_;
  MotionEngine* engine_;
  ExprPool* pool_;
  std::size_t speed_count_;
  std::vector<Entry> entries_;
  std::vector<std::vector<int>> bodies_at_;  // by point
  // numbering of the frame tree: a subtree is an interval
  std::vector<Interval> frame_numbers_;
  std::vector<Interval> point_numbers_;
  std::vector<int> work_;
  std::vector<bool> has_mass_;  // of a point: something that hangs on it has
  // frames (numbers) of the offsets that hang on a point
  std::vector<std::vector<int>> parts_beyond_;
  std::vector<std::vector<int>> frames_beyond_;  // the same and the frames of the bodies there
  std::vector<std::optional<Composite>> composites_;
};

}  // namespace visviva
