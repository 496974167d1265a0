#include "tools/points/points_image.h"

#include <string.h>

#include <algorithm>

#include "tools/points/points_decode.h"

namespace parallax::points {
namespace {

// Older headers do not have these.
constexpr GElf_Word kRelative = 19;              // SHT_RELR
constexpr GElf_Xword kFlagProgram = 0x08000000;  // DF_1_PIE

template <class T>
T read(const uint8_t* bytes) {
  T value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::unique_ptr<Image> Image::open(const std::string& path, std::string* reason,
                                   const std::string& buildId) {
  std::unique_ptr<Image> image(new Image);
  image->path_ = path;
  image->files_ = symbols::findModuleFiles(path, buildId, {"/usr/lib/debug"});
  if (image->files_.program == nullptr) {
    *reason = image->files_.reason;
    return nullptr;
  }
  GElf_Ehdr header;
  if (gelf_getehdr(image->file().elf(), &header) == nullptr || header.e_machine != EM_X86_64 ||
      (header.e_type != ET_EXEC && header.e_type != ET_DYN)) {
    *reason = "the file is not a program or library for x86_64";
    return nullptr;
  }
  image->isFixed_ = header.e_type == ET_EXEC;
  image->readSections();
  if (image->files_.debug != nullptr) image->readSymbols(*image->files_.debug, SHT_SYMTAB);
  image->readSymbols(image->file(), SHT_SYMTAB);
  image->hasSymbolTable_ = !image->symbols_.empty();
  image->readSymbols(image->file(), SHT_DYNSYM);
  std::stable_sort(image->symbols_.begin(), image->symbols_.end(),
                   [](const Symbol& a, const Symbol& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.name < b.name;
                   });
  image->symbols_.erase(std::unique(image->symbols_.begin(), image->symbols_.end(),
                                    [](const Symbol& a, const Symbol& b) {
                                      return a.begin == b.begin && a.name == b.name;
                                    }),
                        image->symbols_.end());
  image->frames_ = readFrames(image->file());
  image->readRelocations();
  image->readStubs();
  image->scanData();
  return image;
}

bool Image::isStaticProgram() const {
  size_t count = 0;
  elf_getphdrnum(file().elf(), &count);
  GElf_Phdr segment;
  for (size_t i = 0; i < count; i++) {
    if (gelf_getphdr(file().elf(), static_cast<int>(i), &segment) != nullptr &&
        segment.p_type == PT_INTERP) {
      return false;
    }
  }
  if (isFixed_) return true;
  // Else a library, if it is not marked as a program.
  GElf_Shdr header;
  Elf_Scn* section = file().section(".dynamic", &header);
  Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
  GElf_Dyn entry;
  for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; i++) {
    if (entry.d_tag == DT_FLAGS_1) return (entry.d_un.d_val & kFlagProgram) != 0;
  }
  return false;
}

Dwarf* Image::dwarf() const {
  if (files_.program->hasDebugInformation()) return files_.program->dwarf();
  return files_.debug != nullptr ? files_.debug->dwarf() : nullptr;
}

void Image::readSections() {
  size_t names = 0;
  elf_getshdrstrndx(file().elf(), &names);
  GElf_Shdr header;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(file().elf(), scn)) != nullptr;) {
    if (gelf_getshdr(scn, &header) == nullptr || (header.sh_flags & SHF_ALLOC) == 0) continue;
    // Zeroed thread-local data has no place of its own.
    if (header.sh_size == 0 ||
        ((header.sh_flags & SHF_TLS) != 0 && header.sh_type == SHT_NOBITS)) {
      continue;
    }
    Section section = {header.sh_addr, header.sh_addr + header.sh_size, nullptr,
                       (header.sh_flags & SHF_EXECINSTR) != 0, (header.sh_flags & SHF_WRITE) != 0,
                       false};
    if (header.sh_type != SHT_NOBITS) {
      Elf_Data* data = elf_rawdata(scn, nullptr);
      if (data == nullptr || data->d_buf == nullptr || data->d_size < header.sh_size) continue;
      section.bytes = static_cast<const uint8_t*>(data->d_buf);
    }
    const char* name = elf_strptr(file().elf(), names, header.sh_name);
    section.isStubs = section.isCode && name != nullptr && strncmp(name, ".plt", 4) == 0;
    if (section.isCode && section.bytes == nullptr) continue;
    sections_.push_back(section);
  }
  std::sort(sections_.begin(), sections_.end(),
            [](const Section& a, const Section& b) { return a.begin < b.begin; });
}

const Section* Image::sectionAt(uint64_t address) const {
  auto next = std::upper_bound(sections_.begin(), sections_.end(), address,
                               [](uint64_t a, const Section& s) { return a < s.begin; });
  if (next == sections_.begin()) return nullptr;
  --next;
  return address < next->end ? &*next : nullptr;
}

bool Image::isCode(uint64_t address) const {
  const Section* section = sectionAt(address);
  return section != nullptr && section->isCode;
}

const uint8_t* Image::bytes(uint64_t address, uint64_t size) const {
  const Section* section = sectionAt(address);
  if (section == nullptr || section->bytes == nullptr || size > section->end - address) {
    return nullptr;
  }
  return section->bytes + (address - section->begin);
}

void Image::readSymbols(const symbols::ElfFile& from, uint32_t type) {
  GElf_Shdr header;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(from.elf(), scn)) != nullptr;) {
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != type) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const size_t count = data->d_size / header.sh_entsize;
    std::string sourceFile;
    for (size_t i = 0; i < count; i++) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* name = elf_strptr(from.elf(), header.sh_link, symbol.st_name);
      if (name == nullptr) continue;
      const unsigned kind = GELF_ST_TYPE(symbol.st_info);
      if (kind == STT_FILE) sourceFile = name;
      if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF ||
          name[0] == 0 || !isCode(symbol.st_value)) {
        continue;
      }
      const bool isLocal = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
      symbols_.push_back({symbol.st_value, symbol.st_value + symbol.st_size,
                          std::string(name, strcspn(name, "@")), isLocal ? sourceFile : "",
                          isLocal, kind == STT_GNU_IFUNC});
    }
  }
}

const std::string& Image::importAt(uint64_t address) const {
  static const std::string kNone;
  const auto found = imports_.find(address);
  return found == imports_.end() ? kNone : found->second;
}

void Image::readRelocations() {
  GElf_Shdr header, symbolsHeader;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(file().elf(), scn)) != nullptr;) {
    if (gelf_getshdr(scn, &header) == nullptr || (header.sh_flags & SHF_ALLOC) == 0) continue;
    if (header.sh_type == kRelative) {
      if (Elf_Data* data = elf_rawdata(scn, nullptr)) readRelative(data);
      continue;
    }
    if (header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
    Elf_Data* entries = elf_getdata(scn, nullptr);
    Elf_Scn* symbolSection = elf_getscn(file().elf(), header.sh_link);
    Elf_Data* symbolData = nullptr;
    if (header.sh_link != 0 && symbolSection != nullptr &&
        gelf_getshdr(symbolSection, &symbolsHeader) != nullptr) {
      symbolData = elf_getdata(symbolSection, nullptr);
    }
    const size_t count = entries == nullptr ? 0 : entries->d_size / header.sh_entsize;
    for (size_t i = 0; i < count; i++) {
      GElf_Rela relocation;
      GElf_Sym symbol = {};
      if (gelf_getrela(entries, static_cast<int>(i), &relocation) == nullptr) break;
      const auto number = static_cast<int>(GELF_R_SYM(relocation.r_info));
      const bool hasSymbol = number != 0 && symbolData != nullptr &&
                             gelf_getsym(symbolData, number, &symbol) != nullptr;
      const uint64_t value = static_cast<uint64_t>(relocation.r_addend) + symbol.st_value;
      if (isCode(value)) codePointers_.push_back(value);
      if (!hasSymbol || relocation.r_addend != 0) continue;
      const char* name = elf_strptr(file().elf(), symbolsHeader.sh_link, symbol.st_name);
      if (name != nullptr && name[0] != 0) {
        imports_[relocation.r_offset] = std::string(name, strcspn(name, "@"));
      }
    }
  }
}

// SHT_RELR: an address, then bit masks for the words that follow it.
void Image::readRelative(Elf_Data* data) {
  const auto* words = static_cast<const uint8_t*>(data->d_buf);
  uint64_t next = 0;
  const auto add = [&](uint64_t place) {
    const uint8_t* at = bytes(place, 8);
    if (at != nullptr && isCode(read<uint64_t>(at))) codePointers_.push_back(read<uint64_t>(at));
  };
  for (size_t i = 0; i + 8 <= data->d_size; i += 8) {
    const auto word = read<uint64_t>(words + i);
    if ((word & 1) == 0) {
      add(word);
      next = word + 8;
      continue;
    }
    for (unsigned bit = 1; bit < 64; bit++) {
      if ((word >> bit & 1) != 0) add(next + 8 * (bit - 1));
    }
    next += 8 * 63;
  }
}

// A stub is what jumps through a slot of the global offset table that a relocation names.
void Image::readStubs() {
  Decoder decoder;
  for (const Section& section : sections_) {
    if (!section.isStubs) continue;
    uint64_t start = section.begin;  // of the stub: the first instruction behind the last jump
    for (uint64_t at = section.begin; at < section.end;) {
      const Instruction i = decoder.decode(at, section.bytes + (at - section.begin),
                                           section.end - at);
      if (i.kind == Kind::kNothing) break;
      at = i.end();
      if (i.kind == Kind::kPadding && start == i.address && !i.isEntryMark) start = at;
      if (i.kind != Kind::kIndirectJump && i.kind != Kind::kJump) continue;
      const std::string& name = i.kind == Kind::kJump ? importAt(0) : importAt(i.memory);
      if (!name.empty()) imports_.emplace(start, name);
      start = at;
    }
  }
}

// Where addresses are fixed no relocation tells them from numbers.
void Image::scanData() {
  if (!isFixed_) return;
  for (const Section& section : sections_) {
    if (section.isCode || section.bytes == nullptr) continue;
    for (uint64_t at = (section.begin + 7) & ~uint64_t{7}; at + 8 <= section.end; at += 8) {
      const auto value = read<uint64_t>(section.bytes + (at - section.begin));
      if (isCode(value)) codePointers_.push_back(value);
    }
  }
}

}  // namespace parallax::points
