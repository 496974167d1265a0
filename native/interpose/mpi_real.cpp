#include "mpi_real.h"

#include <dlfcn.h>
#include <link.h>

namespace parallax::mpi {
namespace {

// Paths of the loaded objects that can be an MPI library. They are opened only after
// dl_iterate_phdr, which holds a lock that dlopen takes in another order.
struct LoadedPaths {
  char text[16384];
  size_t used;
};

int collectPath(dl_phdr_info* info, size_t, void* data) {
  auto* paths = static_cast<LoadedPaths*>(data);
  if (info->dlpi_name == nullptr || strstr(info->dlpi_name, "mpi") == nullptr) return 0;
  const size_t bytes = strlen(info->dlpi_name) + 1;
  if (paths->used + bytes > sizeof paths->text) return 1;
  memcpy(paths->text + paths->used, info->dlpi_name, bytes);
  paths->used += bytes;
  return 0;
}

void* symbolIn(const char* path, const char* name) {
  void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  void* address = dlsym(object, name);
  dlclose(object);
  return address;
}

constexpr const char* kServiceNames[] = {
#define PARALLAX_X(name) "PMPI_" #name,
    PARALLAX_MPI_SERVICES(PARALLAX_X)
#undef PARALLAX_X
};

std::atomic<void*> services[static_cast<size_t>(Service::kCount)];

}  // namespace

void* findSymbol(const char* name) {
  if (void* next = dlsym(RTLD_NEXT, name)) return next;
  // A library loaded with RTLD_LOCAL (as scripting languages do) is outside RTLD_NEXT's scope.
  Dl_info here{};
  void* own = nullptr;
  if (dladdr(reinterpret_cast<const void*>(&findSymbol), &here) != 0 && here.dli_fname != nullptr) {
    own = symbolIn(here.dli_fname, name);
  }
  LoadedPaths paths{};
  dl_iterate_phdr(collectPath, &paths);
  for (size_t at = 0; at < paths.used; at += strlen(paths.text + at) + 1) {
    void* address = symbolIn(paths.text + at, name);
    if (address != nullptr && address != own) return address;
  }
  return nullptr;
}

void* findVariable(const char* name) {
  void* used = dlsym(RTLD_DEFAULT, name);
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
