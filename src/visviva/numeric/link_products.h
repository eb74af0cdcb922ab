// Products of short vectors along a tree of links: the mass matrix and the derivatives of what speeds need, from a few numbers
// of each link (codegen/system/tree_slopes.h (5), (6)), and their solution M x = -b.
//
// A speed's entry e on link i has v_0, w, F, T, B, a change c by a link j has A, theta'', theta', f, n, three numbers each:
//   M_er = v_0·F + w·T of the outer's v_0, w and the inner's F, T                                (1)
//   b_ec = A·F + theta''·T + theta'·B where i is j or hangs on it                                (2)
//   b_ec = v_0·f + w·n where j hangs on i                                                        (3)
// With M = L' D L, speeds that hang on others first (R. Featherstone, Efficient factorization of the joint-space inertia
// matrix for branched kinematic trees, 2005), so that nothing fills in:
//   l_ki = M_ki/d_k,   M_ij -= l_ki M_kj,   k from the last                                      (4)
//   b_i -= l_ki b_k,   x_k = -b_k/d_k - sum_i l_ki x_i                                            (5)
// Several columns are in one register.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>
#include <vector>

namespace visviva {

/// What a processor has for several numbers at once.
enum class LaneWidth { one = 1, four = 4, eight = 8 };
/// The widest that this processor has.
LaneWidth widest_lanes();

/// What the loops run over; each is made once.
struct LinkTables {
  std::size_t entries = 0, changes = 0;  ///< as many as there are
  std::size_t rows = 0, columns = 0, matrix_stride = 0, row_stride = 0;
  bool is_direct = false;  ///< one entry for each speed, one change for each column
  std::vector<int> entry_rows, change_columns;
  /// Numbers to be multiplied, as their places before the first of an entry's or change's: (2), (3), (1).
  std::vector<std::pair<std::size_t, std::size_t>> outer, inner, inertia;
  std::vector<std::uint8_t> outer_mask, inner_mask;  ///< by entry and eight changes
  std::vector<std::uint8_t>
      inertia_mask;  ///< by entry and eight entries: those that it is, or hangs on
  std::vector<std::vector<int>> fill;   ///< of each row of M: earlier rows that it is coupled with
  std::vector<std::vector<int>> users;  ///< of each row: later ones
};

/// Where a number of the vectors goes: component 0 to 14, entry or change.
struct VectorPlace {
  int component, number;
};

class LinkProducts {
 public:
  struct Item {
    int link;    ///< -1: the ground
    int number;  ///< of an entry its speed, of a change its column
  };

  /// Items in any order. Columns that no change has may follow in `others`: terms alone change them.
  LinkProducts(const std::vector<int>& parents, const std::vector<Item>& entries,
               const std::vector<Item>& changes, const std::vector<int>& others, int speed_count,
               LaneWidth lanes);

  /// Components of entries, and of changes, that matter; all others are zero.
  void keep(const std::vector<bool>& entry_components, const std::vector<bool>& change_components);

  /// The numbers that compute() takes: components of entries, then of changes, each for all of them, with room up to a
  /// multiple of eight. As component and place in the lists given; a place of -1 is room.
  std::vector<VectorPlace> entry_layout() const { return layout(entry_kept_, entry_order_); }
  std::vector<VectorPlace> change_layout() const { return layout(change_kept_, change_order_); }

  /// Numbers of the columns of b, in its order.
  const std::vector<int>& columns() const { return columns_; }
  std::size_t row_stride() const { return tables_.row_stride; }
  /// The row of b that belongs to a speed, and the place of a column.
  int row_of(int speed) const { return row_of_[static_cast<std::size_t>(speed)]; }
  int place_of(int column) const;

  /// Speeds and columns that (2) or (3) connects.
  std::vector<std::pair<int, int>> list_related() const;

  /// Numbers of memory for M and b, which compute() fills and solve() needs; it begins at a multiple of 64 bytes.
  std::size_t memory_size() const;
  /// (1) to (3); b is zero where nothing is added.
  void compute(const double* numbers, double* memory) const;
  double* rows(double* memory) const { return memory + tables_.rows * tables_.matrix_stride; }
  /// M, by speeds, before solve().
  Eigen::MatrixXd read_matrix(const double* memory) const;
  /// (4) and (5) for the first columns of b, in place; M is lost. False where a pivot is not positive beyond rounding, or
  /// the solution not finite.
  bool solve(double* memory, std::size_t columns) const;

 private:
  std::vector<VectorPlace> layout(const std::vector<int>& kept,
                                  const std::vector<int>& order) const;
  void number_links(const std::vector<int>& parents);
  void list_columns(const std::vector<int>& others);
  void relate();
  void find_fill();
  bool is_on(int link, int outer) const;

  LaneWidth lanes_;
  std::vector<std::pair<int, int>> subtrees_;  // first and last number of what is on each link
  std::vector<Item> entries_, changes_;        // in the order of M's rows, of b's columns
  std::vector<int> entry_order_, change_order_, columns_, row_of_;
  std::vector<int> entry_kept_, change_kept_;
  LinkTables tables_;
};

}  // namespace visviva
