// The recursions behind Kinematics: angular velocities along the tree of frames, velocities along
// the tree of points.
//
// P is the parent of frame F, c a column of a point's offset written in F, h the frame in which
// w_PF is written:
//   w_NF = w_NP + w_PF                                                                        (1)
//   alpha_NF = alpha_NP + dw_PF/dt|h + w_Nh x w_PF                                            (2)
//   v_NQ = v_NO + sum_F (dc/dt|F + w_NF x c)                       Q = O + sum_F c            (3)
//   a_NQ = a_NO + sum_F (d2c/dt2|F + 2 w_NF x dc/dt|F + alpha_NF x c + w_NF x (w_NF x c))     (4)
// Velocities are kept as coefficients of the speeds; accelerations are the same coefficients times
// u' plus a part without u', which is what (2) and (4) are used for here.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "visviva/kinematics/linear_motion.h"
#include "visviva/kinematics/speeds.h"
#include "visviva/model/model_data.h"
#include "visviva/symbolic/calculus/differentiate.h"

namespace visviva {

/// A value that may still be missing and is never changed once it is there: copies share it.
template <class T>
class Shared {
 public:
  explicit operator bool() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  Shared& operator=(T value) {
    value_ = std::make_shared<const T>(std::move(value));
    return *this;
  }

 private:
  std::shared_ptr<const T> value_;
};

class MotionEngine {
 public:
  /// An engine that builds in `pool`, which stands on the pools of the model and the speeds.
  MotionEngine(std::shared_ptr<const ModelData> model, SpeedTable speeds, ExprPool& pool);
  /// An engine with all that another knows, for a pool on top of the other's.
  MotionEngine(const MotionEngine& below, ExprPool& pool);

  const ModelData& model() const { return *model_; }
  const SpeedTable& table() const { return table_; }
  /// How many frames and points the model had when it was analyzed.
  std::size_t frame_count() const { return frames_.size(); }
  std::size_t point_count() const { return points_.size(); }

  /// The definition of model speed i with its quantities of motion resolved; used where a spin
  /// contains that speed.
  void set_definition(std::size_t i, const Expr& resolved) { definitions_[i] = resolved; }

  /// w_NF, in whatever frame suits it.
  const VectorMotion& angular_velocity(int F);
  /// w_NF with columns in F.
  const VectorMotion& angular_velocity_in_frame(int F);
  /// The value of w_NF with columns in F, by (1) one frame after the other.
  const Column3& spin(int F);
  /// v_NQ, in whatever frame suits it.
  const VectorMotion& velocity(int Q);
  /// The part of alpha_NF without u', columns in F.
  const Column3& angular_acceleration_remainder(int F);
  /// The part of a_NQ without u', in the point's home frame.
  const Column3& acceleration_remainder(int Q);

  // What one frame or point adds to its parent's motion, in the frames in which it was written.

  /// w_PF.
  const VectorMotion& local_spin(int F);
  /// The part of (2) that F adds, without u', in the frame of local_spin.
  const Column3& local_angular_acceleration(int F);
  /// The terms of (3) that Q adds, one for each frame of its offset.
  const std::vector<VectorMotion>& local_velocity(int Q);
  /// The terms of (4) that Q adds, without u', likewise.
  const std::vector<Column3>& local_acceleration(int Q);

  /// The rate of a hidden angle or Euler parameter of a spin frame.
  const ScalarMotion& hidden_rate(int F, std::size_t which);
  /// The derivative by time of a function of configuration and time, linear in the speeds.
  ScalarMotion rate_of(const Expr& configuration);
  /// The derivative by time with u changing at u' (full) or held (without u').
  Expr time_derivative(const Expr& expr);
  Expr time_derivative_without_speed_rates(const Expr& expr);
  /// The vector v written in another frame.
  VectorMotion express(const VectorMotion& v, int frame);

 private:
  struct FrameMotion {
    Shared<VectorMotion> local;  // w_PF
    Shared<VectorMotion> w;      // w_NF, in the frame of `local`
    Shared<VectorMotion> w_F;
    Shared<Column3> spin;
    Shared<Column3> local_alpha;
    Shared<Column3> alpha_F;
  };
  struct PointMotion {
    Shared<std::vector<VectorMotion>> local_v;
    Shared<std::vector<Column3>> local_a;
    Shared<VectorMotion> v;
    Shared<Column3> a;
  };

  void prepare_frame(int F);
  VectorMotion local_angular_velocity(int F);
  VectorMotion sequence_angular_velocity(int F);
  VectorMotion quaternion_angular_velocity(int F);
  VectorMotion rodrigues_angular_velocity(int F);
  VectorMotion spin_angular_velocity(int F);
  [[noreturn]] void fail_circular(int speed) const;
  ScalarMotion linear_in_motion(const Expr& expr);
  Tangent& tangent(bool with_speed_rates);
  Column3 differentiate_column(const Column3& c);
  std::size_t rotation_work(const VectorMotion& v, int frame);
  Matrix3 rotation(int A, int B) const { return model_->rotation(A, B); }

  std::shared_ptr<const ModelData> model_;
  ExprPool& pool_;
  SpeedTable table_;
  std::vector<std::optional<FrameMotion>> frames_;
  std::vector<PointMotion> points_;
  std::unordered_map<int, std::vector<ScalarMotion>> hidden_;
  std::unordered_map<std::size_t, Expr> definitions_;
  std::unordered_map<Ref, ScalarMotion> rates_;
  std::unique_ptr<Tangent> full_, held_;
};

}  // namespace visviva
