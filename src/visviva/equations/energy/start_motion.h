// What stays as it is during the motion from the start state.
//
// y are the configuration and the independent speeds, y0 their start values, y' = r(y, t). A set S
// of them keeps its start values when
//   r_k(y, t) = 0 for every k in S, identically in the others, with y_S = y0_S                  (1)
// The largest such set is found by leaving out, again and again, what violates (1). A planar motion
// of a spatial mechanism, a wheel that never starts to turn, an equilibrium are found so. What
// other symmetries keep (two equal oscillators in opposite phase) is seen by numbers only, on the
// first part of the motion, integrated step by step (state_samples.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/equations/energy/along_motion.h"
#include "visviva/equations/energy/state_samples.h"

namespace visviva {

class StartMotion {
 public:
  /// `values` are put in first.
  StartMotion(const Energies& energies, const Replacements& values);

  /// Names of S.
  const std::vector<std::string>& kept() const { return names_; }
  /// True when the expression vanishes with the values of S put in.
  bool is_zero(const Expr& e);
  /// True when the expression vanishes along the first part of the motion. Never for one that
  /// depends on time: what comes later may differ.
  bool vanishes_numerically(const Expr& e) const;
  /// Why nothing was examined; nothing where it was.
  const std::optional<Reason>& refusal() const { return refusal_; }

 private:
  struct Candidate {
    std::string name;
    Expr symbol, start, rate;
  };
  std::vector<Candidate> collect(const Energies& energies, const Replacements& values);
  void reduce(const Energies& energies, const Replacements& values, std::vector<Candidate> all);

  void integrate(const Energies& energies, const Replacements& values);

  StateSamples samples_;  // along the motion from the start
  std::vector<std::string> names_;
  std::optional<Reason> refusal_;
  std::unique_ptr<Substitution> kept_;
};

}  // namespace visviva
