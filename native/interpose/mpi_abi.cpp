#include "mpi_abi.h"

#include <atomic>

#include "agent/scratch.h"
#include "mpi_real.h"

namespace parallax::mpi {
namespace {

Handle variableAddress(const char* name) { return reinterpret_cast<Handle>(findVariable(name)); }

Abi openMpi() {
  Abi a{};
  a.library = Library::kOpenMpi;
  a.handleBytes = 8;
  a.statusBytes = 24;
  a.sourceAt = 0, a.tagAt = 4, a.errorAt = 8;
  a.statusIgnore = 0;
  a.inPlace = 1;
  a.anySource = -1, a.anyTag = -1, a.procNull = -2, a.root = -4;
  a.topologyCart = 1, a.topologyGraph = 2, a.topologyDistGraph = 3;
  a.errTruncate = 15, a.errInStatus = 18, a.errPending = 19, a.errOther = 16;
  a.world = variableAddress("ompi_mpi_comm_world");
  a.self = variableAddress("ompi_mpi_comm_self");
  a.commNull = variableAddress("ompi_mpi_comm_null");
  a.requestNull = variableAddress("ompi_request_null");
  a.datatypeNull = variableAddress("ompi_mpi_datatype_null");
  a.messageNull = variableAddress("ompi_message_null");
  a.messageNoProcess = variableAddress("ompi_message_no_proc");
  return a;
}

Abi mpich() {
  Abi a{};
  a.library = Library::kMpich;
  a.handleBytes = 4;
  a.statusBytes = 20;
  a.sourceAt = 8, a.tagAt = 12, a.errorAt = 16;
  a.statusIgnore = 1;
  a.inPlace = static_cast<uintptr_t>(-1);
  a.anySource = -2, a.anyTag = -1, a.procNull = -1, a.root = -3;
  a.topologyGraph = 1, a.topologyCart = 2, a.topologyDistGraph = 3;
  a.errTruncate = 14, a.errInStatus = 17, a.errPending = 18, a.errOther = 15;
  a.world = 0x44000000;
  a.self = 0x44000001;
  a.commNull = 0x04000000;
  a.requestNull = 0x2c000000;
  a.datatypeNull = 0x0c000000;
  a.messageNull = 0x2c000000;
  a.messageNoProcess = 0x6c000000;
  return a;
}

Abi recognise() {
  if (findVariable("ompi_mpi_comm_world") != nullptr) return openMpi();
  // Every library with the ABI of MPICH (Intel's, MVAPICH, Cray's) has this one.
  if (findVariable("MPIR_F08_MPI_IN_PLACE") != nullptr) return mpich();
  Abi unknown{};
  unknown.handleBytes = 8;
  unknown.errOther = 16;
  return unknown;
}

}  // namespace

// Several threads may recognise at once; all of them write the same.
void prepareAbi() {
  static std::atomic<bool> prepared{false};
  if (prepared.load(std::memory_order_acquire)) return;
  recognisedAbi = recognise();
  prepared.store(true, std::memory_order_release);
}

void libraryVersion(char* text, size_t sizeBytes) {
  const Scratch scratch;  // both maxima are below
  text[0] = 0;
  if (!scratch) return;
  char* const version = scratch.bytes();
  version[0] = 0;
  int length = 0;
  if (auto* get = reinterpret_cast<int (*)(char*, int*)>(findSymbol("PMPI_Get_library_version"))) {
    get(version, &length);
  }
  version[Scratch::kBytes - 1] = 0;
  // Open MPI's goes on after a comma, MPICH's is a page that begins "MPICH Version:\t4.0.2\n".
  static constexpr char kMpich[] = "MPICH Version:";
  const bool mpich = strncmp(version, kMpich, sizeof kMpich - 1) == 0;
  const char* from = mpich ? version + sizeof kMpich - 1 : version;
  size_t n = mpich && sizeBytes > 6 ? 5 : 0;
  memcpy(text, kMpich, n);
  for (; *from != 0 && *from != '\n' && *from != ',' && n + 1 < sizeBytes; ++from) {
    text[n++] = *from == '\t' ? ' ' : *from;
  }
  text[n] = 0;
}

}  // namespace parallax::mpi
