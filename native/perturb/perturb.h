// Perturbation of this process: the plan that PARALLAX_PERTURB names, applied. Independent of
// whether the process is recorded.
#pragma once

#include "perturb/delay.h"
#include "perturb/patch.h"
#include "perturb/plan.h"

namespace parallax::perturb {

// Once, when the process starts. Nothing without PARALLAX_PERTURB.
void start();
// After the program has loaded or unloaded modules.
void modulesChanged();

// Null if this process is not perturbed: there is no plan, or it cannot be read. Constant after
// start(). Signal handlers may call it.
const Plan* currentPlan();

// Whether the plan has points in modules that are not loaded. Signal handlers may ask.
bool awaitsModules();

// Where a module of the plan is loaded at present; null where it is not.
const LoadedModule* loadedModule(uint32_t module);

// The point of a macro of the program, or null if the plan has none of this name. `known`: the
// answer is final, so the caller may cache it. Signal handlers may call it.
const DelayPoint* macroPoint(const char* name, bool* known);

}  // namespace parallax::perturb
