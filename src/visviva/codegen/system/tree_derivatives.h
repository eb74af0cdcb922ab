// Derivatives of the rates of a tree of links as what is compiled: the numbers that LinkProducts takes, what is added to its
// products, and the slopes of the configuration's rates.
#pragma once

#include "visviva/codegen/system/tree_slopes.h"
#include "visviva/numeric/kkt_assembly.h"
#include "visviva/numeric/link_products.h"

namespace visviva {

struct TreeDerivatives {
  LinkProducts products;
  std::vector<Expr> state;    ///< the symbols of the state in the outputs
  std::vector<Expr> outputs;  ///< numbers of `products`, terms, slopes of the configuration's rates
  std::size_t first_term = 0;            ///< among the outputs
  std::vector<std::size_t> term_places;  ///< in the rows of `products`
  std::vector<EntryPlace> rates;         ///< of the slopes; columns: state, time, inputs
  std::vector<EntryPlace> residuals;     ///< where derivatives of M u' - f are not always zero
  std::size_t state_columns = 0;         ///< of the rows: those by state and time come first
};

/// The system avoids nothing more than before its slopes were made.
TreeDerivatives make_tree_derivatives(RunExpressions& system, const TreeSlopes& slopes,
                                      LaneWidth lanes);

}  // namespace visviva
