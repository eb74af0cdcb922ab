// The section of fields on the page: their partial differential equations, all boundary conditions, work and energy.
#pragma once

#include "visviva/report/page/html.h"
#include "visviva/report/page/report_origin.h"

namespace visviva {

/// Nothing for a model without fields.
Html make_fields_section(const FieldPanel& panel);

}  // namespace visviva
