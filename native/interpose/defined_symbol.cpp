#include "interpose/defined_symbol.h"

#include <cstring>

namespace parallax {

DefinedSymbols::DefinedSymbols(const dl_phdr_info& object) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (size_t i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + header.p_vaddr);
    }
  }
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; dynamic++) {
    // The linker has made addresses of them, but not in the kernel's own object.
    uintptr_t at = dynamic->d_un.d_ptr;
    if (at < object.dlpi_addr) at += object.dlpi_addr;
    if (dynamic->d_tag == DT_GNU_HASH) table_ = reinterpret_cast<const uint32_t*>(at);
    if (dynamic->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(at);
    if (dynamic->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(at);
  }
}

//   +---------+-------+-------------+-------------+--------------+---------+--------------------+
//   | buckets | first | bloom words | bloom shift | bloom (64 b) | buckets | hashes from `first`|
//   +---------+-------+-------------+-------------+--------------+---------+--------------------+
// A bucket names its first symbol; the lowest bit of a hash ends the bucket.
bool DefinedSymbols::contains(const char* name, uint32_t hash) const {
  const uint32_t bucketCount = table_[0], first = table_[1], bloomWords = table_[2];
  if (bucketCount == 0 || bloomWords == 0) return false;
  const auto* bloom = reinterpret_cast<const uint64_t*>(table_ + 4);
  const uint64_t word = bloom[hash / 64 % bloomWords];
  if ((word >> hash % 64 & word >> (hash >> table_[3]) % 64 & 1) == 0) return false;
  const auto* buckets = reinterpret_cast<const uint32_t*>(bloom + bloomWords);
  const uint32_t* hashes = buckets + bucketCount;
  uint32_t at = buckets[hash % bucketCount];
  if (at < first) return false;
  for (;; at++) {
    const uint32_t found = hashes[at - first];
    if ((found | 1) == (hash | 1) && strcmp(names_ + symbols_[at].st_name, name) == 0) return true;
    if ((found & 1) != 0) return false;
  }
}

}  // namespace parallax
