// How this process is to be measured, as parallax-record tells it in the environment.
#pragma once

namespace parallax {

// Writes the Setting records; once the process is recorded, and again in a child after fork.
void defineSettings();
void defineInstrumented();  // and that functions of the program are instrumented
void defineRelevance();  // of them, those of relevance.cpp

}  // namespace parallax
