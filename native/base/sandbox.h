// The system calls that the program has forbidden to itself, and thus to the agent: by seccomp's
// filters and strict mode, and by the dispatch of system calls to the program.
//
// The agent sees each filter before it is installed (interpose/process/process_sandbox.cpp) and
// keeps a copy. From then on, sys::call evaluates the copies for each system call of the agent,
// with its actual arguments. If the kernel would neither execute the call nor return an error (but
// kill the process, send a signal, or notify another process), the call is not made and fails with
// ENOSYS, as on a kernel without this system call.
//
// As in the kernel, the rules of a thread are a chain that only grows. A new thread and a forked
// child begin with the rules of their creator, an executed program with those in PARALLAX_SECCOMP:
//
//   filters outside of the recording [: filter in hex]...      outermost first
//
// All functions are async-signal-safe.
#pragma once

#include <linux/filter.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::sandbox {

struct Rules {
  enum class Kind : uint8_t {
    kFilter,
    kNothing,  // only the system calls of seccomp's strict mode
    kUnknown,  // a filter that the agent has not seen: no system calls
  };
  Kind kind;
  const sock_filter* program;
  size_t length;
  const Rules* outer;  // null: the first
  uint32_t depth;      // number of rules, including this one
};

// The rules of the calling thread, and those of all threads after a synchronisation (TSYNC). The
// longer chain holds, because it contains the other one.
extern __thread const Rules* own __attribute__((tls_model("initial-exec")));
extern std::atomic<const Rules*> common;

inline bool isRestricted() {
  return __builtin_expect(own != nullptr || common.load(std::memory_order_relaxed) != nullptr, false);
}
// Those that hold for the calling thread; null: none.
const Rules* rules();

// The kernel's reaction to a system call of the agent: 0 if it executes the call, or the error that
// it returns. -ENOSYS stands for reactions that would harm the program: its end, a signal, or a
// request to another process.
long verdict(const Rules* rules, long number, long a = 0, long b = 0, long c = 0, long d = 0,
             long e = 0, long f = 0);
inline bool permits(const Rules* rules, long number, long a = 0, long b = 0, long c = 0, long d = 0,
                    long e = 0) {
  return verdict(rules, number, a, b, c, d, e) == 0;
}

// The rules of the calling thread with one more filter, which is copied from the program's memory.
// Null if that memory is not readable: the kernel will refuse the filter, too.
const Rules* rulesWith(const sock_fprog* program);
// From here on they hold: for the calling thread, or for all.
void hold(const Rules* rules, bool allThreads);
// The calling thread has no system call any more.
void forbidAll();
// Saves and restores the rules: after the kernel has refused a filter, and in a parent whose child
// ran in its memory.
struct Held {
  const Rules* own;
  const Rules* common;
  const Rules* latest;
};
Held held();
void restore(const Held& former);

// Reserves memory for the agent, for the time after the program has forbidden to map any.
void provideMemory();
// Zeroed memory from this reserve, or null.
void* providedPages(size_t sizeBytes);

// For a thread whose creation the agent did not see: assumes the newest rules.
void inheritLatest();
// For the main thread, before any other system call of the agent but the one that has read how many filters
// hold (ProcessStatus::filters).
void inheritFromEnvironment(int filters);
bool isUnknown();

// The environment for a program that this thread executes: with PARALLAX_SECCOMP, or `environment`
// itself if there are no rules. Free it with freeEnvironment if the execution failed or belonged to
// another process.
char* const* environmentFor(char* const* environment);
void freeEnvironment(char* const* environment, char* const* made);

constexpr const char* kVariable = "PARALLAX_SECCOMP";

}  // namespace parallax::sandbox
