// What every symbol of the model means, with its value, as tables of the page.
#pragma once

#include <string>

#include "visviva/kinematics/consistent_start.h"
#include "visviva/kinematics/kinematics.h"
#include "visviva/report/page/html.h"

namespace visviva {

/// HTML: a table for each kind of thing that the model has, headings of level 3.
Html make_notation_section(const Kinematics& motion, const ConsistentStart& start);

}  // namespace visviva
