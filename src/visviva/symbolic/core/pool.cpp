#include "visviva/symbolic/core/pool.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "visviva/base/error.h"
#include "visviva/symbolic/core/function_symbol.h"

namespace visviva {
namespace {

constexpr std::uint64_t symbol_tag = 16;

// The random value of a symbol depends on its name alone, so that two pools agree.
Fingerprint hash_name(std::string_view name) {
  Fingerprint value{{name.size(), 0}};
  do {
    Fingerprint chunk;
    const std::size_t length = std::min(name.size(), sizeof chunk.lane);
    if (length != 0) std::memcpy(chunk.lane.data(), name.data(), length);
    value = field::scramble(symbol_tag, value, chunk);
    name.remove_prefix(length);
  } while (!name.empty());
  return value;
}

Ref strip(Ref ref) { return ref & ~Ref{1}; }

// A value and its negative have the same hash.
std::uint32_t hash_value(const Fingerprint& value) {
  const std::uint64_t x = value.lane[0], y = x == 0 ? value.lane[1] : field::prime[0] - x;
  return static_cast<std::uint32_t>((x < y ? x : y) * 0x9e3779b97f4a7c15u >> 32);
}

std::uint64_t pair_key(Ref a, Ref b) { return static_cast<std::uint64_t>(a) << 32 | b; }

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> count = 0;
  return ++count;
}

}  // namespace

ExprPool::ExprPool() : number_(next_number()), ancestors_({{number_, 0}}) {
  push({Op::constant, 0, 0}, {}, 0, {});  // index 0 is zero and needs no table entry
  constants_.push_back({});
  one_ = rational_constant({1, 1});
  pi_ = intern({Op::pi, 0, 0}, field::pi(), 0, {1, 0});
}

// ---- Pools on top of pools

ExprPool::ExprPool(std::shared_ptr<const ExprPool> below)
    : number_(next_number()),
      below_(std::move(below)),
      ancestors_(below_->ancestors_),
      indices_(below_->indices_),
      nodes_(below_->nodes_),
      fingerprints_(below_->fingerprints_),
      flags_(below_->flags_),
      degrees_(below_->degrees_),
      merged_degrees_(below_->merged_degrees_),
      merged_below_(below_->merged_below_),
      masks_(below_->masks_),
      constants_(below_->constants_),
      symbols_(below_->symbols_),
      unit_quaternions_(below_->unit_quaternions_),
      one_(below_->one_),
      pi_(below_->pi_) {
  // The index of a pool that still grows is copied as it is now.
  indices_.push_back(below_->is_finished() ? below_->index_
                                           : std::make_shared<Index>(*below_->index_));
  ancestors_.back().size = nodes_.size();
  ancestors_.push_back({number_, 0});
}

std::uint64_t ExprPool::make_subject() { return next_number(); }

void ExprPool::finish() {
  const std::lock_guard lock(finishing_);
  is_finished_ = true;
}

bool ExprPool::stands_on(const ExprPool& other) const {
  const std::size_t depth = other.ancestors_.size();
  return depth <= ancestors_.size() && ancestors_[depth - 1].number == other.number_;
}

bool ExprPool::contains(const Expr& expr) const {
  const ExprPool& home = expr.home();
  if (&home == this) return true;
  return stands_on(home) && expr.ref() >> 1 < ancestors_[home.ancestors_.size() - 1].size;
}

// A thread that builds from finished expressions outside of any verb gets a page to write on.
ExprPool& ExprPool::page() {
  const std::lock_guard lock(finishing_);
  std::unique_ptr<ExprPool>& page = pages_[std::this_thread::get_id()];
  if (!page) {
    const std::shared_ptr<const ExprPool> unowned(std::shared_ptr<const ExprPool>(), this);
    page = std::make_unique<ExprPool>(unowned);
  }
  return *page;
}

Ref ExprPool::take(const Expr& expr) {
  if (contains(expr)) return expr.ref();
  const ExprPool& home = expr.home();
  if (!is_related(home)) throw UsageError("Expr", "the operands belong to different pools");
  return copy(home, expr.ref());
}

// Rebuilds the nodes under `ref` that this pool lacks, operands first.
Ref ExprPool::copy(const ExprPool& from, Ref ref) {
  std::size_t shared = 0;  // nodes that both pools have under the same index
  for (std::size_t i = 0; i < std::min(ancestors_.size(), from.ancestors_.size()); ++i) {
    if (ancestors_[i].number != from.ancestors_[i].number) break;
    const std::size_t mine = i + 1 == ancestors_.size() ? nodes_.size() : ancestors_[i].size;
    const std::size_t theirs =
        i + 1 == from.ancestors_.size() ? from.nodes_.size() : from.ancestors_[i].size;
    shared = std::min(mine, theirs);
  }
  const auto is_known = [&](Ref r) {
    return r >> 1 < shared || copies_.contains({from.number_, r >> 1});
  };
  const auto copied = [&](Ref r) {
    const Ref bare = r >> 1 < shared ? strip(r) : copies_.at({from.number_, r >> 1});
    return (r & 1u) != 0 ? negate(bare) : bare;
  };
  std::vector<Ref> open = {strip(ref)};
  while (!open.empty()) {
    const Ref next = open.back();
    const Node n = from.nodes_[next >> 1];
    const int operands = operand_count(n.op);
    const std::size_t before = open.size();
    if (operands > 0 && !is_known(n.a)) open.push_back(strip(n.a));
    if (operands > 1 && !is_known(n.b)) open.push_back(strip(n.b));
    if (open.size() != before && !is_known(next)) continue;
    open.resize(before - 1);
    if (is_known(next)) continue;
    Ref result = pi_;
    if (n.op == Op::symbol || n.op == Op::function) {
      result = make_symbol(from.symbols_[n.a], from.flags_[next >> 1], n.op).ref();
    } else if (n.op == Op::constant) {
      result = constant(from.constants_[n.a], from.fingerprints_[next >> 1]);
    } else if (n.op != Op::pi) {
      result = apply(n.op, copied(n.a), operands > 1 ? copied(n.b) : 0);
    }
    copies_.emplace(std::pair{from.number_, next >> 1}, result);
  }
  return copied(ref);
}

// ---- Leaves

Expr ExprPool::symbol(std::string_view name) { return make_symbol(name, has_symbol); }

Expr ExprPool::scratch_symbol(std::string_view name) {
  const Expr symbol = make_symbol(name, has_symbol | has_scratch);
  if ((flags_[symbol.ref() >> 1] & has_scratch) == 0)
    throw UsageError("scratch_symbol", "the symbol '" + std::string(name) + "' exists already");
  return symbol;
}

Expr ExprPool::undefined_function(const FunctionSymbol& function) {
  return make_symbol(function.text(), has_symbol, Op::function);
}

void ExprPool::define_table(const std::string& name, std::shared_ptr<const TableFunction> table) {
  if (find_table(name)) throw UsageError("define_table", "'" + name + "' has a table already");
  tables_.emplace(name, std::move(table));
}

std::shared_ptr<const TableFunction> ExprPool::find_table(const std::string& name) const {
  for (const ExprPool* p = this; p != nullptr; p = p->below_.get())
    if (const auto found = p->tables_.find(name); found != p->tables_.end()) return found->second;
  return nullptr;
}

// A function and a symbol may have the same name.
Expr ExprPool::make_symbol(std::string_view name, std::uint8_t flags, Op op) {
  const std::string key = op == Op::function ? "function " + std::string(name) : std::string(name);
  if (const auto found = find_symbol(key)) return {*this, *found};
  const Ref ref = intern({op, static_cast<Ref>(symbols_.size()), 0}, hash_name(key), flags, {1, 0});
  symbols_.push_back(std::string(name));
  index_->symbols.emplace(key, ref);
  return {*this, ref};
}

std::array<Expr, 4> ExprPool::unit_quaternion(const std::array<std::string, 4>& names) {
  for (std::size_t i = 0; i < 4; ++i) {
    const bool twice = std::find(names.begin(), names.begin() + i, names[i]) != names.begin() + i;
    if (twice || has_symbol_named(names[i])) {
      throw UsageError("unit_quaternion", "the symbol '" + names[i] + "' exists already");
    }
  }
  // Stereographic projection: (1 - s, 2x, 2y, 2z)/(1 + s) with s = x^2 + y^2 + z^2 lies on the
  // sphere.
  const Fingerprint one = field::from_integer(1);
  std::array<Fingerprint, 4> point{};
  Fingerprint s{};
  for (std::size_t i = 1; i < 4; ++i) {
    point[i] = hash_name(names[i] + "/" + names[0]);
    s = field::add(s, field::multiply(point[i], point[i]));
  }
  const Fingerprint scale = field::inverse(field::add(one, s));
  point[0] = field::multiply(field::subtract(one, s), scale);
  for (std::size_t i = 1; i < 4; ++i)
    point[i] = field::multiply(field::add(point[i], point[i]), scale);

  std::array<Expr, 4> result;
  for (std::size_t i = 0; i < 4; ++i) {
    const Ref ref =
        intern({Op::symbol, static_cast<Ref>(symbols_.size()), 0}, point[i], has_symbol, {2, 2});
    symbols_.push_back(names[i]);
    index_->symbols.emplace(names[i], ref);
    result[i] = Expr(*this, ref);
  }
  unit_quaternions_.push_back({result[0].ref(), result[1].ref(), result[2].ref(), result[3].ref()});
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
  if (!r)
    throw UsageError("ExprPool::rational",
                     den == 0 ? "the denominator is 0" : "the fraction does not fit");
  return {*this, rational_constant(*r)};
}

Expr ExprPool::decimal(std::string_view literal) {
  const auto complain = [&](const std::string& why) {
    throw UsageError("ExprPool::decimal", "'" + std::string(literal) + "' " + why);
  };
  std::string digits;
  int exponent = 0;
  std::size_t i = 0;
  bool after_point = false;
  for (; i < literal.size(); ++i) {
    const char c = literal[i];
    if (c == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    digits += c;
    if (after_point) --exponent;
  }
  if (digits.empty()) complain("is not a decimal number");
  if (digits.size() > 1000) complain("has too many digits");
  if (i < literal.size()) {
    if (literal[i] != 'e' && literal[i] != 'E') complain("is not a decimal number");
    std::string_view rest = literal.substr(i + 1);
    if (rest.size() > 1 && rest[0] == '+' && rest[1] != '-') rest.remove_prefix(1);
    int written = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), written);
    if (code != std::errc() || end != rest.data() + rest.size()) complain("has no proper exponent");
    if (written > 5000 || written < -5000) complain("is out of range");
    exponent += written;
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return zero();
  // A quick way for the usual: digits and power of ten both fit into 63 bits.
  if (digits.size() <= 18 && exponent >= -18 && exponent <= 0) {
    std::int64_t num = 0, den = 1;
    for (const char c : digits) num = num * 10 + (c - '0');
    for (int k = 0; k < -exponent; ++k) den *= 10;
    return {*this, rational_constant(*make_rational(num, den))};
  }
  const int magnitude =
      static_cast<int>(digits.size()) + exponent;  // 10^(magnitude - 1) <= value < 10^magnitude
  if (magnitude > 310 || magnitude < -330) complain("is out of range");
  const BigRational exact(digits, exponent);
  if (const double nearest = exact.nearest(); !std::isfinite(nearest) || nearest == 0.0)
    complain("is out of range");
  return {*this, wide_constant(exact)};
}

// ---- Reading

double ExprPool::bytes_per_node() const {
  const std::size_t bytes = nodes_.bytes() + fingerprints_.bytes() + flags_.bytes() +
                            degrees_.bytes() + merged_degrees_.bytes() + masks_.bytes() +
                            constants_.bytes() + index_->table.capacity() * sizeof(Slot);
  std::size_t calls = 0;
  for (const auto& map : index_->calls) {
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

std::optional<BigRational> ExprPool::exact_value(Ref ref) const {
  if (!is_number(ref)) return std::nullopt;
  const Constant& c = constants_[nodes_[ref >> 1].a];
  if (c.exact.den == 0 && !c.wide) return std::nullopt;
  const BigRational magnitude = c.wide ? *c.wide : BigRational(c.exact);
  return (ref & 1u) != 0 ? -magnitude : magnitude;
}

bool ExprPool::has_symbol_named(std::string_view name) const {
  return find_symbol(std::string(name)).has_value();
}

std::optional<Ref> ExprPool::find_symbol(const std::string& name) const {
  if (const auto found = index_->symbols.find(name); found != index_->symbols.end())
    return found->second;
  for (const auto& index : indices_) {
    if (const auto found = index->symbols.find(name); found != index->symbols.end())
      return found->second;
  }
  return std::nullopt;
}

float ExprPool::merged_degree(Ref ref) const {
  const auto found = merged_below_.find(ref >> 1);
  return found == merged_below_.end() ? merged_degrees_[ref >> 1] : found->second;
}

// ---- The table of values

std::size_t ExprPool::find_slot(const Index& index, const Fingerprint& value,
                                std::uint32_t hash) const {
  const std::size_t mask = index.table.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = index.table[i];
    if (slot.entry == 0) return i;
    if (slot.hash != hash) continue;
    const Fingerprint& held = fingerprints_[slot.entry - 1];
    if (held == value || held == field::negate(value)) return i;
  }
}

// A better form in a pool on top hides the one below.
std::uint32_t ExprPool::find_entry(const Fingerprint& value, std::uint32_t hash) const {
  if (const Slot& slot = index_->table[find_slot(*index_, value, hash)]; slot.entry != 0)
    return slot.entry;
  for (auto it = indices_.rbegin(); it != indices_.rend(); ++it) {
    if (const Slot& slot = (*it)->table[find_slot(**it, value, hash)]; slot.entry != 0)
      return slot.entry;
  }
  return 0;
}

void ExprPool::set_entry(const Fingerprint& value, std::uint32_t hash, std::uint32_t entry) {
  if (index_->used * 10 >= index_->table.size() * 7) grow_table();
  Slot& slot = index_->table[find_slot(*index_, value, hash)];
  if (slot.entry == 0) ++index_->used;
  slot = {entry, hash};
}

void ExprPool::grow_table() {
  std::vector<Slot> old(index_->table.size() * 2);
  old.swap(index_->table);
  const std::size_t mask = index_->table.size() - 1;
  for (const Slot& slot : old) {
    if (slot.entry == 0) continue;
    std::size_t i = slot.hash & mask;
    while (index_->table[i].entry != 0) i = (i + 1) & mask;
    index_->table[i] = slot;
  }
}

std::optional<Ref> ExprPool::find_call(Op op, std::uint64_t key) const {
  const auto find = [&](const Index& index) -> std::optional<Ref> {
    const auto& known = index.calls[static_cast<std::size_t>(op)];
    if (const auto found = known.find(key); found != known.end()) return found->second;
    return std::nullopt;
  };
  if (const auto found = find(*index_)) return found;
  for (auto it = indices_.rbegin(); it != indices_.rend(); ++it) {
    if (const auto found = find(**it)) return found;
  }
  return std::nullopt;
}

void ExprPool::remember_call(Op op, std::uint64_t key, Ref result) {
  index_->calls[static_cast<std::size_t>(op)].insert_or_assign(key, result);
}

Ref ExprPool::push(const Node& node, const Fingerprint& value, std::uint8_t flags, Degree degree) {
  if (nodes_.size() >= (std::size_t{1} << 31))
    throw InternalError("more than 2^31 expression nodes");
  if (is_finished()) throw InternalError("a finished pool of expressions was to grow");
  nodes_.push_back(node);
  fingerprints_.push_back(value);
  flags_.push_back(flags);
  degrees_.push_back(degree);
  merged_degrees_.push_back(0.0f);
  masks_.push_back(mask_of(node));
  if (!avoided_.empty()) avoided_.push_back(is_avoided(node));
  return static_cast<Ref>(nodes_.size() - 1) << 1;
}

void ExprPool::note_merge(std::uint32_t index, Degree other) {
  const Degree held = degrees_[index];
  set_merged_degree(index, std::max(held.num + other.den, other.num + held.den));
}

void ExprPool::set_merged_degree(std::uint32_t index, float degree) {
  if (degree <= merged_degree(index << 1)) return;
  if (below_ != nullptr && index < ancestors_[ancestors_.size() - 2].size) {
    merged_below_[index] = degree;
  } else {
    merged_degrees_.set(index, degree);
  }
}

bool ExprPool::is_better(const Node& node, std::uint8_t flags, std::uint32_t held) const {
  const bool clean = is_avoided(held << 1) && !is_avoided(node);
  const bool lasting = (flags_[held] & has_scratch) != 0 && (flags & has_scratch) == 0;
  if ((flags_[held] & has_scratch) == 0 && (flags & has_scratch) != 0) return clean;
  const bool regular = (flags_[held] & has_pole) != 0 && (flags & has_pole) == 0;
  const bool number = node.op == Op::constant && nodes_[held].op != Op::constant;
  // A form that mentions fewer symbols: what cancels in the one held must not come back.
  const std::uint64_t mask = mask_of(node);
  const bool leaner = (mask & ~masks_[held]) == 0 && mask != masks_[held] &&
                      ((flags & has_pole) == 0 || (flags_[held] & has_pole) != 0);
  return clean || lasting || regular || number || leaner;
}

std::uint64_t ExprPool::mask_of(const Node& node) const {
  if (node.op == Op::symbol) return std::uint64_t{1} << (node.a % 64);
  const int operands = operand_count(node.op);
  return (operands > 0 ? masks_[node.a >> 1] : 0) | (operands > 1 ? masks_[node.b >> 1] : 0);
}

bool ExprPool::is_avoided(const Node& node) const {
  if (avoided_.empty()) return false;
  const int operands = operand_count(node.op);
  return (operands > 0 && avoided_[node.a >> 1]) || (operands > 1 && avoided_[node.b >> 1]);
}

ExprPool::Avoiding::Avoiding(ExprPool& pool, const std::vector<Expr>& symbols) : pool_(pool) {
  std::vector<bool> avoided(pool.nodes_.size());
  for (const Expr& s : symbols) avoided[pool.take(s) >> 1] = true;
  pool.avoided_ = std::move(avoided);
  for (std::size_t i = 0; i < pool.nodes_.size(); ++i) {
    if (pool.is_avoided(pool.nodes_[i])) pool.avoided_[i] = true;
  }
}

Ref ExprPool::intern(const Node& node, const Fingerprint& value, std::uint8_t flags,
                     Degree degree) {
  if (value.is_zero()) {
    note_merge(0, degree);
    return 0;
  }
  const std::uint32_t hash = hash_value(value);
  if (const std::uint32_t entry = find_entry(value, hash); entry != 0) {
    const std::uint32_t index = entry - 1;
    note_merge(index, degree);
    if (!is_better(node, flags, index))
      return index << 1 | static_cast<Ref>(fingerprints_[index] != value);
    const Ref fresh = push(node, value, flags, degree);
    set_merged_degree(fresh >> 1, merged_degree(index << 1));
    set_entry(value, hash, (fresh >> 1) + 1);
    return fresh;
  }
  if (node.op != Op::constant && node.op != Op::symbol && node.op != Op::function) {
    if (const auto r = field::recognize_rational(value)) {
      const Ref found = rational_constant(*r);
      note_merge(found >> 1, degree);
      return found;
    }
  }
  const Ref fresh = push(node, value, flags, degree);
  set_entry(value, hash, (fresh >> 1) + 1);
  return fresh;
}

Ref ExprPool::regular_form(Ref ref) const {
  if ((flags_[ref >> 1] & (has_pole | has_scratch)) == 0) return ref;
  const Fingerprint& value = fingerprints_[ref >> 1];
  const std::uint32_t index = find_entry(value, hash_value(value)) - 1;
  return index << 1 |
         ((ref & 1u) ^ static_cast<Ref>(fingerprints_[index] != fingerprints_[ref >> 1]));
}

std::uint8_t ExprPool::flags_of(Ref a, Ref b) const { return flags_[a >> 1] | flags_[b >> 1]; }

// ---- Constants: a double, and the exact value beside it

Ref ExprPool::constant(Constant c, Fingerprint print) {
  if (!std::isfinite(c.value))
    throw UsageError("Expr", "a constant overflows the range of numbers", "E-number-range");
  if (c.value == 0.0)
    throw UsageError("Expr", "a constant underflows the range of numbers", "E-number-range");
  if (c.value < 0) {
    c.value = -c.value;
    c.exact.num = -c.exact.num;
    if (c.wide) c.wide = -*c.wide;
    return negate(constant(std::move(c), field::negate(print)));
  }
  // A multiple of a prime is not zero, and numbers a multiple of both apart are not equal: such get
  // a value of their own.
  const auto differs = [&](const Constant& held) {
    if (c.exact.den != 0 && held.exact.den != 0) return c.exact != held.exact;
    if (c.wide && held.wide) return !(*c.wide == *held.wide);
    return (c.exact.den != 0 && held.wide) || (c.wide && held.exact.den != 0);
  };
  const std::uint32_t taken = find_entry(print, hash_value(print));
  const bool clash = taken != 0 && nodes_[taken - 1].op == Op::constant &&
                     differs(constants_[nodes_[taken - 1].a]);
  if (print.has_zero_lane() || clash) {
    print = hash_name("#" + (c.wide             ? c.wide->text()
                             : c.exact.den != 0 ? BigRational(c.exact).text()
                                                : std::to_string(c.value)));
  }

  const Ref ref = intern({Op::constant, static_cast<Ref>(constants_.size()), 0}, print, 0, {});
  const bool fresh = (ref >> 1) + 1 == nodes_.size() && nodes_.back().op == Op::constant;
  if (fresh && nodes_.back().a == constants_.size()) constants_.push_back(std::move(c));
  return ref;
}

Ref ExprPool::rational_constant(const Rational& r) {
  if (r.num == 0) return 0;
  if (r.num < 0) return negate(rational_constant({-r.num, r.den}));
  if (r.num > UINT32_MAX || r.den > UINT32_MAX) return make_rational_constant(r);
  // The inverse of a denominator costs a power in the field: remember common fractions.
  const std::uint64_t key = pair_key(static_cast<Ref>(r.num), static_cast<Ref>(r.den));
  if (const auto known = find_call(Op::constant, key)) return *known;
  const Ref result = make_rational_constant(r);
  remember_call(Op::constant, key, result);
  return result;
}

Ref ExprPool::make_rational_constant(const Rational& r) {
  // A quotient of two exact doubles is rounded once.
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  const bool plain = r.num < limit && r.den < limit;
  const double value =
      plain ? static_cast<double>(r.num) / static_cast<double>(r.den) : BigRational(r).nearest();
  return constant({value, r, std::nullopt}, field::from_rational(r));
}

Ref ExprPool::wide_constant(const BigRational& r) {
  if (const auto small = r.small()) return rational_constant(*small);
  return constant({r.nearest(), {0, 0}, r}, r.fingerprint());
}

Ref ExprPool::fold(Op op, Ref a, Ref b) {
  Rational x, y;
  if (rational_value(a, &x) && rational_value(b, &y)) {
    const auto exact = op == Op::add        ? visviva::add(x, y)
                       : op == Op::multiply ? visviva::multiply(x, y)
                                            : visviva::divide(x, y);
    if (exact) return rational_constant(*exact);
  }
  constexpr std::size_t max_bits = 16384;
  const auto big = exact_value(a), other = exact_value(b);
  if (big && other && big->bit_count() + other->bit_count() <= max_bits) {
    return wide_constant(op == Op::add        ? *big + *other
                         : op == Op::multiply ? *big * *other
                                              : *big / *other);
  }
  // Beyond, the field stays exact and the double rounds.
  const double u = constant_value(a), v = constant_value(b);
  const Fingerprint f = fingerprint(a), g = fingerprint(b);
  switch (op) {
    case Op::add: {
      const Fingerprint sum = field::add(f, g);
      return sum.is_zero() ? 0 : constant({u + v, {0, 0}, std::nullopt}, sum);
    }
    case Op::multiply:
      return constant({u * v, {0, 0}, std::nullopt}, field::multiply(f, g));
    default:
      return constant({u / v, {0, 0}, std::nullopt}, field::multiply(f, field::inverse(g)));
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
  // 2 m + 3 m = 5 m
  const auto [c, m] = split_coefficient(a);
  if (const auto [d, n] = split_coefficient(b); m == n && !is_number(a)) {
    return multiply(fold(Op::add, c, d), m);
  }
  const Degree x = degree(a), y = degree(b);
  const Degree sum{std::max(x.num + y.den, y.num + x.den), x.den + y.den};
  return intern({Op::add, a, b}, field::add(fingerprint(a), fingerprint(b)), flags_of(a, b), sum);
}

std::pair<Ref, Ref> ExprPool::split_coefficient(Ref ref) const {
  const Node& n = nodes_[ref >> 1];
  const bool scaled = n.op == Op::multiply && is_number(n.a);
  return {(scaled ? n.a : one_) ^ (ref & 1u), scaled ? n.b : strip(ref)};
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
  if (is_number(a) && y.op == Op::multiply && is_number(y.a))
    return multiply(multiply(a, y.a), y.b) ^ sign;
  if (y.op == Op::multiply && is_number(y.a)) return multiply(y.a, multiply(a, y.b)) ^ sign;
  if (x.op == Op::multiply && is_number(x.a)) return multiply(x.a, multiply(x.b, b)) ^ sign;
  if (y.op == Op::divide && is_number(y.a)) return divide(multiply(y.a, a), y.b) ^ sign;
  if (x.op == Op::divide && is_number(x.a)) return divide(multiply(x.a, b), x.b) ^ sign;
  // The fields do not know that sqrt(x)^2 = x and abs(x)^2 = x^2: say it here.
  if (a == b && x.op == Op::sqrt) return x.a ^ sign;
  for (const bool first : {true, false}) {
    // (y sqrt(x)) sqrt(x) = y x
    const Ref root = first ? a : b;
    const Node& product = first ? y : x;
    if (nodes_[root >> 1].op != Op::sqrt || product.op != Op::multiply) continue;
    if (product.a == root) return multiply(product.b, nodes_[root >> 1].a) ^ sign;
    if (product.b == root) return multiply(product.a, nodes_[root >> 1].a) ^ sign;
  }
  if (a == b && x.op == Op::abs) return multiply(x.a, x.a) ^ sign;
  if (x.op == Op::divide && y.op == Op::divide && x.b == y.b && is_op(x.b, Op::sqrt)) {
    return divide(multiply(x.a, y.a), nodes_[x.b >> 1].a) ^ sign;
  }
  const Degree s = degree(a), t = degree(b);
  const Degree product{s.num + t.num, s.den + t.den};
  return intern({Op::multiply, a, b}, field::multiply(fingerprint(a), fingerprint(b)),
                flags_of(a, b), product) ^
         sign;
}

Ref ExprPool::divide(Ref a, Ref b) {
  const Ref sign = (a ^ b) & 1u;
  a = strip(a);
  b = strip(b);
  if (fingerprint(b).is_zero())
    throw UsageError("operator/", "division by an expression that is identically zero",
                     "E-division-by-zero");
  if (a == 0) return 0;
  if (b == one_) return a ^ sign;
  const auto known = find_call(Op::divide, pair_key(a, b));
  if (known && !is_avoided(*known)) return regular_form(*known) ^ sign;
  const Ref result = make_quotient(a, b);
  remember_call(Op::divide, pair_key(a, b), result);
  return result ^ sign;
}

Ref ExprPool::make_quotient(Ref a, Ref b) {
  if (is_number(b))
    return is_number(a) ? fold(Op::divide, a, b) : multiply(fold(Op::divide, one_, b), a);
  const Node x = nodes_[a >> 1], y = nodes_[b >> 1];
  if (y.op == Op::divide) return divide(multiply(a, y.b), y.a);
  if (y.op == Op::multiply && is_number(y.a))
    return multiply(fold(Op::divide, one_, y.a), divide(a, y.b));
  if (x.op == Op::divide) return divide(x.a, multiply(x.b, b));
  // x/sqrt(x) = sqrt(x)
  if (y.op == Op::sqrt && fingerprint(a) == fingerprint(y.a)) return b;
  const Fingerprint denominator = fingerprint(b);
  if (denominator.has_zero_lane()) return make_opaque(Op::divide, a, b);
  const std::uint8_t flags = flags_of(a, b) | has_pole;
  const Degree s = degree(a), t = degree(b);
  const Degree quotient{s.num + t.den, s.den + t.num};
  return intern({Op::divide, a, b}, field::multiply(fingerprint(a), field::inverse(denominator)),
                flags, quotient);
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
  const auto known = find_call(op, pair_key(a, b));
  if (known && !is_avoided(*known)) return regular_form(*known);
  const Ref result = make_function(op, a, b);
  remember_call(op, pair_key(a, b), result);
  return result;
}

Ref ExprPool::apply(Op op, Ref a, Ref b) {
  switch (op) {
    case Op::add:
      return add(a, b);
    case Op::multiply:
      return multiply(a, b);
    case Op::divide:
      return divide(a, b);
    case Op::power:
      return power(a, b);
    default:
      return function(op, a, b);
  }
}

}  // namespace visviva
