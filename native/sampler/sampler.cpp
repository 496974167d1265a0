#include "sampler/sampler.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <ucontext.h>

#include "base/settings.h"
#include "base/process_status.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/glibc.h"
#include "core/own_stack.h"
#include "sampler/alternate_stack.h"
#include "sampler/awaited_threads.h"
#include "sampler/debugger.h"
#include "sampler/sample_timer.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"

namespace parallax::sampler {

namespace {

using glibc::kTimerSignal;

constexpr uint64_t kNsPerSecond = 1000000000;

// The sampler's data for a thread. After the end of the thread it is reused for another one, but
// never unmapped, because a late signal or a reader may still use it.
struct ThreadSampler {
  std::atomic<bool> inUse;
  std::atomic<bool> active;  // samples are wanted
  bool skipped;              // a sample, for want of memory
  Unwinder* unwinder;
  SampleTimer timer;
  ThreadSampler* next;
};

std::atomic<ThreadSampler*> threads{nullptr};
bool started = false;
uint32_t rateHz = 0;
SampleTimer::Choice choice;
bool onWallTime = false;
bool debugged = false;
std::atomic<uint64_t> signalSet{0};
std::atomic<bool> trapsByInstructions{false};

// The kernel's structure: libc's functions refuse the signal of the timers.
struct KernelAction {
  void* handler;
  uint64_t flags;
  void (*restorer)();
  uint64_t mask;
};
void (*restorer)() = nullptr;
constexpr uint64_t signalBit(int number) { return uint64_t{1} << (number - 1); }
uint64_t timerSignalSet() { return choice.timerSignal != 0 ? signalBit(choice.timerSignal) : 0; }

// What the program has asked for a sampling signal, and the part of it that a handler reads.
struct ProgramSignal {
  struct sigaction action;
  std::atomic<void (*)(int)> handler;
  std::atomic<int> flags;
  std::atomic<uint64_t> mask;

  void set(const KernelAction& present) {
    struct sigaction wanted{};
    wanted.sa_handler = reinterpret_cast<void (*)(int)>(present.handler);
    wanted.sa_flags = static_cast<int>(present.flags);
    wanted.sa_restorer = present.restorer;
    memcpy(&wanted.sa_mask, &present.mask, sizeof present.mask);
    set(wanted);
  }
  void set(const struct sigaction& wanted) {
    action = wanted;
    uint64_t blocked;
    memcpy(&blocked, &wanted.sa_mask, sizeof blocked);
    mask.store(blocked, std::memory_order_relaxed);
    flags.store(wanted.sa_flags, std::memory_order_release);
    handler.store(wanted.sa_handler, std::memory_order_release);
  }
};
ProgramSignal programTrap, programTimerSignal;
ProgramSignal& programSignal(int number) {
  return number == SIGTRAP ? programTrap : programTimerSignal;
}

ThreadSampler* samplerOf(Thread* thread) {
  return static_cast<ThreadSampler*>(samplerData(thread));
}

// ---------------------------------------------------------------- signal handler

KernelAction kernelAction(int number) {
  KernelAction action{};
  sys::call(SYS_rt_sigaction, number, 0, sys::word(&action), sizeof action.mask);
  return action;
}
bool setKernelAction(int number, const KernelAction& action) {
  return sys::call(SYS_rt_sigaction, number, sys::word(&action), 0, sizeof action.mask) == 0;
}

// The signals that the kernel would block while the program's handler runs: those that were blocked
// before, and those of the action. A trap by an instruction must stay unblocked, because the kernel
// would kill the program.
uint64_t maskOfHandler(int number, const ProgramSignal& program, int flags,
                       const ucontext_t& context) {
  uint64_t mask;
  memcpy(&mask, &context.uc_sigmask, sizeof mask);
  mask |= program.mask.load(std::memory_order_relaxed) & ~timerSignalSet();
  if ((flags & SA_NODEFER) == 0) mask |= signalBit(number);
  return mask & ~trapSignals();
}

// Treats a signal that is not ours as the kernel would have done.
void passToProgram(int number, siginfo_t* info, ucontext_t* context) {
  // Signal context.
  ProgramSignal& program = programSignal(number);
  void (*handler)(int) = program.handler.load(std::memory_order_acquire);
  const int flags = program.flags.load(std::memory_order_acquire);
  // SA_RESETHAND holds for one signal only: if two threads receive it at once, the second one takes
  // the default action.
  const bool once = static_cast<unsigned>(flags) & static_cast<unsigned>(SA_RESETHAND);
  while (once && handler != SIG_IGN && handler != SIG_DFL &&
         !program.handler.compare_exchange_weak(handler, SIG_DFL, std::memory_order_acq_rel)) {
  }
  if (handler == SIG_IGN) return;
  if (handler == SIG_DFL) {
    setKernelAction(number, {});
    // The signal is blocked here. It ends the process when this handler returns.
    sys::call(SYS_tgkill, sys::getpid(), sys::gettid(), number);
    return;
  }
  const uint64_t mask = maskOfHandler(number, program, flags, *context);
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(&mask), 0, sizeof mask);
  if ((flags & SA_SIGINFO) != 0) {
    const auto withInfo = reinterpret_cast<void*>(handler);
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(withInfo)(number, info, context);
  } else {
    handler(number);
  }
}

AddressRange alternateStackOf(const ucontext_t& context) {
  AddressRange range;
  if ((context.uc_stack.ss_flags & SS_DISABLE) == 0) {
    range.low = reinterpret_cast<uint64_t>(context.uc_stack.ss_sp);
    range.high = range.low + context.uc_stack.ss_size;
  }
  return range;
}

__attribute__((noinline)) void takeSample(ThreadSampler& sampler, ucontext_t* context) {
  // Signal context.
  // While the thread only waits, it is in libc or in the agent. Elsewhere it is in a handler that has ended the wait.
  const auto pc = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
  if (Guard::isWaiting() && sampler.unwinder->isAgentOrBeside(reinterpret_cast<uint64_t>(restorer), pc)) return;
  const CountedRoutineAside aside;
  Instant instant;
  // No sample inside an instrumented function, because its time is measured.
  if (!instant || isInFunction(instant.thread())) return;
  if (isPausedAtSample(instant.thread(), instant.ticks())) return;
  if (isPollingAtSample(instant.thread(), instant.ticks())) return;
  const auto greg = [context](int number) {
    return static_cast<uint64_t>(context->uc_mcontext.gregs[number]);
  };
  WalkStart start;
  start.pc = greg(REG_RIP);
  start.rsp = greg(REG_RSP);
  start.rbp = greg(REG_RBP);
  start.rbx = greg(REG_RBX);
  start.registers = context->uc_mcontext.gregs;
  start.alternateStack = alternateStackOf(*context);
  instant.emit(Kind::kSample, sampler.unwinder->path(start, true));
  sampler.timer.sampled(emitThreadCounters(instant.thread(), instant.ticks()));
}

// An alternate stack of the program may have little room left after the signal frame, but the first
// event of a child process creates files.
__attribute__((noinline)) void takeSampleWithRoom(ThreadSampler& sampler, ucontext_t* context) {
  // Signal context.
  constexpr uint64_t kEnoughBytes = 32 << 10;
  const AddressRange stack = alternateStackOf(*context);
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  if (!stack.contains(here) || here - stack.low >= kEnoughBytes) {
    return takeSample(sampler, context);
  }
  struct Sample {
    ThreadSampler& sampler;
    ucontext_t* context;
  } sample{sampler, context};
  const bool done = callOnOwnStack(
      [](void* argument) {
        auto* wanted = static_cast<Sample*>(argument);
        takeSample(wanted->sampler, wanted->context);
      },
      &sample);
  if (!done) sampler.skipped = true;
}

bool sentByAnyThread(const siginfo_t& info) {
  for (ThreadSampler* s = threads.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    if (s->timer.sent(info)) return true;
  }
  return false;
}

// The other users of SIGTRAP (claimTraps).
constexpr int kMostClaims = 4;
std::atomic<TrapClaim*> claims[kMostClaims];

bool isClaimed(siginfo_t* info, ucontext_t* context) {
  for (auto& claim : claims) {
    TrapClaim* asked = claim.load(std::memory_order_acquire);
    if (asked == nullptr) return false;
    if (asked(info, context)) return true;
  }
  return false;
}

void onSignal(int number, siginfo_t* info, void* opaque) {
  // Signal context.
  const int savedErrno = errno;
  auto* context = static_cast<ucontext_t*>(opaque);
  if (__builtin_expect(isAttached, false) && beginAwaited(*info, static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]))) {
    errno = savedErrno;
    return;
  }
  if (number == SIGTRAP && isClaimed(info, context)) {
    errno = savedErrno;
    return;
  }
  // A signal of the program must not start the recording of a thread.
  Thread* thread = SampleTimer::maySend(*info) ? currentThread() : nullptr;
  ThreadSampler* sampler = thread != nullptr ? samplerOf(thread) : nullptr;
  if (sampler != nullptr && sampler->timer.sent(*info)) {
    const auto pc = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
    if (sampler->active.load(std::memory_order_relaxed) && sampler->timer.wants(*info, pc)) {
      takeSampleWithRoom(*sampler, context);
    }
  } else if (!sentByAnyThread(*info)) {  // including this thread, if it has just ended
    passToProgram(number, info, context);
  }
  errno = savedErrno;
}

// Finds libc's return trampoline for signal handlers, which unwinders recognise: installs a handler
// through libc for a moment and reads it back.
bool findRestorer() {
  if (restorer != nullptr) return true;
  using Sigaction = int(int, const struct sigaction*, struct sigaction*);
  auto* real = reinterpret_cast<Sigaction*>(nextSymbol("sigaction"));
  if (real == nullptr || !sandbox::permits(sandbox::rules(), SYS_rt_sigaction, SIGTRAP)) return false;
  const KernelAction former = kernelAction(SIGTRAP);
  programTrap.set(former);
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  if (real(SIGTRAP, &action, nullptr) != 0) return false;
  restorer = kernelAction(SIGTRAP).restorer;
  return setKernelAction(SIGTRAP, former) && restorer != nullptr;
}

bool install(int number) {
  const KernelAction former = kernelAction(number);
  if (former.handler == reinterpret_cast<void*>(onSignal)) return true;
  constexpr uint64_t kWithRestorer = 0x04000000;  // SA_RESTORER, of the kernel's headers only
  // All signals are blocked in our handler: a handler of the program that interrupts it could leave
  // it by longjmp.
  constexpr uint64_t kAll = ~uint64_t{0};
  programSignal(number).set(former);
  return setKernelAction(number, {reinterpret_cast<void*>(onSignal),
                                  SA_SIGINFO | SA_RESTART | SA_ONSTACK | kWithRestorer, restorer,
                                  kAll});
}

// Chooses how this process is sampled.
void choose(uint64_t tracer) {
  debugged = isDebugger(tracer);
  if (debugged || !findRestorer()) return;
  choice.periodNs = kNsPerSecond / rateHz;
  SampleTimer::discardInherited();
  const bool timerIsEnough = choice.periodNs >= kernelTickNs();
  if (glibc::holds(glibc::Assumption::kTimerSignal) && install(kTimerSignal) && canHaveTimer(kTimerSignal)) {
    choice.timerSignal = kTimerSignal;
  }
  const bool perfIsWanted = !timerIsEnough || choice.timerSignal == 0;
  if (perfIsWanted && canHavePerf() && install(SIGTRAP)) {
    signalSet.fetch_or(signalBit(SIGTRAP), std::memory_order_release);
    choice.source = SampleSource::kPerf;
  } else if (choice.timerSignal != 0) {
    choice.source = SampleSource::kTimer;
  }
}

// Records whether return addresses are replaced (markers.h), as far as it is known at the start of
// the process.
void tellMarkers() {
  prepareMarkers();
  const char* which = !markersAllowed() ? "none" : allMarkersWanted() ? "all" : "some";
  define(format::SettingRecord{"markers", which});
}

void tellChoice() {
  define(format::SettingRecord{"sample-clock", onWallTime ? "wall" : "cpu"});
  switch (choice.source) {
    case SampleSource::kPerf:
      define(format::SettingRecord{"sample-source", "perf"});
      note("With perf events, the kernel itself is sampled only at its tick, usually 100 to 1000 "
          "times per second. Outside of recorded calls, short system calls show less time than "
          "they take, and the code after them shows more.");
      break;
    case SampleSource::kTimer:
      define(format::SettingRecord{"sample-source", "timer"});
      if (choice.periodNs < kernelTickNs()) {
        note("There are fewer samples than requested: the kernel refused the perf events that this "
            "sample rate needs (see perf_event_paranoid), and its timers are not faster than its "
            "tick, usually 100 to 1000 per second.");
      }
      break;
    case SampleSource::kNone:
      define(format::SettingRecord{"sample-source", "none"});
      if (debugged) {
        note("There are no samples: a debugger is attached, and each sample would stop the "
            "process.");
        break;
      }
      if (sandbox::rules() != nullptr) {
        note("There are no samples: a seccomp filter from before the start of the program forbids "
            "timers and perf events.");
        break;
      }
      if (!glibc::holds(glibc::Assumption::kTimerSignal)) {
        note("There are no samples: the kernel refused perf events (see perf_event_paranoid), and timers cannot "
             "be used with this libc.");
        break;
      }
      note("There are no samples: the kernel refused timers (usually because the limit of "
           "pending signals is reached, see ulimit -i) and perf events (see "
           "perf_event_paranoid).");
      break;
  }
}

// ---------------------------------------------------------------------- threads

// A free one, or a new one.
ThreadSampler* obtain() {
  for (ThreadSampler* s = threads.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    bool free = false;
    if (s->inUse.load(std::memory_order_relaxed)) continue;
    if (s->inUse.compare_exchange_strong(free, true, std::memory_order_acq_rel)) return s;
  }
  auto* sampler = static_cast<ThreadSampler*>(allocate(sizeof(ThreadSampler)));
  Unwinder* unwinder = Unwinder::create();
  if (sampler == nullptr || unwinder == nullptr) return nullptr;
  new (sampler) ThreadSampler{};
  sampler->unwinder = unwinder;
  sampler->inUse.store(true, std::memory_order_relaxed);
  ThreadSampler* first = threads.load(std::memory_order_relaxed);
  do {
    sampler->next = first;
  } while (!threads.compare_exchange_weak(first, sampler, std::memory_order_release));
  return sampler;
}

}  // namespace

// ------------------------------------------------------------------------ seams

void startProcess(uint32_t sampleHz, uint64_t tracer) {
  if (started) {  // in a child after fork
    for (ThreadSampler* s = threads.load(std::memory_order_acquire); s != nullptr; s = s->next) {
      s->timer.forget();
      s->active.store(false, std::memory_order_relaxed);
      s->inUse.store(false, std::memory_order_relaxed);
    }
    forgetInheritedAwaited();
    resetModulesAfterFork();
    return;
  }
  started = true;
  rateHz = sampleHz;
  refreshModules();
  tellMarkers();
  if (sampleHz == 0) return;
  onWallTime = setting(Setting::kSampleClock) == "wall";
  choose(tracer);
  tellChoice();
}

void startAgain(uint32_t sampleHz) {
  for (ThreadSampler* s = threads.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    s->active.store(false, std::memory_order_relaxed);
    s->inUse.store(false, std::memory_order_release);
  }
  rateHz = sampleHz;
  choice = {};
  refreshModules();
  if (sampleHz != 0) {
    onWallTime = setting(Setting::kSampleClock) == "wall";
    choose(0);
  }
  redefine();
}

void redefine() {
  redefineModules();
  tellMarkers();
  if (rateHz != 0) tellChoice();
}

void startThread(Thread* thread) {
  ThreadSampler* sampler = obtain();
  if (sampler == nullptr) return;
  const StackBounds bounds = threadStack();
  AddressRange stack;
  stack.low = bounds.low;
  stack.high = bounds.high;
  sampler->unwinder->attach(stack, thread);
  samplerData(thread) = sampler;
  if (choice.source == SampleSource::kNone) return;
  beginAlternateStack(stack);
  resume(thread);
}

void pause(Thread* thread) {
  ThreadSampler* sampler = samplerOf(thread);
  if (sampler == nullptr || choice.source == SampleSource::kNone) return;
  sampler->active.store(false, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  sampler->timer.stop();
  if (!sampler->skipped) return;
  sampler->skipped = false;
  note("Samples are missing because memory was not available. Later samples represent their time.");
}

siginfo_t timerSignalOf(Thread* thread) {
  const ThreadSampler* sampler = samplerOf(thread);
  return sampler != nullptr ? sampler->timer.timerSignal() : siginfo_t{};
}

void cancelAll() {
  for (ThreadSampler* s = threads.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    s->active.store(false, std::memory_order_relaxed);
    s->timer.cancel();
  }
}

void pauseAll() {
  cancelAll();
  const timespec handlersEnd{0, 10000000};
  sys::call(SYS_nanosleep, sys::word(&handlersEnd), 0);
}

void resume(Thread* thread) {
  ThreadSampler* sampler = samplerOf(thread);
  if (sampler == nullptr || choice.source == SampleSource::kNone) return;
  if (!sandbox::permits(sandbox::rules(), SYS_rt_sigreturn)) return;  // without it, no handler can return
  sampler->active.store(true, std::memory_order_release);
  keepSignal();
  // Threads are often created with all signals blocked.
  const uint64_t set = sampleSignals() | timerSignalSet();
  sys::call(SYS_rt_sigprocmask, SIG_UNBLOCK, sys::word(&set), 0, sizeof set);
  if (const int error = sampler->timer.start(choice)) {
    sampler->active.store(false, std::memory_order_relaxed);
    log("cannot make a timer for sampling: error", -error);
    if (error == -ENOSYS) return;  // a sandbox, which has its own Note
    note("There are no samples of some threads: the kernel refused a timer, usually because "
         "the limit of pending signals is reached (see ulimit -i).");
  }
}

void stopThread(Thread* thread) {
  ThreadSampler* sampler = samplerOf(thread);
  if (sampler == nullptr) return;
  pause(thread);
  endAlternateStack();
  samplerData(thread) = nullptr;
  sampler->unwinder->attach({});
  sampler->inUse.store(false, std::memory_order_release);
}

namespace {

inline __attribute__((always_inline)) uint32_t pathBelow(Thread* thread, const CallStart& start, Region* region) {
  ThreadSampler* sampler = samplerOf(thread);
  if (sampler == nullptr) return region->path(0);
  refreshStaleModules();
  return sampler->unwinder->pathOfCall(start, region);
}

}  // namespace

// Called with the registers of the frame that called pathFromHere(). Frames of the agent have call frame information like
// those of any module; they are left out of the path.
extern "C" __attribute__((visibility("hidden"), used)) uint32_t parallaxCallerPath(Thread* thread, Region* region,
                                                                                   uint64_t pc, uint64_t rsp,
                                                                                   uint64_t rbp) {
  return pathBelow(thread, {pc, rsp, rbp, false}, region);
}

namespace {

// Naked: saves one frame of the walk.
__attribute__((naked)) uint32_t pathFromHere(Thread*, Region*) {
  asm("mov (%rsp), %rdx\n\tlea 8(%rsp), %rcx\n\tmov %rbp, %r8\n\tjmp parallaxCallerPath");
}

}  // namespace

uint32_t callerPath(Thread* thread, RoutineFrame frame, Region& region) {
  // A marker is there if the routine was called in place of the return of its caller: the walk has to pass its frame.
  if (frame == nullptr || __builtin_expect(isMarker(frame[1]), false)) return pathFromHere(thread, &region);
  return pathBelow(thread, {frame[1], reinterpret_cast<uint64_t>(frame + 2), frame[0], false}, &region);
}

void beginPathsAt(Thread* thread, uintptr_t stackPointer, uintptr_t start, uintptr_t end) {
  ThreadSampler* sampler = samplerOf(thread);
  if (sampler != nullptr) sampler->unwinder->beginPathsAt(stackPointer, {start, end});
}

bool claimTraps(TrapClaim* claim, bool byInstructions) {
  if (isDebugger(readProcessStatus().tracer) || (restorer == nullptr && !findRestorer())) return false;
  int place = 0;
  TrapClaim* free = nullptr;
  while (!claims[place].compare_exchange_strong(free, claim, std::memory_order_acq_rel)) {
    if (++place == kMostClaims) return false;
    free = nullptr;
  }
  if (!install(SIGTRAP)) return false;
  const uint64_t trap = signalBit(SIGTRAP);
  signalSet.fetch_or(trap, std::memory_order_release);
  if (byInstructions) {
    trapsByInstructions.store(true, std::memory_order_release);
    sys::call(SYS_rt_sigprocmask, SIG_UNBLOCK, sys::word(&trap), 0, sizeof trap);
  }
  return true;
}

uint64_t trapSignals() {
  return trapsByInstructions.load(std::memory_order_relaxed) ? signalBit(SIGTRAP) : 0;
}

bool sendsSignals() {
  return choice.timerSignal != 0 || choice.source != SampleSource::kNone || sampleSignals() != 0;
}

bool isOnWallTime() { return onWallTime; }

void awaitThreads() {
  if (choice.timerSignal != 0) awaitThreads(choice.timerSignal);
}

void keepSignal() {
  if (choice.timerSignal != 0) install(choice.timerSignal);
}

uint64_t sampleSignals() { return signalSet.load(std::memory_order_acquire); }

struct sigaction exchangeProgramAction(int number, const struct sigaction* action) {
  ProgramSignal& program = programSignal(number);
  struct sigaction old = program.action;
  old.sa_handler = program.handler.load(std::memory_order_acquire);  // reset, perhaps
  if (action != nullptr) program.set(*action);
  return old;
}

}  // namespace parallax::sampler
