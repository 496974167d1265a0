#include "tools/symbols_files.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace parallax::symbols {
namespace {

constexpr size_t kMostVdsoBytes = 16 * 4096;

std::string hex(const void* bytes, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; i++) {
    const unsigned char byte = static_cast<const unsigned char*>(bytes)[i];
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The CRC-32 that .gnu_debuglink uses, of a whole file.
bool crc32OfFile(const std::string& path, uint32_t* crc) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  uint32_t table[256];
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) {
      table[i] = (table[i] >> 1) ^ ((table[i] & 1) ? 0xEDB88320u : 0);
    }
  }
  uint32_t value = ~0u;
  std::vector<unsigned char> buffer(1 << 16);
  ssize_t size;
  while ((size = read(descriptor, buffer.data(), buffer.size())) > 0) {
    for (ssize_t i = 0; i < size; i++) {
      value = (value >> 8) ^ table[(value ^ buffer[static_cast<size_t>(i)]) & 0xFF];
    }
  }
  close(descriptor);
  *crc = ~value;
  return size == 0;
}

std::unique_ptr<ElfFile> byBuildId(const std::string& buildId,
                                   const std::vector<std::string>& debugDirectories) {
  if (buildId.size() < 4 || buildId.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return nullptr;
  }
  for (const std::string& directory : debugDirectories) {
    std::string ignored;
    auto file = ElfFile::open(directory + "/.build-id/" + buildId.substr(0, 2) + "/" +
                                  buildId.substr(2) + ".debug",
                              &ignored);
    if (file != nullptr && file->buildId() == buildId) return file;
  }
  return nullptr;
}

std::unique_ptr<ElfFile> byDebugLink(const ElfFile& program,
                                     const std::vector<std::string>& debugDirectories) {
  GElf_Word expectedCrc = 0;
  const char* name = dwelf_elf_gnu_debuglink(program.elf(), &expectedCrc);
  if (name == nullptr || name[0] == 0 || strchr(name, '/') != nullptr) return nullptr;
  const std::string folder = program.path().substr(0, program.path().rfind('/'));
  std::vector<std::string> candidates = {folder + "/" + name, folder + "/.debug/" + name};
  for (const std::string& directory : debugDirectories) {
    candidates.push_back(directory + folder + "/" + name);
  }
  const std::string buildId = program.buildId();
  for (const std::string& candidate : candidates) {
    std::string ignored;
    auto file = ElfFile::open(candidate, &ignored);
    if (file == nullptr) continue;
    // Equal build ids say as much as the checksum, without reading the whole file.
    if (!buildId.empty() && file->buildId() == buildId) return file;
    uint32_t crc = 0;
    if (crc32OfFile(candidate, &crc) && crc == expectedCrc) return file;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<ElfFile> ElfFile::open(const std::string& path, std::string* reason) {
  elf_version(EV_CURRENT);
  // Not a device or a pipe, which could block.
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    *reason = errno == ENOENT ? "the file does not exist"
                              : std::string("the file cannot be read: ") + strerror(errno);
    return nullptr;
  }
  if (!S_ISREG(status.st_mode)) {
    *reason = "not a regular file";
    return nullptr;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    *reason = std::string("the file cannot be read: ") + strerror(errno);
    return nullptr;
  }
  Elf* elf = elf_begin(descriptor, ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF) {
    if (elf != nullptr) elf_end(elf);
    close(descriptor);
    *reason = "the file is not an ELF file";
    return nullptr;
  }
  return std::unique_ptr<ElfFile>(new ElfFile(path, descriptor, elf));
}

std::unique_ptr<ElfFile> ElfFile::openVdso() {
  elf_version(EV_CURRENT);
  auto* image = reinterpret_cast<char*>(getauxval(AT_SYSINFO_EHDR));
  if (image == nullptr) return nullptr;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
  // It has no length but that of its parts; the section headers come last.
  const size_t size = header->e_shoff + size_t{header->e_shnum} * header->e_shentsize;
  if (size < sizeof *header || size > kMostVdsoBytes) return nullptr;
  Elf* elf = elf_memory(image, size);
  return elf == nullptr ? nullptr : std::unique_ptr<ElfFile>(new ElfFile("[vdso]", -1, elf));
}

ElfFile::~ElfFile() {
  if (dwarf_ != nullptr) dwarf_end(dwarf_);
  elf_end(elf_);
  if (descriptor_ >= 0) close(descriptor_);
}

std::string ElfFile::buildId() const {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_, &bytes);
  return size <= 0 ? std::string() : hex(bytes, static_cast<size_t>(size));
}

Elf_Scn* ElfFile::section(const char* name, GElf_Shdr* header) const {
  size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return nullptr;
  GElf_Shdr own;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_, scn)) != nullptr;) {
    if (gelf_getshdr(scn, &own) == nullptr) continue;
    const char* found = elf_strptr(elf_, names, own.sh_name);
    if (found == nullptr || strcmp(found, name) != 0) continue;
    if (header != nullptr) *header = own;
    return scn;
  }
  return nullptr;
}

Dwarf* ElfFile::dwarf() {
  if (!triedDwarf_) {
    triedDwarf_ = true;
    if (hasDebugInformation()) dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  }
  return dwarf_;
}

ModuleFiles findModuleFiles(const std::string& path, const std::string& buildId,
                            const std::vector<std::string>& debugDirectories) {
  ModuleFiles files;
  const bool isVdso = path.find("vdso") != std::string::npos && path[0] != '/';
  if (isVdso) {
    files.program = ElfFile::openVdso();
    if (files.program == nullptr) files.reason = "the kernel provides no vdso";
  } else {
    files.program = ElfFile::open(path, &files.reason);
  }
  if (files.program != nullptr && !buildId.empty()) {
    const std::string present = files.program->buildId();
    if (present != buildId) {
      files.reason = isVdso ? "the vdso belongs to another kernel"
                            : "the file has changed since the run";
      files.reason += " (build id " + (present.empty() ? "none" : present) + ", recorded " +
                      buildId + ")";
      files.program.reset();
    }
  }
  if (files.program != nullptr && files.program->hasDebugInformation()) return files;
  // Without a recorded build id that of the file itself must do.
  const std::string wanted =
      buildId.empty() && files.program != nullptr ? files.program->buildId() : buildId;
  files.debug = byBuildId(wanted, debugDirectories);
  if (files.debug == nullptr && files.program != nullptr && !isVdso) {
    files.debug = byDebugLink(*files.program, debugDirectories);
  }
  return files;
}

}  // namespace parallax::symbols
