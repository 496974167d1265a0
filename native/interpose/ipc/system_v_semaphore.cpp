// Semaphores of System V. An operation that may have to wait is attempted first; Enter and Leave stand around those that
// did wait.
//
// Tokens are counted as of a POSIX semaphore, if all operations add or take one: the k-th token taken was there at first,
// or is that of post k - (tokens at first). A semaphore of which one operation adds or takes more, or whose value is set
// while a thread waits, is uneven: who takes from it then names the last post. A thread that waits for zero has an object of
// its own: while one does, each operation that takes signals it, and the wait names the last of these.
//
// Posts of an operation that also takes or waits are told when it has succeeded. What the kernel undoes at the end of a
// process (SEM_UNDO) has no event.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: passes
// straight through; the semaphores are uneven from then on.
#include <errno.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "base/sys.h"
#include "core/process.h"
#include "interpose/ipc/kernel_object.h"
#include "interpose/process/process_signal.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int, sembuf*, size_t)> realSemop("semop");
PARALLAX_REAL Real<int(int, sembuf*, size_t, const timespec*)> realSemtimedop("semtimedop");
PARALLAX_REAL Real<int(int, int, int, ...)> realSemctl("semctl");

Region semopRegion("semop", format::Group::kProcess);
Region semtimedopRegion("semtimedop", format::Group::kProcess);

constexpr int kPosts = 0, kTaken = 1, kAtFirst = 2;  // of a semaphore
constexpr int kSignals = 0, kWaiters = 1;            // of the wait for zero
constexpr uint64_t kKnown = 1, kUneven = 2;          // in kAtFirst, below the tokens
constexpr int kTokensShift = 2;
constexpr uint64_t kBias = uint64_t{1} << 50;        // for fewer than none
constexpr size_t kMostOperations = 32;               // of those that are attempted

uint64_t idOf(int set, unsigned index) { return static_cast<uint64_t>(static_cast<uint32_t>(set)) << 16 | index; }

uint64_t atFirst(uint64_t value, const KernelObject& object) {
  return (kBias + value + object.count(kTaken).load(std::memory_order_relaxed) -
          object.count(kPosts).load(std::memory_order_relaxed)) << kTokensShift | kKnown;
}

// Must be requested before the semaphore is changed.
KernelObject* semaphore(int set, unsigned index) {
  const uint64_t id = idOf(set, index);
  KernelObject* object = kernelObject(format::SyncKind::kSystemVSemaphore, id, id);
  if (object == nullptr) return nullptr;
  uint64_t unknown = object->count(kAtFirst).load(std::memory_order_relaxed);
  if (__builtin_expect(unknown == 0, false)) {
    const long value = sys::call(SYS_semctl, set, index, GETVAL);
    const uint64_t first = value >= 0 ? atFirst(static_cast<uint64_t>(value), *object) : kKnown | kUneven;
    object->count(kAtFirst).compare_exchange_strong(unknown, first, std::memory_order_relaxed);
  }
  return object;
}

KernelObject* waitForZero(int set, unsigned index) {
  constexpr uint64_t kZero = uint64_t{1} << 48;
  const uint64_t id = kZero | idOf(set, index);
  return kernelObject(format::SyncKind::kSystemVSemaphore, id, id);
}

void makeUneven(KernelObject* object) { object->count(kAtFirst).fetch_or(kUneven, std::memory_order_relaxed); }

// The post that made the token that is taken now; 0 for one that was there at first.
uint64_t take(KernelObject* object, int tokens) {
  const auto number = static_cast<unsigned>(tokens);
  const uint64_t taken = object->count(kTaken).fetch_add(number, std::memory_order_acq_rel) + number;
  const uint64_t posts = object->count(kPosts).load(std::memory_order_acquire);
  if (tokens != 1) makeUneven(object);
  const uint64_t first = object->count(kAtFirst).load(std::memory_order_relaxed);
  if ((first & kUneven) != 0) return posts;
  const auto post = static_cast<int64_t>(taken + kBias - (first >> kTokensShift));
  if (post <= 0) return 0;
  return static_cast<uint64_t>(post) < posts ? static_cast<uint64_t>(post) : posts;
}

struct Operations {
  int set;
  sembuf* all;
  size_t count;
  bool posts = false, takes = false, zero = false, waits = false;

  Operations(int wantedSet, sembuf* operations, size_t number) : set(wantedSet), all(operations), count(number) {
    for (size_t i = 0; i < count; i++) {
      posts = posts || all[i].sem_op > 0;
      takes = takes || all[i].sem_op < 0;
      zero = zero || all[i].sem_op == 0;
      waits = waits || (all[i].sem_op <= 0 && (all[i].sem_flg & IPC_NOWAIT) == 0);
    }
  }
  // f(operation, semaphore)
  template <class F>
  void each(F f) const {
    for (size_t i = 0; i < count; i++) {
      if (KernelObject* object = semaphore(set, all[i].sem_num)) f(all[i], object);
    }
  }
  void post(FdCall& call) const {
    if (!posts) return;
    each([&](const sembuf& operation, KernelObject* object) {
      if (operation.sem_op <= 0) return;
      if (operation.sem_op != 1) makeUneven(object);
      call.announce(object->number(),
                    [=] { return object->count(kPosts).fetch_add(1, std::memory_order_acq_rel) + 1; });
    });
  }
  // Tells who waits for zero that something is taken.
  void tellTaking(FdCall& call) const {
    if (!takes) return;
    for (size_t i = 0; i < count; i++) {
      if (all[i].sem_op >= 0) continue;
      KernelObject* object = waitForZero(set, all[i].sem_num);
      if (object == nullptr || object->count(kWaiters).load(std::memory_order_seq_cst) == 0) continue;
      call.announce(object->number(),
                    [=] { return object->count(kSignals).fetch_add(1, std::memory_order_acq_rel) + 1; });
    }
  }
  // What an operation waits for; null for one that adds.
  KernelObject* awaited(const sembuf& operation) const {
    if (operation.sem_op > 0) return nullptr;
    return operation.sem_op < 0 ? semaphore(set, operation.sem_num) : waitForZero(set, operation.sem_num);
  }
  // In units of one, for those who wait.
  void countWaiters(uint64_t more) const {
    if (!zero) return;
    for (size_t i = 0; i < count; i++) {
      if (all[i].sem_op != 0) continue;
      if (KernelObject* object = waitForZero(set, all[i].sem_num)) {
        object->count(kWaiters).fetch_add(more, std::memory_order_seq_cst);
      }
    }
  }
};

// It did not wait.
void tookAtOnce(FdCall& call, const Operations& operations) {
  operations.each([&](const sembuf& operation, KernelObject* object) {
    if (operation.sem_op >= 0) return;
    take(object, -operation.sem_op);
    const uint64_t number = object->count(kTaken).load(std::memory_order_relaxed);
    call.tell(Kind::kAcquire, object->number(), format::sequenceAndWaited(number, false));
  });
}

// It did: what has ended the wait. `numbers`: for each operation that waits for zero the Signals before it.
void tookLater(FdCall& call, const Operations& operations, uint64_t* numbers) {
  for (size_t i = 0; i < operations.count; i++) {
    const sembuf& operation = operations.all[i];
    KernelObject* object = operations.awaited(operation);
    if (object == nullptr) continue;
    if (operation.sem_op < 0) {
      numbers[i] = take(object, -operation.sem_op);
    } else {
      const uint64_t last = object->count(kSignals).load(std::memory_order_acquire);
      numbers[i] = last != numbers[i] ? last : 0;
    }
  }
  call.returned();
  for (size_t i = 0; i < operations.count; i++) {
    KernelObject* object = operations.awaited(operations.all[i]);
    if (object != nullptr) call.emit(Kind::kWake, object->number(), {numbers[i]});
  }
  call.finish();
}

// `real(operations)` makes the call.
template <class Real>
int operate(Region& region, const Operations& operations, Real real) {
  FdCall call;
  if (!call) {
    operations.each([](const sembuf&, KernelObject* object) { makeUneven(object); });
    return real(operations.all);
  }
  if (!operations.takes && !operations.zero) {
    operations.post(call);
    const int result = real(operations.all);
    if (result == 0) return result;
    const int error = errno;
    operations.each([](const sembuf&, KernelObject* object) { makeUneven(object); });  // these posts have no token
    errno = error;
    return result;
  }
  operations.each([](const sembuf&, KernelObject*) {});  // knows what there is at first
  operations.tellTaking(call);
  sembuf attempt[kMostOperations];
  for (size_t i = 0; i < operations.count; i++) {
    attempt[i] = operations.all[i];
    attempt[i].sem_flg = static_cast<short>(attempt[i].sem_flg | IPC_NOWAIT);
  }
  const int before = errno;
  int result = real(attempt);
  if (result == 0) {
    tookAtOnce(call, operations);
    operations.post(call);
    return result;
  }
  if (errno != EAGAIN || !operations.waits) return result;
  errno = before;
  uint64_t signals[kMostOperations] = {};
  for (size_t i = 0; i < operations.count && operations.zero; i++) {
    if (operations.all[i].sem_op != 0) continue;
    KernelObject* object = waitForZero(operations.set, operations.all[i].sem_num);
    if (object != nullptr) signals[i] = object->count(kSignals).load(std::memory_order_relaxed);
  }
  operations.countWaiters(1);
  call.begin(region, true);
  result = call.run([&] { return real(operations.all); });
  const int error = errno;
  operations.countWaiters(~uint64_t{0});
  if (result == 0) {
    tookLater(call, operations, signals);
    operations.tellTaking(call);
    operations.post(call);
  } else if (error == EINTR) {
    tellInterruption(call);
  } else if (error == EAGAIN) {
    call.timedOut();
  }
  errno = error;
  return result;
}

bool isRecorded(const sembuf* operations, size_t count) {
  return operations != nullptr && count > 0 && count <= kMostOperations && adapterEnabled(Adapter::kProcess) &&
         recording() && process.isOurs();
}

// The value of a semaphore was set; `waited`: while a thread waited for it.
void restart(int set, unsigned index, uint64_t value, bool waited) {
  Instant instant;
  KernelObject* object = instant ? semaphore(set, index) : nullptr;
  if (object == nullptr) return;
  object->count(kAtFirst).store(atFirst(value, *object) | (waited ? kUneven : 0), std::memory_order_relaxed);
}

// Before the value is set: it may end a wait.
bool postBySetting(int set, unsigned index) {
  if (sys::call(SYS_semctl, set, index, GETNCNT) <= 0) return false;
  Instant instant;
  KernelObject* object = instant ? semaphore(set, index) : nullptr;
  if (object == nullptr) return false;
  const uint64_t number = object->count(kPosts).fetch_add(1, std::memory_order_acq_rel) + 1;
  makeUneven(object);
  instant.emit(Kind::kSignal, object->number(), {number});
  return true;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int semop(int set, sembuf* operations, size_t count) noexcept {
  auto* real = realSemop.get();
  if (!isRecorded(operations, count)) return real(set, operations, count);
  return operate(semopRegion, Operations(set, operations, count),
                 [=](sembuf* all) { return real(set, all, count); });
}

PARALLAX_EXPORT int semtimedop(int set, sembuf* operations, size_t count, const timespec* timeout) noexcept {
  auto* real = realSemtimedop.get();
  if (!isRecorded(operations, count)) return real(set, operations, count, timeout);
  return operate(semtimedopRegion, Operations(set, operations, count),
                 [=](sembuf* all) { return real(set, all, count, timeout); });
}

PARALLAX_EXPORT int semctl(int set, int index, int command, ...) noexcept {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  auto* real = realSemctl.get();
  const bool sets = command == SETVAL && index >= 0 && adapterEnabled(Adapter::kProcess) && recording() &&
                    process.isOurs();
  const auto semaphoreIndex = static_cast<unsigned>(index);
  const bool waited = sets && postBySetting(set, semaphoreIndex);
  const int result = real(set, index, command, argument);
  if (sets && result == 0) {
    restart(set, semaphoreIndex, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(argument)), waited);
  } else if (result == 0 && command == SETALL && argument != nullptr && adapterEnabled(Adapter::kProcess) &&
             recording() && process.isOurs()) {
    semid_ds state{};
    if (sys::call(SYS_semctl, set, 0, IPC_STAT, sys::word(&state)) == 0) {
      const auto* values = static_cast<const unsigned short*>(argument);
      for (unsigned i = 0; i < state.sem_nsems; i++) restart(set, i, values[i], false);
    }
  }
  return result;
}
