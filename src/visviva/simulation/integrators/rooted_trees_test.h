// Rooted trees and the order conditions of Runge-Kutta methods, one for each tree.
//
// J. C. Butcher; as in Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.2. A
// tree is a root with the trees that hang on it. Its density and its weights at the stages are
//   gamma(tree) = order(tree) * product of gamma(child),                                        (1)
//   phi_i(tree) = product over the children of sum over j of a_ij phi_j(child),                 (2)
// and weights b_i(theta) have order p if for every tree of at most p nodes
//   sum of b_i(theta) phi_i(tree) = theta^order(tree) / gamma(tree).                            (3)
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace visviva {

struct RootedTree {
  int order;
  long double gamma;
  std::vector<std::size_t> children;  ///< places in the list, not increasing
};

/// All trees of at most max_order nodes, smaller ones first.
inline std::vector<RootedTree> make_rooted_trees(int max_order) {
  std::vector<RootedTree> trees = {{1, 1.0L, {}}};
  std::vector<std::size_t> children;
  // Hangs trees of `nodes` nodes in all, none beyond `last` in the list, on one root.
  const auto hang = [&](const auto& self, int nodes, std::size_t last, int order) -> void {
    if (nodes == 0) {
      long double gamma = order;
      for (std::size_t child : children) gamma *= trees[child].gamma;  // (1)
      trees.push_back({order, gamma, children});
      return;
    }
    for (std::size_t child = 0; child <= last && trees[child].order <= nodes; ++child) {
      children.push_back(child);
      self(self, nodes - trees[child].order, child, order);
      children.pop_back();
    }
  };
  for (int order = 2; order <= max_order; ++order) hang(hang, order - 1, trees.size() - 1, order);
  return trees;
}

/// phi_i of (2) for every tree, and the same with all coefficients positive: rounding scales so.
template <int stages>
class ElementaryWeights {
 public:
  ElementaryWeights(const std::vector<RootedTree>& trees, const long double (&a)[stages][stages])
      : trees_(trees) {
    for (const RootedTree& tree : trees) {
      Column phi = {Values(stages, 1.0L), Values(stages, 1.0L)};
      for (std::size_t child : tree.children) {
        for (int i = 0; i < stages; ++i) {
          phi.value[i] *= below_[child].value[i];
          phi.size[i] *= below_[child].size[i];
        }
      }
      Column below = {Values(stages, 0.0L), Values(stages, 0.0L)};
      for (int i = 0; i < stages; ++i) {
        for (int j = 0; j < i; ++j) {
          below.value[i] += a[i][j] * phi.value[j];  // (2)
          below.size[i] += std::abs(a[i][j]) * phi.size[j];
        }
      }
      phi_.push_back(phi);
      below_.push_back(below);
    }
  }

  struct Defect {
    long double value = 0.0L;      ///< largest defect of (3) among the trees of an order
    long double roundings = 0.0L;  ///< the same divided by the sum of the sizes of its terms
  };
  template <class Weights>
  Defect compute_defect(const Weights& b, int order, long double theta = 1.0L) const {
    Defect worst;
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      if (trees_[tree].order != order) continue;
      long double sum = 0.0L, size = 0.0L;
      for (int i = 0; i < stages; ++i) {
        sum += b[i] * phi_[tree].value[i];
        size += std::abs(b[i]) * phi_[tree].size[i];
      }
      const long double defect =
          std::abs(sum - std::pow(theta, static_cast<long double>(order)) / trees_[tree].gamma);
      worst.value = std::max(worst.value, defect);
      worst.roundings = std::max(worst.roundings, defect / size);
    }
    return worst;
  }

 private:
  using Values = std::vector<long double>;
  struct Column {
    Values value, size;
  };
  const std::vector<RootedTree>& trees_;
  std::vector<Column> phi_, below_;
};

}  // namespace visviva
