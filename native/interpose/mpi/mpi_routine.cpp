#include "interpose/mpi/mpi_routine.h"

#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

constexpr size_t kRoutines = static_cast<size_t>(Routine::kCount);

constexpr const char* kNames[kRoutines] = {
#define PARALLAX_MPI(Name, name) "PMPI_" #Name,
#define PARALLAX_MPI_COUNTED(Name, name) "PMPI_" #Name, "PMPI_" #Name "_c",
#include "interpose/mpi/mpi_routines.def"
};

}  // namespace

Region regions[kRoutines] = {
#define PARALLAX_MPI(Name, name) {"MPI_" #Name, format::Group::kMpi},
#define PARALLAX_MPI_COUNTED(Name, name) \
  {"MPI_" #Name, format::Group::kMpi}, {"MPI_" #Name "_c", format::Group::kMpi},
#include "interpose/mpi/mpi_routines.def"
};

__thread Call* Scope::outer = nullptr;
__thread int Scope::depth_ = 0;
std::atomic<void*> realRoutines[2][kRoutines];

void* findReal(Routine routine, Layer layer) {
  const auto index = static_cast<size_t>(routine);
  const char* pmpiName = kNames[index];
  // A tool behind this one may wrap MPI_Name; it must not be skipped.
  void* real = findSymbol(layer == Layer::kMpi ? pmpiName + 1 : pmpiName);
  if (real == nullptr) real = findSymbol(pmpiName);
  realRoutines[static_cast<size_t>(layer)][index].store(real, std::memory_order_release);
  return real;
}

bool isDatatype(Handle handle) {
  handle = normalised(handle);
  return abi().library != Library::kUnknown && handle != 0 && handle != abi().datatypeNull &&
         abi().mayBeDatatype(handle);
}

namespace {

constexpr Handle kFilling = ~Handle{0};

void remember(Handle datatype, uint64_t bytes) {
  KnownType& known = knownType(datatype);
  Handle none = 0;
  if (known.handle.load(std::memory_order_relaxed) != none || !abi().isPredefined(datatype) ||
      !known.handle.compare_exchange_strong(none, kFilling, std::memory_order_relaxed)) {
    return;
  }
  known.bytes = bytes;
  known.handle.store(datatype, std::memory_order_release);
}

uint64_t askForBytes(Handle datatype) {
  int bytes = 0;
  if (callService(Service::kType_size, datatype, &bytes) == 0 && bytes >= 0) {
    remember(datatype, static_cast<uint64_t>(bytes));
    return static_cast<uint64_t>(bytes);
  }
  int64_t large = 0;  // over 2 GiB: MPI_UNDEFINED above
  callService(Service::kType_size_x, datatype, &large);
  return large > 0 ? static_cast<uint64_t>(large) : 0;
}

}  // namespace

KnownType knownTypes[1 << KnownType::kBits];

bool askForType(Handle datatype, uint64_t* bytes) {
  if (!isDatatype(datatype)) return false;
  *bytes = askForBytes(datatype);
  return true;
}

uint64_t typeBytes(Handle datatype) {
  uint64_t bytes = 0;
  typeBytes(datatype, &bytes);
  return bytes;
}

}  // namespace parallax::mpi
