#include "visviva/report/page/page_frame.h"

#include <nlohmann/json.hpp>

#include "visviva/base/base64.h"
#include "visviva/report/page/assets.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

std::string make_policy() {
  const std::string digest = page_script_digest();
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i + 1 < digest.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(digest.substr(i, 2), nullptr, 16)));
  return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src "
         "'sha256-" +
         encode_base64(bytes.data(), bytes.size()) + "'";
}

Html make_meta(const char* name, const Html& content) {
  return void_element("meta", {{"name", name}, {"content", content}}) + "\n";
}

Html make_head(const PageContent& content) {
  // The policy's quotes may stand in an attribute as they are.
  const Html policy = void_element(
      "meta", {{"http-equiv", "Content-Security-Policy"}, {"content", raw_html(make_policy())}});
  const Html style = element("style", "\n" + raw_html(page_style()));
  return element("head", "\n" + void_element("meta", {{"charset", "utf-8"}}) + "\n" + policy +
                             "\n" + make_meta("viewport", "width=device-width, initial-scale=1") +
                             make_meta("generator", "Visviva " + content.version) +
                             element("title", content.title) + "\n" + style + "\n") +
         "\n";
}

Html make_link(const std::string& id, const Html& words) {
  return element("a", {{"href", "#" + id}}, words);
}

Html make_contents(const std::vector<PageSection>& sections) {
  Html items = element("li", make_link("motion", "Motion"));
  for (const PageSection& s : sections) items += element("li", make_link(s.id, s.title));
  const Html skip =
      element("a", {{"class", "skip"}, {"href", "#content"}}, "Skip to the content") + "\n";
  const Html theme = element("button", {{"type", "button"}, {"id", "theme"}, {"hidden"}}, "");
  const Html list = element("nav", {{"aria-label", "Contents"}}, element("ul", items));
  return skip + element("header", {{"class", "top"}}, list + theme) + "\n";
}

// No "<" leaves a string, so that no text can end the element.
Html make_data(const json& data) {
  std::string text = data.dump(-1, ' ', true, json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return element("script", {{"type", "application/json"}, {"id", "visviva-data"}}, raw_html(text)) +
         "\n";
}

Html make_section(const PageSection& s) {
  return element("section", {{"id", s.id}}, element("h2", s.title) + "\n" + s.content) + "\n";
}

Html make_body(const PageContent& content, const json& data) {
  Html sections = "\n";
  for (const PageSection& s : content.sections) sections += make_section(s);
  const Html intro = "\n" + element("h1", content.title) + "\n" + content.intro;
  const Html layout = "\n" + element("div", {{"class", "intro"}}, intro) + "\n" +
                      make_section({"motion", "Motion", content.motion}) +
                      element("div", {{"class", "content"}}, sections) + "\n";
  return element("body", "\n" + make_contents(content.sections) +
                             element("main", {{"class", "page"}, {"id", "content"}},
                                     element("div", {{"class", "layout"}}, layout)) +
                             "\n" + make_data(data) + element("script", raw_html(page_script())) +
                             "\n") +
         "\n";
}

}  // namespace

std::string make_page(const PageContent& content, const json& data) {
  const Html page =
      element("html", {{"lang", "en"}}, "\n" + make_head(content) + make_body(content, data));
  return "<!doctype html>\n" + page.markup() + "\n";
}

}  // namespace visviva
