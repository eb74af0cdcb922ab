#include "visviva/codegen/export/template.h"

#include "visviva/base/error.h"

namespace visviva {
namespace {

// A piece of a template: fixed text, a gap, or lines under a condition or a list.
struct TemplateNode {
  enum class Kind { text, value, condition, repetition };
  Kind kind;
  std::string text;         // fixed text, or a name
  bool is_negated = false;  // `$if not`
  std::vector<TemplateNode> inside{}, otherwise{};
};

[[noreturn]] void refuse(const std::string& what, std::string_view where) {
  throw InternalError("template: " + what + " '" + std::string(where) + "'");
}

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view text) : rest_(text) {}

  std::vector<TemplateNode> parse() {
    std::vector<TemplateNode> nodes;
    const std::string_view end = parse_lines(&nodes);
    if (!end.empty()) refuse("nothing to end at", end);
    return nodes;
  }

 private:
  std::string_view next_line() {
    const std::size_t end = rest_.find('\n');
    const std::size_t size = end == std::string_view::npos ? rest_.size() : end + 1;
    const std::string_view line = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return line;
  }

  // Up to the end of the text, "$else" or "$end", which it returns.
  std::string_view parse_lines(std::vector<TemplateNode>* nodes) {
    while (!rest_.empty()) {
      const std::string_view line = next_line();
      if (line[0] != '$' || line.starts_with("${")) {
        parse_gaps(line, nodes);
        continue;
      }
      const std::string_view order = line.substr(0, line.find('\n'));
      if (order == "$else" || order == "$end") return order;
      parse_order(order, nodes);
    }
    return {};
  }

  void parse_order(std::string_view order, std::vector<TemplateNode>* nodes) {
    using Kind = TemplateNode::Kind;
    const std::string_view verb = order.substr(0, order.find(' '));
    std::string_view name = order.substr(std::min(verb.size() + 1, order.size()));
    if (verb == "$#") return;
    if (verb == "$lines") {
      nodes->push_back({Kind::value, std::string(name)});
    } else if (verb == "$each") {
      TemplateNode node{Kind::repetition, std::string(name)};
      if (parse_lines(&node.inside) != "$end") refuse("no $end of", order);
      nodes->push_back(std::move(node));
    } else if (verb == "$if") {
      const bool is_negated = name.starts_with("not ");
      if (is_negated) name.remove_prefix(4);
      TemplateNode node{Kind::condition, std::string(name), is_negated};
      std::string_view end = parse_lines(&node.inside);
      if (end == "$else") end = parse_lines(&node.otherwise);
      if (end != "$end") refuse("no $end of", order);
      nodes->push_back(std::move(node));
    } else {
      refuse("unknown line", order);
    }
  }

  static void parse_gaps(std::string_view line, std::vector<TemplateNode>* nodes) {
    using Kind = TemplateNode::Kind;
    while (!line.empty()) {
      const std::size_t gap = line.find("${");
      if (gap != 0) nodes->push_back({Kind::text, std::string(line.substr(0, gap))});
      if (gap == std::string_view::npos) return;
      const std::size_t end = line.find('}', gap);
      if (end == std::string_view::npos) refuse("no end of a name in", line);
      nodes->push_back({Kind::value, std::string(line.substr(gap + 2, end - gap - 2))});
      line.remove_prefix(end + 1);
    }
  }

  std::string_view rest_;
};

// Writes nodes with the values of a scope and of those around it.
class TemplateFiller {
 public:
  explicit TemplateFiller(const TemplateValues& values) : scopes_{&values} {}

  std::string fill(const std::vector<TemplateNode>& nodes) {
    write(nodes);
    return std::move(out_);
  }

 private:
  using Kind = TemplateNode::Kind;

  void write(const std::vector<TemplateNode>& nodes) {
    for (const TemplateNode& n : nodes) {
      if (n.kind == Kind::text) {
        out_ += n.text;
      } else if (n.kind == Kind::value) {
        out_ += find(&TemplateValues::texts, n.text);
      } else if (n.kind == Kind::condition) {
        write(holds(n.text) != n.is_negated ? n.inside : n.otherwise);
      } else {
        for (const TemplateValues& item : find(&TemplateValues::lists, n.text)) {
          scopes_.push_back(&item);
          write(n.inside);
          scopes_.pop_back();
        }
      }
    }
  }

  // The innermost value of a name; null without one.
  template <class Map>
  const typename Map::mapped_type* look_up(Map TemplateValues::*map,
                                           const std::string& name) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const Map& values = scopes_[i]->*map;
      const auto found = values.find(name);
      if (found != values.end()) return &found->second;
    }
    return nullptr;
  }

  template <class Map>
  const typename Map::mapped_type& find(Map TemplateValues::*map, const std::string& name) const {
    const auto* value = look_up(map, name);
    if (value == nullptr) refuse("no value of", name);
    return *value;
  }

  bool holds(const std::string& name) const {
    if (const bool* flag = look_up(&TemplateValues::flags, name)) return *flag;
    if (const auto* list = look_up(&TemplateValues::lists, name)) return !list->empty();
    return !find(&TemplateValues::texts, name).empty();
  }

  std::vector<const TemplateValues*> scopes_;  // the innermost last
  std::string out_;
};

void add_names(const std::vector<TemplateNode>& nodes, std::set<std::string>* names) {
  for (const TemplateNode& n : nodes) {
    if (n.kind != TemplateNode::Kind::text) names->insert(n.text);
    add_names(n.inside, names);
    add_names(n.otherwise, names);
  }
}

}  // namespace

std::string fill_template(std::string_view text, const TemplateValues& values) {
  return TemplateFiller(values).fill(TemplateParser(text).parse());
}

std::set<std::string> list_template_names(std::string_view text) {
  std::set<std::string> names;
  add_names(TemplateParser(text).parse(), &names);
  return names;
}

std::set<std::string> list_value_names(const TemplateValues& values) {
  std::set<std::string> names;
  for (const auto& [name, text] : values.texts) names.insert(name);
  for (const auto& [name, flag] : values.flags) names.insert(name);
  for (const auto& [name, items] : values.lists) {
    names.insert(name);
    for (const TemplateValues& item : items) names.merge(list_value_names(item));
  }
  return names;
}

}  // namespace visviva
