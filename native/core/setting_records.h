// What the trace says of the settings (base/settings.h) by which it was made.
#pragma once

namespace parallax {

// Writes the Setting records, and what of this libc cannot be used (glibc.h); once the process is recorded,
// and again in a child after fork.
void defineSettings();
void defineInstrumented();  // and that functions of the program are instrumented
void defineRelevance();  // of them, those of relevance.cpp

}  // namespace parallax
