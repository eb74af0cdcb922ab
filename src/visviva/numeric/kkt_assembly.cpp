#include "visviva/numeric/kkt_assembly.h"

namespace visviva {
namespace {

constexpr double rounding_level = 1e-14;  // of the largest entry of all constraint rows

}  // namespace

void KktAssembly::place(int equation, int column, int value) {
  places_.push_back({value, equation, column, column < sizes_.speeds ? 1.0 : -1.0});
}

void KktAssembly::place_row(int i, int s, int value) {
  place(row_equation(i), s, value);
  place(s, multiplier_column(i), value);
}

void KktAssembly::place_right(int equation, int value) {
  right_places_.push_back({value, equation, 0, 1.0});
}

void KktAssembly::assemble(const double* values, Eigen::MatrixXd* K, Eigen::VectorXd* rhs) const {
  K->setZero(equation_count(), column_count());
  rhs->setZero(equation_count());
  for (const EntryPlace& p : places_) (*K)(p.row, p.column) = p.factor * values[p.value];
  for (const EntryPlace& p : right_places_) (*rhs)(p.row) = values[p.value];
}

void KktAssembly::drop_empty_rows(Eigen::MatrixXd* K) const {
  if (sizes_.rows == 0 || sizes_.speeds == 0) return;
  const auto A = K->block(sizes_.speeds, 0, sizes_.rows, sizes_.speeds);
  const double largest = A.cwiseAbs().maxCoeff();
  for (int i = 0; i < sizes_.rows; ++i) {
    if (A.row(i).cwiseAbs().maxCoeff() > rounding_level * largest) continue;
    K->row(row_equation(i)).setZero();
    K->col(multiplier_column(i)).setZero();
  }
}

}  // namespace visviva
