// The calls of io_uring: of the shared liburing, whose system calls are instructions of its own, and the system calls
// themselves where a program makes them by libc's syscall. A program that contains liburing (liburing.a) is not
// followed.
//
// Called without the library: the system call does not exist. Called inside an
// intercepted routine: nothing is recorded; what was asked for is seen at the next call that is recorded.
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include "interpose/async/liburing_real.h"
#include "interpose/async/uring.h"

extern "C" __attribute__((visibility("hidden"))) parallax::Real<long(long, ...)> parallaxRealSyscall;

namespace parallax {
namespace {

struct Timespec;  // the kernel's

using WaitFunction = int(LiburingRing*, io_uring_cqe**, unsigned, Timespec*, sigset_t*);

RealLiburing<int(LiburingRing*)> realSubmit("io_uring_submit"),
    realSubmitAndGetEvents("io_uring_submit_and_get_events"), realGetEvents("io_uring_get_events");
RealLiburing<int(LiburingRing*, unsigned)> realSubmitAndWait("io_uring_submit_and_wait");
RealLiburing<WaitFunction> realSubmitAndWaitTimeout("io_uring_submit_and_wait_timeout"),
    realWaitCqes("io_uring_wait_cqes");
RealLiburing<int(LiburingRing*, io_uring_cqe**, Timespec*)> realWaitCqeTimeout(
    "io_uring_wait_cqe_timeout");
RealLiburing<int(LiburingRing*, io_uring_cqe**, unsigned, unsigned, sigset_t*)> realGetCqe(
    "__io_uring_get_cqe");
RealLiburing<unsigned(LiburingRing*, io_uring_cqe**, unsigned)> realPeekBatch(
    "io_uring_peek_batch_cqe");
RealLiburing<void(LiburingRing*)> realQueueExit("io_uring_queue_exit");
RealLiburing<int(LiburingRing*, const int*, unsigned)> realRegisterFiles("io_uring_register_files");
RealLiburing<int(LiburingRing*, const int*, const uint64_t*, unsigned)> realRegisterFilesTags(
    "io_uring_register_files_tags");
RealLiburing<int(LiburingRing*, unsigned, const int*, unsigned)> realRegisterFilesUpdate(
    "io_uring_register_files_update");
RealLiburing<int(LiburingRing*, unsigned, const int*, const uint64_t*, unsigned)>
    realRegisterFilesUpdateTag("io_uring_register_files_update_tag");

FdRegions submitRegions("io_uring_submit"), waitRegions("io_uring_wait_cqe"),
    submitAndWaitRegions("io_uring_submit_and_wait"), enterRegions("io_uring_enter"),
    exitRegions("io_uring_queue_exit"),
    // Waits while requests are under way that wait until a descriptor is ready.
    pollRegions("io_uring_poll");

Region& of(FdRegions& regions) {
  return adapterEnabled(Adapter::kStream) ? regions.stream : regions.file;
}

// Makes a call that hands over requests, which `submit` tells, and wants `wanted` ends.
template <class Submit, class Make>
long make(Uring* ring, UringKey key, FdRegions& regions, Submit submit, unsigned wanted, Make real) {
  FdCall call;
  if (!call) return real();
  const bool waits = ring->waits(key, wanted);
  call.begin(of(waits && ring->polls() ? pollRegions : regions), waits);
  ring->reapTaken(call, key);
  submit(call);
  if (waits) ring->beginWaiting();
  const auto result = call.run(real);
  const int error = errno;
  if (waits) ring->endWaiting();
  call.returned();
  if (wanted > 0 || !ring->isAwaited()) ring->reap(call, key);
  if (call.duration() > FdCall::shortTicks()) call.keep();
  errno = error;
  return result;
}

template <class Make>
long ofLibrary(LiburingRing* ring, FdRegions& regions, bool submits, unsigned wanted, Make real) {
  Uring* known = fdCallsWanted() ? Uring::of(ring) : nullptr;
  if (known == nullptr) return real();
  const UringKey key = uringKey(ring);
  const auto submit = [=](FdCall& call) {
    if (submits) known->submit(call, key, ring->submission.sqeTail);
  };
  return make(known, key, regions, submit, wanted, real);
}

// Requests on registered files name these by their places in a table that the agent does not follow.
void distrustFiles(const int* files, unsigned count) {
  const Guard guard;
  if (!guard || files == nullptr) return;
  for (unsigned i = 0; i < count; i++) {
    Descriptor descriptor;
    if (files[i] < 0 || !describe(files[i], &descriptor) || !isStream(descriptor)) continue;
    distrust(descriptor, descriptor.send);
    distrust(descriptor, descriptor.receive);
  }
}

constexpr int kMissing = -ENOSYS;

}  // namespace

void forgetUring(int fd) { Uring::forget(fd); }

std::atomic<void*> LiburingSymbol::last_{nullptr};

void* LiburingSymbol::lookUp() {
  if (local.resolving) return nullptr;
  const Guard guard;  // the search may call into malloc
  local.resolving = true;
  void* found = librarySymbol(name_, "liburing");
  if (found == nullptr) found = definedElsewhere(name_);
  local.resolving = false;
  if (found == nullptr) return nullptr;
  last_.store(found, std::memory_order_relaxed);
  found_.store(found, std::memory_order_release);
  return found;
}

void LiburingSymbol::keepLibrary(void (*keep)(const void* code)) {
  if (void* code = last_.load(std::memory_order_relaxed)) keep(code);
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int io_uring_submit(LiburingRing* ring) {
  auto* real = realSubmit.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, submitRegions, true, 0, [=] { return real(ring); }));
}

PARALLAX_EXPORT int io_uring_submit_and_get_events(LiburingRing* ring) {
  auto* real = realSubmitAndGetEvents.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, submitRegions, true, 0, [=] { return real(ring); }));
}

PARALLAX_EXPORT int io_uring_get_events(LiburingRing* ring) {
  auto* real = realGetEvents.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, waitRegions, false, 0, [=] { return real(ring); }));
}

PARALLAX_EXPORT int io_uring_submit_and_wait(LiburingRing* ring, unsigned wanted) {
  auto* real = realSubmitAndWait.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(
      ofLibrary(ring, submitAndWaitRegions, true, wanted, [=] { return real(ring, wanted); }));
}

PARALLAX_EXPORT int io_uring_submit_and_wait_timeout(LiburingRing* ring, io_uring_cqe** found,
                                                     unsigned wanted, Timespec* timeout,
                                                     sigset_t* signals) {
  auto* real = realSubmitAndWaitTimeout.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, submitAndWaitRegions, true, wanted,
                                    [=] { return real(ring, found, wanted, timeout, signals); }));
}

PARALLAX_EXPORT int io_uring_wait_cqes(LiburingRing* ring, io_uring_cqe** found, unsigned wanted,
                                       Timespec* timeout, sigset_t* signals) {
  auto* real = realWaitCqes.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, waitRegions, false, wanted,
                                    [=] { return real(ring, found, wanted, timeout, signals); }));
}

PARALLAX_EXPORT int io_uring_wait_cqe_timeout(LiburingRing* ring, io_uring_cqe** found,
                                              Timespec* timeout) {
  auto* real = realWaitCqeTimeout.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(
      ofLibrary(ring, waitRegions, false, 1, [=] { return real(ring, found, timeout); }));
}

PARALLAX_EXPORT int __io_uring_get_cqe(LiburingRing* ring, io_uring_cqe** found, unsigned submit,
                                       unsigned wanted, sigset_t* signals) {
  auto* real = realGetCqe.get();
  if (real == nullptr) return kMissing;
  return static_cast<int>(ofLibrary(ring, waitRegions, submit > 0, wanted, [=] {
    return real(ring, found, submit, wanted, signals);
  }));
}

PARALLAX_EXPORT unsigned io_uring_peek_batch_cqe(LiburingRing* ring, io_uring_cqe** found,
                                                 unsigned count) {
  auto* real = realPeekBatch.get();
  if (real == nullptr) return 0;
  return static_cast<unsigned>(ofLibrary(ring, waitRegions, false, 0, [=]() -> long {
    return real(ring, found, count);
  }));
}

PARALLAX_EXPORT void io_uring_queue_exit(LiburingRing* ring) {
  if (Uring* known = fdCallsWanted() ? Uring::used(ring) : nullptr) {
    FdCall call;
    if (call) {
      call.begin(of(exitRegions), false);
      call.returned();
      known->reap(call, uringKey(ring));
    }
  }
  Uring::forget(ring);
  if (auto* real = realQueueExit.get()) real(ring);
}

PARALLAX_EXPORT int io_uring_register_files(LiburingRing* ring, const int* files, unsigned count) {
  auto* real = realRegisterFiles.get();
  if (real == nullptr) return kMissing;
  distrustFiles(files, count);
  return real(ring, files, count);
}

PARALLAX_EXPORT int io_uring_register_files_tags(LiburingRing* ring, const int* files,
                                                 const uint64_t* tags, unsigned count) {
  auto* real = realRegisterFilesTags.get();
  if (real == nullptr) return kMissing;
  distrustFiles(files, count);
  return real(ring, files, tags, count);
}

PARALLAX_EXPORT int io_uring_register_files_update(LiburingRing* ring, unsigned from, const int* files,
                                                   unsigned count) {
  auto* real = realRegisterFilesUpdate.get();
  if (real == nullptr) return kMissing;
  distrustFiles(files, count);
  return real(ring, from, files, count);
}

PARALLAX_EXPORT int io_uring_register_files_update_tag(LiburingRing* ring, unsigned from,
                                                       const int* files, const uint64_t* tags,
                                                       unsigned count) {
  auto* real = realRegisterFilesUpdateTag.get();
  if (real == nullptr) return kMissing;
  distrustFiles(files, count);
  return real(ring, from, files, tags, count);
}

// From syscall (process/process_sandbox.cpp), once libc's is known.
extern "C" __attribute__((visibility("hidden"), used)) long parallaxUring(long number, long a, long b,
                                                                          long c, long d, long e,
                                                                          long f) {
  const auto real = [=]() -> long { return parallaxRealSyscall.get()(number, a, b, c, d, e, f); };
  if (!fdCallsWanted()) return real();
  const int fd = static_cast<int>(a);
  if (number == SYS_io_uring_setup) {
    const long result = real();
    if (result >= 0 && b != 0) {
      forgetDescriptor(static_cast<int>(result));
      Uring::made(static_cast<int>(result), *reinterpret_cast<const io_uring_params*>(b));
    }
    return result;
  }
  if (number == SYS_io_uring_register) {
    if (b == IORING_REGISTER_FILES) {
      distrustFiles(reinterpret_cast<const int*>(c), static_cast<unsigned>(d));
    } else if (b == IORING_REGISTER_FILES_UPDATE && c != 0) {
      const auto* update = reinterpret_cast<const io_uring_files_update*>(c);
      distrustFiles(reinterpret_cast<const int*>(update->fds), static_cast<unsigned>(d));
    }
    return real();
  }
  Uring* ring = Uring::of(fd);
  if (ring == nullptr || (d & IORING_ENTER_REGISTERED_RING) != 0) return real();
  const auto count = static_cast<unsigned>(b);
  const auto submit = [=](FdCall& call) {
    if (count > 0) ring->submitNext(call, uringKey(fd), count);
  };
  return make(ring, uringKey(fd), enterRegions, submit,
              (d & IORING_ENTER_GETEVENTS) != 0 ? static_cast<unsigned>(c) : 0, real);
}
