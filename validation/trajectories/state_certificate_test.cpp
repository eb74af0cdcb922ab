// The second certificate, for what E_Z cannot see: a run at a tenth of the tolerance is returned,
// and its difference to the run asked for tells how large its error may be. Compared with known
// errors.
//
// Sources: the double pendulum and the swinging Atwood machine in quadruple precision by an
// independent program; the pendulum of IFToMM benchmark A01; an ellipse of Kepler and a damped
// oscillator by closed form.
#include <numbers>

#include "running.h"

namespace visviva::validation {
namespace {

struct Known {
  const char* name;
  const char* text;
  double until;
  Named end;
};

const double period = 2 * std::numbers::pi;

const Known known[] = {
    {"pendulum of A01",
     R"(
coordinate th = -90 deg
frame      A = rotate(N, z, th)
particle   P at No - 1 m*A.y, mass 1 kg
gravity    -9.81 m/s^2*N.y
)",
     2.367841947576237,
     {{"th", -std::numbers::pi / 2}, {"th'", 0}}},
    {"double pendulum",
     R"(
coordinate q1 = pi/2, q2 = pi/2
frame      A = rotate(N, z, q1)
frame      B = rotate(N, z, q2)
particle   P at No - 1 m*A.y, mass 1 kg
particle   Q at P - 1 m*B.y, mass 1 kg
gravity    -9.81 m/s^2*N.y
)",
     5,
     {{"q1", -0.62718670506653073},
      {"q2", -1.3013155502098117},
      {"q1'", 2.1254086738429107},
      {"q2'", 3.8818887272656074}}},
    {"swinging Atwood machine",
     R"(
coordinate r = 1 m, th = pi/2
frame      A = rotate(N, z, th)
particle   P at No - r*A.y, mass 1 kg
particle   Q at No + r*N.y, mass 3 kg
gravity    -9.81 m/s^2*N.y
)",
     1,
     {{"r", 0.57082602269992465},
      {"th", -4.8916062674976582},
      {"r'", -0.13076591404362960},
      {"th'", -9.1347062921146523}}},
    {"three turns of an ellipse",
     R"(
coordinate x = 0.4 m, y = 0 m, y' = 2 m/s
particle   P at No + x*N.x + y*N.y, mass 1 kg
potential  V = -1 m^3*kg/s^2/sqrt(x^2 + y^2)
)",
     3 * period,
     {{"x", 0.4}, {"y", 0}, {"x'", 0}, {"y'", 2}}},
    {"damped oscillator",  // exp(-t) (cos 2t + sin(2t)/2)
     R"(
coordinate x = 1 m
particle   P at No + x*N.x, mass 1 kg
spring     S on x, stiffness 5 N/m, rest 0 m
damper     D on x, rate 2 N*s/m
)",
     period / 2,
     {{"x", std::exp(-period / 2)}, {"x'", 0}}},
};

double largest_error(const Trajectory& run, const Named& exact) {
  double largest = 0;
  for (const auto& item : exact)
    largest = std::max(largest, std::abs(at_end(run, item.first) - item.second));
  return largest;
}

struct Tally {
  int runs = 0, exceeded = 0;
  double worst = 0;  // error as a part of the stated one
};

void count(const Trajectory& run, const Named& exact, Tally* tally) {
  ASSERT_EQ(run.status, RunStatus::done) << why(run);
  ASSERT_TRUE(run.certificate.state_error);
  const double part = largest_error(run, exact) / *run.certificate.state_error;
  ++tally->runs;
  if (part > 1) ++tally->exceeded;
  tally->worst = std::max(tally->worst, part);
}

// The difference of two runs is an estimate, no bound: where errors of phase change their sign with
// the tolerance, as on the ellipse, both runs can err alike. Seen: 8 of 710, at most 4.5 times.
TEST(Trajectories, the_stated_state_error_is_exceeded_rarely_and_never_tenfold) {
  Tally tally;
  for (const Known& k : known) {
    SCOPED_TRACE(k.name);
    const CompiledSystem system = compile_text(k.text);
    for (int tenths = 30; tenths <= 100; ++tenths) {
      const double x = std::pow(10.0, -0.1 * tenths);
      count(simulate(system, {.until = k.until, .tolerance = x, .certify_state = true}), k.end,
            &tally);
      count(simulate(system, {.until = k.until, .energy = x, .certify_state = true}), k.end,
            &tally);
    }
  }
  EXPECT_LE(tally.exceeded, tally.runs / 50);
  EXPECT_LT(tally.worst, 10);
}

}  // namespace
}  // namespace visviva::validation
