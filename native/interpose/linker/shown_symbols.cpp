// dlsym, and weak references to what only the agent defines.
//
// dlsym looks at its return address: RTLD_NEXT and RTLD_DEFAULT depend on it. It is a jump to libc's
// own, with the caller's return address on top of the stack, except where it answers itself:
//  - a routine that nothing but the agent defines is not there;
//  - a routine of the library that the agent's wrapper would call is the wrapper.
// Called before libc's own is known, it is looked up at once. Recursive calls are like others.
#include "interpose/linker/shown_symbols.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/sys.h"
#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"
#include "interpose/linker/library_symbol.h"

namespace parallax {
namespace {

// The beginnings of the routines of libraries that a process may be without; and where there can be
// one library only, a part of its path.
struct Family {
  const char* beginning;
  const char* pathPart;
};
constexpr Family kFamilies[] = {
    {"MPI_", "mpi"}, {"PMPI_", "mpi"},   {"mpi_", "mpi"},  {"pmpi_", "mpi"},
    {"pvm_", "pvm"}, {"GOMP_", nullptr}, {"omp_", nullptr}, {"__kmpc_", nullptr},
    {"io_uring_", "liburing"}, {"__io_uring_", "liburing"},
};

PARALLAX_EARLY const Family* familyOf(const char* name) {
  for (const Family& family : kFamilies) {
    size_t same = 0;
    while (family.beginning[same] != '\0' && name[same] == family.beginning[same]) same++;
    if (family.beginning[same] == '\0') return &family;
  }
  return nullptr;
}

// ---- dlsym

struct Own {
  SymbolName name;
  void* found;
};

int findInAgent(dl_phdr_info* object, size_t, void* data) {
  auto* own = static_cast<Own*>(data);
  if (!holds(*object, reinterpret_cast<const void*>(&findInAgent))) return 0;
  own->found = DefinedSymbols(*object).find(own->name);
  return 1;
}

void* ownSymbol(const char* name) {
  Own own{SymbolName(name), nullptr};
  dl_iterate_phdr(findInAgent, &own);
  return own.found;
}

void* libcHandle() {
  static std::atomic<void*> known{nullptr};
  void* handle = known.load(std::memory_order_relaxed);
  if (handle != nullptr) return handle;
  auto* open = reinterpret_cast<void* (*)(const char*, int)>(nextSymbol("dlopen"));
  if (open != nullptr) handle = open("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  known.store(handle, std::memory_order_relaxed);
  return handle;
}

// A second MPI library in a process would get what belongs to the first.
void noteOtherLibrary(const Family& family, void* found) {
  Dl_info module;
  if (family.pathPart == nullptr || dladdr(found, &module) == 0) return;
  if (strstr(module.dli_fname, family.pathPart) == nullptr) return;
  note("The program takes routines of MPI or PVM from a second library with dlsym: their calls are "
      "not recorded.");
}

}  // namespace

// Either a function to jump to and its first argument, or null and the answer.
struct DlsymTarget {
  Dlsym* jump;
  void* value;
};

namespace {

DlsymTarget targetOf(const Family& family, void* handle, const char* name) {
  Dlsym* const real = realDlsym();
  void* const own = ownSymbol(name);
  if (own == nullptr) return {real, handle};
  void* const found = symbolOf(handle, name);
  if (found == own) {
    if (definedElsewhere(name) != nullptr) return {nullptr, own};
    // libc does not have it either, and leaves the message that the program expects.
    return {real, libcHandle()};
  }
  if (found != nullptr && family.pathPart != nullptr) {
    if (librarySymbol(name, family.pathPart) == found) return {nullptr, own};
    noteOtherLibrary(family, found);
  }
  return {real, handle};
}

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) PARALLAX_EARLY DlsymTarget
parallaxDlsymTarget(void* handle, const char* name) {
  const Family* family = name != nullptr ? familyOf(name) : nullptr;
  if (family == nullptr || handle == RTLD_NEXT) return {realDlsym(), handle};
  return targetOf(*family, handle, name);
}

// ---- weak references

namespace {

class References {
 public:
  explicit References(const dl_phdr_info& object) : object_(object) {
    const ElfW(Dyn)* entry = dynamicSection(object);
    for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
      const uintptr_t at = addressIn(object, *entry);
      if (entry->d_tag == DT_RELA) first_ = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_RELASZ) count_ = entry->d_un.d_val / sizeof(ElfW(Rela));
      if (entry->d_tag == DT_RELACOUNT) relative_ = entry->d_un.d_val;
      if (entry->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(at);
      if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(at);
    }
  }

  void clearUnmet() const {
    if (first_ == nullptr || symbols_ == nullptr || names_ == nullptr) return;
    for (size_t i = relative_; i < count_; i++) {
      const auto type = ELF64_R_TYPE(first_[i].r_info);
      if (type != R_X86_64_GLOB_DAT && type != R_X86_64_64) continue;
      const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(first_[i].r_info)];
      if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_WEAK) continue;
      const char* name = names_ + symbol.st_name;
      if (familyOf(name) == nullptr) continue;
      auto* place = reinterpret_cast<void**>(object_.dlpi_addr + first_[i].r_offset);
      if (*place != nullptr && *place == ownSymbol(name) && definedElsewhere(name) == nullptr) {
        clear(place);
      }
    }
  }

 private:
  void clear(void** place) const { writeReference(object_, place, nullptr); }

  const dl_phdr_info& object_;
  const ElfW(Rela)* first_ = nullptr;
  size_t count_ = 0, relative_ = 0;
  const ElfW(Sym)* symbols_ = nullptr;
  const char* names_ = nullptr;
};

// Modules are appended to the list; their number so far.
unsigned long long loadsSeen = 0;  // changed in the callback alone, which one thread is in at a time

struct Scan {
  size_t index = 0, firstNew = 0;
};

int scan(dl_phdr_info* object, size_t, void* data) {
  auto* state = static_cast<Scan*>(data);
  if (state->index == 0) {
    const unsigned long long loaded = object->dlpi_adds - object->dlpi_subs;
    const unsigned long long fresh = object->dlpi_adds - loadsSeen;
    state->firstNew = fresh < loaded ? static_cast<size_t>(loaded - fresh) : 0;
    loadsSeen = object->dlpi_adds;
  }
  if (state->index++ < state->firstNew) return 0;
  if (!holds(*object, reinterpret_cast<const void*>(&scan))) References(*object).clearUnmet();
  return 0;
}

}  // namespace

void clearUnmetReferences() {
  Scan state;
  dl_iterate_phdr(scan, &state);
}

}  // namespace parallax

// dlsym(rdi: handle, rsi: name): a jump, so that the real one sees its caller's return address.
asm(R"(
  .pushsection .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  .cfi_startproc
  endbr64
  push %rsi
  .cfi_adjust_cfa_offset 8
  call parallaxDlsymTarget
  pop %rsi
  .cfi_adjust_cfa_offset -8
  test %rax, %rax
  je 1f
  mov %rdx, %rdi
  jmp *%rax
1:
  mov %rdx, %rax
  ret
  .cfi_endproc
  .size dlsym, .-dlsym
  .popsection
)");
