// Files that are written as a whole: each is there with all it holds, or as it was before.
#pragma once

#include <string>

namespace visviva {

/// Puts a file in the place of what was there. Written beside it first and then renamed, so that a full disk,
/// a kill or another process that does the same leaves one whole file: the old one or a new one. A symbolic link goes on
/// pointing where it did, permissions stay. What cannot be renamed to, a device or a file in a folder that may not be changed, is
/// written directly. Returns why it failed; empty when all is well.
std::string replace_file(const std::string& path, const std::string& text);

/// Makes a file that nobody has; as replace_file() says, but "File exists" when there is anything of that name.
std::string create_file(const std::string& path, const std::string& text);

}  // namespace visviva
