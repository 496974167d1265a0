// Whether threads begin windows of private memory beside an execution (transport/block_buffer.h).
#include <gtest/gtest.h>

#include <thread>

#include "transport/block_buffer.h"

namespace parallax {
namespace {

class BlockBufferWindows : public testing::Test {
 protected:
  void TearDown() override { BlockBuffer::forgetAll(); }

  static bool awaitInAnotherThread() {
    bool goesOn = false;
    std::thread([&] { goesOn = BlockBuffer::awaitGoOn(); }).join();
    return goesOn;
  }
};

// From a slow disk: it may fail, and what the thread would not record until then would be lost.
TEST_F(BlockBufferWindows, BeginBesideAnExecutionThatTakesLong) {
  BlockBuffer::stopForExecution();
  EXPECT_FALSE(BlockBuffer::awaitGoOn());
  EXPECT_TRUE(awaitInAnotherThread());
  BlockBuffer::goOn();
  EXPECT_TRUE(BlockBuffer::awaitGoOn());
}

TEST_F(BlockBufferWindows, DoNotBeginAtTheEnd) {
  BlockBuffer::stop();
  EXPECT_FALSE(awaitInAnotherThread());
}

// Who has taken a buffer, and was left by longjmp before this was noted, takes the same one. With async, an owner has two.
TEST_F(BlockBufferWindows, ThatWereLeftBeforeTheyBeganAreTakenAgain) {
  const TraceDirectory directory;
  const char first[] = "h.1.0.1.evt", second[] = "h.1.0.2.evt", third[] = "h.1.0.3.evt";
  BlockBuffer* const buffer = BlockBuffer::take(1, directory, first, nullptr);
  ASSERT_NE(nullptr, buffer);
  EXPECT_EQ(buffer, BlockBuffer::take(1, directory, first, nullptr));
  EXPECT_NE(buffer, BlockBuffer::take(1, directory, first, buffer));
  EXPECT_NE(buffer, BlockBuffer::take(1, directory, second, nullptr));
  buffer->release();
  EXPECT_EQ(buffer, BlockBuffer::take(1, directory, third, nullptr));
}

}  // namespace
}  // namespace parallax
