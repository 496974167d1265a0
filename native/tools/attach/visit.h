// A visit in a process that runs: one of its threads calls functions at a safe point, while the others run on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "tools/attach/safe_point.h"
#include "tools/attach/stopped_thread.h"
#include "tools/attach/target.h"

namespace parallax::attach {

class Visit {
 public:
  explicit Visit(pid_t pid) : target_(pid) {}

  // Finds a thread at a safe point, and lets `work` call functions in it. Returns what went wrong, or what `work`
  // returns; empty: nothing. Where `work` returns kElsewhere, it is done again in another thread or later.
  static constexpr char kElsewhere[] = "another thread must do it";
  std::string run(const std::function<std::string()>& work);

  // ---- for the work
  Target& target() { return target_; }
  // A function of libc or of the dynamic linker's library; 0 if there is none.
  uint64_t functionOf(const char* name) const;
  // On a stack of its own, once there is one. What went wrong; empty: it has returned.
  std::string call(const char* name, uint64_t function, std::initializer_list<uint64_t> arguments, uint64_t* result);
  // Copies bytes into memory of the visit, 16-aligned; their address, or 0.
  uint64_t place(const void* bytes, size_t size);

  // How long the thread was stopped or busy with the visit.
  uint64_t stoppedNs() const { return stoppedNs_; }
  // How long each call took, for people.
  const std::string& times() const { return times_; }

 private:
  std::string runStopped(const std::function<std::string()>& work);
  bool isRefused(pid_t thread) const;
  std::string lookForLocks();
  bool holdsNoLock(const Module& allocator, const user_regs_struct& registers) const;
  bool holdsLockOfLinker() const;
  Symbol dataOfLinker() const;
  std::string crashText();
  // Where `allocator` is given, a thread that waits for a lock for long, and holds none, is taken out of the call.
  std::string callFor(const Module* allocator, const char* name, uint64_t function,
                      std::initializer_list<uint64_t> arguments, uint64_t* result);

  Target target_;
  uint64_t trap_ = 0, memory_ = 0, placed_ = 0, stack_ = 0;
  StoppedThread* thread_ = nullptr;
  uint64_t stoppedNs_ = 0;
  std::string times_;
};

}  // namespace parallax::attach
