#include "tools/attach/visit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tools/attach/lock_wait.h"
#include "tools/attach/thread_status.h"

namespace parallax::attach {
namespace {

constexpr uint64_t kSecondNs = 1000000000;
constexpr uint64_t kSignalsOfLibc = uint64_t{3} << 31;  // 32 and 33
constexpr uint64_t kSearchNs = 10 * kSecondNs, kLockNs = kSecondNs;
// Of the memory of a visit: what is placed, then a guard page, then the stack.
constexpr uint64_t kPlacedBytes = 256 << 10, kMemoryBytes = kPlacedBytes + (1 << 20);

uint64_t nowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecondNs + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

std::string Visit::run(const std::function<std::string()>& work) {
  if (!target_.readMappings()) {
    const std::string why = strerror(errno);
    return errno == EACCES || errno == EPERM ? why : "its memory cannot be read: " + why;
  }
  SafePoints points(&target_);
  trap_ = points.trap();
  if (trap_ == 0) return "it has no C library that is known";
  const uint64_t end = nowNs() + kSearchNs;
  int lastError = 0;
  for (long pauseNs = 200000; nowNs() < end; pauseNs = std::min(pauseNs * 2, 20000000L)) {
    const std::vector<pid_t> threads = target_.threads();
    if (threads.empty()) return "it has ended";
    for (const pid_t id : threads) {
      StoppedThread thread(target_.pid(), id);
      const uint64_t startNs = nowNs();
      const int error = thread.stop();
      if ((error == EPERM || error == EACCES) && isRefused(id)) return strerror(error);
      if (error != 0) {
        if (error != EPERM || lastError == 0) lastError = error;
        continue;
      }
      // libc alone blocks its own signals: while a thread starts or ends, and around fork.
      if ((thread.blockedSignals() & kSignalsOfLibc) != 0) continue;
      if (!points.isSafe(id, thread.registers())) continue;
      thread_ = &thread;
      std::string problem = runStopped(work);
      thread.release();
      thread_ = nullptr;
      stoppedNs_ = nowNs() - startNs;
      if (problem != kElsewhere) return problem;
    }
    const timespec pause{0, pauseNs};
    nanosleep(&pause, nullptr);
  }
  if (lastError == EPERM) return "another process traces it; detach that first";
  return lastError == ETIMEDOUT
             ? "no thread can be stopped: all wait for a disk or for children of vfork"
             : "no thread came out of the dynamic linker, the memory allocator or the agent within 10 s; try again";
}

// Not where the thread has just ended, or is held: by this process, because it could not be stopped, or by another recorder
// for a moment.
bool Visit::isRefused(pid_t thread) const {
  const ThreadStatus status(target_.pid(), thread);
  const char state = status.state();
  return status.exists() && state != 'Z' && state != 'X' && status.number("TracerPid") == 0;
}

std::string Visit::runStopped(const std::function<std::string()>& work) {
  uint64_t errnoAt = 0;
  int savedErrno = 0;
  std::string problem = call("__errno_location", functionOf("__errno_location"), {}, &errnoAt);
  if (!problem.empty()) return problem;
  if (!target_.read(errnoAt, &savedErrno)) return "errno cannot be read";
  uint64_t mapped = 0;
  problem = call("mmap", functionOf("mmap"),
                 {0, kMemoryBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~uint64_t{0}, 0},
                 &mapped);
  if (problem.empty() && mapped == ~uint64_t{0}) problem = "it has no memory left";
  if (problem.empty()) {
    memory_ = placed_ = mapped;
    stack_ = mapped + kMemoryBytes - 64;
    problem = lookForLocks();
    if (problem.empty()) problem = work();
    stack_ = 0;
    uint64_t ignored = 0;
    const std::string unmapped = call("munmap", functionOf("munmap"), {memory_, kMemoryBytes}, &ignored);
    if (problem.empty()) problem = unmapped;
  }
  target_.write(errnoAt, &savedErrno, sizeof savedErrno);
  return problem;
}

// Whether the locks of the allocator and of the dynamic linker can be had. If this thread holds one of them after all, or
// another one that waits for this thread, it is taken out again while it waits: it has got no lock then. It is waited for
// where it does something else, such as giving memory back to the kernel: it may hold the lock then. After this, a call is
// never left.
std::string Visit::lookForLocks() {
  constexpr uint64_t kBytes = 100000, kNow = 2;  // more than a thread has of its own
  uint64_t block = 0, ignored = 0;
  const Module* allocator = target_.allocator();
  if (allocator == nullptr) return "it has no memory allocator that is known";
  std::string problem = callFor(allocator, "malloc", allocator->find(target_, "malloc").address, {kBytes}, &block);
  if (problem.empty()) problem = callFor(allocator, "free", allocator->find(target_, "free").address, {block}, &ignored);
  const uint64_t dlopen = functionOf("dlopen");
  if (problem.empty() && dlopen != 0) problem = callFor(allocator, "dlopen", dlopen, {0, kNow}, &ignored);
  return problem;
}

// Of a thread in one of these calls that waits for a lock. The first lock that libc's malloc and free take is that of an
// arena; with it they may wait for another one, which threads hold for a moment only. dlopen takes the dynamic linker's
// lock, and with it calls malloc. Of other allocators it is not known: they are taken to hold none while they wait.
bool Visit::holdsNoLock(const Module& allocator, const user_regs_struct& registers) const {
  uint64_t lock = 0;
  if (!isLockWait(registers, &lock) || holdsLockOfLinker()) return false;
  return !allocator.isLibc() || dataOfLinker().range().contains(lock) || isArena(target_, lock);
}

// With its locks.
Symbol Visit::dataOfLinker() const {
  for (const Module& module : target_.modules()) {
    if (module.isLoader()) return module.find(target_, "_rtld_global");
  }
  return {};
}

// A mutex of the dynamic linker: | lock | count | owner |, 4 bytes each.
bool Visit::holdsLockOfLinker() const {
  const Symbol data = dataOfLinker();
  std::vector<int32_t> words(data.bytes / sizeof(int32_t));
  if (words.empty() || !target_.read(data.address, words.data(), words.size() * sizeof(int32_t))) return false;
  for (size_t at = 2; at < words.size(); at++) {
    if (words[at] == thread_->id() && words[at - 1] > 0 && words[at - 2] != 0) return true;
  }
  return false;
}

uint64_t Visit::functionOf(const char* name) const {
  for (const char* library : {"libc.so", "libc-", "libdl.so", "libdl-"}) {
    const Module* module = target_.moduleOf(library);
    const uint64_t found = module != nullptr ? module->find(target_, name).address : 0;
    if (found != 0) return found;
  }
  return 0;
}

std::string Visit::call(const char* name, uint64_t function, std::initializer_list<uint64_t> arguments, uint64_t* result) {
  return callFor(nullptr, name, function, arguments, result);
}

// By which signal, and where.
std::string Visit::crashText() {
  const StoppedThread::Crash crash = thread_->crash();
  if (crash.signal == 0) return "";
  target_.readMappings();
  char at[32];
  snprintf(at, sizeof at, "0x%lx", crash.pc);
  std::string place = at;
  for (const Module& module : target_.modules()) {
    for (const Range& part : module.code) {
      if (!part.contains(crash.pc)) continue;
      snprintf(at, sizeof at, "+0x%lx", crash.pc - module.base);
      place = module.name() + at;
    }
  }
  return " by signal " + std::to_string(crash.signal) + " at " + place;
}

std::string Visit::callFor(const Module* allocator, const char* name, uint64_t function,
                           std::initializer_list<uint64_t> arguments, uint64_t* result) {
  if (function == 0) return std::string("its C library has no ") + name;
  const uint64_t startNs = nowNs();
  const auto mayLeave = [&](const user_regs_struct& registers) { return holdsNoLock(*allocator, registers); };
  const StoppedThread::Outcome outcome =
      thread_->call(trap_, function, arguments, stack_, allocator != nullptr ? kLockNs : 0, mayLeave, result);
  times_ += (times_.empty() ? "" : ", ") + std::string(name) + " " + std::to_string((nowNs() - startNs) / 1000) + " us";
  switch (outcome) {
    case StoppedThread::Outcome::kReturned: return "";
    case StoppedThread::Outcome::kCrashed: return std::string(name) + " crashed in it" + crashText();
    case StoppedThread::Outcome::kEnded: return "it ended meanwhile";
    case StoppedThread::Outcome::kTimeout: return kElsewhere;
  }
  return "";
}

uint64_t Visit::place(const void* bytes, size_t size) {
  const uint64_t at = placed_;
  if (size > kPlacedBytes - (at - memory_) || !target_.write(at, bytes, size)) return 0;
  placed_ = (at + size + 15) & ~uint64_t{15};
  return at;
}

}  // namespace parallax::attach
