// A tiny template engine: fixed text with named gaps, and lines that are repeated or left out.
//
//   ${name}              the value of a name; values are never read as templates
//   $lines name          the value's own lines, which may be none
//   $if name ... $else ... $end     `$if not name` too; $else may be missing
//   $each list ... $end  once for every item, whose values hide those outside of it
//   $# words             a remark for who reads the template
// Only ${name} stands inside lines; the others are lines of their own, which leave no trace.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace visviva {

/// The texts that the names of a template stand for.
struct TemplateValues {
  std::map<std::string, std::string> texts{};  ///< in $if, a text holds when it is not empty
  std::map<std::string, bool> flags{};         ///< for $if only
  std::map<std::string, std::vector<TemplateValues>> lists{};  ///< in $if, one that has items holds
};

/// The template with its gaps filled. InternalError for a name without a value, and for a template that cannot be
/// read.
std::string fill_template(std::string_view text, const TemplateValues& values);

/// All names that a template mentions.
std::set<std::string> list_template_names(std::string_view text);

/// All names that have a value, those inside of lists included.
std::set<std::string> list_value_names(const TemplateValues& values);

}  // namespace visviva
