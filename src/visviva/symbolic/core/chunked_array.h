// ChunkedArray: a growing array whose copies share what was there when they were made.
//
// Elements sit in chunks of fixed size that never move. A copy takes the chunks of its original
// and, before its first own element, a chunk of its own for the last of them: copying costs a
// pointer a chunk, and neither sees what the other appends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace visviva {

template <class T>
class ChunkedArray {
 public:
  ChunkedArray() = default;
  ChunkedArray(const ChunkedArray& other)
      : owners_(other.owners_),
        chunks_(other.chunks_),
        size_(other.size_),
        shares_last_(other.size_ % chunk != 0) {}
  ChunkedArray& operator=(const ChunkedArray&) = delete;

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return chunks_.size() * chunk * sizeof(T); }
  const T& operator[](std::size_t i) const { return chunks_[i / chunk][i % chunk]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(T value) {
    if (size_ % chunk == 0) {
      add_chunk();
    } else if (shares_last_) {
      const T* shared = chunks_.back();
      owners_.pop_back();
      chunks_.pop_back();
      add_chunk();
      std::copy(shared, shared + size_ % chunk, chunks_.back());
    }
    shares_last_ = false;
    chunks_.back()[size_++ % chunk] = std::move(value);
  }

  /// Replaces an element that this array appended itself, not one that it shares.
  void set(std::size_t i, T value) { chunks_[i / chunk][i % chunk] = std::move(value); }

 private:
  static constexpr std::size_t chunk = 512;

  void add_chunk() {
    owners_.emplace_back(new T[chunk]);
    chunks_.push_back(owners_.back().get());
  }

  std::vector<std::shared_ptr<T[]>> owners_;
  std::vector<T*> chunks_;
  std::size_t size_ = 0;
  bool shares_last_ = false;  // the last chunk belongs to the original
};

}  // namespace visviva
