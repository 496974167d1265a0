// The lock of a ring of events (transport/ring_file.h), and who is taken for gone.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/ended.h"
#include "transport/event_ring.h"
#include "transport/ring_file.h"

namespace parallax {
namespace {

using event_rings::Owner;
using event_rings::Ring;
using event_rings::RingLock;

constexpr uint64_t kLongAgoMs = 1;

uint32_t ownThread() { return static_cast<uint32_t>(gettid()); }

#ifndef __SANITIZE_THREAD__  // whose own thread would keep the child
// The writer takes the lock of each ring in each pass.
TEST(RingLock, AFreeOneCostsNoSystemCall) {
  const pid_t child = fork();
  if (child == 0) {
    static Ring ring{};
    const uint64_t self = RingLock::self();
    // From here on any call but read, write and exit kills.
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) syscall(SYS_exit, 2);
    bool all = true;
    for (int i = 0; i < 1000; i++) all = RingLock(&ring, self, hasEnded, 0).isHeld() && all;
    syscall(SYS_exit, all && ring.lock.load() == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}
#endif

// The number of a holder that was killed is that of a thread that lives now.
TEST(RingLock, OfAHolderWhoseNumberAnotherHasIsTaken) {
  event_rings::Control control{};
  control.writer.word.store(1);
  const auto isGone = [&](uint32_t thread, uint64_t sinceMs) { return event_rings::isGone(control, thread, sinceMs); };
  Ring ring{};
  const auto parent = static_cast<uint32_t>(getppid());
  ring.lock.store(event_rings::ownerWord(parent, Owner::kFills, event_rings::nowMs()));
  EXPECT_FALSE(RingLock(&ring, RingLock::self(), isGone, 2).isHeld());
  ring.lock.store(event_rings::ownerWord(parent, Owner::kFills, kLongAgoMs));
  EXPECT_TRUE(RingLock(&ring, RingLock::self(), isGone, 2).isHeld());
}

TEST(RingLock, TheWriterIsGoneWhenTheKernelSaysSo) {
  event_rings::Control control{};
  control.writerThread.store(ownThread());
  control.writer.word.store(ownThread());
  EXPECT_FALSE(event_rings::isGone(control, ownThread(), event_rings::nowMs()));
  control.writer.word.store(ownThread() | FUTEX_OWNER_DIED);
  EXPECT_TRUE(event_rings::isGone(control, ownThread(), event_rings::nowMs()));
}

TEST(Ended, TellsProcessesThatHaveEnded) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  ASSERT_EQ(0, waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT));
  const auto id = static_cast<uint32_t>(child);
  EXPECT_EQ(kHasEnded, beginMsOf(id));  // nobody has waited for it
  waitpid(child, nullptr, 0);
  EXPECT_EQ(kHasEnded, beginMsOf(id));
  const uint64_t beginMs = beginMsOf(ownThread());
  EXPECT_LT(0u, beginMs);
  EXPECT_LE(beginMs, event_rings::nowMs());
  EXPECT_FALSE(hasEnded(ownThread(), event_rings::nowMs()));
  EXPECT_FALSE(hasEnded(ownThread(), 0));
  EXPECT_TRUE(hasEnded(ownThread(), kLongAgoMs));
}

}  // namespace
}  // namespace parallax
