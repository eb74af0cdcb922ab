// Names and texts of a model inside generated source: whatever they hold, they stay names and texts.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace visviva {

/// The name as an identifier of C, Python and MATLAB: ASCII letters, digits and _, a letter first,
/// no word that one of them has taken. A prime becomes _d, a Greek letter its name, any other
/// character its code. Different names may give the same identifier.
std::string make_identifier(std::string_view name);

/// The identifier of a model, whose file is named so: no function that MATLAB files call, no module
/// that Python's import.
std::string make_file_identifier(std::string_view name);

/// Identifiers of one scope, each different.
class Identifiers {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_;
};

/// A text as one line that can end no comment of these languages and continue none; quoted.
std::string comment_text(std::string_view text);
/// A name as such a line, without quotes; never ends in a backslash.
std::string comment_name(std::string_view name);

/// String literals, in ASCII.
std::string c_string(std::string_view text);
std::string python_string(std::string_view text);
/// A text that is more than ASCII is written as bytes: MATLAB reads files in the system's encoding,
/// and its characters have 16 bits where Octave's have 8.
std::string matlab_string(std::string_view text);

}  // namespace visviva
