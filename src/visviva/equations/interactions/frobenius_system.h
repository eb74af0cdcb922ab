// PfaffianSystem: forms that vanish along every motion, and what of them can be integrated.
//
// omega_i are the forms of a system I, V_f the fields on which all of them vanish. The derived systems are
//   I_0 = I,   I_(s+1) = { omega in I_s : d omega (V_f, V_g) = 0 for all fields V of I_s }      (1)
// The last, I_s = I_(s+1), is the largest part that is spanned by differentials (Frobenius); a single form is integrable
// exactly when omega ^ d omega = 0                                                              (2)
// All decisions are those of expressions (docs/theory/equality.md): what is zero is proved so, ranks are those of almost every
// configuration. Where configuration constraints give a coordinate, it is put in after differentiating, so that (1) is asked for
// on the configurations that exist.
#pragma once

#include <optional>
#include <vector>

#include "visviva/equations/interactions/frobenius_space.h"

namespace visviva {

/// True when an expression is proved zero, roots included.
bool vanishes(const Expr& e);

/// A matrix with rows reduced to echelon form: unit columns at the pivots.
struct Echelon {
  std::vector<std::vector<Expr>> rows;
  std::vector<std::size_t> pivots;  ///< column of each row
};
/// Rows over the first `pivot_columns` columns; rows without a pivot are left out.
Echelon reduce_rows(std::vector<std::vector<Expr>> rows, std::size_t pivot_columns);
/// True when a row is a combination of those reduced.
bool is_spanned(std::vector<Expr> row, const Echelon& echelon);

/// A component of a form that is not zero, and along which directions.
struct FormComponent {
  std::vector<std::size_t> directions;
  Expr value;
  bool is_only = true;  ///< all other components are zero
};

/// The component of omega ^ d omega that is simplest; nothing when (2) holds.
std::optional<FormComponent> find_wedge(const OneForm& form,
                                        const std::vector<std::vector<Expr>>& derivative);

class PfaffianSystem {
 public:
  struct Form {
    OneForm form;
    bool is_exact = false;  ///< known to be a differential
  };

  /// `solved` are coordinates that configuration constraints give.
  PfaffianSystem(ConfigurationSpace* space, const std::vector<Form>& forms, Replacements solved);

  std::size_t rank() const { return rank_; }
  /// The last derived system, as reduced rows.
  const Echelon& integrable() const { return integrable_; }
  /// True when a form of the system belongs to the last derived system.
  bool is_holonomic(const OneForm& form) const;
  /// d omega (V_f, V_g) of a form by the fields of the whole system, the simplest that is not zero.
  std::optional<FormComponent> find_obstruction(const OneForm& form) const;

 private:
  using TwoForm = std::vector<std::vector<Expr>>;
  struct Level {
    std::vector<OneForm> forms;
    std::vector<std::optional<TwoForm>> derivatives;  // nothing for a differential
  };

  std::vector<Expr> put(const std::vector<Expr>& form) const;
  Echelon reduce(const std::vector<OneForm>& forms) const;
  std::vector<std::size_t> free_directions(const Echelon& echelon) const;
  std::vector<std::vector<Expr>> kernel(const Echelon& echelon) const;
  std::vector<Expr> restrict_to(const std::vector<std::vector<Expr>>& fields,
                                const TwoForm& derivative) const;
  /// False when the level is its own derived system.
  bool derive(Level* level) const;
  void combine(const std::vector<std::vector<Expr>>& factors, Level* level) const;

  ConfigurationSpace* space_;
  Replacements solved_;
  std::set<std::size_t> touched_;  // directions that matter; the others are their own fields
  std::size_t rank_ = 0;
  Echelon all_, integrable_;
};

}  // namespace visviva
