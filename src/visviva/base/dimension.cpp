#include "visviva/base/dimension.h"

#include <algorithm>

#include "visviva/base/exponent_text.h"

namespace visviva {
namespace {

bool is_in_range(std::int64_t twelfths) { return twelfths <= 10000 && twelfths >= -10000; }

std::int16_t checked(std::int64_t twelfths, const char* function) {
  if (!is_in_range(twelfths)) throw UsageError(function, "the exponent of a unit is out of range");
  return static_cast<std::int16_t>(twelfths);
}

}  // namespace

Dimension Dimension::of(Base base, int exponent) {
  Dimension d;
  d.twelfths_[base] = static_cast<std::int16_t>(exponent * parts);
  return d;
}

Dimension Dimension::of(DimensionUnknown& unknown) {
  Dimension d;
  d.unknowns_ = {{&unknown, parts}};
  return d;
}

void Dimension::multiply_by(DimensionUnknown* unknown, int twelfths) {
  const auto place = std::find_if(unknowns_.begin(), unknowns_.end(),
                                  [&](const auto& u) { return u.first->age() >= unknown->age(); });
  if (place == unknowns_.end() || place->first != unknown) {
    unknowns_.insert(place, {unknown, twelfths});
  } else if (place->second = checked(std::int64_t{place->second} + twelfths, "Dimension");
             place->second == 0) {
    unknowns_.erase(place);
  }
}

Dimension Dimension::resolved() const {
  const bool solved = std::any_of(unknowns_.begin(), unknowns_.end(),
                                  [](const auto& u) { return u.first->solution().has_value(); });
  if (!solved) return *this;
  Dimension d;
  d.twelfths_ = twelfths_;
  for (const auto& [unknown, n] : unknowns_) {
    if (unknown->solution()) {
      d = d * unknown->solution()->resolved().power(n, parts);
    } else {
      d.multiply_by(unknown, n);
    }
  }
  return d;
}

bool operator==(const Dimension& a, const Dimension& b) {
  const Dimension x = a.resolved(), y = b.resolved();
  return x.twelfths_ == y.twelfths_ && x.unknowns_ == y.unknowns_;
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension d = a;
  for (std::size_t i = 0; i < d.twelfths_.size(); ++i) {
    d.twelfths_[i] = checked(std::int64_t{a.twelfths_[i]} + b.twelfths_[i], "Dimension");
  }
  for (const auto& [unknown, n] : b.unknowns_) d.multiply_by(unknown, n);
  return d;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * b.power(-1); }

Dimension Dimension::power(std::int64_t num, std::int64_t den) const {
  const auto scaled = [&](int twelfths) -> std::int64_t {
    if (num > 10000 || num < -10000 || den == 0)
      throw UsageError("Dimension::power", "the exponent is out of range");
    const std::int64_t n = twelfths * num;
    if (n % den != 0)
      throw UsageError("Dimension::power", "'" + str() + "' has no root of this order");
    return checked(n / den, "Dimension::power");
  };
  const Dimension self = resolved();
  Dimension d;
  for (std::size_t i = 0; i < d.twelfths_.size(); ++i) {
    if (self.twelfths_[i] != 0)
      d.twelfths_[i] = static_cast<std::int16_t>(scaled(self.twelfths_[i]));
  }
  for (const auto& [unknown, n] : self.unknowns_) {
    if (const std::int64_t k = scaled(n); k != 0)
      d.unknowns_.emplace_back(unknown, static_cast<int>(k));
  }
  return d;
}

bool unify(const Dimension& a, const Dimension& b) {
  const Dimension ratio = (a / b).resolved();
  if (ratio.unknowns_.empty()) return ratio == Dimension();
  // 1 = known * unknown^n * rest: the youngest unknown is (known * rest)^(-1/n). One with exponent
  // 1 is preferred: it has no root to fail.
  auto chosen = ratio.unknowns_.rbegin();
  for (auto it = ratio.unknowns_.rbegin(); it != ratio.unknowns_.rend(); ++it) {
    if (it->second == Dimension::parts || it->second == -Dimension::parts) {
      chosen = it;
      break;
    }
  }
  const auto [unknown, n] = *chosen;
  Dimension rest = ratio;
  rest.multiply_by(unknown, -n);
  const auto has_root = [n = n](int twelfths) {
    const std::int64_t scaled = -std::int64_t{twelfths} * Dimension::parts;
    return scaled % n == 0 && is_in_range(scaled / n);
  };
  const auto& known = rest.twelfths_;
  const bool is_possible = std::all_of(known.begin(), known.end(), has_root) &&
                           std::all_of(rest.unknowns_.begin(), rest.unknowns_.end(),
                                       [&](const auto& entry) { return has_root(entry.second); });
  if (!is_possible) return false;
  unknown->solution_ = rest.power(-Dimension::parts, n);
  unknown->solved_at_ = *unknown->here_;
  return true;
}

std::vector<const DimensionUnknown*> Dimension::origins() const {
  std::vector<const DimensionUnknown*> list;
  for (const auto& u : unknowns_) {
    if (!u.first->solution()) continue;
    list.push_back(u.first);
    for (const DimensionUnknown* deeper : u.first->solution()->origins()) list.push_back(deeper);
  }
  return list;
}

std::string explain_origins(const std::vector<Dimension>& dimensions) {
  std::string text;
  std::vector<const DimensionUnknown*> told;
  for (const Dimension& d : dimensions) {
    for (const DimensionUnknown* u : d.origins()) {
      if (u->solved_at().line == 0 || std::find(told.begin(), told.end(), u) != told.end())
        continue;
      told.push_back(u);
      text += (text.empty() ? "'" : ", '") + u->owner() + "' got its dimension '" +
              u->solution()->str() + "' in line " + std::to_string(u->solved_at().line);
    }
  }
  return text;
}

std::string Dimension::str() const {
  static constexpr std::array<const char*, 7> names = {"m", "kg", "s", "A", "K", "mol", "cd"};
  // As a person writes: kg before m, then what is divided by.
  static constexpr std::array<std::size_t, 7> order = {1, 0, 2, 3, 4, 5, 6};
  const Dimension d = resolved();
  std::string above, below;
  const auto write = [&](const std::string& name, int n) {
    std::string& side = n > 0 ? above : below;
    side += n > 0 ? (side.empty() ? "" : "*") : "/";
    side += name + exponent_text(n > 0 ? n : -n, parts);
  };
  for (const std::size_t i : order) {
    if (d.twelfths_[i] != 0) write(names[i], d.twelfths_[i]);
  }
  for (const auto& [unknown, n] : d.unknowns_) write("[" + unknown->owner() + "]", n);
  return (above.empty() ? "1" : above) + below;
}

}  // namespace visviva
