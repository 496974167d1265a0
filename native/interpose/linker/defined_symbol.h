// The symbols that a loaded object defines. Takes no lock of the dynamic linker, so that the callback of
// dl_iterate_phdr, which holds one, can use it.
#pragma once

#include <link.h>

#include <cstdint>

namespace parallax {

struct SymbolName {
  constexpr explicit SymbolName(const char* name) : text(name) {
    for (const char* at = name; *at != '\0'; at++) {
      const auto letter = static_cast<unsigned char>(*at);
      gnuHash = gnuHash * 33 + letter;
      sysvHash = (sysvHash << 4) + letter;
      sysvHash = (sysvHash ^ (sysvHash >> 24 & 0xf0)) & 0x0fffffff;
    }
  }

  const char* text;
  uint32_t gnuHash = 5381;  // of DT_GNU_HASH
  uint32_t sysvHash = 0;    // of DT_HASH
};

class DefinedSymbols {
 public:
  explicit DefinedSymbols(const dl_phdr_info& object);
  // The address of what dlsym would find in this object alone; null when it finds nothing.
  void* find(const SymbolName& name) const { return find(name, nullptr); }
  // The same; sets `sizeBytes`, which is 0 where the object does not say it.
  void* find(const SymbolName& name, uint64_t* sizeBytes) const;
  // The number of that symbol in the table of the object; 0 when there is none.
  uint32_t indexOf(const SymbolName& name) const;

 private:
  const ElfW(Sym)* symbolOf(const SymbolName& name) const;
  const ElfW(Sym)* inGnuTable(const SymbolName& name) const;
  const ElfW(Sym)* inSysvTable(const SymbolName& name) const;
  bool isDefinition(uint32_t symbol, const char* name) const;

  uintptr_t bias_;
  const uint32_t* gnuTable_ = nullptr;
  const uint32_t* sysvTable_ = nullptr;
  const ElfW(Sym)* symbols_ = nullptr;
  const ElfW(Half)* versions_ = nullptr;
  const char* names_ = nullptr;
};

// Writes into an entry of the object's table of references, which the dynamic linker may have made read-only. False if
// the kernel does not allow it.
bool writeReference(const dl_phdr_info& object, void** place, void* value);

// The dynamic section; null when there is none.
const ElfW(Dyn)* dynamicSection(const dl_phdr_info& object);
// The address that an entry of it holds.
uintptr_t addressIn(const dl_phdr_info& object, const ElfW(Dyn)& entry);
bool holds(const dl_phdr_info& object, const void* address);

}  // namespace parallax
