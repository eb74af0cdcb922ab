// Writes C by CasADi for Pinocchio's algorithms: generate_casadi MODEL NAME.c
//
// CasADi's wheel has the old names of std::string: this is a program of its own.
#include <pinocchio/autodiff/casadi.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "neutral_model.h"

namespace {

using Scalar = casadi::SX;
using Model = pinocchio::ModelTpl<Scalar>;
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

Vector as_vector(const Scalar& x, int size) {
  Vector v(size);
  for (int i = 0; i < size; ++i) v[i] = x(i);
  return v;
}

Scalar as_column(const Vector& v) {
  Scalar x(casadi::Sparsity::dense(v.size(), 1));
  for (int i = 0; i < v.size(); ++i) x(i) = v[i];
  return x;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 1;
  const Model model = read_neutral_model(words[1]).cast<Scalar>();
  pinocchio::DataTpl<Scalar> data(model);
  const Scalar q = Scalar::sym("q", model.nq), v = Scalar::sym("v", model.nv),
               f = Scalar::sym("f", model.nv);
  const Vector q_ = as_vector(q, model.nq), v_ = as_vector(v, model.nv),
               f_ = as_vector(f, model.nv);
  casadi::CodeGenerator code(words[2]);

  pinocchio::aba(model, data, q_, v_, f_, pinocchio::Convention::LOCAL);
  code.add(casadi::Function("accelerations", {q, v, f}, {as_column(data.ddq)}));
  pinocchio::rnea(model, data, q_, v_, f_);
  code.add(casadi::Function("forces", {q, v, f}, {as_column(data.tau)}));
  pinocchio::crba(model, data, q_, pinocchio::Convention::LOCAL);
  std::vector<Scalar> upper;
  for (int i = 0; i < model.nv; ++i)
    for (int j = i; j < model.nv; ++j)
      if (!data.M(i, j).is_zero()) upper.push_back(data.M(i, j));
  code.add(casadi::Function("mass_matrix", {q, v, f}, {casadi::SX::vertcat(upper)}));
  code.generate();
  return 0;
}
