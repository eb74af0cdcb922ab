#include "visviva/app/cli/plot_files.h"

#include <algorithm>
#include <filesystem>

#include "visviva/app/cli/answer.h"
#include "visviva/app/cli/output_file.h"
#include "visviva/report/plot/figure.h"

namespace visviva {
namespace {

std::string suffix_of(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

std::string write_figure(const Figure& figure, const std::string& suffix) {
  if (suffix == ".pdf") return write_figure_pdf(figure);
  if (suffix == ".png") return write_figure_png(figure);
  return write_figure_svg(figure);
}

}  // namespace

std::string figure_path(const std::string& path, std::size_t number) {
  if (number <= 1) return path;
  const std::filesystem::path whole(path);
  const std::string name =
      whole.stem().string() + "_" + std::to_string(number) + whole.extension().string();
  return (whole.parent_path() / name).string();
}

void require_figure_format(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix.empty() || suffix == ".svg" || suffix == ".pdf" || suffix == ".png") return;
  throw WrongCommand{"cannot write '" + path + "': figures are .svg, .pdf or .png"};
}

void write_figures(const std::vector<Plot>& plots, const FigureFiles& where,
                   std::vector<std::string>* files) {
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const std::string path = figure_path(where.path, i + 1);
    require_writable({path, OutputKind::plot, "--plot", where.model, where.force});
    write_output(path, write_figure(make_figure(plots[i], where.heading), suffix_of(path)));
    files->push_back(path);
  }
}

}  // namespace visviva
