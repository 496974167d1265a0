// PVM 3.4: what the files of this adapter share. It needs no header of PVM; the layouts below are
// those of pvmproto.h.
//
// Called before the real function is known: it is looked up at the first call, also in libraries
// loaded with RTLD_LOCAL. Where PVM is missing, calls answer PvmSysErr. Called inside an
// intercepted routine (libgpvm calls libpvm, and libpvm itself): passes straight through.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/agent.h"
#include "core/thread.h"
#include "interpose/linker/library_symbol.h"

namespace parallax::pvm {

inline constexpr int kSysErr = -14;  // PvmSysErr

struct HostInfo {  // struct pvmhostinfo
  int daemon;
  char* name;
  char* architecture;
  int speed, dataSignature;
};

struct MessageInfo {  // struct pvmminfo
  int bytes, context, tag, waitId, encoding, checksum, source, destination;
};

// The real routine behind an interposed one.
template <class F>
class RealPvm {
 public:
  constexpr explicit RealPvm(const char* name) : name_(name) {}

  template <class... Args>
  int operator()(Args... args) {
    F* function = function_.load(std::memory_order_acquire);
    if (__builtin_expect(function == nullptr, false)) function = lookUp();
    return function != nullptr ? function(args...) : kSysErr;
  }

 private:
  F* lookUp() {
    if (local.resolving) return nullptr;
    Guard guard;  // the search may call into malloc
    local.resolving = true;
    auto* found = reinterpret_cast<F*>(librarySymbol(name_, "pvm"));
    local.resolving = false;
    if (found != nullptr) function_.store(found, std::memory_order_release);
    return found;
  }

  const char* name_;
  std::atomic<F*> function_{nullptr};
};

extern RealPvm<int()> realGetContext, realGetSendBuffer;
extern RealPvm<int(int, MessageInfo*)> realMessageInfo;

inline bool wanted() { return adapterEnabled(Adapter::kPvm); }

// ---- pvm_task.cpp

// Whether this process is known to be a task of a virtual machine. The events of a call that makes
// it one come after the call.
bool isTask();
uint32_t taskId();  // 0: none
// After a call that has succeeded, and so enrolled this process: writes the Pvm record once.
void enrolled();
// The same, with the hosts that pvm_config has just given: asking again would invalidate them.
void enrolled(const HostInfo* hosts, int count);

// The number of a context's communicator, defined at first use. Null communicator 0 when there
// are too many contexts.
uint32_t communicatorOf(int context);
// A number that all tasks of the virtual machine share for this group, and nothing else has.
uint64_t groupKey(const char* group);

// The process is no task any more, or is recorded again, into another trace: what its next call needs is defined anew.
void beginAnew();

// A routine that has Enter and Leave alone.
template <class F>
int enterAndLeave(Region& region, F real) {
  if (!wanted()) return real();
  Call call(region);
  const int result = real();
  call.returned();
  if (call && result >= 0) enrolled();
  return result;
}

// The task that serves groups, once one of them was asked for; else 0. It is not recorded, and so
// are the messages to it and from it.
extern std::atomic<int> groupServer;
// Whether the calling thread is in a routine of libgpvm whose messages go to the group server.
extern __thread bool asksGroupServer __attribute__((tls_model("initial-exec")));

}  // namespace parallax::pvm
