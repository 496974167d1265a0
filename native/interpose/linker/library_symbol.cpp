#include "interpose/linker/library_symbol.h"

#include <cstring>

#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"

namespace parallax {
namespace {

struct Wanted {
  SymbolName name;
  const char* pathPart;
  void* found;
};

int findIn(dl_phdr_info* object, size_t, void* data) {
  auto* wanted = static_cast<Wanted*>(data);
  if (object->dlpi_name == nullptr || strstr(object->dlpi_name, wanted->pathPart) == nullptr ||
      holds(*object, reinterpret_cast<const void*>(&librarySymbol))) {
    return 0;
  }
  wanted->found = DefinedSymbols(*object).find(wanted->name);
  return wanted->found != nullptr ? 1 : 0;
}

void* findInLoaded(const char* name, const char* pathPart) {
  Wanted wanted{SymbolName(name), pathPart, nullptr};
  dl_iterate_phdr(findIn, &wanted);
  return wanted.found;
}

}  // namespace

void* librarySymbol(const char* name, const char* pathPart) {
  if (void* next = nextSymbol(name)) return next;
  // A library loaded with RTLD_LOCAL (as scripting languages do) is outside RTLD_NEXT's scope.
  return findInLoaded(name, pathPart);
}

void* definedElsewhere(const char* name) { return findInLoaded(name, ""); }

}  // namespace parallax
