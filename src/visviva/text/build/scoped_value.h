// ScopedValue: a variable has another value until the end of a block, however that block is left.
#pragma once

#include <utility>

namespace visviva {

template <class T>
class [[nodiscard]] ScopedValue {
 public:
  ScopedValue(T& variable, T value)
      : variable_(variable), outer_(std::exchange(variable, std::move(value))) {}
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;
  ~ScopedValue() { variable_ = std::move(outer_); }

 private:
  T& variable_;
  T outer_;
};

}  // namespace visviva
