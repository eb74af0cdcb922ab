#include "visviva/report/derivation/angles.h"

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

void collect_angles(const std::vector<Expr>& exprs, std::set<Ref>* angles) {
  if (exprs.empty()) return;
  ExprPool& pool = exprs.front().pool();
  std::vector<Ref> roots;
  for (const Expr& e : exprs) roots.push_back(e.ref());
  for (const std::uint32_t index : collect_cone(pool, roots)) {
    const Node& node = pool.node(index << 1);
    if (node.op != Op::sin && node.op != Op::cos && node.op != Op::tan) continue;
    for (const Expr& s : free_symbols(Expr(pool, node.a))) angles->insert(s.ref());
  }
}

void append(const Vector& v, std::vector<Expr>* list) {
  for (const Vector::Part& p : v.parts())
    list->insert(list->end(), p.column.begin(), p.column.end());
}

std::vector<Expr> turning_expressions(const FrameData& f, ExprPool& pool) {
  const Orientation& o = f.orientation;
  std::vector<Expr> list;
  if (o.kind == Orientation::Kind::spin) append(o.angular_velocity, &list);
  const std::size_t angles = o.kind == Orientation::Kind::simple     ? 1
                             : o.kind == Orientation::Kind::sequence ? 3
                                                                     : 0;
  for (std::size_t i = 0; i < angles; ++i) list.push_back(o.parameters[i].expr(pool));
  return list;
}

}  // namespace

std::set<Ref> find_angles(const ModelData& model) {
  std::vector<Expr> positions, turning;
  for (const PointData& p : model.points) append(p.offset, &positions);
  for (const FrameData& f : model.frames) {
    if (f.parent < 0) continue;
    for (const Expr& e : turning_expressions(f, *model.pool)) turning.push_back(e);
  }
  std::set<Ref> angles;
  for (const Expr& s : free_symbols(turning)) angles.insert(s.ref());
  collect_angles(positions, &angles);
  return angles;
}

bool is_angular(const Speed& speed, const ModelData& model, const std::set<Ref>& angles) {
  if (speed.coordinate < 0) return true;
  return angles.count(model.coordinates[static_cast<std::size_t>(speed.coordinate)].q.ref()) != 0;
}

}  // namespace visviva
