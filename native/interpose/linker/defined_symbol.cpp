#include "interpose/linker/defined_symbol.h"

#include <sys/mman.h>

#include <cstring>

#include "base/sys.h"

namespace parallax {

const ElfW(Dyn)* dynamicSection(const dl_phdr_info& object) {
  for (size_t i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + header.p_vaddr);
    }
  }
  return nullptr;
}

// The linker has made addresses of them, but not in the kernel's own object.
uintptr_t addressIn(const dl_phdr_info& object, const ElfW(Dyn)& entry) {
  const uintptr_t at = entry.d_un.d_ptr;
  return at < object.dlpi_addr ? at + object.dlpi_addr : at;
}

bool holds(const dl_phdr_info& object, const void* address) {
  for (size_t i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    const uintptr_t start = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD &&
        reinterpret_cast<uintptr_t>(address) - start < header.p_memsz) {
      return true;
    }
  }
  return false;
}

namespace {

constexpr uintptr_t kPage = 4096;

// The dynamic linker makes a part of the data read-only, in whole pages, once it has filled it in.
bool isReadOnly(const dl_phdr_info& object, uintptr_t page) {
  for (size_t i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    const uintptr_t start = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_RELRO && page + kPage > start && page + kPage <= start + header.p_memsz) return true;
  }
  return false;
}

}  // namespace

bool writeReference(const dl_phdr_info& object, void** place, void* value) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(place) & ~(kPage - 1);
  const auto protect = [page](long rights) {
    return sys::call(SYS_mprotect, static_cast<long>(page), kPage, rights) == 0;
  };
  const bool readOnly = isReadOnly(object, page);
  if (readOnly && !protect(PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
  if (readOnly) protect(PROT_READ);
  return true;
}

DefinedSymbols::DefinedSymbols(const dl_phdr_info& object) : bias_(object.dlpi_addr) {
  const ElfW(Dyn)* entry = dynamicSection(object);
  for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
    const uintptr_t at = addressIn(object, *entry);
    if (entry->d_tag == DT_GNU_HASH) gnuTable_ = reinterpret_cast<const uint32_t*>(at);
    if (entry->d_tag == DT_HASH) sysvTable_ = reinterpret_cast<const uint32_t*>(at);
    if (entry->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(at);
    if (entry->d_tag == DT_VERSYM) versions_ = reinterpret_cast<const ElfW(Half)*>(at);
    if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(at);
  }
}

const ElfW(Sym)* DefinedSymbols::symbolOf(const SymbolName& name) const {
  if (symbols_ == nullptr || names_ == nullptr) return nullptr;
  return gnuTable_ != nullptr    ? inGnuTable(name)
         : sysvTable_ != nullptr ? inSysvTable(name)
                                 : nullptr;
}

void* DefinedSymbols::find(const SymbolName& name, uint64_t* sizeBytes) const {
  const ElfW(Sym)* symbol = symbolOf(name);
  if (symbol != nullptr && sizeBytes != nullptr) *sizeBytes = symbol->st_size;
  return symbol != nullptr ? reinterpret_cast<void*>(bias_ + symbol->st_value) : nullptr;
}

uint32_t DefinedSymbols::indexOf(const SymbolName& name) const {
  const ElfW(Sym)* symbol = symbolOf(name);
  return symbol != nullptr ? static_cast<uint32_t>(symbol - symbols_) : 0;
}

// A function or variable with one fixed address, and of several versions the one that programs are
// linked with today.
bool DefinedSymbols::isDefinition(uint32_t symbol, const char* name) const {
  constexpr ElfW(Half) kHiddenVersion = 0x8000;
  const ElfW(Sym)& found = symbols_[symbol];
  const unsigned type = ELF64_ST_TYPE(found.st_info);
  return found.st_shndx != SHN_UNDEF && ELF64_ST_BIND(found.st_info) != STB_LOCAL &&
         (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE) &&
         (versions_ == nullptr || (versions_[symbol] & kHiddenVersion) == 0) &&
         strcmp(names_ + found.st_name, name) == 0;
}

//   +---------+-------+-------------+-------------+--------------+---------+--------------------+
//   | buckets | first | bloom words | bloom shift | bloom (64 b) | buckets | hashes from `first`|
//   +---------+-------+-------------+-------------+--------------+---------+--------------------+
// A bucket names its first symbol; the lowest bit of a hash ends the bucket.
const ElfW(Sym)* DefinedSymbols::inGnuTable(const SymbolName& name) const {
  const uint32_t* table = gnuTable_;
  const uint32_t hash = name.gnuHash;
  const uint32_t bucketCount = table[0], first = table[1], bloomWords = table[2];
  if (bucketCount == 0 || bloomWords == 0) return nullptr;
  const auto* bloom = reinterpret_cast<const uint64_t*>(table + 4);
  const uint64_t word = bloom[hash / 64 % bloomWords];
  if ((word >> hash % 64 & word >> (hash >> table[3]) % 64 & 1) == 0) return nullptr;
  const auto* buckets = reinterpret_cast<const uint32_t*>(bloom + bloomWords);
  const uint32_t* hashes = buckets + bucketCount;
  uint32_t at = buckets[hash % bucketCount];
  if (at < first) return nullptr;
  for (;; at++) {
    const uint32_t found = hashes[at - first];
    if ((found | 1) == (hash | 1) && isDefinition(at, name.text)) return &symbols_[at];
    if ((found & 1) != 0) return nullptr;
  }
}

//   +---------+---------+---------+-------------------+
//   | buckets | symbols | buckets | next, by symbol   |
//   +---------+---------+---------+-------------------+
// A bucket names its first symbol; symbol 0 ends the bucket.
const ElfW(Sym)* DefinedSymbols::inSysvTable(const SymbolName& name) const {
  const uint32_t bucketCount = sysvTable_[0];
  if (bucketCount == 0) return nullptr;
  const uint32_t* buckets = sysvTable_ + 2;
  const uint32_t* next = buckets + bucketCount;
  for (uint32_t at = buckets[name.sysvHash % bucketCount]; at != 0; at = next[at]) {
    if (isDefinition(at, name.text)) return &symbols_[at];
  }
  return nullptr;
}

}  // namespace parallax
