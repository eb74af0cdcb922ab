#include "visviva/report/derivation_column.h"

#include "visviva/model/model_data.h"
#include "visviva/symbolic/inspect.h"

namespace visviva {
namespace {

// In models with more frames a vector is written in the frame in which it was derived.
constexpr std::size_t max_frames = 12;

// How much there is to write: unit vectors cost least, names of hidden states more than anything
// else.
std::size_t writing_cost(const ModelData& model, const Column3& c) {
  const std::vector<Expr> all(c.begin(), c.end());
  std::size_t cost = 4 * count_operations(all).total();
  for (const Expr& e : all) cost += e.is_zero() ? 0 : e.is_one() ? 1 : 2;
  for (const Expr& s : free_symbols(all)) {
    const SymbolRole* role = model.role(s);
    if (role != nullptr && role->role == Role::hidden) cost += 1000;
  }
  return cost;
}

}  // namespace

FramedColumn choose_frame(ModelData& model, const Vector& v, int home) {
  const auto in = [&](int frame) {
    return v.is_zero() ? zero_column(*model.pool) : v.in(Frame(model, frame));
  };
  int best = home;
  Column3 column = in(home);
  if (!v.is_zero() && model.frames.size() <= max_frames) {
    std::size_t least = writing_cost(model, column);
    for (std::size_t f = 0; f < model.frames.size(); ++f) {
      const Column3 candidate = in(static_cast<int>(f));
      const std::size_t cost = writing_cost(model, candidate);
      if (cost >= least) continue;
      least = cost;
      best = static_cast<int>(f);
      column = candidate;
    }
  }
  return {model.frames[static_cast<std::size_t>(best)].name, column};
}

}  // namespace visviva
