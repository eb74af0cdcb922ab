#include "visviva/equations/energy/analyze_energy.h"

#include "visviva/base/error.h"
#include "visviva/equations/energy/load_energy.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

// A body with the same inertia about every axis is written in the frame its spin comes in, so that
// nothing mentions an orientation that does not matter.
bool is_isotropic(const Matrix3& I) {
  return I[0][0] == I[1][1] && I[1][1] == I[2][2] && I[0][1].is_zero() && I[1][2].is_zero() &&
         I[2][0].is_zero();
}

// One body, in terms of all speeds and w.
BodyEnergy analyze_body(const Kinematics& motion, int index, const VelocitySplit& split) {
  MotionEngine& engine = engine_of(motion);
  const ModelData& model = motion.model();
  const BodyData& body = model.bodies[index];
  const Expr half = model.pool->rational(1, 2);
  const Expr& m = body.mass;

  const VectorMotion& velocity = engine.velocity(body.point);
  BodyEnergy b;
  b.body = index;
  b.frame = velocity.frame;
  b.spin_frame = 0;
  b.v_R = split.moved(velocity);
  b.v_t = split.carried(velocity);
  b.w_R = b.w_t = zero_column(*model.pool);
  const Column3 dv_t = split.rate(b.v_t) + cross(engine.spin(b.frame), b.v_t);
  b.K0 = half * m * dot(b.v_t, b.v_t);     // (14)
  b.K1 = m * dot(b.v_t, b.v_R);            // (15)
  b.K2 = half * m * dot(b.v_R, b.v_R);     // (16)
  b.sigma_R = m * dot(b.v_R, dv_t);        // (32)
  b.sigma = m * dot(b.v_R + b.v_t, dv_t);  // (33)
  if (body.frame < 0) return b;

  const Matrix3& I = body.inertia;
  const bool is_free = is_isotropic(I);
  const VectorMotion& spin =
      is_free ? engine.angular_velocity(body.frame) : engine.angular_velocity_in_frame(body.frame);
  b.spin_frame = spin.frame;
  b.w_R = split.moved(spin);
  b.w_t = split.carried(spin);
  const Column3 w = b.w_R + b.w_t, h_R = I * b.w_R, h_t = I * b.w_t;
  const Column3 dw_t = split.rate(b.w_t) + cross(engine.spin(b.spin_frame), b.w_t);
  const Column3 dw_t_B = dw_t - cross(w, b.w_t);
  b.K0 += half * dot(b.w_t, h_t);
  b.K1 += dot(b.w_t, h_R);
  b.K2 += half * dot(b.w_R, h_R);
  b.sigma_R += dot(h_R, dw_t_B) + dot(b.w_R, cross(b.w_t, h_R + h_t));
  b.sigma += dot(h_R + h_t, dw_t);
  return b;
}

Expr compute_kinetic_energy(const Kinematics& motion) {
  MotionEngine& engine = engine_of(motion);
  const ModelData& model = motion.model();
  Expr twice = model.pool->zero();
  for (const BodyData& body : model.bodies) {
    const Column3 v = total(engine.velocity(body.point), engine.table().symbols);
    twice += body.mass * dot(v, v);
    if (body.frame < 0) continue;
    const Column3& w = engine.spin(body.frame);
    twice += dot(w, body.inertia * w);
  }
  return model.pool->rational(1, 2) * twice;
}

void add_up(EnergyTerms* terms, ExprPool& pool) {
  terms->K0 = terms->K1 = terms->K2 = terms->sigma = terms->sigma_R = pool.zero();
  for (const BodyEnergy& b : terms->bodies) {
    terms->K0 += b.K0;
    terms->K1 += b.K1;
    terms->K2 += b.K2;
    terms->sigma += b.sigma;
    terms->sigma_R += b.sigma_R;
  }
  terms->U = terms->V = terms->P = terms->P_nonconservative = pool.zero();
  for (const LoadEnergy& load : terms->loads) {
    terms->U += load.potential;
    terms->V += load.whole_potential;
    terms->P += load.generalized_power;
    terms->P_nonconservative += load.nonconservative_power;
  }
}

EnergyTerms embed(const EnergyTerms& formal, Embedding& embedding, ExprPool& pool) {
  EnergyTerms terms = formal;
  terms.K = embedding(formal.K);
  for (BodyEnergy& b : terms.bodies) {
    for (Column3* c : {&b.v_R, &b.v_t, &b.w_R, &b.w_t}) *c = embedding(*c);
    for (Expr* e : {&b.K0, &b.K1, &b.K2, &b.sigma, &b.sigma_R}) *e = embedding(*e);
  }
  for (LoadEnergy& load : terms.loads) {
    for (Expr* e : {&load.power, &load.generalized_power, &load.carried_power,
                    &load.carried_potential, &load.potential_rate, &load.nonconservative_power})
      *e = embedding(*e);
  }
  add_up(&terms, pool);
  return terms;
}

}  // namespace

EnergyTerms analyze_formal_energy(const Equations& equations, const VelocitySplit& split,
                                  const EmbeddedEquations* embedded) {
  const Workspace work = Workspace::continued(*equations.pool());
  EnergyTerms formal;
  formal.K = compute_kinetic_energy(equations.motion);
  for (std::size_t b = 0; b < equations.motion.model().bodies.size(); ++b)
    formal.bodies.push_back(analyze_body(equations.motion, static_cast<int>(b), split));
  formal.loads = analyze_loads(equations, split, embedded);
  add_up(&formal, *equations.motion.model().pool);
  return formal;
}

namespace {

Energies analyze_embedded(const Equations& equations, EmbeddedEquations embedded) {
  const VelocitySplit split(equations);
  EnergyTerms formal = analyze_formal_energy(equations, split, &embedded);
  Embedding embedding(equations, embedded, split);
  EnergyTerms terms =
      equations.rows.empty() ? formal : embed(formal, embedding, *equations.motion.model().pool);
  return {std::move(terms), equations, std::move(embedded), split, std::move(formal)};
}

}  // namespace

Result<Energies, NotEmbedded> try_analyze_energy(const Equations& equations) {
  Workspace work(equations.pool());
  auto embedded = try_embed_constraints(equations);
  if (!embedded) return embedded.why();
  auto energies = attempt([&] { return analyze_embedded(equations, *std::move(embedded)); });
  if (!energies) return NotEmbedded{NotEmbedded::Kind::undefined, energies.why()};
  energies->pool = work.finish();
  return *std::move(energies);
}

Energies analyze_energy(const Equations& equations) {
  auto energies = try_analyze_energy(equations);
  if (!energies) throw make_embedding_error(energies.why());
  return *std::move(energies);
}

namespace {

// A Kinematics is a handle: copies of one share what they know of speeds.
bool are_same(const Kinematics& a, const Kinematics& b) { return &a.speeds() == &b.speeds(); }

}  // namespace

Energies analyze_energy(const Kinematics& motion, const Equations& equations) {
  if (!are_same(motion, equations.motion))
    throw UsageError("analyze_energy", "the equations were derived from another motion");
  return analyze_energy(equations);
}

void require_one_origin(const Equations& equations, const Energies& energies,
                        const char* function) {
  const Equations& theirs = energies.equations;
  if (!are_same(equations.motion, theirs.motion))
    throw UsageError(function, "the energies are those of equations of another motion");
  if (equations.method != theirs.method)
    throw UsageError(function, "the energies are those of the equations by the method " +
                                   std::string(method_name(theirs.method)) + ", these are by " +
                                   std::string(method_name(equations.method)));
}

}  // namespace visviva
