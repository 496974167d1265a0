#include "interpose/library_symbol.h"

#include <dlfcn.h>

#include "agent/agent.h"

namespace parallax {
namespace {

constexpr size_t kPathsBytes = 16384;

void* symbolIn(const char* path, const char* name) {
  void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  void* address = dlsym(object, name);
  dlclose(object);
  return address;
}

bool hasPart(const dl_phdr_info& object, const void* part) {
  return strstr(object.dlpi_name, static_cast<const char*>(part)) != nullptr;
}

}  // namespace

LoadedPaths::LoadedPaths(Wanted wanted, const void* with)
    : wanted_(wanted), with_(with), text_(static_cast<char*>(allocatePages(kPathsBytes))) {
  if (text_ != nullptr) dl_iterate_phdr(collect, this);
}

LoadedPaths::~LoadedPaths() {
  if (text_ != nullptr) releasePages(text_, kPathsBytes);
}

int LoadedPaths::collect(dl_phdr_info* object, size_t, void* self) {
  auto* paths = static_cast<LoadedPaths*>(self);
  if (object->dlpi_name == nullptr || !paths->wanted_(*object, paths->with_)) return 0;
  const size_t bytes = strlen(object->dlpi_name) + 1;
  if (paths->used_ + bytes > kPathsBytes) return 1;
  memcpy(paths->text_ + paths->used_, object->dlpi_name, bytes);
  paths->used_ += bytes;
  return 0;
}

void* librarySymbol(const char* name, const char* pathPart) {
  if (void* next = dlsym(RTLD_NEXT, name)) return next;
  // A library loaded with RTLD_LOCAL (as scripting languages do) is outside RTLD_NEXT's scope.
  Dl_info here{};
  void* own = nullptr;
  if (dladdr(reinterpret_cast<const void*>(&librarySymbol), &here) != 0 &&
      here.dli_fname != nullptr) {
    own = symbolIn(here.dli_fname, name);
  }
  const LoadedPaths paths(hasPart, pathPart);
  for (const char* path = paths.first(); path != nullptr; path = paths.after(path)) {
    void* address = symbolIn(path, name);
    if (address != nullptr && address != own) return address;
  }
  return nullptr;
}

}  // namespace parallax
