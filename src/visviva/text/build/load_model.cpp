#include "visviva/text/build/load_model.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "visviva/text/syntax/limits.h"

namespace visviva {

Model load_model(const std::string& path, const ReadOptions& options) {
  ModelReading reading = try_load_model(path, options);
  if (!reading.model) throw ModelError(std::move(reading.diagnostics));
  return std::move(*reading.model);
}

ModelReading try_load_model(const std::string& path, const ReadOptions& options) {
  const auto refuse = [&](const char* code, const std::string& message, const std::string& help) {
    ModelReading failed;
    failed.source.file = path;
    failed.diagnostics.push_back({Severity::error, code, message, help, {path, 0, 0, 0}});
    return failed;
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const bool lacks_ending = std::filesystem::is_regular_file(path + ".viva", error);
    return refuse("E-file-missing", "there is no file '" + path + "'",
                  lacks_ending ? "did you mean '" + path + ".viva'?" : "check the path");
  }
  if (std::filesystem::is_directory(status))
    return refuse("E-file-unreadable", "'" + path + "' is a folder", "name a model file");
  // A pipe would wait for somebody, a device may never end.
  if (!std::filesystem::is_regular_file(status))
    return refuse("E-file-unreadable", "'" + path + "' is not a regular file", "name a model file");
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file)
    return refuse("E-file-large", "'" + path + "' is too large for a model", "");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    return refuse("E-file-unreadable", "'" + path + "' cannot be read", "check its permissions");
  return read_model({path, text.str()}, options);
}

}  // namespace visviva
