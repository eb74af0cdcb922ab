#include "visviva/model/print_vector.h"

#include "visviva/model/model_data.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// In models with more frames, or for longer vectors, only the frames as written are tried.
constexpr std::size_t max_frames = 12;
constexpr std::size_t max_operations = 60;

std::string print_as_written(const Vector& v, Notation notation) {
  std::vector<Expr> coefficients = {v.model()->pool->zero()};
  std::vector<std::string> names = {""};
  for (const Vector::Part& part : v.parts()) {
    const std::string& frame = v.model()->frames[static_cast<std::size_t>(part.frame)].name;
    for (std::size_t i = 0; i < 3; ++i) {
      coefficients.push_back(part.column[i]);
      names.push_back(frame + "." + "xyz"[i]);
    }
  }
  return print_combination(coefficients, names, notation);
}

std::size_t count_operations(const Vector& v) {
  std::vector<Expr> all;
  for (const Vector::Part& part : v.parts())
    all.insert(all.end(), part.column.begin(), part.column.end());
  return visviva::count_operations(all).total();
}

}  // namespace

std::string print_vector(const Vector& v, Notation notation) {
  if (v.model() == nullptr) return notation == Notation::mathml ? "<mn>0</mn>" : "0";
  const ModelData& model = *v.model();
  // The frame in which a person would write it is the one in which it is shortest.
  Vector best = v;
  if (model.frames.size() <= max_frames && count_operations(v) <= max_operations) {
    std::size_t shortest = print_as_written(v, Notation::language).size();
    for (std::size_t f = 0; f < model.frames.size(); ++f) {
      const Vector candidate = v.express(Frame(model, static_cast<int>(f)));
      if (count_operations(candidate) > max_operations) continue;
      const std::size_t length = print_as_written(candidate, Notation::language).size();
      if (length >= shortest) continue;
      shortest = length;
      best = candidate;
    }
  }
  return print_as_written(best, notation);
}

}  // namespace visviva
