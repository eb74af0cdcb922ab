// What recursions along trees start from: bodies that move as one taken together, the frames in which vectors are
// carried, and all that acts on them at u' = 0.
//
// Bodies with mass center c from a common point Q, fixed in one frame F, are one with
//   m = sum m_i,   h = sum m_i c_i,   S = sum (S_i + m_i c_i c_i'),   J = tr S 1 - S               (1)
// about Q; at u' = 0 it needs, with a the acceleration of Q less gravity and w, alpha those of F,
//   W = [alpha]x + w w' - w·w 1,   force = -(m a + W h),   torque = -(h x a + sum_i e_i x W S e_i)   (2)
//
// Mass that lies on the axis about which F turns in its parent P does not turn: with k along the axis and Q on it, m, h_k and
// S_kk are as well those of what is fixed in P. There they cost nothing where P has mass, or is the ground
// (W. Khalil, J. F. Kleinfinger: Minimum operations and minimum parameters of the dynamic models of tree structure robots,
// IEEE Journal of Robotics and Automation 3 (1987)).
//
// A bound of M_rr, for what is rounding in a pivot: with l the length of an offset, as the sum of its components' sizes, what
// hangs on a point has mass m, first moment h and moment of inertia k about it of at most
//   h' = h + m l,   k' = k + 2 h l + m l^2                                                     (3)
// one offset farther back, so that a spin s has at most s·s k', a displacement c at most c·c m. Where lengths do not change,
// that is a number.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/tree_dynamics.h"

namespace visviva {

/// Bodies that move as one, or a particle (then F does not matter: J and h are zero).
struct RigidGroup {
  int point, frame;  ///< Q and F; no frame: -1
  Expr mass;
  Column3 h;  ///< in F
  Matrix3 S;  ///< about Q, in F
  Matrix3 J;
};

class MovingTrees {
 public:
  /// Whether accelerations are those at u' = 0, as (2) has them, or hold u'.
  enum class Rates { left_out, included };
  explicit MovingTrees(const Kinematics& motion, Rates rates = Rates::left_out);

  const std::vector<RigidGroup>& groups() const { return groups_; }
  /// The frame nearest to the ground in which a frame is at rest.
  int rigid_root(int frame) const;
  /// Neither time nor coordinates change it.
  bool is_constant(const Column3& c) const;
  /// The frame in which vectors at a point are written.
  int work_frame(int point) const { return tree_.work_frame(point); }
  /// Turns columns in B into columns in A.
  Matrix3 rotation(int A, int B) const { return model_.rotation(A, B); }
  Column3 turn(int to, int from, const Column3& c) const {
    return to == from ? c : rotation(to, from) * c;
  }
  /// Inertia forces (2), gravity and loads: forces by point, columns in its work frame; torques by frame. What loads do to
  /// speeds directly is added to `generalized`.
  Wrenches collect_wrenches(std::vector<Expr>* generalized) const;
  /// Loads alone, without gravity.
  Wrenches collect_loads_alone(std::vector<Expr>* generalized) const;
  /// The generalized forces of wrenches at their places (tree_dynamics.h (1) and (2)).
  std::vector<Expr> project(Wrenches wrenches) const;
  /// (2) of each group, gravity with it; in its frame, or the work frame of its point when it has none.
  struct InertiaForce {
    Column3 force, torque;
  };
  std::vector<InertiaForce> collect_inertia_forces() const;
  /// Bounds (3) of M's diagonal.
  std::vector<Expr> bound_inertias() const;
  /// All frames turn about one axis.
  bool is_plane() const;

 private:
  struct Anchor {
    int point;       ///< to which a point is fixed
    Column3 offset;  ///< from there, in the frame
  };

  // (1) of what is fixed in a frame, about a point.
  struct MassMoments {
    int point, frame;
    Expr m;
    Column3 h;
    Matrix3 S;
    const BodyData* only = nullptr;  // a body by itself
  };

  void make_groups();
  std::vector<MassMoments> collect_groups() const;
  void give_to_carriers(std::vector<MassMoments>* groups) const;
  void give_to_carrier(std::size_t group, std::vector<MassMoments>* groups) const;
  std::optional<std::size_t> find_axis(int frame) const;
  Column3 compute_torque(const RigidGroup& group, const Matrix3& turning) const;
  Anchor find_anchor(int point, int frame) const;
  void add_force(Wrenches* wrenches, int point, const Vector& force) const;
  void add_torque(Wrenches* wrenches, int frame, const Vector& torque) const;
  void find_angular_accelerations();
  void add_loads(Wrenches* wrenches, std::vector<Expr>* generalized) const;
  std::vector<Column3> compute_accelerations() const;
  Matrix3 compute_turning(int frame) const;
  void find_turnings() const;
  Column3 accelerate_part(const Vector::Part& part, const Matrix3& turning, int to) const;
  struct Moments {
    Expr m, h, k;
  };
  Expr length_of(int point) const;
  std::vector<Moments> collect_moments(bool shifted) const;
  Expr bound_spin(int frame, const std::vector<Moments>& shifted) const;

  const Kinematics& motion_;
  const ModelData& model_;
  MotionEngine& engine_;
  ExprPool& pool_;
  TreeDynamics tree_;
  const Rates rates_;
  std::vector<Column3> alphas_;  // by frame, columns in it
  std::vector<RigidGroup> groups_;
  mutable std::map<int, Matrix3> turnings_;  // W by frame
};

}  // namespace visviva
