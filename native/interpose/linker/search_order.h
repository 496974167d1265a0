// The order in which the dynamic linker searches for a symbol. Takes no lock of the linker, so that the callback of
// dl_iterate_phdr can use it; during the callback, no object is loaded or unloaded.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace parallax {

// The loaded objects in the order of a search: each that was added, followed by all that it needs,
// breadth first. None comes twice.
class SearchOrder {
 public:
  explicit SearchOrder(const dl_phdr_info& any);
  ~SearchOrder();
  SearchOrder(const SearchOrder&) = delete;
  SearchOrder& operator=(const SearchOrder&) = delete;

  // What the program began with.
  void addFirst();
  // The next one that was loaded for all since then (RTLD_GLOBAL); false: there are no more.
  bool addNextGlobal();
  void addOwner(const void* address);
  // Null when all that were added have come.
  const dl_phdr_info* next();

 private:
  struct Object {
    dl_phdr_info info;
    const char* soname;  // or null
    uint32_t queued;     // which object comes at this place
    bool reached;
  };

  static int collect(dl_phdr_info* info, size_t, void* self);
  const char* textOf(const Object& object, ElfW(Sxword) tag, size_t skip) const;
  bool isNamed(const Object& object, const char* name) const;
  void add(size_t object);
  void addNeeded(const char* name);

  Object* objects_;
  size_t room_, count_ = 0;
  size_t queueBegin_ = 0, queueEnd_ = 0, global_ = 0;
};

// When the process begins, and when it calls dlopen with RTLD_GLOBAL.
void rememberFirstObjects();
void rememberGlobal(const char* path);

}  // namespace parallax
