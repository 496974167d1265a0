#include "interpose/mpi/mpi_real.h"

#include <dlfcn.h>

#include "core/agent.h"
#include "interpose/linker/library_symbol.h"

namespace parallax::mpi {
namespace {

constexpr const char* kServiceNames[] = {
#define PARALLAX_X(name) "PMPI_" #name,
    PARALLAX_MPI_SERVICES(PARALLAX_X)
#undef PARALLAX_X
};

std::atomic<void*> services[static_cast<size_t>(Service::kCount)];

}  // namespace

void* findSymbol(const char* name) { return librarySymbol(name, "mpi"); }

void* findVariable(const char* name) {
  void* used = symbolOf(RTLD_DEFAULT, name);
  return used != nullptr ? used : findSymbol(name);
}

void* serviceAddress(Service service) {
  const auto index = static_cast<size_t>(service);
  void* address = services[index].load(std::memory_order_acquire);
  if (address == nullptr) {
    address = findSymbol(kServiceNames[index]);
    services[index].store(address, std::memory_order_release);
  }
  return address;
}

}  // namespace parallax::mpi
