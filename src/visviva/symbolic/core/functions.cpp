// Functions of an ExprPool: their exact values where the fields know them, and a value by name
// where they do not.
//
// sin, cos, tan live on the circle group and exp, sinh, cosh, tanh on the powers of a primitive
// root: sums of arguments are exact there. Roots of most numbers are roots in the fields. Every
// other function is opaque: a scrambled value of its operands, odd or even where the function is.
// A composition with an inverse is undone only where that holds wherever it is defined: tan(atan
// x), never atan(tan x).
#include <cmath>
#include <optional>

#include "visviva/base/error.h"
#include "visviva/symbolic/core/angle.h"
#include "visviva/symbolic/core/parity.h"
#include "visviva/symbolic/core/pool.h"

namespace visviva {
namespace {

// The square root of a perfect square.
std::optional<std::int64_t> exact_root(std::int64_t n) {
  if (n < 0) return std::nullopt;
  auto r = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(n)));
  while (r > 0 && static_cast<Int128>(r) * r > n) --r;
  while (static_cast<Int128>(r + 1) * (r + 1) <= n) ++r;
  if (r * r != n) return std::nullopt;
  return r;
}

[[noreturn]] void refuse(Op op, const std::string& why) {
  throw UsageError(op == Op::power ? "pow" : std::string(function_name(op)), why, "E-value-domain");
}

// How often an argument's smallest fraction goes into a term: the power of the parameter behind it.
float count_atoms(const Rational& c) {
  return std::fabs(static_cast<float>(c.num)) * static_cast<float>(field::angle_resolution) /
         static_cast<float>(c.den);
}

}  // namespace

std::string_view function_name(Op op) {
  switch (op) {
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::add:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::function:
    case Op::pair:
    case Op::call:
      return "";
    case Op::sqrt:
      return "sqrt";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::step:
      return "step";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    case Op::atan2:
      return "atan2";
  }
  return "";
}

Ref ExprPool::make_function(Op op, Ref a, Ref b) {
  // f(-x) = -f(x) or f(x): only the bare operand is looked at.
  if ((a & 1u) != 0 && parity_of(op) != Parity::none) {
    const Ref bare = function(op, negate(a));
    return parity_of(op) == Parity::odd ? negate(bare) : bare;
  }
  Ref simple = 0;
  if (simplify_function(op, a, b, &simple)) return simple;
  switch (op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
      return make_trigonometric(op, a);
    case Op::exp:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
      return make_exponential(op, a);
    case Op::min:
    case Op::max:
      // Ordered by value: a number may have several forms.
      if (fingerprint(b).lane < fingerprint(a).lane) return make_opaque(op, b, a);
      return make_opaque(op, a, b);
    case Op::sqrt:
      return make_root(a);
    default:
      return make_opaque(op, a, b);
  }
}

namespace {

bool is_inverse_angle(Op op) { return op == Op::asin || op == Op::acos || op == Op::atan; }

// sin, cos and tan of an inverse function, by roots: they hold wherever that has a value. False for others.
bool compose_inverse(ExprPool& pool, Op op, Ref a, Ref* result) {
  const Node n = pool.node(a);
  const Ref x = n.a, one = pool.one().ref(), square = pool.multiply(x, x);
  if (n.op == Op::atan) {
    const Ref root = pool.function(Op::sqrt, pool.add(one, square), 0);
    if (op == Op::tan) return *result = x, true;
    return *result = pool.divide(op == Op::sin ? x : one, root), true;
  }
  if ((op == Op::sin && n.op == Op::asin) || (op == Op::cos && n.op == Op::acos))
    return *result = x, true;
  const Ref root = pool.function(Op::sqrt, pool.add(one, ExprPool::negate(square)), 0);
  if (op != Op::tan) return *result = root, true;
  const Ref sine = n.op == Op::asin ? x : root, cosine = n.op == Op::asin ? root : x;
  if (pool.fingerprint(cosine).is_zero()) refuse(op, "the argument is an odd multiple of pi/2");
  return *result = pool.divide(sine, cosine), true;
}

constexpr std::size_t most_addends = 8;    // of an angle that is taken apart
constexpr std::int64_t most_multiple = 4;  // of an inverse function in it

// Multiples of an inverse function are as many addends.
void list_addends(const ExprPool& pool, Ref a, std::vector<Ref>* addends) {
  const Node n = pool.node(a);
  Rational r;
  if (addends->size() > most_addends) return;
  if (n.op == Op::add) {
    for (const Ref part : {n.a, n.b}) list_addends(pool, part ^ (a & 1u), addends);
  } else if (n.op == Op::multiply && is_inverse_angle(pool.node(n.b).op) &&
             pool.rational_value(n.a, &r) && r.den == 1 && std::abs(r.num) <= most_multiple) {
    const Ref one = n.b ^ (a & 1u) ^ (r.num < 0 ? 1u : 0u);
    addends->insert(addends->end(), static_cast<std::size_t>(std::abs(r.num)), one);
  } else {
    addends->push_back(a);
  }
}

// sin(y + asin(x)) and the like by the theorem of addition.
bool split_inverse(ExprPool& pool, Op op, Ref a, Ref* result) {
  std::vector<Ref> addends;
  list_addends(pool, a, &addends);
  if (addends.size() < 2 || addends.size() > most_addends) return false;
  for (std::size_t i = 0; i < addends.size(); ++i) {
    if (!is_inverse_angle(pool.node(addends[i]).op)) continue;
    Ref rest = 0;
    for (std::size_t k = 0; k < addends.size(); ++k)
      if (k != i) rest = pool.add(rest, addends[k]);
    const auto f = [&](Op g, Ref angle) { return pool.function(g, angle, 0); };
    const Ref s = f(Op::sin, addends[i]), c = f(Op::cos, addends[i]);
    const Ref first = pool.multiply(f(op, rest), c);
    const Ref second = pool.multiply(f(op == Op::sin ? Op::cos : Op::sin, rest), s);
    return *result = pool.add(first, op == Op::sin ? second : ExprPool::negate(second)), true;
  }
  return false;
}

}  // namespace

bool ExprPool::simplify_function(Op op, Ref a, Ref b, Ref* result) {
  const Node x = nodes_[a >> 1];
  const bool plain = (a & 1u) == 0;
  const bool number = is_number(a), negative = number && !plain;
  const auto give = [result](Ref ref) {
    *result = ref;
    return true;
  };
  if (a == 0 && parity_of(op) == Parity::odd) return give(0);
  switch (op) {
    case Op::sin:
    case Op::cos:
      if (plain && is_inverse_angle(x.op)) return compose_inverse(*this, op, a, result);
      return shift_by_quarter_turns(op, a, result) || split_inverse(*this, op, a, result);
    case Op::tan:
      return plain && is_inverse_angle(x.op) && compose_inverse(*this, op, a, result);
    case Op::exp:
      return plain && x.op == Op::log && give(x.a);
    case Op::log:
      if (a == 0 || negative) refuse(op, "the argument is a constant that is not positive");
      if (plain && x.op == Op::exp) return give(x.a);
      return a == one_ && give(0);
    case Op::asin:
    case Op::acos:
      if (number && is_less_number(one_, a & ~Ref{1}))
        refuse(op, "the argument is a constant outside -1..1");
      return op == Op::acos && a == one_ && give(0);
    case Op::sqrt:
      return simplify_sqrt(a, result);
    case Op::abs:
      return simplify_abs(a, result);
    case Op::sign:
      if (number) return give(one_);  // the operand of an odd function is bare, hence positive
      if (x.op == Op::multiply && is_number(x.a)) return give(function(op, x.b));
      return false;
    case Op::step:
      return number && give(negative ? 0 : one_);
    case Op::min:
    case Op::max:
      if (fingerprint(a) == fingerprint(b)) return give(a);
      if (!number || !is_number(b)) return false;
      return give(is_less_number(a, b) == (op == Op::min) ? a : b);
    case Op::atan2:
      if (a == 0 && b == 0) refuse(op, "both arguments are zero");
      return a == 0 && is_number(b) && (b & 1u) == 0 && give(0);
    case Op::power:
      if (a == one_) return give(one_);
      if (negative) refuse(op, "a negative constant has no real power with this exponent");
      if (a != 0) return false;
      if (!is_number(b)) refuse(op, "zero has a power only where the exponent is a number");
      if ((b & 1u) != 0) refuse(op, "zero has no negative power");
      return give(0);
    default:
      return false;
  }
}

bool ExprPool::is_less_number(Ref a, Ref b) {
  const Ref difference = add(a, negate(b));
  return (difference & 1u) != 0;  // bare numbers are positive
}

bool ExprPool::simplify_sqrt(Ref a, Ref* result) {
  Rational r;
  if (a == 0) return *result = 0, true;
  if (is_number(a) && (a & 1u) != 0) refuse(Op::sqrt, "the argument is a negative constant");
  if (rational_value(a, &r)) {
    const auto num = exact_root(r.num), den = exact_root(r.den);
    if (num && den) return *result = rational_constant({*num, *den}), true;
    return false;
  }
  if ((a & 1u) != 0) return false;
  const Node x = nodes_[a >> 1];
  if (x.op != Op::multiply) return false;
  if (x.a == x.b) return *result = function(Op::abs, x.a), true;
  if (!rational_value(x.a, &r)) return false;
  const auto num = exact_root(r.num), den = exact_root(r.den);
  if (!num || !den) return false;
  return *result = multiply(rational_constant({*num, *den}), function(Op::sqrt, x.b)), true;
}

bool ExprPool::simplify_abs(Ref a, Ref* result) {
  if (is_number(a)) return *result = a, true;  // bare numbers are positive
  const Node x = nodes_[a >> 1];
  switch (x.op) {
    case Op::pi:
    case Op::abs:
    case Op::sqrt:
    case Op::exp:
    case Op::cosh:
      return *result = a, true;
    case Op::multiply:
      if (x.a == x.b) return *result = a, true;
      if (is_number(x.a)) return *result = multiply(x.a, function(Op::abs, x.b)), true;
      return false;
    default:
      return false;
  }
}

bool ExprPool::shift_by_quarter_turns(Op op, Ref a, Ref* result) {
  const Node x = nodes_[a >> 1];
  if ((a & 1u) != 0 || x.op != Op::add) return false;
  for (const bool first : {true, false}) {
    const Ref part = first ? x.a : x.b, rest = first ? x.b : x.a;
    // part = (n/2) pi?
    Rational c{1, 1};
    const Node y = nodes_[part >> 1];
    const bool scaled = y.op == Op::multiply && y.b == pi_ && rational_value(y.a, &c);
    if (!scaled && (part & ~Ref{1}) != pi_) continue;
    if ((part & 1u) != 0) c.num = -c.num;
    if (c.den > 2) continue;
    const std::int64_t quarters = (c.num % 4 * (c.den == 1 ? 2 : 1) + 8) % 4;
    // sin(x + k pi/2) runs through sin, cos, -sin, -cos; cos is a quarter ahead.
    const std::int64_t k = (quarters + (op == Op::cos ? 1 : 0)) % 4;
    const Ref value = function(k % 2 == 0 ? Op::sin : Op::cos, rest);
    return *result = k >= 2 ? negate(value) : value, true;
  }
  return false;
}

Ref ExprPool::make_trigonometric(Op op, Ref a) {
  CircleAngle angle;
  float turns = 0.0f;
  for (const AngleTerm& term : expand_argument(*this, a)) {
    if (term.monomial == field::pi() || term.monomial == field::negate(field::pi())) {
      Rational c = term.coefficient;
      if (term.monomial != field::pi()) c.num = -c.num;
      if (const auto turn = field::angle_of_pi(c)) {
        angle = field::add(angle, *turn);
        continue;
      }
    }
    const AngleTerm t = reduce_fraction(term);
    angle = field::add(angle, field::angle_of_monomial(t.monomial, t.coefficient));
    turns += count_atoms(t.coefficient);
  }
  const field::CosSin value = field::cos_sin(angle);
  const std::uint8_t flags = flags_[a >> 1];
  if (op == Op::sin) return intern({op, a, 0}, value.sin, flags, {turns, 0});
  if (op == Op::cos) return intern({op, a, 0}, value.cos, flags, {turns, 0});
  if (value.cos.is_zero()) refuse(op, "the argument is an odd multiple of pi/2");
  if (value.cos.has_zero_lane()) return make_opaque(op, a, 0);
  return intern({op, a, 0}, field::multiply(value.sin, field::inverse(value.cos)), flags | has_pole,
                {turns, turns});
}

Ref ExprPool::make_exponential(Op op, Ref a) {
  Fingerprint up = field::from_integer(1);
  float turns = 0.0f;
  for (const AngleTerm& term : expand_argument(*this, a)) {
    const AngleTerm t = reduce_fraction(term);
    up = field::multiply(up, field::exponential_of_monomial(t.monomial, t.coefficient));
    turns += count_atoms(t.coefficient);
  }
  const std::uint8_t flags = flags_[a >> 1];
  if (op == Op::exp) return intern({op, a, 0}, up, flags, {turns, 0});
  const Fingerprint down = field::inverse(up), half = field::from_rational({1, 2});
  const Fingerprint sinh = field::multiply(half, field::subtract(up, down));
  const Fingerprint cosh = field::multiply(half, field::add(up, down));
  if (op == Op::sinh) return intern({op, a, 0}, sinh, flags, {turns, 0});
  if (op == Op::cosh) return intern({op, a, 0}, cosh, flags, {turns, 0});
  if (cosh.has_zero_lane()) return make_opaque(op, a, 0);
  return intern({op, a, 0}, field::multiply(sinh, field::inverse(cosh)), flags, {turns, turns});
}

Ref ExprPool::make_root(Ref a) {
  Rational r;
  if (rational_value(a, &r)) {
    const auto num = field::square_root(r.num), den = field::square_root(r.den);
    if (num && den)
      return intern({Op::sqrt, a, 0}, field::multiply(*num, field::inverse(*den)), flags_[a >> 1],
                    {0, 0});
  }
  return make_opaque(Op::sqrt, a, 0);
}

// abs(x) has the value of sqrt(x^2) and sign(x) that of x/abs(x), whatever form x^2 may have.
Ref ExprPool::make_absolute(Op op, Ref a) {
  const Fingerprint x = fingerprint(a);
  const Fingerprint size = field::scramble(64 + static_cast<std::uint64_t>(Op::sqrt),
                                           field::multiply(x, x), Fingerprint{});
  const Degree d = degree(a);
  if (op == Op::abs) return intern({op, a, 0}, size, flags_[a >> 1], {1, 0});
  return intern({op, a, 0}, field::multiply(x, field::inverse(size)), flags_[a >> 1],
                {d.num, d.den + 1});
}

Ref ExprPool::make_opaque(Op op, Ref a, Ref b) {
  if (op == Op::abs || op == Op::sign) return make_absolute(op, a);
  // Odd and even functions see the canonical one of x and -x.
  Fingerprint x = fingerprint(a);
  const bool flip = parity_of(op) != Parity::none && !field::is_canonical(x);
  if (flip) x = field::negate(x);
  Fingerprint value = field::scramble(64 + static_cast<std::uint64_t>(op), x, fingerprint(b));
  if (flip && parity_of(op) == Parity::odd) value = field::negate(value);
  const bool total = parity_of(op) != Parity::none && op != Op::asin;
  const bool defined_everywhere = total || op == Op::step || op == Op::min || op == Op::max ||
                                  op == Op::atan2 || op == Op::pair || op == Op::call;
  return intern({op, a, b}, value, flags_of(a, b) | (defined_everywhere ? 0 : has_pole), {1, 0});
}

}  // namespace visviva
