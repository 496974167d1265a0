// Calls by which a program forbids system calls to itself, and thus to the agent: prctl, and libc's
// syscall, which libseccomp uses. Before the real call, the agent reserves the resources that it
// could not obtain afterwards, and applies the new rules to itself (base/sandbox.h): after a filter
// for all threads, a system call of the agent in another thread could otherwise kill the program.
// prctl also names threads.
//
// Called before the real function is known: prctl is looked up at once (real.h), and syscall is made
// here. Called inside an intercepted routine: the rules are kept, nothing else. In a child that shares
// its parent's memory the rules are kept until it has ended.
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "base/sandbox.h"
#include "base/text.h"
#include "core/clock.h"
#include "core/process.h"
#include "core/thread.h"
#include "core/writes_held.h"
#include "interpose/real.h"
#include "sampler/sampler.h"
#include "transport/transport_mode.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

// libc's syscall; the first word is its address.
extern "C" {
__attribute__((visibility("hidden"))) PARALLAX_REAL
parallax::Real<long(long, ...)> parallaxRealSyscall("syscall");
}

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int, ...)> realPrctl("prctl");

constexpr uint32_t kProvidedBlocks = 128;            // 8 MiB of events, about a million
constexpr uint64_t kProvidedDefinitions = 1 << 20;

// --------------------------------------------------- what is lost under filters

// The parts of the agent's work that the rules still allow.
struct Abilities {
  bool samples, newTimers, memory, moreSpace, newFiles, cpuClock, clock;

  explicit Abilities(const sandbox::Rules* rules) {
    const auto may = [rules](long number, long a = 0, long b = 0, long c = 0, long d = 0,
                             long e = 0) {
      return sandbox::permits(rules, number, a, b, c, d, e);
    };
    const int directory = process.directory().descriptor(), file = directory + 1;
    constexpr long kBytes = format::kBlockBytes, kFlags = O_RDWR | O_CLOEXEC;
    const auto name = sys::word(process.directory().path());
    memory = may(SYS_mmap, 0, kBytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    moreSpace = may(SYS_openat, directory, name, kFlags, 0666) &&
                (may(SYS_fallocate, file, 0, kBytes, kBytes) ||
                 may(SYS_pwrite64, file, name, kBytes, kBytes)) &&
                may(SYS_mmap, 0, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file) &&
                (!transportMode.isPrivate() || may(SYS_pwrite64, file, name, kBytes, kBytes));
    newFiles = moreSpace && may(SYS_openat, directory, name, kFlags | O_CREAT | O_EXCL, 0666);
    samples = may(SYS_rt_sigreturn);
    newTimers = samples && may(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, name, name) &&
                may(SYS_timer_settime, 1, 0, name) && may(SYS_rt_sigprocmask, 1, name, 0, 8);
    cpuClock = may(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, name);
    clock = may(SYS_clock_gettime, CLOCK_MONOTONIC, name);
  }
};

// Writes a Note about the parts that `now` no longer allows.
void tellLosses(const Abilities& before, const Abilities& now) {
  char text[400];
  size_t at = 0;
  const auto add = [&](const char* words) { at = appendText(text, at, sizeof text, words); };
  const char* between = "";
  const auto tell = [&](bool lost, const char* words) {
    if (!lost) return;
    add(between);
    add(words);
    between = "; ";
  };
  add("A seccomp filter of the program forbids system calls that the agent uses. From now on, in "
      "threads with this filter: ");
  const size_t empty = at;
  tell(before.samples && !now.samples, "there are no samples");
  tell(now.samples && before.newTimers && !now.newTimers, "new threads have no samples");
  tell(before.moreSpace && !now.moreSpace,
       "each thread has space for 8 MiB of events, and later ones are lost");
  tell(before.newFiles && !now.newFiles, "new threads and processes are not recorded");
  tell(before.cpuClock && !now.cpuClock, "waits count as CPU time");
  add(".");
  if (at > empty + 1) define(format::NoteRecord{std::string_view(text, at)});
}

// ------------------------------------------------------------------- recording

bool otherThreadsRun() {
  const WritesHeld writesHeld;
  struct stat status;
  constexpr unsigned kLinksOfNone = 2;
  return sys::call(SYS_newfstatat, AT_FDCWD, sys::word("/proc/self/task"), sys::word(&status), 0) !=
             0 ||
         status.st_nlink > kLinksOfNone + 1;
}

// Ends the recording of the calling thread; its events so far are in its files.
void endRecording(const char* why) {
  {
    const Guard guard;
    if (!guard || !process.isOurs()) return;
    note(why);
  }
  if (otherThreadsRun()) {
    endCurrentThread();
  } else {
    process.end(format::EndReason::kSandbox, 0);
  }
  local.place.end();
}

// `make` installs a filter and gives 0 or more when it has, -1 else.
template <class Make>
long installFilter(const sock_fprog* program, bool allThreads, Make make) {
  const sandbox::Rules* next = sandbox::rulesWith(program);
  if (next == nullptr) return make();
  if (process.state() != Process::State::kRecording || !process.isOurs()) {
    const sandbox::Held former = sandbox::held();
    sandbox::hold(next, allThreads);
    const long result = make();
    if (result < 0) sandbox::restore(former);
    return result;
  }
  const sandbox::Held former = sandbox::held();
  const Abilities before(sandbox::rules()), after(next);
  if (!after.clock && clockSettings.bySystemCall) {
    endRecording("The recording of a thread ended when the program forbade clock_gettime, after it "
        "had forbidden the time stamp counter.");
  }
  Thread* thread = nullptr;
  {
    const Guard guard;
    thread = guard.thread();
    if (thread != nullptr && before.moreSpace && !after.moreSpace) {
      thread->provide(kProvidedBlocks);
      process.provide(kProvidedDefinitions);
    }
    if (before.memory && !after.memory) sandbox::provideMemory();
    const bool stops = before.samples && !after.samples;
    if (stops && allThreads) sampler::pauseAll();
    if (stops && local.thread != nullptr && local.thread->live()) sampler::pause(local.thread);
    sandbox::hold(next, allThreads);
  }
  // A filter for all threads could end the process in one that writes events.
  const WritesHeld writesHeld;
  const long result = make();
  const int error = errno;
  if (result < 0) {
    sandbox::restore(former);
    if (before.samples && !after.samples && thread != nullptr) sampler::resume(thread);
  } else {
    tellLosses(before, after);
  }
  errno = error;
  return result;
}

template <class Make>
long enterStrictMode(Make make) {
  // The kernel refuses it where there are filters, and where it was built without it.
  if (sandbox::rules() != nullptr || sys::call(SYS_prctl, PR_GET_SECCOMP) != 0) return make();
  endRecording("The recording of a thread ended when it entered the strict mode of seccomp, which "
      "forbids reading a clock.");
  const sandbox::Held former = sandbox::held();
  sandbox::forbidAll();
  const long result = make();
  if (result != 0) sandbox::restore(former);
  return result;
}

void beforeTscIsForbidden() {
  if (!Abilities(sandbox::rules()).clock) {
    return endRecording("The recording of a thread ended when the program forbade the time stamp "
        "counter, after it had forbidden clock_gettime.");
  }
  forbidTsc();
  const Guard guard;
  if (!guard || !process.isOurs()) return;
  note("The program has forbidden the time stamp counter (PR_SET_TSC): from then on, the agent "
      "reads the clock by system calls, and each event costs about 0.2 us more.");
}

long seccompMode(long mode, const void* program, bool allThreads, long (*make)(const long*),
                 const long* arguments) {
  const auto call = [=] { return make(arguments); };
  if (mode == SECCOMP_SET_MODE_STRICT) return enterStrictMode(call);
  return installFilter(static_cast<const sock_fprog*>(program), allThreads, call);
}

// Whether prctl(arguments[0], ...) restricts, and does it.
bool prctlRestricts(const long* arguments, long (*make)(const long*), long* result) {
  switch (arguments[0]) {
    case PR_SET_SECCOMP:
      if (arguments[1] != SECCOMP_MODE_STRICT && arguments[1] != SECCOMP_MODE_FILTER) return false;
      *result = seccompMode(arguments[1] == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT
                                                                : SECCOMP_SET_MODE_FILTER,
                            reinterpret_cast<const void*>(arguments[2]), false, make, arguments);
      return true;
    case PR_SET_TSC:
      if (arguments[1] == PR_TSC_SIGSEGV) beforeTscIsForbidden();
      return false;
    case PR_SET_SYSCALL_USER_DISPATCH:
      if (arguments[1] == 0) return false;
      endRecording("The recording of a thread ended when the program intercepted its own system "
          "calls (PR_SET_SYSCALL_USER_DISPATCH).");
      sandbox::forbidAll();
      return false;
    default:
      return false;
  }
}

// seccomp(operation, flags, arguments)
bool seccompRestricts(const long* arguments, long (*make)(const long*), long* result) {
  const bool isStrict = arguments[0] == SECCOMP_SET_MODE_STRICT;
  if (isStrict ? arguments[1] != 0 || arguments[2] != 0 : arguments[0] != SECCOMP_SET_MODE_FILTER) {
    return false;
  }
  *result = seccompMode(arguments[0], reinterpret_cast<const void*>(arguments[2]),
                        (arguments[1] & SECCOMP_FILTER_FLAG_TSYNC) != 0, make, arguments);
  return true;
}

long fail(long error) {
  errno = static_cast<int>(-error);
  return -1;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

// Arguments that the option does not have are not read by the kernel.
PARALLAX_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  long arguments[5] = {option};
  for (int i = 1; i < 5; i++) arguments[i] = va_arg(list, long);
  va_end(list);
  const auto make = [](const long* a) -> long {
    return realPrctl.get()(static_cast<int>(a[0]), a[1], a[2], a[3], a[4]);
  };
  long result;
  if (prctlRestricts(arguments, make, &result)) return static_cast<int>(result);
  result = make(arguments);
  if (option != PR_SET_NAME || result != 0) return static_cast<int>(result);
  const Guard guard;
  if (guard) guard.thread()->recordName();
  return static_cast<int>(result);
}

// A system call that restricts, or one before libc's syscall is known.
extern "C" __attribute__((visibility("hidden"), used)) long parallaxSyscall(long number, long a,
                                                                            long b, long c, long d,
                                                                            long e, long f) {
  constexpr long kThread = 1;
  const long arguments[] = {a, b, c, d, e};
  long result;
  if (number == SYS_prctl &&
      prctlRestricts(
          arguments,
          [](const long* of) {
            const long made = sys::callForProgram(SYS_prctl, of[0], of[1], of[2], of[3], of[4]);
            return made < 0 ? fail(made) : made;
          },
          &result)) {
    return result;
  }
  if (number == SYS_seccomp &&
      seccompRestricts(
          arguments,
          [](const long* of) {
            const long made = sys::callForProgram(SYS_seccomp, of[0], of[1], of[2]);
            // The number of a thread that could not be synchronised is a failure, too.
            const bool isThread = made > 0 && (of[1] & SECCOMP_FILTER_FLAG_TSYNC) != 0 &&
                                  (of[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER) == 0;
            return made < 0 ? fail(made) : isThread ? -made - kThread : made;
          },
          &result)) {
    return result < -kThread ? -result - kThread : result;
  }
  if (number == SYS_unshare || number == SYS_setns) {
    const WritesHeld held;
    result = sys::callForProgram(number, a, b, c, d, e, f);
  } else {
    result = sys::callForProgram(number, a, b, c, d, e, f);
  }
  return result < 0 && result > -4096 ? fail(result) : result;
}

// futex (202) goes to parallaxFutex (pthread/futex.cpp), futex_waitv to futex_requeue (449 to 456) to
// parallaxFutexVector (pthread/futex_vector.cpp), io_uring_setup, _enter and _register (425 to 427) to
// parallaxUring (async/uring_calls.cpp), unshare and setns (272, 308) wait for the agent's threads. All other calls jump to libc's syscall unchanged, because
// some return twice, and to cost nothing.
asm(R"(
  .pushsection .text
  .globl syscall
  .type syscall, @function
syscall:
  .cfi_startproc
  endbr64
  cmpq $157, %rdi
  je parallaxSyscall
  cmpq $202, %rdi
  je 1f
  cmpq $272, %rdi
  je parallaxSyscall
  cmpq $308, %rdi
  je parallaxSyscall
  cmpq $317, %rdi
  je parallaxSyscall
  leaq -425(%rdi), %rax
  cmpq $2, %rax
  jbe 2f
  leaq -449(%rdi), %rax
  cmpq $7, %rax
  jbe 3f
  movq parallaxRealSyscall(%rip), %rax
  testq %rax, %rax
  je parallaxSyscall
  jmp *%rax
1:
  cmpq $0, parallaxRealSyscall(%rip)
  jne parallaxFutex
  jmp parallaxSyscall
2:
  cmpq $0, parallaxRealSyscall(%rip)
  jne parallaxUring
  jmp parallaxSyscall
3:
  cmpq $0, parallaxRealSyscall(%rip)
  jne parallaxFutexVector
  jmp parallaxSyscall
  .cfi_endproc
  .size syscall, .-syscall
  .popsection
)");
static_assert(SYS_prctl == 157 && SYS_futex == 202 && SYS_seccomp == 317);
static_assert(SYS_io_uring_setup == 425 && SYS_io_uring_register == 427);
