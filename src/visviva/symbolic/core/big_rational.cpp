#include "visviva/symbolic/core/big_rational.h"

#include <arf.h>
#include <flint/fmpq.h>

#include <utility>

namespace visviva {

struct BigRational::Value {
  fmpq_t q;
  Value() { fmpq_init(q); }
  ~Value() { fmpq_clear(q); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
};

BigRational::BigRational() : value_(std::make_unique<Value>()) {}
BigRational::BigRational(const BigRational& other) : BigRational() {
  fmpq_set(value_->q, other.value_->q);
}
BigRational::BigRational(BigRational&& other) noexcept = default;
BigRational& BigRational::operator=(BigRational other) noexcept {
  value_.swap(other.value_);
  return *this;
}
BigRational::~BigRational() = default;

BigRational::BigRational(const Rational& r) : BigRational() {
  fmpq_set_si(value_->q, r.num, static_cast<ulong>(r.den));
}

BigRational::BigRational(std::string_view digits, int exponent) : BigRational() {
  fmpz_t power;
  fmpz_init(power);
  fmpz_set_str(fmpq_numref(value_->q), std::string(digits).c_str(), 10);
  fmpz_ui_pow_ui(power, 10, static_cast<ulong>(exponent < 0 ? -exponent : exponent));
  if (exponent < 0) {
    fmpq_div_fmpz(value_->q, value_->q, power);
  } else {
    fmpq_mul_fmpz(value_->q, value_->q, power);
  }
  fmpz_clear(power);
}

BigRational BigRational::operator-() const {
  BigRational result;
  fmpq_neg(result.value_->q, value_->q);
  return result;
}

BigRational operator+(const BigRational& a, const BigRational& b) {
  BigRational result;
  fmpq_add(result.value_->q, a.value_->q, b.value_->q);
  return result;
}

BigRational operator*(const BigRational& a, const BigRational& b) {
  BigRational result;
  fmpq_mul(result.value_->q, a.value_->q, b.value_->q);
  return result;
}

BigRational operator/(const BigRational& a, const BigRational& b) {
  BigRational result;
  fmpq_div(result.value_->q, a.value_->q, b.value_->q);
  return result;
}

bool operator==(const BigRational& a, const BigRational& b) {
  return fmpq_equal(a.value_->q, b.value_->q) != 0;
}

bool BigRational::is_negative() const { return fmpq_sgn(value_->q) < 0; }

std::size_t BigRational::bit_count() const {
  return fmpz_bits(fmpq_numref(value_->q)) + fmpz_bits(fmpq_denref(value_->q));
}

std::optional<Rational> BigRational::small() const {
  const auto fits = [](const fmpz* z) { return fmpz_bits(z) <= 63; };
  if (!fits(fmpq_numref(value_->q)) || !fits(fmpq_denref(value_->q))) return std::nullopt;
  return Rational{fmpz_get_si(fmpq_numref(value_->q)), fmpz_get_si(fmpq_denref(value_->q))};
}

double BigRational::nearest() const {
  arf_t num, den;
  arf_init(num);
  arf_init(den);
  arf_set_fmpz(num, fmpq_numref(value_->q));
  arf_set_fmpz(den, fmpq_denref(value_->q));
  arf_div(num, num, den, 53, ARF_RND_NEAR);
  const double result = arf_get_d(num, ARF_RND_NEAR);
  arf_clear(den);
  arf_clear(num);
  return result;
}

Fingerprint BigRational::fingerprint() const {
  const auto residue = [](const fmpz* z) {
    Fingerprint f;
    for (std::size_t k = 0; k < 2; ++k) {
      const ulong rest = fmpz_fdiv_ui(z, field::prime[k]);
      f.lane[k] = field::from_integer(static_cast<std::int64_t>(rest)).lane[k];
    }
    return f;
  };
  return field::multiply(residue(fmpq_numref(value_->q)),
                         field::inverse(residue(fmpq_denref(value_->q))));
}

std::string BigRational::text() const {
  char* digits = fmpq_get_str(nullptr, 10, value_->q);
  std::string result(digits);
  flint_free(digits);
  return result;
}

}  // namespace visviva
