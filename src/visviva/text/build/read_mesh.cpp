#include "visviva/text/build/read_mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace visviva {
namespace {

using Corner = std::array<float, 3>;

std::string ending_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  std::string ending = dot == std::string::npos ? "" : name.substr(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

bool is_finite(const Corner& c) {
  return std::isfinite(c[0]) && std::isfinite(c[1]) && std::isfinite(c[2]);
}

// Corners at one place are one corner.
class MeshMaker {
 public:
  std::uint32_t corner(const Corner& c) {
    const auto [place, is_fresh] =
        places_.emplace(c, static_cast<std::uint32_t>(mesh_.corners.size()));
    if (is_fresh) mesh_.corners.push_back(c);
    return place->second;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
  }
  Result<Mesh, std::string> finish() {
    if (mesh_.triangles.empty()) return std::string("has no triangles");
    return std::move(mesh_);
  }

 private:
  std::map<Corner, std::uint32_t> places_;
  Mesh mesh_;
};

// ---- STL

constexpr std::size_t stl_head = 84, stl_triangle = 50;  // bytes

template <class Number>
Number read_bytes(const std::string& bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// A header, the number of triangles, and for each a normal, three corners and two bytes more.
bool is_binary_stl(const std::string& bytes) {
  return bytes.size() >= stl_head &&
         bytes.size() ==
             stl_head + stl_triangle * std::size_t{read_bytes<std::uint32_t>(bytes, 80)};
}

Result<Mesh, std::string> read_binary_stl(const std::string& bytes) {
  MeshMaker mesh;
  for (std::size_t at = stl_head; at < bytes.size(); at += stl_triangle) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Corner c = read_bytes<Corner>(bytes, at + 12 * (i + 1));
      if (!is_finite(c)) return std::string("has a corner that is no number");
      corners[i] = mesh.corner(c);
    }
    mesh.triangle(corners[0], corners[1], corners[2]);
  }
  return mesh.finish();
}

// Words between blanks.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view next() {
    const std::size_t first = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n", first), text_.size());
    const std::string_view word = text_.substr(first, end - first);
    text_.remove_prefix(end);
    return word;
  }
  std::optional<Corner> next_corner() {
    Corner c{};
    for (float& x : c) {
      std::string_view word = next();
      if (!word.empty() && word[0] == '+') word.remove_prefix(1);
      const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), x);
      if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
    }
    if (!is_finite(c)) return std::nullopt;
    return c;
  }

 private:
  std::string_view text_;
};

Result<Mesh, std::string> read_text_stl(const std::string& bytes) {
  MeshMaker mesh;
  Words words(bytes);
  if (words.next() != "solid") return std::string("is no STL file");
  std::vector<std::uint32_t> corners;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "vertex") continue;
    const std::optional<Corner> c = words.next_corner();
    if (!c) return std::string("has a corner that is no number");
    corners.push_back(mesh.corner(*c));
  }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    mesh.triangle(corners[i], corners[i + 1], corners[i + 2]);
  return mesh.finish();
}

// ---- OBJ

// The corner of "7/1/2" or, counted from the last, of "-1".
std::optional<std::uint32_t> find_corner(std::string_view word, std::size_t count) {
  long long index = 0;
  const std::size_t end = std::min(word.find('/'), word.size());
  const auto [last, problem] = std::from_chars(word.data(), word.data() + end, index);
  if (problem != std::errc() || last != word.data() + end) return std::nullopt;
  if (index < 0) index += static_cast<long long>(count) + 1;
  if (index < 1 || index > static_cast<long long>(count)) return std::nullopt;
  return static_cast<std::uint32_t>(index - 1);
}

// Lines "v x y z" and "f a b c ...": a face of more corners is a fan.
Result<Mesh, std::string> read_obj(const std::string& bytes) {
  MeshMaker mesh;
  std::vector<std::uint32_t> corners;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    Words words(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view kind = words.next();
    if (kind == "v") {
      const std::optional<Corner> c = words.next_corner();
      if (!c) return std::string("has a corner that is no number");
      corners.push_back(mesh.corner(*c));
    } else if (kind == "f") {
      std::vector<std::uint32_t> face;
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto place = find_corner(word, corners.size());
        if (!place) return std::string("has a face with a corner that is not there");
        face.push_back(corners[*place]);
      }
      for (std::size_t i = 2; i < face.size(); ++i) mesh.triangle(face[0], face[i - 1], face[i]);
    }
  }
  return mesh.finish();
}

}  // namespace

bool is_mesh_name(const std::string& name) {
  return ending_of(name) == ".stl" || ending_of(name) == ".obj";
}

Result<Mesh, std::string> read_mesh(const std::string& bytes, const std::string& name) {
  const std::string ending = ending_of(name);
  if (ending == ".obj") return read_obj(bytes);
  if (ending != ".stl") return std::string("is neither an STL nor an OBJ file");
  return is_binary_stl(bytes) ? read_binary_stl(bytes) : read_text_stl(bytes);
}

}  // namespace visviva
