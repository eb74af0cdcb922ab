// OutputExpressions: what a model's outputs and events need, in terms of what a run knows.
//
// Energies, powers of loads and the like are put in for their names. What stays as symbols:
//   results      reaction(X), moment(X), multiplier(X), motor(x), power(x): solved for at run time (reaction_forms.h);
//                force(X, B), moment(X, B) are put in in terms of these (interactions.h)
//   quadratures  integrals over time, zero at the start:
//     Z' = sigma_R - P_nonconservative                      Mitiguy, chapter 34 (2)             (1)
//     work(X)' = power(X),  generalized_work(F)' = generalized_power(F)                           (2)
//     action()' = K - V, U with its terms of time           MEEN 617, Handout 4a (36)        (3)
// Only Z is always there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/result_table.h"
#include "visviva/equations/energy/energies.h"
#include "visviva/equations/reactions/reaction_forms.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// A quantity that a run shows beyond the model's own outputs.
struct ExtraOutput {
  std::string name;
  /// One value, or three along N: functions of coordinates, hidden states, speeds and their rates, time,
  /// parameters, inputs, and of results by name, such as pool.symbol("K2"), "power(F)" or
  /// "reaction(ball).x".
  std::vector<Expr> components;
  std::shared_ptr<ExprPool> pool{};  ///< holds the components, where no value of the caller's does
};

struct OutputExpressions {
  /// The outputs of a model and the extra ones. UsageError when an extra output has neither one
  /// component nor three.
  OutputExpressions(const Equations& equations, const EnergyTerms& formal,
                    const std::vector<ExtraOutput>& extra = {});

  /// An integral over time; its symbol has its name.
  struct Quadrature {
    std::string name;
    Expr rate;
    int result = -1;  ///< the result whose value the rate is; -1 where it is none
  };
  struct Result {
    std::vector<Expr> symbols;  ///< one symbol, or three for components in N
    ResultForm form;
  };

  std::vector<std::string> output_names;
  std::vector<std::vector<Expr>> outputs;  ///< the model's, then extra ones; vectors along N
  std::vector<Expr> events;
  std::vector<Quadrature> quadratures;
  std::vector<Result> results;

  /// All expressions, for those who must know which symbols are used.
  std::vector<Expr> list_all() const;

 private:
  void add_extra(const std::vector<ExtraOutput>& extra);
  std::vector<std::string> list_names() const;
  void list_open_powers(const Equations& equations, const EnergyTerms& formal);
  Replacements list_known(const EnergyTerms& formal) const;
  Replacements list_actions(const Equations& equations) const;
  void list_quadratures(const EnergyTerms& formal);
  void list_results(const Equations& equations);
  std::optional<ResultForm> make_result(const ReactionForms& forms,
                                        const CalledResult& called) const;

  const ModelData& model_;
  std::map<std::string, ResultForm> open_powers_;  // of loads that hold what constraints take up
};

}  // namespace visviva
