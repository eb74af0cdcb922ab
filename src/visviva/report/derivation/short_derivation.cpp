#include "visviva/report/derivation/short_derivation.h"

#include <algorithm>
#include <numeric>

#include "visviva/base/words.h"

namespace visviva {
namespace {

constexpr std::size_t kept = 3;  // of each list

template <class T>
void cut(std::vector<T>* list) {
  if (list->size() > kept) list->erase(list->begin() + kept, list->end());
}

// Two at the beginning, and one in the middle, which looks like most.
std::vector<std::size_t> choose_rows(std::size_t count) {
  if (count <= kept) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  return {0, 1, std::max<std::size_t>(2, count / 2)};
}

template <class T>
void keep(const std::vector<std::size_t>& places, std::vector<T>* list) {
  std::vector<T> kept_ones;
  for (const std::size_t i : places)
    if (i < list->size()) kept_ones.push_back(std::move((*list)[i]));
  *list = std::move(kept_ones);
}

}  // namespace

std::string write_shown_rows(const Derivation::Shortened& shortened) {
  std::vector<std::string> numbers;
  for (const std::size_t i : shortened.rows) numbers.push_back(std::to_string(i + 1));
  return "Numbers " + list_words(numbers) + " of " + std::to_string(shortened.equations) + ".";
}

std::string write_first_of(std::size_t shown, std::size_t all) {
  return "The first " + std::to_string(shown) + " of " + std::to_string(all) + ".";
}

Derivation shorten(Derivation d) {
  d.shortened = {.equations = d.embedded.forcing.size(),
                 .rows = choose_rows(d.embedded.forcing.size())};
  for (auto* pairs : {&d.kinematics, &d.definitions}) cut(pairs);
  // What is not written by itself.
  for (auto* list : {&d.active_forces, &d.inertia_forces, &d.embedded.active_forces,
                     &d.embedded.inertia_forces, &d.equations.forcing, &d.equations.row_forcing})
    list->clear();
  for (auto* matrix : {&d.equations.mass_matrix, &d.embedded.transmission}) matrix->clear();
  for (auto* terms : {&d.active_terms, &d.inertia_terms}) terms->clear();
  for (auto* motions : {&d.points, &d.frames}) motions->clear();

  keep(d.shortened->rows, &d.embedded.mass_matrix);
  keep(d.shortened->rows, &d.embedded.forcing);
  for (auto* list : {&d.embedded.dependent_speeds, &d.multiplier_forces}) cut(list);
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
