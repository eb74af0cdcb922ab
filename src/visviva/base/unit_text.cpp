// Reading units from text.
#include <algorithm>
#include <cctype>

#include "visviva/base/unit.h"
#include "visviva/base/utf8.h"

namespace visviva {
namespace {

constexpr std::size_t longest_unit = 200;  // characters; keeps exponents in range as well

// Reads name [^n] { (*|/) name [^n] }, or 1 where a name may stand.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  UnitReading read() {
    if (count_characters(text_) > longest_unit) fail("E-unit-range", 0, "this unit is too long");
    bool divides = false;
    while (!failed_) {
      read_factor(divides);
      if (failed_ || at_ == text_.size()) break;
      divides = text_[at_] == '/';
      if (!divides && text_[at_] != '*') {
        fail("E-unit-unknown", at_, "expected '*', '/' or '^' inside a unit, found " + found());
      }
      ++at_;
    }
    if (failed_) return {std::nullopt, problem_};
    return {unit_, {}};
  }

 private:
  void read_factor(bool divides) {
    const std::size_t begin = at_;
    const std::string name = read_name();
    const std::optional<Unit> factor = name == "1" ? Unit{} : find_unit(name);
    if (!factor) return fail_unknown(begin, name);
    int exponent = 1;
    if (at_ < text_.size() && text_[at_] == '^' && !read_exponent(exponent)) return;
    const auto raised = power(*factor, divides ? -exponent : exponent);
    const auto product = raised ? multiply(unit_, *raised) : std::nullopt;
    if (!product)
      return fail("E-unit-range", begin, "this power of the unit '" + name + "' is out of range");
    unit_ = *product;
  }

  std::string read_name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '1') return std::string(text_.substr(at_++, 1));
    while (at_ < text_.size()) {
      const Character c = decode_utf8(text_, at_);
      if (c.size == 0 || !is_name_character(c.code)) break;
      at_ += c.size;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool read_exponent(int& exponent) {
    const std::size_t begin = ++at_;
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative) ++at_;
    const std::size_t digits = at_;
    exponent = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      exponent = std::min(exponent * 10 + (text_[at_++] - '0'), 1000);
    }
    if (digits == at_) {
      fail("E-unit-power", begin,
           "expected a whole number as the power of a unit, found " + found());
      return false;
    }
    if (negative) exponent = -exponent;
    return true;
  }

  std::string found() const {
    if (at_ >= text_.size()) return "its end";
    const Character c = decode_utf8(text_, at_);
    if (c.size == 0) return "an invalid byte";
    return describe_character(c.code, text_.substr(at_, c.size));
  }

  void fail_unknown(std::size_t begin, const std::string& name) {
    if (name.empty())
      return fail("E-unit-unknown", begin, "expected the name of a unit, found " + found());
    fail("E-unit-unknown", begin, "'" + name + "' is not a unit");
    problem_.length = count_characters(name);
    problem_.help = suggest_unit(name);
  }

  void fail(const char* code, std::size_t offset, std::string message) {
    failed_ = true;
    const bool range = std::string_view(code) == "E-unit-range";
    problem_ = {code, std::move(message),
                range ? "put powers of ten into the number: 1e-27 m^3" : "",
                count_characters(text_.substr(0, offset)), 1};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Unit unit_;
  bool failed_ = false;
  UnitProblem problem_;
};

}  // namespace

UnitReading parse_unit(std::string_view text) { return UnitReader(text).read(); }

std::vector<UnitName> unit_names(std::string_view text) {
  std::vector<UnitName> names;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::string_view("*/^").find(text[end]) == std::string_view::npos)
      ++end;
    // What follows '^' is an exponent.
    if (end > i && (i == 0 || text[i - 1] != '^')) {
      names.push_back({std::string(text.substr(i, end - i)), i});
    }
    i = end + 1;
  }
  return names;
}

}  // namespace visviva
