#include "visviva/report/page/page_frame.h"

#include <nlohmann/json.hpp>

#include "visviva/base/base64.h"
#include "visviva/base/escape.h"
#include "visviva/report/page/assets.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string make_policy() {
  const std::string digest = page_script_digest();
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i + 1 < digest.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(digest.substr(i, 2), nullptr, 16)));
  return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
         encode_base64(bytes.data(), bytes.size()) + "'";
}

std::string make_head(const PageContent& content) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         make_policy() +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"generator\" content=\"Visviva " +
         escape_html(content.version) + "\">\n<title>" + escape_html(content.title) +
         "</title>\n<style>\n" + page_style() + "</style>\n</head>\n";
}

std::string make_contents(const std::vector<PageSection>& sections) {
  std::string items = "<li><a href=\"#motion\">Motion</a></li>";
  for (const PageSection& s : sections)
    items += "<li><a href=\"#" + s.id + "\">" + s.title + "</a></li>";
  return "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header class=\"top\"><nav "
         "aria-label=\"Contents\"><ul>" +
         items + "</ul></nav><button type=\"button\" id=\"theme\" hidden></button></header>\n";
}

// No "<" leaves a string, so that no text can end the element.
std::string make_data(const json& data) {
  std::string text = data.dump(-1, ' ', true, json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return "<script type=\"application/json\" id=\"visviva-data\">" + text + "</script>\n";
}

}  // namespace

std::string make_page(const PageContent& content, const json& data) {
  std::string sections;
  for (const PageSection& s : content.sections)
    sections += "<section id=\"" + s.id + "\"><h2>" + s.title + "</h2>\n" + s.html + "</section>\n";
  return make_head(content) + "<body>\n" + make_contents(content.sections) +
         "<main class=\"page\" id=\"content\"><div class=\"layout\">\n<div class=\"intro\">\n<h1>" +
         escape_html(content.title) + "</h1>\n" + content.intro +
         "</div>\n<section id=\"motion\"><h2>Motion</h2>\n" + content.motion +
         "</section>\n<div class=\"content\">\n" + sections + "</div>\n</div></main>\n" +
         make_data(data) + "<script>" + page_script() + "</script>\n</body>\n</html>\n";
}

}  // namespace visviva
