#include "perturb/counts.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>

#include "base/file_size_signal.h"
#include "base/sys.h"
#include "base/text.h"
#include "transport/trace_directory.h"
#include "transport/trace_space.h"

namespace parallax::perturb {

__thread ThreadCells threadCells;

namespace {

constexpr char kMagic[8] = {'P', 'L', 'X', 'P', 'E', 'R', 'T', '1'};
constexpr uint32_t kMostShards = 2048, kLeastShards = 3;
constexpr uint64_t kMostFileBytes = 16 << 20;

struct Header {
  char magic[8];
  std::atomic<uint32_t> points, shards;
  std::atomic<uint64_t> ticksPerSecond;
  std::atomic<uint64_t> virtualDelayNs;
  std::atomic<uint32_t> claims;
  uint32_t reserved;
  std::atomic<uint64_t> lastRelease;
  uint64_t reservedToo[2];
};
static_assert(sizeof(Header) == kCountsHeaderBytes);

struct Shard {
  uint32_t pid, tid;
  uint64_t reserved;
  Cell cells[1];
};

const char* path = "";
const char* problemsPath = "";
Header* header = nullptr;  // null: what is counted is lost
uint32_t points = 0, shards = 0;
Cell* lostCells = nullptr;
std::atomic<uint64_t> lostDelay{0}, lostRelease{0};

uint64_t shardBytes() { return kShardHeaderBytes + uint64_t{points} * sizeof(Cell); }
uint64_t shardOffset(uint32_t index) { return kCountsHeaderBytes + index * shardBytes(); }

Shard* shardAt(uint32_t index) {
  return reinterpret_cast<Shard*>(reinterpret_cast<char*>(header) + shardOffset(index));
}

// All processes of a trial write the same, whoever comes first.
template <class T>
bool agree(std::atomic<T>& number, T own) {
  T known = 0;
  return number.compare_exchange_strong(known, own) || known == own;
}

const char* mapCounts(uint64_t ticksPerSecond) {
  const int fd = sys::openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  if (fd < 0) return "the counts file cannot be opened; nothing is counted";
  const char* wrong = nullptr;
  const uint64_t bytes = shardOffset(shards);
  struct stat status;
  // Sparse: a shard has space on the disk once it is claimed. The last one always has.
  if (sys::call(SYS_fstat, fd, sys::word(&status)) != 0 ||
      (static_cast<uint64_t>(status.st_size) < bytes && withoutFileSizeSignal([&] { return sys::ftruncate(fd, bytes); }) != 0) ||
      reserveFileSpace(fd, 0, kCountsHeaderBytes) != 0 ||
      reserveFileSpace(fd, shardOffset(shards - 1), shardBytes()) != 0) {
    wrong = "the counts file cannot be written; nothing is counted";
  } else {
    header = static_cast<Header*>(sys::mmap(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd));
    if (header == nullptr) wrong = "the counts file cannot be mapped; nothing is counted";
  }
  sys::close(fd);
  if (wrong != nullptr) return wrong;
  if (!agree(header->points, points) || !agree(header->shards, shards)) {
    sys::munmap(header, bytes);
    header = nullptr;
    return "the counts file belongs to another plan; nothing is counted";
  }
  uint64_t none = 0;
  header->ticksPerSecond.compare_exchange_strong(none, ticksPerSecond);
  memcpy(header->magic, kMagic, sizeof kMagic);
  return nullptr;
}

// False where the disk is full, say: touching the shard would end the program.
bool reserveShard(uint32_t index) {
  const int fd = sys::openat(AT_FDCWD, path, O_RDWR);
  if (fd < 0) return false;
  const bool reserved = reserveFileSpace(fd, shardOffset(index), shardBytes()) == 0;
  sys::close(fd);
  return reserved;
}

}  // namespace

const char* openCounts(const char* file, uint32_t ids, uint64_t ticksPerSecond) {
  path = file;
  points = ids > 0 ? ids : 1;
  lostCells = static_cast<Cell*>(allocate(points * sizeof(Cell)));
  shards = kMostShards;
  const uint64_t fit = kMostFileBytes / shardBytes();
  if (fit < shards) shards = fit < kLeastShards ? kLeastShards : static_cast<uint32_t>(fit);
  if (lostCells == nullptr) return "there is not enough memory";
  return mapCounts(ticksPerSecond);
}

void claimCells() {
  threadCells.tid = static_cast<uint32_t>(sys::gettid());
  threadCells.shared = true;
  threadCells.cells = lostCells;
  threadCells.treated = threadCells.treats = false;
  if (header != nullptr) {
    uint32_t index = shards - 1;
    const uint32_t claim = header->claims.fetch_add(1, std::memory_order_relaxed);
    if (claim < (shards - 1) / 2) {
      if (reserveShard(2 * claim)) index = 2 * claim;
    }
    Shard* shard = shardAt(index);
    shard->tid = threadCells.tid;
    shard->pid = static_cast<uint32_t>(sys::getpid());
    threadCells.cells = shard->cells;
    threadCells.shared = index == shards - 1;
  }
  threadCells.generation = forkGeneration();
}

std::atomic<uint64_t>& virtualDelayNs() {
  return header != nullptr ? header->virtualDelayNs : lostDelay;
}

std::atomic<uint64_t>& lastReleaseWord() {
  return header != nullptr ? header->lastRelease : lostRelease;
}

void tellProblemsBeside(const char* file) {
  const size_t length = strlen(file);
  constexpr char kEnding[] = ".problems";
  auto* name = static_cast<char*>(allocate(length + sizeof kEnding));
  if (name == nullptr) return;
  memcpy(name, file, length);
  memcpy(name + length, kEnding, sizeof kEnding);
  problemsPath = name;
}

__attribute__((noinline)) void printProblem(const char* text) {
  utsname names;
  char line[512];
  size_t at = 0;
  const auto add = [&](const char* part) { at = appendText(line, at, sizeof line - 1, part); };
  add("parallax: not perturbed on ");
  add(sys::call(SYS_uname, sys::word(&names)) == 0 ? names.nodename : "?");
  add(": ");
  add(text);
  add(" (of ");
  add(problemsPath);
  add(")");
  line[at++] = '\n';
  withoutFileSizeSignal([&] { return sys::write(STDERR_FILENO, line, at); });
}

void tellProblem(uint32_t id, const char* text) {
  if (problemsPath[0] == '\0') return;
  char line[512];
  constexpr size_t kCapacity = sizeof line - 1;
  size_t at = id == kAllPoints ? appendText(line, 0, kCapacity, "-")
                               : appendNumber(line, 0, kCapacity, id);
  at = appendText(line, at, kCapacity, "\t");
  at = appendText(line, at, kCapacity, text);
  line[at++] = '\n';
  const int fd = sys::openat(AT_FDCWD, problemsPath, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
  if (fd < 0) return printProblem(text);
  withoutFileSizeSignal([&] { return sys::write(fd, line, at); });  // one write: lines of several processes do not mix
  sys::close(fd);
}

}  // namespace parallax::perturb
