#include "visviva/report/page/scene_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "visviva/report/page/scene_bytes.h"
#include "visviva/report/page/scene_meshes.h"
#include "visviva/report/page/scene_tracks.h"
#include "visviva/report/page/scene_words.h"

namespace visviva {
namespace {

using json = nlohmann::ordered_json;
using Kind = SceneObject::Kind;

constexpr std::size_t most_frames = 1500, fewest_frames = 100;
constexpr std::size_t most_turned = 6000;  // frames, where a part turns fast
constexpr double most_bytes = 1.5e6;       // of tracks as text
constexpr double most_turn =
    5.0;  // rad between frames: what the viewer plays as it is, with some room
constexpr double clear_turn = 2.5;   // rad between samples: beyond, the other way round is as near
constexpr double fixed_part = 1e-9;  // of the size: less is no motion
constexpr double held_part = 1e-6;   // of the size: what constraints may drift
constexpr double zero_part = 1e-9;   // of the largest force: less is none
constexpr std::size_t most_traces = 6;   // beyond these only those on which nothing hangs
constexpr double standin_radius = 0.04;  // of the size
constexpr double largest_standin = 0.55, largest_bar = 1.3;  // whole extents, of the size
constexpr std::size_t profile_samples = 800;
constexpr double profile_margin = 2.5;  // of the size, beyond what is asked for

double clean(double x) { return std::isfinite(x) ? x : 0.0; }

template <std::size_t n>
json list(const std::array<double, n>& values) {
  json all = json::array();
  for (const double x : values) all.push_back(clean(x));
  return all;
}

const char* kind_name(Kind kind) {
  static constexpr const char* names[] = {"particle", "sphere", "shell",     "cylinder", "rod",
                                          "disc",     "box",    "ellipsoid", "capsule",  "mesh",
                                          "link",     "spring", "damper",    "roll"};
  return names[static_cast<std::size_t>(kind)];
}

// The largest extent of an object.
double size_of(const SceneObject& o) {
  if (o.kind == Kind::box || o.kind == Kind::mesh)
    return *std::max_element(o.sizes.begin(), o.sizes.end());
  if (o.kind == Kind::ellipsoid) return 2 * *std::max_element(o.sizes.begin(), o.sizes.end());
  if (o.kind == Kind::capsule) return 2 * o.sizes[0] + o.sizes[1];
  return std::max(2 * o.sizes[0], o.sizes[1]);  // radius and length
}

class SceneWriter {
 public:
  SceneWriter(const Scene& scene, const Trajectory& run)
      : scene_(scene), run_(run), tracks_(scene, run) {}

  json write() {
    if (tracks_.rows.empty()) return nullptr;
    // Shapes that stand for others tell no size, unless there is nothing else.
    size_ = tracks_.find_size(list_members(), list_sizes(false));
    if (!has_extent()) size_ = tracks_.find_size(list_members(), list_sizes(true));
    find_motion();
    choose_frames();
    json j = json::object();
    j["count"] = frames_.size();
    j["time"] = write_time();
    j["up"] = list(scene_.up);
    j["size"] = size_;
    if (blur_ > 0) j["blur"] = blur_;
    const auto box = tracks_.find_box();
    j["box"] = {list(box[0]), list(box[1])};
    j["positions"] = "";
    j["orientations"] = "";
    j["vectors"] = "";
    j["points"] = write_points();
    j["frames"] = write_frames();
    j["arrows"] = write_arrows();
    j["positions"] = positions_.text();
    j["orientations"] = orientations_.text();
    j["vectors"] = vectors_.text();
    j["objects"] = write_objects();
    if (!scene_.profiles.empty()) j["profiles"] = write_profiles();
    j["traces"] = list_traces();
    j["alternative"] =
        describe_scene(scene_, run_.samples[0][frames_.front()], run_.samples[0][frames_.back()]);
    return j;
  }

 private:
  std::size_t index(int i) const { return static_cast<std::size_t>(i); }

  // ---- Measures

  // Points that belong to the mechanism: No only where something is joined to it.
  std::vector<int> list_members() const {
    std::vector<bool> is_member(scene_.points.size(), true);
    is_member[0] = false;
    for (const SceneObject& o : scene_.objects) {
      if (o.is_ground) continue;
      for (const int P : {o.point, o.from, o.to})
        if (P == 0) is_member[0] = true;
    }
    std::vector<int> members;
    for (std::size_t i = 0; i < is_member.size(); ++i)
      if (is_member[i]) members.push_back(static_cast<int>(i));
    return members;
  }

  std::vector<double> list_sizes(bool with_standins) const {
    std::vector<double> sizes;
    for (const SceneObject& o : scene_.objects)
      if (with_standins || !o.is_standin) sizes.push_back(size_of(o));
    return sizes;
  }

  // Whether anything but stand-ins is somewhere: two places, or a shape.
  bool has_extent() const {
    const auto box = tracks_.find_box();
    const bool is_wide =
        std::hypot(box[1][0] - box[0][0], box[1][1] - box[0][1], box[1][2] - box[0][2]) > 0;
    const std::vector<double> sizes = list_sizes(false);
    return is_wide || std::any_of(sizes.begin(), sizes.end(), [](double s) { return s > 0; });
  }

  // A stand-in hides nothing: beside other things it is not larger than a part of them.
  double standin_scale(const SceneObject& o) const {
    if (!o.is_standin || !has_extent()) return 1.0;
    const double part = o.kind == Kind::box ? largest_bar : largest_standin;
    return std::min(1.0, part * size_ / std::max(size_of(o), 1e-300));
  }

  void find_motion() {
    const double still = fixed_part * size_;
    for (const Track& P : tracks_.points)
      moves_.push_back(P.has_values() && !tracks_.is_fixed(P, still));
    for (const auto& [x, y] : tracks_.axes)
      turns_.push_back(x.has_values() &&
                       !(tracks_.is_fixed(x, fixed_part) && tracks_.is_fixed(y, fixed_part)));
    for (const Track& a : tracks_.arrows) {
      largest_.push_back(a.has_values() ? tracks_.largest(a) : 0.0);
      changes_.push_back(a.has_values() && !tracks_.is_fixed(a, fixed_part * largest_.back()));
    }
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i) {
      if (scene_.arrows[i].kind != SceneArrow::Kind::torque)
        largest_force_ = std::max(largest_force_, largest_[i]);
    }
  }

  void choose_frames() {
    const auto count = [](const std::vector<bool>& flags) {
      return static_cast<double>(std::count(flags.begin(), flags.end(), true));
    };
    const double bytes =
        (8 + 12 * count(moves_) + 8 * count(turns_) + 12 * count(changes_)) * 4 / 3;
    const auto affordable = static_cast<std::size_t>(most_bytes / bytes);
    frames_ = tracks_.choose_rows(std::clamp(affordable, fewest_frames, most_frames), moves_);
    keep_turns(std::min(affordable, most_turned));
  }

  // More frames where a part would turn too far between them, or the knowledge that it does.
  void keep_turns(std::size_t most) {
    std::vector<std::vector<double>> turns;
    for (std::size_t i = 0; i < turns_.size(); ++i)
      if (turns_[i]) turns.push_back(sum_turns(tracks_.list_orientations(i)));
    const double between_samples = tracks_.largest_turn(tracks_.rows, turns);
    std::vector<std::size_t> more = tracks_.split_turns(frames_, most_turn, turns);
    if (more.size() <= most) frames_ = std::move(more);
    const double between_frames = tracks_.largest_turn(frames_, turns);
    if (between_frames > most_turn || between_samples > clear_turn) blur_ = between_frames;
  }

  double distance(int P, int Q, std::size_t row) const {
    const auto p = tracks_.points[index(P)][row], q = tracks_.points[index(Q)][row];
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }

  // ---- Parts

  std::string write_time() const {
    Bytes bytes;
    for (const std::size_t row : frames_) bytes.add_double(run_.samples[0][row]);
    return bytes.text();
  }

  json write_points() {
    json all = json::array();
    int next = 0;
    for (std::size_t i = 0; i < scene_.points.size(); ++i) {
      json j = {{"name", scene_.points[i].name}, {"line", scene_.points[i].line}};
      if (scene_.points[i].is_within) j["within"] = true;
      const Track& track = tracks_.points[i];
      if (moves_[i]) {
        j["track"] = next++;
        for (const std::size_t row : frames_)
          for (const double x : track[row]) positions_.add_float(x);
      } else {
        j["fixed"] = list(track.has_values() ? track[frames_.front()] : std::array<double, 3>{});
      }
      all.push_back(std::move(j));
    }
    return all;
  }

  json write_frames() {
    json all = json::array();
    int next = 0;
    for (std::size_t i = 0; i < scene_.frames.size(); ++i) {
      const SceneFrame& B = scene_.frames[i];
      json j = {{"name", B.name}, {"line", B.line}};
      const auto& [x, y] = tracks_.axes[i];
      std::array<double, 4> q = {1, 0, 0, 0};
      if (x.has_values()) q = make_frame_quaternion(x[frames_.front()], y[frames_.front()]);
      if (turns_[i]) {
        j["track"] = next++;
        const Quaternions orientations = tracks_.list_orientations(i);
        auto place = tracks_.rows.begin();
        for (const std::size_t row : frames_) {
          place = std::find(place, tracks_.rows.end(), row);
          for (const double e :
               orientations[static_cast<std::size_t>(place - tracks_.rows.begin())])
            orientations_.add_short(e);
        }
      } else {
        j["fixed"] = list(q);
      }
      j["origin"] = B.origin;
      j["parent"] = B.parent;
      all.push_back(std::move(j));
    }
    return all;
  }

  bool is_drawn(std::size_t arrow) const {
    const bool is_torque = scene_.arrows[arrow].kind == SceneArrow::Kind::torque;
    return largest_[arrow] > (is_torque ? 0.0 : zero_part * largest_force_);
  }

  json write_arrows() {
    json all = json::array();
    int next = 0;
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i) {
      if (!is_drawn(i)) continue;
      const SceneArrow& a = scene_.arrows[i];
      const bool is_torque = a.kind == SceneArrow::Kind::torque;
      const bool is_reaction = a.kind == SceneArrow::Kind::reaction;
      json j = {{"kind", is_torque     ? "torque"
                         : is_reaction ? "reaction"
                                       : "force"},
                {"name", a.name},
                {"group", is_reaction    ? "reactions"
                          : a.is_gravity ? "gravity"
                                         : "loads"},
                {"at", a.at}};
      const Track& track = tracks_.arrows[i];
      if (changes_[i]) {
        j["track"] = next++;
        for (const std::size_t row : frames_)
          for (const double x : track[row]) vectors_.add_float(x);
      } else {
        j["fixed"] = list(track[frames_.front()]);
      }
      j["unit"] = is_torque ? "N*m" : "N";
      j["largest"] = largest_[i];
      if (track.is_partial()) j["partial"] = true;
      j["cause"] = a.cause;
      all.push_back(std::move(j));
    }
    return all;
  }

  // ---- Objects

  // Long ones to the ground would hide the mechanism; some are none.
  bool is_drawn(const SceneObject& o) const {
    if (o.kind != Kind::link) return true;
    if (!tracks_.points[index(o.from)].has_values() || !tracks_.points[index(o.to)].has_values())
      return false;
    const double first = distance(o.from, o.to, frames_.front());
    if (o.is_fixed_length && first < fixed_part * size_) return false;
    if (o.is_ground && first > size_) return false;
    return !o.needs_check || std::all_of(frames_.begin(), frames_.end(), [&](std::size_t row) {
      return std::abs(distance(o.from, o.to, row) - first) <= held_part * size_;
    });
  }

  json write_objects() const {
    json all = json::array();
    for (const SceneObject& o : scene_.objects)
      if (is_drawn(o)) all.push_back(write_object(o));
    return all;
  }

  json write_object(const SceneObject& o) const {
    json j = {{"kind", kind_name(o.kind)}};
    if (!o.name.empty()) j["name"] = o.name;
    switch (o.kind) {
      case Kind::particle:
        j["point"] = o.point;
        break;
      case Kind::link:
        add_ends(o, &j);
        j["fixed_length"] = o.is_fixed_length;
        if (!o.bar_of.empty()) j["bar"] = o.bar_of;
        break;
      case Kind::spring:
      case Kind::damper:
        add_ends(o, &j);
        j["rest"] = clean(o.rest);
        j["coils"] = 8;
        break;
      case Kind::roll:
        j["body"] = o.frame;
        j["on"] = o.on;
        j["point"] = o.point;
        break;
      default:
        add_solid(o, &j);
    }
    j["cause"] = o.cause;
    return j;
  }

  static void add_ends(const SceneObject& o, json* j) {
    (*j)["from"] = o.from;
    (*j)["to"] = o.to;
  }

  void add_solid(const SceneObject& o, json* j) const {
    (*j)["point"] = o.point;
    (*j)["frame"] = o.frame;
    if (o.is_standin) (*j)["standin"] = true;
    const double scale = standin_scale(o);
    std::array<double, 3> sizes = o.sizes;
    for (double& size : sizes) size *= scale;
    if (o.turn != std::array<double, 4>{1, 0, 0, 0}) (*j)["turn"] = list(o.turn);
    if (o.kind == Kind::sphere || o.kind == Kind::shell) {
      (*j)["radius"] = sizes[0] > 0 ? sizes[0] : standin_radius * size_;
    } else if (o.kind == Kind::box) {
      (*j)["sizes"] = list(sizes);
    } else if (o.kind == Kind::ellipsoid) {
      (*j)["semiaxes"] = list(sizes);
    } else if (o.kind == Kind::mesh) {
      (*j)["mesh"] = write_mesh(*o.mesh);
    } else {
      (*j)["radius"] = sizes[0];
      (*j)["length"] = sizes[1];
      (*j)["axis"] = std::string(1, o.axis);
    }
  }

  // ---- Profiles

  json write_profiles() {
    json all = json::array();
    for (const SceneProfile& profile : scene_.profiles) {
      const Track track(run_, profile.column);
      if (!track.has_values()) continue;
      const auto [low, high] = find_asked(profile, track);
      const std::vector<std::array<double, 2>> curve = sample(*profile.table, low, high);
      if (curve.size() < 2) continue;
      Bytes heights, shifts;
      for (const auto& [x, h] : curve) {
        heights.add_float(x);
        heights.add_float(h);
      }
      json j = {{"name", profile.name},
                {"line", profile.line},
                {"along", list(profile.along)},
                {"up", list(profile.up)},
                {"heights", heights.text()}};
      if (tracks_.is_fixed(track, 0.0)) {
        j["shift"] = {clean(track[frames_.front()][0]), clean(track[frames_.front()][1])};
      } else {
        for (const std::size_t row : frames_)
          for (std::size_t k = 0; k < 2; ++k) shifts.add_float(clean(track[row][k]));
        j["shifts"] = shifts.text();
      }
      all.push_back(std::move(j));
    }
    return all;
  }

  // The table's stretch that the run asks for, with room on both sides.
  std::array<double, 2> find_asked(const SceneProfile& profile, const Track& track) const {
    double low = HUGE_VAL, high = -HUGE_VAL;
    const auto include = [&](double x) {
      if (!std::isfinite(x)) return;
      low = std::min(low, x);
      high = std::max(high, x);
    };
    for (const std::size_t row : frames_) include(track[row][2]);
    for (const std::string& column : profile.more_columns) {
      const Track more(run_, column);
      if (!more.has_values()) continue;
      for (const std::size_t row : frames_) include(more[row][0]);
    }
    const double margin = profile_margin * size_;
    return {low - margin, high + margin};
  }

  // Evenly, and its own corners; without what is outside of its range.
  static std::vector<std::array<double, 2>> sample(const TableFunction& table, double low,
                                                   double high) {
    std::vector<double> places;
    if (!(low < high)) return {};
    for (std::size_t i = 0; i <= profile_samples; ++i)
      places.push_back(low + (high - low) * double(i) / profile_samples);
    for (const double knot : table.axis(0).knots())
      if (knot > low && knot < high && places.size() < 3 * profile_samples) places.push_back(knot);
    std::sort(places.begin(), places.end());
    std::vector<std::array<double, 2>> curve;
    for (const double x : places) {
      const double h = table.value(x, 0, 0, 0);
      if (std::isfinite(h)) curve.push_back({x, h});
    }
    return curve;
  }

  // Traces of mass that moves; of long chains only the ends.
  json list_traces() const {
    std::vector<int> traces, ends;
    for (const SceneObject& o : scene_.objects) {
      if (o.point < 0 || o.kind == Kind::roll || o.is_picture || !moves_[index(o.point)]) continue;
      if (std::find(traces.begin(), traces.end(), o.point) == traces.end())
        traces.push_back(o.point);
    }
    for (const int P : traces) {
      const bool carries =
          std::any_of(scene_.objects.begin(), scene_.objects.end(),
                      [&](const SceneObject& o) { return o.kind == Kind::link && o.from == P; });
      if (!carries) ends.push_back(P);
    }
    if (traces.size() <= most_traces) return traces;
    if (ends.size() > most_traces) ends.erase(ends.begin(), ends.end() - most_traces);
    return ends.empty() ? std::vector<int>{traces.back()} : ends;
  }

  const Scene& scene_;
  const Trajectory& run_;
  const SceneTracks tracks_;
  double size_ = 1.0, largest_force_ = 0.0;
  double blur_ = 0.0;  // rad between frames, where directions of turning may be lost
  std::vector<bool> moves_, turns_, changes_;  // points, frames, arrows
  std::vector<double> largest_;                // of arrows
  std::vector<std::size_t> frames_;            // rows of the run
  Bytes positions_, orientations_, vectors_;
};

}  // namespace

json make_scene_json(const Scene& scene, const Trajectory& run) {
  return SceneWriter(scene, run).write();
}

}  // namespace visviva
