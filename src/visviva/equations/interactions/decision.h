// Decision: the answer to a question that may stay open.
#pragma once

namespace visviva {

enum class Decision { no, yes, undecided };

}  // namespace visviva
