// Deflated bytes (RFC 1950), as PDF and PNG hold them.
#pragma once

#include <cstdint>
#include <string>

namespace visviva {

std::string compress(const std::string& bytes);
/// The check of a chunk of PNG.
std::uint32_t crc32_of(const std::string& bytes);

}  // namespace visviva
