// UTF-8: characters, the letters names are made of, and how wide they stand on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace visviva {

/// A character and how many bytes it takes.
struct Character {
  char32_t code = 0;
  std::size_t size = 0;  ///< bytes; 0 where the bytes are no UTF-8
};

/// The character that starts at `offset` (which must be inside the text).
Character decode_utf8(std::string_view text, std::size_t offset);
/// The place of the first invalid byte; npos when all is valid.
std::size_t find_invalid_utf8(std::string_view text);
/// The number of characters in a valid text.
std::size_t count_characters(std::string_view text);
/// The byte offset of the character with this index (from 0); the text's size when there are fewer.
std::size_t offset_of_character(std::string_view text, std::size_t index);

/// True for a letter of any script: what a name may start with (as may '_').
bool is_letter(char32_t c);
/// True for a letter, a digit, '_' or a combining mark: what a name may go on with.
bool is_name_character(char32_t c);
/// True for a control character other than tab and line ends, or an invisible one that changes
/// direction.
bool is_control(char32_t c);
/// The columns that a character takes on a terminal: 0 for marks that combine, 2 for wide East
/// Asian characters, else 1.
int display_width(char32_t c);

/// A character for a message: "'x'", or "U+200B" for what cannot be seen.
std::string describe_character(char32_t c, std::string_view bytes);

}  // namespace visviva
