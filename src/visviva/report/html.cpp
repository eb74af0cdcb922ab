#include "visviva/report/html.h"

#include "visviva/base/escape.h"

namespace visviva {

std::string make_page(std::string_view title, std::string_view body) {
  static constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #8886; padding: 0.4rem 0.8rem; text-align: left; vertical-align: top; }
.wide { overflow-x: auto; }
math { font-size: 1.1rem; }
)";
  const std::string safe_title = escape_html(title);
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<title>" + safe_title + "</title>\n<style>" + std::string(style) +
          "</style>\n</head>\n<body>\n";
  page += "<h1>" + safe_title + "</h1>\n" + std::string(body) + "</body>\n</html>\n";
  return page;
}

}  // namespace visviva
