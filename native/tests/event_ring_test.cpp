// A thread's ring of events (transport/event_ring.h), and the space of its file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/temporary_directory.h"
#include "transport/event_ring.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

using event_rings::Control;
using event_rings::Owner;
using event_rings::Ring;

constexpr uint32_t kRings = 8;

// As the recorder makes it, with a writer that lives.
Control* makeRings(const std::string& path, const std::string& trace) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct stat file {}, directory {};
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(event_rings::blocksOffset(kRings))) != 0 || fstat(fd, &file) != 0 ||
      stat(trace.c_str(), &directory) != 0) {
    return nullptr;
  }
  void* memory = mmap(nullptr, event_rings::kHeadBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return nullptr;
  auto* control = static_cast<Control*>(memory);
  control->version = event_rings::kVersion;
  control->ringCount = kRings;
  control->inode = file.st_ino;
  control->directoryDevice = directory.st_dev;
  control->directoryInode = directory.st_ino;
  control->writer.word.store(1);
  control->magic = event_rings::kMagic;
  return control;
}

int ringsOf(const Control* control, Owner owner) {
  int count = 0;
  for (uint32_t i = 0; i < kRings; i++) {
    const auto* ring = reinterpret_cast<const Ring*>(reinterpret_cast<const char*>(control) + event_rings::ringOffset(i));
    count += event_rings::ownerOf(ring->owner.load()) == owner ? 1 : 0;
  }
  return count;
}

#ifndef __SANITIZE_THREAD__  // which has signals wait
sigjmp_buf place;
void leave(int) { siglongjmp(place, 1); }

[[noreturn]] void takeAndLeave(const std::string& path, const std::string& trace) {
  static TraceDirectory directory;
  static EventRing ring;
  if (directory.open(trace.c_str()) != 0) _exit(2);
  event_rings::attach(path.c_str(), directory);
  signal(SIGUSR1, leave);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(3);
  raise(SIGSTOP);
  if (sigsetjmp(place, 1) == 0) ring.take("h.1.0.1.evt", false, 0, 0);
  _exit(0);
}

TEST(EventRing, AHandlerThatLeavesByLongjmpLeavesNoRingBehind) {
  const TemporaryDirectory scratch;
  const std::string path = scratch / "rings";
  const Control* control = makeRings(path, scratch.path());
  ASSERT_NE(nullptr, control);
  const pid_t child = fork();
  if (child == 0) takeAndLeave(path, scratch.path());
  int status = 0;
  bool isSent = false;
  for (long next = PTRACE_SYSCALL; waitpid(child, &status, 0) == child && WIFSTOPPED(status);) {
    user_regs_struct registers{};
    int given = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    if (!isSent && registers.orig_rax == SYS_openat) {  // the ring is taken, its memory is not mapped yet
      isSent = true;
      kill(child, SIGUSR1);
      next = PTRACE_CONT;
    }
    ASSERT_EQ(0, ptrace(static_cast<__ptrace_request>(next), child, nullptr, given));
  }
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status));
  EXPECT_TRUE(isSent);
  EXPECT_EQ(0, ringsOf(control, Owner::kTakes));
  EXPECT_EQ(1, ringsOf(control, Owner::kFills));
}
#endif

// As on a file system that cannot do it.
bool forbidFallocate() {
  sock_filter steps[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_fallocate},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EOPNOTSUPP},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog program{sizeof steps / sizeof steps[0], steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// A writer that stalls before it reserves space finds that the thread has given it up, and has gone on in the file.
TEST(TraceSpace, WhatAnotherHasWrittenMeanwhileStays) {
  constexpr size_t kWritten = 10000, kReserved = 65536;
  const TemporaryDirectory scratch;
  const int fd = open((scratch / "h.1.0.1.evt").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::string events(kWritten, 'x');
  ASSERT_EQ(static_cast<ssize_t>(kWritten), pwrite(fd, events.data(), kWritten, 0));
  const pid_t child = fork();
  if (child == 0) {
    limitTraceSpace(0, 0, nullptr);
    _exit(!forbidFallocate() ? 2 : reserveSpaceBesideOthers(fd, 0, kReserved) == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  std::string now(kReserved + 1, '-');
  EXPECT_EQ(static_cast<ssize_t>(kReserved), pread(fd, now.data(), now.size(), 0));
  EXPECT_EQ(events + std::string(kReserved - kWritten, '\0'), now.substr(0, kReserved));
  close(fd);
}

}  // namespace
}  // namespace parallax
