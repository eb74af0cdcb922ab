#include "visviva/equations/loads/line_pieces.h"

#include <algorithm>

namespace visviva {

std::vector<int> list_weighed(const ModelData& model, int body) {
  const auto line_of = [&](int b) { return model.bodies[static_cast<std::size_t>(b)].line; };
  const int line = line_of(body), count = static_cast<int>(model.bodies.size());
  std::vector<int> bodies = {body};
  for (int b = body + 1; line >= 0 && b < count && line_of(b) == line; ++b) bodies.push_back(b);
  return bodies;
}

std::vector<int> list_spread(const ModelData& model, int force, const std::string& law) {
  const auto spread = std::find_if(model.distributed.begin(), model.distributed.end(),
                                   [&](const DistributedData& d) { return d.name == law; });
  if (spread == model.distributed.end()) return {force};
  const std::vector<std::string>& names = spread->forces;
  std::vector<int> forces;
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    if (std::find(names.begin(), names.end(), model.forces[i].name) != names.end())
      forces.push_back(static_cast<int>(i));
  return forces;
}

}  // namespace visviva
