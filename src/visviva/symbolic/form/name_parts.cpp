#include "visviva/symbolic/form/name_parts.h"

#include <algorithm>
#include <array>

#include "visviva/base/utf8.h"

namespace visviva {
namespace {

struct Greek {
  std::string_view name;
  std::string_view letter;
};

// The letters that LaTeX has a command for.
constexpr std::array greek_letters = {
    Greek{"alpha", "α"},   Greek{"beta", "β"},    Greek{"gamma", "γ"},  Greek{"delta", "δ"},
    Greek{"epsilon", "ε"}, Greek{"zeta", "ζ"},    Greek{"eta", "η"},    Greek{"theta", "θ"},
    Greek{"iota", "ι"},    Greek{"kappa", "κ"},   Greek{"lambda", "λ"}, Greek{"mu", "μ"},
    Greek{"nu", "ν"},      Greek{"xi", "ξ"},      Greek{"rho", "ρ"},    Greek{"sigma", "σ"},
    Greek{"tau", "τ"},     Greek{"upsilon", "υ"}, Greek{"phi", "φ"},    Greek{"chi", "χ"},
    Greek{"psi", "ψ"},     Greek{"omega", "ω"},   Greek{"Gamma", "Γ"},  Greek{"Delta", "Δ"},
    Greek{"Theta", "Θ"},   Greek{"Lambda", "Λ"},  Greek{"Xi", "Ξ"},     Greek{"Pi", "Π"},
    Greek{"Sigma", "Σ"},   Greek{"Upsilon", "Υ"}, Greek{"Phi", "Φ"},    Greek{"Psi", "Ψ"},
    Greek{"Omega", "Ω"}};

const Greek* find_greek(std::string_view base) {
  const auto found =
      std::find_if(greek_letters.begin(), greek_letters.end(),
                   [base](const Greek& g) { return g.name == base || g.letter == base; });
  return found == greek_letters.end() ? nullptr : &*found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_axis(char c) { return c >= 'x' && c <= 'z'; }

bool is_letter(std::string_view base) {
  return count_characters(base) == 1 || find_greek(base) != nullptr;
}

// mB, Ixx, wz: one letter and a body or axes.
std::size_t index_start(std::string_view base) {
  if (base.size() < 2 || find_greek(base) != nullptr) return base.size();
  const char last = base.back();
  if (is_upper(last) && is_letter(base.substr(0, base.size() - 1))) return base.size() - 1;
  for (const std::size_t axes : {std::size_t{1}, std::size_t{2}}) {
    if (base.size() <= axes) break;
    const std::string_view tail = base.substr(base.size() - axes);
    const bool all = std::all_of(tail.begin(), tail.end(), is_axis);
    if (all && is_letter(base.substr(0, base.size() - axes))) return base.size() - axes;
  }
  return base.size();
}

}  // namespace

NameParts split_name(std::string_view name) {
  NameParts parts;
  while (name.size() > 1 && name.back() == '\'') {
    name.remove_suffix(1);
    ++parts.primes;
  }
  // A.x, B.z: a unit vector of a frame.
  if (name.size() > 2 && is_axis(name.back()) && name[name.size() - 2] == '.') {
    return {std::string(name.substr(0, name.size() - 2)), std::string(name.substr(name.size() - 1)),
            0, true};
  }
  // q[3], P[1][2]
  if (const std::size_t open = name.find('['); open != std::string_view::npos && open > 0) {
    parts.base = name.substr(0, open);
    for (const char c : name.substr(open + 1)) {
      if (c == '[')
        parts.subscript += ',';
      else if (c != ']')
        parts.subscript += c;
    }
    return parts;
  }
  // E_Z, q_max: the first underscore starts the index.
  std::size_t cut = name.find('_');
  if (cut != std::string_view::npos && cut > 0 && cut + 1 < name.size()) {
    parts.base = name.substr(0, cut);
    parts.subscript = name.substr(cut + 1);
    return parts;
  }
  // q1, theta12, mB2
  cut = name.size();
  while (cut > 1 && is_digit(name[cut - 1])) --cut;
  const std::size_t index = std::min(cut, index_start(name.substr(0, cut)));
  parts.base = name.substr(0, index);
  parts.subscript = name.substr(index);
  return parts;
}

std::string_view greek_name(std::string_view base) {
  const Greek* found = find_greek(base);
  return found == nullptr ? "" : found->name;
}

std::string_view greek_letter(std::string_view base) {
  const Greek* found = find_greek(base);
  return found == nullptr ? "" : found->letter;
}

}  // namespace visviva
