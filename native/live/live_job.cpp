#include "live/live_job.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_size_signal.h"
#include "base/sys.h"
#include "base/text.h"
#include "live/live_files.h"
#include "transport/trace_space.h"

namespace parallax::live {
namespace {

// Of the wishes of a member for calls of this size the last, which is 0 if there is none.
Wish wishOf(const Member& member, uint32_t routine, uint32_t sizeClass) {
  Wish last;
  for (const auto& place : member.wishes[routine]) {
    const Wish wish{place.load(std::memory_order_acquire)};
    if (wish.holdsFor(sizeClass) && wish.from() > last.from()) last = wish;
  }
  return last;
}

}  // namespace

// A file without its space would end the program when it is touched. All processes ask for the same size.
JobPage* mapJobPage(uint64_t job) {
  char name[32];
  size_t at = 0;
  for (int shift = 60; shift >= 0; shift -= 4) name[at++] = "0123456789abcdef"[job >> shift & 15];
  at = appendText(name, at, sizeof name - 1, kJobEnding);
  name[at] = '\0';
  const int fd = files.openFile(name, O_RDWR | O_CREAT | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  void* mapped = nullptr;
  const long resized = withoutFileSizeSignal([&] { return sys::ftruncate(fd, sizeof(JobPage)); });
  if (resized == 0 && reserveFileSpace(fd, 0, sizeof(JobPage)) == 0) mapped = sys::mmap(sizeof(JobPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  sys::close(fd);
  return static_cast<JobPage*>(mapped);
}

uint8_t commonWish(const JobPage& page, uint32_t size, uint32_t routine, uint32_t sizeClass, uint64_t call) {
  uint8_t common = 0;
  for (uint32_t i = 0; i < size; i++) {
    const Wish wish = wishOf(page.member[i], routine, sizeClass);
    if (wish.method() == 0 || wish.from() > call || (common != 0 && wish.method() != common)) return 0;
    common = wish.method();
  }
  return common;
}

std::atomic<uint64_t>* addWish(Member& member, uint32_t routine, uint64_t calls, uint8_t method, uint8_t least, uint8_t most, uint64_t* from) {
  std::atomic<uint64_t>* free = nullptr;
  *from = calls + 1;
  for (auto& place : member.wishes[routine]) {
    const Wish wish{place.load(std::memory_order_relaxed)};
    if (wish.word == 0) free = &place;
    if (wish.from() >= *from) *from = wish.from() + 1;
  }
  if (free != nullptr) free->store(Wish::of(*from, method, least, most).word, std::memory_order_release);
  return free;
}

uint8_t decide(JobPage& page, uint32_t size, uint32_t routine, uint32_t sizeClass, uint64_t call, bool isPossible) {
  uint64_t word = page.decision.load(std::memory_order_acquire);
  while (word >> 8 < call) {
    const uint8_t wanted = isPossible ? commonWish(page, size, routine, sizeClass, call) : uint8_t{0};
    if (page.decision.compare_exchange_weak(word, call << 8 | wanted, std::memory_order_acq_rel)) return wanted;
  }
  return word >> 8 == call ? static_cast<uint8_t>(word) : uint8_t{0};
}

void tellBegin(JobPage& page, uint64_t call, uint64_t ticks) {
  auto& last = page.begun[call & 1].ticks;
  uint64_t known = last.load(std::memory_order_relaxed);
  while (known < ticks && !last.compare_exchange_weak(known, ticks, std::memory_order_acq_rel)) {
  }
}

}  // namespace parallax::live
