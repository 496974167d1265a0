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

}  // namespace
}  // namespace parallax
