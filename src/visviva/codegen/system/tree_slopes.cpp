#include "visviva/codegen/system/tree_slopes.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/codegen/system/column_derivatives.h"
#include "visviva/equations/methods/tree_dynamics.h"

namespace visviva {
namespace {

Column3 twice(const Column3& c) { return c + c; }

Column3 differentiate_rotation(const Matrix3& R, const Matrix3& dR) {
  const auto part = [&](std::size_t i, std::size_t j) {  // of R' dR, antisymmetric
    const auto entry = [&](std::size_t a, std::size_t b) {
      return R[0][a] * dR[0][b] + R[1][a] * dR[1][b] + R[2][a] * dR[2][b];
    };
    return 0.5 * (entry(i, j) - entry(j, i));
  };
  return {part(2, 1), part(0, 2), part(1, 0)};
}

// Coordinates, and hidden states, by other symbols: what is left of them in values that do not depend on them must vanish again.
std::vector<Expr> make_own_symbols(const RunExpressions& system) {
  std::vector<Expr> own = system.state;
  for (std::size_t i = 0; i < system.configuration_count; ++i)
    own[i] = system.pool.scratch_symbol("link " + system.state_names[i]);
  return own;
}

Replacements pair_up(const std::vector<Expr>& old, const std::vector<Expr>& own) {
  Replacements all;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (own[i] != old[i]) all.emplace_back(old[i], own[i]);
  return all;
}

class SlopeMaker {
 public:
  SlopeMaker(RunExpressions& system, const LinkTree& tree)
      : system_(system),
        pool_(system.pool),
        state_(make_own_symbols(system)),
        renaming_(pool_, pair_up(system.state, state_)),
        columns_(system, state_),
        tree_(tree) {}

  std::optional<TreeSlopes> make() {
    put_definitions();
    if (!is_constant()) return {};
    rest_ = make_rest();
    for (std::size_t l = 0; l < links_.size(); ++l) go_outward(l);
    for (std::size_t l = links_.size(); l-- > 0;) go_inward(l);
    for (std::size_t l = 0; l < links_.size(); ++l) {
      for (const auto& [r, column] : links_[l].entries) add_speed(l, r, column);
      add_changes(l);
    }
    add_ground();
    add_loads();
    for (const Link& link : links_) result_.parents.push_back(link.parent);
    result_.state = state_;
    return std::move(result_);
  }

 private:
  // All in N; places and velocities from the tree's first link.
  struct Motion {
    Matrix3 R;
    Column3 w, alpha;   // of the link
    Column3 p, v, a;    // of its pivot; a less gravity
    Column3 c, c_rate;  // of the pivot, from the parent's
    Expr m;             // of all that hangs on it
    Column3 h, H;
    Matrix3 S, N;  // sum m r r'
    Expr size;     // tr S

    Column3 inertia(const Column3& x) const { return size * x - S * x; }  // J x
    Column3 f, n;
  };

  static void append(std::vector<Expr>* all, const Column3& c) {
    all->insert(all->end(), c.begin(), c.end());
  }
  static void append(std::vector<Expr>* all, const Matrix3& m) {
    for (const Column3& c : m) append(all, c);
  }

  // By definitions first: forms that hold the old coordinates are avoided from then on.
  void put_definitions() {
    links_ = tree_.links;
    loads_ = tree_.loads;
    ground_ = tree_.ground;
    put_all([this](const Expr& e) { return system_.put(e); });
    system_.avoid(
        {system_.state.begin(),
         system_.state.begin() + static_cast<std::ptrdiff_t>(system_.configuration_count)});
    put_all([this](const Expr& e) { return renaming_(e); });
  }

  template <class Put>
  void put_all(const Put& put) {
    const auto put_column = [&](Column3* c) {
      for (Expr& e : *c) e = put(e);
    };
    const auto put_matrix = [&](Matrix3* m) {
      for (Column3& c : *m) put_column(&c);
    };
    for (Link& link : links_) {
      for (Column3* c : {&link.offset, &link.rate, &link.second, &link.h}) put_column(c);
      for (auto& entry : link.entries) put_column(&entry.second);
      for (Expr& e : link.quaternion) e = put(e);
      link.mass = put(link.mass);
      put_matrix(&link.S);
      if (link.turns) put_matrix(&link.R);
    }
    for (Expr& e : loads_) e = put(e);
    put_column(&ground_);
  }

  // False where something that does not change along a motion is no function of parameters alone.
  bool is_constant() const {
    std::vector<Expr> constant;
    for (const Link& link : links_) {
      if (link.turns) append(&constant, link.offset);
      constant.push_back(link.mass);
      append(&constant, link.h);
      append(&constant, link.S);
    }
    if (!columns_.list(constant).empty()) return false;
    for (const int column : columns_.list(ground_))
      if (column != columns_.time_column()) return false;
    return true;
  }

  Column3 zero() const { return zero_column(pool_); }

  // The ground.
  Motion make_rest() const {
    Motion m;
    m.R = identity_matrix(pool_);
    m.w = m.alpha = m.p = m.v = m.c = m.c_rate = m.h = m.H = m.f = m.n = zero();
    m.a = ground_;
    m.m = pool_.zero();
    m.S = m.N = zero_matrix(pool_);
    m.size = pool_.zero();
    return m;
  }

  const Motion& parent_of(std::size_t l) const {
    const int parent = links_[l].parent;
    return parent < 0 ? rest_ : motions_[static_cast<std::size_t>(parent)];
  }

  // ---- Outward: motions, and what each link by itself needs

  void go_outward(std::size_t l) {
    const Link& link = links_[l];
    const Motion& P = parent_of(l);
    Motion m = rest_;
    m.c = P.R * link.offset;
    m.c_rate = cross(P.w, m.c);
    Column3 second = cross(P.alpha, m.c);
    if (link.turns) {
      m.R = P.R * link.R;
      const Column3 own = m.R * link.rate;
      m.w = P.w + own;
      m.alpha = P.alpha + m.R * link.second + cross(P.w, own);
      second = second + cross(P.w, m.c_rate);
    } else {
      const Column3 own = P.R * link.rate;
      m.R = P.R;
      m.w = P.w;
      m.alpha = P.alpha;
      second = second + P.R * link.second + cross(P.w, twice(own) + m.c_rate);
      m.c_rate = m.c_rate + own;
    }
    m.a = P.a + second;
    if (link.parent >= 0) {  // the first link is where places are counted from
      m.p = P.p + m.c;
      m.v = P.v + m.c_rate;
    }
    add_body(link, &m);
    motions_.push_back(std::move(m));
  }

  void add_body(const Link& link, Motion* m) const {
    m->m = link.mass;
    m->h = m->R * link.h;
    m->S = turn_inertia(m->R, link.S);
    m->size = link.S[0][0] + link.S[1][1] + link.S[2][2];
    m->H = cross(m->w, m->h);
    m->N = cross_matrix(m->w) * m->S;
    m->f = m->m * m->a + cross(m->alpha, m->h) + cross(m->w, m->H);
    m->n = cross(m->h, m->a) + m->inertia(m->alpha) - m->N * m->w;
  }

  // ---- Inward: composite bodies

  void go_inward(std::size_t l) {
    if (links_[l].parent < 0) return;
    const Motion& child = motions_[l];
    Motion& m = motions_[static_cast<std::size_t>(links_[l].parent)];
    const Column3 gain = child.m * child.c, h = child.h + gain;
    m.N = m.N + (child.N + outer(child.H, child.c) + outer(child.c_rate, h));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j)
        m.S[i][j] = m.S[j][i] =
            m.S[i][j] + (child.S[i][j] + child.h[i] * child.c[j] + child.c[i] * h[j]);
    m.size += child.size + dot(child.c, child.h + h);
    m.m += child.m;
    m.h = m.h + h;
    m.H = m.H + (child.H + child.m * child.c_rate);
    m.f = m.f + child.f;
    m.n = m.n + child.n + cross(child.c, child.f);
  }

  // ---- Vectors

  static void write(std::vector<Expr>* all, std::initializer_list<Column3> vectors) {
    for (const Column3& v : vectors) append(all, v);
  }
  static Expr trace(const Matrix3& N) { return N[0][0] + N[1][1] + N[2][2]; }

  void add_speed(std::size_t l, int r, const Column3& column) {
    const Link& link = links_[l];
    const Motion& m = motions_[l];
    Column3 v = zero(), w = zero(), F, T, B;
    if (link.turns) {
      w = m.R * column;
      F = cross(w, m.h);
      T = m.inertia(w);
      B = twice(trace(m.N) * w - transpose(m.N) * w);
    } else {
      v = m.R * column;
      F = m.m * v;
      T = cross(m.h, v);
      B = twice(cross(m.H, v));
    }
    T = T + cross(m.p, F);
    B = B + twice(cross(m.v, F));
    result_.speeds.push_back({to_int(l), r});
    write(&result_.speed_vectors, {v + cross(m.p, w), w, F, T, B});
    // The entry's own change, met by what is needed.
    for (const int s : columns_.list(column)) {
      const Column3 change = m.R * columns_(column, s);
      add_term(r, s, dot(change, link.turns ? m.n : m.f));
    }
  }

  void add_changes(std::size_t l) {
    const Link& link = links_[l];
    std::vector<Expr> own;
    if (link.turns)
      append(&own, link.R);
    else
      append(&own, link.offset);
    append(&own, link.rate);
    append(&own, link.second);
    for (const int s : columns_.list(own)) {
      if (link.turns)
        add_turn(l, s);
      else
        add_slide(l, s);
    }
  }

  void add_turn(std::size_t l, int s) {
    const Link& link = links_[l];
    const Motion& m = motions_[l];
    const Motion& P = parent_of(l);
    const Column3 theta = m.R * turn_by(link, s), rate = m.R * columns_(link.rate, s);
    const Column3 first = rate + cross(P.w, theta);
    const Column3 second = m.R * columns_(link.second, s) + cross(m.w, rate) +
                           cross(P.alpha, theta) + cross(P.w, first);
    const Column3 A = -cross(theta, m.a);
    const Column3 f = cross(theta, m.f) + m.m * A + cross(second, m.h) + twice(cross(first, m.H));
    const Column3 n = cross(theta, m.n) + cross(m.h, A) + m.inertia(second) +
                      twice(trace(m.N) * first - m.N * first);
    add_change(l, s, A, second, first, f, n);
  }

  // phi of a column. Euler parameters e0, e: 2 (e0 de - de0 e - e x de), which does not turn where they grow.
  Column3 turn_by(const Link& link, int s) {
    if (!link.quaternion.empty() && columns_.list(link.quaternion).size() == 4) {
      std::array<Expr, 4> de;
      for (std::size_t i = 0; i < 4; ++i) de[i] = columns_(link.quaternion[i], s);
      const Column3 e = {link.quaternion[1], link.quaternion[2], link.quaternion[3]},
                    change = {de[1], de[2], de[3]};
      return twice(link.quaternion[0] * change - de[0] * e - cross(e, change));
    }
    Matrix3 dR;
    for (std::size_t i = 0; i < 3; ++i) dR[i] = columns_(link.R[i], s);
    return differentiate_rotation(link.R, dR);
  }

  void add_slide(std::size_t l, int s) {
    const Link& link = links_[l];
    const Motion& m = motions_[l];
    const Column3 d = m.R * columns_(link.offset, s), rate = m.R * columns_(link.rate, s);
    const Column3 A = m.R * columns_(link.second, s) + cross(m.alpha, d) +
                      cross(m.w, twice(rate) + cross(m.w, d));
    add_change(l, s, A, zero(), zero(), m.m * A, cross(m.h, A) + cross(d, m.f));
  }

  void add_change(std::size_t l, int s, const Column3& A, const Column3& second,
                  const Column3& first, const Column3& f, const Column3& n) {
    const Motion& m = motions_[l];
    result_.changes.push_back({to_int(l), s});
    write(&result_.change_vectors,
          {A - cross(second, m.p) - twice(cross(first, m.v)), second, first, f, n + cross(m.p, f)});
  }

  // Gravity that changes with time.
  void add_ground() {
    for (const int s : columns_.list(ground_)) {
      result_.changes.push_back({-1, s});
      write(&result_.change_vectors, {columns_(ground_, s), zero(), zero(), zero(), zero()});
    }
  }

  void add_loads() {
    for (std::size_t r = 0; r < loads_.size(); ++r) {
      for (const auto& [s, slope] : columns_.list_all(loads_[r]))
        result_.terms.push_back({to_int(r), s, -slope});
    }
  }

  void add_term(int r, int s, const Expr& value) {
    if (!value.is_zero()) result_.terms.push_back({r, s, value});
  }

  RunExpressions& system_;
  ExprPool& pool_;
  const std::vector<Expr> state_;
  Substitution renaming_;
  ColumnDerivatives columns_;
  const LinkTree& tree_;
  std::vector<Link> links_;
  std::vector<Expr> loads_;
  std::vector<Motion> motions_;
  Motion rest_;
  Column3 ground_;
  TreeSlopes result_;
};

}  // namespace

std::optional<TreeSlopes> make_tree_slopes(RunExpressions& system, const LinkTree& tree) {
  std::optional<TreeSlopes> slopes = SlopeMaker(system, tree).make();
  if (!slopes) system.avoid({});
  return slopes;
}

}  // namespace visviva
