// HOST.outcomes of a trace: what processes tell of others, and the recorder of the command. FORMAT.md
// has its lines.
#pragma once

#include "base/program_file.h"

namespace parallax {

// The file in a trace directory, for appending; -errno when it cannot be written.
int openOutcomes(const char* directory);
// A process was waited for and has ended with a status as wait gives it.
void appendEnd(int fd, int pid, int status);
// A program is executed that cannot have the agent. Each is told once.
void appendUnrecorded(int fd, ProgramFit fit, const char* path);
// What the word means that such a line has: "is statically linked".
const char* reasonOfWord(const char* word);

// The same for the trace of this process, which need not be recorded itself (shells). Nothing when it
// is not under `record`. Signal handlers, and children that share their parent's memory, may call
// them.
void tellEnd(int pid, int status);
void tellUnrecorded(ProgramFit fit, const char* path);

}  // namespace parallax
