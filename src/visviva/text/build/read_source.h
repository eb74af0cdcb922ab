// Files of text: read whole, or refused with the reason.
#pragma once

#include <filesystem>
#include <string>

#include "visviva/base/error.h"
#include "visviva/base/result.h"
#include "visviva/base/source_text.h"

namespace visviva {

/// The text of a regular file of at most 16 MB; else an error (E-file-...) without a line.
Result<SourceText, Diagnostic> read_source(const std::string& path);

/// Whether a file is in a folder or below it, links followed. "" is the folder the program runs in.
bool lies_under(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace visviva
