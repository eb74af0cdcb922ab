// Physical dimensions: exponents of the seven SI base units, and of dimensions that are not known
// yet. Angles are dimensionless.
//
// A quantity declared without a value has an unknown dimension; each sum, function and definition
// it takes part in is an equation that `unify` solves. A solved unknown remembers where that
// happened, so that a contradiction can name both places.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "visviva/base/error.h"

namespace visviva {

class DimensionUnknown;

/// A product of powers of m, kg, s, A, K, mol, cd and of unknown dimensions. Exponents may be
/// fractions, in twelfths.
class Dimension {
 public:
  enum Base { length, mass, time, current, temperature, amount, luminosity };
  static constexpr int parts = 12;  ///< exponents are kept in units of 1/12

  Dimension() = default;  ///< dimensionless
  static Dimension of(Base base, int exponent = 1);
  /// A dimension that is not known; `unknown` must outlive it.
  static Dimension of(DimensionUnknown& unknown);

  /// The exponent of one base unit, in twelfths, as far as it is known.
  int twelfths(Base base) const { return resolved().twelfths_[base]; }
  bool is_dimensionless() const { return *this == Dimension(); }
  /// False when the dimension still contains an unknown.
  bool is_known() const { return resolved().unknowns_.empty(); }
  /// The same dimension with solved unknowns put in.
  Dimension resolved() const;

  /// True when two dimensions are known to be the same; binds nothing.
  friend bool operator==(const Dimension& a, const Dimension& b);
  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  /// This dimension to the power num/den. UsageError when an exponent is then no multiple of 1/12.
  Dimension power(std::int64_t num, std::int64_t den = 1) const;

  /// The dimension in SI units as the model language writes them, such as "kg*m^2/s^2"; "1" when
  /// dimensionless.
  std::string str() const;

  /// Makes a and b the same by solving for unknowns; false, and nothing changed, when that is
  /// impossible.
  friend bool unify(const Dimension& a, const Dimension& b);
  /// The unknowns whose solutions went into this one, for messages that name where they were
  /// solved.
  std::vector<const DimensionUnknown*> origins() const;

 private:
  void multiply_by(DimensionUnknown* unknown, int twelfths);

  std::array<std::int16_t, 7> twelfths_{};
  std::vector<std::pair<DimensionUnknown*, int>> unknowns_;  // by age, exponents not zero
};

bool unify(const Dimension& a, const Dimension& b);

/// A dimension to be found.
class DimensionUnknown {
 public:
  DimensionUnknown(std::string owner, int age, const SourceSpan* here)
      : owner_(std::move(owner)), age_(age), here_(here) {}
  /// The name of what has this dimension, such as "x".
  const std::string& owner() const { return owner_; }
  int age() const { return age_; }
  const std::optional<Dimension>& solution() const { return solution_; }
  /// The place where the unknown was solved.
  const SourceSpan& solved_at() const { return solved_at_; }

 private:
  friend bool unify(const Dimension& a, const Dimension& b);
  std::string owner_;
  int age_;
  const SourceSpan* here_;  // where the reader of a model is just now
  std::optional<Dimension> solution_;
  SourceSpan solved_at_;
};

/// A sentence that says where the unknowns in these dimensions were solved: "'x' was taken as m in
/// line 12"; "" when none was.
std::string explain_origins(const std::vector<Dimension>& dimensions);

/// The unknown dimensions of a model, and the place that equations between them come from.
class DimensionUnknowns {
 public:
  Dimension make(const std::string& owner) {
    list_.emplace_back(owner, static_cast<int>(list_.size()), &here);
    return Dimension::of(list_.back());
  }
  SourceSpan here;

 private:
  std::deque<DimensionUnknown> list_;
};

}  // namespace visviva
