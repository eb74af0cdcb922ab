#include "visviva/numeric/link_products.h"

#include <algorithm>
#include <numeric>

#include "visviva/base/sequence.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace visviva {
namespace {

constexpr double numerical_pivot =
    1e-14;  // of the diagonal it comes from, as in acceleration_equations.cpp

}  // namespace
}  // namespace visviva

// ---- One number at a time

#define LANES_NAMESPACE lanes_one
#define LANES_TARGET
#define LANES 1
#define Pack double
#define LANES_load(p) (*(p))
#define LANES_store(p, v) (*(p) = (v))
#define LANES_spread(x) (x)
#define LANES_keep(v, old, bits) (v)
#define LANES_multiply_add(a, b, c) ((a) * (b) + (c))
#define LANES_subtract_product(a, b, c) ((c) - (a) * (b))
#include "visviva/numeric/link_loops.h"
#undef LANES_NAMESPACE
#undef LANES_TARGET
#undef LANES
#undef Pack
#undef LANES_load
#undef LANES_store
#undef LANES_spread
#undef LANES_keep
#undef LANES_multiply_add
#undef LANES_subtract_product

#if defined(__x86_64__)

// ---- Four

namespace visviva::lanes_four {
alignas(32) constexpr long long on = -1, lane_masks[16][4] = {
                                             {0, 0, 0, 0},    {on, 0, 0, 0},   {0, on, 0, 0},
                                             {on, on, 0, 0},  {0, 0, on, 0},   {on, 0, on, 0},
                                             {0, on, on, 0},  {on, on, on, 0}, {0, 0, 0, on},
                                             {on, 0, 0, on},  {0, on, 0, on},  {on, on, 0, on},
                                             {0, 0, on, on},  {on, 0, on, on}, {0, on, on, on},
                                             {on, on, on, on}};
}  // namespace visviva::lanes_four

#define LANES_NAMESPACE lanes_four
#define LANES_TARGET __attribute__((target("avx2,fma")))
#define LANES 4
#define Pack __m256d
#define LANES_load(p) _mm256_loadu_pd(p)
#define LANES_store(p, v) _mm256_storeu_pd(p, v)
#define LANES_spread(x) _mm256_set1_pd(x)
#define LANES_keep(v, old, bits) \
  _mm256_blendv_pd(              \
      old, v,                    \
      _mm256_castsi256_pd(_mm256_load_si256(reinterpret_cast<const __m256i*>(lane_masks[bits]))))
#define LANES_multiply_add(a, b, c) _mm256_fmadd_pd(a, b, c)
#define LANES_subtract_product(a, b, c) _mm256_fnmadd_pd(a, b, c)
#include "visviva/numeric/link_loops.h"
#undef LANES_NAMESPACE
#undef LANES_TARGET
#undef LANES
#undef Pack
#undef LANES_load
#undef LANES_store
#undef LANES_spread
#undef LANES_keep
#undef LANES_multiply_add
#undef LANES_subtract_product

// ---- Eight

#define LANES_NAMESPACE lanes_eight
#define LANES_TARGET __attribute__((target("avx512f")))
#define LANES 8
#define Pack __m512d
#define LANES_load(p) _mm512_loadu_pd(p)
#define LANES_store(p, v) _mm512_storeu_pd(p, v)
#define LANES_spread(x) _mm512_set1_pd(x)
#define LANES_keep(v, old, bits) _mm512_mask_mov_pd(old, static_cast<__mmask8>(bits), v)
#define LANES_multiply_add(a, b, c) _mm512_fmadd_pd(a, b, c)
#define LANES_subtract_product(a, b, c) _mm512_fnmadd_pd(a, b, c)
#include "visviva/numeric/link_loops.h"
#undef LANES_NAMESPACE
#undef LANES_TARGET
#undef LANES
#undef Pack
#undef LANES_load
#undef LANES_store
#undef LANES_spread
#undef LANES_keep
#undef LANES_multiply_add
#undef LANES_subtract_product

#endif

namespace visviva {
namespace {

std::size_t round_up(std::size_t n) { return (n + 7) / 8 * 8; }

// Numbers of each: v_0, w, F, T, B and A, theta'', theta', f, n.
using Pairs = std::vector<std::pair<int, int>>;
Pairs list_pairs(std::initializer_list<std::pair<int, int>> starts) {
  Pairs all;
  for (const auto& [a, b] : starts)
    for (int k = 0; k < 3; ++k) all.emplace_back(a + k, b + k);
  return all;
}
const Pairs& outer_pairs() {
  static const Pairs all = list_pairs({{6, 0}, {9, 3}, {12, 6}});
  return all;
}
const Pairs& inner_pairs() {
  static const Pairs all = list_pairs({{0, 9}, {3, 12}});
  return all;
}
const Pairs& inertia_pairs() {  // of the inner one and the outer one
  static const Pairs all = list_pairs({{6, 0}, {9, 3}});
  return all;
}

std::vector<int> sort_items(const std::vector<LinkProducts::Item>& items, bool by_link) {
  std::vector<int> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto &x = items[static_cast<std::size_t>(a)], &y = items[static_cast<std::size_t>(b)];
    return by_link ? x.link < y.link : x.number < y.number;
  });
  return order;
}

std::vector<LinkProducts::Item> take_in_order(const std::vector<LinkProducts::Item>& items,
                                              const std::vector<int>& order) {
  std::vector<LinkProducts::Item> all;
  for (const int i : order) all.push_back(items[static_cast<std::size_t>(i)]);
  return all;
}

}  // namespace

LaneWidth widest_lanes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return LaneWidth::eight;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return LaneWidth::four;
#endif
  return LaneWidth::one;
}

LinkProducts::LinkProducts(const std::vector<int>& parents, const std::vector<Item>& entries,
                           const std::vector<Item>& changes, const std::vector<int>& others,
                           int speed_count, LaneWidth lanes)
    : lanes_(lanes),
      entry_order_(sort_items(entries, true)),
      change_order_(sort_items(changes, false)),
      row_of_(static_cast<std::size_t>(speed_count), -1) {
  entries_ = take_in_order(entries, entry_order_);
  changes_ = take_in_order(changes, change_order_);
  number_links(parents);
  tables_.entries = entries_.size();
  tables_.changes = changes_.size();
  tables_.rows = row_of_.size();
  int next = 0;
  for (const Item& e : entries_) {
    int& row = row_of_[static_cast<std::size_t>(e.number)];
    if (row < 0) row = next++;
    tables_.entry_rows.push_back(row);
  }
  tables_.is_direct = next == to_int(entries_.size());
  for (int& row : row_of_) {  // moves nothing: M is singular
    if (row >= 0) continue;
    row = next++;
    tables_.is_direct = false;
  }
  list_columns(others);
  tables_.matrix_stride = round_up(tables_.rows);
  tables_.row_stride = round_up(columns_.size());
  relate();
  find_fill();
}

int LinkProducts::place_of(int column) const {
  return to_int(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
}

void LinkProducts::list_columns(const std::vector<int>& others) {
  for (const Item& c : changes_) {
    if (columns_.empty() || columns_.back() != c.number) columns_.push_back(c.number);
    tables_.change_columns.push_back(to_int(columns_.size()) - 1);
  }
  tables_.is_direct = tables_.is_direct && columns_.size() == changes_.size();
  const std::size_t changed = columns_.size();
  for (const int column : others)
    if (!std::binary_search(columns_.begin(),
                            columns_.begin() + static_cast<std::ptrdiff_t>(changed), column))
      columns_.push_back(column);
  std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(changed), columns_.end());
  columns_.erase(
      std::unique(columns_.begin() + static_cast<std::ptrdiff_t>(changed), columns_.end()),
      columns_.end());
}

// Numbers such that what is on a link is an interval; parents come before children.
void LinkProducts::number_links(const std::vector<int>& parents) {
  const std::size_t n = parents.size();
  std::vector<int> size(n, 1), next(n);
  for (std::size_t i = n; i-- > 0;)
    if (parents[i] >= 0) size[static_cast<std::size_t>(parents[i])] += size[i];
  int roots = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int& place = parents[i] >= 0 ? next[static_cast<std::size_t>(parents[i])] : roots;
    subtrees_.emplace_back(place, place + size[i] - 1);
    next[i] = place + 1;
    place += size[i];
  }
}

bool LinkProducts::is_on(int link, int outer) const {
  if (outer < 0) return true;
  if (link < 0) return false;
  const auto& range = subtrees_[static_cast<std::size_t>(outer)];
  const int number = subtrees_[static_cast<std::size_t>(link)].first;
  return range.first <= number && number <= range.second;
}

void LinkProducts::relate() {
  const std::size_t blocks = (changes_.size() + 7) / 8, own = (entries_.size() + 7) / 8;
  LinkTables& t = tables_;
  t.outer_mask.assign(entries_.size() * blocks, 0);
  t.inner_mask = t.outer_mask;
  t.inertia_mask.assign(entries_.size() * own, 0);
  const auto set = [](std::vector<std::uint8_t>* masks, std::size_t first, std::size_t j) {
    std::uint8_t& mask = (*masks)[first + j / 8];
    mask = static_cast<std::uint8_t>(mask | (1U << (j % 8)));
  };
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    for (std::size_t c = 0; c < changes_.size(); ++c) {
      if (is_on(entries_[e].link, changes_[c].link))
        set(&t.outer_mask, e * blocks, c);
      else if (is_on(changes_[c].link, entries_[e].link))
        set(&t.inner_mask, e * blocks, c);
    }
    for (std::size_t f = 0; f <= e; ++f)
      if (is_on(entries_[e].link, entries_[f].link)) set(&t.inertia_mask, e * own, f);
  }
}

std::vector<std::pair<int, int>> LinkProducts::list_related() const {
  std::vector<std::pair<int, int>> all;
  for (const Item& e : entries_)
    for (const Item& c : changes_)
      if (is_on(e.link, c.link) || is_on(c.link, e.link)) all.emplace_back(e.number, c.number);
  return all;
}

// Rows as sets of earlier ones: what a row is coupled with, the last of these is too, once the row is eliminated.
void LinkProducts::find_fill() {
  const std::size_t n = tables_.rows;
  std::vector<std::vector<bool>> coupled(n, std::vector<bool>(n));
  for (std::size_t e = 0; e < entries_.size(); ++e)
    for (std::size_t f = 0; f < e; ++f) {
      if (!is_on(entries_[e].link, entries_[f].link)) continue;
      const auto r = static_cast<std::size_t>(tables_.entry_rows[e]),
                 s = static_cast<std::size_t>(tables_.entry_rows[f]);
      if (r != s) coupled[std::max(r, s)][std::min(r, s)] = true;
    }
  tables_.fill.resize(n);
  tables_.users.resize(n);
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = 0; i < k; ++i)
      if (coupled[k][i]) tables_.fill[k].push_back(to_int(i));
    if (tables_.fill[k].empty()) continue;
    for (const int i : tables_.fill[k])
      tables_.users[static_cast<std::size_t>(i)].push_back(to_int(k));
    std::vector<bool>& last = coupled[static_cast<std::size_t>(tables_.fill[k].back())];
    for (const int i : tables_.fill[k])
      if (i != tables_.fill[k].back()) last[static_cast<std::size_t>(i)] = true;
  }
}

void LinkProducts::keep(const std::vector<bool>& entry_components,
                        const std::vector<bool>& change_components) {
  std::vector<bool> of_entries(15), of_changes(15);
  const auto is_kept = [](const std::vector<bool>& list, int i) {
    return bool(list[static_cast<std::size_t>(i)]);
  };
  const auto mark = [&](const Pairs& pairs, const std::vector<bool>& others,
                        std::vector<bool>* marked) {
    for (const auto& [a, b] : pairs)
      if (is_kept(entry_components, a) && is_kept(others, b))
        of_entries[static_cast<std::size_t>(a)] = (*marked)[static_cast<std::size_t>(b)] = true;
  };
  mark(outer_pairs(), change_components, &of_changes);
  mark(inner_pairs(), change_components, &of_changes);
  mark(inertia_pairs(), entry_components, &of_entries);
  const auto list = [&](const std::vector<bool>& marked) {
    std::vector<int> kept;
    for (int i = 0; i < 15; ++i)
      if (is_kept(marked, i)) kept.push_back(i);
    return kept;
  };
  entry_kept_ = list(of_entries);
  change_kept_ = list(of_changes);
  // Where the numbers of a component begin.
  const auto find = [](const std::vector<int>& kept, int i, std::size_t count) {
    const auto at = std::find(kept.begin(), kept.end(), i);
    return static_cast<std::size_t>(at - kept.begin()) * round_up(count);
  };
  const auto place = [&](const Pairs& pairs, const std::vector<bool>& others,
                         const std::vector<int>& kept, std::size_t count, auto* to) {
    to->clear();
    for (const auto& [a, b] : pairs)
      if (is_kept(entry_components, a) && is_kept(others, b))
        to->emplace_back(find(entry_kept_, a, entries_.size()), find(kept, b, count));
  };
  place(outer_pairs(), change_components, change_kept_, changes_.size(), &tables_.outer);
  place(inner_pairs(), change_components, change_kept_, changes_.size(), &tables_.inner);
  place(inertia_pairs(), entry_components, entry_kept_, entries_.size(), &tables_.inertia);
}

std::vector<VectorPlace> LinkProducts::layout(const std::vector<int>& kept,
                                              const std::vector<int>& order) const {
  std::vector<VectorPlace> all;
  for (const int component : kept) {
    for (const int i : order) all.push_back({component, i});
    for (std::size_t i = order.size(); i < round_up(order.size()); ++i)
      all.push_back({component, -1});
  }
  return all;
}

std::size_t LinkProducts::memory_size() const {
  return tables_.rows * (tables_.matrix_stride + tables_.row_stride + 1);
}

void LinkProducts::compute(const double* numbers, double* memory) const {
  const double* const changes = numbers + entry_kept_.size() * round_up(entries_.size());
  double* const b = rows(memory);
  switch (lanes_) {
#if defined(__x86_64__)
    case LaneWidth::eight:
      lanes_eight::multiply(tables_, numbers, changes, memory, b);
      return;
    case LaneWidth::four:
      lanes_four::multiply(tables_, numbers, changes, memory, b);
      return;
#endif
    default:
      lanes_one::multiply(tables_, numbers, changes, memory, b);
  }
}

Eigen::MatrixXd LinkProducts::read_matrix(const double* memory) const {
  const auto n = static_cast<Eigen::Index>(tables_.rows);
  Eigen::MatrixXd M(n, n);
  for (Eigen::Index r = 0; r < n; ++r)
    for (Eigen::Index s = 0; s < n; ++s) {
      const auto i = static_cast<std::size_t>(row_of(to_int(r))),
                 j = static_cast<std::size_t>(row_of(to_int(s)));
      M(r, s) = memory[std::max(i, j) * tables_.matrix_stride + std::min(i, j)];
    }
  return M;
}

bool LinkProducts::solve(double* memory, std::size_t columns) const {
  double* const b = rows(memory);
  double* const inverse = b + tables_.rows * tables_.row_stride;
  switch (lanes_) {
#if defined(__x86_64__)
    case LaneWidth::eight:
      return lanes_eight::solve(tables_, memory, b, inverse, columns);
    case LaneWidth::four:
      return lanes_four::solve(tables_, memory, b, inverse, columns);
#endif
    default:
      return lanes_one::solve(tables_, memory, b, inverse, columns);
  }
}

}  // namespace visviva
