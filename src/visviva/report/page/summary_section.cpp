#include "visviva/report/page/summary_section.h"

#include <fmt/format.h>

#include <cmath>

#include "visviva/base/words.h"
#include "visviva/report/page/run_section.h"

namespace visviva {
namespace {

std::string some_names(const std::vector<std::string>& names) { return list_some_words(names, 8); }

template <typename List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

std::string describe_bodies(const ModelData& m) {
  std::vector<std::string> bodies, particles;
  for (const BodyData& b : m.bodies)
    if (b.line < 0) (b.frame < 0 ? particles : bodies).push_back(b.name);
  std::vector<std::string> parts;
  if (!m.lines.empty())
    parts.push_back(counted(m.lines.size(), "line of material", "lines of material") + " (" +
                    some_names(names_of(m.lines)) + ")");
  if (!bodies.empty())
    parts.push_back(counted(bodies.size(), "rigid body", "rigid bodies") + " (" +
                    some_names(bodies) + ")");
  if (!particles.empty())
    parts.push_back(counted(particles.size(), "particle") + " (" + some_names(particles) + ")");
  return parts.empty() ? "It has no mass." : "It is made of " + list_words(parts) + ".";
}

std::string describe_freedom(const SummaryFacts& facts) {
  const ModelData& m = facts.equations.motion.model();
  std::string words = "It has " + counted(static_cast<std::size_t>(facts.degrees_of_freedom),
                                          "degree of freedom", "degrees of freedom");
  if (!m.coordinates.empty())
    words += ", described by " +
             (m.coordinates.size() == 1 ? std::string("the coordinate ") : "the coordinates ") +
             some_names(names_of(m.coordinates));
  std::vector<std::string> free_speeds;
  for (const SpeedData& u : m.speeds)
    if (!u.definition) free_speeds.push_back(u.name);
  if (!free_speeds.empty())
    words += (m.coordinates.empty() ? ", described by the free speeds " : " and the free speeds ") +
             some_names(free_speeds);
  const std::size_t constraints = m.constraints.size();
  if (constraints > 0)
    words += ", under " + counted(constraints, "constraint") + " (" +
             some_names(names_of(m.constraints)) + ")";
  if (constraints > 0 && facts.conditions != static_cast<int>(constraints))
    words += std::string(", which ") + (constraints == 1 ? "is " : "are ") +
             counted(static_cast<std::size_t>(facts.conditions), "independent condition");
  if (!m.specified.empty())
    words +=
        "; " + some_names(names_of(m.specified)) +
        (m.specified.size() == 1 ? " is a given function of time" : " are given functions of time");
  return words + ".";
}

std::string describe_loads(const ModelData& m) {
  std::vector<std::string> parts;
  if (m.gravity) parts.push_back("gravity");
  for (const SpringData& s : m.springs)
    parts.push_back((s.is_damper ? "the damper " : "the spring ") + s.name);
  for (const ForceData& f : m.forces)
    parts.push_back((f.is_torque ? "the torque " : "the force ") + f.name);
  for (const EnergyData& e : m.energies)
    parts.push_back((e.is_dissipation ? "the dissipation " : "the potential ") + e.name);
  if (parts.empty()) return "No force acts on it.";
  std::string words = some_names(parts) + (parts.size() == 1 ? " acts on it." : " act on it.");
  words[0] = words[0] == 'g' ? 'G' : 'T';
  return words;
}

std::string describe_integrals(const Integrals& integrals) {
  std::vector<std::string> constant;
  for (const auto* list : {&integrals.energies, &integrals.momenta}) {
    for (const Integral& i : *list) {
      const std::string name = i.name == "mechanical_energy" ? "the mechanical energy"
                               : i.name == "hamiltonian"     ? "the Hamiltonian"
                                                             : i.name;
      if (i.constancy == Constancy::constant && i.name != "E_Z") constant.push_back(name);
    }
  }
  if (constant.empty())
    return "Of its integrals only E_Z = K2 + U + Z is constant, as it is for any system.";
  return "Besides E_Z = K2 + U + Z, which is constant for any system, " + some_names(constant) +
         (constant.size() == 1 ? " is" : " are") + " constant.";
}

// Two digits, and not less than x.
std::string rounded_up(double x) {
  if (!(x > 0.0)) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1.0);
  return fmt::format("{:.2g}", std::ceil(x / unit * (1.0 - 1e-12)) * unit);
}

// How it ended, where that is not simply the end that was asked for.
std::string describe_end(const Trajectory& run) {
  const std::string at = fmt::format(" at t = {:.6g} s", run.t_end);
  if (run.status == RunStatus::refused) return "The run was given up" + at + ".";
  if (run.status == RunStatus::stopped) return "The run was stopped" + at + ".";
  if (!run.events.empty() && run.events.back().is_stop)
    return "The event " + run.events.back().name + " ended it" + at + ".";
  return "";
}

std::string describe_run(const Trajectory& run) {
  if (run.steps == 0) return "It was not simulated.";
  std::string words =
      fmt::format("It was simulated for {:.6g} s in {}; E_Z stayed within {} J of its start",
                  run.t_end - run.t_start, counted(run.steps, "step"),
                  rounded_up(run.certificate.max_deviation));
  if (run.certificate.tolerance)
    words += fmt::format(", where {:.2g} J was asked for", *run.certificate.tolerance);
  const std::string end = describe_end(run);
  return words + "." + (end.empty() ? "" : " " + end);
}

}  // namespace

Html make_summary(const SummaryFacts& facts) {
  const ModelData& m = facts.equations.motion.model();
  std::vector<std::string> sentences = {describe_bodies(m), describe_freedom(facts),
                                        describe_loads(m)};
  if (facts.integrals != nullptr) sentences.push_back(describe_integrals(*facts.integrals));
  if (facts.run != nullptr) sentences.push_back(describe_run(*facts.run));
  Html html = element("p", {{"id", "summary"}}, join_words(sentences, " ")) + "\n";
  if (facts.run != nullptr)
    html += paragraph(element("a", {{"href", "#certificate"}}, make_verdict(*facts.run)));
  return html;
}

}  // namespace visviva
