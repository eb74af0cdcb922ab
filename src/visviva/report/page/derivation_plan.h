// DerivationPlan: what of a derivation a page has room for, printed once, and where its terms come
// from.
//
// F_r and F_r* are sums of contributions, each of one load or body:
//   F_r + F_r* = 0,   F_r = sum_loads F_r(load),   F_r* = sum_bodies b_r(body) - sum_s M_rs(body) u_s'
//   M_rs = sum_bodies M_rs(body),   f_r = sum_loads F_r(load) + sum_bodies b_r(body)             (1)
#pragma once

#include <memory>
#include <vector>

#include "visviva/report/derivation/causes.h"
#include "visviva/report/derivation/derivation.h"
#include "visviva/report/page/math_html.h"
#include "visviva/report/page/term_causes.h"

namespace visviva {

/// How much is shown; each leaves out more than the one before.
enum class DerivationDetail {
  everything,
  without_partials,  ///< no partial velocities
  equations_only     ///< nor the contributions to F_r and F_r*
};

class DerivationPlan {
 public:
  /// A plan for a derivation and its causes, which must outlive it. The derivation holds terms.
  DerivationPlan(const Derivation& derivation, const Causes& causes);

  const Derivation& derivation() const { return d_; }
  const Causes& causes() const { return causes_; }
  DerivationDetail detail() const { return detail_; }
  const PrintedForms& written() const { return *written_; }
  /// Too long for text alternatives and for causes of single terms.
  bool is_long() const { return length_ > 30'000; }
  /// Too long for intermediates in MathML.
  bool is_very_long() const { return length_ > 80'000; }
  std::size_t length() const { return length_; }  ///< characters in the model language

  // Pieces of (1) with their causes, those of functions of time among them.

  std::vector<MathPiece> mass_pieces(std::size_t row, std::size_t column, bool goes_on) const;
  std::vector<MathPiece> forcing_pieces(std::size_t row) const;
  /// The pieces that one load or body adds.
  std::vector<MathPiece> term_pieces(const ForceTerm& term, Cause::Kind kind, std::size_t row,
                                     bool goes_on) const;
  /// Specified functions that an expression depends on.
  std::vector<int> motors_in(const Expr& expr) const;

 private:
  void choose_detail();
  std::vector<Expr> shown_expressions(DerivationDetail detail) const;
  void split_inertia();
  void note_rates(const std::vector<Expr>& rates);
  std::vector<Contribution> mass_contributions(std::size_t row, std::size_t column) const;
  std::vector<Contribution> forcing_contributions(std::size_t row) const;
  std::vector<std::vector<Expr>> ways_of(const Expr& value) const;
  void attribute(const std::vector<Contribution>& contributions, const Expr& whole,
                 std::vector<MathPiece>* pieces) const;

  const Derivation& d_;
  const Causes& causes_;
  DerivationDetail detail_ = DerivationDetail::everything;
  std::unique_ptr<PrintedForms> written_;
  std::unique_ptr<PrintedForms> parts_written_;  // of contributions, when they are short
  std::size_t length_ = 0;
  // Inertia forces b_r and mass matrices M_rs of each body, by rows.
  std::vector<std::vector<Expr>> bias_;
  std::vector<std::vector<std::vector<Expr>>> mass_;
  // Where that is too much: whether row r of a body has the rate of speed s.
  std::vector<std::vector<std::vector<bool>>> has_rate_;
};

}  // namespace visviva
