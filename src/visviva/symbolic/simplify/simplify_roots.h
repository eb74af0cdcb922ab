// Square roots in polynomials: the square of a root is what stands under it.
#pragma once

#include "visviva/symbolic/simplify/simplify_convert.h"

namespace visviva {

/// A root among the leaves of an expression, and what stands under it.
struct RootLeaf {
  std::uint32_t index;  ///< of its node
  Arithmetic argument;
};

/// The roots of sums, products and quotients among some leaves, those under them included: an outer one comes before an inner.
std::vector<RootLeaf> collect_root_leaves(const ExprPool& pool,
                                          const std::vector<std::uint32_t>& leaves,
                                          const NodeNames& names);

/// The leaves, and those of what stands under the roots.
std::vector<std::uint32_t> add_leaves(std::vector<std::uint32_t> leaves,
                                      const std::vector<RootLeaf>& roots);

/// The quotient with every root to the power 0 or 1.
Quotient reduce_roots(Quotient q, const ExprPool& pool, const std::vector<RootLeaf>& roots,
                      GeneratorTable& table, Budget& budget);

}  // namespace visviva
