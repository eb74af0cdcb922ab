#include "visviva/report/plot/compress.h"

#include <zlib.h>

#include "visviva/base/error.h"

namespace visviva {
namespace {

const Bytef* bytes_of(const std::string& text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

}  // namespace

std::string compress(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytes_of(bytes),
                               static_cast<uLong>(bytes.size()), 6);
  if (status != Z_OK) throw InternalError("compress: zlib has no memory");
  packed.resize(size);
  return packed;
}

std::uint32_t crc32_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32(crc32(0, nullptr, 0), bytes_of(bytes), static_cast<uInt>(bytes.size())));
}

}  // namespace visviva
