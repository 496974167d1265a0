#include "interpose/tuning/program_symbols.h"

#include <link.h>

#include <cstring>

#include "base/sys.h"
#include "core/process.h"
#include "interpose/linker/defined_symbol.h"

namespace parallax::tuning {
namespace {

struct Search {
  const live::Action& action;
  SymbolName name;
  ProgramSymbol found;
};

const char* pathOf(const dl_phdr_info& object) {
  const bool isProgram = object.dlpi_name == nullptr || object.dlpi_name[0] == '\0';
  const char* own = process.executable();
  return !isProgram ? object.dlpi_name : own != nullptr ? own : "";
}

int visit(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const char* module = search.action.module;
  if (strstr(pathOf(*object), module) == nullptr || holds(*object, reinterpret_cast<const void*>(&visit))) return 0;
  if (search.name.text[0] == '\0') {
    search.found.address = reinterpret_cast<void*>(object->dlpi_addr + search.action.address);
    return holds(*object, search.found.address) ? 1 : 0;
  }
  search.found.address = DefinedSymbols(*object).find(search.name, &search.found.sizeBytes);
  return search.found.address != nullptr ? 1 : 0;
}

// By a call that fails where the memory is not mapped for reading.
bool isReadable(const void* address, uint64_t sizeBytes) {
  char bytes[8];
  struct {
    void* at;
    uint64_t size;
  } own{bytes, sizeBytes}, there{const_cast<void*>(address), sizeBytes};
  return sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&own), 1, sys::word(&there), 1) == static_cast<long>(sizeBytes);
}

// The rights of the loaded object at an address, or of its own mapping.
struct Rights {
  uintptr_t address;
  uint32_t flags;
  bool isKnown;
};

int findRights(dl_phdr_info* object, size_t, void* data) {
  auto& rights = *static_cast<Rights*>(data);
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_RELRO && rights.address - start < header.p_memsz) {
      rights = {rights.address, PF_R, true};
      return 1;
    }
    if (header.p_type == PT_LOAD && rights.address - start < header.p_memsz) {
      rights.flags = header.p_flags;
      rights.isKnown = true;
    }
  }
  return rights.isKnown ? 1 : 0;
}

Rights rightsOf(const void* address) {
  Rights rights{reinterpret_cast<uintptr_t>(address), 0, false};
  dl_iterate_phdr(findRights, &rights);
  return rights;
}

struct ObjectSearch {
  const void* address;
  LoadedObject found;
};

int findObject(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<ObjectSearch*>(data);
  if (!holds(*object, search.address)) return 0;
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char* at = pathOf(*object); *at != '\0'; at++) hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3;
  search.found = {object->dlpi_addr, object->dlpi_phdr, hash};
  return 1;
}

}  // namespace

LoadedObject objectAt(const void* address) {
  ObjectSearch search{address, {}};
  dl_iterate_phdr(findObject, &search);
  return search.found;
}

bool isStillThere(const LoadedObject& then, const void* address) {
  const LoadedObject now = objectAt(address);
  return now.bias == then.bias && now.headers == then.headers && now.pathHash == then.pathHash;
}

ProgramSymbol findSymbol(const live::Action& action) {
  if (action.name[0] == '\0' && action.module[0] == '\0') return {reinterpret_cast<void*>(action.address), 0};
  Search search{action, SymbolName(action.name), {}};
  if (dl_iterate_phdr(visit, &search) == 0) return {};
  return search.found;
}

bool isExecutable(const void* address) {
  const Rights rights = rightsOf(address);
  return rights.isKnown && (rights.flags & PF_X) != 0;
}

// Outside of loaded objects, as on the heap, only what can be read is known.
bool isWritable(const void* address, uint64_t sizeBytes) {
  if (!isReadable(address, sizeBytes)) return false;
  const Rights rights = rightsOf(address);
  return !rights.isKnown || (rights.flags & PF_W) != 0;
}

}  // namespace parallax::tuning
