#include "visviva/report/derivation/derivation_column.h"

#include "visviva/model/model_data.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/substitute.h"

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

// Angles and Euler parameters of spin frames at no rotation.
Replacements unturned(const ModelData& model) {
  Replacements identity;
  for (const FrameData& f : model.frames) {
    for (std::size_t i = 0; i < f.hidden.size(); ++i)
      identity.emplace_back(
          f.hidden[i], f.hidden.size() == 4 && i == 0 ? model.pool->one() : model.pool->zero());
  }
  return identity;
}

bool depends_on_any(const Column3& c, const Replacements& symbols) {
  for (const auto& [symbol, value] : symbols) {
    for (const Expr& e : c) {
      if (depends_on(e, symbol)) return true;
    }
  }
  return false;
}

}  // namespace

bool is_written_as_derived(const ModelData& model) { return model.frames.size() > max_frames; }

// R_FP R_PF is 1 only for Euler parameters of length 1, which expressions do not know: a column in
// P does not come back from there by rotation. When it is R_PF c with c free of hidden states, c is
// what any values of them give, such as those of no rotation.
Vector move_from_spinning(const ModelData& model, const Vector& v) {
  const Replacements identity = unturned(model);
  if (identity.empty() || v.is_zero() || is_written_as_derived(model)) return v;
  Substitution at_identity(*model.pool, identity);
  std::vector<Vector::Part> parts = v.parts();
  for (Vector::Part& part : parts) {
    if (!depends_on_any(part.column, identity)) continue;
    const Vector::Part given = part;
    for (int F = 0; F < static_cast<int>(model.frames.size()); ++F) {
      const Column3 in_F = model.rotation(F, given.frame) * given.column;
      const Column3 c = {at_identity(in_F[0]), at_identity(in_F[1]), at_identity(in_F[2])};
      if (writing_cost(model, c) >= writing_cost(model, part.column)) continue;
      if (model.rotation(given.frame, F) * c == given.column) part = {F, c};
    }
  }
  return Vector(model, std::move(parts), v.dimension());
}

FramedColumn choose_frame(const ModelData& model, const Vector& v, int home) {
  const bool is_nothing = v.is_zero();
  int best = home;
  Column3 column = is_nothing ? zero_column(*model.pool) : v.in(Frame(model, home));
  if (!is_nothing && !is_written_as_derived(model)) {
    std::size_t least = writing_cost(model, column);
    for (std::size_t f = 0; f < model.frames.size(); ++f) {
      const Column3 candidate = v.in(Frame(model, static_cast<int>(f)));
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
