// The frame of a self-contained page.
#pragma once

#include <string>
#include <string_view>

namespace visviva {

/// A whole page: title (plain text) and body (HTML), with the style of our reports and nothing from
/// outside.
std::string make_page(std::string_view title, std::string_view body);

}  // namespace visviva
