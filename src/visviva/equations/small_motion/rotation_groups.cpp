#include "visviva/equations/small_motion/rotation_groups.h"

#include <algorithm>

#include "visviva/equations/small_motion/motion_residual.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using OrientationKind = Orientation::Kind;

// A frame's part in the search: what it is turned by.
struct Link {
  int frame;
  std::vector<int> variables;
};

class GroupSearch {
 public:
  GroupSearch(const Kinematics& motion, const std::vector<Expr>& configuration)
      : motion_(motion), model_(motion.model()), configuration_(configuration) {
    is_taken_.resize(configuration.size(), false);
  }

  std::vector<RotationGroup> run() {
    for (int F = 1; F < frame_count(); ++F) {
      if (!is_simple(F)) add({{F, variables_of(F)}}, 4);
    }
    for (int F = 1; F < frame_count(); ++F) {
      if (is_simple(F) && model_.frames[F].body >= 0) add(chain_to(F), 3);
    }
    return std::move(groups_);
  }

 private:
  int frame_count() const { return static_cast<int>(model_.frames.size()); }

  bool is_simple(int F) const {
    const FrameData& f = model_.frames[F];
    return f.orientation.kind == OrientationKind::simple ||
           (f.orientation.kind == OrientationKind::spin && f.hidden.size() == 1);
  }

  std::vector<int> variables_of(int F) const {
    std::vector<Expr> entries;
    for (const Column3& row : model_.frames[F].R_PB)
      entries.insert(entries.end(), row.begin(), row.end());
    std::vector<int> variables;
    for (std::size_t i = 0; i < configuration_.size(); ++i) {
      if (varies_with(entries, configuration_[i])) variables.push_back(static_cast<int>(i));
    }
    return variables;
  }

  // All frames without mass, each turned by one angle, that carry this one; the topmost first.
  std::vector<Link> chain_to(int B) const {
    std::vector<Link> chain;
    for (int F = B; F > 0 && is_simple(F) && (F == B || model_.frames[F].body < 0);
         F = model_.frames[F].parent)
      chain.push_back({F, variables_of(F)});
    while (!chain.empty() && chain.back().variables.empty()) chain.pop_back();
    return {chain.rbegin(), chain.rend()};
  }

  void add(const std::vector<Link>& chain, std::size_t most) {
    std::vector<int> variables;
    for (const Link& link : chain) {
      for (const int v : link.variables) {
        if (is_taken_[v] || std::count(variables.begin(), variables.end(), v) > 0) return;
        variables.push_back(v);
      }
    }
    const bool is_unit = variables.size() == 4 && is_quaternion(chain[0].frame);
    if (variables.size() > most || (variables.size() != 3 && !is_unit)) return;

    RotationGroup group{.carrier = model_.frames[chain.front().frame].parent,
                        .frame = chain.back().frame,
                        .variables = variables,
                        .name = model_.frames[chain.back().frame].name};
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      group.has_joints = group.has_joints || serves_others(chain[i].frame, chain[i + 1].frame);
    if (!fill_motion(chain, &group)) return;
    for (const int v : variables) is_taken_[v] = true;
    groups_.push_back(std::move(group));
  }

  bool is_quaternion(int F) const {
    return model_.frames[F].orientation.kind == OrientationKind::quaternion ||
           model_.frames[F].hidden.size() == 4;
  }

  // An angular velocity that follows an input has a rate that nobody knows.
  bool fill_motion(const std::vector<Link>& chain, RotationGroup* group) {
    MotionEngine& engine = engine_of(motion_);
    const int B = group->frame;
    VectorMotion w = zero_vector_motion(*model_.pool, B);
    for (const Link& link : chain) add_to(w, engine.express(engine.local_spin(link.frame), B));
    group->R_PB = model_.rotation(group->carrier, B);
    group->w_PB_B = total(w, motion_.table().symbols);
    for (std::size_t i = 0; i < 3; ++i)
      group->alpha_PB_B[i] = engine.time_derivative(group->w_PB_B[i]);
    const std::vector<Expr> w_PB(group->w_PB_B.begin(), group->w_PB_B.end());
    return std::none_of(model_.inputs.begin(), model_.inputs.end(),
                        [&](const InputData& input) { return varies_with(w_PB, input.symbol); });
  }

  // Whether anything but the next frame of the chain is written in F.
  bool serves_others(int F, int next) const {
    const auto mentions = [F](const Vector& v) {
      return std::any_of(v.parts().begin(), v.parts().end(),
                         [F](const Vector::Part& part) { return part.frame == F; });
    };
    for (int G = 1; G < frame_count(); ++G) {
      const FrameData& g = model_.frames[G];
      if (G != next && (g.parent == F || mentions(g.orientation.angular_velocity))) return true;
    }
    for (const PointData& p : model_.points)
      if (mentions(p.offset)) return true;
    for (const ForceData& f : model_.forces)
      if (f.frame == F || f.from_frame == F || mentions(f.value)) return true;
    for (const ConstraintData& c : model_.constraints)
      if (c.body == F || c.on == F || mentions(c.vector)) return true;
    return false;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const std::vector<Expr>& configuration_;
  std::vector<bool> is_taken_;
  std::vector<RotationGroup> groups_;
};

}  // namespace

std::vector<RotationGroup> find_rotation_groups(const Kinematics& motion,
                                                const std::vector<Expr>& configuration) {
  return GroupSearch(motion, configuration).run();
}

}  // namespace visviva
