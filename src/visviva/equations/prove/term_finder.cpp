#include "visviva/equations/prove/term_finder.h"

#include <algorithm>
#include <set>

#include "visviva/equations/loads/loads.h"
#include "visviva/equations/methods/kane.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using From = DifferenceTerm::From;
using Evidence = DifferenceTerm::Evidence;

// Something that contributes to the equations, and what it contributes to the entry in question.
struct Contribution {
  DifferenceTerm term;
  Expr value;
  std::set<Ref> parameters;
};

class TermFinder {
 public:
  explicit TermFinder(const Kinematics& motion) : motion_(motion), model_(motion.model()) {}

  std::vector<DifferenceTerm> explain_mass(const Expr& difference, std::size_t r,
                                           std::size_t s) const {
    std::vector<Contribution> all;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const BodyInertia inertia = compute_body_inertia(motion_, static_cast<int>(b));
      add_body(model_.bodies[b], inertia.mass_matrix[r][s], &all);
    }
    return explain(difference, all);
  }

  std::vector<DifferenceTerm> explain_forcing(const Expr& difference, std::size_t r) const {
    std::vector<Contribution> all;
    for (const Load& load : collect_loads(motion_)) add_load(load, r, &all);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const BodyInertia inertia = compute_body_inertia(motion_, static_cast<int>(b));
      add_body(model_.bodies[b], inertia.forces[r], &all);
    }
    return explain(difference, all);
  }

 private:
  // A load as a whole, then each of its parts: an action or its reaction.
  void add_load(const Load& load, std::size_t r, std::vector<Contribution>* all) const {
    const auto add = [&](From from, const std::string& place, const Load& part) {
      all->push_back({{from, load.name, place},
                      compute_generalized_forces(motion_, part)[r],
                      load_parameters(part)});
    };
    add(From::load, "", load);
    if (load.forces.size() + load.torques.size() < 2) return;
    Load part = load;
    part.generalized.clear();
    for (const auto& force : load.forces) {
      part.forces = {force};
      part.torques.clear();
      add(From::force_of_load, model_.points[force.first].name, part);
    }
    for (const auto& torque : load.torques) {
      part.forces.clear();
      part.torques = {torque};
      add(From::torque_of_load, model_.frames[torque.first].name, part);
    }
  }

  void add_parameters(const Expr& e, std::set<Ref>* parameters) const {
    for (const Expr& s : free_symbols(e)) {
      const SymbolRole* role = model_.role(s);
      if (role != nullptr && (role->role == Role::parameter || role->role == Role::input ||
                              role->role == Role::unknown))
        parameters->insert(s.ref());
    }
  }

  // Twice: by what its mass center does, and by how it turns.
  void add_body(const BodyData& body, const Expr& value, std::vector<Contribution>* all) const {
    Contribution c{{From::inertia_of_body, body.name}, value, {}};
    add_parameters(body.mass, &c.parameters);
    all->push_back(c);
    if (body.frame < 0) return;
    c.parameters.clear();
    for (const Column3& row : body.inertia) {
      for (const Expr& e : row) add_parameters(e, &c.parameters);
    }
    all->push_back(c);
  }

  std::set<Ref> load_parameters(const Load& load) const {
    std::set<Ref> parameters;
    const auto add = [&](const std::vector<std::pair<int, Vector>>& vectors) {
      for (const auto& entry : vectors) {
        for (const Vector::Part& part : entry.second.parts()) {
          for (const Expr& e : part.column) add_parameters(e, &parameters);
        }
      }
    };
    add(load.forces);
    add(load.torques);
    for (const auto& entry : load.generalized) add_parameters(entry.second, &parameters);
    return parameters;
  }

  static void add_term(DifferenceTerm term, Evidence evidence, std::vector<DifferenceTerm>* terms) {
    term.evidence = evidence;
    if (std::find(terms->begin(), terms->end(), term) == terms->end()) terms->push_back(term);
  }

  // A single term that is the difference, else whatever shares its parameters.
  static std::vector<DifferenceTerm> explain(const Expr& difference,
                                             const std::vector<Contribution>& all) {
    std::vector<DifferenceTerm> terms;
    for (const Contribution& c : all) {
      if (c.value.is_zero()) continue;
      const Expr two = 2.0 * c.value;
      if (difference == c.value || difference == -c.value) {
        add_term(c.term, Evidence::one_side_only, &terms);
      } else if (difference == two || difference == -two) {
        add_term(c.term, Evidence::opposite_signs, &terms);
      }
    }
    return terms.empty() ? explain_by_parameters(difference, all) : terms;
  }

  static std::vector<DifferenceTerm> explain_by_parameters(const Expr& difference,
                                                           const std::vector<Contribution>& all) {
    // A parameter counts when the difference changes with it, not when some form of it mentions it.
    std::set<Ref> present;
    for (const Expr& s : free_symbols(difference)) {
      if (!differentiate(difference, s).is_zero()) present.insert(s.ref());
    }
    const auto includes = [](const std::set<Ref>& a, const std::set<Ref>& b) {
      return std::includes(a.begin(), a.end(), b.begin(), b.end());
    };
    std::vector<const Contribution*> named;
    for (const Contribution& c : all) {
      if (!c.value.is_zero() && !c.parameters.empty() && includes(present, c.parameters))
        named.push_back(&c);
    }
    std::vector<DifferenceTerm> terms;
    for (const Contribution* c : named) {
      const bool is_covered = std::any_of(named.begin(), named.end(), [&](const Contribution* d) {
        return d->parameters.size() > c->parameters.size() &&
               includes(d->parameters, c->parameters);
      });
      if (!is_covered) add_term(c->term, Evidence::shared_parameters, &terms);
    }
    return terms;
  }

  const Kinematics& motion_;
  const ModelData& model_;
};

}  // namespace

std::vector<DifferenceTerm> explain_mass_difference(const Kinematics& motion,
                                                    const Expr& difference, std::size_t r,
                                                    std::size_t s) {
  return TermFinder(motion).explain_mass(difference, r, s);
}

std::vector<DifferenceTerm> explain_forcing_difference(const Kinematics& motion,
                                                       const Expr& difference, std::size_t r) {
  return TermFinder(motion).explain_forcing(difference, r);
}

}  // namespace visviva
