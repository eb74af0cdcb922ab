// Bytes: numbers of a scene as the text that its page carries.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "visviva/base/base64.h"

namespace visviva {

/// Numbers one after another as bytes, least significant first, as base 64.
class Bytes {
 public:
  template <class Bits, class Number>
  void add(Number x) {
    const auto bits = std::bit_cast<Bits>(x);
    for (std::size_t k = 0; k < sizeof(Bits); ++k)
      bytes_.push_back(static_cast<unsigned char>(bits >> (8 * k) & 0xff));
  }
  void add_double(double x) { add<std::uint64_t>(x); }
  void add_float(double x) { add<std::uint32_t>(static_cast<float>(x)); }
  void add_short(double x) {
    add<std::uint16_t>(static_cast<std::int16_t>(std::lround(x * 32767)));
  }
  void add_count(std::uint32_t x) { add<std::uint32_t>(x); }
  std::string text() const { return encode_base64(bytes_.data(), bytes_.size()); }

 private:
  std::vector<unsigned char> bytes_;
};

}  // namespace visviva
