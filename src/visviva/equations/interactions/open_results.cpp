#include "visviva/equations/interactions/open_results.h"

#include <algorithm>

#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

bool holds(const Vector& v, const Expr& symbol) {
  return std::any_of(v.parts().begin(), v.parts().end(), [&](const Vector::Part& part) {
    return std::any_of(part.column.begin(), part.column.end(),
                       [&](const Expr& e) { return depends_on(e, symbol); });
  });
}

}  // namespace

Expr name_multiplier(const ModelData& model, const ConstraintRow& row) {
  const ConstraintData& c = model.constraints[row.constraint];
  if (c.kind == ConstraintData::Kind::roll)
    return name_contact_force(model, c).in(Frame(model, row.frame))[row.component];
  const bool is_one = c.scalar.valid() || c.kind == ConstraintData::Kind::lock;
  return model.pool->symbol("multiplier(" + c.name + ")" +
                            (is_one ? "" : std::string(".") + "xyz"[row.component]));
}

Vector name_contact_force(const ModelData& model, const ConstraintData& roll) {
  Column3 force;
  for (std::size_t k = 0; k < 3; ++k)
    force[k] = model.pool->symbol("reaction(" + roll.name + ")." + "xyz"[k]);
  return {model, {{0, force}}, Dimension()};
}

std::vector<Expr> list_open_results(const Equations& equations) {
  const ModelData& model = equations.motion.model();
  std::vector<Expr> open;
  for (const UnknownData& u : model.unknowns) {
    const std::vector<Expr>& solved = equations.unknowns;
    if (std::find(solved.begin(), solved.end(), u.symbol) == solved.end()) open.push_back(u.symbol);
  }
  const std::vector<bool> is_shared = find_shared_rows(equations.motion);
  for (std::size_t i = 0; i < is_shared.size(); ++i) {
    if (!is_shared[i]) continue;
    for (const Expr& s : free_symbols({name_multiplier(model, equations.rows[i])})) {
      if (model.role(s) == nullptr) open.push_back(s);
    }
  }
  return open;
}

std::vector<Expr> find_open_results(const std::vector<Expr>& open,
                                    const std::vector<PartAction>& actions) {
  std::vector<Expr> found;
  std::copy_if(open.begin(), open.end(), std::back_inserter(found), [&](const Expr& s) {
    return std::any_of(actions.begin(), actions.end(), [&](const PartAction& a) {
      return holds(a.force, s) || holds(a.moment, s);
    });
  });
  return found;
}

}  // namespace visviva
