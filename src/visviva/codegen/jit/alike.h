// Alike: a program as sums of products, quotients and functions, and which of its values have the same shape.
#pragma once

#include <cstdint>
#include <vector>

#include "visviva/codegen/program/operation_writer.h"

namespace visviva::jit {

/// What a value is; additions that only one sum uses are part of it.
class ValueShapes {
 public:
  enum class Kind : std::uint8_t { known, input, sum, product, quotient, other };
  /// A product, or a value where `b` is no_value.
  struct Term {
    std::uint32_t a, b;
    bool is_negative;
    std::uint64_t shape;
  };

  explicit ValueShapes(const Program& program);

  Kind kind(std::uint32_t v) const { return kinds_[v]; }
  /// Equal where two values are made by the same operations, signs, numbers, and what functions are of, apart.
  std::uint64_t shape(std::uint32_t v) const { return shapes_[v]; }
  /// Of a sum, by shape, then in their order.
  std::vector<Term> terms(std::uint32_t sum) const;

 private:
  void find_absorbed();
  void find_shapes();
  std::vector<Term> list_terms(std::uint32_t sum) const;
  std::uint64_t shape_of_term(const Term& t) const;

  const Program& program_;
  std::vector<Kind> kinds_;
  std::vector<bool> is_absorbed_;
  std::vector<std::uint64_t> shapes_;
};

}  // namespace visviva::jit
