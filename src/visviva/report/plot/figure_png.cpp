// Figures as PNG: drawn by raster.h, with letters of the embedded font.
#include <algorithm>
#include <cmath>

#include "visviva/report/plot/figure.h"
#include "visviva/report/plot/figure_colour.h"
#include "visviva/report/plot/plot_font.h"
#include "visviva/report/plot/raster.h"

namespace visviva {
namespace {

constexpr double pixel_scale = 2;  // pixels for a unit
constexpr int steps_of_arc = 4;    // of a curved piece of a letter, or a sixteenth of a dot

using Polygon = std::vector<std::array<double, 2>>;

// The polygon of one contour: quadratic Bezier curves.
Polygon flatten(const std::vector<GlyphPoint>& contour) {
  Polygon polygon;
  const std::size_t n = contour.size();
  if (n < 2) return polygon;
  const auto middle = [](const GlyphPoint& a, const GlyphPoint& b) {
    return GlyphPoint{0.5 * (a.x + b.x), 0.5 * (a.y + b.y), true};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const GlyphPoint& p = contour[i];
    if (p.is_on_curve) {
      polygon.push_back({p.x, p.y});
      continue;
    }
    const GlyphPoint& before = contour[(i + n - 1) % n];
    const GlyphPoint& after = contour[(i + 1) % n];
    const GlyphPoint a = before.is_on_curve ? before : middle(before, p);
    const GlyphPoint b = after.is_on_curve ? after : middle(p, after);
    for (int k = before.is_on_curve ? 1 : 0; k < steps_of_arc; ++k) {
      const double s = double(k) / steps_of_arc, r = 1 - s;
      polygon.push_back({r * r * a.x + 2 * r * s * p.x + s * s * b.x,
                         r * r * a.y + 2 * r * s * p.y + s * s * b.y});
    }
  }
  return polygon;
}

class PngWriter {
 public:
  explicit PngWriter(const Figure& figure)
      : figure_(figure),
        raster_(static_cast<std::size_t>(std::ceil(pixel_scale * figure.width)),
                static_cast<std::size_t>(std::ceil(pixel_scale * figure.height))) {}

  std::string write() {
    const RasterBox sheet{0, 0, pixel_scale * figure_.width, pixel_scale * figure_.height};
    const FigureRect& a = figure_.area;
    const RasterBox area{pixel_scale * a.x, pixel_scale * a.y, pixel_scale * (a.x + a.width),
                         pixel_scale * (a.y + a.height)};
    for (const FigureCurve& line : figure_.lines) draw(line, sheet);
    for (const FigureCurve& curve : figure_.curves) draw(curve, area);
    for (const FigureDot& dot : figure_.dots) draw(dot);
    for (const FigureText& text : figure_.texts) draw(text);
    return raster_.write_png(plot_mark);
  }

 private:
  void draw(const FigureCurve& curve, const RasterBox& box) {
    std::vector<std::array<double, 4>> lines;
    double done = 0;  // of the pattern of dashes
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const auto &p = curve.points[i - 1], &q = curve.points[i];
      if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(q[0]) &&
            std::isfinite(q[1])))
        continue;
      add_dashes(p, q, curve.dashes, &done, &lines);
    }
    if (curve.points.size() == 1) lines.push_back(scaled(curve.points[0], curve.points[0]));
    raster_.draw_lines(lines, pixel_scale * curve.width, read_colour(curve.ink.colour), box);
  }

  static std::array<double, 4> scaled(const std::array<double, 2>& p,
                                      const std::array<double, 2>& q) {
    return {pixel_scale * p[0], pixel_scale * p[1], pixel_scale * q[0], pixel_scale * q[1]};
  }

  static void add_dashes(const std::array<double, 2>& p, const std::array<double, 2>& q,
                         const std::array<double, 2>& dashes, double* done,
                         std::vector<std::array<double, 4>>* lines) {
    if (dashes[0] <= 0) return lines->push_back(scaled(p, q));
    const double length = std::hypot(q[0] - p[0], q[1] - p[1]), period = dashes[0] + dashes[1];
    const auto at = [&](double s) {
      const double part = length > 0 ? s / length : 0;
      return std::array<double, 2>{p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])};
    };
    for (double s = 0; s < length;) {
      const double phase = std::fmod(*done + s, period);
      const bool is_on = phase < dashes[0];
      const double end = std::min(length, s + std::max(1e-6, (is_on ? dashes[0] : period) - phase));
      if (is_on) lines->push_back(scaled(at(s), at(end)));
      s = end;
    }
    *done = std::fmod(*done + length, period);
  }

  void draw(const FigureDot& dot) {
    Polygon round;
    constexpr int corners = 16 * steps_of_arc;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * M_PI * i / corners;
      round.push_back({pixel_scale * (dot.x + dot.radius * std::cos(angle)),
                       pixel_scale * (dot.y + dot.radius * std::sin(angle))});
    }
    raster_.fill({round},
                 dot.is_open ? std::array<int, 3>{255, 255, 255} : read_colour(dot.ink.colour));
    std::vector<std::array<double, 4>> lines;
    for (std::size_t i = 0; i < round.size(); ++i) {
      const auto &p = round[i], &q = round[(i + 1) % round.size()];
      lines.push_back({p[0], p[1], q[0], q[1]});
    }
    raster_.draw_lines(lines, pixel_scale * 1.6, read_colour(dot.ink.colour),
                       {0, 0, pixel_scale * figure_.width, pixel_scale * figure_.height});
  }

  void draw(const FigureText& text) {
    const double length = font_.width(text.text, text.size), size = text.size / font_.units();
    double along = text.anchor == FigureText::Anchor::start    ? 0
                   : text.anchor == FigureText::Anchor::middle ? -0.5 * length
                                                               : -length;
    for (const std::size_t glyph : font_.glyphs(text.text)) {
      std::vector<Polygon> letter;
      for (const std::vector<GlyphPoint>& contour : font_.outline(glyph)) {
        letter.push_back(flatten(contour));
        for (auto& p : letter.back()) p = place(text, along + size * p[0], size * p[1]);
      }
      raster_.fill(letter, read_colour(text.ink.colour));
      along += size * font_.advance(glyph);
    }
  }

  static std::array<double, 2> place(const FigureText& text, double along, double up) {
    if (text.is_upward) return {pixel_scale * (text.x - up), pixel_scale * (text.y - along)};
    return {pixel_scale * (text.x + along), pixel_scale * (text.y - up)};
  }

  const Figure& figure_;
  const PlotFont& font_ = PlotFont::instance();
  Raster raster_;
};

}  // namespace

std::string write_figure_png(const Figure& figure) { return PngWriter(figure).write(); }

}  // namespace visviva
