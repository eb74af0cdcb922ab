// Closed loops of rods as a person writes them: M, f, A and b by hand, then a Schur complement.
#pragma once

#include <vector>

namespace visviva::bench {

/// The rates of states (q, u); angles from the horizontal. The code is made for this very processor.
class LoopPeer {
 public:
  virtual ~LoopPeer() = default;
  virtual void compute_rates(const double* state, double* rates) = 0;
};

/// The four-bar of simulated_systems.cpp.
class FourBarPeer : public LoopPeer {
 public:
  void compute_rates(const double* state, double* rates) override;
};

/// n rods of mass 1 kg and length 1 m, one hung from the other, both ends of the chain held; n = 20 or 100.
class RodLoopPeer : public LoopPeer {
 public:
  explicit RodLoopPeer(int n);
  void compute_rates(const double* state, double* rates) override;

 private:
  int n_;
  std::vector<double> memory_;
};

}  // namespace visviva::bench
