// OperationWriter: operations written one after the other, sums as chains of fused multiply-adds ordered by when their terms
// arrive.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "visviva/codegen/program/program.h"

namespace visviva {

inline constexpr std::uint32_t no_value = std::numeric_limits<std::uint32_t>::max();

/// A value and its sign, which nothing has been spent on yet.
struct SignedValue {
  std::uint32_t value = no_value;
  bool is_negative = false;
};

/// One term of a sum: a value, or a product that a multiply-add forms.
struct SumTerm {
  std::uint32_t a, b = no_value;
  bool is_negative = false;
  std::uint32_t arrival = 0;
};

class OperationWriter {
 public:
  explicit OperationWriter(Program& program) : program_(program) {}

  /// Lanes of what is pushed next; a program that has said so once has widths.
  void set_width(int width) { width_ = static_cast<std::uint8_t>(width); }

  std::uint32_t push(const Operation& operation);
  std::uint32_t push_constant(double number);
  /// About the cycle in which a value is there; 0 where parameters alone determine it.
  std::uint32_t arrival(std::uint32_t value) const { return arrivals_[value]; }
  SumTerm term(SignedValue a) const { return {a.value, no_value, a.is_negative, arrival(a.value)}; }
  SumTerm term(SignedValue a, SignedValue b) const;
  SignedValue multiply(SignedValue a, SignedValue b);
  SignedValue divide(SignedValue a, SignedValue b);
  std::uint32_t materialize(SignedValue s);
  /// The last to arrive is added last; terms of parameters alone come first, so that the prologue adds
  /// them up. Among the first, a plain value begins: the product after it fuses with it.
  SignedValue sum(std::vector<SumTerm> terms);

 private:
  std::uint32_t push(const Operation& operation, std::uint32_t arrival);
  SignedValue add_up(const std::vector<SumTerm>& terms);
  SignedValue start(const SumTerm& t);
  SignedValue add(SignedValue sum, const SumTerm& t);

  Program& program_;
  std::vector<std::uint32_t> arrivals_;  // of values, in cycles
  std::uint8_t width_ = 0;               // 0: the program has no widths
};

}  // namespace visviva
