// Four doubles at a time, by the vector types that GCC and Clang share.
#pragma once

namespace visviva {

/// Four doubles as two pairs, what every processor of ours multiplies at once.
struct Quad {
  using Pair = double __attribute__((vector_size(16), may_alias));
  Pair low, high;
};
[[gnu::always_inline]] inline Quad operator+(const Quad& a, const Quad& b) {
  return {a.low + b.low, a.high + b.high};
}
[[gnu::always_inline]] inline Quad operator-(const Quad& a, const Quad& b) {
  return {a.low - b.low, a.high - b.high};
}
[[gnu::always_inline]] inline Quad operator*(const Quad& a, const Quad& b) {
  return {a.low * b.low, a.high * b.high};
}
[[gnu::always_inline]] inline Quad operator*(double a, const Quad& b) {
  return {a * b.low, a * b.high};
}
[[gnu::always_inline]] inline double total(const Quad& a) {
  const Quad::Pair both = a.low + a.high;
  return both[0] + both[1];
}
/// `x` is aligned as vectors of doubles are.
[[gnu::always_inline]] inline Quad load(const double* x) {
  return {*reinterpret_cast<const Quad::Pair*>(x), *reinterpret_cast<const Quad::Pair*>(x + 2)};
}
[[gnu::always_inline]] inline void store(const Quad& a, double* x) {
  *reinterpret_cast<Quad::Pair*>(x) = a.low;
  *reinterpret_cast<Quad::Pair*>(x + 2) = a.high;
}
/// Loads four doubles number by number: a processor waits long for a pair that was just written by
/// halves.
[[gnu::always_inline]] inline Quad gather(const volatile double* x) {
  const double a = x[0], b = x[1], c = x[2], d = x[3];
  return {Quad::Pair{a, b}, Quad::Pair{c, d}};
}

}  // namespace visviva
