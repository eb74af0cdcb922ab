// base64 against the test vectors of RFC 4648, section 10.
#include "visviva/base/base64.h"

#include <gtest/gtest.h>

namespace visviva {
namespace {

std::string encode(const std::string& text) {
  return encode_base64(reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

TEST(Base64, is_that_of_the_rfc) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foob"), "Zm9vYg==");
  EXPECT_EQ(encode("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(Base64, keeps_zeros_and_high_bits) {
  EXPECT_EQ(encode(std::string(3, '\0')), "AAAA");
  EXPECT_EQ(encode("\xff\xff\xff"), "////");
  EXPECT_EQ(encode("\xfb\xef\xbe"), "++++");
}

TEST(Base64, is_read_back_over_the_ends_of_lines) {
  const auto decode = [](const std::string& text) {
    const std::vector<unsigned char> bytes = decode_base64(text);
    return std::string(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(decode(""), "");
  EXPECT_EQ(decode("Zg=="), "f");
  EXPECT_EQ(decode("Zm9v\nYg==\n"), "foob");
  EXPECT_EQ(decode("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode("////"), "\xff\xff\xff");
}

}  // namespace
}  // namespace visviva
