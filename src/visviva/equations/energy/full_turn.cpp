#include "visviva/equations/energy/full_turn.h"

#include <algorithm>

#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"
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
    Substitution turned(pool, {{angle, angle + pool.rational(2) * pool.pi()}});
    const Expr change = turned(U) - U;
    if (is_proved_zero(change)) return;
    if (places.empty()) places = list_places(model);
    const bool is_back = std::all_of(places.begin(), places.end(), [&](const Expr& e) {
      return !depends_on(e, angle) || is_proved_zero(turned(e) - e);
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
