#include "visviva/report/plot/raster.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "visviva/report/plot/compress.h"

namespace visviva {
namespace {

std::string big_end(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255u);
  return bytes;
}

std::string chunk(const std::string& kind, const std::string& data) {
  return big_end(static_cast<std::uint32_t>(data.size())) + kind + data +
         big_end(crc32_of(kind + data));
}

double distance(double px, double py, const std::array<double, 4>& line) {
  const double dx = line[2] - line[0], dy = line[3] - line[1];
  const double square = dx * dx + dy * dy;
  const double part =
      square > 0 ? std::clamp(((px - line[0]) * dx + (py - line[1]) * dy) / square, 0.0, 1.0) : 0.0;
  return std::hypot(px - line[0] - part * dx, py - line[1] - part * dy);
}

// The part of an edge inside a band of rows [top, top + 1), as areas to its right (Raster::fill).
void add_edge(const std::array<double, 2>& from, const std::array<double, 2>& to, double left,
              double top, std::size_t columns, std::size_t rows, std::vector<float>* sums) {
  if (from[1] == to[1]) return;
  const double sign = from[1] < to[1] ? 1 : -1;
  const auto& a = sign > 0 ? from : to;
  const auto& b = sign > 0 ? to : from;
  const double slope = (b[0] - a[0]) / (b[1] - a[1]);
  const double y0 = std::max(a[1] - top, 0.0), y1 = std::min(b[1] - top, double(rows));
  for (auto row = static_cast<std::size_t>(std::max(y0, 0.0)); double(row) < y1; ++row) {
    const double low = std::max(y0, double(row)), high = std::min(y1, double(row) + 1);
    if (high <= low) continue;
    const double height = sign * (high - low);
    double x0 = a[0] - left + (low + top - a[1]) * slope,
           x1 = a[0] - left + (high + top - a[1]) * slope;
    if (x0 > x1) std::swap(x0, x1);
    x0 = std::clamp(x0, 0.0, double(columns) - 1);
    x1 = std::clamp(x1, 0.0, double(columns) - 1);
    float* line = sums->data() + row * (columns + 2);
    const auto first = static_cast<std::size_t>(x0);
    const double width = x1 - x0;
    if (width <= 1e-9 || x1 <= double(first) + 1) {
      const double covered = 1 - (0.5 * (x0 + x1) - double(first));
      line[first] += float(height * covered);
      line[first + 1] += float(height * (1 - covered));
      continue;
    }
    // What has been covered up to the right edge of a pixel, and the same before it.
    double before = 0, covered_before = 0;
    for (std::size_t x = first; double(x) < x1 + 1; ++x) {
      const double edge = double(x) + 1;
      const double inside = std::clamp(edge, x0, x1);
      const double area =
          (0.5 * (inside - x0) * (inside - x0) + std::max(0.0, edge - x1) * width) / width;
      const double covered = area - before;
      line[x] += float(height * (covered - covered_before));
      before = area;
      covered_before = covered;
      if (x + 1 >= columns + 1) break;
    }
  }
}

}  // namespace

Raster::Raster(std::size_t width, std::size_t height)
    : width_(width),
      height_(height),
      pixels_(3 * width * height, 255),
      mask_(width * height, 0.0F) {}

void Raster::blend(std::size_t x, std::size_t y, double part, const std::array<int, 3>& colour) {
  unsigned char* pixel = &pixels_[3 * (y * width_ + x)];
  for (std::size_t i = 0; i < 3; ++i)
    pixel[i] = static_cast<unsigned char>(
        std::lround(double(pixel[i]) + std::clamp(part, 0.0, 1.0) * (colour[i] - int(pixel[i]))));
}

void Raster::draw_lines(const std::vector<std::array<double, 4>>& lines, double line_width,
                        const std::array<int, 3>& colour, const RasterBox& box) {
  const double half = 0.5 * line_width, reach = half + 1;
  const auto clip = [](double v, double low, double high) { return std::clamp(v, low, high); };
  std::vector<std::size_t> touched;
  for (const auto& line : lines) {
    const double left = clip(std::min(line[0], line[2]) - reach, box.left, box.right),
                 right = clip(std::max(line[0], line[2]) + reach, box.left, box.right),
                 top = clip(std::min(line[1], line[3]) - reach, box.top, box.bottom),
                 bottom = clip(std::max(line[1], line[3]) + reach, box.top, box.bottom);
    const auto last_x = std::min(width_, static_cast<std::size_t>(std::ceil(std::max(right, 0.0)))),
               last_y =
                   std::min(height_, static_cast<std::size_t>(std::ceil(std::max(bottom, 0.0))));
    for (auto y = static_cast<std::size_t>(std::max(top, 0.0)); y < last_y; ++y) {
      for (auto x = static_cast<std::size_t>(std::max(left, 0.0)); x < last_x; ++x) {
        const double part =
            std::clamp(half + 0.5 - distance(double(x) + 0.5, double(y) + 0.5, line), 0.0, 1.0);
        float& mask = mask_[y * width_ + x];
        if (part <= mask) continue;
        if (mask == 0.0F) touched.push_back(y * width_ + x);
        mask = float(part);
      }
    }
  }
  for (const std::size_t at : touched) {
    blend(at % width_, at / width_, mask_[at], colour);
    mask_[at] = 0.0F;
  }
}

void Raster::fill(const std::vector<std::vector<std::array<double, 2>>>& polygons,
                  const std::array<int, 3>& colour) {
  double left = HUGE_VAL, top = HUGE_VAL, right = -HUGE_VAL, bottom = -HUGE_VAL;
  for (const auto& polygon : polygons) {
    for (const auto& p : polygon) {
      left = std::min(left, p[0]);
      right = std::max(right, p[0]);
      top = std::min(top, p[1]);
      bottom = std::max(bottom, p[1]);
    }
  }
  if (!(left < right && top < bottom)) return;
  left = std::floor(left);
  top = std::floor(top);
  const auto columns = static_cast<std::size_t>(std::ceil(right) - left) + 2,
             rows = static_cast<std::size_t>(std::ceil(bottom) - top) + 1;
  std::vector<float> sums((columns + 2) * rows, 0.0F);
  for (const auto& polygon : polygons)
    for (std::size_t i = 0; i < polygon.size(); ++i)
      add_edge(polygon[i], polygon[(i + 1) % polygon.size()], left, top, columns, rows, &sums);
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      sum += sums[row * (columns + 2) + column];
      const double x = left + double(column), y = top + double(row);
      if (std::abs(sum) < 1e-3 || x < 0 || y < 0 || x >= double(width_) || y >= double(height_))
        continue;
      blend(static_cast<std::size_t>(x), static_cast<std::size_t>(y), std::abs(sum), colour);
    }
  }
}

std::string Raster::write_png(const std::string& software) const {
  std::string rows;
  for (std::size_t y = 0; y < height_; ++y) {
    // Each as the difference to the one above: much is the same.
    rows += '\2';
    for (std::size_t i = 0; i < 3 * width_; ++i) {
      const unsigned char above = y == 0 ? 0 : pixels_[3 * width_ * (y - 1) + i];
      rows += static_cast<char>(static_cast<unsigned char>(pixels_[3 * width_ * y + i] - above));
    }
  }
  const std::string head = big_end(static_cast<std::uint32_t>(width_)) +
                           big_end(static_cast<std::uint32_t>(height_)) +
                           std::string("\x08\x02\0\0\0", 5);
  constexpr std::uint32_t dots_a_metre = 2 * 3780;  // 192 to an inch
  const std::string density = big_end(dots_a_metre) + big_end(dots_a_metre) + '\1';
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("pHYs", density) +
         chunk("tEXt", std::string("Software\0", 9) + software) + chunk("IDAT", compress(rows)) +
         chunk("IEND", "");
}

}  // namespace visviva
