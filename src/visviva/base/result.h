// Result: a value, or the reason why there is none, where having none is an expected outcome.
#pragma once

#include <utility>
#include <variant>

namespace visviva {

/// A value of type T, or a Why. Looking at the value of a result without one is a bug of the caller
/// (std::bad_variant_access).
template <typename T, typename Why>
class Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: converts
  Result(Why why) : content_(std::in_place_index<1>, std::move(why)) {}    // NOLINT: converts

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& operator*() & { return std::get<0>(content_); }
  const T& operator*() const& { return std::get<0>(content_); }
  T&& operator*() && { return std::get<0>(std::move(content_)); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }

  /// The reason why there is no value; only where there is none.
  const Why& why() const { return std::get<1>(content_); }

 private:
  std::variant<T, Why> content_;
};

}  // namespace visviva
