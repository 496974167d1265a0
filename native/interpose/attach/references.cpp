#include "interpose/attach/references.h"

#include <link.h>

#include <atomic>
#include <cstring>
#include <new>

#include "base/memory.h"
#include "base/spin_lock.h"
#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"

namespace parallax {
namespace {

// An entry that leads to the agent.
struct Taken {
  void** place;
  void* before;
  void* ours;
};

// In chunks, of which memory is used as far as they are filled.
struct Chunk {
  static constexpr size_t kMost = 16384;
  Chunk* next;
  size_t count;
  Taken taken[kMost];
};

std::atomic<bool> takesOver{false};
SpinLock changes;  // of all below
Chunk* chunks = nullptr;

// Of each symbol that the agent exports, by its number: what the program uses without the agent, or null.
void** originals = nullptr;
size_t symbolCount = 0;

struct OwnObject {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  uintptr_t bias = 0;
  size_t count = 0;
};
OwnObject own;

bool isOwn(const dl_phdr_info& object) { return holds(object, reinterpret_cast<const void*>(&isOwn)); }

const char* fileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool beginsWith(const char* text, const char* beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

// What the C library is made of calls itself without the agent.
bool isOfLibc(const dl_phdr_info& object) {
  const char* name = fileName(object.dlpi_name != nullptr ? object.dlpi_name : "");
  for (const char* part : {"libc.so", "libc-2", "ld-linux", "ld-2", "libpthread", "libdl.so", "libdl-2", "librt.so", "librt-2",
                           "linux-vdso"}) {
    if (beginsWith(name, part)) return true;
  }
  return false;
}

// The number of symbols is not told: those of the agent end where their names begin.
int findOwn(dl_phdr_info* object, size_t, void*) {
  if (!isOwn(*object)) return 0;
  own.bias = object->dlpi_addr;
  const ElfW(Dyn)* entry = dynamicSection(*object);
  for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
    const uintptr_t at = addressIn(*object, *entry);
    if (entry->d_tag == DT_SYMTAB) own.symbols = reinterpret_cast<const ElfW(Sym)*>(at);
    if (entry->d_tag == DT_STRTAB) own.names = reinterpret_cast<const char*>(at);
  }
  const auto* end = reinterpret_cast<const ElfW(Sym)*>(own.names);
  own.count = end > own.symbols ? static_cast<size_t>(end - own.symbols) : 0;
  return 1;
}

bool isExported(const ElfW(Sym)& symbol) {
  return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
}

// In the order in which the program is searched. Libraries that are there for a part of it alone come last.
int findOriginalsIn(dl_phdr_info* object, size_t, void*) {
  if (isOwn(*object)) return 0;
  const DefinedSymbols symbols(*object);
  for (size_t i = 0; i < symbolCount; i++) {
    if (originals[i] != nullptr || !isExported(own.symbols[i])) continue;
    originals[i] = symbols.find(SymbolName(own.names + own.symbols[i].st_name));
  }
  return 0;
}

// Again for those that no module had so far.
bool findOriginals() {
  if (originals == nullptr) {
    dl_iterate_phdr(findOwn, nullptr);
    symbolCount = own.count;
    originals = static_cast<void**>(allocatePages(symbolCount * sizeof(void*)));
  }
  if (originals == nullptr) return false;
  dl_iterate_phdr(findOriginalsIn, nullptr);
  return true;
}

// False without memory.
bool keep(const Taken& taken) {
  if (chunks == nullptr || chunks->count == Chunk::kMost) {
    auto* fresh = static_cast<Chunk*>(allocatePages(sizeof(Chunk)));
    if (fresh == nullptr) return false;
    fresh->next = chunks;
    chunks = fresh;
  }
  chunks->taken[chunks->count++] = taken;
  return true;
}

class Relocations {
 public:
  explicit Relocations(const dl_phdr_info& object) : object_(object) {
    const ElfW(Dyn)* entry = dynamicSection(object);
    for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
      const uintptr_t at = addressIn(object, *entry);
      if (entry->d_tag == DT_RELA) data_ = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_RELASZ) dataCount_ = entry->d_un.d_val / sizeof(ElfW(Rela));
      if (entry->d_tag == DT_RELACOUNT) relative_ = entry->d_un.d_val;
      if (entry->d_tag == DT_JMPREL) calls_ = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_PLTRELSZ) callCount_ = entry->d_un.d_val / sizeof(ElfW(Rela));
      if (entry->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(at);
      if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(at);
    }
  }

  void takeOver(const DefinedSymbols& agent) const {
    if (symbols_ == nullptr || names_ == nullptr) return;
    for (size_t i = 0; calls_ != nullptr && i < callCount_; i++) takeOver(agent, calls_[i]);
    for (size_t i = relative_; data_ != nullptr && i < dataCount_; i++) takeOver(agent, data_[i]);
  }

 private:
  void takeOver(const DefinedSymbols& agent, const ElfW(Rela)& relocation) const {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(relocation.r_info)];
    // A table of functions, such as one that is initialised with `read`.
    const bool isTable = type == R_X86_64_64 && relocation.r_addend == 0 && symbol.st_shndx == SHN_UNDEF;
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && !isTable) return;
    const uint32_t index = agent.indexOf(SymbolName(names_ + symbol.st_name));
    if (index == 0 || index >= symbolCount || !isExported(own.symbols[index])) return;
    auto** place = reinterpret_cast<void**>(object_.dlpi_addr + relocation.r_offset);
    void* ours = reinterpret_cast<void*>(own.bias + own.symbols[index].st_value);
    void* before = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (before == ours || !leadsToOriginal(before, type, symbol, index)) return;
    if (keep({place, before, ours}) && !writeReference(object_, place, ours)) chunks->count--;
  }

  // An entry of a call that was never made leads into the module itself, which then asks the dynamic linker. A word of
  // the agent's own interface is null where there was no agent.
  bool leadsToOriginal(const void* before, unsigned type, const ElfW(Sym)& symbol, uint32_t index) const {
    if (originals[index] != nullptr && before == originals[index]) return true;
    if (before == nullptr) {
      return ELF64_ST_BIND(symbol.st_info) == STB_WEAK && beginsWith(names_ + symbol.st_name, "parallax_agent_");
    }
    return type == R_X86_64_JUMP_SLOT && symbol.st_shndx == SHN_UNDEF && originals[index] != nullptr &&
           holds(object_, before);
  }

  const dl_phdr_info& object_;
  const ElfW(Rela)* data_ = nullptr;
  const ElfW(Rela)* calls_ = nullptr;
  size_t dataCount_ = 0, callCount_ = 0, relative_ = 0;
  const ElfW(Sym)* symbols_ = nullptr;
  const char* names_ = nullptr;
};

const DefinedSymbols* agentSymbols = nullptr;

int describeOwn(dl_phdr_info* object, size_t, void*) {
  if (!isOwn(*object)) return 0;
  alignas(DefinedSymbols) static unsigned char memory[sizeof(DefinedSymbols)];
  agentSymbols = new (memory) DefinedSymbols(*object);
  return 1;
}

int takeOverIn(dl_phdr_info* object, size_t, void*) {
  if (!isOwn(*object) && !isOfLibc(*object)) Relocations(*object).takeOver(*agentSymbols);
  return 0;
}

int giveBackIn(dl_phdr_info* object, size_t, void*) {
  // From the newest: an older entry at the same place was of a module that has been closed.
  for (Chunk* chunk = chunks; chunk != nullptr; chunk = chunk->next) {
    for (size_t i = chunk->count; i-- > 0;) {
      const Taken& taken = chunk->taken[i];
      if (!holds(*object, taken.place) || __atomic_load_n(taken.place, __ATOMIC_RELAXED) != taken.ours) continue;
      writeReference(*object, taken.place, taken.before);
    }
  }
  return 0;
}

}  // namespace

void beginReferences() {
  dl_iterate_phdr(describeOwn, nullptr);
  takesOver.store(true, std::memory_order_release);
  takeOverReferences();
}

void takeOverReferences() {
  if (!takesOver.load(std::memory_order_acquire) || agentSymbols == nullptr || !changes.lock()) return;
  if (findOriginals()) dl_iterate_phdr(takeOverIn, nullptr);
  changes.unlock();
}

bool giveBackReferences() {
  if (!changes.lock()) return false;
  takesOver.store(false, std::memory_order_release);
  dl_iterate_phdr(giveBackIn, nullptr);
  while (chunks != nullptr) {
    Chunk* next = chunks->next;
    releasePages(chunks, sizeof(Chunk));
    chunks = next;
  }
  changes.unlock();
  return true;
}

}  // namespace parallax
