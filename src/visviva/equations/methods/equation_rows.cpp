#include "visviva/equations/methods/equation_rows.h"

#include <algorithm>
#include <optional>

#include "visviva/equations/loads/absorbed_unknowns.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

void add_constraint_rows(Equations* equations) {
  const Kinematics& motion = equations->motion;
  std::vector<Expr> speeds;
  for (const Speed& s : motion.speeds()) speeds.push_back(s.u);
  equations->rows = make_constraint_rows(motion);
  equations->row_forcing.clear();
  for (const ConstraintRow& row : equations->rows)
    equations->row_forcing.push_back(
        -motion.derivative_at_constant_speeds(total(row.velocity, speeds)));  // (1)
}

namespace {

// The unknown forces that are mentioned somewhere.
std::vector<Expr> find_mentioned(const ModelData& model, const std::vector<Expr*>& all) {
  std::vector<Expr> mentioned;
  for (const UnknownData& unknown : model.unknowns) {
    const auto mentions = [&](const Expr* e) { return depends_on(*e, unknown.symbol); };
    if (std::any_of(all.begin(), all.end(), mentions)) mentioned.push_back(unknown.symbol);
  }
  return mentioned;
}

// What the multipliers take up counts as zero.
void drop_absorbed(const Kinematics& motion, const std::vector<Expr*>& all) {
  Replacements none;
  for (const Expr& u : find_absorbed_unknowns(motion))
    none.emplace_back(u, motion.model().pool->zero());
  if (none.empty()) return;
  Substitution put(*motion.model().pool, none);
  for (Expr* e : all) *e = put(*e);
}

[[noreturn]] void fail_nonlinear(const ModelData& model, const Expr& symbol) {
  const UnknownData& unknown = model.unknowns[static_cast<std::size_t>(model.role(symbol)->index)];
  throw ModelError({{Severity::error, "E-unknown-nonlinear",
                     "the equations are not linear in the unknown force '" + unknown.name + "'",
                     "an unknown may stand in forces only with a factor of configuration, motion "
                     "and time",
                     unknown.source.span}});
}

}  // namespace

void add_unknowns(Equations* equations) {
  const ModelData& model = equations->motion.model();
  std::vector<Expr*> all;
  for (Expr& e : equations->forcing) all.push_back(&e);
  for (AuxiliaryEquation& a : equations->auxiliary) all.push_back(&a.forcing);
  drop_absorbed(equations->motion, all);
  const std::vector<Expr> mentioned = find_mentioned(model, all);
  equations->unknowns.clear();
  for (AuxiliaryEquation& a : equations->auxiliary) a.is_evidence = true;
  if (mentioned.empty()) return;

  // Written as coefficients: what cancels is mentioned no more.
  std::vector<bool> is_present(mentioned.size(), false);
  for (Expr* e : all) {
    const auto form = find_linear_form(*e, mentioned);
    if (!form) fail_nonlinear(model, mentioned.front());
    *e = form->remainder;
    for (std::size_t k = 0; k < mentioned.size(); ++k) {
      if (form->coefficients[k].is_zero()) continue;
      is_present[k] = true;
      *e += form->coefficients[k] * mentioned[k];
    }
  }
  for (std::size_t k = 0; k < mentioned.size(); ++k) {
    if (!is_present[k]) continue;
    equations->unknowns.push_back(mentioned[k]);
    for (AuxiliaryEquation& a : equations->auxiliary)
      a.is_evidence &= differentiate(a.forcing, mentioned[k]).is_zero();
  }
}

}  // namespace visviva
