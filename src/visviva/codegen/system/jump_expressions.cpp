#include "visviva/codegen/system/jump_expressions.h"

#include <algorithm>

#include "visviva/codegen/system/switches.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/core/matrix3.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

bool has_corners(const ExprPool& pool) {
  for (std::size_t i = 0; i < pool.node_count(); ++i) {
    switch (pool.node(static_cast<Ref>(i << 1)).op) {
      case Op::abs:
      case Op::sign:
      case Op::step:
      case Op::min:
      case Op::max:
      case Op::atan2:
      case Op::atan:
      case Op::asin:
      case Op::acos:
      case Op::tanh:
        return true;
      default:
        break;
    }
  }
  return false;
}

// What moves with time whatever the state.
std::vector<Expr> list_driven(const ModelData& model) {
  std::vector<Expr> driven = {model.time};
  for (const SpecifiedData& s : model.specified)
    driven.insert(driven.end(), s.derivatives.begin(), s.derivatives.end());
  return driven;
}

// A look at all nodes, which spares most models the next one.
bool has_quotients_of_time(ExprPool& pool, const std::vector<Expr>& driven) {
  for (std::size_t i = 0; i < pool.node_count(); ++i) {
    const Node node = pool.node(static_cast<Ref>(i << 1));
    if (node.op != Op::divide && node.op != Op::tan) continue;
    const Expr inside(pool, node.op == Op::tan ? node.a : node.b);
    for (const Expr& symbol : driven)
      if (depends_on(inside, symbol)) return true;
  }
  return false;
}

// Whether a node of these expressions may be infinite at a time.
bool have_poles(const std::vector<Expr>& expressions, const std::vector<Expr>& driven) {
  for (const Expr& pole : collect_poles(expressions))
    for (const Expr& symbol : driven)
      if (depends_on(pole, symbol)) return true;
  return false;
}

// Whether a place may be infinite at a time: by itself, or by a function that it holds.
bool has_infinite_places(const std::vector<Expr>& places, const ModelData& model) {
  const std::vector<Expr> driven = list_driven(model);
  if (have_poles(places, driven)) return true;
  for (const SpecifiedData& s : model.specified) {
    if (!s.definition || !have_poles({*s.definition}, driven)) continue;
    for (const Expr& place : places)
      if (depends_on(place, s.derivatives.front())) return true;
  }
  return false;
}

void add_column(const Column3& column, const std::string& name, JumpExpressions* all) {
  for (const Expr& e : column) {
    all->places.push_back(e);
    all->place_names.push_back(name);
  }
}

}  // namespace

JumpExpressions make_jump_expressions(const Equations& equations) {
  const Kinematics& motion = equations.motion;
  const ModelData& model = motion.model();
  ExprPool& pool = model.pool->open();
  JumpExpressions all;
  const bool is_held =
      std::any_of(model.specified.begin(), model.specified.end(), [](const SpecifiedData& s) {
        return s.table != nullptr && s.table->range() == TableRange::hold;
      });
  const bool may_jump = is_held || has_corners(pool);
  if (!may_jump && !has_quotients_of_time(pool, list_driven(model))) return all;
  const std::vector<Frame> frames = motion.frames();
  const std::vector<Point> points = motion.points();
  const Frame N = frames.front();
  Column3 linear = zero_column(pool), angular = zero_column(pool);
  Expr mass = pool.zero(), inertia = pool.zero();
  for (const BodyData& b : model.bodies) {
    const Point& center = points[static_cast<std::size_t>(b.point)];
    const Column3 r = (center - N.origin()).in(N);
    const Column3 mv = b.mass * motion.velocity(center).in(N);
    mass += b.mass;
    inertia += pool.rational(2) * b.mass * dot(r, r);
    linear = linear + mv;
    angular = angular + cross(r, mv);
    add_column(r, b.name, &all);
    if (b.frame < 0) continue;
    const Frame& B = frames[static_cast<std::size_t>(b.frame)];
    for (std::size_t k = 0; k < 3; ++k) inertia += b.inertia[k][k];
    const Column3 x = B.x().in(N), y = B.y().in(N), z = B.z().in(N);
    const Column3 spin = b.inertia * motion.angular_velocity(B).in(B);
    angular = angular + (spin[0] * x + spin[1] * y + spin[2] * z);
    add_column(x, b.name, &all);
    add_column(y, b.name, &all);
  }
  if (!may_jump && !has_infinite_places(all.places, model)) return {};
  all.momentum.assign(linear.begin(), linear.end());
  all.momentum.insert(all.momentum.end(), angular.begin(), angular.end());
  all.momentum.insert(all.momentum.end(), {mass, inertia});
  return all;
}

}  // namespace visviva
