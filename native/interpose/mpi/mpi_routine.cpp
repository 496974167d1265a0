#include "interpose/mpi/mpi_routine.h"

#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

constexpr size_t kRoutines = static_cast<size_t>(Routine::kCount);

Region regions[kRoutines] = {
#define PARALLAX_MPI(Name, name) {"MPI_" #Name, format::Group::kMpi},
#define PARALLAX_MPI_COUNTED(Name, name) \
  {"MPI_" #Name, format::Group::kMpi}, {"MPI_" #Name "_c", format::Group::kMpi},
#include "interpose/mpi/mpi_routines.def"
};

constexpr const char* kNames[kRoutines] = {
#define PARALLAX_MPI(Name, name) "PMPI_" #Name,
#define PARALLAX_MPI_COUNTED(Name, name) "PMPI_" #Name, "PMPI_" #Name "_c",
#include "interpose/mpi/mpi_routines.def"
};

}  // namespace

thread_local Call* Scope::outer = nullptr;
thread_local int Scope::depth_ = 0;
std::atomic<void*> realRoutines[2][kRoutines];

Region& regionOf(Routine routine) { return regions[static_cast<size_t>(routine)]; }

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

uint64_t typeBytes(Handle datatype) {
  datatype = normalised(datatype);
  if (!isDatatype(datatype)) return 0;
  int bytes = 0;
  if (callService(Service::kType_size, datatype, &bytes) == 0 && bytes >= 0) {
    return static_cast<uint64_t>(bytes);
  }
  int64_t large = 0;  // over 2 GiB: MPI_UNDEFINED above
  callService(Service::kType_size_x, datatype, &large);
  return large > 0 ? static_cast<uint64_t>(large) : 0;
}

}  // namespace parallax::mpi
