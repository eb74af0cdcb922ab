#include "visviva/codegen/jit/packing.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {
namespace {

constexpr std::uint8_t no_lane = 0xff, several_lanes = 0xfe;

using Value = std::uint32_t;

}  // namespace

Packing::Packing(const Program& program)
    : program_(program),
      shapes_(program),
      packs_by_first_(program.operations.size()),
      lanes_(program.operations.size(), no_lane),
      computed_(program.operations.size(), {-1, 0}) {
  for (const auto& group : group_outputs()) pack_group(group);
  expand_all();
  if (packs_.empty()) return;
  label_values();
  find_lane_sums();
  expand_all();
}

Packing::PartedSum Packing::parts_of(Value sum) const {
  const auto found = parted_.find(sum);
  return found == parted_.end() ? PartedSum{shapes_.terms(sum), {}} : found->second;
}

// ---- From the outputs

// Outputs of one shape, in their order.
std::vector<std::vector<Value>> Packing::group_outputs() const {
  std::map<std::uint64_t, std::size_t> numbers;
  std::vector<std::vector<Value>> groups;
  for (const Value v : program_.outputs) {
    const Kind kind = shapes_.kind(v);
    if (kind != Kind::sum && kind != Kind::product && kind != Kind::quotient) continue;
    const auto [at, is_new] = numbers.try_emplace(shapes_.shape(v), groups.size());
    if (is_new) groups.emplace_back();
    std::vector<Value>& group = groups[at->second];
    if (std::find(group.begin(), group.end(), v) == group.end()) group.push_back(v);
  }
  return groups;
}

// Fours, then a pair.
void Packing::pack_group(const std::vector<Value>& group) {
  for (std::size_t k = 0; k + 1 < group.size();) {
    const std::size_t width = k + 4 <= group.size() ? 4 : 2;
    Members values{};
    std::copy_n(group.begin() + static_cast<std::ptrdiff_t>(k), width, values.begin());
    request(static_cast<int>(width), values, 0);
    k += width;
  }
}

// ---- Requests

bool Packing::is_uniform(int width, const Members& values) const {
  return std::all_of(values.begin(), values.begin() + width,
                     [&](Value v) { return v == values[0]; });
}

bool Packing::is_known(int width, const Members& values) const {
  return std::all_of(values.begin(), values.begin() + width,
                     [&](Value v) { return shapes_.kind(v) == Kind::known; });
}

Packing::Reference Packing::request(int width, const Members& values, std::uint8_t signs) {
  const bool is_negative = (signs & 1) != 0;
  if (is_negative) signs ^= all_lanes(width);
  int alike = -1;
  for (const int p : packs_by_first_[values[0]]) {
    if (packs_[p].width != width || packs_[p].values != values) continue;
    if (packs_[p].signs == signs) return {p, is_negative};
    if (alike < 0) alike = p;
  }
  const bool known = is_known(width, values);
  if (alike < 0 && signs != 0 && !known && is_uniform(width, values))
    alike = request(width, values, 0).pack;
  if (alike < 0 || known) {
    const int made = add(width, values, signs);
    waiting_.emplace(packs_[made].key, made);
    return {made, is_negative};
  }
  const int flipped = add(width, values, signs);
  const int by = request_signs(width, signs ^ packs_[alike].signs);
  packs_[flipped].making = Pack::Making::flip;
  packs_[flipped].terms = {{alike, by, false}};
  return {flipped, is_negative};
}

int Packing::add(int width, const Members& values, std::uint8_t signs) {
  Pack pack{width, values, signs, Pack::Making::open, {}, 0};
  for (int l = 0; l < width; ++l) pack.key = std::max(pack.key, values[l]);
  packs_.push_back(std::move(pack));
  const int number = to_int(packs_.size()) - 1;
  packs_by_first_[values[0]].push_back(number);
  return number;
}

// 1 and -1.
int Packing::request_signs(int width, int signs) {
  const auto [at, is_new] = sign_packs_.try_emplace({width, signs}, to_int(packs_.size()));
  if (is_new)
    packs_.push_back({width, {}, static_cast<std::uint8_t>(signs), Pack::Making::signs, {}, 0});
  return at->second;
}

// ---- From packs to their operands

void Packing::expand_all() {
  while (!waiting_.empty()) {
    const int p = waiting_.top().second;
    waiting_.pop();
    expand(p);
  }
}

void Packing::expand(int p) {
  const int width = packs_[p].width;
  const Members values = packs_[p].values;
  packs_[p].making = choose_making(width, values);
  switch (packs_[p].making) {
    case Pack::Making::sum:
      return expand_sum(p);
    case Pack::Making::product:
    case Pack::Making::quotient:
      return expand_product(p);
    default:
      return;
  }
}

Pack::Making Packing::choose_making(int width, const Members& values) const {
  using Making = Pack::Making;
  if (is_known(width, values)) return Making::known;
  if (is_uniform(width, values)) return Making::broadcast;
  for (int k = 0; k < width; ++k)
    for (int l = 0; l < k; ++l)
      if (values[k] == values[l] || shapes_.shape(values[k]) != shapes_.shape(values[l]))
        return Making::join;
  switch (shapes_.kind(values[0])) {
    case Kind::sum:
      return Making::sum;
    case Kind::product:
      return Making::product;
    case Kind::quotient:
      return Making::quotient;
    default:
      return Making::join;
  }
}

void Packing::note_computed(int p) {
  for (int l = 0; l < packs_[p].width; ++l) {
    if (auto& place = computed_[packs_[p].values[l]]; place.first < 0) place = {p, l};
    lanes_[packs_[p].values[l]] = static_cast<std::uint8_t>(l);
  }
}

void Packing::expand_product(int p) {
  note_computed(p);
  const int width = packs_[p].width;
  Members a{}, b{};
  const bool is_product = packs_[p].making == Pack::Making::product;
  for (int l = 0; l < width; ++l) {
    const Operation& o = program_.operations[packs_[p].values[l]];
    a[l] = o.a;
    b[l] = o.b;
    if (is_product && l > 0 &&
        match(a[0], b[l], l) + match(b[0], a[l], l) > match(a[0], a[l], l) + match(b[0], b[l], l))
      std::swap(a[l], b[l]);
  }
  Pack::PackTerm term = request_product(width, a, b, packs_[p].signs);
  packs_[p].terms = {term};
}

// a b, with signs given to one of them so that as few packs as possible are there with several signs.
Pack::PackTerm Packing::request_product(int width, const Members& a, const Members& b,
                                        std::uint8_t signs) {
  std::uint8_t of_a = 0;
  if (is_known(width, a)) {
    of_a = static_cast<std::uint8_t>(signs ^ usual_signs(width, b).value_or(0));
  } else if (is_known(width, b)) {
    of_a = usual_signs(width, a).value_or(0);
  } else {
    const auto known_a = usual_signs(width, a), known_b = usual_signs(width, b);
    of_a = known_a                ? *known_a
           : known_b              ? static_cast<std::uint8_t>(signs ^ *known_b)
           : is_uniform(width, a) ? std::uint8_t{0}
                                  : signs;
  }
  const Reference x = request(width, a, of_a),
                  y = request(width, b, static_cast<std::uint8_t>(signs ^ of_a));
  return {x.pack, y.pack, x.is_negative != y.is_negative};
}

// With which a pack of these values was asked for first.
std::optional<std::uint8_t> Packing::usual_signs(int width, const Members& values) const {
  if (is_uniform(width, values)) return std::uint8_t{0};
  for (const int p : packs_by_first_[values[0]])
    if (packs_[p].width == width && packs_[p].values == values) return packs_[p].signs;
  return {};
}

void Packing::expand_sum(int p) {
  const int width = packs_[p].width;
  std::array<std::vector<Term>, 4> terms;
  for (int l = 0; l < width; ++l) terms[l] = shapes_.terms(packs_[p].values[l]);
  for (int l = 1; l < width; ++l) {
    if (!arrange(terms[0], &terms[l], l)) {
      packs_[p].making = Pack::Making::join;
      return;
    }
  }
  note_computed(p);
  std::vector<Pack::PackTerm> made;
  for (std::size_t k = 0; k < terms[0].size(); ++k) {
    std::array<Term, 4> across{};
    for (int l = 0; l < width; ++l) across[l] = terms[l][k];
    made.push_back(request_term(width, across, packs_[p].signs));
  }
  packs_[p].terms = std::move(made);
}

Pack::PackTerm Packing::request_term(int width, const std::array<Term, 4>& terms,
                                     std::uint8_t signs) {
  Members a{}, b{};
  for (int l = 0; l < width; ++l) {
    a[l] = terms[l].a;
    b[l] = terms[l].b;
    if (terms[l].is_negative) signs ^= static_cast<std::uint8_t>(1 << l);
  }
  if (b[0] != no_value) return request_product(width, a, b, signs);
  const bool is_negative = (signs & 1) != 0;
  if (is_negative) signs ^= all_lanes(width);
  if (signs != 0 && is_uniform(width, a) && !is_known(width, a))
    return {request(width, a, 0).pack, request_signs(width, signs), is_negative};
  const Reference x = request(width, a, signs);
  return {x.pack, -1, is_negative != x.is_negative};
}

// Puts the terms of lane l into the order of lane 0.
bool Packing::arrange(const std::vector<Term>& first, std::vector<Term>* terms, int l) const {
  if (terms->size() != first.size()) return false;
  std::vector<Term> arranged;
  std::vector<bool> is_taken(first.size());
  std::size_t begin = 0;
  for (const Term& t : first) {
    while (begin < terms->size() && is_taken[begin]) ++begin;
    std::size_t best = first.size();
    int most = -1;
    for (std::size_t k = begin; k < terms->size() && (*terms)[k].shape <= t.shape; ++k) {
      if (is_taken[k] || (*terms)[k].shape != t.shape) continue;
      const int score = match(t, (*terms)[k], l);
      if (score > most) best = k;
      most = std::max(most, score);
    }
    if (best == first.size()) return false;
    is_taken[best] = true;
    Term found = (*terms)[best];
    if (t.b != no_value && match(t.a, found.b, l) + match(t.b, found.a, l) >
                               match(t.a, found.a, l) + match(t.b, found.b, l))
      std::swap(found.a, found.b);
    arranged.push_back(found);
  }
  *terms = std::move(arranged);
  return true;
}

int Packing::match(const Term& t, const Term& other, int l) const {
  if (t.b == no_value) return match(t.a, other.a, l);
  return std::max(match(t.a, other.a, l) + match(t.b, other.b, l),
                  match(t.a, other.b, l) + match(t.b, other.a, l));
}

// How well a value of lane 0 and one of lane l go together.
int Packing::match(Value x, Value y, int l) const {
  if (x == y) return 4;
  if (shapes_.shape(x) != shapes_.shape(y)) return 0;
  for (const int p : packs_by_first_[x])
    if (packs_[p].values[l] == y) return 4;
  const bool is_other = (lanes_[x] < several_lanes && lanes_[x] != 0) ||
                        (lanes_[y] < several_lanes && lanes_[y] != l);
  return is_other ? 1 : 2;
}

// ---- Sums over limbs

// The lane of what is made from the values of one lane.
void Packing::label_values() {
  for (const Pack& pack : packs_)
    if (pack.making == Pack::Making::join)
      for (int l = 0; l < pack.width; ++l)
        if (const Kind kind = shapes_.kind(pack.values[l]);
            kind == Kind::input || kind == Kind::other)
          lanes_[pack.values[l]] = static_cast<std::uint8_t>(l);
  for (Value v = 0; v < lanes_.size(); ++v) {
    if (lanes_[v] != no_lane) continue;
    for_each_use(program_.operations[v], [&](Value x) { lanes_[v] = both(lanes_[v], lanes_[x]); });
  }
}

std::uint8_t Packing::both(std::uint8_t a, std::uint8_t b) {
  if (a == no_lane || a == b) return b;
  return b == no_lane ? a : several_lanes;
}

std::uint8_t Packing::lane_of(const Term& t) const {
  return t.b == no_value ? lanes_[t.a] : both(lanes_[t.a], lanes_[t.b]);
}

// Where terms of all lanes are in one sum that stays by itself.
void Packing::find_lane_sums() {
  const std::size_t n = program_.operations.size();
  std::vector<bool> is_needed(n);
  for (const Value v : program_.outputs) is_needed[v] = true;
  for (const Pack& pack : packs_)
    if (pack.making == Pack::Making::join || pack.making == Pack::Making::broadcast)
      for (int l = 0; l < pack.width; ++l) is_needed[pack.values[l]] = true;
  for (Value v = to_int(n); v-- > 0;) {
    if (!is_needed[v] || computed_[v].first >= 0) continue;
    if (shapes_.kind(v) != Kind::sum) {
      for_each_use(program_.operations[v], [&](Value x) { is_needed[x] = true; });
      continue;
    }
    PartedSum parts = part(v);
    for (const Term& t : parts.terms) {
      is_needed[t.a] = true;
      if (t.b != no_value) is_needed[t.b] = true;
    }
    if (!parts.packs.empty()) parted_.emplace(v, std::move(parts));
  }
}

Packing::PartedSum Packing::part(Value sum) {
  PartedSum parts;
  std::vector<Term> terms = shapes_.terms(sum);
  std::map<int, std::vector<Pack::PackTerm>> sums;  // by width
  std::vector<bool> is_taken(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (is_taken[k] || lane_of(terms[k]) != 0) continue;
    std::array<std::size_t, 4> at = {k, terms.size(), terms.size(), terms.size()};
    for (int l = 1; l < 4; ++l) at[l] = find_partner(terms, is_taken, terms[k], l);
    const int width = at[1] == terms.size()                          ? 1
                      : at[2] < terms.size() && at[3] < terms.size() ? 4
                                                                     : 2;
    if (width == 1) continue;
    std::array<Term, 4> across{};
    for (int l = 0; l < width; ++l) {
      is_taken[at[l]] = true;
      across[l] = terms[at[l]];
      if (l > 0 && across[l].b != no_value &&
          match(terms[k].a, across[l].b, l) + match(terms[k].b, across[l].a, l) >
              match(terms[k].a, across[l].a, l) + match(terms[k].b, across[l].b, l))
        std::swap(across[l].a, across[l].b);
    }
    sums[width].push_back(request_term(width, across, 0));
  }
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (!is_taken[k]) parts.terms.push_back(terms[k]);
  for (auto& [width, made] : sums) {
    parts.packs.push_back(to_int(packs_.size()));
    packs_.push_back({width, {}, 0, Pack::Making::sum, std::move(made), sum});
  }
  return parts;
}

std::size_t Packing::find_partner(const std::vector<Term>& terms, const std::vector<bool>& is_taken,
                                  const Term& t, int l) const {
  std::size_t best = terms.size();
  int most = -1;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (is_taken[k] || terms[k].shape != t.shape || lane_of(terms[k]) != l) continue;
    const int score = match(t, terms[k], l);
    if (score > most) best = k;
    most = std::max(most, score);
  }
  return best;
}

}  // namespace visviva::jit
