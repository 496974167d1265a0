#include "interpose/mpi/mpi_unseen.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/sys.h"
#include "core/agent.h"
#include "core/process.h"
#include "interpose/linker/library_symbol.h"

namespace parallax::mpi {
namespace {

std::atomic<bool> seen{false};

// What launchers of MPI set for each process: MPICH's and Slurm's, Open MPI's, PMIx's.
constexpr const char* kRankVariables[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"};

bool isRank() {
  for (const char* variable : kRankVariables) {
    if (getenv(variable) != nullptr) return true;
  }
  return false;
}

// A file in memory, for as long as this lives.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int fd = sys::openat(AT_FDCWD, path, O_RDONLY);
    if (fd < 0) return;
    const long size = sys::call(SYS_lseek, fd, 0, SEEK_END);
    const long at = size > 0 ? sys::call(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, fd, 0) : -1;
    sys::close(fd);
    if (at < 0 && at > -4096) return;
    bytes_ = reinterpret_cast<const char*>(at);
    size_ = static_cast<size_t>(size);
  }
  ~MappedFile() {
    if (bytes_ != nullptr) {
      sys::call(SYS_munmap, sys::word(bytes_), static_cast<long>(size_));
    }
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null where the file has no `count` of T there.
  template <class T>
  const T* at(uint64_t offset, uint64_t count) const {
    const bool inside = bytes_ != nullptr && offset <= size_ && count <= (size_ - offset) / sizeof(T);
    return inside ? reinterpret_cast<const T*>(bytes_ + offset) : nullptr;
  }

 private:
  const char* bytes_ = nullptr;
  size_t size_ = 0;
};

// Whether the program's own table of symbols, if it was not stripped, has MPI.
bool programContainsMpi() {
  static constexpr char kName[] = "\0PMPI_Init";  // with the end of the name before it
  const MappedFile file("/proc/self/exe");
  const auto* header = file.at<Elf64_Ehdr>(0, 1);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return false;
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const Elf64_Shdr& names = sections[sections[i].sh_link];
    const char* text = file.at<char>(names.sh_offset, names.sh_size);
    if (text != nullptr && memmem(text, names.sh_size, kName, sizeof kName) != nullptr) return true;
  }
  return false;
}

}  // namespace

void useIsSeen() { seen.store(true, std::memory_order_relaxed); }

void noteUnseenUse() {
  if (!recording() || seen.load(std::memory_order_relaxed)) return;
  // Another thread of the parent may have held the lock of the dynamic linker when this process was made: it would wait
  // for ever. The parent tells of its libraries itself.
  if (process.isForked()) return;
  int flag = 0;
  if (auto* initialized =
          reinterpret_cast<int (*)(int*)>(definedElsewhere("PMPI_Initialized"))) {
    if (initialized(&flag) != 0 || flag == 0) return;
    note("MPI calls bypassed the agent and are not recorded: the program loads its MPI library "
        "with RTLD_DEEPBIND or dlmopen, or is linked with it statically.");
  } else if (isRank() && programContainsMpi()) {
    note("MPI is linked statically into this program and is not recorded: link the program with "
        "the shared library of MPI.");
  }
}

}  // namespace parallax::mpi
