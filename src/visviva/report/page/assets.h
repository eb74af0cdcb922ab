// The style and the script of the page, from assets/; embedded at build time.
#pragma once

#include <string>

namespace visviva {

std::string page_style();
std::string page_script();
/// SHA-256 of page_script(), in hexadecimal digits: the only script that a page lets run.
std::string page_script_digest();

}  // namespace visviva
