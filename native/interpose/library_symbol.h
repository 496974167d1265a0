// Symbols of libraries that the program may have loaded with RTLD_LOCAL.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstring>

namespace parallax {

// The next definition of a symbol after this library's own, or else one in a loaded object whose
// path contains `pathPart`. Null when there is none. May allocate, with the program's malloc.
void* librarySymbol(const char* name, const char* pathPart);

// Paths of the loaded objects that are wanted; the program's own is empty. They are to be opened
// only after dl_iterate_phdr, which holds a lock that dlopen takes in another order.
class LoadedPaths {
 public:
  using Wanted = bool (*)(const dl_phdr_info& object, const void* with);

  LoadedPaths(Wanted wanted, const void* with);
  ~LoadedPaths();
  LoadedPaths(const LoadedPaths&) = delete;
  LoadedPaths& operator=(const LoadedPaths&) = delete;
  const char* first() const { return used_ > 0 ? text_ : nullptr; }
  const char* after(const char* path) const {
    path += strlen(path) + 1;
    return path < text_ + used_ ? path : nullptr;
  }

 private:
  static int collect(dl_phdr_info* object, size_t, void* self);

  Wanted wanted_;
  const void* with_;
  size_t used_ = 0;
  char* text_;
};

}  // namespace parallax
