#include "visviva/symbolic/form/form.h"

#include <algorithm>
#include <cstdlib>

namespace visviva {
namespace {

// Places of leaves: pi, wide constants, symbols, named nodes; among symbols parameters,
// coordinates, rates.
enum LeafRank : std::uint64_t { pi_rank, constant_rank, symbol_rank, named_rank };

constexpr std::uint32_t last_creation = 0xffffffff;

std::uint64_t leaf_order(LeafRank rank, std::uint64_t level, std::uint32_t creation) {
  return static_cast<std::uint64_t>(rank) << 40 | level << 32 | creation;
}

// 0 for a parameter, 1 for what has a rate, 1 + n for its n-th rate.
std::uint64_t symbol_level(const ExprPool& pool, const std::string& name) {
  std::uint64_t primes = 0;
  while (primes < name.size() && primes < 100 && name[name.size() - 1 - primes] == '\'') ++primes;
  if (primes > 0) return 1 + primes;
  return pool.has_symbol_named(name + "'") ? 1 : 0;
}

// Sets parts, and the level that follows from them; functions of rates count as coordinates.
void set_parts(Form* form, const FormList& parts) {
  form->parts = parts;
  for (const Form& part : parts) form->level = std::max(form->level, part.level);
  if (form->kind == Form::Kind::call) form->level = std::min<std::uint8_t>(form->level, 1);
}

// The most that ExprPool::power multiplies out.
constexpr std::int64_t max_exponent = (1 << 20) - 1;

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_numbers(const Rational& a, const Rational& b) {
  return three_way(static_cast<Int128>(a.num) * b.den, static_cast<Int128>(b.num) * a.den);
}

int compare_lists(const FormList& a, const FormList& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const int c = compare(a[i], b[i])) return c;
  }
  return three_way(a.size(), b.size());
}

// Parameters and sums of them come before what moves; functions that nobody defined stand between.
int factor_rank(const Form& form) {
  switch (form.kind) {
    case Form::Kind::number:
      return 0;
    case Form::Kind::leaf:
      return form.level == 0 ? 1 : 4;
    case Form::Kind::sum:
      return form.level == 0 ? 2 : 5;
    case Form::Kind::product:
      return 6;
    case Form::Kind::call:
      return form.op == Op::call ? 3 : 7;
  }
  return 8;
}

// Bases first, then higher powers before lower ones.
int compare_products(const Form& a, const Form& b) {
  for (std::size_t i = 0; i < a.parts.size() && i < b.parts.size(); ++i) {
    if (const int c = compare(a.parts[i], b.parts[i])) return c;
    if (const int c = three_way(b.exponents[i], a.exponents[i])) return c;
  }
  return three_way(b.parts.size(), a.parts.size());
}

Form as_product(const Form& form) {
  if (form.kind == Form::Kind::product) return form;
  Form product;
  product.kind = Form::Kind::product;
  product.number = {1, 1};
  if (form.kind == Form::Kind::number) {
    product.number = form.number;
  } else {
    product.exponents = {1};
    set_parts(&product, {form});
  }
  return product;
}

// The rates in a product and their exponents.
Form rates_of(const Form& product) {
  Form rates;
  std::vector<Form> bases;
  for (std::size_t i = 0; i < product.parts.size(); ++i) {
    if (product.parts[i].kind != Form::Kind::leaf || product.parts[i].level < 2) continue;
    bases.push_back(product.parts[i]);
    rates.exponents.push_back(product.exponents[i]);
  }
  rates.parts = std::move(bases);
  return rates;
}

// What a term is sorted by, computed once.
struct TermKey {
  Form term;
  Form product;
  Form rates;
  std::size_t index;
};

// Terms of a sum: rates before coordinates before parameters, numbers last.
bool comes_first(const TermKey& x, const TermKey& y) {
  const bool number_x = x.product.parts.empty(), number_y = y.product.parts.empty();
  if (number_x != number_y) return number_y;
  if (x.term.level != y.term.level) return x.term.level > y.term.level;
  if (const int c = compare_products(x.rates, y.rates)) return c < 0;
  if (const int c = compare_products(x.product, y.product)) return c < 0;
  if (const int c = compare_numbers(x.product.number, y.product.number)) return c > 0;
  return x.index < y.index;
}

Rational checked(const std::optional<Rational>& r) {
  if (!r) throw TooLarge();
  return *r;
}

Rational power(Rational base, std::int64_t n) {
  if (n < 0) base = checked(divide({1, 1}, base));
  Rational result{1, 1};
  for (std::int64_t k = n < 0 ? -n : n; k > 0; --k) result = checked(multiply(result, base));
  return result;
}

void join_factor(Rational* coefficient, std::vector<Factor>* joined, const Factor& factor) {
  const auto& [base, exponent] = factor;
  if (exponent > max_exponent || exponent < -max_exponent) throw TooLarge();
  if (exponent == 0) return;
  if (base.kind == Form::Kind::number) {
    *coefficient = checked(multiply(*coefficient, power(base.number, exponent)));
  } else if (base.kind == Form::Kind::product) {
    *coefficient = checked(multiply(*coefficient, power(base.number, exponent)));
    for (std::size_t i = 0; i < base.parts.size(); ++i) {
      join_factor(coefficient, joined, {base.parts[i], base.exponents[i] * exponent});
    }
  } else {
    joined->push_back(factor);
  }
}

}  // namespace

FormList::FormList(std::vector<Form> forms) {
  if (!forms.empty()) forms_ = std::make_shared<const std::vector<Form>>(std::move(forms));
}
FormList::FormList(std::initializer_list<Form> forms) : FormList(std::vector<Form>(forms)) {}
std::size_t FormList::size() const { return forms_ ? forms_->size() : 0; }
const Form& FormList::operator[](std::size_t i) const { return (*forms_)[i]; }
const Form* FormList::begin() const { return forms_ ? forms_->data() : nullptr; }
const Form* FormList::end() const { return forms_ ? forms_->data() + forms_->size() : nullptr; }

// ---- Making

bool is_one(const Rational& r) { return r.num == 1 && r.den == 1; }

Form make_number(const Rational& value) {
  Form form;
  form.number = value;
  return form;
}

Form make_leaf(const ExprPool& pool, Ref ref) {
  Form form;
  form.kind = Form::Kind::leaf;
  form.ref = ref & ~Ref{1};
  const Node& node = pool.node(ref);
  switch (node.op) {
    case Op::pi:
      form.order = leaf_order(pi_rank, 0, 0);
      break;
    case Op::constant:
      form.order = leaf_order(constant_rank, 0, ref >> 1);
      break;
    case Op::symbol:
      // Time comes after parameters: omega*t.
      form.order = pool.symbol_name(ref) == "t"
                       ? leaf_order(symbol_rank, 0, last_creation)
                       : leaf_order(symbol_rank, symbol_level(pool, pool.symbol_name(ref)), node.a);
      break;
    case Op::function:
      form.order = leaf_order(symbol_rank, 0, node.a);
      break;
    default:
      form.order = leaf_order(named_rank, 1, ref >> 1);
      break;
  }
  form.level = static_cast<std::uint8_t>(form.order >> 32 & 0xff);
  return (ref & 1u) != 0 ? negate(std::move(form)) : form;
}

Form make_call(Op op, const FormList& operands) {
  Form form;
  form.kind = Form::Kind::call;
  form.op = op;
  const bool symmetric = op == Op::min || op == Op::max;
  const bool swap = symmetric && compare(operands[1], operands[0]) < 0;
  set_parts(&form, swap ? FormList{operands[1], operands[0]} : operands);
  return form;
}

Form make_sum(std::vector<Form> terms) {
  std::vector<Form> flat;
  for (Form& term : terms) {
    if (term.kind == Form::Kind::sum) {
      flat.insert(flat.end(), term.parts.begin(), term.parts.end());
    } else if (term.kind != Form::Kind::number || term.number.num != 0) {
      flat.push_back(std::move(term));
    }
  }
  if (flat.empty()) return make_number({0, 1});
  if (flat.size() == 1) return flat.front();
  std::vector<TermKey> keys;
  for (const Form& term : flat) {
    const Form product = as_product(term);
    keys.push_back({term, product, rates_of(product), keys.size()});
  }
  std::sort(keys.begin(), keys.end(), comes_first);
  for (std::size_t i = 0; i < keys.size(); ++i) flat[i] = keys[i].term;
  Form sum;
  sum.kind = Form::Kind::sum;
  set_parts(&sum, std::move(flat));
  return sum;
}

Form make_product(const Rational& coefficient, const std::vector<Factor>& factors) {
  Rational number = coefficient;
  std::vector<Factor> joined;
  for (const Factor& factor : factors) join_factor(&number, &joined, factor);
  if (number.num == 0) return make_number({0, 1});
  std::stable_sort(joined.begin(), joined.end(),
                   [](const Factor& a, const Factor& b) { return compare(a.first, b.first) < 0; });
  std::vector<Form> bases;
  std::vector<std::int64_t> exponents;
  for (std::size_t i = 0; i < joined.size();) {
    std::int64_t exponent = 0;
    const Form& base = joined[i].first;
    while (i < joined.size() && compare(joined[i].first, base) == 0) exponent += joined[i++].second;
    if (std::abs(exponent) > max_exponent) throw TooLarge();
    if (exponent == 0) continue;
    bases.push_back(base);
    exponents.push_back(exponent);
  }
  if (bases.empty()) return make_number(number);
  if (bases.size() == 1 && exponents[0] == 1 && is_one(number)) return bases[0];
  Form product;
  product.kind = Form::Kind::product;
  product.number = number;
  product.exponents = std::move(exponents);
  set_parts(&product, std::move(bases));
  return product;
}

Form make_bare_sum(const Form& a, const Form& b) {
  Form sum;
  sum.kind = Form::Kind::sum;
  set_parts(&sum, {a, b});
  return sum;
}

Form make_bare_product(const Form& a, const Factor& b) {
  Form product;
  product.kind = Form::Kind::product;
  product.number = {1, 1};
  product.exponents = {1, b.second};
  set_parts(&product, {a, b.first});
  return product;
}

Form negate(Form form) {
  switch (form.kind) {
    case Form::Kind::number:
      form.number.num = -form.number.num;
      return form;
    case Form::Kind::product: {
      form.number.num = -form.number.num;
      const bool bare = form.parts.size() == 1 && form.exponents[0] == 1 && is_one(form.number);
      return bare ? form.parts[0] : form;
    }
    case Form::Kind::sum: {
      std::vector<Form> terms;
      for (const Form& term : form.parts) terms.push_back(negate(term));
      form.parts = std::move(terms);
      return form;
    }
    default: {
      Form product = as_product(form);
      product.number = {-1, 1};
      return product;
    }
  }
}

bool is_negative(const Form& form) {
  const bool has_number = form.kind == Form::Kind::number || form.kind == Form::Kind::product;
  return has_number && form.number.num < 0;
}

bool has_negative_lead(const Form& form) {
  return is_negative(form.kind == Form::Kind::sum ? form.parts[0] : form);
}

// ---- Order

int compare(const Form& a, const Form& b) {
  if (const int c = three_way(factor_rank(a), factor_rank(b))) return c;
  switch (a.kind) {
    case Form::Kind::number:
      return compare_numbers(a.number, b.number);
    case Form::Kind::leaf:
      return three_way(a.order, b.order);
    case Form::Kind::sum:
      return compare_lists(a.parts, b.parts);
    case Form::Kind::call:
      if (const int c = compare_lists(a.parts, b.parts)) return c;
      return three_way(static_cast<int>(a.op), static_cast<int>(b.op));
    case Form::Kind::product:
      if (const int c = compare_products(a, b)) return c;
      return compare_numbers(a.number, b.number);
  }
  return 0;
}

// ---- Back to an expression

Ref rebuild(ExprPool& pool, const Form& form) {
  switch (form.kind) {
    case Form::Kind::number:
      return pool.rational(form.number.num, form.number.den).ref();
    case Form::Kind::leaf:
      return form.ref;
    case Form::Kind::sum: {
      Ref sum = 0;
      for (const Form& term : form.parts) sum = pool.add(sum, rebuild(pool, term));
      return sum;
    }
    case Form::Kind::product: {
      Ref above = pool.rational(form.number.num, form.number.den).ref(), below = pool.one().ref();
      for (std::size_t i = 0; i < form.parts.size(); ++i) {
        const std::int64_t n = form.exponents[i];
        Ref& side = n > 0 ? above : below;
        side =
            pool.multiply(side, pool.integer_power(rebuild(pool, form.parts[i]), n > 0 ? n : -n));
      }
      return pool.divide(above, below);
    }
    case Form::Kind::call: {
      const Ref a = rebuild(pool, form.parts[0]);
      const Ref b = form.parts.size() > 1 ? rebuild(pool, form.parts[1]) : 0;
      return form.op == Op::power ? pool.power(a, b) : pool.function(form.op, a, b);
    }
  }
  return 0;
}

}  // namespace visviva
