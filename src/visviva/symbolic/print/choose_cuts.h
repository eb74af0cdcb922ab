// Where large expressions are cut into named intermediates, so that their text stays linear in
// their nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

/// When a node gets a name.
struct CutLimits {
  std::size_t shared_size = 8;  ///< a node used more than once gets a name from this size on
  std::size_t line_size = 40;   ///< any node gets a name beyond this size
  std::size_t nesting = 5;      ///< or beyond so many functions of functions
};

/// The indices of the nodes under `roots` that get names, operands before users. A node's size
/// counts the nodes of its text as a tree in which named nodes count 1: below shared_size for what
/// is repeated, at most 2 line_size + 1 for any line. A root that nothing else uses needs no name.
std::vector<std::uint32_t> choose_cuts(const ExprPool& pool, const std::vector<Ref>& roots,
                                       const CutLimits& limits);

/// How many nodes are under `root`; looks at no more than one beyond `limit`.
std::size_t count_nodes(const ExprPool& pool, Ref root, std::size_t limit);
/// The longest chain of operands in a cone.
std::size_t depth_of(const ExprPool& pool, const std::vector<std::uint32_t>& cone);

}  // namespace visviva
