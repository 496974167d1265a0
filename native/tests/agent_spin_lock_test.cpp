// The agent's lock where its holder cannot give it back.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/spin_lock.h"

namespace parallax {
namespace {

TEST(AgentSpinLock, ExcludesThreads) {
  SpinLock lock;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; i++) {
        ASSERT_TRUE(lock.lock());
        sum++;
        lock.unlock();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(80000, sum);
}

// A thread of real-time priority would else keep the processor from the one that it waits for.
TEST(AgentSpinLock, SleepsWhereItWaitsLong) {
  SpinLock lock;
  ASSERT_TRUE(lock.lock());
  timespec used{};
  std::thread waiter([&] {
    ASSERT_TRUE(lock.lock());
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  });
  usleep(200000);
  lock.unlock();
  waiter.join();
  EXPECT_EQ(0, used.tv_sec);
  EXPECT_LT(used.tv_nsec, 50000000);
}

TEST(AgentSpinLock, AThreadDoesNotWaitForItself) {
  SpinLock lock;
  ASSERT_TRUE(lock.lock());
  EXPECT_FALSE(lock.lock());
  lock.unlock();
  EXPECT_TRUE(lock.lock());
}

TEST(AgentSpinLock, AChildDoesNotWaitForThreadsOfItsParent) {
  SpinLock lock;
  std::atomic<bool> held{false}, forked{false};
  std::thread holder([&] {
    ASSERT_TRUE(lock.lock());
    held = true;
    while (!forked) std::this_thread::yield();
    lock.unlock();
  });
  while (!held) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    const bool taken = lock.lock();
    const bool again = lock.lock();
    lock.unlock();
    _exit(taken && !again && lock.lock() ? 0 : 1);
  }
  forked = true;
  holder.join();
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(0, WEXITSTATUS(status));
  EXPECT_TRUE(lock.lock());  // the child's was a copy
}

// The same threads' ids in parent and child: pid 1 in two pid namespaces.
TEST(AgentSpinLock, AChildOfTheSamePidDoesNotWait) {
  const pid_t outer = fork();
  if (outer == 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) _exit(77);
    const pid_t first = fork();
    if (first == 0) {
      static SpinLock lock;
      std::atomic<bool> held{false};
      std::thread holder([&] {
        held = lock.lock();
        for (;;) pause();
      });
      while (!held) std::this_thread::yield();
      const auto inner = [](void*) { return getpid() == 1 && lock.lock() ? 11 : 12; };
      static char stack[64 << 10];
      const pid_t second =
          clone(inner, stack + sizeof stack, CLONE_NEWPID | SIGCHLD, nullptr);
      int status = 0;
      for (int i = 0; i < 5000 && waitpid(second, &status, WNOHANG) == 0; i++) usleep(1000);
      kill(second, SIGKILL);  // no alarm ends pid 1
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 13);
    }
    int status = 0;
    waitpid(first, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 14);
  }
  int status = -1;
  ASSERT_EQ(outer, waitpid(outer, &status, 0));
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no right to a pid namespace (unshare -Up)";
  EXPECT_EQ(11, WEXITSTATUS(status));
}

}  // namespace
}  // namespace parallax
