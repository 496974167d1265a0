#include "interpose/library_symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace parallax {
namespace {

// Paths of the loaded objects in question. They are opened only after dl_iterate_phdr, which
// holds a lock that dlopen takes in another order.
struct LoadedPaths {
  const char* part;
  size_t used;
  char text[16384];
};

int collectPath(dl_phdr_info* info, size_t, void* data) {
  auto* paths = static_cast<LoadedPaths*>(data);
  if (info->dlpi_name == nullptr || strstr(info->dlpi_name, paths->part) == nullptr) return 0;
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

}  // namespace

void* librarySymbol(const char* name, const char* pathPart) {
  if (void* next = dlsym(RTLD_NEXT, name)) return next;
  // A library loaded with RTLD_LOCAL (as scripting languages do) is outside RTLD_NEXT's scope.
  Dl_info here{};
  void* own = nullptr;
  if (dladdr(reinterpret_cast<const void*>(&librarySymbol), &here) != 0 &&
      here.dli_fname != nullptr) {
    own = symbolIn(here.dli_fname, name);
  }
  LoadedPaths paths;
  paths.part = pathPart;
  paths.used = 0;
  dl_iterate_phdr(collectPath, &paths);
  for (size_t at = 0; at < paths.used; at += strlen(paths.text + at) + 1) {
    void* address = symbolIn(paths.text + at, name);
    if (address != nullptr && address != own) return address;
  }
  return nullptr;
}

}  // namespace parallax
