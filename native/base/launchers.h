// Programs that are not the application, by the name of the executable.
#pragma once

namespace parallax {

bool isLauncher(const char* baseName);    // only starts others, or interprets what does
bool isShell(const char* baseName);
bool isScriptTool(const char* baseName);  // a small tool that is not the application in a script

}  // namespace parallax
