// Two particles on a rod that slides in a plane turned at a given rate: its partial velocities, for
// two choices of speeds, and a report with its equations, a run and the run's certificate.
//
// The mechanism is figure 2.6.1 of Kane and Levinson, Dynamics: Theory and Applications. A rod of
// length L carries particles P1 and P2; P1 is at (q1, q2) in a plane B that turns at rate omega
// about the vertical, and the rod makes the angle q3 with B.x. Usage: rotating_rod FOLDER; a page
// is written into that folder.
#include <filesystem>
#include <iostream>
#include <string>

#include "visviva/visviva.h"

using namespace visviva;
using units::deg, units::kg, units::m, units::rad, units::s;

namespace {

enum class Speeds { rates, along_the_rod };

Model make_rod(Speeds speeds) {
  Model model("rotating_rod");
  const Frame N = model.newtonian();

  // What is known, what describes the configuration.
  const Quantity omega = model.parameter("omega", 2.0 * rad / s);
  const Quantity L = model.parameter("L", 0.7 * m);
  const Quantity q1 = model.coordinate("q1", {.start = 0.2 * m});
  const Quantity q2 = model.coordinate("q2", {.start = 0.1 * m});
  const Quantity q3 = model.coordinate("q3", {.start = 25.0 * deg});

  // Generalized speeds: any linear combinations of the rates. Without these lines they are the
  // rates themselves.
  if (speeds == Speeds::along_the_rod) {
    model.speed("u1", model.rate(q1) * cos(q3) + model.rate(q2) * sin(q3));
    model.speed("u2", model.rate(q2) * cos(q3) - model.rate(q1) * sin(q3));
    model.speed("u3", model.rate(q3));
  }

  // Only orientations and positions are given; velocities follow.
  const Frame B = model.frame("B", rotate(N, Axis::y, omega * model.time()));
  const Frame E = model.frame("E", rotate(B, Axis::z, q3));
  const Point P1 =
      model.particle("P1", {.at = N.origin() + q1 * B.x() + q2 * B.y(), .mass = 1.5 * kg});
  model.particle("P2", {.at = P1 + L * E.x(), .mass = 0.8 * kg});
  return model;
}

void print_kinematics(const Model& model, const std::string& title) {
  const Kinematics motion = analyze_motion(model);
  std::cout << title << '\n';
  for (const Point& P : motion.points()) {
    if (P == model.newtonian().origin()) continue;
    std::cout << "  velocity of " << P.name() << " = " << print_vector(motion.velocity(P)) << '\n';
    for (const Speed& speed : motion.speeds()) {
      std::cout << "    by " << speed.name << ": "
                << print_vector(motion.partial_velocity(P, speed.name)) << '\n';
    }
    std::cout << "    remainder: " << print_vector(motion.velocity_remainder(P)) << '\n';
  }
}

// One page: derive, compile, run, show.
void write_page(const Model& model, const std::string& file) {
  const Kinematics motion = analyze_motion(model);
  const Equations equations = derive(motion, Method::kane);
  const Energies energies = analyze_energy(motion, equations);
  const Trajectory run = simulate(compile(equations, energies), {.until = 2.0, .energy = 1e-9});
  write_report(file, {model, equations, energies, run});
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  try {
    print_kinematics(make_rod(Speeds::rates), "Case 1: the speeds are the rates q1', q2', q3'");
    const Model model = make_rod(Speeds::along_the_rod);
    print_kinematics(model, "Case 2: u1 and u2 are the velocity of P1 along and across the rod");

    std::filesystem::create_directories(folder);
    const std::filesystem::path page = folder / "rotating_rod.html";
    write_page(model, page.string());
    std::cout << "\nThe report is " << std::filesystem::absolute(page).string() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "rotating_rod: " << error.what() << '\n';
    return 1;
  }
}
