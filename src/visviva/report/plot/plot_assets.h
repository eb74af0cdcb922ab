// Texts that figures carry along; tools/embed_texts.cmake makes them of the files in assets/.
#pragma once

#include <string>

namespace visviva {

std::string plot_font_base64();

}  // namespace visviva
