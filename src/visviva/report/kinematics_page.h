// A page that shows a model's kinematics: its speeds, and every partial velocity, as MathML.
#pragma once

#include <string>

#include "visviva/kinematics/kinematics.h"

namespace visviva {

/// The page as HTML; self-contained, names escaped.
std::string make_kinematics_page(const Kinematics& motion);

/// Writes the page. UsageError when the file cannot be written.
void write_kinematics_page(const std::string& file, const Kinematics& motion);

}  // namespace visviva
