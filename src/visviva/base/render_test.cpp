#include "visviva/base/render.h"

#include <gtest/gtest.h>

#include "visviva/base/source_text.h"
#include "visviva/base/suggest.h"
#include "visviva/base/utf8.h"

namespace visviva {
namespace {

Diagnostic make_diagnostic(int line, int column, int length) {
  return {Severity::error,
          "E-unit-unknown",
          "'kgg' is not a unit",
          "did you mean 'kg'?",
          {"hoist.viva", line, column, length}};
}

TEST(render_diagnostic, shows_code_place_line_carets_and_help) {
  EXPECT_EQ(render_diagnostic(make_diagnostic(2, 15, 3), {"", "model hoist\nparameter m = kgg\n"}),
            "error[E-unit-unknown]: 'kgg' is not a unit\n"
            " --> hoist.viva:2:15\n"
            "  |\n"
            "2 | parameter m = kgg\n"
            "  |               ^^^\n"
            "  = help: did you mean 'kg'?\n");
}

TEST(render_diagnostic, aligns_carets_after_tabs_and_wide_characters) {
  const std::string out = render_diagnostic(make_diagnostic(1, 6, 2), {"", "\t\u8cea\u91cf =kgg"});
  EXPECT_NE(out.find("1 |     \u8cea\u91cf =kgg\n  |           ^^\n"), std::string::npos) << out;
}

TEST(render_diagnostic, can_point_behind_the_end_of_a_line) {
  const std::string out = render_diagnostic(make_diagnostic(1, 4, 1), {"", "let\r\n"});
  EXPECT_NE(out.find("1 | let\n  |    ^\n"), std::string::npos) << out;
}

TEST(render_diagnostic, cuts_long_lines_around_the_place) {
  const std::string line = std::string(500, 'a') + "kgg" + std::string(500, 'b');
  const std::string out = render_diagnostic(make_diagnostic(1, 501, 3), {"", line});
  EXPECT_LT(out.size(), 600u);
  EXPECT_NE(out.find("... aaa"), std::string::npos);
  EXPECT_NE(out.find("bbb ..."), std::string::npos);
}

TEST(render_diagnostic, lets_no_control_character_through) {
  const std::string out = render_diagnostic(make_diagnostic(1, 1, 1), {"", "a\x1b[31mb"});
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
}

TEST(render_diagnostic, without_a_place_shows_message_and_help_only) {
  const Diagnostic d{
      Severity::warning, "W-unused-name", "the frame A is not used", "remove it", {}};
  EXPECT_EQ(render_diagnostic(d, {}),
            "warning[W-unused-name]: the frame A is not used\n  = help: remove it\n");
}

TEST(render_diagnostic, colours_only_when_asked) {
  const std::string out = render_diagnostic(make_diagnostic(1, 1, 1), {"", "x"}, {.colour = true});
  EXPECT_EQ(out.substr(0, 7), "\x1b[1;31m");
}

TEST(render_diagnostics, sorts_by_place_and_counts) {
  const std::string out = render_diagnostics({make_diagnostic(2, 1, 1), make_diagnostic(1, 5, 1)},
                                             {"", "first\nsecond\n"});
  EXPECT_LT(out.find("hoist.viva:1:5"), out.find("hoist.viva:2:1"));
  EXPECT_NE(out.find("\n2 errors\n"), std::string::npos);
  EXPECT_EQ(render_diagnostics({}, {}), "");
}

TEST(render_diagnostics, leaves_out_warnings_before_errors) {
  std::vector<Diagnostic> many(150,
                               {Severity::warning, "W-unused-name", "unused", "", {"f", 1, 1, 1}});
  many.push_back(make_diagnostic(9, 1, 1));
  const auto shown = sort_diagnostics(many);
  EXPECT_EQ(shown.size(), 100u);
  EXPECT_EQ(shown.back().code, "E-unit-unknown");
  EXPECT_NE(
      render_diagnostics(many, {"", "x"}).find("1 error, 150 warnings; the first 100 are shown"),
      std::string::npos);
}

TEST(did_you_mean, finds_misspellings_but_no_strangers) {
  const std::vector<std::string> words = {"parameter", "coordinate", "speed", "let", "L", "mB"};
  EXPECT_EQ(did_you_mean("paramter", words), "did you mean 'parameter'?");
  EXPECT_EQ(did_you_mean("Speed", words), "did you mean 'speed'?");
  EXPECT_EQ(did_you_mean("seped", words), "did you mean 'speed'?");
  EXPECT_EQ(did_you_mean("l", words), "did you mean 'L'?");
  EXPECT_EQ(did_you_mean("mb", words), "did you mean 'mB'?");
  EXPECT_EQ(did_you_mean("x", words), "");
  EXPECT_EQ(did_you_mean("qq", words), "");
  EXPECT_EQ(did_you_mean("gravity", words), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'a'), words), "");
}

TEST(find_line, knows_all_line_ends_and_the_byte_order_mark) {
  const std::string text =
      "\xef\xbb\xbf"
      "one\r\ntwo\rthree\n\nfive";
  EXPECT_EQ(find_line(text, 1), "one");
  EXPECT_EQ(find_line(text, 2), "two");
  EXPECT_EQ(find_line(text, 3), "three");
  EXPECT_EQ(find_line(text, 4), "");
  EXPECT_EQ(find_line(text, 5), "five");
  EXPECT_EQ(find_line(text, 6), "");
}

TEST(utf8, finds_invalid_bytes) {
  EXPECT_EQ(find_invalid_utf8("a\u03b8\u8cea\U0001f600"), std::string_view::npos);
  for (const char* bad : {"a\xff", "a\xc0\x80", "a\xe0\x80\x80", "a\xed\xa0\x80",
                          "a\xf4\x90\x80\x80", "a\xce", "a\x80"}) {
    EXPECT_EQ(find_invalid_utf8(bad), 1u);
  }
}

TEST(utf8, letters_of_any_script_make_names_but_signs_do_not) {
  for (const char32_t c :
       {U'a', U'\u00e9', U'\u03b8', U'\u0416', U'\u05d0', U'\u8cea', U'\u3042', U'\u00b5'}) {
    EXPECT_TRUE(is_letter(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : {U'1', U'_', U'\u00b2', U'\u00b7', U'\u00d7', U'\u2212', U'\u2032',
                           U'\u200b', U'\u00a0', U'\U0001f600'}) {
    EXPECT_FALSE(is_letter(c)) << static_cast<unsigned>(c);
  }
}

}  // namespace
}  // namespace visviva
