// Figures as PDF 1.5 (ISO 32000-1): one page, vectors, and the font embedded as a whole, so that every program shows the same.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "visviva/base/utf8.h"
#include "visviva/report/plot/compress.h"
#include "visviva/report/plot/figure.h"
#include "visviva/report/plot/figure_colour.h"
#include "visviva/report/plot/plot_font.h"

namespace visviva {
namespace {

constexpr double pdf_points = 0.75;  // of a unit: 96 to an inch
constexpr double quarter_circle =
    0.5522847498;  // of the radius: a quarter of a circle as a Bezier curve

// Objects 1, 2, ... and where they begin.
class PdfFile {
 public:
  void add(const std::string& content) {
    places_.push_back(out_.size());
    out_ += fmt::format("{} 0 obj\n{}\nendobj\n", places_.size(), content);
  }
  void add_stream(const std::string& entries, const std::string& bytes) {
    const std::string packed = compress(bytes);
    add(fmt::format("<< {}/Length {} /Filter /FlateDecode >>\nstream\n", entries, packed.size()) +
        packed + "\nendstream");
  }
  std::string finish(std::size_t info) {
    const std::size_t start = out_.size();
    out_ += fmt::format("xref\n0 {}\n0000000000 65535 f \n", places_.size() + 1);
    for (const std::size_t place : places_) out_ += fmt::format("{:010} 00000 n \n", place);
    out_ += fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n",
                        places_.size() + 1, info, start);
    return std::move(out_);
  }

 private:
  std::string out_ = std::string("%PDF-1.5\n%\xE2\xE3\xCF\xD3\n% ") + plot_mark + "\n";
  std::vector<std::size_t> places_;
};

// Text of a document's information: UTF-16, big end first.
std::string text_string(const std::string& text) {
  std::string hex = "<FEFF";
  for (std::size_t i = 0; i < text.size();) {
    const Character c = decode_utf8(text, i);
    i += c.size == 0 ? 1 : c.size;
    const char32_t code = c.size == 0 ? U'\uFFFD' : c.code;
    if (code < 0x10000)
      hex += fmt::format("{:04X}", static_cast<unsigned>(code));
    else
      hex += fmt::format("{:04X}{:04X}", 0xD800u + ((code - 0x10000u) >> 10),
                         0xDC00u + ((code - 0x10000u) & 0x3FFu));
  }
  return hex + ">";
}

class PageWriter {
 public:
  explicit PageWriter(const Figure& figure) : figure_(figure), font_(PlotFont::instance()) {}

  std::string write() {
    add("1 J 1 j\n");
    for (const FigureCurve& line : figure_.lines) add_curve(line);
    const FigureRect& a = figure_.area;
    add("q {:.3f} {:.3f} {:.3f} {:.3f} re W n\n", x(a.x), y(a.y + a.height), a.width * pdf_points,
        a.height * pdf_points);
    for (const FigureCurve& curve : figure_.curves) add_curve(curve);
    add("Q\n");
    for (const FigureDot& dot : figure_.dots) add_dot(dot);
    for (const FigureText& text : figure_.texts) add_text(text);
    return std::move(out_);
  }
  /// Which character each glyph that is used stands for.
  const std::map<std::size_t, char32_t>& used() const { return used_; }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Values>(values)...);
  }
  static double x(double at) { return pdf_points * at; }
  double y(double at) const { return pdf_points * (figure_.height - at); }

  void set_colour(const char* colour, const char* operation) {
    const auto c = read_colour(colour);
    add("{:.4g} {:.4g} {:.4g} {}\n", c[0] / 255.0, c[1] / 255.0, c[2] / 255.0, operation);
  }

  void add_curve(const FigureCurve& curve) {
    set_colour(curve.ink.colour, "RG");
    add("{:.3f} w [", curve.width * pdf_points);
    if (curve.dashes[0] > 0)
      add("{:.3f} {:.3f}", curve.dashes[0] * pdf_points, curve.dashes[1] * pdf_points);
    add("] 0 d\n");
    bool is_fresh = true;
    for (const auto& p : curve.points) {
      const bool is_there = std::isfinite(p[0]) && std::isfinite(p[1]);
      if (is_there) add("{:.3f} {:.3f} {}\n", x(p[0]), y(p[1]), is_fresh ? "m" : "l");
      is_fresh = !is_there;
    }
    add("S\n");
  }

  void add_dot(const FigureDot& dot) {
    set_colour(dot.ink.colour, "RG");
    set_colour(dot.is_open ? "#ffffff" : dot.ink.colour, "rg");
    const double r = dot.radius * pdf_points, k = quarter_circle * r, cx = x(dot.x), cy = y(dot.y);
    add("{:.3f} w [] 0 d {:.3f} {:.3f} m\n", 1.6 * pdf_points, cx + r, cy);
    const std::array<std::array<double, 6>, 4> arcs = {
        {{r, k, k, r, 0, r}, {-k, r, -r, k, -r, 0}, {-r, -k, -k, -r, 0, -r}, {k, -r, r, -k, r, 0}}};
    for (const auto& arc : arcs)
      add("{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f} c\n", cx + arc[0], cy + arc[1], cx + arc[2],
          cy + arc[3], cx + arc[4], cy + arc[5]);
    add("B\n");
  }

  void add_text(const FigureText& text) {
    const double length = font_.width(text.text, text.size);
    const double shift = text.anchor == FigureText::Anchor::start    ? 0
                         : text.anchor == FigureText::Anchor::middle ? -0.5 * length
                                                                     : -length;
    set_colour(text.ink.colour, "rg");
    const double at_x = text.x + (text.is_upward ? 0 : shift);
    const double at_y = text.y - (text.is_upward ? shift : 0);
    add("BT /F1 {:.3f} Tf {} {:.3f} {:.3f} Tm <", text.size * pdf_points,
        text.is_upward ? "0 1 -1 0" : "1 0 0 1", x(at_x), y(at_y));
    for (std::size_t i = 0; i < text.text.size();) {
      const Character c = decode_utf8(text.text, i);
      i += c.size == 0 ? 1 : c.size;
      const std::size_t glyph = font_.glyph(c.size == 0 ? U'\uFFFD' : c.code);
      used_.emplace(glyph, c.code);
      add("{:04X}", glyph);
    }
    add("> Tj ET\n");
  }

  const Figure& figure_;
  const PlotFont& font_;
  std::map<std::size_t, char32_t> used_;
  std::string out_;
};

std::string write_widths(const PlotFont& font, const std::map<std::size_t, char32_t>& used) {
  std::string widths;
  for (const auto& [glyph, character] : used)
    widths += fmt::format("{} [{:.6g}] ", glyph, 1000 * font.advance(glyph) / font.units());
  return widths;
}

// What a reader copies.
std::string write_unicode_map(const std::map<std::size_t, char32_t>& used) {
  std::string map =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
      "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
      "1 begincodespacerange <0000> <FFFF> endcodespacerange\n";
  constexpr std::size_t most = 100;  // of a block
  std::size_t count = 0;
  for (auto at = used.begin(); at != used.end(); ++at, ++count) {
    const auto left = static_cast<std::size_t>(std::distance(at, used.end()));
    if (count % most == 0) map += fmt::format("{} beginbfchar\n", std::min(left, most));
    map += fmt::format("<{:04X}> <{:04X}>\n", at->first,
                       static_cast<unsigned>(at->second < 0x10000 ? at->second : U'\uFFFD'));
    if (count % most == most - 1 || left == 1) map += "endbfchar\n";
  }
  return map + "endcmap CMapName currentdict /CMap defineresource pop end end\n";
}

}  // namespace

std::string write_figure_pdf(const Figure& figure) {
  const PlotFont& font = PlotFont::instance();
  PageWriter page(figure);
  const std::string content = page.write();
  const double em = 1000 / font.units();
  const char* const name = "/VisvivaPlotSans";
  PdfFile file;
  file.add("<< /Type /Catalog /Pages 2 0 R >>");
  file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  file.add(
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.2f} {:.2f}] /Contents 4 0 R "
                  "/Resources << /Font << /F1 5 0 R >> >> >>",
                  figure.width * pdf_points, figure.height * pdf_points));
  file.add_stream("", content);
  file.add(
      fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont {} /Encoding /Identity-H "
                  "/DescendantFonts [6 0 R] /ToUnicode 9 0 R >>",
                  name));
  file.add(
      fmt::format("<< /Type /Font /Subtype /CIDFontType2 /BaseFont {} /CIDSystemInfo << "
                  "/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 "
                  "R /CIDToGIDMap /Identity /DW 600 /W [{}] >>",
                  name, write_widths(font, page.used())));
  file.add(
      fmt::format("<< /Type /FontDescriptor /FontName {} /Flags 4 /FontBBox [-1000 -300 2000 "
                  "1100] /ItalicAngle 0 /Ascent {:.0f} /Descent {:.0f} /CapHeight 729 /StemV 80 "
                  "/FontFile2 8 0 R >>",
                  name, font.ascent() * em, font.descent() * em));
  file.add_stream(fmt::format("/Length1 {} ", font.bytes().size()),
                  std::string(font.bytes().begin(), font.bytes().end()));
  file.add_stream("", write_unicode_map(page.used()));
  file.add("<< /Title " + text_string(figure.title) + " /Creator (visviva simulate) >>");
  return file.finish(10);
}

}  // namespace visviva
