#include "visviva/text/build/constraint_mentions.h"

namespace visviva {
namespace {

class MentionCollector {
 public:
  MentionCollector(NameTable& names, const ModelData& model) : names_(names), model_(model) {}

  void collect(const Expression& e) {
    if (e.kind == Expression::Kind::axis && names_.lets().contains(e.text)) {
      Expression let{Expression::Kind::name, e.span, e.text};
      collect(let);
      return add_frame("N");
    }
    if (e.kind == Expression::Kind::axis) return add_frame(e.text);
    if (e.kind == Expression::Kind::name) return collect_name(e);
    const bool is_motion =
        e.kind == Expression::Kind::call && (e.text == "velocity" || e.text == "angular_velocity");
    if (is_motion) return collect_motion(e);
    for (const Expression& operand : e.operands) collect(operand);
    if (e.kind == Expression::Kind::component) add_frame("N");
  }

  std::vector<Mention> take() { return std::move(all_); }

 private:
  void collect_name(const Expression& e) {
    const auto let = names_.lets().find(e.text);
    if (e.primes == 0 && let != names_.lets().end()) {
      if (let->second.item != nullptr && let->second.item->value) collect(*let->second.item->value);
      return;
    }
    if (const auto scalar = names_.scalars().find(e.text)) {
      const SymbolRole* role = model_.role(scalar->expr());
      if (role != nullptr && role->role == Role::coordinate)
        all_.push_back({Mention::Kind::coordinate, role->index});
    } else {
      add_point(e.text);
    }
  }

  // velocity(P), velocity(P, A), velocity(P on C), angular_velocity(B, A)
  void collect_motion(const Expression& e) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const Expression& operand = e.operands[i];
      const bool is_point = e.text == "velocity" && i == 0;
      if (operand.kind == Expression::Kind::phrase && operand.operands.size() == 2)
        add_frame(operand.operands[1].text);
      else if (is_point)
        add_point(operand.text);
      else
        add_frame(operand.text);
    }
  }

  void add_frame(const std::string& name) {
    const auto found = model_.frame_places.find(name);
    if (found != model_.frame_places.end()) all_.push_back({Mention::Kind::frame, found->second});
  }

  void add_point(const std::string& name) {
    const auto found = model_.point_places.find(name);
    if (found != model_.point_places.end()) all_.push_back({Mention::Kind::point, found->second});
  }

  NameTable& names_;
  const ModelData& model_;
  std::vector<Mention> all_;
};

}  // namespace

std::vector<Mention> list_mentions(NameTable& names, const ModelData& model,
                                   const std::vector<const Expression*>& expressions) {
  MentionCollector collector(names, model);
  for (const Expression* e : expressions) collector.collect(*e);
  return collector.take();
}

}  // namespace visviva
