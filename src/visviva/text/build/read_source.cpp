#include "visviva/text/build/read_source.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "visviva/text/syntax/limits.h"

namespace visviva {

Result<SourceText, Diagnostic> read_source(const std::string& path) {
  const auto refuse = [&](const char* code, const std::string& message, const std::string& help) {
    return Diagnostic{Severity::error, code, message, help, {path, 0, 0, 0}};
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
  return SourceText{path, text.str()};
}

bool lies_under(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code problem;
  const auto root = std::filesystem::canonical(folder.empty() ? "." : folder, problem);
  if (problem) return false;
  // A file that does not exist stays relative unless it is made absolute first.
  const auto absolute = std::filesystem::absolute(file, problem);
  if (problem) return false;
  const auto place = std::filesystem::weakly_canonical(absolute, problem);
  if (problem) return false;
  return std::mismatch(root.begin(), root.end(), place.begin(), place.end()).first == root.end();
}

}  // namespace visviva
