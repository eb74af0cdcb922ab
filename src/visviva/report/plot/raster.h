// A sheet of pixels on which shapes are drawn with soft edges.
//
// A line covers a pixel by how far its middle is from the line,
//   c = clamp(h + 1/2 - d, 0, 1),  h half the line's width                                        (1)
// and all of a curve is one mask, so that it does not darken where it meets itself. An outline covers a pixel by the signed area
// under its edges, summed along the row (the method of font-rs, R. Levien 2016).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace visviva {

struct RasterBox {
  double left, top, right, bottom;
};

class Raster {
 public:
  Raster(std::size_t width, std::size_t height);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }

  /// Lines of one curve, each from point to point; what is outside of the box is left out.
  void draw_lines(const std::vector<std::array<double, 4>>& lines, double line_width,
                  const std::array<int, 3>& colour, const RasterBox& box);
  /// Closed polygons by the nonzero winding rule, as outlines of letters are.
  void fill(const std::vector<std::vector<std::array<double, 2>>>& polygons,
            const std::array<int, 3>& colour);

  /// A file of PNG: eight bits each of red, green and blue.
  std::string write_png(const std::string& software) const;

 private:
  void blend(std::size_t x, std::size_t y, double part, const std::array<int, 3>& colour);

  std::size_t width_, height_;
  std::vector<unsigned char> pixels_;
  std::vector<float> mask_;
};

}  // namespace visviva
