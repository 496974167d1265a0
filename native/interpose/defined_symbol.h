// Whether a loaded object defines a symbol, without the dynamic linker's lock: for the callback of
// dl_iterate_phdr.
#pragma once

#include <link.h>

#include <cstdint>

namespace parallax {

// The hash function of DT_GNU_HASH.
constexpr uint32_t gnuHash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; name++) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// The symbols that an object defines for others.
class DefinedSymbols {
 public:
  explicit DefinedSymbols(const dl_phdr_info& object);
  // Objects that were linked with --hash-style=sysv alone have none.
  bool hasTable() const { return table_ != nullptr && symbols_ != nullptr && names_ != nullptr; }
  bool contains(const char* name, uint32_t hash) const;

 private:
  const uint32_t* table_ = nullptr;
  const ElfW(Sym)* symbols_ = nullptr;
  const char* names_ = nullptr;
};

}  // namespace parallax
