// Execution of other programs. They get the agent also when their environment was made anew, and are
// started without it where it cannot be loaded (base/own_environment.h); that is so in processes that
// are not recorded, too, such as shells.
//
// Called before the real function is known: it is looked up at once (real.h). In a child that shares
// its parent's memory (vfork) the trace of the parent is left alone. None of them may be called inside
// itself. The forms that take the environment of the process call those that are given one.
#include "interpose/process/process_execute.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include <cstdlib>

#include "base/scratch.h"
#include "core/outcomes.h"
#include "core/process.h"
#include "interpose/real.h"

namespace parallax {
namespace {

template <class Execute>
int execute(const ProgramFile& program, char* const* environment, Execute real) {
  process.end(format::EndReason::kExec, 0);
  const int result = runFitted(program, environment, real);
  process.endFailed();
  return result;
}

PARALLAX_REAL Real<int(const char*, char* const*, char* const*)> realExecve("execve");
PARALLAX_REAL Real<int(const char*, char* const*, char* const*)> realExecvpe("execvpe");
PARALLAX_REAL Real<int(int, char* const*, char* const*)> realFexecve("fexecve");
PARALLAX_REAL Real<int(int, const char*, char* const*, char* const*, int)> realExecveat("execveat");

bool wanted() { return ownEnvironment().agent != nullptr; }

// The dynamic linker complains of what it cannot find.
bool canReachAgent() {
  const int fd = sys::openat(AT_FDCWD, ownEnvironment().agent, O_RDONLY);
  if (fd >= 0) sys::close(fd);
  return fd >= 0 || (fd != -ENOENT && fd != -ENOTDIR && fd != -EACCES);
}

ProgramFile examine(int directory, const char* path) {
  ProgramFile program = examineProgram(directory, path);
  if (program.fit == ProgramFit::kFits && !canReachAgent()) program.fit = ProgramFit::kOutOfReach;
  return program;
}

void tellIfUnfit(const ProgramFile& program, const char* path) {
  if (program.fit != ProgramFit::kFits) tellUnrecorded(program.fit, path);
}

}  // namespace

ProgramFile lookAtProgram(const char* name, bool searches) {
  if (!wanted() || name == nullptr) return {};
  if (!searches) return lookAtProgramIn(AT_FDCWD, name);
  const Scratch path;
  if (!path || !findProgram(name, getenv("PATH"), path.bytes(), Scratch::kBytes)) return {};
  return lookAtProgramIn(AT_FDCWD, path.bytes());
}

ProgramFile lookAtProgramIn(int directory, const char* path) {
  if (!wanted() || path == nullptr) return {};
  const ProgramFile program = examine(directory, path);
  tellIfUnfit(program, path);
  return program;
}

ProgramFile lookAtOpenProgram(int fd) {
  if (!wanted()) return {};
  char link[kDescriptorLinkBytes];
  writeDescriptorLink(fd, link);
  const ProgramFile program = examine(AT_FDCWD, link);
  const Scratch path;
  if (program.fit == ProgramFit::kFits || !path) return program;
  const long length = sys::readlink(link, path.bytes(), Scratch::kBytes - 1);
  path.bytes()[length > 0 ? length : 0] = '\0';
  tellIfUnfit(program, path.bytes());
  return program;
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
  auto* real = realExecve.get();
  return execute(lookAtProgram(path, false), envp,
                 [=](char* const* environment) { return real(path, argv, environment); });
}

PARALLAX_EXPORT int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
  auto* real = realExecvpe.get();
  return execute(lookAtProgram(file, true), envp,
                 [=](char* const* environment) { return real(file, argv, environment); });
}

PARALLAX_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  return execve(path, argv, environ);
}

PARALLAX_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  return execvpe(file, argv, environ);
}

PARALLAX_EXPORT int fexecve(int fd, char* const argv[], char* const envp[]) noexcept {
  auto* real = realFexecve.get();
  return execute(lookAtOpenProgram(fd), envp,
                 [=](char* const* environment) { return real(fd, argv, environment); });
}

PARALLAX_EXPORT int execveat(int directory, const char* path, char* const argv[],
                             char* const envp[], int flags) noexcept {
  auto* real = realExecveat.get();
  const bool isOpen = (flags & AT_EMPTY_PATH) != 0 && *path == '\0';
  const ProgramFile program = isOpen ? lookAtOpenProgram(directory) : lookAtProgramIn(directory, path);
  return execute(program, envp, [=](char* const* environment) {
    return real(directory, path, argv, environment, flags);
  });
}

// The forms with a list of arguments. libc's own would not come past the wrappers above.
namespace {

size_t countArguments(va_list list) {
  size_t count = 1;
  while (va_arg(list, char*) != nullptr) count++;
  return count;
}

void copyArguments(char** argv, const char* first, va_list list) {
  *argv++ = const_cast<char*>(first);
  while ((*argv++ = va_arg(list, char*)) != nullptr) {
  }
}

}  // namespace

#define PARALLAX_COLLECT_ARGUMENTS(first)                                               \
  va_list list;                                                                         \
  va_start(list, first);                                                                \
  const size_t count = countArguments(list);                                            \
  va_end(list);                                                                         \
  auto** argv = static_cast<char**>(alloca((count + 1) * sizeof(char*)));               \
  va_start(list, first);                                                                \
  copyArguments(argv, first, list)

PARALLAX_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  PARALLAX_COLLECT_ARGUMENTS(first);
  va_end(list);
  return execv(path, argv);
}

PARALLAX_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  PARALLAX_COLLECT_ARGUMENTS(first);
  va_end(list);
  return execvp(file, argv);
}

PARALLAX_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  PARALLAX_COLLECT_ARGUMENTS(first);
  auto** environment = va_arg(list, char**);
  va_end(list);
  return execve(path, argv, environment);
}
