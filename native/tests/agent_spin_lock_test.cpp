// The agent's lock where its holder cannot give it back.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "agent/spin_lock.h"

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

}  // namespace
}  // namespace parallax
