#include "visviva/equations/interactions/frobenius_system.h"

#include <algorithm>
#include <tuple>

#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

// What is best divided by: numbers, then what mentions little.
std::tuple<int, std::size_t> pivot_cost(const Expr& e) {
  if (e.is_constant()) return {0, 0};
  return {1, count_operations({e}).total()};
}

void subtract_row(std::vector<Expr>* row, const Expr& factor, const std::vector<Expr>& pivot) {
  if (factor.is_zero()) return;
  for (std::size_t c = 0; c < row->size(); ++c) {
    if (!pivot[c].is_zero()) (*row)[c] -= factor * pivot[c];
    if (!(*row)[c].is_zero() && vanishes((*row)[c])) (*row)[c] = factor.pool().zero();
  }
}

bool is_simpler(const Expr& a, const std::optional<FormComponent>& than) {
  return !than || count_operations({a}).total() < count_operations({than->value}).total();
}

// Directions along which a form or its derivative has an entry.
std::vector<std::size_t> list_active(const OneForm& form,
                                     const std::vector<std::vector<Expr>>& derivative) {
  std::vector<std::size_t> places;
  for (std::size_t a = 0; a < form.size(); ++a) {
    bool is_active = !form[a].is_zero();
    for (std::size_t b = 0; b < form.size() && !is_active; ++b)
      is_active = !(a < b ? derivative[a][b] : derivative[b][a]).is_zero();
    if (is_active) places.push_back(a);
  }
  return places;
}

bool has_roots(const Expr& e) {
  const std::vector<Expr> parts = {e};
  return count_operations(parts).functions > 0;
}

}  // namespace

bool vanishes(const Expr& e) { return e.is_zero() || (has_roots(e) && is_proved_zero(e)); }

Echelon reduce_rows(std::vector<std::vector<Expr>> rows, std::size_t pivot_columns) {
  Echelon result;
  std::vector<bool> used(rows.size(), false);
  while (true) {
    std::size_t best_row = rows.size(), best_column = 0;
    std::tuple<int, std::size_t> least{2, 0};
    for (std::size_t i = 0; i < rows.size() && least > std::tuple(0, std::size_t{0}); ++i) {
      for (std::size_t c = 0; !used[i] && c < pivot_columns; ++c) {
        if (rows[i][c].is_zero() || !(pivot_cost(rows[i][c]) < least)) continue;
        best_row = i, best_column = c, least = pivot_cost(rows[i][c]);
      }
    }
    if (best_row == rows.size()) break;
    used[best_row] = true;
    std::vector<Expr>& pivot = rows[best_row];
    const Expr entry = pivot[best_column];
    for (Expr& e : pivot) e /= entry;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i != best_row) subtract_row(&rows[i], Expr(rows[i][best_column]), pivot);
    }
    result.pivots.push_back(best_column);
  }
  // In the order of their pivots' choice.
  for (const std::size_t column : result.pivots) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (used[i] && rows[i][column].is_one()) {
        result.rows.push_back(rows[i]);
        used[i] = false;
        break;
      }
    }
  }
  return result;
}

bool is_spanned(std::vector<Expr> row, const Echelon& echelon) {
  for (std::size_t i = 0; i < echelon.rows.size(); ++i)
    subtract_row(&row, Expr(row[echelon.pivots[i]]), echelon.rows[i]);
  return std::all_of(row.begin(), row.end(), vanishes);
}

std::optional<FormComponent> find_wedge(const OneForm& form,
                                        const std::vector<std::vector<Expr>>& derivative) {
  std::optional<FormComponent> found;
  const std::vector<std::size_t> places = list_active(form, derivative);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      for (std::size_t k = j + 1; k < places.size(); ++k) {
        const std::size_t a = places[i], b = places[j], c = places[k];
        const Expr value =
            form[a] * derivative[b][c] - form[b] * derivative[a][c] + form[c] * derivative[a][b];
        if (vanishes(value)) continue;
        const bool is_only = !found;
        if (is_simpler(value, found)) found = FormComponent{{a, b, c}, value};
        found->is_only = is_only;
      }
    }
  }
  return found;
}

// ---- PfaffianSystem

PfaffianSystem::PfaffianSystem(ConfigurationSpace* space, const std::vector<Form>& forms,
                               Replacements solved)
    : space_(space), solved_(std::move(solved)) {
  for (const auto& part : solved_) touched_.merge(space_->touched({part.second}));
  Level level;
  for (const Form& f : forms) {
    level.forms.push_back(f.form);
    touched_.merge(space_->touched(f.form));
    level.derivatives.emplace_back();
    if (!f.is_exact) level.derivatives.back() = space_->exterior_derivative(f.form);
  }
  all_ = reduce(level.forms);
  rank_ = all_.rows.size();
  while (!level.forms.empty() && derive(&level)) {
  }
  integrable_ = reduce(level.forms);
}

// With the solved coordinates put in; as it is where that has no value.
std::vector<Expr> PfaffianSystem::put(const std::vector<Expr>& form) const {
  if (solved_.empty()) return form;
  std::vector<Expr> result;
  for (const Expr& e : form) {
    const auto value = try_substitute(e, solved_);
    result.push_back(value ? *value : e);
  }
  return result;
}

// dt is no pivot: time passes.
Echelon PfaffianSystem::reduce(const std::vector<OneForm>& forms) const {
  std::vector<std::vector<Expr>> rows;
  for (const OneForm& form : forms) rows.push_back(put(form));
  return reduce_rows(std::move(rows), space_->time());
}

std::vector<std::size_t> PfaffianSystem::free_directions(const Echelon& echelon) const {
  std::vector<std::size_t> places;
  for (const std::size_t f : touched_) {
    if (std::find(echelon.pivots.begin(), echelon.pivots.end(), f) == echelon.pivots.end())
      places.push_back(f);
  }
  return places;
}

// V_f = E_f - sum_i R_if E_p(i), for every column f without a pivot.
std::vector<std::vector<Expr>> PfaffianSystem::kernel(const Echelon& echelon) const {
  std::vector<std::vector<Expr>> fields;
  for (const std::size_t f : free_directions(echelon)) {
    std::vector<Expr> V(space_->size(), space_->pool()->zero());
    V[f] = space_->pool()->one();
    for (std::size_t i = 0; i < echelon.rows.size(); ++i)
      V[echelon.pivots[i]] = -echelon.rows[i][f];
    fields.push_back(std::move(V));
  }
  return fields;
}

// d omega (V_f, V_g), f < g, one after the other.
std::vector<Expr> PfaffianSystem::restrict_to(const std::vector<std::vector<Expr>>& fields,
                                              const TwoForm& derivative) const {
  struct Entry {
    std::size_t a, b;
    Expr value;
  };
  std::vector<Entry> entries;
  for (std::size_t a = 0; a < derivative.size(); ++a) {
    for (std::size_t b = a + 1; b < derivative.size(); ++b) {
      if (!derivative[a][b].is_zero()) entries.push_back({a, b, put({derivative[a][b]})[0]});
    }
  }
  std::vector<Expr> values;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (std::size_t g = f + 1; g < fields.size(); ++g) {
      const std::vector<Expr>&V = fields[f], &W = fields[g];
      Expr sum = space_->pool()->zero();
      for (const Entry& e : entries) {
        if (!V[e.a].is_zero() && !W[e.b].is_zero()) sum += e.value * V[e.a] * W[e.b];
        if (!V[e.b].is_zero() && !W[e.a].is_zero()) sum -= e.value * V[e.b] * W[e.a];
      }
      values.push_back(vanishes(sum) ? space_->pool()->zero() : sum);
    }
  }
  return values;
}

bool PfaffianSystem::derive(Level* level) const {
  const auto fields = kernel(reduce(level->forms));
  const std::size_t k = level->forms.size();
  std::vector<std::vector<Expr>> restricted(k);
  bool is_closed = true;
  for (std::size_t i = 0; i < k; ++i) {
    if (level->derivatives[i]) restricted[i] = restrict_to(fields, *level->derivatives[i]);
    is_closed = is_closed && std::all_of(restricted[i].begin(), restricted[i].end(),
                                         [](const Expr& e) { return e.is_zero(); });
  }
  if (is_closed) return false;
  // The factors with sum_i factor_i d omega_i (V, V) = 0: what is left beside the pivots.
  const std::size_t pairs = fields.size() * (fields.size() - 1) / 2;
  std::vector<std::vector<Expr>> columns;
  for (std::size_t p = 0; p < pairs; ++p) {
    std::vector<Expr> row;
    for (std::size_t i = 0; i < k; ++i)
      row.push_back(restricted[i].empty() ? space_->pool()->zero() : restricted[i][p]);
    if (std::any_of(row.begin(), row.end(), [](const Expr& e) { return !e.is_zero(); }))
      columns.push_back(std::move(row));
  }
  const Echelon echelon = reduce_rows(std::move(columns), k);
  std::vector<std::vector<Expr>> factors;
  for (std::size_t f = 0; f < k; ++f) {
    if (std::find(echelon.pivots.begin(), echelon.pivots.end(), f) != echelon.pivots.end())
      continue;
    std::vector<Expr> factor(k, space_->pool()->zero());
    factor[f] = space_->pool()->one();
    for (std::size_t i = 0; i < echelon.rows.size(); ++i)
      factor[echelon.pivots[i]] = -echelon.rows[i][f];
    factors.push_back(std::move(factor));
  }
  combine(factors, level);
  return true;
}

// sum_i factor_i omega_i, with d of it = sum_i d factor_i ^ omega_i + factor_i d omega_i.
void PfaffianSystem::combine(const std::vector<std::vector<Expr>>& factors, Level* level) const {
  Level next;
  const std::size_t n = space_->size();
  for (const std::vector<Expr>& factor : factors) {
    OneForm form(n, space_->pool()->zero());
    bool is_exact = true;
    for (std::size_t i = 0; i < factor.size(); ++i) {
      if (factor[i].is_zero()) continue;
      is_exact = is_exact && factor[i].is_constant() && !level->derivatives[i];
      for (std::size_t a = 0; a < n; ++a) form[a] += factor[i] * level->forms[i][a];
    }
    next.derivatives.emplace_back();
    if (!is_exact) next.derivatives.back() = space_->exterior_derivative(form);
    next.forms.push_back(std::move(form));
  }
  *level = std::move(next);
}

bool PfaffianSystem::is_holonomic(const OneForm& form) const {
  return is_spanned(put(form), integrable_);
}

std::optional<FormComponent> PfaffianSystem::find_obstruction(const OneForm& form) const {
  const auto fields = kernel(all_);
  const auto values = restrict_to(fields, space_->exterior_derivative(form));
  const std::vector<std::size_t> columns = free_directions(all_);
  std::optional<FormComponent> found;
  std::size_t next = 0;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    for (std::size_t g = f + 1; g < columns.size(); ++g, ++next) {
      if (values[next].is_zero()) continue;
      const bool is_only = !found;
      if (is_simpler(values[next], found))
        found = FormComponent{{columns[f], columns[g]}, values[next]};
      found->is_only = is_only;
    }
  }
  return found;
}

}  // namespace visviva
