#include "visviva/report/plot/thin.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace visviva {
namespace {

// What one bucket [from, until) keeps.
class Bucket {
 public:
  Bucket(const std::vector<double>& values, std::size_t from, std::size_t until)
      : values_(values), until_(until), next_(from) {}

  void add_to(std::vector<std::size_t>* kept) {
    while (next_ < until_) {
      add_finite_run(kept);
      add_gap(kept);
    }
  }

 private:
  // First, last, smallest and largest, in order of time.
  void add_finite_run(std::vector<std::size_t>* kept) {
    const std::size_t first = next_;
    while (next_ < until_ && std::isfinite(values_[next_])) ++next_;
    if (next_ == first) return;
    const auto by_value = [&](std::size_t a, std::size_t b) { return values_[a] < values_[b]; };
    std::vector<std::size_t> run(next_ - first);
    std::iota(run.begin(), run.end(), first);
    const auto [low, high] = std::minmax_element(run.begin(), run.end(), by_value);
    std::vector<std::size_t> four = {first, *low, *high, next_ - 1};
    std::sort(four.begin(), four.end());
    four.erase(std::unique(four.begin(), four.end()), four.end());
    kept->insert(kept->end(), four.begin(), four.end());
  }

  void add_gap(std::vector<std::size_t>* kept) {
    if (next_ < until_) kept->push_back(next_);
    while (next_ < until_ && !std::isfinite(values_[next_])) ++next_;
  }

  const std::vector<double>& values_;
  std::size_t until_, next_;
};

std::vector<std::size_t> keep(const std::vector<double>& values, std::size_t buckets) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < buckets; ++i)
    Bucket(values, values.size() * i / buckets, values.size() * (i + 1) / buckets).add_to(&kept);
  return kept;
}

// The global extremes and ends: what is left when gaps alone are more than may stay.
std::vector<std::size_t> keep_least(const std::vector<double>& values) {
  std::vector<std::size_t> kept = {0, values.size() - 1};
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) finite.push_back(i);
  const auto by_value = [&](std::size_t a, std::size_t b) { return values[a] < values[b]; };
  if (!finite.empty()) {
    const auto [low, high] = std::minmax_element(finite.begin(), finite.end(), by_value);
    kept.insert(kept.end(), {*low, *high});
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

std::vector<std::size_t> thin(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= std::max<std::size_t>(most, 4)) {
    std::vector<std::size_t> all(values.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  // Gaps cut a bucket into runs, each with four: then fewer buckets must do.
  for (std::size_t buckets = most / 4; buckets > 0; buckets = buckets * 3 / 4) {
    std::vector<std::size_t> kept = keep(values, buckets);
    if (kept.size() <= most) return kept;
  }
  return keep_least(values);
}

}  // namespace visviva
