// The start state of a model as numbers: parameters, coordinates, specified functions at t = 0, or just behind it where time
// meets a corner there.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "visviva/model/model_data.h"

namespace visviva {

/// Values of configuration-level symbols at the start. Rates and speeds are not included: they need
/// the speed definitions.
/// Values by symbol, whichever pool of a model the symbol was made in.
class SymbolValues {
 public:
  using Map = std::unordered_map<std::string, double>;
  double& operator[](const Expr& symbol) { return values_[name(symbol)]; }
  double& at(const Expr& symbol) { return values_.at(name(symbol)); }
  double at(const Expr& symbol) const { return values_.at(name(symbol)); }
  Map::const_iterator find(const Expr& symbol) const { return values_.find(name(symbol)); }
  Map::const_iterator end() const { return values_.end(); }
  bool contains(const Expr& symbol) const { return values_.contains(name(symbol)); }
  void erase(const Expr& symbol) { values_.erase(name(symbol)); }
  std::pair<Map::iterator, bool> emplace(const Expr& symbol, double value) {
    return values_.emplace(name(symbol), value);
  }

 private:
  static const std::string& name(const Expr& symbol) {
    return symbol.home().symbol_name(symbol.ref());
  }
  Map values_;
};

struct StartState {
  std::vector<Expr> symbols;
  std::vector<double> values;
  SymbolValues known;  ///< the same by symbol

  /// The value of an expression of these symbols.
  double value(const Expr& expr) const;
  /// The values of many, by one walk.
  std::vector<double> values_of(const std::vector<Expr>& exprs) const;
  /// Time alone meets a corner at the start, such as that of abs(t): values are those just behind it, as runs have them,
  /// and t is a number next to nothing.
  bool is_behind_corner = false;
  /// The same with t = 0, for those who ask whether there is a value at all: 1/t has one behind the corner.
  StartState with_time_zero() const;
  std::vector<std::string>
      missing;  ///< parameters and specified functions without a value; they have a stand-in here
};

StartState make_start_state(const ModelData& model);

}  // namespace visviva
