// Programs that this process executes, by exec or in a new process.
#pragma once

#include <alloca.h>

#include "base/own_environment.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "core/own_stack.h"

namespace parallax {

// Looks at the file that is about to be executed, and tells the trace when it cannot be recorded.
// `searches`: a name without a slash is looked up in PATH.
ProgramFile lookAtProgram(const char* name, bool searches);
ProgramFile lookAtProgramIn(int directory, const char* path);
ProgramFile lookAtOpenProgram(int fd);

// run(environment), with the environment that the program is to have. Where it is another one than the
// caller's it is on the stack: of what runs on the memory of its parent (vfork) nothing is left.
template <class Run>
auto runFitted(const ProgramFile& program, char* const* environment, Run execute) {
  // What the program has to know of this one's sandbox is added.
  const auto run = [&](char* const* fitted) {
    char* const* told = sandbox::environmentFor(fitted);
    const auto result = execute(told);
    sandbox::freeEnvironment(fitted, told);
    return result;
  };
  const FittedEnvironment fitted(ownEnvironment(), environment, program);
  if (fitted.isGiven()) return run(environment);
  constexpr size_t kAlways = 2048, kWithRoom = 12288;
  if (fitted.bytes() <= kAlways || (fitted.bytes() <= kWithRoom && hasRoom())) {
    return run(static_cast<char* const*>(fitted.write(alloca(fitted.bytes()))));
  }
  void* pages = sys::pages(fitted.bytes());
  if (pages == nullptr) return run(environment);
  const auto result = run(static_cast<char* const*>(fitted.write(pages)));
  sys::munmap(pages, fitted.bytes());
  return result;
}

}  // namespace parallax
