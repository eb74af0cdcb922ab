// The font of figures that are not drawn by a browser: outlines and widths of a TrueType font that the program carries along
// (assets/plot_font.base64, made by tools/make_fonts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace visviva {

/// A corner of an outline; between two that are not on the curve there is one in the middle.
struct GlyphPoint {
  double x, y;  ///< in units of the font, y up
  bool is_on_curve;
};
using GlyphOutline = std::vector<std::vector<GlyphPoint>>;

class PlotFont {
 public:
  /// The one font; read at the first call, by any number of threads.
  static const PlotFont& instance();

  double units() const { return units_; }  ///< of the font, in an em
  double ascent() const { return ascent_; }
  double descent() const { return descent_; }  ///< negative
  const std::vector<unsigned char>& bytes() const { return bytes_; }
  std::size_t glyph_count() const { return advances_.size(); }

  /// The glyph of a character; that of U+FFFD for one that the font has not.
  std::size_t glyph(char32_t character) const;
  double advance(std::size_t glyph) const { return advances_[glyph]; }  ///< units of the font
  GlyphOutline outline(std::size_t glyph) const;
  /// The glyphs of a text in UTF-8.
  std::vector<std::size_t> glyphs(const std::string& text) const;
  /// The width of a text of this size.
  double width(const std::string& text, double size) const;

 private:
  explicit PlotFont(std::vector<unsigned char> bytes);
  std::size_t table(const char* tag) const;
  std::uint16_t u16(std::size_t at) const;
  std::int16_t i16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
  std::uint32_t u32(std::size_t at) const;
  void read_characters();
  void add_outline(std::size_t glyph, double dx, double dy, int depth, GlyphOutline* outline) const;
  void add_contours(std::size_t at, int count, double dx, double dy, GlyphOutline* outline) const;

  std::vector<unsigned char> bytes_;
  std::vector<double> advances_;
  std::map<char32_t, std::size_t> characters_;
  std::size_t glyphs_at_ = 0;
  std::vector<std::size_t> places_;  // of outlines, one more than glyphs
  double units_ = 1000, ascent_ = 0, descent_ = 0;
};

}  // namespace visviva
