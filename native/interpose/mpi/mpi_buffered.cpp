// The copies stand in a ring, in the order in which they were sent. Memory of a message is free again when it and all before it
// have been sent.
#include "interpose/mpi/mpi_buffered.h"

#include <sys/uio.h>

#include "base/memory.h"
#include "base/sys.h"
#include "core/agent.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_session.h"
#include "interpose/tuning/program_symbols.h"
#include "live/live_agent.h"
#include "live/live_tunables.h"

namespace parallax::mpi {

BufferedSends bufferedSends = {};

namespace {

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
    bufferedSends.pending = ++count_;
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
  void removeFirst() {
    first_ = (first_ + 1) % kMostPending;
    bufferedSends.pending = --count_;
  }

  char* room_ = nullptr;
  Pending messages_[kMostPending];
  uint32_t first_ = 0, count_ = 0;
};
Ring ring;

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
  live::declare("mpi_buffered_send", live::ValueType::kI64, &bufferedSends.mostBytes, 0, kMostBytes);
}

bool sendBuffered(const void* buffer, int64_t count, Handle type, int peer, int tag, Handle comm, int* result) {
  // Not what the library calls itself.
  if (Scope::depth() != 1 || !isInitialiser()) return false;
  ring.removeSent();
  const int64_t most = __atomic_load_n(&bufferedSends.mostBytes, __ATOMIC_RELAXED);
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

void completeBufferedSends() {
  if (bufferedSends.pending != 0 && isInitialiser()) ring.wait();
}

}  // namespace parallax::mpi
