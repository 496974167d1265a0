// Ends of the process that run no exit handlers, and execution of another program.
//
// Called before the real function is known: it is looked up at once (real.h). In a child that
// shares its parent's memory (vfork) the trace is left alone. None of them may be called inside
// itself.
#include <alloca.h>
#include <stdarg.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/process.h"
#include "agent/sandbox.h"
#include "agent/sys.h"
#include "interpose/real.h"
#include "perturb/speedup.h"

namespace parallax {
namespace {

using ExitFunction = void(int);
PARALLAX_REAL Real<ExitFunction> realQuickExit("quick_exit");

[[noreturn]] void exitNow(int status) {
  if (speedup::active) speedup::payAll();
  process.end(format::EndReason::kExit, status);
  for (;;) sys::callForProgram(SYS_exit_group, status);
}

// real(environment) executes the program; what that must know of this one's sandbox is added.
template <class Execute>
int execute(char* const* environment, Execute real) {
  process.end(format::EndReason::kExec, 0);
  char* const* told = sandbox::environmentFor(environment);
  const int result = real(told);
  sandbox::freeEnvironment(environment, told);
  process.endFailed();
  return result;
}

PARALLAX_REAL Real<int(const char*, char* const*, char* const*)> realExecve("execve");
PARALLAX_REAL Real<int(const char*, char* const*, char* const*)> realExecvpe("execvpe");
PARALLAX_REAL Real<int(int, char* const*, char* const*)> realFexecve("fexecve");
PARALLAX_REAL Real<int(int, const char*, char* const*, char* const*, int)> realExecveat("execveat");

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT void _exit(int status) { exitNow(status); }
PARALLAX_EXPORT void _Exit(int status) noexcept { exitNow(status); }

// What the program registered with at_quick_exit runs after the end of the record.
PARALLAX_EXPORT void quick_exit(int status) noexcept {
  process.end(format::EndReason::kExit, status);
  realQuickExit.get()(status);
  for (;;) sys::callForProgram(SYS_exit_group, status);
}

PARALLAX_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  auto* real = realExecve.get();
  return execute(environ, [=](char* const* told) { return real(path, argv, told); });
}

PARALLAX_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  auto* real = realExecvpe.get();
  return execute(environ, [=](char* const* told) { return real(file, argv, told); });
}

PARALLAX_EXPORT int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
  auto* real = realExecve.get();
  return execute(envp, [=](char* const* told) { return real(path, argv, told); });
}

PARALLAX_EXPORT int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
  auto* real = realExecvpe.get();
  return execute(envp, [=](char* const* told) { return real(file, argv, told); });
}

PARALLAX_EXPORT int fexecve(int fd, char* const argv[], char* const envp[]) noexcept {
  auto* real = realFexecve.get();
  return execute(envp, [=](char* const* told) { return real(fd, argv, told); });
}

PARALLAX_EXPORT int execveat(int directory, const char* path, char* const argv[],
                             char* const envp[], int flags) noexcept {
  auto* real = realExecveat.get();
  return execute(envp, [=](char* const* told) { return real(directory, path, argv, told, flags); });
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
