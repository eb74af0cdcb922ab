// Mesh: a surface of triangles, as files of shapes hold it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace visviva {

struct Mesh {
  std::vector<std::array<float, 3>> corners;  ///< m
  std::vector<std::array<std::uint32_t, 3>>
      triangles{};  ///< corners, counterclockwise from outside
};

}  // namespace visviva
