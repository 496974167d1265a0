// Changes of a program's code, prepared for the process that applies them (perturb/patch_actions.h).
#pragma once

#include <string>

#include "live/monitored_page.h"
#include "tools/points/points_prepare.h"

namespace parallax::tuning {

bool isChangeOfCode(live::ActionKind kind);

// Finds the functions of the request in the files that the process has mapped, those of the program first, and writes the
// prepared change into a new file. A module that the request names is a part of a path. Returns what is wrong, empty when
// nothing is. The first function of a library takes 0.1 to 3 s, others milliseconds. By one thread at a time.
std::string prepareChange(int pid, points::ActionRequest request, const std::string& path);

}  // namespace parallax::tuning
