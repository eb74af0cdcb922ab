// Bytes as text: base64 of RFC 4648, section 4, with padding.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace visviva {

/// Bytes in base64.
std::string encode_base64(const unsigned char* bytes, std::size_t count);
/// The bytes of a text in base64; what is none of its letters, such as the end of a line, is passed over.
std::vector<unsigned char> decode_base64(const std::string& text);

}  // namespace visviva
