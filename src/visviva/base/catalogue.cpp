#include "visviva/base/catalogue.h"

#include <algorithm>

#include "visviva/base/catalogue_tables.h"
#include "visviva/base/suggest.h"

namespace visviva {
namespace {

std::vector<CatalogueEntry> join(const std::vector<std::vector<CatalogueEntry>>& tables) {
  std::vector<CatalogueEntry> all;
  for (const auto& table : tables) all.insert(all.end(), table.begin(), table.end());
  return all;
}

std::string indent(std::string_view text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue(CatalogueStage stage) {
  static const auto text = join({text_catalogue()});
  static const auto model =
      join({meaning_catalogue(), mechanics_catalogue(), continuum_catalogue()});
  static const auto command = join({command_catalogue()});
  return stage == CatalogueStage::text ? text : stage == CatalogueStage::model ? model : command;
}

std::vector<CatalogueEntry> full_catalogue() {
  auto all = join({catalogue(CatalogueStage::text), catalogue(CatalogueStage::model),
                   catalogue(CatalogueStage::command)});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
  return all;
}

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  for (const auto stage : {CatalogueStage::text, CatalogueStage::model, CatalogueStage::command}) {
    const auto& entries = catalogue(stage);
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [code](const auto& e) { return e.code == code; });
    if (found != entries.end()) return &*found;
  }
  return nullptr;
}

std::string explain_code(std::string_view code) {
  if (const CatalogueEntry* entry = find_in_catalogue(code)) {
    return std::string(entry->code) + ": " + std::string(entry->title) + "\n\n" +
           std::string(entry->explanation) + "\n\nWrong:\n" + indent(entry->wrong) +
           "\n\nRight:\n" + indent(entry->right) + "\n";
  }
  std::vector<std::string> codes;
  for (const CatalogueEntry& entry : full_catalogue()) codes.emplace_back(entry.code);
  const std::string help = did_you_mean(code, codes);
  return "there is no code '" + std::string(code) + "'" + (help.empty() ? "" : "; " + help) + "\n";
}

}  // namespace visviva
