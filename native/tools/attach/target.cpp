#include "tools/attach/target.h"

#include <dirent.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace parallax::attach {
namespace {

constexpr uint64_t kPage = 4096;

// The tables of a module in which symbols are found.
struct Tables {
  uint64_t bias = 0, gnuHash = 0, symbols = 0, names = 0, versions = 0;
};

bool readTables(const Target& target, uint64_t base, Tables* tables) {
  ElfW(Ehdr) header;
  if (!target.read(base, &header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum > 128) {
    return false;
  }
  std::vector<ElfW(Phdr)> parts(header.e_phnum);
  if (!target.read(base + header.e_phoff, parts.data(), parts.size() * sizeof parts[0])) return false;
  const ElfW(Phdr)* dynamic = nullptr;
  bool hasLoad = false;
  for (const ElfW(Phdr)& part : parts) {
    if (part.p_type == PT_LOAD && !hasLoad) {
      tables->bias = base - (part.p_vaddr & ~(kPage - 1));
      hasLoad = true;
    }
    if (part.p_type == PT_DYNAMIC) dynamic = &part;
  }
  if (!hasLoad || dynamic == nullptr || dynamic->p_memsz > (1 << 20)) return false;
  std::vector<ElfW(Dyn)> entries(dynamic->p_memsz / sizeof(ElfW(Dyn)));
  if (!target.read(tables->bias + dynamic->p_vaddr, entries.data(), entries.size() * sizeof entries[0])) return false;
  for (const ElfW(Dyn)& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    const uint64_t pointer = entry.d_un.d_ptr;
    const uint64_t at = pointer < tables->bias ? pointer + tables->bias : pointer;
    if (entry.d_tag == DT_GNU_HASH) tables->gnuHash = at;
    if (entry.d_tag == DT_SYMTAB) tables->symbols = at;
    if (entry.d_tag == DT_STRTAB) tables->names = at;
    if (entry.d_tag == DT_VERSYM) tables->versions = at;
  }
  return tables->gnuHash != 0 && tables->symbols != 0 && tables->names != 0;
}

uint32_t gnuHashOf(const std::string& name) {
  uint32_t hash = 5381;
  for (const char letter : name) hash = hash * 33 + static_cast<unsigned char>(letter);
  return hash;
}

// A definition, of a function or a variable, that programs are linked with today.
bool isDefinition(const Target& target, const Tables& tables, uint32_t index, const std::string& name, ElfW(Sym)* symbol) {
  constexpr ElfW(Half) kHiddenVersion = 0x8000;
  if (!target.read(tables.symbols + index * sizeof *symbol, symbol)) return false;
  const unsigned type = ELF64_ST_TYPE(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) return false;
  ElfW(Half) version = 0;
  if (tables.versions != 0 && !target.read(tables.versions + index * sizeof version, &version)) return false;
  std::string found(name.size() + 1, '\0');
  return (version & kHiddenVersion) == 0 && target.read(tables.names + symbol->st_name, found.data(), found.size()) &&
         found == name + '\0';
}

}  // namespace

bool Module::isLoader() const {
  const std::string file = name();
  return file.compare(0, 8, "ld-linux") == 0 || file.compare(0, 5, "ld-2.") == 0 || file.compare(0, 5, "ld.so") == 0;
}

bool Module::isLibc() const {
  const std::string file = name();
  return file.compare(0, 5, "libc.") == 0 || file.compare(0, 5, "libc-") == 0;
}

// The layout of the table: interpose/linker/defined_symbol.cpp.
Symbol Module::find(const Target& target, const std::string& name) const {
  Tables tables;
  if (!readTables(target, base, &tables)) return {};
  uint32_t head[4];
  if (!target.read(tables.gnuHash, head, sizeof head) || head[0] == 0) return {};
  const uint32_t hash = gnuHashOf(name);
  const uint64_t buckets = tables.gnuHash + sizeof head + head[2] * sizeof(uint64_t);
  const uint64_t hashes = buckets + head[0] * sizeof(uint32_t);
  uint32_t index = 0, known = 0;
  if (!target.read(buckets + hash % head[0] * sizeof index, &index) || index < head[1]) return {};
  for (;; index++) {
    if (!target.read(hashes + (index - head[1]) * sizeof known, &known)) return {};
    ElfW(Sym) symbol;
    if ((known | 1) == (hash | 1) && isDefinition(target, tables, index, name, &symbol)) {
      return {tables.bias + symbol.st_value, symbol.st_size};
    }
    if ((known & 1) != 0) return {};
  }
}

std::vector<Symbol> Module::functions(const Target& target) const {
  Tables tables;
  uint32_t head[4];
  if (!readTables(target, base, &tables) || !target.read(tables.gnuHash, head, sizeof head)) return {};
  std::vector<uint32_t> buckets(head[0]);
  const uint64_t bucketsAt = tables.gnuHash + sizeof head + head[2] * sizeof(uint64_t);
  const uint64_t hashes = bucketsAt + head[0] * sizeof(uint32_t);
  if (!target.read(bucketsAt, buckets.data(), head[0] * sizeof(uint32_t))) return {};
  // The last chain ends the table.
  uint32_t last = 0;
  for (const uint32_t first : buckets) last = std::max(last, first);
  if (last < head[1]) return {};
  for (uint32_t known = 0; target.read(hashes + (last - head[1]) * sizeof known, &known) && (known & 1) == 0;) last++;
  std::vector<ElfW(Sym)> symbols(last + 1 - head[1]);
  if (!target.read(tables.symbols + head[1] * sizeof(ElfW(Sym)), symbols.data(), symbols.size() * sizeof symbols[0])) return {};
  std::vector<Symbol> found;
  for (const ElfW(Sym)& symbol : symbols) {
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC)) continue;
    found.push_back({tables.bias + symbol.st_value, symbol.st_size});
  }
  return found;
}

bool Target::read(uint64_t address, void* into, size_t bytes) const {
  const iovec local{into, bytes}, remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

bool Target::write(uint64_t address, const void* from, size_t bytes) const {
  const iovec local{const_cast<void*>(from), bytes}, remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_writev(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

bool Target::readMappings() {
  mappings_.clear();
  modules_.clear();
  std::ifstream maps("/proc/" + std::to_string(pid_) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long low = 0, high = 0, offset = 0;
    char rights[8] = "";
    int rest = 0;
    if (sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %*s %n", &low, &high, rights, &offset, &rest) < 4) continue;
    mappings_.push_back({low, high});
    if (rest == 0 || line[static_cast<size_t>(rest)] != '/') continue;
    const std::string path = line.substr(static_cast<size_t>(rest));
    if (modules_.empty() || modules_.back().path != path || offset == 0) {
      if (offset != 0) continue;
      if (modules_.empty() || modules_.back().path != path) modules_.push_back({path, low, {}});
    }
    if (rights[2] == 'x') modules_.back().code.push_back({low, high});
  }
  return !mappings_.empty();
}

const Module* Target::moduleOf(const std::string& beginning) const {
  for (const Module& module : modules_) {
    if (module.name().compare(0, beginning.size(), beginning) == 0) return &module;
  }
  return nullptr;
}

const Module* Target::allocator() const {
  const Module* ofLibc = nullptr;
  for (const Module& module : modules_) {
    if (module.code.empty() || module.isLoader() || module.find(*this, "malloc").address == 0) continue;
    if (!module.isLibc()) return &module;
    ofLibc = &module;
  }
  return ofLibc;
}

Range Target::mappingOf(uint64_t address) const {
  for (const Range& mapping : mappings_) {
    if (mapping.contains(address)) return mapping;
  }
  return {};
}

std::vector<pid_t> Target::threads() const {
  std::vector<pid_t> found;
  DIR* entries = opendir(("/proc/" + std::to_string(pid_) + "/task").c_str());
  if (entries == nullptr) return found;
  while (const dirent* entry = readdir(entries)) {
    if (entry->d_name[0] != '.') found.push_back(atoi(entry->d_name));
  }
  closedir(entries);
  return found;
}

}  // namespace parallax::attach
