// The loops of link_products.cpp, for one width of registers: included once for each, with
//   LANES_NAMESPACE, LANES_TARGET, LANES (how many), Pack (that many numbers), and the operations load, store, spread, keep,
//   multiply_add(a, b, c) = a b + c, subtract_product(a, b, c) = c - a b, as macros with LANES_ before their names.
// No include guard: that is its purpose.

namespace visviva::LANES_NAMESPACE {

// The sum of products of one entry's numbers with those of sixteen others, where bits say so.
LANES_TARGET inline void add_products(const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                      const double* one, const double* others, unsigned bits,
                                      double* to) {
  constexpr unsigned all = (1U << LANES) - 1U;
  for (unsigned h = 0; h < 8; h += LANES) {
    const unsigned first = (bits >> h) & all, second = (bits >> (h + 8)) & all;
    if (second == 0) {
      if (first == 0) continue;
      Pack sum = LANES_spread(0.0);
      for (const auto& [a, b] : pairs)
        sum = LANES_multiply_add(LANES_spread(one[a]), LANES_load(others + b + h), sum);
      LANES_store(to + h, LANES_keep(sum, LANES_load(to + h), first));
      continue;
    }
    Pack sum = LANES_spread(0.0), next = sum;
    for (const auto& [a, b] : pairs) {
      const Pack x = LANES_spread(one[a]);
      sum = LANES_multiply_add(x, LANES_load(others + b + h), sum);
      next = LANES_multiply_add(x, LANES_load(others + b + 8 + h), next);
    }
    if (first != 0) LANES_store(to + h, LANES_keep(sum, LANES_load(to + h), first));
    LANES_store(to + 8 + h, LANES_keep(next, LANES_load(to + 8 + h), second));
  }
}

LANES_TARGET inline void clear(double* to) {
  for (unsigned h = 0; h < 8; h += LANES) LANES_store(to + h, LANES_spread(0.0));
}

LANES_TARGET inline unsigned two_masks(const std::vector<std::uint8_t>& masks, std::size_t first,
                                       std::size_t k, std::size_t count) {
  return masks[first + k] | (k + 1 < count ? unsigned(masks[first + k + 1]) << 8 : 0U);
}

LANES_TARGET inline void multiply_direct(const LinkTables& t, const double* entries,
                                         const double* changes, double* M, double* rows) {
  const std::size_t blocks = (t.changes + 7) / 8, own = (t.entries + 7) / 8;
  for (std::size_t e = 0; e < t.entries; ++e) {
    double* const row = rows + e * t.row_stride;
    for (std::size_t k = 0; k < t.row_stride / 8; ++k) clear(row + 8 * k);
    for (std::size_t k = 0; k < blocks; k += 2) {
      add_products(t.outer, entries + e, changes + 8 * k,
                   two_masks(t.outer_mask, e * blocks, k, blocks), row + 8 * k);
      add_products(t.inner, entries + e, changes + 8 * k,
                   two_masks(t.inner_mask, e * blocks, k, blocks), row + 8 * k);
    }
    double* const line = M + e * t.matrix_stride;
    for (std::size_t k = 0; k <= e / 8; ++k) clear(line + 8 * k);
    for (std::size_t k = 0; k <= e / 8; k += 2)
      add_products(t.inertia, entries + e, entries + 8 * k,
                   two_masks(t.inertia_mask, e * own, k, own), line + 8 * k);
  }
}

LANES_TARGET inline void multiply_summed(const LinkTables& t, const double* entries,
                                         const double* changes, double* M, double* rows) {
  const std::size_t blocks = (t.changes + 7) / 8, own = (t.entries + 7) / 8;
  for (std::size_t i = 0; i < t.rows * t.row_stride; ++i) rows[i] = 0;
  for (std::size_t i = 0; i < t.rows * t.matrix_stride; ++i) M[i] = 0;
  alignas(64) double few[8];
  for (std::size_t e = 0; e < t.entries; ++e) {
    const auto r = static_cast<std::size_t>(t.entry_rows[e]);
    for (std::size_t k = 0; k < blocks; ++k) {
      clear(few);
      add_products(t.outer, entries + e, changes + 8 * k, t.outer_mask[e * blocks + k], few);
      add_products(t.inner, entries + e, changes + 8 * k, t.inner_mask[e * blocks + k], few);
      for (std::size_t j = 8 * k; j < 8 * k + 8 && j < t.changes; ++j)
        rows[r * t.row_stride + static_cast<std::size_t>(t.change_columns[j])] += few[j - 8 * k];
    }
    for (std::size_t k = 0; k <= e / 8; ++k) {
      clear(few);
      add_products(t.inertia, entries + e, entries + 8 * k, t.inertia_mask[e * own + k], few);
      for (std::size_t f = 8 * k; f < 8 * k + 8 && f <= e; ++f) {
        const auto s = static_cast<std::size_t>(t.entry_rows[f]);
        const double twice = f != e && r == s ? 2.0 : 1.0;
        M[std::max(r, s) * t.matrix_stride + std::min(r, s)] += twice * few[f - 8 * k];
      }
    }
  }
}

LANES_TARGET inline void multiply(const LinkTables& t, const double* entries, const double* changes,
                                  double* M, double* rows) {
  if (t.is_direct)
    multiply_direct(t, entries, changes, M, rows);
  else
    multiply_summed(t, entries, changes, M, rows);
}

// (4), L below and L' above the diagonal; `inverse` holds the negative reciprocals of the pivots.
LANES_TARGET inline bool factorize(const LinkTables& t, double* M, double* inverse) {
  const std::size_t stride = t.matrix_stride;
  for (std::size_t k = 0; k < t.rows; ++k) inverse[k] = numerical_pivot * M[k * stride + k];
  for (std::size_t k = t.rows; k-- > 0;) {
    double* const line = M + k * stride;
    if (!(line[k] > inverse[k])) return false;
    const double reciprocal = inverse[k] = 1.0 / line[k];
    for (const int place : t.fill[k]) {
      const auto i = static_cast<std::size_t>(place);
      const Pack factor = LANES_spread(line[i] * reciprocal);
      double* const other = M + i * stride;
      for (std::size_t j = 0; j <= i; j += LANES)
        LANES_store(other + j,
                    LANES_subtract_product(factor, LANES_load(line + j), LANES_load(other + j)));
    }
    for (const int i : t.fill[k]) line[i] *= reciprocal;
  }
  for (std::size_t k = 0; k < t.rows; ++k) inverse[k] = -inverse[k];
  for (std::size_t k = 0; k < t.rows; ++k)
    for (const int i : t.fill[k])
      M[static_cast<std::size_t>(i) * stride + k] = M[k * stride + static_cast<std::size_t>(i)];
  return true;
}

// (5) for as many columns as 1 to 4 packs have: sums stay in registers. Whether all of the solution is finite.
template <unsigned packs>
LANES_TARGET inline bool substitute(const LinkTables& t, const double* M, const double* inverse,
                                    double* rows) {
  for (std::size_t i = t.rows; i-- > 0;) {
    double* const to = rows + i * t.row_stride;
    Pack a = LANES_load(to), b = a, c = a, d = a;
    if constexpr (packs > 1) b = LANES_load(to + LANES);
    if constexpr (packs > 2) c = LANES_load(to + 2 * LANES);
    if constexpr (packs > 3) d = LANES_load(to + 3 * LANES);
    for (const int k : t.users[i]) {
      const double* const from = rows + static_cast<std::size_t>(k) * t.row_stride;
      const Pack l = LANES_spread(M[i * t.matrix_stride + static_cast<std::size_t>(k)]);
      a = LANES_subtract_product(l, LANES_load(from), a);
      if constexpr (packs > 1) b = LANES_subtract_product(l, LANES_load(from + LANES), b);
      if constexpr (packs > 2) c = LANES_subtract_product(l, LANES_load(from + 2 * LANES), c);
      if constexpr (packs > 3) d = LANES_subtract_product(l, LANES_load(from + 3 * LANES), d);
    }
    LANES_store(to, a);
    if constexpr (packs > 1) LANES_store(to + LANES, b);
    if constexpr (packs > 2) LANES_store(to + 2 * LANES, c);
    if constexpr (packs > 3) LANES_store(to + 3 * LANES, d);
  }
  const Pack zero = LANES_spread(0.0);
  Pack lost = zero;  // NaN where something is not finite
  for (std::size_t k = 0; k < t.rows; ++k) {
    double* const to = rows + k * t.row_stride;
    const Pack r = LANES_spread(inverse[k]);
    Pack a = LANES_multiply_add(r, LANES_load(to), zero), b = a, c = a, d = a;
    if constexpr (packs > 1) b = LANES_multiply_add(r, LANES_load(to + LANES), zero);
    if constexpr (packs > 2) c = LANES_multiply_add(r, LANES_load(to + 2 * LANES), zero);
    if constexpr (packs > 3) d = LANES_multiply_add(r, LANES_load(to + 3 * LANES), zero);
    for (const int i : t.fill[k]) {
      const double* const from = rows + static_cast<std::size_t>(i) * t.row_stride;
      const Pack l = LANES_spread(M[k * t.matrix_stride + static_cast<std::size_t>(i)]);
      a = LANES_subtract_product(l, LANES_load(from), a);
      if constexpr (packs > 1) b = LANES_subtract_product(l, LANES_load(from + LANES), b);
      if constexpr (packs > 2) c = LANES_subtract_product(l, LANES_load(from + 2 * LANES), c);
      if constexpr (packs > 3) d = LANES_subtract_product(l, LANES_load(from + 3 * LANES), d);
    }
    LANES_store(to, a);
    lost = LANES_multiply_add(zero, a, lost);
    if constexpr (packs > 1) {
      LANES_store(to + LANES, b);
      lost = LANES_multiply_add(zero, b, lost);
    }
    if constexpr (packs > 2) {
      LANES_store(to + 2 * LANES, c);
      lost = LANES_multiply_add(zero, c, lost);
    }
    if constexpr (packs > 3) {
      LANES_store(to + 3 * LANES, d);
      lost = LANES_multiply_add(zero, d, lost);
    }
  }
  double each[LANES];
  LANES_store(each, lost);
  double sum = 0;
  for (const double x : each) sum += x;
  return sum == 0;
}

LANES_TARGET inline bool solve(const LinkTables& t, double* M, double* rows, double* inverse,
                               std::size_t columns) {
  if (!factorize(t, M, inverse)) return false;
  std::size_t j = 0;
  bool is_finite = true;
  for (; j + 4 * LANES <= columns; j += 4 * LANES)
    is_finite &= substitute<4>(t, M, inverse, rows + j);
  const std::size_t rest = columns - j;
  if (rest > 3 * LANES)
    is_finite &= substitute<4>(t, M, inverse, rows + j);
  else if (rest > 2 * LANES)
    is_finite &= substitute<3>(t, M, inverse, rows + j);
  else if (rest > LANES)
    is_finite &= substitute<2>(t, M, inverse, rows + j);
  else if (rest > 0)
    is_finite &= substitute<1>(t, M, inverse, rows + j);
  return is_finite;
}

}  // namespace visviva::LANES_NAMESPACE
