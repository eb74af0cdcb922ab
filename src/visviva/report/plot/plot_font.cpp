#include "visviva/report/plot/plot_font.h"

#include <algorithm>
#include <cstring>

#include "visviva/base/base64.h"
#include "visviva/base/error.h"
#include "visviva/base/utf8.h"
#include "visviva/report/plot/plot_assets.h"

namespace visviva {
namespace {

constexpr int deepest = 4;  // of glyphs made of glyphs

// Flags of the table glyf, from the OpenType specification.
namespace glyf {
constexpr unsigned on_curve = 1, x_short = 2, y_short = 4, repeated = 8, x_same = 16, y_same = 32;
constexpr unsigned words = 1, are_offsets = 2, has_scale = 8, goes_on = 32, has_two = 64,
                   has_matrix = 128;
}  // namespace glyf

}  // namespace

const PlotFont& PlotFont::instance() {
  static const PlotFont font(decode_base64(plot_font_base64()));
  return font;
}

PlotFont::PlotFont(std::vector<unsigned char> bytes) : bytes_(std::move(bytes)) {
  const std::size_t head = table("head"), hhea = table("hhea"), hmtx = table("hmtx"),
                    loca = table("loca");
  units_ = u16(head + 18);
  const bool is_long = u16(head + 50) != 0;
  ascent_ = i16(hhea + 4);
  descent_ = i16(hhea + 6);
  const std::size_t widths = u16(hhea + 34), count = u16(table("maxp") + 4);
  glyphs_at_ = table("glyf");
  for (std::size_t i = 0; i < count; ++i)
    advances_.push_back(u16(hmtx + 4 * std::min(i, widths - 1)));
  for (std::size_t i = 0; i <= count; ++i)
    places_.push_back(is_long ? u32(loca + 4 * i) : 2u * u16(loca + 2 * i));
  read_characters();
}

std::uint16_t PlotFont::u16(std::size_t at) const {
  return static_cast<std::uint16_t>(bytes_.at(at) << 8 | bytes_.at(at + 1));
}

std::uint32_t PlotFont::u32(std::size_t at) const {
  return static_cast<std::uint32_t>(u16(at)) << 16 | u16(at + 2);
}

std::size_t PlotFont::table(const char* tag) const {
  for (std::size_t i = 0, count = u16(4); i < count; ++i) {
    const std::size_t at = 12 + 16 * i;
    if (std::memcmp(&bytes_.at(at), tag, 4) == 0) return u32(at + 8);
  }
  throw InternalError(std::string("PlotFont: the font has no table ") + tag);
}

// The subtable of format 4: segments of the basic plane.
void PlotFont::read_characters() {
  const std::size_t cmap = table("cmap");
  for (std::size_t i = 0, count = u16(cmap + 2); i < count; ++i) {
    const std::size_t at = cmap + u32(cmap + 4 + 8 * i + 4);
    if (u16(at) != 4) continue;
    const std::size_t segments = u16(at + 6) / 2u;
    const std::size_t ends = at + 14, starts = ends + 2 * segments + 2,
                      deltas = starts + 2 * segments, offsets = deltas + 2 * segments;
    for (std::size_t s = 0; s < segments; ++s) {
      const std::size_t offset = u16(offsets + 2 * s);
      for (std::size_t c = u16(starts + 2 * s); c <= u16(ends + 2 * s) && c != 0xFFFF; ++c) {
        std::size_t glyph = c;
        if (offset != 0) {
          glyph = u16(offsets + 2 * s + offset + 2 * (c - u16(starts + 2 * s)));
          if (glyph == 0) continue;
        }
        characters_[static_cast<char32_t>(c)] = (glyph + u16(deltas + 2 * s)) & 0xFFFFu;
      }
    }
    return;
  }
  throw InternalError("PlotFont: the font has no characters");
}

std::size_t PlotFont::glyph(char32_t character) const {
  const auto found = characters_.find(character);
  if (found != characters_.end()) return found->second;
  const auto other = characters_.find(U'\uFFFD');
  return other == characters_.end() ? 0 : other->second;
}

std::vector<std::size_t> PlotFont::glyphs(const std::string& text) const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    all.push_back(glyph(c.size == 0 ? U'\uFFFD' : c.code));
    i += c.size == 0 ? 1 : c.size;
  }
  return all;
}

double PlotFont::width(const std::string& text, double size) const {
  double sum = 0.0;
  for (const std::size_t g : glyphs(text)) sum += advances_[g];
  return sum * size / units_;
}

GlyphOutline PlotFont::outline(std::size_t glyph) const {
  GlyphOutline outline;
  add_outline(glyph, 0, 0, 0, &outline);
  return outline;
}

void PlotFont::add_outline(std::size_t glyph, double dx, double dy, int depth,
                           GlyphOutline* outline) const {
  if (glyph + 1 >= places_.size() || places_[glyph] == places_[glyph + 1] || depth > deepest)
    return;
  std::size_t at = glyphs_at_ + places_[glyph];
  const int contours = i16(at);
  at += 10;
  if (contours >= 0) return add_contours(at, contours, dx, dy, outline);
  // Made of others, moved; none of this font is scaled.
  for (unsigned flags = glyf::goes_on; (flags & glyf::goes_on) != 0;) {
    flags = u16(at);
    const std::size_t part = u16(at + 2);
    at += 4;
    double x = 0, y = 0;
    if ((flags & glyf::words) != 0) {
      x = i16(at);
      y = i16(at + 2);
      at += 4;
    } else {
      x = static_cast<std::int8_t>(bytes_.at(at));
      y = static_cast<std::int8_t>(bytes_.at(at + 1));
      at += 2;
    }
    if ((flags & glyf::are_offsets) == 0) x = y = 0;
    at += (flags & glyf::has_scale) != 0    ? 2
          : (flags & glyf::has_two) != 0    ? 4
          : (flags & glyf::has_matrix) != 0 ? 8
                                            : 0;
    add_outline(part, dx + x, dy + y, depth + 1, outline);
  }
}

void PlotFont::add_contours(std::size_t at, int count, double dx, double dy,
                            GlyphOutline* outline) const {
  if (count == 0) return;
  std::vector<std::size_t> ends;
  for (int i = 0; i < count; ++i, at += 2) ends.push_back(u16(at));
  at += 2u + u16(at);  // instructions
  const std::size_t points = ends.back() + 1;
  std::vector<unsigned> flags;
  while (flags.size() < points) {
    const unsigned flag = bytes_.at(at++);
    const int times = (flag & glyf::repeated) != 0 ? 1 + bytes_.at(at++) : 1;
    for (int i = 0; i < times; ++i) flags.push_back(flag);
  }
  const auto read = [&](unsigned is_short, unsigned is_same) {
    std::vector<double> values;
    double value = 0;
    for (std::size_t i = 0; i < points; ++i) {
      if ((flags[i] & is_short) != 0) {
        const double step = bytes_.at(at++);
        value += (flags[i] & is_same) != 0 ? step : -step;
      } else if ((flags[i] & is_same) == 0) {
        value += i16(at);
        at += 2;
      }
      values.push_back(value);
    }
    return values;
  };
  const std::vector<double> x = read(glyf::x_short, glyf::x_same),
                            y = read(glyf::y_short, glyf::y_same);
  std::size_t i = 0;
  for (const std::size_t end : ends) {
    outline->emplace_back();
    for (; i <= end && i < points; ++i)
      outline->back().push_back({x[i] + dx, y[i] + dy, (flags[i] & glyf::on_curve) != 0});
  }
}

}  // namespace visviva
