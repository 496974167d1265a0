// Measurements whose truth needs processors that other programs leave alone.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace parallax::tests {

// What other programs take of the processors from here on, the hypervisor's others included. This process and its
// children that have ended are not among the others.
class OtherLoad {
 public:
  OtherLoad();
  double ms() const;     // of processors, never negative
  double share() const;  // of all processors
  // Whether others took enough of the processors to be the cause of wrong times.
  bool isBusy() const;

 private:
  double elapsedMs() const;

  std::chrono::steady_clock::time_point begin_;
  double processors_, allMs_, ownMs_;
};

// How a repeated measurement ended.
struct Measured {
  std::string wrong;    // what a quiet machine found, or nothing
  std::string skipped;  // what was found while others took the processors in each attempt, or nothing
};

constexpr int kAttempts = 3;

// Makes attempts, numbered from 1, until one finds nothing wrong, or has failed otherwise. An attempt returns what is
// wrong with its times. Wrong times of all attempts are skipped if others took the processors in each of them.
Measured measure(int attempts, const std::function<std::string(int)>& attempt);

}  // namespace parallax::tests

// Fails the test, or skips it, or goes on, as measure() says.
#define EXPECT_TIMES(...)                                                    \
  do {                                                                       \
    const ::parallax::tests::Measured measured =                             \
        ::parallax::tests::measure(__VA_ARGS__);                             \
    if (measured.skipped != "") GTEST_SKIP() << measured.skipped;            \
    EXPECT_EQ("", measured.wrong);                                           \
  } while (false)
