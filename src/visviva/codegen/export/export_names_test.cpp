#include "visviva/codegen/export/export_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace visviva {
namespace {

bool is_identifier(const std::string& s) {
  return !s.empty() && std::isalpha(static_cast<unsigned char>(s[0])) != 0 &&
         std::all_of(s.begin(), s.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x80 &&
                  (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
         });
}

TEST(export_names, names_stay_readable_where_they_can) {
  EXPECT_EQ(make_identifier("mB"), "mB");
  EXPECT_EQ(make_identifier("theta''"), "theta_d_d");
  EXPECT_EQ(make_identifier("x'"), "x_d");
  EXPECT_EQ(make_identifier("θ1"), "theta1");
  EXPECT_EQ(make_identifier("Ω"), "Omega");
  EXPECT_EQ(make_identifier("A.angle"), "A_angle");
  EXPECT_EQ(make_identifier("ß"), "u00df");
}

TEST(export_names, whatever_bytes_a_name_holds_it_is_an_identifier) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::string& name :
         {bytes.substr(i, 1), "a" + bytes.substr(i, 1) + "b", bytes.substr(i)})
      EXPECT_TRUE(is_identifier(make_identifier(name))) << i << ": " << make_identifier(name);
  }
  EXPECT_TRUE(is_identifier(make_identifier("")));
  EXPECT_LE(make_identifier(std::string(10000, 'a')).size(), 63u);  // what MATLAB takes
}

TEST(export_names, words_that_languages_have_taken_are_avoided) {
  for (const char* word : {"int", "double", "lambda", "end", "function", "sin", "np", "NAN", "M_PI",
                           "v12", "t", "state", "None", "linux", "class", "endif", "until"})
    EXPECT_NE(make_identifier(word), word);
  EXPECT_EQ(make_identifier("v12a"), "v12a");
  EXPECT_EQ(make_identifier("_a").front(), 'x');
}

TEST(export_names, a_file_hides_no_function_that_it_calls_and_no_module_that_it_imports) {
  for (const char* word : {"eye", "pinv", "max", "zeros", "numpy", "sqrt"})
    EXPECT_NE(make_file_identifier(word), word);
  EXPECT_EQ(make_file_identifier("hoist"), "hoist");
  EXPECT_EQ(make_file_identifier(""), "mechanism");
  EXPECT_EQ(make_identifier("eps"), "eps");  // a variable may be called so
}

TEST(export_names, different_names_get_different_identifiers) {
  Identifiers names;
  std::set<std::string> found;
  const char* given[] = {"a", "a ",    "a.",  "a_",   "a_2", "a",
                         "θ", "theta", "int", "int_", "x'",  "x_d"};
  for (const char* name : given) {
    const std::string identifier = names.add(name);
    EXPECT_TRUE(is_identifier(identifier));
    EXPECT_TRUE(found.insert(identifier).second) << name << " -> " << identifier;
  }
}

TEST(export_names, no_text_ends_or_continues_a_comment) {
  for (const std::string text :
       {"*/", "**//", "*\x01/", "*\n/", "a */ b /* c", "*\xE2\x80\xAE/", "\?\?/", "\?\?\?/", "\\",
        "a\\\n", "a\r\nb\f\v", "\xE2\x80\xA8 line", "\xff\xfe", "/*/"}) {
    for (const std::string& safe : {comment_text(text), comment_name(text)}) {
      EXPECT_EQ(safe.find("*/"), std::string::npos) << safe;
      EXPECT_EQ(safe.find("/*"), std::string::npos) << safe;
      EXPECT_EQ(safe.find("\?\?"), std::string::npos) << safe;
      EXPECT_TRUE(safe.empty() || safe.back() != '\\') << safe;
      for (const char c : safe) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20) << safe;
      EXPECT_EQ(safe.find("\xE2\x80"), std::string::npos) << safe;  // line separator, direction
    }
  }
  EXPECT_EQ(comment_text("größer als 1"), "\"größer als 1\"");
}

TEST(export_names, string_literals_read_back_as_the_text) {
  EXPECT_EQ(c_string("a\"b\\?\n\xCE\xB8"), "\"a\\042b\\134\\077\\012\\316\\270\"");
  EXPECT_EQ(python_string("a\"\\\xCE\xB8"), "\"a\\U00000022\\U0000005c\\U000003b8\"");
  EXPECT_EQ(matlab_string("theta''"), "'theta'''''");
  EXPECT_EQ(matlab_string("a\xCE\xB8'\n"), "native2unicode(uint8([97 206 184 39 10]), 'UTF-8')");
  EXPECT_EQ(matlab_string("\xff"), "native2unicode(uint8([239 191 189]), 'UTF-8')");  // U+FFFD
}

}  // namespace
}  // namespace visviva
