#include "visviva/report/derivation/short_derivation.h"

namespace visviva {
namespace {

constexpr std::size_t kept = 3;  // of each list

template <class T>
void cut(std::vector<T>* list) {
  if (list->size() > kept) list->erase(list->begin() + kept, list->end());
}

}  // namespace

std::string write_first_of(std::size_t shown, std::size_t all) {
  return "The first " + std::to_string(shown) + " of " + std::to_string(all) + ".";
}

Derivation shorten(Derivation d) {
  d.shortened = {.equations = d.embedded.forcing.size()};
  for (auto* pairs : {&d.kinematics, &d.definitions}) cut(pairs);
  // What is not written by itself.
  for (auto* list : {&d.active_forces, &d.inertia_forces, &d.embedded.active_forces,
                     &d.embedded.inertia_forces, &d.equations.forcing, &d.equations.row_forcing})
    list->clear();
  for (auto* matrix : {&d.equations.mass_matrix, &d.embedded.transmission}) matrix->clear();
  for (auto* terms : {&d.active_terms, &d.inertia_terms}) terms->clear();
  for (auto* motions : {&d.points, &d.frames}) motions->clear();

  cut(&d.embedded.mass_matrix);
  for (auto* list : {&d.embedded.forcing, &d.embedded.dependent_speeds, &d.multiplier_forces})
    cut(list);
  cut(&d.equations.rows);
  cut(&d.equations.auxiliary);
  cut(&d.momenta);
  cut(&d.noncontributing);
  cut(&d.free_bodies.bodies);
  cut(&d.free_bodies.elsewhere);
  if (d.lagrange) {
    cut(&d.lagrange->slopes);
    cut(&d.lagrange->mass_matrix);
    d.lagrange->forcing.clear();
    d.lagrange->rows.clear();
  }
  return d;
}

}  // namespace visviva
