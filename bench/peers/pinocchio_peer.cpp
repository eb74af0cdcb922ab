// Pinocchio's algorithms behind C functions, for a benchmark that loads them (peers_bench.cpp).
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "neutral_model.h"

namespace {

struct Peer {
  pinocchio::Model model;
  pinocchio::Data data{model};
};

using Numbers = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

extern "C" {

void* peer_open(const char* path) { return new Peer{read_neutral_model(path)}; }
void peer_close(void* peer) { delete static_cast<Peer*>(peer); }
int peer_speeds(const void* peer) { return static_cast<const Peer*>(peer)->model.nv; }

void peer_accelerations(void* peer, const double* q, const double* v, const double* tau,
                        double* a) {
  auto& [model, data] = *static_cast<Peer*>(peer);
  pinocchio::aba(model, data, Numbers(q, model.nq), Numbers(v, model.nv), Numbers(tau, model.nv),
                 pinocchio::Convention::LOCAL);
  Eigen::Map<Eigen::VectorXd>(a, model.nv) = data.ddq;
}

void peer_forces(void* peer, const double* q, const double* v, const double* a, double* tau) {
  auto& [model, data] = *static_cast<Peer*>(peer);
  pinocchio::rnea(model, data, Numbers(q, model.nq), Numbers(v, model.nv), Numbers(a, model.nv));
  Eigen::Map<Eigen::VectorXd>(tau, model.nv) = data.tau;
}

// The upper half, by columns.
void peer_mass_matrix(void* peer, const double* q, const double*, const double*, double* M) {
  auto& [model, data] = *static_cast<Peer*>(peer);
  pinocchio::crba(model, data, Numbers(q, model.nq), pinocchio::Convention::LOCAL);
  M[0] = data.M(0, 0);
}

// By q, v and tau: the last is M's inverse.
void peer_slopes(void* peer, const double* q, const double* v, const double* tau, double* slopes) {
  auto& [model, data] = *static_cast<Peer*>(peer);
  pinocchio::computeABADerivatives(model, data, Numbers(q, model.nq), Numbers(v, model.nv),
                                   Numbers(tau, model.nv));
  slopes[0] = data.ddq_dq(0, 0) + data.ddq_dv(0, 0) + data.Minv(0, 0);
}

// All of them: by q, v and tau, each by columns.
void peer_all_slopes(void* peer, const double* q, const double* v, const double* tau,
                     double* slopes) {
  peer_slopes(peer, q, v, tau, slopes);
  const auto& [model, data] = *static_cast<Peer*>(peer);
  Eigen::Map<Eigen::MatrixXd> all(slopes, model.nv, 3 * model.nv);
  all << data.ddq_dq, data.ddq_dv, Eigen::MatrixXd(data.Minv.selfadjointView<Eigen::Upper>());
}
}
