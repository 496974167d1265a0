#include "base/program_file.h"

#include <elf.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax {
namespace {

constexpr int kMostInterpreters = 4;  // of scripts that are interpreted by scripts, as in the kernel
constexpr size_t kMostSegments = 32, kMostDynamic = 256;

const char* baseOf(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool beginsWith(const char* text, const char* beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool readAt(int fd, void* buffer, size_t size, uint64_t offset) {
  return sys::call(SYS_pread64, fd, sys::word(buffer), static_cast<long>(size),
                   static_cast<long>(offset)) == static_cast<long>(size);
}

// The file is run with other rights than those of the process, unless it has given that up.
bool gainsRights(const struct stat& status, bool hasCapabilities) {
  const auto user = static_cast<uid_t>(sys::call(SYS_getuid));
  const auto group = static_cast<gid_t>(sys::call(SYS_getgid));
  const bool setsUser = (status.st_mode & S_ISUID) != 0 && status.st_uid != user;
  const bool setsGroup = (status.st_mode & S_ISGID) != 0 && status.st_gid != group;
  return (setsUser || setsGroup || (hasCapabilities && user != 0)) &&
         sys::call(SYS_prctl, PR_GET_NO_NEW_PRIVS) != 1;
}

bool hasCapabilities(int fd) {
  return sys::call(SYS_fgetxattr, fd, sys::word("security.capability"), 0, 0) > 0;
}

// glibc's, by name or because it is the same file as where glibc's always is.
bool isOurLinker(const char* path) {
  constexpr char kUsual[] = "/lib64/ld-linux-x86-64.so.2";
  if (strcmp(baseOf(path), baseOf(kUsual)) == 0) return true;
  struct stat one, usual;
  return sys::call(SYS_newfstatat, AT_FDCWD, sys::word(path), sys::word(&one), 0) == 0 &&
         sys::call(SYS_newfstatat, AT_FDCWD, sys::word(kUsual), sys::word(&usual), 0) == 0 &&
         one.st_dev == usual.st_dev && one.st_ino == usual.st_ino;
}

// A dynamic linker that is executed by its name runs its argument.
bool isLinkerItself(const char* base) {
  return beginsWith(base, "ld-") || beginsWith(base, "ld.so") || beginsWith(base, "ld64.so");
}

class Elf {
 public:
  // Memory for the segments, and for kMostDynamic entries.
  Elf(int fd, const Elf64_Ehdr& header, Elf64_Phdr* segments, Elf64_Dyn* entries)
      : fd_(fd), segments_(segments), entries_(entries) {
    count_ = header.e_phnum < kMostSegments ? header.e_phnum : kMostSegments;
    if (header.e_phentsize != sizeof(Elf64_Phdr) ||
        !readAt(fd, segments_, count_ * sizeof(Elf64_Phdr), header.e_phoff)) {
      count_ = 0;
    }
  }
  const Elf64_Phdr* segment(uint32_t type) const {
    for (size_t i = 0; i < count_; i++) {
      if (segments_[i].p_type == type) return segments_ + i;
    }
    return nullptr;
  }
  bool interpreter(char* path, size_t capacity) const {
    const Elf64_Phdr* named = segment(PT_INTERP);
    if (named == nullptr) return false;
    const size_t size = named->p_filesz < capacity ? named->p_filesz : capacity - 1;
    path[readAt(fd_, path, size, named->p_offset) ? size : 0] = '\0';
    return true;
  }
  // visit(name) for each library that is needed, of which it gets the beginning.
  template <class Visit>
  void visitNeeded(Visit visit) const {
    const Elf64_Phdr* dynamic = segment(PT_DYNAMIC);
    if (dynamic == nullptr) return;
    Elf64_Dyn* const entries = entries_;
    size_t count = dynamic->p_filesz / sizeof(Elf64_Dyn);
    if (count > kMostDynamic) count = kMostDynamic;
    if (!readAt(fd_, entries, count * sizeof(Elf64_Dyn), dynamic->p_offset)) return;
    uint64_t strings = 0;
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
      if (entries[i].d_tag == DT_STRTAB) strings = offsetOf(entries[i].d_un.d_ptr);
    }
    for (size_t i = 0; strings != 0 && i < count && entries[i].d_tag != DT_NULL; i++) {
      char name[24] = "";
      if (entries[i].d_tag != DT_NEEDED ||
          !readAt(fd_, name, sizeof name - 1, strings + entries[i].d_un.d_val)) {
        continue;
      }
      visit(name);
    }
  }

 private:
  uint64_t offsetOf(uint64_t address) const {
    for (size_t i = 0; i < count_; i++) {
      const Elf64_Phdr& s = segments_[i];
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz) {
        return address - s.p_vaddr + s.p_offset;
      }
    }
    return 0;
  }

  int fd_;
  Elf64_Phdr* segments_;
  Elf64_Dyn* entries_;
  size_t count_;
};

// What is read of a file, on no stack.
struct Beginning {
  union {
    Elf64_Ehdr header;
    char line[257];  // longer first lines are cut by the kernel, too
  };
  char interpreter[sizeof line], linker[256];
  Elf64_Phdr segments[kMostSegments];
  Elf64_Dyn entries[kMostDynamic];
};
static_assert(sizeof(Beginning) <= Scratch::kBytes);

void examineElf(int fd, const char* base, Beginning& beginning, ProgramFile* program) {
  const Elf64_Ehdr& header = beginning.header;
  program->wordBits = header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
  program->machine = header.e_machine;
  if (program->wordBits != 64 || header.e_machine != EM_X86_64) {
    program->fit = ProgramFit::kOtherMachine;
    return;
  }
  const Elf elf(fd, header, beginning.segments, beginning.entries);
  char* const linker = beginning.linker;
  if (!elf.interpreter(linker, sizeof beginning.linker)) {
    program->fit = !isLinkerItself(base)               ? ProgramFit::kStatic
                   : strstr(base, "musl") != nullptr ? ProgramFit::kOtherLibc
                                                       : ProgramFit::kFits;
    return;
  }
  if (!isOurLinker(linker)) {
    program->fit = ProgramFit::kOtherLibc;
    return;
  }
  elf.visitNeeded([program](const char* name) {
    program->needsSanitizer |= beginsWith(name, "libasan.so") || beginsWith(name, "libclang_rt.asan");
    program->needsPvm |= beginsWith(name, "libpvm3");
  });
}

// The interpreter that the first line of a script names.
void copyInterpreter(const char* line, char* path) {
  line += 2;
  line += strspn(line, " \t");
  const size_t length = strcspn(line, " \t\n");
  memcpy(path, line, length);
  path[length] = '\0';
}

// Closes the descriptor.
ProgramFile examine(int fd, const char* base) {
  ProgramFile program;
  const Scratch memory;
  if (!memory) {
    sys::close(fd);
    return program;
  }
  auto& beginning = *reinterpret_cast<Beginning*>(memory.bytes());
  for (int i = 0; i <= kMostInterpreters && fd >= 0; i++) {
    program.needsPvm |= beginsWith(base, "pvm");
    memset(beginning.line, 0, sizeof beginning.line);
    struct stat status;
    const bool isFile = sys::call(SYS_fstat, fd, sys::word(&status)) == 0 &&
                        S_ISREG(status.st_mode);
    const long got = isFile ? sys::read(fd, beginning.line, sizeof beginning.line - 1) : 0;
    const bool isScript = got > 2 && memcmp(beginning.line, "#!", 2) == 0;
    if (!isScript) {
      if (got >= static_cast<long>(sizeof beginning.header) &&
          memcmp(beginning.header.e_ident, ELFMAG, SELFMAG) == 0) {
        examineElf(fd, base, beginning, &program);
      }
      if (isFile && program.fit == ProgramFit::kFits && gainsRights(status, hasCapabilities(fd))) {
        program.fit = ProgramFit::kGainsRights;
      }
    }
    sys::close(fd);
    if (!isScript) break;
    program.isScript = true;
    copyInterpreter(beginning.line, beginning.interpreter);
    fd = sys::openat(AT_FDCWD, beginning.interpreter, O_RDONLY);
    base = baseOf(beginning.interpreter);
  }
  return program;
}

}  // namespace

ProgramFile examineProgram(int directory, const char* path) {
  const int fd = sys::openat(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (fd >= 0) return examine(fd, baseOf(path));
  // It can be allowed to execute what may not be read.
  ProgramFile program;
  struct stat status;
  if (sys::call(SYS_newfstatat, directory, sys::word(path), sys::word(&status), 0) == 0 &&
      S_ISREG(status.st_mode) && gainsRights(status, false)) {
    program.fit = ProgramFit::kGainsRights;
  }
  return program;
}

void writeDescriptorLink(int fd, char* link) {
  size_t at = appendText(link, 0, kDescriptorLinkBytes, "/proc/self/fd/");
  at = appendNumber(link, at, kDescriptorLinkBytes - 1, fd);
  link[at] = '\0';
}

bool findProgram(const char* name, const char* searchPath, char* path, size_t capacity) {
  if (name == nullptr || *name == '\0') return false;
  if (strchr(name, '/') != nullptr) {
    const size_t length = appendText(path, 0, capacity, name);
    if (length == capacity) return false;
    path[length] = '\0';
    return true;
  }
  const char* from = searchPath != nullptr ? searchPath : "/bin:/usr/bin";
  for (;; from++) {
    const size_t length = strcspn(from, ":");
    if (length + strlen(name) + 2 <= capacity) {
      memcpy(path, from, length);
      size_t at = length;
      if (length > 0) path[at++] = '/';
      at = appendText(path, at, capacity - 1, name);
      path[at] = '\0';
      struct stat status;
      if (sys::call(SYS_newfstatat, AT_FDCWD, sys::word(path), sys::word(&status), 0) == 0 &&
          S_ISREG(status.st_mode) &&
          sys::call(SYS_faccessat, AT_FDCWD, sys::word(path), X_OK) == 0) {
        return true;
      }
    }
    from += length;
    if (*from == '\0') return false;
  }
}

const char* reasonOf(ProgramFit fit) {
  switch (fit) {
    case ProgramFit::kFits: return "can be recorded";
    case ProgramFit::kStatic: return "is statically linked";
    case ProgramFit::kOtherLibc: return "uses a C library other than glibc";
    case ProgramFit::kOtherMachine: return "is not an x86_64 program";
    case ProgramFit::kOutOfReach: return "is executed where the agent cannot be read";
    case ProgramFit::kGainsRights: return "is setuid, setgid or has capabilities";
  }
  return "";
}

}  // namespace parallax
