// Which symbols carry time into expressions: t, specified functions, and hidden states that these alone turn.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

class TimeSymbols {
 public:
  explicit TimeSymbols(const Kinematics& motion);

  /// The expression changes with time while configuration and speeds stay: it mentions t, a
  /// specified function, or a hidden state that nothing else turns.
  bool depends_on_time(const Expr& e) const;
  /// Whether an expression mentions something given from outside as a force is: an input, an
  /// unknown force, or a function of time that no position, orientation or constraint contains and
  /// that is not constant.
  bool depends_on_outside(const Expr& e) const;
  /// True when `e` mentions a coordinate or another hidden state.
  bool depends_on_configuration(const Expr& e) const;
  /// Names of the time functions in it, for messages: "x", "t".
  std::vector<std::string> names_in(const Expr& e) const;
  /// Names of what comes from outside in it.
  std::vector<std::string> outside_names_in(const Expr& e) const;

 private:
  void add_motions(const Kinematics& motion);
  void add_driven_states(const Kinematics& motion);
  bool is_outside(const Expr& symbol) const;
  bool is_time(const Expr& symbol) const;

  const ModelData& model_;
  std::set<int> moving_;  // specified functions that positions or constraints contain
  bool is_t_moving_ = false;
  std::map<Ref, std::vector<std::string>>
      driven_;  // hidden states of driven frames, and what drives them
};

}  // namespace visviva
