// Tests of figures as PDF and PNG: their structure, their letters and curves where they belong.
#include "visviva/report/plot/figure.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <regex>

#include "visviva/report/plot/overlay.h"
#include "visviva/report/plot/plot_font.h"
#include "visviva/report/plot/raster.h"

namespace visviva {
namespace {

std::string inflate_bytes(const std::string& packed, std::size_t most) {
  std::string bytes(most, '\0');
  uLongf size = static_cast<uLongf>(most);
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
      Z_OK);
  bytes.resize(size);
  return bytes;
}

std::size_t big_end(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<unsigned char> pixels;
  std::array<int, 3> at(std::size_t x, std::size_t y) const {
    const unsigned char* p = &pixels[3 * (y * width + x)];
    return {p[0], p[1], p[2]};
  }
};

// As the specification of PNG has it, with the checks of its chunks.
Picture read_png(const std::string& png) {
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  Picture picture;
  std::string data;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t size = big_end(png, at);
    const std::string kind = png.substr(at + 4, 4), body = png.substr(at + 8, size);
    const std::string checked = kind + body;
    EXPECT_EQ(
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())),
        big_end(png, at + 8 + size));
    if (kind == "IHDR") {
      picture.width = big_end(body, 0);
      picture.height = big_end(body, 4);
    }
    if (kind == "IDAT") data += body;
    at += 12 + size;
  }
  const std::size_t row = 3 * picture.width;
  const std::string rows = inflate_bytes(data, (row + 1) * picture.height);
  EXPECT_EQ(rows.size(), (row + 1) * picture.height);
  picture.pixels.resize(row * picture.height);
  for (std::size_t y = 0; y < picture.height; ++y) {
    EXPECT_EQ(rows[y * (row + 1)], 2);  // the filter "up"
    for (std::size_t i = 0; i < row; ++i)
      picture.pixels[y * row + i] = static_cast<unsigned char>(
          rows[y * (row + 1) + 1 + i] + (y > 0 ? picture.pixels[(y - 1) * row + i] : 0));
  }
  return picture;
}

Plot plot_ramp() {
  Plot plot{.title = "Ramp \u03b8", .unit = "rad", .series = {{"\u03b8'", {0, 1, 2}, {0, 10, 20}}}};
  plot.until = 2.0;
  return plot;
}

TEST(FigurePng, a_line_is_where_its_values_are_and_nowhere_else) {
  const Figure figure = make_figure(plot_ramp(), "m");
  const Picture picture = read_png(write_figure_png(figure));
  EXPECT_EQ(picture.width, static_cast<std::size_t>(2 * figure.width));
  const auto is_blue = [](const std::array<int, 3>& c) { return c[2] > c[0] + 60; };
  for (const double part : {0.1, 0.35, 0.5, 0.9}) {
    const double x = figure.area.x + part * figure.area.width,
                 y = figure.area.y + (1 - part) * figure.area.height;
    EXPECT_TRUE(
        is_blue(picture.at(static_cast<std::size_t>(2 * x), static_cast<std::size_t>(2 * y))))
        << part;
    EXPECT_FALSE(
        is_blue(picture.at(static_cast<std::size_t>(2 * x), static_cast<std::size_t>(2 * y - 40))))
        << part;
  }
}

TEST(FigurePdf, objects_stand_where_the_table_says_and_streams_unpack) {
  const std::string pdf = write_figure_pdf(make_figure(plot_ramp(), "m"));
  EXPECT_EQ(pdf.substr(0, 8), "%PDF-1.5");
  EXPECT_NE(pdf.find("written by visviva simulate"), std::string::npos);
  const std::size_t start = std::stoul(pdf.substr(pdf.rfind("startxref") + 10));
  ASSERT_EQ(pdf.substr(start, 4), "xref");
  const std::regex entry("(\\d{10}) 00000 n ");
  int number = 0;
  const std::string table = pdf.substr(start);
  for (std::sregex_iterator it(table.begin(), table.end(), entry), end; it != end; ++it) {
    const std::string head = std::to_string(++number) + " 0 obj";
    EXPECT_EQ(pdf.substr(std::stoul((*it)[1]), head.size()), head);
  }
  EXPECT_EQ(number, 10);
  const std::size_t stream = pdf.find("4 0 obj");
  const std::size_t length = std::stoul(pdf.substr(pdf.find("/Length ", stream) + 8));
  const std::string content =
      inflate_bytes(pdf.substr(pdf.find("stream\n", stream) + 7, length), 1 << 20);
  EXPECT_NE(content.find("/F1"), std::string::npos);
  EXPECT_NE(content.find(" re W n"), std::string::npos);
}

TEST(PlotFont, letters_have_widths_and_outlines) {
  const PlotFont& font = PlotFont::instance();
  // DejaVu Sans: a digit is 1303 of 2048 wide, a blank 651.
  EXPECT_DOUBLE_EQ(font.units(), 2048);
  EXPECT_DOUBLE_EQ(font.advance(font.glyph(U'0')), 1303);
  EXPECT_DOUBLE_EQ(font.width("0 0", 2048), 2 * 1303 + 651);
  EXPECT_EQ(font.outline(font.glyph(U'o')).size(), 2U);
  EXPECT_EQ(font.outline(font.glyph(U'\u00e9')).size(), 3U) << "e, its hole and the accent";
  EXPECT_NE(font.glyph(U'\u03b8'), font.glyph(U'\u6f22'));
  EXPECT_EQ(font.glyph(U'\u6f22'), font.glyph(U'\uFFFD'));
}

TEST(Raster, an_outline_covers_its_area_and_no_hole) {
  Raster raster(40, 40);
  raster.fill({{{10, 10}, {30, 10}, {30, 30}, {10, 30}}, {{15, 15}, {15, 25}, {25, 25}, {25, 15}}},
              {0, 0, 0});
  const Picture picture = read_png(raster.write_png("test"));
  double dark = 0;
  for (std::size_t y = 0; y < 40; ++y)
    for (std::size_t x = 0; x < 40; ++x) dark += (255 - picture.at(x, y)[0]) / 255.0;
  EXPECT_NEAR(dark, 400 - 100, 0.5);
  EXPECT_EQ(picture.at(20, 20)[0], 255);
  EXPECT_EQ(picture.at(12, 20)[0], 0);
}

TEST(Raster, a_slanting_edge_covers_half_of_its_pixels) {
  Raster raster(30, 30);
  raster.fill({{{5, 5}, {25, 5}, {5, 25}}}, {0, 0, 0});
  const Picture picture = read_png(raster.write_png("test"));
  double dark = 0;
  for (std::size_t y = 0; y < 30; ++y)
    for (std::size_t x = 0; x < 30; ++x) dark += (255 - picture.at(x, y)[0]) / 255.0;
  EXPECT_NEAR(dark, 200, 1);
}

TEST(Overlay, every_series_of_every_run_is_in_one_figure) {
  const Plot ramp = plot_ramp();
  Plot two = ramp;
  two.title = "Two";
  two.series.push_back({"b", {0, 2}, {1, 1}});
  Plot late = ramp;
  late.until = 5;
  const std::vector<Plot> figures = overlay_runs({{"calm", {ramp, two}}, {"wild", {late, two}}});
  ASSERT_EQ(figures.size(), 2U);
  ASSERT_EQ(figures[0].series.size(), 2U);
  EXPECT_EQ(figures[0].series[0].name, "calm");
  EXPECT_EQ(figures[0].series[1].name, "wild");
  EXPECT_DOUBLE_EQ(figures[0].until, 5);
  EXPECT_EQ(figures[0].quantity, "\u03b8'") << "runs are in the legend, what they are at the axis";
  ASSERT_EQ(figures[1].series.size(), 4U);
  EXPECT_EQ(figures[1].series[3].name, "b, wild");
}

}  // namespace
}  // namespace visviva
