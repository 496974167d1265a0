#pragma once

namespace parallax::perturb {

// Calls the function of an InsertedCall. All registers of the thread must be saved (parallaxKeepState).
void runInsertedCall(void* call);

}  // namespace parallax::perturb
