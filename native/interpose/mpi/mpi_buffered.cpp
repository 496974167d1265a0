// The copies stand in a ring, in the order in which they were sent. Memory of a message is free again when it and all before it
// have been sent.
#include "interpose/mpi/mpi_buffered.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/memory.h"
#include "base/sys.h"
#include "core/agent.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_session.h"
#include "interpose/real.h"
#include "interpose/tuning/program_symbols.h"
#include "interpose/tuning/safe_moment.h"
#include "live/live_agent.h"
#include "live/live_tunables.h"

namespace parallax::mpi {

int64_t mostBufferedBytes = 0;
uint32_t pendingSends = 0;

namespace {

bool progressOutside(const char* routine);

constexpr int64_t kMostBytes = 1 << 20;
constexpr uint64_t kRoomBytes = 16 << 20;
constexpr uint64_t kAlignment = 64;
constexpr uint32_t kMostPending = 256;

struct Pending {
  Handle request;  // of any library's size
  uint64_t begin, end;
};

class Ring {
 public:
  bool reserve() {
    if (room_ == nullptr) room_ = static_cast<char*>(allocatePages(kRoomBytes));
    return room_ != nullptr;
  }
  // Null if there is no room now. A copy that is not sent needs no more room.
  char* find(uint64_t bytes) const {
    if (count_ == kMostPending) return nullptr;
    const uint64_t at = place(bytes);
    return at != kNone ? room_ + at : nullptr;
  }
  void add(const char* copy, uint64_t bytes, Handle request) {
    const auto begin = static_cast<uint64_t>(copy - room_);
    messages_[(first_ + count_) % kMostPending] = {request, begin, begin + rounded(bytes)};
    setCount(count_ + 1);
  }
  void removeSent() {
    int isSent = 1;
    while (count_ != 0 && isSent != 0) {
      // After an error that does not end the program, MPI has no use for the memory either.
      if (callService(Service::kTest, &messages_[first_].request, &isSent, abi().statusIgnore) != 0) isSent = 1;
      if (isSent != 0) removeFirst();
    }
  }
  void wait() {
    while (count_ != 0) {
      callService(Service::kWait, &messages_[first_].request, abi().statusIgnore);
      removeFirst();
    }
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  static uint64_t rounded(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment + (bytes == 0 ? kAlignment : 0); }

  //     free  [begin of first ... end of last)  free          or  [... end of last)  free  [begin of first ...
  uint64_t place(uint64_t bytes) const {
    if (count_ == 0) return 0;
    const uint64_t begin = messages_[first_].begin, end = messages_[(first_ + count_ - 1) % kMostPending].end, size = rounded(bytes);
    if (end <= begin) return begin - end >= size ? end : kNone;
    if (kRoomBytes - end >= size) return end;
    return begin >= size ? 0 : kNone;
  }
  void setCount(uint32_t count) {
    pendingSends = count_ = count;
    beforeCalls.store(count != 0 ? progressOutside : nullptr, std::memory_order_release);
  }
  void removeFirst() {
    first_ = (first_ + 1) % kMostPending;
    setCount(count_ - 1);
  }

  char* room_ = nullptr;
  Pending messages_[kMostPending];
  uint32_t first_ = 0, count_ = 0;
};
Ring ring;

// Routines that wait for nobody else. Of those of descriptors, the descriptor is asked (descriptors/fd_transfer.h). All others may wait.
constexpr const char* kNeverWait[] = {
    "nanosleep", "clock_nanosleep", "usleep", "sleep", "sched_yield", "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv64",
    "pwritev64", "preadv64v2", "pwritev64v2", "open64", "openat64", "creat64", "fopen64", "freopen64", "__open64_2", "__openat64_2", "close",
    "closedir", "lseek64", "dup", "dup2", "dup3", "fsync", "fdatasync", "socket", "pipe", "pipe2", "pthread_mutex_unlock",
    "pthread_mutex_trylock", "pthread_mutex_init", "pthread_mutex_destroy", "pthread_rwlock_unlock", "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock", "pthread_cond_signal", "pthread_cond_broadcast", "pthread_cond_init", "pthread_cond_destroy",
    "pthread_spin_unlock", "pthread_spin_trylock", "pthread_create", "pthread_detach", "pthread_sigmask", "sem_post", "sem_trywait",
    "sem_init", "sem_destroy", "sigaction", "signal", "sigprocmask", "sigaltstack", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
    "dlopen", "dlclose"};

bool mayWait(const char* routine) {
  if (routine == nullptr) return true;
  for (const char* known : kNeverWait) {
    if (strcmp(known, routine) == 0) return false;
  }
  return true;
}

// By a call that fails where the processor cannot read, as in the memory of an accelerator.
bool copy(void* to, const void* from, uint64_t bytes) {
  iovec own{to, bytes}, there{const_cast<void*>(from), bytes};
  return bytes == 0 || sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&own), 1, sys::word(&there), 1, 0) == static_cast<long>(bytes);
}

// MPI_ERRORS_ARE_FATAL, of each library; 0: not known.
Handle fatalHandler() {
  constexpr Handle kOfMpich = 0x54000000, kOfStandard = 0x141;
  switch (abi().library) {
    case Library::kOpenMpi: return reinterpret_cast<Handle>(findVariable("ompi_mpi_errors_are_fatal"));
    case Library::kMpich: return kOfMpich;
    case Library::kStandard: return kOfStandard;
    default: return 0;
  }
}
Handle fatal = 0;

int initialiser = 0;  // the thread that calls MPI
bool isInitialiser() { return sys::gettid() == initialiser; }

// Whether an error ends the program: then it does not matter in which call it is found.
bool endsOnErrors(Handle comm) {
  Handle handler = 0;
  if (callService(Service::kComm_get_errhandler, comm, &handler) != 0) return false;
  const Handle found = loadHandle(&handler);
  // Open MPI counts references of all handlers, the others of those that the program has made.
  if (abi().library == Library::kOpenMpi || found != fatal) callService(Service::kErrhandler_free, &handler);
  return found == fatal;
}

// When a call that waits for nobody next lets messages go on. To ask whether a handler runs costs up to milliseconds on a deep stack.
// Therefore all looks together take a small share of the time.
class Looks {
 public:
  bool isDue(uint64_t nowNs) const { return nowNs >= nextNs_; }
  void add(uint64_t beginNs, uint64_t endNs) {
    constexpr uint64_t kShare = 10, kLeastNs = 100000, kMostNs = 20000000;
    nextNs_ = endNs + std::min(std::max((endNs - beginNs) * kShare, kLeastNs), kMostNs);
  }

 private:
  uint64_t nextNs_ = 0;
};

// Calls that MPI makes meanwhile are none of the program. In a handler of a signal nothing is done: it may have interrupted MPI, or the
// allocator that MPI uses.
bool progressOutside(const char* routine) {
  static bool isUnderWay = false;  // of the thread that calls MPI
  static Looks looks;
  if (!isInitialiser() || isUnderWay || Scope::depth() != 0 || pendingSends == 0) return false;
  const bool waits = mayWait(routine);
  const uint64_t beginNs = monotonicNs();
  if (!waits && !looks.isDue(beginNs)) return true;
  const int error = errno;
  isUnderWay = true;
  {
    const Guard guard;
    if (!tuning::mayBeInHandler()) {
      if (waits) {
        ring.wait();
      } else {
        ring.removeSent();
      }
    }
  }
  if (!waits) looks.add(beginNs, monotonicNs());
  isUnderWay = false;
  errno = error;
  return pendingSends != 0;
}

bool isPlain(Handle type, uint64_t* bytes) {
  intptr_t low = 0, extent = 0;
  return isDatatype(type) && abi().isPredefined(normalised(type)) && typeBytes(type, bytes) &&
         callService(Service::kType_get_extent, type, &low, &extent) == 0 && low == 0 && static_cast<uint64_t>(extent) == *bytes;
}

// A tool behind the agent that counts MPI_Send would miss messages.
bool isToolBehind() {
  void *send = findSymbol("MPI_Send"), *own = findSymbol("PMPI_Send");
  return send == nullptr || own == nullptr || tuning::objectAt(send).bias != tuning::objectAt(own).bias;
}

}  // namespace

void declareBufferedSends(int threadLevel) {
  if (!live::page() || threadLevel == abi().threadSerialized || threadLevel == abi().threadMultiple) return;
  fatal = fatalHandler();
  char readable = 1, read = 0;
  if (fatal == 0 || isToolBehind() || !copy(&read, &readable, 1)) return;
  initialiser = sys::gettid();
  live::declare("mpi_buffered_send", live::ValueType::kI64, &mostBufferedBytes, 0, kMostBytes);
}

bool sendBuffered(const void* buffer, int64_t count, Handle type, int peer, int tag, Handle comm, int* result) {
  // Not what the library calls itself.
  if (Scope::depth() != 1 || !isInitialiser()) return false;
  const int64_t most = __atomic_load_n(&mostBufferedBytes, __ATOMIC_RELAXED);
  uint64_t element = 0;
  if (most == 0 || count < 0 || count > most || peer < 0 || tag < 0 || !isPlain(type, &element)) return false;
  const uint64_t bytes = static_cast<uint64_t>(count) * element;
  comm = normalised(comm);
  if (bytes > static_cast<uint64_t>(most) || comm == abi().commNull || !abi().mayBeCommunicator(comm) || hasSession()) return false;
  char* room = ring.reserve() ? ring.find(bytes) : nullptr;
  if (room == nullptr || !endsOnErrors(comm) || !copy(room, buffer, bytes)) return false;
  Handle request = 0;
  *result = callService(Service::kIsend, room, static_cast<int>(count), type, peer, tag, comm, &request);
  if (*result == 0) ring.add(room, bytes, request);
  return true;
}

void progressPendingSends() {
  if (Scope::depth() == 1 && isInitialiser()) ring.removeSent();
}

bool endBufferedSends() {
  __atomic_store_n(&mostBufferedBytes, 0, __ATOMIC_RELAXED);
  return pendingSends == 0;
}

void completeBufferedSends() {
  if (pendingSends != 0 && isInitialiser()) ring.wait();
}

}  // namespace parallax::mpi
