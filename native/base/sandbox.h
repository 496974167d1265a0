// What the program has forbidden itself, and so the agent: seccomp's filters and strict mode, and the
// dispatch of system calls to the program.
//
// The agent sees each filter before it is installed (interpose/process/process_sandbox.cpp) and keeps a copy.
// From then on every system call of the agent is run through the copies first (sys::call), with its
// very arguments. One that the kernel would answer by anything but the call or an error fails in the
// agent with ENOSYS, as on a kernel that does not have it, and is not made.
//
// As in the kernel the rules of a thread are a chain that only grows. A new thread and a forked child
// begin with those of their creator, an executed program with those that PARALLAX_SECCOMP tells it:
//
//   filters outside of the recording [: filter in hex]...      outermost first
//
// Async-signal-safe, all of it.
#pragma once

#include <linux/filter.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::sandbox {

struct Rules {
  enum class Kind : uint8_t {
    kFilter,
    kNothing,  // no system call but those of seccomp's strict mode
    kUnknown,  // a filter that the agent has not seen: no system call
  };
  Kind kind;
  const sock_filter* program;
  size_t length;
  const Rules* outer;  // null: the first
  uint32_t depth;      // how many there are, this one included
};

// Of the calling thread; of all threads, once they have been synchronised (TSYNC). The longer chain
// holds: the other is a part of it.
extern __thread const Rules* own __attribute__((tls_model("initial-exec")));
extern std::atomic<const Rules*> common;

inline bool isRestricted() {
  return __builtin_expect(own != nullptr || common.load(std::memory_order_relaxed) != nullptr, false);
}
// Those that hold for the calling thread; null: none.
const Rules* rules();

// What the kernel would do with a system call of the agent: 0 makes it, an error is given without.
// -ENOSYS stands for all that must not happen to a program: being ended, a signal, or another process
// that is asked.
long verdict(const Rules* rules, long number, long a = 0, long b = 0, long c = 0, long d = 0,
             long e = 0, long f = 0);
inline bool permits(const Rules* rules, long number, long a = 0, long b = 0, long c = 0, long d = 0,
                    long e = 0) {
  return verdict(rules, number, a, b, c, d, e) == 0;
}

// The rules of the calling thread with one more filter, which is copied. It is in memory of the
// program, which may be none at all: null then, as the kernel will refuse it.
const Rules* rulesWith(const sock_fprog* program);
// From here on they hold: for the calling thread, or for all.
void hold(const Rules* rules, bool allThreads);
// The calling thread has no system call any more.
void forbidAll();
// All that is held, and back to it: where the kernel has refused, and in a parent whose child has run on
// its memory.
struct Held {
  const Rules* own;
  const Rules* common;
  const Rules* latest;
};
Held held();
void restore(const Held& former);

// Takes memory for the agent, for when the program has forbidden to map any.
void provideMemory();
// Zeroed memory of that, or null.
void* providedPages(size_t sizeBytes);

// For a thread whose creation was not seen: it has the rules that were made last.
void inheritLatest();
// For the main thread, before any other system call of the agent but the one that has read how many filters
// hold (ProcessStatus::filters).
void inheritFromEnvironment(int filters);
bool isUnknown();

// The environment for a program that is executed by this thread: with what it has to know, or
// `environment` itself where there is nothing to tell. Free it with freeEnvironment where the
// execution has failed, or was of another process.
char* const* environmentFor(char* const* environment);
void freeEnvironment(char* const* environment, char* const* made);

constexpr const char* kVariable = "PARALLAX_SECCOMP";

}  // namespace parallax::sandbox
