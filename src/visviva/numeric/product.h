// Products of dense matrices, compiled once: to the compiler each pair of expressions that Eigen
// multiplies is a new one, half a second and more.
#pragma once

#include <Eigen/Core>

namespace visviva {

using MatrixView = Eigen::Ref<const Eigen::MatrixXd>;

/// A B
Eigen::MatrixXd product(const MatrixView& A, const MatrixView& B);

/// |A| |B|, entries without their signs: how large the terms of A B are.
Eigen::MatrixXd product_of_sizes(const MatrixView& A, const MatrixView& B);

/// T' M T
Eigen::MatrixXd congruence(const MatrixView& M, const MatrixView& T);

}  // namespace visviva
