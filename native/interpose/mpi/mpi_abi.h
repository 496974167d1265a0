// The binary interfaces of MPI libraries, as data: that of the standard (MPI 5.0), and the older
// ones of Open MPI and of everything with the ABI of MPICH.
//
// The agent is built without any mpi.h, so that one library serves all of them. Handles are held
// as uintptr_t: a pointer, or in MPICH an int, whose upper half in a register is undefined and has
// to be masked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace parallax::mpi {

using Handle = uintptr_t;

enum class Library : uint8_t { kUnknown, kOpenMpi, kMpich, kStandard };

struct Abi {
  Library library;
  uint8_t handleBytes;  // also the stride of arrays of handles
  uint8_t statusBytes;  // at most kMostStatusBytes
  uint8_t sourceAt, tagAt, errorAt;  // offsets in a status
  // What a completed receive or a probe has put into its status. Not by MPI_Get_count, which answers
  // in units of a type and with MPI_UNDEFINED above 2 GiB.
  uint64_t (*bytesOf)(const void* status);
  bool (*cancelledIn)(const void* status);
  uintptr_t statusIgnore;  // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE
  uintptr_t inPlace;
  int anySource, anyTag, procNull, root;
  int threadFunneled, threadSerialized, threadMultiple;
  int topologyGraph, topologyCart, topologyDistGraph;
  int lockExclusive, modeNoPrecede;
  int errTruncate, errInStatus, errPending, errOther;
  Handle world, self, commNull, requestNull, datatypeNull, messageNull, messageNoProcess, byteType,
      noOp;
  // False for a handle that is of another kind for certain: asking MPI about it would raise an error.
  bool (*mayBeCommunicator)(Handle handle);
  bool (*mayBeDatatype)(Handle handle);
  // Whether a datatype is one of MPI's own, which nobody frees. Does not ask MPI: of a type that a routine for large counts
  // has made, some questions are errors.
  bool (*isPredefined)(Handle datatype);
};

inline constexpr size_t kMostStatusBytes = 32;
inline constexpr int kUndefined = -32766;  // MPI_UNDEFINED of all

extern const Abi kOpenMpiAbi;   // but for its handles
extern const Abi kMpichAbi;
extern const Abi kStandardAbi;  // but for what it has to be asked: bytesOf, cancelledIn

// The interface of the library in this process, once prepareAbi() has returned. Library::kUnknown
// when none was recognised: then routines are entered and left, and nothing else is recorded.
extern Abi recognisedAbi;
inline const Abi& abi() { return recognisedAbi; }
extern std::atomic<bool> abiIsPrepared;
void recogniseAbi();
inline void prepareAbi() {
  if (__builtin_expect(!abiIsPrepared.load(std::memory_order_acquire), false)) recogniseAbi();
}

// What MPI_Get_library_version says, at most `sizeBytes` with the terminator.
void libraryVersion(char* text, size_t sizeBytes);

// A level of MPI_Query_thread as the trace has it: 0 single, 1 funneled, 2 serialized, 3 multiple.
uint32_t threadLevel(int level);

inline Handle normalised(Handle handle) {
  return abi().handleBytes == 4 ? static_cast<uint32_t>(handle) : handle;
}

inline Handle loadHandle(const void* at) {
  if (abi().handleBytes == 4) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
  }
  Handle value;
  memcpy(&value, at, sizeof value);
  return value;
}

inline const void* handleAt(const void* array, size_t index) {
  return static_cast<const char*>(array) + index * abi().handleBytes;
}

inline bool ignored(const void* status) {
  return reinterpret_cast<uintptr_t>(status) == abi().statusIgnore;
}

inline bool inPlace(const void* buffer) {
  return reinterpret_cast<uintptr_t>(buffer) == abi().inPlace;
}

// What all libraries have at a place of their own in a status.
struct StatusView {
  int source;
  int tag;
  int error;
};
inline StatusView readStatus(const void* status) {
  const char* bytes = static_cast<const char*>(status);
  const Abi& a = abi();
  StatusView view;
  memcpy(&view.source, bytes + a.sourceAt, sizeof(int));
  memcpy(&view.tag, bytes + a.tagAt, sizeof(int));
  memcpy(&view.error, bytes + a.errorAt, sizeof(int));
  return view;
}

inline void* statusAt(void* array, size_t index) {
  return static_cast<char*>(array) + index * abi().statusBytes;
}

}  // namespace parallax::mpi
