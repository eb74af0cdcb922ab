#include "visviva/equations/energy/full_turn.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
#include "visviva/symbolic/core/function_call.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

bool is_turned_by(const FrameData& frame, const Expr& angle) {
  return std::any_of(frame.R_PB.begin(), frame.R_PB.end(), [&](const Column3& row) {
    return std::any_of(row.begin(), row.end(), [&](const Expr& e) { return depends_on(e, angle); });
  });
}

// What tells where everything is: orientations, and positions of bodies.
std::vector<Expr> list_places(const ModelData& model) {
  std::vector<Expr> all;
  for (const FrameData& f : model.frames) {
    for (const Column3& row : f.R_PB) all.insert(all.end(), row.begin(), row.end());
  }
  for (const BodyData& body : model.bodies) {
    const Vector p = Point(model, body.point) - Point(model, 0);
    for (const Vector::Part& part : p.parts())
      all.insert(all.end(), part.column.begin(), part.column.end());
  }
  return all;
}

// A function of an angle turned once, where tables that have the angle's turn as a period are what they were, and their
// integrals have grown by whole periods.
class Turn {
 public:
  Turn(ExprPool& pool, const Expr& angle)
      : pool_(pool), turned_(pool, {{angle, angle + pool.rational(2) * pool.pi()}}) {}

  Expr turn(const Expr& e) { return turned_(e); }

  /// e(angle + 2 pi) - e(angle); nothing where a table ends before the turn is done: it cannot be.
  std::optional<Expr> find_change(const Expr& e) {
    Replacements held, after;
    for (const std::uint32_t i : collect_cone(pool_, {pool_.take(e)})) {
      if (pool_.node(i << 1).op != Op::call) continue;
      const Expr call(pool_, i << 1);
      const auto growth = find_growth(call);
      if (ends_within_turn_) return {};
      if (!growth) continue;
      held.emplace_back(call, pool_.scratch_symbol("table " + std::to_string(held.size())));
      after.emplace_back(held.back().second, call + *growth);
    }
    if (held.empty()) return turned_(e) - e;
    const Expr inner = Substitution::of_parts(pool_, held)(e);
    return substitute(turned_(inner), after) - e;
  }

 private:
  // By how much a call of a table grows; nothing where that is not known.
  std::optional<Expr> find_growth(const Expr& e) {
    const Node call = pool_.node(e.ref());
    const auto bound = bind_table(pool_, call);
    if (!bound) return {};
    const std::vector<Ref> arguments = read_call(pool_, call).arguments;
    double growth = 0.0;
    bool moves = false;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Expr argument(pool_, arguments[k]), shift = turned_(argument) - argument;
      if (is_proved_zero(shift)) continue;
      moves = true;
      if (!shift.is_constant()) return {};
      const Spline& axis = bound->table->axis(k);
      const double by = evaluate(shift, {}, {}), period = axis.last() - axis.first();
      if (axis.range() == TableRange::error && std::abs(by) > period * (1 + rounding))
        ends_within_turn_ = true;
      const double turns = std::round(by / period);
      if (axis.range() != TableRange::periodic ||
          std::abs(by - turns * period) > rounding * std::abs(by))
        return {};
      if (bound->orders[k] >= 0) continue;
      if (arguments.size() > 1) return {};  // a function of the other argument
      growth += turns * (axis.value(axis.first() + period, -1) - axis.value(axis.first(), -1));
    }
    if (!moves) return {};
    return std::abs(growth) > rounding * size_of_integral(*bound) ? pool_.number(growth)
                                                                  : pool_.zero();
  }

  // What a growth by rounding is compared with.
  static double size_of_integral(const BoundTable& bound) {
    const Spline& axis = bound.table->axis(0);
    double largest = 0.0;
    for (const double y : axis.samples()) largest = std::max(largest, std::abs(y));
    return largest * (axis.last() - axis.first());
  }

  static constexpr double rounding = 1e-9;  // of a file's numbers

  ExprPool& pool_;
  Substitution turned_;
  bool ends_within_turn_ = false;
};

}  // namespace

std::vector<TurnChange> find_turn_changes(const Kinematics& motion, const Expr& U) {
  const ModelData& model = motion.model();
  ExprPool& pool = *model.pool;
  std::vector<TurnChange> changes;
  std::vector<Expr> places;
  const auto examine = [&](const Expr& angle) {
    if (!depends_on(U, angle)) return;
    const bool turns = std::any_of(model.frames.begin(), model.frames.end(),
                                   [&](const FrameData& f) { return is_turned_by(f, angle); });
    if (!turns) return;
    Turn turned(pool, angle);
    const std::optional<Expr> found = turned.find_change(U);
    if (!found || is_proved_zero(*found)) return;
    const Expr& change = *found;
    if (places.empty()) places = list_places(model);
    const bool is_back = std::all_of(places.begin(), places.end(), [&](const Expr& e) {
      return !depends_on(e, angle) || is_proved_zero(turned.turn(e) - e);
    });
    if (is_back) changes.push_back({angle.home().symbol_name(angle.ref()), change});
  };
  for (const CoordinateData& c : model.coordinates) {
    if (c.quaternion < 0) examine(c.q);
  }
  for (const FrameData& f : model.frames) {
    if (f.hidden.size() == 1) examine(f.hidden[0]);
  }
  return changes;
}

}  // namespace visviva
