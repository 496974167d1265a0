// Recording of a program that ran before the agent was loaded into it. The recorder loads the agent with dlopen in a
// thread of the program, and calls its entry points there; references.h has how routines are intercepted then.
#pragma once

namespace parallax {

// Whether the program was complete before the agent came: asked once, when the agent is loaded.
bool isLoadedLate();

// What the entry points return.
enum class AttachResult : long {
  kDone = 0,
  kUnderRecord = 1,   // the agent was loaded with the program
  kNotPossible = 2,   // the trace cannot be written, or the process is a launcher
  kNotAgain = 3,      // an earlier start has failed
  kNotAttached = 4,   // nothing to end
  kElsewhere = 5,     // this thread is in the middle of what must be undone: another one can do it
};

}  // namespace parallax
