// Escaping text from models, so that it shows as text wherever it is put.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// Text that shows as itself in HTML and MathML, also inside quoted attributes. Control characters
/// are left out.
std::string escape_html(std::string_view text);

}  // namespace visviva
