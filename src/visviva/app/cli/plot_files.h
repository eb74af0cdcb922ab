// The files of `--plot`: a figure each, in the format that the suffix says.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/plot/plot.h"

namespace visviva {

/// `path` of the first figure, "path_2" before the suffix of the second, and so on.
std::string figure_path(const std::string& path, std::size_t number);

/// WrongCommand unless the suffix is that of a format: .svg, .pdf, .png; SVG where there is none.
void require_figure_format(const std::string& path);

/// Writes a file for each plot; those that were written are in `files` even where a WrongCommand ends it.
struct FigureFiles {
  std::string path;     ///< of the first
  std::string heading;  ///< what the figures are of
  std::string model;    ///< its file, which is never overwritten
  bool force = false;
};
void write_figures(const std::vector<Plot>& plots, const FigureFiles& where,
                   std::vector<std::string>* files);

}  // namespace visviva
