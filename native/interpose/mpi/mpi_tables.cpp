// The tables of mpi_abi.h.

#include "interpose/mpi/mpi_abi.h"

namespace parallax::mpi {

Abi recognisedAbi{};
std::atomic<bool> abiIsPrepared{false};

namespace {

//   0        4     8       12          16             24
//   +--------+-----+-------+-----------+--------------+
//   | source | tag | error | cancelled | bytes (u64)  |
//   +--------+-----+-------+-----------+--------------+
uint64_t bytesOfOpenMpi(const void* status) {
  uint64_t bytes;
  memcpy(&bytes, static_cast<const char*>(status) + 16, sizeof bytes);
  return bytes;
}

bool cancelledInOpenMpi(const void* status) {
  int cancelled;
  memcpy(&cancelled, static_cast<const char*>(status) + 12, sizeof cancelled);
  return cancelled != 0;
}

//   0           4                                      8        12    16      20
//   +-----------+--------------------------------------+--------+-----+-------+
//   | low bytes | cancelled (bit 0), high bytes (1-31) | source | tag | error |
//   +-----------+--------------------------------------+--------+-----+-------+
uint64_t bytesOfMpich(const void* status) {
  uint32_t words[2];
  memcpy(&words, status, sizeof words);
  return static_cast<uint64_t>(words[1] >> 1) << 32 | words[0];
}

bool cancelledInMpich(const void* status) {
  uint32_t words[2];
  memcpy(&words, status, sizeof words);
  return (words[1] & 1) != 0;
}

}  // namespace

// Handles are pointers to what the library exports.
constexpr Abi kOpenMpiAbi = [] {
  Abi a{};
  a.library = Library::kOpenMpi;
  a.handleBytes = 8;
  a.statusBytes = 24;
  a.sourceAt = 0, a.tagAt = 4, a.errorAt = 8;
  a.bytesOf = bytesOfOpenMpi;
  a.cancelledIn = cancelledInOpenMpi;
  a.statusIgnore = 0;
  a.inPlace = 1;
  a.anySource = -1, a.anyTag = -1, a.procNull = -2, a.root = -4;
  a.threadFunneled = 1, a.threadSerialized = 2, a.threadMultiple = 3;
  a.topologyCart = 1, a.topologyGraph = 2, a.topologyDistGraph = 3;
  a.lockExclusive = 1, a.modeNoPrecede = 2;
  a.errTruncate = 15, a.errOther = 16, a.errInStatus = 18, a.errPending = 19;
  a.mayBeCommunicator = a.mayBeDatatype = [](Handle) { return true; };
  return a;
}();

// Handles are ints: two bits for where they come from (0: null), four for their kind.
constexpr Abi kMpichAbi = [] {
  Abi a{};
  a.library = Library::kMpich;
  a.handleBytes = 4;
  a.statusBytes = 20;
  a.sourceAt = 8, a.tagAt = 12, a.errorAt = 16;
  a.bytesOf = bytesOfMpich;
  a.cancelledIn = cancelledInMpich;
  a.statusIgnore = 1;
  a.inPlace = static_cast<uintptr_t>(-1);
  a.anySource = -2, a.anyTag = -1, a.procNull = -1, a.root = -3;
  a.threadFunneled = 1, a.threadSerialized = 2, a.threadMultiple = 3;
  a.topologyGraph = 1, a.topologyCart = 2, a.topologyDistGraph = 3;
  a.lockExclusive = 234, a.modeNoPrecede = 8192;
  a.errTruncate = 14, a.errOther = 15, a.errInStatus = 17, a.errPending = 18;
  a.world = 0x44000000;
  a.self = 0x44000001;
  a.commNull = 0x04000000;
  a.requestNull = 0x2c000000;
  a.datatypeNull = 0x0c000000;
  a.messageNull = 0x2c000000;
  a.messageNoProcess = 0x6c000000;
  a.byteType = 0x4c00010d;
  a.noOp = 0x5800000e;
  a.mayBeCommunicator = [](Handle handle) {
    return (handle >> 30) != 0 && ((handle >> 26) & 15) == 1;
  };
  a.mayBeDatatype = [](Handle handle) {
    return (handle >> 30) != 0 && ((handle >> 26) & 15) == 3;
  };
  a.isPredefined = [](Handle datatype) { return datatype >> 30 == 1; };
  return a;
}();

// MPI 5.0, chapter 20 "Application Binary Interface", and appendix A for the values. A status has
// source, tag and error in its first three ints; the five others are the library's own, so that
// only the library can say how much has arrived. Handles are pointers; those below 4096 are the
// predefined ones, whose upper bits are their kind.
constexpr Abi kStandardAbi = [] {
  Abi a{};
  a.library = Library::kStandard;
  a.handleBytes = 8;
  a.statusBytes = 32;
  a.sourceAt = 0, a.tagAt = 4, a.errorAt = 8;
  a.statusIgnore = 0;
  a.inPlace = 1;
  a.anySource = -1, a.anyTag = -2, a.procNull = -3, a.root = -4;
  a.threadFunneled = 1024, a.threadSerialized = 2048, a.threadMultiple = 4096;
  a.topologyCart = 211, a.topologyGraph = 212, a.topologyDistGraph = 213;
  a.lockExclusive = 301, a.modeNoPrecede = 2048;
  a.errTruncate = 15, a.errOther = 16, a.errPending = 18, a.errInStatus = 19;
  a.world = 0x101;
  a.self = 0x102;
  a.commNull = 0x100;
  a.requestNull = 0x180;
  a.datatypeNull = 0x200;
  a.messageNull = 0x128;
  a.messageNoProcess = 0x129;
  a.byteType = 0x247;
  a.noOp = 0x3d;
  a.mayBeCommunicator = [](Handle handle) { return handle >= 0x1000 || handle >> 3 == 0x100 >> 3; };
  a.mayBeDatatype = [](Handle handle) { return handle >= 0x1000 || handle >> 8 == 0x200 >> 8; };
  a.isPredefined = [](Handle datatype) { return datatype < 0x1000; };
  return a;
}();

}  // namespace parallax::mpi
