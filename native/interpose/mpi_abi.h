// The binary interfaces of the two MPI families, as data.
//
// The agent is built without any mpi.h, so that one library serves Open MPI and everything with
// the ABI of MPICH. Handles are held as uintptr_t: a pointer in Open MPI, an int in MPICH, whose
// upper half in a register is undefined and has to be masked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace parallax::mpi {

using Handle = uintptr_t;

enum class Library : uint8_t { kUnknown, kOpenMpi, kMpich };

struct Abi {
  Library library;
  uint8_t handleBytes;  // also the stride of arrays of handles
  uint8_t statusBytes;
  uint8_t sourceAt, tagAt, errorAt;  // offsets in a status
  uintptr_t statusIgnore;            // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE
  uintptr_t inPlace;
  int anySource, anyTag, procNull, root;
  int topologyGraph, topologyCart, topologyDistGraph;
  int errTruncate, errInStatus, errPending, errOther;
  Handle world, self, commNull, requestNull, datatypeNull, messageNull, messageNoProcess;
};

inline constexpr int kUndefined = -32766;  // MPI_UNDEFINED of both

// The interface of the library in this process, once prepareAbi() has returned. Library::kUnknown
// when none was recognised: then routines are entered and left, and nothing else is recorded.
extern Abi recognisedAbi;
inline const Abi& abi() { return recognisedAbi; }
void prepareAbi();

// What MPI_Get_library_version says, at most `sizeBytes` with the terminator.
void libraryVersion(char* text, size_t sizeBytes);

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

// What the adapter reads from a status. Read from memory because MPI_Get_count answers in units
// of a type and MPI_UNDEFINED above 2 GiB.
struct StatusView {
  int source;
  int tag;
  int error;
  bool cancelled;
  uint64_t bytes;
};
StatusView readStatus(const void* status);

inline void* statusAt(void* array, size_t index) {
  return static_cast<char*>(array) + index * abi().statusBytes;
}

}  // namespace parallax::mpi
