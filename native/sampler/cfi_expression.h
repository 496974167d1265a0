// The DWARF expressions of call frame information that the unwinder can follow: those that
// compilers, linkers and glibc's assembly write.
#pragma once

#include "sampler/cfi.h"

namespace parallax {

// Of DW_CFA_def_cfa_expression; of form kUnsupported for all others.
CfaRule cfaOfExpression(ByteRange expression);
// Of DW_CFA_expression; of form kUnsupported for all others.
Location locationOfExpression(ByteRange expression);

}  // namespace parallax
