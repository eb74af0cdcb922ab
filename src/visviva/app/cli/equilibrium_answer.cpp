#include "visviva/app/cli/equilibrium_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "visviva/app/cli/answer.h"
#include "visviva/base/words.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/small_motion/small_motion_text.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

json equilibrium_json(const Equilibrium& e, const Kinematics& motion) {
  json j = {{"found", e.is_found},
            {"reason", write_small_motion_reason(e.reason)},
            {"coordinates", json::object()}};
  for (std::size_t i = 0; i < e.state.coordinates.size(); ++i)
    j["coordinates"][motion.model().coordinates[i].name] = e.state.coordinates[i];
  for (std::size_t i = 0; i < e.state.states.size(); ++i)
    j["states"][motion.model().states[i].name] = e.state.states[i];
  j["residual"] = e.residual;
  if (!e.is_found) return j;
  j["stability"] = stability_name(e.stability);
  j["stability_reason"] = write_small_motion_reason(e.stability_reason);
  j["free_coordinates"] = e.free_coordinates;
  j["remarks"] = write_small_motion_reasons(e.remarks);
  return j;
}

void print_equilibrium(const Equilibrium& e, const Kinematics& motion, std::ostream& out,
                       std::ostream& err) {
  if (!e.is_found) {
    err << "visviva: no equilibrium was found: " << write_small_motion_reason(e.reason) << '\n';
    return;
  }
  out << "\nEquilibrium\n";
  for (std::size_t i = 0; i < e.state.coordinates.size(); ++i)
    out << fmt::format("  {} = {}\n", motion.model().coordinates[i].name,
                       number_text(e.state.coordinates[i]));
  for (std::size_t i = 0; i < e.state.states.size(); ++i)
    out << fmt::format("  {} = {}\n", motion.model().states[i].name,
                       number_text(e.state.states[i]));
  out << "  " << stability_name(e.stability)
      << (e.stability_reason ? ": " + write_small_motion_reason(e.stability_reason) : "") << '\n';
  for (const std::string& q : e.free_coordinates)
    out << "  " << q << " could move without leaving equilibrium, to first order\n";
  for (const std::string& r : write_small_motion_reasons(e.remarks)) out << "  " << r << '\n';
}

namespace {

// The letter d stands for a virtual change: d(theta) belongs to the speed theta'.
std::string variation(const std::string& speed) {
  return "d(" + (speed.ends_with('\'') ? speed.substr(0, speed.size() - 1) : speed) + ")";
}

std::string load_name(const VirtualWork& work) {
  return work.is_inertia ? "inertia of the prescribed motion" : work.load;
}

// d(x) = (-y/x)*d(y)
std::string variation_text(const DependentVariation& d) {
  if (d.terms.empty()) return "0";
  const auto write = [](const DependentVariation::Term& t) {
    return "(" + print(t.factor) + ")*" + variation(t.speed);
  };
  return join_each(d.terms, write, " + ");
}

// A sum whose terms cancel is zero to people.
double without_rounding(const VirtualMotion& found, const std::string& speed, double sum) {
  constexpr double cancelled = 1e-9;  // an equilibrium leaves 1e-10 of the terms
  double size = 0.0;
  for (const VirtualWork& w : found.works) {
    for (const VirtualWork::Term& t : w.terms) size += t.speed == speed ? std::abs(t.value) : 0.0;
  }
  return std::abs(sum) <= cancelled * size ? 0.0 : sum;
}

std::string displacement_text(const VirtualDisplacement& d) {
  if (d.terms.empty()) return "0";
  const auto write = [](const auto& term) {
    return variation(term.first) + "*(" + print_vector(term.second) + ")";
  };
  return join_each(d.terms, write, " + ");
}

}  // namespace

json virtual_work_json(const Equations& equations, const ConsistentStart& at) {
  const VirtualMotion found = analyze_virtual_work(equations, at);
  json j = {{"compatible", found.is_compatible},
            {"dependent", json::object()},
            {"displacements", json::object()},
            {"work", json::object()},
            {"sum", json::object()}};
  for (const DependentVariation& d : found.dependent) {
    json& entry = j["dependent"][d.speed] = json::object();
    for (const DependentVariation::Term& t : d.terms)
      entry[t.speed] = {{"factor", print(t.factor)}, {"value", t.value}};
  }
  for (const VirtualDisplacement& d : found.displacements) {
    json& entry = j["displacements"][d.is_rotation ? "rotation of " + d.name : d.name];
    entry = json::object();
    for (const auto& [speed, vector] : d.terms) entry[speed] = print_vector(vector);
  }
  for (const VirtualWork& w : found.works) {
    json& entry = j["work"][load_name(w)];
    entry = json::object();
    for (const VirtualWork::Term& t : w.terms)
      entry[t.speed] = {{"force", print(t.force)}, {"value", t.value}};
  }
  for (const auto& [speed, sum] : found.sums) j["sum"][speed] = sum;
  return j;
}

void print_virtual_work(const Equations& equations, const ConsistentStart& at, std::ostream& out) {
  const VirtualMotion found = analyze_virtual_work(equations, at);
  out << "\nVirtual displacements"
      << (found.is_compatible
              ? "\n"
              : ", without regard to the constraints, which cannot be solved here\n");
  for (const DependentVariation& d : found.dependent)
    out << fmt::format("  {} = {}\n", variation(d.speed), variation_text(d));
  for (const VirtualDisplacement& d : found.displacements)
    out << fmt::format("  {}{}: {}\n", d.is_rotation ? "rotation of " : "", d.name,
                       displacement_text(d));
  out << "\nVirtual work\n";
  for (const VirtualWork& w : found.works) {
    if (w.terms.empty()) out << fmt::format("  {}: none\n", load_name(w));
    for (const VirtualWork::Term& t : w.terms)
      out << fmt::format("  {}: ({})*{} = {}*{}\n", load_name(w), print(t.force),
                         variation(t.speed), number_text(t.value), variation(t.speed));
  }
  for (const auto& [speed, sum] : found.sums)
    out << fmt::format("  sum: {}*{}\n", number_text(without_rounding(found, speed, sum)),
                       variation(speed));
}

}  // namespace visviva
