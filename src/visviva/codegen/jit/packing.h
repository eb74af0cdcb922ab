// Packing: which values of a program become lanes of one value.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <queue>
#include <vector>

#include "visviva/codegen/jit/alike.h"

namespace visviva::jit {

/// Values of several limbs, a lane each; bits of `signs` negate. Bit 0 is never set: that is left to who uses the pack.
struct Pack {
  enum class Making : std::uint8_t {
    open,
    broadcast,
    known,
    signs,
    join,
    flip,
    sum,
    product,
    quotient
  };
  struct PackTerm {
    int a, b;  // packs; b: or -1
    bool is_negative;
  };
  int width;
  std::array<std::uint32_t, 4> values;
  std::uint8_t signs;
  Making making = Making::open;
  std::vector<PackTerm> terms;  // of a product or quotient: one
  std::uint32_t key = 0;        // its place in the program's order
};

/// Packs of a program's values, from outputs of one shape inwards.
class Packing {
 public:
  explicit Packing(const Program& program);

  /// A sum that is not packed: terms by themselves, and packs whose lanes are added up.
  struct PartedSum {
    std::vector<ValueShapes::Term> terms;
    std::vector<int> packs;
  };

  const std::vector<Pack>& packs() const { return packs_; }
  const ValueShapes& shapes() const { return shapes_; }
  bool holds_packs() const { return !packs_.empty(); }
  PartedSum parts_of(std::uint32_t sum) const;
  /// The pack that computes a value, and its lane; -1 when none does.
  std::pair<int, int> place_of(std::uint32_t v) const { return computed_[v]; }

 private:
  using Value = std::uint32_t;
  using Kind = ValueShapes::Kind;
  using Term = ValueShapes::Term;
  using Members = std::array<Value, 4>;
  // A pack, or its negative.
  struct Reference {
    int pack;
    bool is_negative;
  };

  std::vector<std::vector<Value>> group_outputs() const;
  void pack_group(const std::vector<Value>& group);
  std::uint8_t all_lanes(int width) const { return static_cast<std::uint8_t>((1 << width) - 1); }
  bool is_uniform(int width, const Members& values) const;
  bool is_known(int width, const Members& values) const;

  // ---- Requests
  Reference request(int width, const Members& values, std::uint8_t signs);
  int add(int width, const Members& values, std::uint8_t signs);
  int request_signs(int width, int signs);

  // ---- From packs to their operands
  void expand_all();
  void expand(int p);
  Pack::Making choose_making(int width, const Members& values) const;
  void note_computed(int p);
  void expand_product(int p);
  Pack::PackTerm request_product(int width, const Members& a, const Members& b, std::uint8_t signs);
  std::optional<std::uint8_t> usual_signs(int width, const Members& values) const;
  void expand_sum(int p);
  Pack::PackTerm request_term(int width, const std::array<Term, 4>& terms, std::uint8_t signs);
  bool arrange(const std::vector<Term>& first, std::vector<Term>* terms, int l) const;
  int match(const Term& t, const Term& other, int l) const;
  int match(Value x, Value y, int l) const;

  // ---- Sums over limbs
  void label_values();
  static std::uint8_t both(std::uint8_t a, std::uint8_t b);
  std::uint8_t lane_of(const Term& t) const;
  void find_lane_sums();
  PartedSum part(Value sum);
  std::size_t find_partner(const std::vector<Term>& terms, const std::vector<bool>& is_taken,
                           const Term& t, int l) const;

  const Program& program_;
  ValueShapes shapes_;
  std::vector<Pack> packs_;
  std::vector<std::vector<int>> packs_by_first_;  // by the value in lane 0
  std::map<std::pair<int, int>, int> sign_packs_;
  std::priority_queue<std::pair<std::uint32_t, int>> waiting_;
  std::vector<std::uint8_t> lanes_;
  std::vector<std::pair<int, int>> computed_;  // pack and lane
  std::map<Value, PartedSum> parted_;
};

}  // namespace visviva::jit
