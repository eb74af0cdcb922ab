#include "visviva/symbolic/pool.h"

#include <charconv>
#include <cmath>

#include "visviva/base/error.h"

namespace visviva {
namespace {

constexpr std::uint64_t symbol_tag = 16;

// The random value of a symbol depends on its name alone, so that two pools agree.
Fingerprint hash_name(std::string_view name) {
  Fingerprint value{{name.size(), 0}};
  for (const char c : name) value = field::scramble(symbol_tag, value, {{static_cast<unsigned char>(c), 0}});
  return value;
}

Ref strip(Ref ref) { return ref & ~Ref{1}; }

std::uint64_t pair_key(Ref a, Ref b) { return static_cast<std::uint64_t>(a) << 32 | b; }

}  // namespace

ExprPool::ExprPool() {
  table_.assign(1024, 0);
  push({Op::constant, 0, 0}, {}, 0);  // index 0 is zero and needs no table entry
  constants_.push_back({0.0, {0, 1}});
  one_ = rational_constant({1, 1});
  pi_ = intern({Op::pi, 0, 0}, field::pi(), 0);
}

// ---- Leaves

Expr ExprPool::symbol(std::string_view name) {
  const std::string key(name);
  if (const auto found = symbol_refs_.find(key); found != symbol_refs_.end()) return {*this, found->second};
  const Ref ref = intern({Op::symbol, static_cast<Ref>(symbols_.size()), 0}, hash_name(name), has_symbol);
  symbols_.push_back(key);
  symbol_refs_.emplace(key, ref);
  return {*this, ref};
}

std::array<Expr, 4> ExprPool::unit_quaternion(const std::array<std::string, 4>& names) {
  for (const std::string& name : names) {
    if (has_symbol_named(name)) throw UsageError("unit_quaternion", "the symbol '" + name + "' exists already");
  }
  // Stereographic projection: (1 - s, 2x, 2y, 2z)/(1 + s) with s = x^2 + y^2 + z^2 lies on the sphere.
  const Fingerprint one = field::from_integer(1);
  std::array<Fingerprint, 4> point{};
  Fingerprint s{};
  for (std::size_t i = 1; i < 4; ++i) {
    point[i] = hash_name(names[i] + "/" + names[0]);
    s = field::add(s, field::multiply(point[i], point[i]));
  }
  const Fingerprint scale = field::inverse(field::add(one, s));
  point[0] = field::multiply(field::subtract(one, s), scale);
  for (std::size_t i = 1; i < 4; ++i) point[i] = field::multiply(field::add(point[i], point[i]), scale);

  std::array<Expr, 4> result;
  for (std::size_t i = 0; i < 4; ++i) {
    const Ref ref = intern({Op::symbol, static_cast<Ref>(symbols_.size()), 0}, point[i], has_symbol);
    symbols_.push_back(names[i]);
    symbol_refs_.emplace(names[i], ref);
    result[i] = Expr(*this, ref);
  }
  return result;
}

Expr ExprPool::number(double value) {
  if (!std::isfinite(value)) throw UsageError("ExprPool::number", "expected a finite number");
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, std::fabs(value)).ptr;
  const Expr magnitude = decimal(std::string_view(text, static_cast<std::size_t>(end - text)));
  return std::signbit(value) ? -magnitude : magnitude;
}

Expr ExprPool::rational(std::int64_t num, std::int64_t den) {
  const auto r = make_rational(num, den);
  if (!r) throw UsageError("ExprPool::rational", "the denominator is 0");
  return {*this, rational_constant(*r)};
}

Expr ExprPool::decimal(std::string_view literal) {
  const auto complain = [&](const std::string& why) {
    throw UsageError("ExprPool::decimal", "'" + std::string(literal) + "' " + why);
  };
  // Digits, exactly as an integer (while it fits) and in the field.
  Int128 digits = 0;
  bool fits = true;
  int exponent = 0, digit_count = 0;
  Fingerprint value{};
  const Fingerprint ten = field::from_integer(10);
  std::size_t i = 0;
  bool after_point = false;
  for (; i < literal.size(); ++i) {
    const char c = literal[i];
    if (c == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    ++digit_count;
    if (after_point) --exponent;
    value = field::add(field::multiply(value, ten), field::from_integer(c - '0'));
    if (fits) digits = digits * 10 + (c - '0');
    fits = fits && digits < (static_cast<Int128>(1) << 100);
  }
  if (digit_count == 0) complain("is not a decimal number");
  if (i < literal.size()) {
    if (literal[i] != 'e' && literal[i] != 'E') complain("is not a decimal number");
    std::string_view rest = literal.substr(i + 1);
    if (!rest.empty() && rest[0] == '+') rest.remove_prefix(1);
    int written = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), written);
    if (code != std::errc() || end != rest.data() + rest.size()) complain("has no proper exponent");
    if (written > 5000 || written < -5000) complain("is out of range");
    exponent += written;
  }
  if (value.is_zero() && (!fits || digits != 0)) complain("has too many digits");
  if (value.is_zero()) return zero();

  double nearest = 0.0;
  const auto [end, code] = std::from_chars(literal.data(), literal.data() + literal.size(), nearest);
  if (code != std::errc() || end != literal.data() + literal.size() || nearest == 0.0) complain("is out of range");
  value = field::multiply(value, field::power_of_ten(exponent));
  std::optional<Rational> exact;
  if (fits && exponent >= -37 && exponent <= 37) {
    Int128 num = digits, den = 1;
    bool overflow = false;
    for (int k = 0; k < std::abs(exponent); ++k) {
      Int128& side = exponent < 0 ? den : num;
      overflow = overflow || __builtin_mul_overflow(side, static_cast<Int128>(10), &side);
    }
    if (!overflow) exact = make_rational(num, den);
  }
  return {*this, constant(nearest, exact.value_or(Rational{0, 0}), value)};
}

// ---- Reading

double ExprPool::bytes_per_node() const {
  const std::size_t bytes = nodes_.capacity() * sizeof(Node) + fingerprints_.capacity() * sizeof(Fingerprint) +
                            flags_.capacity() + constants_.capacity() * sizeof(Constant) +
                            table_.capacity() * sizeof(std::uint32_t);
  std::size_t calls = 0;
  for (const auto& map : calls_) {
    constexpr std::size_t entry = sizeof(std::uint64_t) + sizeof(Ref) + 2 * sizeof(void*);
    calls += map.size() * entry + map.bucket_count() * sizeof(void*);
  }
  return static_cast<double>(bytes + calls) / static_cast<double>(nodes_.size());
}

double ExprPool::constant_value(Ref ref) const {
  const double magnitude = constants_[nodes_[ref >> 1].a].value;
  return (ref & 1u) != 0 ? -magnitude : magnitude;
}

bool ExprPool::rational_value(Ref ref, Rational* value) const {
  if (!is_number(ref)) return false;
  const Rational& exact = constants_[nodes_[ref >> 1].a].exact;
  if (exact.den == 0) return false;
  *value = {(ref & 1u) != 0 ? -exact.num : exact.num, exact.den};
  return true;
}

bool ExprPool::has_symbol_named(std::string_view name) const {
  return symbol_refs_.find(std::string(name)) != symbol_refs_.end();
}

// ---- The table of values

std::size_t ExprPool::find_slot(const Fingerprint& value) const {
  // A value and its negative share a slot.
  const std::uint64_t x = value.lane[0], y = x == 0 ? value.lane[1] : field::prime[0] - x;
  const std::uint64_t hash = (x < y ? x : y) * 0x9e3779b97f4a7c15u;
  const std::size_t mask = table_.size() - 1;
  const Fingerprint opposite = field::negate(value);
  for (std::size_t slot = (hash >> 20) & mask;; slot = (slot + 1) & mask) {
    if (table_[slot] == 0) return slot;
    const Fingerprint& held = fingerprints_[table_[slot] - 1];
    if (held == value || held == opposite) return slot;
  }
}

void ExprPool::grow_table() {
  std::vector<std::uint32_t> old(table_.size() * 2, 0);
  old.swap(table_);
  for (const std::uint32_t entry : old) {
    if (entry != 0) table_[find_slot(fingerprints_[entry - 1])] = entry;
  }
}

Ref ExprPool::push(const Node& node, const Fingerprint& value, std::uint8_t flags) {
  if (nodes_.size() >= (std::size_t{1} << 31)) throw InternalError("more than 2^31 expression nodes");
  nodes_.push_back(node);
  fingerprints_.push_back(value);
  flags_.push_back(flags);
  return static_cast<Ref>(nodes_.size() - 1) << 1;
}

Ref ExprPool::intern(const Node& node, const Fingerprint& value, std::uint8_t flags) {
  if (value.is_zero()) return 0;
  std::size_t slot = find_slot(value);
  if (table_[slot] != 0) {
    const std::uint32_t index = table_[slot] - 1;
    const bool better = (flags_[index] & has_pole) != 0 && (flags & has_pole) == 0;
    if (!better) return index << 1 | static_cast<Ref>(fingerprints_[index] != value);
    const Ref fresh = push(node, value, flags);
    table_[slot] = (fresh >> 1) + 1;
    return fresh;
  }
  if (node.op != Op::constant && node.op != Op::symbol) {
    if (const auto r = field::recognize_rational(value)) return rational_constant(*r);
  }
  if (table_used_ * 10 >= table_.size() * 7) {
    grow_table();
    slot = find_slot(value);
  }
  const Ref fresh = push(node, value, flags);
  table_[slot] = (fresh >> 1) + 1;
  ++table_used_;
  return fresh;
}

std::uint8_t ExprPool::flags_of(Ref a, Ref b) const { return flags_[a >> 1] | flags_[b >> 1]; }

// ---- Constants: a double, and the exact value in the field

Ref ExprPool::constant(double value, const Rational& exact, const Fingerprint& print) {
  if (!std::isfinite(value)) throw UsageError("Expr", "a constant overflows the range of numbers");
  if (value < 0 || (value == 0 && exact.num < 0)) {
    return negate(constant(-value, {-exact.num, exact.den}, field::negate(print)));
  }
  const Ref ref = intern({Op::constant, static_cast<Ref>(constants_.size()), 0}, print, 0);
  if ((ref >> 1) + 1 == nodes_.size() && nodes_.back().op == Op::constant && nodes_.back().a == constants_.size()) {
    constants_.push_back({value, exact});
  }
  return ref;
}

Ref ExprPool::rational_constant(const Rational& r) {
  if (r.num == 0) return 0;
  const double value = static_cast<double>(static_cast<long double>(r.num) / static_cast<long double>(r.den));
  Fingerprint print = field::from_rational(r);
  // A multiple of a field's prime is not zero: give such a number a value of its own.
  if (print.has_zero_lane()) {
    print = field::scramble(4, {{static_cast<std::uint64_t>(r.num), static_cast<std::uint64_t>(r.den)}});
  }
  return constant(value, r, print);
}

Ref ExprPool::fold(Op op, Ref a, Ref b) {
  // Exact while the fractions fit; beyond, the field stays exact and the double rounds.
  Rational x, y;
  if (rational_value(a, &x) && rational_value(b, &y)) {
    const auto exact = op == Op::add        ? visviva::add(x, y)
                       : op == Op::multiply ? visviva::multiply(x, y)
                                            : visviva::divide(x, y);
    if (exact) return rational_constant(*exact);
  }
  const double u = constant_value(a), v = constant_value(b);
  const Fingerprint f = fingerprint(a), g = fingerprint(b);
  switch (op) {
    case Op::add: {
      const Fingerprint sum = field::add(f, g);
      return sum.is_zero() ? 0 : constant(u + v, {0, 0}, sum);
    }
    case Op::multiply: return constant(u * v, {0, 0}, field::multiply(f, g));
    default: return constant(u / v, {0, 0}, field::multiply(f, field::inverse(g)));
  }
}

// ---- Sums, products, quotients

Ref ExprPool::add(Ref a, Ref b) {
  if (a == 0) return b;
  if (b == 0) return a;
  if (a == negate(b)) return 0;
  if (a == b && !is_number(a)) return multiply(rational_constant({2, 1}), a);
  if (is_number(a) && is_number(b)) return fold(Op::add, a, b);
  if (is_number(b) || (!is_number(a) && b >> 1 < a >> 1)) std::swap(a, b);
  if (is_number(a) && nodes_[b >> 1].op == Op::add && is_number(nodes_[b >> 1].a)) {
    const Node inner = nodes_[b >> 1];
    return add(add(a, inner.a ^ (b & 1u)), inner.b ^ (b & 1u));
  }
  if ((a & b & 1u) != 0) return negate(add(a ^ 1u, b ^ 1u));
  return intern({Op::add, a, b}, field::add(fingerprint(a), fingerprint(b)), flags_of(a, b));
}

Ref ExprPool::multiply(Ref a, Ref b) {
  const Ref sign = (a ^ b) & 1u;
  a = strip(a);
  b = strip(b);
  if (a == 0 || b == 0) return 0;
  if (a == one_) return b ^ sign;
  if (b == one_) return a ^ sign;
  if (is_number(a) && is_number(b)) return fold(Op::multiply, a, b) ^ sign;
  if (is_number(b) || (!is_number(a) && b < a)) std::swap(a, b);
  const Node x = nodes_[a >> 1], y = nodes_[b >> 1];
  // Numbers gather in front; a reciprocal makes a quotient.
  if (is_number(a) && y.op == Op::multiply && is_number(y.a)) return multiply(multiply(a, y.a), y.b) ^ sign;
  if (y.op == Op::multiply && is_number(y.a)) return multiply(y.a, multiply(a, y.b)) ^ sign;
  if (x.op == Op::multiply && is_number(x.a)) return multiply(x.a, multiply(x.b, b)) ^ sign;
  if (y.op == Op::divide && is_number(y.a)) return divide(multiply(y.a, a), y.b) ^ sign;
  if (x.op == Op::divide && is_number(x.a)) return divide(multiply(x.a, b), x.b) ^ sign;
  // The fields do not know that sqrt(x)^2 = x and abs(x)^2 = x^2: say it here.
  if (a == b && x.op == Op::sqrt) return x.a ^ sign;
  if (a == b && x.op == Op::abs) return multiply(x.a, x.a) ^ sign;
  if (x.op == Op::divide && y.op == Op::divide && x.b == y.b && is_op(x.b, Op::sqrt)) {
    return divide(multiply(x.a, y.a), nodes_[x.b >> 1].a) ^ sign;
  }
  return intern({Op::multiply, a, b}, field::multiply(fingerprint(a), fingerprint(b)), flags_of(a, b)) ^ sign;
}

Ref ExprPool::divide(Ref a, Ref b) {
  const Ref sign = (a ^ b) & 1u;
  a = strip(a);
  b = strip(b);
  if (fingerprint(b).is_zero()) throw UsageError("operator/", "division by an expression that is identically zero");
  if (a == 0) return 0;
  if (b == one_) return a ^ sign;
  auto& known = calls_[static_cast<std::size_t>(Op::divide)];
  if (const auto found = known.find(pair_key(a, b)); found != known.end()) return found->second ^ sign;
  const Ref result = make_quotient(a, b);
  known.emplace(pair_key(a, b), result);
  return result ^ sign;
}

Ref ExprPool::make_quotient(Ref a, Ref b) {
  if (is_number(b)) return is_number(a) ? fold(Op::divide, a, b) : multiply(fold(Op::divide, one_, b), a);
  const Node x = nodes_[a >> 1], y = nodes_[b >> 1];
  if (y.op == Op::divide) return divide(multiply(a, y.b), y.a);
  if (y.op == Op::multiply && is_number(y.a)) return multiply(fold(Op::divide, one_, y.a), divide(a, y.b));
  if (x.op == Op::divide) return divide(x.a, multiply(x.b, b));
  // x/sqrt(x) = sqrt(x)
  if (y.op == Op::sqrt && fingerprint(a) == fingerprint(y.a)) return b;
  const Fingerprint denominator = fingerprint(b);
  if (denominator.has_zero_lane()) return make_opaque(Op::divide, a, b);
  const std::uint8_t flags = flags_of(a, b) | has_pole;
  return intern({Op::divide, a, b}, field::multiply(fingerprint(a), field::inverse(denominator)), flags);
}

Ref ExprPool::integer_power(Ref a, std::int64_t n) {
  if (n < 0) return divide(one_, integer_power(a, -n));
  Ref result = one_;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = multiply(result, a);
    if (n > 1) a = multiply(a, a);
  }
  return result;
}

Ref ExprPool::power(Ref a, Ref b) {
  constexpr std::int64_t limit = 1 << 20;
  Rational n;
  if (b == 0) return one_;
  if (rational_value(b, &n) && n.num < limit && n.num > -limit) {
    if (n.den == 1) return integer_power(a, n.num);
    if (n.den == 2) {
      const std::int64_t whole = (n.num > 0 ? n.num - 1 : -n.num - 1) / 2;
      const Ref root = multiply(integer_power(a, whole), function(Op::sqrt, a));
      return n.num > 0 ? root : divide(one_, root);
    }
  }
  return function(Op::power, a, b);
}

Ref ExprPool::function(Op op, Ref a, Ref b) {
  if (operand_count(op) == 1) b = 0;
  auto& known = calls_[static_cast<std::size_t>(op)];
  if (const auto found = known.find(pair_key(a, b)); found != known.end()) return found->second;
  const Ref result = make_function(op, a, b);
  known.emplace(pair_key(a, b), result);
  return result;
}

}  // namespace visviva
