// One-sided communication: windows, their synchronization, and the operations on them.
//
// A window is recorded as a communicator of its processes. Calls that let others go on (post, complete, unlock) and
// operations are recorded before the real call. Calls that wait for others (start, wait, lock, flush) are recorded after
// it. Calls with arguments that MPI will refuse are not recorded. The calls on a window whose creation the agent did not
// see have Enter and Leave only.

#include "format/slots.h"
#include "interpose/mpi/mpi_completion.h"

namespace parallax::mpi {
namespace {

using format::Collective;
using format::WindowOp;

// ---- collectives

void emitOnAll(Scope& scope, const Communicator& c, Collective op, uint64_t sequence) {
  scope.emit(Kind::kCollective, c.number, {format::opAndRoot(op, format::kNoRoot), 0, 0, sequence});
}

template <class Real>
int create(Target target, Handle comm, const void* newHandle, Real real) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  const uint64_t sequence = c != nullptr ? c->nextSequence() : 0;
  const int result = real();
  if (c != nullptr && result == 0) {
    defineWindow(loadHandle(newHandle), *c, sequence);
  }
  scope.returned();
  if (c != nullptr) emitOnAll(scope, *c, Collective::kWinCreate, sequence);
  return result;
}

template <class Unit>
int createOn(Target target, void* base, intptr_t size, Unit unit, Handle info, Handle comm,
             void* handle) {
  return create(target, comm, handle,
                [&] { return target.call(base, size, unit, info, comm, handle); });
}

// MPI_Win_allocate and MPI_Win_allocate_shared.
template <class Unit>
int createWith(Target target, intptr_t size, Unit unit, Handle info, Handle comm, void* base,
               void* handle) {
  return create(target, comm, handle,
                [&] { return target.call(size, unit, info, comm, base, handle); });
}

int createDynamic(Target target, Handle info, Handle comm, void* handle) {
  return create(target, comm, handle, [&] { return target.call(info, comm, handle); });
}

int freeWindow(Target target, void* handle) {
  Scope scope(target);
  Communicator* found = scope ? findWindow(loadHandle(handle)) : nullptr;
  uint32_t number = 0;
  uint64_t sequence = 0;
  if (found != nullptr) {
    number = found->number;
    sequence = found->nextSequence();
    forgetWindow(loadHandle(handle));
  }
  const int result = target.call(handle);
  scope.returned();
  if (found != nullptr) {
    scope.emit(Kind::kCollective, number,
               {format::opAndRoot(Collective::kWinFree, format::kNoRoot), 0, 0, sequence});
  }
  return result;
}

int fence(Target target, int assertion, Handle handle) {
  Scope scope(target);
  Communicator* window = scope ? findWindow(handle) : nullptr;
  const uint64_t sequence = window != nullptr ? window->nextSequence() : 0;
  const int result = target.call(assertion, handle);
  scope.returned();
  if (window != nullptr) {
    const bool opens = (assertion & abi().modeNoPrecede) != 0;
    emitOnAll(scope, *window, opens ? Collective::kWinFenceOpen : Collective::kWinFence, sequence);
  }
  return result;
}

// ---- operations

struct Operation {
  WindowOp op;
  uint64_t sent, received;
};

template <class C>
uint64_t bytesOf(C count, Handle type) {
  return count > 0 ? static_cast<uint64_t>(count) * typeBytes(type) : 0;
}

// The window of an operation that MPI will not refuse, and that is not on the null process.
Communicator* windowFor(Scope& scope, Handle handle, int target) {
  Communicator* window = scope ? findWindow(handle) : nullptr;
  const bool valid =
      window != nullptr && target >= 0 && static_cast<uint32_t>(target) < window->size;
  return valid ? window : nullptr;
}

uint64_t opAndTarget(WindowOp op, int target) {
  return format::opAndRank(op, static_cast<uint32_t>(target));
}

template <class Describe, class Real>
int operate(Target target, int rank, Handle handle, Describe describe, Real real) {
  Scope scope(target);
  if (const Communicator* window = windowFor(scope, handle, rank)) {
    const Operation o = describe();
    scope.emit(Kind::kWindow, window->number, {opAndTarget(o.op, rank), o.sent, o.received});
  }
  const int result = real();
  scope.returned();
  return result;
}

// The same with a request.
template <class Describe, class Real>
int operate(Target target, int rank, Handle handle, Describe describe, Real real, void* requested) {
  Scope scope(target);
  Request r{};
  r.active = true;
  if (const Communicator* window = windowFor(scope, handle, rank)) {
    const Operation o = describe();
    r.kind = RequestKind::kWindow;
    r.number = nextRequestNumber();
    r.communicator = window->number;
    r.opAndRoot = opAndTarget(WindowOp::kDone, rank);
    r.sentBytes = o.sent;
    r.receivedBytes = o.received;
    scope.emit(Kind::kWindow, window->number,
               {opAndTarget(o.op, rank), o.sent, o.received, r.number});
  }
  const int result = real();
  scope.returned();
  // Without an event too: libraries give one handle to all that is complete at once.
  if (scope && result == 0) addRequest(loadHandle(requested), requested, r);
  return result;
}

template <class C, class... Form>
int put(Target target, const void* origin, C count, Handle type, int rank, intptr_t at,
        C targetCount, Handle targetType, Handle window, Form... form) {
  return operate(
      target, rank, window,
      [&] { return Operation{WindowOp::kPut, bytesOf(count, type), 0}; },
      [&] {
        return target.call(origin, count, type, rank, at, targetCount, targetType, window, form...);
      },
      form...);
}

template <class C, class... Form>
int get(Target target, void* origin, C count, Handle type, int rank, intptr_t at, C targetCount,
        Handle targetType, Handle window, Form... form) {
  return operate(
      target, rank, window,
      [&] { return Operation{WindowOp::kGet, 0, bytesOf(count, type)}; },
      [&] {
        return target.call(origin, count, type, rank, at, targetCount, targetType, window, form...);
      },
      form...);
}

template <class C, class... Form>
int accumulate(Target target, const void* origin, C count, Handle type, int rank, intptr_t at,
               C targetCount, Handle targetType, Handle operation, Handle window, Form... form) {
  return operate(
      target, rank, window,
      [&] { return Operation{WindowOp::kAccumulate, bytesOf(count, type), 0}; },
      [&] {
        return target.call(origin, count, type, rank, at, targetCount, targetType, operation, window,
                           form...);
      },
      form...);
}

// With MPI_NO_OP nothing is sent: the operation only gets what is there.
bool sends(Handle operation) { return normalised(operation) != abi().noOp; }

template <class C, class... Form>
int getAccumulate(Target target, const void* origin, C count, Handle type, void* result,
                  C resultCount, Handle resultType, int rank, intptr_t at, C targetCount,
                  Handle targetType, Handle operation, Handle window, Form... form) {
  return operate(
      target, rank, window,
      [&] {
        return Operation{WindowOp::kGetAccumulate, sends(operation) ? bytesOf(count, type) : 0,
                         bytesOf(resultCount, resultType)};
      },
      [&] {
        return target.call(origin, count, type, result, resultCount, resultType, rank, at,
                           targetCount, targetType, operation, window, form...);
      },
      form...);
}

int fetchAndOp(Target target, const void* origin, void* result, Handle type, int rank, intptr_t at,
               Handle operation, Handle window) {
  return operate(
      target, rank, window,
      [&] {
        const uint64_t bytes = typeBytes(type);
        return Operation{WindowOp::kFetchAndOp, sends(operation) ? bytes : 0, bytes};
      },
      [&] { return target.call(origin, result, type, rank, at, operation, window); });
}

int compareAndSwap(Target target, const void* origin, const void* compared, void* result,
                   Handle type, int rank, intptr_t at, Handle window) {
  return operate(
      target, rank, window,
      [&] {
        const uint64_t bytes = typeBytes(type);
        return Operation{WindowOp::kCompareAndSwap, 2 * bytes, bytes};
      },
      [&] { return target.call(origin, compared, result, type, rank, at, window); });
}

// ---- synchronization of processes that a group names

void emitForEach(Scope& scope, const Communicator& window, WindowOp op, const Ranks& ranks) {
  for (uint32_t i = 0; i < ranks.count; ++i) {
    scope.emit(Kind::kWindow, window.number, {format::opAndRank(op, ranks.at[i])});
  }
}

int post(Target target, Handle group, int assertion, Handle handle) {
  Scope scope(target);
  if (Communicator* window = scope ? findWindow(handle) : nullptr) {
    ranksIn(*window, group, &window->exposure);
    emitForEach(scope, *window, WindowOp::kPost, window->exposure);
  }
  const int result = target.call(group, assertion, handle);
  scope.returned();
  return result;
}

int start(Target target, Handle group, int assertion, Handle handle) {
  Scope scope(target);
  Communicator* window = scope ? findWindow(handle) : nullptr;
  if (window != nullptr) ranksIn(*window, group, &window->access);
  const int result = target.call(group, assertion, handle);
  scope.returned();
  if (window == nullptr) return result;
  if (result != 0) {
    window->access.count = 0;
  } else {
    emitForEach(scope, *window, WindowOp::kStart, window->access);
  }
  return result;
}

int complete(Target target, Handle handle) {
  Scope scope(target);
  if (Communicator* window = scope ? findWindow(handle) : nullptr) {
    emitForEach(scope, *window, WindowOp::kComplete, window->access);
    window->access.count = 0;
  }
  const int result = target.call(handle);
  scope.returned();
  return result;
}

void endExposure(Scope& scope, Communicator* window) {
  if (window == nullptr) return;
  emitForEach(scope, *window, WindowOp::kWait, window->exposure);
  window->exposure.count = 0;
}

int wait(Target target, Handle handle) {
  Scope scope(target);
  Communicator* window = scope ? findWindow(handle) : nullptr;
  const int result = target.call(handle);
  scope.returned();
  if (result == 0) endExposure(scope, window);
  return result;
}

int test(Target target, Handle handle, int* flag) {
  Scope scope(target);
  Communicator* window = scope ? findWindow(handle) : nullptr;
  const int result = target.call(handle, flag);
  if (result == 0 && *flag == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (result == 0 && *flag != 0) endExposure(scope, window);
  return result;
}

// ---- synchronization without the target

constexpr int kAll = static_cast<int>(format::kNoRoot);

void emitOf(Scope& scope, const Communicator* window, WindowOp op, int rank) {
  const bool valid = window != nullptr && rank >= 0 &&
                     (rank == kAll || static_cast<uint32_t>(rank) < window->size);
  if (valid) scope.emit(Kind::kWindow, window->number, {opAndTarget(op, rank)});
}

template <class Real>
int recordAfter(Target target, WindowOp op, int rank, Handle handle, Real real) {
  Scope scope(target);
  const Communicator* window = scope ? findWindow(handle) : nullptr;
  const int result = real();
  scope.returned();
  if (result == 0) emitOf(scope, window, op, rank);
  return result;
}

int lock(Target target, int type, int rank, int assertion, Handle handle) {
  const WindowOp op =
      type == abi().lockExclusive ? WindowOp::kLockExclusive : WindowOp::kLockShared;
  return recordAfter(target, op, rank, handle,
                     [&] { return target.call(type, rank, assertion, handle); });
}

int lockAll(Target target, int assertion, Handle handle) {
  return recordAfter(target, WindowOp::kLockShared, kAll, handle,
                     [&] { return target.call(assertion, handle); });
}

int flush(Target target, WindowOp op, int rank, Handle handle) {
  return recordAfter(target, op, rank, handle, [&] { return target.call(rank, handle); });
}

int flushAll(Target target, WindowOp op, Handle handle) {
  return recordAfter(target, op, kAll, handle, [&] { return target.call(handle); });
}

template <typename... Args>
int release(Target target, int rank, Handle handle, Args... args) {
  Scope scope(target);
  if (scope) emitOf(scope, findWindow(handle), WindowOp::kUnlock, rank);
  const int result = target.call(args...);
  scope.returned();
  return result;
}

}  // namespace

// ---- the symbols

// Defines MPI_Name and MPI_Name_c: with int and int64_t (MPI_Count) for C; the displacement units of
// creations are int and intptr_t (MPI_Aint), of the same size.
#define PARALLAX_BOTH(Name, function, parameters, ...)             \
  PARALLAX_MPI_ENTRY(Name, parameters(int), function, __VA_ARGS__) \
  PARALLAX_MPI_ENTRY(Name##_c, parameters(int64_t), function, __VA_ARGS__)

#define PARALLAX_CREATE(C) \
  (void* base, intptr_t size, C unit, Handle info, Handle comm, void* handle)
PARALLAX_BOTH(Win_create, createOn, PARALLAX_CREATE, base, size, unit, info, comm, handle)
#define PARALLAX_ALLOCATE(C) \
  (intptr_t size, C unit, Handle info, Handle comm, void* base, void* handle)
PARALLAX_BOTH(Win_allocate, createWith, PARALLAX_ALLOCATE, size, unit, info, comm, base, handle)
PARALLAX_BOTH(Win_allocate_shared, createWith, PARALLAX_ALLOCATE, size, unit, info, comm, base,
              handle)
PARALLAX_MPI_ENTRY(Win_create_dynamic, (Handle info, Handle comm, void* handle), createDynamic,
                   info, comm, handle)
PARALLAX_MPI_ENTRY(Win_free, (void* handle), freeWindow, handle)
PARALLAX_MPI_ENTRY(Win_fence, (int assertion, Handle window), fence, assertion, window)

#define PARALLAX_PUT(C)                                                                        \
  (void* origin, C count, Handle type, int rank, intptr_t at, C targetCount, Handle targetType, \
   Handle window)
#define PARALLAX_RPUT(C)                                                                       \
  (void* origin, C count, Handle type, int rank, intptr_t at, C targetCount, Handle targetType, \
   Handle window, void* requested)
#define PARALLAX_PUT_ARGUMENTS origin, count, type, rank, at, targetCount, targetType, window
PARALLAX_BOTH(Put, put, PARALLAX_PUT, PARALLAX_PUT_ARGUMENTS)
PARALLAX_BOTH(Rput, put, PARALLAX_RPUT, PARALLAX_PUT_ARGUMENTS, requested)
PARALLAX_BOTH(Get, get, PARALLAX_PUT, PARALLAX_PUT_ARGUMENTS)
PARALLAX_BOTH(Rget, get, PARALLAX_RPUT, PARALLAX_PUT_ARGUMENTS, requested)

#define PARALLAX_ACCUMULATE(C)                                                             \
  (const void* origin, C count, Handle type, int rank, intptr_t at, C targetCount,         \
   Handle targetType, Handle operation, Handle window)
#define PARALLAX_RACCUMULATE(C)                                                            \
  (const void* origin, C count, Handle type, int rank, intptr_t at, C targetCount,         \
   Handle targetType, Handle operation, Handle window, void* requested)
PARALLAX_BOTH(Accumulate, accumulate, PARALLAX_ACCUMULATE, origin, count, type, rank, at,
              targetCount, targetType, operation, window)
PARALLAX_BOTH(Raccumulate, accumulate, PARALLAX_RACCUMULATE, origin, count, type, rank, at,
              targetCount, targetType, operation, window, requested)

#define PARALLAX_GET_ACCUMULATE(C)                                                         \
  (const void* origin, C count, Handle type, void* result, C resultCount, Handle resultType, \
   int rank, intptr_t at, C targetCount, Handle targetType, Handle operation, Handle window)
#define PARALLAX_RGET_ACCUMULATE(C)                                                        \
  (const void* origin, C count, Handle type, void* result, C resultCount, Handle resultType, \
   int rank, intptr_t at, C targetCount, Handle targetType, Handle operation, Handle window, \
   void* requested)
PARALLAX_BOTH(Get_accumulate, getAccumulate, PARALLAX_GET_ACCUMULATE, origin, count, type, result,
              resultCount, resultType, rank, at, targetCount, targetType, operation, window)
PARALLAX_BOTH(Rget_accumulate, getAccumulate, PARALLAX_RGET_ACCUMULATE, origin, count, type, result,
              resultCount, resultType, rank, at, targetCount, targetType, operation, window,
              requested)
PARALLAX_MPI_ENTRY(Fetch_and_op,
                   (const void* origin, void* result, Handle type, int rank, intptr_t at,
                    Handle operation, Handle window),
                   fetchAndOp, origin, result, type, rank, at, operation, window)
PARALLAX_MPI_ENTRY(Compare_and_swap,
                   (const void* origin, const void* compared, void* result, Handle type, int rank,
                    intptr_t at, Handle window),
                   compareAndSwap, origin, compared, result, type, rank, at, window)

PARALLAX_MPI_ENTRY(Win_post, (Handle group, int assertion, Handle window), post, group, assertion,
                   window)
PARALLAX_MPI_ENTRY(Win_start, (Handle group, int assertion, Handle window), start, group, assertion,
                   window)
PARALLAX_MPI_ENTRY(Win_complete, (Handle window), complete, window)
PARALLAX_MPI_ENTRY(Win_wait, (Handle window), wait, window)
PARALLAX_MPI_ENTRY(Win_test, (Handle window, int* flag), test, window, flag)

PARALLAX_MPI_ENTRY(Win_lock, (int type, int rank, int assertion, Handle window), lock, type, rank,
                   assertion, window)
PARALLAX_MPI_ENTRY(Win_lock_all, (int assertion, Handle window), lockAll, assertion, window)
PARALLAX_MPI_ENTRY(Win_unlock, (int rank, Handle window), release, rank, window, rank, window)
PARALLAX_MPI_ENTRY(Win_unlock_all, (Handle window), release, kAll, window, window)
PARALLAX_MPI_ENTRY(Win_flush, (int rank, Handle window), flush, WindowOp::kFlush, rank, window)
PARALLAX_MPI_ENTRY(Win_flush_all, (Handle window), flushAll, WindowOp::kFlush, window)
PARALLAX_MPI_ENTRY(Win_flush_local, (int rank, Handle window), flush, WindowOp::kFlushLocal, rank,
                   window)
PARALLAX_MPI_ENTRY(Win_flush_local_all, (Handle window), flushAll, WindowOp::kFlushLocal, window)

}  // namespace parallax::mpi
