// SmallVector: a list of plain values that keeps the first few in place, so that short lists cost
// no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace visviva {

template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_destructible_v<T> && std::is_default_constructible_v<T>);

 public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  SmallVector(const SmallVector& other) : size_(other.size_), many_(other.many_) {
    take_few(other);
  }
  SmallVector(SmallVector&& other) noexcept
      : size_(std::exchange(other.size_, 0)), many_(std::move(other.many_)) {
    take_few(other);
  }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    many_ = other.many_;
    take_few(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    size_ = std::exchange(other.size_, 0);
    many_ = std::move(other.many_);
    take_few(other);
    return *this;
  }
  ~SmallVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return many_.empty() ? few_ : many_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return many_.empty() ? few_ : many_.data(); }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

  void push_back(const T& value) { insert(end(), value); }
  template <class... Parts>
  void emplace_back(const Parts&... parts) {
    push_back(T(parts...));
  }
  void insert(const T* place, const T& value) {
    const std::ptrdiff_t before = place - begin();
    const T copy = value;
    if (many_.empty() && size_ < N) {
      std::copy_backward(few_ + before, few_ + size_, few_ + size_ + 1);
      few_[before] = copy;
    } else {
      if (many_.empty()) many_.assign(few_, few_ + size_);
      many_.insert(many_.begin() + before, copy);
    }
    ++size_;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator<(const SmallVector& a, const SmallVector& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void take_few(const SmallVector& other) {
    if (many_.empty()) std::copy(other.few_, other.few_ + size_, few_);
  }

  std::size_t size_ = 0;
  T few_[N] = {};        // all while many_ is empty
  std::vector<T> many_;  // all once they are more than N
};

}  // namespace visviva
