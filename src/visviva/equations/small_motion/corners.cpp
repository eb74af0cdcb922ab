#include "visviva/equations/small_motion/corners.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/small_motion/variations.h"
#include "visviva/numeric/product.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SmallMotionReason::Kind;

constexpr double far_away = 1e-5, near_by = 1e-7;  // of 1 + |X|: places beside the surface
constexpr double corner_part = 1e-6;               // of the largest rate or slope: less is no jump

Expr strip_sign(const Expr& e) { return Expr(e.pool(), e.ref() & ~Ref{1}); }

// What changes its sign where the node changes over.
std::vector<Expr> list_arguments(ExprPool& pool, const Node& node) {
  switch (node.op) {
    case Op::step:
    case Op::sign:
    case Op::abs:
      return {strip_sign(Expr(pool, node.a))};
    case Op::min:
    case Op::max:
      return {strip_sign(Expr(pool, node.a) - Expr(pool, node.b))};
    default:
      return {};
  }
}

// How much a corner says against a rest on it.
int rank_of(Kind kind) {
  switch (kind) {
    case Kind::forces_stop:
      return 1;
    case Kind::forces_push_back:
      return 2;
    case Kind::forces_have_corner:
      return 3;
    case Kind::forces_lead_away:
      return 4;
    default:
      return 0;
  }
}

class CornerSearch {
 public:
  CornerSearch(const MotionSystem& system, const StartState& state, double distance)
      : system_(system), state_(state), distance_(distance) {}

  SmallMotionReason run() {
    SmallMotionReason worst;
    const std::vector<Expr> all = system_.everything();
    if (all.empty()) return worst;
    ExprPool& pool = common_pool(all, "find_corner");
    for (const std::uint32_t i : collect_cone(pool, refs_in(pool, all, "find_corner"))) {
      const Node node = pool.node(i << 1);  // a copy: building may move the nodes
      for (const Expr& argument : list_arguments(pool, node)) {
        SmallMotionReason found = judge(argument);
        if (rank_of(found.kind) > rank_of(worst.kind)) std::swap(worst, found);
        if (found)
          worst.names.insert(worst.names.end(), found.names.begin() + 1, found.names.end());
      }
    }
    return worst;
  }

 private:
  // Rates and their slopes on one side of the surface less those on the other.
  struct Jump {
    VectorXd rates;
    MatrixXd slopes;
    double rate_size = 0, slope_size = 0;
    VectorXd above, below;  // rates
    bool is_known = false;
  };

  SmallMotionReason judge(const Expr& argument) {
    if (!has_values(argument)) return {};
    const VectorXd& X = system_.start();
    const std::vector<Expr> slopes = gradient(argument, system_.states());
    VectorXd g(X.size());
    for (Index i = 0; i < g.size(); ++i) g(i) = state_.value(slopes[static_cast<std::size_t>(i)]);
    if (!(g.norm() > 0) || !g.allFinite()) return {};
    const double reach = g.cwiseAbs().dot((X.cwiseAbs().array() + 1.0).matrix());
    const double value = state_.value(argument);
    if (!(std::abs(value) <= distance_ * reach)) return {};
    const VectorXd on = X - value / g.squaredNorm() * g;
    const Jump far = look(on, g, far_away), near = look(on, g, near_by);
    if (!far.is_known || !near.is_known) return {};
    // What is smooth differs less and less.
    const auto stays = [](double at_near, double at_far, double size) {
      return at_near > corner_part * size && at_near > 0.5 * at_far;
    };
    if (stays(near.rates.cwiseAbs().maxCoeff(), far.rates.cwiseAbs().maxCoeff(), near.rate_size))
      return name(argument, choose_kind(g, near));
    if (stays(near.slopes.cwiseAbs().maxCoeff(), far.slopes.cwiseAbs().maxCoeff(), near.slope_size))
      return name(argument, Kind::forces_have_corner);
    return {};
  }

  // Accelerations are solved for, and have no value yet.
  bool has_values(const Expr& e) const {
    const std::vector<Expr> inside = free_symbols(e);
    return std::all_of(inside.begin(), inside.end(),
                       [&](const Expr& s) { return state_.known.contains(s); });
  }

  Jump look(const VectorXd& on, const VectorXd& g, double distance) const {
    Jump jump;
    const VectorXd away = distance * (1 + on.norm()) / g.norm() * g;
    const auto above = system_.compute_slopes(system_.start_time(), on + away);
    const auto below = system_.compute_slopes(system_.start_time(), on - away);
    if (!above || !below) return jump;
    const MatrixXd A = compute_full_slopes(system_, *above),
                   B = compute_full_slopes(system_, *below);
    jump.above = above->X_rates;
    jump.below = below->X_rates;
    jump.rates = jump.above - jump.below;
    jump.slopes = A - B;
    jump.rate_size = std::max(jump.above.cwiseAbs().maxCoeff(), jump.below.cwiseAbs().maxCoeff());
    jump.slope_size = std::max(A.cwiseAbs().maxCoeff(), B.cwiseAbs().maxCoeff());
    jump.is_known = true;
    return jump;
  }

  // How what vanishes on the surface begins to change, let go on either side of it.
  Kind choose_kind(const VectorXd& g, const Jump& jump) const {
    const Index n = static_cast<Index>(system_.configuration_count()), m = g.size() - n;
    const bool is_of_motion = g.tail(m).norm() > 0;
    const auto start = system_.compute_slopes(system_.start_time(), system_.start());
    if (!start) return Kind::forces_have_corner;
    const auto pull = [&](const VectorXd& rates) {
      const VectorXd accelerations = rates.tail(m);
      return is_of_motion
                 ? g.tail(m).dot(accelerations)
                 : g.head(n).dot(VectorXd(product(start->F.X.rightCols(m), accelerations)));
    };
    const double above = pull(jump.above), below = pull(jump.below);
    if (above < 0 && below > 0) return is_of_motion ? Kind::forces_stop : Kind::forces_push_back;
    return above > 0 && below < 0 ? Kind::forces_lead_away : Kind::forces_have_corner;
  }

  SmallMotionReason name(const Expr& argument, Kind kind) const {
    SmallMotionReason reason{.kind = kind, .names = {print(argument)}};
    for (const Expr& s : free_symbols(argument)) {
      const std::vector<Expr>& X = system_.states();
      if (std::find(X.begin(), X.end(), s) != X.end())
        reason.names.push_back(s.home().symbol_name(s.ref()));
    }
    return reason;
  }

  const MotionSystem& system_;
  const StartState& state_;
  double distance_;
};

}  // namespace

bool is_corner(const SmallMotionReason& reason) { return rank_of(reason.kind) > 0; }

SmallMotionReason find_corner(const MotionSystem& system, const StartState& state,
                              double distance) {
  return CornerSearch(system, state, distance).run();
}

}  // namespace visviva
