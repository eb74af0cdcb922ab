#include "visviva/app/cli/equilibrium_answer.h"

#include <fmt/format.h>

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

std::string displacement_text(const VirtualDisplacement& d) {
  if (d.terms.empty()) return "0";
  const auto write = [](const auto& term) {
    return variation(term.first) + "*(" + print_vector(term.second) + ")";
  };
  return join_each(d.terms, write, " + ");
}

}  // namespace

json virtual_work_json(const Equations& equations, const ConsistentStart& at) {
  json j = {{"displacements", json::object()}, {"work", json::object()}};
  for (const VirtualDisplacement& d : compute_virtual_displacements(equations)) {
    json& entry = j["displacements"][d.is_rotation ? "rotation of " + d.name : d.name];
    entry = json::object();
    for (const auto& [speed, vector] : d.terms) entry[speed] = print_vector(vector);
  }
  for (const VirtualWork& w : compute_virtual_work(equations, at)) {
    json& entry = j["work"][load_name(w)];
    entry = json::object();
    for (const VirtualWork::Term& t : w.terms)
      entry[t.speed] = {{"force", print(t.force)}, {"value", t.value}};
  }
  return j;
}

void print_virtual_work(const Equations& equations, const ConsistentStart& at, std::ostream& out) {
  out << "\nVirtual displacements\n";
  for (const VirtualDisplacement& d : compute_virtual_displacements(equations))
    out << fmt::format("  {}{}: {}\n", d.is_rotation ? "rotation of " : "", d.name,
                       displacement_text(d));
  out << "\nVirtual work\n";
  for (const VirtualWork& w : compute_virtual_work(equations, at)) {
    if (w.terms.empty()) out << fmt::format("  {}: none\n", load_name(w));
    for (const VirtualWork::Term& t : w.terms)
      out << fmt::format("  {}: ({})*{} = {}*{}\n", load_name(w), print(t.force),
                         variation(t.speed), number_text(t.value), variation(t.speed));
  }
}

}  // namespace visviva
