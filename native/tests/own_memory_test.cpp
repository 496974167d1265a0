// The memory functions of the agent beside those of libc, for all short sizes and some beyond.
#define PARALLAX_OWN_PREFIX "tested_"
#include "base/own_memory.cpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace parallax {
namespace {

constexpr size_t kMost = 200, kAround = 32;

class OwnMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 random(1);
    for (auto& byte : bytes_) byte = static_cast<unsigned char>(random());
  }
  std::vector<unsigned char> bytes_ = std::vector<unsigned char>(2 * kMost + 4 * kAround);
};

TEST_F(OwnMemory, CopiesWhatIsAskedForAndNothingElse) {
  for (size_t size = 0; size <= kMost; size++) {
    for (size_t offset = 0; offset < 9; offset++) {
      std::vector<unsigned char> expected(kMost + 2 * kAround, 0xA5), found = expected;
      memcpy(&expected[kAround + offset], &bytes_[offset / 2], size);
      EXPECT_EQ(&found[kAround + offset], ownCopy(&found[kAround + offset], &bytes_[offset / 2], size));
      ASSERT_EQ(expected, found) << size << " bytes at " << offset;
    }
  }
}

TEST_F(OwnMemory, MovesWhatOverlaps) {
  for (size_t size = 0; size <= kMost; size++) {
    for (int distance = -static_cast<int>(kAround); distance <= static_cast<int>(kAround); distance++) {
      std::vector<unsigned char> expected = bytes_, found = bytes_;
      memmove(&expected[kAround + static_cast<size_t>(distance + static_cast<int>(kAround))], &expected[2 * kAround], size);
      ownMove(&found[kAround + static_cast<size_t>(distance + static_cast<int>(kAround))], &found[2 * kAround], size);
      ASSERT_EQ(expected, found) << size << " bytes by " << distance;
    }
  }
}

TEST_F(OwnMemory, SetsWhatIsAskedForAndNothingElse) {
  for (size_t size = 0; size <= kMost; size++) {
    for (const int byte : {0, 1, 0x80, 0xFF, 0x1234}) {
      std::vector<unsigned char> expected = bytes_, found = bytes_;
      memset(&expected[kAround], byte, size);
      EXPECT_EQ(&found[kAround], ownSet(&found[kAround], byte, size));
      ASSERT_EQ(expected, found) << size << " bytes of " << byte;
    }
  }
}

TEST_F(OwnMemory, ComparesBytesWithoutSign) {
  const unsigned char one[] = {1, 0x80, 3}, other[] = {1, 0x7F, 9};
  EXPECT_EQ(0, ownCompare(one, other, 0));
  EXPECT_EQ(0, ownCompare(one, other, 1));
  EXPECT_GT(ownCompare(one, other, 2), 0);
  EXPECT_LT(ownCompare(other, one, 3), 0);
}

}  // namespace
}  // namespace parallax
