// What the lowest layer says once for all others.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/fork_generation.h"
#include "base/maps.h"
#include "base/shared_mapping.h"
#include "base/stack_bounds.h"
#include "base/text.h"
#include "tests/temporary_directory.h"

namespace parallax {
namespace {

// ------------------------------------------------------------------- numbers

TEST(Numbers, AreTakenFromTheFront) {
  std::string_view text = "123ax";
  uint64_t value = 0;
  EXPECT_TRUE(readNumber(&text, 10, &value));
  EXPECT_EQ(value, 123u);
  EXPECT_EQ(text, "ax");
  EXPECT_FALSE(readNumber(&text, 10, &value));
  EXPECT_EQ(text, "ax");
  EXPECT_TRUE(readNumber(&text, 16, &value));
  EXPECT_EQ(value, 10u);
  EXPECT_EQ(text, "x");
  text = "7fFf";
  EXPECT_TRUE(readNumber(&text, 16, &value));
  EXPECT_EQ(value, 0x7fffu);
  EXPECT_TRUE(text.empty());
  EXPECT_FALSE(readNumber(&text, 16, &value));
}

TEST(Numbers, FitInto64Bits) {
  uint64_t value = 5;
  EXPECT_TRUE(parseNumber("18446744073709551615", 10, ~uint64_t{0}, &value));
  EXPECT_EQ(value, ~uint64_t{0});
  EXPECT_FALSE(parseNumber("18446744073709551616", 10, ~uint64_t{0}, &value));
  EXPECT_TRUE(parseNumber("ffffffffffffffff", 16, ~uint64_t{0}, &value));
  EXPECT_FALSE(parseNumber("10000000000000000", 16, ~uint64_t{0}, &value));
}

TEST(Numbers, AreTheWholeText) {
  uint64_t value = 5;
  for (const char* text : {"", " 1", "1 ", "-1", "+1", "0x1", "1.5", "101"}) {
    EXPECT_FALSE(parseNumber(text, 10, 100, &value)) << text;
  }
  EXPECT_EQ(value, 5u);
  EXPECT_TRUE(parseNumber("100", 10, 100, &value));
  EXPECT_EQ(value, 100u);
}

// ------------------------------------------------------------------ mappings

TEST(Maps, LineOfAFile) {
  Mapping mapping;
  ASSERT_TRUE(parseMapping("7f00a000-7f00c000 rw-s 00003000 fd:1a 1234                  /tmp/a b (deleted)",
                           &mapping));
  EXPECT_EQ(mapping.low, 0x7f00a000u);
  EXPECT_EQ(mapping.high, 0x7f00c000u);
  EXPECT_TRUE(mapping.shared);
  EXPECT_EQ(mapping.offset, 0x3000u);
  EXPECT_EQ(mapping.device, uint64_t{0xfd} << 32 | 0x1a);
  EXPECT_EQ(mapping.inode, 1234u);
  EXPECT_STREQ(mapping.path, "/tmp/a b (deleted)");
}

TEST(Maps, LineWithoutAFile) {
  Mapping mapping;
  ASSERT_TRUE(parseMapping("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]", &mapping));
  EXPECT_FALSE(mapping.shared);
  EXPECT_EQ(mapping.inode, 0u);
  EXPECT_EQ(mapping.path, nullptr);
}

TEST(Maps, OtherLines) {
  Mapping mapping;
  for (const char* line : {"", "x", "1000", "1000-", "1000-2000", "1000-2000 r", "1000-2000 rw-p",
                           "1000-2000 rw-p 0", "1000-2000 rw-p 0 fd", "1000-2000 rw-p 0 fd:",
                           "1000-2000 rw-p 0 fd:00", "1000-2000 rw-p 0 fd:00 ", "/1000-2000 rw-p 0 fd:00 1"}) {
    EXPECT_FALSE(parseMapping(line, &mapping)) << line;
  }
}

TEST(Maps, LinesThatAreTooLong) {
  const TemporaryDirectory directory;
  const std::string file = directory / "maps";
  {
    std::ofstream text(file);
    for (int i = 0; i < 300; i++) {
      text << std::hex << 0x1000 * (i + 1) << "-" << 0x1000 * (i + 2) << " r--p 0 0:0 " << std::dec << i << " /"
           << std::string(static_cast<size_t>(i % 7 == 3 ? 20000 + i : 40 * i), 'x') << "\n";
    }
  }
  Mappings mappings(file.c_str());
  ASSERT_TRUE(mappings.isOpen());
  Mapping mapping;
  for (uint64_t i = 0; i < 300; i++) {
    ASSERT_TRUE(mappings.next(&mapping)) << i;
    EXPECT_EQ(mapping.low, 0x1000 * (i + 1));
    EXPECT_EQ(mapping.inode, i);
    ASSERT_NE(mapping.path, nullptr);
    const size_t length = std::string(mapping.path).size();
    const size_t whole = 1 + (i % 7 == 3 ? 20000 + i : 40 * i);
    if (whole < 8000) {
      EXPECT_EQ(length, whole);
    } else {
      EXPECT_GT(length, 8000u);
    }
  }
  EXPECT_FALSE(mappings.next(&mapping));
}

TEST(Maps, OfNoFile) {
  Mappings mappings("/nonexistent");
  Mapping mapping;
  EXPECT_FALSE(mappings.isOpen());
  EXPECT_FALSE(mappings.next(&mapping));
}

TEST(Maps, OfThisProcess) {
  const size_t bytes = 5 << 12;
  const TemporaryDirectory directory;
  FILE* file = fopen((directory / "mapped").c_str(), "w+");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(ftruncate(fileno(file), 8 << 12), 0);
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fileno(file), 1 << 12);
  fclose(file);
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = reinterpret_cast<uint64_t>(memory);
  Mappings mappings;
  uint64_t before = 0;
  bool found = false;
  for (Mapping mapping; mappings.next(&mapping);) {
    EXPECT_GE(mapping.low, before);
    EXPECT_LT(mapping.low, mapping.high);
    before = mapping.high;
    if (mapping.low != at) continue;
    found = true;
    EXPECT_EQ(mapping.high, at + bytes);
    EXPECT_EQ(mapping.offset, 1u << 12);
    EXPECT_TRUE(mapping.shared);
    EXPECT_EQ(mapping.path, directory / "mapped");
  }
  EXPECT_TRUE(found);
  SharedMapping shared;
  ASSERT_TRUE(findSharedMapping(at + 100, &shared));
  EXPECT_EQ(shared.offset, (1u << 12) + 100);
  EXPECT_FALSE(findSharedMapping(reinterpret_cast<uint64_t>(&shared), &shared));
  munmap(memory, bytes);
}

// -------------------------------------------------------------------- stacks

bool holds(const StackBounds& stack, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return at >= stack.low && at < stack.high;
}

TEST(StackBounds, OfTheMainThread) {
  int local = 0;
  const StackBounds stack = stackOfCaller();
  EXPECT_TRUE(holds(stack, &local));
  EXPECT_EQ(stack.low, stackByMappings().low);
  EXPECT_FALSE(holds(stack, environ));  // it begins above what the kernel has put there
}

void onThread(size_t stackBytes, const std::function<void()>& f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stackBytes), 0);
  pthread_t thread;
  auto* run = +[](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&f)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(StackBounds, OfAnotherThread) {
  constexpr size_t kBytes = 1 << 20;
  onThread(kBytes, [] {
    int local = 0;
    const StackBounds asked = stackOfCaller(), known = stackOfCaller(kBytes);
    EXPECT_TRUE(holds(asked, &local));
    EXPECT_TRUE(holds(known, &local));
    // Both end where the thread's own data stands, at the upper end.
    EXPECT_LE(known.high, asked.high);
    EXPECT_LT(asked.high - known.high, 64u << 10);
    const StackBounds mapped = stackByMappings();
    EXPECT_TRUE(holds(mapped, &local));
    EXPECT_EQ(known.high, mapped.high);
    EXPECT_EQ(asked.high - asked.low, size_t{kBytes});
    // A size that cannot be right.
    const StackBounds wrong = stackOfCaller(16);
    EXPECT_EQ(wrong.low, asked.low);
    EXPECT_EQ(wrong.high, asked.high);
  });
}

TEST(StackBounds, OfAChildThatAThreadForked) {
  onThread(1 << 20, [] {
    const pid_t child = fork();
    if (child == 0) {
      int local = 0;
      _exit(holds(stackOfCaller(), &local) && holds(stackByMappings(), &local) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  });
}

// -------------------------------------------------------------------- forks

TEST(ForkGeneration, GrowsFromParentToChild) {
  const uint32_t own = forkGeneration();
  ASSERT_NE(own, 0u);
  EXPECT_EQ(forkGeneration(), own);
  const pid_t child = fork();
  if (child == 0) {
    const uint32_t first = forkGeneration();
    if (first <= own || forkGeneration() != first) _exit(1);
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(forkGeneration() > first ? 0 : 1);
    int status = -1;
    waitpid(grandchild, &status, 0);
    _exit(status == 0 && forkGeneration() == first ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(forkGeneration(), own);
}

TEST(ForkGeneration, IsOneForAllThreadsOfAChild) {
  const uint32_t own = forkGeneration();
  for (int round = 0; round < 20; round++) {
    const pid_t child = fork();
    if (child == 0) {
      std::atomic<bool> go{false};
      uint32_t seen[4] = {};
      std::vector<std::thread> threads;
      for (uint32_t& mine : seen) {
        threads.emplace_back([&go, &mine] {
          while (!go.load()) {
          }
          mine = forkGeneration();
        });
      }
      go.store(true);
      for (std::thread& each : threads) each.join();
      _exit(seen[0] > own && std::all_of(seen, seen + 4, [&](uint32_t each) { return each == seen[0]; }) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace parallax
