// Visviva, all of it: from a model, built here or read from a file, to a checked run and a page.
//
//   Model model = load_model("hoist.viva");            text --load_model--> Model
//   Kinematics motion = analyze_motion(model);         velocities, accelerations, partial velocities
//   Equations equations = derive(motion);              by Kane's, Lagrange's, Hamilton's, Newton's way
//   Energies energies = analyze_energy(motion, equations);
//   CompiledSystem system = compile(equations, energies);
//   Trajectory run = simulate(system, {.until = 10.0, .energy = 1e-9});
//   write_report("hoist.html", {model, equations, energies, run});
// Each step makes a value from those before it; stop anywhere and look. This header and those that it
// names are the public ones; what they include in turn may change.
#pragma once

#include "visviva/base/error.h"
#include "visviva/codegen/system/compile.h"
#include "visviva/equations/energy/analyze_energy.h"
#include "visviva/equations/methods/derive.h"
#include "visviva/kinematics/kinematics.h"
#include "visviva/model/model.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/trajectory/reason_text.h"
#include "visviva/simulation/run/simulate.h"
#include "visviva/study/prepared_system.h"
#include "visviva/study/write_report.h"
#include "visviva/symbolic/print/print.h"
#include "visviva/text/build/load_model.h"
