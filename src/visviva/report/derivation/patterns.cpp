#include "visviva/report/derivation/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>
#include <optional>

#include "visviva/symbolic/print/combination.h"

namespace visviva {
namespace {

constexpr std::size_t fewest_repeats = 4;  // fewer are as short without a pattern
constexpr std::size_t longest_period = 6;  // texts to a step
constexpr std::size_t most_digits =
    6;  // longer numbers are no indices, and sums of them stay exact

// p/q, q > 0
struct Fraction {
  std::int64_t p = 0, q = 1;

  static Fraction make(std::int64_t p, std::int64_t q) {
    const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(p, q));
    return {p / divisor, q / divisor};
  }
  bool operator==(const Fraction&) const = default;
  Fraction operator-(const Fraction& o) const { return make(p * o.q - o.p * q, q * o.q); }
  Fraction operator+(const Fraction& o) const { return make(p * o.q + o.p * q, q * o.q); }
  Fraction operator*(const Fraction& o) const { return make(p * o.p, q * o.q); }
};

std::string write_fraction(const Fraction& f) {
  return f.q == 1 ? std::to_string(f.p) : fmt::format("{}/{}", f.p, f.q);
}

struct Place {
  bool is_index = false;
  Fraction value;
  std::string written;
};

// literals[0] places[0] literals[1] ... literals[n]
struct Template {
  std::vector<std::string> literals = {""};
  std::vector<Place> places;

  bool has_shape_of(const Template& o) const {
    return literals == o.literals &&
           std::equal(places.begin(), places.end(), o.places.begin(), o.places.end(),
                      [](const Place& a, const Place& b) { return a.is_index == b.is_index; });
  }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 128;
}

std::size_t end_of_digits(const std::string& text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

// 12, 0.5 or 7/2 at a place of a text, and where it ends; nothing for what is written otherwise.
std::optional<std::pair<Fraction, std::size_t>> read_number(const std::string& text,
                                                            std::size_t from) {
  std::size_t end = end_of_digits(text, from);
  if (end - from > most_digits) return std::nullopt;
  Fraction value{std::stoll(text.substr(from, end - from)), 1};
  if (end + 1 < text.size() && is_digit(text[end + 1]) && (text[end] == '.' || text[end] == '/')) {
    const std::size_t last = end_of_digits(text, end + 1), digits = last - end - 1;
    if (digits > most_digits) return std::nullopt;
    const std::int64_t more = std::stoll(text.substr(end + 1, digits));
    if (text[end] == '/') {
      if (more == 0) return std::nullopt;
      value = Fraction::make(value.p, more);
    } else {
      std::int64_t scale = 1;
      for (std::size_t i = 0; i < digits; ++i) scale *= 10;
      value = Fraction::make(value.p * scale + more, scale);
    }
    end = last;
  }
  if (end < text.size() && (text[end] == '.' || is_part_of_name(text[end]))) return std::nullopt;
  return std::pair{value, end};
}

Template read_template(const std::string& text) {
  Template t;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_in_name = i > 0 && is_part_of_name(text[i - 1]);
    if (!is_digit(text[i]) || (is_in_name && is_digit(text[i - 1]))) {
      t.literals.back() += text[i++];
      continue;
    }
    std::size_t end = end_of_digits(text, i);
    std::optional<Fraction> value;
    if (is_in_name && end - i <= most_digits && text[i] != '0')
      value = Fraction{std::stoll(text.substr(i, end - i)), 1};
    if (!is_in_name) {
      if (const auto number = read_number(text, i)) std::tie(value, end) = *number;
    }
    if (!value) {
      t.literals.back() += text.substr(i, end - i);
    } else {
      t.places.push_back({is_in_name, *value, text.substr(i, end - i)});
      t.literals.emplace_back();
    }
    i = end;
  }
  return t;
}

// ---- Runs

// Texts first, first + period, ... in `repeats` steps; what each place gains in a step, text by text.
struct Run {
  std::size_t first = 0, period = 1, repeats = 1;
  std::vector<std::vector<Fraction>> steps;

  std::size_t size() const { return period * repeats; }
};

std::vector<Fraction> differences(const Template& from, const Template& to) {
  std::vector<Fraction> all;
  for (std::size_t i = 0; i < from.places.size(); ++i)
    all.push_back(to.places[i].value - from.places[i].value);
  return all;
}

Run follow(const std::vector<Template>& texts, std::size_t first, std::size_t period) {
  Run run{first, period, 1, {}};
  const auto is_step = [&](std::size_t at) {
    for (std::size_t k = 0; k < period; ++k) {
      const std::size_t to = at + k;
      if (to >= texts.size() || !texts[to].has_shape_of(texts[to - period])) return false;
      std::vector<Fraction> step = differences(texts[to - period], texts[to]);
      if (run.repeats == 1)
        run.steps.push_back(std::move(step));
      else if (step != run.steps[k])
        return false;
    }
    return true;
  };
  while (is_step(first + run.size())) ++run.repeats;
  return run;
}

// The run at a place that holds most; one text alone where there is none.
Run find_run(const std::vector<Template>& texts, std::size_t first) {
  Run best{first, 1, 1, {}};
  for (std::size_t period = 1; period <= longest_period; ++period) {
    Run run = follow(texts, first, period);
    const bool is_even = std::any_of(run.steps.begin(), run.steps.end(), [](const auto& step) {
      return std::any_of(step.begin(), step.end(), [](const Fraction& f) { return f.p != 0; });
    });
    if (run.repeats >= fewest_repeats && is_even && run.size() > best.size()) best = std::move(run);
  }
  return best;
}

// ---- Writing them

// k runs from `from` by `by`, 1 or -1.
struct Index {
  std::string name;
  std::int64_t from = 1, by = 1;
};

// The index is that of the first name whose index goes up or down by one.
Index choose_index(const std::vector<Template>& texts, const Run& run, const std::string& name) {
  for (std::size_t k = 0; k < run.period; ++k) {
    const Template& t = texts[run.first + k];
    for (std::size_t i = 0; i < t.places.size(); ++i) {
      const Fraction step = run.steps[k][i];
      if (t.places[i].is_index && step.q == 1 && std::abs(step.p) == 1)
        return {name, t.places[i].value.p, step.p};
    }
  }
  return {name, 1, 1};
}

// a*k + b, as "2*k - 1", "5 - k", "k/2 + 1/4".
std::string write_linear(const Fraction& a, const Fraction& b, const std::string& k) {
  const Fraction size{std::abs(a.p), a.q};
  std::string term = size.p == 1 ? k : fmt::format("{}*{}", size.p, k);
  if (size.q != 1) term += fmt::format("/{}", size.q);
  if (b.p == 0) return (a.p < 0 ? "-" : "") + term;
  if (a.p < 0) return write_fraction(b) + " - " + term;
  return term + (b.p < 0 ? " - " + write_fraction({-b.p, b.q}) : " + " + write_fraction(b));
}

std::string write_general(const Template& t, const std::vector<Fraction>& steps,
                          const Index& index) {
  std::string text = t.literals[0];
  for (std::size_t i = 0; i < t.places.size(); ++i) {
    const Place& place = t.places[i];
    if (steps[i].p == 0) {
      text += place.written;
    } else {
      const Fraction a = steps[i] * Fraction{index.by, 1};
      const Fraction b = place.value - a * Fraction{index.from, 1};
      const std::string linear = write_linear(a, b, index.name);
      text += place.is_index         ? "[" + linear + "]"
              : linear == index.name ? linear
                                     : "(" + linear + ")";
    }
    text += t.literals[i + 1];
  }
  return text;
}

std::string write_range(const Index& index, std::size_t repeats) {
  const auto last = index.from + index.by * (static_cast<std::int64_t>(repeats) - 1);
  return fmt::format("{} = {} ... {}", index.name, index.from, last);
}

// A letter that none of the texts has as a name.
std::string choose_letter(const std::vector<Template>& texts, const std::string& letters) {
  const auto is_taken = [&](char letter) {
    return std::any_of(texts.begin(), texts.end(), [&](const Template& t) {
      return std::any_of(t.literals.begin(), t.literals.end(), [&](const std::string& literal) {
        for (std::size_t i = literal.find(letter); i != std::string::npos;
             i = literal.find(letter, i + 1)) {
          const bool begins = i == 0 || !is_part_of_name(literal[i - 1]);
          const bool ends = i + 1 == literal.size() || !is_part_of_name(literal[i + 1]);
          if (begins && ends) return true;
        }
        return false;
      });
    });
  };
  for (const char letter : letters)
    if (!is_taken(letter)) return std::string(1, letter);
  return "_" + letters.substr(0, 1);
}

}  // namespace

std::string fold_sum(const std::string& sum) {
  std::vector<std::string> terms = split_terms(sum);
  if (terms.size() < fewest_repeats) return sum;
  if (terms[0][0] == '-')
    terms[0] = "- " + terms[0].substr(1);
  else
    terms[0] = "+ " + terms[0];
  std::vector<Template> texts;
  for (const std::string& term : terms) texts.push_back(read_template(term));
  const std::string letter = choose_letter(texts, "kjlnri");
  std::string folded;
  for (std::size_t i = 0; i < texts.size();) {
    Run run = find_run(texts, i);
    // One sum a run: terms of several kinds are told one after the other in its brackets.
    std::string text;
    if (run.repeats == 1) {
      text = terms[i];
    } else {
      const Index index = choose_index(texts, run, letter);
      std::string inside;
      for (std::size_t k = 0; k < run.period; ++k) {
        const std::string term = write_general(texts[run.first + k], run.steps[k], index);
        inside += k == 0 ? (term[0] == '-' ? "-" : "") + term.substr(2) : " " + term;
      }
      text = fmt::format("+ sum({}: {})", write_range(index, run.repeats), inside);
    }
    folded += folded.empty() ? text : " " + text;
    i += run.size();
  }
  if (folded.rfind("+ ", 0) == 0) return folded.substr(2);
  return folded.rfind("- ", 0) == 0 ? "-" + folded.substr(2) : folded;
}

std::vector<WrittenEquation> fold_equations(const std::vector<WrittenEquation>& equations) {
  constexpr const char* between = " \x1f ";  // left and right are one text here
  std::vector<Template> texts;
  for (const WrittenEquation& e : equations)
    texts.push_back(read_template(e.left + between + e.right));
  const std::string letter = choose_letter(texts, "kjlnri");
  std::vector<WrittenEquation> folded;
  for (std::size_t i = 0; i < texts.size();) {
    const Run run = find_run(texts, i);
    if (run.repeats == 1) {
      folded.push_back(equations[i++]);
      continue;
    }
    const Index index = choose_index(texts, run, letter);
    for (std::size_t k = 0; k < run.period; ++k) {
      const std::string general = write_general(texts[i + k], run.steps[k], index);
      const std::size_t middle = general.find(between);
      WrittenEquation e = equations[i + k];
      e.left = general.substr(0, middle);
      e.right = general.substr(middle + 3);
      if (k + 1 == run.period) e.right += "   for " + write_range(index, run.repeats);
      folded.push_back(std::move(e));
    }
    i += run.size();
  }
  return folded;
}

}  // namespace visviva
