#include "visviva/codegen/jit/lanes.h"

#include <algorithm>
#include <array>

#include "visviva/codegen/jit/packing.h"
#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {
namespace {

constexpr std::size_t least_operations = 300;  // smaller programs are fast as they are
constexpr double worth = 0.85;                 // of their operations must be left at most

using Value = std::uint32_t;
using Kind = ValueShapes::Kind;
using Term = ValueShapes::Term;

// The program with packs.
class LaneWriter {
 public:
  LaneWriter(const StagedProgram& staged, const Packing& packing)
      : old_(staged.main),
        packing_(packing),
        prologue_(staged.prologue),
        scalars_(old_.operations.size()),
        packs_(packing.packs().size()) {
    program_.input_count = old_.input_count;
    program_.tables = old_.tables;
    out_.set_width(1);
  }

  void run() {
    for (const Item& item : list_items()) write(item);
    out_.set_width(1);
    for (const Value v : old_.outputs) program_.outputs.push_back(out_.materialize(*scalars_[v]));
    program_.parameter_count = prologue_.outputs.size();
  }

  Program program_;
  Program& prologue() { return prologue_; }

 private:
  struct Item {
    std::uint32_t key;
    bool is_pack;
    std::uint32_t index;
    auto operator<=>(const Item&) const = default;
  };

  Item scalar(Value v) const { return {v, false, v}; }
  Item pack(int p) const { return {packing_.packs()[p].key, true, static_cast<std::uint32_t>(p)}; }

  // What an item needs.
  template <class Take>
  void for_each_need(const Item& item, Take take) const {
    if (item.is_pack) return for_each_need(packing_.packs()[item.index], take);
    const Value v = item.index;
    if (const int p = packing_.place_of(v).first; p >= 0) return take(pack(p));
    if (packing_.shapes().kind(v) != Kind::sum)
      return for_each_use(old_.operations[v], [&](Value x) { take(scalar(x)); });
    const Packing::PartedSum parts = packing_.parts_of(v);
    for (const Term& t : parts.terms) {
      take(scalar(t.a));
      if (t.b != no_value) take(scalar(t.b));
    }
    for (const int p : parts.packs) take(pack(p));
  }

  template <class Take>
  void for_each_need(const Pack& p, Take take) const {
    if (p.making == Pack::Making::broadcast) take(scalar(p.values[0]));
    if (p.making == Pack::Making::join)
      for (int l = 0; l < p.width; ++l) take(scalar(p.values[l]));
    for (const Pack::PackTerm& t : p.terms) {
      take(pack(t.a));
      if (t.b >= 0) take(pack(t.b));
    }
  }

  // All that outputs need, in the program's order.
  std::vector<Item> list_items() const {
    std::vector<bool> is_listed[2] = {std::vector<bool>(scalars_.size()),
                                      std::vector<bool>(packs_.size())};
    std::vector<Item> items;
    const auto list = [&](const Item& item) {
      if (is_listed[item.is_pack][item.index]) return;
      is_listed[item.is_pack][item.index] = true;
      items.push_back(item);
    };
    for (const Value v : old_.outputs) list(scalar(v));
    for (std::size_t k = 0; k < items.size(); ++k) for_each_need(Item(items[k]), list);
    std::sort(items.begin(), items.end());
    return items;
  }

  bool is_written(const Item& item) const {
    return item.is_pack ? packs_[item.index].has_value() : scalars_[item.index].has_value();
  }

  // With what it needs first.
  void write(const Item& wanted) {
    std::vector<Item> open = {wanted};
    while (!open.empty()) {
      const Item item = open.back();
      const std::size_t before = open.size();
      if (!is_written(item))
        for_each_need(item, [&](const Item& need) {
          if (!is_written(need)) open.push_back(need);
        });
      if (open.size() > before) continue;
      open.pop_back();
      if (is_written(item)) continue;
      if (item.is_pack)
        packs_[item.index] = write_pack(packing_.packs()[item.index]);
      else
        scalars_[item.index] = write_scalar(item.index);
    }
  }

  static SignedValue negated_if(SignedValue s, bool is_negative) {
    return {s.value, s.is_negative != is_negative};
  }

  // ---- Values by themselves

  SignedValue write_scalar(Value v) {
    out_.set_width(1);
    if (const auto [p, l] = packing_.place_of(v); p >= 0) {
      const bool is_negative = (packing_.packs()[p].signs >> l & 1) != 0;
      const SignedValue whole = *packs_[p];
      return {out_.push({Code::lane, Op::constant, 0, whole.value, static_cast<std::uint32_t>(l)}),
              whole.is_negative != is_negative};
    }
    Operation o = old_.operations[v];
    switch (packing_.shapes().kind(v)) {
      case Kind::sum:
        return write_sum(packing_.parts_of(v));
      case Kind::product:
        return out_.multiply(*scalars_[o.a], *scalars_[o.b]);
      case Kind::quotient:
        return out_.divide(*scalars_[o.a], *scalars_[o.b]);
      default:
        break;
    }
    if (o.code == Code::constant) return {out_.push_constant(old_.constants[o.a])};
    const int operands = operand_count(o);
    if (operands > 0) o.a = out_.materialize(*scalars_[o.a]);
    if (operands > 1) o.b = out_.materialize(*scalars_[o.b]);
    return {out_.push(o)};
  }

  SignedValue write_sum(const Packing::PartedSum& parts) {
    std::vector<SumTerm> terms;
    for (const Term& t : parts.terms) {
      SumTerm made =
          t.b == no_value ? out_.term(*scalars_[t.a]) : out_.term(*scalars_[t.a], *scalars_[t.b]);
      made.is_negative = made.is_negative != t.is_negative;
      terms.push_back(made);
    }
    for (const int p : parts.packs) {
      const SignedValue lanes = *packs_[p];
      terms.push_back(out_.term(
          {out_.push({Code::lane_sum, Op::constant, 0, lanes.value}), lanes.is_negative}));
    }
    return out_.sum(std::move(terms));
  }

  // ---- Packs

  SignedValue write_pack(const Pack& p) {
    out_.set_width(p.width);
    switch (p.making) {
      case Pack::Making::known:
        return write_known(p);
      case Pack::Making::signs:
        return write_signs(p);
      case Pack::Making::broadcast: {
        const SignedValue one = *scalars_[p.values[0]];
        return {out_.push({Code::broadcast, Op::constant, 0, one.value}), one.is_negative};
      }
      case Pack::Making::join:
        return write_join(p);
      case Pack::Making::quotient:
        return negated_if(out_.divide(*packs_[p.terms[0].a], *packs_[p.terms[0].b]),
                          p.terms[0].is_negative);
      default:
        break;
    }
    std::vector<SumTerm> terms;
    for (const Pack::PackTerm& t : p.terms) {
      SumTerm made = t.b < 0 ? out_.term(*packs_[t.a]) : out_.term(*packs_[t.a], *packs_[t.b]);
      made.is_negative = made.is_negative != t.is_negative;
      terms.push_back(made);
    }
    return out_.sum(std::move(terms));
  }

  SignedValue write_join(const Pack& p) {
    std::array<Value, 4> lanes{};
    bool all_negative = true;
    std::array<SignedValue, 4> signed_lanes;
    for (int l = 0; l < p.width; ++l) {
      signed_lanes[l] = negated_if(*scalars_[p.values[l]], (p.signs >> l & 1) != 0);
      all_negative = all_negative && signed_lanes[l].is_negative;
    }
    out_.set_width(1);
    for (int l = 0; l < p.width; ++l)
      lanes[l] = out_.materialize(negated_if(signed_lanes[l], all_negative));
    const auto join = [&](Value a, Value b, int width) {
      out_.set_width(width);
      return out_.push({Code::join, Op::constant, 0, a, b});
    };
    const Value first = join(lanes[0], lanes[1], 2);
    if (p.width == 2) return {first, all_negative};
    return {join(first, join(lanes[2], lanes[3], 2), 4), all_negative};
  }

  SignedValue write_signs(const Pack& p) {
    std::vector<double> numbers;
    for (int l = 0; l < p.width; ++l) numbers.push_back((p.signs >> l & 1) != 0 ? -1.0 : 1.0);
    return write_constants(numbers);
  }

  SignedValue write_constants(const std::vector<double>& numbers) {
    const auto first = static_cast<std::uint32_t>(program_.constants.size());
    program_.constants.insert(program_.constants.end(), numbers.begin(), numbers.end());
    return {out_.push({Code::constant, Op::constant, 0, first, 1})};
  }

  SignedValue write_known(const Pack& p) {
    const Operation& one = old_.operations[p.values[0]];
    bool are_constants = true, is_one = p.signs == 0;
    for (int l = 0; l < p.width; ++l) {
      are_constants = are_constants && old_.operations[p.values[l]].code == Code::constant;
      is_one = is_one && p.values[l] == p.values[0];
    }
    if (is_one && !are_constants) return {out_.push(one)};
    if (!are_constants) return write_parameters(p);
    if (is_one) return {out_.push_constant(old_.constants[one.a])};
    std::vector<double> numbers;
    for (int l = 0; l < p.width; ++l) {
      const double number = old_.constants[old_.operations[p.values[l]].a];
      numbers.push_back((p.signs >> l & 1) != 0 ? -number : number);
    }
    return write_constants(numbers);
  }

  // Side by side, by the prologue.
  SignedValue write_parameters(const Pack& p) {
    const auto first = static_cast<std::uint32_t>(prologue_.outputs.size());
    const auto push = [&](const Operation& o) {
      prologue_.operations.push_back(o);
      return static_cast<std::uint32_t>(prologue_.operations.size() - 1);
    };
    for (int l = 0; l < p.width; ++l) {
      const Operation& o = old_.operations[p.values[l]];
      std::uint32_t value = 0;
      if (o.code == Code::parameter) {
        value = prologue_.outputs[o.a];
      } else {
        prologue_.constants.push_back(old_.constants[o.a]);
        value = push({Code::constant, Op::constant, 0,
                      static_cast<std::uint32_t>(prologue_.constants.size() - 1)});
      }
      if ((p.signs >> l & 1) != 0) value = push({Code::negate, Op::constant, 0, value});
      prologue_.outputs.push_back(value);
    }
    return {out_.push({Code::parameter, Op::constant, 0, first, 1})};
  }

  const Program& old_;
  const Packing& packing_;
  Program prologue_;
  OperationWriter out_{program_};
  std::vector<std::optional<SignedValue>> scalars_, packs_;
};

// Of a processor; four lanes are added up by four instructions.
std::size_t count_cost(const Program& program) {
  std::size_t count = 0;
  for (const Operation& o : program.operations)
    if (!is_leaf(o.code)) count += o.code == Code::lane_sum ? 3 : 1;
  return count;
}

}  // namespace

std::optional<Program> find_lanes(StagedProgram* staged) {
  if (staged->main.operations.size() < least_operations) return {};
  const Packing packing(staged->main);
  if (!packing.holds_packs()) return {};
  LaneWriter writer(*staged, packing);
  writer.run();
  if (static_cast<double>(count_cost(writer.program_)) >
      worth * static_cast<double>(count_cost(staged->main)))
    return {};
  staged->prologue = std::move(writer.prologue());
  return std::move(writer.program_);
}

}  // namespace visviva::jit
