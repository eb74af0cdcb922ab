#include "visviva/text/build/picture_reader.h"

#include <filesystem>

#include "visviva/text/build/read_mesh.h"
#include "visviva/text/build/read_source.h"

namespace visviva {

void PictureReader::read() {
  draft_.for_each(StatementKind::picture, [&](const SyntaxStatement& s) { read(s); });
}

void PictureReader::read(const SyntaxStatement& s) {
  PictureOptions options{.frame = names_.find_frame(find_clause(s, "of")->values[0]),
                         .at = expressions_.read_position(find_clause(s, "at")->values[0])};
  if (const SyntaxClause* turned = find_clause(s, "turned"))
    for (std::size_t i = 0; i < 3; ++i)
      options.turn[i] = expressions_.read_scalar(turned->values[i]);
  for (const SyntaxClause& clause : s.clauses)
    if (find_solid(clause.word) != nullptr) options.solid = geometry_.read_solid(clause);
  if (const SyntaxClause* mesh = find_clause(s, "mesh"))
    options.mesh = read_mesh(s, mesh->values[0]);
  draft_.stand_at(s.span);
  draft_.model().picture(s.name.text, options);
}

std::array<double, 3> PictureReader::read_scale(const SyntaxStatement& s) {
  std::array<double, 3> scale = {1, 1, 1};
  const SyntaxClause* clause = find_clause(s, "scale");
  if (clause == nullptr) return scale;
  for (std::size_t i = 0; i < 3; ++i)
    scale[i] =
        expressions_.read_constant(clause->values[clause->values.size() == 3 ? i : 0], Dimension());
  return scale;
}

// Nothing where the file is missing or no mesh: a model moves without its picture.
std::shared_ptr<const Mesh> PictureReader::read_mesh(const SyntaxStatement& s,
                                                     const Expression& file) {
  const std::array<double, 3> scale = read_scale(s);
  const auto folder = std::filesystem::path(draft_.source().file).parent_path();
  const std::string path = (folder / file.text).string();
  if (!lies_under(path, folder))
    draft_.fail(file.span, "E-picture-file",
                "\"" + file.text + "\" is not in the model's folder or below it",
                "move the mesh there");
  const auto warn = [&](const std::string& reason, const std::string& help) {
    draft_.add({Severity::warning, "W-picture-file",
                "the picture '" + s.name.text + "' is not drawn: \"" + file.text + "\" " + reason,
                help, file.span});
    return nullptr;
  };
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return warn("is not there", "paths are taken from the folder of the model");
  const Result<SourceText, Diagnostic> text = read_source(path);
  if (!text) return warn("cannot be read, or has more than 16 MB", "");
  auto mesh = visviva::read_mesh(text->text, file.text);
  if (!mesh) return warn(mesh.why(), "meshes are STL or OBJ files");
  for (auto& corner : mesh->corners)
    for (std::size_t i = 0; i < 3; ++i) corner[i] *= static_cast<float>(scale[i]);
  // Mirrored, a triangle is seen from its other side.
  if (scale[0] * scale[1] * scale[2] < 0)
    for (auto& t : mesh->triangles) std::swap(t[1], t[2]);
  return std::make_shared<const Mesh>(*std::move(mesh));
}

}  // namespace visviva
