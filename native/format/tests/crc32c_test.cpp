#include "format/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parallax::format {
namespace {

// The definition itself, bit by bit.
uint32_t slowCrc32c(const unsigned char* p, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; i++) {
    crc ^= p[i];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0);
  }
  return ~crc;
}

TEST(FormatCrc32c, KnownValues) {
  EXPECT_EQ(crc32c("", 0), 0u);
  EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u);
  const std::string zeros(32, '\0');
  EXPECT_EQ(crc32c(zeros.data(), zeros.size()), 0x8A9136AAu);
}

TEST(FormatCrc32c, HardwareAndTablesAgreeWithTheDefinition) {
  std::mt19937 random(1);
  std::vector<unsigned char> data(65536 + 64);
  for (auto& byte : data) byte = static_cast<unsigned char>(random());
  for (const size_t size : {0, 1, 7, 8, 9, 63, 64, 1023, 3071, 3072, 3073, 6144, 10000, 65536}) {
    const size_t start = random() % 64;
    const uint32_t expected = slowCrc32c(data.data() + start, size);
    EXPECT_EQ(~crc32c_internal::bySoftware(~0u, data.data() + start, size), expected) << size;
    EXPECT_EQ(crc32c(data.data() + start, size), expected) << size;
#if defined(__x86_64__)
    if (crc32c_internal::hasHardware()) {
      EXPECT_EQ(~crc32c_internal::byHardware(~0u, data.data() + start, size), expected) << size;
    }
#endif
  }
}

TEST(FormatCrc32c, ContinuesInPieces) {
  const std::string text(5000, 'x');
  for (const size_t cut : {0u, 1u, 100u, 3072u, 5000u}) {
    const uint32_t first = crc32c(text.data(), cut);
    EXPECT_EQ(crc32c(text.data() + cut, text.size() - cut, first),
              crc32c(text.data(), text.size()));
  }
}

}  // namespace
}  // namespace parallax::format
