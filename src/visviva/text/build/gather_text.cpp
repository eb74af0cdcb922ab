#include "visviva/text/build/gather_text.h"

#include <map>

#include "visviva/text/build/expand_joints.h"
#include "visviva/text/build/find_mesh.h"
#include "visviva/text/build/read_source.h"
#include "visviva/text/robot/convert_robot.h"
#include "visviva/text/syntax/limits.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

bool takes_file(StatementKind kind) {
  return kind == StatementKind::include || kind == StatementKind::import;
}

std::string identity_of(const fs::path& path) {
  std::error_code problem;
  const fs::path place = fs::weakly_canonical(fs::absolute(path, problem), problem);
  return problem ? path.string() : place.string();
}

// A message with a file called as the text calls it.
std::string name_file(std::string message, const std::string& path, const std::string& name) {
  const std::size_t place = message.find(path);
  return place == std::string::npos ? message : message.replace(place, path.size(), name);
}

class Gathering {
 public:
  explicit Gathering(const SourceText& source)
      : text_{source, {}}, folder_(fs::path(source.file).parent_path()) {
    if (!source.file.empty()) places_[identity_of(source.file)] = {};
  }

  GatheredText gather() {
    read_parts(&text_.source, 0);
    text_.tree.file = text_.source.file;
    add(text_.source, false);
    expand_joints(&text_.tree);
    text_.tree.diagnostics.insert(text_.tree.diagnostics.end(), found_.begin(), found_.end());
    return std::move(text_);
  }

 private:
  // Reads what a text includes, into its parts.
  void read_parts(SourceText* source, int depth) {
    const SyntaxTree tree = parse_syntax(*source, {}, text_.tree.counts);
    text_.tree.functions.insert(tree.functions.begin(), tree.functions.end());
    text_.tree.counts.insert(tree.counts.begin(), tree.counts.end());
    for (const SyntaxStatement& s : tree.statements) {
      if (!takes_file(s.kind) || s.damaged) continue;
      const fs::path path = fs::path(source->file).parent_path() / s.name.text;
      if (!may_include(s, path, depth)) continue;
      Result<SourceText, Diagnostic> part = read_source(path.string());
      if (!part) {
        refuse(s, "E-include-file", name_file(part.why().message, path.string(), s.name.text),
               "paths are taken from the folder of the file that includes");
        continue;
      }
      if (s.kind == StatementKind::import && !convert(s, &*part)) continue;
      part->line = s.span.line;
      read_parts(&*part, depth + 1);
      source->parts.push_back(std::move(*part));
    }
  }

  // Makes a robot's file the text of its model; the file itself stays a part of it, for messages.
  bool convert(const SyntaxStatement& s, SourceText* part) {
    const std::string name = find_clause(s, "as")->values[0].text;
    RobotOptions options{.is_part = true, .prefix = name + "_"};
    options.is_floating = find_clause(s, "floating") != nullptr;
    if (const SyntaxClause* at = find_clause(s, "at")) options.point = write_syntax(at->values[0]);
    if (const SyntaxClause* in = find_clause(s, "in")) options.frame = in->values[0].text;
    options.files = make_robot_files(fs::path(part->file).parent_path(), folder_);
    ConvertedRobot robot = convert_robot(*part, options);
    found_.insert(found_.end(), robot.diagnostics.begin(), robot.diagnostics.end());
    const SourceText file = *part;
    *part = {file.file + " as " + name, robot.text.value_or(""), {file}};
    if (robot.text) return true;
    text_.source.parts.push_back(file);
    return false;
  }

  bool may_include(const SyntaxStatement& s, const fs::path& path, int depth) {
    if (!lies_under(path, folder_)) {
      refuse(s, "E-include-file",
             "\"" + s.name.text + "\" is not in the model's folder or below it",
             "move the file there");
      return false;
    }
    // A robot may stand in a model often, under different names.
    const SyntaxClause* as = find_clause(s, "as");
    const std::string name = as == nullptr ? "" : " as " + as->values[0].text;
    const auto [place, is_fresh] = places_.emplace(identity_of(path) + name, s.span);
    if (!is_fresh) {
      const SourceSpan& first = place->second;
      refuse(s, "E-include-twice", "\"" + s.name.text + "\" is a part of this model already",
             first.line == 0 ? "a model cannot include itself"
                             : "the first include is in line " + std::to_string(first.line) +
                                   (first.file == s.span.file ? "" : " of " + first.file));
      return false;
    }
    if (depth < deepest_include && places_.size() <= most_files) return true;
    refuse(s, "E-include-file", "too many files include one another here",
           "at most " + std::to_string(deepest_include) + " deep, and " +
               std::to_string(most_files) + " in all");
    return false;
  }

  void refuse(const SyntaxStatement& s, const char* code, const std::string& message,
              const std::string& help) {
    found_.push_back({Severity::error, code, message, help, s.name.span});
  }

  // Adds the statements of a text, those of its parts in the places of their includes.
  void add(const SourceText& source, bool is_part) {
    SyntaxTree tree = parse_syntax(source, text_.tree.functions, text_.tree.counts);
    SyntaxTree& all = text_.tree;
    all.counts.insert(tree.counts.begin(), tree.counts.end());
    all.diagnostics.insert(all.diagnostics.end(), tree.diagnostics.begin(), tree.diagnostics.end());
    all.unread_names.merge(tree.unread_names);
    auto part = source.parts.begin();
    for (SyntaxStatement& s : tree.statements) {
      if (takes_file(s.kind)) {
        const bool is_read = part != source.parts.end() && part->line == s.span.line;
        if (is_read) add(*part++, true);
        if (!is_read) all.is_incomplete = true;
      } else if (!is_part || s.kind != StatementKind::model) {  // a part's title is its own
        all.statements.push_back(std::move(s));
      }
    }
  }

  GatheredText text_;
  fs::path folder_;
  std::map<std::string, SourceSpan> places_;  // of the includes, by the files
  std::vector<Diagnostic> found_;
};

}  // namespace

GatheredText gather_text(const SourceText& source) { return Gathering(source).gather(); }

}  // namespace visviva
