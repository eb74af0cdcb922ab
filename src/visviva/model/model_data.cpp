#include "visviva/model/model_data.h"

namespace visviva {

const SymbolRole* ModelData::role(const Expr& symbol) const {
  const auto found = roles_.find(symbol.ref());
  return found == roles_.end() ? nullptr : &found->second;
}

void ModelData::set_role(const Expr& symbol, Role role, std::size_t index) {
  roles_[symbol.ref()] = {role, static_cast<int>(index)};
}

const Matrix3& ModelData::ancestor_rotation(int C, int B) {
  // Climb to the nearest rotation that is known, then come back down.
  std::vector<int> path;
  int at = B;
  while (at != C && rotations_.find({C, at}) == rotations_.end()) {
    path.push_back(at);
    at = frames[static_cast<std::size_t>(at)].parent;
  }
  if (at == C) rotations_.emplace(std::pair{C, C}, identity_matrix(*pool));
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const FrameData& f = frames[static_cast<std::size_t>(*it)];
    rotations_.emplace(std::pair{C, *it}, rotations_.at({C, f.parent}) * f.R_PB);
  }
  return rotations_.at({C, B});
}

Matrix3 ModelData::rotation(int A, int B) {
  int a = A, b = B;
  const auto frame = [this](int i) -> const FrameData& {
    return frames[static_cast<std::size_t>(i)];
  };
  while (a != b) {
    if (frame(a).depth >= frame(b).depth) {
      a = frame(a).parent;
    } else {
      b = frame(b).parent;
    }
  }
  if (a == A) return ancestor_rotation(A, B);
  if (a == B) return transpose(ancestor_rotation(B, A));
  const Matrix3 R_CA = ancestor_rotation(a, A);
  return transpose(R_CA) * ancestor_rotation(a, B);
}

int ModelData::frame_origin(int frame) const {
  const int body = frames[static_cast<std::size_t>(frame)].body;
  return body < 0 ? 0 : bodies[static_cast<std::size_t>(body)].point;
}

}  // namespace visviva
