// The system calls for words of memory of Linux 5.16 and 6.7, as programs make them through libc's syscall(): futex_waitv
// (449), by which Wine and its kin wait for any of several words, and futex_wake, futex_wait and futex_requeue (454 to
// 456). Words, waits and wakes are those of futex.cpp: any call can wake what any other one waits for.
//
// A wait for several words is counted at each of them. Its Wake has the object of the word that was woken, which is what
// the call returns.
//
// Called from syscall (process/process_sandbox.cpp) once libc's syscall is known, also for the calls between them, which
// pass through. Inside an intercepted routine, all calls pass through.
#include <errno.h>
#include <pthread.h>
#include <sys/uio.h>

#include "interpose/pthread/futex.h"
#include "interpose/real.h"

extern "C" __attribute__((visibility("hidden"))) parallax::Real<long(long, ...)> parallaxRealSyscall;

namespace parallax {
namespace {

constexpr long kWaitAny = 449, kWake = 454, kWait = 455, kRequeue = 456;
constexpr uint32_t kPrivate = 128;

Region anyRegion("futex_waitv", format::Group::kPthread);
Region oneRegion("futex", format::Group::kPthread);

// linux/futex.h has it since 5.16.
struct Word {
  uint64_t value;
  uint64_t address;
  uint32_t flags;
  uint32_t reserved;

  const void* pointer() const { return reinterpret_cast<const void*>(address); }
  bool mayBeShared() const { return (flags & kPrivate) == 0; }
};
constexpr size_t kMostWords = 128;  // the kernel takes no more

struct Arguments {
  long number;
  long all[6];

  long make() const {
    return parallaxRealSyscall.get()(number, all[0], all[1], all[2], all[3], all[4], all[5]);
  }
};

// The program's memory may not be readable, which the kernel then says.
bool copyWords(long from, size_t count, Word* words) {
  const iovec source{reinterpret_cast<void*>(from), count * sizeof(Word)};
  const iovec target{words, count * sizeof(Word)};
  return sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&target), 1, sys::word(&source), 1, 0) ==
         static_cast<long>(source.iov_len);
}

struct CountedWait {
  SyncObject* object;
  uint64_t before;  // signals
};

// A thread waits for any of some words, from here until returned() or end(). Beside the words, there is room for as many
// waits.
class WordsWait {
 public:
  WordsWait(const Word* words, CountedWait* waits, size_t count)
      : call_(anyRegion, Call::Manner::kWaits), waits_(waits) {
    if (!call_) return;
    for (; count_ < count; count_++) {
      SyncObject* object =
          syncObject(format::SyncKind::kFutex, words[count_].pointer(), words[count_].mayBeShared());
      if (object == nullptr) {
        leave();
        return;
      }
      waits_[count_] = {object, object->count(Count::kSignals).load(std::memory_order_relaxed)};
      object->count(Count::kWaiters).fetch_add(1, std::memory_order_seq_cst);
    }
  }
  // The real call has returned this, or failed with this error.
  void returned(long result, int error) {
    if (count_ == 0) return;
    const bool woken = result >= 0 && static_cast<size_t>(result) < count_;
    const CountedWait one = waits_[woken ? result : 0];
    leave();
    if (!woken && error == EINTR) return tellInterruption(call_);
    // Known before the clock is read, or the Wake could be earlier than this Signal.
    const uint64_t last = one.object->count(Count::kSignals).load(std::memory_order_acquire);
    call_.returned();
    if (!woken && error == ETIMEDOUT) return tellTimedOut(call_);
    call_.emit(Kind::kWake, one.object->number(), {woken && last != one.before ? last : 0});
  }
  void end() {
    leave();
    call_.endUnwinding();
  }

 private:
  void leave() {
    while (count_ > 0) waits_[--count_].object->count(Count::kWaiters).fetch_sub(1, std::memory_order_relaxed);
  }

  Call call_;
  CountedWait* waits_;
  size_t count_ = 0;
};

// `wait`: told of its end.
template <class Wait, class Returned>
long make(const Arguments& arguments, Wait& wait, Returned returned) {
  long result;
  pthread_cleanup_push([](void* left) { static_cast<Wait*>(left)->end(); }, &wait);  // of asynchronous cancellation
  result = arguments.make();
  pthread_cleanup_pop(0);
  const int error = errno;
  returned(result, error);
  errno = error;
  return result;
}

long waitForAny(const Arguments& arguments) {
  const auto count = static_cast<size_t>(arguments.all[1]);
  if (count == 0 || count > kMostWords) return arguments.make();
  auto* words = static_cast<Word*>(__builtin_alloca(count * sizeof(Word)));  // mostly few
  if (!copyWords(arguments.all[0], count, words)) return arguments.make();
  WordsWait wait(words, static_cast<CountedWait*>(__builtin_alloca(count * sizeof(CountedWait))), count);
  return make(arguments, wait, [&](long result, int error) { wait.returned(result, error); });
}

long waitForOne(const Arguments& arguments) {
  const bool isPrivate = (static_cast<uint32_t>(arguments.all[3]) & kPrivate) != 0;
  WordWait wait(oneRegion, reinterpret_cast<const void*>(arguments.all[0]), !isPrivate);
  if (!wait) return arguments.make();
  return make(arguments, wait, [&](long result, int error) { wait.returned(result == 0 ? 0 : error); });
}

void signalFirst(const Arguments& arguments) {
  if (arguments.number == kWake) {
    signalWord(reinterpret_cast<const void*>(arguments.all[0]),
               (static_cast<uint32_t>(arguments.all[3]) & kPrivate) == 0);
  } else if (Word word; copyWords(arguments.all[0], 1, &word)) {
    signalWord(word.pointer(), word.mayBeShared());  // a move to another word counts as a wake
  }
}

}  // namespace
}  // namespace parallax

using namespace parallax;

extern "C" __attribute__((visibility("hidden"), used)) long parallaxFutexVector(long number, long a, long b, long c,
                                                                                long d, long e, long f) {
  const Arguments arguments{number, {a, b, c, d, e, f}};
  if (a == 0 || !adapterEnabled(Adapter::kPthread) || !recording()) return arguments.make();
  if (number == kWaitAny) return waitForAny(arguments);
  if (number == kWait) return waitForOne(arguments);
  if (number == kWake || number == kRequeue) {
    const int before = errno;
    signalFirst(arguments);
    errno = before;
  }
  return arguments.make();
}
