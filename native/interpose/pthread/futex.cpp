// Waits on words of memory: the system call futex, as programs make it through libc's syscall(). The users are atomic
// waits, latches, barriers and semaphores of C++20, promises and static initializers of libstdc++, and the locks of
// Rust's standard library, TBB, Qt and Abseil. libc's own locks do not use syscall(); they are recorded by their names.
//
// A word is an object. A wake is counted and has a Signal if a thread waits for the word. The end of a wait has a Wake
// with the number of the last Signal. Most wakes find no waiting thread; they are not recorded. A thread that begins to
// wait is counted before the kernel looks at the word, and a thread that wakes others looks at this count after it has
// changed the word: one of the two sees the other. The second word of FUTEX_WAKE_OP is an exception, because the kernel
// changes it later. A process that is killed while it waits for a shared word stays counted: from then on, all wakes of
// this word are recorded.
//
// Cost of a word that is not private: the first use of each address looks for its mapping (/proc/self/maps).
//
// Called from syscall (process/process_sandbox.cpp) once libc's syscall is known. Inside an intercepted routine, calls
// pass through.
#include "interpose/pthread/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "interpose/real.h"

extern "C" __attribute__((visibility("hidden"))) parallax::Real<long(long, ...)> parallaxRealSyscall;

namespace parallax {
namespace {

Region waitRegion("futex", format::Group::kPthread);

struct Arguments {
  uint32_t* word;
  int operation;
  long rest[4];

  int command() const { return operation & FUTEX_CMD_MASK; }
  bool mayBeShared() const { return (operation & FUTEX_PRIVATE_FLAG) == 0; }
  uint32_t* secondWord() const { return reinterpret_cast<uint32_t*>(rest[2]); }
  long make() const {
    return parallaxRealSyscall.get()(SYS_futex, word, static_cast<long>(operation), rest[0], rest[1],
                                     rest[2], rest[3]);
  }
};

bool waits(int command) {
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
         command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI;
}

// Whether the command also wakes threads that wait for the second word. A command that moves threads there
// counts as their wake.
bool hasSecondWord(int command) { return command == FUTEX_WAKE_OP; }

bool wakes(int command) {
  return command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET || command == FUTEX_WAKE_OP ||
         command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE || command == FUTEX_UNLOCK_PI ||
         command == FUTEX_CMP_REQUEUE_PI;
}

bool isRecorded() { return adapterEnabled(Adapter::kPthread) && recording(); }

long wait(const Arguments& arguments) {
  WordWait wait(waitRegion, arguments.word, arguments.mayBeShared());
  if (!wait) return arguments.make();
  long result;
  pthread_cleanup_push([](void* left) { static_cast<WordWait*>(left)->end(); }, &wait);  // of asynchronous cancellation
  result = arguments.make();
  pthread_cleanup_pop(0);
  const int error = errno;
  wait.returned(result == 0 ? 0 : error);
  errno = error;
  return result;
}

}  // namespace

void signalWord(const void* word, bool mayBeShared) {
  const Guard guard;
  if (!guard || word == nullptr) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);  // after the program's store to the word
  // A private word for which no thread has waited has no object.
  SyncObject* object = mayBeShared ? syncObject(format::SyncKind::kFutex, word, true)
                                   : knownSyncObject(format::SyncKind::kFutex, word);
  if (object == nullptr || object->count(Count::kWaiters).load(std::memory_order_relaxed) == 0) return;
  Thread* thread = guard.thread();
  uint64_t ticks = thread->now();
  // Before it is counted: who reads the number must not end its wait before this time.
  thread->checkCpu(ticks);
  const uint64_t sequence =
      object->count(Count::kSignals).fetch_add(1, std::memory_order_acq_rel) + 1;
  thread->emit(Kind::kSignal, object->number(), ticks, &sequence, 1);
}

}  // namespace parallax

using namespace parallax;

extern "C" __attribute__((visibility("hidden"), used)) long parallaxFutex(long, uint32_t* word,
                                                                          long operation, long a,
                                                                          long b, long c, long d) {
  const Arguments arguments{word, static_cast<int>(operation), {a, b, c, d}};
  if (!isRecorded() || word == nullptr) return arguments.make();
  const int command = arguments.command();
  if (waits(command)) return wait(arguments);
  if (wakes(command)) {
    const int before = errno;
    signalWord(word, arguments.mayBeShared());
    if (hasSecondWord(command)) signalWord(arguments.secondWord(), arguments.mayBeShared());
    errno = before;
  }
  return arguments.make();
}
