// Evaluation: all that the equations say at one state, as numbers with names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "visviva/equations/reactions/reactions.h"

namespace visviva {

/// A number or a list of numbers with its name; not finite means not determined.
struct EvaluatedValue {
  std::string name;
  std::vector<double> numbers;
  bool is_list = false;
  std::string unit{};
};

/// The acceleration q'' of a coordinate.
struct CoordinateAcceleration {
  EvaluatedValue value;
  bool has_own_speed = false;  ///< a speed is q': then the rate of that speed says the same
};

/// A remark about the energies at a state.
struct EvaluationRemark {
  enum Kind {
    only_kinetic_energy,      ///< the others are not known: `message` says why
    constraints_not_embedded  ///< loads whose potential needs the constraints count as nonconservative
  };
  Kind kind;
  std::string message{};
};

struct Evaluation {
  std::vector<EvaluatedValue> state;
  std::vector<EvaluatedValue> speed_rates;  ///< u', each under the name of its speed
  std::vector<CoordinateAcceleration> accelerations;
  std::vector<EvaluatedValue> state_rates;  ///< "ei'" of the states with a law
  std::vector<EvaluatedValue> unknowns, multipliers;
  Reactions forces;                                  ///< reactions, motors, powers
  std::vector<EvaluatedValue> energies;              ///< those of base/result_table.h
  std::map<std::string, double> generalized_powers;  ///< of loads, where energies are known
  std::vector<EvaluatedValue> outputs;
  std::vector<EvaluationRemark> remarks;
};

/// All numbers at a state. ModelError where a term of the equations is not finite, or an unknown
/// force is not determined.
Evaluation evaluate_state(const Equations& equations, const ConsistentStart& at);

}  // namespace visviva
