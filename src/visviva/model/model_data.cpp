#include "visviva/model/model_data.h"

#include <algorithm>
#include <map>

namespace visviva {

namespace {

// Rotations between a frame and its ancestors, as far as they were asked for in one pool.
struct Rotations {
  Rotations() = default;
  Rotations(const Rotations& below, ExprPool&) : to_ancestor(below.to_ancestor) {}

  // R_CB for an ancestor C of B. Climbs to the nearest rotation that is known, then comes back
  // down.
  const Matrix3& find(const ModelData& model, int C, int B) {
    std::vector<int> path;
    int at = B;
    while (at != C && !to_ancestor.contains({C, at})) {
      path.push_back(at);
      at = model.frames[at].parent;
    }
    if (at == C) to_ancestor.emplace(std::pair{C, C}, identity_matrix(*model.pool));
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      const FrameData& f = model.frames[*it];
      to_ancestor.emplace(std::pair{C, *it}, to_ancestor.at({C, f.parent}) * f.R_PB);
    }
    return to_ancestor.at({C, B});
  }

  std::map<std::pair<int, int>, Matrix3> to_ancestor;
};

}  // namespace

const SymbolRole* ModelData::role(const Expr& symbol) const {
  if (const auto found = roles_.find(symbol.ref()); found != roles_.end()) return &found->second;
  static constexpr SymbolRole measure_role{Role::measure, -1};
  return measure(symbol) ? &measure_role : nullptr;
}

void ModelData::set_role(const Expr& symbol, Role role, std::size_t index) {
  roles_[symbol.ref()] = {role, static_cast<int>(index)};
}

Matrix3 ModelData::rotation(int A, int B) const {
  Rotations& known = pool->memo<Rotations>(0, [](ExprPool&) { return Rotations(); });
  int a = A, b = B;
  while (a != b) {
    if (frames[a].depth >= frames[b].depth) {
      a = frames[a].parent;
    } else {
      b = frames[b].parent;
    }
  }
  if (a == A) return known.find(*this, A, B);
  if (a == B) return transpose(known.find(*this, B, A));
  const Matrix3 R_CA = known.find(*this, a, A);
  return transpose(R_CA) * known.find(*this, a, B);
}

bool ModelData::is_continuous() const {
  return std::any_of(fields.begin(), fields.end(),
                     [](const FieldData& field) { return field.elements == 0; });
}

int ModelData::frame_origin(int frame) const {
  const int body = frames[static_cast<std::size_t>(frame)].body;
  return body < 0 ? 0 : bodies[static_cast<std::size_t>(body)].point;
}

}  // namespace visviva
