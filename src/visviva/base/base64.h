// Bytes as text: base64 of RFC 4648, section 4, with padding.
#pragma once

#include <cstddef>
#include <string>

namespace visviva {

/// Bytes in base64.
std::string encode_base64(const unsigned char* bytes, std::size_t count);

}  // namespace visviva
