#include "tools/tune/program_symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parallax::tuning {
namespace {

// A file that is mapped as long as this is there.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      bytes_ = static_cast<size_t>(status.st_size);
      void* at = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
      at_ = at == MAP_FAILED ? nullptr : static_cast<const char*>(at);
    }
    if (fd >= 0) close(fd);
  }
  ~MappedFile() {
    if (at_ != nullptr) munmap(const_cast<char*>(at_), bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null if so many are not there.
  template <class Record>
  const Record* at(uint64_t offset, uint64_t count = 1) const {
    if (at_ == nullptr || offset > bytes_ || count > (bytes_ - offset) / sizeof(Record)) return nullptr;
    return reinterpret_cast<const Record*>(at_ + offset);
  }

 private:
  const char* at_ = nullptr;
  size_t bytes_ = 0;
};

bool hasName(const char* names, uint64_t bytes, uint32_t at, const std::string& name) {
  return at < bytes && name.size() < bytes - at && memcmp(names + at, name.c_str(), name.size() + 1) == 0;
}

ProgramSymbol findIn(uint32_t table, const std::string& path, const std::string& name) {
  ProgramSymbol found;
  const MappedFile file(path);
  const auto* header = file.at<Elf64_Ehdr>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return found;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  for (uint32_t i = 0; sections != nullptr && i < header->e_shnum; i++) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_type != table || section.sh_link >= header->e_shnum) continue;
    const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = file.at<Elf64_Sym>(section.sh_offset, count);
    const Elf64_Shdr& texts = sections[section.sh_link];
    const auto* names = file.at<char>(texts.sh_offset, texts.sh_size);
    for (uint64_t each = 0; symbols != nullptr && names != nullptr && each < count; each++) {
      const Elf64_Sym& symbol = symbols[each];
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if ((type != STT_FUNC && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF) continue;
      if (!hasName(names, texts.sh_size, symbol.st_name, name)) continue;
      found.isAmbiguous = found.address != 0 && found.address != symbol.st_value;
      if (found.isAmbiguous) return found;
      found.address = symbol.st_value;
      found.bytes = symbol.st_size;
      found.isVariable = type == STT_OBJECT;
    }
  }
  return found;
}

}  // namespace

ProgramSymbol findProgramSymbol(const std::string& path, const std::string& name) { return findIn(SHT_SYMTAB, path, name); }

ProgramSymbol findSymbol(const std::string& path, const std::string& name) {
  const ProgramSymbol found = findProgramSymbol(path, name);
  return found.address != 0 ? found : findIn(SHT_DYNSYM, path, name);
}

}  // namespace parallax::tuning
