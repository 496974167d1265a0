#include "live/live_agent.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/file_size_signal.h"
#include "base/fork_generation.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "live/live_files.h"
#include "live/live_tunables.h"
#include "transport/trace_space.h"

namespace parallax::live {
namespace {

const std::atomic<uint64_t> nothingAsked{0};

// What a child needs to make its own page.
const char* programPath = "";
uint64_t tickHz = 0;
bool isWanted = false;

std::atomic<void*> mapped{nullptr};
std::atomic<uint32_t> generation{0};  // the fork generation of the page
std::atomic<int> knownRank{-1}, knownTask{-1};
const char* knownLibrary = nullptr;

size_t nameOf(char* name, size_t capacity, const char* before, int pid, const char* ending) {
  size_t at = appendText(name, 0, capacity - 1, before);
  at = appendNumber(name, at, capacity - 1, pid);
  at = appendText(name, at, capacity - 1, ending);
  name[at] = '\0';
  return at;
}

// Field 22 of /proc/self/stat; the name before it may have spaces.
uint64_t startOfProcess() {
  char text[600];
  const int fd = sys::openat(AT_FDCWD, "/proc/self/stat", O_RDONLY);
  if (fd < 0) return 0;
  const long size = sys::read(fd, text, sizeof text - 1);
  sys::close(fd);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* at = strrchr(text, ')');
  for (int field = 2; at != nullptr && field < 22; field++) {
    at = strchr(at + 1, ' ');
  }
  uint64_t start = 0;
  if (at == nullptr) return 0;
  for (at++; *at >= '0' && *at <= '9'; at++) start = start * 10 + static_cast<uint64_t>(*at - '0');
  return start;
}

void writeHeader(const Page& page, int pid) {
  Header& header = page.header();
  memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.pid = pid;
  header.startTicks = startOfProcess();
  header.madeNs = sys::clockNs(CLOCK_MONOTONIC);
  header.ticksPerSecond = tickHz;
  header.rank.store(knownRank.load(std::memory_order_relaxed), std::memory_order_relaxed);
  header.task.store(-1, std::memory_order_relaxed);  // a child is another task
  header.state.store(static_cast<uint32_t>(ProcessState::kRuns), std::memory_order_relaxed);
  const size_t capacity = sizeof header.program - 1;
  appendText(header.program, 0, capacity, programPath);
  if (knownLibrary != nullptr) appendText(header.library, 0, sizeof header.library - 1, knownLibrary);
}

const char* mapFile(int fd, void** at) {
  const long resized = withoutFileSizeSignal([&] { return sys::ftruncate(fd, kPageBytes); });
  if (resized != 0 || reserveFileSpace(fd, 0, kShardsOffset) != 0) return "there is no space for the live page";
  *at = sys::mmap(kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  return *at == nullptr ? "the live page cannot be mapped" : nullptr;
}

// Regions keep what they know of the points of a page with its generation, also in a child after fork.
uint32_t generationAfter(const void* former) {
  return former == nullptr ? 0 : Page(const_cast<void*>(former)).header().pointsGeneration.load(std::memory_order_acquire) + 1;
}

// `former`: the page of the process or of its parent before, which stays mapped; null if there was none.
const char* makePage(const void* former) {
  const int pid = sys::getpid();
  char fresh[48], name[48];
  nameOf(fresh, sizeof fresh, ".", pid, ".new");
  nameOf(name, sizeof name, "", pid, kEnding);
  int fd = files.openFile(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (fd == -EEXIST) {  // of a process that was killed while it made it
    sys::call(SYS_unlinkat, files.descriptor(), sys::word(fresh), 0);
    fd = files.openFile(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  }
  if (fd < 0) return "the live page cannot be made";
  void* at = nullptr;
  const char* wrong = mapFile(fd, &at);
  sys::close(fd);
  if (wrong == nullptr) {
    writeHeader(Page(at), pid);
    Page(at).header().pointsGeneration.store(generationAfter(former), std::memory_order_release);
    writeTunables(Page(at));
    if (sys::call(SYS_renameat, files.descriptor(), sys::word(fresh), files.descriptor(), sys::word(name)) != 0) {
      sys::munmap(at, kPageBytes);
      wrong = "the live page cannot be named";
    }
  }
  if (wrong != nullptr) {
    sys::call(SYS_unlinkat, files.descriptor(), sys::word(fresh), 0);
    return wrong;
  }
  memcpy(fileName, name, sizeof name);
  mapped.store(at, std::memory_order_release);
  generation.store(forkGeneration(), std::memory_order_release);
  askedWord.store(&Page(at).header().asked, std::memory_order_release);
  return nullptr;
}

// Another user could cut a file off under the mapping, or ask for actions.
bool isPrivate() {
  struct stat status;
  return sys::call(SYS_fstat, files.descriptor(), sys::word(&status)) == 0 &&
         status.st_uid == static_cast<uid_t>(sys::call(SYS_geteuid)) && (status.st_mode & 077) == 0;
}

}  // namespace

std::atomic<const std::atomic<uint64_t>*> askedWord{&nothingAsked};
TraceDirectory files;
char fileName[48];

const char* begin(const char* directory, const char* program, uint64_t ticksPerSecond) {
  programPath = program;
  tickHz = ticksPerSecond;
  if (files.open(directory) != 0) return "the directory of PARALLAX_TUNE cannot be opened";
  if (!isPrivate()) return "the directory of PARALLAX_TUNE is open to other users";
  knownTask.store(-1, std::memory_order_relaxed);  // told again by the next call of PVM
  const char* wrong = makePage(mapped.load(std::memory_order_acquire));
  isWanted = wrong == nullptr;
  return wrong;
}

void beginInChild() {
  if (!isWanted || generation.load(std::memory_order_acquire) == forkGeneration()) return;
  askedWord.store(&nothingAsked, std::memory_order_release);
  // The parent's stays mapped: other code may still look at it.
  const void* former = mapped.exchange(nullptr, std::memory_order_acq_rel);
  knownTask.store(-1, std::memory_order_relaxed);
  knownRank.store(-1, std::memory_order_relaxed);
  if (const char* wrong = makePage(former)) log(wrong);
}

Page page() {
  return Page(generation.load(std::memory_order_acquire) == forkGeneration() ? mapped.load(std::memory_order_acquire) : nullptr);
}

void end() {
  if (const Page own = page()) own.header().state.store(static_cast<uint32_t>(ProcessState::kEnded), std::memory_order_release);
}

void goOn() {
  if (const Page own = page()) own.header().state.store(static_cast<uint32_t>(ProcessState::kRuns), std::memory_order_release);
}

// ------------------------------------------------- what is known of the process

void tellRank(int rank) {
  if (knownRank.exchange(rank, std::memory_order_relaxed) == rank) return;
  const Page own = page();
  if (!own) return;
  own.header().rank.store(rank, std::memory_order_relaxed);
  own.header().places.fetch_add(1, std::memory_order_release);
}

void tellTask(int task) {
  if (knownTask.exchange(task, std::memory_order_relaxed) == task) return;
  const Page own = page();
  if (!own) return;
  own.header().task.store(task, std::memory_order_relaxed);
  own.header().places.fetch_add(1, std::memory_order_release);
}

void tellOutput(const int (&output)[3]) {
  const Page own = page();
  for (int i = 0; own && i < 3; i++) own.header().output[i].store(output[i], std::memory_order_relaxed);
}

bool knowsLibrary() { return knownLibrary != nullptr || !isWanted; }

void tellLibrary(const char* text) {
  if (knowsLibrary()) return;
  const size_t size = std::min(lengthBefore(text, "\n"), sizeof(Header::library) - 1);
  auto* copy = static_cast<char*>(allocate(size + 1));
  if (copy == nullptr) return;
  memcpy(copy, text, size);
  knownLibrary = copy;
  const Page own = page();
  if (!own) return;
  memcpy(own.header().library, copy, size);
  own.header().places.fetch_add(1, std::memory_order_release);
}

}  // namespace parallax::live
