#include "tests/other_load.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace parallax::tests {
namespace {

using Clock = std::chrono::steady_clock;

// Below this share of all processors a machine is quiet. The kernel counts in ticks, and can count one for each
// processor too many.
constexpr double kMostShare = 0.025, kTickMs = 10;

// Of all processors, by anybody.
double allMs() {
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0;
  stat >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> stolen;
  return (user + nice + system + interrupts + soft + stolen) * 1000 /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

double ownMs() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    }
  }
  return sum;
}

}  // namespace

OtherLoad::OtherLoad()
    : begin_(Clock::now()),
      processors_(static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)))),
      allMs_(allMs()),
      ownMs_(ownMs()) {}

double OtherLoad::ms() const { return std::max(0.0, allMs() - allMs_ - (ownMs() - ownMs_)); }

double OtherLoad::share() const { return ms() / (processors_ * elapsedMs()); }

bool OtherLoad::isBusy() const { return ms() > processors_ * (kMostShare * elapsedMs() + kTickMs); }

double OtherLoad::elapsedMs() const {
  return std::max(1e-3, std::chrono::duration<double, std::milli>(Clock::now() - begin_).count());
}

Measured measure(int attempts, const std::function<std::string(int)>& attempt) {
  Measured measured;
  double least = 1;
  for (int number = 1; number <= attempts; number++) {
    const OtherLoad others;
    const std::string wrong = attempt(number);
    if (wrong == "" || testing::Test::HasFailure()) return {};
    const double share = others.share();
    least = std::min(least, share);
    if (!others.isBusy()) measured.wrong = wrong;
    char text[128];
    snprintf(text, sizeof text, "other programs took at least %.1f %% of the processors in each of %d attempts",
             100 * least, number);
    measured.skipped = std::string(text) + "; the last one found: " + wrong;
    printf("attempt %d, others took %.1f %% of the processors: %s\n", number, 100 * share, wrong.c_str());
  }
  if (measured.wrong != "") measured.skipped = "";
  return measured;
}

}  // namespace parallax::tests
