#include "sampler/modules.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <new>
#include <sys/auxv.h>

#include "base/maps.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/process.h"

namespace parallax {

namespace {

constexpr uint64_t kPageMask = 4095;
constexpr size_t kMaxSections = 4096;

const uint8_t* pointerTo(uint64_t address) { return reinterpret_cast<const uint8_t*>(address); }

// The part of a segment that is backed by the file.
ByteRange segmentAt(const dl_phdr_info& info, const uint8_t* p) {
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
    const uint8_t* begin = pointerTo(info.dlpi_addr + header.p_vaddr);
    const ByteRange segment{begin, begin + header.p_filesz};
    if (segment.contains(p)) return segment;
  }
  return {};
}

void readNotes(ByteRange notes, size_t align, ModuleImage* image) {
  const uint8_t* at = notes.begin;
  while (static_cast<size_t>(notes.end - at) >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    const auto padded = [align](uint64_t size) { return (size + align - 1) & ~(align - 1); };
    const uint64_t nameBytes = padded(note.n_namesz);
    const uint64_t bytes = sizeof note + nameBytes + padded(note.n_descsz);
    if (bytes > static_cast<uint64_t>(notes.end - at)) return;
    if (note.n_namesz == 4 && memcmp(at + sizeof note, "Go\0", 4) == 0) image->go = true;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(at + sizeof note, "GNU", 4) == 0) {
      const uint8_t* id = at + sizeof note + nameBytes;
      const size_t size = note.n_descsz < kMaxBuildIdBytes ? note.n_descsz : kMaxBuildIdBytes;
      for (size_t i = 0; i < size; ++i) {
        static const char digits[] = "0123456789abcdef";
        image->buildId[2 * i] = digits[id[i] >> 4];
        image->buildId[2 * i + 1] = digits[id[i] & 15];
      }
      image->buildId[2 * size] = 0;
    }
    at += bytes;
  }
}

// Copies the path that the kernel has for the mapping at `address`.
void pathFromMaps(uint64_t address, char* path, size_t size) {
  Mappings mappings;
  for (Mapping mapping; mappings.next(&mapping);) {
    if (address < mapping.low || address >= mapping.high || mapping.path == nullptr) continue;
    path[appendText(path, 0, size - 1, mapping.path)] = 0;
    return;
  }
}

bool readAt(int fd, void* target, size_t size, uint64_t offset) {
  return sys::call(SYS_pread64, fd, sys::word(target), static_cast<long>(size),
                   static_cast<long>(offset)) == static_cast<long>(size);
}

// Finds .eh_frame through the section headers, which are not in memory.
void ehFrameFromFile(const dl_phdr_info& info, int fd, ModuleImage* image) {
  ElfW(Ehdr) header;
  if (!readAt(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shnum == 0 ||
      header.e_shnum > kMaxSections || header.e_shstrndx >= header.e_shnum) {
    return;
  }
  ElfW(Shdr) names;
  if (!readAt(fd, &names, sizeof names, header.e_shoff + header.e_shstrndx * sizeof names)) return;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) section;
    char name[sizeof ".eh_frame"];
    if (!readAt(fd, &section, sizeof section, header.e_shoff + i * sizeof section) ||
        !readAt(fd, name, sizeof name, names.sh_offset + section.sh_name) ||
        memcmp(name, ".eh_frame", sizeof name) != 0 || (section.sh_flags & SHF_ALLOC) == 0) {
      continue;
    }
    const uint8_t* begin = pointerTo(info.dlpi_addr + section.sh_addr);
    const ByteRange segment = segmentAt(info, begin);
    if (segment.begin != nullptr && section.sh_size <= static_cast<size_t>(segment.end - begin)) {
      image->ehFrameSegment = segment;
      image->ehFrame = {begin, begin + section.sh_size};
    }
    return;
  }
}

}  // namespace

bool readImage(const dl_phdr_info& info, ModuleImage* image) {
  new (image) ModuleImage;
  image->bias = info.dlpi_addr;
  image->start = UINT64_MAX;
  bool code = false;
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uint64_t start = info.dlpi_addr + header.p_vaddr;
    const uint64_t end = start + header.p_memsz;
    if (header.p_type == PT_LOAD) {
      if (start < image->start) image->start = start & ~kPageMask;
      if (end > image->end) image->end = (end + kPageMask) & ~kPageMask;
      if ((header.p_flags & PF_X) != 0) code = true;
    } else if (header.p_type == PT_GNU_EH_FRAME) {
      image->ehFrameHeader = {pointerTo(start), pointerTo(end)};
    }
  }
  if (!code) return false;
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uint8_t* begin = pointerTo(info.dlpi_addr + header.p_vaddr);
    // Notes that are not in a loaded segment are not in memory.
    if (header.p_type == PT_NOTE && segmentAt(info, begin).begin != nullptr) {
      readNotes({begin, begin + header.p_filesz}, header.p_align == 8 ? 8 : 4, image);
    }
  }
  if (image->ehFrameHeader.begin != nullptr) {
    const uint8_t* frames = ehFrameOfHeader(image->ehFrameHeader);
    image->ehFrameSegment = segmentAt(info, frames);
    image->ehFrame = {frames, image->ehFrameSegment.end};
    if (image->ehFrameSegment.begin == nullptr) image->ehFrameHeader = image->ehFrame = {};
  }
  return true;
}

void completeImage(const dl_phdr_info& info, const char* name, bool main, ModuleImage* image) {
  if (main) {
    if (const char* known = process.executable()) {
      image->path[appendText(image->path, 0, sizeof image->path - 1, known)] = 0;
    } else {
      const long size = sys::readlink("/proc/self/exe", image->path, sizeof image->path - 1);
      image->path[size > 0 ? size : 0] = 0;
    }
  } else {
    image->path[appendText(image->path, 0, sizeof image->path - 1, name)] = 0;
  }
  // The vdso's name has no slash and its pages no file; other relative names have one.
  if (image->path[0] != '/' && image->start != getauxval(AT_SYSINFO_EHDR)) {
    pathFromMaps(image->start, image->path, sizeof image->path);
  }
  if (image->ehFrame.begin == nullptr && image->path[0] == '/') {
    const int fd = sys::openat(AT_FDCWD, main ? "/proc/self/exe" : image->path, O_RDONLY);
    if (fd >= 0) {
      ehFrameFromFile(info, fd, image);
      sys::close(fd);
    }
  }
}

}  // namespace parallax
