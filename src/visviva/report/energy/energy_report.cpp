#include "visviva/report/energy/energy_report.h"

#include "visviva/base/result_table.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/energy/find_integrals.h"
#include "visviva/report/derivation/reason_text.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

void add_portions(const Energies& energies, EnergyReport* report) {
  const ModelData& model = energies.equations.motion.model();
  const auto framed = [&model](int frame, const Column3& column) {
    return choose_frame(model, Vector(model, {{frame, column}}, Dimension()), frame);
  };
  for (const BodyEnergy& b : energies.bodies) {
    const BodyData& body = model.bodies[b.body];
    report->points.push_back(
        {model.points[body.point].name, framed(b.frame, b.v_R), framed(b.frame, b.v_t)});
    if (body.frame < 0) continue;
    report->bodies.push_back({body.name, framed(b.spin_frame, b.w_R), framed(b.spin_frame, b.w_t)});
  }
}

}  // namespace

const std::string& EnergyReport::speed_name(int r) const {
  return energies.equations.motion.speeds()[r].name;
}

std::vector<Expr> EnergyReport::expressions() const {
  const Energies& e = energies;
  std::vector<Expr> all = {
      e.K, e.K0, e.K1, e.K2, e.U, e.sigma, e.sigma_R, e.P, e.P_nonconservative, Z_rate};
  for (const LoadEnergy& load : e.loads)
    all.insert(all.end(),
               {load.potential, load.power, load.generalized_power, load.nonconservative_power});
  for (const auto* list : {&points, &bodies}) {
    for (const Portions& p : *list) {
      for (const FramedColumn* c : {&p.moved, &p.carried})
        all.insert(all.end(), c->components.begin(), c->components.end());
    }
  }
  for (const Integral& i : integrals.momenta) all.push_back(i.value);
  const EmbeddedEquations& embedded = e.embedded;
  all.insert(all.end(), embedded.dependent_speeds.begin(), embedded.dependent_speeds.end());
  if (embedded.validity.valid()) all.push_back(embedded.validity);
  return all;
}

EnergyReport make_energy_report(const Equations& equations, const ConsistentStart& start) {
  Workspace work(equations.pool());
  auto energies = try_analyze_energy(equations);
  if (!energies) throw make_embedding_error(energies.why());
  return make_energy_report(*std::move(energies), start);
}

EnergyReport make_energy_report(Energies energies, const ConsistentStart& start) {
  Workspace work(energies.equations.pool());
  Integrals integrals = find_integrals(energies);
  Ledger ledger = make_ledger(energies.equations, energies.formal.loads, start, &energies.embedded);
  EnergyReport report{std::move(energies), std::move(integrals), std::move(ledger), {}, {}, {}};
  report.Z_rate = add_terms_of(report.energies, result_definitions::Z_rate);
  add_portions(report.energies, &report);
  report.pool = work.finish();
  return report;
}

std::string role_name(LoadRole role) {
  switch (role) {
    case LoadRole::conservative:
      return "conservative";
    case LoadRole::nonconservative:
      return "nonconservative";
    case LoadRole::both:
      return "both";
    case LoadRole::none:
      break;
  }
  return "no power";
}

std::string scope_name(Scope scope) {
  return scope == Scope::all_parameters ? "all parameters" : "these values";
}

std::string extent_name(Extent extent) {
  switch (extent) {
    case Extent::on_constraints:
      return "where the constraints hold";
    case Extent::this_start:
      return "from this start";
    case Extent::every_motion:
      break;
  }
  return "every motion";
}

}  // namespace visviva
